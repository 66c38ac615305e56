//! Which tools contain the words of a query? Keywords only, no meaning (A49).

use handpick_domain::ToolSet;

use crate::index::Index;
use crate::pipeline::keep_best;
use crate::words;

/// A tool that shares a word with the query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Position in the catalog.
    pub position: usize,
    /// BM25 score, above zero unless only the exact name matched.
    pub score: f32,
    /// The query gives the tool's exact name: such hits come first.
    pub exact_name: bool,
}

/// The allowed tools that share a word with the query or are named by it, best first, at most `limit`.
pub fn search(index: &Index, query: &str, allowed: &ToolSet, limit: usize) -> Vec<Hit> {
    let lexical = index.lexical();
    let scores = lexical
        .matches(&lexical.read(&words::question_words(query)))
        .scores;
    let named = index.names().named_in(query, scores.len());
    let (mut hits, mut others): (Vec<Hit>, Vec<Hit>) = allowed
        .iter()
        .take_while(|&position| position < scores.len())
        .map(|position| Hit {
            position,
            score: scores[position],
            exact_name: named.contains(position),
        })
        .filter(|hit| hit.score > 0.0 || hit.exact_name)
        .partition(|hit| hit.exact_name);
    keep_best(&mut hits, limit, |hit| (hit.score, hit.position));
    keep_best(&mut others, limit - hits.len(), |hit| (hit.score, hit.position));
    hits.append(&mut others);
    hits
}
