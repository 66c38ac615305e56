//! Is a request about things in the state that a parameter is called after: `what is still to do`, `done`?

use handpick_selection::words::spelled_out;

use super::parameters::SETTINGS;

/// What parameters about one state are called, and what people say of things in it or out of it.
const STATES: [(&[&str], &[&str]); 4] = [
    (
        &["done", "complete", "completed", "finished", "resolved", "closed"],
        &[
            "still to do",
            "left to do",
            "yet to do",
            "what's to do",
            "what is to do",
            "to be done",
            "needs doing",
            "still open",
            "not done",
            "outstanding",
            "remaining",
            "pending",
            "unfinished",
            "ongoing",
            "over and done",
        ],
    ),
    (
        &["active", "enabled"],
        &[
            "is on",
            "are on",
            "is off",
            "are off",
            "switched on",
            "switched off",
            "turned on",
            "turned off",
            "disabled",
            "inactive",
        ],
    ),
    (
        &["read", "seen", "unread"],
        &["unseen", "not seen", "not read", "haven't read", "haven't seen"],
    ),
    (
        &["archived", "deleted", "trashed"],
        &["in the trash", "in the bin", "in the archive"],
    ),
];

/// Whether a request in lower case says of things that they are in, or out of, the state this parameter is about.
pub(super) fn is_in_state(name: &str, lower: &str) -> bool {
    let name = spelled_out(name);
    let telling: Vec<&str> = name.split(' ').filter(|word| !SETTINGS.contains(word)).collect();
    // `enabled` alone is no setting of something else.
    let word = match telling.as_slice() {
        [] => name.as_str(),
        [word] => word,
        _ => return false,
    };
    STATES
        .iter()
        .any(|(names, phrases)| names.contains(&word) && phrases.iter().any(|phrase| says(lower, phrase)))
}

/// Whether a text has a phrase of whole words. `is on` must end what is said: `the talk is on Friday`.
fn says(lower: &str, phrase: &str) -> bool {
    let must_end = phrase.ends_with(" on") || phrase.ends_with(" off");
    lower.match_indices(phrase).any(|(at, phrase)| {
        let before = lower.get(..at).and_then(|before| before.chars().next_back());
        let rest = lower.get(at + phrase.len()..).unwrap_or_default();
        let after = rest.chars().next();
        let is_whole =
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric);
        let ends = rest
            .trim_start()
            .chars()
            .next()
            .is_none_or(|c| ".,;:!?)".contains(c));
        is_whole && (!must_end || ends)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_told() {
        for (name, request, expected) in [
            ("done", "tasks of emp-1 that are still to do", true),
            ("is_completed", "outstanding tasks", true),
            ("done", "create a to do for emp-1", false),
            ("enabled", "flags that are on", true),
            ("enabled", "is the flag on? show those that are off!", true),
            ("active", "the talk is on friday", false),
            ("completed_before", "outstanding tasks", false),
            ("read", "mails i haven't read", true),
            ("archived", "cards in the archive", true),
            ("archived", "cards in the binder", false),
        ] {
            assert_eq!(is_in_state(name, request), expected, "{name}: {request}");
        }
    }
}
