//! What does each line of the input say in English words? For `training/`, which learns from what the encoder is asked.
//!
//! `cargo run --release --example gloss_lines -p handpick-selection < TEXTS > GLOSSED`; English lines stay as they are.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for developers")]

use handpick_selection::gloss::gloss;

fn main() {
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        println!(
            "{}",
            gloss(&line).map_or(line, |gloss| gloss.english.replace('\n', " "))
        );
    }
}
