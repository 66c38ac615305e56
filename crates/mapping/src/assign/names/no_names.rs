//! Which codes of a request are no name or id of anything: ranges, the product's own name, addresses?

use crate::assign::asked::Asked;
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::words::{Token, name_words};

/// Whether a code that no word names is none of a parameter's things.
pub(crate) fn is_no_name(asked: &Asked<'_>, meaning: &Meaning, at: usize, written: &str) -> bool {
    if is_range(written) {
        return true;
    }
    meaning.kind == Kind::Id && (is_product(asked, at) || (is_domain(written) && !takes_domains(meaning)))
}

/// `8-9`, `8:30-10`: hours, days or numbers from one to another.
fn is_range(written: &str) -> bool {
    let Some((from, to)) = written.split_once(['-', '–']) else {
        return false;
    };
    let counts = |part: &str| {
        let mut parts = part.split(':');
        let short = |part: &str| (1..=2).contains(&part.len()) && part.chars().all(|c| c.is_ascii_digit());
        parts.clone().count() <= 2 && parts.all(short)
    };
    counts(from) && counts(to)
}

/// `n8n executions`: what the server itself is called.
fn is_product(asked: &Asked<'_>, at: usize) -> bool {
    asked.token(at).is_some_and(|token| {
        token.text.chars().all(char::is_alphanumeric)
            && token.text.chars().next().is_some_and(char::is_alphabetic)
            && asked.name.contains(&token.fold)
    })
}

/// `shop.example`: a host, and nothing else that has dots.
fn is_domain(written: &str) -> bool {
    let parts: Vec<&str> = written.split('.').collect();
    let label = |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let top = parts
        .last()
        .is_some_and(|last| last.len() >= 2 && last.chars().all(|c| c.is_ascii_lowercase()));
    parts.len() >= 2 && top && parts.iter().all(label)
}

/// Whether a parameter says of itself that it is known by its address, or by more than an opaque id.
fn takes_domains(meaning: &Meaning) -> bool {
    let opaque = matches!(
        name_words(meaning.parameter.name()).last().map(String::as_str),
        Some("id" | "ids" | "uuid" | "uid" | "guid")
    );
    let about = format!("{} {}", meaning.parameter.name(), meaning.parameter.description).to_lowercase();
    let said = [
        "domain", "url", "host", "site", "zone", "calendar", "package", "bundle", "app", "file", "email",
        "address", "name", ".",
    ];
    let shown = meaning
        .parameter
        .shape
        .examples
        .iter()
        .chain(&meaning.shown)
        .any(|example| example.contains('.'));
    // A full stop at the end of a description shows nothing.
    !opaque || shown || said.iter().any(|word| about.trim_end_matches('.').contains(word))
}

/// A word without the sign of its kind: `#ops` is the channel `ops`, unless the parameter wants the sign.
pub(crate) fn bare(token: &Token<'_>, meaning: &Meaning) -> String {
    let about = &meaning.parameter.description;
    let selector = about.contains("selector") || about.contains("reference from");
    let wants_sign = meaning
        .parameter
        .shape
        .examples
        .iter()
        .any(|example| example.starts_with(['#', '@']));
    if selector || wants_sign || is_hex_colour(token.text, meaning) {
        return token.text.to_owned();
    }
    token.text.trim_start_matches(['#', '@']).to_owned()
}

/// `#D9534F` of a colour: the sign belongs to it, unless the parameter goes without.
fn is_hex_colour(written: &str, meaning: &Meaning) -> bool {
    let about = meaning.parameter.description.to_lowercase();
    let without = [
        "without #",
        "without '#'",
        "without the #",
        "without leading",
        "no #",
        "without the '#'",
    ];
    let of_colours = name_words(meaning.parameter.name()).iter().any(|word| {
        matches!(
            word.as_str(),
            "color" | "colour" | "colors" | "colours" | "background" | "foreground" | "fill"
        )
    }) || about.contains("hex");
    written.strip_prefix('#').is_some_and(|digits| {
        matches!(digits.len(), 3 | 6 | 8) && digits.chars().all(|c| c.is_ascii_hexdigit())
    }) && of_colours
        && !without.iter().any(|said| about.contains(said))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::assign::rows::check;

    /// P20: a site, a range of hours and the product are no ids.
    #[test]
    fn p20_what_names_nothing_is_no_id() {
        let id = json!({"required": ["id"], "properties": {"id": {"type": "string"}}});
        check(
            "firecrawl.monitor_delete Delete a monitor by ID",
            &id,
            &[
                ("Delete the monitor for shop.example", json!({})),
                ("Delete the monitor mon_81fa", json!({"id": "mon_81fa"})),
            ],
        );
        let domain = json!({"required": ["site_id"], "properties": {
            "site_id": {"type": "string", "description": "Domain of the site"}}});
        check(
            "get_stats Get the stats of a site",
            &domain,
            &[(
                "stats of the site shop.example",
                json!({"site_id": "shop.example"}),
            )],
        );
        let scope = json!({"required": ["scope"], "properties": {"scope": {"type": "string"}}});
        check(
            "schedule_downtime Schedule a downtime",
            &scope,
            &[
                ("schedule a downtime tomorrow 8-9", json!({})),
                ("schedule a downtime tomorrow 8:30-10", json!({})),
            ],
        );
    }

    /// P20: the sign of a colour belongs to it, that of a channel does not.
    #[test]
    fn p20_colours_keep_their_sign() {
        let schema = json!({"required": ["name", "color"], "properties": {
            "name": {"type": "string", "description": "The name of the label"},
            "color": {"type": "string", "description": "The color of the label in hex notation with leading '#' sign"}}});
        check(
            "create_label Create a new label",
            &schema,
            &[
                (
                    "Create the label \"urgent\" with the color #D9534F",
                    json!({"name": "urgent", "color": "#D9534F"}),
                ),
                (
                    "Leg das Label 'urgent' mit der Farbe #d9534f an",
                    json!({"name": "urgent", "color": "#d9534f"}),
                ),
            ],
        );
    }
}
