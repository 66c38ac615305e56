//! What does the engine see of labelled requests? One line of JSON per request, for `training/fit_ranker.py`.
//!
//! `cargo run --release --example features -p handpick-selection -- MODEL VOCABULARY OUT SET_FOLDER...`; `-` as the
//! model is the embedded one. A line holds the request's id and kind, how many tools are relevant, the variant, and per
//! reading (the whole task, then its clauses) and candidate the label (1 relevant, 0.5 accepted, 0 not) and the features.
//!
//! Variants: `full` is the set as it is. `few` allows only a small part of the catalog, `absent` hides the apps of the
//! right tools, so that nothing fits, `neither` does both; they let the ranker learn what catalogs of other sizes look like.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for developers")]

#[path = "../tests/support/labelled.rs"]
#[allow(dead_code, reason = "the measures are not used here")]
mod labelled;
#[path = "support/sampling.rs"]
mod sampling;

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use handpick_domain::{Digest, ToolSet};
use handpick_inference::MiniLm;
use handpick_selection::{Encoder, Feature, Index, Task, Vector, Wording, features};
use sampling::{few, mixed};
use serde_json::json;

/// Requests of one set, about, at most.
const QUERIES_MAX: usize = 1_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, vocabulary, out, sets @ ..] = arguments.as_slice() else {
        println!("usage: features MODEL VOCABULARY OUT SET_FOLDER...");
        return;
    };
    let encoder = match model.as_str() {
        "-" => MiniLm::load().unwrap(),
        model => MiniLm::load_from(Path::new(model), Path::new(vocabulary)).unwrap(),
    };
    std::fs::create_dir_all(out).unwrap();
    for set in sets {
        let name = Path::new(set).file_name().unwrap().to_string_lossy().into_owned();
        match labelled::load_folder(Path::new(set)) {
            Some(labelled) => {
                let file = Path::new(out).join(format!("{name}.jsonl"));
                write(&labelled, &encoder, &file);
                println!("{}: {} requests", file.display(), labelled.queries.len());
            }
            None => println!("{set}: no labelled set"),
        }
    }
}

fn write(labelled: &labelled::Labelled, encoder: &MiniLm, file: &Path) {
    let words = Index::build(labelled.catalog.clone(), |_| None);
    let missing = words.missing();
    let texts: Vec<&str> = missing.iter().map(|(_, text)| text.as_str()).collect();
    let vectors: HashMap<Digest, Vector> = missing
        .iter()
        .zip(encoder.encode(&texts).unwrap())
        .filter_map(|((digest, _), vector)| Some((*digest, Vector::from_f32(&vector)?)))
        .collect();
    let index = words.with_vectors(|digest| vectors.get(digest).cloned());
    let mut out = std::io::BufWriter::new(std::fs::File::create(file).unwrap());
    let names: Vec<&str> = Feature::ALL.iter().map(|feature| feature.name()).collect();
    writeln!(out, "{}", json!({"features": names})).unwrap();
    // By chance, since requests of a kind may come at regular places.
    let share = QUERIES_MAX as f64 / labelled.queries.len() as f64;
    let chosen = |number: usize| mixed(number as u64) as f64 / u64::MAX as f64 <= share;
    let queries = labelled
        .queries
        .iter()
        .enumerate()
        .filter(|&(number, _)| chosen(number));
    for (nth, (number, query)) in queries.enumerate() {
        let asked = Asked::encode(query, encoder);
        for variant in Variant::of(nth) {
            let Some(allowed) = variant.allowed(labelled, query, number) else {
                continue;
            };
            let relevant = query
                .relevant
                .iter()
                .filter(|&&position| allowed.contains(position))
                .count();
            let line = json!({
                "id": number, "kind": query.kind, "variant": variant.name(), "relevant": relevant,
                "readings": asked.readings(&index, query, &allowed),
            });
            writeln!(out, "{line}").unwrap();
        }
    }
}

/// Which tools of the set may be chosen.
#[derive(Clone, Copy)]
enum Variant {
    Full,
    Few,
    Absent,
    Neither,
}

impl Variant {
    /// Every request is asked over the full catalog, every third also otherwise.
    fn of(number: usize) -> &'static [Self] {
        match number % 6 {
            0 => &[Self::Full, Self::Few],
            2 => &[Self::Full, Self::Neither],
            4 => &[Self::Full, Self::Absent],
            _ => &[Self::Full],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Few => "few",
            Self::Absent => "absent",
            Self::Neither => "neither",
        }
    }

    fn allowed(
        self,
        labelled: &labelled::Labelled,
        query: &labelled::Query,
        number: usize,
    ) -> Option<ToolSet> {
        let tools = labelled.catalog.tools();
        let right =
            |position: &usize| query.relevant.contains(position) || query.also_accept.contains(position);
        match self {
            Self::Full => Some(ToolSet::all(tools.len())),
            Self::Few => Some(ToolSet::from_fn(tools.len(), |position| {
                right(&position) || few(tools.len(), number, position)
            })),
            Self::Absent | Self::Neither => {
                let apps: Vec<&str> = (0..tools.len())
                    .filter(right)
                    .map(|position| tools[position].name.app())
                    .collect();
                let other = |position: usize| !apps.contains(&tools[position].name.app());
                let others = ToolSet::from_fn(tools.len(), other);
                // A set of one app has nothing left, and an unanswerable request nothing to hide.
                if apps.is_empty() || others.len() * 4 < tools.len() {
                    return None;
                }
                match self {
                    Self::Absent => Some(others),
                    _ => Some(ToolSet::from_fn(tools.len(), |position| {
                        other(position) && few(tools.len(), number, position)
                    })),
                }
            }
        }
    }
}

/// A request with its vectors.
struct Asked {
    wording: Wording,
    vectors: Vec<Vec<f32>>,
    context: Option<Vec<f32>>,
}

impl Asked {
    fn encode(query: &labelled::Query, encoder: &MiniLm) -> Self {
        let wording = Wording::read(&query.text, false);
        let one = |text: &str| encoder.encode(&[text]).unwrap().remove(0);
        Self {
            vectors: wording.texts().iter().map(|text| one(text)).collect(),
            context: query.context.as_deref().map(one),
            wording,
        }
    }

    /// Per reading and candidate: position, label, features.
    fn readings(&self, index: &Index, query: &labelled::Query, allowed: &ToolSet) -> serde_json::Value {
        let context = query.context.as_deref();
        let texts = self.wording.texts();
        let readings = texts.iter().zip(&self.vectors).map(|(text, vector)| {
            let task = Task {
                text,
                vector: Some(vector),
                context,
                context_vector: self.context.as_deref(),
                ..Task::default()
            };
            let (_, candidates) = features::gather(index, &task, &texts[0], allowed);
            let rows = candidates.iter().map(|candidate| {
                let label = if query.relevant.contains(&candidate.position) {
                    1.0
                } else if query.also_accept.contains(&candidate.position) {
                    0.5
                } else {
                    0.0
                };
                let values: Vec<Option<f32>> = Feature::ALL
                    .iter()
                    .map(|&feature| candidate.features.get(feature))
                    .collect();
                json!([candidate.position, label, values])
            });
            rows.collect::<Vec<_>>()
        });
        json!(readings.collect::<Vec<_>>())
    }
}
