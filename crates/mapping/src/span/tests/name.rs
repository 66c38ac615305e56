//! Are names read?

use super::check;

/// P19: names, and capitals that are none.
#[test]
fn p19_name() {
    check(&[
        ("Add Dana Whitfield as a contact", &["name Dana Whitfield"]),
        ("Dana Whitfield called", &["name Dana Whitfield"]),
        ("Dana called", &[]),
        ("Dana's laptop", &["name Dana"]),
        ("Today's list, Let's go", &["date 2026-11-30 | Today"]),
        ("Invite Dana", &["name Dana"]),
        ("Reschedule Dana", &["name Dana"]),
        ("Invite Dana and Bob Miller", &["name Dana", "name Bob Miller"]),
        (
            "Hi Dana, please email Alice Smith",
            &["name Dana", "name Alice Smith"],
        ),
        ("Thanks! Best, Maud", &["name Maud"]),
        ("assignee: Dana, priority: high", &["name Dana"]),
        ("status: Done", &[]),
        ("Reply in that thread: Fixed, the cache was stale.", &[]),
        ("pay John van der Berg", &["name John van der Berg"]),
        (
            "Ludwig van Beethoven and Leonardo da Vinci",
            &["name Ludwig van Beethoven", "name Leonardo da Vinci"],
        ),
        (
            "the Bank of England and the University of Leeds",
            &["name Bank of England", "name University of Leeds"],
        ),
        ("Smith & Sons", &["name Smith & Sons"]),
        ("Jean-Luc Picard", &["name Jean-Luc Picard"]),
        ("O'Brien and McDonald", &["name O'Brien", "name McDonald"]),
        (
            "J. R. Tolkien met Dr. Smith",
            &["name J. R. Tolkien", "name Dr. Smith"],
        ),
        ("ask Mrs Paula Ferrand", &["name Paula Ferrand"]),
        (
            "Brambling Primary School in Leeds",
            &["name Brambling Primary School", "name Leeds"],
        ),
        (
            "4 x Copper Watering Can",
            &["number 4", "name Copper Watering Can"],
        ),
        ("Search for Roadmap 2027", &["name Roadmap 2027", "number 2027"]),
        ("named Sprint 15, please", &["name Sprint 15", "number 15"]),
        ("named Floor plan", &[]),
        ("titled Fix the login button", &[]),
        (
            "on Monday in March with April Jones",
            &[
                "date 2026-12-07 | on Monday",
                "days 2027-03-01 2027-03-31 | in March",
                "days 2026-03-01 2026-03-31 | in March",
                "name April Jones",
            ],
        ),
        ("I think I'm OK", &[]),
        ("convert it to a PDF", &[]),
        ("IBM and NASA", &["name NASA"]),
        ("SEND THE REPORT TO DANA NOW", &[]),
        ("Send The Report To Dana Before The Meeting Please", &[]),
        ("the order.", &[]),
        ("- Dana\\n- Bob", &["name Bob"]),
        ("Six Flags has 5 rides", &["name Six Flags", "number 5"]),
        (
            "Zeig mir die Aufgaben von Lena und Samuel",
            &["name Lena", "name Samuel"],
        ),
        ("Erstelle eine Rechnung für Northwind", &["name Northwind"]),
        (
            "Lade Dana Whitfield zum Termin mit Herrn Meier ein",
            &["name Dana Whitfield", "name Meier"],
        ),
        (
            "Welche Züge fahren von Delft nach Lyon?",
            &["name Delft", "name Lyon"],
        ),
        ("Lösch bitte die alte Datei im Ordner", &[]),
        (
            "Ajoute Marie de la Tour au projet Apollo",
            &["name Marie de la Tour", "name Apollo"],
        ),
        ("Quels collègues sont dans l'équipe ?", &[]),
        (
            "Añade a Juan Pérez al proyecto de Madrid",
            &["name Juan Pérez", "name Madrid"],
        ),
        ("¿Qué facturas hay?", &[]),
        ("Akte von Frau Petersen-Holt bitte", &["name Petersen-Holt"]),
        ("bei der Schadensakte von Frau Meier", &["name Meier"]),
        ("schick der Mieterin die Rechnung", &[]),
        ("a table for Jo and Mia", &["name Jo", "name Mia"]),
        ("ask Dana or Bob", &["name Dana", "name Bob"]),
        ("Sam: please call Ida", &["name Ida"]),
        ("The Plan is ready", &["name Plan"]),
        ("a letter to Haus Birkenhof", &["name Haus Birkenhof"]),
    ]);
}
