//! What does a tool do to what, by its name, and would another tool's name say the same of a request?
//!
//! The ranking prefers one of two tools that do the same by how their descriptions are worded, and the one it prefers
//! least may be none of the best. Whether a request tells them apart is another question: names answer it.

use std::collections::BTreeSet;

use handpick_domain::Tool;
use handpick_mapping::Mapped;
use handpick_selection::gloss::gloss;
use handpick_selection::words::{question_words, spelled_out, words};
use serde_json::Value;

use super::leftover::verbs::{Deed, deed, is_verb, leading_verb};
use super::leftover::{choices_of, first_sentence};

/// Words of a request that are looked at.
const WORDS_MAX: usize = 400;

/// Verbs that people use for one another, whatever it is done to. All that only look are one family besides.
const FAMILIES: [&str; 4] = [
    "create add make new insert generate",
    "delete remove erase wipe purge destroy discard trash drop uninstall",
    "update modify change edit patch",
    "send post write message",
];

/// Nouns for one thing. Those that some apps tell apart are none: a card is no issue where both exist.
const THINGS: [&str; 7] = [
    "folder directory dir",
    "repository repo",
    "email mail",
    "document doc",
    "picture image photo",
    "database db",
    "environment env",
];

/// Words of names that are no thing.
const JOINING: &str = "a an the of by for in on to from and or with via id ids all new";

/// Words that what they stand before is no verb: `staged for commit`.
const BEFORE_NOUNS: [&str; 18] = [
    "for", "of", "the", "a", "an", "this", "that", "by", "from", "in", "with", "each", "last", "per", "on",
    "its", "any", "every",
];

/// The words of a request that names are compared with.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    /// All of them, by their forms.
    said: BTreeSet<String>,
    /// The verb it begins with, if it does.
    verb: Option<String>,
}

impl Asked {
    /// Reads a request.
    pub fn new(request: &str) -> Self {
        let english = gloss(request).map(|gloss| gloss.english);
        let text = english.as_deref().unwrap_or(request);
        Self {
            said: question_words(text)
                .iter()
                .take(WORDS_MAX)
                .flat_map(|word| word.terms().map(str::to_owned).collect::<Vec<_>>())
                .collect(),
            verb: leading_verb(text),
        }
    }

    fn says(&self, thing: &str) -> bool {
        self.said.contains(thing) || self.said.iter().any(|said| is_same_thing(said, thing))
    }
}

/// What a tool does, as its name tells.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    app: String,
    /// The verb, in lower case; none where the name has none.
    verb: Option<String>,
    /// What it is done to.
    things: BTreeSet<String>,
    /// What else it may do: choices of its parameters.
    choices: BTreeSet<String>,
}

impl Named {
    /// Reads a name; choices only where it has no verb.
    pub fn new(tool: &Tool) -> Self {
        let app = terms(&spelled_out(tool.name.app()));
        let name = spelled_out(tool.name.tool());
        let all: Vec<&str> = name.split(' ').collect();
        let telling = |with_app: bool| {
            let is_telling = |word: &&str| {
                !JOINING.split(' ').any(|joining| joining == *word)
                    && (with_app || terms(word).is_disjoint(&app))
            };
            all.iter().copied().filter(is_telling).collect::<Vec<&str>>()
        };
        let mut parts = telling(false);
        if parts.is_empty() {
            parts = telling(true);
        }
        let at = parts
            .iter()
            .position(|word| deed(word).is_some())
            .or_else(|| parts.iter().position(|word| is_verb(word)));
        let verb = at.map(|at| parts.remove(at).to_owned());
        Self {
            app: tool.name.app().to_owned(),
            things: parts.iter().flat_map(|word| terms(word)).collect(),
            choices: BTreeSet::new(),
            verb,
        }
    }

    /// With the choices of its parameters, where the name does not say what it does.
    pub fn with_choices(mut self, schema: impl FnOnce() -> Value) -> Self {
        if self.verb.is_none() {
            self.choices = choices_of(&schema());
        }
        self
    }

    /// Whether the request says all that this name says of things.
    pub fn is_all_said(&self, asked: &Asked) -> bool {
        self.things.iter().all(|thing| asked.says(thing))
    }

    /// Whether a tool of such a name could be the one a request means; choices of its parameters are not read yet.
    pub fn may_be_meant(&self, asked: &Asked) -> bool {
        !self.things.is_empty() && self.is_all_said(asked)
    }

    /// Whether this name and another app's say the same of what is asked.
    pub fn is_like(&self, other: &Self, asked: &Asked) -> bool {
        let has = |thing: &String| {
            other
                .things
                .iter()
                .any(|known| known == thing || is_same_thing(known, thing))
        };
        let said = || self.things.iter().filter(|thing| asked.says(thing));
        self.app != other.app
            && self.does_as(other)
            && other.may_be_meant(asked)
            && said().next().is_some()
            && said().all(has)
    }

    /// How many of this name's things the other has in another word: so many words of a request it may leave.
    pub fn worded_otherwise(&self, other: &Self) -> f32 {
        let count = self.things.difference(&other.things).count();
        f32::from(u8::try_from(count).unwrap_or(u8::MAX))
    }

    fn does_as(&self, other: &Self) -> bool {
        match (&self.verb, &other.verb) {
            (Some(verb), Some(other)) => is_same_deed(verb, other),
            (Some(verb), None) => other.choices.iter().any(|choice| is_same_deed(verb, choice)),
            (None, Some(verb)) => self.choices.iter().any(|choice| is_same_deed(verb, choice)),
            (None, None) => false,
        }
    }

    /// Whether this tool's name is the verb that the request begins with, done to nothing that is not asked about.
    pub fn is_asked_for(&self, asked: &Asked) -> bool {
        self.verb.is_some() && self.verb == asked.verb && self.is_all_said(asked)
    }
}

/// Whether the request begins with a verb that `doers` have in their names and that this tool knows nothing of.
pub(super) fn is_done_elsewhere(
    asked: &Asked,
    doers: &[Named],
    tool: &Tool,
    named: &Named,
    mapped: &Mapped,
) -> bool {
    let Some(verb) = asked.verb.as_deref() else {
        return false;
    };
    let line = tool.first_line();
    let about: BTreeSet<String> = terms(line).union(&named.things).cloned().collect();
    let is_doer = |doer: &Named| {
        if doer.things.is_empty() {
            doer.app == named.app
        } else {
            !doer.things.is_disjoint(&about)
        }
    };
    let said = terms(verb);
    let is_same = |own: &String| is_same_deed(own, verb);
    let is_known = !terms(&spelled_out(tool.name.tool())).is_disjoint(&said)
        || named.verb.as_ref().is_some_and(is_same)
        || has_verb(first_sentence(line), verb)
        || mapped.arguments.iter().any(|(name, value)| {
            !terms(&spelled_out(name)).is_disjoint(&said) || !terms(&value.to_string()).is_disjoint(&said)
        });
    !is_known && doers.iter().any(is_doer)
}

/// Whether a sentence has a word as a verb, and not as a noun only.
fn has_verb(sentence: &str, verb: &str) -> bool {
    let wanted = terms(verb);
    let all = words(sentence);
    all.iter().enumerate().any(|(nth, word)| {
        let before = nth
            .checked_sub(1)
            .and_then(|before| all.get(before))
            .map(|word| word.written.to_lowercase());
        let is_noun = before.is_some_and(|before| BEFORE_NOUNS.contains(&before.as_str()));
        let own = word.written.to_lowercase();
        let is_it = word.terms().any(|term| wanted.contains(term)) || is_same_deed(&own, verb);
        is_it && !is_noun
    })
}

/// Whether two verbs are used for one another.
fn is_same_deed(a: &str, b: &str) -> bool {
    let is_in = |family: &str| {
        let has = |verb: &str| family.split(' ').any(|listed| listed == verb);
        has(a) && has(b)
    };
    let looks = |verb: &str| deed(verb) == Some(Deed::Look);
    a == b || looks(a) && looks(b) || FAMILIES.into_iter().any(is_in) || !terms(a).is_disjoint(&terms(b))
}

fn is_same_thing(a: &str, b: &str) -> bool {
    THINGS.iter().any(|row| {
        let has = |word: &str| row.split(' ').any(|listed| terms(listed).contains(word));
        has(a) && has(b)
    })
}

fn terms(text: &str) -> BTreeSet<String> {
    words(text)
        .iter()
        .flat_map(|word| word.terms().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

#[cfg(test)]
mod tests {
    use handpick_protocol::json::to_raw;
    use serde_json::json;

    use super::*;

    fn tool(app: &str, name: &str, about: &str, schema: &Value) -> Tool {
        let definition = json!({"name": name, "description": about, "inputSchema": schema});
        Tool::parse(app, &to_raw(&definition)).unwrap()
    }

    fn named(app: &str, name: &str, modes: &[&str]) -> Named {
        let schema = json!({"type": "object", "properties": {"mode": {"enum": modes}}});
        Named::new(&tool(app, name, "", &schema)).with_choices(|| schema)
    }

    /// P20: names of two apps say the same of a request where deed and things agree, however they are worded.
    #[test]
    fn p20_names_of_two_apps_say_the_same() {
        let forge = named("forge", "delete_branch", &[]);
        let drive = named("drive", "createFolder", &[]);
        for (request, one, other, expected) in [
            (
                "make folder Receipts",
                &drive,
                named("disk", "create_directory", &[]),
                true,
            ),
            (
                "make folder Receipts",
                &drive,
                named("disk", "add_dir", &[]),
                true,
            ),
            (
                "make folder Receipts",
                &drive,
                named("disk", "delete_directory", &[]),
                false,
            ),
            (
                "make folder Receipts",
                &drive,
                named("disk", "create_file", &[]),
                false,
            ),
            (
                "make folder Receipts",
                &drive,
                named("drive", "create_directory", &[]),
                false,
            ),
            (
                "delete branch old",
                &forge,
                named("git", "git_branch", &["list", "delete"]),
                true,
            ),
            (
                "delete branch old",
                &forge,
                named("git", "git_branch", &["list"]),
                false,
            ),
            (
                "delete branch old",
                &forge,
                named("git", "remove_branch_rule", &[]),
                false,
            ),
            (
                "Lösche den Branch old",
                &forge,
                named("git", "git_delete_branch", &[]),
                true,
            ),
            (
                "delete everything",
                &forge,
                named("git", "git_delete_branch", &[]),
                false,
            ),
        ] {
            let asked = Asked::new(request);
            assert_eq!(one.is_like(&other, &asked), expected, "{request}: {other:?}");
        }
    }

    /// P20: a verb that another tool is called after, and this one does not know, is not this one's.
    #[test]
    fn p20_a_verb_may_be_another_tools() {
        let none = json!({"type": "object"});
        for (request, (name, about), doers, expected) in [
            (
                "Commit what is staged",
                ("git_diff_staged", "Shows changes that are staged for commit"),
                &["git_commit"][..],
                true,
            ),
            (
                "Commit what is staged",
                ("git_save", "Commits what is staged"),
                &["git_commit"],
                false,
            ),
            (
                "Commit what is staged",
                ("git_diff_staged", "Shows changes that are staged for commit"),
                &[],
                false,
            ),
            (
                "Merge pull request 7",
                ("update_pull_request", "Update a pull request"),
                &["merge_pull_request"],
                true,
            ),
            (
                "Merge pull request 7",
                ("update_pull_request", "Update a pull request"),
                &["merge_queue"],
                false,
            ),
            (
                "Make a tag",
                ("create_tag", "Creates a tag"),
                &["make_tag"],
                false,
            ),
            (
                "show the tags",
                ("list_tags", "Lists tags"),
                &["show_tags"],
                false,
            ),
            (
                "Please commit what is staged",
                ("git_diff_staged", "Shows what is staged"),
                &["git_commit"],
                true,
            ),
            (
                "the commit of what is staged",
                ("git_diff_staged", "Shows what is staged"),
                &["git_commit"],
                false,
            ),
        ] {
            let asked = Asked::new(request);
            let doers: Vec<Named> = doers
                .iter()
                .map(|name| named("git", name, &[]))
                .filter(|doer| doer.is_asked_for(&asked))
                .collect();
            let tool = tool("git", name, about, &none);
            let told = is_done_elsewhere(&asked, &doers, &tool, &Named::new(&tool), &Mapped::default());
            assert_eq!(told, expected, "{request}: {name}");
        }
    }

    /// E17: any text is fine.
    #[test]
    fn e17_any_request_is_read() {
        for request in ["", "\u{0}", "🙂", "フォルダを作成", "é".repeat(20_000).as_str()] {
            let asked = Asked::new(request);
            assert!(!named("disk", "create_directory", &[]).is_asked_for(&asked));
        }
    }
}
