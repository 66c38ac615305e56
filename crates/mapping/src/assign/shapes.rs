//! How are ids written, and which thing does an id's spelling tell?

use crate::assign::asked::Asked;
use crate::kind::Kind;
use crate::lexicon;
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

/// Whether a name begins with the first letters of what a parameter is called: `rg-shop` is a resource group.
pub(crate) fn has_initials(meaning: &Meaning, written: &str) -> bool {
    let words = crate::words::name_words(meaning.parameter.name());
    let initials: String = words.iter().filter_map(|word| word.chars().next()).collect();
    let head = written.split(['-', '_']).next().unwrap_or_default();
    words.len() > 1
        && words
            .last()
            .is_none_or(|word| !matches!(word.as_str(), "id" | "name" | "key"))
        && head.len() < written.len()
        && head.eq_ignore_ascii_case(&initials)
}

/// Whether the other one of a thing's id and its name takes a word: keys are ids, words are names.
pub(crate) fn is_for_sibling(asked: &Asked<'_>, meaning: &Meaning, written: &str) -> bool {
    let words = crate::words::name_words(meaning.parameter.name());
    let (Some(last), true) = (words.last(), words.len() > 1) else {
        return false;
    };
    let other = match last.as_str() {
        "id" => "name",
        "name" => "id",
        _ => return false,
    };
    let siblings = asked.meanings.iter().any(|rival| {
        let own = crate::words::name_words(rival.parameter.name());
        own.len() == words.len()
            && own.last().is_some_and(|word| word == other)
            && own.iter().zip(&words).filter(|(a, b)| a == b).count() == words.len() - 1
    });
    let figures = written.chars().filter(char::is_ascii_digit).count();
    let key = figures >= 3 || (figures > 0 && written.chars().all(|c| c.is_ascii_digit()));
    siblings && key != (last == "id")
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
    // An example that abbreviates its own thing tells how all ids of that thing begin. A prefix that says nothing
    // of the thing may be the server's own: `OFF-53` of a request, `ONB-33` of a task.
    let example = |fits: &dyn Fn(&str) -> bool| {
        let examples = &meaning.parameter.shape.examples;
        examples
            .iter()
            .filter_map(|example| self::prefix(example))
            .any(|own| fits(&own))
    };
    let own_is_fixed =
        meaning.kind == Kind::Id && example(&|_| true) || example(&|own| abbreviates(own, meaning));
    of_another || (own_is_fixed && !is_own_prefix(asked, meaning, &prefix))
}

/// Things that are told by a prefix and have no name of their own among the senses.
const OTHER_THINGS: &str = "employee account asset device deal lead contract sku shipment vendor supplier policy claim case change problem release sprint epic feature bug expense report payment quote subscription applicant candidate shift room vehicle server host alert booking reservation flight purchase";

/// Whether ids with another prefix than the examples' may name what a parameter wants: a task or a request of any
/// kind, where nothing else of the tool takes an id and the prefix abbreviates no other thing.
fn is_own_prefix(asked: &Asked<'_>, meaning: &Meaning, prefix: &str) -> bool {
    const OPEN: &[&str] = &["request", "task", "entry", "item", "record", "object"];
    let open = meaning
        .thing
        .as_deref()
        .is_some_and(|thing| OPEN.contains(&thing));
    let ids = asked
        .meanings
        .iter()
        .filter(|other| other.kind == Kind::Id && !other.is_numeric())
        .count();
    let coded = asked
        .tokens
        .iter()
        .filter(|token| self::prefix(token.text).is_some())
        .count();
    // `for EMP-121`: what something is for is not the thing itself.
    let linked = asked.tokens.windows(2).any(|pair| {
        matches!(pair, [link, code] if self::prefix(code.text).as_deref() == Some(prefix)
            && link.is_any(&["for", "of", "from", "by", "to", "von", "fur", "de", "pour", "para"]))
    });
    let is_thing = OTHER_THINGS
        .split(' ')
        .chain(lexicon::things())
        .any(|thing| shortens(prefix, thing));
    open && !linked && !is_thing && ids == 1 && coded == 1 && meaning.is_required()
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
            .flat_map(|example| example.split(','))
            .any(|example| outline(example.trim()) == own)
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
