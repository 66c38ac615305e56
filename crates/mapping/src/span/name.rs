//! Which names stand in a text?

use std::ops::Range;

use super::What;
use super::calendar;
use super::name_words::{
    ACRONYMS, AFTER_NAMES, FRENCH_SMALL, GERMAN_NOUNS, GERMAN_SMALL, PARTICLES, PEOPLE, SMALL_WORDS,
    SPANISH_SMALL, STARTERS,
};
use super::token::{Kind, Tokens};
use super::tongue::Tongue;
use crate::Span;

/// More words than any name has.
const MOST_WORDS: usize = 12;

/// Runs of capitalised words that do not merely begin a sentence.
pub(super) fn read(t: &Tokens<'_>) -> Vec<Span> {
    let mut spans = Vec::new();
    if shouted(t) {
        return spans;
    }
    let mut at = 0;
    while at < t.len() {
        if !names(t, at) {
            at += 1;
            continue;
        }
        let run = Run::take(t, at);
        at = run.next.max(at + 1);
        if let Some(range) = run.name(t)
            && let Some(written) = t.text.get(range.clone())
        {
            spans.push(Span {
                what: What::Name(written.to_owned()),
                range,
            });
        }
    }
    spans
}

/// A text in capitals only, or with nearly every word capitalised, shows no names.
fn shouted(t: &Tokens<'_>) -> bool {
    let words = (0..t.len()).filter(|at| t.kind(*at) == Some(Kind::Word));
    let (mut all, mut loud, mut small) = (0_usize, 0_usize, 0_usize);
    for at in words {
        let written = t.written(at);
        all += 1;
        loud += usize::from(written.chars().count() > 1 && written.chars().all(char::is_uppercase));
        small +=
            usize::from(t.capital(at) && SMALL_WORDS.contains(t.word(at)) && at > 0 && t.word(at) != "i");
    }
    (all > 3 && loud * 3 > all * 2) || (all > 6 && small * 5 > all)
}

/// Whether the token is a capitalised word that may stand in a name.
fn names(t: &Tokens<'_>, at: usize) -> bool {
    if t.kind(at) != Some(Kind::Word) || !t.capital(at) {
        return false;
    }
    let word = t.word(at);
    let glued = t.joined(at) && matches!(t.kind(at - 1), Some(Kind::Digits | Kind::Solid));
    let followed = t.joined(at + 1) && matches!(t.kind(at + 1), Some(Kind::Digits | Kind::Solid));
    !glued
        && !followed
        && word != "i"
        && calendar::weekday(word).is_none()
        && (calendar::month(word).is_none() || given_name(t, at))
        && !is_small(word, t.tongue)
}

/// A word that is part of no name in this language.
fn is_small(word: &str, tongue: Tongue) -> bool {
    let own = match tongue {
        Tongue::English => &SMALL_WORDS,
        Tongue::German => &GERMAN_SMALL,
        Tongue::French => &FRENCH_SMALL,
        Tongue::Spanish => &SPANISH_SMALL,
    };
    SMALL_WORDS.contains(word) || own.contains(word)
}

/// `April Jones`: a month that is a given name before another one.
fn given_name(t: &Tokens<'_>, at: usize) -> bool {
    let given = matches!(
        t.word(at),
        "april" | "june" | "august" | "may" | "jan" | "jun" | "mai" | "avril"
    );
    given
        && t.capital(at + 1)
        && t.kind(at + 1) == Some(Kind::Word)
        && calendar::weekday(t.word(at + 1)).is_none()
}

/// Capitalised words in a row, with what links them.
struct Run {
    /// The tokens of its capitalised words.
    words: Vec<usize>,
    /// The token after its last word.
    next: usize,
}

impl Run {
    fn take(t: &Tokens<'_>, at: usize) -> Self {
        let mut words = vec![at];
        let mut next = at + 1;
        while words.len() < MOST_WORDS {
            let Some(following) = following(t, next) else {
                break;
            };
            words.push(following);
            next = following + 1;
        }
        Self { words, next }
    }

    /// The bytes of the name, without words that merely begin a sentence or say what is named.
    fn name(&self, t: &Tokens<'_>) -> Option<Range<usize>> {
        let mut words = self.words.as_slice();
        let first = *words.first()?;
        let begins = begins_sentence(t, first);
        if begins
            && (starts(t.word(first), t.tongue) || (words.len() == 1 && !stands_out(t, first, self.next)))
        {
            words = words.get(1..)?;
        }
        if t.tongue == Tongue::German {
            // `der Schadensakte von Frau Meier`: an article stands before a noun.
            if matches!(
                t.word_before(first),
                "der" | "die" | "das" | "den" | "dem" | "des" | "ein" | "eine" | "einen" | "einer"
            ) {
                words = words.get(1..)?;
            }
            while words.first().is_some_and(|word| is_noun(t.word(*word))) {
                words = words.get(1..)?;
            }
        }
        let titles = [
            "herr", "herrn", "frau", "mr", "mrs", "ms", "miss", "mme", "monsieur", "madame", "senor",
            "senora", "sr", "sra",
        ];
        // `Akte von Frau Meier`: the name stands behind the title.
        if let Some(title) = words
            .iter()
            .rposition(|word| titles.contains(&t.word(*word)))
            .filter(|title| title + 1 < words.len())
        {
            words = words.get(title + 1..)?;
        }
        let first = *words.first()?;
        if let [only] = words
            && (!alone(t, *only) || begins_title(t, *only, self.next))
        {
            return None;
        }
        let next = with_number(t, self.next);
        let lettered = words.iter().any(|word| t.written(*word).chars().count() > 1);
        lettered.then(|| t.range(first, next))
    }
}

/// The next capitalised word of a run, past what may link it.
fn following(t: &Tokens<'_>, next: usize) -> Option<usize> {
    let here = t.get(next).filter(|token| !token.line)?;
    if here.spaced {
        return if names(t, next) || continues(t, next) {
            Some(next)
        } else {
            linked(t, next)
        };
    }
    let sign = t.sign(next);
    let before = t.written(next.checked_sub(1)?);
    // `J. Smith`, `Dr. Smith`
    let short = before.chars().count() == 1
        || matches!(
            before,
            "Dr" | "Mr" | "Mrs" | "Ms" | "Prof" | "St" | "Hr" | "Fr" | "Sr" | "Sra"
        );
    if sign == '.'
        && short
        && names(t, next + 1)
        && t.get(next + 1).is_some_and(|token| token.spaced && !token.line)
    {
        return Some(next + 1);
    }
    // `Jean-Luc`, `O'Brien`, `AT&T`
    let joins = matches!(sign, '-' | '&') || (matches!(sign, '\'' | '’') && before.chars().count() < 3);
    (joins && t.joined(next + 1) && t.capital(next + 1) && t.kind(next + 1) == Some(Kind::Word))
        .then_some(next + 1)
}

/// A small word with a capital goes on with a name: `Copper Watering Can`.
fn continues(t: &Tokens<'_>, at: usize) -> bool {
    let word = t.word(at);
    let small = matches!(
        word,
        "can"
            | "will"
            | "may"
            | "all"
            | "now"
            | "first"
            | "last"
            | "one"
            | "over"
            | "under"
            | "after"
            | "next"
    );
    small
        && t.capital(at)
        && t.kind(at) == Some(Kind::Word)
        && !(t.joined(at + 1) && t.kind(at + 1) == Some(Kind::Digits))
}

/// Past small words within a name: `van der`, `of the`, `&`.
fn linked(t: &Tokens<'_>, next: usize) -> Option<usize> {
    let mut at = next;
    if t.sign(at) == '&' {
        return Some(at + 1)
            .filter(|after| names(t, *after) && t.get(*after).is_some_and(|token| token.spaced));
    }
    while at < next + 3 && PARTICLES.contains(t.word(at)) && !t.capital(at) {
        at += 1;
        let elided = matches!(t.sign(at), '\'' | '’') && t.joined(at);
        at += usize::from(elided);
    }
    let article = at == next + 1 && matches!(t.word(next), "the" | "la" | "le" | "die" | "das" | "der");
    let german =
        t.tongue == Tongue::German && matches!(t.word(next), "der" | "die" | "das" | "den" | "von" | "zu");
    let said = german && !matches!(t.word(next), "von" | "zu");
    (at > next && !article && !said && names(t, at) && !t.get(at)?.line).then_some(at)
}

/// Whether the token is the first of its sentence.
fn begins_sentence(t: &Tokens<'_>, at: usize) -> bool {
    let Some(token) = t.get(at) else { return false };
    let Some(before) = at.checked_sub(1).filter(|_| !token.line) else {
        return true;
    };
    match t.kind(before) {
        Some(Kind::Sign) => {
            let sign = t.sign(before);
            // `'… printer.' Color yellow`: the sentence ended inside the marks.
            let closed = matches!(sign, '"' | '”' | '\'' | '’' | ')' | '»') && token.spaced;
            if closed
                && before
                    .checked_sub(1)
                    .is_some_and(|end| matches!(t.sign(end), '.' | '!' | '?'))
            {
                return true;
            }
            // A list's dash, a mark that opens a quotation, and a picture begin a sentence too.
            let opens = matches!(sign, '"' | '“' | '„' | '«' | '‘' | '\'' | '¿' | '¡' | '`') && !token.spaced;
            matches!(sign, '.' | '!' | '?' | '…' | ':' | '。' | '*' | '•' | '#')
                || opens
                || (!sign.is_ascii()
                    && !sign.is_alphanumeric()
                    && token.spaced
                    && !matches!(sign, '”' | '»' | '’' | '€' | '£' | '–' | '—'))
                || (sign == '-' && t.get(before).is_some_and(|dash| dash.line))
        }
        _ => false,
    }
}

/// A lone word at a sentence's beginning is a name where it owns something, or is all that follows a colon.
fn stands_out(t: &Tokens<'_>, at: usize, next: usize) -> bool {
    let owns =
        matches!(t.sign(next), '\'' | '’') && t.joined(next) && t.word(next + 1) == "s" && t.joined(next + 1);
    let colon = at > 1 && t.sign(at - 1) == ':' && PEOPLE.contains(t.word_before(at - 1));
    let ends = t.get(next).is_none_or(|token| token.line) || matches!(t.sign(next), ',' | ';' | '.' | '!');
    (owns && t.tongue != Tongue::German) || (colon && ends)
}

/// Whether one capitalised word alone is a name.
fn alone(t: &Tokens<'_>, at: usize) -> bool {
    let word = t.word(at);
    if ACRONYMS.contains(word) || t.written(at).chars().count() < 2 || calendar::month(word).is_some() {
        return false;
    }
    if t.tongue != Tongue::German {
        return true;
    }
    let cues = [
        "von", "nach", "mit", "an", "bei", "fur", "frau", "herr", "herrn", "namens", "aus", "uber", "in",
        "und", "zu", "gegen",
    ];
    cues.contains(&t.word_before(at)) && !is_noun(word)
}

/// `titled Press call`: the capital begins a title that goes on in small letters, and is no name.
fn begins_title(t: &Tokens<'_>, at: usize, next: usize) -> bool {
    let cues = [
        "titled", "named", "called", "title", "subject", "name", "heading", "headline", "label", "labelled",
        "entitled",
    ];
    let goes_on = t.kind(next) == Some(Kind::Word) && !t.capital(next) && !AFTER_NAMES.contains(t.word(next));
    goes_on && cues.contains(&t.word_before(at))
}

/// A German word that is written large because it is a noun, as far as its ending or a short list tells.
fn is_noun(word: &str) -> bool {
    let endings = [
        "ung", "ungen", "heit", "heiten", "keit", "keiten", "schaft", "schaften", "tion", "tionen", "tat",
        "taten", "ismus", "nis", "nisse", "chen", "lein", "ment", "mente", "fall", "plan", "zeit", "tag",
        "tage", "liste", "datei", "seite", "adresse", "nummer", "termin", "termine", "bericht", "berichte",
        "kanal", "bestand", "auftrag", "auftrage", "kunde", "kunden", "dienst", "gruppe", "stunde",
        "stunden", "minuten", "wochen", "monat", "jahr", "kosten", "preis", "preise",
    ];
    GERMAN_NOUNS.contains(word) || endings.iter().any(|ending| word.ends_with(ending))
}

/// Whether the word begins sentences: a verb, or a small word; with a prefix that verbs take too.
fn starts(word: &str, tongue: Tongue) -> bool {
    let known = |word: &str| STARTERS.contains(word) || is_small(word, tongue);
    let prefixes = ["re", "un", "dis", "de", "pre", "auto"];
    known(word)
        || prefixes.iter().any(|prefix| {
            word.strip_prefix(prefix)
                .is_some_and(|rest| rest.len() > 2 && known(rest))
        })
}

/// Past a number that ends a name: `Roadmap 2027`.
fn with_number(t: &Tokens<'_>, next: usize) -> usize {
    let short = |digits: &str| digits.len() < 3 || (digits.len() == 4 && digits.starts_with(['1', '2']));
    let number = t.digits(next).is_some_and(short) && !t.joined(next);
    let ends = match t.kind(next + 1) {
        None => true,
        Some(Kind::Sign) => {
            matches!(
                t.sign(next + 1),
                ',' | '.' | ';' | '!' | '?' | ')' | '"' | '”' | '»' | '\'' | '’'
            ) && !(t.joined(next + 2) && t.digits(next + 2).is_some())
        }
        _ => t.get(next + 1).is_some_and(|token| token.line),
    };
    if number && ends { next + 1 } else { next }
}
