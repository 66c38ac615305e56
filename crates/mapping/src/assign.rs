//! Which value goes to which parameter?

pub(crate) mod addresses;
pub(crate) mod asked;
pub(crate) mod bounds;
pub(crate) mod changes;
mod choice_signs;
pub(crate) mod choices;
pub(crate) mod claims;
pub(crate) mod colons;
pub(crate) mod context;
pub(crate) mod enumeration;
pub(crate) mod flags;
pub(crate) mod formal;
pub(crate) mod glosses;
pub(crate) mod labelled_numbers;
pub(crate) mod likeness;
pub(crate) mod limits;
pub(crate) mod lists;
pub(crate) mod locales;
pub(crate) mod long_names;
pub(crate) mod lookback;
pub(crate) mod marks;
pub(crate) mod measures;
pub(crate) mod names;
pub(crate) mod narrowed;
pub(crate) mod numbers;
pub(crate) mod operations;
pub(crate) mod orders;
pub(crate) mod pairs;
pub(crate) mod parts;
pub(crate) mod paths;
pub(crate) mod people;
pub(crate) mod phrases;
pub(crate) mod points;
pub(crate) mod queries;
pub(crate) mod query_ends;
pub(crate) mod questions;
pub(crate) mod reasons;
pub(crate) mod records;
pub(crate) mod references;
pub(crate) mod renames;
pub(crate) mod replacing;
pub(crate) mod revisions;
#[cfg(test)]
pub(crate) mod rows;
pub(crate) mod schedules;
pub(crate) mod settings;
pub(crate) mod shapes;
pub(crate) mod solve;
pub(crate) mod switches;
pub(crate) mod tails;
pub(crate) mod texts;
pub(crate) mod times;
pub(crate) mod titles;
pub(crate) mod twins;
pub(crate) mod typed;
pub(crate) mod whens;
pub(crate) mod windows;
pub(crate) mod written_times;

use asked::{Asked, Candidate, touches};

use crate::kind::Kind;

/// Everything that the request itself says for any parameter. Texts that stand for themselves are closed first.
pub(crate) fn candidates(asked: &mut Asked<'_>) -> Vec<Candidate> {
    let mut candidates = formal::literals(asked);
    candidates.extend(tails::tails(asked));
    let asked = &*asked;
    candidates.extend(replacing::replaced(asked));
    candidates.extend(texts::marked_texts(asked));
    candidates.extend(reasons::reasons(asked));
    candidates.extend(addresses::repositories(asked));
    candidates.extend(addresses::addresses(asked));
    candidates.extend(marks::marks(asked));
    candidates.extend(twins::twins(asked));
    candidates.extend(revisions::revisions(asked));
    candidates.extend(narrowed::narrowed(asked));
    candidates.extend(renames::renames(asked));
    candidates.extend(typed::typed(asked));
    candidates.extend(references::references(asked));
    candidates.extend(times::times(asked));
    candidates.extend(numbers::numbers(asked));
    let said = choices::choices(asked);
    candidates.extend(operations::operations(asked, &said));
    candidates.extend(said);
    candidates.extend(windows::windows(asked));
    candidates.extend(locales::locales(asked));
    candidates.extend(orders::orders(asked));
    candidates.extend(flags::flags(asked));
    candidates.extend(names::names(asked));
    candidates.extend(records::records(asked));
    let lookbacks = lookback::lookback(asked);
    candidates.retain(|candidate| !lookback::is_of_lookback(asked, candidate, &lookbacks));
    candidates.extend(lookbacks);
    settle(&mut candidates, points::points(asked));
    settle(&mut candidates, schedules::schedules(asked));
    candidates.extend(changes::changes(asked));
    settle(&mut candidates, pairs::parts_of_all(asked));
    candidates.extend(lists::number_lists(asked));
    candidates.extend(lists::spoken_lists(asked));
    candidates.retain(|candidate| !is_ruled_out(asked, candidate));
    candidates
}

/// Words whose place is settled are nothing else.
fn settle(candidates: &mut Vec<Candidate>, settled: Vec<Candidate>) {
    candidates.retain(|candidate| {
        !settled
            .iter()
            .any(|other| candidate.taking && touches(&other.range, &candidate.range))
    });
    candidates.extend(settled);
}

/// `not INV-2042`, `instead of ravi`: a value that the request names only to rule it out. Flags and choices see to
/// their denials themselves, and texts are taken as they are.
fn is_ruled_out(asked: &Asked<'_>, candidate: &Candidate) -> bool {
    let Some(meaning) = asked.meanings.get(candidate.parameter) else {
        return true;
    };
    if marks::is_misspelled(meaning, &candidate.value) {
        return true;
    }
    // An id has no blanks.
    if meaning.kind == Kind::Id && candidate.value.as_str().is_some_and(|id| id.trim().contains(' ')) {
        return !meaning.parameter.description.to_lowercase().contains("name");
    }
    let denies_itself = matches!(meaning.kind, Kind::Flag | Kind::Choice) || meaning.kind.is_text();
    !denies_itself && asked.is_ruled_out(asked.at_byte(candidate.range.start))
}
