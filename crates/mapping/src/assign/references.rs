//! Which words of a request name things that exist: ids, keys, branches, channels?
//!
//! What speaks for a word, strongest first: the prefix of an example id, the prefix of the thing's name (`inv_77`
//! is an invoice), the name of the parameter beside it, the shape of an example, and last that it is the only
//! code there.

use serde_json::{Number, Value};

use crate::assign::asked::{Asked, Candidate, LINKS};
use crate::assign::names::claims::{
    is_for_the_old, is_goal, is_maybe_of_needed, is_of_another_noun, is_of_many, is_of_unsaid_owner,
    is_other_choice, is_quality, is_relating,
};
use crate::assign::names::long_names::{is_within_name, long_names};
use crate::assign::names::no_names::{bare, is_no_name};
use crate::assign::names::settings::{as_option, is_set_to};
use crate::assign::records::enumeration::as_list;
use crate::assign::records::parts::{by_link, by_numeral_role, by_role};
use crate::assign::shapes::{
    abbreviates, digits, has_example_shape, has_initials, is_for_sibling, is_of_stamps, is_stamp, prefix,
    prefix_conflicts,
};
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::span::What;
use crate::words::{Break, Token};

/// Names of things, one candidate for each parameter and word that may belong together.
pub(crate) fn references(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        if !takes(meaning) || (meaning.parameter.list && is_said_of_one(asked, parameter, meaning)) {
            continue;
        }
        candidates.extend(long_names(asked, parameter, meaning));
        let read: Vec<(usize, Value, f32)> = (0..asked.tokens.len())
            .filter_map(|at| {
                let (value, score) = reference(asked, parameter, meaning, at)?;
                Some((at, value, score))
            })
            .collect();
        if meaning.parameter.list {
            candidates.extend(as_list(asked, parameter, &read));
        } else {
            candidates.extend(read.into_iter().filter_map(|(at, value, score)| {
                let range = asked.token(at)?.range.clone();
                Some(asked.candidate(parameter, value, range, score))
            }));
        }
    }
    candidates
}

/// `in project 120055`: one thing, where another parameter takes one of them and this one a list.
fn is_said_of_one(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> bool {
    let single = asked
        .meanings
        .iter()
        .any(|other| !other.parameter.list && other.thing == meaning.thing && other.kind.is_reference());
    let plural = asked.hits_of(parameter).any(|hit| {
        asked
            .token(hit.end - 1)
            .is_some_and(|token| token.fold.ends_with('s'))
    });
    single && !plural
}

fn takes(meaning: &Meaning) -> bool {
    let shape = &meaning.parameter.shape;
    let typed = shape.string || shape.number;
    typed && meaning.parameter.only.is_none() && matches!(meaning.kind, Kind::Id | Kind::Slug | Kind::Title)
}

/// The value of one word for one parameter, and how surely it is one.
fn reference(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, at: usize) -> Option<(Value, f32)> {
    let token = asked.token(at)?;
    if asked.is_opaque(&token.range) || is_flag_sign(token) {
        return None;
    }
    let written = bare(token, meaning);
    if written.is_empty()
        || prefix_conflicts(asked, meaning, &written)
        || is_for_sibling(asked, meaning, &written)
    {
        return None;
    }
    let named = || asked.hits_of(parameter).any(|hit| hit.end == at);
    // `priority=1` is a condition and names nothing.
    if written.contains('=') && !meaning.parameter.description.contains('=') {
        return None;
    }
    if meaning.parameter.list && !named() && is_other_choice(asked, parameter, &written) {
        return None;
    }
    if crate::assign::addresses::marks::is_of_other_form(meaning, &written) && !named() {
        return None;
    }
    // `team/api` is a path, and no id but that of what is known by its path.
    let by_path = meaning.parameter.description.contains(['/', '-'])
        || meaning.parameter.description.to_lowercase().contains("path")
        || meaning
            .parameter
            .shape
            .examples
            .iter()
            .chain(&meaning.shown)
            .any(|example| example.contains('/'));
    let pathlike = meaning.kind == Kind::Id && written.contains('/') && !by_path;
    if (pathlike || is_no_name(asked, meaning, at, &written)) && !named() {
        return None;
    }
    let score = score(asked, parameter, meaning, at, &written)?;
    if is_within_name(asked, parameter, meaning, at) {
        return None;
    }
    let value = typed(meaning, &written)?;
    Some((value, score))
}

fn typed(meaning: &Meaning, written: &str) -> Option<Value> {
    if meaning.is_numeric() {
        let digits = written.trim_start_matches(['#', '!']);
        return digits
            .parse::<u64>()
            .ok()
            .map(|number| Value::Number(Number::from(number)));
    }
    let too_long = meaning
        .parameter
        .shape
        .length_max
        .is_some_and(|most| written.chars().count() as u64 > most);
    (!too_long).then(|| Value::String(written.to_owned()))
}

pub(crate) fn is_flag_sign(token: &Token<'_>) -> bool {
    token.text.starts_with('-')
}

fn score(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, at: usize, written: &str) -> Option<f32> {
    let token = asked.token(at)?;
    let coded = asked.is_code(at);
    if let Some(own) = prefix(written)
        && !meaning.is_numeric()
    {
        let example = meaning
            .parameter
            .shape
            .examples
            .iter()
            .any(|example| prefix(example).as_deref() == Some(&own));
        if example || abbreviates(&own, meaning) {
            return by_role(asked, meaning, at, &own);
        }
    }
    if is_stamp(written) {
        return is_of_stamps(meaning).then_some(0.85);
    }
    // `node 12:34` is no time where the parameter's name stands right before it.
    let named = asked.hits_of(parameter).any(|hit| {
        // `sheet Q3`: a quarter by its sign.
        let quarter = matches!(meaning.kind, Kind::Slug | Kind::Title)
            && coded
            && asked
                .spans_at(at)
                .all(|span| !matches!(span.what, What::Date(_) | What::Time(_) | What::Moment(_)));
        hit.end == at && hit.weight > 0.9 && (meaning.kind == Kind::Id || quarter)
    });
    if is_of_stamps(meaning) || (!named && is_other_value(asked, at, written, meaning)) {
        return None;
    }
    if meaning.kind == Kind::Title && !coded && !is_named_alone(asked, parameter, meaning, at) {
        return None;
    }
    if let Some(score) = by_numeral_role(asked, parameter, meaning, at) {
        return Some(score);
    }
    let beside = named_beside(asked, parameter, meaning, at, coded);
    if let Some(score) = beside {
        return Some(score);
    }
    if let Some(score) = by_link(asked, meaning, at) {
        return Some(score);
    }
    if has_initials(meaning, written) && !asked.is_claimed(at, parameter, 3) {
        return Some(0.85);
    }
    if meaning.is_numeric() {
        let marked = token.text.starts_with('#') && digits(written);
        return (marked && meaning.is_required()).then_some(0.8);
    }
    if has_example_shape(meaning, written) && !asked.is_claimed(at, parameter, 3) {
        return Some(0.8);
    }
    if asked.is_claimed(at, parameter, 3) {
        return None;
    }
    unnamed(asked, meaning, at, written)
}

/// What only its place speaks for: the only code there is, or what a verb is followed by.
fn unnamed(asked: &Asked<'_>, meaning: &Meaning, at: usize, written: &str) -> Option<f32> {
    let token = asked.token(at)?;
    if asked.origin != crate::mapped::Origin::Request {
        return None;
    }
    if !meaning.is_required() {
        let filters = meaning.kind == Kind::Slug
            && meaning.listed.is_empty()
            && plain_word(token)
            && asked.is_unexplained(at);
        let needed = is_maybe_of_needed(asked);
        return (filters && !needed && !meaning.parameter.list && !steers(meaning) && narrows(asked, at))
            .then_some(0.72);
    }
    let version = written.contains('.')
        && written
            .trim_start_matches('v')
            .chars()
            .all(|c| c.is_ascii_digit() || c == '.');
    let small = written.len() < 3 && digits(written);
    let path = written.contains('/') || written.contains("://") || written.contains('@');
    // `an S3 table`: a product's name has digits too. `120, 480 on emulator-5554`: numbers beside a code are no ids.
    let product = token.text.len() < 5
        && ((token.is_capitalised() && asked.is_tool_word(token)) || asked.name.contains(&token.fold));
    let counted = digits(written)
        && (0..asked.tokens.len()).any(|other| {
            asked.is_code(other)
                && asked
                    .token(other)
                    .is_some_and(|word| word.text.chars().any(char::is_alphabetic))
        });
    let told = asked.meanings.iter().any(|other| has_initials(other, written));
    if product || counted || told || is_of_another_noun(asked, meaning, at) {
        return None;
    }
    if asked.is_code(at) && !version && !small && !path && meaning.kind != Kind::Title {
        return Some(if is_of_unsaid_owner(asked, meaning) {
            0.52
        } else {
            0.62
        });
    }
    if asked.is_code(at) && !version && !small && !path && (!creates(asked) || is_behind_thing(asked, at)) {
        return Some(if creates(asked) { 0.72 } else { 0.6 });
    }
    let plain =
        meaning.kind == Kind::Slug && plain_word(token) && asked.is_unexplained(at) && !is_relating(token);
    let rivalled =
        (0..asked.tokens.len()).any(|other| asked.is_code(other) && !asked.is_claimed(other, usize::MAX, 3));
    (plain && is_object_of_verb(asked, at)).then_some(match (meaning.parameter.list, rivalled) {
        (true, _) => 0.76,
        (false, false) => 0.62,
        // A code fits better than a word.
        (false, true) => 0.5,
    })
}

/// Whether the tool makes something new: a name there is a title and not the name of a thing.
fn creates(asked: &Asked<'_>) -> bool {
    asked.tool.contains("creat") || asked.tool.contains("add") || asked.tool.contains("renam")
}

/// Whether a parameter steers how an answer is given and says nothing about what is asked for.
fn steers(meaning: &Meaning) -> bool {
    let words = crate::words::name_words(meaning.parameter.name());
    let steering = [
        "cursor",
        "token",
        "after",
        "before",
        "offset",
        "fields",
        "expand",
        "select",
        "account",
        "sort",
        "prefix",
        "suffix",
        "pattern",
        "selector",
        "like",
        "filter",
        "tenant",
        "subscription",
        "order",
        "format",
        "locale",
        "lang",
        "include",
        "page",
        "profile",
        "context",
        "region",
    ];
    words.iter().any(|word| steering.contains(&word.as_str()))
}

/// `new channel stand-team`: a code right behind what is made, and no id of something that is there.
fn is_behind_thing(asked: &Asked<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|before| asked.token(before)) else {
        return false;
    };
    let id = asked
        .token(at)
        .is_some_and(|token| prefix(token.text).is_some_and(|_| token.text.chars().any(char::is_uppercase)));
    before.after == Break::None && before.sense.is_some() && asked.is_tool_word(before) && !id
}

/// `alerts for checkout`, `who works in engineering`: a word that narrows down what is asked for.
fn narrows(asked: &Asked<'_>, at: usize) -> bool {
    let word = |back: usize| {
        at.checked_sub(back)
            .and_then(|before| asked.token(before))
            .filter(|token| token.after == Break::None)
    };
    let linked =
        word(1).is_some_and(|token| token.is_any(&["of", "for", "von", "fur", "de", "pour", "para", "in"]));
    let sentence = asked.token(at).is_some_and(|token| token.after > Break::None)
        || asked.token(at + 1).is_none_or(|next| next.is_common());
    // `search for Brandt` says what is looked for, not where.
    // `in argo`, of the server `argocd`, says where the tool is.
    let product = asked.token(at).is_some_and(|token| {
        token.stem.len() > 3 && asked.tool.iter().any(|word| word.starts_with(&token.stem))
    });
    let sought =
        word(2).is_some_and(|token| token.is_any(&["search", "look", "suche", "such", "cherche", "busca"]));
    asked.reads && linked && sentence && !sought && !product
}

pub(crate) fn plain_word(token: &Token<'_>) -> bool {
    token.text.chars().count() > 2 && token.text.chars().all(char::is_alphanumeric)
}

/// `roll back storefront`, `releases of checkout`: right behind the verb, or behind `of`.
fn is_object_of_verb(asked: &Asked<'_>, at: usize) -> bool {
    // `mailer must be rolled back`: what something has to be done to.
    let first = asked
        .tokens
        .get(..at)
        .unwrap_or_default()
        .iter()
        .all(|token| token.is_common());
    let has_to = asked
        .token(at + 1)
        .is_some_and(|next| next.is_any(&["must", "should", "needs", "has", "muss", "soll", "doit", "debe"]));
    if first && has_to {
        return true;
    }
    let Some(before) = at.checked_sub(1).and_then(|before| asked.token(before)) else {
        return false;
    };
    let ends = asked.token(at).is_some_and(|token| token.after >= Break::Comma)
        || asked.token(at + 1).is_none_or(|next| {
            LINKS.contains(&next.fold.as_str())
                || next.is_common()
                || next.is_coded()
                || asked.hits.iter().any(|hit| hit.start == at + 1)
        });
    let particle = before.is_any(&["back", "off", "out", "up", "down"]);
    let verb = if particle {
        at.checked_sub(2).and_then(|at| asked.token(at))
    } else {
        Some(before)
    };
    let first = asked
        .tokens
        .get(..at.saturating_sub(1 + usize::from(particle)))
        .unwrap_or_default()
        .iter()
        .all(crate::words::Token::is_common);
    let behind_verb =
        first && verb.is_some_and(|verb| asked.is_tool_word(verb) && !before.is_any(&["the", "a"]));
    let behind_of = before.is_any(&["of", "von", "de", "for", "fur", "pour", "para"])
        && at
            .checked_sub(2)
            .and_then(|at| asked.token(at))
            .is_some_and(|thing| asked.is_tool_word(thing) || asked.is_opaque(&thing.range));
    before.after == Break::None && ends && (behind_verb || behind_of)
}

/// The parameter's name right before or behind a word, or as an option of a command line.
fn named_beside(
    asked: &Asked<'_>,
    parameter: usize,
    meaning: &Meaning,
    at: usize,
    coded: bool,
) -> Option<f32> {
    let token = asked.token(at)?;
    let mut best: Option<f32> = None;
    let mut raise = |score: f32| best = Some(best.map_or(score, |known: f32| known.max(score)));
    let number = digits(token.text.trim_start_matches(['#', '!']));
    for hit in asked.hits_of(parameter) {
        if is_for_the_old(asked, parameter, meaning, hit.start)
            || crate::assign::names::named_words::is_of_participle(asked, hit, at)
        {
            continue;
        }
        let before = asked.value_start(hit).filter(|(start, _)| *start == at);
        // `move page A under page B`: the second is where it goes.
        let under = before.is_some() && is_goal(asked, parameter, meaning, hit.start);
        if let Some((_, skipped)) = before
            .filter(|_| !under)
            .filter(|_| !is_of_many(asked, meaning, hit.end))
        {
            let plain =
                plain_after(asked, meaning, at, skipped) && !is_title_cue_only(asked, meaning, hit.end);
            if meaning.is_numeric() {
                if number {
                    raise(0.92 * hit.weight.max(0.85));
                }
            } else if coded || number {
                raise(0.93 * hit.weight.max(0.85));
            } else if plain {
                raise(if skipped == 0 { 0.88 } else { 0.78 } * hit.weight.max(0.85));
            }
        }
        if asked.behind_object(hit) == Some(at)
            && meaning.kind == Kind::Slug
            && (coded || plain_word(token))
            && !token.is_common()
        {
            let ends = token.after > Break::None || at + 1 == asked.tokens.len() || meaning.parameter.list;
            if ends {
                raise(0.82);
            }
        }
        let behind = hit.start == at + 1 && token.after == Break::None;
        let fits_behind = if meaning.kind == Kind::Id {
            coded && !meaning.is_numeric()
        } else {
            coded || (hit.weight > 0.9 && describes(asked, at) && !is_quality(asked, parameter, at))
        };
        let loaded = asked.is_loaded(hit)
            && asked.value_start(hit).is_some_and(|(start, skipped)| {
                asked.is_code(start) || (skipped == 0 && plain_after(asked, meaning, start, skipped))
            });
        if behind && fits_behind && !loaded && meaning.kind != Kind::Title && !meaning.is_numeric() {
            raise(0.84 * hit.weight.max(0.85));
        }
    }
    let settable = coded || (meaning.kind == Kind::Slug && plain_word(token) && !token.is_common());
    if settable && is_set_to(asked, parameter, at) {
        raise(0.84);
    }
    if let Some(score) = as_option(asked, meaning, at) {
        raise(score);
    }
    best
}

/// Whether a word tells which of many things is meant: `the incidents channel`.
fn describes(asked: &Asked<'_>, at: usize) -> bool {
    let determined = at
        .checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(|before| {
            before.after == Break::None
                && before.is_any(&[
                    "the", "in", "im", "der", "die", "den", "dem", "das", "le", "la", "el", "our", "my",
                ])
        });
    let plain = asked
        .token(at)
        .is_some_and(|token| !token.is_common() && !asked.is_tool_word(token));
    asked.is_unexplained(at) || (determined && plain)
}

/// A name that is called a title belongs to those who read titles.
fn is_title_cue_only(asked: &Asked<'_>, meaning: &Meaning, end: usize) -> bool {
    let naming = asked
        .token(end.saturating_sub(1))
        .is_some_and(|token| token.is("name") || token.is("title") || token.is("subject"));
    meaning.kind == Kind::Title && naming
}

/// `as release metrics`: one word right behind the noun that a name is of.
fn is_named_alone(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, at: usize) -> bool {
    let ends = asked.token(at).is_some_and(|token| token.after > Break::None)
        || asked
            .token(at + 1)
            .is_none_or(|next| LINKS.contains(&next.fold.as_str()) || next.is_common());
    let plain = !creates(asked)
        && asked
            .token(at)
            .is_some_and(|token| plain_word(token) && !asked.is_tool_word(token))
        && plain_after(asked, meaning, at, 0);
    ends && (asked.is_unexplained(at) || plain)
        && asked
            .hits_of(parameter)
            .any(|hit| hit.end == at && !is_title_cue_only(asked, meaning, hit.end))
}

/// Whether a plain word may be a value behind a parameter's name.
fn plain_after(asked: &Asked<'_>, meaning: &Meaning, at: usize, skipped: usize) -> bool {
    let Some(token) = asked.token(at) else {
        return false;
    };
    let about = meaning.parameter.description.to_lowercase();
    let by_name = about.contains("name") || about.contains("slug");
    // `project kiosk`: by its slug.
    let by_slug = about.contains("slug") && skipped == 0 && plain_word(token) && asked.is_unexplained(at);
    if meaning.kind == Kind::Id && !by_slug && !(by_name && token.is_capitalised()) {
        return false;
    }
    // `the service search?`: a verb that ends the clause behind its noun is a name.
    let verbal = skipped == 0
        && meaning.kind == Kind::Slug
        && asked.break_before(at) == Break::None
        && token.is_any(&["search", "book", "pay", "share", "plan", "post"])
        && (token.after > Break::None || at + 1 == asked.tokens.len())
        && at.checked_sub(2).is_some_and(|before| {
            asked
                .token(before)
                .is_some_and(|token| token.is_any(&["the", "der", "den", "dem", "of", "for", "le", "el"]))
        });
    if verbal {
        return true;
    }
    if crate::assign::names::named_words::is_name_all_the_same(asked, at, skipped) {
        return true;
    }
    if token.is_common() || !token.text.chars().any(char::is_alphabetic) || is_relating(token) {
        return false;
    }
    // `the checklist item "…"`: a noun that goes on the one before.
    let tail = token.is_any(&[
        "item",
        "items",
        "entry",
        "entries",
        "record",
        "records",
        "details",
        "info",
        "information",
        "data",
    ]) && skipped == 0
        && token.after == Break::None;
    if tail {
        return false;
    }
    let begins_next = asked
        .hits
        .iter()
        .any(|hit| hit.start == at && hit.end <= at + 1 && asked.is_loaded(hit));
    let colon = asked.break_before(at) == Break::Colon;
    // `the channel history` says what is read, not which.
    let is_thing = asked.is_tool_word(token) && token.after == Break::None && skipped > 0;
    let is_verbal = asked.is_tool_word(token) && skipped == 0 && !colon && is_compound(asked, at);
    // `her role is head gardener`: one word of several is not the value.
    let goes_on = skipped > 0 && token.after == Break::None && asked.is_unexplained(at + 1);
    let is_product = asked.is_tool_word(token) && token.is_capitalised() && !colon;
    !begins_next && !is_thing && !is_verbal && !goes_on && !is_product
}

/// Whether a tool's word goes on the thing before it: `channel messages`, `issue comments in`.
fn is_compound(asked: &Asked<'_>, at: usize) -> bool {
    let thing = asked.token(at.saturating_sub(1));
    let token = asked.token(at);
    let both_tool = thing.is_some_and(|thing| asked.is_tool_word(thing))
        && token.is_some_and(|token| token.sense.is_some());
    both_tool && !token.is_some_and(|token| token.is_capitalised() || token.text.ends_with('s'))
}

/// Whether a word belongs to a value of another kind: a date, an amount, an address, a repository.
fn is_other_value(asked: &Asked<'_>, at: usize, written: &str, meaning: &Meaning) -> bool {
    let spanned = asked.spans_at(at).any(|span| {
        matches!(
            span.what,
            What::Date(_)
                | What::Time(_)
                | What::Moment(_)
                | What::Money(..)
                | What::Percent(_)
                | What::Duration(_)
                | What::Days(..)
                | What::Email(_)
        ) && !(meaning.is_numeric() && digits(written))
    });
    let address = written.contains("://") || (written.contains('@') && written.contains('.'));
    let emoji = written.starts_with(':') && written.ends_with(':');
    spanned || address || emoji
}
