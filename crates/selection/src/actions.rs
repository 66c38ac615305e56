//! What is to be done: read, create, change, delete?

use crate::words::Word;

/// What a text asks for, or what a tool does, by its leading verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Look something up; nothing changes.
    Read,
    /// Make something new.
    Create,
    /// Change what is there.
    Update,
    /// Take something away.
    Delete,
    /// Bring something to people.
    Send,
    /// Set something going.
    Run,
    /// End or pause what goes on.
    Stop,
    /// Bring something elsewhere.
    Transfer,
    /// Make another form of the same.
    Convert,
    /// Judge or explain.
    Analyze,
}

use Action::{Analyze, Convert, Create, Delete, Read, Run, Send, Stop, Transfer, Update};

/// Verbs, stemmed as words are, in alphabetical order.
const VERBS: &[(&str, Action)] = &[
    ("abort", Stop),
    ("accept", Update),
    ("add", Create),
    ("adjust", Update),
    ("amend", Update),
    ("analyse", Analyze),
    ("analyze", Analyze),
    ("announce", Send),
    ("append", Create),
    ("apply", Run),
    ("approve", Update),
    ("archive", Stop),
    ("assess", Analyze),
    ("assign", Update),
    ("attach", Create),
    ("backup", Transfer),
    ("book", Create),
    ("bring", Transfer),
    ("browse", Read),
    ("build", Create),
    ("calculate", Convert),
    ("cancel", Stop),
    ("change", Update),
    ("chart", Create),
    ("check", Read),
    ("clear", Delete),
    ("clone", Transfer),
    ("close", Stop),
    ("compare", Analyze),
    ("compose", Create),
    ("compute", Convert),
    ("configure", Update),
    ("convert", Convert),
    ("copy", Transfer),
    ("correct", Update),
    ("count", Read),
    ("create", Create),
    ("crop", Convert),
    ("deactivate", Stop),
    ("decline", Stop),
    ("delete", Delete),
    ("deploy", Run),
    ("describe", Read),
    ("destroy", Delete),
    ("diagnose", Analyze),
    ("disable", Stop),
    ("discard", Delete),
    ("display", Read),
    ("download", Transfer),
    ("draft", Create),
    ("draw", Create),
    ("drop", Delete),
    ("edit", Update),
    ("email", Send),
    ("enable", Update),
    ("end", Stop),
    ("erase", Delete),
    ("escalate", Update),
    ("evaluate", Analyze),
    ("execute", Run),
    ("explain", Analyze),
    ("export", Transfer),
    ("fetch", Read),
    ("file", Create),
    ("find", Read),
    ("fire", Run),
    ("fix", Update),
    ("format", Convert),
    ("forward", Send),
    ("generate", Create),
    ("get", Read),
    ("give", Read),
    ("grab", Read),
    ("grant", Update),
    ("highlight", Update),
    ("import", Transfer),
    ("insert", Create),
    ("inspect", Read),
    ("install", Create),
    ("invite", Send),
    ("invoke", Run),
    ("kill", Stop),
    ("launch", Run),
    ("list", Read),
    ("locate", Read),
    ("look", Read),
    ("lookup", Read),
    ("make", Create),
    ("mark", Update),
    ("merge", Update),
    ("message", Send),
    ("migrate", Transfer),
    ("modify", Update),
    ("move", Transfer),
    ("mute", Stop),
    ("notify", Send),
    ("open", Create),
    ("patch", Update),
    ("pause", Stop),
    ("ping", Send),
    ("plot", Create),
    ("post", Send),
    ("publish", Send),
    ("pull", Transfer),
    ("purge", Delete),
    ("push", Transfer),
    ("put", Create),
    ("query", Read),
    ("read", Read),
    ("reassign", Update),
    ("refund", Run),
    ("register", Create),
    ("reject", Update),
    ("remove", Delete),
    ("rename", Update),
    ("reopen", Update),
    ("repair", Update),
    ("replace", Update),
    ("reply", Send),
    ("reschedule", Update),
    ("reserve", Create),
    ("reset", Update),
    ("resize", Convert),
    ("resolve", Stop),
    ("restart", Run),
    ("restore", Transfer),
    ("retrieve", Read),
    ("retry", Run),
    ("revert", Update),
    ("revoke", Delete),
    ("rewrite", Update),
    ("roll", Update),
    ("run", Run),
    ("save", Create),
    ("scale", Update),
    ("scan", Analyze),
    ("schedule", Create),
    ("search", Read),
    ("see", Read),
    ("send", Send),
    ("set", Update),
    ("share", Send),
    ("show", Read),
    ("start", Run),
    ("stop", Stop),
    ("submit", Create),
    ("subscribe", Create),
    ("summarize", Analyze),
    ("switch", Update),
    ("sync", Transfer),
    ("tell", Read),
    ("terminate", Stop),
    ("test", Run),
    ("translate", Convert),
    ("trash", Delete),
    ("trigger", Run),
    ("turn", Update),
    ("uninstall", Delete),
    ("unlink", Delete),
    ("unlock", Update),
    ("unsubscribe", Delete),
    ("update", Update),
    ("upgrade", Update),
    ("upload", Transfer),
    ("validate", Analyze),
    ("verify", Analyze),
    ("view", Read),
    ("what", Read),
    ("when", Read),
    ("where", Read),
    ("which", Read),
    ("who", Read),
    ("wipe", Delete),
    ("write", Create),
    ("zip", Convert),
];

impl Action {
    /// The action of the first word that is a known verb.
    pub fn of(words: &[Word<'_>]) -> Option<Self> {
        words.iter().find_map(|word| Self::of_word(word.written))
    }

    /// The action that one word, in whatever case or form, stands for.
    pub fn of_word(written: &str) -> Option<Self> {
        let lower = written.to_lowercase();
        forms(&lower).find_map(|form| Self::of_base_form(&form))
    }

    /// The action that a lower-case verb stands for, in the form that orders have.
    pub fn of_base_form(verb: &str) -> Option<Self> {
        let found = VERBS.binary_search_by_key(&verb, |(known, _)| known);
        found.ok().map(|at| VERBS[at].1)
    }

    /// How well a tool that does `other` serves a request for this: 1 the same, -1 the opposite.
    pub fn agreement(self, other: Self) -> f32 {
        match (self, other) {
            (a, b) if a == b => 1.0,
            (Read, Analyze) | (Analyze, Read) => 0.6,
            (Delete, Stop) | (Stop, Delete) => 0.5,
            (Create, Send | Convert | Transfer) | (Send | Convert | Transfer, Create) => 0.2,
            (Run, Update | Create) | (Update | Create, Run) => 0.0,
            (Update, Transfer | Stop) | (Transfer | Stop, Update) => 0.0,
            (Read, Convert) | (Convert, Read) => 0.0,
            _ => -1.0,
        }
    }
}

/// A word and what may be its base form.
fn forms(lower: &str) -> impl Iterator<Item = std::borrow::Cow<'_, str>> {
    use std::borrow::Cow;
    let root = ["ing", "ed", "es", "s"]
        .into_iter()
        .filter_map(|ending| lower.strip_suffix(ending))
        .flat_map(|root| {
            let doubled = root.is_ascii()
                && root.len() > 3
                && root.as_bytes()[root.len() - 1] == root.as_bytes()[root.len() - 2];
            let single = doubled.then(|| Cow::Borrowed(&root[..root.len() - 1]));
            [
                Some(Cow::Borrowed(root)),
                Some(Cow::Owned(format!("{root}e"))),
                single,
            ]
        })
        .flatten();
    std::iter::once(Cow::Borrowed(lower)).chain(root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    #[test]
    fn the_list_is_sorted() {
        assert!(VERBS.is_sorted_by_key(|(verb, _)| *verb));
    }

    #[test]
    fn the_first_verb_decides() {
        for (text, expected) in [
            ("please list the open issues", Some(Read)),
            ("Deleting old snapshots", Some(Delete)),
            ("stopped instances cancelled", Some(Stop)),
            ("createIssue", None),
            ("the weather in Oslo", None),
            ("ÄÖ 查询 -s ed", None),
        ] {
            assert_eq!(Action::of(&words::words(text)), expected, "{text}");
        }
    }
}
