//! Does a question name the app of a tool?

use std::collections::{HashMap, HashSet};

use handpick_domain::Catalog;

use crate::words::{self, Word};

/// The apps of a catalog by the words of their names.
#[derive(Debug, Default)]
pub struct Apps {
    /// The words of each app's name, with how telling each is among all apps.
    words: Vec<Vec<(String, f32)>>,
    /// The app of each tool, by catalog position.
    of_tool: Vec<u32>,
}

impl Apps {
    /// Collects the apps of a catalog.
    pub fn build(catalog: &Catalog) -> Self {
        let mut names: Vec<&str> = Vec::new();
        let mut of_tool = Vec::with_capacity(catalog.tools().len());
        let mut known: HashMap<&str, u32> = HashMap::new();
        for tool in catalog.tools() {
            let app = *known.entry(tool.name.app()).or_insert_with(|| {
                names.push(tool.name.app());
                (names.len() - 1) as u32
            });
            of_tool.push(app);
        }
        let terms: Vec<HashSet<String>> = names
            .iter()
            .map(|name| words::words(name).into_iter().map(|word| word.term).collect())
            .collect();
        let mut holders: HashMap<&str, usize> = HashMap::new();
        for term in terms.iter().flatten() {
            *holders.entry(term).or_default() += 1;
        }
        let telling = |term: &String| (1.0 + names.len() as f32 / holders[term.as_str()] as f32).ln();
        let words = terms
            .iter()
            .map(|terms| terms.iter().map(|term| (term.clone(), telling(term))).collect())
            .collect();
        Self { words, of_tool }
    }

    /// For each app, how much of its name the question gives: 0 to 1.
    pub fn named_in(&self, question: &[Word<'_>]) -> Vec<f32> {
        let given: HashSet<&str> = question.iter().flat_map(Word::terms).collect();
        self.words
            .iter()
            .map(|words| {
                let total: f32 = words.iter().map(|(_, telling)| telling).sum();
                let named: f32 = words
                    .iter()
                    .filter(|(term, _)| given.contains(term.as_str()))
                    .map(|(_, telling)| telling)
                    .sum();
                if total > 0.0 { named / total } else { 0.0 }
            })
            .collect()
    }

    /// The app of the tool at `position`, as an index into what [`Apps::named_in`] returns.
    pub fn of(&self, position: usize) -> usize {
        self.of_tool.get(position).map_or(usize::MAX, |&app| app as usize)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use handpick_domain::Tool;
    use serde_json::value::RawValue;

    use super::*;

    #[test]
    fn the_telling_part_of_a_name_counts_most() {
        let tools = ["github-ref", "gitlab-ref", "maps-ref", "S3"].map(|app| {
            let json = r#"{"name":"list","inputSchema":{}}"#.to_owned();
            Arc::new(Tool::parse(app, &RawValue::from_string(json).unwrap()).unwrap())
        });
        let catalog = Catalog::new(1, tools.into());
        let apps = Apps::build(&catalog);
        let named = |question: &str, app: &str| {
            let shares = apps.named_in(&words::question_words(question));
            let position = catalog.tools().iter().position(|tool| tool.name.app() == app);
            shares[apps.of(position.unwrap())]
        };
        for (question, app, at_least, below) in [
            ("open an issue on GitHub", "github-ref", 0.5, 1.0),
            ("ref", "github-ref", 0.1, 0.5),
            ("github-ref", "github-ref", 1.0, 1.1),
            ("list my s3 buckets", "S3", 1.0, 1.1),
            ("open an issue", "github-ref", 0.0, 0.1),
        ] {
            let share = named(question, app);
            assert!(at_least <= share && share < below, "{question}: {share}");
        }
        assert_eq!(apps.of(99), usize::MAX);
    }
}
