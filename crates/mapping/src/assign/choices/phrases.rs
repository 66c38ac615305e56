//! In which turns of phrase do people set switches that tools call by other words?

use std::ops::Range;

use crate::assign::asked::Asked;
use crate::words::Break;

/// What a switch is called, how people say yes to it and how they say no.
struct Row {
    /// Names of switches, without their small words, as one word.
    names: &'static str,
    /// Turns that turn it on, in lower case without accents; `*` stands for up to four words of the same clause, and
    /// `.` for its end.
    yes: &'static str,
    /// Turns that turn it off.
    no: &'static str,
}

const ROWS: &[Row] = &[
    Row {
        names: "dryrun | preview | simulate | simulation | validateonly | checkonly | planonly | whatif",
        yes: "dry run | dry-run | dryrun | only simulate | just simulate | simulate it | simulate only | \
              as a simulation | just a preview | only a preview | as a preview | only preview | \
              just preview | don't actually | without actually | don't apply anything | without applying | \
              without changing anything | trockenlauf | probelauf | testlauf | nur simulieren | \
              nur zur vorschau | ohne etwas zu andern | a blanc | juste une simulation | sans rien modifier | \
              en seco | simulacro | solo simular | sin cambiar nada | sin aplicar",
        no: "for real | not just a preview",
    },
    Row {
        names: "recursive | recurse | recursively",
        yes: "recursively | recursive | recurse | with subfolders | with all subfolders | \
              including subfolders | including all subfolders | with subdirectories | \
              including subdirectories | including all subdirectories | with its subfolders | \
              and its subfolders | and all subfolders | and everything below | and everything under it | \
              and everything in it | subfolders included | subfolders too | rekursiv | mit unterordnern | \
              samt unterordnern | mit allen unterordnern | inklusive unterordner | recursivement | \
              avec les sous-dossiers | sous-dossiers compris | recursivamente | con subcarpetas | \
              con las subcarpetas | incluidas las subcarpetas",
        no: "not recursively | non-recursively | top level only | only the top level | without subfolders | \
              no subfolders | ohne unterordner | nicht rekursiv | sans les sous-dossiers | sin subcarpetas",
    },
    Row {
        names: "force | forced",
        yes: "by force | forcibly | forcefully | forced | with force | force it | use force | forcing it | \
              mit gewalt | erzwinge es | erzwungen | de force | force-le | a la fuerza | fuerzalo",
        no: "without force | without forcing | no force | don't force | ohne zwang | sans forcer | sin forzar",
    },
    Row {
        names: "allday | wholeday | fullday | alldayevent",
        yes: "all day | all-day | whole day | full day | full-day | entire day | ganztagig | ganztags | \
              ganztagiger | ganztagigen | den ganzen tag | toute la journee | journee entiere | todo el dia | \
              dia completo | dia entero",
        no: "",
    },
    Row {
        names: "casesensitive | matchcase",
        yes: "case-sensitive | case sensitive | case-sensitively | match case | matching case | \
              match the case | matching the case | with exact case | with matching case | exact case | \
              respecting case | respect case | sensible a la casse | respetando mayusculas | \
              distinguiendo mayusculas",
        no: "case-insensitive | case insensitive | case-insensitively | ignore case | ignoring case | \
              ignore the case | regardless of case | whatever the case | upper or lower case",
    },
    Row {
        names: "ignorecase | caseinsensitive",
        yes: "case-insensitive | case insensitive | case-insensitively | ignore case | ignoring case | \
              ignore the case | regardless of case",
        no: "case-sensitive | case sensitive | match case | matching case",
    },
    Row {
        names: "overwrite | overwriteexisting | replaceexisting | clobber",
        yes: "overwrite | overwriting | overwrite it | replace the existing | replacing the existing | \
              replace what is there | replacing what is there | uberschreib | uberschreibe | uberschreiben | \
              ecrase | ecraser | en ecrasant | sobrescribe | sobrescribiendo | sobrescribir",
        no: "don't overwrite | do not overwrite | without overwriting | no overwriting | not overwrite | \
              never overwrite | keep the existing | leave the existing | nicht uberschreiben | \
              ohne zu uberschreiben | sans ecraser | n'ecrase pas | sin sobrescribir | no sobrescribas",
    },
    Row {
        names: "immediate | immediately | applyimmediately | applynow | runnow | executenow | \
              executeimmediately | runimmediately | startimmediately | deployimmediately | \
              publishimmediately | now",
        yes: "right away | immediately | at once | straight away | straightaway | without delay | sofort | \
              umgehend | immediatement | tout de suite | inmediatamente | de inmediato | ahora mismo",
        no: "not right away | not immediately | in the maintenance window | during the maintenance window | \
              nicht sofort | pas tout de suite",
    },
    Row {
        names: "async | asynchronous | asynchronously | background | inbackground | runinbackground | nowait",
        yes: "async | asynchronously | in the background | in background | as a background job | don't wait | \
              without waiting | no need to wait | im hintergrund | asynchron | en arriere-plan | \
              sans attendre | en segundo plano | sin esperar",
        no: "synchronously | and wait for it | wait for it to finish | wait until it | not in the background",
    },
    Row {
        names: "wait | waitforcompletion | waitforresult | waituntildone | waituntilfinished",
        yes: "and wait | wait for it | wait until | waiting until | wait for the result | warte auf | \
              warte bis | und warte | attends que | et attends | espera a que | y espera",
        no: "don't wait | do not wait | without waiting | no need to wait | ohne zu warten | sans attendre | \
              sin esperar",
    },
    Row {
        names: "previous | previouscontainer | previousinstance",
        yes: "before its restart | before the restart | before its last restart | before the last restart | \
              before it restarted | before it crashed | before the crash | before its crash | \
              before it died | before it was killed | previous container | previous instance | previous run | \
              previous incarnation | crashed container | crashed instance | terminated container | \
              last crash | vor dem neustart | vor seinem neustart | vor dem absturz | vorherigen container | \
              avant le redemarrage | avant son redemarrage | avant le crash | conteneur precedent | \
              antes del reinicio | antes de reiniciarse | contenedor anterior",
        no: "current container | since its restart | since the restart",
    },
    Row {
        names: "verbose | detailed | detail | details | fulldetails | fulldetail",
        yes: "verbose | verbosely | in detail | in full detail | in all detail | with details | \
              with all details | with all the details | with full details | with full detail | \
              all the details | full details | detailed | details included | ausfuhrlich | mit details | \
              mit allen details | mit allen einzelheiten | en detail | avec les details | \
              avec tous les details | con detalle | con detalles | con todos los detalles | detalladamente",
        no: "without details | without detail | without the details | no details | no detail | \
              not detailed | only the names | just the names | only names | just names | names only | \
              only the ids | just the ids | ids only | ohne details | ohne einzelheiten | nur die namen | \
              nur namen | sans details | sans les details | seulement les noms | juste les noms | \
              que les noms | sin detalles | solo los nombres",
    },
    Row {
        names: "count | justcount | totalonly",
        yes: "just the count | only the count | just count them | only count | count only | just a count | \
              only the number of | just the number of | only the total | no list just | nur die anzahl | \
              nur zahlen | seulement le nombre | juste le nombre | solo el numero | solo la cantidad | \
              solo el total",
        no: "",
    },
    Row {
        names: "fullpage | entirepage | wholepage",
        yes: "full page | full-page | whole page | entire page | ganze seite | ganzen seite | page entiere | \
              page complete | toute la page | pagina completa | pagina entera | toda la pagina",
        no: "only the viewport | just the viewport | visible part",
    },
    Row {
        names: "confirm | confirmed | confirmation | userconfirmed | isconfirmed",
        yes: "i confirm | i've confirmed | i have confirmed | confirmed . | i'm sure . | i am sure . | \
              yes i'm sure | yes i am sure | ich bestatige | bestatigt . | ja ich bin sicher | je confirme | \
              confirme . | yo confirmo | lo confirmo | confirmado .",
        no: "",
    },
    Row {
        names: "bold",
        yes: "bold | in bold | boldface | fett | fettgedruckt | en gras | en negrita | negrita",
        no: "not bold | no bold | unbold | no longer bold | without bold | nicht fett | sans gras | \
              sin negrita",
    },
    Row {
        names: "italic | italics | italicize",
        yes: "italic | italics | in italics | kursiv | en italique | en cursiva | cursiva",
        no: "not italic | no italics | without italics | nicht kursiv | sans italique | sin cursiva",
    },
    Row {
        names: "underline | underlined",
        yes: "underlined | underline | with underline | unterstrichen | souligne | soulignee | subrayado | \
              subrayada",
        no: "not underlined | no underline | without underline | nicht unterstrichen | sin subrayar",
    },
    Row {
        names: "strikethrough | strike",
        yes: "strikethrough | struck through | crossed out | strike through | durchgestrichen | tachado | \
              barre",
        no: "no strikethrough | not struck through | without strikethrough",
    },
    Row {
        names: "draft | asdraft | isdraft | saveasdraft",
        yes: "as a draft | as draft | in draft | als entwurf | en brouillon | comme brouillon | \
              como borrador | en borrador",
        no: "not as a draft | no longer a draft | ready for review | kein entwurf mehr",
    },
    Row {
        names: "done | completed | complete | finished | isdone | iscompleted",
        yes: "",
        no: "still to do | still to be done | to be done | left to do | still open | not yet done | \
              not done yet | still undone | still outstanding | outstanding | still pending | \
              noch zu erledigen | noch zu tun | noch offen | noch offene | noch offenen | reste a faire | \
              restent a faire | encore a faire | por hacer | sin hacer | quedan pendientes",
    },
    Row {
        names: "read | isread | seen",
        yes: "",
        no: "unread | not read yet | haven't read | have not read | not yet read | unseen | ungelesen | \
              ungelesene | ungelesenen | noch nicht gelesen | non lu | non lus | non lues | pas encore lu | \
              pas encore lus | sin leer | no leido | no leidos",
    },
    Row {
        names: "approve | approved | accept | accepted | grant",
        yes: "say yes | says yes | green light | sign off on | gib * frei | dis oui | di que si",
        no: "say no | says no | turn down | turn * down | turned down | knock back | send back | lehn * ab | \
              lehne * ab | weise * zuruck | sag nein | dis non | di que no",
    },
    Row {
        names: "enabled | enable | active | activated | on | turnedon",
        yes: "turn on | switch on | turned on | switched on | schalte * ein | schalt * ein | schalte * an | \
              enciende | allume",
        no: "turn off | switch off | turned off | switched off | turn * off | switch * off | schalte * aus | \
              schalt * aus | mach * aus | stell * ab | eteins | apaga",
    },
    Row {
        names: "mobile | ismobile | mobileview",
        yes: "on mobile | mobile view | mobile version | on a phone | as on a phone | as a mobile device",
        no: "",
    },
    Row {
        names: "squash | squashcommits",
        yes: "squash | squashed | squashing | squash the commits | commits squashed | squash it",
        no: "don't squash | without squashing | no squash | unsquashed",
    },
];

/// What the turns of a request say of a switch, and where.
pub(crate) fn turned(asked: &Asked<'_>, words: &[String]) -> Option<(bool, Range<usize>)> {
    let name: String = words.concat();
    let row = ROWS
        .iter()
        .find(|row| row.names.split(" | ").any(|own| own == name))?;
    let find = |turns: &str| {
        turns
            .split(" | ")
            .filter(|turn| !turn.is_empty())
            .filter_map(|turn| place_of(asked, turn))
            .max_by_key(|range| range.len())
    };
    match (find(row.yes), find(row.no)) {
        // `not recursively` says both; the longer one is meant.
        (Some(yes), Some(no)) => (no.start <= yes.start && yes.end <= no.end).then_some((false, no)),
        (Some(yes), None) => Some((true, yes)),
        (None, Some(no)) => Some((false, no)),
        (None, None) => None,
    }
}

/// Where a request says a turn of phrase: its words side by side within one clause.
fn place_of(asked: &Asked<'_>, turn: &str) -> Option<Range<usize>> {
    let words: Vec<&str> = turn.split(' ').collect();
    (0..asked.tokens.len()).find_map(|at| {
        let end = says(asked, at, &words)?;
        let range = asked.bytes(at, end)?;
        // What the tool is for sets nothing.
        let is_tool = end - at == 1
            && asked
                .token(at)
                .is_some_and(|token| asked.name.contains(&token.stem));
        (!asked.is_opaque(&range) && !is_tool).then_some(at..end)
    })
}

fn says(asked: &Asked<'_>, start: usize, words: &[&str]) -> Option<usize> {
    let mut at = start;
    let mut gap = 0;
    for (place, word) in words.iter().enumerate() {
        if *word == "*" {
            gap = 4;
            continue;
        }
        if *word == "." {
            return (at == asked.tokens.len() || asked.break_before(at) >= Break::Comma).then_some(at);
        }
        let found =
            (at..=at + gap).find(|next| asked.token(*next).is_some_and(|token| token.fold == *word))?;
        let unbroken = place == 0 || (at..=found).all(|next| asked.break_before(next) == Break::None);
        if !unbroken {
            return None;
        }
        gap = 0;
        at = found + 1;
    }
    Some(at)
}
