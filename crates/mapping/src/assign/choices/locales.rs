//! Which language or country does a request name that a parameter takes as a code?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::kind::Kind;
use crate::meaning::{Meaning, Role};
use crate::words::{Break, name_words};

/// ISO 639-1 codes, and the names of their languages in lower case without accents.
const LANGUAGES: &[(&str, &str)] = &[
    ("en", "english englisch anglais ingles"),
    ("de", "german deutsch allemand aleman"),
    ("fr", "french franzosisch francais frances"),
    ("es", "spanish spanisch espagnol espanol castellano"),
    ("it", "italian italienisch italien italiano"),
    ("pt", "portuguese portugiesisch portugais portugues"),
    ("nl", "dutch niederlandisch neerlandais neerlandes holandes"),
    ("pl", "polish polnisch polonais polaco"),
    ("sv", "swedish schwedisch suedois sueco"),
    ("da", "danish danisch danois danes"),
    ("fi", "finnish finnisch finnois finlandes"),
    ("cs", "czech tschechisch tcheque checo"),
    ("tr", "turkish turkisch turc turco"),
    ("ru", "russian russisch russe ruso"),
    ("uk", "ukrainian ukrainisch ukrainien ucraniano"),
    ("ar", "arabic arabisch arabe"),
    ("he", "hebrew hebraisch hebreu hebreo"),
    ("hi", "hindi"),
    ("ja", "japanese japanisch japonais japones"),
    ("ko", "korean koreanisch coreen coreano"),
    ("zh", "chinese chinesisch chinois chino"),
    ("el", "greek griechisch grec griego"),
    ("hu", "hungarian ungarisch hongrois hungaro"),
];

/// ISO 3166-1 codes, and the names of their countries in lower case without accents.
const COUNTRIES: &[(&str, &str)] = &[
    ("US", "usa america states"),
    ("GB", "britain uk england grossbritannien"),
    ("DE", "germany deutschland allemagne alemania"),
    ("FR", "france frankreich francia"),
    ("ES", "spain spanien espagne espana"),
    ("IT", "italy italien italie italia"),
    ("PT", "portugal"),
    ("NL", "netherlands niederlande niederlanden pays-bas holland"),
    ("BE", "belgium belgien belgique belgica"),
    ("AT", "austria osterreich autriche"),
    ("CH", "switzerland schweiz suisse suiza"),
    ("PL", "poland polen pologne polonia"),
    ("SE", "sweden schweden suede suecia"),
    ("NO", "norway norwegen norvege noruega"),
    ("DK", "denmark danemark dinamarca"),
    ("FI", "finland finnland finlande finlandia"),
    ("IE", "ireland irland irlande irlanda"),
    ("CZ", "czechia tschechien tchequie chequia"),
    ("GR", "greece griechenland grece grecia"),
    ("TR", "turkey turkei turquie turquia"),
    ("CA", "canada kanada"),
    ("MX", "mexico mexiko mexique"),
    ("BR", "brazil brasilien bresil brasil"),
    ("AR", "argentina argentinien argentine"),
    ("CL", "chile chili"),
    ("JP", "japan japon"),
    ("KR", "korea coree corea"),
    ("CN", "china chine"),
    ("IN", "india indien inde"),
    ("AU", "australia australien australie"),
    ("NZ", "neuseeland nouvelle-zelande"),
    ("ZA", "sudafrika sudafrica"),
];

/// Links behind which a language or a country is a setting, and those that say where from.
const LINKS: &[&str] = &[
    "in", "to", "into", "auf", "ins", "en", "au", "al", "for", "fur", "pour", "para", "within",
];
const FROM: &[&str] = &["from", "aus", "vom", "depuis", "de", "del", "d'", "von", "of"];

/// What is found.
const RESULTS: &[&str] = &[
    "results",
    "result",
    "pages",
    "sites",
    "hits",
    "articles",
    "language",
    "translation",
    "version",
    "subtitles",
    "ergebnisse",
    "treffer",
    "seiten",
    "sprache",
    "resultats",
    "langue",
    "resultados",
    "paginas",
    "idioma",
    "please",
    "only",
    "nur",
    "solo",
    "sources",
    "news",
];

/// Codes of the languages and countries that a request names.
pub(crate) fn locales(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        let Some(is_country) = takes(meaning) else {
            continue;
        };
        candidates.extend(locale(asked, parameter, meaning, is_country));
    }
    candidates
}

/// Whether a parameter takes a country's code (`true`) or a language's (`false`).
fn takes(meaning: &Meaning) -> Option<bool> {
    let words = name_words(meaning.parameter.name());
    let has = |listed: &[&str]| words.iter().any(|word| listed.contains(&word.as_str()));
    let about = meaning.parameter.description.to_lowercase();
    let coded = meaning
        .spellings
        .iter()
        .filter(|choice| choice.plain.split('-').next().is_some_and(|code| code.len() == 2))
        .count()
        > 2;
    let listed = meaning.kind == Kind::Choice && coded;
    let text = matches!(meaning.kind, Kind::Slug | Kind::Id);
    let tells = |signs: &[&str]| listed || (text && signs.iter().any(|sign| about.contains(sign)));
    if has(&["language", "lang", "locale", "languages"]) {
        return tells(&[
            "iso 639",
            "iso-639",
            "language code",
            "language tag",
            "ietf",
            "bcp 47",
            "\"en\"",
            "'en'",
        ])
        .then_some(false);
    }
    if has(&["country", "market", "region"]) {
        return tells(&[
            "iso 3166",
            "iso-3166",
            "country code",
            "two-letter",
            "2-letter",
            "alpha-2",
        ])
        .then_some(true);
    }
    None
}

fn locale(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, is_country: bool) -> Option<Candidate> {
    let table = if is_country { COUNTRIES } else { LANGUAGES };
    let fits = |at: &usize| {
        let at = *at;
        let links = |back: usize, words: &[&str]| {
            at.checked_sub(back)
                .and_then(|before| asked.token(before))
                .is_some_and(|token| token.after == Break::None && token.is_any(words))
        };
        let article = links(1, &["the", "der", "den", "die", "la", "le", "el", "les"]);
        let is = |words: &[&str]| links(1, words) || (article && links(2, words));
        let named = asked
            .hits_of(parameter)
            .any(|hit| hit.end == at || hit.start == at + 1);
        let from = is(FROM);
        let linked = match meaning.role {
            Role::From => from,
            Role::To => is(LINKS),
            Role::Plain => is(LINKS) || (is_country && from),
        };
        // `for french bulldogs` is about bulldogs, and `the weather in Spain` about the weather.
        let of_results = |back: usize| links(back, RESULTS);
        let describes = asked.break_before(at + 1) == Break::None
            && asked
                .token(at + 1)
                .is_some_and(|next| !next.is_common() && !next.is_any(RESULTS) && !next.is_coded());
        let looks = asked.meanings.iter().any(|other| other.kind == Kind::Query);
        let vague = if is_country {
            looks && !of_results(2) && !of_results(3)
        } else {
            describes
        };
        named || (linked && !vague)
    };
    let mut read = asked.tokens.iter().enumerate().filter_map(|(at, token)| {
        let code = table
            .iter()
            .find(|(_, names)| names.split(' ').any(|name| name == token.fold))?
            .0;
        (!asked.is_opaque(&token.range) && (is_country || token.fold.len() > 3) && fits(&at))
            .then_some((at, code))
    });
    let (at, code) = read.next()?;
    // Of two countries either may be meant.
    if read.any(|(_, other)| other != code) {
        return None;
    }
    let value = if meaning.kind == Kind::Choice {
        let mut own = meaning
            .spellings
            .iter()
            .filter(|choice| choice.plain == code.to_lowercase());
        own.next()?.value.clone()
    } else {
        Value::String(code.to_owned())
    };
    let value = if meaning.parameter.list {
        Value::Array(vec![value])
    } else {
        value
    };
    let mut candidate = asked.candidate(parameter, value, asked.bytes(at, at + 1)?, 0.86);
    candidate.taking = false;
    Some(candidate)
}
