//! What does a request body say, and which of its fields are wrong?

use handpick_presentation::BadRequest;
use handpick_presentation::arguments::Arguments;
use handpick_presentation::recommend::check_tasks;
use handpick_protocol::json::{DEPTH_MAX, too_deep};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Number, Value};

use crate::error::{FieldError, RestError};

/// The members of a body, read one after the other. `null` is absent, unknown members are ignored (E9).
///
/// A reading method that finds its field wrong notes that and gives a placeholder back, so that one
/// answer can name every wrong field. [`Fields::finish`] lets a request out only when nothing was noted.
pub struct Fields {
    members: Arguments,
    errors: Vec<FieldError>,
    summary: Option<String>,
}

impl Fields {
    /// Reads a body as one JSON object.
    pub fn parse(body: &[u8]) -> Result<Self, RestError> {
        let malformed = |reason: String| RestError::Malformed(reason);
        let text = std::str::from_utf8(body)
            .map_err(|error| malformed(format!("the body is not UTF-8: {error}")))?;
        if text.trim().is_empty() {
            return Err(malformed("the body is empty; send a JSON object".to_owned()));
        }
        if too_deep(text) {
            return Err(malformed(format!(
                "the body nests deeper than {DEPTH_MAX} levels"
            )));
        }
        let raw: &RawValue = serde_json::from_str(text)
            .map_err(|error| malformed(format!("the body is not valid JSON: {error}")))?;
        if !raw.get().starts_with('{') {
            return Err(malformed("the body must be a JSON object".to_owned()));
        }
        let members = Arguments::read(Some(raw))
            .map_err(|_| malformed("the body has a member whose name is not valid text".to_owned()))?;
        Ok(Self {
            members,
            errors: Vec::new(),
            summary: None,
        })
    }

    /// A required text that is not blank.
    pub fn text(&mut self, name: &str) -> String {
        let read = self.members.text(&[name]);
        self.keep(read)
    }

    /// An optional text.
    pub fn optional_text(&mut self, name: &str) -> Option<String> {
        let read = self.members.optional(&[name], "must be a string");
        self.keep(read)
    }

    /// An optional text that is not blank where it is given.
    pub fn optional_id(&mut self, name: &str) -> Option<String> {
        let id = self.optional_text(name)?;
        if id.trim().is_empty() {
            self.refuse(name, "must not be blank; leave it out instead");
        }
        Some(id)
    }

    /// A value of this type, or nothing where it is absent or of any other type.
    pub fn lenient<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.members.optional(&[name], "").unwrap_or(None)
    }

    /// A switch, off when absent.
    pub fn flag(&mut self, name: &str) -> bool {
        let read = self.members.optional(&[name], "must be true or false");
        self.keep(read).unwrap_or(false)
    }

    /// A whole number from 1 on; larger ones than `most` behave as `most` (A43).
    pub fn count(&mut self, name: &str, default: usize, most: usize) -> usize {
        const EXPECTED: &str = "must be a whole number of at least 1";
        let read = self.members.optional::<Number>(&[name], EXPECTED);
        let Some(number) = self.keep(read) else {
            return default;
        };
        match number.as_f64() {
            Some(value) if value >= most as f64 && value.fract() == 0.0 => most,
            Some(value) if value >= 1.0 && value.fract() == 0.0 => value as usize,
            _ => {
                self.refuse(name, EXPECTED);
                default
            }
        }
    }

    /// The tasks of a selection, by the rules that hold over MCP too. Every bad element is named.
    pub fn tasks(&mut self) -> Vec<String> {
        const EXPECTED: &str = "an array of strings, one separate action each";
        match self
            .members
            .optional::<Vec<Value>>(&["tasks"], &format!("must be {EXPECTED}"))
        {
            Err(bad) => self.refuse(&bad.field, &bad.message),
            Ok(None) => self.refuse("tasks", &format!("is required: {EXPECTED}")),
            Ok(Some(values)) => match check_tasks(&values) {
                Ok(tasks) => return tasks,
                Err(whole) if whole.field == "tasks" => self.refuse("tasks", &whole.message),
                Err(_) => {
                    for (index, value) in values.iter().enumerate() {
                        if let Err(element) = check_tasks(std::slice::from_ref(value)) {
                            self.refuse(&format!("tasks[{index}]"), &element.message);
                        }
                    }
                }
            },
        }
        Vec::new()
    }

    /// An object to hand on as it is, under the first of `names` that is present (C12).
    pub fn object(&mut self, names: &[&str]) -> Option<Box<RawValue>> {
        let read = self.members.object(names);
        self.keep(read)
    }

    /// A tool's name as the caller wrote it. One that can name no tool is refused in words of its own
    /// (A60).
    pub fn tool_name(&mut self) -> String {
        match self
            .members
            .optional::<String>(&["tool_name"], "must be a string")
        {
            Err(bad) => self.refuse(&bad.field, &bad.message),
            Ok(None) => self.refuse("tool_name", "is required, as in `app.tool`"),
            Ok(Some(name)) if can_name_a_tool(name.trim()) => return name,
            Ok(Some(name)) => {
                let reason = "must name an app and a tool, as in `app.tool`";
                self.refuse("tool_name", reason);
                self.summary = Some(format!("failed to parse tool name: `{}` {reason}", name.trim()));
            }
        }
        String::new()
    }

    /// Refuses a time that lies after `now`: nothing runs later yet, and what was meant for later must
    /// not run now (A54). Times without an offset are UTC.
    pub fn not_after(&mut self, name: &str, now: Timestamp) {
        let Some(text) = self.optional_text(name) else {
            return;
        };
        match read_time(&text) {
            None => self.refuse(name, "must be an ISO 8601 time, such as 2026-11-29T18:00:00Z"),
            Some(time) if time > now => self.refuse(
                name,
                "must not lie in the future: scheduling is not supported, tools run at once",
            ),
            Some(_) => {}
        }
    }

    /// The request, if every field was right.
    pub fn finish<T>(self, request: T) -> Result<T, RestError> {
        if self.errors.is_empty() {
            return Ok(request);
        }
        let line = |error: &FieldError| format!("`{}` {}", error.field, error.message);
        let summary = self
            .summary
            .unwrap_or_else(|| self.errors.iter().map(line).collect::<Vec<_>>().join("; "));
        Err(RestError::Fields {
            summary,
            errors: self.errors,
        })
    }

    fn keep<T: Default>(&mut self, read: Result<T, BadRequest>) -> T {
        read.unwrap_or_else(|bad| {
            self.refuse(&bad.field, &bad.message);
            T::default()
        })
    }

    fn refuse(&mut self, field: &str, message: &str) {
        self.errors.push(FieldError {
            field: field.to_owned(),
            message: message.to_owned(),
        });
    }
}

/// Whether a name can be read as an app and a tool: a `.` or `_` with something on both sides, and no
/// control characters. Whether such a tool exists is another question.
fn can_name_a_tool(name: &str) -> bool {
    let name = name.rsplit_once('@').map_or(name, |(name, _version)| name);
    let separates = |(at, letter)| matches!(letter, '.' | '_') && at > 0 && at + 1 < name.len();
    name.char_indices().any(separates) && !name.contains(char::is_control)
}

fn read_time(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    text.parse::<Timestamp>().ok().or_else(|| {
        let without_offset: DateTime = text.parse().ok()?;
        TimeZone::UTC.to_timestamp(without_offset).ok()
    })
}
