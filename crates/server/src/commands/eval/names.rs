//! How does the catalog file call its tools?
//!
//! Labels and rankings use the names of the file, whatever a gateway makes of them.

use std::collections::{BTreeSet, HashMap};

use handpick_domain::ToolName;

use crate::settings::listing::Listing;

/// Names as the file writes them, and as they are meant.
pub struct Names {
    /// What each tool is called in labels and rankings.
    shown: HashMap<ToolName, String>,
    /// Which tool each spelling means, as it is shown.
    meant: HashMap<String, String>,
    /// Spellings that several tools have.
    ambiguous: BTreeSet<String>,
}

impl Names {
    /// The names of a catalog file. A tool is shown as the file writes it; where several servers have a tool of
    /// the same name and the file does not tell them apart, as `app.tool`, which is always understood.
    pub fn of(listing: &Listing) -> Self {
        let mut tools: HashMap<&str, BTreeSet<&ToolName>> = HashMap::new();
        for (written, name) in &listing.names {
            tools.entry(written).or_default().insert(name);
        }
        let is_ambiguous = |written: &str| tools.get(written).is_some_and(|tools| tools.len() > 1);
        let mut shown = HashMap::new();
        for (written, name) in &listing.names {
            let own = if is_ambiguous(written) {
                name.as_str()
            } else {
                written
            };
            shown.entry(name.clone()).or_insert_with(|| own.to_owned());
        }
        let mut meant: HashMap<String, String> = HashMap::new();
        let spelled = listing.names.iter().filter(|(written, _)| !is_ambiguous(written));
        let canonical = listing.names.iter().map(|(_, name)| (name.as_str(), name));
        for (spelling, name) in spelled
            .map(|(written, name)| (written.as_str(), name))
            .chain(canonical)
        {
            let name = shown.get(name).cloned().unwrap_or_default();
            meant.entry(spelling.to_owned()).or_insert(name);
        }
        let ambiguous = tools
            .iter()
            .filter(|(written, _)| is_ambiguous(written) && !meant.contains_key(**written))
            .map(|(written, _)| (*written).to_owned())
            .collect();
        Self {
            shown,
            meant,
            ambiguous,
        }
    }

    /// What a tool is called.
    pub fn shown(&self, name: &ToolName) -> String {
        self.shown
            .get(name)
            .map_or_else(|| name.to_string(), Clone::clone)
    }

    /// The tool a label means, as it is shown.
    pub fn meant(&self, label: &str) -> Option<String> {
        self.meant.get(label).cloned()
    }

    /// Whether a label means several tools, and so none.
    pub fn is_ambiguous(&self, label: &str) -> bool {
        self.ambiguous.contains(label)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use handpick_domain::Catalog;

    use super::*;

    #[test]
    fn tools_keep_the_names_of_their_file() {
        let listing = Listing {
            catalog: Arc::new(Catalog::default()),
            names: [
                ("git__log", "git", "log"),
                ("list", "shop", "list"),
                ("list", "crm", "list"),
                ("git.log", "git", "log"),
            ]
            .map(|(written, app, tool)| (written.to_owned(), ToolName::new(app, tool)))
            .to_vec(),
            skipped: 0,
        };
        let names = Names::of(&listing);
        assert_eq!(names.shown(&ToolName::new("git", "log")), "git__log");
        assert_eq!(names.shown(&ToolName::new("crm", "list")), "crm.list");
        for (label, expected) in [
            ("git__log", Some("git__log")),
            ("git.log", Some("git__log")),
            ("crm.list", Some("crm.list")),
            ("list", None),
            ("lost", None),
        ] {
            assert_eq!(names.meant(label).as_deref(), expected, "{label}");
        }
        assert!(names.is_ambiguous("list") && !names.is_ambiguous("lost"));
    }
}
