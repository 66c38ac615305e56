//! What did the product answer?

use serde::Serialize;

use crate::Query;

/// How deep rankings are looked at.
pub const DEPTH: usize = 50;

/// One tool of a ranking.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ranked {
    /// Its name, as the catalog file spells it.
    pub name: String,
    /// How well it fits, as the product says.
    pub score: f64,
    /// Why, where somebody may want to know.
    #[serde(skip)]
    pub why: Option<String>,
}

/// Both views of one request, and what it cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answered {
    /// The product's order without its floor, best first, at most [`DEPTH`]; every name once.
    pub ranking: Vec<Ranked>,
    /// What it really returns, best first.
    pub answer: Vec<String>,
    /// The probability that anything fits, as the product says; `None` where it says none.
    pub fits: Option<f64>,
    /// Estimated tokens of the definitions in the answer.
    pub tokens: usize,
    /// How long the real question took; `None` where a cache made it no real one.
    pub latency_ms: Option<f64>,
}

impl Answered {
    /// The score of the first tool of the ranking; below every score where there is none.
    pub fn top_score(&self) -> f64 {
        self.ranking
            .first()
            .map_or(f64::NEG_INFINITY, |first| first.score)
    }

    /// How sure the product is that anything fits: its probability, or else the top score.
    pub fn certainty(&self) -> f64 {
        self.fits.unwrap_or_else(|| self.top_score())
    }
}

/// One line of a file of rankings.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    ranking: &'a [Ranked],
    answer: &'a [String],
}

/// Rankings as JSON lines, `{"id", "ranking": [{"name", "score"}], "answer": [names]}`, in the order of the
/// requests, for whoever scores them with something else.
pub fn lines(asked: &[(Query, Answered)]) -> String {
    let mut text = String::new();
    for (query, answered) in asked {
        let line = Line {
            id: &query.id,
            ranking: &answered.ranking,
            answer: &answered.answer,
        };
        // Names, numbers and lists always have a JSON form.
        text.push_str(&serde_json::to_string(&line).unwrap_or_default());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_holds_names_and_scores_alone() {
        let query = Query {
            id: "a".to_owned(),
            ..Query::default()
        };
        let answered = Answered {
            ranking: vec![Ranked {
                name: "x".to_owned(),
                score: 0.5,
                why: Some("because".to_owned()),
            }],
            answer: vec!["x".to_owned()],
            ..Answered::default()
        };
        assert_eq!(
            lines(&[(query, answered)]),
            "{\"id\":\"a\",\"ranking\":[{\"name\":\"x\",\"score\":0.5}],\"answer\":[\"x\"]}\n"
        );
    }
}
