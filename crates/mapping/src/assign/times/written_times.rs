//! How does the schema want days, moments and lengths of time written?

use jiff::civil::{Date, DateTime};
use serde_json::{Number, Value};

use crate::Now;
use crate::kind::{Kind, digits_as_nines, pattern_shape};
use crate::meaning::Meaning;

/// A day as the schema wants it written.
pub(crate) fn date_value(meaning: &Meaning, day: Date) -> Option<Value> {
    let about = meaning.parameter.description.to_lowercase();
    let (year, month, date) = (day.year(), day.month(), day.day());
    let text = if about.contains("mm/dd/yyyy") {
        format!("{month:02}/{date:02}/{year:04}")
    } else if about.contains("dd/mm/yyyy") {
        format!("{date:02}/{month:02}/{year:04}")
    } else if about.contains("dd.mm.yyyy") {
        format!("{date:02}.{month:02}.{year:04}")
    } else {
        format!("{year:04}-{month:02}-{date:02}")
    };
    let wanted = wanted_shape(meaning);
    let fits = wanted.is_none_or(|shape| digits_as_nines(&text) == shape);
    (fits && meaning.parameter.shape.string).then_some(Value::String(text))
}

/// How a pattern or an example shows that times are written.
fn wanted_shape(meaning: &Meaning) -> Option<String> {
    let shape = &meaning.parameter.shape;
    shape.pattern.as_deref().and_then(pattern_shape).or_else(|| {
        shape
            .examples
            .iter()
            .map(|example| digits_as_nines(example))
            .find(|shown| shown.contains("99"))
    })
}

/// A moment as the schema wants it written.
pub(crate) fn moment_value(meaning: &Meaning, now: Now, at: DateTime) -> Option<Value> {
    if meaning.is_numeric() {
        let Kind::Moment(unit) = meaning.kind else {
            return None;
        };
        let seconds = now.offset.to_timestamp(at).ok()?.as_millisecond();
        return Some(Value::Number(Number::from(seconds.checked_div(unit.max(1))?)));
    }
    let local = format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
        at.year(),
        at.month(),
        at.day(),
        at.hour(),
        at.minute(),
        at.second()
    );
    let short = local.get(..16)?.to_owned();
    let offset = if now.offset.seconds() == 0 {
        "Z".to_owned()
    } else {
        offset_text(now.offset.seconds())
    };
    let zoned = format!("{local}{offset}");
    let Some(shape) = wanted_shape(meaning) else {
        return Some(Value::String(zoned));
    };
    let spaced = local.replace('T', " ");
    let short_spaced = short.replace('T', " ");
    let thousandths = format!("{local}.000{offset}");
    [zoned, local, short, spaced, short_spaced, thousandths]
        .into_iter()
        .find(|text| digits_as_nines(text) == shape)
        .map(Value::String)
}

fn offset_text(seconds: i32) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.unsigned_abs() / 60;
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

pub(crate) fn length_value(meaning: &Meaning, unit: i64, seconds: i64) -> Option<Value> {
    if unit == 0 {
        return Some(Value::String(iso_length(seconds)));
    }
    let thousandths = seconds.checked_mul(1_000)?;
    if thousandths % unit != 0 {
        return None;
    }
    let count = thousandths / unit;
    let number = Number::from(count);
    crate::assign::numbers::within(meaning, count as f64).then_some(())?;
    if meaning.is_numeric() {
        Some(Value::Number(number))
    } else {
        Some(Value::String(number.to_string()))
    }
}

/// An ISO 8601 duration: `PT1H30M`.
fn iso_length(seconds: i64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let mut text = String::from("P");
    if days > 0 {
        text.push_str(&format!("{days}D"));
    }
    let parts = [(rest / 3_600, 'H'), (rest % 3_600 / 60, 'M'), (rest % 60, 'S')];
    if parts.iter().any(|(count, _)| *count > 0) || days == 0 {
        text.push('T');
        for (count, sign) in parts {
            if count > 0 {
                text.push_str(&format!("{count}{sign}"));
            }
        }
    }
    if text == "PT" { "PT0S".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_in_iso_8601() {
        for (seconds, text) in [
            (2_700, "PT45M"),
            (5_400, "PT1H30M"),
            (86_400, "P1D"),
            (90_061, "P1DT1H1M1S"),
            (0, "PT0S"),
        ] {
            assert_eq!(iso_length(seconds), text);
        }
        assert_eq!(offset_text(-19_800), "-05:30");
    }
}
