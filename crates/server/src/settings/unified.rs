//! How are requests in words read, by the written settings?

use std::time::Duration;

use handpick_operations::unified::{ChatModel, UnifiedOptions};
use jiff::tz::Offset;

use super::Mistake;
use super::raw::RawUnified;
use super::resolve::At;
use super::variables::expand;

/// What `unified.timeout_seconds` may be at most: callers give up sooner.
const TIMEOUT_SECONDS_MAX: f64 = 600.0;

/// Checks `[unified]`. `${NAME}` in its texts is taken from the environment.
pub(super) fn resolve_unified(raw: &RawUnified, at: At<'_>) -> Result<UnifiedOptions, Mistake> {
    let lookup = |name: &str| std::env::var(name).ok();
    let wrong = |key: &str, text: String| at(&["unified", key], text);
    let text = |key: &str, value: &Option<String>| -> Result<Option<String>, Mistake> {
        let expanded = value.as_deref().map(|value| expand(value, &lookup)).transpose();
        expanded.map_err(|reason| wrong(key, reason))
    };
    let defaults = UnifiedOptions::default();
    let key = text("api_key", &raw.api_key)?.filter(|key| !key.trim().is_empty());
    let model = match (text("model_url", &raw.model_url)?, text("model", &raw.model)?) {
        (Some(url), Some(name)) => {
            let model = ChatModel::new(&url, &name, key.as_deref());
            Some(model.map_err(|(key, reason)| wrong(key, reason))?)
        }
        (Some(_), None) => {
            return Err(wrong(
                "model_url",
                "needs `model` too: the model's name there".to_owned(),
            ));
        }
        (None, Some(_)) => {
            return Err(wrong(
                "model",
                "needs `model_url` too, such as `http://localhost:11434/v1`".to_owned(),
            ));
        }
        (None, None) if raw.api_key.is_some() => {
            return Err(wrong("api_key", "needs `model_url` and `model` too".to_owned()));
        }
        (None, None) => None,
    };
    let timeout = match raw.timeout_seconds {
        None => defaults.timeout,
        Some(seconds) if seconds > 0.0 && seconds <= TIMEOUT_SECONDS_MAX => Duration::from_secs_f64(seconds),
        Some(seconds) => {
            let text = format!("must be above 0 and at most {TIMEOUT_SECONDS_MAX}, not {seconds}");
            return Err(wrong("timeout_seconds", text));
        }
    };
    let offset = match &raw.utc_offset {
        None => defaults.offset,
        Some(written) => read_offset(written).ok_or_else(|| {
            let text = format!("must be such as `+02:00`, `-05:30` or `Z`, not `{written}`");
            wrong("utc_offset", text)
        })?,
    };
    Ok(UnifiedOptions {
        model,
        sampling: raw.sampling,
        timeout,
        offset,
    })
}

/// `Z`, or a sign, hours and minutes.
fn read_offset(text: &str) -> Option<Offset> {
    if text == "Z" {
        return Some(Offset::UTC);
    }
    let (sign, rest) = match text.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':')?;
    let number = |digits: &str, below: i32| {
        let is_number = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits
            .parse::<i32>()
            .ok()
            .filter(|number| is_number && *number < below)
    };
    let seconds = number(hours, 15)? * 3_600 + number(minutes, 60)? * 60;
    Offset::from_seconds(sign * seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_read() {
        for (text, seconds) in [
            ("Z", Some(0)),
            ("+02:00", Some(7_200)),
            ("-05:30", Some(-19_800)),
            ("+14:00", Some(50_400)),
            ("02:00", None),
            ("+2:00", None),
            ("+02:60", None),
            ("+15:00", None),
            ("Europe/Berlin", None),
            ("", None),
            ("€", None),
        ] {
            assert_eq!(read_offset(text).map(Offset::seconds), seconds, "{text}");
        }
    }
}
