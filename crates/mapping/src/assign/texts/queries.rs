//! What is looked for: which words of a request are a search, and where do they end?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::assign::texts::formal::is_formal;
use crate::assign::texts::query_ends::phrase_end;
use crate::assign::texts::questions::questions;
use crate::kind::Kind;
use crate::meaning::{Meaning, Role};
use crate::span::What;
use crate::words::{Break, Token};

/// Words that lead to what something is about or holds, whatever stands before them.
const ABOUT: &str = "about mentioning containing contain contains mention mentions matching match matches regarding concerning uber concernant mentionnant contenant sobre erwahnen enthalten";

/// Verbs that look for something.
const SEEKING: &str = "search find look lookup query google suche such finde cherche recherche trouve busca buscar encuentra research suchen";

/// What one reads `on` something.
const READABLE: &str = "docs documentation doc article articles news paper papers post posts note notes anything something info information research material guidance guide guides page pages results help tutorial tutorials discussion discussions content literature studies reports everything knowledge background";

pub(crate) const ARTICLES: &str =
    "the a an un une des du ein eine einen unos unas der die das den dem le la el los las les l'";

const PRONOUNS: &str = "it that this them these those me us you him her something anything one what which more all everything whatever i we my our es mich mir uns moi nous who";

/// What is looked for without quotation marks, or asked in a whole question.
pub(crate) fn sought(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        // What is found to be replaced is no search.
        let replaces = meaning.role == Role::From
            && asked
                .meanings
                .iter()
                .any(|other| other.role == Role::To && other.kind.is_text());
        if replaces || !takes(meaning) || is_formal(asked, meaning) || is_given(asked, parameter) {
            continue;
        }
        let found = questions(asked, parameter, meaning).or_else(|| phrase(asked, parameter, meaning));
        candidates.extend(found);
    }
    candidates
}

fn takes(meaning: &Meaning) -> bool {
    meaning.kind == Kind::Query && meaning.role != Role::To && meaning.parameter.shape.string
}

/// Whether a parameter's name already has a quotation or a colon behind it.
fn is_given(asked: &Asked<'_>, parameter: usize) -> bool {
    asked.hits_of(parameter).any(|hit| {
        asked.break_before(hit.end) == Break::Colon
            || asked
                .value_start(hit)
                .is_some_and(|(start, _)| asked.quoted_at(start).is_some())
    })
}

/// Whether a word is one of these, in lower case without accents.
pub(crate) fn one_of(token: &Token<'_>, words: &str) -> bool {
    words.split(' ').any(|word| word == token.fold)
}

/// Whether the word at a place is one of these and stands in no quotation.
pub(crate) fn is(asked: &Asked<'_>, at: usize, words: &str) -> bool {
    asked
        .token(at)
        .is_some_and(|token| one_of(token, words) && !asked.is_opaque(&token.range))
}

fn phrase(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let by_name = is_of_names(meaning);
    let length = asked.tokens.len();
    let named = (0..length).find_map(|at| name_holds(asked, at));
    let of_names = || {
        asked
            .meanings
            .iter()
            .any(|other| takes(other) && is_of_names(other))
    };
    let fits = if named.is_some() && of_names() {
        by_name
    } else {
        is_first_choice(asked, parameter, meaning)
    };
    if !fits {
        return None;
    }
    if let Some((start, end)) = (0..length).find_map(|at| within_name(asked, at)) {
        return found(asked, parameter, meaning, start, end, 0.88);
    }
    let places = || 0..length;
    let first = |start: Option<usize>, score: f32| start.map(|start| (start, score));
    let ways = [
        first(named, 0.88),
        first(
            places().filter(|_| !by_name).find_map(|at| about(asked, at)),
            0.88,
        ),
        first(
            places().find_map(|at| called(asked, at, by_name || meaning.is_required())),
            0.8,
        ),
        first(places().find_map(|at| searched_for(asked, at)), 0.88),
        first(object_of_search(asked), 0.72),
        first(pictures_of(asked, meaning), 0.7),
    ];
    ways.into_iter().flatten().find_map(|(start, score)| {
        let end = phrase_end(asked, start, parameter);
        found(asked, parameter, meaning, start, end, score)
    })
}

fn found(
    asked: &Asked<'_>,
    parameter: usize,
    meaning: &Meaning,
    start: usize,
    end: usize,
    score: f32,
) -> Option<Candidate> {
    let range = asked.bytes(start, end).filter(|range| !asked.is_opaque(range))?;
    let thing = asked.token(start)?;
    // `search for issues`, `look for INV-204`, `find the last five`: nothing that is looked for by its words.
    let of_tool = asked.name.contains(&thing.stem) || (thing.sense.is_some() && asked.is_tool_word(thing));
    let bare_thing = of_tool && (end == start + 1 || thing.sense.is_some() || thing.fold.ends_with('s'));
    // `search for open pull requests`: nothing but the tool's own words.
    let telling = (start..end).any(|at| {
        asked.token(at).is_some_and(|token| {
            let own = token.sense.is_some() && asked.is_tool_word(token);
            !(own || token.is_common() || asked.name.contains(&token.stem))
        })
    });
    let counted = end == start + 1
        && asked
            .spans_at(start)
            .any(|span| matches!(span.what, What::Number(_) | What::Date(_) | What::Email(_)));
    let an_id = end == start + 1
        && crate::assign::shapes::prefix(thing.text).is_some()
        && asked.meanings.iter().any(|other| other.kind == Kind::Id);
    if bare_thing || !telling || counted || an_id || one_of(thing, PRONOUNS) {
        return None;
    }
    let words = asked.slice(start, end);
    let value = if meaning.parameter.list {
        Value::Array(
            words
                .split(", ")
                .flat_map(|part| part.split(" and "))
                .map(|item| Value::String(item.trim().to_owned()))
                .collect(),
        )
    } else {
        Value::String(words.to_owned())
    };
    Some(asked.candidate(parameter, value, range, score))
}

/// Whether a parameter compares names: `Filter folders by name (contains match)`.
fn is_of_names(meaning: &Meaning) -> bool {
    let words = crate::words::name_words(meaning.parameter.name());
    let about = meaning.parameter.description.to_lowercase();
    words.iter().any(|word| word == "name") || about.contains("by name") || about.contains("name filter")
}

/// Of several parameters that could take what is looked for, the required one or the one called a query.
fn is_first_choice(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> bool {
    let rank = |at: usize, meaning: &Meaning| {
        let words = crate::words::name_words(meaning.parameter.name());
        let plain = words.len() == 1;
        let named = asked.hits_of(at).any(|hit| hit.weight > 0.9);
        u8::from(meaning.is_required()) * 4 + u8::from(plain) * 2 + u8::from(named) * 3
    };
    let own = rank(parameter, meaning);
    asked.meanings.iter().enumerate().all(|(at, other)| {
        at == parameter || !takes(other) || is_formal(asked, other) || rank(at, other) < own
    })
}

/// `with basil in the name`, `have garden in their title`: what stands between.
fn within_name(asked: &Asked<'_>, at: usize) -> Option<(usize, usize)> {
    const HAVING: &str = "with having have has contain containing contains mit avec con haben hat for";
    if !is(asked, at, HAVING) {
        return None;
    }
    let start = at + 1 + usize::from(is(asked, at + 1, ARTICLES));
    let end = (start + 1..asked.tokens.len().min(start + 6)).find(|place| {
        let owner = is(
            asked,
            place + 1,
            "the its their his her a dem der ihrem el su le la leur",
        );
        let thing = place + 1 + usize::from(owner);
        is(asked, *place, "in im dans en")
            && is(
                asked,
                thing,
                "name names title titles subject namen titel betreff nom titre nombre titulo",
            )
    })?;
    (start..end)
        .all(|place| asked.break_before(place + 1) < Break::Comma)
        .then_some((start, end))
}

/// `whose name contains onboarding`, `where the title starts with Q3`, `that have names like web`.
fn name_holds(asked: &Asked<'_>, at: usize) -> Option<usize> {
    const NAMES: &str = "name names title titles subject titel titre nom nombre titulo namen";
    const HOLDING: &str = "contains contain containing includes include including has like matches enthalt contient contiene mentions having says";
    let whose = at.checked_sub(1).is_some_and(|before| {
        is(
            asked,
            before,
            "whose the their its deren dessen dont le cuyo by a have",
        )
    });
    if !is(asked, at, NAMES) || !whose || asked.break_before(at + 1) != Break::None {
        return None;
    }
    let hold = is(asked, at + 1, HOLDING);
    let start = at + 2 + usize::from(is(asked, at + 2, ARTICLES));
    (hold && asked.token(start).is_some()).then_some(start)
}

/// `tickets about mouldy soil`, `anything on compost`, `that mention rail strike`.
fn about(asked: &Asked<'_>, at: usize) -> Option<usize> {
    let before = at.checked_sub(1).and_then(|before| asked.token(before))?;
    let marked = is(asked, at, ABOUT)
        && !one_of(before, "how what")
        && before.after < Break::Colon
        && !one_of(before, "tell ask");
    let on = is(asked, at, "on zu sur")
        && is_readable(asked, at)
        && before.after == Break::None
        && !is_own_place(asked, at + 1);
    let related = is(asked, at, "to") && one_of(before, "related relating");
    if !marked && !on && !related {
        return None;
    }
    begin(asked, at + 1).filter(|start| {
        // `about TIC-4`, `about me`: of whom, not of what.
        !is(asked, *start, PRONOUNS)
    })
}

/// Whether something to read stands before a word: `docs`, `docs of /acme/web`.
fn is_readable(asked: &Asked<'_>, at: usize) -> bool {
    let direct = at
        .checked_sub(1)
        .is_some_and(|before| is(asked, before, READABLE));
    let place = at
        .checked_sub(1)
        .filter(|before| asked.is_code(*before) && at >= 3 && is(asked, before - 1, "of for from in"));
    direct || place.is_some_and(|before| is(asked, before - 2, READABLE))
}

/// `on the wiki`, `on GitHub`: where something is, and not what it is about.
fn is_own_place(asked: &Asked<'_>, at: usize) -> bool {
    let article = is(asked, at, ARTICLES);
    let own = |at: usize| {
        asked.token(at).is_some_and(|token| asked.is_tool_word(token))
            || asked.hits.iter().any(|hit| hit.start == at && hit.weight > 0.9)
    };
    if article {
        own(at + 1) || own(at + 2)
    } else {
        own(at)
    }
}

/// `search the docs for retries`, `look for rail strike`: behind the first `for` that follows a verb of seeking.
fn searched_for(asked: &Asked<'_>, at: usize) -> Option<usize> {
    if !is(asked, at, "for nach") {
        return None;
    }
    let verb = (0..at).rev().find(|place| {
        asked.token(*place).is_some_and(|token| {
            let there = one_of(token, "there")
                && place
                    .checked_sub(1)
                    .is_some_and(|before| is(asked, before, "are is any"));
            (one_of(token, SEEKING) || there || crate::assign::asked::is_slip(&token.fold, "search"))
                && !asked.is_opaque(&token.range)
        })
    })?;
    let apart = (verb + 1..=at).any(|place| asked.break_before(place) == Break::Stop);
    // `find a slot for the workshop` seeks the slot.
    let of_find = is(asked, verb, "find finde")
        && (verb + 1..at).any(|place| {
            asked.token(place).is_some_and(|token| {
                !token.is_common() && !asked.is_tool_word(token) && token.sense.is_none()
            })
        });
    let earlier = (verb + 1..at).any(|place| is(asked, place, "for nach"));
    let start = begin(asked, at + 1)?;
    (!apart && !of_find && !earlier).then_some(start)
}

/// `which contacts are called Margaux`, `files named budget`: what a lookup is to find by its name.
fn called(asked: &Asked<'_>, at: usize, fits: bool) -> Option<usize> {
    let titled = asked
        .meanings
        .iter()
        .any(|meaning| meaning.kind == Kind::Title && meaning.parameter.name() != "filter");
    let naming = is(
        asked,
        at,
        "named called titled namens nomme nommes llamado llamados",
    );
    let somehow = usize::from(is(asked, at + 1, "something"));
    let start = at + 1 + somehow + usize::from(is(asked, at + 1 + somehow, "like"));
    (fits
        && asked.reads
        && naming
        && !titled
        && asked.break_before(at + 1) < Break::Comma
        && asked.token(start).is_some())
    .then_some(start)
}

/// `find coffee within 800 metres`: what a search tool is told to find, where it is no thing of the tool's own.
fn object_of_search(asked: &Asked<'_>) -> Option<usize> {
    let searches = asked
        .name
        .iter()
        .any(|word| ["search", "find", "lookup", "research", "suche"].contains(&word.as_str()));
    if !searches {
        return None;
    }
    let verb = (0..asked.tokens.len().min(8)).find(|at| {
        // `Google Sheets` is nothing that is done.
        let product = *at > 0 && asked.token(*at).is_some_and(Token::is_capitalised);
        (is(asked, *at, SEEKING) && !product)
            || asked
                .token(*at)
                .is_some_and(|token| crate::assign::asked::is_slip(&token.fold, "search"))
    })?;
    let mut at = verb + 1;
    while is(asked, at, "up for me us out nach online mir uns") {
        at += 1;
    }
    // `busca en la web recetas`, `research with Tavily on …`: where it is looked for stands before.
    while is(asked, at, "on in en dans sur im auf with mit via using") {
        let next = at + 1 + usize::from(is(asked, at + 1, ARTICLES));
        if !asked.token(next).is_some_and(|token| asked.is_tool_word(token)) {
            break;
        }
        at = next + 1;
    }
    if is(asked, at, "on into sur sobre uber zu") {
        at += 1;
    }
    let start = begin(asked, at)?;
    // `find the page Roadmap 2027`: a thing of the tool's own, and what it is called.
    let called = asked
        .token(start)
        .is_some_and(|token| asked.is_tool_word(token) && token.after == Break::None)
        && asked
            .token(start + 1)
            .is_some_and(|token| token.is_capitalised() && !token.is_common() && !asked.is_tool_word(token));
    let start = start + usize::from(called);
    let first = asked.token(start)?;
    let plain = !asked.is_tool_word(first) && !first.is_common() && asked.break_before(start) == Break::None;
    let end = phrase_end(asked, start, usize::MAX);
    // `find Clara's address`, `find all products with low stock`: one that names the tool's things seeks those.
    let things = (start..end).any(|place| {
        asked
            .token(place)
            .is_some_and(|token| asked.is_tool_word(token) && token.sense.is_some())
    });
    let spoken = !asked.is_code(start) || first.text.chars().all(|c| c.is_alphabetic() || c == '-');
    (plain && !things && spoken).then_some(start)
}

/// `pictures of terracotta planters`: what a required search is for, behind a thing of the tool's own.
fn pictures_of(asked: &Asked<'_>, meaning: &Meaning) -> Option<usize> {
    if !meaning.is_required() {
        return None;
    }
    (1..asked.tokens.len()).find_map(|at| {
        let thing = asked.token(at - 1)?;
        let pictured = one_of(thing, "pictures picture images image photos photo videos video examples bilder fotos definition meaning recipes news");
        let of = is(asked, at, "of von de showing") && thing.after == Break::None;
        (pictured && of).then(|| begin(asked, at + 1)).flatten()
    })
}

/// The first word of what is looked for, without an article.
fn begin(asked: &Asked<'_>, at: usize) -> Option<usize> {
    let start = at + usize::from(is(asked, at, ARTICLES));
    asked.token(start)?;
    let before = asked.break_before(start);
    (before < Break::Comma && asked.quoted_at(start).is_none()).then_some(start)
}

/// The one search that a colon may lead to.
pub(crate) fn lone_query(asked: &Asked<'_>) -> Option<usize> {
    let mut found = asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(_, meaning)| takes(meaning) && meaning.is_required() && !meaning.parameter.list);
    match (found.next(), found.next()) {
        (Some((at, _)), None) => Some(at),
        _ => None,
    }
}
