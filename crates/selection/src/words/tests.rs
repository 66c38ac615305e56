//! Do texts fall into the words a reader would name?

use proptest::prelude::*;

use super::*;

/// Whole words and parts, a compound written `whole=part+part`.
#[track_caller]
fn check(text: &str, expected: &str) {
    let found: Vec<String> = words(text)
        .iter()
        .map(|word| match word.parts.as_slice() {
            [] => word.term.clone(),
            parts => format!("{}={}", word.term, parts.join("+")),
        })
        .collect();
    assert_eq!(found.join(" "), expected, "{text:?}");
}

/// A51: names are split on case, `_`, `-` and `.`; acronyms and digits stay readable.
#[test]
fn a51_names_fall_apart() {
    for (text, expected) in [
        ("create_issue", "creat issu"),
        ("find-meeting-times", "find meet time"),
        ("github.repos.list", "github repo list"),
        ("createIssue", "createissu=creat+issu"),
        ("CreateIssue", "createissu=creat+issu"),
        ("HTTPServer", "httpserver=http+server"),
        ("listS3Buckets", "lists3buckets=list+s3+bucket"),
        (
            "DiagnoseAHORunFailure",
            "diagnoseahorunfailur=diagnos+aho+run+failur",
        ),
        ("parseHTML", "parsehtml=pars+html"),
        ("URLs PRs VMs", "url pr vm"),
        ("listURLsOfPage", "listurlsofpag=list+url+of+page"),
        ("GitHub PagerDuty", "github=git+hub pagerduty=pager+duty"),
        (
            "s3 ec2 k8s v2 sha256 i18n 2fa 3D",
            "s3 ec2 k8s v2 sha256 i18n 2fa 3d",
        ),
        ("EC2Instance", "ec2instance=ec2+instanc"),
        ("page12", "page12=page+12"),
        ("sc-20417", "sc 20417"),
        ("__init__ --flag..x", "init flag x"),
        ("GET", "get"),
        ("a/b:c", "a b c"),
    ] {
        check(text, expected);
    }
}

/// E17: any script's letters are letters; what is no letter only separates.
#[test]
fn e17_every_script() {
    for (text, expected) in [
        ("スクショを撮る", "スク クシ ショ ョを を撮 撮る"),
        ("值", "值"),
        ("GitHubの課題", "github=git+hub の課 課題"),
        ("покажи Коммиты", "покажи коммиты"),
        ("Añade café CAFE\u{301}", "anad cafe cafe"),
        ("Straße ΟΔΟΣ οδος", "strass οδοσ οδοσ"),
        ("हिन्दी में", "हिन्दी में"),
        ("שָׁלוֹם עולם", "שָׁלוֹם עולם"),
        ("🚀 launch 🚀now", "launch now"),
        ("nul\0byte", "nul byte"),
        ("", ""),
        ("   \n\t\u{202e}", ""),
    ] {
        check(text, expected);
    }
}

#[test]
fn forms_of_a_word_meet() {
    for forms in [
        "create creates created creating",
        "list lists listed listing",
        "run runs running",
        "message messages messaging",
        "query queries queried querying",
        "issue issues",
        "branch branches branching",
        "address addresses",
        "file files filed filing",
        "note notes noted noting",
        "use uses used using",
        "type types typed typing",
        "update updates updated updating",
        "set sets setting settings",
        "add adds added adding",
        "call calls called calling",
        "stop stops stopped stopping",
        "tag tags tagged tagging",
        "fix fixes fixed fixing",
        "delete deletes deleted deleting",
        "index indexes indices indexed indexing",
        "status statuses",
        "copy copies copied copying",
        "commit commits committed committing",
        "id ids",
        "move moves moved moving",
        "box boxes",
        "schema schemas",
        "photo photos",
        "repo repos",
    ] {
        let stems: Vec<String> = words(forms).into_iter().map(|word| word.term).collect();
        assert!(
            stems.windows(2).all(|pair| pair[0] == pair[1]),
            "{forms}: {stems:?}"
        );
    }
}

#[test]
fn different_words_stay_apart() {
    for (a, b) in [
        ("aws", "aw"),
        ("dns", "dn"),
        ("note", "not"),
        ("string", "str"),
        ("ping", "p"),
        ("feed", "fe"),
        ("status", "statu"),
        ("analysis", "analysi"),
        ("canvas", "canva"),
        ("process", "proces"),
        ("thing", "th"),
        ("need", "ne"),
        ("red", "r"),
        ("kubernetes", "kubernet"),
    ] {
        assert_ne!(words(a)[0].term, words(b)[0].term, "{a} and {b}");
    }
}

#[test]
fn questions_lose_their_filling() {
    let terms = |text| {
        question_words(text)
            .into_iter()
            .map(|word| word.term)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        terms("please send a message to the team"),
        ["send", "messag", "team"]
    );
    assert_eq!(terms("The Who"), ["the", "who"]);
    assert!(terms("?!").is_empty());
}

/// E16: what lies beyond the limit does not count, and the cut never splits a character.
#[test]
fn e16_long_texts_are_truncated() {
    let text = "é".repeat(TEXT_LENGTH_MAX) + " tail";
    assert_eq!(truncate(&text).chars().count(), TEXT_LENGTH_MAX);
    assert_eq!(words(&text).len(), 1);
}

proptest! {
    /// E17: nothing panics, and every term is findable: no spaces, no capitals, not empty.
    #[test]
    fn e17_any_text_gives_sane_terms(text in any::<String>()) {
        for word in words(&text) {
            for term in word.terms() {
                prop_assert!(!term.is_empty());
                prop_assert!(!term.chars().any(|c| c.is_whitespace() || c.is_ascii_uppercase()));
            }
            prop_assert!(text.contains(word.written));
        }
    }

    /// Spelling of a name does not matter: all four styles give the same parts.
    #[test]
    fn a51_styles_of_names_agree(parts in proptest::collection::vec("[a-z]{2,8}", 1..5)) {
        let capital = |part: &String| part[..1].to_uppercase() + &part[1..];
        let terms = |text: &str| -> Vec<String> {
            words(text)
                .into_iter()
                .flat_map(|word| if word.parts.is_empty() { vec![word.term] } else { word.parts })
                .collect()
        };
        let expected = terms(&parts.join(" "));
        let pascal: String = parts.iter().map(capital).collect();
        for name in [parts.join("_"), parts.join("-"), parts.join("."), pascal] {
            prop_assert_eq!(&terms(&name), &expected, "{}", name);
        }
    }
}
