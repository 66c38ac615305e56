//! Does a folder become the encoder it describes?

use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

/// Written by `make.py` beside it, with other programs than ours.
const EXPECTED: &str = include_str!("../../tests/data/tiny-multilingual/expected.json");

fn tiny() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tiny-multilingual")
}

/// A copy of the tiny model with other files beside it; `None` takes one away.
fn changed(files: &[(&str, Option<&str>)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["model.onnx", "tokenizer.json"] {
        std::fs::copy(tiny().join(name), folder.path().join(name)).unwrap();
    }
    for (name, content) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        match content {
            Some(content) => std::fs::write(path, content).unwrap(),
            None => std::fs::remove_file(path).unwrap(),
        }
    }
    folder
}

fn load(folder: &Path) -> SentenceEncoder {
    SentenceEncoder::from_folder(folder, None).unwrap().0
}

#[track_caller]
fn refused(files: &[(&str, Option<&str>)], told: &str) {
    let folder = changed(files);
    let error = SentenceEncoder::from_folder(folder.path(), None)
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains(told), "{error}");
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn tokens_and_vectors_are_those_of_the_reference() {
    let encoder = load(&tiny());
    let cases: Vec<Value> = serde_json::from_str(EXPECTED).unwrap();
    assert!(cases.len() >= 10);
    for case in cases {
        let text = case["text"].as_str().unwrap();
        let tokens: Vec<i32> = serde_json::from_value(case["tokens"].clone()).unwrap();
        assert_eq!(
            encoder.tokenizer.tokens(text, TOKENS_MAX).unwrap(),
            tokens,
            "{text:?}"
        );
        let vector: Vec<f32> = serde_json::from_value(case["vector"].clone()).unwrap();
        let found = encoder.encode(&[text]).unwrap().remove(0);
        assert!(cosine(&found, &vector) > 0.9999, "{text:?}");
    }
}

#[test]
fn the_same_request_in_other_languages_has_the_same_meaning() {
    let (encoder, summary) = SentenceEncoder::from_folder(&tiny(), None).unwrap();
    assert!(encoder.is_multilingual());
    assert_eq!(
        summary.to_string(),
        "model.onnx (Unigram tokenizer, mean pooling, 32 dimensions, many languages)"
    );
    let tools = encoder
        .encode(&[
            "send_invoice Send an invoice to a customer",
            "track_parcel Where a parcel is",
        ])
        .unwrap();
    for (request, expected) in [
        ("отправь клиенту счёт", 0),
        ("请送发票给客户", 0),
        ("Wo ist das Paket?", 1),
        ("荷物はどこ", 1),
        ("소포 어디", 1),
    ] {
        let vector = encoder.encode_questions(&[request]).unwrap().remove(0);
        let cosines = [cosine(&vector, &tools[0]), cosine(&vector, &tools[1])];
        assert!(
            cosines[expected] > 0.5 && cosines[1 - expected] < 0.3,
            "{request}: {cosines:?}"
        );
    }
}

/// Texts that have nothing to do with each other are about as unlike as those of the embedded model.
#[test]
fn vectors_are_centred() {
    let encoder = load(&tiny());
    let texts: Vec<&str> = REFERENCE.lines().collect();
    let vectors = encoder.encode(&texts).unwrap();
    let mut cosines = Vec::new();
    for (number, vector) in vectors.iter().enumerate() {
        cosines.extend(vectors[..number].iter().map(|other| cosine(vector, other)));
    }
    let mean = cosines.iter().sum::<f32>() / cosines.len() as f32;
    assert!(mean.abs() < 0.1, "{mean}");
}

#[test]
fn prompts_tell_requests_from_descriptions() {
    let prompts = json!({"prompts": {"query": "weather ", "passage": "file "}}).to_string();
    let folder = changed(&[("config_sentence_transformers.json", Some(&prompts))]);
    let (mut prompted, mut plain) = (load(folder.path()), load(&tiny()));
    // What vectors have in common is another thing with prompts.
    (prompted.centre, plain.centre) = (None, None);
    assert_eq!(
        prompted.encode_questions(&["city"]),
        plain.encode(&["weather city"])
    );
    assert_eq!(prompted.encode(&["city"; 9]), plain.encode(&["file city"; 9]));
    assert_ne!(prompted.id(), plain.id());
}

#[test]
fn pooling_is_as_the_folder_says() {
    let first = changed(&[(
        "1_Pooling/config.json",
        Some(r#"{"pooling_mode_cls_token": true}"#),
    )]);
    let (first, summary) = SentenceEncoder::from_folder(first.path(), None).unwrap();
    assert_eq!(summary.pooling, "first token");
    let vectors = [&first, &load(&tiny())].map(|encoder| encoder.encode(&["invoice"]).unwrap());
    assert!(cosine(&vectors[0][0], &vectors[1][0]) < 0.9);
}

#[test]
fn the_identity_follows_from_the_content() {
    let same = changed(&[("1_Pooling/config.json", Some(POOLING))]);
    assert_eq!(load(same.path()).id(), load(&tiny()).id());
    let other = changed(&[("1_Pooling/config.json", Some("{}"))]);
    assert_ne!(load(other.path()).id(), load(&tiny()).id());
}

const POOLING: &str = include_str!("../../tests/data/tiny-multilingual/1_Pooling/config.json");

#[test]
fn what_does_not_serve_is_named() {
    refused(
        &[("model.onnx", None)],
        "is no encoder: it has no ONNX model: looked for model.onnx",
    );
    refused(&[("tokenizer.json", None)], "is no encoder: it has no tokenizer");
    refused(
        &[("tokenizer.json", Some("{}"))],
        "tokenizer.json` cannot be used: it is no tokenizer.json",
    );
    refused(&[("model.onnx", Some("?"))], "the model cannot be used");
    refused(
        &[("1_Pooling/config.json", Some("?"))],
        "config.json` is not JSON",
    );
    refused(
        &[(
            "1_Pooling/config.json",
            Some(r#"{"pooling_mode": "weightedmean"}"#),
        )],
        "config.json` asks to pool by weightedmean",
    );
    let dense = json!([{"type": "sentence_transformers.models.Dense"}]).to_string();
    refused(
        &[("modules.json", Some(&dense))],
        "asks for a step `Dense` after the network",
    );
    let error = SentenceEncoder::from_folder(Path::new("absent"), None)
        .err()
        .unwrap();
    assert!(error.to_string().starts_with("cannot read `absent`"), "{error}");
    let error = SentenceEncoder::from_folder(&tiny(), Some("x.onnx"))
        .err()
        .unwrap();
    assert!(error.to_string().contains("no file `x.onnx`"), "{error}");
}

/// A tokenizer of another model numbers tokens that the network does not have.
#[test]
fn parts_that_do_not_fit_are_refused_not_crashed() {
    let mut tokenizer: Value =
        serde_json::from_str(&std::fs::read_to_string(tiny().join("tokenizer.json")).unwrap()).unwrap();
    let pieces = tokenizer["model"]["vocab"].as_array_mut().unwrap();
    for number in 0..200 {
        pieces.insert(4, json!([format!("unused{number}"), -20.0]));
    }
    refused(
        &[("tokenizer.json", Some(&tokenizer.to_string()))],
        "the model cannot be used",
    );
}
