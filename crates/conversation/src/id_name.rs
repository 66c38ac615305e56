//! Do two spellings name the same id? `candidateId`, `candidate_id` and `candidate-id` do.

use std::sync::Arc;

use crate::words::{singular, words};

/// Words before `number`, `ref` or `key` that make it something else than the id of a record.
const NO_RECORD: &[&str] = &[
    "access",
    "api",
    "area",
    "build",
    "card",
    "cell",
    "contact",
    "dial",
    "encryption",
    "extension",
    "fax",
    "floor",
    "foreign",
    "house",
    "idempotency",
    "line",
    "max",
    "min",
    "mobile",
    "order_by",
    "page",
    "partition",
    "passport",
    "phone",
    "port",
    "primary",
    "private",
    "public",
    "row",
    "routing",
    "search",
    "seat",
    "secret",
    "security",
    "sort",
    "ssh",
    "street",
    "tax",
    "tel",
    "telephone",
    "total",
    "vat",
    "version",
    "week",
    "whatsapp",
    "year",
];

/// The name of an id, whatever its spelling: its words in lower case, joined by `_`, as in `candidate_id`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdName(Arc<str>);

impl IdName {
    /// Reads the name of a parameter or of a member of a result. `None` where it does not name an id.
    ///
    /// The last word decides: `id` and `uuid` always name one; `number`, `ref` and `key` do where the word before can
    /// be a record (`ticket_number`, not `phone_number`). A list (`order_ids`) has the name of its elements.
    pub fn of(name: &str) -> Option<Self> {
        let words = words(name);
        let (last, before) = words.split_last()?;
        let kind = match last.as_str() {
            "id" | "ids" => "id",
            "uuid" | "uuids" => "uuid",
            "guid" | "guids" => "guid",
            "number" | "numbers" | "no" | "num" | "nr" => "number",
            "ref" | "refs" | "reference" => "ref",
            "key" | "keys" => "key",
            _ => return None,
        };
        let always = matches!(kind, "id" | "uuid" | "guid");
        let record = before
            .last()
            .is_some_and(|word| !NO_RECORD.contains(&word.as_str()));
        (always || record).then(|| Self::join(before, kind))
    }

    /// Reads a name that its owner declared to be an id, as in `produces`: any name is one.
    pub fn declared(name: &str) -> Option<Self> {
        Self::of(name).or_else(|| {
            let words = words(name);
            let (last, before) = words.split_last()?;
            Some(Self::join(before, &singular(last)))
        })
    }

    /// Reads a parameter of a tool. A bare `id` is the id of what the tool is named after: that of `get_order` is
    /// `order_id`.
    pub fn of_parameter(tool: &str, parameter: &str) -> Option<Self> {
        let name = Self::of(parameter)?;
        if !name.entity().is_empty() {
            return Some(name);
        }
        Some(match words(tool).as_slice() {
            [_verb, before @ .., last] => {
                let mut entity = before.to_vec();
                entity.push(singular(last));
                Self::join(&entity, name.as_str())
            }
            _ => name,
        })
    }

    fn join(before: &[String], last: &str) -> Self {
        let mut text = before.join("_");
        if !text.is_empty() {
            text.push('_');
        }
        text.push_str(last);
        Self(Arc::from(text))
    }

    /// The words joined by `_`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the id is of: the name without its last word, `candidate` of `candidate_id`; may be empty (`id`).
    pub fn entity(&self) -> &str {
        self.0.rsplit_once('_').map_or("", |(entity, _)| entity)
    }

    /// Whether this is the other id in a role of its own, as `duplicate_customer_id` is a `customer_id`.
    pub fn is_role_of(&self, other: &Self) -> bool {
        self.0
            .strip_suffix(&*other.0)
            .is_some_and(|role| role.ends_with('_') && !other.entity().is_empty())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn t11_which_names_are_ids() {
        for (name, expected) in [
            ("customer_id", Some("customer_id")),
            ("customerId", Some("customer_id")),
            ("CustomerID", Some("customer_id")),
            ("CUSTOMER_ID", Some("customer_id")),
            ("shipment-id", Some("shipment_id")),
            ("carrierID", Some("carrier_id")),
            ("carrierIDs", Some("carrier_id")),
            ("order.id", Some("order_id")),
            ("order ids", Some("order_id")),
            ("orderUUID", Some("order_uuid")),
            ("vat_id", Some("vat_id")),
            ("id", Some("id")),
            ("ID", Some("id")),
            ("duplicate_customer_id", Some("duplicate_customer_id")),
            ("ticket_number", Some("ticket_number")),
            ("ticketNo", Some("ticket_number")),
            ("landlord_nr", Some("landlord_number")),
            ("order_ref", Some("order_ref")),
            ("bookingReference", Some("booking_ref")),
            ("issueKey", Some("issue_key")),
            ("kundenId", Some("kunden_id")),
            ("straßen_id", Some("straßen_id")),
            ("paid", None),
            ("valid", None),
            ("grid", None),
            ("userid", None),
            ("number", None),
            ("key", None),
            ("phone_number", None),
            ("vatNumber", None),
            ("api_key", None),
            ("sort_key", None),
            ("identity", None),
            ("id_type", None),
            ("query", None),
            ("", None),
            ("_", None),
            ("👍", None),
        ] {
            assert_eq!(IdName::of(name).as_ref().map(IdName::as_str), expected, "{name}");
        }
    }

    #[test]
    fn a_bare_id_is_of_what_its_tool_is_named_after() {
        for (tool, parameter, expected) in [
            ("get_order", "id", "order_id"),
            ("cancelOrderItems", "ID", "order_item_id"),
            ("lookup", "id", "id"),
            ("get_order", "customer_id", "customer_id"),
        ] {
            assert_eq!(IdName::of_parameter(tool, parameter).unwrap().as_str(), expected);
        }
        assert_eq!(IdName::declared("policies").unwrap().as_str(), "policy");
        assert_eq!(IdName::declared("policyIds").unwrap().as_str(), "policy_id");
        let name = |text| IdName::of(text).unwrap();
        assert!(name("duplicate_customer_id").is_role_of(&name("customerId")));
        assert!(!name("customer_id").is_role_of(&name("customer_id")));
        assert!(!name("customer_id").is_role_of(&name("id")));
        assert_eq!(name("waitlist_entry_id").entity(), "waitlist_entry");
    }

    fn capital(word: &str) -> String {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    }

    proptest! {
        #[test]
        fn t39_every_spelling_of_the_same_words_is_the_same_name(
            entity in proptest::collection::vec("[a-z]{2,8}", 1..4),
            last in proptest::sample::select(vec!["id", "ids", "uuid"]),
        ) {
            let mut words = entity;
            words.push(last.to_owned());
            let pascal: String = words.iter().map(|word| capital(word)).collect();
            let camel = pascal[..1].to_lowercase() + &pascal[1..];
            let snake = IdName::of(&words.join("_"));
            prop_assert!(snake.is_some());
            for other in [words.join("-"), pascal, camel, words.join("_").to_uppercase(), words.join(" ")] {
                prop_assert_eq!(&snake, &IdName::of(&other), "{}", other);
            }
        }

        #[test]
        fn anything_can_be_asked_for_its_name(name in "\\PC{0,40}") {
            let _ = IdName::of(&name);
            let _ = IdName::declared(&name);
        }
    }
}
