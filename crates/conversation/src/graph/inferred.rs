//! Which tools return an id, judged by their names (T15)?
//!
//! `find_customer` looks customers up, so it supplies `customer_id`. How sure that is was counted on labelled
//! conversations with everything declared taken away: an edge was right when, in some conversation, the id that the
//! consumer was called with had come out of the provider.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::needs::{Needs, entity_words};
use crate::id_name::IdName;

mod purpose;
#[cfg(test)]
mod tests;

use purpose::{Purpose, Style};

/// The only lookup of a thing: 115 of 138 edges were right.
const ONLY: f32 = 0.85;
/// The only lookup of a thing, whose name says more, as `list_open_orders` does: 11 of 12.
const ONLY_OF_A_KIND: f32 = 0.8;
/// One of several lookups of a thing: 55 of 144.
const ONE_OF_SEVERAL: f32 = 0.4;
/// A tool that makes such a thing: 22 of 90. The id is rarely that of a thing just made.
const MAKES: f32 = 0.25;
/// A lookup of something else that mentions the thing: too rare to count.
const MENTIONS: f32 = 0.1;
/// The parameter's own description names the tool.
const NAMED_BY_PARAMETER: f32 = 0.9;

/// Providers of one id that are kept: enough for what any tool is linked to.
const KEPT: usize = 16;
/// Lookups of a thing that are looked at for the id of a kind of that thing.
const OF_A_KIND_MAX: usize = 64;
/// Words of a name that are looked at.
const WORDS_MAX: usize = 6;

/// How the name of a tool speaks of a thing, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// It is about that thing and nothing else.
    Whole,
    /// It is about a kind of that thing.
    Kind,
    /// It mentions the thing.
    Mention,
}

/// What the names of a catalog suggest.
pub(super) struct Inferred<'a> {
    needs: &'a Needs<'a>,
    by_name: HashMap<IdName, Vec<(usize, f32)>>,
}

/// Reads all names of a catalog once.
pub(super) fn providers<'a>(needs: &'a Needs<'a>) -> Inferred<'a> {
    let index = Index::build(needs);
    let by_name = needs
        .consumers()
        .map(|(name, _)| (name.clone(), index.providers(needs, name)))
        .collect();
    Inferred { needs, by_name }
}

impl Inferred<'_> {
    /// The providers of an id for one tool, and how sure each is.
    pub(super) fn of(&self, consumer: usize, param: &Arc<str>, name: &IdName) -> Vec<(usize, f32)> {
        let mut providers = self.providers(name).to_vec();
        providers.extend(self.named_by_parameter(consumer, param, name));
        providers.retain(|&(provider, _)| provider != consumer);
        providers
    }

    /// The providers of an id for whatever tool requires it, surest first.
    pub(super) fn providers(&self, name: &IdName) -> &[(usize, f32)] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The tools that the description of the parameter names, as "from list_plans" does.
    fn named_by_parameter(&self, consumer: usize, param: &str, name: &IdName) -> Vec<(usize, f32)> {
        let described = self.needs.parameter(consumer, param);
        let text = described
            .and_then(|parameter| parameter.description.as_deref())
            .unwrap_or_default();
        text.split(|c: char| c.is_whitespace() || "()[]{}<>\"'`,;:!?".contains(c))
            .map(|word| word.trim_matches('.'))
            .filter(|word| word.contains(['_', '-', '.']) || word.chars().skip(1).any(char::is_uppercase))
            .filter_map(|word| self.needs.position(word))
            .filter(|&provider| !self.needs.requires(provider, name))
            .map(|provider| (provider, NAMED_BY_PARAMETER))
            .take(KEPT)
            .collect()
    }
}

/// The tools by every phrase of what they are about.
struct Index {
    lookups: HashMap<String, Vec<(usize, Fit)>>,
    makers: HashMap<String, Vec<usize>>,
}

impl Index {
    fn build(needs: &Needs<'_>) -> Self {
        let things = needs.entities();
        let mut index = Self {
            lookups: HashMap::new(),
            makers: HashMap::new(),
        };
        for &position in needs.by_name() {
            if let Some(purpose) = Purpose::of(&needs.tools[position].name, &things) {
                index.add(position, &purpose);
            }
        }
        index
    }

    fn add(&mut self, tool: usize, purpose: &Purpose) {
        let object = &purpose.object[..purpose.object.len().min(WORDS_MAX)];
        for start in 0..object.len() {
            for end in start + 1..=object.len() {
                let fit = match (start, end == object.len()) {
                    (0, true) => Fit::Whole,
                    (_, true) => Fit::Kind,
                    _ => Fit::Mention,
                };
                let phrase = object[start..end].join("_");
                match purpose.style {
                    Style::Lookup => self.lookups.entry(phrase).or_default().push((tool, fit)),
                    Style::Maker if fit != Fit::Mention => self.makers.entry(phrase).or_default().push(tool),
                    Style::Maker => {}
                }
            }
        }
    }

    /// The providers of an id, surest first.
    fn providers(&self, needs: &Needs<'_>, name: &IdName) -> Vec<(usize, f32)> {
        let thing = entity_words(name);
        let takes_it = |tool: usize| needs.requires(tool, name);
        let named = self
            .lookups_of(&thing)
            .iter()
            .copied()
            .filter(|&(tool, _)| !takes_it(tool));
        let (mentions, lookups): (Vec<_>, Vec<_>) = named.partition(|(_, fit)| *fit == Fit::Mention);
        let declared = needs
            .producers(name)
            .iter()
            .copied()
            .filter(|&tool| !takes_it(tool));
        let rivals: BTreeSet<usize> = lookups.iter().map(|&(tool, _)| tool).chain(declared).collect();
        let sure = |fit: Fit| match fit {
            _ if rivals.len() > 1 => ONE_OF_SEVERAL,
            Fit::Whole => ONLY,
            _ => ONLY_OF_A_KIND,
        };
        let mut providers: Vec<(usize, f32)> = lookups.iter().map(|&(tool, fit)| (tool, sure(fit))).collect();
        if rivals.is_empty() {
            providers.extend(mentions.iter().map(|&(tool, _)| (tool, MENTIONS)));
            providers.extend(
                self.of_the_kind(needs, name)
                    .into_iter()
                    .map(|tool| (tool, ONE_OF_SEVERAL)),
            );
        }
        let makers = self.makers.get(&thing.join("_")).into_iter().flatten();
        providers.extend(makers.filter(|&&tool| !takes_it(tool)).map(|&tool| (tool, MAKES)));
        let tool_name = |position: usize| &needs.tools[position].name;
        providers.sort_by(|a, b| {
            b.1.total_cmp(&a.1)
                .then_with(|| tool_name(a.0).cmp(tool_name(b.0)))
        });
        providers.truncate(KEPT);
        providers
    }

    /// Where nobody looks up a duplicate customer, whoever looks up customers finds one: the lookups of what the last
    /// words of an id name, as few words off as possible.
    fn of_the_kind(&self, needs: &Needs<'_>, name: &IdName) -> BTreeSet<usize> {
        let words = entity_words(name);
        for start in 1..words.len() {
            let thing = &words[start..];
            let spelled: Vec<&str> = name.as_str().split('_').skip(start).collect();
            let kind = IdName::of(&spelled.join("_"));
            let declared = kind.iter().flat_map(|kind| needs.producers(kind));
            let joined = thing.join("_");
            let takes_one = |tool: usize| needs.requires(tool, name) || needs.requires_one_of(tool, &joined);
            let found: BTreeSet<usize> = self
                .lookups_of(thing)
                .iter()
                .filter(|(_, fit)| *fit != Fit::Mention)
                .map(|(tool, _)| tool)
                // Any number of ids may end in the same word.
                .take(OF_A_KIND_MAX)
                .chain(declared.take(OF_A_KIND_MAX))
                .copied()
                .filter(|&tool| !takes_one(tool))
                .collect();
            if !found.is_empty() {
                return found;
            }
        }
        BTreeSet::new()
    }

    fn lookups_of(&self, thing: &[String]) -> &[(usize, Fit)] {
        self.lookups.get(&thing.join("_")).map_or(&[], Vec::as_slice)
    }
}
