//! scratch
#![allow(warnings, clippy::all, reason = "scratch")]
#[path = "../tests/support/labelled.rs"]
mod labelled;
use handpick_domain::*;
use handpick_inference::MiniLm;
use handpick_selection::*;
use labelled::*;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::io::Write;

pub struct Cache {
    path: String,
    map: HashMap<u64, Vec<f32>>,
    enc: Option<MiniLm>,
}
fn h(t: &str) -> u64 {
    let mut s = std::collections::hash_map::DefaultHasher::new();
    t.hash(&mut s);
    s.finish()
}
impl Cache {
    fn new(set: &str) -> Self {
        let path = format!("/tmp/vec/{set}.bin");
        std::fs::create_dir_all("/tmp/vec").unwrap();
        let mut map = HashMap::new();
        if let Ok(b) = std::fs::read(&path) {
            for c in b.chunks_exact(8 + 384 * 4) {
                let k = u64::from_le_bytes(c[..8].try_into().unwrap());
                map.insert(
                    k,
                    c[8..]
                        .chunks(4)
                        .map(|x| f32::from_le_bytes(x.try_into().unwrap()))
                        .collect(),
                );
            }
        }
        Cache { path, map, enc: None }
    }
    fn encode(&mut self, texts: &[String]) -> Vec<Vec<f32>> {
        let mut todo: Vec<&str> = texts
            .iter()
            .filter(|t| !self.map.contains_key(&h(t)))
            .map(|t| t.as_str())
            .collect();
        if !todo.is_empty() {
            if self.enc.is_none() {
                self.enc = Some(MiniLm::load().unwrap());
            }
            let mut f = std::fs::OpenOptions::new()
                .append(true)
                .create(true)
                .open(&self.path)
                .unwrap();
            for c in todo.chunks(256) {
                for (t, v) in c.iter().zip(self.enc.as_ref().unwrap().encode(c).unwrap()) {
                    f.write_all(&h(t).to_le_bytes()).unwrap();
                    for x in &v {
                        f.write_all(&x.to_le_bytes()).unwrap();
                    }
                    self.map.insert(h(t), v);
                }
            }
        }
        texts.iter().map(|t| self.map[&h(t)].clone()).collect()
    }
}

fn text(recipe: &str, tool: &Tool) -> String {
    let m = text::MatchedText::of(tool);
    let sp = words::spelled_out;
    let raw = tool.name.as_str().replacen('.', "__", 1);
    match recipe {
        "spell" => m.to_encode(),
        "raw" => format!("{raw}: {}", m.line),
        "noapp" => format!("{}: {}", sp(m.name), m.line),
        "rawspell" => format!("{raw} {}: {}", sp(m.name), m.line),
        "nl" => format!("{} {}\n{}", sp(m.app), sp(m.name), m.line),
        "line" => {
            if m.line.is_empty() {
                sp(m.name)
            } else {
                m.line.to_owned()
            }
        }
        "dot" => format!("{} {}. {}", sp(m.app), sp(m.name), m.line),
        "lineapp" => format!("{}: {} ({})", sp(m.name), m.line, sp(m.app)),
        _ => panic!(),
    }
}

fn main() {
    let recipe = std::env::var("R").unwrap_or("spell".into());
    let cw: f32 = std::env::var("CW").unwrap_or("0".into()).parse().unwrap();
    let mode = std::env::var("M").unwrap_or("mix".into());
    let show_kinds = std::env::var("K").is_ok();
    for set in std::env::args().skip(1) {
        let mut l = labelled::load(&set).unwrap();
        if l.queries.len() > 400 {
            let n = l.queries.len();
            let mut i = 0;
            let step = n as f64 / 400.0;
            let mut next = 0.0;
            l.queries.retain(|_| {
                let keep = i as f64 >= next;
                if keep {
                    next += step;
                }
                i += 1;
                keep
            });
        }
        let mut cache = Cache::new(&set);
        let texts: Vec<String> = l.catalog.tools().iter().map(|t| text(&recipe, t)).collect();
        let tv = cache.encode(&texts);
        let dig: HashMap<Digest, Vector> = l
            .catalog
            .tools()
            .iter()
            .zip(&tv)
            .map(|(t, v)| (t.digest(), Vector::from_f32(v).unwrap()))
            .collect();
        let index = Index::build(l.catalog.clone(), |d| dig.get(d).cloned());
        let q: Vec<String> = l.queries.iter().map(|q| q.text.clone()).collect();
        let qv = cache.encode(&q);
        let c: Vec<String> = l
            .queries
            .iter()
            .map(|q| q.context.clone().unwrap_or_default())
            .collect();
        let cv = cache.encode(&c);
        let allowed = ToolSet::all(l.catalog.tools().len());
        let mut tuning = Tuning {
            floor: -1.0,
            context_weight: cw,
            ..Tuning::default()
        };
        if let Ok(w) = std::env::var("W") {
            let w: f32 = w.parse().unwrap();
            tuning.lexical_weight = w;
            tuning.semantic_weight = 1.0 - w;
        }
        let mut i = 0;
        let ctxonly = std::env::var("CTXONLY").is_ok();
        let mut queries = Vec::new();
        let res = labelled::measure(&l.queries, |query| {
            let n = i;
            i += 1;
            let task = Task {
                text: &query.text,
                vector: Some(&qv[n]),
                context: query.context.as_deref().filter(|_| cw > 0.0),
                context_vector: Some(&cv[n]),
            };
            select(&index, &task, &allowed, 20, &tuning)
                .iter()
                .map(|s| s.position)
                .collect()
        });
        queries.push(0);
        print!("{set:<13} ");
        for (k, v) in &res {
            if show_kinds || k == "answerable" {
                let [a, b, c, d] = v.means();
                print!("{k} {a:.3}/{b:.2}/{c:.2} ");
            }
        }
        println!();
    }
}
