//! Which tools, which requests?

use std::path::{Path, PathBuf};

use handpick_evaluation::Query;
use handpick_evaluation::labelled::{self, Unknown};

use super::names::Names;
use crate::args::EvalArgs;
use crate::commands::catalog_file;
use crate::settings::listing::Listing;
use crate::settings::resolve::read_file;
use crate::terminal::{Paint, note, shorten};

/// Where a set lies.
pub struct Source {
    /// Its name.
    pub name: String,
    /// Its tools.
    pub catalog: PathBuf,
    /// Its requests.
    pub queries: PathBuf,
}

/// A set, ready to be asked.
pub struct Set {
    /// Its name.
    pub name: String,
    /// Its tools.
    pub listing: Listing,
    /// How they are called.
    pub names: Names,
    /// What is asked, labels spelled as the tools are.
    pub queries: Vec<Query>,
}

/// The sets that were asked for.
pub fn sources(args: &EvalArgs) -> Vec<Source> {
    if let (Some(catalog), Some(queries)) = (&args.catalog, &args.queries) {
        return vec![Source {
            name: name_of(queries, "queries"),
            catalog: catalog.clone(),
            queries: queries.clone(),
        }];
    }
    let of_folder = |folder: &PathBuf| {
        let queries = folder.join("queries.jsonl");
        Source {
            name: name_of(&queries, "queries"),
            catalog: folder.join("tools.jsonl"),
            queries,
        }
    };
    args.sets.iter().map(of_folder).collect()
}

/// What a file is about: its name, or that of its folder where the file's own says nothing.
fn name_of(file: &Path, says_nothing: &str) -> String {
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let stem = part(file.file_stem());
    if stem != says_nothing {
        return stem;
    }
    let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let folder = part(whole.parent().and_then(Path::file_name));
    if folder.is_empty() { stem } else { folder }
}

/// Reads a set, at most `limit` requests of it, and tells of labels that mean no tool.
pub fn read(source: &Source, limit: Option<usize>) -> anyhow::Result<Set> {
    let text = read_file(&source.queries)?;
    let mut queries = labelled::read(&text).map_err(|mistake| source.mistake(&mistake))?;
    let listing = catalog_file::read(&source.catalog)?;
    let names = Names::of(&listing);
    let unknown = labelled::resolve(&mut queries, |label| names.meant(label));
    tell_unknown(source, &unknown, &names, queries.len());
    let twice = listing.names.len() - listing.catalog.tools().len() - listing.catalog.reserved().len();
    if twice > 0 {
        warn(&format!(
            "{}: {twice} tools have the name of an earlier one and are left out",
            source.catalog.display()
        ));
    }
    if let Some(limit) = limit {
        queries = labelled::thinned(queries, limit);
    }
    Ok(Set {
        name: source.name.clone(),
        listing,
        names,
        queries,
    })
}

fn tell_unknown(source: &Source, unknown: &Unknown, names: &Names, total: usize) {
    let Some((name, id)) = &unknown.example else {
        return;
    };
    let why = if names.is_ambiguous(name) {
        "which several tools have: say `app.tool`"
    } else {
        "which no tool of the catalog has"
    };
    warn(&format!(
        "{}: names in `relevant` or `also_accept` that mean no tool: {}, in {} of {total} requests, such as `{}` \
         in `{id}`, {why}; they count as never found",
        source.queries.display(),
        unknown.names,
        unknown.queries,
        shorten(name, 80),
    ));
}

fn warn(text: &str) {
    note(format!("{} {text}", Paint::for_stderr().yellow("warning:")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_named_after_what_says_something() {
        for (file, expected) in [
            ("sets/shop/queries.jsonl", "shop"),
            ("sets/shop/asked.jsonl", "asked"),
            ("/queries.jsonl", "queries"),
        ] {
            assert_eq!(name_of(Path::new(file), "queries"), expected, "{file}");
        }
    }
}
