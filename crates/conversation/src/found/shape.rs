//! Which id has values that look like this? `cus_8812` looks like other customers, `INV-2291` like other invoices.

use std::collections::HashMap;

/// Most shapes remembered of one id: ids of random letters would have as many as values.
const SHAPES_PER_ID_MAX: usize = 24;

/// Most ids remembered of one shape: what looks like a thousand ids tells none of them, and each has to be looked at.
const IDS_PER_SHAPE_MAX: usize = 1_024;

const LETTERS: u8 = 1;
const DIGITS: u8 = 2;
const MIXED: u8 = 4;

/// How a value looks: its leading letters and its separators as they are, the runs between by their kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// `cus_*`, `inv-*`, `*-*`, `*`.
    key: String,
    /// The kind of each `*`.
    kinds: Vec<u8>,
    /// Length of the last run.
    tail: usize,
    /// Letters at its head, in lower case; 0 where it has none.
    head: usize,
}

impl Shape {
    /// The shape of a value; `None` where it looks like an ordinary word or like no id at all.
    pub(crate) fn of(value: &str) -> Option<Self> {
        if value.len() > 64
            || !value
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_.:/".contains(&b))
        {
            return None;
        }
        if is_uuid(value) {
            return Some(Self {
                key: "uuid".to_owned(),
                kinds: Vec::new(),
                tail: 0,
                head: 4,
            });
        }
        let head = value.bytes().take_while(u8::is_ascii_alphabetic).count();
        let mut rest = &value[head..];
        let mut key = value[..head].to_ascii_lowercase();
        if let Some(separator) = rest.chars().next().filter(|c| !c.is_ascii_alphanumeric()) {
            if head == 0 {
                return None;
            }
            key.push(separator);
            rest = &rest[1..];
        }
        if rest.is_empty() {
            return None;
        }
        let mut kinds = Vec::new();
        let mut tail = 0;
        for run in rest.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
            let word = run.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
            if word.is_empty() {
                return None;
            }
            key.push('*');
            key.push_str(&run[word.len()..]);
            kinds.push(kind(word));
            tail = word.len();
        }
        if !rest.ends_with(|c: char| c.is_ascii_alphanumeric()) {
            return None;
        }
        Some(Self {
            key,
            kinds,
            tail,
            head,
        })
    }

    /// Whether it tells its id without any word beside it: `INV-2291` does, `100432` and `4B-03` do not.
    pub(crate) fn is_telling(&self) -> bool {
        self.head > 0
    }

    /// Whether it is a number.
    pub(crate) fn is_number(&self) -> bool {
        self.key == "*" && self.kinds == [DIGITS]
    }

    /// Whether the value has a digit, or at least an underscore, as no ordinary word has.
    fn is_no_word(&self) -> bool {
        self.kinds.iter().any(|kind| *kind != LETTERS) || self.key.contains('_') || self.key == "uuid"
    }
}

fn kind(run: &str) -> u8 {
    if run.bytes().all(|b| b.is_ascii_digit()) {
        DIGITS
    } else if run.bytes().all(|b| b.is_ascii_alphabetic()) {
        LETTERS
    } else {
        MIXED
    }
}

fn is_uuid(value: &str) -> bool {
    value.len() == 36
        && value.bytes().enumerate().all(|(at, b)| {
            if matches!(at, 8 | 13 | 18 | 23) {
                b == b'-'
            } else {
                b.is_ascii_hexdigit()
            }
        })
}

/// What was seen of one shape of one id.
#[derive(Clone, Debug)]
struct Seen {
    id: usize,
    kinds: Vec<u8>,
    tail: (usize, usize),
    /// The letters at its head as they were spelled.
    head: Box<str>,
}

impl Seen {
    fn fits(&self, shape: &Shape) -> bool {
        let kinds = self.kinds.iter().zip(&shape.kinds).all(|(seen, kind)| {
            seen & kind != 0 || (*kind != LETTERS && (seen & MIXED != 0 || *seen == LETTERS | DIGITS))
        });
        // One letter or none at the head is little: the length has to be about right, too.
        let near = shape.head >= 2 || (self.tail.0 <= shape.tail + 1 && shape.tail <= self.tail.1 + 1);
        kinds && near
    }
}

/// An id that has values of a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fit<'a> {
    pub(crate) id: usize,
    /// The letters at the head of its values as they were spelled.
    pub(crate) head: &'a str,
    /// Whether values as long as this one were seen.
    pub(crate) exact: bool,
}

/// The shapes of the ids of an agent, by number of the id.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shapes {
    seen: HashMap<String, Vec<Seen>>,
    of_id: HashMap<usize, usize>,
}

impl Shapes {
    /// Learns that an id has this value.
    pub(crate) fn learn(&mut self, id: usize, value: &str) {
        let Some(shape) = Shape::of(value) else { return };
        let tail = shape.tail;
        if let Some(seen) = self
            .seen
            .get_mut(&shape.key)
            .into_iter()
            .flatten()
            .find(|seen| seen.id == id)
        {
            for (mask, kind) in seen.kinds.iter_mut().zip(&shape.kinds) {
                *mask |= kind;
            }
            seen.tail = (seen.tail.0.min(tail), seen.tail.1.max(tail));
            return;
        }
        if self
            .seen
            .get(&shape.key)
            .is_some_and(|alike| alike.len() >= IDS_PER_SHAPE_MAX)
        {
            return;
        }
        let count = self.of_id.entry(id).or_default();
        if *count < SHAPES_PER_ID_MAX {
            *count += 1;
            let head = value[..shape.head.min(value.len())].into();
            self.seen.entry(shape.key).or_default().push(Seen {
                id,
                kinds: shape.kinds,
                tail: (tail, tail),
                head,
            });
        }
    }

    /// The ids that have values like this one.
    pub(crate) fn fitting<'a>(&'a self, shape: &'a Shape) -> impl Iterator<Item = Fit<'a>> {
        self.seen
            .get(&shape.key)
            .into_iter()
            .flatten()
            .filter(move |seen| shape.is_no_word() && seen.fits(shape))
            .map(|seen| Fit {
                id: seen.id,
                head: &seen.head,
                exact: (seen.tail.0..=seen.tail.1).contains(&shape.tail),
            })
    }

    /// Whether any shape of this id is known.
    pub(crate) fn knows(&self, id: usize) -> bool {
        self.of_id.contains_key(&id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t39_values_of_the_same_id_look_alike() {
        for (known, value, expected) in [
            ("cus_8812", "cus_91", true),
            ("cus_8812", "CUS_91", true),
            ("cus_8812", "cus_9f3a", false),
            ("cus_9f3a", "cus_8812", true),
            ("INV-1042", "INV-22910", true),
            ("INV-1042", "INV-OLD", false),
            ("T-9021", "T-9077", true),
            ("T-9021", "T-shirt", false),
            ("T-9021", "T-1", false),
            ("plan_growth", "plan_scale", true),
            ("plan-growth", "plan-wide", false),
            ("4B-03", "4B-11", true),
            ("4B-03", "4B-115", true),
            ("GC-7781-AA", "GC-1-QX", true),
            ("GC-7781-AA", "GC-1", false),
            ("100432", "100433", true),
            ("100432", "12", false),
            ("A7731", "A7732", true),
            (
                "7b0c1d0e-1f5a-4a52-8f0e-0a1b2c3d4e5f",
                "11111111-2222-3333-4444-555555555555",
                true,
            ),
        ] {
            let mut shapes = Shapes::default();
            shapes.learn(3, known);
            let shape = Shape::of(value).unwrap();
            assert_eq!(
                shapes.fitting(&shape).any(|fit| fit.id == 3),
                expected,
                "{known} {value}"
            );
        }
        for none in ["", "word", "-1", "a-", "a--b", "two words", "é-1", "_x"] {
            assert_eq!(Shape::of(none), None, "{none}");
        }
    }

    #[test]
    fn shapes_of_random_ids_are_bounded() {
        let mut shapes = Shapes::default();
        for number in 0..500_u32 {
            let head: String = format!("{number:03}")
                .bytes()
                .map(|b| char::from(b + 49))
                .collect();
            shapes.learn(0, &format!("{head}-1"));
        }
        assert_eq!(shapes.seen.len(), SHAPES_PER_ID_MAX);
    }
}
