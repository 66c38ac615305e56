//! Which tools of a catalog are meant? A bit per position.

/// A set of catalog positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolSet {
    words: Vec<u64>,
    count: usize,
}

impl ToolSet {
    /// The positions below `length` for which `contains` holds.
    pub fn from_fn(length: usize, contains: impl Fn(usize) -> bool) -> Self {
        let mut set = Self {
            words: vec![0; length.div_ceil(64)],
            count: 0,
        };
        for position in (0..length).filter(|&position| contains(position)) {
            set.words[position / 64] |= 1 << (position % 64);
            set.count += 1;
        }
        set
    }

    /// Every position below `length`.
    pub fn all(length: usize) -> Self {
        Self::from_fn(length, |_| true)
    }

    /// Whether `position` is in the set; positions out of range are not.
    pub fn contains(&self, position: usize) -> bool {
        self.words
            .get(position / 64)
            .is_some_and(|word| word >> (position % 64) & 1 == 1)
    }

    /// How many positions the set holds.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether the set holds none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The positions, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| index * 64 + bit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_it_was_given() {
        let set = ToolSet::from_fn(130, |position| position % 3 == 0);
        assert_eq!(set.len(), 44);
        assert_eq!(
            set.iter().collect::<Vec<_>>(),
            (0..130).filter(|p| p % 3 == 0).collect::<Vec<_>>()
        );
        assert!(!set.contains(10_000));
    }
}
