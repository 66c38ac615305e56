//! Of several spans of time that a tool takes, which one does a request mean: when things were created, or when they
//! are due?
//!
//! `createdSince` and `createdUntil` bound one thing, `dueSince` and `dueUntil` another. A time goes to the one whose
//! word stands with it; where none is said, to the span that is of no special thing, or to none.

use crate::assign::asked::{Asked, Candidate};
use crate::kind::Kind;
use crate::mapped::Origin;
use crate::meaning::{Meaning, Role};
use crate::words::{Break, name_words, stem};

/// Words of a name that say which end of a span it is, whatever is spanned.
const ENDS: &[&str] = &[
    "since", "until", "till", "after", "before", "from", "to", "min", "max", "gte", "lte", "gt", "lt",
];

/// Words that say which end it is where no word of [`ENDS`] does: `start_date`.
const OUTER: &[&str] = &["start", "end", "begin", "starting", "ending", "starts", "ends"];

/// Words of a name that say that it is a time.
const SMALL: &[&str] = &[
    "date",
    "time",
    "at",
    "on",
    "day",
    "timestamp",
    "datetime",
    "ts",
    "iso",
    "by",
    "is",
    "was",
];

/// What may be spanned, and how people say it.
const SPANNED: &[(&[&str], &[&str])] = &[
    (
        &["created", "creation", "create", "opened", "added"],
        &[
            "created", "opened", "added", "made", "new", "creation", "reported", "filed", "erstellt",
            "angelegt", "crees", "creees", "cree", "creados", "creadas", "started",
        ],
    ),
    (
        &["updated", "update", "modified", "changed", "modification"],
        &[
            "updated",
            "modified",
            "changed",
            "edited",
            "touched",
            "update",
            "geandert",
            "modifies",
            "actualizados",
        ],
    ),
    (
        &["due", "deadline"],
        &["due", "deadline", "fallig", "overdue", "vencen", "echeance"],
    ),
    (
        &[
            "closed",
            "resolved",
            "completed",
            "finished",
            "done",
            "resolution",
            "completion",
        ],
        &[
            "closed",
            "resolved",
            "completed",
            "finished",
            "done",
            "solved",
            "fixed",
            "geschlossen",
            "erledigt",
        ],
    ),
    (&["merged"], &["merged"]),
    (&["published", "publish"], &["published", "released"]),
    (
        &["start", "started", "begin"],
        &[
            "start",
            "starts",
            "starting",
            "started",
            "begin",
            "begins",
            "beginning",
        ],
    ),
    (
        &["end", "ended", "finish"],
        &["end", "ends", "ending", "ended", "finish"],
    ),
    (
        &["expires", "expiry", "expiration", "expire"],
        &["expire", "expires", "expiring", "expiration", "expired"],
    ),
    (&["sent", "send"], &["sent"]),
    (&["received"], &["received"]),
    (&["deployed", "deployment"], &["deployed", "released"]),
];

/// What a parameter's time is of: empty where its name says nothing of it.
fn family(meaning: &Meaning) -> Option<Vec<String>> {
    let timely = matches!(meaning.kind, Kind::Date | Kind::Moment(_));
    if !timely || meaning.parameter.list || !matches!(meaning.role, Role::From | Role::To) {
        return None;
    }
    let words = name_words(meaning.parameter.name());
    let ended = words.iter().any(|word| ENDS.contains(&word.as_str()));
    Some(
        words
            .into_iter()
            .filter(|word| !SMALL.contains(&word.as_str()))
            .filter(|word| {
                let end = if ended { ENDS } else { OUTER };
                !end.contains(&word.as_str())
            })
            .collect(),
    )
}

/// Whether another parameter takes the other end of a parameter's span.
pub(crate) fn has_twin(asked: &Asked<'_>, parameter: usize) -> bool {
    let Some(own) = asked.meanings.get(parameter) else {
        return false;
    };
    let spanned = family(own);
    spanned.is_some()
        && asked
            .meanings
            .iter()
            .any(|other| other.role != own.role && family(other) == spanned)
}

/// Whether a word says what a span is of.
fn says(word: &str, family: &[String]) -> bool {
    family.iter().any(|own| {
        own == word
            || stem(own) == stem(word)
            || SPANNED
                .iter()
                .any(|(names, said)| names.contains(&own.as_str()) && said.contains(&word))
    })
}

/// Leaves the times that are of what is said, where a tool takes several spans.
pub(crate) fn of_what_is_said(asked: &Asked<'_>, candidates: &mut Vec<Candidate>) {
    let families: Vec<Option<Vec<String>>> = asked.meanings.iter().map(family).collect();
    let mut kinds: Vec<&Vec<String>> = families.iter().flatten().collect();
    kinds.sort();
    kinds.dedup();
    // One family says nothing of others.
    let spans = kinds
        .iter()
        .filter(|kind| {
            let ends = |role: Role| {
                asked
                    .meanings
                    .iter()
                    .zip(&families)
                    .any(|(meaning, own)| own.as_ref() == Some(**kind) && meaning.role == role)
            };
            ends(Role::From) || ends(Role::To)
        })
        .count();
    if spans < 2 {
        return;
    }
    let plain = kinds.iter().any(|kind| kind.is_empty());
    candidates.retain_mut(|candidate| {
        let Some(Some(own)) = families.get(candidate.parameter) else {
            return true;
        };
        if candidate.origin != Origin::Request || candidate.score < 0.7 {
            return true;
        }
        match said_before(asked, asked.at_byte(candidate.range.start), &kinds) {
            Some(said) => said.contains(&own),
            None if plain => own.is_empty(),
            None => {
                // Which of the spans is meant is not said.
                candidate.score = candidate.score.min(0.8);
                candidate.taking = true;
                true
            }
        }
    });
}

/// What the nearest word in front of a time says that it is of.
fn said_before<'k>(asked: &Asked<'_>, at: usize, kinds: &[&'k Vec<String>]) -> Option<Vec<&'k Vec<String>>> {
    let mut place = at;
    for _ in 0..8 {
        place = place.checked_sub(1)?;
        let token = asked.token(place).filter(|token| token.after < Break::Stop)?;
        let fitting: Vec<&Vec<String>> = kinds
            .iter()
            .copied()
            .filter(|kind| says(&token.fold, kind))
            .collect();
        if !fitting.is_empty() {
            return Some(fitting);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::assign::rows::check;

    /// P19: of several spans the one is meant whose word is said.
    #[test]
    fn p19_spans_of_what_is_said() {
        let day = |about: &str| json!({"type": "string", "description": format!("{about} (yyyy-MM-dd)")});
        let schema = json!({"properties": {
            "startDateSince": day("Start date since"), "startDateUntil": day("Start date until"),
            "dueDateSince": day("Due date since"), "dueDateUntil": day("Due date until"),
            "createdSince": day("Created since"), "createdUntil": day("Created until"),
        }});
        check(
            "count_issues Count issues",
            &schema,
            &[
                (
                    "How many issues are due between 2026-12-01 and 2026-12-31?",
                    json!({"dueDateSince": "2026-12-01", "dueDateUntil": "2026-12-31"}),
                ),
                (
                    "How many issues are due by 2026-12-31?",
                    json!({"dueDateUntil": "2026-12-31"}),
                ),
                (
                    "issues due before 2026-12-31",
                    json!({"dueDateUntil": "2026-12-31"}),
                ),
                (
                    "issues created since 2026-11-01",
                    json!({"createdSince": "2026-11-01"}),
                ),
                (
                    "issues created after 2026-11-01",
                    json!({"createdSince": "2026-11-01"}),
                ),
                (
                    "issues opened between 2026-11-01 and 2026-11-15",
                    json!({"createdSince": "2026-11-01", "createdUntil": "2026-11-15"}),
                ),
                (
                    "issues starting from 2026-11-01 to 2026-11-15",
                    json!({"startDateSince": "2026-11-01", "startDateUntil": "2026-11-15"}),
                ),
                ("How many issues between 2026-12-01 and 2026-12-31?", json!({})),
            ],
        );
        let plain = json!({"properties": {
            "start_date": day("First day"), "end_date": day("Last day"),
            "updated_after": day("Changed after"),
        }});
        check(
            "list_events List events",
            &plain,
            &[
                (
                    "events from 2026-12-01 to 2026-12-31",
                    json!({"start_date": "2026-12-01", "end_date": "2026-12-31"}),
                ),
                (
                    "events updated after 2026-11-01",
                    json!({"updated_after": "2026-11-01"}),
                ),
            ],
        );
    }

    /// P20: a description that shows mere days takes a day as it is said.
    #[test]
    fn p20_days_for_moments() {
        let about =
            "Start timestamp. Accepts ISO 8601 ('2024-01-15T14:30:25') or absolute dates (e.g. '2024-01-15')";
        let schema = json!({"properties": {"start_timestamp": {"type": "string", "description": about}}});
        check(
            "git_log Show the log",
            &schema,
            &[
                ("log since 2026-11-01", json!({"start_timestamp": "2026-11-01"})),
                (
                    "log since 2026-11-01T08:00:00Z",
                    json!({"start_timestamp": "2026-11-01T08:00:00Z"}),
                ),
            ],
        );
    }
}
