//! Which text of a tool is matched?
//!
//! Today there is one profile: the name and the first line of the description. Parameters and later
//! lines are never read (A32), so neither a ranking nor a cached vector can depend on them. A profile
//! that reads more would be another function here that fills the same fields.

use handpick_domain::Tool;

use crate::actions::Action;
use crate::words;

/// Names the way [`MatchedText::to_encode`] writes a tool. Part of the key of cached vectors, beside the
/// encoder's own id and the tool's digest.
pub const RECIPE: &str = "name-and-first-line/1";

/// The fields of a tool that are matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchedText<'t> {
    /// The app it belongs to.
    pub app: &'t str,
    /// Its own name, without the app.
    pub name: &'t str,
    /// The first line of its description, cut to what matching reads; may be empty (A33).
    pub line: &'t str,
}

impl<'t> MatchedText<'t> {
    /// Name and first line of a tool.
    pub fn of(tool: &'t Tool) -> Self {
        Self {
            app: tool.name.app(),
            name: words::truncate(tool.name.tool()),
            line: words::truncate(tool.first_line()),
        }
    }

    /// What the tool does: the first verb of its name, or else the one its first line begins with.
    pub fn action(self) -> Option<Action> {
        let name = words::spelled_out(self.name);
        let mut words = self
            .line
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        name.split(' ')
            .find_map(Action::of_word)
            .or_else(|| Action::of_word(words.next()?))
    }

    /// One text for the encoder: the parts of the name as words, then the first line.
    pub fn to_encode(self) -> String {
        let mut text = words::spelled_out(self.app);
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&words::spelled_out(self.name));
        if !self.line.is_empty() {
            text.push_str(": ");
            text.push_str(self.line);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_written_as_words() {
        for (app, name, line, expected) in [
            (
                "github",
                "create_issue",
                "Opens an issue.",
                "github create issue: Opens an issue.",
            ),
            ("S3", "listS3Buckets", "", "s3 list s3 buckets"),
            ("db", "查询", "x", "db 查询: x"),
        ] {
            assert_eq!(MatchedText { app, name, line }.to_encode(), expected);
        }
    }
}
