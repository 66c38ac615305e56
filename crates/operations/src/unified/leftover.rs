//! What of a request does a call leave unsaid? The more there is, the likelier something was overlooked.

mod ids;
mod modifiers;
mod nouns;
mod parameters;
mod references;
mod siblings;
mod states;
mod strict;
#[cfg(test)]
mod strict_tests;
mod torn;
pub(super) mod verbs;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::Range;

pub(super) use self::parameters::choices_of;
pub(super) use self::strict::first_sentence;

use handpick_domain::Tool;
use handpick_mapping::{Mapped, Now, Origin, Span, What, spans};
use handpick_selection::gloss::gloss;
use handpick_selection::words::{question_words, spelled_out, words};
use serde_json::Value;

/// Bytes of a description whose words explain a request.
const DESCRIPTION_BYTES: usize = 600;

/// Places of one value in a request that are looked at.
const PLACES_MAX: usize = 32;
/// Words that are told back.
const UNSAID_MAX: usize = 4;

/// Words that hold a request together, as they are folded and stemmed, beyond those that no question needs.
const CUES: &str = "name named call called title titled say saying says subject text message write add set make new \
                    good morning evening day kindly dear everybody team bot thank thanks lot much quick quickly \
                    really finally one thing go ahead get give show tell see look want would want need back";

/// Words that what they stand before is a part of the matter.
const PREPOSITIONS: [&str; 17] = [
    "for", "in", "of", "from", "to", "by", "with", "about", "on", "at", "as", "under", "into", "onto", "via",
    "since", "until",
];

/// How many words behind one are looked at.
const OBJECT_WORDS: usize = 2;

/// Words between a preposition and its noun.
const ARTICLES: [&str; 12] = [
    "the", "a", "an", "my", "our", "your", "their", "this", "that", "these", "those", "all",
];

/// What a call leaves unsaid.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Leftover {
    /// The first of the words that nothing explains, as they stand in the request; none where it is not in English.
    pub unsaid: Vec<String>,
    /// Words that neither the tool nor an argument explains.
    pub words: f32,
    /// Of these words, those behind a preposition where some parameter is not given: `for storefront`, `on branch
    /// beta` are hardly there for nothing.
    pub objects: f32,
    /// Values (ids, numbers, dates, addresses, quoted texts, names) that are in no argument.
    pub values: f32,
    /// Parameters, or choices of one, that the request names and the call does not give.
    pub named: f32,
    /// Values that begin or end within a word of the request, or share words with another value.
    pub torn_off: f32,
    /// Other ids of the context, where the call takes one from there and the request does not say of what: `hand it
    /// over` beside a customer and a ticket.
    pub context: f32,
    /// Words that nothing explains and that stand in what is said of parameters the call does not give.
    pub described: f32,
    /// Words such as `only`, `without` and `including` before words that nothing explains.
    pub modifiers: f32,
    /// Arguments that were taken out of a list whose other members are in no argument.
    pub siblings: f32,
    /// 2 where an id went to a parameter for something else than it is said to be of, 1 where that may be.
    pub strays: f32,
    /// 1 where the tool does the opposite of what the request begins with.
    pub opposed: f32,
}

impl Leftover {
    /// What is left where a longer description explains nothing.
    pub fn strict(&self) -> f32 {
        self.described + self.modifiers + self.siblings + self.strays + self.opposed
    }
}

/// A request, read once for all tools.
pub(super) struct Said<'a> {
    text: &'a str,
    spans: Vec<Span>,
    english: Option<String>,
    /// Ids of the context.
    ids: Vec<String>,
}

impl<'a> Said<'a> {
    /// Reads a request.
    pub fn new(text: &'a str, context: Option<&Value>, now: Now) -> Self {
        Self {
            ids: ids::ids(context, now),
            text,
            spans: spans(text, now),
            english: gloss(text).map(|gloss| gloss.english),
        }
    }

    /// What a call of `tool` with these arguments leaves unsaid.
    pub fn leftover(&self, tool: &Tool, schema: &Value, mapped: &Mapped) -> Leftover {
        let covered = self.covered(mapped);
        let own = terms(&format!(
            "{} {}",
            spelled_out(tool.name.as_str()),
            head(&tool.description)
        ));
        let given = given_terms(mapped);
        let is_covered = |range: &Range<usize>| {
            covered
                .iter()
                .any(|covered| covered.start < range.end && range.start < covered.end)
        };
        let open: Vec<BTreeSet<String>> = self
            .open_words(&given, &is_covered)
            .into_iter()
            .filter(|terms| terms.is_disjoint(&given))
            .collect();
        let cues = terms(CUES);
        let is_unexplained = |terms: &BTreeSet<String>| terms.is_disjoint(&own) && terms.is_disjoint(&cues);
        let unexplained = open.iter().filter(|terms| is_unexplained(terms));
        let all: BTreeSet<String> = open.iter().flatten().cloned().collect();
        let name = terms(&spelled_out(tool.name.as_str()));
        let is_left = |terms: &BTreeSet<String>| terms.is_disjoint(&given) && is_unexplained(terms);
        let strict = self.strictly(tool, mapped, &covered);
        let left_out = parameters::left_out(schema, &mapped.arguments);
        Leftover {
            unsaid: self.unsaid(&is_covered, is_left),
            words: unexplained.count() as f32,
            objects: {
                let open = if parameters::is_open(schema, &mapped.arguments) {
                    self.open_objects(&is_covered, is_left)
                } else {
                    0
                };
                open.max(self.cut_short(mapped, &is_covered, is_left)) as f32
            },
            values: self.open_values(&own, &is_covered) as f32,
            named: parameters::named(&left_out, &all, &strict, self.text, &name) as f32,
            torn_off: self.torn_off(mapped) as f32,
            context: self.other_ids(mapped) as f32,
            described: parameters::described(&left_out, &strict, &name) as f32,
            modifiers: self.modifiers(&strict, mapped) as f32,
            siblings: self.siblings(&strict, mapped) as f32,
            strays: self.strays(&strict, tool, &left_out, schema, mapped) as f32,
            opposed: f32::from(self.is_opposed(tool, schema, &strict)),
        }
    }

    /// The parts of the request that arguments were read from.
    fn covered(&self, mapped: &Mapped) -> Vec<Range<usize>> {
        let mut covered: Vec<Range<usize>> = Vec::new();
        for source in mapped.sources.values() {
            if source.origin != Origin::Request || source.words.is_empty() {
                continue;
            }
            // What a model read of several places is told with commas.
            let read: Vec<&str> = if self.text.contains(source.words.as_str()) {
                vec![source.words.as_str()]
            } else {
                source.words.split(", ").filter(|part| !part.is_empty()).collect()
            };
            for words in read {
                let places = self.text.match_indices(words).take(PLACES_MAX);
                covered.extend(places.map(|(at, words)| at..at + words.len()));
            }
        }
        covered
    }

    /// Words of an English request that nothing explains, each once.
    fn unsaid(
        &self,
        is_covered: &dyn Fn(&Range<usize>) -> bool,
        is_left: impl Fn(&BTreeSet<String>) -> bool,
    ) -> Vec<String> {
        let mut unsaid: Vec<String> = Vec::new();
        if self.english.is_some() {
            return unsaid;
        }
        for word in question_words(self.text) {
            let is_free = !place(self.text, word.written).is_some_and(|range| is_covered(&range));
            let is_new = !unsaid.iter().any(|known| known == word.written);
            if is_free && is_new && is_left(&word.terms().map(str::to_owned).collect()) {
                unsaid.push(word.written.to_owned());
            }
        }
        unsaid.truncate(UNSAID_MAX);
        unsaid
    }

    /// The telling words that no argument was read from, each with its forms.
    fn open_words(
        &self,
        given: &BTreeSet<String>,
        is_covered: &dyn Fn(&Range<usize>) -> bool,
    ) -> Vec<BTreeSet<String>> {
        let text = self.english.as_deref().unwrap_or(self.text);
        question_words(text)
            .into_iter()
            .filter(|word| {
                self.english.is_some() || !place(text, word.written).is_some_and(|range| is_covered(&range))
            })
            .map(|word| word.terms().map(str::to_owned).collect::<BTreeSet<String>>())
            .filter(|terms| self.english.is_none() || terms.is_disjoint(given))
            .collect()
    }

    /// How many words behind a preposition nothing explains.
    fn open_objects(
        &self,
        is_covered: &dyn Fn(&Range<usize>) -> bool,
        is_unexplained: impl Fn(&BTreeSet<String>) -> bool,
    ) -> usize {
        if self.english.is_some() {
            return 0;
        }
        let mut behind = 0;
        let mut count = 0;
        for word in words(self.text) {
            let lower = word.written.to_lowercase();
            if ARTICLES.contains(&lower.as_str()) {
                continue;
            }
            let is_object = behind > 0
                && !place(self.text, word.written).is_some_and(|range| is_covered(&range))
                && !question_words(word.written).is_empty()
                && is_unexplained(&word.terms().map(str::to_owned).collect());
            count += usize::from(is_object);
            behind = if PREPOSITIONS.contains(&lower.as_str()) {
                OBJECT_WORDS
            } else {
                behind.max(1) - 1
            };
        }
        count
    }

    fn open_values(&self, own: &BTreeSet<String>, is_covered: &dyn Fn(&Range<usize>) -> bool) -> usize {
        let mut counted: Vec<&Range<usize>> = Vec::new();
        for span in &self.spans {
            let again = counted
                .iter()
                .any(|range| range.start < span.range.end && span.range.start < range.end);
            if again || is_covered(&span.range) {
                continue;
            }
            let written = self.text.get(span.range.clone()).unwrap_or_default();
            let of_tool =
                matches!(span.what, What::Name(_) | What::Number(_)) && !terms(written).is_disjoint(own);
            if !of_tool {
                counted.push(&span.range);
            }
        }
        counted.len()
    }
}

/// Words of the names of the arguments that were read, and of the values themselves.
fn given_terms(mapped: &Mapped) -> BTreeSet<String> {
    let mut given = BTreeSet::new();
    for (name, source) in &mapped.sources {
        given.extend(terms(&spelled_out(name)));
        given.extend(terms(&source.words));
        if let Some(english) = gloss(&source.words) {
            given.extend(terms(&english.english));
        }
    }
    given
}

fn terms(text: &str) -> BTreeSet<String> {
    words(text)
        .iter()
        .flat_map(|word| word.terms().map(str::to_owned))
        .collect()
}

/// The beginning of a description.
fn head(description: &str) -> &str {
    let mut end = description.len().min(DESCRIPTION_BYTES);
    while !description.is_char_boundary(end) {
        end -= 1;
    }
    description.get(..end).unwrap_or_default()
}

/// Where a part of a text stands in it.
fn place(text: &str, part: &str) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    (start + part.len() <= text.len()).then(|| start..start + part.len())
}
