//! Of which words does a name consist?

/// The words of a name in lower case: cut at everything that is no letter or digit, and where capitals begin a word.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in name.split(|c: char| !c.is_alphanumeric()) {
        let letters: Vec<char> = part.chars().collect();
        let mut start = 0;
        for at in 1..letters.len() {
            if begins_word(&letters, at) {
                words.push(lower(&letters[start..at]));
                start = at;
            }
        }
        if start < letters.len() {
            words.push(lower(&letters[start..]));
        }
    }
    words
}

fn begins_word(letters: &[char], at: usize) -> bool {
    if !letters[at].is_uppercase() {
        return false;
    }
    if !letters[at - 1].is_uppercase() {
        return true;
    }
    // Within capitals the last one begins a word when a small letter follows ("IDNumber"), except for the plural of an
    // abbreviation ("IDs").
    let small_follows = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
    let plural =
        letters.get(at + 1) == Some(&'s') && letters.get(at + 2).is_none_or(|next| next.is_uppercase());
    small_follows && !plural
}

fn lower(letters: &[char]) -> String {
    letters.iter().flat_map(|letter| letter.to_lowercase()).collect()
}

/// The singular of an English noun, by its ending; other words stay as they are.
pub(crate) fn singular(word: &str) -> String {
    let cut = |ending: &str, with: &str| {
        word.strip_suffix(ending)
            .filter(|stem| stem.len() >= 2)
            .map(|stem| format!("{stem}{with}"))
    };
    if let Some(one) = cut("ies", "y") {
        return one;
    }
    for ending in ["sses", "shes", "ches", "xes"] {
        if let Some(one) = cut(ending, &ending[..ending.len() - 2]) {
            return one;
        }
    }
    if ["ss", "us", "is"].iter().any(|ending| word.ends_with(ending)) {
        return word.to_owned();
    }
    cut("s", "").unwrap_or_else(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_into_words() {
        for (name, expected) in [
            ("get_customerOrders", vec!["get", "customer", "orders"]),
            ("IDNumber", vec!["id", "number"]),
            ("carrierIDs", vec!["carrier", "ids"]),
            ("docURLs", vec!["doc", "urls"]),
            ("IDsOfOrders", vec!["ids", "of", "orders"]),
            ("line2Id", vec!["line2", "id"]),
            ("HTTPServer", vec!["http", "server"]),
            ("--", vec![]),
        ] {
            assert_eq!(words(name), expected);
        }
    }

    #[test]
    fn plurals_lose_their_ending() {
        for (many, one) in [
            ("customers", "customer"),
            ("policies", "policy"),
            ("addresses", "address"),
            ("boxes", "box"),
            ("matches", "match"),
            ("status", "status"),
            ("analysis", "analysis"),
            ("invoice", "invoice"),
            ("cases", "case"),
            ("gas", "ga"),
        ] {
            assert_eq!(singular(many), one);
        }
    }
}
