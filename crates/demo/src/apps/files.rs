//! What can be done with the files of the company?

use serde_json::{Value, json};

use super::CALLER;
use crate::answer::{Answer, listing};
use crate::app::{App, app};
use crate::refusal::Refusal;
use crate::schema::record;
use crate::table::include;
use crate::tool::Effect::{Adds, Removes, Sets};

record! {
    /// What is known about a file besides its content.
    File = "file", "files", "FILE-" {
        /// File id
        id: String,
        /// Folders and name
        path: String,
        /// MIME type
        mime_type: String,
        /// Size in bytes
        size: i64,
        /// Whose it is
        owner: String,
        /// Who else may open it
        shared_with: Vec<String>,
        /// When it was last changed
        modified_at: String,
    }
}

record! {
    /// What stands in a file.
    Content = "content", "contents", "" {
        /// File id
        file_id: String,
        /// The text
        text: String,
    }
}

app! {
    /// Files, and apart from them what they contain.
    Files = "files" of files: File, contents: Content;
    tools: reading, writing, sharing;
}

fn reading(app: App<Files>) -> App<Files> {
    app.reads("list_files", |drive, args| {
        let folder: Option<&str> = args.get("folder")?;
        let inside = |file: &&File| folder.is_none_or(|folder| file.path.starts_with(folder));
        listing(drive.files.matching(args).filter(inside), args)
    })
    .reads("search_files", |drive, args| {
        let inside: Vec<&str> = drive
            .contents
            .matching(args)
            .map(|content| content.file_id.as_str())
            .collect();
        let named: Vec<&str> = drive.files.matching(args).map(|file| file.id.as_str()).collect();
        let found = |file: &&File| inside.contains(&file.id.as_str()) || named.contains(&file.id.as_str());
        listing(drive.files.iter().rev().filter(found), args)
    })
    .reads("read_file", |drive, args| {
        let file = drive.files.get(args.get("file_id")?)?;
        let content = drive.contents.get(&file.id)?;
        let resource = json!({"uri": file.uri(), "mimeType": file.mime_type, "text": content.text});
        let answer = Answer::new(format!("{}, {} bytes", file.path, file.size), content.clone());
        Ok(answer.with_block(json!({"type": "resource", "resource": resource})))
    })
    .reads("get_file_link", |drive, args| {
        let file = drive.files.get(args.get("file_id")?)?;
        Ok(Answer::new(format!("{} is at {}", file.path, file.uri()), file.clone()).with_block(file.link()))
    })
}

fn writing(app: App<Files>) -> App<Files> {
    app.changes(Adds, "create_file", |drive, args| {
        let (path, text): (&str, &str) = (args.get("path")?, args.get("text")?);
        drive.check_free(path, None)?;
        let rest = json!({
            "mime_type": mime_type(path), "size": text.len(), "owner": CALLER, "shared_with": [],
            "modified_at": args.now(),
        });
        let file = drive.files.insert(args, rest)?;
        drive.contents.insert(args, json!({"file_id": file.id}))?;
        Ok(Answer::new(format!("saved {} as {}", file.path, file.id), file))
    })
    .changes(Removes, "overwrite_file", |drive, args| {
        let text: String = args.get("text")?;
        let size = text.len() as i64;
        drive.contents.get_mut(args.get("file_id")?)?.text = text;
        drive.files.update(args.get("file_id")?, |file| {
            file.size = size;
            args.now().clone_into(&mut file.modified_at);
            Ok(format!("{} has {size} bytes now", file.path))
        })
    })
    .changes(Sets, "move_file", |drive, args| {
        let path: String = args.get("path")?;
        drive.check_free(&path, args.get("file_id")?)?;
        drive.files.update(args.get("file_id")?, |file| {
            file.path = path;
            Ok(format!("{} is now at {}", file.id, file.path))
        })
    })
    .changes(Removes, "delete_file", |drive, args| {
        let file = drive.files.remove(args.get("file_id")?)?;
        drive.contents.remove(&file.id)?;
        Ok(Answer::new(format!("deleted {}", file.path), ()))
    })
}

fn sharing(app: App<Files>) -> App<Files> {
    app.changes(Sets, "share_file", |drive, args| {
        let person: String = args.get("person")?;
        drive.files.update(args.get("file_id")?, |file| {
            include(&mut file.shared_with, person, "people on this file")?;
            let people = file.shared_with.join(", ");
            Ok(format!("{} is shared with {people}", file.path))
        })
    })
    .changes(Removes, "unshare_file", |drive, args| {
        let person: &str = args.get("person")?;
        drive.files.update(args.get("file_id")?, |file| {
            if !file.shared_with.iter().any(|known| known == person) {
                let known = file.shared_with.iter().map(String::as_str);
                return Err(Refusal::unknown("person this file is shared with", person, known));
            }
            file.shared_with.retain(|known| known != person);
            Ok(format!("{person} can no longer open {}", file.path))
        })
    })
}

fn mime_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("md") => "text/markdown",
        Some("csv") => "text/csv",
        _ => "text/plain",
    }
}

impl File {
    fn uri(&self) -> String {
        format!("drive://{}/{}", self.id, self.path)
    }

    fn link(&self) -> Value {
        json!({
            "type": "resource_link",
            "uri": self.uri(),
            "name": self.path,
            "mimeType": self.mime_type,
            "size": self.size,
            "annotations": {"audience": ["user"], "lastModified": self.modified_at},
        })
    }
}

impl Files {
    fn check_free(&self, path: &str, except: Option<&str>) -> Result<(), Refusal> {
        let taken = self
            .files
            .iter()
            .find(|file| file.path == path && Some(file.id.as_str()) != except);
        match taken {
            None => Ok(()),
            Some(file) => Err(Refusal::new(format!("`{path}` is already there as {}", file.id))),
        }
    }
}
