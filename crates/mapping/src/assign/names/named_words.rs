//! Which words are values although they are common words, or stand apart from the noun they belong to?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate, Hit, LINKS};
use crate::assign::references::plain_word;
use crate::kind::Kind;
use crate::lexicon::COURTESIES;
use crate::words::Break;

/// Common words that branches, labels and stages are called by.
const CALLED: &[&str] = &[
    "next", "new", "old", "test", "stage", "stable", "latest", "live", "release", "work", "all", "none",
    "other",
];

/// `on branch next`, `country IT`: a common word right behind the noun at the end of a clause, or one in capitals.
pub(crate) fn is_name_all_the_same(asked: &Asked<'_>, at: usize, skipped: usize) -> bool {
    let Some(token) = asked.token(at).filter(|_| skipped == 0) else {
        return false;
    };
    let direct = asked.break_before(at) == Break::None && !asked.is_opaque(&token.range);
    let ends = token.after > Break::None
        || at + 1 == asked.tokens.len()
        || asked
            .token(at + 1)
            .is_some_and(|next| LINKS.contains(&next.fold.as_str()));
    let led = at
        .checked_sub(2)
        .and_then(|before| asked.token(before))
        .is_some_and(|before| {
            before.after == Break::None
                && before.is_any(&[
                    "on", "the", "in", "from", "to", "of", "for", "into", "auf", "im", "vom", "dem", "den",
                    "der", "la", "le", "sur", "el", "en",
                ])
        });
    let listed = at < 2 || asked.break_before(at - 1) >= Break::Comma;
    let capitals = token.is_common()
        && (2..=3).contains(&token.text.len())
        && token.text.chars().all(|c| c.is_ascii_uppercase())
        && !asked
            .text
            .chars()
            .filter(|c| c.is_alphabetic())
            .all(char::is_uppercase);
    let noun = asked
        .token(at.saturating_sub(1))
        .is_some_and(|noun| noun.is_any(&["branch", "branches", "ref", "tag", "zweig", "branche", "rama"]));
    direct && ends && (capitals || (noun && (led || listed) && token.is_any(CALLED)))
}

/// `assigned to user 77`: the noun behind a link only says what kind of thing the code is.
pub(crate) fn is_kind_noun(asked: &Asked<'_>, at: usize, skipped: usize) -> bool {
    const NOUNS: &[&str] = &[
        "user",
        "users",
        "account",
        "member",
        "nutzer",
        "usuario",
        "utilisateur",
    ];
    (1..3).contains(&skipped)
        && asked.is_code(at + 1)
        && asked
            .token(at)
            .is_some_and(|token| token.is_any(NOUNS) && token.after == Break::None)
        && asked
            .token(at.saturating_sub(1))
            .is_some_and(|link| link.is_any(&["to", "by", "an", "a", "von", "por", "par"]))
}

/// Whether a code behind such a noun belongs to the participle before it, and not to the noun: `assigned to user 77`.
pub(crate) fn is_of_participle(asked: &Asked<'_>, hit: &Hit, at: usize) -> bool {
    hit.end == at
        && asked.hits.iter().any(|other| {
            other.parameter != hit.parameter
                && other.end + 2 == at
                && is_kind_noun(asked, other.end + 1, 1)
                && asked.value_start(other).is_some_and(|(start, _)| start == at)
        })
}

/// `Tag commit 9fceb02 in /srv/api as v3.2.0`, `Label the parcel for Lyon as fragile`: what the verb itself names, behind
/// the one `as` of its clause.
pub(crate) fn named_as(asked: &Asked<'_>) -> Vec<Candidate> {
    let Some(verb) = asked
        .tokens
        .iter()
        .position(|token| !token.is_common() && !COURTESIES.contains(&token.fold.as_str()))
    else {
        return Vec::new();
    };
    let mut links = (verb + 2..asked.tokens.len()).filter(|at| {
        asked.token(*at).is_some_and(|token| {
            token.is_any(&["as", "als", "comme", "como"]) && !asked.is_opaque(&token.range)
        })
    });
    let (Some(link), None) = (links.next(), links.next()) else {
        return Vec::new();
    };
    let unbroken = (verb + 1..=link + 1).all(|at| asked.break_before(at) == Break::None);
    let at = link + 1;
    let Some(token) = asked.token(at).filter(|_| unbroken) else {
        return Vec::new();
    };
    let ends = token.after > Break::None
        || asked
            .token(at + 1)
            .is_none_or(|next| LINKS.contains(&next.fold.as_str()));
    let word = !asked.is_opaque(&token.range)
        && ends
        && (asked.is_code(at) || version(token.text) || (plain_word(token) && asked.is_unexplained(at)));
    if !word || asked.is_claimed(at, usize::MAX, 3) {
        return Vec::new();
    }
    asked
        .hits
        .iter()
        .filter(|hit| hit.start == verb && hit.end == verb + 1 && hit.weight > 0.8)
        .filter(|hit| {
            asked.meanings.get(hit.parameter).is_some_and(|meaning| {
                let shape = &meaning.parameter.shape;
                matches!(meaning.kind, Kind::Slug | Kind::Title)
                    && shape.string
                    && shape.choices.is_empty()
                    && meaning.parameter.only.is_none()
            })
        })
        .map(|hit| {
            let value = Value::String(token.text.to_owned());
            let list = asked
                .meanings
                .get(hit.parameter)
                .is_some_and(|meaning| meaning.parameter.list);
            let value = if list { Value::Array(vec![value]) } else { value };
            asked.candidate(hit.parameter, value, token.range.clone(), 0.88)
        })
        .collect()
}

/// `v3.2.0`
fn version(word: &str) -> bool {
    let digits = word.trim_start_matches(['v', 'V']);
    digits.contains('.') && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::assign::rows::check;

    /// P19: a branch may be called by a common word; a common word behind it is seldom its name.
    #[test]
    fn p19_common_words_that_are_names() {
        let run = json!({"type": "object", "properties": {
            "branch": {"type": "string", "description": "The branch to run on"}}});
        check(
            "run_pipeline Triggers a new pipeline",
            &run,
            &[
                ("Run a pipeline on branch next", json!({"branch": "next"})),
                (
                    "Run a pipeline on the branch stable, please",
                    json!({"branch": "stable"}),
                ),
                ("Run a pipeline on the branch now", json!({})),
                ("Which branch next?", json!({})),
            ],
        );
    }

    /// P19: `as` says what the verb's own noun is.
    #[test]
    fn p19_what_a_verb_names_stands_behind_as() {
        let tag = json!({"type": "object", "properties": {
            "path": {"type": "string", "description": "Path to the repository"},
            "tagName": {"type": "string", "description": "Tag name"},
            "commit": {"type": "string", "description": "Commit to tag"},
            "message": {"type": "string", "description": "Tag message"}}});
        check(
            "git_tag Manage tags: list all tags or create one",
            &tag,
            &[
                (
                    "Tag commit 9fceb02 in /srv/api as v3.2.0 with the message \"Autumn release\"",
                    json!({"path": "/srv/api", "tagName": "v3.2.0", "commit": "9fceb02", "message": "Autumn release"}),
                ),
                (
                    "Tag commit 9fceb02 in /srv/api, as we said",
                    json!({"path": "/srv/api", "commit": "9fceb02"}),
                ),
            ],
        );
    }

    /// P19: an enumeration ends where something else is to be done or a limit is said.
    #[test]
    fn p19_lists_end_before_tasks_and_limits() {
        let list = json!({"type": "object", "properties": {
            "tags": {"type": "array", "items": {"type": "string"}, "description": "Filter by tags"},
            "details": {"type": "boolean", "description": "Include details"},
            "limit": {"type": "number", "description": "Number of workflows to return"}}});
        check(
            "list_workflows List workflows",
            &list,
            &[
                (
                    "workflows tagged billing, 15 max",
                    json!({"tags": ["billing"], "limit": 15}),
                ),
                (
                    "workflows with the tags billing and vat, max 15",
                    json!({"tags": ["billing", "vat"], "limit": 15}),
                ),
                (
                    "workflows tagged billing and include the details",
                    json!({"tags": ["billing"], "details": true}),
                ),
                (
                    "workflows tagged winter, 2026",
                    json!({"tags": ["winter", "2026"]}),
                ),
            ],
        );
    }

    /// P19: of a participle and a noun behind it, the participle tells whose an id is.
    #[test]
    fn p19_participles_tell_whose_an_id_is() {
        let ids = |about: &str| json!({"type": "array", "items": {"type": "number"}, "description": about});
        let count = json!({"type": "object", "properties": {
            "assigneeId": ids("Assignee user IDs"), "createdUserId": ids("Created user IDs")}});
        check(
            "count_issues Returns count of issues",
            &count,
            &[
                (
                    "How many issues are assigned to user 77?",
                    json!({"assigneeId": [77]}),
                ),
                (
                    "How many issues were created by user 77?",
                    json!({"createdUserId": [77]}),
                ),
            ],
        );
    }

    /// P19: a word that is another parameter's name names no tags.
    #[test]
    fn p19_a_label_beside_tags_is_the_label() {
        let set = json!({"type": "object", "properties": {
            "key": {"type": "string", "description": "The name of the key"},
            "value": {"type": "string", "description": "The value to set"},
            "label": {"type": "string", "description": "The label to apply to the key"},
            "projectSlugOrId": {"type": "string", "description": "The project's slug or numeric ID"},
            "tags": {"type": "array", "items": {"type": "string"}, "description": "The tags of the key"}},
            "required": ["key", "value"]});
        check(
            "kv_set Set a key-value setting",
            &set,
            &[(
                "set key MaxItems to 250, label prod, project kiosk",
                json!({"key": "MaxItems", "value": "250", "label": "prod", "projectSlugOrId": "kiosk"}),
            )],
        );
    }
}
