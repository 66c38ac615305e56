//! Which value goes to which parameter?

pub(crate) mod addresses;
pub(crate) mod asked;
pub(crate) mod choices;
pub(crate) mod context;
pub(crate) mod enumeration;
pub(crate) mod flags;
pub(crate) mod names;
pub(crate) mod numbers;
pub(crate) mod parts;
pub(crate) mod records;
pub(crate) mod references;
pub(crate) mod shapes;
pub(crate) mod solve;
pub(crate) mod tails;
pub(crate) mod texts;
pub(crate) mod times;
pub(crate) mod titles;
pub(crate) mod whens;
pub(crate) mod written_times;

use asked::{Asked, Candidate};

use crate::kind::Kind;

/// Everything that the request itself says for any parameter. Texts that stand for themselves are closed first.
pub(crate) fn candidates(asked: &mut Asked<'_>) -> Vec<Candidate> {
    let mut candidates = tails::tails(asked);
    let asked = &*asked;
    candidates.extend(texts::replaced(asked));
    candidates.extend(texts::marked_texts(asked));
    candidates.extend(addresses::repositories(asked));
    candidates.extend(addresses::addresses(asked));
    candidates.extend(references::references(asked));
    candidates.extend(times::times(asked));
    candidates.extend(numbers::numbers(asked));
    candidates.extend(choices::choices(asked));
    candidates.extend(flags::flags(asked));
    candidates.extend(names::names(asked));
    candidates.extend(records::records(asked));
    candidates.retain(|candidate| !is_ruled_out(asked, candidate));
    candidates
}

/// `not INV-2042`, `instead of ravi`: a value that the request names only to rule it out. Flags and choices see to
/// their denials themselves, and texts are taken as they are.
fn is_ruled_out(asked: &Asked<'_>, candidate: &Candidate) -> bool {
    let Some(meaning) = asked.meanings.get(candidate.parameter) else {
        return true;
    };
    let denies_itself = matches!(meaning.kind, Kind::Flag | Kind::Choice) || meaning.kind.is_text();
    !denies_itself && asked.is_ruled_out(asked.at_byte(candidate.range.start))
}
