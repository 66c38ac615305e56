//! Can a number, an amount, a day, a time or a length begin with this word?

use super::token::Tokens;
use super::word_list::WordList;
use super::{calendar, money, numeral};

/// Whether the word begins any reading; a fast no for most words of a text. Every table of the readings is
/// reflected here, which the tests check for all their texts.
pub(super) fn begins(t: &Tokens<'_>, at: usize) -> bool {
    let word = t.word(at);
    if word.is_empty() {
        return false;
    }
    LINKS.contains(word)
        || POINTERS.contains(word)
        || ["dies", "nachst", "kommend", "letzt", "vergangen", "vorig"]
            .iter()
            .any(|stem| word.starts_with(stem))
        || TIMES.contains(word)
        || calendar::month(word).is_some()
        || calendar::weekday(word).is_some()
        || calendar::short_weekday(word).is_some()
        || calendar::ordinal(word).is_some()
        || money::begins(t, at)
        || numeral::begins(t, at)
}

/// Prepositions and articles.
static LINKS: WordList = WordList::new(
    "since until till by before after bis seit hasta a ab al am an at between dans das de del dem den dentro der des desde die du durante during ein \
     eine einem einen einer el en entre for from fur gegen hace il im in l la las le les los on one \
     pendant sobre starting the um un una une vers vom von vor zum zwischen minus moins menos",
);

/// What points at one of several days or weeks.
static POINTERS: WordList = WordList::new(
    "this current next nxt last past previous coming upcoming ce cet cette este esta proximo proxima \
     proximos proximas ultimos ultimas",
);

/// Words for days, times, their parts and their ends.
static TIMES: WordList = WordList::new(
    "today tomorrow tomorow tommorow tommorrow tmrw yesterday day tonight heute morgen ubermorgen \
     uebermorgen gestern vorgestern aujourd aujourdhui demain apres hier avant hoy manana pasado \
     ayer anteayer antes anoche noon midday midi mediodia mittag mittags midnight mitternacht minuit \
     medianoche half quarter viertel halb eins end ende fin final finales beginning start anfang \
     debut principio principios monatsende jahresende eom eod cob month year mes q h viertelstunde \
     dreiviertelstunde halbe demi media hora three two semana semaine mois annee ano trimestre week \
     weekend trois tres",
);
