//! Which path of a file or a folder is this?

use std::ops::Range;

use super::What;

/// Endings of files, without the dot.
const ENDINGS: &[&str] = &[
    "md", "txt", "pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "odp", "csv", "tsv",
    "json", "jsonl", "yaml", "yml", "toml", "xml", "html", "htm", "css", "scss", "js", "mjs", "ts", "tsx",
    "jsx", "vue", "svelte", "py", "ipynb", "rs", "go", "java", "kt", "c", "h", "cpp", "hpp", "cc", "cs",
    "rb", "php", "swift", "sh", "bash", "zsh", "ps1", "bat", "sql", "db", "sqlite", "log", "ini", "cfg",
    "conf", "env", "lock", "png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "bmp", "tiff", "mp3", "mp4",
    "wav", "mov", "avi", "mkv", "webm", "ogg", "flac", "zip", "tar", "gz", "tgz", "bz2", "xz", "7z", "rar",
    "exe", "dll", "so", "bin", "iso", "dmg", "deb", "rpm", "apk", "jar", "wasm", "proto", "graphql", "tex",
    "bib", "rst", "adoc", "eml", "ics", "vcf", "epub", "psd", "ai", "fig", "key", "pem", "crt", "parquet",
    "avro", "tf", "lua", "pl", "r", "scala", "dart", "ex", "exs", "erl", "hs", "ml", "zig", "sass", "less",
    "map", "bak", "tmp", "patch", "diff", "rtf", "heic",
];

/// Files that are known without an ending.
const NAMED: &[&str] = &[
    "Makefile",
    "Dockerfile",
    "Gemfile",
    "Procfile",
    "Jenkinsfile",
    "Vagrantfile",
    "Brewfile",
];

/// Words with a slash between that are alternatives and no path.
const ALTERNATIVES: &[&str] = &[
    "and/or",
    "either/or",
    "he/she",
    "she/he",
    "his/her",
    "him/her",
    "s/he",
    "yes/no",
    "on/off",
    "true/false",
    "read/write",
    "input/output",
    "tcp/ip",
    "ci/cd",
    "ui/ux",
    "pros/cons",
    "km/h",
    "client/server",
    "und/oder",
    "et/ou",
    "y/o",
    "open/closed",
    "start/end",
    "in/out",
    "up/down",
    "am/pm",
    "hr/it",
    "true/false",
    "mo/fr",
    "him/them",
    "low/high",
    "new/old",
];

/// `C:\Users\ana\x.txt`, `\\server\share`, and what else a colon or a backslash stands in.
pub(super) fn windows(chunk: &str) -> Option<(Range<usize>, What)> {
    let start = chunk.len() - chunk.trim_start_matches(['(', '[', '\'', ',', '=']).len();
    let rest = chunk.get(start..)?;
    let mut letters = rest.chars();
    let drive = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.next() == Some(':')
        && letters.next().is_some_and(|letter| matches!(letter, '\\' | '/'));
    let share = rest.starts_with("\\\\") && rest.get(2..)?.starts_with(char::is_alphanumeric);
    let relative = !drive && !share && rest.contains('\\') && backslashed(rest);
    if !(drive || share || relative) {
        return None;
    }
    let end = start
        + rest
            .trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '\'', '’'])
            .len();
    let path = chunk.get(start..end)?;
    (path.len() > 2).then(|| (start..end, What::Path(path.to_owned())))
}

/// `docs\notes.txt`: names between backslashes, the last with an ending.
fn backslashed(chunk: &str) -> bool {
    let chunk = chunk.trim_end_matches(['.', ',', ';', '!', '?', ')']);
    let names = chunk
        .split('\\')
        .all(|name| !name.is_empty() && name.chars().all(in_name));
    names && chunk.rsplit('\\').next().is_some_and(has_ending)
}

/// Reads a path with slashes, or a file's name with its ending.
pub(super) fn read(piece: &str) -> Option<(Range<usize>, What)> {
    let end = piece
        .trim_end_matches(|letter: char| {
            letter.is_ascii_punctuation() && !matches!(letter, '/' | '_' | '~' | '*')
        })
        .len();
    let start = piece.len() - piece.trim_start_matches(['*', '-', '+', '"']).len();
    // A glob keeps its star.
    let start = if piece.starts_with("*.") || piece.starts_with("**") {
        0
    } else {
        start
    };
    let written = piece.get(start..end.max(start))?;
    let sound = if written.contains('/') {
        slashed(written)
    } else {
        file(written)
    };
    sound.then(|| (start..end, What::Path(written.to_owned())))
}

fn in_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '@' | '~' | '+' | '%' | '*' | '$' | '&')
}

fn slashed(path: &str) -> bool {
    if !path.chars().all(|letter| in_name(letter) || letter == '/') || path.contains("//") {
        return false;
    }
    let rooted = ["/", "~/", "./", "../", "$HOME/"]
        .iter()
        .any(|root| path.starts_with(root));
    let mut names = path.split('/').filter(|name| !name.is_empty());
    if rooted {
        return names.any(|name| name.contains(char::is_alphanumeric));
    }
    let lettered = names
        .clone()
        .filter(|name| name.contains(char::is_alphabetic))
        .count();
    let count = names.clone().count();
    let long = names.clone().all(|name| name.chars().count() > 1);
    let last = names.next_back().unwrap_or("");
    let said = ALTERNATIVES.contains(&path.to_lowercase().as_str()) || in_calendar(path);
    // `w/`, `03/04/2026`, `24/7` and `A/B` are no paths.
    let first = path.split('/').next().unwrap_or("");
    let quarter = first.len() == 2 && first.starts_with(['Q', 'H']);
    // `20/month` is a rate.
    let rate = first.chars().all(|letter| letter.is_ascii_digit());
    let deep = long && (lettered == count || lettered > 1 || !rate);
    !said && !quarter && lettered > 0 && count > 1 && (has_ending(last) || deep)
}

/// `Mon/Tue`, `March/April`, `Sept/2026`.
fn in_calendar(path: &str) -> bool {
    path.split('/').all(|name| {
        let name = super::token::fold(name);
        super::calendar::weekday(&name)
            .or_else(|| super::calendar::short_weekday(&name))
            .is_some()
            || super::calendar::month(&name).is_some()
            || name.chars().all(|letter| letter.is_ascii_digit())
    })
}

/// `README.md`, `.env`, `Makefile`, `*.log`.
fn file(name: &str) -> bool {
    if NAMED.contains(&name) {
        return true;
    }
    if let Some(hidden) = name.strip_prefix('.') {
        let known = [
            "env",
            "gitignore",
            "bashrc",
            "zshrc",
            "npmrc",
            "dockerignore",
            "editorconfig",
            "htaccess",
            "vimrc",
            "gitattributes",
        ];
        return known
            .iter()
            .any(|known| hidden == *known || hidden.strip_prefix("env.").is_some());
    }
    name.chars().all(in_name) && has_ending(name)
}

fn has_ending(name: &str) -> bool {
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return false;
    };
    let small = ending.to_ascii_lowercase();
    // `node.js` is a file's name as well; `U.S`, `e.g` and `3.c` are none.
    let stem_holds = stem.chars().count() > 1
        || ending.len() > 1 && stem.contains(|letter: char| letter.is_alphanumeric() || letter == '*');
    let numeric = stem
        .chars()
        .all(|letter| letter.is_ascii_digit() || letter == '.')
        && ending.len() < 3;
    ENDINGS.contains(&small.as_str()) && stem_holds && !numeric && !stem.ends_with('.')
}
