//! Are times of day read, and moments?

use super::check;

/// P19: times of day, and times of day with their day.
#[test]
fn p19_clock() {
    check(&[
        ("at 3pm", &["time 15:00:00 | at 3pm"]),
        ("at 3", &["time 15:00:00 | at 3", "time 03:00:00 | at 3"]),
        ("at 9", &["time 09:00:00 | at 9"]),
        ("at 3:15", &["time 15:15:00 | at 3:15", "time 03:15:00 | at 3:15"]),
        ("at 15:15", &["time 15:15:00 | at 15:15"]),
        ("3 p.m.", &["time 15:00:00 | 3 p.m."]),
        ("9 a.m. sharp", &["time 09:00:00 | 9 a.m."]),
        ("12am", &["time 00:00:00 | 12am"]),
        ("12pm", &["time 12:00:00 | 12pm"]),
        ("15:30", &["time 15:30:00 | 15:30"]),
        ("09:40:15", &["time 09:40:15 | 09:40:15"]),
        (
            "4 o'clock",
            &["time 16:00:00 | 4 o'clock", "time 04:00:00 | 4 o'clock"],
        ),
        (
            "4 o'clock in the afternoon",
            &["time 16:00:00 | 4 o'clock in the afternoon"],
        ),
        ("9 in the morning", &["time 09:00:00 | 9 in the morning"]),
        ("noon", &["time 12:00:00 | noon"]),
        ("at midnight", &["time 00:00:00 | at midnight"]),
        ("half past nine", &["time 09:30:00 | half past nine"]),
        (
            "half past three",
            &[
                "time 15:30:00 | half past three",
                "time 03:30:00 | half past three",
            ],
        ),
        (
            "quarter to five",
            &[
                "time 16:45:00 | quarter to five",
                "time 04:45:00 | quarter to five",
            ],
        ),
        ("ten past eight", &["time 08:10:00 | ten past eight"]),
        ("ten to nine", &["time 08:50:00 | ten to nine"]),
        ("at 15:00 UTC", &["time 15:00:00 | at 15:00 UTC"]),
        ("at 9 CET", &["time 08:00:00 | at 9 CET"]),
        ("from 3pm to 4pm", &["time 15:00:00 | 3pm", "time 16:00:00 | 4pm"]),
        ("3-4pm", &["time 15:00:00 | 3", "time 16:00:00 | 4pm"]),
        ("11-1pm", &["time 11:00:00 | 11", "time 13:00:00 | 1pm"]),
        ("9am-5pm", &["time 09:00:00 | 9am", "time 17:00:00 | 5pm"]),
        (
            "from 9 to 5",
            &["time 09:00:00 | 9", "number 9", "time 17:00:00 | 5", "number 5"],
        ),
        (
            "between 9 and 11",
            &["time 09:00:00 | 9", "number 9", "time 11:00:00 | 11", "number 11"],
        ),
        ("between 5 and 10 items", &["number 5", "number 10"]),
        ("5 to 9", &["number 5", "number 9"]),
        ("at 9 Main Street", &["number 9", "name Main Street"]),
        (
            "at 12.50",
            &["time 12:50:00 | at 12.50", "number 12.5 | at 12.50"],
        ),
        (
            "set the price at 20",
            &["time 20:00:00 | at 20", "number 20 | at 20"],
        ),
        ("@3pm", &["time 15:00:00 | @3pm"]),
        ("1:99", &[]),
        ("25:00", &[]),
        ("um 9", &["time 09:00:00 | um 9"]),
        ("um 15 Uhr 30", &["time 15:30:00 | um 15 Uhr 30"]),
        ("9.30 Uhr", &["time 09:30:00 | 9.30 Uhr"]),
        ("um halb zehn", &["time 09:30:00 | um halb zehn"]),
        ("um viertel nach neun", &["time 09:15:00 | um viertel nach neun"]),
        (
            "zwischen 9 und 11 Uhr",
            &["time 09:00:00 | 9", "time 11:00:00 | 11 Uhr"],
        ),
        ("gegen 14 Uhr", &["time 14:00:00 | gegen 14 Uhr"]),
        ("à 9h", &["time 09:00:00 | à 9h"]),
        ("à 9h30", &["time 09:30:00 | à 9h30"]),
        ("réunion à 15h", &["time 15:00:00 | à 15h"]),
        (
            "de 9h à 11h avec le client",
            &["time 09:00:00 | 9h", "time 11:00:00 | 11h"],
        ),
        ("à midi", &["time 12:00:00 | à midi"]),
        (
            "a las tres y media de la tarde",
            &["time 15:30:00 | a las tres y media de la tarde"],
        ),
        (
            "a las 10 de la mañana",
            &["time 10:00:00 | a las 10 de la mañana"],
        ),
        (
            "a las nueve menos cuarto de la mañana",
            &["time 08:45:00 | a las nueve menos cuarto de la mañana"],
        ),
        ("tomorrow at 9", &["moment 2026-12-01T09:00:00 | tomorrow at 9"]),
        (
            "tomorrow 9-10",
            &[
                "moment 2026-12-01T09:00:00 | tomorrow 9",
                "moment 2026-12-01T10:00:00 | 10",
            ],
        ),
        ("tomorrow, 3pm", &["moment 2026-12-01T15:00:00 | tomorrow, 3pm"]),
        (
            "tomorrow 3 people come",
            &["date 2026-12-01 | tomorrow", "number 3"],
        ),
        (
            "tomorrow morning at 9",
            &["moment 2026-12-01T09:00:00 | tomorrow morning at 9"],
        ),
        (
            "tomorrow evening at 8",
            &["moment 2026-12-01T20:00:00 | tomorrow evening at 8"],
        ),
        ("tonight at 8", &["moment 2026-11-30T20:00:00 | tonight at 8"]),
        ("at 8 tonight", &["moment 2026-11-30T20:00:00 | at 8 tonight"]),
        ("Friday at 3pm", &["moment 2026-12-04T15:00:00 | Friday at 3pm"]),
        (
            "at 3pm on Friday",
            &["moment 2026-12-04T15:00:00 | at 3pm on Friday"],
        ),
        (
            "Friday at midnight",
            &[
                "moment 2026-12-04T00:00:00 | Friday at midnight",
                "moment 2026-12-05T00:00:00 | Friday at midnight",
            ],
        ),
        (
            "this Wednesday 10:30-11:15",
            &[
                "moment 2026-12-02T10:30:00 | this Wednesday 10:30",
                "moment 2026-12-02T11:15:00 | 11:15",
            ],
        ),
        (
            "Wed 10:00–11:00",
            &[
                "moment 2026-12-02T10:00:00 | Wed 10:00",
                "moment 2026-12-02T11:00:00 | 11:00",
            ],
        ),
        (
            "tomorrow from 3pm to 4:30pm",
            &[
                "moment 2026-12-01T15:00:00 | tomorrow from 3pm",
                "moment 2026-12-01T16:30:00 | 4:30pm",
            ],
        ),
        (
            "between 9 and 11 tomorrow",
            &[
                "moment 2026-12-01T09:00:00 | 9",
                "moment 2026-12-01T11:00:00 | 11 tomorrow",
            ],
        ),
        (
            "from 9 to 5 on Tuesday",
            &[
                "moment 2026-12-01T09:00:00 | 9",
                "moment 2026-12-01T17:00:00 | 5 on Tuesday",
            ],
        ),
        (
            "3-4pm tomorrow",
            &[
                "moment 2026-12-01T15:00:00 | 3",
                "moment 2026-12-01T16:00:00 | 4pm tomorrow",
            ],
        ),
        (
            "Friday, 4 December at 10:30 am",
            &["moment 2026-12-04T10:30:00 | Friday, 4 December at 10:30 am"],
        ),
        (
            "Mon, 7 Dec 2026 at 5:15 pm",
            &["moment 2026-12-07T17:15:00 | Mon, 7 Dec 2026 at 5:15 pm"],
        ),
        (
            "next week on Tuesday at 4:30",
            &[
                "moment 2026-12-08T16:30:00 | next week on Tuesday at 4:30",
                "moment 2026-12-08T04:30:00 | next week on Tuesday at 4:30",
            ],
        ),
        (
            "yesterday 08:00 UTC",
            &["moment 2026-11-29T08:00:00 | yesterday 08:00 UTC"],
        ),
        (
            "tomorrow at 3 pm CET",
            &["moment 2026-12-01T14:00:00 | tomorrow at 3 pm CET"],
        ),
        ("every Monday at 9", &["time 09:00:00 | at 9"]),
        ("in two hours", &["moment 2026-11-30T12:00:00 | in two hours"]),
        (
            "in half an hour",
            &["moment 2026-11-30T10:30:00 | in half an hour"],
        ),
        (
            "in 1 day and 3 hours",
            &["moment 2026-12-01T13:00:00 | in 1 day and 3 hours"],
        ),
        ("20 minutes ago", &["moment 2026-11-30T09:40:00 | 20 minutes ago"]),
        (
            "2 hours from now",
            &["moment 2026-11-30T12:00:00 | 2 hours from now"],
        ),
        (
            "2026-12-01T09:00:00Z",
            &["moment 2026-12-01T09:00:00 | 2026-12-01T09:00:00Z"],
        ),
        (
            "2026-12-01T09:00:00+02:00",
            &["moment 2026-12-01T07:00:00 | 2026-12-01T09:00:00+02:00"],
        ),
        (
            "2026-12-01T09:00:00.250Z",
            &["moment 2026-12-01T09:00:00 | 2026-12-01T09:00:00.250Z"],
        ),
        (
            "2026-12-01T15:00",
            &["moment 2026-12-01T15:00:00 | 2026-12-01T15:00"],
        ),
        (
            "2026-12-01 09:00",
            &["moment 2026-12-01T09:00:00 | 2026-12-01 09:00"],
        ),
        (
            "2026-12-01 9:30 pm",
            &["moment 2026-12-01T21:30:00 | 2026-12-01 9:30 pm"],
        ),
        ("morgen um 9", &["moment 2026-12-01T09:00:00 | morgen um 9"]),
        (
            "übermorgen um halb zehn",
            &["moment 2026-12-02T09:30:00 | übermorgen um halb zehn"],
        ),
        (
            "am Freitag um 15 Uhr",
            &["moment 2026-12-04T15:00:00 | am Freitag um 15 Uhr"],
        ),
        (
            "am 3. März um 14:30 Uhr",
            &["moment 2027-03-03T14:30:00 | am 3. März um 14:30 Uhr"],
        ),
        (
            "4.12.2026 um 15:30 Uhr",
            &["moment 2026-12-04T15:30:00 | 4.12.2026 um 15:30 Uhr"],
        ),
        (
            "heute Abend um 8",
            &["moment 2026-11-30T20:00:00 | heute Abend um 8"],
        ),
        (
            "in einer Stunde",
            &["moment 2026-11-30T11:00:00 | in einer Stunde"],
        ),
        ("vor 20 Minuten", &["moment 2026-11-30T09:40:00 | vor 20 Minuten"]),
        ("demain à 9h30", &["moment 2026-12-01T09:30:00 | demain à 9h30"]),
        ("réunion demain 15h", &["moment 2026-12-01T15:00:00 | demain 15h"]),
        (
            "après-demain à midi",
            &["moment 2026-12-02T12:00:00 | après-demain à midi"],
        ),
        (
            "mardi 8 décembre à 10h30",
            &["moment 2026-12-08T10:30:00 | mardi 8 décembre à 10h30"],
        ),
        ("dans une heure", &["moment 2026-11-30T11:00:00 | dans une heure"]),
        (
            "il y a 20 minutes",
            &["moment 2026-11-30T09:40:00 | il y a 20 minutes"],
        ),
        ("mañana a las 9", &["moment 2026-12-01T09:00:00 | mañana a las 9"]),
        (
            "pasado mañana a las tres y media de la tarde",
            &["moment 2026-12-02T15:30:00 | pasado mañana a las tres y media de la tarde"],
        ),
        (
            "el martes a las 10 de la mañana",
            &["moment 2026-12-01T10:00:00 | el martes a las 10 de la mañana"],
        ),
        (
            "dentro de dos horas",
            &["moment 2026-11-30T12:00:00 | dentro de dos horas"],
        ),
        ("at 7", &["time 19:00:00 | at 7", "time 07:00:00 | at 7"]),
        ("at 8", &["time 08:00:00 | at 8"]),
        ("a las 18h", &["time 18:00:00 | a las 18h"]),
        ("um 18h", &["time 18:00:00 | um 18h"]),
        ("call thu 10am", &["moment 2026-12-03T10:00:00 | thu 10am"]),
        ("tmrw 3pm", &["moment 2026-12-01T15:00:00 | tmrw 3pm"]),
        ("dec 7th 9:30", &["moment 2026-12-07T09:30:00 | dec 7th 9:30"]),
        (
            "since 9 this morning",
            &["moment 2026-11-30T09:00:00 | 9 this morning"],
        ),
        (
            "after 5 today",
            &[
                "moment 2026-11-30T17:00:00 | 5 today",
                "moment 2026-11-30T05:00:00 | 5 today",
            ],
        ),
        ("until 5pm", &["time 17:00:00 | 5pm"]),
        ("until 6", &["number 6"]),
        (
            "midnight tonight",
            &["moment 2026-12-01T00:00:00 | midnight tonight"],
        ),
        (
            "by noon tomorrow",
            &["moment 2026-12-01T12:00:00 | noon tomorrow"],
        ),
        (
            "at 2:30 tomorrow afternoon",
            &["moment 2026-12-01T14:30:00 | at 2:30 tomorrow afternoon"],
        ),
        (
            "Friday afternoon at 3",
            &["moment 2026-12-04T15:00:00 | Friday afternoon at 3"],
        ),
        (
            "tomorrow between 2 and 3pm",
            &[
                "moment 2026-12-01T14:00:00 | tomorrow between 2",
                "moment 2026-12-01T15:00:00 | 3pm",
            ],
        ),
        (
            "between 2pm and 3pm on 7 December",
            &[
                "moment 2026-12-07T14:00:00 | 2pm",
                "moment 2026-12-07T15:00:00 | 3pm on 7 December",
            ],
        ),
        (
            "7 Dec 2026, 14:00-15:30",
            &[
                "moment 2026-12-07T14:00:00 | 7 Dec 2026, 14:00",
                "moment 2026-12-07T15:30:00 | 15:30",
            ],
        ),
        (
            "December 7, 2026 at 2 PM",
            &["moment 2026-12-07T14:00:00 | December 7, 2026 at 2 PM"],
        ),
        (
            "from 2026-12-07T09:00 to 2026-12-07T10:00",
            &[
                "moment 2026-12-07T09:00:00 | 2026-12-07T09:00",
                "moment 2026-12-07T10:00:00 | 2026-12-07T10:00",
            ],
        ),
        (
            "in an hour and a half",
            &["moment 2026-11-30T11:30:00 | in an hour and a half"],
        ),
        ("in 90 seconds", &["moment 2026-11-30T10:01:30 | in 90 seconds"]),
        (
            "am 07.12. um 14h",
            &["moment 2026-12-07T14:00:00 | am 07.12. um 14h"],
        ),
        ("Montag 14 Uhr", &["moment 2026-12-07T14:00:00 | Montag 14 Uhr"]),
        (
            "morgen Nachmittag um 3",
            &["moment 2026-12-01T15:00:00 | morgen Nachmittag um 3"],
        ),
        (
            "le 7 décembre à 9h",
            &["moment 2026-12-07T09:00:00 | le 7 décembre à 9h"],
        ),
        (
            "ce vendredi à 18h30",
            &["moment 2026-12-04T18:30:00 | ce vendredi à 18h30"],
        ),
        (
            "el lunes a las 9:30",
            &["moment 2026-12-07T09:30:00 | el lunes a las 9:30"],
        ),
        ("el 15 a las 10", &["moment 2026-12-15T10:00:00 | el 15 a las 10"]),
    ]);
}
