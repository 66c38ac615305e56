//! On which line of a file is each part of a tool?

use std::collections::{BTreeMap, HashMap};

use handpick_domain::ToolName;
use handpick_lint::{Finding, Member, Place};
use serde_json::value::RawValue;

/// The places of all tools of a file.
#[derive(Default)]
pub struct Places {
    file: String,
    by_tool: HashMap<ToolName, Parts>,
}

/// Line and column of a tool and of its members.
#[derive(Clone, Copy, Default)]
struct Parts {
    whole: (usize, usize),
    name: Option<(usize, usize)>,
    description: Option<(usize, usize)>,
    schema: Option<(usize, usize)>,
}

/// The same as byte offsets into the file.
struct Offsets {
    written: String,
    /// Each with the part it belongs to, in the order of the file.
    parts: Vec<(usize, Part)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    Name,
    Description,
    Schema,
}

impl Places {
    /// Finds the tools of a file. `names` are its usable entries as it spells them, in its order; the first
    /// of two equal ones is meant.
    pub fn find(file: &str, source: &str, names: &[(String, ToolName)]) -> Self {
        let mut by_tool = HashMap::new();
        let mut sweep = Sweep::new(source);
        let mut names = names.iter().peekable();
        for entry in entries(source) {
            let parts = sweep.parts(&entry);
            if let Some((_, name)) = names.next_if(|(written, _)| *written == entry.written) {
                by_tool.entry(name.clone()).or_insert(parts);
            }
        }
        Self {
            file: file.to_owned(),
            by_tool,
        }
    }

    /// The place of the part a finding is about; of the tool where the part is missing. A finding about a
    /// whole list is at its beginning.
    pub fn of(&self, finding: &Finding) -> Option<Place> {
        if self.file.is_empty() {
            return None;
        }
        let at = finding
            .tool
            .as_ref()
            .and_then(|tool| self.by_tool.get(tool))
            .map(|parts| {
                let part = match finding.member {
                    Member::Name => parts.name,
                    Member::Description => parts.description,
                    Member::InputSchema => parts.schema,
                };
                part.unwrap_or(parts.whole)
            });
        let (line, column) = at.unwrap_or((1, 1));
        Some(Place {
            file: self.file.clone(),
            line,
            column,
        })
    }
}

/// Turns rising offsets into lines and columns in one pass.
struct Sweep<'s> {
    source: &'s str,
    at: usize,
    line: usize,
    column: usize,
}

impl<'s> Sweep<'s> {
    fn new(source: &'s str) -> Self {
        Self {
            source,
            at: 0,
            line: 1,
            column: 1,
        }
    }

    fn parts(&mut self, entry: &Offsets) -> Parts {
        let mut parts = Parts::default();
        for &(offset, part) in &entry.parts {
            let place = self.place(offset);
            match part {
                Part::Whole => parts.whole = place,
                Part::Name => parts.name = Some(place),
                Part::Description => parts.description = Some(place),
                Part::Schema => parts.schema = Some(place),
            }
        }
        parts
    }

    fn place(&mut self, offset: usize) -> (usize, usize) {
        for letter in self.source.get(self.at..offset).unwrap_or_default().chars() {
            if letter == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.at = self.at.max(offset);
        (self.line, self.column)
    }
}

/// The entries of a file, read as `settings::listing` reads them.
fn entries(source: &str) -> Vec<Offsets> {
    let raw = match serde_json::from_str::<&RawValue>(source) {
        Ok(document) => listed(document),
        Err(_) => source
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect(),
    };
    raw.into_iter().map(|entry| offsets(source, entry)).collect()
}

fn listed(document: &RawValue) -> Vec<&RawValue> {
    if let Ok(tools) = serde_json::from_str(document.get()) {
        return tools;
    }
    let members = members(document);
    let list = members.get("tools").copied().or_else(|| {
        let result = members.get("result")?;
        self::members(result).get("tools").copied()
    });
    match list {
        Some(list) => serde_json::from_str(list.get()).unwrap_or_default(),
        None => vec![document],
    }
}

fn members(object: &RawValue) -> BTreeMap<String, &RawValue> {
    serde_json::from_str(object.get()).unwrap_or_default()
}

fn offsets(source: &str, entry: &RawValue) -> Offsets {
    // Raw values borrow from the source, so their addresses tell where in it they are.
    let offset = |raw: &RawValue| (raw.get().as_ptr() as usize).wrapping_sub(source.as_ptr() as usize);
    let members = members(entry);
    let written = members
        .get("name")
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default();
    let mut parts = vec![(offset(entry), Part::Whole)];
    for (key, part) in [
        ("name", Part::Name),
        ("description", Part::Description),
        ("inputSchema", Part::Schema),
        ("input_schema", Part::Schema),
        ("parameters", Part::Schema),
    ] {
        let is_new = parts.iter().all(|(_, known)| *known != part);
        if let Some(raw) = members.get(key).filter(|_| is_new) {
            parts.push((offset(raw), part));
        }
    }
    parts.sort_by_key(|(offset, _)| *offset);
    Offsets { written, parts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use handpick_lint::rules;

    #[track_caller]
    fn check(source: &str, tool: &str, member: Member, expected: (usize, usize)) {
        let names = [
            ("a".to_owned(), ToolName::new("x", "a")),
            ("b".to_owned(), ToolName::new("x", "b")),
        ];
        let places = Places::find("x.json", source, &names);
        let name = ToolName::new("x", tool);
        let finding = Finding::new(&rules::NAME_LONG, &name, member, String::new(), String::new());
        let place = places.of(&finding).unwrap();
        assert_eq!((place.line, place.column), expected, "{source}");
    }

    #[test]
    fn parts_are_found_in_every_shape() {
        let lines = "{\"name\":\"a\"}\n\n{\"title\":\"ö\",\"name\":\"b\",\"description\":\"x\"}\n";
        check(lines, "a", Member::Name, (1, 9));
        check(lines, "b", Member::Name, (3, 21));
        check(lines, "b", Member::Description, (3, 39));
        check(lines, "b", Member::InputSchema, (3, 1));
        let pretty = "{\n  \"tools\": [\n    {\"name\": \"a\"},\n    {\"no\": 1},\n    {\n      \"inputSchema\": {},\n      \"name\": \"b\"\n    }\n  ]\n}";
        check(pretty, "b", Member::Name, (7, 15));
        check(pretty, "b", Member::InputSchema, (6, 22));
        check(
            "{\"result\":{\"tools\":[{\"name\":\"a\"}]}}",
            "a",
            Member::Name,
            (1, 29),
        );
        check("[{\"name\":\"a\"}]", "a", Member::Name, (1, 10));
    }
}
