//! Does somebody only wonder, sigh or cheer?
//!
//! It counts only where no other clause asks for anything; the caller sees to that.

use super::Reason;
use super::said::{is_done, is_verb, opened};
use super::talk::{holds, spaced};
use crate::words::Token;

/// Whether a sentence only wonders about an action, or thinks of one some day.
pub(crate) fn wonders(sentence: &[Token<'_>]) -> Option<Reason> {
    const THINKING: &[&str] = &[
        "thinking about",
        "thinking of",
        "considering whether",
        "we're considering",
        "i'm considering",
        "tempted to",
        "i wonder",
        "wondering whether",
        "wondering if",
        "i would have",
        "i'd have",
        "we would have",
        "we'd have",
        "ich uberlege",
        "wir uberlegen",
        "ich frage mich",
        "je me demande",
        "me pregunto",
        "i wish",
        "estoy pensando",
        "je pense a",
        "wouldn't it",
        "isn't it a",
        "don't you think",
        "j'hesite",
    ];
    const HEDGES: &[&str] = &[
        "probably",
        "maybe",
        "perhaps",
        "at some point",
        "some day",
        "someday",
        "sometime",
        "eventually",
        "i guess",
        "i suppose",
        "one day",
        "or is it",
        "vielleicht",
        "irgendwann",
        "wohl",
        "eventuell",
        "peut-etre",
        "un jour",
        "quiza",
        "quizas",
        "tal vez",
        "algun dia",
        "could always",
    ];
    const MODALS: &[&str] = &[
        "we should",
        "we could",
        "we might",
        "we may",
        "we ought",
        "i should",
        "i could",
        "i might",
        "i may",
        "one could",
        "somebody should",
        "someone should",
        "should we",
        "should i",
        "wir sollten",
        "wir konnten",
        "sollten wir",
        "konnten wir",
        "ich konnte",
        "ich sollte",
        "man sollte",
        "man konnte",
        "on devrait",
        "on pourrait",
        "je pourrais",
        "deberiamos",
        "podriamos",
        "habria que",
        "we'd have to",
        "we might have to",
    ];
    const UNDO: &[&str] = &[
        "delete",
        "cancel",
        "undo",
        "remove",
        "restore",
        "revert",
        "refund",
        "void",
        "uninstall",
    ];
    let said = opened(sentence);
    let text = spaced(said);
    let begins = |starts: &[&str]| starts.iter().any(|start| text.starts_with(&format!(" {start} ")));
    let kindly = holds(
        &text,
        &[
            "you could",
            "you can",
            "you would",
            "you might",
            "if you'd",
            "please",
        ],
    );
    let acts = said
        .iter()
        .any(|token| is_verb(token) || is_done(token) || is_gerund(token));
    let thinks = holds(&text, THINKING) || (holds(&text, HEDGES) && holds(&text, MODALS));
    let ought = holds(
        &text,
        &[
            "somebody ought to",
            "someone ought to",
            "somebody should do",
            "someone should do",
        ],
    );
    if (thinks || ought) && !kindly {
        return Some(Reason::Supposition);
    }
    let effect = begins(&["what would", "would"])
        && !begins(&["would you"])
        && said.iter().skip(1).take(5).any(is_gerund);
    let noun = begins(&["what would"])
        && holds(
            &text,
            &[
                "reset",
                "removal",
                "deletion",
                "cancellation",
                "rollback",
                "refund",
                "restart",
                "uninstall",
            ],
        );
    let risk = begins(&[
        "is there any risk",
        "is there a risk",
        "is there any danger",
        "could it be",
        "might it be",
        "would it make sense",
        "what happens to",
    ]) && (acts || begins(&["could it be", "might it be"]));
    let how = begins(&[
        "how do i",
        "how can i",
        "how would i",
        "how do we",
        "how can we",
        "wie kann ich",
        "comment puis-je",
        "como puedo",
    ]) && said.get(3).is_some_and(|token| token.is_any(UNDO));
    let done = begins(&[
        "did you",
        "have you",
        "has anybody",
        "has anyone",
        "did anybody",
        "did anyone",
        "did somebody",
        "hast du",
        "as-tu",
    ]) && said.iter().skip(2).take(2).any(|token| {
        (is_verb(token) || is_done(token)) && !token.is_any(&["get", "find", "read", "list", "call", "order"])
    });
    let can_be = begins(&["can", "could", "may"])
        && holds(&text, &["be"])
        && !kindly
        && said.iter().any(is_done)
        && holds(&text, &["without", "safely", "later", "again", "undone"]);
    let opinion = begins(&["what do you think", "was meinst du", "qu'en penses-tu"]);
    (effect || noun || risk || how || done || can_be || opinion).then_some(Reason::Question)
}

/// `deleting`: a verb that is spoken of.
fn is_gerund(token: &Token<'_>) -> bool {
    token.fold.strip_suffix("ing").is_some_and(|root| {
        let single = root.get(..root.len().saturating_sub(1)).unwrap_or_default();
        root.len() > 2
            && (super::said::is_verb_word(root)
                || super::said::is_verb_word(&format!("{root}e"))
                || super::said::is_verb_word(single))
    })
}

/// Whether a text sighs, cheers or thanks, and says how things are.
pub(crate) fn sighs(words: &[Token<'_>]) -> bool {
    const SIGHS: &[&str] = &[
        "phew",
        "ugh",
        "sigh",
        "argh",
        "yay",
        "wow",
        "haha",
        "lol",
        "omg",
        "hurray",
        "what a mess",
        "what a day",
        "what a week",
        "what a monday",
        "i hate",
        "i love",
        "can you believe",
        "so tired of",
        "just saying",
        "by the way",
        "btw",
        "fyi",
        "just so you know",
        "only so you know",
        "so you know",
        "glad we",
        "so glad",
        "took me",
        "only so that you know",
        "puh",
        "uff",
        "juhu",
        "ubrigens",
        "nur so",
        "nur zur info",
        "bof",
        "ouf",
        "quel bazar",
        "au fait",
        "uf",
        "por cierto",
        "que desastre",
        "such a mess",
        "never mind",
        "nevermind",
        "egal",
    ];
    const BEING: &[&str] = &[
        "is", "are", "was", "were", "it's", "that's", "looks", "look", "went", "came", "took", "failed",
        "said", "loved", "worked", "works", "had", "has", "have", "finally", "i'm", "ist", "war", "waren",
        "est", "etait", "es", "fue", "hate", "what", "seems",
    ];
    const THANKS: &[&str] = &[
        "thanks", "thx", "thank", "danke", "merci", "gracias", "cheers", "ty",
    ];
    const FEELING: &[&str] = &[
        "was wonderful",
        "was great",
        "was lovely",
        "was fun",
        "was awful",
        "was terrible",
        "was horrible",
        "was amazing",
        "was fantastic",
        "was exhausting",
        "was brilliant",
        "went fine",
        "went well",
        "went smoothly",
        "went great",
        "war toll",
        "war super",
        "war schon",
        "etait super",
        "etait genial",
        "fue genial",
    ];
    let text = spaced(words);
    let begins = |list: &[&str]| words.first().is_some_and(|first| first.is_any(list));
    let cheers = words
        .first()
        .is_some_and(|first| first.fold.len() > 4 && first.fold.starts_with("yess"));
    let is = words.iter().any(|token| token.is_any(BEING));
    ((holds(&text, SIGHS) || cheers || begins(THANKS))
        && is
        && !holds(&text, &["in advance", "im voraus", "d'avance"]))
        || holds(&text, FEELING)
}
