//! What stands in a text, seen from the parameters of one tool?

use std::collections::HashSet;
use std::ops::Range;

use crate::kind::Kind;
use crate::lexicon;
use crate::mapped::Origin;
use crate::meaning::{Meaning, sense_of};
use crate::span::{Span, What};
use crate::words::{Break, TOKENS_MAX, Token, name_words, tokens};
use crate::{Now, spans};

/// Words in the names of tools that look something up.
const READING: &[&str] = &[
    "list", "get", "search", "find", "read", "show", "who", "check", "query", "count", "view", "fetch",
    "browse", "track", "what", "describe",
];

/// Words that may stand between what a parameter is called and its value.
const FILLERS: &[&str] = &[
    "is", "are", "to", "of", "the", "a", "an", "id", "ids", "uid", "key", "number", "no", "named", "called",
    "uuid", "slug", "ist", "sind", "auf", "der", "die", "das", "den", "dem", "von", "est", "sont", "de",
    "du", "des", "es", "son", "el", "la", "le", "les", "numero", "nr", "nummer", "mit", "like", "should",
    "be", "as", "now", "=", "matching", "namens", "nomme", "nommee", "llamado", "llamada", "l'", "d'", "zu",
    "a",
];

/// Words that single-word cues may not be: they only relate what stands around them.
const RELATING: &[&str] = &[
    "from", "to", "in", "by", "with", "for", "on", "of", "at", "is", "as", "end", "no", "first",
];

/// Words behind which an unquoted title ends when something else of the request follows.
pub(crate) const LINKS: &[&str] = &[
    "in", "on", "at", "to", "for", "with", "from", "under", "into", "by", "as", "and", "due", "starting",
    "via", "onto", "about", "im", "auf", "zu", "zum", "zur", "fur", "mit", "von", "vom", "bis", "am", "und",
    "dans", "sur", "pour", "avec", "au", "aux", "et", "en", "con", "para", "por", "al", "y", "de", "del",
    "du", "des", "a", "that", "which", "who", "where", "between", "until", "since",
];

/// Where a request names a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    /// Which parameter.
    pub parameter: usize,
    /// Its first word.
    pub start: usize,
    /// Behind its last word.
    pub end: usize,
    /// How surely the words mean it, 0 to 1.
    pub weight: f32,
}

/// A value for a parameter, with what speaks for it.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Which parameter.
    pub parameter: usize,
    /// The value as it would be sent.
    pub value: serde_json::Value,
    /// Where it was read, in bytes.
    pub range: Range<usize>,
    /// How surely it belongs there, 0 to 1.
    pub score: f32,
    /// In what it was read.
    pub origin: Origin,
    /// Whether nothing else may be read from the same words.
    pub taking: bool,
    /// Whether it is a text that was taken up to the end of what was said.
    pub whole: bool,
}

/// A text, read once for all parameters of a tool.
pub(crate) struct Asked<'a> {
    /// The text.
    pub text: &'a str,
    /// Its words.
    pub tokens: Vec<Token<'a>>,
    /// Its values.
    pub spans: Vec<Span>,
    /// The words of the tool's own name and description, as senses and stems.
    pub tool: HashSet<String>,
    /// The words of the tool's name alone, stemmed.
    pub name: HashSet<String>,
    /// Whether the tool looks something up.
    pub reads: bool,
    /// The tool's parameters.
    pub meanings: &'a [Meaning],
    /// The present.
    pub now: Now,
    /// Texts that are values as a whole; nothing within them is one.
    pub opaque: Vec<Range<usize>>,
    /// Where parameters are named, outside of those; by parameter.
    pub hits: Vec<Hit>,
    /// What the text is.
    pub origin: Origin,
}

impl<'a> Asked<'a> {
    /// Reads a text.
    pub fn of(text: &'a str, origin: Origin, tool_words: &str, meanings: &'a [Meaning], now: Now) -> Self {
        let tokens = tokens(text);
        // Of a very long text only the beginning is read.
        let end = if tokens.len() < TOKENS_MAX {
            None
        } else {
            tokens.last().map(|token| token.range.end)
        };
        let mut spans = spans(end.and_then(|end| text.get(..end)).unwrap_or(text), now);
        spans.sort_by_key(|span| span.range.start);
        let opaque = merged(quotes(&spans));
        let mut asked = Self {
            text,
            tokens,
            spans,
            tool: tool_senses(tool_words),
            name: tool_senses(name_of(tool_words)),
            reads: name_words(name_of(tool_words))
                .iter()
                .any(|word| READING.contains(&word.as_str())),
            meanings,
            now,
            opaque,
            hits: Vec::new(),
            origin,
        };
        asked.hits = asked.find_hits();
        asked
    }

    /// The words of a range of tokens as they are written.
    pub fn slice(&self, start: usize, end: usize) -> &'a str {
        self.bytes(start, end)
            .and_then(|range| self.text.get(range))
            .unwrap_or_default()
    }

    /// Where a range of tokens lies.
    pub fn bytes(&self, start: usize, end: usize) -> Option<Range<usize>> {
        let first = self.tokens.get(start)?;
        let last = self.tokens.get(end.checked_sub(1)?)?;
        (start < end).then_some(first.range.start..last.range.end)
    }

    /// The token at a place.
    pub fn token(&self, at: usize) -> Option<&Token<'a>> {
        self.tokens.get(at)
    }

    /// Whether a range touches a text that is a value as a whole.
    pub fn is_opaque(&self, range: &Range<usize>) -> bool {
        let at = self.opaque.partition_point(|closed| closed.end <= range.start);
        self.opaque.get(at).is_some_and(|closed| touches(closed, range))
    }

    /// Whether a word names what the tool does or what it does it to.
    pub fn is_tool_word(&self, token: &Token<'_>) -> bool {
        self.tool.contains(&token.stem) || token.sense.is_some_and(|sense| self.tool.contains(sense))
    }

    /// Whether a word is a code: nothing of prose, and no name of a product that the tool belongs to.
    pub fn is_code(&self, at: usize) -> bool {
        let Some(token) = self.token(at).filter(|token| token.is_coded()) else {
            return false;
        };
        let digits = token
            .text
            .chars()
            .any(|c| c.is_ascii_digit() || matches!(c, '_' | '#' | '@'));
        if digits {
            return true;
        }
        let parts: Vec<&str> = token.fold.split(['-', '/', '.', ':']).collect();
        let told = parts.iter().all(|part| {
            part.len() < 2
                || lexicon::is_common(part)
                || lexicon::sense(part).is_some()
                || self.tool.contains(*part)
                || self.tool.contains(&crate::words::stem(part))
        }) || crate::words::is_compound(token.text);
        !(self.is_tool_word(token)
            || token.sense.is_some()
            || (told && token.text.contains('-'))
            || !token.fold.is_ascii())
    }

    /// Whether a word has no reading but that of a value: nothing of the tool, of its parameters or of prose.
    pub fn is_unexplained(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| {
            !token.is_common()
                && !self.is_tool_word(token)
                && token.sense.is_none()
                && !self.is_opaque(&token.range)
                && !lexicon::COURTESIES.contains(&token.fold.as_str())
                && !self.hits.iter().any(|hit| (hit.start..hit.end).contains(&at))
        })
    }

    /// Values that begin with a word.
    pub fn spans_at(&self, at: usize) -> impl Iterator<Item = &Span> {
        let place = self.token(at).map_or(0, |token| token.range.start);
        let before = at
            .checked_sub(1)
            .and_then(|at| self.token(at))
            .map_or(0, |token| token.range.end);
        let first = self.spans.partition_point(|span| span.range.start < before);
        let last = self.spans.partition_point(|span| span.range.start <= place);
        let near = if at < self.tokens.len() {
            self.spans.get(first..last)
        } else {
            None
        };
        near.unwrap_or_default()
            .iter()
            .filter(move |span| place < span.range.end)
    }

    /// The quoted text that begins with a word.
    pub fn quoted_at(&self, at: usize) -> Option<(&Span, &str)> {
        self.spans_at(at).find_map(|span| match &span.what {
            What::Quoted(text) => Some((span, text.as_str())),
            _ => None,
        })
    }

    /// The first word at or behind a byte.
    pub fn at_byte(&self, byte: usize) -> usize {
        self.tokens.partition_point(|token| token.range.start < byte)
    }

    /// Where a parameter is named.
    pub fn hits_of(&self, parameter: usize) -> impl Iterator<Item = &Hit> {
        let first = self.hits.partition_point(|hit| hit.parameter < parameter);
        let last = self.hits.partition_point(|hit| hit.parameter <= parameter);
        self.hits.get(first..last).unwrap_or_default().iter()
    }

    /// Whether another parameter is named with a word.
    pub fn other_hit_at(&self, at: usize, parameter: usize) -> Option<&Hit> {
        self.hits
            .iter()
            .find(|hit| hit.start == at && hit.parameter != parameter)
    }

    /// What ends between two neighbouring words.
    pub fn break_before(&self, at: usize) -> Break {
        at.checked_sub(1)
            .and_then(|before| self.token(before))
            .map_or(Break::Stop, |token| token.after)
    }

    /// The word that a named parameter's value begins with, and how many words stand between.
    pub fn value_start(&self, hit: &Hit) -> Option<(usize, usize)> {
        let mut at = hit.end;
        let mut skipped = 0;
        loop {
            let before = self.break_before(at);
            if before == Break::Stop || before == Break::Comma {
                return None;
            }
            let token = self.token(at)?;
            let filler = FILLERS.contains(&token.fold.as_str()) && !self.is_opaque(&token.range);
            // `the Asana task 120077`, said as `tâche Asana 120077`.
            let product = self.is_tool_word(token)
                && token.is_capitalised()
                && before == Break::None
                && self.is_code(at + 1)
                && token.after == Break::None;
            let kind_noun =
                before == Break::None && crate::assign::names::named_words::is_kind_noun(self, at, skipped);
            if (product || kind_noun) && skipped < 3 {
                at += 1;
                skipped += 1;
                continue;
            }
            let code = token.text.len() > 1 && token.text.chars().all(char::is_uppercase);
            if !filler || code || skipped >= 3 || before == Break::Colon {
                return Some((at, skipped));
            }
            at += 1;
            skipped += 1;
        }
    }

    /// Whether the word that names a parameter is followed by a value: a colon, a quote, a code or a number.
    pub fn is_loaded(&self, hit: &Hit) -> bool {
        // `in the general channel: …` opens a text, and the word before it says which.
        let told_before = hit.start.checked_sub(1).is_some_and(|before| {
            self.is_unexplained(before)
                && self.break_before(hit.start) == Break::None
                && before
                    .checked_sub(1)
                    .and_then(|at| self.token(at))
                    .is_some_and(|token| {
                        token.is_any(&["the", "our", "my", "in", "im", "den", "dem", "le", "la", "el"])
                    })
        });
        if self.break_before(hit.end) == Break::Colon {
            return !told_before;
        }
        let Some((at, _)) = self.value_start(hit) else {
            return false;
        };
        let Some(token) = self.token(at) else { return false };
        let is_choice = self
            .meanings
            .get(hit.parameter)
            .is_some_and(|meaning| crate::assign::choices::spelled(meaning, token).is_some());
        let is_name = at == hit.end && !token.is_common() && self.other_hit_at(at, hit.parameter).is_none();
        self.is_code(at) || self.spans_at(at).next().is_some() || is_choice || is_name
    }

    /// Whether another parameter's name stands right before a word that it could take, with fewer than so many
    /// small words between.
    pub fn is_claimed(&self, at: usize, parameter: usize, within: usize) -> bool {
        let number = self.token(at).is_some_and(|token| {
            token
                .text
                .trim_start_matches('#')
                .chars()
                .all(|c| c.is_ascii_digit())
        });
        self.hits.iter().any(|hit| {
            let Some(meaning) = self
                .meanings
                .get(hit.parameter)
                .filter(|_| hit.parameter != parameter && hit.weight > 0.76)
            else {
                return false;
            };
            let takes = matches!(
                meaning.kind,
                Kind::Id | Kind::Slug | Kind::Title | Kind::Person | Kind::Query | Kind::Zone
            ) || (number
                && matches!(
                    meaning.kind,
                    Kind::Number | Kind::Count | Kind::Money(_) | Kind::Percent
                ));
            let coded = meaning.kind != Kind::Id
                || number
                || self.is_code(at)
                || self.token(at).is_some_and(Token::is_capitalised);
            let fits = (!meaning.is_numeric() || number) && coded;
            takes
                && fits
                && self
                    .value_start(hit)
                    .is_some_and(|(start, skipped)| start == at && skipped < within)
        })
    }

    /// Whether a value that begins with a word is named only to rule it out: `not with ravi`, `instead of ravi`.
    pub fn is_ruled_out(&self, at: usize) -> bool {
        const DENIALS: &[&str] = &[
            "not", "nicht", "except", "statt", "anstatt", "pas", "excepto", "sauf", "ausser",
        ];
        let word = |back: usize| {
            at.checked_sub(back)
                .and_then(|before| self.token(before))
                .filter(|token| token.after == Break::None)
        };
        let denies = |token: Option<&Token<'_>>| token.is_some_and(|token| token.is_any(DENIALS));
        let links = |back: usize| {
            word(back).is_some_and(|token| {
                LINKS.contains(&token.fold.as_str()) || self.hits.iter().any(|hit| hit.end + back == at + 1)
            })
        };
        let instead = word(2).is_some_and(|token| token.is_any(&["instead", "lieu", "vez", "lugar"]))
            && word(1).is_some_and(|token| token.is_any(&["of", "de"]));
        denies(word(1))
            || (links(1) && denies(word(2)))
            || (links(1) && links(2) && denies(word(3)))
            || instead
    }

    /// The word behind the thing that a verb is done to: `wholesale` of `Label MAIL-902 wholesale`.
    pub fn behind_object(&self, hit: &Hit) -> Option<usize> {
        let first = self
            .tokens
            .get(..hit.start)?
            .iter()
            .all(|token| token.is_common() || lexicon::COURTESIES.contains(&token.fold.as_str()));
        let object = self.token(hit.end)?;
        let plain = self.break_before(hit.end) == Break::None && object.after == Break::None;
        let link = self
            .token(hit.end + 1)
            .is_some_and(|token| token.is_any(&["as", "with", "mit", "als", "con", "avec", "comme"]));
        let value = hit.end + 1 + usize::from(link);
        (first && plain && self.is_code(hit.end) && self.token(value).is_some()).then_some(value)
    }

    /// A text stands for itself from now on: what is in it names nothing.
    pub fn close(&mut self, range: Range<usize>) {
        let closed = |at: usize| {
            self.tokens
                .get(at)
                .is_some_and(|token| touches(&range, &token.range))
        };
        let kept: Vec<Hit> = self
            .hits
            .iter()
            .filter(|hit| !closed(hit.start) && !closed(hit.end - 1))
            .copied()
            .collect();
        self.hits = kept;
        self.opaque.push(range);
        self.opaque = merged(std::mem::take(&mut self.opaque));
    }

    /// A candidate that was read here.
    pub fn candidate(
        &self,
        parameter: usize,
        value: serde_json::Value,
        range: Range<usize>,
        score: f32,
    ) -> Candidate {
        Candidate {
            parameter,
            value,
            range,
            score,
            origin: self.origin,
            taking: true,
            whole: false,
        }
    }

    fn find_hits(&self) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (parameter, meaning) in self.meanings.iter().enumerate() {
            for cue in &meaning.cues {
                let relates = matches!(cue.phrase.as_slice(), [one] if RELATING.contains(&one.as_str()));
                for start in 0..self.tokens.len() {
                    let colon = self.token(start).is_some_and(|token| token.after == Break::Colon);
                    if (relates && !colon) || !self.says(start, &cue.phrase) {
                        continue;
                    }
                    hits.push(Hit {
                        parameter,
                        start,
                        end: start + cue.phrase.len(),
                        weight: cue.weight,
                    });
                }
            }
        }
        most_exact(&hits)
    }

    /// Whether the words from a place on are those of a cue.
    fn says(&self, start: usize, phrase: &[String]) -> bool {
        phrase.iter().enumerate().all(|(offset, word)| {
            self.token(start + offset).is_some_and(|token| {
                let unbroken = offset + 1 == phrase.len() || token.after == Break::None;
                let meant = token.is(word) || is_slip(&token.fold, word) || token.ends_on(word);
                unbroken && !self.is_opaque(&token.range) && meant
            })
        })
    }
}

/// Hits without those that a longer name contains, and the surest of equal ones.
fn most_exact(hits: &[Hit]) -> Vec<Hit> {
    let mut kept: Vec<Hit> = Vec::new();
    for hit in hits {
        let contained = hits.iter().any(|other| {
            other.start <= hit.start && hit.end <= other.end && other.end - other.start > hit.end - hit.start
        });
        if contained {
            continue;
        }
        match kept.iter_mut().find(|known| {
            known.parameter == hit.parameter && known.start == hit.start && known.end == hit.end
        }) {
            Some(known) => known.weight = known.weight.max(hit.weight),
            None => kept.push(*hit),
        }
    }
    kept
}

/// Whether a word is a long word with one letter wrong, missing, doubled or swapped.
pub(crate) fn is_slip(written: &str, meant: &str) -> bool {
    if meant.len() < 6
        || !written.is_ascii()
        || !meant.is_ascii()
        || written == meant
        || written.len().abs_diff(meant.len()) > 1
    {
        return false;
    }
    let (a, b) = (written.as_bytes(), meant.as_bytes());
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (
        a.get(same..).unwrap_or_default(),
        b.get(same..).unwrap_or_default(),
    );
    let tail = |skip_a: usize, skip_b: usize| a.get(skip_a..).is_some_and(|a| b.get(skip_b..) == Some(a));
    let swapped = match (a, b) {
        ([a1, a2, a_rest @ ..], [b1, b2, b_rest @ ..]) => a1 == b2 && a2 == b1 && a_rest == b_rest,
        _ => false,
    };
    tail(1, 1) || tail(1, 0) || tail(0, 1) || swapped
}

/// Whether two ranges share a byte.
pub(crate) fn touches(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Ranges in order, those that touch made one.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut apart: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match apart.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    apart
}

/// Texts in quotation marks.
fn quotes(spans: &[Span]) -> Vec<Range<usize>> {
    spans
        .iter()
        .filter(|span| matches!(span.what, What::Quoted(_)))
        .map(|span| span.range.clone())
        .collect()
}

/// The name that a tool's words begin with: up to the first blank, or three words where it is spelled out.
fn name_of(tool_words: &str) -> &str {
    let trimmed = tool_words.trim_start();
    let first = trimmed.split([' ', '\n', ':']).next().unwrap_or_default();
    if crate::words::is_coded(first) {
        return first;
    }
    let end = trimmed
        .match_indices(' ')
        .nth(2)
        .map_or(trimmed.len(), |(at, _)| at);
    trimmed.get(..end).unwrap_or(trimmed)
}

/// The words of a tool's name and description.
fn tool_senses(tool_words: &str) -> HashSet<String> {
    let mut senses = HashSet::new();
    for word in name_words(tool_words).into_iter().take(200) {
        if !lexicon::is_common(&word) || word.len() > 3 {
            senses.insert(sense_of(&word));
            senses.insert(crate::words::stem(&crate::words::fold(&word)));
        }
    }
    senses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_long_words_are_seen() {
        for (written, meant) in [
            ("namespce", "namespace"),
            ("cheklist", "checklist"),
            ("mesage", "message"),
            ("chanenl", "channel"),
        ] {
            assert!(is_slip(written, meant), "{written}");
        }
        for (written, meant) in [
            ("page", "pages"),
            ("table", "cable"),
            ("message", "message"),
            ("storage", "message"),
        ] {
            assert!(!is_slip(written, meant), "{written}");
        }
    }
}
