//! Which parts of a description are about the tool itself?

/// Sections that say something else than what the tool does, by the first word of their title.
const ASIDE: &str = "args arguments caution critical error errors example examples guardrails important input inputs \
    limitations mandatory note notes output parameters params permissions prerequisites raises required \
    requirements response return returns usage warning when";

/// The paragraphs of a text that are about the tool itself, without their labels.
pub fn statements(text: &str) -> Vec<String> {
    let mut statements = Vec::new();
    // The indentation of the section that is passed over, if one is.
    let mut aside: Option<usize> = None;
    for paragraph in paragraphs(text) {
        let (label, statement) = split_label(&paragraph.text);
        let inside = aside.is_some_and(|indent| {
            let is_heading = label.is_some() && statement.is_empty();
            paragraph.indent > indent
                || is_field(label.as_deref(), &statement)
                || (paragraph.is_marked && !is_heading)
        });
        if inside {
            continue;
        }
        aside = None;
        if label.as_deref().is_some_and(is_aside) {
            // What stands behind the label on its line is all of it; a label alone begins a section.
            aside = statement.is_empty().then_some(paragraph.indent);
        } else {
            statements.push(statement);
        }
    }
    statements
}

/// `team_id: the team` inside a section that is not indented.
fn is_field(label: Option<&str>, statement: &str) -> bool {
    label.is_some_and(|label| !label.contains(' ') && !statement.is_empty())
}

/// Lines that belong together.
struct Paragraph {
    /// Spaces before its first line.
    indent: usize,
    /// Whether it is an item of a list.
    is_marked: bool,
    text: String,
}

/// Paragraphs with their broken lines joined and without list marks. Items of a list, headings and labelled
/// lines are paragraphs of their own.
fn paragraphs(text: &str) -> Vec<Paragraph> {
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim();
        let (mark, bare) = without_marks(line);
        let begins = mark || split_label(&bare).0.is_some();
        match paragraphs.last_mut() {
            Some(last) if goes_on && !begins && !bare.is_empty() => {
                last.text.push(' ');
                last.text.push_str(&bare);
            }
            _ if !bare.is_empty() => paragraphs.push(Paragraph {
                indent,
                is_marked: mark,
                text: bare.clone(),
            }),
            _ => {}
        }
        goes_on = !bare.is_empty() && !line.starts_with('#');
    }
    paragraphs
}

/// A line without list marks, heading marks, emphasis and leading signs, and whether it had one that begins
/// a paragraph.
fn without_marks(line: &str) -> (bool, String) {
    let bare = line.replace("**", "");
    let is_mark = |c: char| !c.is_alphanumeric() && !"(`\"'<[{".contains(c);
    let mut rest = bare.trim_start_matches(is_mark);
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.len() < rest.len() && digits.starts_with(['.', ')']) && digits[1..].starts_with(' ') {
        rest = digits[1..].trim_start();
    }
    let without_tags = rest.starts_with('<') && rest.ends_with('>') && !rest.contains(' ');
    let marked = rest.len() < bare.trim_start().len();
    (
        marked,
        if without_tags {
            String::new()
        } else {
            rest.trim().to_owned()
        },
    )
}

/// `TIP: Creates a chat.` is a label and a statement; `Returns:` is a label alone.
fn split_label(paragraph: &str) -> (Option<String>, String) {
    if let Some((label, rest)) = paragraph.split_once(':') {
        // A label on a line of its own may be longer.
        let most = if rest.trim().is_empty() { 8 } else { 4 };
        let is_label = label.split_whitespace().count() <= most
            && !label.contains(['`', '"', '.', ',', '('])
            && (rest.is_empty() || rest.starts_with(' '));
        if is_label && !label.is_empty() {
            return (Some(label.to_lowercase()), rest.trim().to_owned());
        }
    }
    (None, paragraph.to_owned())
}

fn is_aside(label: &str) -> bool {
    label
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| ASIDE.split(' ').any(|aside| aside == word))
}
