//! How long may the texts of one record be?
//!
//! Callers and upstream servers decide what they hold, so none is kept without a bound.

use crate::{CallRecord, SelectionRecord};

/// Longest name or message, in bytes.
const TEXT_BYTES_MAX: usize = 2048;

/// Longest JSON text, in bytes.
const JSON_BYTES_MAX: usize = 64 << 10;

/// Longest identifier that can be anyone's, in bytes.
const QUERY_ID_BYTES_MAX: usize = 256;

/// Bounds the texts of a selection.
pub(super) fn selection_limit(record: &mut SelectionRecord) {
    record.user_id.iter_mut().for_each(text_limit);
    json_limit(&mut record.tools_json);
    record.tasks_json.iter_mut().for_each(json_limit);
}

/// Bounds the texts of a call.
pub(super) fn call_limit(record: &mut CallRecord) {
    text_limit(&mut record.tool);
    record.user_id.iter_mut().for_each(text_limit);
    record.error.iter_mut().for_each(text_limit);
    record.arguments_json.iter_mut().for_each(json_limit);
    record.result_json.iter_mut().for_each(json_limit);
    // No selection has such an identifier; shortened it could be taken for another one.
    record.query_id.take_if(|id| id.len() > QUERY_ID_BYTES_MAX);
}

/// Cuts a text that is too long and marks the cut.
fn text_limit(text: &mut String) {
    if text.len() > TEXT_BYTES_MAX {
        text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
        text.push('…');
    }
}

/// Replaces JSON that is too long: cut anywhere, it would no longer be JSON.
fn json_limit(json: &mut String) {
    if json.len() > JSON_BYTES_MAX {
        *json = format!(r#"{{"omitted_bytes":{}}}"#, json.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters() {
        for (given, expected) in [
            ("a".repeat(2048), "a".repeat(2048)),
            ("a".repeat(2049), "a".repeat(2048) + "…"),
            ("€".repeat(683), "€".repeat(682) + "…"),
        ] {
            let mut text = given;
            text_limit(&mut text);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn long_json_is_replaced_by_its_size() {
        let mut json = format!("[{}]", "1,".repeat(50_000));
        json_limit(&mut json);
        assert_eq!(json, r#"{"omitted_bytes":100002}"#);
        json_limit(&mut json);
        assert_eq!(json, r#"{"omitted_bytes":100002}"#);
    }
}
