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
pub(crate) fn quoted_words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find(['\'', '"', '`']) {
        let sign = rest
            .get(open..)
            .and_then(|from| from.chars().next())
            .unwrap_or('"');
        let Some(inner) = rest.get(open + 1..) else { break };
        let Some(close) = inner.find(sign) else { break };
        let word = inner.get(..close).unwrap_or_default();
        if !word.is_empty() && word.len() < 40 && !word.contains(' ') {
            found.push(word.to_owned());
        }
        rest = inner.get(close + 1..).unwrap_or_default();
    }
    found
}

/// Single words in quotation marks that a description has in a row: `Output format: "json" or "csv"`.
pub(crate) fn in_a_row(about: &str) -> Vec<String> {
    for sign in ['\'', '"', '`'] {
        let parts: Vec<&str> = about.split(sign).collect();
        let mut row: Vec<String> = Vec::new();
        // Every second part stands within the marks.
        for (nth, part) in parts.iter().enumerate() {
            if nth % 2 == 1 {
                let word = part.len() > 1
                    && part.len() < 30
                    && part.chars().all(|c| c.is_alphanumeric() || "_-".contains(c))
                    && part.chars().any(char::is_alphabetic);
                if !word || nth + 1 == parts.len() {
                    row.clear();
                    break;
                }
                row.push((*part).to_owned());
            } else if nth == 0 {
                let before = part.to_lowercase();
                let example = ["e.g", "example", "such as", "for instance", "like "]
                    .iter()
                    .any(|said| before.contains(said));
                if example || before.chars().next_back().is_some_and(char::is_alphanumeric) {
                    break;
                }
            } else if !matches!(part.trim(), "," | "or" | ", or" | "|" | "/" | "and" | ", and") {
                break;
            }
        }
        if row.len() > 1 {
            return row;
        }
    }
    Vec::new()
}

#[cfg(test)]
mod row_tests {
    use serde_json::json;

    use super::in_a_row;
    use crate::assign::rows::check;

    /// P19: words in a row are what a parameter takes; examples and single words are not.
    #[test]
    fn p19_words_in_a_row() {
        for (about, words) in [
            ("Output format: \"json\" or \"csv\"", vec!["json", "csv"]),
            (
                "Travel mode: 'Car', 'Truck', or 'Bicycle' (default: 'Car')",
                vec!["Car", "Truck", "Bicycle"],
            ),
            ("Branch, e.g. 'main' or 'develop'", vec![]),
            ("The team's name, and the user's", vec![]),
            ("Either way `one` is enough", vec![]),
            ("A pattern such as \"a-b\", \"c-d\"", vec![]),
            ("Broken 'one' or 'two", vec![]),
        ] {
            assert_eq!(in_a_row(about), words, "{about}");
        }
    }

    /// P19: what is listed is read behind `as`, before its own noun and alone with `only`.
    #[test]
    fn p19_listed_words_are_read() {
        let text = |about: &str| json!({"type": "string", "description": about});
        let schema = json!({"properties": {
            "format": text("Output format: \"text\" or \"csv\""),
            "scheme": json!({"type": "string", "enum": ["dark", "light"], "description": "Emulate the dark or the light mode."}),
            "action": text("Action to filter by. Allowed values are ACCEPT and REJECT."),
        }});
        check(
            "show_page Show a page",
            &schema,
            &[
                ("Show it as csv", json!({"format": "csv"})),
                ("Show it as plain text", json!({"format": "text"})),
                ("Show it and its text", json!({})),
                ("Show it in dark mode", json!({"scheme": "dark"})),
                ("Show page 2 and dark mode", json!({"scheme": "dark"})),
                ("Show page 2, only REJECT", json!({"action": "REJECT"})),
            ],
        );
    }
}
