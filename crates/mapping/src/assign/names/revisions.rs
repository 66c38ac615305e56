//! Which branch, tag or commit does a request mean, where the parameter is called `ref`, `sha` or `startPoint`?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate, LINKS};
use crate::assign::references::plain_word;
use crate::kind::Kind;
use crate::meaning::{Cue, Meaning, Role};
use crate::words::{Break, name_words};

/// What people call a revision.
const CALLED: &[&str] = &["branch", "tag", "commit", "ref", "revision"];
/// Branches that are called so everywhere.
const KNOWN: &[&str] = &["main", "master", "develop", "trunk"];
/// What the names of branches begin with.
const HEADS: &[&str] = &[
    "feature/",
    "feat/",
    "fix/",
    "hotfix/",
    "bugfix/",
    "release/",
    "chore/",
    "docs/",
    "refactor/",
    "renovate/",
    "dependabot/",
    "refs/",
];

/// Whether a parameter takes one revision of any kind.
fn is_revision(meaning: &Meaning) -> bool {
    let words = name_words(meaning.parameter.name());
    let about = meaning.parameter.description.to_lowercase();
    let told = ["branch", "commit", " ref ", "git ref"]
        .iter()
        .any(|said| about.contains(said));
    let named = match words.as_slice() {
        [one] => matches!(
            one.as_str(),
            "ref" | "sha" | "revision" | "committish" | "treeish" | "rev"
        ),
        [one, two] => {
            matches!(
                (one.as_str(), two.as_str()),
                ("git", "ref") | ("start", "point") | ("commit", "sha")
            )
        }
        _ => false,
    };
    let single = meaning.parameter.shape.string && !meaning.parameter.list;
    single && meaning.parameter.only.is_none() && (named || (told && words == ["target"]))
}

/// Whether a parameter takes a branch by name.
pub(crate) fn is_branch(meaning: &Meaning) -> bool {
    let words = name_words(meaning.parameter.name());
    words.iter().any(|word| word == "branch") && meaning.parameter.shape.string && !meaning.parameter.list
}

/// Lets `branch`, `tag` and `commit` name a revision, where no other parameter bears the word.
pub(crate) fn call_revisions(all: &mut [Meaning]) {
    let names: Vec<Vec<String>> = all
        .iter()
        .map(|meaning| name_words(meaning.parameter.name()))
        .collect();
    let first = all.iter().position(is_revision);
    for (at, meaning) in all.iter_mut().enumerate() {
        if Some(at) != first {
            continue;
        }
        if meaning.kind == Kind::Id {
            meaning.kind = Kind::Slug;
        }
        for word in CALLED {
            let taken = names
                .iter()
                .enumerate()
                .any(|(other, words)| other != at && words.iter().any(|own| own == word));
            if !taken {
                meaning.cues.push(Cue {
                    phrase: vec![crate::meaning::sense_of(word)],
                    weight: 0.95,
                });
            }
        }
    }
}

/// `on main`, `from develop`, `between main and …`: a branch by its place in the sentence.
pub(crate) fn revisions(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = compared(asked);
    let Some((parameter, from)) = open_parameter(asked).filter(|_| candidates.is_empty()) else {
        return candidates;
    };
    for at in 1..asked.tokens.len() {
        let (Some(link), Some(token)) = (asked.token(at - 1), asked.token(at)) else {
            continue;
        };
        let verbed = at == 1 && asked.is_tool_word(link) && !link.is_any(&["branch", "tag", "commit"]);
        let linked = if verbed {
            !from
        } else if from {
            link.is_any(&["from", "off", "von", "ab", "aus", "depuis", "desde", "de", "on"])
        } else {
            link.is_any(&[
                "on", "of", "from", "at", "in", "between", "against", "with", "to", "auf", "von", "vom",
                "im", "sur", "en", "de", "zu", "than", "out", "checkout",
            ])
        };
        let ends = token.after > Break::None
            || asked.token(at + 1).is_none_or(|next| {
                LINKS.contains(&next.fold.as_str()) || next.is_common() || next.is_coded()
            });
        // `based on release-4`, `off of v2.1`: whatever it is called.
        let based = from
            && at > 1
            && asked.token(at - 2).is_some_and(|before| {
                before.after == Break::None
                    && ((before.is_any(&["based", "basierend", "basee", "basado", "basada", "branched"])
                        && link.is_any(&["on", "off", "from", "auf", "sur", "en"]))
                        || (before.is_any(&["off"]) && link.is_any(&["of"])))
            });
        if based && link.after == Break::None && ends && !token.is_common() && !token.text.starts_with('/') {
            candidates.push(asked.candidate(
                parameter,
                Value::String(token.text.to_owned()),
                token.range.clone(),
                0.94,
            ));
            continue;
        }
        let known = is_known(token.text) || (from && !token.is_common() && is_plain(asked, at));
        if !linked || link.after > Break::None || !known || !ends || asked.is_opaque(&token.range) {
            continue;
        }
        // `in /srv/shop`, `on staging` where an environment is asked for.
        if asked.is_claimed(at, parameter, 3) {
            continue;
        }
        candidates.push(asked.candidate(
            parameter,
            Value::String(token.text.to_owned()),
            token.range.clone(),
            if is_known(token.text) { 0.84 } else { 0.72 },
        ));
    }
    candidates
}

/// `between main and develop`, `v1.2 with v1.3`: both sides of a comparison.
fn compared(asked: &Asked<'_>) -> Vec<Candidate> {
    let side = |role: Role| {
        let mut found = asked.meanings.iter().enumerate().filter(|(_, meaning)| {
            let about = meaning.parameter.description.to_lowercase();
            meaning.role == role
                && meaning.kind == Kind::Slug
                && !meaning.parameter.list
                && ["branch", "commit", " ref", "tag"]
                    .iter()
                    .any(|said| about.contains(said))
        });
        found.next().map(|(at, _)| at).filter(|_| found.next().is_none())
    };
    let (Some(from), Some(to)) = (side(Role::From), side(Role::To)) else {
        return Vec::new();
    };
    let between = asked
        .tokens
        .iter()
        .any(|token| token.is_any(&["between", "zwischen", "entre"]));
    let word = |at: usize| {
        asked.token(at).filter(|token| {
            let spelled = is_known(token.text) || asked.is_code(at) || (between && is_plain(asked, at));
            spelled && !token.text.starts_with('/') && !asked.is_opaque(&token.range)
        })
    };
    for at in 1..asked.tokens.len() {
        let opened = asked.token(at - 1).is_some_and(|token| {
            token.is_any(&["between", "compare", "diff", "zwischen", "entre", "vergleiche"])
        });
        let joined = asked.token(at + 1).is_some_and(|token| {
            token.is_any(&[
                "and", "with", "to", "against", "vs", "und", "mit", "et", "y", "con", "avec",
            ])
        });
        if let (true, true, Some(first), Some(second)) = (opened, joined, word(at), word(at + 2)) {
            return [(from, first), (to, second)]
                .into_iter()
                .map(|(parameter, token)| {
                    asked.candidate(
                        parameter,
                        Value::String(token.text.to_owned()),
                        token.range.clone(),
                        0.96,
                    )
                })
                .collect();
        }
    }
    Vec::new()
}

/// The one parameter that a branch may belong to, and whether it is what a new branch begins at.
fn open_parameter(asked: &Asked<'_>) -> Option<(usize, bool)> {
    let starts = asked.meanings.iter().position(|meaning| {
        let words = name_words(meaning.parameter.name());
        let base = words
            .iter()
            .any(|word| matches!(word.as_str(), "base" | "start" | "source" | "from"));
        let revision = is_branch(meaning) || words == ["start", "point"] || words == ["from", "ref"];
        base && revision && meaning.kind == Kind::Slug
    });
    let creates =
        asked.tool.contains("branch") && (asked.tool.contains("creat") || asked.name.contains("branch"));
    let two = asked.meanings.iter().filter(|meaning| is_branch(meaning)).count() > 1;
    if let Some(at) = starts.filter(|_| creates) {
        return Some((at, true));
    }
    if two || creates {
        return None;
    }
    let revision = asked.meanings.iter().position(is_revision);
    let branch = asked.meanings.iter().position(is_branch);
    let compared = asked.meanings.iter().position(|meaning| {
        meaning.parameter.name() == "target" && meaning.kind == Kind::Slug && asked.tool.contains("branch")
    });
    revision.or(branch).or(compared).map(|at| (at, false))
}

pub(crate) fn is_known(word: &str) -> bool {
    KNOWN.contains(&word)
        || HEADS
            .iter()
            .any(|head| word.len() > head.len() && word.starts_with(head))
}

fn is_plain(asked: &Asked<'_>, at: usize) -> bool {
    asked
        .token(at)
        .is_some_and(|token| plain_word(token) && !token.is_capitalised() && asked.is_unexplained(at))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::assign::rows;

    fn read(text: &str, words: &str, names: &[&str], required: &[&str]) -> Value {
        rows::read(text, words, &rows::named(names, required))
    }

    /// P19: a revision is called by what it is, or known by its name and place.
    #[test]
    fn p19_revisions_are_found() {
        let commits = (
            "list_commits List commits of a branch",
            &["owner", "repo", "sha"][..],
            &["owner", "repo"][..],
        );
        let file = (
            "get_file Get a file",
            &["project_id", "file_path", "ref"][..],
            &["project_id", "file_path"][..],
        );
        let branch = (
            "git_create_branch Creates a new branch",
            &["repo_path", "branch_name", "base_branch"][..],
            &["repo_path", "branch_name"][..],
        );
        for (text, (words, names, required), expected) in [
            (
                "Show the last commits on branch beta of acme/web",
                commits,
                json!({"owner": "acme", "repo": "web", "sha": "beta"}),
            ),
            (
                "commits on main in acme/web",
                commits,
                json!({"owner": "acme", "repo": "web", "sha": "main"}),
            ),
            (
                "Show docs/setup.md of project acme/shop at tag v1.2",
                file,
                json!({"project_id": "acme/shop", "file_path": "docs/setup.md", "ref": "v1.2"}),
            ),
            (
                "Create a branch hotfix/cart from develop in /srv/shop",
                branch,
                json!({"repo_path": "/srv/shop", "branch_name": "hotfix/cart", "base_branch": "develop"}),
            ),
            // Neither a person nor a place is a branch.
            (
                "commits by Aiko in acme/web",
                commits,
                json!({"owner": "acme", "repo": "web"}),
            ),
            (
                "commits on Monday in acme/web",
                commits,
                json!({"owner": "acme", "repo": "web"}),
            ),
        ] {
            assert_eq!(read(text, words, names, required), expected, "{text}");
        }
    }
}
