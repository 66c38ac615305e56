//! Which words name a parameter only as long as no other parameter bears them?

use super::{Meaning, sense_of};
use crate::words::name_words;

/// A noun of a description is no cue where another parameter bears it in its name.
pub(super) fn named_by_others(all: &mut [Meaning]) {
    let named: Vec<(usize, String)> = all
        .iter()
        .enumerate()
        .filter(|(_, meaning)| !meaning.is_generic)
        .filter_map(|(at, meaning)| Some((at, meaning.thing.clone()?)))
        .collect();
    let names: Vec<Vec<String>> = all
        .iter()
        .map(|meaning| {
            name_words(meaning.parameter.name())
                .iter()
                .map(|word| sense_of(word))
                .collect()
        })
        .collect();
    for (at, meaning) in all.iter_mut().enumerate() {
        let own = names.get(at).cloned().unwrap_or_default();
        // Nor is another word for its name: `label` for the tags beside a `label`.
        meaning.cues.retain(|cue| {
            let borne = |other: &Vec<String>| other.len() == 1 && *other == cue.phrase;
            let foreign = !cue.phrase.iter().any(|word| own.contains(word));
            cue.weight > 0.8 || !foreign || !names.iter().any(borne)
        });
        meaning.cues.retain(|cue| {
            let taken = named
                .iter()
                .any(|(other, thing)| *other != at && cue.phrase == [thing.as_str()]);
            cue.weight > 0.78 || !taken
        });
    }
}
