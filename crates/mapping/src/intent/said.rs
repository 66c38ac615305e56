//! What does one clause or one sentence do: ask, forbid, suppose, report?

use super::Reason;
use super::talk::is_question;
use super::wonders::wonders as wonders_about;
use crate::words::{Break, Token};

/// Verbs that ask for something to be done, in lower case without accents.
const VERBS: &str = "accept acknowledge activate add adjust answer append approve archive assign attach ban block book bring buy call cancel change charge check clean \
clear clone close comment commit compare complete configure convert copy create deactivate decline delete deploy disable disconnect dismiss \
download draft drop edit email empty enable end erase escalate exclude export file find finish fire fix flag forward freeze generate get give grant hand \
import install invite invoice issue kill label launch leave link list lock log mail mark merge message move mute notify open order \
overwrite pause pay pin place plan post promote publish pull purge push put raise read reassign rebuild refund reject release reload remind \
remove rename reopen replace reply report rerun reschedule reserve reset resize resolve restart restore resume retry revoke roll run save scale schedule \
search send set share ship show shut sign start stop submit subscribe suspend switch tag transfer tell trigger turn uninstall unlink unlock unmute unpublish unshare \
unsubscribe update upgrade upload void wipe withdraw write \
losch losche loschen storniere storniert stornieren schick schicke schicken sende senden erstelle erstellen leg lege anlegen verschieb verschiebe verschieben schliess schliesse schliessen \
andere andern setz setze setzen entferne entfernen buche buchen starte starten stopp stoppe stoppen zeig zeige zeigen such suche suchen trag trage \
supprime supprimer supprimez annule annuler annulez envoie envoyer envoyez cree creer creez ajoute ajouter ajoutez ferme fermer fermez deplace deplacer montre montrer \
archive archiver renomme renommer rembourse rembourser efface effacer publie publier \
borra borrar borres elimina eliminar elimines cancela cancelar canceles envia enviar envies crea crear anade anadir cierra cerrar cierres mueve mover muestra mostrar \
archiva archivar reembolsa reembolsar publica publicar";

/// Verbs that only say more about what was asked before: `and label it bug`.
pub(crate) const DETAILS: &[&str] = &[
    "invite", "add", "tell", "label", "tag", "assign", "set", "mark", "submit", "name", "call", "title",
    "give", "get", "check", "leave", "read", "find", "list", "order", "plan", "report", "file", "end",
    "start", "open", "run", "release", "log", "put", "note", "keep", "let", "show",
];

/// Words in front of what a sentence says.
const OPENINGS: &[&str] = &[
    "please",
    "pls",
    "plz",
    "hey",
    "hi",
    "hello",
    "ok",
    "okay",
    "so",
    "and",
    "but",
    "then",
    "also",
    "now",
    "just",
    "bitte",
    "also",
    "dann",
    "und",
    "aber",
    "merci",
    "alors",
    "et",
    "mais",
    "por",
    "favor",
    "y",
    "pero",
    "oh",
    "well",
    "yes",
    "no",
    "everybody",
    "kindly",
    "dear",
    "team",
    "bot",
    "hmm",
    "hm",
    "um",
    "surtout",
    "s'il",
    "te",
    "vous",
    "plait",
    "svp",
];

pub(crate) const PRAISE: &[&str] = &[
    "thanks",
    "thank",
    "thx",
    "haha",
    "lol",
    "great",
    "nice",
    "cool",
    "awesome",
    "perfect",
    "wow",
    "danke",
    "super",
    "merci",
    "gracias",
    "genial",
    "congrats",
    "cheers",
    "brilliant",
    "amazing",
    "good",
    "hello",
    "hi",
    "hey",
    "bye",
    "ciao",
    "hola",
    "bonjour",
    "hallo",
    "guten",
    "buenos",
    "yay",
    "vielen",
    "lovely",
    "sweet",
    "excellent",
];

pub(crate) fn is_verb(token: &Token<'_>) -> bool {
    is_verb_word(&token.fold)
}

/// Whether a word in lower case is a verb that asks for something.
pub(crate) fn is_verb_word(word: &str) -> bool {
    VERBS.split_whitespace().any(|verb| verb == word)
}

/// A clause without the words that only open it.
pub(crate) fn opened<'w, 't>(clause: &'w [Token<'t>]) -> &'w [Token<'t>] {
    let skip = clause
        .iter()
        .take_while(|token| OPENINGS.contains(&token.fold.as_str()))
        .count();
    clause.get(skip..).unwrap_or_default()
}

/// Whether a clause asks for something: it begins with a verb, or asks somebody politely.
pub(crate) fn is_request(clause: &[Token<'_>]) -> bool {
    let said = opened(clause);
    let Some(first) = said.first() else { return false };
    let second = said.get(1);
    let polite = first.is_any(&[
        "can",
        "could",
        "would",
        "will",
        "may",
        "kannst",
        "konntest",
        "konnen",
        "konnten",
        "wurdest",
        "peux-tu",
        "pouvez-vous",
        "pourrais-tu",
        "pourriez-vous",
        "puedes",
        "podrias",
        "podria",
        "puede",
        "let's",
        "lets",
        "let",
        "tu",
    ]) && second.is_some()
        && !chats_on(said);
    let wish = said.iter().take(4).any(|token| {
        token.is_any(&[
            "want", "need", "i'd", "like", "mochte", "brauche", "voudrais", "quiero", "necesito",
        ])
    }) && !still_needs(said);
    let asked_behind = clause
        .iter()
        .any(|token| token.is_any(&["please", "pls", "bitte"]))
        && clause.iter().any(is_verb);
    (is_verb(first) && !is_past(said)) || polite || wish || asked_behind
}

/// `Can you believe it`, `let's have a good week`: an opening that asks for nothing.
fn chats_on(said: &[Token<'_>]) -> bool {
    let second = said.get(1);
    let third = said.get(2);
    let lets = said.first().is_some_and(|first| first.is_any(&["let's", "lets"]))
        && second.is_some_and(|word| word.is_any(&["see", "wait", "hope"]))
        || (second.is_some_and(|word| word.is_any(&["have"]))
            && third.is_some_and(|word| word.is_any(&["a"]))
            && said
                .iter()
                .any(|word| word.is_any(&["good", "great", "nice", "fun"])));
    let believes = second.is_some_and(|word| word.is_any(&["you"]))
        && third.is_some_and(|word| word.is_any(&["believe", "imagine"]));
    lets || believes
}

/// `I still need it`: why a thing is to stay, and no wish for anything.
fn still_needs(said: &[Token<'_>]) -> bool {
    said.iter()
        .take(4)
        .any(|token| token.is_any(&["still", "todavia", "aun", "noch", "encore"]))
        && said
            .iter()
            .any(|token| token.is_any(&["need", "want", "brauche", "necesito", "quiero"]))
        && !said.iter().any(|token| token.is_any(&["to", "que"]))
        && said.len() <= 7
        && said.iter().any(|token| {
            token.is_any(&[
                "it", "them", "that", "this", "those", "lo", "la", "los", "las", "sie", "ihn", "es", "das",
                "die",
            ])
        })
}

/// `deleted`, `cancelled`: a verb in the past.
fn is_past(said: &[Token<'_>]) -> bool {
    said.first().is_some_and(|first| first.fold.ends_with("ed"))
}

/// Whether a clause forbids something.
pub(crate) fn forbids(clause: &[Token<'_>]) -> bool {
    let folds: Vec<&str> = clause.iter().map(|token| token.fold.as_str()).collect();
    let is = |at: usize, words: &[&str]| folds.get(at).is_some_and(|fold| words.contains(fold));
    (0..folds.len()).any(|at| {
        let apart = is(
            at,
            &["do", "must", "should", "may", "shall", "can", "could", "would"],
        ) && is(at + 1, &["not"]);
        let joined = is(
            at,
            &[
                "don't",
                "dont",
                "never",
                "mustn't",
                "shouldn't",
                "nobody",
                "nunca",
                "jamais",
            ],
        );
        // `The drivers don't read mail` forbids nothing.
        let told = at > 0
            && is(at, &["don't", "dont", "do", "never"])
            && clause.get(at - 1).is_some_and(|before| {
                before.fold.ends_with('s') && !OPENINGS.contains(&before.fold.as_str())
                    || before.is_any(&["they", "people"])
            })
            && clause.get(..at).is_some_and(|before| !before.iter().any(is_verb));
        let next = at + if apart { 2 } else { 1 };
        let forgets = is(
            next,
            &[
                "forget", "hesitate", "worry", "mind", "know", "think", "have", "vergiss",
            ],
        );
        let verb = (next..next + 3).any(|place| {
            clause
                .get(place)
                .is_some_and(|token| is_verb(token) || token.is_any(&["touch", "want", "do", "try"]))
        });
        if (apart || joined) && verb && !forgets && !told {
            return true;
        }
        let strictly =
            is(at, &["keinen", "keinesfalls", "niemals"]) && (is(at + 1, &["fall"]) || !is(at, &["keinen"]));
        let german = is(at, &["nicht"])
            && (at + 1 == folds.len() || clause.get(at + 1).is_some_and(is_verb))
            && clause.iter().any(is_verb);
        let french = is(at, &["ne", "n'"])
            && (at + 2..at + 5).any(|place| is(place, &["pas", "jamais"]))
            && clause.iter().any(is_verb);
        let spanish = is(at, &["no"])
            && clause
                .get(at + 1)
                .is_some_and(|token| is_spanish_verb(&token.fold));
        (strictly && clause.iter().any(is_verb)) || german || french || spanish
    })
}

fn is_spanish_verb(fold: &str) -> bool {
    [
        "borres",
        "borrar",
        "elimines",
        "eliminar",
        "canceles",
        "cancelar",
        "envies",
        "enviar",
        "cierres",
        "cerrar",
        "muevas",
        "toques",
        "archives",
        "publiques",
        "crees",
    ]
    .contains(&fold)
}
/// Beginnings of a supposition.
const SUPPOSING: &[&str] = &[
    "what if",
    "suppose",
    "supposing",
    "imagine",
    "assuming",
    "was ware",
    "et si",
    "y si",
];

/// Beginnings of a supposition where a condition follows.
const WONDERING: &[&str] = &[
    "what would",
    "what will",
    "what happens",
    "what could",
    "was wurde",
    "was passiert",
    "que se passe",
    "que se passerait",
    "qu'est-ce qui se passe",
    "que pasa",
    "que pasaria",
    "would it",
    "would anything",
    "would anybody",
];

/// Conditions that are only polite.
const POLITE: &[&str] = &[
    "if possible",
    "if you can",
    "if you could",
    "if you don't mind",
    "if not",
    "wenn moglich",
    "si possible",
    "si puedes",
    "si tu peux",
    "if so",
];

/// Beginnings of a question about an action.
const ABOUT: &[&str] = &[
    "should i",
    "should we",
    "should it",
    "is it a good",
    "is it safe",
    "is it ok",
    "is it okay",
    "is it wise",
    "is it possible",
    "is it allowed",
    "is it dangerous",
    "is it worth",
    "is it a bad",
    "is there a way",
    "is it better",
    "is it risky",
    "do you think",
    "does it make sense",
    "would you recommend",
    "why",
    "are you able",
    "are we allowed",
    "am i allowed",
    "soll ich",
    "sollen wir",
    "sollten wir",
    "sollte ich",
    "ist es sicher",
    "ist es moglich",
    "ist es sinnvoll",
    "ist es okay",
    "kann man",
    "darf ich",
    "darf man",
    "warum",
    "wieso",
    "faut-il",
    "est-ce une bonne",
    "est-il possible",
    "est-ce possible",
    "est-ce que je peux",
    "est-ce qu' on peut",
    "dois-je",
    "devrais-je",
    "devrions-nous",
    "pourquoi",
    "peut-on",
    "est-il sur",
    "deberia",
    "deberiamos",
    "es posible",
    "es seguro",
    "es buena",
    "se puede",
    "conviene",
    "por que",
    "explain how",
    "explain what",
    "tell me how",
    "what does the tool",
    "what is the difference",
    "what's the difference",
    "what do you do",
    "what can you do",
    "who are you",
    "what are you",
    "how safe",
    "how dangerous",
    "how risky",
];

/// Beginnings of a question how something works.
const HOW: &[&str] = &[
    "how does",
    "how do",
    "wie funktioniert",
    "comment fonctionne",
    "como funciona",
    "how exactly does",
];

/// Beginnings of a question whether one can do something.
const MAY: &[&str] = &[
    "can i",
    "can we",
    "may i",
    "could i",
    "could we",
    "puis-je",
    "puedo",
    "kann ich",
    "konnen wir",
];

/// What is asked about that way.
const UNDOING: &[&str] = &[
    "delete",
    "cancel",
    "undo",
    "remove",
    "restore",
    "recover",
    "back",
    "revert",
    "refund",
    "loschen",
    "stornieren",
    "supprimer",
    "annuler",
    "borrar",
    "cancelar",
];

/// Why a sentence supposes an action or asks about one, instead of asking for one.
pub(crate) fn sentence_about(sentence: &[Token<'_>]) -> Option<Reason> {
    let text = opened(sentence)
        .iter()
        .map(|token| token.fold.as_str())
        .collect::<Vec<_>>()
        .join(" ");
    let begins = |starts: &[&str]| {
        starts.iter().any(|start| {
            text.strip_prefix(start)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
    };
    let holds = |parts: &[&str]| {
        parts
            .iter()
            .any(|part| format!(" {text} ").contains(&format!(" {part} ")))
    };
    let wonders =
        begins(WONDERING) && holds(&["if", "when", "once", "after", "wenn", "si", "falls", "sobald"]);
    let depends = begins(&["if", "falls", "wenn", "si"]) && !begins(POLITE) && !asks_under_a_state(sentence);
    if begins(SUPPOSING) || wonders || depends {
        return Some(Reason::Supposition);
    }
    let foreign = begins(&["wie funktioniert", "comment fonctionne", "como funciona"]);
    let how_it_works = begins(HOW) && (foreign || holds(&["work", "works", "behave"]));
    let may_i = begins(MAY) && holds(UNDOING);
    let proposes = begins(&["why not", "why don't you"]);
    if (begins(ABOUT) && !proposes) || how_it_works || may_i {
        return Some(Reason::Question);
    }
    wonders_about(sentence)
}

/// `If it's noon in Lisbon, what time is it in Kolkata?`: a condition without an action, then a question.
fn asks_under_a_state(sentence: &[Token<'_>]) -> bool {
    let end = sentence.iter().position(|token| token.after >= Break::Comma);
    let Some((state, rest)) = end.and_then(|end| sentence.split_at_checked(end + 1)) else {
        return false;
    };
    let acts = state.iter().any(|token| is_verb(token) || is_done(token));
    !acts
        && rest.first().is_some_and(|first| {
            first.is_any(&[
                "what", "which", "how", "when", "where", "who", "wie", "was", "welche", "quelle", "quel",
                "que", "cual",
            ])
        })
}

/// Whether a clause says that something was done.
pub(crate) fn reports(clause: &[Token<'_>]) -> bool {
    !is_question(clause)
        && (0..clause.len()).any(|at| reports_in_english(clause, at) || reports_abroad(clause, at))
}

/// Whether the word at a place is one of these.
fn stands(clause: &[Token<'_>], at: usize, words: &[&str]) -> bool {
    clause
        .get(at)
        .is_some_and(|token| words.contains(&token.fold.as_str()))
}

/// `I already cancelled`: somebody, small words, a verb in the past.
fn reports_in_english(clause: &[Token<'_>], at: usize) -> bool {
    const SOMEBODY: &[&str] = &[
        "i", "we", "i've", "we've", "they", "he", "she", "somebody", "someone", "you", "it's", "that's",
        "it", "that",
    ];
    const SMALL: &[&str] = &[
        "already",
        "just",
        "have",
        "had",
        "did",
        "finally",
        "successfully",
        "was",
        "been",
        "has",
        "earlier",
    ];
    let small = (at + 1..at + 4)
        .take_while(|place| stands(clause, *place, SMALL))
        .count();
    let verb = at + 1 + small;
    let bare = small == 0 && stands(clause, verb, &["has", "been", "put"]);
    // `the order that was cancelled` is a thing.
    let relative = at > 0 && stands(clause, at, &["that"]);
    !relative && stands(clause, at, SOMEBODY) && clause.get(verb).is_some_and(is_done) && !bare
}

/// Whether a word is a verb in the past: `archived`, `cancelled`, `sent`.
pub(crate) fn is_done(token: &Token<'_>) -> bool {
    let is_root = |root: &str| root.len() > 2 && VERBS.split_whitespace().any(|verb| verb == root);
    let regular = token.fold.strip_suffix("ed").is_some_and(|root| {
        let single = root.get(..root.len().saturating_sub(1)).unwrap_or_default();
        is_root(root) || is_root(single)
    });
    regular
        || token.fold.strip_suffix('d').is_some_and(is_root)
        || token.is_any(&[
            "sent", "paid", "did", "made", "wrote", "ran", "put", "shut", "took", "gave", "has", "been",
        ])
}

/// `Wir haben … storniert`, `j'ai déjà annulé`, `ya he cancelado`.
fn reports_abroad(clause: &[Token<'_>], at: usize) -> bool {
    let is = |at: usize, words: &[&str]| stands(clause, at, words);
    let behind = |from: usize, ends: &[&str]| {
        clause
            .get(from..)
            .unwrap_or_default()
            .iter()
            .any(|token| ends.iter().any(|end| token.fold.ends_with(end)))
    };
    let have = ["habe", "haben", "hab"];
    let participle = clause
        .last()
        .is_some_and(|last| last.fold.ends_with('t') || last.fold.ends_with("en"));
    let german = is(at, &["ich", "wir"]) && is(at + 1, &have) && participle;
    let turned = is(at, &have) && is(at + 1, &["ich", "wir"]);
    let french =
        is(at, &["j'", "nous", "on"]) && is(at + 1, &["ai", "avons", "a"]) && behind(at + 2, &["e", "is"]);
    let spanish = is(at, &["ya", "he", "hemos"]) && behind(at, &["ado", "ido"]);
    german || turned || french || spanish
}
