//! Does a tool do the opposite of what a request begins with: look up what is to be deleted, change what is to be shown?

use handpick_domain::Tool;
use handpick_selection::words::{spelled_out, words};
use serde_json::Value;

use super::Said;
use super::parameters::choices;
use super::references::followed;
use super::strict::Word;

/// Levels and members of a schema whose choices are looked at.
const DEPTH: usize = 4;
const PROPERTIES_MAX: usize = 200;
/// Words before the verb of a request.
const OPENING_WORDS: usize = 8;

/// What is done, as far as one word tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::unified) enum Deed {
    /// It only looks.
    Look,
    /// It makes something, or brings it to people.
    Make,
    /// It changes what is there.
    Change,
    /// It takes something away.
    Take,
}

const LOOKING: &str = "show list display view find search lookup read fetch retrieve browse get describe query count \
                       inspect check see peek enumerate";
/// What questions begin with, and how requests to look something up do; other words for it are used for other deeds too.
const ASKING: [&str; 16] = [
    "show", "list", "display", "view", "find", "search", "lookup", "browse", "describe", "what", "whats",
    "which", "who", "whose", "where", "when",
];
const MAKING: &str = "create add insert append send reply forward publish upload invite attach install post share \
                      write draft register enroll";
const CHANGING: &str = "update modify change edit rename replace move assign reassign close reopen archive unarchive \
                        enable disable activate deactivate approve reject decline refund merge revert restore restart \
                        reboot reschedule lock unlock mute unmute pin unpin resolve acknowledge ack set mark patch \
                        transfer grant pause resume unassign unpublish promote rotate toggle";
const TAKING: &str = "delete remove erase wipe purge destroy uninstall discard trash unshare revoke void cancel \
                      terminate detach unlink clear drop";
/// Of those that take away, the ones that leave nothing.
const FOR_GOOD: [&str; 6] = ["delete", "remove", "erase", "wipe", "purge", "destroy"];
/// Deeds that something may be taken away for.
const ALSO_TAKING: [&str; 14] = [
    "archive",
    "unarchive",
    "disable",
    "deactivate",
    "unassign",
    "unpublish",
    "unpin",
    "unmute",
    "unlock",
    "reject",
    "decline",
    "revert",
    "move",
    "merge",
];

/// Verbs that undo one another, beside those that an `un` makes so.
const OPPOSITES: [(&str, &str); 26] = [
    ("open", "close"),
    ("reopen", "close"),
    ("reopen", "resolve"),
    ("reopen", "complete"),
    ("enable", "disable"),
    ("activate", "deactivate"),
    ("activate", "suspend"),
    ("start", "stop"),
    ("pause", "resume"),
    ("suspend", "resume"),
    ("approve", "reject"),
    ("approve", "decline"),
    ("accept", "reject"),
    ("accept", "decline"),
    ("connect", "disconnect"),
    ("attach", "detach"),
    ("grant", "revoke"),
    ("allow", "block"),
    ("upload", "download"),
    ("import", "export"),
    ("increase", "decrease"),
    ("encrypt", "decrypt"),
    ("archive", "restore"),
    ("freeze", "unfreeze"),
    ("join", "leave"),
    ("hide", "show"),
];

/// Further verbs that a clause may begin with.
const OTHER: &str = "apply ask be book bring build buy call clean commit compare compile compose configure convert copy \
                     deploy do download draw execute explain export fill fix generate give go has have import is keep \
                     label launch leave let log look make notify open order pay pick place play print pull push put \
                     raise record release report reserve reset retry return review run save say scale schedule \
                     sign start stay stop store submit subscribe summarize switch tag take tell test translate trigger \
                     try turn unsubscribe use validate verify wait";

/// Words that what is made, or asked, is only made to see something.
const SEEN: [&str; 24] = [
    "query",
    "search",
    "report",
    "export",
    "chart",
    "diagram",
    "graph",
    "plot",
    "snapshot",
    "session",
    "job",
    "view",
    "preview",
    "summary",
    "screenshot",
    "map",
    "execution",
    "scan",
    "analysis",
    "run",
    "test",
    "table",
    "link",
    "filter",
];

/// Words that a request begins with before it says what is to be done.
const OPENINGS: &str = "please pls plz kindly hi hey hello morning ok okay so well now just then also and but can could \
                        would will you we i i'd d want need would like to let's lets let us me go ahead quickly \
                        maybe perhaps should must have has got morning evening good day thanks team bot everybody \
                        dear finally first next";

/// Words behind a word that is no verb then: `update on INC-3`, `edit history of`.
const NOUN_FOLLOWERS: [&str; 15] = [
    "of", "history", "log", "logs", "status", "requests", "request", "on", "about", "count", "events", "for",
    "in", "at", "is",
];

/// Whether a word may be a verb.
pub(in crate::unified) fn is_verb(lower: &str) -> bool {
    deed(lower).is_some() || OTHER.split_whitespace().any(|verb| verb == lower)
}

/// What is done, where a word is a known verb.
pub(in crate::unified) fn deed(lower: &str) -> Option<Deed> {
    let has = |verbs: &str| verbs.split_whitespace().any(|verb| verb == lower);
    [
        (LOOKING, Deed::Look),
        (MAKING, Deed::Make),
        (CHANGING, Deed::Change),
        (TAKING, Deed::Take),
    ]
    .into_iter()
    .find_map(|(verbs, deed)| has(verbs).then_some(deed))
}

impl Said<'_> {
    /// Whether this tool plainly does the opposite of what the request begins with.
    pub(super) fn is_opposed(&self, tool: &Tool, schema: &Value, strict: &[Word]) -> bool {
        let text = self.english.as_deref().unwrap_or(self.text);
        undoes(strict, tool) || is_otherwise(text, tool, schema)
    }
}

/// Whether what is asked and what is done are of kinds that exclude one another.
fn is_otherwise(text: &str, tool: &Tool, schema: &Value) -> bool {
    let Some((verb, wanted)) = asked(text) else {
        return false;
    };
    let Some((does, done)) = offered(tool) else {
        return false;
    };
    let said: Vec<String> = words(text)
        .iter()
        .map(|word| word.written.to_lowercase())
        .collect();
    let about = words(tool.first_line());
    // A tool that offers the deed itself, by its description or by a choice, does it as well.
    let says = |deed_of: &dyn Fn(&str) -> bool| {
        about.iter().any(|word| deed_of(&word.written.to_lowercase()))
            || offers(schema, schema, deed_of, DEPTH)
    };
    let is_for_good = FOR_GOOD.contains(&does.as_str());
    match (wanted, done) {
        (Deed::Look, Deed::Make | Deed::Change | Deed::Take) => {
            let also_said = said
                .iter()
                .any(|word| deed(word).is_some_and(|said| said != Deed::Look) || word.starts_with(&does));
            !also_said && (done != Deed::Make || !said_to_be_seen(tool))
        }
        // A tool that only looks and has no verb may well make a picture of it.
        (Deed::Make, Deed::Look) if does.is_empty() => false,
        (Deed::Make | Deed::Change | Deed::Take, Deed::Look) => {
            !says(&|word| word == verb || deed(word).is_some_and(|deed| deed != Deed::Look))
        }
        (Deed::Make, Deed::Take) => is_for_good && !says(&|word| word == verb),
        (Deed::Change, Deed::Take) => {
            is_for_good && !ALSO_TAKING.contains(&verb.as_str()) && !says(&|word| word == verb)
        }
        (Deed::Take, Deed::Make) => !says(&|word| deed(word) == Some(Deed::Take)),
        _ => false,
    }
}

/// Whether the tool's verb undoes the one that the request begins with, and no argument turns it round: `reopen` as
/// `resolved: false`.
fn undoes(strict: &[Word], tool: &Tool) -> bool {
    let Some(said) = leading(strict.iter().map(|word| word.lower.as_str())).and_then(|at| strict.get(at))
    else {
        return false;
    };
    let verb = said.lower.as_str();
    let is_opposite = |does: &str| {
        let un = |a: &str, b: &str| a.strip_prefix("un") == Some(b);
        let either = |(a, b): &(&str, &str)| (*a, *b) == (verb, does) || (*b, *a) == (verb, does);
        un(verb, does) || un(does, verb) || OPPOSITES.iter().any(either)
    };
    let name = spelled_out(tool.name.tool());
    let is_said = |word: &str| word == verb;
    !said.is_covered && name.split(' ').any(is_opposite) && !name.split(' ').any(is_said)
}

/// Where the first word stands that does not only open a request.
fn leading<'w>(lower: impl Iterator<Item = &'w str>) -> Option<usize> {
    let is_opening = |word: &str| OPENINGS.split_whitespace().any(|opening| opening == word);
    lower.take(OPENING_WORDS).position(|word| !is_opening(word))
}

/// The word that a request begins with, in lower case, where something follows that makes no noun of it.
pub(in crate::unified) fn leading_verb(text: &str) -> Option<String> {
    let all = words(text);
    let lower = |at: usize| all.get(at).map(|word| word.written.to_lowercase());
    let written: Vec<String> = (0..all.len().min(OPENING_WORDS)).filter_map(lower).collect();
    let first = leading(written.iter().map(String::as_str))?;
    let next = lower(first + 1)?;
    (!NOUN_FOLLOWERS.contains(&next.as_str())).then(|| lower(first))?
}

/// The verb a request begins with, and what it asks for; `None` where that is not plain.
fn asked(text: &str) -> Option<(String, Deed)> {
    let all = words(text);
    let lower = |at: usize| all.get(at).map(|word| word.written.to_lowercase());
    let written: Vec<String> = (0..all.len().min(OPENING_WORDS)).filter_map(lower).collect();
    let first = leading(written.iter().map(String::as_str))?;
    let verb = lower(first)?;
    let next = lower(first + 1).unwrap_or_default();
    let many = verb == "how" && matches!(next.as_str(), "many" | "much");
    if ASKING.contains(&verb.as_str()) || many {
        return Some((verb, Deed::Look));
    }
    let deed = deed(&verb).filter(|deed| *deed != Deed::Look)?;
    // `send me the link` asks to see it.
    if deed == Deed::Make && matches!(next.as_str(), "me" | "us") {
        return None;
    }
    let is_noun = NOUN_FOLLOWERS.contains(&next.as_str());
    // `reply all`, but no `share 12 % of …`: what is done is done to something.
    (!is_noun && !next.is_empty()).then_some((verb, deed))
}

/// What a tool does, by the first verb of its name and its hints; `None` where they disagree.
fn offered(tool: &Tool) -> Option<(String, Deed)> {
    let name = spelled_out(tool.name.tool());
    let all: Vec<&str> = name.split(' ').collect();
    let is_at = |at: usize| {
        all.get(at)
            .and_then(|word| Some(((*word).to_owned(), deed(word)?)))
    };
    let found = (0..all.len()).find_map(is_at);
    let last = is_at(all.len().saturating_sub(1));
    let hints = tool.annotations;
    let reads = hints.read_only_hint == Some(true) && hints.destructive_hint != Some(true);
    match found {
        Some((_, Deed::Look)) if last.as_ref().is_some_and(|(_, last)| *last != Deed::Look) => None,
        Some((_, Deed::Look))
            if hints.destructive_hint == Some(true) && hints.read_only_hint == Some(false) =>
        {
            None
        }
        Some((_, deed)) if deed != Deed::Look && reads => None,
        Some(found) => Some(found),
        None => reads.then(|| (String::new(), Deed::Look)),
    }
}

/// Whether what a tool makes is made to be looked at.
fn said_to_be_seen(tool: &Tool) -> bool {
    spelled_out(tool.name.tool())
        .split(' ')
        .any(|word| SEEN.contains(&word.trim_end_matches('s')))
}

/// Whether one of a schema's choices is such a word.
fn offers(root: &Value, schema: &Value, is_such: &dyn Fn(&str) -> bool, depth: usize) -> bool {
    let Some(properties) = followed(root, schema)["properties"]
        .as_object()
        .filter(|_| depth > 0)
    else {
        return false;
    };
    properties.values().take(PROPERTIES_MAX).any(|property| {
        let mut choices = choices(followed(root, property)).flat_map(|choice| {
            spelled_out(choice)
                .split(' ')
                .map(str::to_owned)
                .collect::<Vec<_>>()
        });
        choices.any(|word| is_such(&word)) || offers(root, property, is_such, depth - 1)
    })
}
