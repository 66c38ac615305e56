//! What is a parameter called in a request, and which part does it play?

mod rivals;

use crate::assign::choices::likeness::{Spelling, spellings};
use crate::choice_words::{in_a_row, quoted_words};
use crate::kind::{Kind, kind};
use crate::lexicon::{self, GENERIC_THINGS, KIND_WORDS};
use crate::schema::{self, Parameter};
use crate::words::{self, name_words, squeezed, stem};

/// Words by which a request may name a parameter, and how surely it means it by them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cue {
    /// Senses or stems, one a word.
    pub phrase: Vec<String>,
    /// 0 to 1.
    pub weight: f32,
}

/// Which of two like values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Neither.
    Plain,
    /// Where something begins or comes from.
    From,
    /// Where something ends or goes to.
    To,
}

/// A parameter with all that is known about how people speak of it.
#[derive(Clone, Debug)]
pub(crate) struct Meaning {
    /// As the schema has it.
    pub parameter: Parameter,
    /// What kind of value it takes.
    pub kind: Kind,
    /// What it is called.
    pub cues: Vec<Cue>,
    /// The thing it names, as a sense or stem: `invoice` of `invoice_id`.
    pub thing: Option<String>,
    /// Whether that thing is any thing: `id`, `itemId`.
    pub is_generic: bool,
    /// Its part among parameters of its kind.
    pub role: Role,
    /// Values that the description lists.
    pub listed: Vec<String>,
    /// Examples that the description gives.
    pub shown: Vec<String>,
    /// Values that schema or description list, as people would say them.
    pub spellings: Vec<Spelling>,
}

impl Meaning {
    /// Whether a number is sent.
    pub fn is_numeric(&self) -> bool {
        self.parameter.shape.number && !self.parameter.shape.string
    }

    /// Whether a call needs it.
    pub fn is_required(&self) -> bool {
        self.parameter.required
    }
}

/// The parameters of a schema with their meanings.
pub(crate) fn meanings(input_schema: &serde_json::Value) -> Vec<Meaning> {
    let mut all: Vec<Meaning> = schema::parameters(input_schema)
        .into_iter()
        .map(meaning)
        .collect();
    belongs_to_repository(&mut all);
    rivals::named_by_others(&mut all);
    crate::assign::names::revisions::call_revisions(&mut all);
    all
}

/// The owner of a repository is no person: `acme` of `acme/web`.
fn belongs_to_repository(all: &mut [Meaning]) {
    let has_repository = all
        .iter()
        .any(|meaning| matches!(squeezed(meaning.parameter.name()).as_str(), "repo" | "repository"));
    for meaning in all.iter_mut().filter(|_| has_repository) {
        if squeezed(meaning.parameter.name()) == "owner" {
            meaning.kind = Kind::Slug;
        }
    }
}

fn meaning(parameter: Parameter) -> Meaning {
    let kind = kind(&parameter);
    let name = name_words(parameter.name());
    let telling = telling_words(&name);
    let nouns = described_things(&parameter.description);
    let thing = telling
        .last()
        .map(|word| sense_of(word))
        .or_else(|| nouns.first().cloned());
    let mut listed = listed_values(&parameter);
    if listed.is_empty() && kind == Kind::Slug && parameter.shape.choices.is_empty() {
        listed = named_examples(&parameter.description);
    }
    let is_generic = telling.is_empty() || telling.iter().all(|word| GENERIC_THINGS.contains(&word.as_str()));
    Meaning {
        cues: cues(&name, &telling, &nouns, kind),
        thing,
        is_generic,
        role: role(&name, &parameter.description, kind),
        shown: shown_values(&parameter.description),
        spellings: spellings(&parameter, &listed),
        listed,
        kind,
        parameter,
    }
}

/// A word as a sense, else as a stem.
pub(crate) fn sense_of(word: &str) -> String {
    let fold = words::fold(word);
    let stem = stem(&fold);
    lexicon::sense(&fold)
        .or_else(|| lexicon::sense(&stem))
        .map_or(stem, str::to_owned)
}

/// The words of a name that say of what thing it is.
fn telling_words(name: &[String]) -> Vec<String> {
    let dropped = ["new", "is", "the", "has", "with", "by", "optional", "or"];
    name.iter()
        .enumerate()
        .filter(|(at, word)| {
            !(matches!(word.as_str(), "on" | "at") && *at + 1 == name.len() && name.len() > 1)
        })
        .map(|(_, word)| word)
        .filter(|word| !dropped.contains(&word.as_str()) && !KIND_WORDS.contains(&word.as_str()))
        .cloned()
        .collect()
}

fn cues(name: &[String], telling: &[String], nouns: &[String], kind: Kind) -> Vec<Cue> {
    let mut cues: Vec<Cue> = Vec::new();
    let mut add = |phrase: Vec<String>, weight: f32| {
        let known = cues.iter().any(|cue| cue.phrase == phrase);
        if !known && !phrase.is_empty() && phrase.iter().all(|word| word.chars().count() > 1) {
            cues.push(Cue { phrase, weight });
        }
    };
    let senses = |words: &[String]| -> Vec<String> { words.iter().map(|word| sense_of(word)).collect() };
    add(senses(name), 1.0);
    add(senses(telling), 0.95);
    if telling.len() > 1 {
        add(vec![stem(&telling.concat())], 0.95);
        if let Some(head) = telling.last() {
            add(vec![sense_of(head)], 0.8);
        }
    }
    if let Some(first) = telling.first().filter(|_| telling.len() > 1 && kind == Kind::Id) {
        add(vec![sense_of(first)], 0.76);
    }
    // `assigned to kofi` for `assignee_username`.
    if let [first, last] = telling
        && matches!(last.as_str(), "username" | "user" | "email" | "login")
    {
        add(vec![sense_of(first)], 0.9);
    }
    for noun in nouns {
        let known = telling.iter().any(|word| sense_of(word) == *noun);
        if let Some(last) = telling.last().filter(|_| !known && kind.is_reference()) {
            add(vec![sense_of(last), noun.clone()], 0.95);
        }
        add(vec![noun.clone()], if telling.is_empty() { 0.77 } else { 0.75 });
    }
    for synonym in synonyms(name, kind) {
        add(synonym.split(' ').map(str::to_owned).collect(), 0.8);
    }
    cues
}

/// Other words for what a name says, where the name alone tells it.
fn synonyms(name: &[String], kind: Kind) -> Vec<&'static str> {
    let mut found: Vec<&'static str> = Vec::new();
    let has = |word: &str| name.iter().any(|own| own == word);
    let rows: &[(&[&str], &[&str])] = &[
        (&["pull", "pr"], &["pull request", "pr", "merge request", "mr"]),
        (&["title", "name"], &["title", "name"]),
        (&["subject"], &["subject", "title"]),
        (&["namespace"], &["namespace", "namespc", "ns", "n"]),
        (&["email"], &["mail", "address"]),
        (&["labels", "label"], &["label", "tag"]),
        (&["tags", "tag"], &["tag", "label"]),
        (&["branch", "base"], &["base"]),
        (&["organization", "org"], &["organization"]),
        (&["body"], &["body", "description", "text", "comment"]),
        (&["content", "contents"], &["content", "text"]),
        (&["message"], &["message", "text"]),
        (&["comment"], &["comment"]),
        (&["description", "desc", "notes"], &["description"]),
        (
            &["text"],
            &["text", "message", "comment", "note", "body", "content"],
        ),
        (&["summary"], &["summary"]),
        (&["due", "deadline"], &["due"]),
        (&["urgency", "urgencies"], &["urgency", "priority"]),
        (&["state", "status"], &["status"]),
        (&["database"], &["database"]),
        (&["head"], &["head"]),
        (&["value", "amount", "price"], &["amount", "price", "worth"]),
        (&["city"], &["city"]),
        (&["objecttype"], &["object"]),
    ];
    for (names, words) in rows {
        if names.iter().any(|name| has(name)) {
            found.extend(words.iter());
        }
    }
    if has("merge") && has("request") {
        found.extend(["merge request", "mr", "pull request"]);
    }
    if kind == Kind::Title && has("summary") {
        found.extend(["title", "name"]);
    }
    if kind == Kind::Person && (has("people") || has("guests") || has("members")) {
        found.push("member");
    }
    found
}

fn role(name: &[String], description: &str, kind: Kind) -> Role {
    let has = |words: &[&str]| name.iter().any(|own| words.contains(&own.as_str()));
    let in_time = matches!(kind, Kind::Date | Kind::Moment(_) | Kind::Time);
    let from = [
        "from",
        "source",
        "origin",
        "old",
        "duplicate",
        "find",
        "src",
        "original",
        "start",
        "starts",
        "begin",
        "since",
    ];
    let to = [
        "to",
        "target",
        "destination",
        "dest",
        "into",
        "parent",
        "manager",
        "related",
        "replace",
        "replacement",
        "end",
        "ends",
        "until",
        "dst",
    ];
    let of_branch =
        description.to_lowercase().contains("branch") || description.to_lowercase().contains("pull request");
    if name == ["head"] && of_branch {
        return Role::From;
    }
    if name == ["base"] && of_branch {
        return Role::To;
    }
    // `startDateUntil` ends a span of starts.
    if in_time && name.len() > 1 {
        match name.last().map(String::as_str) {
            Some("until" | "before" | "to" | "till" | "lte" | "lt" | "max") => return Role::To,
            Some("since" | "after" | "from" | "gte" | "gt" | "min") => return Role::From,
            _ => {}
        }
    }
    if has(&from)
        || (kind == Kind::Slug && description.to_lowercase().starts_with("source "))
        || (in_time && has(&["after", "arrival", "min", "begins", "checkin"]))
    {
        Role::From
    } else if has(&to) || (in_time && has(&["before", "departure", "max", "finish", "checkout"])) {
        Role::To
    } else {
        Role::Plain
    }
}

/// Words behind which a description stops naming the thing.
const STOPPERS: &[&str] = &[
    "to",
    "where",
    "that",
    "which",
    "containing",
    "from",
    "in",
    "on",
    "whose",
    "with",
    "you",
    "of",
    "for",
    "by",
    "is",
    "are",
    "was",
    "being",
    "as",
    "at",
    "and",
    "or",
    "if",
    "when",
    "using",
    "has",
    "have",
];

/// The things that a description names: `ID of the list to add the card to` is about a `list`.
fn described_things(description: &str) -> Vec<String> {
    let first = description
        .split(['.', '(', ';', ':', '\n', ','])
        .next()
        .unwrap_or_default();
    let said: Vec<String> = first
        .split_whitespace()
        .take(14)
        .map(|word| {
            let bare = words::fold(word.trim_matches(|c: char| !c.is_alphanumeric()));
            bare.strip_suffix("'s").map(str::to_owned).unwrap_or(bare)
        })
        .filter(|word| !word.is_empty())
        .collect();
    let leads = [
        "the", "a", "an", "optional", "new", "only", "for", "in", "with", "on", "this", "unique", "which",
        "specific", "one",
    ];
    let counts = ["list", "array", "set", "number", "comma-separated", "collection"];
    let listed = said.iter().take(4).position(|word| word == "of").filter(|of| {
        of.checked_sub(1)
            .and_then(|before| said.get(before))
            .is_some_and(|word| counts.contains(&word.as_str()))
    });
    let skip = listed.map_or(0, |of| of + 1);
    let start = skip
        + said
            .iter()
            .skip(skip)
            .take_while(|word| leads.contains(&word.as_str()))
            .count();
    let said = said.get(start..).unwrap_or_default();
    let is_kind = |word: &String| {
        KIND_WORDS.contains(&word.as_str()) || matches!(word.as_str(), "title" | "path" | "alias")
    };
    let mut things = Vec::new();
    let kind_at = said.iter().position(is_kind);
    let of_at = said.iter().position(|word| word == "of" || word == "for");
    let phrase = match (kind_at, of_at) {
        (Some(kind), Some(of)) if kind < of && of < kind + 4 => said.get(of + 1..).unwrap_or_default(),
        (Some(kind), _) if kind > 0 => said.get(..kind).unwrap_or_default(),
        (Some(_), _) => &[],
        (None, _) => said,
    };
    let skipped = ["the", "a", "an", "this", "your", "new", "each"];
    let noun_phrase: Vec<&String> = phrase
        .iter()
        .skip_while(|word| skipped.contains(&word.as_str()))
        .take_while(|word| !STOPPERS.contains(&word.as_str()))
        .collect();
    let short = kind_at.is_some() || noun_phrase.len() <= 3;
    if let Some(head) = noun_phrase.last().filter(|_| short)
        && (!lexicon::is_common(head) || lexicon::sense(head).is_some())
        && head.chars().count() > 2
    {
        things.push(sense_of(head));
    }
    things
}

/// What stands before a list of values in a description, in lower case.
const LISTING_MARKERS: &[&str] = &[
    "valid values",
    "possible values",
    "allowed values",
    "supported values",
    "one of",
    "accepts",
    "can be",
    "valid kind are",
    "options:",
    "values:",
    "values include",
    "either",
    "examples of valid",
];

/// Values that a description lists: `Accepts "top", "bottom", or a positive number`.
fn listed_values(parameter: &Parameter) -> Vec<String> {
    if !parameter.shape.string || !parameter.shape.choices.is_empty() {
        return Vec::new();
    }
    let about = &parameter.description;
    let lower = about.to_lowercase();
    let Some(at) = LISTING_MARKERS
        .iter()
        .filter_map(|marker| Some(lower.find(marker)? + marker.len()))
        .min()
    else {
        let told = in_a_row(about);
        if !told.is_empty() {
            return told;
        }
        // Examples of single words say which words are understood.
        let shown = shown_values(about);
        return if shown.len() > 1 && shown.iter().all(|word| word.chars().all(char::is_alphabetic)) {
            shown
        } else {
            Vec::new()
        };
    };
    // Lower case may be longer than what it was made of; then nothing is listed.
    let Some(tail) = about.get(at..).filter(|_| lower.len() == about.len()) else {
        return Vec::new();
    };
    let quoted = quoted_words(tail);
    if !quoted.is_empty() {
        return quoted;
    }
    listing_items(tail)
}

/// The values of a listing without quotation marks: `companies, contacts or deals`.
fn listing_items(tail: &str) -> Vec<String> {
    let listing = tail.split(['\n', ')']).next().unwrap_or_default();
    let listing = listing.rsplit(" are").next().unwrap_or(listing);
    let items: Vec<String> = listing
        .trim_start_matches([':', ' '])
        .trim_start_matches("include: ")
        .split(". ")
        .next()
        .unwrap_or_default()
        .trim_end_matches('.')
        .split([',', '|'])
        .flat_map(|item| item.split(" or "))
        .flat_map(|item| item.split(" and "))
        .map(|item| {
            item.trim()
                .trim_start_matches("or ")
                .trim_start_matches("and ")
                .to_owned()
        })
        .filter(|item| !item.is_empty() && item.chars().all(|c| c.is_alphanumeric() || "_-/.".contains(c)))
        .collect();
    if items.len() > 1 || items.iter().all(|item| words::is_coded(item)) {
        items
    } else {
        Vec::new()
    }
}

/// Examples in a description: `(e.g. 'PROJ-123')`.
fn shown_values(description: &str) -> Vec<String> {
    let lower = description.to_lowercase();
    let markers = ["e.g.", "example", "for instance", "such as"];
    let at = markers.iter().filter_map(|marker| lower.find(marker)).min();
    match at
        .and_then(|at| description.get(at..))
        .filter(|_| lower.len() == description.len())
    {
        Some(tail) => quoted_words(
            tail.get(..tail.char_indices().nth(120).map_or(tail.len(), |(end, _)| end))
                .unwrap_or(tail),
        ),
        None => Vec::new(),
    }
}

/// Single words that a description gives as examples without quotation marks: `(e.g. npm, pip)`.
fn named_examples(description: &str) -> Vec<String> {
    let lower = description.to_lowercase();
    let markers = ["(e.g.", "(for example", "(such as", "e.g.,"];
    let at = markers
        .iter()
        .filter_map(|marker| Some(lower.find(marker)? + marker.len()))
        .min();
    let Some(tail) = at
        .and_then(|at| description.get(at..))
        .filter(|_| lower.len() == description.len())
    else {
        return Vec::new();
    };
    let listing = tail.split([')', ';', '\n']).next().unwrap_or_default();
    let items: Vec<&str> = listing
        .split([',', '|'])
        .flat_map(|item| item.split(" or "))
        .map(str::trim)
        .filter(|item| !item.is_empty() && !matches!(*item, "etc" | "etc." | "..." | "…"))
        .collect();
    let plain = |item: &&str| {
        item.len() > 1
            && item.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
            && item.chars().any(char::is_alphabetic)
            // Of things that are called in the plural people name one.
            && (item.len() < 5 || !item.ends_with('s') || item.ends_with("is") || item.ends_with("ss"))
    };
    if items.len() > 1
        && items
            .iter()
            .all(|item| plain(item) || item.len() > 1 && !item.contains(' '))
    {
        items
            .iter()
            .filter(|item| plain(item))
            .map(|item| (*item).to_owned())
            .collect()
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// P19: what a parameter is called comes from its name and its description.
    #[test]
    fn p19_descriptions_name_things() {
        for (description, things) in [
            ("ID of the list to add the card to", &["list"][..]),
            ("Name of the Pod container to get the logs from", &["container"]),
            ("The ID or name of the table", &["table"]),
            ("Google Drive file ID", &["file"]),
            ("The organization's slug", &["organization"]),
            ("Only for this customer", &["customer"]),
            ("The invoice that was paid", &["invoice"]),
            ("Identifier for a Notion block", &["block"]),
            ("Who is to pay", &[]),
            ("With whom", &[]),
            ("", &[]),
        ] {
            assert_eq!(described_things(description), things, "{description}");
        }
    }

    #[test]
    fn descriptions_list_values() {
        for (description, values) in [
            (
                "Position. Accepts \"top\", \"bottom\", or a positive number",
                &["top", "bottom"][..],
            ),
            (
                "The new status. Valid values: 'active', 'resolved'",
                &["active", "resolved"],
            ),
            (
                "Valid values include: companies, contacts, deals.",
                &["companies", "contacts", "deals"],
            ),
            ("Any text", &[]),
        ] {
            let read =
                meanings(&json!({"properties": {"x": {"type": "string", "description": description}}}));
            let listed: Vec<String> = read.into_iter().flat_map(|meaning| meaning.listed).collect();
            assert_eq!(listed, values, "{description}");
        }
    }
}
