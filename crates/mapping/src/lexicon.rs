//! Which words mean the same thing to a parameter, in four languages?
//!
//! Small, curated tables; a word is listed only where it is unambiguous among parameters of tools.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A sense, then its words in lower case without accents, English ones stemmed as matching does.
const SENSES: &[(&str, &str)] = &[
    // What things are called.
    (
        "title",
        "title titled titl titel titre titulo titulado titulada intitule intitulee heading headline betitelt",
    ),
    (
        "name",
        "name named nam called namens genannt nomme nommee appele appelee llamado llamada nombre nom benannt",
    ),
    ("subject", "subject betreff objet asunto"),
    ("text", "text texte texto wording"),
    ("content", "content contents inhalt contenu contenido"),
    ("body", "body"),
    (
        "comment",
        "comment comments kommentar commentaire comentario remark",
    ),
    ("note", "note notes notiz nota notas anmerkung"),
    (
        "message",
        "message messages nachricht nachrichten mensaje mensajes mesage msg",
    ),
    (
        "reason",
        "reason grund begrundung raison motif motivo razon cause",
    ),
    ("purpose", "purpose zweck but proposito goal"),
    ("description", "description descripcion beschreibung desc"),
    ("summary", "summary zusammenfassung resume resumen"),
    ("resolution", "resolution losung solution solucion"),
    // Things.
    (
        "invoice",
        "invoice invoices rechnung rechnungen facture factures factura facturas bill",
    ),
    (
        "customer",
        "customer customers client clients kunde kunden kundin cliente clientes",
    ),
    (
        "order",
        "order orders bestellung bestellungen auftrag commande commandes pedido pedidos",
    ),
    ("ticket", "ticket tickets"),
    (
        "file",
        "file files datei dateien fichier fichiers archivo archivos fichero ficheros",
    ),
    (
        "document",
        "document documents doc docs dokument dokumente documento documentos",
    ),
    (
        "folder",
        "folder folders ordner dossier dossiers carpeta carpetas directory",
    ),
    ("page", "page pages seite seiten pagina paginas"),
    ("channel", "channel channels kanal kanale canal canales"),
    (
        "task",
        "task tasks aufgabe aufgaben tache taches tarea tareas todo",
    ),
    (
        "project",
        "project projects projekt projekte projet projets proyecto proyectos",
    ),
    ("team", "team teams equipe equipes equipo equipos"),
    ("list", "list lists liste listen lista listas"),
    ("card", "card cards karte karten carte cartes tarjeta tarjetas"),
    ("contact", "contact contacts kontakt kontakte contacto contactos"),
    (
        "event",
        "event events termin termine evenement evento eventos appointment",
    ),
    ("meeting", "meeting meetings besprechung reunion reuniones"),
    (
        "survey",
        "survey surveys umfrage umfragen sondage sondages encuesta encuestas",
    ),
    ("trip", "trip trips reise reisen voyage voyages viaje viajes"),
    ("incident", "incident incidents vorfall incidente incidentes"),
    ("table", "table tables tabelle tabellen tabla tablas"),
    ("database", "database databases db datenbank"),
    (
        "label",
        "label labels labelled labeled etikett etiketten etiquette etiquettes etiqueta etiquetas label",
    ),
    ("tag", "tag tags tagged schlagwort"),
    ("board", "board boards tablero tableros tableau"),
    (
        "column",
        "column columns spalte spalten colonne colonnes columna columnas",
    ),
    ("context", "context contexto kontext contexte"),
    (
        "deploy",
        "deploy deploys deployment deployments deploiement despliegue",
    ),
    ("service", "service services dienst servicio"),
    ("branch", "branch branches rama zweig branche"),
    (
        "repository",
        "repository repositories repo repos depot repositorio",
    ),
    (
        "organization",
        "organization organizations organisation org organizacion",
    ),
    ("space", "space spaces bereich espace espacio"),
    (
        "mail",
        "mail mails email emails e-mail e-mails courriel correo correos",
    ),
    ("hotel", "hotel hotels"),
    ("person", "person personne persona"),
    ("question", "question questions frage fragen pregunta preguntas"),
    ("workflow", "workflow workflows"),
    ("pipeline", "pipeline pipelines"),
    ("story", "story stories historia"),
    ("thread", "thread threads"),
    ("machine", "machine machines vm vms maschine"),
    ("version", "version versions"),
    ("city", "city stadt ville ciudad town"),
    ("country", "country land pays pais"),
    ("application", "application applications app apps anwendung"),
    ("user", "user users benutzer nutzer utilisateur usuario"),
    ("company", "company firma entreprise empresa"),
    ("product", "product products produkt produit producto"),
    (
        "member",
        "member members mitglied mitglieder membre membres miembro miembros participants",
    ),
    ("role", "role rolle rol"),
    // Qualities.
    ("priority", "priority prioritat priorite prioridad prio"),
    ("severity", "severity schwere gravite gravedad"),
    ("status", "status state stand etat estado zustand"),
    ("category", "category kategorie categorie categoria"),
    ("segment", "segment segments segmento"),
    ("audience", "audience zielgruppe"),
    ("color", "color colour farbe couleur"),
    ("amount", "amount betrag montant importe sum total"),
    ("price", "price preis prix precio cost costs kostet"),
    ("currency", "currency wahrung devise moneda"),
    ("quantity", "quantity menge anzahl quantite cantidad qty"),
    ("due", "due deadline fallig falligkeit echeance vencimiento vence"),
    (
        "start",
        "start starts starting started begin begins beginning beginn beginnt debut inicio ab",
    ),
    ("end", "end ends ending ende endet fin finish"),
    ("location", "location ort lieu lugar place venue"),
    ("method", "method methode metodo"),
    ("owner", "owner eigentumer besitzer proprietaire propietario"),
    (
        "assignee",
        "assignee assign assigned zugewiesen assigne asignado asignada",
    ),
    ("author", "author autor auteur autora"),
    ("address", "address adresse direccion"),
    ("phone", "phone telephone telefon telefono"),
    ("width", "width breite largeur ancho"),
    ("board", "board boards tableau tableaux tablero tableros"),
    ("row", "row rows zeile zeilen ligne lignes fila filas"),
    (
        "column",
        "column columns col cols spalte spalten colonne colonnes columna columnas",
    ),
    ("latitude", "latitude latitud lat breitengrad"),
    ("longitude", "longitude longitud lon lng langengrad"),
    ("height", "height hohe hauteur alto"),
];

/// Endings and beginnings of parameter names that say what kind of value it is, not of what.
pub(crate) const KIND_WORDS: &[&str] = &[
    "id",
    "ids",
    "uid",
    "gid",
    "uuid",
    "guid",
    "key",
    "slug",
    "number",
    "num",
    "no",
    "name",
    "names",
    "public",
    "ref",
    "identifier",
    "code",
    "value",
    "handle",
    "iid",
    "ts",
];

/// Words that mean what is in front of them in any way.
pub(crate) const GENERIC_THINGS: &[&str] = &[
    "item", "object", "resource", "entity", "element", "target", "record", "thing", "node", "entry",
];

/// A choice's word, then words of people that mean nothing else among choices.
const CHOICES: &[(&str, &str)] = &[
    (
        "open",
        "open opened reopen wiedereroffne rouvre reabre offen offene offenen offener ouvert ouverte ouverts ouvertes abierto abierta abiertos abiertas",
    ),
    (
        "closed",
        "close closed closing geschlossen geschlossene geschlossenen schliess schliesse schliesst ferme fermee fermees cerrado cerrada cerrados cerradas cierra",
    ),
    (
        "paid",
        "paid bezahlt bezahlte bezahlten paye payee payees pagado pagada pagadas pagados",
    ),
    (
        "draft",
        "draft drafts entwurf entwurfe brouillon brouillons borrador borradores",
    ),
    ("high", "high hoch hohe hoher haut haute elevee alto alta"),
    ("low", "low niedrig niedrige niedriger basse faible bajo baja"),
    ("medium", "medium mittel moyen moyenne medio media"),
    ("normal", "normal normale normaler"),
    ("urgent", "urgent urgente dringend dringende dringender"),
    ("critical", "critical kritisch kritische critique critico critica"),
    ("pending", "pending ausstehend attente pendiente pendientes"),
    (
        "resolved",
        "resolved resolve gelost resolu resolue resuelto resuelta",
    ),
    ("done", "done erledigt fertig termine terminee hecho hecha"),
    (
        "completed",
        "completed complete abgeschlossen acheve completado completada",
    ),
    (
        "active",
        "active aktiv aktive aktiven actif active activo activa activos",
    ),
    ("inactive", "inactive inaktiv inactif inactivo"),
    ("archived", "archived archive archiviert archivado"),
    ("yes", "yes ja oui si accept accepts accepted zugesagt"),
    ("no", "no nein non decline declines declined abgesagt"),
    ("maybe", "maybe vielleicht peut-etre quizas tentative perhaps"),
    ("all", "all alle alles tous toutes todos todas"),
    ("walking", "walking walk walks foot fuss zu-fuss pied pie"),
    (
        "bicycling",
        "bicycling bicycle bike bikes biking cycling cycle fahrrad rad velo bicicleta bici",
    ),
    ("driving", "driving drive drives car auto voiture coche"),
    ("transit", "transit bus train trains transport zug bahn"),
    (
        "restart",
        "restart restarts reboot neustart neustarten redemarre redemarrer reinicia reiniciar",
    ),
    ("stop", "stop stops stoppe stoppen arrete arreter detener deten"),
    (
        "start",
        "start starts starte starten demarre demarrer inicia iniciar",
    ),
    (
        "reader",
        "reader viewer read-only leser lecteur lector lecture lectura leserecht leserechte",
    ),
    (
        "writer",
        "writer editor redakteur editeur ecriture escritura schreibrecht schreibrechte",
    ),
    ("commenter", "commenter"),
    ("asc", "asc ascending aufsteigend croissant ascendente"),
    ("desc", "desc descending absteigend decroissant descendente"),
    (
        "holiday",
        "holiday holidays vacation urlaub vacances vacaciones conges",
    ),
    ("sick", "sick ill krank malade enfermo enferma"),
    ("parental", "parental elternzeit"),
    ("bug", "bug bugs"),
    ("feature", "feature features"),
    (
        "approve",
        "approve approves approved genehmige genehmigen approuve aprueba",
    ),
    (
        "reject",
        "reject rejects rejected deny denied ablehnen refuse rechaza",
    ),
    ("merge", "merge merges merged"),
    ("squash", "squash squashed"),
    ("rebase", "rebase rebased"),
    ("public", "public offentlich publique publico publica"),
    (
        "private",
        "private privat privates private prive privee privado privada",
    ),
    (
        "shipped",
        "shipped ship dispatched versandt versendet verschickt expedie expediee expedies expediees enviado enviada enviados enviadas",
    ),
    (
        "delivered",
        "delivered geliefert zugestellt livre livree livres livrees entregado entregada entregados",
    ),
    (
        "cancelled",
        "cancelled canceled storniert stornierte stornierten annule annulee annules annulees cancelado cancelada cancelados",
    ),
    (
        "approved",
        "approved genehmigt genehmigte genehmigten approuve approuvee approuves aprobado aprobada aprobados",
    ),
    (
        "declined",
        "declined abgelehnt abgelehnte abgelehnten refuse refusee refuses rechazado rechazada rechazados",
    ),
    ("solved", "solved gelost resolu resuelto"),
    ("packed", "packed verpackt emballe empaquetado"),
    ("placed", "placed"),
    ("sent", "sent gesendet envoye envoyee enviado"),
    ("failed", "failed fehlgeschlagen echoue fallido fallidos"),
    ("running", "running laufend laufende laufenden"),
    ("success", "success successful erfolgreich reussi"),
    ("transfer", "transfer wire uberweisung virement transferencia"),
    ("card", "card karte kreditkarte carte tarjeta"),
    ("cash", "cash bar especes efectivo"),
    ("weekly", "weekly wochentlich hebdomadaire semanal"),
    ("daily", "daily taglich quotidien diario"),
    ("monthly", "monthly monatlich mensuel mensual"),
];

/// Words that only hold a sentence together, or are too common to be a value when nothing marks them as one.
const COMMON: &str = "a about above across after afterwards again against ago all almost along already also although always am among an \
and another any anybody anyone anything anyway are around as ask asked at away back bad be became because been before behind \
being below best better between big bit both but by call called came can cannot can't come comes could couldn't current currently \
day days dear did didn't different do does doesn't doing don't done down during each early either else end enough even ever every \
everybody everyone everything everywhere exactly far few finally find fine first follow for forgot forward found from full further gave get gets getting \
give given gives go goes going gone good got great guess had half hand happy has hasn't have haven't having he hello help her here \
hers hey hi him his hold hope hot how however i i'd i'll i'm i've if important in inside instead internal into is isn't it its it's itself \
just keep kept kind know last late later latest least left less let let's like likely little long look looking looks lot lots love lovely made \
make makes many matter may maybe me mean meanwhile might mind mine more morning most much must my myself need needed needs never new \
newest next nice no nobody none noon nope not nothing now nowhere of off often oh ok okay old older oldest on once one ones only onto open or other \
others otherwise our ours out outside over own past people perhaps please pls plz plus possible previous probably put puts quick quickly \
quite rather really recent recently regarding remember right said same saw say saying says see seems seen send sends set sets several shall \
she should show since single sir so some somebody someone something sometimes somewhere soon sorry start still stop stuff such sure sorted take \
takes tell than thank thanks that that's the their theirs them then there there's these they thing things think this those though \
thought thru till time times to today together told tomorrow tonight too took tried true try trying twice two under unless until up upon us \
use used using usual very via wait want wanted wants was wasn't way we week weeks well went were what whatever what's when where \
where's whether which while who whole whom who's whose why will wish with within without won't work works would wouldn't write wrote yeah yes \
contains containing mentioning matching mentions including \
yesterday yet you your yours you're yourself afternoon evening hour hours minute minutes month months year years per each total least following \
twice thrice add added change changes changed check create created delete deleted remove removed update updated cancel close move moved make list get \
read run save search share switch turn turned reply answer post book plan open merge mark log pay paid owe \
der die das den dem des ein eine einen einem einer eines und oder aber auch auf aus bei bis bitte da dann dass doch dort du durch er es \
etwas euch fur gegen gerne habe haben hat hatte ich ihm ihn ihr ihre im in ins ist ja jetzt kann kannst kein keine keinen konnte konntest man mal mehr mein \
meine mich mir mit mochte nach nicht noch nur ob ohne schon sehr sein sich sie sind so soll uber um uns unser unsere unter vom von vor \
war was weil welche welcher welches wenn wer wie wieder will wir wird wo wurde zeig zeige zu zum zur alle allen alles am als an ab ein neu heute morgen gestern \
le la les un une des du de et ou mais aussi avec dans pour par sur sous sans est sont etait ce cette ces cet mon ma mes ton ta tes son sa ses notre \
nos votre vos leur leurs je tu il elle nous vous ils elles me te se qui que quoi quel quelle quels quelles comment quand ou pourquoi ne pas plus \
moi toi lui y en au aux merci plait svp peux peut peux-tu pouvez pouvez-vous montre montre-moi mets ajoute donne l' d' qu' j' n' s' c' m' a \
el los las una unos unas del al y o pero con para por sin sobre es son era este esta estos estas ese esa eso mi mis tu tus su sus nuestro nuestra \
yo el ella nosotros ellos lo le se quien que cual cuales como cuando donde no si mas muy favor gracias puedes puede podrias quiero hay ya hoy manana \
ayer jour semaine mois dame muestra muestrame pon anade crea";

static BY_WORD: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let mut words = HashMap::new();
    for (sense, listed) in SENSES {
        for word in listed.split(' ') {
            words.entry(word).or_insert(*sense);
        }
    }
    words
});

static BY_CHOICE: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let mut words: HashMap<&'static str, Vec<&'static str>> = HashMap::new();
    for (choice, listed) in CHOICES.iter().chain(crate::choice_words::ROWS) {
        for word in listed.split(' ') {
            words.entry(word).or_default().push(choice);
        }
    }
    words
});

static COMMON_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| COMMON.split_whitespace().collect());

/// What a word means to a parameter.
pub(crate) fn sense(word: &str) -> Option<&'static str> {
    BY_WORD.get(word).copied()
}

/// The things, qualities and texts that have a name of their own.
pub(crate) fn things() -> impl Iterator<Item = &'static str> {
    SENSES.iter().map(|(sense, _)| *sense)
}

/// The choices that a word of a request may mean.
pub(crate) fn choices(word: &str) -> &'static [&'static str] {
    BY_CHOICE.get(word).map_or(&[], Vec::as_slice)
}

/// Whether a word, in lower case without accents, only holds a sentence together.
pub(crate) fn is_common(word: &str) -> bool {
    COMMON_WORDS.contains(word)
}

/// Words that turn what follows into its opposite.
pub(crate) const NEGATORS: &[&str] = &[
    "no",
    "not",
    "without",
    "don't",
    "dont",
    "never",
    "doesn't",
    "isn't",
    "ohne",
    "kein",
    "keine",
    "keinen",
    "nicht",
    "sans",
    "pas",
    "sin",
    "nunca",
    "neither",
    "exclude",
    "excluding",
    "skip",
    "disable",
    "omit",
];

/// Words that point at something outside the request.
pub(crate) const POINTERS: &[&str] = &[
    "it", "that", "this", "these", "those", "them", "one", "the", "same", "es", "das", "dies", "diese",
    "dieser", "dieses", "diesen", "diesem", "der", "die", "den", "dem", "le", "la", "l'", "ce", "cet",
    "cette", "ces", "el", "este", "esta", "ese", "esa", "lo", "los", "las", "les", "my", "our", "its",
    "their",
];

/// Words that point at one thing and no other.
pub(crate) const DEMONSTRATIVES: &[&str] = &[
    "this", "that", "same", "dies", "diese", "dieser", "dieses", "diesen", "diesem", "ce", "cet", "cette",
    "este", "esta", "ese", "esa",
];

/// Words that point at something else than what the context is about.
pub(crate) const OTHERS: &[&str] = &[
    "other",
    "another",
    "others",
    "different",
    "else",
    "andere",
    "anderen",
    "anderes",
    "anderer",
    "autre",
    "autres",
    "otro",
    "otra",
    "otros",
    "otras",
    "every",
    "all",
    "any",
    "each",
    "some",
    "alle",
    "allen",
    "tous",
    "toutes",
    "todos",
    "todas",
    "both",
];

/// Courtesies that belong to no value.
pub(crate) const COURTESIES: &[&str] = &[
    "please", "pls", "plz", "thanks", "thank", "you", "bitte", "danke", "merci", "gracias", "svp", "cheers",
    "thx", "por", "favor", "s'il", "te", "vous", "plait", "a", "lot", "so", "much", "in", "advance", "dir",
    "ihnen", "vielen", "dank", "beaucoup", "muchas",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_four_languages_meet() {
        for (word, expected) in [
            ("rechnung", "invoice"),
            ("facture", "invoice"),
            ("canal", "channel"),
            ("equipe", "team"),
            ("namens", "name"),
        ] {
            assert_eq!(sense(word), Some(expected), "{word}");
        }
        assert_eq!(choices("offenen"), ["open"]);
        assert_eq!(choices("bicycle"), ["bicycling"]);
        assert!(is_common("please") && is_common("nicht") && !is_common("storefront"));
    }
}
