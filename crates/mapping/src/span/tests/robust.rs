//! Is any text read without harm?

use jiff::tz::Offset;
use proptest::prelude::*;

use super::{now, spans};
use crate::{Now, Span, What};

/// Ranges are in order, inside, and on the bounds of characters; texts that are told stand in their range.
fn sound(text: &str, spans: &[Span]) {
    let mut last = 0;
    for span in spans {
        assert!(span.range.start >= last, "{text:?}: {span:?} comes too late");
        assert!(span.range.start < span.range.end, "{text:?}: {span:?} is empty");
        last = span.range.start;
        let written = text
            .get(span.range.clone())
            .unwrap_or_else(|| panic!("{text:?}: {span:?} cuts a character"));
        let told = match &span.what {
            What::Email(told) | What::Url(told) | What::Path(told) | What::Quoted(told) | What::Id(told) => {
                told
            }
            What::Handle(_, told) | What::Name(told) => told,
            What::Number(number) | What::Money(number, _) | What::Percent(number) => {
                assert!(number.is_finite(), "{text:?}: {span:?}");
                continue;
            }
            What::Days(first, until) => {
                assert!(first <= until, "{text:?}: {span:?}");
                continue;
            }
            _ => continue,
        };
        assert!(
            written.contains(told.as_str()),
            "{text:?}: {told:?} is not in {written:?}"
        );
    }
}

/// Pieces that readings are made of.
const PIECES: &[&str] = &[
    " ",
    " ",
    " ",
    " ",
    "\n",
    "\u{a0}",
    ",",
    ".",
    ":",
    "-",
    "–",
    "/",
    "'",
    "\"",
    "’",
    "`",
    "„",
    "“",
    "«",
    "»",
    "(",
    ")",
    "#",
    "@",
    "+",
    "$",
    "€",
    "%",
    "_",
    "&",
    "1",
    "2",
    "9",
    "12",
    "30",
    "31",
    "2026",
    "000",
    "250",
    "0",
    "99999999999",
    "three",
    "half",
    "a",
    "an",
    "one",
    "twenty",
    "hundred",
    "million",
    "dozen",
    "and",
    "dix",
    "sept",
    "vingt",
    "zwei",
    "einhalb",
    "mil",
    "tomorrow",
    "morgen",
    "mañana",
    "pasado",
    "demain",
    "next",
    "last",
    "this",
    "Monday",
    "Fri",
    "week",
    "month",
    "March",
    "may",
    "Q3",
    "end of",
    "the",
    "of",
    "in",
    "ago",
    "from",
    "to",
    "between",
    "at",
    "um",
    "à",
    "a las",
    "on",
    "am",
    "pm",
    "noon",
    "midnight",
    "Uhr",
    "h",
    "hours",
    "min",
    "days",
    "vor",
    "il y a",
    "hace",
    "for",
    "every",
    "since",
    "until",
    "Dana",
    "van der",
    "O",
    "s",
    "INV-",
    "inv_",
    "v",
    "http://",
    "www.",
    "x.example",
    "md",
    "C:\\",
    "~",
    "🎉",
    "日本",
    "مرحبا",
    "\0",
    "é",
    "e\u{301}",
    "½",
    "T",
    "Z",
    "UTC",
    "EUR",
    "DE89",
];

proptest! {
    /// E17: any text has spans in order and inside.
    #[test]
    fn e17_any_text(text in "\\PC*") {
        sound(&text, &spans(&text, now()));
    }

    /// E17: control characters and lines too.
    #[test]
    fn e17_any_characters(text in proptest::collection::vec(any::<char>(), 0..60)) {
        let text: String = text.into_iter().collect();
        sound(&text, &spans(&text, now()));
    }

    /// E17: texts made of what readings are made of, at any moment.
    #[test]
    fn e17_any_pieces(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..24),
        seconds in -62_000_000_000_i64..253_000_000_000,
        hours in -12_i8..14,
    ) {
        let text = pieces.concat();
        super::swift(&text);
        let offset = Offset::from_hours(hours).unwrap();
        let timestamp = jiff::Timestamp::from_second(seconds).unwrap();
        let now = Now { local: offset.to_datetime(timestamp), offset };
        sound(&text, &spans(&text, now));
    }
}

/// E16: 100 KB of one thing are read in one go.
#[test]
fn e16_long_texts() {
    let repeated = [
        "1",
        "250 ",
        "'a ",
        "\"",
        "``` ",
        "„",
        "(",
        "#",
        "/a",
        "://",
        "hundred ",
        "Dana van ",
        "DE89 ",
        "🎉",
        "\0",
        "INV-2 ",
        "\\",
        "12:30-",
        "please ",
    ];
    for piece in repeated {
        let text = piece.repeat(100_000 / piece.len());
        sound(&text, &spans(&text, now()));
    }
}

/// E17: values stand out among other scripts, and nothing is cut.
#[test]
fn e17_other_scripts() {
    super::check(&[
        ("🎉 INV-2031 🎉", &["id INV-2031"]),
        (
            "请把 INV-2031 发给 dana@whitfield.example",
            &["id INV-2031", "email dana@whitfield.example"],
        ),
        ("退款 €86.50", &["money 86.5 EUR | €86.50"]),
        ("ألغِ الفاتورة INV-2031 من فضلك", &["id INV-2031"]),
        ("NUL\0 INV-2031\0", &["id INV-2031"]),
        ("「会議」を予定", &["quoted 会議 | 「会議」"]),
        (
            "man\u{303}ana cafe\u{301} 5",
            &["date 2026-12-01 | man\u{303}ana", "number 5"],
        ),
        ("", &[]),
        ("   \n\t ", &[]),
    ]);
}

/// P19: times without an offset are those of the person's place.
#[test]
fn p19_elsewhere() {
    let now = Now {
        local: jiff::civil::date(2026, 11, 30).at(23, 30, 0, 0),
        offset: Offset::from_hours(2).unwrap(),
    };
    let told = |text: &str| {
        spans(text, now)
            .into_iter()
            .map(|span| super::line(text, &span))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        told("tomorrow at 9"),
        ["moment 2026-12-01T07:00:00 | tomorrow at 9"]
    );
    assert_eq!(
        told("tomorrow at 9am UTC"),
        ["moment 2026-12-01T09:00:00 | tomorrow at 9am UTC"]
    );
    assert_eq!(told("at 15:00 UTC"), ["time 17:00:00 | at 15:00 UTC"]);
    assert_eq!(told("in one hour"), ["moment 2026-11-30T22:30:00 | in one hour"]);
    assert_eq!(told("today"), ["date 2026-11-30 | today"]);
}
