//! Which single value does a request give without naming its parameter: the channel behind `in`, the user behind
//! `of`, what names begin with, an emoji by its word?

use serde_json::Value;

use crate::assign::addresses::marks;
use crate::assign::asked::{Asked, Candidate, LINKS};
use crate::assign::references::plain_word;
use crate::assign::shapes::{is_stamp, prefix};
use crate::kind::Kind;
use crate::mapped::Origin;
use crate::meaning::Meaning;
use crate::words::{Break, Token, name_words};

/// Places that things are in, of which a request names one behind `in`.
const PLACES: &[&str] = &[
    "channel",
    "space",
    "folder",
    "namespace",
    "workspace",
    "queue",
    "collection",
    "bucket",
    "room",
    "group",
    "board",
    "repository",
    "project",
    "notebook",
    "vault",
    "dataset",
    "schema",
    "cluster",
    "environment",
    "inbox",
    "database",
];

/// What is switched, frozen or deployed, of which a request names one behind `on`.
const RUNNING: &[&str] = &[
    "service",
    "application",
    "app",
    "deployment",
    "host",
    "server",
    "machine",
    "site",
    "device",
];

/// Words behind `in` that say how or when and name no place.
const MANNERS: &[&str] = &[
    "total",
    "general",
    "detail",
    "details",
    "bulk",
    "order",
    "case",
    "full",
    "short",
    "parallel",
    "addition",
    "advance",
    "summary",
    "chronological",
    "alphabetical",
    "ascending",
    "descending",
    "progress",
    "transit",
    "review",
    "csv",
    "json",
    "yaml",
    "html",
    "markdown",
    "text",
    "english",
    "german",
    "french",
    "spanish",
    "euros",
    "dollars",
    "usd",
    "eur",
    "celsius",
    "fahrenheit",
    "question",
    "particular",
    "production",
    "place",
    "touch",
    "mind",
    "stock",
    "hold",
    "call",
    "demand",
    "purpose",
    "time",
    "track",
    "board",
    "fire",
    "top",
    "average",
    "default",
    "weekends",
    "weekdays",
    "percent",
    "seconds",
    "bytes",
    "pixels",
    "color",
    "colour",
    "black",
    "white",
    "bold",
    "italics",
    "plain",
];

/// Formats and parts that `as` leads to and that name nothing.
const FORMATS: &[&str] = &[
    "pdf",
    "docx",
    "xlsx",
    "png",
    "svg",
    "jpg",
    "xml",
    "template",
    "backup",
    "draft",
    "copy",
    "zip",
    "image",
    "table",
    "list",
    "attachment",
    "file",
    "owner",
    "admin",
    "user",
    "root",
];

/// Whether a word says how something is done or in what format, and names nothing.
pub(crate) fn is_manner(token: &Token<'_>) -> bool {
    MANNERS.contains(&token.fold.as_str()) || FORMATS.contains(&token.fold.as_str())
}

/// Candidates of all these kinds.
pub(crate) fn narrowed(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        let single =
            meaning.parameter.shape.string && !meaning.parameter.list && meaning.parameter.only.is_none();
        if !single || asked.origin != Origin::Request {
            continue;
        }
        match meaning.kind {
            Kind::Slug if begins_names(meaning) => candidates.extend(beginnings(asked, parameter)),
            Kind::Slug if takes_patterns(meaning) => candidates.extend(patterns(asked, parameter)),
            Kind::Slug if meaning.is_required() => {
                candidates.extend(place(asked, parameter, meaning));
                candidates.extend(somebody(asked, parameter, meaning));
            }
            Kind::Id if !meaning.is_required() => {
                candidates.extend(lone_id(asked, parameter, meaning));
                candidates.extend(container(asked, parameter, meaning));
            }
            Kind::Emoji => candidates.extend(emoji_word(asked, parameter)),
            _ => {}
        }
    }
    candidates
}

/// `in support`: the one place that a tool needs, as a plain word at the end of a clause.
fn place(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let thing = meaning.thing.as_deref()?;
    let is_among = |things: &[&str]| {
        things.contains(&thing) || things.iter().any(|known| crate::words::stem(known) == thing)
    };
    let runs = is_among(RUNNING);
    let is_place =
        runs || PLACES.contains(&thing) || PLACES.iter().any(|place| crate::words::stem(place) == thing);
    let mut found = (1..asked.tokens.len()).filter(|at| {
        let (Some(link), Some(token)) = (asked.token(at - 1), asked.token(*at)) else {
            return false;
        };
        let leads: &[&str] = if runs {
            &["on", "auf", "sur"]
        } else {
            &["in", "im", "en", "dans"]
        };
        let linked = link.is_any(leads) && link.after == Break::None;
        let word =
            plain_word(token) && !token.is_capitalised() && !token.text.chars().any(|c| c.is_ascii_digit());
        linked
            && word
            && !is_manner(token)
            && asked.is_unexplained(*at)
            && asked.spans_at(*at).next().is_none()
            && ends(asked, *at)
    });
    let at = found.next().filter(|_| is_place && found.next().is_none())?;
    let token = asked.token(at)?;
    Some(asked.candidate(
        parameter,
        Value::String(token.text.to_owned()),
        token.range.clone(),
        0.64,
    ))
}

/// `put kofi into the group admins`: somebody who is brought somewhere, right behind the verb.
fn somebody(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    const BRINGING: &[&str] = &[
        "put", "add", "remove", "take", "invite", "move", "kick", "enrol", "enroll",
    ];
    let words = name_words(meaning.parameter.name());
    let person = words
        .iter()
        .any(|word| matches!(word.as_str(), "user" | "username" | "member" | "login"));
    let verb = asked.tokens.iter().position(|token| token.is_any(BRINGING))?;
    let at = verb + 1;
    let token = asked.token(at)?;
    let goes = asked
        .token(at + 1)
        .is_some_and(|next| next.is_any(&["to", "into", "from", "in", "out", "off", "as"]));
    let word = plain_word(token) && asked.is_unexplained(at) && token.after == Break::None;
    let begins = asked.tokens.iter().take(verb).all(|token| token.is_common());
    (person && goes && word && begins).then(|| {
        asked.candidate(
            parameter,
            Value::String(token.text.to_owned()),
            token.range.clone(),
            0.7,
        )
    })
}

/// Whether a clause ends behind a word, or a link goes on.
fn ends(asked: &Asked<'_>, at: usize) -> bool {
    asked.token(at).is_some_and(|token| token.after > Break::None)
        || asked
            .token(at + 1)
            .is_none_or(|next| LINKS.contains(&next.fold.as_str()) || next.is_common())
}

/// Links to somebody.
const TO: &[&str] = &["to", "an", "a"];

/// `the profile of U4af4980629`: the only id of a request for the only parameter that takes one, where what it is of
/// is the tool's own thing.
fn lone_id(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let steering = [
        "token",
        "cursor",
        "parent",
        "client",
        "tenant",
        "subscription",
        "account",
        "request",
        "session",
    ];
    let words = name_words(meaning.parameter.name());
    let rivals = asked
        .meanings
        .iter()
        .filter(|other| other.kind.is_reference() && !is_steering(other))
        .count();
    if meaning.is_numeric() || rivals != 1 || words.iter().any(|word| steering.contains(&word.as_str())) {
        return None;
    }
    let mut codes = (0..asked.tokens.len()).filter(|at| is_key(asked, *at));
    let at = codes.next().filter(|_| codes.next().is_none())?;
    let token = asked.token(at)?;
    if marks::form(token.text).is_some() || is_stamp(token.text) {
        return None;
    }
    let link = asked.token(at.checked_sub(1)?).filter(|link| {
        link.after == Break::None
            && (link.is_any(TO) || link.is_any(&["of", "for", "von", "de", "fur", "pour", "para"]))
    })?;
    let noun = asked.token(at.checked_sub(2)?)?;
    // `send it to U4af4980629`
    let of_person = meaning
        .thing
        .as_deref()
        .is_some_and(|thing| matches!(thing, "user" | "person" | "recipient" | "member"));
    if link.is_any(TO) {
        return of_person.then(|| {
            asked.candidate(
                parameter,
                Value::String(token.text.to_owned()),
                token.range.clone(),
                0.74,
            )
        });
    }
    (noun.after == Break::None && asked.is_tool_word(noun)).then(|| {
        asked.candidate(
            parameter,
            Value::String(token.text.to_owned()),
            token.range.clone(),
            0.74,
        )
    })
}

/// `create the folder Invoices in 0BxYz_99`: a key behind `in` is that of the folder or parent that takes one.
fn container(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let holds = |meaning: &Meaning| {
        meaning.kind == Kind::Id
            && name_words(meaning.parameter.name())
                .iter()
                .any(|word| matches!(word.as_str(), "parent" | "folder" | "directory"))
    };
    let rivals = asked.meanings.iter().filter(|other| holds(other)).count();
    let mut places = (1..asked.tokens.len()).filter(|at| {
        is_key(asked, *at)
            && ends(asked, *at)
            && asked.token(at - 1).is_some_and(|link| {
                link.after == Break::None && link.is_any(&["in", "into", "under", "im", "dans", "en"])
            })
    });
    let at = places.next().filter(|_| places.next().is_none())?;
    let token = asked.token(at)?;
    (holds(meaning) && rivals == 1 && marks::form(token.text).is_none() && prefix(token.text).is_none()).then(
        || {
            asked.candidate(
                parameter,
                Value::String(token.text.to_owned()),
                token.range.clone(),
                0.74,
            )
        },
    )
}

/// Parameters that say how an answer is given.
fn is_steering(meaning: &Meaning) -> bool {
    name_words(meaning.parameter.name()).iter().any(|word| {
        matches!(
            word.as_str(),
            "cursor"
                | "token"
                | "sort"
                | "order"
                | "format"
                | "locale"
                | "lang"
                | "language"
                | "fields"
                | "expand"
        )
    })
}

/// Letters and digits in one word: no name that a person would choose.
fn is_key(asked: &Asked<'_>, at: usize) -> bool {
    asked.token(at).is_some_and(|token| {
        let digits = token.text.chars().filter(char::is_ascii_digit).count();
        let letters = token.text.chars().any(char::is_alphabetic);
        let spelled = token
            .text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        asked.is_code(at)
            && spelled
            && letters
            && (digits >= 2 || prefix(token.text).is_some())
            && !asked.is_opaque(&token.range)
    })
}

/// Whether a parameter takes what names begin with.
fn begins_names(meaning: &Meaning) -> bool {
    let words = name_words(meaning.parameter.name());
    words.iter().any(|word| word == "prefix")
}

/// Whether a parameter takes a pattern of names.
fn takes_patterns(meaning: &Meaning) -> bool {
    let named = name_words(meaning.parameter.name())
        .iter()
        .any(|word| word == "pattern");
    named || meaning.parameter.description.to_lowercase().contains(" pattern")
}

/// `matching logs-*`: a word with a star in it.
fn patterns(asked: &Asked<'_>, parameter: usize) -> Vec<Candidate> {
    (1..asked.tokens.len())
        .filter_map(|at| {
            let token = asked.token(at).filter(|token| {
                let letters = token.text.chars().any(char::is_alphanumeric);
                token.text.contains('*')
                    && letters
                    && !token.text.contains('/')
                    && !asked.is_opaque(&token.range)
            })?;
            let verb = asked.token(at - 1).filter(|verb| verb.after == Break::None)?;
            verb.is_any(&[
                "matching", "like", "match", "matches", "pattern", "passend", "comme",
            ])
            .then(|| {
                asked.candidate(
                    parameter,
                    Value::String(token.text.to_owned()),
                    token.range.clone(),
                    0.88,
                )
            })
        })
        .collect()
}

/// `starting with /aws/lambda/orders-`, `with the prefix tmp_`.
fn beginnings(asked: &Asked<'_>, parameter: usize) -> Vec<Candidate> {
    const STARTING: &[&str] = &[
        "starting",
        "starts",
        "start",
        "beginning",
        "begins",
        "begin",
        "prefixed",
        "prefix",
        "beginnen",
        "beginnend",
        "anfangen",
        "commencant",
        "commencent",
        "empiezan",
        "empiecen",
        "comienzan",
    ];
    let mut candidates = Vec::new();
    for at in 0..asked.tokens.len() {
        let Some(word) = asked
            .token(at)
            .filter(|word| word.is_any(STARTING) && word.after == Break::None)
        else {
            continue;
        };
        let linked = asked.token(at + 1).is_some_and(|link| {
            link.is_any(&["with", "by", "mit", "par", "con", "por"]) && link.after == Break::None
        });
        let own = word.is_any(&["prefix", "prefixed"]);
        if !linked && !own {
            continue;
        }
        let first = at + 1 + usize::from(linked);
        if let Some((span, text)) = asked.quoted_at(first) {
            candidates.push(asked.candidate(
                parameter,
                Value::String(text.to_owned()),
                span.range.clone(),
                0.94,
            ));
        } else if let Some(token) = asked.token(first).filter(|token| !token.is_common()) {
            candidates.push(asked.candidate(
                parameter,
                Value::String(token.text.to_owned()),
                token.range.clone(),
                0.92,
            ));
        }
    }
    candidates
}

/// `add a tada reaction`, `react with thumbsup`: an emoji by its name, right before or behind what it is called by.
fn emoji_word(asked: &Asked<'_>, parameter: usize) -> Vec<Candidate> {
    let named = |at: usize| {
        asked
            .token(at)
            .is_some_and(|token| token.is_any(&["reaction", "emoji", "reaktion", "reaccion"]))
    };
    let word = |token: &Token<'_>| {
        token.text.chars().count() > 1
            && token
                .text
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_+-".contains(c))
    };
    (1..asked.tokens.len())
        .filter_map(|at| {
            let token = asked
                .token(at)
                .filter(|token| word(token) && asked.is_unexplained(at))?;
            let before = asked.token(at - 1).filter(|before| before.after == Break::None)?;
            let article = before.is_any(&["a", "an", "the", "eine", "une", "una", "my"]);
            let as_noun = article && token.after == Break::None && named(at + 1);
            let reacted = before.is_any(&["with", "mit", "avec", "con"])
                && at
                    .checked_sub(2)
                    .and_then(|at| asked.token(at))
                    .is_some_and(|verb| {
                        verb.is_any(&["react", "reacts", "reagiere", "reagier", "reagis", "reacciona"])
                    })
                && ends(asked, at);
            (as_noun || reacted).then(|| {
                asked.candidate(
                    parameter,
                    Value::String(token.text.to_owned()),
                    token.range.clone(),
                    0.86,
                )
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::assign::rows;

    fn read(text: &str, words: &str, names: &[&str], required: &[&str]) -> Value {
        rows::read(text, words, &rows::named(names, required))
    }

    /// P19: what only its place in the sentence speaks for is read where nothing else can be meant.
    #[test]
    fn p19_lone_values_are_read_by_their_place() {
        let channel = (
            "read_channel Read the latest messages of a channel",
            &["channel"][..],
            &["channel"][..],
        );
        let profile = ("get_profile Get the profile of a user", &["userId"][..], &[][..]);
        let traces = (
            "get_errors Get the errors of a project",
            &["projectId"][..],
            &[][..],
        );
        let groups = (
            "list_groups List log groups",
            &["log_group_name_prefix"][..],
            &[][..],
        );
        let react = (
            "add_reaction Add a reaction to a message",
            &["reaction"][..],
            &["reaction"][..],
        );
        for (text, (words, names, required), expected) in [
            (
                "Read the messages in support",
                channel,
                json!({"channel": "support"}),
            ),
            ("Read the messages in full", channel, json!({})),
            ("Read the messages in German", channel, json!({})),
            (
                "Show the profile of U4af4980629",
                profile,
                json!({"userId": "U4af4980629"}),
            ),
            ("Show the profile", profile, json!({})),
            ("Show the errors of trace 9d4c77a1", traces, json!({})),
            (
                "log groups starting with /aws/lambda/orders-, please",
                groups,
                json!({"log_group_name_prefix": "/aws/lambda/orders-"}),
            ),
            ("start with the log groups", groups, json!({})),
            ("Add a tada reaction", react, json!({"reaction": "tada"})),
            ("Add a reaction", react, json!({})),
        ] {
            assert_eq!(read(text, words, names, required), expected, "{text}");
        }
    }
}
