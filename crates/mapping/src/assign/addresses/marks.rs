//! Which values say by their own spelling what they are: an ARN, a bucket's address, a region, an IP address?
//!
//! Such a value goes to the parameter that takes its form, whatever words stand around it, and a parameter that
//! takes one form takes nothing else.

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::meaning::Meaning;
use crate::words::name_words;

/// A spelling that leaves no doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `arn:aws:iam::123456789012:user/kofi`
    Arn,
    /// `s3://bucket/prefix`, `gs://bucket`
    Store,
    /// `eu-west-1`, `europe-west4`, `us-central1-a`
    Region,
    /// `203.0.113.17`, `10.0.0.0/16`
    Network,
    /// `com.example.shop`
    Package,
    /// `gcr.io/shop/web:12`, `postgres:16-alpine`
    Image,
    /// `projects/shop-prod`, `organizations/12/locations/eu`
    Resource,
}

const FORMS: &[Form] = &[
    Form::Arn,
    Form::Store,
    Form::Region,
    Form::Network,
    Form::Package,
    Form::Image,
    Form::Resource,
];

/// Containers that names of resources begin with.
const CONTAINERS: &[&str] = &[
    "projects",
    "organizations",
    "folders",
    "billingAccounts",
    "spaces",
];

impl Form {
    /// Whether a word is spelled so.
    pub fn fits(self, word: &str) -> bool {
        match self {
            Self::Arn => word.starts_with("arn:") && word.matches(':').count() >= 5,
            Self::Store => ["s3://", "s3a://", "gs://", "abfss://", "wasbs://", "hdfs://"]
                .iter()
                .any(|scheme| word.len() > scheme.len() && word.starts_with(scheme)),
            Self::Region => is_region(word),
            Self::Network => is_network(word),
            Self::Package => is_package(word),
            Self::Image => is_image(word),
            Self::Resource => word.split_once('/').is_some_and(|(head, rest)| {
                CONTAINERS.contains(&head) && !rest.is_empty() && !rest.starts_with('/')
            }),
        }
    }

    /// Whether a parameter takes values of this form.
    fn is_taken_by(self, meaning: &Meaning) -> bool {
        let words = name_words(meaning.parameter.name());
        let about = meaning.parameter.description.as_str();
        let lower = about.to_lowercase();
        let has = |listed: &[&str]| words.iter().any(|word| listed.contains(&word.as_str()));
        let says = |said: &str| {
            lower
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| word == said)
        };
        let shows = |sign: &str| {
            lower.contains(sign)
                || meaning
                    .parameter
                    .shape
                    .examples
                    .iter()
                    .any(|example| example.starts_with(sign))
        };
        match self {
            Self::Arn => has(&["arn", "arns"]) || says("arn") || says("arns") || shows("arn:"),
            Self::Store => {
                shows("s3://")
                    || shows("gs://")
                    || has(&["s3", "gcs"])
                    || (has(&["uri", "uris", "location"]) && (says("s3") || lower.contains("cloud storage")))
            }
            Self::Region => has(&["region", "regions", "location", "zone"]) && !has(&["time", "id"]),
            Self::Network => {
                (has(&["ip", "ips", "cidr", "ipv4"]) || says("ip") || says("cidr")) && !has(&["id", "name"])
            }
            Self::Package => {
                (has(&["package", "bundle"]) || says("bundle") || lower.contains("package name"))
                    && (has(&["id", "name", "identifier", "package", "app"]))
            }
            Self::Image => has(&["image"]) && (says("container") || says("docker") || says("registry")),
            Self::Resource => CONTAINERS.iter().any(|container| {
                let head = format!("{container}/");
                lower.contains(&head.to_lowercase()) && (shows(&head) || !has(&["filter", "query", "order"]))
            }),
        }
    }

    /// Whether a parameter takes values of this form and no others.
    fn is_demanded_by(self, meaning: &Meaning) -> bool {
        let words = name_words(meaning.parameter.name());
        let named = |listed: &[&str]| words.iter().any(|word| listed.contains(&word.as_str()));
        match self {
            Self::Arn => named(&["arn", "arns"]),
            Self::Store => named(&["s3"]) && named(&["uri", "uris", "location", "url"]),
            Self::Network => named(&["ip", "cidr"]) && named(&["address", "addresses", "block", "cidr"]),
            Self::Image => self.is_taken_by(meaning) && meaning.kind == crate::kind::Kind::Url,
            _ => false,
        }
    }
}

/// The form that a word has, where it leaves no doubt what it is.
pub(crate) fn form(word: &str) -> Option<Form> {
    FORMS.iter().copied().find(|form| form.fits(word))
}

/// Whether a word cannot be the value of a parameter: it is not spelled as all of that parameter's values are.
pub(crate) fn is_misspelled(meaning: &Meaning, value: &Value) -> bool {
    let Some(word) = value.as_str() else { return false };
    FORMS
        .iter()
        .any(|form| form.is_demanded_by(meaning) && !form.fits(word))
}

/// Whether a word is spelled as something that a parameter does not take: an ARN is no name.
pub(crate) fn is_of_other_form(meaning: &Meaning, word: &str) -> bool {
    form(word).is_some_and(|form| {
        matches!(
            form,
            Form::Arn | Form::Store | Form::Region | Form::Package | Form::Network
        ) && !form.is_taken_by(meaning)
    })
}

/// Whether a parameter takes a container's image.
pub(crate) fn takes_image(meaning: &Meaning) -> bool {
    Form::Image.is_taken_by(meaning)
}

/// Values with a form of their own, for the parameters that take it.
pub(crate) fn marks(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        let shape = &meaning.parameter.shape;
        if !shape.string || !shape.choices.is_empty() || meaning.kind.is_text() {
            continue;
        }
        for form in FORMS.iter().filter(|form| form.is_taken_by(meaning)) {
            candidates.extend(of_form(asked, parameter, meaning, *form));
        }
    }
    candidates
}

fn of_form(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, form: Form) -> Vec<Candidate> {
    let places: Vec<usize> = (0..asked.tokens.len())
        .filter(|at| {
            asked.token(*at).is_some_and(|token| {
                form.fits(token.text) && !asked.is_opaque(&token.range) && !asked.is_ruled_out(*at)
            })
        })
        .collect();
    let (Some(first), Some(last)) = (places.first(), places.last()) else {
        return Vec::new();
    };
    let word = |at: &usize| asked.token(*at).map(|token| Value::String(token.text.to_owned()));
    if meaning.parameter.list {
        let rivals = takers(asked, form).filter(|other| *other != parameter).count();
        let score = if rivals == 0 { 0.9 } else { 0.72 };
        let range = asked.bytes(*first, last + 1);
        let joined = last - first < 2 * places.len();
        return range
            .filter(|_| joined)
            .map(|range| {
                let values = places.iter().filter_map(word).collect();
                asked.candidate(parameter, Value::Array(values), range, score)
            })
            .into_iter()
            .collect();
    }
    places
        .iter()
        .filter_map(|at| {
            let score = mark_score(asked, parameter, form, *at, places.len())?;
            let range = asked.token(*at)?.range.clone();
            let mut candidate = asked.candidate(parameter, word(at)?, range, score);
            // One address is a range of one: its start and its end.
            candidate.taking = !(form == Form::Network && places.len() == 1 && is_bound(meaning));
            Some(candidate)
        })
        .collect()
}

/// Whether a parameter is one end of a range that is needed.
fn is_bound(meaning: &Meaning) -> bool {
    let words = name_words(meaning.parameter.name());
    meaning.is_required()
        && words
            .iter()
            .any(|word| matches!(word.as_str(), "start" | "end" | "from" | "to" | "first" | "last"))
}

/// The parameters that take a form.
fn takers<'a>(asked: &'a Asked<'_>, form: Form) -> impl Iterator<Item = usize> + 'a {
    asked
        .meanings
        .iter()
        .enumerate()
        .filter(move |(_, other)| form.is_taken_by(other))
        .map(|(at, _)| at)
}

fn mark_score(asked: &Asked<'_>, parameter: usize, form: Form, at: usize, places: usize) -> Option<f32> {
    let named = |parameter: usize| {
        asked
            .hits_of(parameter)
            .any(|hit| hit.weight > 0.76 && asked.value_start(hit).is_some_and(|(start, _)| start == at))
    };
    if named(parameter) {
        return Some(0.96);
    }
    if takers(asked, form).any(|other| other != parameter && named(other)) {
        return None;
    }
    // `project`, `bucket`: the noun before a value that is another parameter's.
    if form != Form::Arn && asked.is_claimed(at, parameter, 2) {
        return None;
    }
    let meaning = asked.meanings.get(parameter)?;
    let demanded = takers(asked, form)
        .filter_map(|other| asked.meanings.get(other))
        .any(Meaning::is_required);
    Some(match (places, meaning.is_required()) {
        (1, true) => 0.92,
        (1, false) if !demanded => 0.9,
        (1, false) => 0.72,
        _ => 0.66,
    })
}

const AREAS: &[&str] = &[
    "central",
    "north",
    "south",
    "east",
    "west",
    "northeast",
    "northwest",
    "southeast",
    "southwest",
];

fn is_region(word: &str) -> bool {
    const LANDS: &[&str] = &[
        "us",
        "eu",
        "ap",
        "sa",
        "ca",
        "me",
        "af",
        "il",
        "mx",
        "cn",
        "europe",
        "asia",
        "australia",
        "northamerica",
        "southamerica",
        "africa",
    ];
    let parts: Vec<&str> = word.split('-').collect();
    let Some(land) = parts.first().filter(|land| LANDS.contains(land)) else {
        return false;
    };
    let _ = land;
    let rest = parts.get(1..).unwrap_or_default();
    let digit = |part: &str| part.len() == 1 && part.chars().all(|c| c.is_ascii_digit());
    let numbered = |part: &str| {
        let area = part.trim_end_matches(|c: char| c.is_ascii_digit());
        area.len() < part.len() && AREAS.contains(&area)
    };
    match rest {
        [area, number] if AREAS.contains(area) => {
            digit(number.trim_end_matches(|c: char| ('a'..='f').contains(&c)))
        }
        ["gov", area, number] => AREAS.contains(area) && digit(number),
        [area] => numbered(area),
        [area, zone] => numbered(area) && zone.len() == 1 && zone.chars().all(|c| c.is_ascii_lowercase()),
        _ => false,
    }
}

fn is_network(word: &str) -> bool {
    let (address, mask) = word.split_once('/').unwrap_or((word, "0"));
    let parts: Vec<&str> = address.split('.').collect();
    parts.len() == 4
        && parts
            .iter()
            .all(|part| part.len() < 4 && part.parse::<u8>().is_ok())
        && mask.parse::<u8>().is_ok_and(|mask| mask <= 32)
}

fn is_package(word: &str) -> bool {
    const HEADS: &[&str] = &[
        "com", "org", "net", "io", "de", "app", "dev", "co", "fr", "uk", "edu", "me",
    ];
    let parts: Vec<&str> = word.split('.').collect();
    let plain = |part: &&str| {
        part.chars().next().is_some_and(char::is_alphabetic)
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
    };
    parts.len() >= 3 && parts.first().is_some_and(|head| HEADS.contains(head)) && parts.iter().all(plain)
}

fn is_image(word: &str) -> bool {
    let Some((name, tag)) = word.rsplit_once(':').or_else(|| word.split_once("@sha256")) else {
        let host = word.split('/').next().unwrap_or_default();
        return word.contains('/') && host.contains('.') && !word.contains(':') && !host.starts_with('.');
    };
    let spelled = |part: &str, signs: &str| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || signs.contains(c))
    };
    spelled(name, "./-_:@") && spelled(tag, "._-") && !name.starts_with('/') && !name.contains("//")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::assign::rows;

    #[test]
    fn spellings_are_told() {
        for (word, expected) in [
            ("arn:aws:iam::123456789012:user/kofi", Some(Form::Arn)),
            ("s3://acme/cache/", Some(Form::Store)),
            ("gs://acme", Some(Form::Store)),
            ("eu-central-1", Some(Form::Region)),
            ("us-gov-west-1", Some(Form::Region)),
            ("us-east-1b", Some(Form::Region)),
            ("europe-west4", Some(Form::Region)),
            ("us-central1-a", Some(Form::Region)),
            ("203.0.113.17", Some(Form::Network)),
            ("10.0.0.0/16", Some(Form::Network)),
            ("com.android.settings", Some(Form::Package)),
            ("gcr.io/shop/web:12", Some(Form::Image)),
            ("postgres:16-alpine", Some(Form::Image)),
            ("projects/shop-prod", Some(Form::Resource)),
            ("S3", None),
            ("aks-west", None),
            ("prod-eu", None),
            ("eu-shop-1", None),
            ("1.2.3", None),
            ("1.2.3.400", None),
            ("index.html", None),
            ("acme/web", None),
        ] {
            assert_eq!(form(word), expected, "{word}");
        }
    }

    fn read(text: &str, words: &str, properties: &Value, required: &[&str]) -> Value {
        let schema = json!({"type": "object", "properties": properties, "required": required});
        rows::read(text, words, &schema)
    }

    /// P19: a value goes where its own spelling belongs, and an ARN's place takes nothing else.
    #[test]
    fn p19_spelling_decides() {
        let text = |about: &str| json!({"type": "string", "description": about});
        let bucket =
            json!({"table_bucket_arn": text("Table bucket ARN"), "namespace": text("The namespace")});
        let alarms = json!({"region": text("AWS region to query."), "profile_name": text("Profile to use")});
        let app = json!({"device": text("The device identifier to use."), "packageName": text("The package name of the app")});
        let sinks = json!({"parent": text("The parent resource: \"projects/[PROJECT_ID]\" or \"folders/[FOLDER_ID]\"")});
        let image = json!({"imageUrl": text("The URL of the container image to deploy (e.g. \"gcr.io/x/hello\")"), "project": text("Project ID")});
        for (request, words, properties, required, expected) in [
            (
                "Create namespace web_logs in arn:aws:s3tables:eu-west-1:123456789012:bucket/lake",
                "create_namespace Creates a namespace",
                &bucket,
                &["table_bucket_arn", "namespace"][..],
                json!({"table_bucket_arn": "arn:aws:s3tables:eu-west-1:123456789012:bucket/lake", "namespace": "web_logs"}),
            ),
            (
                "Create the S3 namespace web_logs",
                "create_namespace Creates a namespace",
                &bucket,
                &["table_bucket_arn", "namespace"],
                json!({"namespace": "web_logs"}),
            ),
            (
                "Which alarms are on in eu-central-1?",
                "get_alarms Gets alarms",
                &alarms,
                &[],
                json!({"region": "eu-central-1"}),
            ),
            (
                "Which alarms are on in staging-eu?",
                "get_alarms Gets alarms",
                &alarms,
                &[],
                json!({}),
            ),
            (
                "Launch com.android.settings on emulator-5554",
                "launch_app Launch an app on a device",
                &app,
                &["device", "packageName"],
                json!({"device": "emulator-5554", "packageName": "com.android.settings"}),
            ),
            (
                "Which sinks are there in projects/acme-data?",
                "list_sinks Lists log sinks",
                &sinks,
                &["parent"],
                json!({"parent": "projects/acme-data"}),
            ),
            (
                "Deploy gcr.io/shop/web:12 to project shop-1.",
                "deploy_image Deploys a container image",
                &image,
                &["imageUrl", "project"],
                json!({"imageUrl": "gcr.io/shop/web:12", "project": "shop-1"}),
            ),
        ] {
            assert_eq!(read(request, words, properties, required), expected, "{request}");
        }
    }
}
