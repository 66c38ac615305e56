//! What do the first lines of a SKILL.md say?
//!
//! Front matter is YAML between two lines of three hyphens. Two keys count, and what they hold is read as YAML reads
//! it: plain, quoted or block text, over several lines too. Everything else is passed over.

/// A SKILL.md taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FrontMatter<'a> {
    pub name: String,
    pub description: String,
    /// The text behind the front matter.
    pub body: &'a str,
}

/// Takes a SKILL.md apart, or says what is missing. The body may be cut off.
pub(super) fn read(text: &str) -> Result<FrontMatter<'_>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let opening = lines.next().unwrap_or_default();
    if opening.trim_end() != "---" {
        return Err("SKILL.md must begin with a line `---`, then `name:` and `description:`".to_owned());
    }
    let mut length = opening.len();
    let mut head = Vec::new();
    let mut closed = false;
    for line in lines {
        length += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        if matches!(line.trim_end(), "---" | "...") {
            closed = true;
            break;
        }
        head.push(line);
    }
    if !closed {
        return Err("the front matter of SKILL.md must end with a line `---`".to_owned());
    }
    Ok(FrontMatter {
        name: required(&head, "name")?,
        description: required(&head, "description")?,
        body: text
            .get(length..)
            .unwrap_or_default()
            .trim_start_matches(['\n', '\r']),
    })
}

fn required(head: &[&str], key: &str) -> Result<String, String> {
    let value = value(head, key)?.unwrap_or_default();
    match value.trim() {
        "" => Err(format!(
            "the front matter of SKILL.md must have a `{key}` with text"
        )),
        text => Ok(text.to_owned()),
    }
}

/// The value of a key at the left margin.
fn value(head: &[&str], key: &str) -> Result<Option<String>, String> {
    let at = head.iter().enumerate().find_map(|(index, line)| {
        let rest = line.strip_prefix(key)?.trim_start().strip_prefix(':')?;
        (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some((index, rest.trim()))
    });
    let Some((index, first)) = at else {
        return Ok(None);
    };
    // What is indented below belongs to it; a blank line may stand between.
    let below: Vec<&str> = head
        .iter()
        .skip(index + 1)
        .take_while(|line| line.trim().is_empty() || line.starts_with([' ', '\t']))
        .copied()
        .collect();
    let text = match first.chars().next() {
        Some('|') => block(&below, false),
        Some('>') => block(&below, true),
        Some('"') => double_quoted(&folded(first, &below))
            .ok_or_else(|| format!("`{key}` in SKILL.md must end with `\"`"))?,
        Some('\'') => single_quoted(&folded(first, &below))
            .ok_or_else(|| format!("`{key}` in SKILL.md must end with `'`"))?,
        Some('[' | '{' | '&' | '*' | '!') => {
            return Err(format!("`{key}` in SKILL.md must be text; put it in quotes"));
        }
        _ => plain(first, &below),
    };
    Ok(Some(text))
}

/// Lines joined as YAML folds them: a line break is a space, a blank line a line break.
fn folded(first: &str, below: &[&str]) -> String {
    let mut text = first.to_owned();
    let mut breaks = 0_usize;
    for line in below.iter().map(|line| line.trim()) {
        if line.is_empty() {
            breaks += 1;
            continue;
        }
        match breaks {
            0 if text.is_empty() => {}
            0 => text.push(' '),
            breaks => text.push_str(&"\n".repeat(breaks)),
        }
        breaks = 0;
        text.push_str(line);
    }
    text
}

/// Plain text ends where a comment begins.
fn plain(first: &str, below: &[&str]) -> String {
    let without_comment = |line: &str| -> String {
        let trimmed = line.trim();
        match trimmed.starts_with('#') {
            true => String::new(),
            false => trimmed
                .split(" #")
                .next()
                .unwrap_or_default()
                .trim_end()
                .to_owned(),
        }
    };
    let below: Vec<String> = below.iter().map(|line| without_comment(line)).collect();
    let below: Vec<&str> = below.iter().map(String::as_str).collect();
    folded(&without_comment(first), &below)
}

/// Block text: its indentation is that of its first line.
fn block(below: &[&str], fold: bool) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let margin = below
        .iter()
        .find(|line| !line.trim().is_empty())
        .map_or(0, |line| indent(line));
    let lines = below.iter().map(|line| {
        line.get(margin.min(indent(line))..)
            .unwrap_or_default()
            .trim_end()
    });
    if fold {
        let lines: Vec<&str> = lines.collect();
        return folded("", &lines);
    }
    lines.collect::<Vec<_>>().join("\n")
}

fn double_quoted(text: &str) -> Option<String> {
    let mut value = String::new();
    let mut characters = text.strip_prefix('"')?.chars();
    loop {
        match characters.next()? {
            '"' => return Some(value),
            '\\' => match characters.next()? {
                'n' => value.push('\n'),
                't' => value.push('\t'),
                'r' => value.push('\r'),
                'u' => value.push(code_point(&mut characters, 4)?),
                'x' => value.push(code_point(&mut characters, 2)?),
                other => value.push(other),
            },
            other => value.push(other),
        }
    }
}

fn code_point(characters: &mut std::str::Chars<'_>, digits: usize) -> Option<char> {
    let hex: String = characters.take(digits).collect();
    char::from_u32(u32::from_str_radix(&hex, 16).ok()?)
}

fn single_quoted(text: &str) -> Option<String> {
    let mut value = String::new();
    let mut characters = text.strip_prefix('\'')?.chars().peekable();
    loop {
        match characters.next()? {
            '\'' if characters.peek() == Some(&'\'') => {
                characters.next();
                value.push('\'');
            }
            '\'' => return Some(value),
            other => value.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(head: &str, name: &str, description: &str) {
        let text = format!("---\n{head}\n---\nBody.\n");
        let read = read(&text).unwrap();
        assert_eq!(
            (read.name.as_str(), read.description.as_str()),
            (name, description),
            "{head}"
        );
        assert_eq!(read.body, "Body.\n");
    }

    #[test]
    fn texts_are_read_as_yaml_reads_them() {
        for (head, name, description) in [
            ("name: pdf\ndescription: Fill forms.", "pdf", "Fill forms."),
            (
                "description:   Fill: forms#1 # a comment\nname: pdf # x",
                "pdf",
                "Fill: forms#1",
            ),
            (
                "name: \"a \\\"b\\\" \\u00e9\\n\"\ndescription: 'it''s # fine'",
                "a \"b\" é",
                "it's # fine",
            ),
            (
                "name: pdf\ndescription: one\n  two\n\n  three\nlicense: x",
                "pdf",
                "one two\nthree",
            ),
            (
                "name: pdf\ndescription: >-\n  one\n  two\n\n  three\nlicense: x",
                "pdf",
                "one two\nthree",
            ),
            (
                "name: pdf\ndescription: |\n    one\n      two\n\n    three\n",
                "pdf",
                "one\n  two\n\nthree",
            ),
            ("name: pdf\ndescription:\n  below", "pdf", "below"),
            ("name: pdf\ndescription: \"one\n  two\"", "pdf", "one two"),
            (
                "metadata:\n  name: inner\nname: outer\ndescription: x",
                "outer",
                "x",
            ),
            ("names: no\nname : yes\ndescription: x", "yes", "x"),
        ] {
            reads(head, name, description);
        }
    }

    #[test]
    fn line_ends_and_marks_of_other_systems_are_fine() {
        let read = read("\u{feff}---\r\nname: a\r\ndescription: b\r\n---\r\n\r\nBody\r\n").unwrap();
        assert_eq!(
            (read.name.as_str(), read.description.as_str(), read.body),
            ("a", "b", "Body\r\n")
        );
    }

    #[test]
    fn what_is_missing_is_told() {
        for (text, told) in [
            ("", "must begin with a line `---`"),
            ("# Title", "must begin with a line `---`"),
            ("---\nname: a\ndescription: b\n", "must end with a line `---`"),
            ("---\ndescription: b\n---\n", "must have a `name`"),
            ("---\nname: a\n---\n", "must have a `description`"),
            (
                "---\nname: a\ndescription: ''\n---\n",
                "must have a `description`",
            ),
            (
                "---\nname: \"a\ndescription: b\n---\n",
                "`name` in SKILL.md must end with `\"`",
            ),
            (
                "---\nname: [a]\ndescription: b\n---\n",
                "`name` in SKILL.md must be text",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(told), "{text:?}: {error}");
        }
    }
}
