//! What do answers look like where something fits, and where nothing does? For `training/fit_answerability.py`.
//!
//! `cargo run --example answerability -p handpick-selection -- MOST OUT SET_FOLDER...` writes one file a set: a line
//! for each of about MOST of its requests and each variant, with the signals by meaning and by words alone, and the
//! odds of the best tool as they were without this model.
//!
//! Variants: `full` is the set as it is, `few` a small part of the catalog with the right tools. In the others nothing
//! fits: `removed` lacks the right tools and all that say nearly the same, `absent` the apps of the right tools too,
//! `neither` is a small part of `removed`.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for developers")]

#[path = "../tests/support/labelled.rs"]
#[allow(dead_code, reason = "the measures are not used here")]
mod labelled;
#[path = "support/sampling.rs"]
mod sampling;

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::Path;

use handpick_domain::{Digest, ToolSet};
use handpick_inference::MiniLm;
use handpick_selection::pipeline::signals;
use handpick_selection::{Encoder, Index, Ranker, Signal, Task, Vector, Wording};
use sampling::{few, mixed};
use serde_json::json;

/// Tools whose texts have at least this cosine may serve the same requests.
const TWINS: f32 = 0.8;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [most, out, sets @ ..] = arguments.as_slice() else {
        println!("usage: answerability MOST OUT SET_FOLDER...");
        return;
    };
    let (most, encoder) = (most.parse().unwrap(), MiniLm::load().unwrap());
    std::fs::create_dir_all(out).unwrap();
    for set in sets {
        let name = Path::new(set).file_name().unwrap().to_string_lossy().into_owned();
        match labelled::load_folder(Path::new(set)) {
            Some(labelled) => {
                let file = Path::new(out).join(format!("{name}.jsonl"));
                write(&labelled, &encoder, &file, most);
                println!("{}", file.display());
            }
            None => println!("{set}: no labelled set"),
        }
    }
}

fn write(labelled: &labelled::Labelled, encoder: &MiniLm, file: &Path, most: usize) {
    let by_words = Index::build(labelled.catalog.clone(), |_| None);
    let missing = by_words.missing();
    let texts: Vec<&str> = missing.iter().map(|(_, text)| text.as_str()).collect();
    let raw = encoder.encode(&texts).unwrap();
    let vectors: HashMap<Digest, Vector> = missing
        .iter()
        .zip(&raw)
        .filter_map(|((digest, _), vector)| Some((*digest, Vector::from_f32(vector)?)))
        .collect();
    let by_meaning = by_words.with_vectors(|digest| vectors.get(digest).cloned());
    let ranker = Ranker::embedded();
    let mut out = std::io::BufWriter::new(std::fs::File::create(file).unwrap());
    let names: Vec<&str> = Signal::ALL.iter().map(|signal| signal.name()).collect();
    writeln!(out, "{}", json!({"signals": names})).unwrap();
    let share = most as f64 / labelled.queries.len() as f64;
    for (number, query) in labelled.queries.iter().enumerate() {
        if mixed(number as u64) as f64 / u64::MAX as f64 > share {
            continue;
        }
        let wording = Wording::read(&query.text, false);
        let encode = |text: &String| encoder.encode(&[text.as_str()]).unwrap().remove(0);
        let encoded: Vec<Vec<f32>> = wording.texts().iter().map(encode).collect();
        for (variant, allowed, answerable) in variants(labelled, &raw, query, number) {
            let seen = |index: &Index, vectors: &[Vec<f32>]| {
                let ask = |task: &Task<'_>| signals(index, task, &allowed, &ranker);
                let signals = wording.ask(vectors, None, ask);
                Signal::ALL.map(|signal| signals.get(signal))
            };
            let line = json!({
                "text": query.text, "kind": query.kind, "variant": variant, "answerable": answerable,
                "tools": allowed.len(), "meaning": seen(&by_meaning, &encoded), "words": seen(&by_words, &[]),
            });
            writeln!(out, "{line}").unwrap();
        }
    }
}

/// The tools a request is asked over, and whether one of them serves it.
fn variants(
    labelled: &labelled::Labelled,
    raw: &[Vec<f32>],
    query: &labelled::Query,
    number: usize,
) -> Vec<(&'static str, ToolSet, bool)> {
    let tools = labelled.catalog.tools();
    let count = tools.len();
    let right: HashSet<usize> = query.relevant.iter().chain(&query.also_accept).copied().collect();
    let apps: HashSet<&str> = right.iter().map(|&position| tools[position].name.app()).collect();
    let cosine = |a: usize, b: usize| raw[a].iter().zip(&raw[b]).map(|(a, b)| a * b).sum::<f32>();
    let other =
        |position: usize| !right.contains(&position) && !right.iter().any(|&r| cosine(r, position) >= TWINS);
    let elsewhere = |position: usize| !apps.contains(tools[position].name.app());
    let near = |position: usize| few(count, number, position);
    let answerable = !right.is_empty();
    let roll = mixed(number as u64 + 77);
    let mut variants = vec![("full", ToolSet::all(count), answerable)];
    if roll.is_multiple_of(3) {
        let few = ToolSet::from_fn(count, |position| right.contains(&position) || near(position));
        variants.push(("few", few, answerable));
    }
    if answerable && (roll / 3).is_multiple_of(2) {
        variants.push(("removed", ToolSet::from_fn(count, other), false));
    }
    if answerable && (roll / 6).is_multiple_of(4) {
        let absent = ToolSet::from_fn(count, |position| other(position) && elsewhere(position));
        variants.push(("absent", absent, false));
    }
    if answerable && (roll / 24).is_multiple_of(4) {
        let neither = ToolSet::from_fn(count, |position| other(position) && near(position));
        variants.push(("neither", neither, false));
    }
    variants.retain(|(_, allowed, _)| !allowed.is_empty());
    variants
}
