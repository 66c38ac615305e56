//! Does the index score as the formula says?

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

type Fields = [String; FIELDS];

fn text([app, name, line]: &Fields) -> MatchedText<'_> {
    MatchedText { app, name, line }
}

fn build(tools: &[Fields]) -> Lexical {
    Lexical::build(tools.iter().map(text))
}

fn tools(rows: &[[&str; FIELDS]]) -> Vec<Fields> {
    rows.iter().map(|row| row.map(str::to_owned)).collect()
}

fn read<'q>(lexical: &Lexical, question: &'q str) -> Question<'q> {
    lexical.read(&words::question_words(question))
}

/// The formula, written down plainly: every tool is read again for every term of the question.
fn naive_scores(tools: &[Fields], question: &str) -> Vec<f32> {
    let terms_of =
        |text: &str| -> Vec<String> { words::words(text).into_iter().map(|word| word.term).collect() };
    let length = |text: &str| words::words(text).len() as f32;
    let question: BTreeSet<String> = words::question_words(question)
        .into_iter()
        .map(|word| word.term)
        .collect();
    let count = |text: &str, term: &str| terms_of(text).iter().filter(|found| *found == term).count() as f32;
    tools
        .iter()
        .map(|tool| {
            let mut score = 0.0;
            for term in &question {
                let holders = tools
                    .iter()
                    .filter(|tool| tool.iter().any(|text| count(text, term) > 0.0))
                    .count();
                let mut frequency = 0.0;
                for field in 0..FIELDS {
                    let average =
                        tools.iter().map(|tool| length(&tool[field])).sum::<f32>() / tools.len() as f32;
                    let penalty = LENGTH_PENALTIES[field];
                    let norm = 1.0 - penalty + penalty * length(&tool[field]) / average.max(1.0);
                    frequency += WEIGHTS[field] * count(&tool[field], term) / norm;
                }
                let holders = holders as f32;
                let rarity = (1.0 + (tools.len() as f32 - holders + 0.5) / (holders + 0.5)).ln();
                score += rarity * frequency * (K1 + 1.0) / (frequency + K1);
            }
            score
        })
        .collect()
}

/// Which tools share a word, and how much of the question they cover.
#[test]
fn coverage_is_the_share_of_rare_words() {
    let tools = tools(&[
        ["github", "create_issue", "Opens a new issue"],
        ["github", "list_issues", ""],
        ["files", "read", "Reads a file"],
    ]);
    let lexical = build(&tools);
    let coverage = |question| lexical.matches(&read(&lexical, question)).coverage;
    assert_eq!(coverage("read"), [0.0, 0.0, 1.0]);
    assert!((coverage("create the issue")[0] - 1.0).abs() < 1e-6);
    let unknown = coverage("read xylophones")[2];
    assert!(unknown < 0.5, "a word nobody has is rare: {unknown}");
    assert_eq!(coverage(""), [0.0; 3]);
    assert_eq!(
        lexical.shared_words(&read(&lexical, "Issues, please: Create issues"), 0),
        ["Issues", "Create"]
    );
}

/// `GitHub` and `github` meet in both directions, and so do a camelCase name and its parts.
#[test]
fn compounds_match_whole_and_in_parts() {
    let tools = tools(&[
        ["github", "x", ""],
        ["gitlab", "y", "Like GitHub"],
        ["a", "sendMessage", ""],
        ["b", "send_message", ""],
    ]);
    let lexical = build(&tools);
    for (question, expected) in [
        ("github", [true, true, false, false]),
        ("GitHub", [true, true, false, false]),
        ("sendMessage", [false, false, true, true]),
        ("send_message", [false, false, true, true]),
        ("SEND", [false, false, true, true]),
        ("sendmessage", [false, false, true, false]),
    ] {
        let scores = lexical.matches(&read(&lexical, question)).scores;
        assert_eq!(scores.map_positive(), expected, "{question}");
    }
}

trait MapPositive {
    fn map_positive(&self) -> Vec<bool>;
}

impl MapPositive for Vec<f32> {
    fn map_positive(&self) -> Vec<bool> {
        self.iter().map(|&score| score > 0.0).collect()
    }
}

#[test]
fn an_empty_index_answers() {
    let lexical = build(&[]);
    assert!(lexical.matches(&read(&lexical, "anything")).scores.is_empty());
    assert!(read(&lexical, "").is_empty());
    assert!(
        Lexical::default()
            .shared_words(&Question::default(), 3)
            .is_empty()
    );
}

fn some_words(most: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec("(send|sends|mail|issue|file|list|b|c|zebra|the|12)", 0..=most)
        .prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn postings_agree_with_a_scan(
        tools in proptest::collection::vec((some_words(2), some_words(4), some_words(12)), 1..20),
        question in some_words(6),
    ) {
        let tools: Vec<Fields> = tools.into_iter().map(|(app, name, line)| [app, name, line]).collect();
        let lexical = build(&tools);
        let read = read(&lexical, &question);
        let matches = lexical.matches(&read);
        for (position, naive) in naive_scores(&tools, &question).into_iter().enumerate() {
            let found = matches.scores[position];
            prop_assert!((found - naive).abs() <= 1e-4 * naive.max(1.0), "{position}: {found} and {naive}");
            prop_assert_eq!(found > 0.0, !lexical.shared_words(&read, position).is_empty());
            prop_assert!((0.0..=1.0 + 1e-5).contains(&matches.coverage[position]));
        }
    }

    #[test]
    fn e17_any_text_can_be_indexed_and_asked(texts in proptest::collection::vec(any::<[String; FIELDS]>(), 0..6), question: String) {
        let lexical = build(&texts);
        let matches = lexical.matches(&read(&lexical, &question));
        prop_assert!(matches.scores.iter().all(|score| score.is_finite()));
    }
}
