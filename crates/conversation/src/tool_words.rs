//! What do the words of a tool's own name and description say about its place among the others?

use std::collections::{BTreeMap, BTreeSet};

use handpick_domain::AgentTool;
use handpick_selection::words;

/// Words of tools that answer questions in general, in their base form as [`words::words`] gives it.
const REFERENCE_WORDS: [&str; 15] = [
    "article",
    "articles",
    "documentation",
    "faq",
    "guide",
    "guideline",
    "guidelines",
    "handbook",
    "help",
    "knowledge",
    "manual",
    "policies",
    "policy",
    "rules",
    "wiki",
];

/// The words of one tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolWords {
    /// Terms of the name, without those that most names of the catalog share.
    name: BTreeSet<String>,
    /// Whether it looks things up in help pages, policies or the like.
    pub is_reference: bool,
}

impl ToolWords {
    /// Reads the words of every tool of a catalog, in its order.
    pub fn of(tools: &[AgentTool]) -> Vec<Self> {
        let names: Vec<BTreeSet<String>> = tools.iter().map(|tool| terms(&tool.name)).collect();
        let mut holders: BTreeMap<&str, usize> = BTreeMap::new();
        for term in names.iter().flatten() {
            *holders.entry(term).or_default() += 1;
        }
        let common: BTreeSet<String> = holders
            .into_iter()
            .filter(|&(_, count)| count > 2 && 2 * count > tools.len())
            .map(|(term, _)| term.to_owned())
            .collect();
        let name = |terms: BTreeSet<String>| terms.difference(&common).cloned().collect();
        tools
            .iter()
            .zip(names)
            .map(|(tool, terms)| Self {
                name: name(terms),
                is_reference: is_reference(tool),
            })
            .collect()
    }

    /// How much two names have in common: the shared terms among all of both, 0 to 1.
    pub fn likeness(&self, other: &Self) -> f32 {
        let shared = self.name.intersection(&other.name).count();
        let all = self.name.union(&other.name).count();
        if all == 0 { 0.0 } else { shared as f32 / all as f32 }
    }
}

/// A tool that takes one free question and whose words say where it looks.
fn is_reference(tool: &AgentTool) -> bool {
    let required = tool
        .parameters
        .iter()
        .filter(|parameter| parameter.required)
        .count();
    let text = format!(
        "{} {}",
        words::spelled_out(&tool.name),
        tool.description.to_lowercase()
    );
    let mut spelled = text.split(|c: char| !c.is_alphanumeric());
    required <= 1 && spelled.any(|word| REFERENCE_WORDS.binary_search(&word).is_ok())
}

fn terms(name: &str) -> BTreeSet<String> {
    words::words(name)
        .into_iter()
        .flat_map(|word| {
            let whole = word.parts.is_empty().then_some(word.term);
            word.parts.into_iter().chain(whole)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, description: &str) -> AgentTool {
        AgentTool {
            name: name.into(),
            description: description.to_owned(),
            ..AgentTool::default()
        }
    }

    #[test]
    fn words_that_all_names_share_say_nothing() {
        let tools = [
            tool("bank_get_card", "Show a card."),
            tool("bank_block_card", "Block a card."),
            tool("bank_search_policy", "Search our policies."),
            tool("bank_list_accounts", "List accounts."),
        ];
        let words = ToolWords::of(&tools);
        assert!(words[0].likeness(&words[1]) > 0.3);
        assert_eq!(words[0].likeness(&words[3]), 0.0);
        assert_eq!(
            words.iter().map(|words| words.is_reference).collect::<Vec<_>>(),
            [false, false, true, false]
        );
    }

    #[test]
    fn the_list_is_sorted() {
        assert!(REFERENCE_WORDS.is_sorted());
    }
}
