//! Do the crates keep to the directions and the purity that ARCHITECTURE.md promises?

use crate::files;

/// The layers from the ground up. A crate may depend on crates of lower layers only.
const LAYERS: [&[&str]; 6] = [
    &["domain", "protocol"],
    &["access", "evaluation", "presentation", "selection"],
    &[
        "conversation",
        "demo",
        "inference",
        "lint",
        "mapping",
        "store",
        "upstream",
    ],
    &["operations"],
    &["front-mcp", "front-rest", "front-portal"],
    &["server"],
];

/// Crates without a clock, a network, a disk or chance.
const PURE: [&str; 9] = [
    "access",
    "conversation",
    "domain",
    "evaluation",
    "lint",
    "mapping",
    "presentation",
    "protocol",
    "selection",
];

/// Dependencies that a pure crate may not have, tests apart.
const IMPURE_CRATES: [&str; 9] = [
    "axum",
    "hyper",
    "rand",
    "reqwest",
    "rustix",
    "sqlx",
    "tokio",
    "tower-http",
    "uuid",
];

/// What a pure crate may not mention, tests apart.
const IMPURE_WORDS: [&str; 9] = [
    "Instant::now",
    "SystemTime",
    "std::env",
    "std::fs",
    "std::net",
    "std::process",
    "std::time::Instant",
    "thread::sleep",
    "thread::spawn",
];

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&name))
}

/// The crates by folder name, each with the names of its dependencies, those of its tests apart.
fn crates() -> Vec<(String, Vec<String>)> {
    files::with_endings(&["Cargo.toml"])
        .iter()
        .filter(|path| path.starts_with("crates"))
        .filter_map(|path| {
            let name = path.components().nth(1)?.as_os_str().to_str()?.to_owned();
            let manifest: toml::Table = files::read(path).parse().ok()?;
            let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
            Some((
                name,
                dependencies
                    .into_iter()
                    .flatten()
                    .map(|(key, _)| key.clone())
                    .collect(),
            ))
        })
        .collect()
}

/// Dependencies on a crate of the same or a higher layer, and crates that have no layer yet.
pub fn directions() -> Vec<String> {
    let mut found = Vec::new();
    for (name, dependencies) in crates().into_iter().filter(|(name, _)| name != "testkit") {
        let Some(own) = layer(&name) else {
            found.push(format!(
                "crates/{name} has no layer: give it one in xtask/src/tidy/architecture.rs"
            ));
            continue;
        };
        for other in dependencies
            .iter()
            .filter_map(|name| name.strip_prefix("handpick-"))
        {
            if layer(other).is_none_or(|layer| layer >= own) {
                found.push(format!("crates/{name} depends on {other}, which is not below it"));
            }
        }
    }
    found
}

/// Pure crates that depend on, or mention, what does input or output.
pub fn purity() -> Vec<String> {
    let mut found = Vec::new();
    for (name, dependencies) in crates()
        .into_iter()
        .filter(|(name, _)| PURE.contains(&name.as_str()))
    {
        let impure = dependencies
            .iter()
            .filter(|name| IMPURE_CRATES.contains(&name.as_str()));
        found.extend(impure.map(|dependency| format!("crates/{name} depends on {dependency}")));
    }
    for path in files::with_endings(&[".rs"]) {
        let pure = PURE
            .iter()
            .any(|name| path.starts_with(format!("crates/{name}/src")));
        if !pure || files::is_test_file(&path) {
            continue;
        }
        let text = files::read(&path);
        for (number, line) in files::without_tests(&text).lines().enumerate() {
            let code = line.split("//").next().unwrap_or(line);
            if let Some(word) = IMPURE_WORDS.iter().find(|word| code.contains(*word)) {
                found.push(format!("{}:{}: {word}", path.display(), number + 1));
            }
        }
    }
    found
}
