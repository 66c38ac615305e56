//! Which words of a text tell what a tool does?

/// Function words, and words that every tool could be described with. Lower-case, in alphabetical order.
const EMPTY: &[&str] = &[
    "a",
    "about",
    "across",
    "action",
    "all",
    "allow",
    "allows",
    "also",
    "an",
    "and",
    "another",
    "any",
    "api",
    "are",
    "as",
    "at",
    "available",
    "based",
    "be",
    "both",
    "by",
    "can",
    "certain",
    "command",
    "current",
    "data",
    "detail",
    "detailed",
    "details",
    "do",
    "does",
    "each",
    "either",
    "endpoint",
    "every",
    "existing",
    "for",
    "from",
    "function",
    "given",
    "help",
    "helps",
    "how",
    "if",
    "in",
    "info",
    "information",
    "into",
    "is",
    "it",
    "item",
    "items",
    "its",
    "let",
    "lets",
    "may",
    "method",
    "more",
    "most",
    "multiple",
    "my",
    "new",
    "no",
    "not",
    "object",
    "objects",
    "of",
    "off",
    "on",
    "one",
    "only",
    "operation",
    "optional",
    "or",
    "other",
    "our",
    "out",
    "over",
    "particular",
    "per",
    "provide",
    "provided",
    "provides",
    "resource",
    "resources",
    "returned",
    "several",
    "single",
    "so",
    "some",
    "specific",
    "specified",
    "such",
    "that",
    "the",
    "their",
    "then",
    "these",
    "this",
    "those",
    "through",
    "to",
    "tool",
    "tools",
    "two",
    "under",
    "up",
    "use",
    "used",
    "user",
    "uses",
    "using",
    "value",
    "values",
    "various",
    "via",
    "was",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "will",
    "with",
    "within",
    "you",
    "your",
];

/// Verbs that tools share; they tell what is done, not what it is done to.
const VERBS: &[&str] = &[
    "add", "apply", "call", "change", "check", "clear", "create", "delete", "describe", "do", "edit",
    "execute", "fetch", "find", "get", "handle", "insert", "invoke", "list", "load", "lookup", "make",
    "manage", "modify", "open", "patch", "perform", "post", "process", "put", "query", "read", "remove",
    "replace", "request", "retrieve", "return", "run", "save", "search", "select", "send", "set", "show",
    "start", "stop", "submit", "update", "upsert", "validate", "view", "write",
];

/// Words that mean the same wherever tools are named.
const SAME: &[(&str, &str)] = &[
    ("add", "create"),
    ("edit", "update"),
    ("fetch", "get"),
    ("make", "create"),
    ("modify", "update"),
    ("patch", "update"),
    ("read", "get"),
    ("remove", "delete"),
    ("retrieve", "get"),
    ("return", "get"),
    ("show", "get"),
    ("view", "get"),
];

/// The words of a text as written, in lower case: `listS3Buckets` has three.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut letters = text.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        if !letter.is_alphanumeric() {
            end(&mut words, &mut word);
        } else {
            let next_is_small = letters.peek().is_some_and(|next| next.is_lowercase());
            let begins = letter.is_uppercase()
                && (before.is_lowercase() || (before.is_alphanumeric() && next_is_small));
            if begins || is_ideograph(letter) {
                end(&mut words, &mut word);
            }
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    end(&mut words, &mut word);
    words
}

fn end(words: &mut Vec<String>, word: &mut String) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

/// Letters of scripts that put no spaces between words: each counts as a word of its own.
fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{0e00}'..='\u{0e7f}')
}

/// The words that tell something, folded so that `Lists teams` and `list_team` share theirs. Each once, in
/// the order of the text.
pub fn telling(text: &str) -> Vec<String> {
    let mut told = Vec::new();
    for word in words(text) {
        let short = word.len() < 2 && word.is_ascii();
        if short || is_in(EMPTY, &word) {
            continue;
        }
        let word = folded(&word);
        if !told.contains(&word) {
            told.push(word);
        }
    }
    told
}

/// Telling words that are no verbs every tool could have.
pub fn objects(text: &str) -> Vec<String> {
    let verbs: Vec<String> = VERBS.iter().map(|verb| folded(verb)).collect();
    let mut objects = telling(text);
    objects.retain(|word| !verbs.contains(word));
    objects
}

/// Whether a word, as written, is one of the verbs tools share, in any of its forms.
pub fn is_verb(word: &str) -> bool {
    let word = word.to_lowercase();
    VERBS.iter().any(|verb| stem(verb) == stem(&word))
}

/// Whether two words are forms of one.
pub fn same(a: &str, b: &str) -> bool {
    stem(a) == stem(b)
}

/// A word without its endings, and synonyms as one.
fn folded(word: &str) -> String {
    let stem = stem(word);
    match SAME.iter().find(|(from, _)| self::stem(from) == stem) {
        Some((_, to)) => self::stem(to),
        None => stem,
    }
}

/// A crude stem: the forms of number and time of most English words come out the same.
fn stem(word: &str) -> String {
    let length = word.len();
    let cut = |ending: &str, least: usize| word.strip_suffix(ending).filter(|_| length >= least);
    let mut stem = if let Some(root) = cut("ies", 5) {
        format!("{root}y")
    } else if let Some(root) = cut("ing", 6).or_else(|| cut("ed", 5)) {
        root.to_owned()
    } else if let Some(root) = cut("es", 5).filter(|root| root.ends_with(['s', 'x', 'h'])) {
        root.to_owned()
    } else if let Some(root) = cut("s", 4).filter(|root| !root.ends_with('s')) {
        root.to_owned()
    } else {
        word.to_owned()
    };
    let mut ending = stem.chars().rev();
    if let (Some(last), Some(other)) = (ending.next(), ending.next())
        && last == other
        && !"sle".contains(last)
        && stem.len() > 3
    {
        stem.pop();
    }
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    stem
}

fn is_in(list: &[&str], word: &str) -> bool {
    list.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        assert!(EMPTY.is_sorted() && VERBS.is_sorted() && SAME.is_sorted());
    }

    #[test]
    fn words_are_split_and_folded() {
        for (text, expected) in [
            ("listS3Buckets", "list s3 bucket"),
            ("Lists the teams of a user.", "list team"),
            ("HTTPServer_runs", "http server run"),
            ("Retrieves queries, adding entries", "get query creat entry"),
            ("查询订单", "查 询 订 单"),
            ("This tool provides information about data.", ""),
        ] {
            assert_eq!(telling(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn verbs_are_no_objects() {
        assert_eq!(objects("Update an existing service"), ["servic"]);
        assert!(objects("Get the specified item").is_empty());
        assert!(is_verb("Retrieves") && is_verb("creating") && !is_verb("team"));
    }
}
