//! Are the arguments of a call what the tool needs, and how does a handler read them?

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::argument::{Arg, Kind};
use crate::refusal::{Refusal, closest, quoted};

/// Longest piece of a wrong value that a refusal repeats, in characters.
const ECHO_MAX: usize = 60;

/// The arguments of one call, checked against what the tool needs.
pub(crate) struct Args<'a> {
    needs: &'a [Arg],
    given: Map<String, Value>,
    now: String,
}

impl<'a> Args<'a> {
    /// Checks the arguments. The refusal names everything that is wrong, not only the first.
    ///
    /// An optional argument that is `null` counts as left out, and `5.0` as a whole number: both are
    /// what models write when they mean it.
    pub fn check(needs: &'a [Arg], mut given: Map<String, Value>, now: String) -> Result<Self, Refusal> {
        normalise(needs, &mut given);
        let mut problems = Vec::new();
        find_problems(needs, &given, "", &mut problems);
        if problems.is_empty() {
            Ok(Self { needs, given, now })
        } else {
            Err(Refusal::new(problems.join("; ")))
        }
    }

    /// One argument. Ask for an `Option` where it may have been left out.
    pub fn get<'v, T: Deserialize<'v>>(&'v self, name: &str) -> Result<T, Refusal> {
        self.need(name)?;
        T::deserialize(self.given.get(name).unwrap_or(&Value::Null))
            .map_err(|error| Refusal::new(format!("`{name}` cannot be read: {error}")))
    }

    /// One argument that is a list of objects.
    pub fn rows(&self, name: &str) -> Result<Vec<Args<'a>>, Refusal> {
        let Kind::Rows { of: needs } = &self.need(name)?.kind else {
            return Err(Refusal::new(format!(
                "`{name}` is not declared as a list of objects"
            )));
        };
        let rows: Vec<Map<String, Value>> = self.get(name)?;
        rows.into_iter()
            .map(|given| Args::check(needs, given, self.now.clone()))
            .collect()
    }

    /// Every argument given, by name.
    pub fn given(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.given.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The moment of the call in story time.
    pub fn now(&self) -> &str {
        &self.now
    }

    /// The day of the call, `YYYY-MM-DD`.
    pub fn today(&self) -> &str {
        self.now.get(..10).unwrap_or(&self.now)
    }

    /// Reading what was never declared is a mistake in the app; it shows at the first call.
    fn need(&self, name: &str) -> Result<&'a Arg, Refusal> {
        self.needs
            .iter()
            .find(|arg| arg.name == name)
            .ok_or_else(|| Refusal::new(format!("the tool reads `{name}` but does not declare it")))
    }
}

fn normalise(needs: &[Arg], given: &mut Map<String, Value>) {
    for arg in needs {
        let Some(value) = given.get_mut(&arg.name) else {
            continue;
        };
        if value.is_null() && arg.optional {
            given.shift_remove(&arg.name);
        } else if let (Kind::Integer { from, to }, Some(number)) = (&arg.kind, value.as_f64())
            && number.fract() == 0.0
            && (*from as f64..=*to as f64).contains(&number)
        {
            *value = Value::from(number as i64);
        }
    }
}

fn find_problems(needs: &[Arg], given: &Map<String, Value>, path: &str, problems: &mut Vec<String>) {
    for arg in needs {
        let name = format!("{path}{}", arg.name);
        match given.get(&arg.name) {
            None if !arg.optional => problems.push(format!("`{name}` is missing: {}", arg.kind.expected())),
            Some(value) if !arg.kind.accepts(value) => problems.push(misfit(&name, &arg.kind, value)),
            Some(value) => find_problems_in_rows(&arg.kind, value, &name, problems),
            None => {}
        }
    }
    let known: Vec<&str> = needs.iter().map(|arg| arg.name.as_str()).collect();
    for name in given.keys().filter(|name| !known.contains(&name.as_str())) {
        problems.push(match known.as_slice() {
            [] => format!("unknown argument `{path}{}`; none is taken", echo(name)),
            known => format!(
                "unknown argument `{path}{}`; known are {}",
                echo(name),
                quoted(known)
            ),
        });
    }
}

fn find_problems_in_rows(kind: &Kind, value: &Value, path: &str, problems: &mut Vec<String>) {
    let (Kind::Rows { of: members }, Some(rows)) = (kind, value.as_array()) else {
        return;
    };
    for (index, row) in rows.iter().enumerate() {
        if let Some(row) = row.as_object() {
            find_problems(members, row, &format!("{path}[{index}]."), problems);
        }
    }
}

fn misfit(name: &str, kind: &Kind, value: &Value) -> String {
    let mut text = format!(
        "`{name}` must be {}, not {}",
        kind.expected(),
        echo(&value.to_string())
    );
    if let (Kind::Choice { words, .. }, Some(given)) = (kind, value.as_str())
        && let Some(close) = closest(given, words.iter().copied()).first()
    {
        text.push_str(&format!("; the closest is `{close}`"));
    }
    text
}

fn echo(value: &str) -> String {
    if value.chars().count() <= ECHO_MAX {
        return value.to_owned();
    }
    let start: String = value.chars().take(ECHO_MAX).collect();
    format!("{start}…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn needs() -> Vec<Arg> {
        let mut needs: Vec<Arg> = serde_json::from_value(json!([
            {"name": "who", "kind": "text", "about": "Who", "sample": "me"},
            {"name": "volume", "kind": "choice", "about": "How loud", "of": "Volume", "sample": "quiet", "optional": true},
            {"name": "times", "kind": "integer", "about": "How often", "from": 1, "to": 9, "sample": 2, "optional": true},
            {"name": "day", "kind": "date", "about": "When", "sample": "2026-11-27", "optional": true},
            {"name": "tags", "kind": "texts", "about": "Tags", "sample": ["a"], "optional": true},
            {"name": "lines", "kind": "rows", "about": "Lines", "sample": [{"sku": "POT"}], "optional": true, "of": [
                {"name": "sku", "kind": "text", "about": "Which", "sample": "POT"},
            ]},
        ]))
        .unwrap();
        let vocabulary = [("Volume", &["quiet", "loud"][..])].into();
        for arg in &mut needs {
            arg.resolve(&vocabulary).unwrap();
        }
        needs
    }

    fn check(given: Value) -> Result<(), String> {
        let Value::Object(given) = given else {
            panic!("an object")
        };
        Args::check(&needs(), given, String::new())
            .map(|_| ())
            .map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn what_is_wrong_is_named_with_what_would_be_right() {
        for (given, expected) in [
            (
                json!({}),
                "`who` is missing: a text of 1 to 2000 characters that is not blank",
            ),
            (
                json!({"who": " "}),
                "`who` must be a text of 1 to 2000 characters that is not blank, not \" \"",
            ),
            (
                json!({"who": "x", "volume": "lowd"}),
                "`volume` must be one of `quiet`, `loud`, not \"lowd\"; the closest is `loud`",
            ),
            (
                json!({"who": "x", "times": 10, "day": "2026-11-31"}),
                "`times` must be a whole number from 1 to 9, not 10; `day` must be a day written \
                 YYYY-MM-DD, such as `2026-11-27`, not \"2026-11-31\"",
            ),
            (
                json!({"who": "x", "wen": 1}),
                "unknown argument `wen`; known are `who`, `volume`, `times`, `day`, `tags`, `lines`",
            ),
            (
                json!({"who": "x", "tags": []}),
                "`tags` must be a list of 1 to 20 texts, not []",
            ),
            (
                json!({"who": "x", "lines": [{"sku": "POT"}, {"sku": 3}]}),
                "`lines[1].sku` must be a text of 1 to 2000 characters that is not blank, not 3",
            ),
        ] {
            assert_eq!(check(given.clone()), Err(expected.to_owned()), "{given}");
        }
    }

    #[test]
    fn what_models_write_is_understood() {
        for given in [
            json!({"who": "x", "volume": null, "times": 5.0}),
            json!({"who": "x", "lines": [{"sku": "POT"}], "tags": ["a", "b"], "day": "2028-02-29"}),
        ] {
            assert_eq!(check(given.clone()), Ok(()), "{given}");
        }
    }

    #[test]
    fn handlers_read_by_type_and_only_what_is_declared() {
        let needs = needs();
        let Value::Object(given) = json!({"who": "Priya", "times": 5.0}) else {
            panic!()
        };
        let args = Args::check(&needs, given, "2026-11-23T09:00:00Z".into()).unwrap();
        assert_eq!(args.get::<&str>("who").unwrap(), "Priya");
        assert_eq!(args.get::<i64>("times").unwrap(), 5);
        assert_eq!(args.get::<Option<&str>>("volume").unwrap(), None);
        assert_eq!(args.today(), "2026-11-23");
        assert!(args.get::<Option<&str>>("undeclared").is_err());
    }
}
