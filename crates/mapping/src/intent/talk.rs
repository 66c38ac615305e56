//! Does a clause begin with a deed or a question word?

use super::said::{is_verb, opened};
use crate::words::Token;

/// Verbs that begin a request, beside those every reader knows.
const ACTS: &str = "apply drop take make record note enter count generate map sync undo protect ask say build query look describe drain \
acknowledge fetch analyze analyse simulate render restore print text pin try go do calculate route fill click type tap track trim use extract insert \
register rotate summarize summarise translate keep reduce raise increase lower dim lock \
mach mache gib nimm stell stelle weise ruf buch notier notiere vermerk losch schreib schreibe hol lies lade merk wechsle aktualisiere gibt \
mets mettre note notez rends donne donner prends fais cherche trouve lis liste reserve apunta anota registra pon da dame busca marca abre \
erstatte erstatt zahl zahle bezahl bezahle antworte verknupfe markier markiere benenn benenne kopier kopiere teil teile lad lade \
erganze hinterleg hinterlege plan plane bestell bestelle reservier reserviere aktivier aktiviere deaktivier deaktiviere genehmig genehmige lehn lehne \
informier informiere installier installiere deinstalliere beende fug fuge pack packe ubergib ordne leit leite hang hange veroffentliche bestatige prufe \
marque reponds valide refuse approuve installe active desactive partage transfere invite renvoie \
responde aprueba rechaza comparte instala activa desactiva invita renombra devuelve deten \
desinstala actualiza sube reserva haz manda";

/// Words that lead to where something is done: `in X replace …`.
const LEADS: &[&str] = &[
    "in", "on", "for", "at", "from", "under", "to", "with", "auf", "fur", "dans", "pour", "para", "en",
    "bei", "so", "sondern", "sino", "instead",
];

/// Words that open a question for what is known.
const QUESTIONS: &[&str] = &[
    "what", "which", "who", "whose", "when", "where", "how", "welche", "welcher", "welches", "wer", "wann",
    "wo", "wie", "was", "wieviel", "quel", "quels", "quelle", "quelles", "qui", "quand", "ou", "combien",
    "que", "cual", "cuales", "quien", "cuando", "donde", "cuanto", "cuantos", "any", "are", "is", "were",
    "did", "does", "do", "has", "have",
];

/// Whether a clause begins with what is to be done.
pub(crate) fn begins_an_act(clause: &[Token<'_>]) -> bool {
    let said = opened(clause);
    let Some(first) = said.first() else { return false };
    let acts = |token: &Token<'_>| ACTS.split_whitespace().any(|act| act == token.fold);
    // `Keep a draft` makes one; `keep the draft` leaves it.
    let keeps = first.is_any(&["keep"]) && !said.get(1).is_some_and(|next| next.is_any(&["a", "an"]));
    let led = first.is_any(LEADS)
        && said
            .iter()
            .skip(1)
            .any(|token| (acts(token) || is_verb(token)) && !token.fold.ends_with("ed"));
    (acts(first) && !keeps) || led
}

/// Whether a clause asks for what is known.
pub(crate) fn is_question(clause: &[Token<'_>]) -> bool {
    let said = opened(clause);
    // `What a mess` only exclaims.
    let exclaims = said.first().is_some_and(|first| first.is_any(&["what"]))
        && said.get(1).is_some_and(|next| next.is_any(&["a", "an"]));
    !exclaims && said.first().is_some_and(|first| first.is_any(QUESTIONS))
}

/// The words of a clause, with blanks around each.
pub(super) fn spaced(clause: &[Token<'_>]) -> String {
    let mut text = String::from(" ");
    for token in clause {
        text.push_str(&token.fold);
        text.push(' ');
    }
    text
}

pub(super) fn holds(text: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| text.contains(&format!(" {part} ")))
}
