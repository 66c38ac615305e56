//! Which texts stand in quotation marks?

use std::ops::Range;

/// A text in quotation marks: with them, and without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quote {
    pub outer: Range<usize>,
    pub inner: Range<usize>,
}

/// A mark that opens a quotation, and those that close it.
const PAIRS: &[(char, &[char])] = &[
    ('“', &['”', '“']),
    ('„', &['“', '”', '"']),
    ('«', &['»']),
    ('»', &['«']),
    ('‘', &['’', '‘']),
    ('‚', &['‘', '’']),
    ('‹', &['›']),
    ('「', &['」']),
    ('『', &['』']),
    ('"', &['"']),
    ('\'', &['\'']),
];

/// Every text in quotation marks, from left to right, without those within others.
pub(super) fn read(text: &str) -> Vec<Quote> {
    let marks = Marks::of(text);
    let mut quotes: Vec<Quote> = Vec::new();
    let mut done = 0;
    for at in 0..marks.list.len() {
        let Some(mark) = marks.list.get(at).copied().filter(|mark| mark.start >= done) else {
            continue;
        };
        let quote = if mark.letter == '`' {
            marks.code(at)
        } else {
            marks.quotation(at)
        };
        if let Some(quote) = quote.and_then(|(inner, end)| whole(text, mark.start, inner, end)) {
            done = quote.outer.end;
            quotes.push(quote);
        }
    }
    quotes
}

fn whole(text: &str, start: usize, inner: Range<usize>, end: usize) -> Option<Quote> {
    let within = text.get(inner.clone())?;
    // « French marks have a space inside »
    let left = within.len() - within.trim_start_matches([' ', '\u{a0}', '\u{202f}']).len();
    let right = within.trim_end_matches([' ', '\u{a0}', '\u{202f}']).len();
    let inner = if text.get(start..)?.starts_with(['«', '»']) && left < right {
        inner.start + left..inner.start + right
    } else {
        inner
    };
    // rock 'n' roll
    (text.get(inner.clone()) != Some("n")).then_some(Quote {
        outer: start..end,
        inner,
    })
}

/// A quotation mark, or a run of backticks.
#[derive(Clone, Copy, Debug)]
struct Mark {
    letter: char,
    start: usize,
    end: usize,
    opens: bool,
    closes: bool,
    /// Whether an `s` stands right before: `users'` may be a genitive.
    genitive: bool,
}

struct Marks {
    list: Vec<Mark>,
    /// For each mark, the next one of the same letter that closes.
    closing: Vec<Option<usize>>,
    /// For each mark, the next one of the same letter that opens and does not close.
    opening: Vec<Option<usize>>,
}

impl Marks {
    fn of(text: &str) -> Self {
        let list = marks(text);
        let (mut closing, mut opening) = (vec![None; list.len()], vec![None; list.len()]);
        // What comes next of each letter, from the right. Backticks are told apart by how many there are.
        let mut next_closing: Vec<(char, usize, usize)> = Vec::new();
        let mut next_opening: Vec<(char, usize, usize)> = Vec::new();
        let key = |mark: &Mark| {
            if mark.letter == '`' {
                (mark.end - mark.start).min(64)
            } else {
                1
            }
        };
        for (at, mark) in list.iter().enumerate().rev() {
            let find = |known: &[(char, usize, usize)], letter: char| {
                known
                    .iter()
                    .filter(|(other, run, _)| *other == letter && *run == key(mark))
                    .map(|known| known.2)
                    .min()
            };
            let closers = PAIRS
                .iter()
                .find(|(open, _)| *open == mark.letter)
                .map_or(['`'].as_slice(), |pair| pair.1);
            let nearest = closers
                .iter()
                .filter_map(|letter| find(&next_closing, *letter))
                .min();
            if let (Some(slot), Some(other)) = (closing.get_mut(at), opening.get_mut(at)) {
                (*slot, *other) = (nearest, find(&next_opening, mark.letter));
            }
            for (fits, known) in [
                (mark.closes, &mut next_closing),
                (mark.opens && !mark.closes, &mut next_opening),
            ] {
                if fits {
                    known.retain(|(letter, run, _)| *letter != mark.letter || *run != key(mark));
                    known.push((mark.letter, key(mark), at));
                }
            }
        }
        Self {
            list,
            closing,
            opening,
        }
    }

    /// The inside of the quotation that opens with this mark, and its end.
    fn quotation(&self, at: usize) -> Option<(Range<usize>, usize)> {
        let open = self.list.get(at).filter(|mark| mark.opens)?;
        let mut closing = (*self.closing.get(at)?)?;
        let mut close = self.list.get(closing)?;
        // 'the users' guide': the genitive closes nothing where another mark closes before the next opens.
        if open.letter == '\'' && close.genitive {
            let next_opening = self.opening.get(at).copied().flatten();
            let later = self.closing.get(closing).copied().flatten();
            if let Some(later) = later.filter(|later| next_opening.is_none_or(|opening| *later < opening)) {
                closing = later;
                close = self.list.get(closing)?;
            }
        }
        Some((open.end..close.start, close.end))
    }

    /// The inside of backticks: as many of them close as open.
    fn code(&self, at: usize) -> Option<(Range<usize>, usize)> {
        let open = self.list.get(at)?;
        let close = self.list.get((*self.closing.get(at)?)?)?;
        Some((open.end..close.start, close.end))
    }
}

fn marks(text: &str) -> Vec<Mark> {
    let mut list: Vec<Mark> = Vec::new();
    let mut before = None;
    let mut letters = text.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        let known = letter == '`'
            || PAIRS
                .iter()
                .any(|(open, close)| *open == letter || close.contains(&letter));
        if known {
            let mut end = start + letter.len_utf8();
            while letter == '`' && letters.next_if(|(_, next)| *next == '`').is_some() {
                end += 1;
            }
            let after = letters.peek().map(|(_, after)| *after);
            list.push(mark(letter, start..end, before, after));
        }
        before = Some(letter);
    }
    list
}

fn mark(letter: char, range: Range<usize>, before: Option<char>, after: Option<char>) -> Mark {
    let wordy = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let spacy = |letter: Option<char>| letter.is_none_or(char::is_whitespace);
    let (opens, closes) = match letter {
        '`' => (true, true),
        // A backslash keeps a mark from meaning anything.
        '"' => (!wordy(before) && before != Some('\\'), before != Some('\\')),
        // An apostrophe stands within a word or behind it.
        '\'' => (!wordy(before) && !spacy(after), !spacy(before) && !wordy(after)),
        '’' => (false, !wordy(after)),
        '‘' => (!wordy(before), wordy(before) && !wordy(after)),
        '“' => (!wordy(before), !spacy(before)),
        '»' => (!wordy(before) && wordy(after), true),
        other => {
            let opens = PAIRS.iter().any(|(open, _)| *open == other);
            (opens, PAIRS.iter().any(|(_, close)| close.contains(&other)))
        }
    };
    Mark {
        letter,
        start: range.start,
        end: range.end,
        opens,
        closes,
        genitive: before == Some('s'),
    }
}
