//! Are stretches of days read?

use super::check;

/// P19: from one day to another.
#[test]
fn p19_period() {
    check(&[
        ("last week", &["days 2026-11-23 2026-11-29 | last week"]),
        ("this week", &["days 2026-11-30 2026-12-06 | this week"]),
        ("next week", &["days 2026-12-07 2026-12-13 | next week"]),
        ("the past week", &["days 2026-11-23 2026-11-30 | the past week"]),
        (
            "the last month",
            &[
                "days 2026-10-30 2026-11-30 | the last month",
                "days 2026-10-01 2026-10-31 | the last month",
            ],
        ),
        ("this weekend", &["days 2026-12-05 2026-12-06 | this weekend"]),
        ("next weekend", &["days 2026-12-12 2026-12-13 | next weekend"]),
        ("this month", &["days 2026-11-01 2026-11-30 | this month"]),
        ("last month", &["days 2026-10-01 2026-10-31 | last month"]),
        ("next month", &["days 2026-12-01 2026-12-31 | next month"]),
        ("this quarter", &["days 2026-10-01 2026-12-31 | this quarter"]),
        ("last quarter", &["days 2026-07-01 2026-09-30 | last quarter"]),
        ("this year", &["days 2026-01-01 2026-12-31 | this year"]),
        ("next year", &["days 2027-01-01 2027-12-31 | next year"]),
        (
            "the past 7 days",
            &["days 2026-11-23 2026-11-30 | the past 7 days"],
        ),
        (
            "the last 3 months",
            &["days 2026-08-30 2026-11-30 | the last 3 months"],
        ),
        (
            "the next two weeks",
            &["days 2026-11-30 2026-12-14 | the next two weeks"],
        ),
        (
            "in March",
            &[
                "days 2027-03-01 2027-03-31 | in March",
                "days 2026-03-01 2026-03-31 | in March",
            ],
        ),
        (
            "in may",
            &[
                "days 2027-05-01 2027-05-31 | in may",
                "days 2026-05-01 2026-05-31 | in may",
            ],
        ),
        ("in November", &["days 2026-11-01 2026-11-30 | in November"]),
        (
            "invoices of March",
            &[
                "days 2027-03-01 2027-03-31 | March",
                "days 2026-03-01 2026-03-31 | March",
            ],
        ),
        ("march on", &[]),
        ("March 2027", &["days 2027-03-01 2027-03-31 | March 2027"]),
        ("this March", &["days 2026-03-01 2026-03-31 | this March"]),
        ("Q3", &["days 2026-07-01 2026-09-30 | Q3"]),
        ("Q3 2026", &["days 2026-07-01 2026-09-30 | Q3 2026"]),
        ("Q4/2026", &["days 2026-10-01 2026-12-31 | Q4/2026"]),
        ("H1 2026", &["days 2026-01-01 2026-06-30 | H1 2026"]),
        ("H1 title", &[]),
        ("in 2026", &["days 2026-01-01 2026-12-31 | in 2026"]),
        ("2026", &["number 2026"]),
        (
            "from Monday to Wednesday",
            &["days 2026-12-07 2026-12-09 | from Monday to Wednesday"],
        ),
        (
            "Monday to Friday",
            &["days 2026-12-07 2026-12-11 | Monday to Friday"],
        ),
        ("Mon-Fri", &["days 2026-12-07 2026-12-11 | Mon-Fri"]),
        (
            "next Monday to Wednesday",
            &["days 2026-12-07 2026-12-09 | next Monday to Wednesday"],
        ),
        (
            "from 7 December to 18 December",
            &["days 2026-12-07 2026-12-18 | from 7 December to 18 December"],
        ),
        (
            "10 to 11 December",
            &["days 2026-12-10 2026-12-11 | 10 to 11 December"],
        ),
        (
            "from the 3rd to the 7th of March",
            &["days 2027-03-03 2027-03-07 | from the 3rd to the 7th of March"],
        ),
        (
            "28 to 3 January",
            &["days 2026-12-28 2027-01-03 | 28 to 3 January"],
        ),
        (
            "from 28 December to 3 January",
            &["days 2026-12-28 2027-01-03 | from 28 December to 3 January"],
        ),
        ("3-7 March", &["days 2027-03-03 2027-03-07 | 3-7 March"]),
        ("March 3-7", &["days 2027-03-03 2027-03-07 | March 3-7"]),
        (
            "December 10 – 12, 2027",
            &["days 2027-12-10 2027-12-12 | December 10 – 12, 2027"],
        ),
        (
            "Changed to 21 to 25 October",
            &[
                "days 2027-10-21 2027-10-25 | 21 to 25 October",
                "days 2026-10-21 2026-10-25 | 21 to 25 October",
            ],
        ),
        (
            "from today until 3 January",
            &["days 2026-11-30 2027-01-03 | from today until 3 January"],
        ),
        (
            "between 2026-12-01 and 2026-12-15",
            &["days 2026-12-01 2026-12-15 | between 2026-12-01 and 2026-12-15"],
        ),
        (
            "from 3 to 14",
            &[
                "time 15:00:00 | 3",
                "time 03:00:00 | 3",
                "number 3",
                "time 14:00:00 | 14",
                "number 14",
            ],
        ),
        ("nächste Woche", &["days 2026-12-07 2026-12-13 | nächste Woche"]),
        ("letzten Monat", &["days 2026-10-01 2026-10-31 | letzten Monat"]),
        ("dieses Jahr", &["days 2026-01-01 2026-12-31 | dieses Jahr"]),
        ("am Wochenende", &["days 2026-12-05 2026-12-06 | am Wochenende"]),
        (
            "im Mai",
            &[
                "days 2027-05-01 2027-05-31 | im Mai",
                "days 2026-05-01 2026-05-31 | im Mai",
            ],
        ),
        (
            "die letzten 3 Monate",
            &["days 2026-08-30 2026-11-30 | die letzten 3 Monate"],
        ),
        (
            "vom 3. bis 7. März",
            &["days 2027-03-03 2027-03-07 | vom 3. bis 7. März"],
        ),
        (
            "vom 14. bis 23. Dezember",
            &["days 2026-12-14 2026-12-23 | vom 14. bis 23. Dezember"],
        ),
        (
            "von Montag bis Mittwoch",
            &["days 2026-12-07 2026-12-09 | von Montag bis Mittwoch"],
        ),
        (
            "la semaine prochaine",
            &["days 2026-12-07 2026-12-13 | la semaine prochaine"],
        ),
        (
            "le mois prochain",
            &["days 2026-12-01 2026-12-31 | le mois prochain"],
        ),
        (
            "en mars",
            &[
                "days 2027-03-01 2027-03-31 | en mars",
                "days 2026-03-01 2026-03-31 | en mars",
            ],
        ),
        ("ce week-end", &["days 2026-12-05 2026-12-06 | ce week-end"]),
        (
            "les 7 derniers jours",
            &["days 2026-11-23 2026-11-30 | les 7 derniers jours"],
        ),
        ("du 3 au 7 mars", &["days 2027-03-03 2027-03-07 | du 3 au 7 mars"]),
        (
            "la semana pasada",
            &["days 2026-11-23 2026-11-29 | la semana pasada"],
        ),
        (
            "el mes que viene",
            &["days 2026-12-01 2026-12-31 | el mes que viene"],
        ),
        (
            "este fin de semana",
            &["days 2026-12-05 2026-12-06 | este fin de semana"],
        ),
        (
            "los últimos 7 días",
            &["days 2026-11-23 2026-11-30 | los últimos 7 días"],
        ),
        (
            "del 3 al 7 de marzo",
            &["days 2027-03-03 2027-03-07 | del 3 al 7 de marzo"],
        ),
        ("since October", &["days 2026-10-01 2026-10-31 | October"]),
        ("until March", &["days 2027-03-01 2027-03-31 | March"]),
        ("from April", &["days 2027-04-01 2027-04-30 | April"]),
        ("since the weekend", &["days 2026-11-28 2026-11-29 | the weekend"]),
        (
            "the last week of August",
            &[
                "days 2027-08-25 2027-08-31 | the last week of August",
                "days 2026-08-25 2026-08-31 | the last week of August",
            ],
        ),
        (
            "the first week of March 2027",
            &["days 2027-03-01 2027-03-07 | the first week of March 2027"],
        ),
        ("the 3rd week", &[]),
        (
            "7.12. bis 9.12.",
            &["days 2026-12-07 2026-12-09 | 7.12. bis 9.12."],
        ),
        ("7.-9. Dezember", &["days 2026-12-07 2026-12-09 | 7.-9. Dezember"]),
        (
            "vom 1.1.2027 bis zum 31.1.2027",
            &["days 2027-01-01 2027-01-31 | vom 1.1.2027 bis zum 31.1.2027"],
        ),
        ("Dec 7 to Dec 9", &["days 2026-12-07 2026-12-09 | Dec 7 to Dec 9"]),
        (
            "entre lundi et mercredi",
            &["days 2026-12-07 2026-12-09 | entre lundi et mercredi"],
        ),
        (
            "desde el lunes hasta el miércoles",
            &["days 2026-12-07 2026-12-09 | desde el lunes hasta el miércoles"],
        ),
        (
            "entre el 7 y el 9 de diciembre",
            &["days 2026-12-07 2026-12-09 | entre el 7 y el 9 de diciembre"],
        ),
    ]);
}
