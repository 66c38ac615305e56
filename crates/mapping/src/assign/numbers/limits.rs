//! How many does a request want, and which parameter says so: `the last 20 messages`, `ten at most`, `3 iterations`?

use crate::assign::asked::{Asked, Candidate, is_slip};
use crate::assign::numbers::{Count, is_other_end, value};
use crate::kind::Kind;
use crate::meaning::{Meaning, sense_of};
use crate::words::{Break, name_words};

/// Words of a name that only say that something is counted, not what.
const COUNTING: &[&str] = &[
    "limit", "count", "top", "first", "max", "maximum", "tail", "head", "take", "num", "number", "size",
    "of", "n", "k", "to", "the", "last", "return", "returned", "fetch", "how", "many", "total", "cap",
    "amount", "desired", "optional", "list", "search", "query",
];

/// Nouns for whatever a tool gives back.
const RESULTS: &[&str] = &[
    "result",
    "item",
    "line",
    "entry",
    "entrie",
    "row",
    "record",
    "hit",
    "match",
    "matche",
    "document",
    "message",
    "element",
    "object",
    "resource",
    "ergebnis",
    "ergebnisse",
    "treffer",
    "resultat",
    "resultats",
    "resultado",
    "resultados",
    "eintrag",
    "eintrage",
    "zeilen",
    "lignes",
    "lineas",
    "thing",
    "page",
];

const FIRST: &[&str] = &[
    "first",
    "ersten",
    "erste",
    "premiers",
    "premieres",
    "primeros",
    "primeras",
    "top",
    "oldest",
    "altesten",
];

const LAST: &[&str] = &[
    "last",
    "latest",
    "letzten",
    "letzte",
    "derniers",
    "dernieres",
    "ultimos",
    "ultimas",
    "newest",
    "recent",
    "neuesten",
    "neusten",
    "jungsten",
    "recents",
    "recientes",
];

/// Words between a bound and its number: `a limit of the 5`, `limit it to 5`.
const BETWEEN: &[&str] = &[
    "the", "just", "only", "my", "our", "your", "its", "their", "a", "of", "to", "at", "it", "them",
    "results", "output", "list", "that", "die", "der", "den", "nur", "auf", "les", "des", "de", "los", "las",
    "is", "=",
];

/// Words in front of a number that make it the most that is wanted.
const BOUNDS: &[&str] = &[
    "limit",
    "limited",
    "limiting",
    "max",
    "maximum",
    "cap",
    "capped",
    "restrict",
    "restricted",
    "hochstens",
    "maximal",
    "begrenzt",
    "limite",
    "limitado",
    "maximo",
    "limitiert",
    "limits",
];

/// Phrases in front of a number that do the same, from their last word back.
const BOUND_PHRASES: &[&[&str]] = &[
    &["most", "at"],
    &["max", "at"],
    &["to", "up"],
    &["than", "more", "no"],
    &["than", "more", "not"],
    &["zu", "bis"],
    &["als", "mehr", "nicht"],
    &["de", "plus", "pas"],
    &["de", "mas", "no"],
    &["que", "mas", "no"],
];

/// Phrases behind a number, or behind what it counts.
const AFTER: &[&[&str]] = &[
    &["at", "most"],
    &["at", "max"],
    &["at", "the", "most"],
    &["max"],
    &["maximum"],
    &["tops"],
    &["or", "fewer"],
    &["or", "less"],
    &["will", "do"],
    &["would", "do"],
    &["are", "enough"],
    &["is", "enough"],
    &["should", "do"],
    &["are", "plenty"],
    &["is", "plenty"],
    &["are", "fine"],
    &["is", "fine"],
    &["are", "sufficient"],
    &["are", "ok"],
    &["suffice"],
    &["of", "them"],
    &["of", "those"],
    &["of", "these"],
    &["hochstens"],
    &["maximal"],
    &["reichen"],
    &["reicht"],
    &["genugen"],
    &["genugt"],
    &["sind", "genug"],
    &["davon"],
    &["au", "maximum"],
    &["au", "plus"],
    &["suffisent"],
    &["suffiront"],
    &["como", "maximo"],
    &["como", "mucho"],
    &["bastan"],
];

/// `the five most recent`: the end of what there is, said behind the number.
const NEWEST_AFTER: &[&[&str]] = &[
    &["most", "recent"],
    &["more", "recent"],
    &["latest"],
    &["newest"],
    &["last"],
    &["neuesten"],
    &["letzten"],
    &["derniers"],
    &["dernieres"],
    &["ultimos"],
    &["ultimas"],
];

const PAGED: &[&[&str]] = &[
    &["per", "page"],
    &["a", "page"],
    &["each", "page"],
    &["at", "a", "time"],
    &["pro", "seite"],
    &["par", "page"],
    &["por", "pagina"],
];

/// A parameter that says how many.
struct Limiter<'m> {
    parameter: usize,
    meaning: &'m Meaning,
    /// What it counts, where its name tells: `iteration` of `iterationCount`.
    nouns: Vec<String>,
    /// Whether it bounds whatever the tool gives back.
    general: bool,
    /// Whether it counts within one page of several.
    paged: bool,
    from_end: bool,
    from_start: bool,
}

/// How a number is said to be a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Most,
    First,
    Last,
    Page,
    /// Only by what it counts.
    Bare,
}

/// Candidates for parameters that say how many.
pub(crate) fn limits(asked: &Asked<'_>, counts: &[Count]) -> Vec<Candidate> {
    let mut limiters: Vec<Limiter<'_>> = asked
        .meanings
        .iter()
        .enumerate()
        .filter_map(|(parameter, meaning)| limiter(asked, parameter, meaning))
        .collect();
    // A bound within an optional object is one of a detail.
    let depth = |limiter: &Limiter<'_>| limiter.meaning.parameter.path.len();
    let least = limiters.iter().map(depth).min().unwrap_or_default();
    limiters.retain(|limiter| depth(limiter) == least);
    counts
        .iter()
        .filter(|count| count.number.fract() == 0.0 && count.number >= 1.0)
        .filter_map(|count| limited(asked, &limiters, count))
        .collect()
}

fn limiter<'m>(asked: &Asked<'_>, parameter: usize, meaning: &'m Meaning) -> Option<Limiter<'m>> {
    if meaning.kind != Kind::Count || meaning.parameter.list {
        return None;
    }
    let words = name_words(meaning.parameter.name());
    let has = |word: &str| words.iter().any(|own| own == word);
    if has("min") || has("minimum") || has("offset") || has("skip") {
        return None;
    }
    let paged = has("page") && (has("per") || has("size") || has("limit"));
    let nouns: Vec<String> = words
        .iter()
        .filter(|word| !COUNTING.contains(&word.as_str()) && !matches!(word.as_str(), "per" | "page"))
        .map(|word| sense_of(word))
        .collect();
    let about = meaning.parameter.description.to_lowercase();
    // The size of a thing is none of a list.
    let of_thing = words.last().is_some_and(|word| word == "size")
        && !paged
        && !["result", "number of", "return", "how many", "hits", "at most"]
            .iter()
            .any(|said| about.contains(said));
    let given = |noun: &String| RESULTS.contains(&noun.as_str()) || asked.tool.contains(noun);
    // `max_pages` bounds pages, and whether those are what is wanted is not known.
    let pages = nouns.iter().any(|noun| noun == "page") && !asked.tool.contains("page");
    Some(Limiter {
        parameter,
        meaning,
        general: !of_thing && !pages && nouns.iter().all(given),
        nouns,
        paged,
        from_end: has("tail") || about.contains("from the end") || about.contains("last n"),
        from_start: has("head") || about.contains("first n"),
    })
}

fn limited(asked: &Asked<'_>, limiters: &[Limiter<'_>], count: &Count) -> Option<Candidate> {
    let said = said(asked, count);
    let of_its_own = limiters
        .iter()
        .find(|limiter| !limiter.nouns.is_empty() && !limiter.general && counts_noun(asked, limiter, count));
    let (limiter, score) = match of_its_own {
        Some(limiter) => (limiter, 0.9),
        None => {
            let mut fitting: Vec<(&Limiter<'_>, f32, u8)> = limiters
                .iter()
                .filter(|limiter| limiter.general)
                .filter_map(|limiter| {
                    let score = general_score(asked, limiter, count, said)?;
                    Some((limiter, score, rank(asked, limiter, count, said)))
                })
                .collect();
            fitting.sort_by_key(|(_, _, rank)| std::cmp::Reverse(*rank));
            match fitting.as_slice() {
                [] => return None,
                // Two that bound the same alike: which one is not said.
                [(_, _, one), (_, _, other), ..] if one == other => return None,
                [(limiter, score, _), ..] => (*limiter, *score),
            }
        }
    };
    if asked.is_claimed(count.at, limiter.parameter, 1)
        || is_other_end(asked, limiter.meaning, count.at, count.end, 0.0)
    {
        return None;
    }
    let value = value(limiter.meaning, count.number)?;
    Some(asked.candidate(limiter.parameter, value, count.range.clone(), score))
}

/// Of several bounds the plainest goes first, and one that names what is counted before it.
fn rank(asked: &Asked<'_>, limiter: &Limiter<'_>, count: &Count, said: Said) -> u8 {
    if said == Said::Page && limiter.paged {
        return 9;
    }
    let name = limiter.meaning.parameter.name().to_lowercase();
    let own = !limiter.nouns.is_empty() && counts_noun(asked, limiter, count);
    let ended = limiter.from_end || limiter.from_start;
    let plain = if limiter.paged {
        0
    } else if name == "limit" {
        3
    } else if name.starts_with("max") {
        2
    } else {
        1
    };
    plain + 4 * u8::from(own || ended)
}

fn general_score(asked: &Asked<'_>, limiter: &Limiter<'_>, count: &Count, said: Said) -> Option<f32> {
    if limiter.from_end || limiter.from_start {
        let fits = (limiter.from_end && said == Said::Last) || (limiter.from_start && said == Said::First);
        return fits.then_some(0.92);
    }
    let noun = counts_results(asked, limiter, count);
    // `with at most 3 rooms` counts a part of what is wanted.
    if is_of_a_part(asked, count) && !counts_any(asked, count, |word| RESULTS.contains(&word)) {
        return None;
    }
    if !noun && counts_another_thing(asked, count) {
        return None;
    }
    match said {
        Said::Most => Some(0.92),
        Said::Page => limiter.paged.then_some(0.92),
        Said::First | Said::Last => Some(if noun { 0.9 } else { 0.84 }),
        // `one line each` wants no single result.
        Said::Bare => (noun && count.number > 1.0).then_some(0.9),
    }
}

/// What the words around a number say about it.
fn said(asked: &Asked<'_>, count: &Count) -> Said {
    if let Some(said) = said_before(asked, count.at) {
        return said;
    }
    // Behind up to three words of what is counted.
    for place in count.end..count.end + 4 {
        if !is_unbroken(asked, count.end - 1, place) {
            break;
        }
        let says = |phrases: &[&[&str]]| phrases.iter().any(|phrase| follows(asked, place, phrase));
        if says(PAGED) {
            return Said::Page;
        }
        let bound = says(AFTER);
        let newest = says(NEWEST_AFTER);
        // `rated 4 at most` bounds something else.
        if (bound || newest) && (place > count.end || is_free_before(asked, count.at)) {
            return if bound { Said::Most } else { Said::Last };
        }
    }
    Said::Bare
}

fn said_before(asked: &Asked<'_>, at: usize) -> Option<Said> {
    let word = |place: Option<usize>| {
        let token = asked.token(place?)?;
        let short = token.fold == "max" && token.after == Break::Stop;
        (token.after == Break::None || token.after == Break::Colon || short).then_some(token.fold.as_str())
    };
    let phrase = BOUND_PHRASES.iter().any(|phrase| {
        phrase
            .iter()
            .enumerate()
            .all(|(back, said)| word(at.checked_sub(back + 1)) == Some(said))
    });
    if phrase {
        return Some(Said::Most);
    }
    let mut place = at.checked_sub(1);
    for _ in 0..4 {
        let said = word(place)?;
        if FIRST.contains(&said) {
            return Some(Said::First);
        }
        if LAST.contains(&said) {
            return Some(Said::Last);
        }
        if BOUNDS.contains(&said) {
            return Some(Said::Most);
        }
        if !BETWEEN.contains(&said) {
            return None;
        }
        place = place.and_then(|place| place.checked_sub(1));
    }
    None
}

/// Whether nothing in front of a number takes it: a break, a word of the tool, or a small word.
fn is_free_before(asked: &Asked<'_>, at: usize) -> bool {
    asked.break_before(at) != Break::None
        || at
            .checked_sub(1)
            .and_then(|before| asked.token(before))
            .is_none_or(|token| {
                asked.is_tool_word(token) || (token.is_common() && !token.is_any(&["rate", "score", "level"]))
            })
}

/// Whether the words from a place on are these.
fn follows(asked: &Asked<'_>, place: usize, phrase: &[&str]) -> bool {
    phrase.iter().enumerate().all(|(offset, word)| {
        asked.token(place + offset).is_some_and(|token| {
            token.fold == *word && (offset + 1 == phrase.len() || token.after == Break::None)
        })
    })
}

fn is_unbroken(asked: &Asked<'_>, from: usize, to: usize) -> bool {
    (from..to).all(|at| asked.token(at).is_some_and(|token| token.after == Break::None))
}

/// Whether one of the three words behind a number is such a one.
fn counts_any(asked: &Asked<'_>, count: &Count, is: impl Fn(&str) -> bool) -> bool {
    let until_number = (count.end..count.end + 3).take_while(|at| {
        asked
            .token(*at)
            .is_some_and(|token| !token.text.chars().any(|c| c.is_ascii_digit()))
    });
    until_number.into_iter().any(|at| {
        is_unbroken(asked, count.end - 1, at)
            && asked
                .token(at)
                .is_some_and(|token| is(&token.stem) || is(&token.fold) || token.sense.is_some_and(&is))
    })
}

/// Whether a number counts what the parameter's own name says.
fn counts_noun(asked: &Asked<'_>, limiter: &Limiter<'_>, count: &Count) -> bool {
    let mut nouns = described_nouns(limiter.meaning);
    nouns.extend(limiter.nouns.last().cloned());
    counts_any(asked, count, |word| {
        nouns
            .iter()
            .any(|noun| word == noun || is_slip(word, noun) || is_slip(word.trim_end_matches('s'), noun))
    })
}

/// Whether a number is followed by a noun that the tool gives, within three words.
fn counts_results(asked: &Asked<'_>, limiter: &Limiter<'_>, count: &Count) -> bool {
    let about = described_nouns(limiter.meaning);
    (count.end..count.end + 3).any(|at| {
        let Some(token) = asked.token(at).filter(|_| is_unbroken(asked, count.end - 1, at)) else {
            return false;
        };
        let plural = token.fold.ends_with(['s', 'n', 'e', 'r', 'a']) || count.number == 1.0;
        let is_result = RESULTS.contains(&token.stem.as_str()) || RESULTS.contains(&token.fold.as_str());
        let is_described =
            about.contains(&token.stem) || token.sense.is_some_and(|s| about.iter().any(|a| a == s));
        let is_chosen = || {
            asked
                .meanings
                .iter()
                .any(|other| crate::assign::choices::spelled(other, token).is_some())
        };
        plural && (asked.is_tool_word(token) || is_result || is_described || is_chosen())
    })
}

/// `The maximum number of log groups to return`: what the description counts.
fn described_nouns(meaning: &Meaning) -> Vec<String> {
    let about = meaning.parameter.description.to_lowercase();
    let Some((_, rest)) = about
        .split_once("number of ")
        .or_else(|| about.split_once("how many "))
    else {
        return Vec::new();
    };
    rest.split(|c: char| !c.is_alphanumeric())
        .take(4)
        .take_while(|word| !matches!(*word, "to" | "per" | "that" | "in" | "from" | "" | "you" | "for"))
        .filter(|word| word.len() > 3)
        .map(sense_of)
        .collect()
}

/// Whether the word behind a number is a noun in the plural, of which nothing is known.
fn counts_another_thing(asked: &Asked<'_>, count: &Count) -> bool {
    asked
        .token(count.end)
        .filter(|_| is_unbroken(asked, count.end - 1, count.end))
        .is_some_and(|token| {
            !token.is_common()
                && !token.is_coded()
                && !AFTER
                    .iter()
                    .chain(NEWEST_AFTER)
                    .any(|phrase| follows(asked, count.end, phrase))
                && token.fold.chars().all(char::is_alphabetic)
                && (token.fold.ends_with(['s', 'n', 'e', 'r']) || count.number == 1.0)
        })
}

/// `with 3 rooms`, `having at most 2 comments`: the number counts parts of what is wanted.
fn is_of_a_part(asked: &Asked<'_>, count: &Count) -> bool {
    (1..=4)
        .map_while(|back| asked.token(count.at.checked_sub(back)?))
        .take_while(|token| token.after == Break::None)
        .take_while(|token| {
            token.is_common() || BOUNDS.contains(&token.fold.as_str()) || token.sense.is_none()
        })
        .any(|token| {
            token.is_any(&[
                "with",
                "having",
                "has",
                "have",
                "mit",
                "avec",
                "con",
                "containing",
                "contain",
                "over",
                "under",
                "above",
                "below",
            ])
        })
        && !(1..=3).any(|back| {
            count
                .at
                .checked_sub(back)
                .and_then(|at| asked.token(at))
                .is_some_and(|token| token.is_any(&["limit", "maximum", "max"]))
        })
}

#[cfg(test)]
mod tests;
