//! Which language is a text in, as far as its spelling of values goes?

use super::word_list::WordList;

/// A language whose dates and numbers are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tongue {
    English,
    German,
    French,
    Spanish,
}

impl Tongue {
    /// The language most of whose small words are there; English where none wins. Words come folded.
    pub fn of<'w>(words: impl Iterator<Item = &'w str>) -> Self {
        let mut counts = [0_usize; 4];
        for word in words {
            for (count, list) in counts.iter_mut().zip([&ENGLISH, &GERMAN, &FRENCH, &SPANISH]) {
                *count += usize::from(list.contains(word));
            }
        }
        let [english, german, french, spanish] = counts;
        let most = german.max(french).max(spanish);
        if most <= english {
            Self::English
        } else if german == most {
            Self::German
        } else if french > spanish {
            Self::French
        } else {
            Self::Spanish
        }
    }
}

static ENGLISH: WordList = WordList::new(
    "the a and to of for is on with please my it this that what at by from be you we are all can \
     could would i show until next last them their not now as today tomorrow week hours days",
);

static GERMAN: WordList = WordList::new(
    "der die das und bitte nicht ein eine einen einer mir mich fur mit von auf alle im zum zur den \
     dem des ist wie welche um am morgen heute uhr ab bis vom nach zeig zeige uber ubermorgen \
     gestern sind wir ich bei tage tagen tag woche wochen stunden stunde minuten monat jahr zwischen \
     vor montag dienstag mittwoch donnerstag freitag samstag sonntag prozent marz mai januar februar \
     juni juli oktober dezember halb seit nachste nachsten letzte letzten diesen diese rechnung \
     stell namens leg ihr ihm ihn sag wann wer wo was hat haben kannst mal noch nur auch es sie er \
     du mein dein kommt gern vielen dank ja nein sich wird werden schon oder aber wenn dann unter \
     ohne guten zwei drei jemand gegen einem alles losch kein keine etwas ende anfang viertel \
     mitternacht",
);

static FRENCH: WordList = WordList::new(
    "le la les des du une un est pour avec dans sur et au aux qui que quel quels quelle quelles moi \
     vous plait demain hier je de ce cette prochain prochaine dernier derniere jours jour semaine \
     semaines heures heure mois lundi mardi mercredi jeudi vendredi samedi dimanche ajoute montre \
     fin entre depuis janvier fevrier mars avril juin juillet aout septembre octobre novembre \
     decembre midi minuit aujourd jusqu il y cent pendant vers apres",
);

static SPANISH: WordList = WordList::new(
    "el la los las una un del por favor para con que y en de al mi cual cuales hay manana hoy ayer \
     pasado proximo proxima lunes martes miercoles jueves viernes sabado domingo dias dia semana \
     semanas horas hora mes meses enero febrero marzo abril mayo junio julio agosto septiembre \
     octubre noviembre diciembre mediodia medianoche hasta desde dentro hace este esta media durante \
     minutos ciento entre ultimos",
);
