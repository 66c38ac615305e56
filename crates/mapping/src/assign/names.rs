//! Which names of a request belong where: people, places, tags, and what new things are called?

pub(crate) mod claims;
pub(crate) mod copies;
pub(crate) mod long_names;
pub(crate) mod named_words;
pub(crate) mod narrowed;
pub(crate) mod no_names;
pub(crate) mod people;
mod places;
pub(crate) mod renames;
pub(crate) mod revisions;
pub(crate) mod settings;
pub(crate) mod title_ends;
pub(crate) mod titles;
pub(crate) mod twins;
pub(crate) mod typed;

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate, touches};
use crate::assign::records::enumeration::next_item;
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::span::What;
use crate::words::{Break, Token};

/// Candidates for people, places, plain lists and full names.
pub(crate) fn names(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        let text = meaning.parameter.shape.string && meaning.parameter.only.is_none();
        if !text {
            continue;
        }
        match meaning.kind {
            Kind::Person => {
                candidates.extend(people(asked, parameter, meaning));
                candidates.extend(oneself(asked, parameter, meaning));
                candidates.extend(crate::assign::names::people::by_address_or_handle(
                    asked, parameter, meaning,
                ));
                candidates.extend(crate::assign::names::people::spoken_of(asked, parameter, meaning));
            }
            Kind::Slug if meaning.parameter.list => candidates.extend(word_lists(asked, parameter)),
            Kind::Slug if places::is_place(meaning) => {
                candidates.extend(places::places(asked, parameter, meaning));
            }
            Kind::Title if !meaning.parameter.list => {
                candidates.extend(full_names(asked, parameter, meaning));
            }
            Kind::Prose if !meaning.parameter.list => candidates.extend(short_texts(asked, parameter)),
            Kind::Slug => {
                candidates.extend(mailed(asked, parameter, meaning));
                candidates.extend(handles(asked, parameter, meaning));
                candidates.extend(short_texts(asked, parameter));
            }
            _ => {}
        }
    }
    candidates
}

/// One part of an enumeration of names.
struct Item {
    value: String,
    start: usize,
    end: usize,
}

/// The name that begins at a word: a run of capitals that a reader found, or one word that means nothing else.
fn name_at(asked: &Asked<'_>, at: usize) -> Option<Item> {
    let token = asked.token(at)?;
    if asked.is_opaque(&token.range) {
        return None;
    }
    if let Some(value) = asked.spans_at(at).find_map(|span| match &span.what {
        What::Name(name) => Some((name.clone(), span.range.end)),
        What::Handle('@', name) => Some((name.clone(), span.range.end)),
        _ => None,
    }) {
        let end = asked.at_byte(value.1).max(at + 1);
        let known = asked
            .token(at)
            .is_some_and(|token| asked.is_tool_word(token) || token.is_common())
            && end == at + 1;
        return (!known).then_some(Item {
            value: value.0,
            start: at,
            end,
        });
    }
    let joined = |c: char| matches!(c, '-' | '\'' | '’') && token.is_capitalised();
    let letters =
        token.text.chars().all(|c| c.is_alphabetic() || joined(c)) && token.text.chars().count() > 1;
    let valued = asked.spans_at(at).any(|span| !matches!(span.what, What::Name(_)));
    (letters && !valued && asked.is_unexplained(at)).then(|| Item {
        value: token.text.to_owned(),
        start: at,
        end: at + 1,
    })
}

/// Names from a word on, as far as they are enumerated.
fn enumerated(asked: &Asked<'_>, at: usize, read: impl Fn(&Asked<'_>, usize) -> Option<Item>) -> Vec<Item> {
    let mut items = Vec::new();
    let mut place = at;
    while let Some(item) = read(asked, place) {
        let end = item.end;
        items.push(item);
        match next_item(asked, end - 1) {
            Some(next) => place = next,
            None => break,
        }
    }
    items
}

fn people(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let mut at = 0;
    while at < asked.tokens.len() {
        let items = enumerated(asked, at, name_at);
        let Some(last) = items.last().map(|item| item.end) else {
            at += 1;
            continue;
        };
        let score = person_score(asked, parameter, meaning, &items);
        if let Some(range) = asked.bytes(at, last).filter(|_| score > 0.0) {
            if meaning.parameter.list {
                let values = items.into_iter().map(|item| Value::String(item.value)).collect();
                candidates.push(asked.candidate(parameter, Value::Array(values), range, score));
            } else if let [one] = items.as_slice() {
                candidates.push(asked.candidate(parameter, Value::String(one.value.clone()), range, score));
            }
        }
        at = last.max(at + 1);
    }
    candidates
}

/// What somebody does, right behind a name.
const ACTING: &str = "says said wrote writes sent sagt schrieb dit dice accepts declines should gets get can will has takes is betreut reist nimmt hat travels goes wants needs owns write say look looks leads manages handles joins works replaces covers";
/// Words that bring somebody into something.
const HANDING: &str = "assign assigned give hand share invite with mit avec con add by from for";
/// Words right in front of a name that is addressed or brought in.
const ADDRESSING: &str =
    "add invite can let give tell ask anade ajoute lade a betreut does put setze mets pon";

/// How surely names are those of a parameter's people.
fn person_score(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, items: &[Item]) -> f32 {
    let (Some(first), Some(last)) = (items.first(), items.last()) else {
        return 0.0;
    };
    let named = asked.hits_of(parameter).any(|hit| {
        let before = asked
            .value_start(hit)
            .is_some_and(|(start, _)| start == first.start);
        let behind = hit.start == last.end && asked.break_before(last.end) == Break::None;
        before || behind
    });
    if named {
        return 0.94;
    }
    if asked.is_claimed(first.start, parameter, 2) {
        return 0.0;
    }
    let before = first
        .start
        .checked_sub(1)
        .and_then(|at| asked.token(at))
        .filter(|token| token.after == Break::None);
    let behind = asked
        .token(last.end)
        .filter(|_| asked.break_before(last.end) == Break::None);
    let linked = before.is_some_and(|token| token.is_any(links(meaning)) && !is_article(asked, token));
    let linked = linked || crate::assign::names::people::is_held_by(asked, meaning, first.start);
    let acts = behind.is_some_and(|token| ACTING.split(' ').any(|word| word == token.fold));
    let verbed = before
        .filter(|token| !is_article(asked, token))
        .is_some_and(|token| {
            asked.is_tool_word(token) || ADDRESSING.split(' ').any(|word| word == token.fold)
        });
    let several = items.len() > 1 && meaning.parameter.list;
    if items.len() == 1 && is_owner(asked, last) {
        return 0.84;
    }
    let capital = asked.token(first.start).is_some_and(Token::is_capitalised) && first.start > 0;
    let base: f32 = match (linked, acts || verbed, several) {
        (true, _, true) | (_, true, true) => 0.9,
        (true, _, false) => 0.86,
        (_, true, false) => 0.8,
        (false, false, true) => 0.78,
        (false, false, false) if capital => 0.6,
        // A lone word that nothing else explains may be a verb as well as a name.
        (false, false, false) if asked.token(first.start).is_some_and(Token::is_capitalised) => 0.56,
        (false, false, false) => 0.4,
    };
    let handed = asked
        .tokens
        .iter()
        .any(|token| HANDING.split(' ').any(|word| word == token.fold));
    // A lone name is somebody only where the words around it say so.
    match (meaning.is_required(), handed || acts) {
        (true, _) => base,
        (false, true) if acts => base,
        (false, true) => base - 0.06,
        (false, false) => base - 0.15,
    }
}

/// `lena's trips`
fn is_owner(asked: &Asked<'_>, item: &Item) -> bool {
    asked
        .token(item.end - 1)
        .and_then(|token| asked.text.get(token.range.end..))
        .is_some_and(|rest| rest.starts_with("'s ") || rest.starts_with("’s "))
}

/// Whether `a` is an English article: no word of the request makes it a Spanish or French link.
fn is_article(asked: &Asked<'_>, token: &Token<'_>) -> bool {
    const ROMANCE: &[&str] = &[
        "anade", "agrega", "invita", "asigna", "envia", "comparte", "quita", "dale", "al", "el", "del",
        "los", "las", "por", "para",
    ];
    token.text == "a" && !asked.tokens.iter().any(|token| token.is_any(ROMANCE))
}

/// Words that lead to the people of a parameter.
fn links(meaning: &Meaning) -> &'static [&'static str] {
    match meaning.thing.as_deref() {
        Some("author" | "reporter" | "requester") => &["by", "from", "von", "de", "par", "por"],
        Some("guest" | "attende" | "attendee" | "participant") => &["with", "mit", "avec", "con", "and"],
        Some("people" | "member") => &["with", "mit", "avec", "con", "invite", "add", "a"],
        Some("owner") => &["by", "von", "owned", "to", "betreut", "par", "for", "fur", "pour"],
        Some("assignee" | "reviewer") => &["to", "an", "a", "for", "by", "auf", "zu"],
        Some("traveller" | "traveler") => &["for", "fur", "pour", "para"],
        _ => &[
            "to", "with", "for", "an", "mit", "avec", "pour", "a", "con", "para", "fur", "from", "by", "von",
        ],
    }
}

/// `assigned to me`, where the description says that `me` is understood.
fn oneself(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let about = &meaning.parameter.description;
    let understood = ["'me'", "\"me\"", "`me`"].iter().any(|said| about.contains(said));
    if !understood {
        return None;
    }
    let at = (0..asked.tokens.len()).find(|at| {
        let Some(token) = asked.token(*at) else {
            return false;
        };
        let before = at.checked_sub(1).and_then(|before| asked.token(before));
        let behind = asked.token(at + 1);
        let to_me = token.is_any(&["me", "myself", "mir", "mich", "moi", "mi"])
            && before.is_some_and(|before| {
                before.is_any(&[
                    "to", "by", "for", "an", "auf", "fur", "a", "para", "assignee", "owner",
                ])
            });
        let i_own = token.is_any(&["i", "ich", "je"])
            && behind.is_some_and(|behind| {
                behind.is_any(&["own", "have", "created", "requested", "reported", "besitze"])
            });
        let my = token.is_any(&["my", "meine", "meinen", "mes", "mis"])
            && behind.is_some_and(|behind| asked.is_tool_word(behind));
        !asked.is_opaque(&token.range)
            && (to_me
                || (i_own && is_said_of(asked, meaning, at + 1))
                || (my && meaning.thing.as_deref() == Some("assignee")))
    })?;
    let range = asked.bytes(at, at + 1)?;
    Some(asked.candidate(parameter, Value::String("me".to_owned()), range, 0.88))
}

/// Whether a verb says what a parameter is: `own` of the `owner`.
fn is_said_of(asked: &Asked<'_>, meaning: &Meaning, at: usize) -> bool {
    asked.token(at).is_some_and(|token| {
        meaning
            .parameter
            .name()
            .to_lowercase()
            .starts_with(token.fold.get(..3).unwrap_or("?"))
    })
}

/// One word or a code, as a tag or a label is.
fn word_at(asked: &Asked<'_>, at: usize) -> Option<Item> {
    if let Some((span, text)) = asked.quoted_at(at) {
        return Some(Item {
            value: text.to_owned(),
            start: at,
            end: asked.at_byte(span.range.end).max(at + 1),
        });
    }
    let token = asked.token(at)?;
    let valued = asked
        .spans_at(at)
        .any(|span| matches!(span.what, What::Email(_) | What::Date(_) | What::Moment(_)));
    (!token.is_common() && !valued && !asked.is_opaque(&token.range)).then(|| Item {
        value: token.text.trim_start_matches('#').to_owned(),
        start: at,
        end: at + 1,
    })
}

/// A part of a list of words. `services storefront and search`: what ends an enumeration of nouns is one of them.
fn listed_at(asked: &Asked<'_>, at: usize, start: usize, verbal: bool) -> Option<Item> {
    let token = asked.token(at)?;
    if at > start && crate::assign::records::enumeration::is_something_else(asked, start, at) {
        return None;
    }
    let ends = at + 1 == asked.tokens.len() || token.after >= Break::Comma;
    let small = token.text.chars().count() < 4 || asked.is_opaque(&token.range);
    word_at(asked, at).or_else(|| {
        (!verbal && at > start && ends && !small).then(|| Item {
            value: token.text.to_owned(),
            start: at,
            end: at + 1,
        })
    })
}

/// `tag it billing and urgent`, `services storefront and search`: words behind the name of a list.
fn word_lists(asked: &Asked<'_>, parameter: usize) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for hit in asked.hits_of(parameter) {
        let behind = asked.behind_object(hit);
        let Some(mut start) = behind.or_else(|| asked.value_start(hit).map(|(start, _)| start)) else {
            continue;
        };
        let skipped = [
            "it", "this", "that", "them", "es", "sie", "le", "la", "lo", "as", "card", "ticket", "issue",
        ];
        while asked
            .token(start)
            .is_some_and(|token| token.is_any(&skipped) && token.after == Break::None)
        {
            start += 1;
        }
        let verbal = behind.is_none() && start > hit.end;
        let product = asked
            .token(start)
            .is_some_and(|token| asked.is_tool_word(token) && token.is_capitalised());
        if product && asked.break_before(start) != Break::Colon {
            continue;
        }
        let items: Vec<Item> = enumerated(asked, start, |asked, at| listed_at(asked, at, start, verbal))
            .into_iter()
            .take_while(|item| {
                item.start == start
                    || !asked.hits.iter().any(|other| {
                        other.start == item.start && other.parameter != parameter && asked.is_loaded(other)
                    })
            })
            .collect();
        let (Some(first), Some(last)) = (items.first(), items.last()) else {
            continue;
        };
        // The last word has to end there: `label bugs fast` is no list.
        let ends = asked.break_before(last.end) > Break::None
            || asked.token(last.end).is_none_or(|next| {
                next.is_common() || crate::assign::asked::LINKS.contains(&next.fold.as_str())
            });
        let Some(range) = asked.bytes(first.start, last.end).filter(|_| ends) else {
            continue;
        };
        let values = items
            .iter()
            .map(|item| Value::String(item.value.clone()))
            .collect();
        let sure = if crate::assign::records::enumeration::is_cut_short(asked, last.end) {
            0.55
        } else {
            0.9
        };
        candidates.push(asked.candidate(parameter, Value::Array(values), range, sure * hit.weight.max(0.9)));
    }
    candidates
}

/// `Add Dana Whitfield as a contact`: a name in capitals for what is called by a full name.
fn full_names(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Vec<Candidate> {
    if !meaning.is_required() {
        return Vec::new();
    }
    let called = asked.hits_of(parameter).any(|hit| {
        asked
            .token(hit.end.saturating_sub(1))
            .is_some_and(|token| token.is_any(&["named", "called", "titled", "namens"]))
    });
    let found: Vec<_> = asked
        .spans
        .iter()
        .filter_map(|span| match &span.what {
            What::Name(name) if !asked.is_opaque(&span.range) => Some((span.range.clone(), name.clone())),
            _ => None,
        })
        .filter(|(range, _)| {
            !asked.spans.iter().any(|other| {
                !matches!(other.what, What::Name(_) | What::Number(_)) && touches(&other.range, range)
            })
        })
        .collect();
    found
        .into_iter()
        .filter_map(|(range, name)| {
            let at = asked.at_byte(range.start);
            let end = asked.at_byte(range.end).max(at + 1);
            let before = at.checked_sub(1).and_then(|before| asked.token(before));
            // `new card Buy tape`: one word of several.
            let goes_on =
                end == at + 1 && asked.break_before(end) == Break::None && asked.is_unexplained(end);
            if goes_on {
                return None;
            }
            let is_tool = (at..end).all(|place| {
                asked
                    .token(place)
                    .is_some_and(|token| asked.is_tool_word(token) || token.is_common())
            });
            let claimed = asked.is_claimed(at, parameter, 3);
            if is_tool || called || claimed {
                return None;
            }
            let score = full_name_score(asked, before, end - at > 1)?;
            Some(asked.candidate(parameter, Value::String(name), range, score))
        })
        .collect()
}

/// How surely a name in capitals is what a thing is called; behind a link it is something else's.
fn full_name_score(asked: &Asked<'_>, before: Option<&Token<'_>>, several: bool) -> Option<f32> {
    const AWAY: &[&str] = &[
        "in", "at", "from", "to", "with", "for", "von", "im", "nach", "by", "en", "de", "of",
    ];
    let near = before.filter(|token| token.after == Break::None);
    if near.is_some_and(|token| token.is_any(AWAY)) {
        return None;
    }
    let verbed = near.is_some_and(|token| asked.is_tool_word(token));
    Some(match (verbed, several) {
        (true, true) => 0.84,
        (true, false) => 0.66,
        (false, true) => 0.74,
        (false, false) => 0.56,
    })
}

/// `ida@brandt.example` where a person may be named by address.
fn mailed(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Vec<Candidate> {
    let about = meaning.parameter.description.to_lowercase();
    let by_address = about.contains("email")
        || about.contains("e-mail")
        || (about.contains("user") && meaning.parameter.name().contains("user"));
    asked
        .spans
        .iter()
        .filter(|span| by_address && !asked.is_opaque(&span.range))
        .filter_map(|span| match &span.what {
            What::Email(address) => Some(asked.candidate(
                parameter,
                Value::String(address.clone()),
                span.range.clone(),
                if meaning.is_required() { 0.82 } else { 0.6 },
            )),
            _ => None,
        })
        .collect()
}

/// `#ops` where a channel is wanted.
fn handles(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Vec<Candidate> {
    let is_channel = meaning.thing.as_deref() == Some("channel");
    asked
        .spans
        .iter()
        .filter(|span| is_channel && !asked.is_opaque(&span.range))
        .filter_map(|span| match &span.what {
            What::Handle('#', name) => {
                Some(asked.candidate(parameter, Value::String(name.clone()), span.range.clone(), 0.94))
            }
            _ => None,
        })
        .collect()
}

/// `her role is head gardener`, `category meals, note Lunch`: words behind a name up to the next sign, where
/// `is` or a comma shows that it is said.
fn short_texts(asked: &Asked<'_>, parameter: usize) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for hit in asked.hits_of(parameter) {
        let start = hit.end;
        let said = asked.token(start).is_some_and(|token| {
            token.is_any(&["is", "ist", "est", "es", "="]) && token.after == Break::None
        });
        if !said || asked.break_before(start) != Break::None || hit.weight < 0.9 {
            continue;
        }
        let first = start + 1;
        let common = asked
            .token(first)
            .is_none_or(|token| token.is_common() || asked.is_opaque(&token.range));
        let end = crate::assign::names::titles::title_end(asked, first, parameter);
        let Some(range) = asked.bytes(first, end).filter(|_| !common && end - first <= 5) else {
            continue;
        };
        let words = asked.slice(first, end).to_owned();
        candidates.push(asked.candidate(parameter, Value::String(words), range, 0.84));
    }
    candidates
}
