//! Which operation of a tool that does several does a request ask for with its verb?
//!
//! `Switch the context to staging` sets what `set` sets, though the word itself is nowhere.

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::assign::choices::likeness::Spelling;
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::words::{Break, name_words, stem};

/// What operations are called, then the verbs that people ask for them with.
const VERBS: &[(&str, &str)] = &[
    (
        "create add new insert make register",
        "create make add new insert set-up register erstelle erstell erstellen anlegen neu neue neuen cree creer ajoute crea crear \
         anade nueva nuevo nouvelle nouveau",
    ),
    (
        "delete remove drop destroy",
        "delete remove drop destroy erase wipe losche losch loschen entferne entfernen supprime supprimer efface enleve borra \
         borrar elimina eliminar quita",
    ),
    (
        "set switch use select change update",
        "set switch use select change setze setz wechsle wechsel stelle change passe bascule cambia pon usa",
    ),
    (
        "update edit modify change set",
        "update edit modify change adjust aktualisiere aktualisieren andere ander bearbeite modifie modifier actualise actualiza \
         modifica edita",
    ),
    ("rename", "rename benenne renomme renommer renombra"),
    (
        "copy duplicate clone",
        "copy duplicate clone kopiere kopier dupliziere copie duplique copia duplica clona",
    ),
    ("move", "move verschiebe verschieb deplace mueve"),
    (
        "list list-all show search",
        "list which liste listet auflisten enumere lista cuales quels quelles welche",
    ),
    (
        "get read show view describe fetch",
        "get read show view fetch display zeig zeige lies affiche montre lis muestra lee",
    ),
    (
        "list list-all",
        "get show view fetch display zeig zeige affiche montre muestra",
    ),
    (
        "start resume run",
        "start resume launch starte start demarre lance inicia arranca",
    ),
    ("stop pause halt", "stop halt stoppe stopp arrete deten para"),
    ("pause suspend", "pause suspend pausiere suspends pausa"),
    ("resume unpause continue", "resume unpause continue"),
    ("restart reboot", "restart reboot neustarten redemarre reinicia"),
    (
        "undo rollback revert",
        "undo revert roll-back rollback zuruckrollen annule deshaz",
    ),
    (
        "enable activate",
        "enable activate reactivate aktiviere active activa habilita",
    ),
    (
        "disable deactivate",
        "disable deactivate deaktiviere desactive desactiva deshabilita",
    ),
    (
        "approve accept allow",
        "approve accept allow grant genehmige approuve aprueba acepta",
    ),
    (
        "deny reject decline",
        "deny reject decline refuse ablehnen refuse rechaza deniega",
    ),
    ("push save", "stash save"),
    ("merge", "merge"),
    ("archive", "archive archiviere archiva"),
    ("clear", "clear empty leere vide vacia"),
];

/// Names of parameters that say what is done.
const NAMES: &[&str] = &[
    "action",
    "operation",
    "mode",
    "subcommand",
    "method",
    "op",
    "verb",
    "command",
    "operationtype",
    "actiontype",
];

/// The operations that the verb of a request means, where no word of the request is one itself.
pub(crate) fn operations(asked: &Asked<'_>, said: &[Candidate]) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        let told = said.iter().any(|candidate| candidate.parameter == parameter);
        if told || !is_operation(meaning) {
            continue;
        }
        found.extend(operation(asked, parameter, meaning));
    }
    found
}

/// Whether a parameter says which of several things a tool does: verbs that it lists, and a name for them.
pub(crate) fn is_operation(meaning: &Meaning) -> bool {
    let named = name_words(meaning.parameter.name());
    let squeezed = named.concat();
    let names = NAMES.contains(&squeezed.as_str());
    // `GET` and `PUT` are said as they are.
    let written = meaning.spellings.iter().any(|choice| {
        choice
            .value
            .as_str()
            .is_some_and(|text| matches!(text, "PUT" | "POST" | "PATCH"))
    });
    let verbs = meaning
        .spellings
        .iter()
        .filter(|choice| {
            choice
                .words
                .first()
                .is_some_and(|word| VERBS.iter().any(|(own, _)| has(own, word)))
        })
        .count();
    meaning.kind == Kind::Choice && !meaning.parameter.list && names && verbs > 1 && !written
}

fn has(listed: &str, word: &str) -> bool {
    listed.split(' ').any(|own| own == word)
}

fn operation(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let at = asked.tokens.iter().position(|token| {
        let verb = VERBS.iter().any(|(_, said)| has(said, &token.fold)) || crate::intent::is_verb(token);
        verb && !asked.is_opaque(&token.range)
    })?;
    let before = asked.tokens.get(..at).unwrap_or_default();
    // `There's a new customer` asks for nothing, and `How do I get to …` for no getting.
    let asks = asked.token(0)?.is_any(&["how", "wie", "comment", "como"]);
    let adjective = asked.token(at)?.is_any(&[
        "new", "neu", "neue", "neuen", "nueva", "nuevo", "nouvelle", "nouveau", "active", "para",
    ]);
    if asks || (adjective && at > 0) {
        return None;
    }
    let opens = before.iter().all(|token| {
        token.is_common() && token.after < Break::Stop
            || crate::lexicon::COURTESIES.contains(&token.fold.as_str())
    });
    let verb = asked.token(at).filter(|_| opens)?;
    let mut meant = VERBS.iter().filter(|(_, said)| has(said, &verb.fold));
    let own = meant.find_map(|(own, _)| own.split(' ').find_map(|word| only_one(asked, meaning, word)))?;
    let score = if meaning.is_required() { 0.8 } else { 0.74 };
    let mut candidate = asked.candidate(parameter, own, asked.bytes(at, at + 1)?, score);
    candidate.taking = false;
    Some(candidate)
}

/// The one choice that an operation's word alone is, or that it begins and whose other words are said.
fn only_one(asked: &Asked<'_>, meaning: &Meaning, word: &str) -> Option<Value> {
    let says = |choice: &&Spelling| {
        let first = choice.words.first().is_some_and(|own| own == word);
        first
            && choice
                .words
                .iter()
                .skip(1)
                .all(|own| asked.tokens.iter().any(|token| token.stem == stem(own)))
    };
    let mut fitting: Vec<&Spelling> = meaning.spellings.iter().filter(says).collect();
    // `get_contact_points` says more than `get`.
    fitting.sort_by_key(|choice| std::cmp::Reverse(choice.words.len()));
    match fitting.as_slice() {
        [one] => Some(one.value.clone()),
        [one, other, ..] if one.words.len() > other.words.len() => Some(one.value.clone()),
        _ => None,
    }
}
