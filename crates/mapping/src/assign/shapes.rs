//! How are ids written, and which thing does an id's spelling tell?

use super::asked::Asked;
use crate::kind::Kind;
use crate::meaning::Meaning;

/// Letters and a sign in front of digits or more: `INV` of `INV-2041`, `inv` of `inv_77`.
pub(crate) fn prefix(id: &str) -> Option<String> {
    let at = id.find(['-', '_'])?;
    let (head, rest) = (id.get(..at)?, id.get(at + 1..)?);
    let letters = (2..=6).contains(&head.len()) && head.chars().all(|c| c.is_ascii_alphabetic());
    let counted = !rest.is_empty()
        && rest.chars().any(|c| c.is_ascii_digit())
        && rest.chars().all(|c| c.is_ascii_alphanumeric());
    (letters && counted).then(|| head.to_ascii_lowercase())
}

/// Whether a prefix shortens the name of a thing: `inv` is an invoice, `tck` a ticket.
pub(crate) fn abbreviates(prefix: &str, meaning: &Meaning) -> bool {
    meaning
        .thing
        .as_deref()
        .is_some_and(|thing| shortens(prefix, thing))
        && !meaning.is_generic
}

fn shortens(prefix: &str, thing: &str) -> bool {
    let mut letters = thing.chars();
    let begins = prefix.chars().next() == thing.chars().next();
    begins && prefix.len() >= 2 && prefix.chars().all(|c| letters.any(|letter| letter == c))
}

/// Whether an id is known to name another thing than the parameter's.
pub(crate) fn prefix_conflicts(asked: &Asked<'_>, meaning: &Meaning, written: &str) -> bool {
    let Some(prefix) = prefix(written) else {
        return false;
    };
    let shows = |meaning: &Meaning| {
        meaning
            .parameter
            .shape
            .examples
            .iter()
            .any(|example| self::prefix(example).as_deref() == Some(&prefix))
    };
    if shows(meaning) || abbreviates(&prefix, meaning) {
        return false;
    }
    let of_another = asked
        .meanings
        .iter()
        .any(|other| other.kind == Kind::Id && (shows(other) || abbreviates(&prefix, other)));
    // An example that abbreviates its own thing tells how all ids of that thing begin.
    let own_is_fixed = meaning.parameter.shape.examples.iter().any(|example| {
        self::prefix(example).is_some_and(|own| abbreviates(&own, meaning) || meaning.kind == Kind::Id)
    });
    of_another || own_is_fixed
}

/// `1764496800.000100`: the name of a message by its time.
pub(crate) fn is_stamp(written: &str) -> bool {
    written
        .split_once('.')
        .is_some_and(|(whole, part)| whole.len() >= 10 && digits(whole) && digits(part))
}

pub(crate) fn is_of_stamps(meaning: &Meaning) -> bool {
    let name = meaning.parameter.name().to_lowercase();
    name == "ts" || name.ends_with("_ts") || name.ends_with("timestamp")
}

pub(crate) fn digits(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

/// Whether a word is written as the examples are: `winter_sale_banner` as `one_page_checkout`.
pub(crate) fn has_example_shape(meaning: &Meaning, written: &str) -> bool {
    let own = outline(written);
    own.contains(|c: char| !c.is_alphanumeric())
        && meaning
            .parameter
            .shape
            .examples
            .iter()
            .chain(&meaning.shown)
            .any(|example| outline(example) == own)
}

/// How a word is written: runs of letters and digits as one sign each, repeats of a pattern once.
fn outline(word: &str) -> String {
    let mut outline = String::new();
    for c in word.chars() {
        let sign = if c.is_ascii_digit() {
            '9'
        } else if c.is_uppercase() {
            'A'
        } else if c.is_alphabetic() {
            'a'
        } else {
            c
        };
        if !outline.ends_with(sign) {
            outline.push(sign);
        }
    }
    for sign in ['_', '-'] {
        let twice = format!("a{sign}a{sign}a");
        let once = format!("a{sign}a");
        while outline.contains(&twice) {
            outline = outline.replace(&twice, &once);
        }
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_and_outlines() {
        assert_eq!(prefix("INV-2041").as_deref(), Some("inv"));
        assert_eq!(prefix("cus_1").as_deref(), Some("cus"));
        assert_eq!(prefix("CAN-COPPER"), None);
        assert_eq!(prefix("2026-12-01"), None);
        for (prefix, thing, told) in [
            ("inv", "invoice", true),
            ("tck", "ticket", true),
            ("cus", "customer", true),
            ("ord", "invoice", false),
        ] {
            assert_eq!(shortens(prefix, thing), told, "{prefix} {thing}");
        }
        assert_eq!(outline("winter_sale_banner"), outline("one_page"));
        assert_eq!(outline("KIT-HERB"), outline("CAN-COPPER"));
        assert_ne!(outline("old-banner"), outline("one_page"));
    }
}
