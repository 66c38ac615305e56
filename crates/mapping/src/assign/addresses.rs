//! Which addresses of a request belong where: e-mail, web, files, time zones, emoji?

pub(crate) mod marks;
pub(crate) mod paths;

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::kind::Kind;
use crate::meaning::{Meaning, Role};
use crate::span::What;
use crate::words::Token;

/// Values that their own shape tells.
pub(crate) fn addresses(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        let found = match meaning.kind {
            Kind::Email => of_spans(asked, |what| match what {
                What::Email(address) => Some(address.clone()),
                _ => None,
            }),
            Kind::Url if paths::may_be_file(meaning) => file_paths(asked),
            Kind::Url => of_spans(asked, |what| match what {
                // Of an image, a reader of addresses sees no tag.
                What::Url(address) if address.contains("://") || !marks::takes_image(meaning) => {
                    Some(address.clone())
                }
                _ => None,
            }),
            Kind::Path => file_paths(asked),
            Kind::Zone => of_tokens(asked, is_zone),
            Kind::Emoji => of_tokens(asked, is_emoji),
            Kind::Slug if takes_paths(meaning) => file_paths(asked),
            _ => continue,
        };
        candidates.extend(assigned(asked, parameter, meaning, &found));
    }
    candidates.extend(commands(asked));
    candidates
}

/// The only path of a context, for the only parameter that takes one.
pub(crate) fn folders(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut takers = (0..asked.meanings.len()).filter(|at| {
        asked
            .meanings
            .get(*at)
            .is_some_and(|meaning| meaning.kind == Kind::Path)
    });
    let (Some(parameter), None) = (takers.next(), takers.next()) else {
        return Vec::new();
    };
    let found = file_paths(asked);
    let rooted = |path: &str| path.starts_with(['/', '~']);
    match found.as_slice() {
        [one] if rooted(&one.value) => asked
            .bytes(one.start, one.end)
            .map(|range| asked.candidate(parameter, Value::String(one.value.clone()), range, 0.85))
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

/// A value with the tokens it stands at.
struct Found {
    value: String,
    start: usize,
    end: usize,
}

fn of_spans(asked: &Asked<'_>, read: impl Fn(&What) -> Option<String>) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for span in asked.spans.iter().filter(|span| !asked.is_opaque(&span.range)) {
        if let Some(value) = read(&span.what) {
            let start = asked.at_byte(span.range.start);
            let end = asked.at_byte(span.range.end).max(start + 1);
            found.push(Found { value, start, end });
        }
    }
    found
}

fn of_tokens(asked: &Asked<'_>, fits: impl Fn(&Token<'_>) -> Option<String>) -> Vec<Found> {
    asked
        .tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| !asked.is_opaque(&token.range))
        .filter_map(|(at, token)| {
            Some(Found {
                value: fits(token)?,
                start: at,
                end: at + 1,
            })
        })
        .collect()
}

/// Paths, also those that only look like one: `notes/packing.txt`, `index.html`.
fn file_paths(asked: &Asked<'_>) -> Vec<Found> {
    let mut found = of_spans(asked, |what| match what {
        What::Path(path) => Some(path.clone()),
        _ => None,
    });
    for (at, token) in asked.tokens.iter().enumerate() {
        let known = found.iter().any(|path| (path.start..path.end).contains(&at));
        let is_path = token.text.starts_with('/')
            || token.text.starts_with("./")
            || token.text.starts_with("~/")
            || has_extension(token.text);
        let other = asked
            .spans_at(at)
            .any(|span| matches!(span.what, What::Url(_) | What::Email(_) | What::Money(..)));
        if !known && is_path && !other && !asked.is_opaque(&token.range) && token.text.len() > 1 {
            found.push(Found {
                value: token.text.to_owned(),
                start: at,
                end: at + 1,
            });
        }
    }
    // `acme/web` is a repository where the tool takes one.
    let takes_repository = asked
        .meanings
        .iter()
        .any(|meaning| matches!(meaning.parameter.name(), "repo" | "repository"));
    let is_repository = |path: &str| {
        path.matches('/').count() == 1
            && !path.starts_with(['/', '.', '~'])
            && !has_extension(path)
            && !path.ends_with('/')
    };
    found.retain(|path| !(takes_repository && is_repository(&path.value)));
    let takes_branch = asked
        .meanings
        .iter()
        .any(crate::assign::names::revisions::is_branch);
    found.retain(|path| !(takes_branch && crate::assign::names::revisions::is_known(&path.value)));
    found.sort_by_key(|path| path.start);
    found
}

/// `report.txt`, `css/main.css`: letters behind the last dot, none of them a version.
fn has_extension(word: &str) -> bool {
    word.rsplit_once('.').is_some_and(|(stem, extension)| {
        let letters = extension.chars().all(|c| c.is_ascii_alphanumeric())
            && extension.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
        !stem.is_empty()
            && (1..=5).contains(&extension.len())
            && letters
            && !stem.contains('@')
            && !stem.ends_with('.')
    })
}

/// `Asia/Tokyo`, `UTC`.
fn is_zone(token: &Token<'_>) -> Option<String> {
    const AREAS: &[&str] = &[
        "Africa",
        "America",
        "Antarctica",
        "Arctic",
        "Asia",
        "Atlantic",
        "Australia",
        "Europe",
        "Indian",
        "Pacific",
        "Etc",
        "US",
    ];
    let zone = token.text.split_once('/').is_some_and(|(area, place)| {
        AREAS.contains(&area) && place.chars().next().is_some_and(char::is_uppercase)
    });
    (zone || matches!(token.text, "UTC" | "GMT")).then(|| token.text.to_owned())
}

/// `🎉` as it stands; `:tada:` by its name.
fn is_emoji(token: &Token<'_>) -> Option<String> {
    if let Some(name) = token
        .text
        .strip_prefix(':')
        .and_then(|rest| rest.strip_suffix(':'))
    {
        return (!name.is_empty()).then(|| name.to_owned());
    }
    let pictured = |c: char| matches!(u32::from(c), 0x2190..=0x2BFF | 0x1F000..=0x1FAFF | 0xFE0F | 0x200D);
    (!token.text.is_empty() && token.text.chars().all(pictured)).then(|| token.text.to_owned())
}

/// A parameter that takes any place, where the tool is about files: `source`, `destination`.
fn takes_paths(meaning: &Meaning) -> bool {
    paths::shows_paths(meaning)
        || meaning.role != Role::Plain
            && matches!(
                meaning.thing.as_deref(),
                Some("source" | "destination" | "sourc" | "dest" | "src" | "dst")
            )
}

/// Values of one kind for a parameter: all of them for a list, one by name, part or because it is alone.
fn assigned(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, found: &[Found]) -> Vec<Candidate> {
    let alike = asked
        .meanings
        .iter()
        .filter(|other| other.kind == meaning.kind)
        .count();
    let all: Vec<(&str, usize)> = found.iter().map(|one| (one.value.as_str(), one.start)).collect();
    let is_path = meaning.kind == Kind::Path || (meaning.kind == Kind::Slug && takes_paths(meaning));
    if meaning.parameter.list {
        return listed(asked, parameter, meaning, found, alike)
            .into_iter()
            .collect();
    }
    found
        .iter()
        .filter_map(|value| {
            let range = asked.bytes(value.start, value.end)?;
            let told = paths::by_spelling_or_way(asked, parameter, (&value.value, value.start), &all);
            let score = told
                .filter(|_| is_path)
                .unwrap_or_else(|| score(asked, parameter, meaning, value, (found.len(), alike)));
            (score > 0.0)
                .then(|| asked.candidate(parameter, Value::String(value.value.clone()), range, score))
        })
        .collect()
}

fn score(
    asked: &Asked<'_>,
    parameter: usize,
    meaning: &Meaning,
    value: &Found,
    (values, alike): (usize, usize),
) -> f32 {
    let named = asked
        .hits_of(parameter)
        .any(|hit| asked.value_start(hit).is_some_and(|(at, _)| at == value.start));
    let before = value.start.checked_sub(1).and_then(|at| asked.token(at));
    let to = before.is_some_and(|token| {
        token.is_any(&["to", "into", "nach", "a", "zu", "vers", "hacia", "in", "be", "at"])
    });
    let from = before.is_some_and(|token| token.is_any(&["from", "von", "de", "desde", "depuis"]));
    let is_first = asked
        .meanings
        .iter()
        .filter(|other| other.kind == meaning.kind)
        .count()
        > 1;
    // `send an e-mail to ida@…`: the word says what is sent, and the link to whom.
    let addressed =
        meaning.kind == Kind::Email && to && meaning.role != Role::To && alike_roles(asked, meaning);
    if addressed {
        return 0.2;
    }
    if named {
        return 0.95;
    }
    match meaning.role {
        Role::From if from => 0.94,
        Role::To if to => 0.94,
        Role::From if to && alike_roles(asked, meaning) => 0.2,
        Role::To if from => 0.2,
        // `move A to B`: what is moved has no link in front.
        Role::From if is_first && !to => 0.85,
        Role::To if !to && values > 1 => 0.3,
        Role::To | Role::From if alike > 1 || values > 1 => 0.6,
        Role::Plain if from && meaning.kind == Kind::Email => 0.86,
        _ if values == 1 && alike == 1 => 0.9,
        _ if values == 1 => {
            if meaning.is_required() {
                0.86
            } else {
                0.7
            }
        }
        _ => 0.6,
    }
}

fn alike_roles(asked: &Asked<'_>, meaning: &Meaning) -> bool {
    asked
        .meanings
        .iter()
        .any(|other| other.role == Role::To && other.kind == meaning.kind)
}

/// All values of a kind as one list, where one list takes them.
fn listed(
    asked: &Asked<'_>,
    parameter: usize,
    meaning: &Meaning,
    found: &[Found],
    alike: usize,
) -> Option<Candidate> {
    let named = |value: &Found| {
        asked
            .hits_of(parameter)
            .any(|hit| asked.value_start(hit).is_some_and(|(at, _)| at == value.start))
    };
    let claimed = |value: &Found| {
        asked.hits.iter().any(|hit| {
            hit.parameter != parameter && asked.value_start(hit).is_some_and(|(at, _)| at == value.start)
        }) || (meaning.kind == Kind::Path
            && value.start > 0
            && asked
                .token(value.start - 1)
                .is_some_and(|token| token.is_any(&["in", "im", "dans", "en"])))
    };
    let own: Vec<&Found> = found
        .iter()
        .filter(|value| !claimed(value) && !asked.is_ruled_out(value.start))
        .collect();
    let first = own.first()?;
    let last = own.last()?;
    let copied = asked
        .tokens
        .iter()
        .any(|token| token.is_any(&["cc", "bcc", "kopie", "copie", "copia"]));
    let is_main = matches!(meaning.parameter.name(), "to" | "recipients" | "recipient");
    let score = if own.iter().any(|value| named(value)) || (is_main && !copied) {
        0.93
    } else if alike == 1 {
        0.9
    } else if meaning.is_required() && !copied {
        0.85
    } else {
        0.3
    };
    let range = asked.bytes(first.start, last.end)?;
    let values = own
        .iter()
        .map(|value| Value::String(value.value.clone()))
        .collect();
    // What stands between the values may be another one.
    let joined = own
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if b.start <= a.end + 1));
    let mut candidate = asked.candidate(parameter, Value::Array(values), range, score);
    candidate.taking = joined;
    Some(candidate)
}

/// A command in backticks or quotes, as one text or word by word.
fn commands(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(_, meaning)| meaning.kind == Kind::Command)
    {
        for span in &asked.spans {
            let What::Quoted(text) = &span.what else { continue };
            let plain = !text.contains(['"', '\'', '\\', '|', '>', '<', ';', '&', '$']);
            let value = if meaning.parameter.list {
                if !plain {
                    continue;
                }
                Value::Array(
                    text.split_whitespace()
                        .map(|word| Value::String(word.to_owned()))
                        .collect(),
                )
            } else {
                Value::String(text.clone())
            };
            candidates.push(asked.candidate(parameter, value, span.range.clone(), 0.92));
        }
    }
    candidates
}

/// `acme/web`: the owner and the name of a repository at once.
pub(crate) fn repositories(asked: &Asked<'_>) -> Vec<Candidate> {
    const OWNERS: &[&str] = &["owner", "org", "organization", "workspace"];
    const REPOSITORIES: &[&str] = &["repo", "repository", "repoSlug", "repo_slug"];
    const PATHS: &[&str] = &[
        "project_id",
        "projectId",
        "project",
        "repo",
        "repository",
        "full_name",
        "repo_name",
    ];
    let (Some(owner), Some(repository)) = (named(asked, OWNERS), named(asked, REPOSITORIES)) else {
        return named(asked, PATHS).map_or_else(Vec::new, |parameter| project_paths(asked, parameter));
    };
    let number = asked.meanings.iter().position(|meaning| {
        meaning.kind == Kind::Id
            && meaning.is_numeric()
            && meaning.parameter.name().to_lowercase().ends_with("number")
    });
    let mut candidates = Vec::new();
    let open = || asked.tokens.iter().filter(|token| !asked.is_opaque(&token.range));
    let slashed = open().filter(|token| token.text.contains('/')).count();
    for token in open() {
        let Some((left, right, counted)) = owner_and_repository(token.text) else {
            continue;
        };
        if slashed > 1 && has_extension(right) {
            continue;
        }
        let middle = token.range.start + left.len();
        let end = middle + 1 + right.len();
        let parts = [
            (owner, left, token.range.start..middle),
            (repository, right, middle + 1..end),
        ];
        for (parameter, part, range) in parts {
            candidates.push(asked.candidate(parameter, Value::String(part.to_owned()), range, 0.93));
        }
        if let (Some(number), Ok(counted)) = (number, counted.parse::<u64>()) {
            candidates.push(asked.candidate(number, Value::from(counted), end..token.range.end, 0.92));
        }
    }
    candidates
}

/// The parameter of a text that is called one of these.
fn named(asked: &Asked<'_>, names: &[&str]) -> Option<usize> {
    asked.meanings.iter().position(|meaning| {
        let parameter = &meaning.parameter;
        names.contains(&parameter.name()) && !parameter.list && parameter.shape.string
    })
}

/// The parts of `acme/web#42`: owner, repository, and the number behind the sign.
fn owner_and_repository(word: &str) -> Option<(&str, &str, &str)> {
    let (left, rest) = word.split_once('/')?;
    let (right, counted) = rest.split_once('#').unwrap_or((rest, ""));
    let plain =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
    (plain(left) && plain(right) && !left.contains('.')).then_some((left, right, counted))
}

/// `acme/api` for a parameter that takes a project by its path.
fn project_paths(asked: &Asked<'_>, parameter: usize) -> Vec<Candidate> {
    let named = |at: usize| {
        asked
            .hits_of(parameter)
            .any(|hit| asked.value_start(hit).is_some_and(|(start, _)| start == at))
    };
    let is_path = |text: &str| {
        let mut parts = text.split('/');
        let plain = |part: &str| {
            !part.is_empty()
                && !part.contains('.')
                && part.chars().all(|c| c.is_alphanumeric() || "-_".contains(c))
        };
        parts.clone().count() >= 2 && parts.all(plain)
    };
    // `from feature/cart`: a branch where the tool takes one that comes from somewhere.
    let is_branch = |at: usize| {
        let link = at.checked_sub(1).and_then(|before| asked.token(before));
        link.is_some_and(|link| {
            asked.meanings.iter().any(|meaning| {
                meaning.parameter.name().to_lowercase().contains("branch")
                    && crate::assign::records::parts::is_link_of(meaning, link)
            })
        })
    };
    asked
        .tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| is_path(token.text) && !asked.is_opaque(&token.range))
        .filter(|(at, token)| {
            named(*at) || !(is_branch(*at) || crate::assign::names::revisions::is_known(token.text))
        })
        .map(|(at, token)| {
            asked.candidate(
                parameter,
                Value::String(token.text.to_owned()),
                token.range.clone(),
                if named(at) { 0.95 } else { 0.82 },
            )
        })
        .collect()
}
