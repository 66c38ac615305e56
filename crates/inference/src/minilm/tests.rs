//! Is a vector what the model means, whoever else is in the call?

use std::path::PathBuf;
use std::sync::LazyLock;

use serde_json::Value;

use super::*;

/// Written by `models/reference.py` with the unquantised model on another runtime.
const REFERENCE: &str = include_str!("../../reference/vectors.json");

static MODEL: LazyLock<MiniLm> = LazyLock::new(|| MiniLm::load().unwrap());

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn one(text: &str) -> Vec<f32> {
    MODEL.encode(&[text]).unwrap().remove(0)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/minilm-tools")
}

#[test]
fn vectors_point_where_the_unquantised_model_points() {
    let cases: Vec<Value> = serde_json::from_str(REFERENCE).unwrap();
    assert!(cases.len() >= 6);
    for case in cases {
        let text = case["text"].as_str().unwrap();
        let expected: Vec<f32> = serde_json::from_value(case["vector"].clone()).unwrap();
        let cosine = cosine(&one(text), &expected);
        assert!(cosine > 0.985, "{text:?}: {cosine}");
    }
}

#[test]
fn meaning_orders_tools() {
    let tools = [
        "send_email Send a message to someone",
        "create_invoice Bill a customer",
        "get_weather Forecast for a city",
    ];
    let tools = MODEL.encode(&tools).unwrap();
    for (query, expected) in [
        ("will it rain tomorrow?", 2),
        ("write to my boss", 0),
        ("charge the client", 1),
    ] {
        let query_vector = one(query);
        let best = (0..tools.len())
            .max_by(|&a, &b| cosine(&tools[a], &query_vector).total_cmp(&cosine(&tools[b], &query_vector)));
        assert_eq!(best, Some(expected), "{query}");
    }
}

#[test]
fn every_text_has_a_unit_vector() {
    let long = "long ".repeat(2000);
    let unbroken = "x".repeat(8192);
    let texts = [
        "",
        " ",
        "\0",
        "\u{200b}",
        "字字字",
        "🦀🦀",
        "ᚠᚢᚦ ᚠᚢᚦ",
        &long,
        &unbroken,
        "[PAD] [MASK]",
    ];
    for (text, vector) in texts.iter().zip(MODEL.encode(&texts).unwrap()) {
        assert_eq!(vector.len(), MODEL.dimensions());
        let length = cosine(&vector, &vector).sqrt();
        assert!((length - 1.0).abs() < 1e-5, "{text:?}: {length}");
    }
    assert_eq!(MODEL.dimensions(), 384);
}

#[test]
fn a_vector_does_not_depend_on_the_rest_of_the_call() {
    let long = "a long description that goes on and on ".repeat(9);
    let texts = ["a", "b", &long, "", "list orders", &long, "a", "Überweisung", "c"];
    let together = MODEL.encode(&texts).unwrap();
    let again = MODEL.encode(&texts).unwrap();
    assert_eq!(together, again);
    for (text, vector) in texts.iter().zip(&together) {
        assert_eq!(*vector, one(text), "{text:?}");
    }
    assert_eq!(MODEL.encode(&texts[..3]).unwrap(), together[..3]);
    assert_eq!(MODEL.encode(&[]).unwrap(), Vec::<Vec<f32>>::new());
}

#[test]
fn many_callers_at_once_get_their_own_answers() {
    let expected = [one("alpha"), one("beta")];
    std::thread::scope(|scope| {
        for caller in 0..8 {
            let expected = &expected;
            scope.spawn(move || {
                let text = ["alpha", "beta"][caller % 2];
                assert_eq!(one(text), expected[caller % 2]);
                assert_eq!(
                    MODEL.encode(&[text; 6]).unwrap(),
                    vec![expected[caller % 2].clone(); 6]
                );
            });
        }
    });
}

#[test]
fn the_identity_follows_from_the_files() {
    let folder = folder();
    let digest = fingerprint(&folder.join("model.onnx"), [&*folder.join("vocab.txt")]).unwrap();
    assert_eq!(
        MODEL.id(),
        format!("minilm-tools/{digest}/{PREPROCESSING_VERSION}")
    );
}

#[test]
fn the_same_files_loaded_by_path_give_the_same_vectors() {
    let folder = folder();
    let loaded = MiniLm::load_from(&folder.join("model.onnx"), &folder.join("vocab.txt")).unwrap();
    assert_eq!(
        loaded.encode(&["list orders"]).unwrap(),
        MODEL.encode(&["list orders"]).unwrap()
    );
    assert_eq!(loaded.dimensions(), MODEL.dimensions());
    assert_eq!(
        loaded.id().rsplit_once('/').map(|(_, version)| version),
        Some("1")
    );
}

#[test]
fn files_that_do_not_serve_are_named() {
    let folder = folder();
    let (model, vocabulary) = (folder.join("model.onnx"), folder.join("vocab.txt"));
    let absent = folder.join("absent");
    let error =
        |model: &Path, vocabulary: &Path| MiniLm::load_from(model, vocabulary).err().unwrap().to_string();
    assert!(error(&absent, &vocabulary).contains("absent"));
    assert!(error(&model, &absent).contains("absent"));
    assert!(error(&model, &folder.join("README.md")).contains("no `[UNK]`"));
    assert!(error(&vocabulary, &vocabulary).starts_with("the model cannot be used"));
}
