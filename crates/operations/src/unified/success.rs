//! How does a tool's result look with the metadata beside it?

use handpick_protocol::json::{members, object, raw, to_raw, too_deep};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::clarify::shown_confidence;
use super::decide::Candidate;

/// Who read the arguments, and what became of a model that was to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reader {
    /// `words`, `model` or `sampling`.
    pub mapper: &'static str,
    /// Why a model that was asked was not heeded.
    pub note: Option<String>,
}

/// What is told beside the result (P19).
pub(super) fn metadata(candidate: &Candidate, reader: &Reader) -> Value {
    let sources: Map<String, Value> = candidate
        .mapped
        .sources
        .iter()
        .map(|(name, source)| {
            let told = json!({"from": source.origin.as_str(), "words": source.words});
            (name.clone(), told)
        })
        .collect();
    let mut metadata = json!({
        "discovered_tool": &*candidate.rendered,
        "confidence_score": shown_confidence(candidate),
        "mapped_parameters": candidate.mapped.arguments,
        "sources": sources,
        "rationale": candidate.rationale(),
        "mapper": reader.mapper,
    });
    if let Some(note) = &reader.note {
        metadata["mapper_note"] = json!(note);
    }
    metadata
}

/// The tool's result with the metadata: one more text after its own content, and `structuredContent` around its own.
/// Nothing of the tool's own is spelled anew (A26).
///
/// A result that wants the user to authorize keeps its one text alone: clients read all texts as one JSON (A27).
pub(super) fn with_metadata(result: &RawValue, metadata: &Value) -> Box<RawValue> {
    let Some(mut fields) = members(result.get()) else {
        return result.to_owned();
    };
    let field = |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let content = field("content").map_or("[]", |content| content.get());
    let own = field("structuredContent").filter(|own| own.get().trim() != "null");
    let texts = texts(content);
    let inner = match own {
        Some(own) => own.clone(),
        None => read_texts(&texts),
    };
    let structured = object(&[
        ("result".to_owned(), inner),
        ("metadata".to_owned(), to_raw(metadata)),
    ]);
    let content = (!wants_authorization(&texts))
        .then(|| with_text(content, &metadata.to_string()))
        .flatten();
    for (name, value) in [("content", content), ("structuredContent", Some(structured))] {
        let Some(value) = value else { continue };
        match fields.iter_mut().find(|(key, _)| key == name) {
            Some((_, present)) => *present = value,
            None => fields.push((name.to_owned(), value)),
        }
    }
    object(&fields)
}

/// The content with one more text at its end; `None` where it is no array.
fn with_text(content: &str, text: &str) -> Option<Box<RawValue>> {
    let before = content.trim_end().strip_suffix(']')?;
    let is_empty = before.trim_end() == "[";
    let comma = if is_empty { "" } else { "," };
    let block = to_raw(&json!({"type": "text", "text": text}));
    Some(raw(format!("{before}{comma}{}]", block.get())))
}

fn texts(content: &str) -> Vec<String> {
    #[derive(Deserialize)]
    struct Block {
        #[serde(rename = "type", default)]
        kind: Value,
        #[serde(default)]
        text: Value,
    }
    let blocks: Vec<&RawValue> = serde_json::from_str(content).unwrap_or_default();
    let blocks = blocks
        .into_iter()
        .filter_map(|block| serde_json::from_str::<Block>(block.get()).ok());
    blocks
        .filter(|block| block.kind == "text")
        .filter_map(|block| block.text.as_str().map(str::to_owned))
        .collect()
}

/// One text that is JSON is that JSON; other texts are one text; none is null.
fn read_texts(texts: &[String]) -> Box<RawValue> {
    match texts {
        [] => RawValue::NULL.to_owned(),
        [text] => {
            let json = Some(text)
                .filter(|text| !too_deep(text))
                .and_then(|text| serde_json::from_str::<Box<RawValue>>(text).ok());
            json.unwrap_or_else(|| to_raw(text))
        }
        several => to_raw(&several.join("\n")),
    }
}

fn wants_authorization(texts: &[String]) -> bool {
    let [text] = texts else { return false };
    text.contains("authorization_url")
        && serde_json::from_str::<Map<String, Value>>(text)
            .is_ok_and(|object| object.get("authorization_url").is_some_and(Value::is_string))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(result: &str) -> String {
        let result = RawValue::from_string(result.to_owned()).unwrap();
        with_metadata(&result, &json!({"m": 1})).get().to_owned()
    }

    /// A26, P19: every byte of the tool's own stays, and the metadata comes behind it.
    #[test]
    fn p19_the_result_keeps_its_spelling() {
        let block = r#"{"type":"text","text":"{\"m\":1}"}"#;
        for (result, expected) in [
            (
                r#"{"content":[{"type":"text","text":"caf\u00e9 [1]"}, {"type":"image","data":"AA"} ],"isError":false,"_meta":{"a":1.0e0}}"#.to_owned(),
                format!(r#"{{"content":[{{"type":"text","text":"caf\u00e9 [1]"}}, {{"type":"image","data":"AA"}} ,{block}],"isError":false,"_meta":{{"a":1.0e0}},"structuredContent":{{"result":"café [1]","metadata":{{"m":1}}}}}}"#),
            ),
            (
                r#"{"structuredContent":{"z":1.50,"dup":1,"dup":2},"content":[]}"#.to_owned(),
                format!(r#"{{"structuredContent":{{"result":{{"z":1.50,"dup":1,"dup":2}},"metadata":{{"m":1}}}},"content":[{block}]}}"#),
            ),
            (
                "{}".to_owned(),
                format!(r#"{{"content":[{block}],"structuredContent":{{"result":null,"metadata":{{"m":1}}}}}}"#),
            ),
            (
                r#"{"content":[{"type":"text","text":"{\"total\": 1.0}"}],"isError":true}"#.to_owned(),
                format!(r#"{{"content":[{{"type":"text","text":"{{\"total\": 1.0}}"}},{block}],"isError":true,"structuredContent":{{"result":{{"total": 1.0}},"metadata":{{"m":1}}}}}}"#),
            ),
            (
                r#"{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#.to_owned(),
                format!(r#"{{"content":[{{"type":"text","text":"a"}},{{"type":"text","text":"b"}},{block}],"structuredContent":{{"result":"a\nb","metadata":{{"m":1}}}}}}"#),
            ),
        ] {
            assert_eq!(wrapped(&result), expected);
        }
        assert_eq!(wrapped("[1]"), "[1]", "what is no result is passed on");
    }

    /// A27: the one text of a result that asks for authorization stays alone.
    #[test]
    fn a27_authorization_stays_one_text() {
        let result = r#"{"content":[{"type":"text","text":"{\"authorization_url\":\"https://a.example\"}"}],"isError":true}"#;
        let answer = wrapped(result);
        assert!(answer.starts_with(&result[..result.len() - 1]), "{answer}");
        assert!(answer.contains(r#""structuredContent""#));
    }
}
