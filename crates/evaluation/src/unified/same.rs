//! Are two arguments the same, whatever their spelling?

use serde_json::{Map, Value};

use super::labels::LabelledCall;

/// Whether a call with these arguments is the labelled one: every argument there with its value, and no other but
/// optional ones.
pub fn is_call(call: &LabelledCall, tool: &str, arguments: &Map<String, Value>) -> bool {
    let is_there =
        |(name, value): (&String, &Value)| arguments.get(name).is_some_and(|given| same(value, given));
    let is_meant = |(name, given): (&String, &Value)| {
        call.arguments.contains_key(name)
            || call
                .optional
                .get(name)
                .is_some_and(|optional| same(optional, given))
    };
    call.tool == tool && call.arguments.iter().all(is_there) && arguments.iter().all(is_meant)
}

/// Numbers by value, moments by what they say, everything else exactly.
pub fn same(expected: &Value, given: &Value) -> bool {
    match (expected, given) {
        (Value::Number(expected), Value::Number(given)) => match (expected.as_f64(), given.as_f64()) {
            (Some(expected), Some(given)) => (expected - given).abs() <= 1e-9 * expected.abs().max(1.0),
            _ => expected == given,
        },
        (Value::String(expected), Value::String(given)) => {
            expected == given || moment(expected).is_some_and(|expected| Some(expected) == moment(given))
        }
        (Value::Array(expected), Value::Array(given)) => {
            expected.len() == given.len()
                && expected
                    .iter()
                    .zip(given)
                    .all(|(expected, given)| same(expected, given))
        }
        (Value::Object(expected), Value::Object(given)) => {
            expected.len() == given.len()
                && expected
                    .iter()
                    .all(|(name, value)| given.get(name).is_some_and(|given| same(value, given)))
        }
        _ => expected == given,
    }
}

/// An ISO 8601 moment in one spelling: seconds that are zero left out, `+00:00` as `Z`. `None` for anything else.
fn moment(text: &str) -> Option<String> {
    let (day, clock) = text.split_once(['T', ' '])?;
    let is_day = day.len() == 10
        && day
            .split('-')
            .all(|part| part.bytes().all(|b| b.is_ascii_digit()));
    let zone = clock.find(['Z', '+', '-']).unwrap_or(clock.len());
    let (clock, zone) = clock.split_at_checked(zone)?;
    let clock = clock.strip_suffix(".000").unwrap_or(clock);
    let clock = if clock.len() == 8 {
        clock.strip_suffix(":00").unwrap_or(clock)
    } else {
        clock
    };
    let is_clock = clock.len() >= 5
        && clock
            .bytes()
            .all(|b| b.is_ascii_digit() || b == b':' || b == b'.');
    let zone = match zone {
        "+00:00" | "-00:00" | "+0000" => "Z",
        zone => zone,
    };
    (is_day && is_clock).then(|| format!("{day}T{clock}{zone}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_compared_by_what_they_say() {
        for (one, other, expected) in [
            (json!(40), json!(40.0), true),
            (json!(40), json!(41), false),
            (json!(40), json!("40"), false),
            (json!("Dana"), json!("dana"), false),
            (json!("2026-12-01T15:00"), json!("2026-12-01T15:00:00"), true),
            (
                json!("2026-12-01T15:00:00Z"),
                json!("2026-12-01T15:00:00+00:00"),
                true,
            ),
            (json!("2026-12-01T15:00:00Z"), json!("2026-12-01T15:00:00"), false),
            (
                json!("2026-12-01T15:00:30Z"),
                json!("2026-12-01T15:00:00Z"),
                false,
            ),
            (json!("a b"), json!("aTb"), false),
            (json!([1, 2]), json!([1.0, 2]), true),
            (json!([1, 2]), json!([2, 1]), false),
            (json!({"a": {"b": 1}}), json!({"a": {"b": 1.0}}), true),
            (json!({"a": 1}), json!({"a": 1, "b": 2}), false),
        ] {
            assert_eq!(same(&one, &other), expected, "{one} {other}");
        }
    }

    #[test]
    fn optional_arguments_may_be_there_with_their_value() {
        let object = |value: Value| value.as_object().unwrap().clone();
        let call = LabelledCall {
            tool: "crm.add".to_owned(),
            arguments: object(json!({"name": "Dana"})),
            optional: object(json!({"source": "manual"})),
        };
        for (tool, arguments, expected) in [
            ("crm.add", json!({"name": "Dana"}), true),
            ("crm.add", json!({"name": "Dana", "source": "manual"}), true),
            ("crm.add", json!({"name": "Dana", "source": "web"}), false),
            ("crm.add", json!({"name": "Dana", "x": 1}), false),
            ("crm.add", json!({}), false),
            ("crm.new", json!({"name": "Dana"}), false),
        ] {
            assert_eq!(
                is_call(&call, tool, &object(arguments.clone())),
                expected,
                "{tool} {arguments}"
            );
        }
    }
}
