//! Which on-demand tools have joined a caller's list?

/// Tools that may have joined at once (R15).
pub const PROMOTED_MAX: usize = 32;

/// Names of tools that joined a list, least recently used first. Bounded: the one not used for longest leaves.
///
/// The names are canonical ones; whether such a tool still exists and may be used is asked again each time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Promoted {
    names: Vec<String>,
}

impl Promoted {
    /// A tool joins, or counts as used again. Returns whether the list has changed (R15: idempotent).
    pub fn promote(&mut self, name: &str) -> bool {
        let known = self.names.iter().position(|known| known == name);
        if let Some(position) = known {
            self.names.remove(position);
        }
        self.names.push(name.to_owned());
        if self.names.len() > PROMOTED_MAX {
            self.names.remove(0);
        }
        known.is_none()
    }

    /// Whether a tool has joined.
    pub fn contains(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// The names, least recently used first.
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R15: bounded, the least recently used leaves, promoting twice changes nothing.
    #[test]
    fn r15_least_recently_used_leaves() {
        let mut promoted = Promoted::default();
        for number in 0..PROMOTED_MAX {
            assert!(promoted.promote(&format!("app.t{number}")));
        }
        assert!(!promoted.promote("app.t0"), "used again");
        assert!(promoted.promote("app.new"));
        assert_eq!(promoted.names().len(), PROMOTED_MAX);
        assert!(promoted.contains("app.t0") && promoted.contains("app.new"));
        assert!(!promoted.contains("app.t1"));
    }
}
