//! What does a tool's name say it does, and with what?
//!
//! The verb may stand first (`find_customer`, `listStudents`), last (`ticket_lookup`, `incident.search`) or after the
//! name of a service (`crm_find_customer`). A name may also be a list by itself (`my_orders`, `tenant_tenancies`).

use std::collections::HashSet;

use crate::words::{singular, words};

/// What a tool does with the thing it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// It finds or shows such things.
    Lookup,
    /// It makes one.
    Maker,
}

/// What a name says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Purpose {
    pub(super) style: Style,
    /// The thing, in singular words: `vacant unit` of `list_vacant_units`.
    pub(super) object: Vec<String>,
}

/// Verbs of tools that find or show things.
const LOOKUPS: &[&str] = &[
    "browse", "check", "describe", "discover", "display", "fetch", "filter", "find", "get", "inspect",
    "list", "load", "locate", "lookup", "query", "read", "retrieve", "scan", "search", "see", "show", "view",
];

/// Last words of tools that show what stands before them: `deposit_status`.
const VIEWS: &[&str] = &[
    "detail",
    "details",
    "history",
    "info",
    "information",
    "mine",
    "overview",
    "profile",
    "record",
    "records",
    "state",
    "status",
    "summary",
];

/// First words of lists: `my_orders`, `open_tickets`.
const LISTS: &[&str] = &["active", "all", "available", "current", "my", "open", "recent"];

/// Verbs of tools that make things. Those in [`NOUNS_TOO`] may as well be what a tool is about.
const MAKERS: &[&str] = &[
    "add", "book", "create", "draft", "enroll", "enrol", "file", "generate", "insert", "issue", "make",
    "new", "open", "order", "place", "post", "register", "report", "request", "reserve", "schedule", "start",
    "submit", "write",
];

/// Makers' verbs that also are things: `order_find`.
const NOUNS_TOO: &[&str] = &[
    "book", "draft", "file", "issue", "order", "place", "post", "report", "request", "schedule",
];

/// First words of tools that do neither, whatever follows: `update_search_index`.
const CHANGES: &[&str] = &[
    "adjust",
    "apply",
    "approve",
    "archive",
    "assign",
    "cancel",
    "change",
    "clear",
    "close",
    "confirm",
    "delete",
    "disable",
    "edit",
    "enable",
    "export",
    "extend",
    "import",
    "mark",
    "merge",
    "modify",
    "move",
    "notify",
    "pause",
    "publish",
    "refund",
    "reject",
    "release",
    "remove",
    "reopen",
    "replace",
    "reset",
    "resolve",
    "restart",
    "resume",
    "retry",
    "revoke",
    "save",
    "send",
    "set",
    "stop",
    "sync",
    "terminate",
    "unlock",
    "update",
    "upload",
    "void",
    "withdraw",
];

/// Words after which a name tells how or for whom, no longer what.
const BOUNDS: &[&str] = &[
    "at", "by", "for", "from", "in", "near", "of", "on", "per", "to", "via", "with",
];

impl Purpose {
    /// Reads the name of a tool. `things`: what the ids of its catalog are of, in singular words joined by `_`. `None`
    /// where the tool does something else, or where the name does not tell.
    pub(super) fn of(name: &str, things: &HashSet<String>) -> Option<Self> {
        let words = joined_verbs(words(name));
        let (first, last) = (words.first()?.as_str(), words.last()?.as_str());
        let one_of = |list: &[&str], word: &str| list.contains(&word);
        if one_of(CHANGES, first) {
            return None;
        }
        let makes = one_of(MAKERS, first) && !one_of(NOUNS_TOO, first);
        let verb = |list: &[&str]| {
            let at_start = one_of(list, first).then_some(0);
            let at_end = (one_of(list, last) && !makes).then_some(words.len() - 1);
            let within = || words.iter().position(|word| one_of(list, word));
            // `order` in `order_create` is a thing, since another verb follows.
            let sure = at_start.filter(|_| !one_of(NOUNS_TOO, first));
            sure.or(at_end).or(at_start).or_else(within)
        };
        let lookup = if makes { None } else { verb(LOOKUPS) };
        if let Some(at) = lookup {
            return Self::about(Style::Lookup, what(&words, at));
        }
        if words.len() > 1 && one_of(VIEWS, last) {
            return Self::whole(&words[..words.len() - 1], things);
        }
        if one_of(LISTS, first) && is_plural(last) || first == "my" {
            return Self::about(Style::Lookup, until_bound(&words[1..]));
        }
        if let Some(at) = verb(MAKERS) {
            return Self::about(Style::Maker, what(&words, at));
        }
        Self::list(&words, things)
    }

    fn about(style: Style, object: &[String]) -> Option<Self> {
        let object: Vec<String> = object.iter().map(|word| singular(word)).collect();
        (!object.is_empty()).then_some(Self { style, object })
    }

    /// A lookup of exactly one of the catalog's things.
    fn whole(object: &[String], things: &HashSet<String>) -> Option<Self> {
        Self::about(Style::Lookup, object).filter(|purpose| things.contains(&purpose.object.join("_")))
    }

    /// Nouns alone are a list where they end in several of a thing, after what they belong to: `tenant_tenancies`.
    fn list(words: &[String], things: &HashSet<String>) -> Option<Self> {
        let words = until_bound(words);
        let purpose = Self::about(Style::Lookup, words)?;
        if !is_plural(words.last()?) {
            return None;
        }
        let object = &purpose.object;
        let is_thing = |from: usize, to: usize| things.contains(&object[from..to].join("_"));
        let is_list =
            (0..object.len()).any(|cut| is_thing(cut, object.len()) && (cut == 0 || is_thing(0, cut)));
        is_list.then_some(purpose)
    }
}

/// `look up` and `look_up` are one verb.
fn joined_verbs(words: Vec<String>) -> Vec<String> {
    let mut joined: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        match joined.last_mut() {
            Some(last) if word == "up" && last == "look" => "lookup".clone_into(last),
            _ => joined.push(word),
        }
    }
    joined
}

/// What stands after the verb, or before it where nothing does.
fn what(words: &[String], verb: usize) -> &[String] {
    match until_bound(&words[verb + 1..]) {
        [] => &words[..verb],
        after => after,
    }
}

fn until_bound(words: &[String]) -> &[String] {
    let end = words.iter().position(|word| BOUNDS.contains(&word.as_str()));
    &words[..end.unwrap_or(words.len())]
}

fn is_plural(word: &str) -> bool {
    singular(word) != word
}

#[cfg(test)]
mod tests {
    use super::*;

    /// T15: every naming habit says the same.
    #[test]
    fn t15_what_names_say() {
        let things = [
            "customer",
            "order",
            "meeting_slot",
            "tenant",
            "tenancy",
            "incident",
            "deposit",
        ];
        let things: HashSet<String> = things.iter().map(|&thing| thing.to_owned()).collect();
        let lookup = |object: &str| Some((Style::Lookup, object.to_owned()));
        let maker = |object: &str| Some((Style::Maker, object.to_owned()));
        for (name, expected) in [
            ("find_customer", lookup("customer")),
            ("findCustomers", lookup("customer")),
            ("FindCustomer", lookup("customer")),
            ("find-customer", lookup("customer")),
            ("customer.find", lookup("customer")),
            ("customer_lookup", lookup("customer")),
            ("look_up_customer", lookup("customer")),
            ("crm_find_customer", lookup("customer")),
            ("crm.customers.search", lookup("crm customer")),
            ("customers__search", lookup("customer")),
            ("get_customer_by_email", lookup("customer")),
            ("list_orders_for_customer", lookup("order")),
            ("list_customer_orders", lookup("customer order")),
            ("crm_customer_search_by_name", lookup("crm customer")),
            ("order_find", lookup("order")),
            ("book_search", lookup("book")),
            ("order_details", lookup("order")),
            ("deposit_status", lookup("deposit")),
            ("my_orders", lookup("order")),
            ("my_tenancy", lookup("tenancy")),
            ("ordersMine", lookup("order")),
            ("openIncidents", lookup("incident")),
            ("meetingSlots", lookup("meeting slot")),
            ("tenant_tenancies", lookup("tenant tenancy")),
            ("create_order", maker("order")),
            ("incident.open", maker("incident")),
            ("open_incident", maker("incident")),
            ("order_create", maker("order")),
            ("make_list", maker("list")),
            ("order_delivery_status", None),
            ("cancel_orders", None),
            ("merge_customers", None),
            ("refund_order", None),
            ("update_search_index", None),
            ("mark_orders_read", None),
            ("ask_user", None),
            ("search", None),
            ("orders", lookup("order")),
            ("", None),
            ("👍", None),
        ] {
            let read = Purpose::of(name, &things).map(|purpose| (purpose.style, purpose.object.join(" ")));
            assert_eq!(read, expected, "{name}");
        }
    }
}
