//! Are quotations read?

use super::check;

/// P19: texts in quotation marks.
#[test]
fn p19_quoted() {
    check(&[
        (
            "\"Quarterly review\"",
            &["quoted Quarterly review | \"Quarterly review\""],
        ),
        ("'Buy stamps'", &["quoted Buy stamps | 'Buy stamps'"]),
        (
            "“curly” and ‘single’",
            &["quoted curly | “curly”", "quoted single | ‘single’"],
        ),
        (
            "„deutsch“ und „gemischt”",
            &["quoted deutsch | „deutsch“", "quoted gemischt | „gemischt”"],
        ),
        (
            "« français » et «español»",
            &["quoted français | « français »", "quoted español | «español»"],
        ),
        ("`code`", &["quoted code | `code`"]),
        (
            "```let x = 1;```",
            &["quoted let x = 1; | ```let x = 1;```", "number 1"],
        ),
        ("``a ` b``", &["quoted a ` b | ``a ` b``"]),
        ("it's Dana's, isn't it", &["name Dana"]),
        ("'It's fine'", &["quoted It's fine | 'It's fine'"]),
        (
            "'the users' guide'",
            &["quoted the users' guide | 'the users' guide'"],
        ),
        ("the users' choice and the boys' room", &[]),
        ("rock 'n' roll", &[]),
        ("set description to \"\"", &["quoted  | \"\""]),
        ("a 5\" screen and a 6' board", &["number 5", "number 6"]),
        (
            "\"a \\\"quoted\\\" word\"",
            &["quoted a \\\"quoted\\\" word | \"a \\\"quoted\\\" word\""],
        ),
        (
            "\"one\" and \"two\"",
            &["quoted one | \"one\"", "quoted two | \"two\"", "number 2 | two"],
        ),
        ("\"unclosed", &[]),
        (
            "'Two days behind because of the printer.' Color yellow.",
            &["quoted Two days behind because of the printer. | 'Two days behind because of the printer.'"],
        ),
        (
            "\"tomorrow at 9\"",
            &[
                "quoted tomorrow at 9 | \"tomorrow at 9\"",
                "moment 2026-12-01T09:00:00 | tomorrow at 9",
            ],
        ),
        ("\"INV-2031\"", &["quoted INV-2031 | \"INV-2031\"", "id INV-2031"]),
        (
            "`README.md`",
            &["quoted README.md | `README.md`", "path README.md"],
        ),
        (
            "\"call Dana tomorrow\"",
            &[
                "quoted call Dana tomorrow | \"call Dana tomorrow\"",
                "name Dana",
                "date 2026-12-01 | tomorrow",
            ],
        ),
        (
            "\"Schedule a call with Dana tomorrow at 3pm\"",
            &[
                "quoted Schedule a call with Dana tomorrow at 3pm | \"Schedule a call with Dana tomorrow at 3pm\"",
                "name Dana",
                "moment 2026-12-01T15:00:00 | tomorrow at 3pm",
            ],
        ),
        (
            "text \"Deploys are paused until noon.\" in #releases",
            &[
                "quoted Deploys are paused until noon. | \"Deploys are paused until noon.\"",
                "handle #releases",
            ],
        ),
    ]);
}
