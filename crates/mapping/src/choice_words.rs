//! What do people call the values that parameters of many tools list, in four languages?
//!
//! A row is a value's word, then the words that mean it and nothing else among such values, in lower case without
//! accents.

pub(crate) const ROWS: &[(&str, &str)] = &[
    // How grave it is.
    ("error", "error errors fehler erreur erreurs errores"),
    (
        "warning",
        "warning warnings warn warnung warnungen avertissement avertissements advertencia advertencias",
    ),
    ("info", "info information informational"),
    ("minor", "minor geringfugig mineur mineure menor"),
    ("major", "major schwerwiegend majeur majeure mayor"),
    ("highest", "highest hochste hochster"),
    ("lowest", "lowest niedrigste niedrigster"),
    // Who somebody is.
    (
        "admin",
        "admin admins administrator administrators administratorin administrateur administrador administradora",
    ),
    (
        "guest",
        "guest guests gast gaste invite invitee invitado invitada",
    ),
    (
        "member",
        "member members mitglied mitglieder membre membres miembro miembros",
    ),
    ("team", "team teams equipe equipo mannschaft"),
    (
        "personal",
        "personal personlich personlicher personliche personnel personnelle",
    ),
    (
        "internal",
        "internal intern interne internen interner interno interna",
    ),
    (
        "external",
        "external extern externe externen externer externo externa",
    ),
    // How far, how much.
    (
        "kilometers",
        "kilometers kilometres kilometer kilometre km kms kilometern kilometros",
    ),
    ("miles", "miles mile mi meilen millas milles"),
    ("meters", "meters metres meter metre metern metros"),
    ("feet", "feet foot ft pieds pies"),
    ("celsius", "celsius centigrade"),
    ("fahrenheit", "fahrenheit"),
    ("metric", "metric metrisch metrique metrico"),
    ("imperial", "imperial"),
    // How it looks.
    (
        "red",
        "red rot rote roten roter rouge rouges rojo roja rojos rojas",
    ),
    (
        "blue",
        "blue blau blaue blauen blauer bleu bleue bleus azul azules",
    ),
    (
        "green",
        "green grun grune grunen gruner vert verte verts verde verdes",
    ),
    (
        "yellow",
        "yellow gelb gelbe gelben gelber jaune jaunes amarillo amarilla",
    ),
    ("orange", "orange naranja"),
    ("purple", "purple violet lila violett morado morada"),
    ("pink", "pink rosa"),
    ("black", "black schwarz schwarze schwarzen noir noire negro negra"),
    ("white", "white weiss weisse weissen blanc blanche blanco blanca"),
    ("gray", "gray grey grau graue grauen gris"),
    ("dark", "dark dunkel dunkles dunklen dunkle sombre oscuro oscura"),
    ("light", "light hell helles hellen clair claire claro clara"),
    ("small", "small klein kleine kleinen petit petite pequeno pequena"),
    ("large", "large gross grosse grossen grand grande"),
    ("landscape", "landscape querformat paysage apaisado"),
    ("portrait", "portrait hochformat"),
    (
        "horizontal",
        "horizontal horizontally waagerecht waagrecht horizontalement horizontale",
    ),
    (
        "vertical",
        "vertical vertically senkrecht vertikal verticalement verticale",
    ),
    ("left", "left links linken linke gauche izquierda izquierdo"),
    ("right", "right rechts rechten rechte droite derecha derecho"),
    ("desktop", "desktop"),
    ("mobile", "mobile phone smartphone handy movil telefono"),
    // In what form.
    ("markdown", "markdown md"),
    ("yaml", "yaml yml"),
    ("plain", "plain plaintext"),
    ("excel", "excel xlsx"),
    // Where mails lie.
    ("inbox", "inbox posteingang bandeja"),
    ("sent", "sent gesendete gesendeten postausgang envoyes enviados"),
    ("drafts", "drafts entwurfe brouillons borradores"),
    ("trash", "trash bin papierkorb corbeille papelera"),
    ("spam", "spam junk"),
    (
        "archived",
        "archivierte archivierten archives archivee archivees archivados archivada archivadas",
    ),
    // What somebody answers.
    ("yes", "attend attends attending"),
    ("maybe", "might unsure undecided eventuell possibly"),
    // How often.
    ("hourly", "hourly stundlich horaire"),
    ("yearly", "yearly annually annual annuel annuelle anual jahrlich"),
    ("quarterly", "quarterly vierteljahrlich trimestriel trimestral"),
    ("monday", "monday mondays montag montags lundi lunes"),
    ("tuesday", "tuesday tuesdays dienstag dienstags mardi martes"),
    (
        "wednesday",
        "wednesday wednesdays mittwoch mittwochs mercredi miercoles",
    ),
    (
        "thursday",
        "thursday thursdays donnerstag donnerstags jeudi jueves",
    ),
    ("friday", "friday fridays freitag freitags vendredi viernes"),
    ("saturday", "saturday saturdays samstag samstags samedi sabado"),
    ("sunday", "sunday sundays sonntag sonntags dimanche domingo"),
    // How it stands.
    (
        "failed",
        "failed failing failure failures fehlgeschlagene fehlgeschlagenen gescheitert echoues echouees fallida fallidas",
    ),
    (
        "success",
        "success successful successfully succeeded passed passing erfolgreiche erfolgreichen reussie reussis exitoso exitosos",
    ),
    (
        "expired",
        "expired abgelaufen abgelaufene abgelaufenen expire expiree expirees vencido vencida vencidos vencidas",
    ),
    ("overdue", "overdue uberfallig uberfallige uberfalligen"),
    (
        "blocked",
        "blocked blockiert blockierte blockierten bloque bloquee bloquees bloqueado bloqueada",
    ),
    ("queued", "queued waiting wartend wartende wartenden enattente"),
    (
        "published",
        "published veroffentlicht veroffentlichte publie publiee publies publicado publicada publicados",
    ),
    (
        "scheduled",
        "scheduled geplant geplante geplanten planifie planifiee programado programada",
    ),
    ("enabled", "enabled aktiviert activado activada habilitado"),
    (
        "disabled",
        "disabled deaktiviert desactivado desactivada deshabilitado",
    ),
    (
        "deleted",
        "deleted geloscht geloschte geloschten supprime supprimee supprimes borrado borrada eliminado eliminada",
    ),
    (
        "confirmed",
        "confirmed bestatigt bestatigte confirmee confirmes confirmado confirmada",
    ),
    (
        "new",
        "new neu neue neuen neuer nouveau nouvelle nouveaux nuevo nueva nuevos nuevas",
    ),
    ("running", "running laufen lauft"),
];
