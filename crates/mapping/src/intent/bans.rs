//! Does a clause want something left as it is?
//!
//! It counts only where no other clause asks for anything; the caller sees to that.

use super::said::{is_done, is_verb, opened};
use super::talk::{holds, spaced};
use crate::words::Token;

/// Whether a clause wants something left as it is.
pub(crate) fn holds_back(clause: &[Token<'_>]) -> bool {
    const PLAINLY: &[&str] = &[
        "under no circumstances",
        "under no circumstance",
        "on no account",
        "by no means",
        "hold off",
        "hands off",
        "refrain from",
        "rather not",
        "rather you didn't",
        "better not",
        "needn't",
        "no need to",
        "finger weg",
        "unter keinen umstanden",
        "auf keinen fall",
        "bas les pattes",
        "en aucun cas",
        "bajo ningun concepto",
        "de ninguna manera",
        "not to be touched",
        "touche pas",
    ];
    let said = opened(clause);
    let text = spaced(said);
    let begins = |words: &[&str]| said.first().is_some_and(|first| first.is_any(words));
    let alone = begins(&[
        "leave", "lass", "lasst", "lassen", "laisse", "laissez", "deja", "dejad", "keep",
    ]) && holds(
        &text,
        &[
            "alone",
            "as it is",
            "as they are",
            "as is",
            "untouched",
            "where it is",
            "in peace",
            "in ruhe",
            "wie es ist",
            "wie sie ist",
            "wie sie sind",
            "tranquille",
            "comme ca",
            "tel quel",
            "telle quelle",
            "en paz",
            "como esta",
        ],
    );
    // `Keep FILE-3 for now`, `keep the branch`: nothing that begins anew.
    let kept = begins(&["keep", "behalte", "garde", "gardez", "conserva"])
        && said.len() <= 8
        && said.get(1).is_some_and(|next| {
            next.is_any(&[
                "the", "it", "that", "this", "them", "those", "our", "my", "your", "la", "le", "el", "die",
                "den", "das",
            ]) || next.is_coded()
        })
        && !holds(
            &text,
            &["as", "me", "to", "only", "updated", "posted", "watching", "eye"],
        );
    holds(&text, PLAINLY) || alone || kept || prohibits(said) || nobody(clause) || abroad(clause)
}

/// `Don't apply it`, `must not be touched`, `I don't think it should be voided`.
fn prohibits(said: &[Token<'_>]) -> bool {
    const HARMLESS: &[&str] = &[
        "forget",
        "hesitate",
        "worry",
        "mind",
        "know",
        "think",
        "have",
        "need",
        "bother",
        "care",
        "understand",
        "see",
        "get",
        "remember",
        "want",
        "use",
        "like",
        "work",
        "find",
    ];
    let text = spaced(said);
    let is = |at: usize, words: &[&str]| said.get(at).is_some_and(|token| token.is_any(words));
    let length = if is(0, &["do"]) && is(1, &["not"]) {
        2
    } else {
        usize::from(is(0, &["don't", "dont", "never", "do'nt", "nunca"]))
    };
    let ordered = length > 0
        && said
            .get(length)
            .is_some_and(|next| !next.is_any(HARMLESS) && !next.is_coded());
    let passive = (0..said.len()).any(|at| {
        let not = is(at, &["mustn't", "shouldn't", "isn't", "aren't"])
            || (is(at, &["not"]) && at > 0 && is(at - 1, &["must", "should", "may", "shall", "is", "are"]));
        not && (is(at + 1, &["be"]) || is(at + 1, &["to"]) && is(at + 2, &["be"]))
            && said
                .get(at + 2..)
                .unwrap_or_default()
                .iter()
                .take(3)
                .any(|token| is_done(token) || is_verb(token) || token.is_any(&["touched", "changed"]))
    });
    let doubts = holds(&text, &["don't think", "do not think", "doubt"])
        && holds(
            &text,
            &["should", "needs to", "ought to", "must", "have to", "has to"],
        );
    (ordered || passive || doubts) && !text.contains(" no longer ")
}

/// `Nobody deletes it before I have looked`.
fn nobody(said: &[Token<'_>]) -> bool {
    let third = |token: &Token<'_>| {
        token.is_any(&[
            "touches", "touch", "changes", "is", "beruhrt", "anfassen", "toca", "touche",
        ]) || is_verb(token)
            || token.fold.strip_suffix('s').is_some_and(|root| {
                super::said::is_verb_word(root)
                    || root.strip_suffix('e').is_some_and(super::said::is_verb_word)
            })
    };
    said.iter().enumerate().any(|(at, token)| {
        let one = token.is_any(&["no"]) && said.get(at + 1).is_some_and(|next| next.is_any(&["one"]));
        let next = said.get(at + if one { 2 } else { 1 });
        let is_to = next.is_some_and(|next| next.is_any(&["is"]));
        let to = said
            .get(at + if one { 3 } else { 2 })
            .is_some_and(|word| word.is_any(&["to", "allowed"]));
        (one || token.is_any(&["nobody", "niemand", "personne", "nadie"]))
            && !said.iter().take(at).any(is_verb)
            && next.is_some_and(third)
            && (!is_to || to)
    })
}

/// `Bitte nicht anfassen`, `merci de ne pas toucher`, `no toques`.
fn abroad(said: &[Token<'_>]) -> bool {
    const SPANISH: &[&str] = &[
        "borr",
        "elimin",
        "cancel",
        "envi",
        "mand",
        "cierr",
        "cerr",
        "muev",
        "mov",
        "toqu",
        "toc",
        "archiv",
        "publi",
        "publiqu",
        "public",
        "cre",
        "cambi",
        "actualic",
        "actualiz",
        "reembols",
        "anul",
        "quit",
        "quites",
        "renombr",
        "abr",
        "apagu",
        "apag",
        "enciend",
        "encend",
        "desactiv",
        "activ",
        "desinstal",
        "instal",
        "deteng",
        "deten",
        "reinici",
        "compart",
        "sub",
        "pagu",
        "pag",
        "aprueb",
        "aprob",
        "rechac",
        "rechaz",
        "hag",
        "pong",
        "reserv",
        "marqu",
        "marc",
        "fusion",
        "desplegu",
        "despleg",
        "modifiqu",
        "modific",
    ];
    let is = |at: usize, words: &[&str]| said.get(at).is_some_and(|token| token.is_any(words));
    let start = said.len() - opened(said).len();
    (0..said.len()).any(|at| {
        let rest = said.get(at + 1..).unwrap_or_default();
        let next = said.get(at + 1).map_or("", |token| token.fold.as_str());
        let ends = |ends: &[&str], word: &str| {
            SPANISH
                .iter()
                .any(|stem| word.strip_prefix(stem).is_some_and(|end| ends.contains(&end)))
        };
        let spanish = is(at, &["no", "nunca"])
            && ends(
                &["es", "as", "eis", "ais", "en", "an", "ar", "er", "ir", "e", "a"],
                next,
            )
            && !matches!(
                next,
                "cancel" | "cares" | "create" | "active" | "archive" | "publicar"
            );
        let without =
            is(at, &["ne", "n'"]) && rest.iter().take(4).any(|token| token.is_any(&["pas", "jamais"]));
        let french = without
            && (at == start || is(at + 1, &["pas", "jamais"]) || is(at.saturating_sub(1), &["surtout"]));
        let modal = said.iter().any(|token| {
            token.is_any(&[
                "ich", "wir", "er", "es", "kann", "konnte", "will", "mochte", "kannst",
            ])
        });
        let german = is(at, &["nicht", "niemals", "keinesfalls"])
            && !modal
            && !of_a_noun(rest)
            && said.last().is_some_and(|last| {
                last.fold.len() > 4
                    && last.text.starts_with(char::is_lowercase)
                    && ["en", "ern", "eln", "werden"]
                        .iter()
                        .any(|end| last.fold.ends_with(end))
            })
            && !is(0, &["welche", "welcher"]);
        spanish || french || german
    })
}

/// `nicht bezahlten Rechnungen`: which ones, and no ban.
fn of_a_noun(rest: &[Token<'_>]) -> bool {
    let attribute = rest
        .first()
        .is_some_and(|token| token.fold.ends_with("en") || token.fold.ends_with('e'));
    attribute
        && rest
            .get(1)
            .is_some_and(|noun| noun.is_capitalised() && !noun.is_coded())
}

/// `We need it next year`: why a thing is to stay.
pub(crate) fn needs_it(clause: &[Token<'_>]) -> bool {
    clause.windows(3).chain([clause]).any(|three| {
        let [need, it, rest @ ..] = three else {
            return false;
        };
        need.is_any(&["need", "needs", "want", "wants"])
            && it.is_any(&["it", "them", "that", "those"])
            && !rest
                .first()
                .is_some_and(|next| is_done(next) || next.is_any(&["to", "back", "gone", "done", "off"]))
    }) || clause.last_chunk::<2>().is_some_and(|[need, it]| {
        need.is_any(&["need", "needs", "want", "wants"]) && it.is_any(&["it", "them", "that", "those"])
    })
}
