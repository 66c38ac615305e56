//! Which texts are written in a formal language: JSON, SQL, a schedule for cron, an expression?

use std::ops::Range;

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::words::name_words;

/// Names of languages that a query may have to be written in.
const LANGUAGES: &[&str] = &[
    "sql",
    "soql",
    "sosl",
    "jql",
    "cql",
    "kql",
    "promql",
    "logql",
    "graphql",
    "odata",
    "dsl",
    "xpath",
    "regex",
    "regexp",
    "jsonpath",
    "jmespath",
    "gaql",
    "cypher",
    "sparql",
    "kusto",
    "traceql",
    "nrql",
    "hcl",
    "aql",
    "formula",
    "expression",
    "lucene",
    "mysql",
    "postgresql",
];

/// Whether a text has to be written in a language that nobody speaks.
pub(crate) fn is_formal(asked: &Asked<'_>, meaning: &Meaning) -> bool {
    let about = meaning.parameter.description.to_lowercase();
    let free = [
        "natural language",
        "natural-language",
        "simple text",
        "keyword",
        "search term",
        "free text",
        "free-text",
        "plain text",
    ];
    if free.iter().any(|said| about.contains(said)) {
        return false;
    }
    let words = name_words(&about);
    let named = name_words(meaning.parameter.name());
    let spoken = |word: &String| LANGUAGES.contains(&word.as_str());
    let said = about.contains("json string")
        || about.contains("insights query")
        || about.contains("regular expression")
        || about.contains("aggregation pipeline");
    let first = about.split(['.', '\n']).next().unwrap_or_default();
    let querying = meaning.kind == Kind::Query && {
        let tool = |word: &str| asked.name.contains(word);
        LANGUAGES.iter().any(|word| asked.name.contains(*word))
            || ((tool("queri") || tool("query") || tool("execut") || tool("run"))
                && !tool("search")
                && !tool("doc")
                && !first.contains("search"))
    };
    words.iter().any(spoken) || named.iter().any(spoken) || said || querying
}

/// Texts in a formal language, each for the one parameter that takes its language. They are closed.
pub(crate) fn literals(asked: &mut Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    candidates.extend(json(asked));
    candidates.extend(schedule(asked));
    candidates.extend(
        statement(asked)
            .or_else(|| said_language(asked))
            .or_else(|| expression(asked)),
    );
    for candidate in &candidates {
        asked.close(candidate.range.clone());
    }
    candidates
}

fn only_one(asked: &Asked<'_>, fits: impl Fn(&Meaning) -> bool) -> Option<usize> {
    let of = |required: bool| {
        let mut found = asked
            .meanings
            .iter()
            .enumerate()
            .filter(|(_, meaning)| meaning.is_required() == required && fits(meaning));
        match (found.next(), found.next()) {
            (Some((at, _)), None) => Ok(Some(at)),
            (None, _) => Ok(None),
            _ => Err(()),
        }
    };
    match of(true) {
        Ok(Some(at)) => Some(at),
        Ok(None) => of(false).ok().flatten(),
        Err(()) => None,
    }
}

/// `{"query": {"term": …}}`: an object or a list written out.
fn json(asked: &Asked<'_>) -> Option<Candidate> {
    let (range, value) = written_json(asked.text)?;
    let before = asked
        .text
        .get(..range.start)?
        .trim_end()
        .trim_end_matches(['`', '\'', '"', ':', ' ']);
    let named = before
        .rsplit(|c: char| c.is_whitespace())
        .next()
        .map(crate::words::squeezed)
        .unwrap_or_default();
    let fits = |meaning: &Meaning| {
        let shape = &meaning.parameter.shape;
        let about = meaning.parameter.description.to_lowercase();
        let list = meaning.parameter.list && value.is_array();
        let object = matches!(meaning.kind, Kind::Opaque | Kind::Records)
            && !shape.string
            && !shape.number
            && !shape.boolean
            && (value.is_object() && !meaning.parameter.list || list);
        let told = shape.string
            && !meaning.parameter.list
            && (about.contains("json")
                || about.contains("dsl")
                || meaning.parameter.name().to_lowercase().contains("json"));
        object || told || (list && meaning.kind == Kind::Records)
    };
    let by_name = asked.meanings.iter().position(|meaning| {
        !named.is_empty() && crate::words::squeezed(meaning.parameter.name()) == named && fits(meaning)
    });
    // `where {…}` and `with the filter {…}` say which of several objects it is.
    let leads = ["where", "filter", "matching", "query", "with", "wo"];
    let filter = leads
        .contains(&named.as_str())
        .then(|| {
            asked.meanings.iter().position(|meaning| {
                matches!(meaning.parameter.name(), "filter" | "query" | "where") && fits(meaning)
            })
        })
        .flatten();
    let parameter = by_name.or(filter).or_else(|| only_one(asked, fits))?;
    let meaning = asked.meanings.get(parameter)?;
    let shape = &meaning.parameter.shape;
    let about = meaning.parameter.description.to_lowercase();
    // A string holds the text as it stands; where no type is said, the value itself.
    let as_text = shape.typed_string || about.contains("json string");
    let sent = if as_text {
        Value::String(asked.text.get(range.clone())?.to_owned())
    } else {
        value
    };
    Some(asked.candidate(parameter, sent, range, 0.93))
}

/// The first object or list of JSON in a text.
fn written_json(text: &str) -> Option<(Range<usize>, Value)> {
    for (start, _) in text.match_indices(['{', '[']).take(20) {
        let rest = text.get(start..)?;
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let Some(Ok(value)) = stream.next() else { continue };
        let filled = match &value {
            Value::Object(map) => !map.is_empty(),
            Value::Array(items) => !items.is_empty(),
            _ => false,
        };
        let end = start + stream.byte_offset();
        if filled {
            return Some((start..end, value));
        }
    }
    None
}

/// `SELECT … FROM …`: a statement up to what it is to be run on.
fn statement(asked: &Asked<'_>) -> Option<Candidate> {
    let parameter = only_one(asked, |meaning| {
        let words = name_words(meaning.parameter.name());
        meaning.parameter.shape.string
            && !meaning.parameter.list
            && (words
                .iter()
                .any(|word| matches!(word.as_str(), "query" | "sql" | "statement" | "soql" | "queries"))
                || meaning.parameter.description.to_lowercase().contains("sql"))
            && !matches!(
                words.last().map(String::as_str),
                Some("id" | "type" | "path" | "name" | "file")
            )
    })?;
    let first = asked.tokens.iter().position(|token| {
        [
            "SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "SHOW", "DESCRIBE", "EXPLAIN", "CREATE", "ALTER",
            "DROP",
        ]
        .contains(&token.text)
    })?;
    let quoted = asked.quoted_at(first).is_some();
    let known = asked.tokens.get(first + 1..)?.iter().any(|token| {
        [
            "FROM",
            "INTO",
            "SET",
            "TABLE",
            "TABLES",
            "DATABASES",
            "SELECT",
            "from",
            "into",
            "set",
        ]
        .contains(&token.text)
    });
    if quoted || !known || asked.is_opaque(&asked.token(first)?.range) {
        return None;
    }
    let start = asked.token(first)?.range.start;
    let rest = asked.text.get(start..)?;
    let ends = [
        " against ",
        " on the ",
        " on database ",
        " in the ",
        " in database ",
        ", from ",
        ", on ",
        ", in ",
        ", with ",
        ", limit",
        "; ",
        " please",
        ", please",
        ", max",
        ", at most",
        " using ",
    ];
    let cut = ends
        .iter()
        .filter_map(|end| rest.find(end))
        .min()
        .unwrap_or(rest.len());
    let words = rest
        .get(..cut)?
        .trim_end()
        .trim_end_matches(['.', '?', '!', '`', '"']);
    // A full stop that is followed by another sentence ends the statement as well.
    let words = words.split(". ").next().unwrap_or(words);
    let range = start..start + words.len();
    Some(asked.candidate(parameter, Value::String(words.to_owned()), range, 0.93))
}

/// `30 2 * * *`: five fields of a schedule.
fn schedule(asked: &Asked<'_>) -> Option<Candidate> {
    let parameter = only_one(asked, |meaning| {
        let name = meaning.parameter.name().to_lowercase();
        meaning.parameter.shape.string
            && !meaning.parameter.list
            && (name.contains("cron")
                || name.contains("schedule")
                || meaning.parameter.description.to_lowercase().contains("cron"))
            && !name.contains("zone")
            && !name.ends_with("id")
    })?;
    let range = five_fields(asked.text)?;
    if asked.is_opaque(&range) {
        return None;
    }
    let words = asked.text.get(range.clone())?;
    Some(asked.candidate(parameter, Value::String(words.to_owned()), range, 0.95))
}

/// The pieces between single blanks, with their places in bytes.
fn pieces(text: &str) -> Vec<(usize, &str)> {
    text.split(' ')
        .scan(0, |at, piece| {
            let start = *at;
            *at += piece.len() + 1;
            Some((start, piece))
        })
        .collect()
}

/// Where five fields of a schedule stand in a row; at least one of them is a star.
fn five_fields(text: &str) -> Option<Range<usize>> {
    let pieces = pieces(text);
    let is_field = |piece: &str| {
        let bare = piece.trim_matches(['`', '"', '\'', ',', '.', ';', '?', '!']);
        let signs = !bare.is_empty() && bare.chars().all(|c| c.is_ascii_digit() || "*/-,?L#".contains(c));
        let named = bare.len() >= 3
            && bare
                .split([',', '-'])
                .all(|part| ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"].contains(&part));
        signs || named
    };
    pieces.windows(5).find_map(|fields| {
        let first = fields.first()?;
        let last = fields.last()?;
        let starred = fields.iter().any(|(_, piece)| piece.contains('*'));
        let all = fields.iter().all(|(_, piece)| is_field(piece));
        let lead = first.1.len() - first.1.trim_start_matches(['`', '"', '\'']).len();
        let end = last.0
            + last
                .1
                .trim_end_matches(['`', '"', '\'', ',', '.', ';', '?', '!'])
                .len();
        (starred && all).then_some(first.0 + lead..end)
    })
}

/// `with JQL project = OPS AND status = Open`: an expression behind the name of its language.
fn said_language(asked: &Asked<'_>) -> Option<Candidate> {
    let parameter = only_one(asked, |meaning| {
        let shape = &meaning.parameter.shape;
        shape.string
            && shape.choices.is_empty()
            && !meaning.parameter.list
            && is_formal(asked, meaning)
            && (meaning.kind == Kind::Query
                || name_words(meaning.parameter.name())
                    .iter()
                    .any(|word| LANGUAGES.contains(&word.as_str())))
    })?;
    let at = asked.tokens.iter().position(|token| {
        [
            "jql", "cql", "kql", "promql", "logql", "soql", "odata", "traceql", "sql", "nrql",
        ]
        .contains(&token.fold.as_str())
            && !asked.is_opaque(&token.range)
    })?;
    let next = at
        + 1
        + usize::from(
            asked
                .token(at + 1)
                .is_some_and(|token| token.is_any(&["query", "filter", "expression"])),
        );
    let start = asked.token(next)?.range.start;
    let rest = asked.text.get(start..)?;
    if asked
        .quoted_at(next)
        .is_some_and(|(span, _)| span.range.start <= start)
    {
        return None;
    }
    let ends = [
        ", limit",
        ", max",
        ", at most",
        ", first",
        ", only",
        ", top",
        " please",
        ", please",
        ", in ",
        ", with ",
        "? ",
        "\n",
    ];
    let cut = ends
        .iter()
        .filter_map(|end| rest.find(end))
        .min()
        .unwrap_or(rest.len());
    let words = rest.get(..cut)?.trim_end().trim_end_matches(['.', '?', '!']);
    let counted = words.rfind(", ").filter(|at| {
        words
            .get(at + 2..)
            .is_some_and(|tail| tail.starts_with(|c: char| c.is_ascii_digit()))
    });
    let words = words.get(..counted.unwrap_or(words.len()))?;
    let range = start..start + words.len();
    let signs = words.contains(['=', '<', '>', '~', '{', '(', '|', ':']);
    (signs && words.len() > 2)
        .then(|| asked.candidate(parameter, Value::String(words.to_owned()), range, 0.93))
}

/// `avg:system.load.1{host:web-3}`, `severity>=ERROR`: one word that only a query or a filter can be.
fn expression(asked: &Asked<'_>) -> Option<Candidate> {
    let parameter = only_one(asked, |meaning| {
        let words = name_words(meaning.parameter.name());
        let takes = words.iter().any(|word| {
            matches!(
                word.as_str(),
                "query"
                    | "filter"
                    | "expression"
                    | "expr"
                    | "promql"
                    | "jql"
                    | "cql"
                    | "kql"
                    | "logql"
                    | "traceql"
            )
        });
        meaning.parameter.shape.string && !meaning.parameter.list && takes && is_formal(asked, meaning)
    })?;
    let range = written_expression(asked.text)?;
    let quoted = asked
        .opaque
        .iter()
        .any(|closed| closed.start <= range.start && range.end <= closed.end);
    let words = asked.text.get(range.clone()).filter(|_| !quoted)?;
    Some(asked.candidate(parameter, Value::String(words.to_owned()), range, 0.9))
}

/// The one expression in a text: words with the signs of one, and the words that its operators join to them.
fn written_expression(text: &str) -> Option<Range<usize>> {
    let pieces = pieces(text);
    let operates = |piece: &str| {
        !piece.is_empty() && piece.chars().all(|c| "=<>!~|&+*/:".contains(c)) && piece != "&" && piece != "/"
    };
    let joins = |piece: &str| {
        [
            "AND", "OR", "NOT", "IN", "LIKE", "ORDER", "BY", "ASC", "DESC", "IS", "by", "and", "or",
        ]
        .contains(&piece)
    };
    let signed = |piece: &str| {
        let bare = piece.trim_matches(|c: char| ",.;?!".contains(c));
        bare.contains(['{', '(', '<', '>', '=', '~'])
            && bare.chars().any(char::is_alphabetic)
            && !bare.contains("://")
            && !bare.starts_with('(')
    };
    let is_start = |at: usize| {
        let own = pieces.get(at).is_some_and(|(_, piece)| signed(piece));
        let joined = pieces.get(at + 1).is_some_and(|(_, piece)| operates(piece))
            && pieces
                .get(at)
                .is_some_and(|(_, piece)| piece.chars().any(char::is_alphabetic));
        own || joined
    };
    let first = (0..pieces.len()).find(|at| is_start(*at))?;
    let mut last = first;
    let ends = |at: usize| {
        pieces
            .get(at)
            .is_none_or(|(_, piece)| piece.ends_with([',', ';', '?', '!']))
    };
    while !ends(last) {
        let Some((_, next)) = pieces.get(last + 1) else {
            break;
        };
        let upper = joins(next) && next.chars().all(char::is_uppercase);
        let lower = joins(next)
            && (is_start(last + 2)
                || next == &"by"
                    && pieces
                        .get(last + 2)
                        .is_some_and(|(_, piece)| piece.starts_with('(')));
        if operates(next) || upper || lower {
            last += 1;
            // An operator has something behind it.
            if pieces.get(last + 1).is_some_and(|(_, piece)| !joins(piece)) {
                last += 1;
            }
        } else if is_start(last + 1) && pieces.get(last).is_some_and(|(_, piece)| operates(piece)) {
            last += 1;
        } else {
            break;
        }
    }
    if (last + 1..pieces.len()).any(is_start) {
        return None;
    }
    let start = pieces.get(first)?.0;
    let end = pieces.get(last).map(|(at, piece)| at + piece.len())?;
    let words = text.get(start..end)?;
    let lead = words.len() - words.trim_start_matches(['`', '"', '\'']).len();
    let trimmed = words.trim_end_matches(['.', ',', ';', '?', '!', '`']);
    let signs = words.matches('"').count() % 2 == 1 && lead > 0;
    let end = if signs {
        trimmed.trim_end_matches('"').len()
    } else {
        trimmed.len()
    };
    (start + lead < start + end).then_some(start + lead..start + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_out_values_are_found() {
        for (text, found) in [
            ("with {\"a\": 1} please", Some("{\"a\": 1}")),
            ("set [1, 2] and", Some("[1, 2]")),
            ("a [draft] of {x}", None),
            ("", None),
        ] {
            let read = written_json(text).and_then(|(range, _)| text.get(range));
            assert_eq!(read, found, "{text}");
        }
        for (text, found) in [
            ("with cron 30 2 * * *, described", Some("30 2 * * *")),
            ("`0 9 * * MON-FRI`", Some("0 9 * * MON-FRI")),
            ("*/5 * * * *", Some("*/5 * * * *")),
            ("call 1 2 3 4 5", None),
            ("2 * 3", None),
        ] {
            let read = five_fields(text).and_then(|range| text.get(range));
            assert_eq!(read, found, "{text}");
        }
        for (text, found) in [
            (
                "query the metric avg:load.1{host:web-3} for today",
                Some("avg:load.1{host:web-3}"),
            ),
            ("filter severity>=ERROR, newest first", Some("severity>=ERROR")),
            (
                "run rate(hits{job=\"api\"}[5m]).",
                Some("rate(hits{job=\"api\"}[5m])"),
            ),
            (
                "Loki for {app=\"cart\"} |= \"error\", 50 lines",
                Some("{app=\"cart\"} |= \"error\""),
            ),
            (
                "issues where project = OPS AND status = Open ORDER BY created, 20 of them",
                Some("project = OPS AND status = Open ORDER BY created"),
            ),
            ("a=1 or so, and b=2 too", None),
            ("nothing (of it) here", None),
            ("see https://a.example/?q=1", None),
        ] {
            let read = written_expression(text).and_then(|range| text.get(range));
            assert_eq!(read, found, "{text}");
        }
    }
}
