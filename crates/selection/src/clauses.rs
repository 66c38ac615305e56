//! Which separate things does one task ask for?
//!
//! "Uninstall the old release and install the new one, then tell the team" asks for three. A task is cut
//! where a new order begins: at the end of a sentence, at `then` and its like, and at a comma or an `and`
//! that a verb follows. Parts too short to mean anything stay with what stands before them.

use crate::actions::Action;
use crate::words::{self, question_words};

/// Most parts a task is cut into; the last one takes the rest.
pub const CLAUSES_MAX: usize = 5;

/// Words after which a comma is not needed for a new order to begin.
const CONNECTIVES: &[&str] = &["afterwards", "finally", "lastly", "next", "then"];

/// Words that may stand between the cut and the verb.
const LEAD_INS: &[&str] = &[
    "afterwards",
    "also",
    "and",
    "after",
    "finally",
    "i",
    "lastly",
    "need",
    "next",
    "now",
    "please",
    "so",
    "that",
    "then",
    "to",
    "want",
    "you",
    "should",
    "must",
    "let",
    "me",
    "us",
    "can",
    "could",
];

/// Words after which what looked like a verb was a noun: `set and date`, `pull requests`, `test results`.
const NO_OBJECTS: &[&str] = &["and", "or", "request", "requests", "result", "results"];

/// Words of its own that a part needs at least.
const WORDS_MIN: usize = 2;

/// The parts of a task, in order; empty when it asks for one thing.
pub fn clauses(task: &str) -> Vec<&str> {
    let task = words::truncate(task);
    let mut cuts = vec![0];
    for found in boundaries(task) {
        let start = cuts.last().copied().unwrap_or_default();
        if cuts.len() < CLAUSES_MAX
            && found.before >= start
            && is_order(&task[found.after..], found.kind)
            && is_enough(&task[start..found.before])
            && is_enough(&task[found.after..])
        {
            cuts.push(found.after);
        }
    }
    if cuts.len() == 1 {
        return Vec::new();
    }
    let ends = cuts.iter().skip(1).copied().chain([task.len()]);
    cuts.iter()
        .zip(ends)
        .map(|(&start, end)| trimmed(&task[start..end]))
        .collect()
}

/// A place where a part may end.
#[derive(Clone, Copy, Debug)]
struct Boundary {
    /// End of the text before it.
    before: usize,
    /// Start of the text after it.
    after: usize,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// The end of a sentence, a semicolon, a new line.
    Sentence,
    /// `then` and its like.
    Connective,
    /// A comma or an `and`.
    Comma,
}

/// Every place where a part may end, in order. Nothing inside quotes is one.
fn boundaries(task: &str) -> Vec<Boundary> {
    let mut found = Vec::new();
    let mut quoted: Option<char> = None;
    let mut word_start = None;
    let mut previous = ' ';
    for (index, c) in task.char_indices() {
        let after = index + c.len_utf8();
        let was_quoted = quoted.is_some();
        if quoted.is_some_and(|quote| closing(quote) == c) {
            quoted = None;
        } else if !was_quoted
            && is_quote(c)
            && !previous.is_alphanumeric()
            && task[after..].contains(closing(c))
        {
            quoted = Some(c);
        }
        previous = c;
        if c.is_alphanumeric() || c == '\'' {
            word_start = word_start.or(Some(index));
            continue;
        }
        if let Some(start) = word_start.take()
            && !was_quoted
            && let Some(kind) = word_kind(&task[start..index])
        {
            found.push(Boundary {
                before: start,
                after: index,
                kind,
            });
        }
        if !was_quoted && quoted.is_none() {
            found.extend(mark_kind(c, &task[after..]).map(|kind| Boundary {
                before: index,
                after,
                kind,
            }));
        }
    }
    found
}

fn mark_kind(mark: char, after: &str) -> Option<Kind> {
    let spaced = after.chars().next().is_none_or(char::is_whitespace);
    match mark {
        ';' | '\n' => Some(Kind::Sentence),
        '.' | '!' | '?' if spaced => Some(Kind::Sentence),
        ',' if spaced => Some(Kind::Comma),
        _ => None,
    }
}

fn word_kind(word: &str) -> Option<Kind> {
    let lower = word.to_ascii_lowercase();
    if CONNECTIVES.contains(&lower.as_str()) {
        Some(Kind::Connective)
    } else if lower == "and" {
        Some(Kind::Comma)
    } else {
        None
    }
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '“' | '«' | '`')
}

fn closing(quote: char) -> char {
    match quote {
        '“' => '”',
        '«' => '»',
        other => other,
    }
}

/// Whether an order begins here. After a sentence anything but a bare remark may be one; after a comma only a
/// verb is.
fn is_order(after: &str, kind: Kind) -> bool {
    let mut following = after
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .skip_while(|word| LEAD_INS.contains(&word.as_str()));
    let (Some(first), Some(second)) = (following.next(), following.next()) else {
        return false;
    };
    match kind {
        Kind::Sentence | Kind::Connective => Action::of_word(&first).is_some(),
        // A form such as `closed` after a comma describes, and a verb before another `and` is a name among names.
        Kind::Comma => Action::of_base_form(&first).is_some() && !NO_OBJECTS.contains(&second.as_str()),
    }
}

/// Whether a text says something of its own.
fn is_enough(text: &str) -> bool {
    question_words(text).len() >= WORDS_MIN
}

/// A part without the words that only tied it to the one before.
fn trimmed(part: &str) -> &str {
    let mut rest = part.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '.' | '!' | '?'));
    loop {
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let ties = [
            "and",
            "then",
            "also",
            "finally",
            "next",
            "after",
            "afterwards",
            "lastly",
        ];
        if !ties.contains(&word.to_ascii_lowercase().as_str()) {
            break;
        }
        rest = after.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    }
    for tie in [" and", " then", ","] {
        rest = rest.strip_suffix(tie).unwrap_or(rest).trim_end();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(task: &str, expected: &[&str]) {
        assert_eq!(clauses(task), expected, "{task}");
    }

    #[test]
    fn a_task_is_cut_where_a_new_order_begins() {
        check(
            "uninstall the old release and install the new one, then tell the team",
            &[
                "uninstall the old release",
                "install the new one",
                "tell the team",
            ],
        );
        check(
            "Look up the worst new Sentry error of today and file it as a bug in acme/webshop on GitHub",
            &[
                "Look up the worst new Sentry error of today",
                "file it as a bug in acme/webshop on GitHub",
            ],
        );
        check(
            "Zip the logs folder. Upload the archive to S3! Email the link to Ana?",
            &[
                "Zip the logs folder",
                "Upload the archive to S3",
                "Email the link to Ana",
            ],
        );
        check(
            "check my workflow 14 for errors, repair what can be repaired and then fire it once",
            &[
                "check my workflow 14 for errors",
                "repair what can be repaired",
                "fire it once",
            ],
        );
    }

    #[test]
    fn one_thing_stays_whole() {
        for task in [
            "",
            "list issues and pull requests",
            "Create a table with columns name, set and date",
            "send \"stop the job, then restart it\" to #ops",
            "what is the weather like in Oslo, Norway",
            "Our site is down. Nobody knows why.",
            "delete it, please",
            "don't stop",
            "今開いているページのスクリーンショットを撮って",
        ] {
            check(task, &[]);
        }
    }

    #[test]
    fn parts_are_few() {
        let many = "open the door now, ".repeat(40);
        assert_eq!(clauses(&many).len(), CLAUSES_MAX);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_cut_into_pieces_of_itself(text in "\\PC{0,80}|([a-z,.;\"' ]|and |then |list ){0,40}") {
            for clause in clauses(&text) {
                proptest::prop_assert!(text.contains(clause));
            }
        }
    }
}
