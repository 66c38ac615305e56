//! Which noun of a request claims a value, and for what: `the trace 9d4c…`, `node pools of aks-west`, `the failed run`?

use crate::assign::asked::Asked;
use crate::meaning::Meaning;
use crate::words::{Break, Token};

/// `the trace 9d4c…` for a parameter that takes a project: the noun before a code says what it is of.
pub(crate) fn is_of_another_noun(asked: &Asked<'_>, meaning: &Meaning, at: usize) -> bool {
    let Some(noun) = at.checked_sub(1).and_then(|before| asked.token(before)) else {
        return false;
    };
    let article = at.checked_sub(2).and_then(|before| asked.token(before));
    let determined = article.is_some_and(|article| {
        article.after == Break::None
            && article.is_any(&[
                "the", "a", "an", "my", "our", "this", "that", "of", "in", "on", "for", "der", "die", "das",
                "dem", "den", "le", "la", "el",
            ])
    });
    let told = noun.after == Break::None && !noun.is_common() && !noun.is_coded() && !noun.is_capitalised();
    let named = meaning.thing.as_deref().is_some_and(|thing| {
        noun.is(thing)
            || noun.ends_on(thing)
            || noun
                .sense
                .is_some_and(|sense| crate::assign::context::same_family(sense, thing))
            || same_begin(&noun.stem, thing)
    }) || meaning
        .cues
        .iter()
        .any(|cue| cue.phrase.last().is_some_and(|word| noun.is(word)));
    // `delete project 120455` for a parameter that takes a task: a noun that all know needs no article.
    let known = noun.sense.is_some_and(|sense| THINGS.contains(&sense))
        && !noun.is_capitalised()
        && noun.after == Break::None
        && has_thing_of_its_own(meaning)
        && !meaning.is_generic
        && !named
        && !is_akin(noun, meaning);
    if known {
        return true;
    }
    // Where the tool itself is about the noun, a parameter of any name may take it.
    let open = meaning.is_generic
        || !has_thing_of_its_own(meaning)
        || asked.is_tool_word(noun) && !owns_another(asked, meaning);
    determined && told && !named && !open
}

/// Nouns of which each names a thing of its own kind.
const THINGS: &[&str] = &[
    "invoice",
    "customer",
    "order",
    "ticket",
    "file",
    "document",
    "folder",
    "page",
    "channel",
    "task",
    "project",
    "team",
    "list",
    "card",
    "contact",
    "event",
    "survey",
    "trip",
    "incident",
    "table",
    "database",
    "service",
    "branch",
    "repository",
    "organization",
    "space",
    "workflow",
    "pipeline",
    "story",
    "thread",
    "machine",
    "user",
    "company",
    "product",
    "role",
    "board",
    "column",
];

/// Things that one server calls so and another one otherwise.
const AKIN: &[&[&str]] = &[
    &[
        "ticket", "issue", "issu", "story", "task", "card", "incident", "item", "record",
    ],
    &["channel", "room", "chat", "thread", "conversation", "convers"],
    &["workflow", "flow", "pipeline", "automation"],
    &["folder", "directory", "directori", "space", "parent"],
    &["organization", "company", "workspace", "account", "tenant"],
    &[
        "service",
        "app",
        "application",
        "deploy",
        "machine",
        "instance",
        "server",
        "resource",
    ],
    &[
        "file",
        "document",
        "doc",
        "page",
        "sheet",
        "spreadsheet",
        "item",
        "table",
        "list",
    ],
    &[
        "user", "member", "person", "contact", "customer", "account", "profile",
    ],
    &["repository", "project", "repo"],
    &["event", "meeting", "calendar"],
    &["order", "purchase"],
    &["table", "database", "base", "collection"],
    &["product", "item", "variant"],
    &["branch", "ref", "revision"],
];

fn is_akin(noun: &Token<'_>, meaning: &Meaning) -> bool {
    let (Some(sense), Some(thing)) = (noun.sense, meaning.thing.as_deref()) else {
        return true;
    };
    AKIN.iter()
        .any(|family| family.contains(&sense) && family.contains(&thing))
}

fn same_begin(a: &str, b: &str) -> bool {
    a.len() > 3
        && b.len() > 3
        && a.as_bytes()
            .iter()
            .zip(b.as_bytes())
            .take_while(|(x, y)| x == y)
            .count()
            >= 4
}

/// Whether the name of a parameter says of what thing it is, and not just that it is an id.
fn has_thing_of_its_own(meaning: &Meaning) -> bool {
    let words = crate::words::name_words(meaning.parameter.name());
    words.len() > 1
        && words.last().is_some_and(|word| {
            matches!(
                word.as_str(),
                "id" | "uid" | "uuid" | "key" | "gid" | "slug" | "name"
            )
        })
}

/// Whether a parameter takes the id of something that neither the tool nor its words speak of: `connectionId` of a
/// tool that drops collections.
pub(crate) fn is_of_unsaid_owner(asked: &Asked<'_>, meaning: &Meaning) -> bool {
    let words = crate::words::name_words(meaning.parameter.name());
    let spoken = words.iter().any(|word| {
        let sense = crate::meaning::sense_of(word);
        !crate::lexicon::KIND_WORDS.contains(&word.as_str())
            && (asked.tool.contains(&sense) || asked.tokens.iter().any(|token| token.is(&sense)))
    });
    has_thing_of_its_own(meaning) && !spoken
}

/// Whether what is named at a word is where something goes, and the thing itself was named before: `move page A
/// under page B`.
pub(crate) fn is_goal(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, start: usize) -> bool {
    let mut at = start;
    let link = loop {
        let Some(before) = at.checked_sub(1).and_then(|place| asked.token(place)) else {
            return false;
        };
        if !before.is_any(&["the", "my", "our", "another", "other"]) {
            break before;
        }
        at -= 1;
    };
    let goes =
        link.after == Break::None && link.is_any(&["under", "into", "onto", "below", "beneath", "unter"]);
    let named_before = asked.hits_of(parameter).any(|hit| {
        hit.end < start
            && asked
                .value_start(hit)
                .is_some_and(|(value, _)| value < start && asked.is_code(value))
    });
    goes && meaning.role == crate::meaning::Role::Plain && named_before
}

/// Whether the thing that a parameter names is one of those that contain others: a project, a workspace.
fn owns_another(_: &Asked<'_>, meaning: &Meaning) -> bool {
    const OWNERS: &[&str] = &[
        "project",
        "workspace",
        "team",
        "organization",
        "account",
        "tenant",
        "site",
        "space",
        "group",
        "board",
        "base",
        "database",
        "channel",
        "folder",
        "user",
        "customer",
        "dashboard",
        "repository",
        "cluster",
        "spreadsheet",
        "notebook",
    ];
    meaning
        .thing
        .as_deref()
        .is_some_and(|thing| OWNERS.contains(&thing))
}

/// `namespace sales` for `new_namespace`, where `namespace` is there too: only `new namespace` means the new one.
pub(crate) fn is_for_the_old(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, start: usize) -> bool {
    let is_new = |name: &str| {
        crate::words::name_words(name)
            .iter()
            .any(|word| matches!(word.as_str(), "new" | "target" | "destination"))
    };
    let has_old = || {
        asked.meanings.iter().enumerate().any(|(other, rival)| {
            other != parameter
                && !is_new(rival.parameter.name())
                && rival.thing.is_some()
                && rival.thing == meaning.thing
        })
    };
    let said_new = start
        .checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(|token| {
            token.is_any(&[
                "new",
                "neue",
                "neuen",
                "neuer",
                "neues",
                "nouveau",
                "nouvelle",
                "nuevo",
                "nueva",
                "target",
                "destination",
            ])
        })
        || asked
            .token(start)
            .is_some_and(|token| token.is_any(&["new", "target", "destination"]));
    is_new(meaning.parameter.name()) && !said_new && has_old()
}

/// `node pools of aks-west`: what several things are of is none of them.
pub(crate) fn is_of_many(asked: &Asked<'_>, meaning: &Meaning, end: usize) -> bool {
    let several = asked.token(end.saturating_sub(1)).is_some_and(|token| {
        token.fold.ends_with('s') && !token.fold.ends_with("ss") && !token.fold.ends_with("us")
    });
    let of = asked
        .token(end)
        .is_some_and(|token| token.is_any(&["of", "von", "vom", "de", "du", "des", "del", "d'"]));
    let own = meaning.parameter.name().to_lowercase().ends_with('s');
    several && of && !own && !meaning.parameter.list
}

/// Whether a word says how a thing is and not which: `the failed run`, `the slowest tests`, or one of the values
/// that another parameter lists.
pub(crate) fn is_quality(asked: &Asked<'_>, parameter: usize, at: usize) -> bool {
    let Some(token) = asked.token(at) else { return true };
    let fold = token.fold.as_str();
    let formed = !token.is_capitalised()
        && fold.len() > 4
        && (fold.ends_with("ed") || fold.ends_with("est") || fold.ends_with("iest"));
    let chosen =
        asked.meanings.iter().enumerate().any(|(other, rival)| {
            other != parameter && crate::assign::choices::spelled(rival, token).is_some()
        });
    formed || chosen
}

/// `indices matching logs-*`: a verb that goes on what was said.
pub(crate) fn is_relating(token: &Token<'_>) -> bool {
    token.is_any(&[
        "matching",
        "containing",
        "starting",
        "beginning",
        "ending",
        "including",
        "excluding",
        "having",
        "using",
        "holding",
        "belonging",
        "mentioning",
        "regarding",
        "concerning",
        "pointing",
        "missing",
        "assigned",
        "created",
        "tagged",
        "labelled",
        "labeled",
        "marked",
        "owned",
        "sorted",
        "ordered",
        "filtered",
        "grouped",
        "dated",
        "updated",
        "modified",
        "affected",
        "related",
        "linked",
        "connected",
        "attached",
        "shared",
    ])
}

/// Whether another parameter has just this word among its choices: `PlayMode tests`.
pub(crate) fn is_other_choice(asked: &Asked<'_>, parameter: usize, written: &str) -> bool {
    asked.meanings.iter().enumerate().any(|(other, meaning)| {
        other != parameter
            && meaning.parameter.shape.choices.iter().any(|choice| {
                choice
                    .as_str()
                    .is_some_and(|choice| choice.eq_ignore_ascii_case(written))
            })
    })
}

/// `in Materials` may as well be the table that is needed by name or id and that nothing else says.
pub(crate) fn is_maybe_of_needed(asked: &Asked<'_>) -> bool {
    asked.meanings.iter().enumerate().any(|(other, needed)| {
        let by_name = needed.parameter.description.to_lowercase().contains("name");
        let said = asked.hits_of(other).any(|hit| asked.is_loaded(hit));
        needed.is_required() && needed.kind == crate::kind::Kind::Id && by_name && !said
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::{Now, Request, map_arguments};

    /// P19: a value that its own noun claims for another thing goes nowhere else.
    #[test]
    fn p19_nouns_claim_their_values() {
        let errors = ("get_errors Get the errors of a project", &["projectId"][..]);
        let boards = ("get_widget Get a widget of a dashboard", &["dashboardId"][..]);
        let pools = (
            "nodepool_get Get the node pools in a cluster",
            &["cluster", "nodepool"][..],
        );
        let index = ("list_index List the indices of a cluster", &["index"][..]);
        for (text, (words, names), expected) in [
            (
                "Show the errors of the project 9d4c77a1",
                errors,
                json!({"projectId": "9d4c77a1"}),
            ),
            (
                "Show the errors of 9d4c77a1",
                errors,
                json!({"projectId": "9d4c77a1"}),
            ),
            ("Show the errors of the trace 9d4c77a1", errors, json!({})),
            (
                "Show dashboard 77a1b2c3",
                boards,
                json!({"dashboardId": "77a1b2c3"}),
            ),
            ("Show project 77a1b2c3", boards, json!({})),
            ("Show me the widget 77a1b2c3", boards, json!({})),
            (
                "Show me the dashboard 77a1b2c3",
                boards,
                json!({"dashboardId": "77a1b2c3"}),
            ),
            (
                "node pools of the cluster aks-west",
                pools,
                json!({"cluster": "aks-west"}),
            ),
            ("the indices matching something", index, json!({})),
            ("the failed index", index, json!({})),
            ("the orders index", index, json!({"index": "orders"})),
        ] {
            let properties: serde_json::Map<String, Value> = names
                .iter()
                .map(|name| ((*name).to_owned(), json!({"type": "string"})))
                .collect();
            let schema = json!({"type": "object", "properties": properties, "required": [names.first()]});
            let request = Request {
                text,
                context: None,
                now: Now::utc("2026-11-30T10:00:00Z".parse().unwrap_or_default()),
            };
            let read = map_arguments(&request, words, &schema);
            assert_eq!(Value::Object(read.arguments), expected, "{text}");
        }
    }
}
