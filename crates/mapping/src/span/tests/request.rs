//! Are whole requests read?

use super::check;

/// P19: requests with several values.
#[test]
fn p19_request() {
    check(&[
        (
            "Refund €86.50 on INV-2031, reason: wrong pots delivered",
            &["money 86.5 EUR | €86.50", "id INV-2031"],
        ),
        (
            "Book \"Kick-off\" next Tuesday at 10:30 for 90 minutes with maud@bramble.example in room C-12",
            &[
                "quoted Kick-off | \"Kick-off\"",
                "moment 2026-12-08T10:30:00 | next Tuesday at 10:30",
                "duration 5400 | for 90 minutes",
                "email maud@bramble.example",
                "id C-12",
            ],
        ),
        (
            "Remind me in 20 minutes to call +44 20 7946 0958",
            &[
                "moment 2026-11-30T10:20:00 | in 20 minutes",
                "id +44 20 7946 0958",
            ],
        ),
        (
            "Invoice Northwind 1,250.00 EUR, due by 15 January",
            &[
                "name Northwind",
                "money 1250 EUR | 1,250.00 EUR",
                "date 2027-01-15 | 15 January",
            ],
        ),
        (
            "Move TCK-204 and TCK-205 to Friday, 4pm",
            &[
                "id TCK-204",
                "id TCK-205",
                "moment 2026-12-04T16:00:00 | Friday, 4pm",
            ],
        ),
        (
            "Give 10% off to the last 5 orders of CUS-101",
            &["percent 10 | 10%", "number 5", "id CUS-101"],
        ),
        (
            "List the 20 latest messages in #incidents since yesterday",
            &["number 20", "handle #incidents", "date 2026-11-29 | yesterday"],
        ),
        (
            "Upload reports/q3.pdf to https://files.example/inbox/ before noon",
            &[
                "path reports/q3.pdf",
                "url https://files.example/inbox/",
                "time 12:00:00 | noon",
            ],
        ),
        (
            "Set 2FA for @sam from 1 February 2027",
            &["handle @sam", "date 2027-02-01 | 1 February 2027"],
        ),
        (
            "Buche für morgen von 14 bis 15:30 Uhr einen Raum für 12 Leute",
            &[
                "moment 2026-12-01T14:00:00 | morgen von 14",
                "moment 2026-12-01T15:30:00 | 15:30 Uhr",
                "number 12",
            ],
        ),
        (
            "Überweise 1.250,50 € an Dana Whitfield bis Freitag",
            &[
                "money 1250.5 EUR | 1.250,50 €",
                "name Dana Whitfield",
                "date 2026-12-04 | Freitag",
            ],
        ),
        (
            "Réserve une table pour 6 personnes vendredi à 20h",
            &["number 6", "moment 2026-12-04T20:00:00 | vendredi à 20h"],
        ),
        (
            "Envoie 300 euros à Marie Dupont avant le 15 décembre",
            &[
                "money 300 EUR | 300 euros",
                "name Marie Dupont",
                "date 2026-12-15 | le 15 décembre",
            ],
        ),
        (
            "Reserva el hotel del 7 al 9 de diciembre para 2 personas",
            &["days 2026-12-07 2026-12-09 | del 7 al 9 de diciembre", "number 2"],
        ),
        (
            "Crea una tarea para mañana a las 10 con prioridad alta",
            &["moment 2026-12-01T10:00:00 | mañana a las 10"],
        ),
    ]);
}
