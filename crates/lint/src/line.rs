//! Does the first line say what the tool does?

use crate::finding::{Finding, Member, Severity};
use crate::listing::{Listed, Server};
use crate::{Rule, instead, rules, sentences, words};

/// Telling words a first line needs, its verb included; with at least two that the name does not have, three.
const TELLING_MIN: usize = 4;
const NEW_MIN: usize = 2;

/// Words that the encoder reads of a tool, in round numbers: 128 tokens, the name's among them.
const WORDS_READ: usize = 90;

/// Words with which no sentence ends.
const OPEN_ENDS: &[&str] = &[
    "a",
    "an",
    "and",
    "as",
    "at",
    "by",
    "for",
    "from",
    "in",
    "including",
    "into",
    "is",
    "of",
    "on",
    "or",
    "that",
    "the",
    "their",
    "this",
    "to",
    "which",
    "with",
    "your",
];

/// What is wrong with the first line of a tool's description. An empty or marked-up line is told of alone:
/// nothing else can be said of it.
pub fn check(server: &Server<'_>, listed: &Listed<'_>) -> Vec<Finding> {
    let line = listed.tool.first_line();
    if line.is_empty() {
        return vec![empty(server, listed)];
    }
    if let Some(deprecated) = deprecated(server, listed, line) {
        return vec![deprecated];
    }
    if is_markup(line) {
        let message = format!(
            "the first line of `description` is {:?}, which does not say what the tool does",
            sentences::shortened(line, 60)
        );
        return vec![better(&rules::FIRST_LINE_MARKUP, server, listed, message)];
    }
    let mut findings: Vec<Finding> = filler(listed, line).into_iter().collect();
    // What has too few words is also without an object; one finding says it.
    findings.extend(unnamed(server, listed, line).or_else(|| few_words(server, listed, line)));
    findings.extend(cut(listed, line));
    findings.extend(long(listed, line));
    findings
}

fn finding(rule: &'static Rule, listed: &Listed<'_>, message: String, instead: String) -> Finding {
    Finding::new(rule, &listed.tool.name, Member::Description, message, instead)
}

fn better(rule: &'static Rule, server: &Server<'_>, listed: &Listed<'_>, message: String) -> Finding {
    finding(rule, listed, message, instead::first_line(server, listed))
}

fn empty(server: &Server<'_>, listed: &Listed<'_>) -> Finding {
    let message = if listed.tool.description.trim().is_empty() {
        "there is no `description`, so the tool is found by its name alone"
    } else {
        "`description` begins with an empty line, so nothing of it is matched"
    };
    better(&rules::FIRST_LINE_EMPTY, server, listed, message.to_owned())
}

/// Whether a line is layout and no sentence: a heading, a lone tag, a rule, a label such as `Purpose:`.
fn is_markup(line: &str) -> bool {
    let bare = line.trim_matches(|c: char| !c.is_alphanumeric());
    let is_heading = line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
    let is_tag = line.starts_with('<') && line.ends_with('>') && !line.contains("> ");
    let is_label =
        line.trim_end_matches(['*', '_']).ends_with([':', '：']) && words::telling(line).len() < TELLING_MIN;
    let is_title = (line.starts_with("**") && line.ends_with("**")
        || matches!(bare, "Overview" | "Description"))
        && words::telling(line).len() < TELLING_MIN;
    bare.is_empty() || is_heading || is_tag || is_label || is_title || line.starts_with("```")
}

/// A line that begins with the deprecation, or consists of nothing else: `**This endpoint is deprecated.**`
fn deprecated(server: &Server<'_>, listed: &Listed<'_>, line: &str) -> Option<Finding> {
    let told = words::words(line);
    let at = told.iter().position(|word| word == "deprecated")?;
    if at > 0 && words::telling(line).len() > 1 {
        return None;
    }
    let statement = instead::sentence(listed.tool);
    let first = statement.unwrap_or_else(|| instead::named(server, listed));
    let message = "the first line begins with \"Deprecated\", not with what the tool does".to_owned();
    let instead =
        format!("write instead: \"{first}\", then a line \"Deprecated: use …\" with the replacement");
    Some(finding(&rules::FIRST_LINE_DEPRECATED, listed, message, instead))
}

fn filler(listed: &Listed<'_>, line: &str) -> Option<Finding> {
    if !sentences::opens_empty(line) {
        return None;
    }
    let statement = sentences::without_opener(line);
    let opener = line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let message = format!("the first line begins with \"{opener}\", which fits every tool");
    let instead = if statement == sentences::capitalised(line) {
        "begin with the verb: what the tool does, to what".to_owned()
    } else {
        format!("write instead: \"{}\"", sentences::shortened(&statement, 160))
    };
    Some(finding(&rules::FIRST_LINE_FILLER, listed, message, instead))
}

/// No object in the line or the names, and no service in the server's.
fn unnamed(server: &Server<'_>, listed: &Listed<'_>, line: &str) -> Option<Finding> {
    let objects = words::objects(&format!("{} {line}", listed.tool.name.tool()));
    if !server.service.is_generic || !objects.is_empty() {
        return None;
    }
    let message = format!(
        "neither `name` nor the first line of `description` names an object or a service: {:?}",
        sentences::shortened(line, 80)
    );
    let instead =
        "name what it works on and where, as in \"Get the open invoices of a customer from Billing\"";
    Some(finding(
        &rules::OBJECT_UNNAMED,
        listed,
        message,
        instead.to_owned(),
    ))
}

fn few_words(server: &Server<'_>, listed: &Listed<'_>, line: &str) -> Option<Finding> {
    let told = words::telling(line);
    let known = words::telling(&format!("{} {}", listed.tool.name, server.service.title));
    let shown = sentences::shortened(line, 80);
    let new = told.iter().filter(|word| !known.contains(word)).count();
    if new == 0 {
        let message = format!("the first line of `description` says no more than the name: {shown:?}");
        return Some(better(&rules::FIRST_LINE_REPEATS_NAME, server, listed, message));
    }
    if told.len() + 1 < TELLING_MIN || (told.len() < TELLING_MIN && new < NEW_MIN) {
        let message = format!("the first line of `description` says too little to be found by: {shown:?}");
        return Some(better(&rules::FIRST_LINE_THIN, server, listed, message));
    }
    None
}

fn cut(listed: &Listed<'_>, line: &str) -> Option<Finding> {
    let rest = listed.tool.description.trim_start().strip_prefix(line)?;
    let next = rest
        .trim_start_matches(['\r', ' ', '\t'])
        .strip_prefix('\n')?
        .trim_start_matches(' ');
    let last = line.rsplit(' ').next().unwrap_or_default().to_lowercase();
    let is_open = line.ends_with(',') || OPEN_ENDS.binary_search(&last.as_str()).is_ok();
    let ends = line.ends_with(['.', '!', '?', ':', ';', ')', '"', '`', '。']);
    let goes_on = next.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit() || c == '(');
    if ends || !(is_open && next.starts_with(char::is_alphanumeric) || goes_on) {
        return None;
    }
    let joined = format!(
        "{line} {}",
        next.split("\n\n").next().unwrap_or_default().replace('\n', " ")
    );
    let joined = joined.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = sentences::sentences(&joined)
        .into_iter()
        .take(2)
        .collect::<Vec<_>>()
        .join(" ");
    let message = format!(
        "the first line of `description` ends in the middle of a sentence: \"… {}\"",
        tail(line)
    );
    let instead = format!("write on one line: \"{}\"", sentences::shortened(&sentence, 240));
    Some(finding(&rules::FIRST_LINE_CUT, listed, message, instead))
}

/// The last words of a line.
fn tail(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    words[words.len().saturating_sub(4)..].join(" ")
}

fn long(listed: &Listed<'_>, line: &str) -> Option<Finding> {
    let count = line.split_whitespace().count();
    if count <= WORDS_READ {
        return None;
    }
    let sentence = sentences::sentences(line).into_iter().next().unwrap_or_default();
    let message = format!(
        "the first line of `description` has {count} words; about the first {WORDS_READ} are read for their meaning"
    );
    let instead = format!(
        "break the line behind \"{}\"",
        sentences::shortened(&sentence, 160)
    );
    let mut finding = finding(&rules::FIRST_LINE_LONG, listed, message, instead);
    finding.severity = Severity::Note;
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::servers;
    use crate::listing::tests::tool;
    use handpick_domain::Catalog;
    use std::sync::Arc;

    /// A34: rules broken by a description, for a tool of this name.
    #[track_caller]
    fn check_line(app: &str, name: &str, description: &str, expected: &[&str]) {
        let catalog = Catalog::new(1, vec![Arc::new(tool(app, name, description, "{}"))]);
        let servers = servers(&catalog);
        let findings = check(&servers[0], &servers[0].tools[0]);
        let ids: Vec<&str> = findings.iter().map(|finding| finding.rule.id).collect();
        assert_eq!(ids, expected, "{name}: {description:?}: {findings:#?}");
        for finding in findings {
            assert!(finding.message.contains("description") || finding.message.contains("first line"));
            assert!(!finding.instead.is_empty());
        }
    }

    #[test]
    fn a34_lines_that_say_nothing() {
        check_line("git", "log", "", &["first-line-empty"]);
        check_line("git", "log", "\n  Shows commits.", &["first-line-empty"]);
        for line in [
            "## Overview",
            "<usecase>",
            "🎯 Purpose:",
            "---",
            "**Git log**",
            "```json",
        ] {
            check_line("git", "log", line, &["first-line-markup"]);
        }
        check_line(
            "pagerduty",
            "delete_team",
            "Delete a team.",
            &["first-line-repeats-name"],
        );
        check_line(
            "pagerduty",
            "delete_team",
            "Deletes the specified PagerDuty team",
            &["first-line-repeats-name"],
        );
        check_line("git", "log", "Show commits.", &["first-line-thin"]);
        check_line("tools", "get", "Get the data.", &["object-unnamed"]);
    }

    #[test]
    fn a34_lines_that_say_enough() {
        for (app, name, line) in [
            (
                "git",
                "git_log",
                "Show the commits of a branch, newest first, with author and date.",
            ),
            (
                "airtable",
                "delete_records",
                "Delete records by ID from a table in an Airtable base",
            ),
            ("db", "查询", "查询订单的状态和物流信息"),
            ("git", "git_commit", "Records changes to the repository"),
            (
                "tools",
                "send_invoice",
                "Send an invoice to a customer by e-mail.",
            ),
        ] {
            check_line(app, name, line, &[]);
        }
    }

    #[test]
    fn openers_and_deprecations() {
        check_line(
            "circleci",
            "rerun",
            "This tool reruns a CircleCI workflow from its start or from the failed job.",
            &["first-line-filler"],
        );
        check_line(
            "firecrawl",
            "extract",
            "Deprecated compatibility entry point for structured web data.",
            &["first-line-deprecated"],
        );
        check_line(
            "firecrawl",
            "extract",
            "**DEPRECATED** Use scrape.",
            &["first-line-deprecated"],
        );
        check_line(
            "postman",
            "mergeFork",
            "**This endpoint is deprecated.**\n\nMerges a fork back into its parent collection.",
            &["first-line-deprecated"],
        );
    }

    #[test]
    fn lines_that_break_off() {
        check_line(
            "clickhouse",
            "list_tables",
            "List available ClickHouse tables in a database, including schema, comment,\nrow count and column count.",
            &["first-line-cut"],
        );
        check_line(
            "excel",
            "read",
            "Read the cell values of a worksheet range as rows\n\nOptional: page size",
            &[],
        );
        let long = format!("Reads the invoices of a customer. {}", "It goes on. ".repeat(40));
        check_line("shop", "read", &long, &["first-line-long"]);
    }
}
