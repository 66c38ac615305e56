//! What kind of value does a parameter take?

mod numbers;

use numbers::number_kind;
pub(crate) use numbers::unit;

use crate::schema::{Parameter, Shape};
use crate::words::{name_words, squeezed};

/// A kind of value, finer than a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Names one thing by a code.
    Id,
    /// Names one thing by a short name: a branch, a channel, a service.
    Slug,
    /// What something is to be called.
    Title,
    /// Sentences that a person wrote.
    Prose,
    /// Words to look for.
    Query,
    /// An e-mail address.
    Email,
    /// An address on the web.
    Url,
    /// A file or a folder.
    Path,
    /// A day.
    Date,
    /// A moment; as a number, counted in these thousandths of a second.
    Moment(i64),
    /// A time of day.
    Time,
    /// A length of time, in units of so many thousandths of a second; 0 is ISO 8601.
    Length(i64),
    /// A length of time in short: `1h 30m`.
    Spell,
    /// How many at most.
    Count,
    /// Any number.
    Number,
    /// An amount of money; `true` for cents.
    Money(bool),
    /// A currency's code.
    Currency,
    /// A share of a hundred.
    Percent,
    /// Yes or no.
    Flag,
    /// One of a list.
    Choice,
    /// Somebody.
    Person,
    /// A time zone.
    Zone,
    /// One emoji, or its name.
    Emoji,
    /// A command line, or its words.
    Command,
    /// A thing made of several values, one after another.
    Records,
    /// Nothing that is read from words.
    Opaque,
}

impl Kind {
    /// Whether a value is a text that is taken as it stands.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Title | Self::Prose | Self::Query)
    }

    /// Whether a value names something that exists.
    pub fn is_reference(self) -> bool {
        matches!(self, Self::Id | Self::Slug | Self::Person)
    }
}

/// The kind of value that a parameter takes.
pub(crate) fn kind(parameter: &Parameter) -> Kind {
    let shape = &parameter.shape;
    let words = name_words(parameter.name());
    let about = parameter.description.to_lowercase();
    if !shape.choices.is_empty() {
        return Kind::Choice;
    }
    // Some servers take `"true"` as well.
    if shape.boolean && (!shape.string || !parameter.list) {
        return Kind::Flag;
    }
    if !shape.fields.is_empty() && !shape.string {
        return if parameter.list {
            Kind::Records
        } else {
            Kind::Opaque
        };
    }
    if !shape.string && !shape.number {
        return Kind::Opaque;
    }
    if shape.number && !shape.string {
        return number_kind(&words, &about, shape);
    }
    // Some servers take their numbers as texts too.
    if shape.number && number_kind(&words, &about, shape) == Kind::Count {
        return Kind::Count;
    }
    text_kind(parameter, &words, &about)
}

fn any(words: &[String], listed: &[&str]) -> bool {
    words.iter().any(|word| listed.contains(&word.as_str()))
}

fn last(words: &[String]) -> &str {
    words.last().map_or("", String::as_str)
}

fn text_kind(parameter: &Parameter, words: &[String], about: &str) -> Kind {
    let name = squeezed(parameter.name());
    match parameter.shape.format.as_deref() {
        Some("email" | "idn-email") => return Kind::Email,
        Some("uri" | "url" | "iri" | "uri-reference") => return Kind::Url,
        Some("date") => return Kind::Date,
        Some("date-time") => return Kind::Moment(0),
        Some("time") => return Kind::Time,
        Some("duration") => return Kind::Length(0),
        Some("uuid") => return Kind::Id,
        _ => {}
    }
    if crate::assign::times::schedules::is_cron(words, about) {
        return Kind::Opaque;
    }
    if crate::assign::times::lookback::shows_spells(about, &parameter.shape.examples, words) {
        return Kind::Spell;
    }
    if about.contains("pt1h") || about.contains("pt5m") || about.contains("pt30m") || about.contains("pt15m")
    {
        return Kind::Length(0);
    }
    address_kind(&name, words, about)
        .or_else(|| time_kind(&parameter.shape, words, about))
        .or_else(|| said_kind(&name, words, about))
        .unwrap_or_else(|| reference_kind(words, about))
}

fn address_kind(name: &str, words: &[String], about: &str) -> Option<Kind> {
    let last = last(words);
    if any(words, &["email", "emails"])
        && !any(words, &["message", "subject", "body", "id", "template", "text"])
    {
        return Some(Kind::Email);
    }
    if matches!(
        name,
        "to" | "cc" | "bcc" | "recipients" | "recipient" | "replyto" | "from" | "sender"
    ) && (about.contains("address") || about.contains("mail") || about.contains("recipient"))
    {
        return Some(Kind::Email);
    }
    if matches!(
        last,
        "url" | "urls" | "uri" | "uris" | "links" | "href" | "link" | "website" | "webhook"
    ) {
        return Some(Kind::Url);
    }
    let paths = [
        "path",
        "paths",
        "filepath",
        "directory",
        "dir",
        "cwd",
        "filename",
        "files",
    ];
    if paths.contains(&last) || name == "workingdirectory" {
        return Some(Kind::Path);
    }
    if matches!(name, "timezone" | "tz" | "sourcetimezone" | "targettimezone") || about.contains("iana time")
    {
        return Some(Kind::Zone);
    }
    if any(words, &["emoji", "reaction"]) && last != "id" {
        return Some(Kind::Emoji);
    }
    if matches!(last, "currency") || name == "currencycode" {
        return Some(Kind::Currency);
    }
    matches!(name, "command" | "cmd" | "commandline").then_some(Kind::Command)
}

/// A day, a moment or a time of day, by what examples, pattern, description and name say.
fn time_kind(shape: &Shape, words: &[String], about: &str) -> Option<Kind> {
    let patterned = shape.pattern.as_deref().and_then(pattern_shape);
    let shown = shape
        .examples
        .first()
        .map(|example| digits_as_nines(example))
        .or(patterned);
    if let Some(shown) = shown.as_deref() {
        if shown == "9999-99-99" {
            return Some(Kind::Date);
        }
        if shown.starts_with("9999-99-99T") || shown.starts_with("9999-99-99 ") {
            return Some(Kind::Moment(0));
        }
        if matches!(shown, "99:99" | "99:99:99") {
            return Some(Kind::Time);
        }
    }
    let says_day = about.contains("yyyy-mm-dd") && !about.contains("hh:mm") && !about.contains("thh");
    let dated = any(words, &["date", "deadline", "day", "birthday"]) || last(words) == "on" || says_day;
    if about.contains("hh:mm") && !about.contains("yyyy") {
        return Some(Kind::Time);
    }
    let of_message = about.contains("message") || any(words, &["thread"]);
    // `a specific date (ISO 8601 format)` of a `since` is a day.
    let of_day = matches!(last(words), "since" | "until" | "after" | "before")
        && about
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == "date")
        && !about.contains("time")
        && !about.contains("thh")
        && !about.contains("hh:mm");
    if of_day {
        return Some(Kind::Date);
    }
    // `from`: `The start of the date range. ISO 8601 date, without the time part`.
    let of_dates = matches!(last(words), "from" | "to" | "start" | "end")
        && ["iso 8601 date", "iso date", "without the time", "without time"]
            .iter()
            .any(|said| about.contains(said))
        && !about.contains("timestamp")
        && !about.contains("datetime")
        && !about.contains("date-time")
        && !about.contains("date and time");
    if of_dates {
        return Some(Kind::Date);
    }
    let moments = ["since", "until", "timestamp", "datetime", "starttime", "endtime"];
    if says_day {
        return Some(Kind::Date);
    }
    let is_moment = about.contains("rfc 3339")
        || about.contains("rfc3339")
        || about.contains("date-time")
        || about.contains("iso 8601 timestamp")
        || about.contains("iso timestamp")
        || about.contains("iso 8601 datetime")
        || (last(words) == "at" && words.len() > 1)
        || any(words, &moments)
        || (last(words) == "time"
            && words.len() > 1
            && any(words, &["start", "end", "begin", "due", "from", "to"]));
    if any(words, &["timestamp", "ts"]) && of_message {
        return Some(Kind::Id);
    }
    if dated && !is_moment {
        return Some(Kind::Date);
    }
    is_moment.then_some(Kind::Moment(0))
}

/// Names of texts that a person wrote.
const PROSE: &str = "text body message content contents comment note notes summary description desc reason resolution purpose instructions prompt caption feedback justification markdown agenda details memo about";

/// Names of people.
const PEOPLE: &str = "person people assignee assignees author traveller traveler guest guests member members attendee attendees reviewer reviewers participant participants owner username colleague requester reporter invitees users";

/// Whether a text is what to look for, under whatever name: `search_key`, `nameFilter`, `contains`, `question`.
fn is_sought(name: &str, words: &[String], about: &str) -> bool {
    const LEADS: &[&str] = &[
        "search query",
        "search term",
        "search string",
        "search text",
        "search phrase",
        "search keyword",
        "text to search",
        "text to find",
        "keyword to search",
        "keywords to search",
        "words to search",
        "query to search",
        "what to search",
        "string to search",
        "query text",
        "user question",
    ];
    let part = [
        "text", "string", "key", "value", "term", "terms", "phrase", "words", "input",
    ];
    let seeks = any(words, &["search", "query", "find"]);
    let compared =
        any(words, &["name", "title"]) && any(words, &["filter", "contains", "search"]) && words.len() < 4;
    let lead = about
        .strip_prefix("the ")
        .or_else(|| about.strip_prefix("optional "))
        .unwrap_or(about);
    let asked = matches!(last(words), "question") || matches!(name, "userquery" | "naturallanguagequery");
    (seeks && part.contains(&last(words)))
        || matches!(name, "containstext" | "texttofind")
        || (last(words) == "contains" && !about.contains("sha") && !about.contains(" id"))
        || (compared && !about.contains("regex"))
        || asked
        || LEADS.iter().any(|said| lead.starts_with(said))
        || (matches!(name, "topic" | "input") && about.contains("research"))
}

/// Kinds of text that the name gives away.
fn said_kind(name: &str, words: &[String], about: &str) -> Option<Kind> {
    let last = last(words);
    if matches!(
        name,
        "replacetext" | "findtext" | "replacement" | "find" | "replace" | "oldtext" | "newtext"
    ) {
        return Some(Kind::Query);
    }
    let headline =
        last == "summary" && (about.contains("title") || about.contains("issue") || about.contains("ticket"));
    if headline {
        return Some(Kind::Title);
    }
    if is_sought(name, words, about) {
        return Some(Kind::Query);
    }
    let told = [
        "plain language",
        "natural language",
        "natural-language",
        "describe",
        "description of",
        "what to do",
    ];
    let task = matches!(
        last,
        "task" | "goal" | "thought" | "instruction" | "objective" | "request"
    ) && (last == "thought" || told.iter().any(|said| about.contains(said)));
    if task || PROSE.split(' ').any(|name| name == last) {
        return Some(Kind::Prose);
    }
    if matches!(
        last,
        "query" | "q" | "search" | "keyword" | "keywords" | "term" | "terms" | "phrase"
    ) {
        return Some(Kind::Query);
    }
    if matches!(last, "title" | "subject" | "heading" | "headline")
        || matches!(name, "newname" | "displayname" | "fullname")
    {
        return Some(Kind::Title);
    }
    if last == "name"
        && (words.len() == 1 || any(words, &["new", "display", "full"]))
        && !any(words, &["user"])
    {
        return Some(Kind::Title);
    }
    (PEOPLE.split(' ').any(|name| name == last) || about.contains("first name")).then_some(Kind::Person)
}

fn reference_kind(words: &[String], about: &str) -> Kind {
    let ends = [
        "id", "ids", "uid", "uids", "gid", "uuid", "guid", "number", "iid", "sha", "hash", "ts", "token",
    ];
    if ends.contains(&last(words)) {
        return Kind::Id;
    }
    let first = about.split('.').next().unwrap_or_default();
    let by_id = first
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| matches!(word, "id" | "ids" | "uuid" | "uuids"));
    if by_id && !first.contains("name") && !first.contains("slug") {
        return Kind::Id;
    }
    Kind::Slug
}

/// A text with every digit as 9, for comparing how values are written.
pub(crate) fn digits_as_nines(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_ascii_digit() { '9' } else { c })
        .collect()
}

/// What a plain pattern of digits demands: `^\d{4}-\d{2}$` is `9999-99`. `None` for all other patterns.
pub(crate) fn pattern_shape(pattern: &str) -> Option<String> {
    let mut rest = pattern.strip_prefix('^')?.strip_suffix('$')?;
    let mut shape = String::new();
    while let Some(c) = rest.chars().next() {
        let digit = rest.strip_prefix("\\d").or_else(|| rest.strip_prefix("[0-9]"));
        if let Some(after) = digit {
            rest = after;
            let mut times = 1_usize;
            if let Some(counted) = rest.strip_prefix('{') {
                let (count, after) = counted.split_once('}')?;
                times = count.parse().ok().filter(|times| *times <= 20)?;
                rest = after;
            }
            shape.extend(std::iter::repeat_n('9', times));
            continue;
        }
        if let Some(after) = rest.strip_prefix("\\.").or_else(|| rest.strip_prefix("\\-")) {
            shape.push(if rest.starts_with("\\.") { '.' } else { '-' });
            rest = after;
            continue;
        }
        if !(c.is_ascii_alphanumeric() || "-:/ ".contains(c)) {
            return None;
        }
        shape.push(c);
        rest = rest.get(c.len_utf8()..)?;
    }
    Some(shape)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::schema::parameters;

    fn of(name: &str, schema: &Value) -> Kind {
        let read = parameters(&json!({"type": "object", "properties": {name: schema}}));
        read.first().map_or(Kind::Opaque, kind)
    }

    /// P19: names, descriptions and formats tell what fits.
    #[test]
    fn p19_kinds_are_told_by_what_servers_write() {
        let text = |about: &str| json!({"type": "string", "description": about});
        let whole = |about: &str| json!({"type": "integer", "description": about});
        for (name, schema, expected) in [
            ("invoice_id", text("The invoice"), Kind::Id),
            ("projectKey", text(""), Kind::Slug),
            ("email", text("E-mail address"), Kind::Email),
            (
                "to",
                json!({"type": "array", "items": {"type": "string"}, "description": "Addresses to write to"}),
                Kind::Email,
            ),
            ("fileUrl", text("URL of the file"), Kind::Url),
            ("due_on", text("Due date in YYYY-MM-DD format"), Kind::Date),
            (
                "starts_at",
                json!({"type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$"}),
                Kind::Moment(0),
            ),
            ("time", text("Time in 24-hour format (HH:MM)"), Kind::Time),
            ("thread_ts", text("The timestamp of the parent message"), Kind::Id),
            ("limit", whole("How many to give back at most"), Kind::Count),
            ("per_page", json!({"type": "number"}), Kind::Count),
            (
                "amount",
                json!({"type": "number", "description": "How much, in euros"}),
                Kind::Money(false),
            ),
            ("amount", whole("Amount in cents"), Kind::Money(true)),
            ("due_in_days", whole("Days to pay"), Kind::Length(86_400_000)),
            ("timeout", whole("Timeout in ms"), Kind::Length(1)),
            ("percent", whole("How many in a hundred"), Kind::Percent),
            ("issue_number", json!({"type": "number"}), Kind::Id),
            (
                "epic",
                json!({"type": ["number", "null"], "description": "Epic ID (null to unset)"}),
                Kind::Number,
            ),
            ("created", whole("Unix time in seconds"), Kind::Moment(1_000)),
            ("draft", json!({"type": "boolean"}), Kind::Flag),
            ("state", json!({"enum": ["open", "closed"]}), Kind::Choice),
            ("body", text("The body text"), Kind::Prose),
            ("title", text(""), Kind::Title),
            ("query", text("Words"), Kind::Query),
            ("assignee", text("Who works on it"), Kind::Person),
            ("branch", text("The branch"), Kind::Slug),
        ] {
            assert_eq!(of(name, &schema), expected, "{name}: {schema}");
        }
    }

    #[test]
    fn plain_patterns_show_their_shape() {
        for (pattern, shape) in [
            ("^\\d{4}-\\d{2}-\\d{2}$", Some("9999-99-99")),
            ("^[0-9]{2}:[0-9]{2}$", Some("99:99")),
            ("^(today|x)$", None),
            ("\\d+", None),
        ] {
            assert_eq!(pattern_shape(pattern).as_deref(), shape, "{pattern}");
        }
    }
}
