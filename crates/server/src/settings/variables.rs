//! How is `${NAME}` in a setting filled in?

/// Replaces `${NAME}`, `${env:NAME}` and `${NAME:-default}` by the environment's values.
///
/// # Errors
/// Names the first variable that is not set and has no default, or says that a `${` is not closed.
pub fn expand(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        expanded.push_str(before);
        let (reference, after) = after
            .split_once('}')
            .ok_or_else(|| format!("has a `${{` without a closing brace: `{text}`"))?;
        expanded.push_str(&value_of(reference, lookup)?);
        rest = after;
    }
    expanded.push_str(rest);
    Ok(expanded)
}

/// The variables of a text that are neither set nor have a default.
pub fn unset(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let references = text.split("${").skip(1).filter_map(|rest| rest.split_once('}'));
    references
        .filter(|(reference, _)| value_of(reference, lookup).is_err())
        .map(|(reference, _)| reference.strip_prefix("env:").unwrap_or(reference).to_owned())
        .collect()
}

/// Rewrites what only an editor can answer, `${input:ID}`, as a reference to the environment, `${ID}`.
pub fn without_inputs(text: &str) -> String {
    let mut rewritten = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${input:") {
        rewritten.push_str(before);
        let (id, after) = after.split_once('}').unwrap_or((after, ""));
        rewritten.push_str(&format!("${{{}}}", environment_name(id)));
        rest = after;
    }
    rewritten.push_str(rest);
    rewritten
}

/// An identifier as environment variables are spelled: `github-token` is `GITHUB_TOKEN`.
fn environment_name(id: &str) -> String {
    let fit = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_uppercase()
        } else {
            '_'
        }
    };
    id.trim().chars().map(fit).collect()
}

fn value_of(reference: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let reference = reference.strip_prefix("env:").unwrap_or(reference);
    let (name, default) = match reference.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (reference, None),
    };
    if let Some(kind) = name.strip_prefix("input:") {
        return Err(format!(
            "asks the editor for `{kind}`, which only an editor can answer; set an environment variable and write ${{NAME}}"
        ));
    }
    let value = match name {
        "userHome" => lookup("HOME"),
        "workspaceFolder" => lookup("PWD"),
        "pathSeparator" | "/" => Some(std::path::MAIN_SEPARATOR.to_string()),
        _ => lookup(name),
    };
    value
        .or_else(|| default.map(str::to_owned))
        .ok_or_else(|| format!("needs the environment variable {name}, which is not set"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, &str>) {
        let lookup = |name: &str| match name {
            "TOKEN" => Some("t0".to_owned()),
            "HOME" => Some("/home/ada".to_owned()),
            _ => None,
        };
        match (expand(text, &lookup), expected) {
            (Ok(value), Ok(expected)) => assert_eq!(value, expected),
            (Err(reason), Err(expected)) => assert!(reason.contains(expected), "{reason}"),
            (got, wanted) => panic!("{text}: got {got:?}, wanted {wanted:?}"),
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        let lookup = |name: &str| (name == "SET").then(String::new);
        let missing = unset("${SET} ${A} ${B:-b} ${env:C} ${open", &lookup);
        assert_eq!(missing, ["A", "C"]);
    }

    #[test]
    fn what_an_editor_asks_becomes_a_variable() {
        for (text, expected) in [
            ("Bearer ${input:github-token}", "Bearer ${GITHUB_TOKEN}"),
            ("${input:a}:${input:b c}", "${A}:${B_C}"),
            ("plain ${HOME}", "plain ${HOME}"),
            ("${input:open", "${OPEN}"),
        ] {
            assert_eq!(without_inputs(text), expected);
        }
    }

    #[test]
    fn variables_are_filled_in() {
        check("plain $5 {x}", Ok("plain $5 {x}"));
        check("Bearer ${TOKEN}", Ok("Bearer t0"));
        check("${env:TOKEN}-${TOKEN}", Ok("t0-t0"));
        check("${userHome}/docs", Ok("/home/ada/docs"));
        check("${PORT:-8080}", Ok("8080"));
        check("${MISSING}", Err("MISSING, which is not set"));
        check("${TOKEN", Err("closing brace"));
        check("${input:api-key}", Err("api-key"));
    }
}
