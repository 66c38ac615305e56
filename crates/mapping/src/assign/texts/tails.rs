//! Which texts run to the end of what was said: behind a colon, a reason, a verb of saying?

use std::ops::Range;

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate, Hit};
use crate::assign::names::titles::title_end;
use crate::assign::texts::colons::behind_bare_colon;
use crate::kind::Kind;
use crate::lexicon::COURTESIES;
use crate::meaning::Meaning;
use crate::span::What;
use crate::words::{Break, TOKENS_MAX, Token};

/// A text that stands for itself.
pub(crate) struct Marked {
    pub parameter: usize,
    /// Words of the text.
    pub start: usize,
    pub end: usize,
    pub score: f32,
    /// Whether the sign that ends a sentence belongs to it.
    pub with_stop: bool,
}

/// Texts behind a colon or a verb of saying. They are closed: nothing within them is another value.
pub(crate) fn tails(asked: &mut Asked<'_>) -> Vec<Candidate> {
    let mut marked = labelled(asked);
    marked.extend(said(asked));
    marked.extend(told(asked, &marked));
    marked.extend(because(asked, &marked));
    marked.extend(crate::assign::texts::text_ends::described(asked, &marked));
    if let Some(bare) = behind_bare_colon(asked, &marked)
        .filter(|bare| bare.score > 0.8 || !is_value_of_another(asked, &first_sentence(asked, bare)))
    {
        marked.push(bare);
    }
    if let Some(said) = reported(asked, &marked) {
        marked.push(said);
    }
    let mut candidates = Vec::new();
    for text in marked {
        let Some(range) = whole_range(asked, &text) else {
            continue;
        };
        if asked.is_opaque(&range) || (text.score < 0.8 && is_value_of_another(asked, &range)) {
            continue;
        }
        let Some(words) = asked.text.get(range.clone()) else {
            continue;
        };
        let value = value_of(asked, text.parameter, words);
        let mut candidate = asked.candidate(text.parameter, value, range.clone(), text.score);
        candidate.whole = true;
        candidates.push(candidate);
        asked.close(range);
    }
    candidates
}

/// The bytes of a text up to its first full stop.
fn first_sentence(asked: &Asked<'_>, text: &Marked) -> Range<usize> {
    let end = (text.start + 1..text.end)
        .find(|at| asked.break_before(*at) == Break::Stop)
        .unwrap_or(text.end);
    asked.bytes(text.start, end).unwrap_or_default()
}

/// `answers: 5, 3, 4`, `due date of the card: 5 December`: what follows is all numbers or all a day, and a parameter
/// takes just that.
fn is_value_of_another(asked: &Asked<'_>, range: &Range<usize>) -> bool {
    let within = |token: &&Token<'_>| range.start <= token.range.start && token.range.end <= range.end;
    let mut words = asked.tokens.iter().filter(within).peekable();
    let some = words.peek().is_some();
    let numbers = some
        && words.all(|token| {
            token.text.chars().all(|c| c.is_ascii_digit()) || token.is_any(&["and", "und", "et", "y"])
        });
    let takes = |fits: fn(&Meaning) -> bool| asked.meanings.iter().any(fits);
    if numbers && takes(|meaning| meaning.parameter.list && meaning.is_numeric()) {
        return true;
    }
    let day = asked.spans.iter().any(|span| {
        matches!(span.what, What::Date(_) | What::Moment(_))
            && span.range.start <= range.start
            && range.end <= span.range.end
    });
    day && takes(|meaning| matches!(meaning.kind, Kind::Date | Kind::Moment(_)))
}

fn is_texty(asked: &Asked<'_>, parameter: usize) -> bool {
    asked.meanings.get(parameter).is_some_and(|meaning| {
        let shape = &meaning.parameter.shape;
        let plain_list = meaning.parameter.list && meaning.kind == Kind::Slug && shape.string;
        (meaning.kind.is_text() && shape.string) || plain_list
    })
}

/// `reason: wrong pots delivered`: a text with the name of its parameter and a colon in front.
fn labelled(asked: &Asked<'_>) -> Vec<Marked> {
    let mut found: Vec<Marked> = Vec::new();
    let mut hits: Vec<&Hit> = asked.hits.iter().collect();
    hits.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    for hit in hits {
        let colon = asked.break_before(hit.end) == Break::Colon;
        let taken = found
            .iter()
            .any(|text| text.start == hit.end || text.parameter == hit.parameter);
        // `a pie chart: …` names the chart and no title of it.
        let headless = hit.weight < 0.78
            && asked
                .meanings
                .get(hit.parameter)
                .is_some_and(|meaning| meaning.kind == Kind::Title);
        if !colon
            || taken
            || headless
            || !is_texty(asked, hit.parameter)
            || asked.quoted_at(hit.end).is_some()
        {
            continue;
        }
        let end = tail_end(asked, hit.end, hit.parameter);
        found.push(Marked {
            parameter: hit.parameter,
            start: hit.end,
            end,
            score: 0.95 * hit.weight.max(0.9),
            with_stop: true,
        });
    }
    found
}

/// `the reason is that it broke`, `, note Taxi to the fair`: prose behind its name without a colon.
fn told(asked: &Asked<'_>, marked: &[Marked]) -> Vec<Marked> {
    let mut found: Vec<Marked> = Vec::new();
    for hit in asked.hits.iter().filter(|hit| hit.weight > 0.78) {
        let prose = asked
            .meanings
            .get(hit.parameter)
            .is_some_and(|meaning| meaning.kind == Kind::Prose && !meaning.parameter.list);
        let known = marked
            .iter()
            .chain(&found)
            .any(|text| text.parameter == hit.parameter || (text.start..text.end).contains(&hit.start));
        if !prose || known || asked.break_before(hit.end) != Break::None || asked.quoted_at(hit.end).is_some()
        {
            continue;
        }
        let is = |at: usize, words: &[&str]| asked.token(at).is_some_and(|token| token.is_any(words));
        let says_that =
            is(hit.end, &["is", "being", "ist", "est", "es"]) && is(hit.end + 1, &["that", "dass", "que"]);
        let article = hit
            .start
            .checked_sub(1)
            .is_some_and(|before| is(before, &["the", "a", "der", "dem", "le", "el"]));
        let led = hit
            .start
            .checked_sub(1 + usize::from(article))
            .is_some_and(|before| is(before, &["with", "mit", "avec", "con"]));
        // `with the message fix rounding`: a message is given in words, whatever their case.
        let message = hit.weight > 0.9
            && asked.tokens.len() > hit.end + 1
            && asked
                .token(hit.end)
                .is_some_and(|token| !token.is_common() && !asked.is_tool_word(token))
            && is(
                hit.end - 1,
                &[
                    "message",
                    "text",
                    "comment",
                    "note",
                    "reason",
                    "nachricht",
                    "description",
                    "beschreibung",
                    "descripcion",
                    "reply",
                    "answer",
                ],
            );
        let carried = led
            && (message
                || asked
                    .token(hit.end)
                    .is_some_and(|token| token.is_capitalised() && !token.is_coded()));
        let enumerated = (asked.break_before(hit.start) == Break::Comma || carried)
            && asked
                .token(hit.end)
                .is_some_and(|token| (carried || !token.is_common()) && !asked.is_opaque(&token.range))
            && !asked.hits.iter().any(|other| other.start == hit.end);
        let start = if says_that { hit.end + 2 } else { hit.end };
        if (!says_that && !enumerated) || asked.token(start).is_none() {
            continue;
        }
        let end = if says_that {
            tail_end(asked, start, hit.parameter)
        } else {
            title_end(asked, start, hit.parameter)
        };
        found.push(Marked {
            parameter: hit.parameter,
            start,
            end,
            score: 0.82,
            with_stop: false,
        });
    }
    found
}

/// `Write in the incidents channel that the disk was swapped`: what a verb of saying is followed by.
fn reported(asked: &Asked<'_>, marked: &[Marked]) -> Option<Marked> {
    const SAYING: &[&str] = &[
        "tell", "write", "say", "post", "note", "comment", "mention", "add", "message", "text", "answer",
        "reply", "inform", "let", "announce", "schreib", "schreibe", "sag", "sage", "antworte", "dis",
        "ecris", "reponds", "di", "escribe", "responde",
    ];
    let parameter = lone_prose(asked, marked)?;
    let first = asked
        .tokens
        .iter()
        .position(|token| !token.is_common() || token.is_any(SAYING))?;
    let leads = asked.token(first)?.is_any(SAYING);
    let link = (first + 1..asked.tokens.len()).find(|at| {
        let says = at
            .checked_sub(1)
            .and_then(|before| asked.token(before))
            .is_some_and(|before| {
                before.is_any(SAYING)
                    || before.is_any(&["report", "reporting", "noting", "telling", "announcing"])
            })
            || asked
                .hits_of(parameter)
                .any(|hit| hit.end == *at && hit.weight > 0.9);
        if !leads && !says {
            return false;
        }
        asked
            .token(*at)
            .is_some_and(|token| token.is_any(&["that", "dass", "que"]) && !asked.is_opaque(&token.range))
    })?;
    let start = link + 1;
    let clause =
        asked.tokens.len() >= start + 3 && !marked.iter().any(|text| (text.start..text.end).contains(&link));
    let thing = asked.token(start)?;
    // `reply to that message` points at something.
    let points = asked.is_tool_word(thing) && thing.sense.is_some() && !thing.is_common();
    (clause && !points && asked.quoted_at(start).is_none()).then(|| Marked {
        parameter,
        start,
        end: without_address(asked, start, tail_end(asked, start, parameter)),
        score: 0.8,
        with_stop: true,
    })
}

/// Before `to incident Q1ABC` at the end of what is reported: what it is reported to, where nothing else says it.
fn without_address(asked: &Asked<'_>, start: usize, end: usize) -> usize {
    let address = asked.hits.iter().find_map(|hit| {
        let link = hit.start.checked_sub(1)?;
        let links = asked
            .token(link)?
            .is_any(&["to", "on", "in", "for", "an", "zu", "a", "sur", "en"]);
        let needed = asked.meanings.get(hit.parameter)?;
        let named_before = asked
            .hits_of(hit.parameter)
            .any(|other| other.start < start && asked.is_loaded(other));
        let fits = needed.is_required() && needed.kind.is_reference() && !named_before;
        (links && fits && link > start + 1 && hit.end + 1 == end && asked.is_code(hit.end)).then_some(link)
    });
    address.unwrap_or(end)
}

/// `saying the boat is late`, `that says …`: prose behind a verb of saying.
fn said(asked: &Asked<'_>) -> Vec<Marked> {
    const SAYING: &[&str] = &["saying", "stating", "reading", "sagend", "disant", "diciendo"];
    let Some(parameter) = lone_prose(asked, &[]) else {
        return Vec::new();
    };
    for at in 0..asked.tokens.len() {
        let Some(token) = asked.token(at) else { break };
        if asked.is_opaque(&token.range) {
            continue;
        }
        let next = asked.token(at + 1);
        let that_says = token.is_any(&["that", "which", "das", "qui", "que"])
            && next.is_some_and(|next| next.is_any(&["says", "reads", "sagt", "dit", "diga", "dice"]));
        let start = if that_says { at + 2 } else { at + 1 };
        let plain = token.is_any(SAYING) || that_says;
        if !plain || asked.token(start).is_none() || asked.quoted_at(start).is_some() {
            continue;
        }
        if asked.break_before(start) == Break::Colon || asked.break_before(start) == Break::None {
            let skip_that = usize::from(
                asked
                    .token(start)
                    .is_some_and(|token| token.is_any(&["that", "dass", "que"])),
            );
            return vec![Marked {
                parameter,
                start: start + skip_that,
                end: tail_end(asked, start, parameter),
                score: 0.85,
                with_stop: true,
            }];
        }
    }
    Vec::new()
}

/// `because the pots arrived broken`: a reason behind the word for it.
fn because(asked: &Asked<'_>, marked: &[Marked]) -> Option<Marked> {
    let is_reason = |meaning: &crate::meaning::Meaning| {
        meaning.kind == Kind::Prose && meaning.thing.as_deref() == Some("reason")
    };
    let parameter = asked.meanings.iter().position(is_reason)?;
    let at = asked
        .tokens
        .iter()
        .position(|token| token.is_any(&["because", "weil", "porque"]) && !asked.is_opaque(&token.range))?;
    let start = at + 1;
    if marked
        .iter()
        .any(|text| text.parameter == parameter || (text.start..text.end).contains(&at))
        || asked.token(start)?.is_any(&["of"])
    {
        return None;
    }
    Some(Marked {
        parameter,
        start,
        end: tail_end(asked, start, parameter),
        score: 0.85,
        with_stop: false,
    })
}

pub(crate) fn is_reference(asked: &Asked<'_>, parameter: usize) -> bool {
    asked
        .meanings
        .get(parameter)
        .is_some_and(|meaning| meaning.kind.is_reference())
}

/// The one parameter that takes prose and that nothing marked yet names; a required one goes before.
pub(crate) fn lone_prose(asked: &Asked<'_>, marked: &[Marked]) -> Option<usize> {
    let free = |at: &usize| {
        let named = asked.hits_of(*at).any(|hit| {
            asked.break_before(hit.end) == Break::Colon
                || asked
                    .value_start(hit)
                    .is_some_and(|(at, _)| asked.quoted_at(at).is_some())
        });
        !named && !marked.iter().any(|text| text.parameter == *at)
    };
    let prose: Vec<usize> = asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(_, meaning)| meaning.kind == Kind::Prose && !meaning.parameter.list)
        .map(|(at, _)| at)
        .filter(free)
        .collect();
    let prose = without_variants(asked, prose);
    let required: Vec<usize> = prose
        .iter()
        .copied()
        .filter(|at| {
            asked
                .meanings
                .get(*at)
                .is_some_and(|meaning| meaning.is_required())
        })
        .collect();
    match (required.as_slice(), prose.as_slice()) {
        ([one], _) | ([], [one]) => Some(*one),
        _ => None,
    }
}

/// Texts without their spellings in HTML and the like, where the plain one is there too.
pub(crate) fn without_variants(asked: &Asked<'_>, texts: Vec<usize>) -> Vec<usize> {
    let marked_up = |at: &usize| {
        asked.meanings.get(*at).is_some_and(|meaning| {
            crate::words::name_words(meaning.parameter.name())
                .iter()
                .any(|word| {
                    matches!(
                        word.as_str(),
                        "html" | "adf" | "rich" | "formatted" | "blocks" | "xhtml"
                    )
                })
        })
    };
    let plain: Vec<usize> = texts.iter().copied().filter(|at| !marked_up(at)).collect();
    if plain.is_empty() { texts } else { plain }
}

/// Behind the last word of a text that begins at a word: another parameter's name, or the end of what was said.
pub(crate) fn tail_end(asked: &Asked<'_>, start: usize, parameter: usize) -> usize {
    let mut at = start + 1;
    while at < asked.tokens.len() {
        let before = asked.break_before(at);
        if before >= Break::Comma {
            let next = if asked
                .token(at)
                .is_some_and(|token| token.is_any(&["and", "und", "et", "y", "with", "mit", "avec", "con"]))
            {
                at + 1
            } else {
                at
            };
            let named = asked.hits.iter().any(|hit| {
                let colon = asked.break_before(hit.end) == Break::Colon;
                hit.start == next
                    && hit.parameter != parameter
                    && (colon
                        || (asked.is_loaded(hit) && !is_weak(asked, hit))
                        || (before == Break::Comma && enumerates(asked, hit)))
            });
            let polite = is_courtesy(asked, at)
                && (before == Break::Stop
                    || asked
                        .token(at)
                        .is_some_and(|token| token.is_any(&["please", "pls", "bitte", "svp"])));
            // `title: Gift cards in checkout, and have the commits squashed`
            let headline = before == Break::Comma
                && next > at
                && asked
                    .meanings
                    .get(parameter)
                    .is_some_and(|meaning| meaning.kind == Kind::Title)
                && asked.token(next).is_some_and(|token| {
                    crate::intent::is_verb(token) || token.is_any(&["have", "make", "let", "also"])
                });
            let other = crate::assign::texts::text_ends::speaks_for_other(asked, at, parameter);
            if named || polite || headline || other || is_own_request(asked, at, before) {
                return at;
            }
        }
        at += 1;
    }
    asked.tokens.len()
}

/// `, members clara and jonah`: the whole name of a parameter that takes names, and names behind it.
fn enumerates(asked: &Asked<'_>, hit: &Hit) -> bool {
    let takes = asked
        .meanings
        .get(hit.parameter)
        .is_some_and(|meaning| meaning.kind.is_reference());
    takes
        && hit.weight >= 0.95
        && asked.token(hit.end).is_some_and(|token| !token.is_common())
        && asked.is_loaded(hit)
}

/// Words that describe a thing as often as they name a parameter end no text.
pub(crate) fn is_weak(asked: &Asked<'_>, hit: &Hit) -> bool {
    let Some(meaning) = asked.meanings.get(hit.parameter) else {
        return true;
    };
    if hit.weight < 0.78 {
        return true;
    }
    let value = asked.value_start(hit).map(|(at, _)| at);
    let sure_value = value.is_some_and(|at| {
        asked.quoted_at(at).is_some()
            || asked.token(at).is_some_and(|token| {
                token.is_coded() || crate::assign::choices::spelled(meaning, token).is_some()
            })
            || (at == hit.end && asked.spans_at(at).next().is_some())
    });
    !sure_value
}

/// Whether the rest of the request is courtesy.
fn is_courtesy(asked: &Asked<'_>, at: usize) -> bool {
    let rest = asked.tokens.get(at..).unwrap_or_default();
    rest.len() <= 6 && !rest.is_empty() && rest.iter().all(|token| COURTESIES.contains(&token.fold.as_str()))
}

/// Whether a new sentence asks for something: `Could you book that?`.
fn is_own_request(asked: &Asked<'_>, at: usize, before: Break) -> bool {
    before == Break::Stop
        && asked
            .token(at)
            .is_some_and(|token| token.is_any(&["could", "can", "would", "please", "bitte"]))
        && asked
            .token(at + 1)
            .is_some_and(|token| token.is_any(&["you", "u"]) || asked.is_tool_word(token))
}

/// The bytes of a text; the sign that ends its last sentence belongs to it at the end of the request.
fn whole_range(asked: &Asked<'_>, text: &Marked) -> Option<Range<usize>> {
    let range = asked.bytes(text.start, text.end)?;
    // Of a very long request only the beginning is read in words; a text that runs to its end runs to the very end.
    let range = if text.end == TOKENS_MAX {
        range.start..asked.text.trim_end().len()
    } else {
        range
    };
    let start = range.start - lead(asked.text, range.start);
    let prose = asked
        .meanings
        .get(text.parameter)
        .is_some_and(|meaning| meaning.kind == Kind::Prose || meaning.parameter.list);
    if !text.with_stop || !prose {
        return Some(start..range.end);
    }
    let next = asked
        .token(text.end)
        .map_or(asked.text.len(), |token| token.range.start);
    let signs = asked.text.get(range.end..next).unwrap_or_default();
    let at_end = text.end >= asked.tokens.len()
        || is_courtesy(asked, text.end)
        || crate::assign::texts::text_ends::is_closed_before(asked, text.end, text.parameter);
    let sentences = asked
        .tokens
        .get(text.start..text.end.saturating_sub(1))
        .unwrap_or_default()
        .iter()
        .any(|token| token.after == Break::Stop);
    let kept: usize = signs
        .chars()
        .take_while(|c| {
            !c.is_whitespace()
                && (at_end || sentences || matches!(c, '!' | '?' | ')'))
                && !matches!(c, ',' | ';')
        })
        .map(char::len_utf8)
        .sum();
    Some(start..range.end + kept)
}

/// Bytes of an opening bracket or sign that belongs to a text.
fn lead(text: &str, start: usize) -> usize {
    let before = text.get(..start).unwrap_or_default();
    before
        .chars()
        .rev()
        .take_while(|c| matches!(c, '(' | '[' | '*' | '<' | '¿' | '¡'))
        .map(char::len_utf8)
        .sum()
}

/// A text as its parameter takes it: lists are cut at commas.
fn value_of(asked: &Asked<'_>, parameter: usize, words: &str) -> Value {
    let list = asked
        .meanings
        .get(parameter)
        .is_some_and(|meaning| meaning.parameter.list);
    if !list {
        return Value::String(words.to_owned());
    }
    if let Some(sentences) = sentences(words) {
        return Value::Array(sentences.into_iter().map(Value::String).collect());
    }
    let items = words
        .split([',', ';'])
        .flat_map(|part| part.split(" and "))
        .map(|item| item.trim().trim_end_matches('.').to_owned())
        .filter(|item| !item.is_empty())
        .map(Value::String)
        .collect();
    Value::Array(items)
}

/// `Is it good? Is it warm?`: whole sentences one after another, each with its sign where it asks or calls.
fn sentences(words: &str) -> Option<Vec<String>> {
    let mut items: Vec<String> = Vec::new();
    let mut rest = words.trim();
    while let Some(at) = rest.find(['?', '!', '.', ';', '\n']) {
        let (head, tail) = rest.split_at(at);
        let signs = tail
            .find(|c: char| !matches!(c, '?' | '!' | '.' | ';' | '\n'))
            .unwrap_or(tail.len());
        let (signs, tail) = tail.split_at(signs);
        // `v2.1` and `acme.example` go on behind the point.
        if !tail.is_empty() && !tail.starts_with(char::is_whitespace) && !signs.contains(['?', '!', '\n']) {
            return None;
        }
        let kept = signs.trim_matches(['.', ';', '\n']);
        items.push(format!("{}{kept}", head.trim()));
        rest = tail.trim_start();
    }
    if !rest.is_empty() {
        items.push(rest.to_owned());
    }
    items.retain(|item| item.chars().any(char::is_alphabetic));
    let asks = items.iter().any(|item| item.ends_with('?'));
    (asks || (items.len() > 1 && !words.contains(','))).then_some(items)
}
