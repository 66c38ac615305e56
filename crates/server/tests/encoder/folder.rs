//! Does a folder with another model take the place of the embedded one?

use crate::run::{Place, run, tiny};

/// Requests that share no word with the catalog, and their tools; the first and the last have a built-in glossary.
const REQUESTS: [(&str, &str); 4] = [
    ("где моя посылка", "tools.trace_shipment"),
    ("надішли клієнту рахунок", "tools.dispatch_bill"),
    ("청구서를 고객에게 보내줘", "tools.dispatch_bill"),
    ("荷物はどこ", "tools.trace_shipment"),
];

#[test]
fn requests_of_other_languages_find_english_tools() {
    let place = Place::new();
    let folder = tiny();
    for (request, tool) in REQUESTS {
        let found = place.select(request, folder.to_str(), &[]).found();
        assert_eq!(found, [tool], "{request}");
    }
    // Ukrainian and Korean mean nothing to the program itself, so it is the folder's model that found them.
    for (request, tool) in &REQUESTS[1..3] {
        let embedded = place.select(request, None, &[]).found();
        assert_ne!(embedded.first().map(String::as_str), Some(*tool), "{request}");
    }
    let found = place.select("track the package", folder.to_str(), &[]).found();
    assert_eq!(found[0], "tools.trace_shipment");
}

#[test]
fn a_model_file_stands_for_its_folder() {
    let place = Place::new();
    let file = tiny().join("model.onnx");
    let found = place.select(REQUESTS[0].0, file.to_str(), &[]).found();
    assert_eq!(found, [REQUESTS[0].1]);
}

/// Each encoder has vectors of its own; going back and forth mixes nothing up.
#[test]
fn vectors_of_one_encoder_are_not_read_by_another() {
    let place = Place::new();
    let folder = tiny();
    for encoder in [None, folder.to_str(), None, folder.to_str()] {
        let found = place.select("weather forecast", encoder, &[]).found();
        assert_eq!(found[0], "tools.forecast");
    }
}

#[test]
fn what_was_taken_is_told_on_demand() {
    let place = Place::new();
    let folder = tiny();
    let arguments = [
        "-v",
        "select",
        "--catalog",
        "tools.json",
        "x",
        "--encoder",
        folder.to_str().unwrap(),
    ];
    let run = run(&mut place.command(&arguments));
    let told = "encoder: model.onnx (Unigram tokenizer, mean pooling, 32 dimensions, many languages)";
    assert!(run.err.contains(told), "{}", run.err);
}

#[test]
fn measuring_and_linting_take_it_too() {
    let place = Place::new();
    let folder = tiny();
    let folder = folder.to_str().unwrap();
    let lines: Vec<String> = REQUESTS
        .iter()
        .map(|(request, tool)| {
            let tool = tool.trim_start_matches("tools.");
            serde_json::json!({"query": request, "relevant": [tool]}).to_string()
        })
        .collect();
    std::fs::write(place.path("queries.jsonl"), lines.join("\n")).unwrap();
    let eval = [
        "eval",
        "--catalog",
        "tools.json",
        "--queries",
        "queries.jsonl",
        "--json",
    ];
    let hits = |encoder: &[&str]| {
        let run = run(place.command(&eval).args(encoder));
        assert!(run.ok, "{}", run.err);
        let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        report["overall"]["hit@1"].as_f64().unwrap()
    };
    assert!(hits(&["--encoder", folder]) > 0.99);
    assert!(hits(&[]) < 0.9);
    let lint = run(&mut place.command(&["lint", "--catalog", "tools.json", "--encoder", folder]));
    assert!(lint.ok, "{}", lint.err);
    let search =
        run(&mut place.command(&["search", "--catalog", "tools.json", "--encoder", folder, "parcel"]));
    assert!(search.out.contains("tools.trace_shipment"), "{}", search.out);
}

#[test]
fn a_folder_that_does_not_serve_is_told_with_what_it_lacks() {
    let place = Place::new();
    let folder = place.path("model");
    let select = || place.select("x", folder.to_str(), &[]);
    select().failed_with("must name a folder or a file that exists, or a model of a hub as `owner/name`");
    std::fs::create_dir(&folder).unwrap();
    select().failed_with("it has no ONNX model: looked for model.onnx, onnx/model.onnx");
    std::fs::copy(tiny().join("model.onnx"), folder.join("model.onnx")).unwrap();
    select().failed_with("it has no tokenizer: looked for tokenizer.json and vocab.txt; found model.onnx");
    std::fs::write(folder.join("tokenizer.json"), "{}").unwrap();
    select().failed_with("tokenizer.json` cannot be used");
    place
        .select("x", folder.join("tokenizer.json").to_str(), &[])
        .failed_with("neither a folder nor a file");
    let without_catalog = run(&mut place.command(&["select", "x", "--encoder", "a/b"]));
    without_catalog.failed_with("--catalog");
}
