//! Which tools share words with a question? BM25 over name, app and first line.
//!
//! Each field's term frequency is normalised by that field's length and weighted before saturation
//! (BM25F). What a term adds to a tool's score depends on the tool alone, so it is computed once, when
//! the index is built; a question only adds up.

use std::collections::{HashMap, HashSet};

use crate::text::MatchedText;
use crate::words::{self, Word};

/// Saturation: how fast repeats of a term stop mattering.
const K1: f32 = 1.5;

/// The matched fields, as positions in arrays of one value per field.
const FIELDS: usize = 3;
/// The name's place among them.
const NAME: usize = 1;
/// How much one occurrence counts in the app, the name and the line.
const WEIGHTS: [f32; FIELDS] = [2.0, 3.0, 1.0];
/// How strongly a field's length counts against it. An app's name is no shorter for saying less.
const LENGTH_PENALTIES: [f32; FIELDS] = [0.0, 0.7, 0.7];

/// An inverted index of the matched text of every tool.
#[derive(Debug, Default)]
pub struct Lexical {
    terms: HashMap<Box<str>, u32>,
    /// Start of each term's postings; one more than there are terms.
    starts: Vec<u32>,
    postings: Vec<Posting>,
    /// The terms of each tool's own name, in order.
    names: Vec<Box<[u32]>>,
    /// The weighted rarity of all terms of each tool.
    masses: Vec<f32>,
    tools: usize,
}

#[derive(Clone, Copy, Debug)]
struct Posting {
    position: u32,
    /// What the term adds to this tool's score.
    impact: f32,
}

/// How often one term occurs in the fields of one tool.
struct Occurrence {
    term: u32,
    position: u32,
    counts: [u16; FIELDS],
}

/// A question read against an index.
#[derive(Clone, Debug, Default)]
pub struct Question<'t> {
    terms: Vec<QuestionTerm<'t>>,
    /// Known terms in the order of the words, repeats and parts of compounds included.
    sequence: Vec<u32>,
    /// Weighted rarity of all its terms, known and unknown.
    rarity: f32,
}

#[derive(Clone, Debug)]
struct QuestionTerm<'t> {
    written: &'t str,
    /// `None` for a term that no tool has.
    term: Option<u32>,
    weight: f32,
    rarity: f32,
}

/// What the words say about one tool, beyond its score. Shares are weighted by rarity, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlap {
    /// Share of the words of the tool's own name that the question has.
    pub name: f32,
    /// Longest stretch of the question that is a stretch of the name, as a share of the name's words.
    pub name_run: f32,
    /// Share of all the tool's words that the question has.
    pub tool: f32,
    /// The rarest shared word: 0 in every tool or none shared, 1 in a single one.
    pub rarest: f32,
}

/// What the words say about every tool of the index, by position.
#[derive(Clone, Debug)]
pub struct Matches {
    /// BM25 score; zero where no term is shared.
    pub scores: Vec<f32>,
    /// Share of the question's words, weighted by rarity, that the tool has; 0 to 1.
    pub coverage: Vec<f32>,
}

impl Lexical {
    /// Indexes the tools' texts by position.
    pub fn build<'t>(tools: impl ExactSizeIterator<Item = MatchedText<'t>>) -> Self {
        let mut lexical = Self {
            tools: tools.len(),
            ..Self::default()
        };
        let mut occurrences = Vec::with_capacity(tools.len() * 16);
        let mut lengths = Vec::with_capacity(tools.len());
        for (position, text) in tools.enumerate() {
            lengths.push(lexical.read_tool(position as u32, text, &mut occurrences));
        }
        // Stable, so that a term's postings stay in catalog order.
        occurrences.sort_by_key(|occurrence| occurrence.term);
        lexical.lay_out(&occurrences, &lengths);
        lexical
    }

    /// Looks the words of a question up. Repeated words count once.
    pub fn read<'q>(&self, words: &[Word<'q>]) -> Question<'q> {
        let mut question = Question::default();
        let mut known: HashSet<u32> = HashSet::new();
        let mut unknown: HashSet<&str> = HashSet::new();
        for word in words {
            let whole = self.terms.get(word.term.as_str()).copied();
            // A compound that some tool spells in the same way counts as one word more, not as many.
            let part_weight = match whole {
                Some(_) => 1.0 / word.parts.len().max(1) as f32,
                None => 1.0,
            };
            let parts = word
                .parts
                .iter()
                .map(|part| self.terms.get(part.as_str()).copied());
            let terms = (word.parts.is_empty() || whole.is_some()).then_some((whole, 1.0));
            for (term, weight) in terms.into_iter().chain(parts.map(|part| (part, part_weight))) {
                question.sequence.extend(term);
                let is_new = match term {
                    Some(term) => known.insert(term),
                    None => unknown.insert(word.written),
                };
                if is_new {
                    question.terms.push(QuestionTerm {
                        written: word.written,
                        term,
                        weight,
                        rarity: rarity(self.tools, self.postings(term).len()),
                    });
                }
            }
        }
        question.rarity = question.terms.iter().map(|term| term.weight * term.rarity).sum();
        question
    }

    /// Scores every tool of the index.
    pub fn matches(&self, question: &Question<'_>) -> Matches {
        let mut matches = Matches {
            scores: vec![0.0; self.tools],
            coverage: vec![0.0; self.tools],
        };
        for term in &question.terms {
            let covered = term.weight * term.rarity / question.rarity;
            for posting in self.postings(term.term) {
                matches.scores[posting.position as usize] += term.weight * posting.impact;
                matches.coverage[posting.position as usize] += covered;
            }
        }
        matches
    }

    /// The words of the question that the tool at `position` has, as written, in order, each once.
    pub fn shared_words<'q>(&self, question: &Question<'q>, position: usize) -> Vec<&'q str> {
        let mut shared = Vec::new();
        for term in &question.terms {
            let found = self
                .postings(term.term)
                .binary_search_by_key(&position, |p| p.position as usize);
            if found.is_ok() && !shared.contains(&term.written) {
                shared.push(term.written);
            }
        }
        shared
    }

    /// How the words of a question and of the tool at `position` meet.
    pub fn overlap(&self, question: &Question<'_>, position: usize) -> Overlap {
        let Some(name) = self.names.get(position) else {
            return Overlap::default();
        };
        let mut shared = 0.0;
        let mut rarest: f32 = 0.0;
        for term in question.terms.iter().filter(|term| term.term.is_some()) {
            let postings = self.postings(term.term);
            if postings
                .binary_search_by_key(&position, |p| p.position as usize)
                .is_ok()
            {
                shared += term.weight * term.rarity;
                rarest = rarest.max(term.rarity);
            }
        }
        let rarity_of = |term: u32| rarity(self.tools, self.postings(Some(term)).len());
        let of_name: f32 = name.iter().map(|&term| rarity_of(term)).sum();
        let given: f32 = name
            .iter()
            .filter(|term| question.sequence.contains(term))
            .map(|&term| rarity_of(term))
            .sum();
        let run = longest_common_run(name, &question.sequence);
        Overlap {
            name: share(given, of_name),
            name_run: share(run as f32, name.len() as f32),
            tool: share(shared, self.masses[position]),
            rarest: share(rarest, rarity(self.tools, 1)),
        }
    }

    fn read_tool(
        &mut self,
        position: u32,
        text: MatchedText<'_>,
        occurrences: &mut Vec<Occurrence>,
    ) -> [u32; FIELDS] {
        let first = occurrences.len();
        let mut lengths = [0; FIELDS];
        let mut name = Vec::new();
        for (field, text) in [text.app, text.name, text.line].into_iter().enumerate() {
            for word in words::words(text) {
                lengths[field] += word.parts.len().max(1) as u32;
                for term in word.terms() {
                    let mut counts = [0; FIELDS];
                    counts[field] = 1;
                    occurrences.push(Occurrence {
                        term: self.term(term),
                        position,
                        counts,
                    });
                }
                if field == NAME {
                    let own = if word.parts.is_empty() {
                        std::slice::from_ref(&word.term)
                    } else {
                        &word.parts
                    };
                    name.extend(own.iter().map(|term| self.term(term)));
                }
            }
        }
        self.names.push(name.into());
        let own = &mut occurrences[first..];
        own.sort_unstable_by_key(|occurrence| occurrence.term);
        merge_repeats(occurrences, first);
        lengths
    }

    fn term(&mut self, text: &str) -> u32 {
        if let Some(&term) = self.terms.get(text) {
            return term;
        }
        let term = self.terms.len() as u32;
        self.terms.insert(text.into(), term);
        term
    }

    fn lay_out(&mut self, occurrences: &[Occurrence], lengths: &[[u32; FIELDS]]) {
        let averages = averages(lengths);
        self.starts = Vec::with_capacity(self.terms.len() + 1);
        self.postings = Vec::with_capacity(occurrences.len());
        for of_term in occurrences.chunk_by(|a, b| a.term == b.term) {
            self.starts.push(self.postings.len() as u32);
            let rarity = rarity(self.tools, of_term.len());
            self.postings.extend(of_term.iter().map(|occurrence| Posting {
                position: occurrence.position,
                impact: rarity
                    * saturated(occurrence.counts, lengths[occurrence.position as usize], averages),
            }));
        }
        self.starts.push(self.postings.len() as u32);
        self.masses = vec![0.0; lengths.len()];
        for of_term in occurrences.chunk_by(|a, b| a.term == b.term) {
            let rarity = rarity(self.tools, of_term.len());
            for occurrence in of_term {
                self.masses[occurrence.position as usize] += rarity;
            }
        }
    }

    fn postings(&self, term: Option<u32>) -> &[Posting] {
        let Some(term) = term.map(|term| term as usize) else {
            return &[];
        };
        &self.postings[self.starts[term] as usize..self.starts[term + 1] as usize]
    }
}

impl Question<'_> {
    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// How many different words it has.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Share of the words, weighted by rarity, that no tool has: 0 to 1.
    pub fn unknown(&self) -> f32 {
        let unknown = self.terms.iter().filter(|term| term.term.is_none());
        share(unknown.map(|term| term.weight * term.rarity).sum(), self.rarity)
    }
}

/// `part` of `whole`, 0 to 1; 0 of nothing.
fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 {
        (part / whole).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// Length of the longest stretch that both sequences have.
fn longest_common_run(a: &[u32], b: &[u32]) -> usize {
    let starts = (0..a.len()).flat_map(|at| (0..b.len()).map(move |other| (at, other)));
    starts
        .map(|(at, other)| {
            a[at..]
                .iter()
                .zip(&b[other..])
                .take_while(|(x, y)| x == y)
                .count()
        })
        .max()
        .unwrap_or_default()
}

/// How telling a term is that `holders` of `tools` tools have (BM25's inverse document frequency).
fn rarity(tools: usize, holders: usize) -> f32 {
    let (tools, holders) = (tools as f32, holders as f32);
    (1.0 + (tools - holders + 0.5) / (holders + 0.5)).ln()
}

/// Weighted, length-normalised frequency of a term in one tool, squeezed into 0 to `K1 + 1`.
fn saturated(counts: [u16; FIELDS], lengths: [u32; FIELDS], averages: [f32; FIELDS]) -> f32 {
    let frequency: f32 = (0..FIELDS)
        .map(|field| {
            let relative_length = lengths[field] as f32 / averages[field];
            let penalty = LENGTH_PENALTIES[field];
            WEIGHTS[field] * f32::from(counts[field]) / (1.0 - penalty + penalty * relative_length)
        })
        .sum();
    frequency * (K1 + 1.0) / (frequency + K1)
}

/// Mean length of each field, at least 1 so that it can divide.
fn averages(lengths: &[[u32; FIELDS]]) -> [f32; FIELDS] {
    std::array::from_fn(|field| {
        let total: u64 = lengths.iter().map(|lengths| u64::from(lengths[field])).sum();
        (total as f32 / lengths.len().max(1) as f32).max(1.0)
    })
}

/// Adds up neighbours with the same term, from `first` on.
fn merge_repeats(occurrences: &mut Vec<Occurrence>, first: usize) {
    let mut kept = first;
    for index in first..occurrences.len() {
        let Occurrence {
            term,
            position,
            counts,
        } = occurrences[index];
        if kept > first && occurrences[kept - 1].term == term {
            for (sum, count) in occurrences[kept - 1].counts.iter_mut().zip(counts) {
                *sum = sum.saturating_add(count);
            }
        } else {
            occurrences[kept] = Occurrence {
                term,
                position,
                counts,
            };
            kept += 1;
        }
    }
    occurrences.truncate(kept);
}

#[cfg(test)]
mod tests;
