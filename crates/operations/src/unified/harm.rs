//! What may go wrong where a tool runs that nobody meant?

use handpick_domain::Tool;
use handpick_selection::words::spelled_out;

/// How bad it is when a tool runs by mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Harm {
    /// It only looks something up.
    Reads,
    /// It changes something that can be changed back, as far as its name and its hints tell.
    Changes,
    /// It takes away, replaces, pays or reaches people outside.
    Destroys,
}

/// Verbs of what cannot be taken back.
const FINAL: [&str; 24] = [
    "delete",
    "remove",
    "destroy",
    "drop",
    "purge",
    "erase",
    "wipe",
    "clear",
    "truncate",
    "cancel",
    "void",
    "refund",
    "pay",
    "charge",
    "transfer",
    "revoke",
    "terminate",
    "kill",
    "uninstall",
    "merge",
    "overwrite",
    "reset",
    "rollback",
    "ban",
];

/// Verbs of what reaches others, and what it reaches them with.
const SENDING: [&str; 4] = ["send", "reply", "forward", "publish"];
const SENT: [&str; 12] = [
    "mail",
    "email",
    "sms",
    "invoice",
    "letter",
    "newsletter",
    "campaign",
    "draft",
    "customer",
    "quote",
    "message",
    "fax",
];

/// What a tool may do, by its hints and, where it gives none, by the verbs of its name.
///
/// A server that says nothing is believed neither way: what its tools are called must do.
pub fn harm(tool: &Tool) -> Harm {
    let hints = tool.annotations;
    // One that contradicts itself is not believed.
    if hints.read_only_hint == Some(true) && hints.destructive_hint != Some(true) {
        return Harm::Reads;
    }
    match hints.destructive_hint {
        Some(true) => Harm::Destroys,
        _ if is_final(tool.name.tool()) => Harm::Destroys,
        _ => Harm::Changes,
    }
}

/// Whether a request is put as a question that does not politely ask for something to be done. Nothing that destroys
/// runs on one (P20).
pub(super) fn is_mere_question(request: &str) -> bool {
    let request = request.trim_end().to_lowercase();
    let words = request
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty());
    let plain = format!(" {} ", words.collect::<Vec<_>>().join(" "));
    let is_polite = |polite: &str| plain.contains(&format!(" {polite} "));
    request.ends_with(['?', '？']) && !POLITE.iter().any(|polite| is_polite(polite))
}

/// What makes a question a request.
const POLITE: [&str; 28] = [
    "can you",
    "could you",
    "would you",
    "will you",
    "won't you",
    "can we",
    "could we",
    "can i ask",
    "may i ask",
    "please",
    "kindly",
    "pls",
    "kannst du",
    "könntest du",
    "würdest du",
    "können sie",
    "könnten sie",
    "würden sie",
    "bitte",
    "peux-tu",
    "pourrais-tu",
    "pouvez-vous",
    "pourriez-vous",
    "s'il ",
    "puedes",
    "podrías",
    "podría",
    "por favor",
];

fn is_final(name: &str) -> bool {
    let name = spelled_out(name);
    let has = |words: &[&str]| name.split(' ').any(|word| words.contains(&word));
    has(&FINAL) || has(&SENDING) && has(&SENT)
}

#[cfg(test)]
mod tests {
    use handpick_protocol::json::to_raw;
    use serde_json::{Value, json};

    use super::*;

    /// P20: a question alone destroys nothing; a polite request is none.
    #[test]
    fn p20_a_mere_question_is_no_request() {
        for (request, expected) in [
            ("Did you delete INV-3?", true),
            ("Which invoices can be voided?", true),
            ("Could you delete INV-3?", false),
            ("Kannst du INV-3 löschen?", false),
            ("delete INV-3, please?", false),
            ("delete INV-3", false),
        ] {
            assert_eq!(is_mere_question(request), expected, "{request}");
        }
    }

    /// P20: what a tool may do is told by its hints, and by its name where they say nothing.
    #[test]
    fn p20_hints_and_verbs_tell_what_a_tool_may_do() {
        for (name, annotations, expected) in [
            ("list_invoices", json!({"readOnlyHint": true}), Harm::Reads),
            ("delete_preview", json!({"readOnlyHint": true}), Harm::Reads),
            (
                "refund_invoice",
                json!({"readOnlyHint": false, "destructiveHint": false}),
                Harm::Destroys,
            ),
            ("create_invoice", json!({"destructiveHint": false}), Harm::Changes),
            ("create_invoice", json!({"destructiveHint": true}), Harm::Destroys),
            ("create_invoice", Value::Null, Harm::Changes),
            ("deleteRepository", Value::Null, Harm::Destroys),
            ("close-issue", json!({}), Harm::Changes),
            ("send_email", Value::Null, Harm::Destroys),
            ("send_metrics", Value::Null, Harm::Changes),
        ] {
            let definition = json!({"name": name, "inputSchema": {}, "annotations": annotations});
            let tool = Tool::parse("app", &to_raw(&definition)).unwrap();
            assert_eq!(harm(&tool), expected, "{definition}");
        }
    }
}
