//! By which words does the message describe a thing that the conversation has not heard of?

use super::anaphora::{is_anaphor, is_possessive};
use super::names::plain;
use super::seen::Seen;
use crate::reading::clause::{Clause, Heard, Kind};
use crate::reading::leaning;
use crate::reading::lexicon::{Class, Classes, Language};
use crate::reading::tokens::{Mark, Token};

/// Words by which the message describes a thing that the conversation has not heard of: "the care sheet of the blue
/// hydrangea". Whether one of them is only a word of the trade, the catalog knows.
pub fn described(heard: &Heard<'_>, seen: &Seen) -> Vec<String> {
    if heard.language != Language::English {
        return Vec::new();
    }
    let mut words = Vec::new();
    for clause in heard.content() {
        let of_clause = described_in(heard, clause, seen);
        let points = (clause.core..clause.end)
            .any(|at| is_anaphor(heard, clause, at) && !is_possessive(heard, clause, at));
        // What is described first is what a pronoun after it stands for.
        if points && words.is_empty() && of_clause.is_empty() {
            break;
        }
        if points && !of_clause.is_empty() && words.is_empty() && anaphor_leads(heard, clause, &of_clause) {
            break;
        }
        words.extend(of_clause);
    }
    words
}

fn anaphor_leads(heard: &Heard<'_>, clause: &Clause, described: &[String]) -> bool {
    let first = (clause.core..clause.end).find(|&at| described.contains(&heard.tokens[at].folded));
    (clause.core..clause.end)
        .take_while(|at| Some(*at) != first)
        .any(|at| is_anaphor(heard, clause, at) && !is_possessive(heard, clause, at))
}

fn described_in(heard: &Heard<'_>, clause: &Clause, seen: &Seen) -> Vec<String> {
    const TIES: Classes = Classes::of(&[Class::About, Class::Prep]);
    const BETWEEN: Classes = Classes::of(&[Class::Det]);
    const ENDS: Classes = Classes::of(&[
        Class::Finite,
        Class::Subject,
        Class::If,
        Class::Verb,
        Class::Function,
    ]);
    let bare = matches!(clause.kind, Kind::Fragment | Kind::Repeat)
        || clause.kind == Kind::Ask && !leaning::opens_question(heard, clause);
    let asks = matches!(clause.kind, Kind::Ask | Kind::Look);
    let joined = clause.lead.has(Class::Join) || clause.kind == Kind::Repeat;
    if !(asks || bare && (joined || clause.mark == Mark::Question)) {
        return Vec::new();
    }
    let mut words = Vec::new();
    // Whether what stands here belongs to a phrase that says which thing is meant.
    let mut tells = bare;
    for at in clause.core..clause.end {
        let token = &heard.tokens[at];
        let classes = token.classes();
        let definite = matches!(token.folded.as_str(), "the" | "my" | "our");
        let counted = at > clause.core && matches!(token.folded.as_str(), "many");
        if classes.meets(TIES) || definite || counted || classes.has(Class::Title) {
            tells = true;
            continue;
        }
        if matches!(token.folded.as_str(), "a" | "an" | "another") {
            tells = false;
            continue;
        }
        if bare && classes.meets(BETWEEN) {
            continue;
        }
        if tells && !words.is_empty() && at > clause.core && is_anaphor(heard, clause, at) {
            break;
        }
        if classes.meets(ENDS) {
            tells = bare && tells;
            continue;
        }
        if tells && is_unheard(token, seen) {
            words.push(token.folded.clone());
        }
    }
    words
}

/// Whether a word says something of its own and was never said.
fn is_unheard(token: &Token<'_>, seen: &Seen) -> bool {
    let letters = token.written.chars().filter(|c| c.is_alphabetic()).count();
    let is_word = letters
        == token
            .written
            .trim_end_matches("'s")
            .trim_end_matches("’s")
            .replace(['\'', '’'], "")
            .chars()
            .count()
        || token.written.contains('-');
    let known = Classes::of(&[
        Class::Function,
        Class::Pronoun,
        Class::Det,
        Class::Filler,
        Class::Time,
        Class::Title,
        Class::Facet,
        Class::Latest,
        Class::Create,
        Class::Pick,
        Class::Other,
        Class::Trouble,
        Class::Finite,
        Class::Verb,
        Class::NounVerb,
        Class::Please,
        Class::Also,
    ]);
    let variants = [
        token.folded.clone(),
        plain(&token.folded),
        format!("{}s", token.folded),
    ];
    letters >= 3
        && is_word
        && !token.is_data()
        && !token.classes().meets(known)
        && variants.iter().all(|word| seen.last(word).is_none())
}
