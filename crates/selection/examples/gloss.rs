//! How often is the language of a request told right, and which words does no glossary know?
//!
//! `cargo run --release --example gloss -p handpick-selection -- ENGLISH.jsonl... -- FOREIGN.jsonl...`: the first files
//! hold English requests (`query`, or `requests` as below), the second ones requests of other languages, marked by a
//! prefix such as `de: ` (`requests.other`). `--show` prints every request that was read wrongly.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for developers")]

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

use handpick_selection::gloss::gloss;
use serde_json::Value;

/// Unknown words that are listed of each language.
const UNKNOWN_MAX: usize = 30;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let show = arguments.iter().any(|argument| argument == "--show");
    let files: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|argument| *argument != "--show")
        .collect();
    let mut halves = files.split(|argument| *argument == "--");
    for file in halves.next().unwrap_or_default() {
        measure_english(file, show);
    }
    measure_foreign(halves.next().unwrap_or_default(), show);
}

/// How many English requests were taken for something else.
fn measure_english(file: &str, show: bool) {
    let texts: Vec<String> = rows(file).iter().flat_map(english_texts).collect();
    let (mut glossed, mut time) = (0, Duration::ZERO);
    for text in &texts {
        let begin = Instant::now();
        let found = gloss(text);
        time += begin.elapsed();
        if let Some(found) = found {
            glossed += 1;
            if show {
                println!("  {}: {text}\n      {}", found.language.code(), found.english);
            }
        }
    }
    let count = texts.len().max(1);
    println!(
        "{file}: {} requests, {glossed} glossed ({:.3} %), {:?} each",
        texts.len(),
        100.0 * f64::from(glossed) / count as f64,
        time / count as u32,
    );
}

#[derive(Default)]
struct Tally {
    count: u32,
    right: u32,
    missed: u32,
    time: Duration,
    unknown: BTreeMap<String, u32>,
    words: usize,
}

/// How many foreign requests were read in their language, and what was left of it.
fn measure_foreign(files: &[&str], show: bool) {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for request in files
        .iter()
        .flat_map(|file| rows(file))
        .flat_map(|row| texts(&row["requests"]["other"]))
    {
        let (code, text) = request.split_once(": ").unwrap();
        let tally = tallies.entry(code.to_owned()).or_default();
        tally.count += 1;
        let begin = Instant::now();
        let found = gloss(text);
        tally.time += begin.elapsed();
        match found {
            Some(found) if found.language.code() == code => {
                tally.right += 1;
                let left = left_over(text, &found.english);
                tally.words += found.english.split(' ').count();
                for word in left {
                    *tally.unknown.entry(word).or_default() += 1;
                }
            }
            Some(found) if show => println!("  {code} read as {}: {text}", found.language.code()),
            Some(_) => {}
            None => {
                tally.missed += 1;
                if show {
                    println!("  {code} not read: {text}");
                }
            }
        }
    }
    for (code, tally) in tallies {
        let left: u32 = tally.unknown.values().sum();
        println!(
            "{code}: {} requests, {:.2} % right, {} not read, {:?} each, {:.1} % of the words unknown",
            tally.count,
            100.0 * f64::from(tally.right) / f64::from(tally.count),
            tally.missed,
            tally.time / tally.count,
            100.0 * f64::from(left) / tally.words.max(1) as f64,
        );
        let mut unknown: Vec<_> = tally.unknown.into_iter().collect();
        unknown.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let listed: Vec<String> = unknown
            .iter()
            .take(if show { usize::MAX } else { UNKNOWN_MAX })
            .map(|(word, count)| format!("{word} {count}"))
            .collect();
        println!("    {}", listed.join(", "));
    }
}

/// Words of the gloss that are the request's own, in lower case; ids and quotations do not count.
fn left_over(text: &str, english: &str) -> Vec<String> {
    let is_word = |word: &&str| !word.is_empty() && word.chars().all(char::is_alphabetic);
    let ends = |c: char| c.is_whitespace() || ".,;:?!-'’\"«»“”„「」『』".contains(c);
    let own: HashSet<&str> = text.split(ends).collect();
    english
        .split(ends)
        .filter(is_word)
        .filter(|word| {
            !word.is_ascii() && !own.contains(word) || own.contains(word) && !is_english(&word.to_lowercase())
        })
        .map(str::to_lowercase)
        .collect()
}

/// Glosses are lower case; a word of them in the request is one that both languages spell alike.
fn is_english(word: &str) -> bool {
    static ENGLISH: std::sync::LazyLock<HashSet<&str>> = std::sync::LazyLock::new(|| {
        [
            include_str!("../data/glossary/de.tsv"),
            include_str!("../data/glossary/es.tsv"),
            include_str!("../data/glossary/fr.tsv"),
            include_str!("../data/glossary/pt.tsv"),
        ]
        .into_iter()
        .flat_map(|glossary| glossary.lines().filter_map(|line| line.split_once('\t')))
        .flat_map(|(_, gloss)| gloss.split(' '))
        .collect()
    });
    ENGLISH.contains(word)
}

fn english_texts(row: &Value) -> Vec<String> {
    let requests = &row["requests"];
    let kinds = ["plain", "paraphrase", "indirect", "detail"];
    let mut found = texts(&row["query"]);
    found.extend(kinds.iter().flat_map(|kind| texts(&requests[kind])));
    found.extend(texts(&row["near_miss"]));
    if !requests.is_null() {
        found.extend(texts(&row["description"]));
    }
    found
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

fn rows(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}
