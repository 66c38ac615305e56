//! Which months does a text name, and in which months are its dates?

use super::ARTICLES;

/// Words before a month that something is moved to, or ends in.
const TARGETS: &[&str] = &[
    "to", "until", "till", "by", "before", "after", "since", "in", "auf", "bis", "im", "ab", "seit", "hasta",
    "a", "para", "en", "até", "em", "jusqu", "au", "à", "au", "fino", "per", "tot", "naar", "early", "mid",
    "late", "next",
];

/// The months in the languages of Latin letters.
const MONTHS: [&[&str]; 12] = [
    &[
        "january", "jan", "januar", "enero", "janvier", "janeiro", "gennaio", "januari", "styczeń",
    ],
    &[
        "february",
        "feb",
        "februar",
        "febrero",
        "février",
        "fevereiro",
        "febbraio",
        "februari",
        "luty",
    ],
    &["march", "märz", "marzo", "mars", "março", "maart", "marzec"],
    &["april", "apr", "abril", "avril", "aprile", "kwiecień"],
    &["may", "mai", "mayo", "maio", "maggio", "mei", "maj"],
    &[
        "june", "jun", "juni", "junio", "juin", "junho", "giugno", "czerwiec",
    ],
    &[
        "july", "jul", "juli", "julio", "juillet", "julho", "luglio", "lipiec",
    ],
    &["august", "aug", "agosto", "août", "augustus", "sierpień"],
    &[
        "september",
        "sep",
        "sept",
        "septiembre",
        "septembre",
        "setembro",
        "settembre",
        "wrzesień",
    ],
    &[
        "october",
        "oct",
        "oktober",
        "octubre",
        "octobre",
        "outubro",
        "ottobre",
        "październik",
    ],
    &["november", "nov", "noviembre", "novembre", "novembro", "listopad"],
    &[
        "december",
        "dec",
        "dezember",
        "diciembre",
        "décembre",
        "dezembro",
        "dicembre",
        "grudzień",
    ],
];

/// The months of dates such as `2024-03-20` and `2024-03`, as [`months`] spells them.
pub(super) fn months_of_dates(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !(c.is_ascii_digit() || c == '-'))
        .filter_map(|word| {
            let mut parts = word.split('-');
            let (year, month) = (parts.next()?, parts.next()?);
            let is_date = year.len() == 4
                && month.len() == 2
                && month.parse::<u8>().is_ok_and(|month| (1..=12).contains(&month));
            is_date.then(|| format!("month {month}"))
        })
}

/// The months that a text names, where they are not what something is to be changed to.
pub(super) fn months(spoken: &[String]) -> impl Iterator<Item = String> + '_ {
    spoken.iter().enumerate().filter_map(|(at, word)| {
        let before = at.checked_sub(1).map_or("", |before| spoken[before].as_str());
        if TARGETS.contains(&before) || before.bytes().all(|b| b.is_ascii_digit()) && !before.is_empty() {
            return None;
        }
        // "may" is a verb more often than a month.
        let is_verb = word == "may" && !ARTICLES.contains(&before) && before != "with" && before != "for";
        let place = MONTHS
            .iter()
            .position(|spellings| spellings.contains(&word.as_str()));
        place
            .filter(|_| !is_verb)
            .map(|place| format!("month {:02}", place + 1))
    })
}
