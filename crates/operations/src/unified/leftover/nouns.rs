//! Did an id go to a parameter for something else: `trace 9d4c` to `project_id`?

use std::collections::BTreeSet;

use handpick_domain::Tool;
use handpick_mapping::{Mapped, Origin};
use handpick_selection::words::spelled_out;
use serde_json::Value;

use super::strict::{Word, is_akin};
use super::{Said, terms};

/// How many words before a value are looked at for its noun.
const NOUN_WORDS: usize = 8;
/// Words of a description that tell what its parameter is.
const ABOUT_WORDS: usize = 6;

/// Words of a parameter's name that say that it is an id, and not of what.
const ID_WORDS: [&str; 16] = [
    "id",
    "ids",
    "key",
    "keys",
    "number",
    "no",
    "nr",
    "uuid",
    "guid",
    "gid",
    "iid",
    "slug",
    "uid",
    "ref",
    "identifier",
    "code",
];

/// Words between a noun and its id.
const BETWEEN: [&str; 9] = [
    "id",
    "number",
    "no",
    "nr",
    "key",
    "uuid",
    "code",
    "identifier",
    "slug",
];
/// Words that join these to a noun: `the trace with the id 9d4c`.
const JOINING: [&str; 8] = ["with", "the", "is", "has", "whose", "its", "called", "named"];

/// Words that say that a certain one is meant.
const DEFINITE: [&str; 6] = ["the", "this", "that", "my", "our", "your"];

/// Words that may stand before an id and name nothing.
const NO_NOUNS: &str = "about below above under over behind like via per near against between through until till since \
                        last next first new old same other another current whole entire";

/// Nouns that people use for one another.
const SYNONYMS: [&str; 30] = [
    "ticket issue bug story task case incident item card problem request epic todo",
    "pull merge pr mr request change",
    "repository repo project codebase",
    "folder directory dir path location",
    "file document doc page note attachment sheet spreadsheet workbook presentation docx",
    "customer client account company organization organisation org buyer tenant",
    "user person member employee colleague assignee contact profile owner author staff people",
    "channel chat room conversation group space team",
    "message mail email thread post",
    "job run build pipeline workflow execution task action",
    "deploy deployment release rollout",
    "server host instance machine vm node device computer",
    "database db schema catalog",
    "environment env stage workspace",
    "label tag category",
    "order purchase shipment parcel delivery",
    "invoice bill receipt payment",
    "booking reservation trip travel",
    "event meeting appointment invitation call entry",
    "key flag feature toggle switch",
    "survey form questionnaire poll",
    "alert alarm monitor notification",
    "article entry post record row",
    "deal opportunity lead",
    "commit sha revision hash ref branch version tag",
    "product sku item article",
    "service app application function resource site deployment",
    "absence leave time vacation request holiday off",
    "cluster cache group replication database server",
    "expense cost receipt trip",
];

/// What the request says a value is of.
struct Noun {
    /// At most two words, in order: `merge request` of `merge request 12`.
    words: Vec<String>,
    /// Whether it is said to be a certain one: `the trace 9d4c`. `balance CUS-1` is the balance of a customer.
    is_definite: bool,
}

/// What a tool is about.
struct About {
    app: BTreeSet<String>,
    /// What its name says beside the verb.
    things: BTreeSet<String>,
    /// What its parameters that are not given are ids of.
    others: BTreeSet<String>,
}

impl Said<'_> {
    /// 2 where an id of the request went to a parameter for another thing than it is said to be of, and the tool is
    /// about that thing or has another parameter for it; 1 where nothing links the two.
    pub(super) fn strays(
        &self,
        strict: &[Word],
        tool: &Tool,
        left_out: &[(&str, &Value)],
        schema: &Value,
        mapped: &Mapped,
    ) -> usize {
        if self.english.is_some() {
            return 0;
        }
        let name = spelled_out(tool.name.tool());
        let about = About {
            app: terms(&spelled_out(tool.name.app())),
            things: terms(name.split_once(' ').map_or("", |(_, things)| things)),
            others: left_out.iter().flat_map(|(name, _)| noun_of(name)).collect(),
        };
        let values = mapped
            .sources
            .iter()
            .filter(|(_, source)| source.origin == Origin::Request && is_id(&source.words));
        values
            .map(|(name, source)| {
                let known = noun_of(name.rsplit('.').next().unwrap_or(name));
                match self.noun_before(strict, &source.words, &about) {
                    Some(noun) if !known.is_empty() => {
                        stray(&noun, &known, description(schema, name), &about)
                    }
                    _ => 0,
                }
            })
            .max()
            .unwrap_or_default()
    }

    /// What the words right before a value say that it is of.
    fn noun_before(&self, strict: &[Word], value: &str, about: &About) -> Option<Noun> {
        let start = self.text.find(value)?;
        let before: Vec<&Word> = strict.iter().take_while(|word| word.range.end <= start).collect();
        let no_nouns = terms(NO_NOUNS);
        let mut noun = Noun {
            words: Vec::new(),
            is_definite: false,
        };
        let mut close = start;
        let mut is_noun = true;
        for (back, word) in before.iter().rev().enumerate().take(NOUN_WORDS) {
            let between = self.text.get(word.range.end..close).unwrap_or_default();
            if between.contains(['.', ',', ';', '!', '?', '(', ')', '\n']) {
                break;
            }
            close = word.range.start;
            let is = |words: &[&str]| words.contains(&word.lower.as_str());
            if noun.words.is_empty() && (is(&BETWEEN) || back > 0 && is(&JOINING)) {
                continue;
            }
            let earlier = before
                .len()
                .checked_sub(back + 2)
                .and_then(|at| before.get(at))
                .copied();
            let may_be = self.may_be_noun(word, earlier)
                && word.terms.is_disjoint(&no_nouns)
                && word.terms.is_disjoint(&about.app);
            // What a request begins with is mostly what is to be done.
            let is_first = earlier.is_none_or(|earlier| earlier.ends);
            let is_deed =
                is_first && word.terms.is_disjoint(&about.things) && word.terms.is_disjoint(&about.others);
            is_noun = is_noun && may_be && noun.words.len() < 2 && (!is_deed || !noun.words.is_empty());
            if is_noun {
                noun.words.extend(word.terms.iter().next().cloned());
            } else if noun.words.is_empty() {
                return None;
            } else if DEFINITE.contains(&word.lower.as_str()) {
                noun.is_definite = true;
            }
        }
        noun.words.reverse();
        (!noun.words.is_empty()).then_some(noun)
    }

    /// Whether a word may be a noun: written small, but for the first one, and rather no verb.
    fn may_be_noun(&self, word: &Word, earlier: Option<&Word>) -> bool {
        let written = self.text.get(word.range.clone()).unwrap_or_default();
        let is_small = |written: &str| written.chars().all(char::is_lowercase);
        let rest = written.chars().next().map_or(0, char::len_utf8);
        let is_plain =
            is_small(written) || earlier.is_none() && is_small(written.get(rest..).unwrap_or_default());
        is_plain && !word.is_common && !word.is_covered && !is_deed(word, earlier)
    }
}

/// How plainly a value that is said to be of a noun is none of what its parameter is for.
fn stray(noun: &Noun, known: &BTreeSet<String>, description: &str, about: &About) -> usize {
    let beginning: Vec<&str> = description.split_whitespace().take(ABOUT_WORDS).collect();
    let described = terms(&beginning.join(" "));
    let is_linked = noun.words.iter().any(|noun| {
        known
            .iter()
            .chain(&described)
            .any(|known| is_akin(noun, known) || is_synonym(noun, known) || is_misspelled(noun, known))
    });
    let is_in = |known: &BTreeSet<String>| {
        let head = noun.words.last();
        head.is_some_and(|head| known.iter().any(|known| is_akin(head, known)))
    };
    match (
        is_linked,
        is_in(&about.others) || noun.is_definite && is_in(&about.things),
    ) {
        (true, _) => 0,
        (false, true) => 2,
        (false, false) => 1,
    }
}

/// Whether a word is rather a verb than a noun. Behind an article or another verb it is a noun: `rename list 7`.
fn is_deed(word: &Word, before: Option<&Word>) -> bool {
    let is_verb = |lower: &str| {
        ["", "ed", "d", "ing"]
            .iter()
            .filter_map(|ending| lower.strip_suffix(ending))
            .any(super::verbs::is_verb)
    };
    let is_thing = before.is_some_and(|before| {
        super::ARTICLES.contains(&before.lower.as_str()) || super::verbs::is_verb(&before.lower)
    });
    is_verb(&word.lower) && !is_thing
}

/// Whether two words are one but for a slip of the pen.
fn is_misspelled(a: &str, b: &str) -> bool {
    a.len() > 3 && strsim::osa_distance(a, b) <= 2
}

/// Whether words look like an id.
fn is_id(words: &str) -> bool {
    !words.chars().any(char::is_whitespace)
        && words.chars().any(|c| c.is_ascii_digit())
        && words.chars().filter(|c| c.is_alphanumeric()).count() > 1
}

/// What a parameter for an id is an id of; nothing where its name does not say, or it is for no id.
fn noun_of(name: &str) -> BTreeSet<String> {
    let name = spelled_out(name);
    let all: Vec<&str> = name.split(' ').collect();
    let is_for_id = all.last().is_some_and(|last| ID_WORDS.contains(last));
    let noun: Vec<&str> = all.into_iter().filter(|word| !ID_WORDS.contains(word)).collect();
    if is_for_id {
        terms(&noun.join(" "))
    } else {
        BTreeSet::new()
    }
}

fn is_synonym(a: &str, b: &str) -> bool {
    SYNONYMS.iter().any(|row| {
        let has = |word: &str| row.split(' ').any(|listed| terms(listed).contains(word));
        has(a) && has(b)
    })
}

/// What the schema says of a parameter; within objects, names are joined by dots.
fn description<'s>(schema: &'s Value, dotted: &str) -> &'s str {
    let mut at = schema;
    for name in dotted.split('.') {
        at = &at["properties"][name];
    }
    at["description"].as_str().unwrap_or_default()
}
