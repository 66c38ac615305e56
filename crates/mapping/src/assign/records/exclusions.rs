//! Which things does a request leave out, for a parameter that lists what is left out, and to which is it limited?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::meaning::Meaning;
use crate::words::{Break, name_words};

/// What a list is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Domains,
    Paths,
    Names,
}

const EXCLUDING: &[&str] = &[
    "exclude", "excludes", "excluded", "ignore", "ignored", "omit", "skip", "blocked", "except",
];
const INCLUDING: &[&str] = &["include", "includes", "included", "allowed", "only"];

/// Turns that leave something out.
const OUT: &[&[&str]] = &[
    &["leave", "out"],
    &["leaving", "out"],
    &["leaves", "out"],
    &["but", "not"],
    &["but", "nothing", "from"],
    &["not", "from"],
    &["nothing", "from"],
    &["no", "results", "from"],
    &["no", "pages", "from"],
    &["everything", "but"],
    &["without"],
    &["excluding"],
    &["exclude"],
    &["except"],
    &["ignoring"],
    &["ignore"],
    &["skipping"],
    &["skip"],
    &["omitting"],
    &["omit"],
    &["other", "than"],
    &["apart", "from"],
    &["sans"],
    &["ohne"],
    &["sin"],
    &["sauf"],
    &["excepto"],
    &["ausser"],
    &["hormis"],
    &["excluyendo"],
    &["lass", "weg"],
];
/// Turns that limit to something.
const ONLY: &[&[&str]] = &[
    &["only", "from"],
    &["only", "on"],
    &["just", "from"],
    &["just", "on"],
    &["only", "in"],
    &["limited", "to"],
    &["limit", "to"],
    &["restricted", "to"],
    &["restrict", "it", "to"],
    &["limit", "it", "to"],
    &["only", "pages", "from"],
    &["only", "results", "from"],
    &["only", "sites"],
    &["nur", "auf"],
    &["nur", "von"],
    &["uniquement", "sur"],
    &["seulement", "sur"],
    &["solo", "en"],
    &["solo", "de"],
];
/// Words between such a turn and what it names.
const BETWEEN: &[&str] = &[
    "for",
    "from",
    "the",
    "any",
    "all",
    "of",
    "in",
    "on",
    "matching",
    "named",
    "called",
    "results",
    "result",
    "pages",
    "page",
    "files",
    "file",
    "folders",
    "folder",
    "directories",
    "directory",
    "dirs",
    "dir",
    "site",
    "sites",
    "domain",
    "domains",
    "website",
    "websites",
    "everything",
    "anything",
    "under",
    "les",
    "le",
    "la",
    "los",
    "las",
    "el",
    "die",
    "der",
    "das",
    "den",
    "dossiers",
    "dossier",
    "fichiers",
    "ordner",
    "dateien",
    "carpeta",
    "carpetas",
];

/// Lists of what is left out or what alone is wanted.
pub(crate) fn exclusions(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        let Some((excludes, of)) = listing(meaning) else {
            continue;
        };
        let turns = if excludes { OUT } else { ONLY };
        candidates.extend((0..asked.tokens.len()).find_map(|at| {
            let turn = turns
                .iter()
                .filter(|turn| says(asked, at, turn))
                .max_by_key(|turn| turn.len())?;
            named(asked, parameter, of, at + turn.len())
        }));
    }
    candidates
}

/// Whether a list of texts says what is left out or what alone is wanted, and what of.
fn listing(meaning: &Meaning) -> Option<(bool, Of)> {
    let shape = &meaning.parameter.shape;
    if !meaning.parameter.list
        || !shape.string
        || !shape.choices.is_empty()
        || meaning.parameter.only.is_some()
    {
        return None;
    }
    let words = name_words(meaning.parameter.name());
    let has = |listed: &[&str]| words.iter().any(|word| listed.contains(&word.as_str()));
    let excludes = has(EXCLUDING);
    if !excludes && !has(INCLUDING) {
        return None;
    }
    let of = if has(&["domain", "domains", "site", "sites", "host", "hosts"]) {
        Of::Domains
    } else if has(&[
        "path",
        "paths",
        "pattern",
        "patterns",
        "glob",
        "globs",
        "dir",
        "dirs",
        "files",
        "folders",
        "directories",
    ]) {
        Of::Paths
    } else {
        Of::Names
    };
    // `include_fields` lists what an answer holds.
    (excludes || of == Of::Domains).then_some((excludes, of))
}

fn says(asked: &Asked<'_>, at: usize, turn: &[&str]) -> bool {
    turn.iter().enumerate().all(|(offset, word)| {
        asked.token(at + offset).is_some_and(|token| {
            let unbroken = offset + 1 == turn.len() || token.after == Break::None;
            token.fold == *word && unbroken && !asked.is_opaque(&token.range)
        })
    })
}

/// The things from a word on, as far as they are enumerated.
fn named(asked: &Asked<'_>, parameter: usize, of: Of, from: usize) -> Option<Candidate> {
    let mut start = from;
    while start < from + 4
        && asked.break_before(start) <= Break::Colon
        && asked
            .token(start)
            .is_some_and(|token| token.is_any(BETWEEN) && token.after == Break::None)
    {
        start += 1;
    }
    let mut values = Vec::new();
    let mut range = 0..0;
    let mut at = start;
    let mut told = false;
    while let Some((value, place, end, coded)) = item(asked, of, at) {
        let other = asked
            .hits
            .iter()
            .any(|hit| hit.start == at && hit.parameter != parameter && asked.is_loaded(hit));
        if other {
            break;
        }
        told |= coded;
        range = if values.is_empty() {
            place
        } else {
            range.start..place.end
        };
        values.push(Value::String(value));
        let Some(next) = next(asked, end) else { break };
        at = next;
    }
    (told && !values.is_empty()).then(|| asked.candidate(parameter, Value::Array(values), range, 0.92))
}

/// One thing: its value, where it stands, behind its last word, and whether it can be nothing of prose.
fn item(asked: &Asked<'_>, of: Of, at: usize) -> Option<(String, std::ops::Range<usize>, usize, bool)> {
    if let Some((span, text)) = asked.quoted_at(at) {
        let end = asked.at_byte(span.range.end).max(at + 1);
        return Some((text.to_owned(), span.range.clone(), end, true));
    }
    let token = asked.token(at).filter(|token| !asked.is_opaque(&token.range))?;
    // `*.log`, `.git`: the star and the point belong to it.
    let lead = asked.text.get(..token.range.start).map_or(0, |before| {
        before
            .chars()
            .rev()
            .take_while(|c| matches!(c, '*' | '.'))
            .count()
    });
    let range = token.range.start - lead..token.range.end;
    let written = asked.text.get(range.clone())?;
    let is_domain = written
        .rsplit_once('.')
        .is_some_and(|(name, end)| !name.is_empty() && end.len() > 1 && end.chars().all(char::is_alphabetic))
        && !written.contains(['/', '@', '*', ' ']);
    let plain = written.chars().all(char::is_alphabetic) && asked.is_unexplained(at) && !token.is_common();
    let fits = match of {
        Of::Domains => is_domain,
        Of::Paths => token.is_coded() || lead > 0 || plain,
        Of::Names => token.is_coded(),
    };
    let coded = of != Of::Paths || token.is_coded() || lead > 0;
    fits.then(|| (written.to_owned(), range, at + 1, coded))
}

/// The next thing, behind a comma or a word that joins.
fn next(asked: &Asked<'_>, end: usize) -> Option<usize> {
    let joins = asked.token(end).is_some_and(|token| {
        token.is_any(&[
            "and", "or", "nor", "und", "oder", "noch", "et", "ou", "ni", "y", "o", "e", "&",
        ])
    });
    match asked.break_before(end) {
        Break::Stop | Break::Colon => None,
        _ if joins => Some(end + 1),
        Break::Comma => Some(end),
        Break::None => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::assign::rows::check;

    /// P19: what is left out is listed; what a request does without otherwise is not.
    #[test]
    fn p19_what_is_left_out_is_listed() {
        let tree = json!({"type": "object", "properties": {
            "path": {"type": "string"},
            "excludePatterns": {"type": "array", "items": {"type": "string"}, "default": []}}, "required": ["path"]});
        check(
            "directory_tree Get a recursive tree view of files and directories",
            &tree,
            &[
                (
                    "tree of /srv/app without node_modules and dist",
                    json!({"path": "/srv/app", "excludePatterns": ["node_modules", "dist"]}),
                ),
                (
                    "Montre-moi l'arborescence de /srv/app sans node_modules ni dist",
                    json!({"path": "/srv/app", "excludePatterns": ["node_modules", "dist"]}),
                ),
                (
                    "tree of /srv/app, skip .git and *.log",
                    json!({"path": "/srv/app", "excludePatterns": [".git", "*.log"]}),
                ),
                ("tree of /srv/app without any fuss", json!({"path": "/srv/app"})),
            ],
        );
        let search = json!({"type": "object", "properties": {
            "query": {"type": "string", "description": "Search query"},
            "include_domains": {"type": "array", "items": {"type": "string"}, "description": "Domains to include"},
            "exclude_domains": {"type": "array", "items": {"type": "string"}, "description": "Domains to exclude"}},
            "required": ["query"]});
        check(
            "search Search the web",
            &search,
            &[
                (
                    "Search the web for \"heat pump noise\" and leave out facebook.com and x.com",
                    json!({"query": "heat pump noise", "exclude_domains": ["facebook.com", "x.com"]}),
                ),
                (
                    "Search the web for \"heat pump noise\", only from bbc.co.uk, nothing from reddit.com",
                    json!({"query": "heat pump noise", "include_domains": ["bbc.co.uk"],
                        "exclude_domains": ["reddit.com"]}),
                ),
                (
                    "Search the web for \"heat pump noise\" without hurry",
                    json!({"query": "heat pump noise"}),
                ),
            ],
        );
    }
}
