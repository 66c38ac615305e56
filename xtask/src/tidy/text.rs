//! Is the text of the files as it should be?

use crate::{files, tools};

const SOURCE: [&str; 8] = [".rs", ".toml", ".py", ".mjs", ".js", ".ts", ".sql", "run"];
const PROSE: [&str; 4] = [".md", ".html", ".css", ".json"];

/// Longest source file, in lines, its test module apart.
const LINES_MAX: usize = 600;

/// Files that may be longer, each with the reason.
const LONG: [(&str, &str); 0] = [];

/// Rust files that do not begin with the question they answer.
pub fn opening_lines() -> Vec<String> {
    let opens = |text: &str| {
        text.lines()
            .next()
            .is_some_and(|line| line.starts_with("//! ") && line.len() > 8)
    };
    files::with_endings(&[".rs"])
        .iter()
        .filter(|path| !opens(&files::read(path)))
        .map(|path| path.display().to_string())
        .collect()
}

/// Lines that end with a space or a tab, and files whose last line does not end.
pub fn trailing_space() -> Vec<String> {
    let mut found = Vec::new();
    for path in files::with_endings(&[&SOURCE[..], &[".md"]].concat()) {
        let text = files::read(&path);
        for (number, line) in text.lines().enumerate() {
            if line.ends_with([' ', '\t']) {
                found.push(format!("{}:{}", path.display(), number + 1));
            }
        }
        if !text.is_empty() && !text.ends_with('\n') {
            found.push(format!("{}: the last line does not end", path.display()));
        }
    }
    found
}

/// Source files past [`LINES_MAX`].
pub fn long_files() -> Vec<String> {
    files::with_endings(&[".rs"])
        .iter()
        .filter(|path| !files::is_test_file(path))
        .map(|path| {
            (
                path.display().to_string(),
                files::without_tests(&files::read(path)).lines().count(),
            )
        })
        .filter(|(path, lines)| *lines > LINES_MAX && !LONG.iter().any(|(long, _)| long == path))
        .map(|(path, lines)| {
            format!("{path}: {lines} lines, at most {LINES_MAX}: which second thing lives here?")
        })
        .collect()
}

/// To-dos without a tag such as `-scale` or `-design` right behind the word.
pub fn untagged_todos() -> Vec<String> {
    let word = ["TO", "DO"].concat();
    lines_where(&[".rs", ".py", ".mjs"], |line| {
        line.match_indices(&word).any(|(at, _)| {
            let inside = line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let mut after = line[at + word.len()..].chars();
            let tagged = after.next() == Some('-') && after.next().is_some_and(char::is_alphabetic);
            !inside && !tagged
        })
    })
}

/// Files that name a package registry's host: a build must work with whatever registry is configured.
pub fn registry_hosts() -> Vec<String> {
    // In two halves, so that this list does not find itself.
    let hosts: Vec<String> = [
        ("registry.npm", "js.org"),
        ("npmjs", ".com"),
        ("pypi", ".org"),
        ("files.python", "hosted.org"),
        ("index.crates", ".io"),
        ("static.crates", ".io"),
        ("https://crates", ".io"),
        ("deb.debian", ".org"),
    ]
    .map(|(a, b)| format!("{a}{b}"))
    .to_vec();
    lines_where(
        &[
            &SOURCE[..],
            &PROSE,
            &[".txt", ".lock", ".npmrc", ".jsonl", ".tsv"],
        ]
        .concat(),
        |line| hosts.iter().any(|host| line.contains(host)),
    )
}

/// What `cargo fmt` would change; nothing where rustfmt is not installed.
pub fn formatting() -> Vec<String> {
    let mut command = tools::cargo(&files::root());
    command.args(["fmt", "--all", "--check", "--", "--files-with-diff"]);
    match command.output() {
        Ok(output) if !output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.lines()
                .map(|line| format!("{line}: run `cargo fmt`"))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn lines_where(endings: &[&str], breaks_rule: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for path in files::with_endings(endings) {
        for (number, line) in files::read(&path).lines().enumerate() {
            if breaks_rule(line) {
                found.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    found
}
