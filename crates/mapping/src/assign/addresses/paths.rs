//! Which of several files or folders is which: by its ending, by being a file or a folder, or by where it goes?

use crate::assign::asked::Asked;
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::words::name_words;

/// Endings that a parameter's name may hold: `csv_path`.
const ENDINGS: &[&str] = &[
    "csv",
    "tsv",
    "json",
    "yaml",
    "yml",
    "xml",
    "html",
    "pdf",
    "xlsx",
    "docx",
    "pptx",
    "md",
    "sql",
    "zip",
    "png",
    "jpg",
    "svg",
    "mp3",
    "mp4",
    "wav",
    "xcodeproj",
    "xcworkspace",
    "ipynb",
    "toml",
    "parquet",
];

/// Where a file comes from or goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    From,
    To,
}

/// Whether the value of a parameter that is no path by name is one: its examples are.
pub(crate) fn shows_paths(meaning: &Meaning) -> bool {
    meaning
        .shown
        .iter()
        .chain(&meaning.parameter.shape.examples)
        .any(|example| {
            let ending = example.rsplit_once('.').map(|(_, ending)| ending);
            !example.contains("://")
                && (ending.is_some_and(|ending| ENDINGS.contains(&ending) || ending == "txt")
                    || (example.contains('/') && example.ends_with('/')))
        })
}

/// Whether an address may as well be a file: `file://…` or a path within a project.
pub(crate) fn may_be_file(meaning: &Meaning) -> bool {
    let about = meaning.parameter.description.to_lowercase();
    meaning.kind == Kind::Url && about.contains("file://") && !about.contains("http")
}

fn is_of_paths(meaning: &Meaning) -> bool {
    meaning.kind == Kind::Path || (meaning.kind == Kind::Slug && shows_paths(meaning))
}

/// How surely a path belongs to a parameter, where its ending, its being a file or its way tells. `None` where
/// nothing of that does. `values` are all paths of the request with the word that each begins at.
pub(crate) fn by_spelling_or_way(
    asked: &Asked<'_>,
    parameter: usize,
    value: (&str, usize),
    values: &[(&str, usize)],
) -> Option<f32> {
    let meaning = asked.meanings.get(parameter)?;
    let named = asked
        .hits_of(parameter)
        .any(|hit| hit.weight > 0.9 && asked.value_start(hit).is_some_and(|(start, _)| start == value.1));
    if named {
        return None;
    }
    let rivals = || {
        asked
            .meanings
            .iter()
            .enumerate()
            .filter(|(other, rival)| *other != parameter && is_of_paths(rival))
    };
    let own = endings(meaning);
    let ends = |list: &[String]| {
        value
            .0
            .rsplit_once('.')
            .is_some_and(|(_, ending)| list.iter().any(|known| known == &ending.to_lowercase()))
    };
    if ends(&own) {
        let alike = rivals().any(|(_, rival)| ends(&endings(rival)));
        return (!alike).then_some(0.95);
    }
    if rivals().any(|(_, rival)| ends(&endings(rival))) {
        return Some(0.3);
    }
    // Where nothing demands it, a file of another ending is another file.
    if !own.is_empty() && is_file(value.0) && !meaning.is_required() {
        return Some(0.3);
    }
    if !own.is_empty() && (values.len() > 1 || !meaning.is_required()) && rivals().next().is_some() {
        return Some(0.3);
    }
    let way = way(asked, meaning);
    let both = way.is_some_and(|way| {
        rivals().any(|(_, rival)| self::way(asked, rival).is_some_and(|other| other != way))
    });
    if let Some(way) = way.filter(|_| both && values.len() < 3) {
        let own = told_way(asked, value.1);
        let other_told = values
            .iter()
            .filter(|other| other.1 != value.1)
            .find_map(|other| told_way(asked, other.1));
        let told = own.or(match other_told {
            Some(Way::To) => Some(Way::From),
            Some(Way::From) => Some(Way::To),
            None => None,
        });
        return told.map(|told| if told == way { 0.94 } else { 0.2 });
    }
    let file = is_file(value.0);
    let kinds = |meaning: &Meaning| (takes_folder(meaning), takes_file(meaning));
    let (folder_only, file_only) = match kinds(meaning) {
        (true, false) => (true, false),
        (false, true) => (false, true),
        _ => return None,
    };
    let mixed = values.iter().any(|other| is_file(other.0) != file);
    let opposite = mixed || rivals().any(|(_, rival)| kinds(rival) == (!folder_only, !file_only));
    opposite.then_some(if file == file_only { 0.9 } else { 0.3 })
}

/// Endings that a name or a description demands: `csv_path`, `Path to the .xcodeproj file`.
fn endings(meaning: &Meaning) -> Vec<String> {
    let mut found: Vec<String> = name_words(meaning.parameter.name())
        .into_iter()
        .filter(|word| ENDINGS.contains(&word.as_str()))
        .collect();
    let first = meaning
        .parameter
        .description
        .split(". ")
        .next()
        .unwrap_or_default();
    for word in first.split([' ', '(', ')', ',', '/', '`', '\'', '"']) {
        let bare = word.trim_end_matches(['.', ':', ';']);
        let ending = bare.strip_prefix('.').unwrap_or_default();
        let spelled = (2..=16).contains(&ending.len()) && ending.chars().all(|c| c.is_ascii_alphanumeric());
        if spelled && ending.chars().any(|c| c.is_ascii_alphabetic()) {
            found.push(ending.to_lowercase());
        }
    }
    found
}

/// Whether a parameter takes what is read or what is written.
fn way(asked: &Asked<'_>, meaning: &Meaning) -> Option<Way> {
    let words = name_words(meaning.parameter.name());
    let has = |listed: &[&str]| words.iter().any(|word| listed.contains(&word.as_str()));
    let up = asked.name.contains("upload") || asked.name.contains("import");
    let down = asked.name.contains("download") || asked.name.contains("export");
    if has(&["local"]) && (up || down) {
        return Some(if up { Way::From } else { Way::To });
    }
    if has(&["blob", "remote", "key", "object"]) && (up || down) {
        return Some(if up { Way::To } else { Way::From });
    }
    if has(&["source", "src", "input", "from", "old", "original"]) {
        return Some(Way::From);
    }
    has(&[
        "destination",
        "dest",
        "dst",
        "target",
        "output",
        "out",
        "to",
        "new",
        "save",
    ])
    .then_some(Way::To)
}

/// What the word before a path says of its way.
fn told_way(asked: &Asked<'_>, start: usize) -> Option<Way> {
    let mut at = start.checked_sub(1)?;
    for _ in 0..2 {
        let Some(token) = asked.token(at) else { break };
        if token.is_any(&["file", "folder", "the", "datei", "fichier", "archivo"]) {
            at = at.checked_sub(1)?;
        }
    }
    let token = asked.token(at)?;
    if token.is_any(&[
        "to", "into", "as", "onto", "nach", "als", "comme", "como", "vers", "hacia", "a", "under", "at",
        "in", "en", "dans",
    ]) {
        return Some(Way::To);
    }
    token
        .is_any(&["from", "von", "aus", "de", "depuis", "desde", "of"])
        .then_some(Way::From)
}

fn takes_folder(meaning: &Meaning) -> bool {
    let about = meaning.parameter.description.to_lowercase();
    let named = name_words(meaning.parameter.name()).iter().any(|word| {
        matches!(
            word.as_str(),
            "dir" | "directory" | "folder" | "cwd" | "root" | "repo" | "repository" | "workspace"
        )
    });
    named
        || (["repository", "directory", "folder"]
            .iter()
            .any(|word| about.contains(word))
            && !about.contains("file"))
}

fn takes_file(meaning: &Meaning) -> bool {
    let about = meaning.parameter.description.to_lowercase();
    let named = name_words(meaning.parameter.name())
        .iter()
        .any(|word| matches!(word.as_str(), "file" | "filename" | "files"));
    let spelled_as_one = meaning.parameter.name().to_lowercase().contains("file");
    (named || spelled_as_one || about.contains("file")) && !takes_folder(meaning)
}

fn is_file(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|last| {
        last.rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty() && !ending.is_empty() && ending.chars().all(|c| c.is_ascii_alphanumeric())
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::assign::rows;

    fn read(text: &str, words: &str, described: &[(&str, &str)], required: &[&str]) -> Value {
        rows::read(text, words, &rows::texts(described, required))
    }

    /// P19: two files are told by their endings, their kind and their way.
    #[test]
    fn p19_files_go_to_their_places() {
        let import = [
            ("path", ""),
            ("csv_path", ".csv or .tsv file, located like workbooks."),
        ];
        let copy = [("source_filename", ""), ("destination_filename", "")];
        let log = [
            ("path", "Path to the Git repository."),
            ("filePath", "Show commits that affected a specific file path."),
        ];
        let schemes = [
            ("projectPath", "Path to the .xcodeproj file"),
            ("workspacePath", "Path to the .xcworkspace file"),
        ];
        let upload = [
            (
                "blob",
                "The name of the blob. The full path (e.g., 'file.txt' or 'folder/file.txt').",
            ),
            ("local-file-path", "The local file path to read content from"),
        ];
        for (text, words, properties, required, expected) in [
            (
                "Import /tmp/orders.csv into /data/sales.xlsx",
                "import_csv Import a CSV file",
                &import[..],
                &["path", "csv_path"][..],
                json!({"path": "/data/sales.xlsx", "csv_path": "/tmp/orders.csv"}),
            ),
            (
                "Duplicate offer.docx as offer-2027.docx",
                "copy_document Create a copy of a document",
                &copy,
                &["source_filename", "destination_filename"],
                json!({"source_filename": "offer.docx", "destination_filename": "offer-2027.docx"}),
            ),
            (
                "Show the commits in /srv/shop",
                "git_log View commit history",
                &log,
                &[],
                json!({"path": "/srv/shop"}),
            ),
            (
                "Show the commits of src/lib.rs in /srv/shop",
                "git_log View commit history",
                &log,
                &[],
                json!({"path": "/srv/shop", "filePath": "src/lib.rs"}),
            ),
            (
                "Which schemes does /Users/mia/Garden.xcodeproj have?",
                "list_schemes List schemes",
                &schemes,
                &[],
                json!({"projectPath": "/Users/mia/Garden.xcodeproj"}),
            ),
            (
                "Upload /home/nina/november.csv as 2026/november.csv",
                "blob_upload Uploads a local file to a blob",
                &upload,
                &["blob", "local-file-path"],
                json!({"blob": "2026/november.csv", "local-file-path": "/home/nina/november.csv"}),
            ),
        ] {
            assert_eq!(read(text, words, properties, required), expected, "{text}");
        }
    }
}
