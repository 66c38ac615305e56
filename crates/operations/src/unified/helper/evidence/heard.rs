//! What was said, and does a value stand in it?

use handpick_mapping::{Now, Origin, Source, Span, What, spans};
use handpick_presentation::UnifiedRequest;
use serde_json::{Number, Value};

use super::super::super::context;
use super::times;

/// The request and every text of the context, read.
pub(super) struct Heard {
    now: Now,
    texts: Vec<Text>,
}

struct Text {
    origin: Origin,
    written: String,
    spans: Vec<Span>,
}

/// Words that turn what follows into its opposite; with one of them no switch is taken as set.
const NEGATIONS: [&str; 16] = [
    "no", "not", "don't", "dont", "never", "without", "except", "nicht", "kein", "keine", "ohne", "sans",
    "pas", "sin", "nunca", "ne",
];

impl Heard {
    /// Reads what was said.
    pub fn new(asked: &UnifiedRequest, now: Now) -> Self {
        let context = asked.context.as_ref().map(context::leaves).unwrap_or_default();
        let request = (Origin::Request, asked.request.clone());
        let context = context.into_iter().map(|text| (Origin::Context, text));
        let texts = std::iter::once(request).chain(context);
        Self {
            now,
            texts: texts
                .map(|(origin, written)| Text {
                    origin,
                    spans: spans(&written, now),
                    written,
                })
                .collect(),
        }
    }

    /// A text stands there, whole words of it, whatever its case and spaces.
    pub fn text(&self, value: &str) -> Option<Source> {
        let wanted = folded(value, false);
        self.find(|text| contains(&folded(&text.written, false), &wanted).then(|| value.to_owned()))
    }

    /// A choice stands there, whatever separates its words.
    pub fn choice(&self, value: &str) -> Option<Source> {
        let wanted = folded(value, true);
        self.find(|text| contains(&folded(&text.written, true), &wanted).then(|| value.to_owned()))
    }

    /// A day, a time or a moment is said there.
    pub fn time(&self, value: &str) -> Option<Source> {
        let wanted = times::read(value, self.now)?;
        self.find(|text| {
            let said: Vec<&Span> = text
                .spans
                .iter()
                .filter(|span| times::is_time(&span.what))
                .collect();
            times::is_said(wanted, &said, self.now).then(|| words_of(text, &said))
        })
    }

    /// A number is said there, as such or in the unit that the schema asks for.
    pub fn number(&self, value: &Number, schema: &Value, name: &str) -> Option<Source> {
        let wanted = value.as_f64()?;
        let units = Units::of(schema, name);
        self.find(|text| {
            let span = text.spans.iter().find(|span| {
                units
                    .readings(&span.what)
                    .iter()
                    .any(|said| (said - wanted).abs() <= 1e-9 * wanted.abs().max(1.0))
            })?;
            Some(words_of(text, &[span]))
        })
    }

    /// A switch is named there by all words of its name, and nothing there is denied.
    pub fn flag(&self, name: &str) -> Option<Source> {
        let name = handpick_selection::words::spelled_out(name);
        let own = |text: &Text| {
            let said = folded(&text.written, true);
            let denied = said.split(' ').any(|word| NEGATIONS.contains(&word));
            let named = name
                .split(' ')
                .all(|word| word.chars().count() > 2 && contains(&said, word));
            (named && !denied).then(|| name.clone())
        };
        self.find(own)
    }

    /// Which share of the request's words these texts are, by characters.
    pub fn share_of_request<'a>(&self, found: impl Iterator<Item = &'a str>) -> f32 {
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count() as f32;
        let all = self.texts.first().map_or(0.0, |text| letters(&text.written));
        let found: f32 = found.map(letters).sum();
        if all > 0.0 { (found / all).min(1.0) } else { 0.0 }
    }

    fn find(&self, words: impl Fn(&Text) -> Option<String>) -> Option<Source> {
        self.texts.iter().find_map(|text| {
            Some(Source {
                origin: text.origin,
                words: words(text)?,
            })
        })
    }
}

fn words_of(text: &Text, spans: &[&Span]) -> String {
    let words: Vec<&str> = spans
        .iter()
        .filter_map(|span| text.written.get(span.range.clone()))
        .collect();
    words.join(" ")
}

/// Lower case, one space between words; with `softly` every sign is a space.
fn folded(text: &str, softly: bool) -> String {
    let lower = text.to_lowercase();
    let plain: String = lower
        .chars()
        .map(|c| match c {
            '’' => '\'',
            c if c.is_alphanumeric() || c == '\'' || !softly => c,
            _ => ' ',
        })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether `wanted` stands in `text` and neither begins nor ends within a word.
fn contains(text: &str, wanted: &str) -> bool {
    if wanted.is_empty() {
        return false;
    }
    text.match_indices(wanted).any(|(at, _)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at + wanted.len()..).and_then(|text| text.chars().next());
        let (first, last) = (wanted.chars().next(), wanted.chars().next_back());
        !(is_letter(before) && is_letter(first) || is_letter(after) && is_letter(last))
    })
}

fn is_letter(c: Option<char>) -> bool {
    c.is_some_and(char::is_alphanumeric)
}

/// What units a parameter speaks of.
struct Units {
    said: String,
}

impl Units {
    fn of(schema: &Value, name: &str) -> Self {
        let description = schema["description"].as_str().unwrap_or_default();
        let name = handpick_selection::words::spelled_out(name);
        Self {
            said: format!(" {name} {} ", folded(description, true)),
        }
    }

    fn speaks_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.said.contains(&format!(" {word} ")))
    }

    /// The numbers that a span may mean for this parameter.
    fn readings(&self, what: &What) -> Vec<f64> {
        match what {
            What::Number(number) => vec![*number],
            What::Money(amount, _) => {
                let mut readings = vec![*amount];
                if self.speaks_of(&["cents", "cent", "minor"]) {
                    readings.push((amount * 100.0).round());
                }
                readings
            }
            What::Percent(share) => vec![*share, share / 100.0],
            What::Duration(seconds) => self.lengths(*seconds as f64),
            What::Moment(moment) if self.speaks_of(&["epoch", "unix", "timestamp"]) => {
                vec![moment.as_second() as f64, moment.as_millisecond() as f64]
            }
            What::Id(id) => id.parse().into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn lengths(&self, seconds: f64) -> Vec<f64> {
        let units: [(&[&str], f64); 5] = [
            (&["ms", "millis", "milliseconds", "millisecond"], 0.001),
            (&["seconds", "second", "secs", "sec", "s"], 1.0),
            (&["minutes", "minute", "mins", "min"], 60.0),
            (&["hours", "hour", "hrs"], 3_600.0),
            (&["days", "day"], 86_400.0),
        ];
        units
            .into_iter()
            .filter(|(words, _)| self.speaks_of(words))
            .map(|(_, unit)| seconds / unit)
            .collect()
    }
}
