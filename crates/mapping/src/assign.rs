//! Which value goes to which parameter?

pub(crate) mod addresses;
pub(crate) mod asked;
pub(crate) mod choices;
pub(crate) mod context;
pub(crate) mod flags;
pub(crate) mod names;
pub(crate) mod numbers;
pub(crate) mod records;
pub(crate) mod references;
#[cfg(test)]
pub(crate) mod rows;
pub(crate) mod shapes;
pub(crate) mod solve;
pub(crate) mod texts;
pub(crate) mod times;

use asked::{Asked, Candidate, touches};

use crate::kind::Kind;

/// Everything that the request itself says for any parameter. Texts that stand for themselves are closed first.
pub(crate) fn candidates(asked: &mut Asked<'_>) -> Vec<Candidate> {
    let mut candidates = texts::formal::literals(asked);
    candidates.extend(texts::tails::tails(asked));
    let asked = &*asked;
    candidates.extend(texts::replacing::replaced(asked));
    candidates.extend(texts::marked_texts(asked));
    candidates.extend(texts::reasons::reasons(asked));
    candidates.extend(addresses::repositories(asked));
    candidates.extend(addresses::addresses(asked));
    candidates.extend(addresses::marks::marks(asked));
    candidates.extend(names::twins::twins(asked));
    candidates.extend(names::revisions::revisions(asked));
    candidates.extend(names::narrowed::narrowed(asked));
    candidates.extend(names::renames::renames(asked));
    candidates.extend(names::typed::typed(asked));
    candidates.extend(references::references(asked));
    candidates.extend(times::times(asked));
    candidates.extend(numbers::numbers(asked));
    let said = choices::choices(asked);
    candidates.extend(choices::operations::operations(asked, &said));
    candidates.extend(choices::verb_states::verb_states(asked, &said));
    candidates.extend(said);
    candidates.extend(times::windows::windows(asked));
    candidates.extend(choices::locales::locales(asked));
    candidates.extend(choices::orders::orders(asked));
    candidates.extend(flags::flags(asked));
    candidates.extend(names::names(asked));
    candidates.extend(names::named_words::named_as(asked));
    candidates.extend(records::records(asked));
    let lookbacks = times::lookback::lookback(asked);
    candidates.retain(|candidate| !times::lookback::is_of_lookback(asked, candidate, &lookbacks));
    candidates.extend(lookbacks);
    candidates.extend(numbers::ordered::ordered(asked));
    numbers::offsets::offsets(asked, &mut candidates);
    numbers::offsets::limits_alone(asked, &mut candidates);
    times::date_families::of_what_is_said(asked, &mut candidates);
    times::windows::windows_alone(asked, &mut candidates);
    settle(&mut candidates, numbers::points::points(asked));
    settle(&mut candidates, times::schedules::schedules(asked));
    settle(&mut candidates, records::exclusions::exclusions(asked));
    candidates.extend(numbers::changes::changes(asked));
    settle(&mut candidates, numbers::pairs::parts_of_all(asked));
    candidates.extend(records::lists::number_lists(asked));
    candidates.extend(records::lists::spoken_lists(asked));
    settle(
        &mut candidates,
        records::conditions::conditions(asked).into_iter().collect(),
    );
    settle(&mut candidates, names::copies::copies(asked));
    candidates.extend(names::title_ends::selectors(asked));
    let rivals = texts::quote_owners::rivals(asked, &candidates);
    candidates.retain(|candidate| rivals.contains(&candidate.range) || !is_ruled_out(asked, candidate));
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
    if addresses::marks::is_misspelled(meaning, &candidate.value) {
        return true;
    }
    // An id has no blanks.
    if meaning.kind == Kind::Id && candidate.value.as_str().is_some_and(|id| id.trim().contains(' ')) {
        return !meaning.parameter.description.to_lowercase().contains("name");
    }
    let denies_itself = matches!(meaning.kind, Kind::Flag | Kind::Choice) || meaning.kind.is_text();
    !denies_itself && asked.is_ruled_out(asked.at_byte(candidate.range.start))
}
