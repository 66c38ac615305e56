//! Are labelled requests read as they are meant, and are mistakes named?

use super::*;

fn one(line: &str) -> Query {
    read(line).unwrap().remove(0)
}

#[track_caller]
fn mistaken(source: &str, line: Option<usize>, text: &str) {
    let mistake = read(source).unwrap_err();
    assert_eq!((mistake.line, mistake.text.as_str()), (line, text), "{source}");
}

#[test]
fn every_field_is_read() {
    let full = one(
        r#"{"id":"a","query":"q","kind":"multi","relevant":["x","y","x"],"also_accept":["z"],"context":" c "}"#,
    );
    let expected = Query {
        id: "a".to_owned(),
        text: "q".to_owned(),
        kind: "multi".to_owned(),
        relevant: vec!["x".to_owned(), "y".to_owned()],
        also_accept: vec!["z".to_owned()],
        context: Some("c".to_owned()),
    };
    assert_eq!(full, expected);
    assert!(full.accepts("y") && full.accepts("z") && !full.accepts("q"));
    let bare = read("\u{feff}\n{\"query\":\"q\",\"relevant\":[],\"also_accept\":null}\n\n")
        .unwrap()
        .remove(0);
    assert_eq!((bare.id.as_str(), bare.kind.as_str()), ("2", UNLABELLED));
    assert!(!bare.is_answerable());
    let numbered = one(r#"{"id":7,"query":"q","relevant":[],"split":"dev"}"#);
    assert_eq!((numbered.id.as_str(), numbered.kind.as_str()), ("7", "dev"));
}

#[test]
fn mistakes_name_line_and_field() {
    let nothing = "holds no request: one JSON object a line is expected, with `query` and `relevant`";
    mistaken("", None, nothing);
    mistaken(" \n\n", None, nothing);
    mistaken("\nnope", Some(2), "is not JSON (column 2): expected ident");
    mistaken("[]", Some(1), "must be a JSON object, not an array");
    mistaken(
        r#"{"relevant":[]}"#,
        Some(1),
        "`query` is required: what is asked, in words",
    );
    mistaken(
        r#"{"query":"  ","relevant":[]}"#,
        Some(1),
        "`query` is required: what is asked, in words",
    );
    mistaken(
        r#"{"query":5,"relevant":[]}"#,
        Some(1),
        "`query` must be a string, not a number",
    );
    mistaken(
        r#"{"query":"q"}"#,
        Some(1),
        "`relevant` is required: the names of the tools that are needed, [] where nothing fits",
    );
    mistaken(
        r#"{"query":"q","relevant":"x"}"#,
        Some(1),
        "`relevant` must be an array of names, not a string",
    );
    mistaken(
        r#"{"query":"q","relevant":[],"also_accept":["x",{}]}"#,
        Some(1),
        "`also_accept[1]` must be a name, not an object",
    );
    mistaken(
        r#"{"query":"q","relevant":[],"id":[]}"#,
        Some(1),
        "`id` must be a string, not an array",
    );
    mistaken(
        "{\"id\":\"a\",\"query\":\"q\",\"relevant\":[]}\n\n{\"id\":\"a\",\"query\":\"r\",\"relevant\":[]}",
        Some(3),
        "`id` must be given once, and line 1 has `a` too",
    );
}

#[test]
fn a_context_becomes_one_text_however_it_is_written() {
    for (context, expected) in [
        (r#""a situation""#, Some("a situation")),
        (r#""  ""#, None),
        ("null", None),
        ("[]", None),
        ("7", None),
        (r#"["one","two"]"#, Some("one\ntwo")),
        (
            r#"[{"role":"user","content":"hello"},{"role":"assistant","content":[{"type":"text","text":"yes?"},{"type":"image"}]},{"role":"tool"}]"#,
            Some("hello\nyes?"),
        ),
        (r#"{"content":"","text":"fallback"}"#, Some("fallback")),
    ] {
        let line = format!(r#"{{"query":"q","relevant":[],"context":{context}}}"#);
        assert_eq!(one(&line).context.as_deref(), expected, "{context}");
    }
}

#[test]
fn labels_are_spelled_as_the_catalog_does() {
    let mut queries = read(concat!(
        r#"{"id":"a","query":"q","relevant":["X","x"],"also_accept":["gone"]}"#,
        "\n",
        r#"{"id":"b","query":"q","relevant":["gone","lost"]}"#,
    ))
    .unwrap();
    let unknown = resolve(&mut queries, |name| {
        (name.to_lowercase() == "x").then(|| "x".to_owned())
    });
    assert_eq!(queries[0].relevant, ["x"]);
    assert_eq!(queries[1].relevant, ["gone", "lost"]);
    let expected = Unknown {
        names: 2,
        queries: 2,
        example: Some(("gone".to_owned(), "a".to_owned())),
    };
    assert_eq!(unknown, expected);
}

#[test]
fn thinning_takes_evenly() {
    let queries = |count: usize| -> Vec<Query> {
        (0..count)
            .map(|nth| Query {
                id: nth.to_string(),
                ..Query::default()
            })
            .collect()
    };
    for (total, limit) in [(10, 3), (315, 100), (7, 7), (7, 9), (6_930, 400), (5, 1)] {
        let kept = thinned(queries(total), limit);
        assert_eq!(kept.len(), limit.min(total), "{limit} of {total}");
        let places: Vec<usize> = kept.iter().map(|query| query.id.parse().unwrap()).collect();
        let widest = places.windows(2).map(|pair| pair[1] - pair[0]).max();
        assert!(widest.unwrap_or(1) <= total.div_ceil(limit), "{places:?}");
    }
}
