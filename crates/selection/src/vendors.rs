//! Which product does a text name, and is a tool one of that product?

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::phrases;
use crate::text::MatchedText;
use crate::words;

/// `phrase<TAB>signs`: how people write a product, and the phrases, parted by commas, that show in a tool's app, name
/// or first line that it serves this product.
const ENTRIES: &str = include_str!("../data/vendors.tsv");

/// Most words of a phrase.
const PHRASE_WORDS_MAX: usize = 4;

/// The products a text names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vendors {
    /// The signs of each.
    named: Vec<&'static str>,
}

impl Vendors {
    /// Looks for products, longer phrases first.
    pub fn named_in(text: &str) -> Self {
        let spelled = spelled(text);
        let words: Vec<&str> = spelled.split_whitespace().collect();
        let mut named = phrases::known(&words, PHRASE_WORDS_MAX, |phrase| VENDORS.get(phrase).copied());
        named.sort_unstable();
        named.dedup();
        Self { named }
    }

    /// Whether no product is named.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// 1 for a tool of a product that is named, -1 for one of none of them, 0 where no product is named.
    pub fn agreement(&self, tool: MatchedText<'_>) -> f32 {
        if self.is_empty() {
            return 0.0;
        }
        let text = format!(
            " {} {} {} ",
            spelled(tool.app),
            spelled(tool.name),
            spelled(tool.line)
        );
        let shows = |sign: &str| text.contains(&format!(" {} ", sign.trim()));
        let is_of = self.named.iter().any(|signs| signs.split(',').any(shows));
        if is_of { 1.0 } else { -1.0 }
    }
}

/// Lower-case words parted by single blanks. Compounds are kept whole and followed by their parts, since `GitHub` is
/// written in both ways.
fn spelled(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    for run in words::runs(words::truncate(text)) {
        let lower = run.to_lowercase();
        let parts = words::spelled_out(run);
        spelled.push_str(&lower);
        if parts != lower {
            spelled.push(' ');
            spelled.push_str(&parts);
        }
        spelled.push(' ');
    }
    spelled
}

static VENDORS: LazyLock<HashMap<&'static str, &'static str>> =
    LazyLock::new(|| ENTRIES.lines().filter_map(|line| line.split_once('\t')).collect());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_product_tells_its_tools_from_others() {
        let tool = |app, name, line| MatchedText { app, name, line };
        let mail = tool("ms-365", "create-mail-rule", "Creates a rule of the inbox.");
        let board = tool("trello", "create_card", "Creates a card on a board.");
        for (text, of_mail, of_board) in [
            ("outlook should move mail from Ana", 1.0, -1.0),
            ("a card in Trello for the outage", -1.0, 1.0),
            ("make a rule for my inbox", 0.0, 0.0),
            ("", 0.0, 0.0),
        ] {
            let vendors = Vendors::named_in(text);
            assert_eq!(
                (vendors.agreement(mail), vendors.agreement(board)),
                (of_mail, of_board),
                "{text}"
            );
        }
    }

    #[test]
    fn entries_are_sound() {
        for line in ENTRIES.lines() {
            let (phrase, signs) = line.split_once('\t').unwrap();
            assert!(phrase.split(' ').count() <= PHRASE_WORDS_MAX, "{line}");
            assert!(signs.split(',').all(|sign| !sign.trim().is_empty()), "{line}");
        }
    }
}
