//! Which thing of which type: `the deployment web`, `pod cart-6c9f`, where a tool takes a type and a name?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::assign::references::plain_word;
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::words::{Break, Token, name_words, stem};

/// Types of things in a cluster, for servers that describe none.
const CLUSTER: &[&str] = &[
    "pod",
    "deployment",
    "service",
    "daemonset",
    "statefulset",
    "replicaset",
    "configmap",
    "secret",
    "ingress",
    "job",
    "cronjob",
    "node",
    "persistentvolumeclaim",
    "serviceaccount",
    "hpa",
];

/// The type and the name that follow each other.
pub(crate) fn typed(asked: &Asked<'_>) -> Vec<Candidate> {
    let (Some(kind), Some(name)) = (position(asked, is_type), position(asked, is_name)) else {
        return Vec::new();
    };
    let Some(meaning) = asked.meanings.get(kind) else {
        return Vec::new();
    };
    let mut candidates = Vec::new();
    for at in 0..asked.tokens.len() {
        let Some(token) = asked.token(at).filter(|token| !asked.is_opaque(&token.range)) else {
            continue;
        };
        let Some(value) = type_of(meaning, token) else {
            continue;
        };
        let behind = (token.after == Break::None && names_it(asked, at + 1)).then_some(at + 1);
        let before = at.checked_sub(1).filter(|before| {
            behind.is_none() && asked.break_before(at) == Break::None && describes(asked, *before)
        });
        let Some(named) = behind.or(before) else { continue };
        let Some(word) = asked.token(named) else { continue };
        candidates.push(asked.candidate(kind, value, token.range.clone(), 0.88));
        candidates.push(asked.candidate(name, Value::String(word.text.to_owned()), word.range.clone(), 0.9));
    }
    candidates
}

fn position(asked: &Asked<'_>, fits: impl Fn(&Meaning) -> bool) -> Option<usize> {
    asked.meanings.iter().position(|meaning| {
        let parameter = &meaning.parameter;
        parameter.shape.string && !parameter.list && parameter.only.is_none() && fits(meaning)
    })
}

fn is_type(meaning: &Meaning) -> bool {
    let words = name_words(meaning.parameter.name());
    match words.as_slice() {
        [one] => matches!(one.as_str(), "kind"),
        [one, two] => {
            matches!(one.as_str(), "resource" | "object") && matches!(two.as_str(), "type" | "kind")
        }
        _ => false,
    }
}

fn is_name(meaning: &Meaning) -> bool {
    let words = name_words(meaning.parameter.name());
    let named = match words.as_slice() {
        [one] => one == "name",
        [one, two] => matches!(one.as_str(), "resource" | "object") && two == "name",
        _ => false,
    };
    named && matches!(meaning.kind, Kind::Slug | Kind::Title)
}

/// The type that a word says: one of the choices, one that the description shows, or what clusters consist of.
fn type_of(meaning: &Meaning, token: &Token<'_>) -> Option<Value> {
    if !meaning.parameter.shape.choices.is_empty() {
        return crate::assign::choices::spelled(meaning, token)
            .filter(|_| token.text.chars().all(char::is_alphabetic));
    }
    if token.is_common() {
        return None;
    }
    let single = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    let said = single(&token.fold);
    let about = &meaning.parameter.description;
    let shown = about
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| word.len() > 2 && single(&word.to_lowercase()) == said && is_shown(about, word));
    let known = CLUSTER.contains(&said.as_str()) || CLUSTER.iter().any(|kind| stem(kind) == token.stem);
    let capital = about
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| word.to_lowercase() == said && word.starts_with(char::is_uppercase));
    match (capital, shown.is_some() || known) {
        (Some(word), _) if known || is_shown(about, word) => Some(Value::String(word.to_owned())),
        (_, true) => {
            // A server that writes its types with capitals wants them so.
            let capitals =
                about.contains("StatefulSet") || about.contains("Pod") || about.contains("Deployment");
            (!capitals || token.is_capitalised()).then(|| {
                let word = if capitals {
                    token.text.to_owned()
                } else {
                    said.clone()
                };
                Value::String(word)
            })
        }
        _ => None,
    }
}

/// Whether a word stands among examples of a description.
fn is_shown(about: &str, word: &str) -> bool {
    let lower = about.to_lowercase();
    let at = ["e.g.", "example", "such as", "like ", "one of"]
        .iter()
        .filter_map(|marker| lower.find(marker))
        .min();
    at.is_some_and(|at| {
        let tail: String = lower
            .chars()
            .skip(lower.get(..at).map_or(0, |head| head.chars().count()))
            .take(80)
            .collect();
        tail.split(')')
            .next()
            .is_some_and(|list| list.contains(&word.to_lowercase()))
    })
}

/// Whether a word behind a type is a name: a code, or a word that means nothing else.
fn names_it(asked: &Asked<'_>, at: usize) -> bool {
    asked.token(at).is_some_and(|token| {
        let spelled = token
            .text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        let said_of_it = token.is_any(&[
            "failures", "errors", "logs", "events", "status", "metrics", "pods", "names", "details", "count",
            "list", "history", "usage", "restarts", "pool", "pools", "template", "spec", "manifest", "yaml",
        ]);
        if said_of_it {
            return false;
        }
        let named =
            asked.is_code(at) || (plain_word(token) && !token.is_capitalised() && asked.is_unexplained(at));
        spelled
            && named
            && !asked.is_opaque(&token.range)
            && !crate::assign::names::claims::is_relating(token)
    })
}

/// `the gateway service`, with an article before the name.
fn describes(asked: &Asked<'_>, at: usize) -> bool {
    let article = at
        .checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(|before| before.is_any(&["the", "my", "our", "der", "die", "das", "le", "la", "el"]));
    article && asked.is_code(at)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Now, Request, map_arguments};

    /// P19: a type and the name behind it are read together.
    #[test]
    fn p19_a_name_follows_its_type() {
        let text = |about: &str| json!({"type": "string", "description": about});
        let scale = json!({"kind": text("kind of the resource (examples of valid kind are: StatefulSet, Deployment)"), "name": text("Name of the resource"), "namespace": text("Namespace")});
        let delete = json!({"resourceType": text("Type of resource to delete (e.g., pods, deployments, services, etc.)"), "name": text("Name of the resource"), "namespace": text("Namespace")});
        let restart = json!({"resourceType": {"type": "string", "enum": ["deployment", "daemonset"]}, "name": text("Name of the resource")});
        for (request, properties, expected) in [
            (
                "Scale the Deployment web in namespace shop",
                &scale,
                json!({"kind": "Deployment", "name": "web", "namespace": "shop"}),
            ),
            (
                "Delete the service legacy-api in namespace edge",
                &delete,
                json!({"resourceType": "service", "name": "legacy-api", "namespace": "edge"}),
            ),
            (
                "Restart the daemonset fluent-bit",
                &restart,
                json!({"resourceType": "daemonset", "name": "fluent-bit"}),
            ),
            (
                "Restart the daemonset again",
                &restart,
                json!({"resourceType": "daemonset"}),
            ),
        ] {
            let schema = json!({"type": "object", "properties": properties, "required": ["name"]});
            let now = Now::utc("2026-11-30T10:00:00Z".parse().unwrap_or_default());
            let request = Request {
                text: request,
                context: None,
                now,
            };
            let read = map_arguments(&request, "manage_resource Manage a resource", &schema);
            assert_eq!(Value::Object(read.arguments), expected, "{}", request.text);
        }
    }
}
