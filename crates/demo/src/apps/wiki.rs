//! What has the company written down for itself?

use serde_json::json;

use super::CALLER;
use crate::answer::Outcome;
use crate::app::{App, app};
use crate::arguments::Args;
use crate::refusal::{Refusal, ensure};
use crate::schema::{choices, record};
use crate::table::include;
use crate::tool::Effect::{Adds, Removes, Sets};

/// Longest page, in bytes.
const PAGE_MAX: usize = 16_000;

record! {
    /// A page as it stands.
    Page = "page", "pages", "PAGE-" {
        /// Page id
        id: String,
        /// Title
        title: String,
        /// Part of the wiki it belongs to
        space: Space,
        /// What it says, in Markdown
        text: String,
        /// Words to find it by
        tags: Vec<String>,
        /// How many times it was saved
        version: i64,
        /// Who saved it last
        author: String,
        /// When
        saved_at: String,
    }
}

record! {
    /// A page as it once stood.
    Revision = "revision", "revisions", "REV-" {
        /// Revision id
        id: String,
        /// Of which page
        page_id: String,
        /// Which version of it
        version: i64,
        /// What it said
        text: String,
        /// Who saved it
        author: String,
        /// When
        saved_at: String,
    }
}

choices! {
    /// Part of the wiki.
    Space { Handbook = "handbook", Engineering = "engineering", Support = "support", Sales = "sales" }
}

app! {
    /// Pages and what they once said.
    Wiki = "wiki" of pages: Page, revisions: Revision;
    words: Space;
    tools: reading, writing, tidying;
}

fn reading(app: App<Wiki>) -> App<Wiki> {
    app.reads("list_pages", |wiki, args| wiki.pages.list(args))
        .reads("search_wiki", |wiki, args| wiki.pages.list(args))
        .reads("read_page", |wiki, args| {
            wiki.pages.show(args.get("page_id")?, |page| {
                format!("# {}\n\n{}", page.title, page.text)
            })
        })
        .reads("list_revisions", |wiki, args| {
            wiki.pages.get(args.get("page_id")?)?;
            wiki.revisions.list(args)
        })
}

fn writing(app: App<Wiki>) -> App<Wiki> {
    app.changes(Adds, "create_page", |wiki, args| {
        let rest = json!({"tags": [], "version": 1, "author": CALLER, "saved_at": args.now()});
        wiki.pages
            .create(args, rest, |page| format!("{} is {}", page.title, page.id))
    })
    .changes(Adds, "edit_page", |wiki, args| {
        save(wiki, args, args.get("text")?)
    })
    .changes(Adds, "append_to_page", |wiki, args| {
        let page = wiki.pages.get(args.get("page_id")?)?;
        let text = format!("{}\n\n{}", page.text, args.get::<&str>("text")?);
        save(wiki, args, text)
    })
    .changes(Adds, "restore_revision", |wiki, args| {
        let (page_id, version): (&str, i64) = (args.get("page_id")?, args.get("version")?);
        wiki.pages.get(page_id)?;
        let revisions = wiki.revisions.iter();
        let mut revisions = revisions.filter(|revision| revision.page_id == page_id);
        let Some(revision) = revisions.find(|revision| revision.version == version) else {
            let text = format!("{page_id} has no earlier version {version}; list_revisions names them");
            return Err(Refusal::new(text));
        };
        let text = revision.text.clone();
        save(wiki, args, text)
    })
}

fn tidying(app: App<Wiki>) -> App<Wiki> {
    app.changes(Sets, "tag_page", |wiki, args| {
        wiki.pages.update(args.get("page_id")?, |page| {
            for tag in args.get::<Vec<String>>("tags")? {
                include(&mut page.tags, tag, "tags")?;
            }
            Ok(format!("{} is tagged {}", page.title, page.tags.join(", ")))
        })
    })
    .changes(Sets, "move_page", |wiki, args| {
        wiki.pages.update(args.get("page_id")?, |page| {
            page.space = args.get("space")?;
            Ok(format!("{} is in {}", page.title, page.space))
        })
    })
    .changes(Removes, "delete_page", |wiki, args| {
        wiki.pages.discard(args.get("page_id")?, |page| {
            let of_page = |revision: &Revision| revision.page_id == page.id;
            let lost = wiki.revisions.remove_where(of_page);
            Ok(format!("deleted {} and {lost} revisions", page.title))
        })
    })
}

/// Saves a new text on the page the call names, and keeps the old one as a revision.
fn save(wiki: &mut Wiki, args: &Args, text: String) -> Outcome<Page> {
    let size = text.len();
    ensure!(
        size <= PAGE_MAX,
        "the page would have {size} bytes; {PAGE_MAX} are the most"
    );
    wiki.pages.update(args.get("page_id")?, |page| {
        let Page {
            id,
            version,
            text: before,
            author,
            saved_at,
            ..
        } = &page;
        let rest = json!({
            "page_id": id, "version": version, "text": before, "author": author, "saved_at": saved_at,
        });
        wiki.revisions.insert(args, rest)?;
        page.text = text;
        page.author = CALLER.into();
        page.saved_at = args.now().into();
        page.version += 1;
        Ok(format!("{} is at version {}", page.title, page.version))
    })
}
