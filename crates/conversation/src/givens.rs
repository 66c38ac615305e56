//! Does the message give what a tool takes? A number, a date, an address, a name: by the form of words alone.

use std::collections::BTreeSet;

use handpick_domain::AgentTool;
use handpick_selection::words;

use crate::id_name::IdName;

/// Characters of a message that are read.
const CHARS: usize = 2_000;

/// What a value looks like, or what a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `20`, `1,310.50`, `12%`.
    Number,
    /// `2024-05-01`, `monday`, `14:30`, `morgen`.
    Date,
    /// `ap@initech.example`.
    Email,
    /// `https://...`, `example.com/page`.
    Url,
    /// `+49 170 1234567`.
    Phone,
    /// `WELCOME20`, `DE811907980`.
    Code,
    /// `Globex`, `Mrs Okafor`: capitalised where it need not be.
    Name,
    /// `twice`, `"as written"`: words that can stand for themselves; every message has them.
    Text,
}

/// The kinds of values that a message gives.
pub fn given(message: &str) -> BTreeSet<Kind> {
    let mut kinds = BTreeSet::new();
    let end = message
        .char_indices()
        .nth(CHARS)
        .map_or(message.len(), |(end, _)| end);
    let mut starts_sentence = true;
    for written in message[..end].split_whitespace() {
        let word = written.trim_matches(|c: char| !c.is_alphanumeric() && c != '+');
        if !word.is_empty() {
            kinds.extend(kind_of_value(word, written, starts_sentence));
        }
        starts_sentence = written.ends_with(['.', '!', '?', ':']);
    }
    kinds
}

fn kind_of_value(word: &str, written: &str, starts_sentence: bool) -> Option<Kind> {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let lower = word.to_lowercase();
    if word.contains('@') && word.rsplit('@').next().is_some_and(|host| host.contains('.')) {
        return Some(Kind::Email);
    }
    if lower.starts_with("http") || lower.starts_with("www.") || is_host(&lower) {
        return Some(Kind::Url);
    }
    if is_date(&lower, digits) || DATE_WORDS.contains(&lower.as_str()) {
        return Some(Kind::Date);
    }
    if word.starts_with('+') && digits >= 2 || digits >= 9 && letters == 0 && word.starts_with('0') {
        return Some(Kind::Phone);
    }
    let with_unit = (1..=2).contains(&letters) && digits <= 4;
    if digits > 0 && (letters == 0 || with_unit) && !word.contains('-') {
        return Some(Kind::Number);
    }
    if NUMBER_WORDS.contains(&lower.as_str()) {
        return Some(Kind::Number);
    }
    let is_upper = letters >= 3 && !word.chars().any(char::is_lowercase);
    if digits > 0 && letters > 0 || is_upper && word.chars().count() >= 5 {
        return Some(Kind::Code);
    }
    let capitalised = word.chars().next().is_some_and(char::is_uppercase) && letters >= 2;
    let is_i = matches!(lower.as_str(), "i'm" | "i'll" | "i've" | "i'd");
    if capitalised && !is_i && !starts_sentence && !written.starts_with('#') {
        return Some(Kind::Name);
    }
    None
}

fn is_host(lower: &str) -> bool {
    let host = lower.split('/').next().unwrap_or_default();
    let mut labels = host.rsplit('.');
    let top = labels.next().unwrap_or_default();
    let rest = labels.next().unwrap_or_default();
    (2..=7).contains(&top.len()) && top.chars().all(|c| c.is_ascii_alphabetic()) && rest.len() >= 2
}

fn is_date(lower: &str, digits: usize) -> bool {
    let separators = lower
        .chars()
        .filter(|c| matches!(c, '-' | '/' | '.' | ':'))
        .count();
    let others = lower
        .chars()
        .filter(|c| !c.is_ascii_digit() && !matches!(c, '-' | '/' | '.' | ':' | 't' | 'z'))
        .count();
    let ordinal = ["st", "nd", "rd", "th"].iter().any(|ending| {
        lower
            .strip_suffix(ending)
            .is_some_and(|day| !day.is_empty() && day.chars().all(|c| c.is_ascii_digit()))
    });
    let clock = ["am", "pm", "h", "uhr"].iter().any(|ending| {
        lower.strip_suffix(ending).is_some_and(|hour| {
            (1..=5).contains(&hour.len()) && hour.chars().all(|c| c.is_ascii_digit() || c == ':')
        })
    });
    ordinal
        || clock
        || others == 0 && digits >= 3 && (separators >= 2 || lower.contains(':'))
        || lower.len() == 4 && digits == 4 && (lower.starts_with("19") || lower.starts_with("20"))
}

/// What a tool takes beside ids: for each parameter with a telling name or type its kind, and whether it is required.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Takes {
    kinds: Vec<(Kind, bool)>,
    /// Terms of the parameters' names and descriptions.
    terms: BTreeSet<String>,
}

impl Takes {
    /// Reads the parameters of a tool.
    pub fn of(tool: &AgentTool) -> Self {
        let others = tool
            .parameters
            .iter()
            .filter(|parameter| IdName::of(&parameter.name).is_none());
        let kinds = others
            .filter_map(|parameter| {
                Some((
                    kind_taken(&parameter.name, parameter.data_type.as_deref())?,
                    parameter.required,
                ))
            })
            .collect();
        let texts = tool
            .parameters
            .iter()
            .flat_map(|parameter| [Some(parameter.name.as_str()), parameter.description.as_deref()]);
        let terms = texts.flatten().flat_map(terms).collect();
        Self { kinds, terms }
    }

    /// How many parameters the given kinds fill, required ones and others.
    pub fn filled(&self, given: &BTreeSet<Kind>) -> (f32, f32) {
        let count = |wanted: bool| {
            let filled = self
                .kinds
                .iter()
                .filter(|(kind, required)| *required == wanted && given.contains(kind));
            filled.count() as f32
        };
        (count(true), count(false))
    }

    /// How many required parameters of a telling kind the given ones leave open.
    pub fn open(&self, given: &BTreeSet<Kind>) -> f32 {
        let open =
            |&&(kind, required): &&(Kind, bool)| required && kind != Kind::Text && !given.contains(&kind);
        self.kinds.iter().filter(open).count() as f32
    }

    /// Share of these terms that stand in names and descriptions of the parameters: 0 to 1.
    pub fn words(&self, message: &BTreeSet<String>) -> f32 {
        if message.is_empty() {
            return 0.0;
        }
        message.intersection(&self.terms).count() as f32 / message.len() as f32
    }
}

/// The terms of a message that tell something.
pub(crate) fn telling_terms(message: &str) -> BTreeSet<String> {
    let words = words::question_words(message);
    words
        .into_iter()
        .flat_map(|word| std::iter::once(word.term).chain(word.parts))
        .collect()
}

fn terms(text: &str) -> Vec<String> {
    let words = words::question_words(text);
    words
        .into_iter()
        .flat_map(|word| std::iter::once(word.term).chain(word.parts))
        .collect()
}

/// What a parameter takes, by the words of its name, the last one first, or else by its type.
fn kind_taken(name: &str, data_type: Option<&str>) -> Option<Kind> {
    let spelled = words::spelled_out(name);
    let by_name = spelled.split(' ').rev().find_map(|word| {
        PARAMETER_WORDS
            .iter()
            .find(|(_, words)| words.contains(&word))
            .map(|(kind, _)| *kind)
    });
    let by_type = || match data_type?.to_lowercase().as_str() {
        "number" | "integer" | "int" | "long" | "float" | "double" | "decimal" => Some(Kind::Number),
        "date" | "datetime" | "date-time" | "time" => Some(Kind::Date),
        "email" => Some(Kind::Email),
        "url" | "uri" => Some(Kind::Url),
        _ => None,
    };
    by_type().or(by_name)
}

/// Words of parameter names by what such a parameter takes.
const PARAMETER_WORDS: [(Kind, &[&str]); 8] = [
    (Kind::Email, &["email", "mail", "cc", "recipient"]),
    (Kind::Url, &["url", "uri", "link", "website"]),
    (Kind::Phone, &["phone", "mobile", "tel"]),
    (
        Kind::Number,
        &[
            "amount",
            "quantity",
            "count",
            "seats",
            "days",
            "hours",
            "minutes",
            "price",
            "percent",
            "percentage",
            "limit",
            "size",
            "weight",
            "score",
            "grade",
            "rating",
            "value",
            "cost",
            "total",
            "months",
            "weeks",
            "age",
            "capacity",
            "people",
            "guests",
            "nights",
            "reading",
            "cents",
            "level",
            "budget",
            "discount",
            "rate",
        ],
    ),
    (
        Kind::Date,
        &[
            "date",
            "day",
            "from",
            "to",
            "until",
            "till",
            "since",
            "when",
            "due",
            "start",
            "end",
            "time",
            "at",
            "week",
            "month",
            "year",
            "period",
            "range",
            "deadline",
            "begin",
            "starts",
            "ends",
            "before",
            "after",
            "arrival",
            "departure",
            "expires",
        ],
    ),
    (
        Kind::Code,
        &[
            "code", "serial", "vat", "iban", "postcode", "zip", "plate", "voucher", "coupon", "isbn", "sku",
            "barcode",
        ],
    ),
    (
        Kind::Name,
        &[
            "name", "query", "surname", "who", "person", "company", "search", "term", "keyword", "keywords",
        ],
    ),
    (
        Kind::Text,
        &[
            "text",
            "message",
            "note",
            "notes",
            "question",
            "reason",
            "subject",
            "body",
            "comment",
            "summary",
            "title",
            "description",
        ],
    ),
];

/// Words for days and times in the languages that messages come in most.
const DATE_WORDS: [&str; 78] = [
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "apr",
    "aug",
    "sept",
    "oct",
    "nov",
    "dec",
    "noon",
    "midnight",
    "week",
    "month",
    "quarter",
    "heute",
    "morgen",
    "gestern",
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonntag",
    "januar",
    "februar",
    "märz",
    "mai",
    "juni",
    "juli",
    "oktober",
    "dezember",
    "hoy",
    "mañana",
    "ayer",
    "lunes",
    "martes",
    "miércoles",
    "jueves",
    "viernes",
    "sábado",
    "domingo",
    "aujourd'hui",
    "demain",
    "lundi",
    "mardi",
    "mercredi",
    "jeudi",
    "vendredi",
    "samedi",
];

/// Number words in the same languages, up to where people write digits.
const NUMBER_WORDS: [&str; 24] = [
    "two", "three", "four", "five", "six", "seven", "eight", "ten", "dozen", "half", "double", "twice",
    "zwei", "drei", "vier", "fünf", "dos", "tres", "cuatro", "cinco", "deux", "trois", "quatre", "cinq",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_known_by_their_form() {
        use Kind::{Code, Date, Email, Name, Number, Phone, Url};
        for (message, expected) in [
            ("throw in 20 as an apology", vec![Number]),
            ("and ROOFTOP20, 20 off until sunday", vec![Number, Date, Code]),
            ("match it: nordhome.example/haven", vec![Url]),
            ("also to ruth@umbrella.example", vec![Email]),
            ("their vat id is DE811907980", vec![Code]),
            ("what plan is Globex on?", vec![Name]),
            ("call +49 170 1234567 at 14:30", vec![Number, Date, Phone]),
            ("move it to the 14th", vec![Date]),
            ("yes please", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(
                given(message).into_iter().collect::<Vec<_>>(),
                expected,
                "{message}"
            );
        }
    }

    #[test]
    fn a_tool_is_filled_by_what_is_given() {
        let parameter = |name: &str, data_type: &str, required| handpick_domain::Parameter {
            name: name.to_owned(),
            description: None,
            data_type: Some(data_type.to_owned()),
            required,
        };
        let tool = AgentTool {
            parameters: vec![
                parameter("customer_id", "string", true),
                parameter("amount", "number", true),
                parameter("due_date", "string", true),
                parameter("note", "string", false),
            ],
            ..AgentTool::default()
        };
        let takes = Takes::of(&tool);
        let twenty = given("give them 20");
        assert_eq!(takes.filled(&twenty), (1.0, 0.0));
        assert_eq!(takes.open(&twenty), 1.0);
        assert_eq!(takes.open(&given("20 by friday")), 0.0);
        assert_eq!(takes.words(&telling_terms("amount")), 1.0);
    }
}
