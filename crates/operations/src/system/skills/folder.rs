//! What is in the folder of skills, and what of it may be read?

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use super::front_matter;
use crate::limits::{SKILL_FILE_BYTES, SKILL_FILES_MAX, SKILLS_MAX};
use crate::shown::shown;

/// The file that makes a folder a skill.
const MAIN: &str = "SKILL.md";
/// Bytes of a SKILL.md that its front matter must stand in.
const HEAD_BYTES: usize = 16 * 1024;
/// How deep the files of a skill may lie.
const DEPTH_MAX: usize = 8;

/// Every folder with a SKILL.md, by name of the folder.
#[derive(Default)]
pub(super) struct Skills {
    pub skills: Vec<Skill>,
    pub problems: Vec<Problem>,
}

/// A skill that can be read.
pub(super) struct Skill {
    pub name: String,
    pub description: String,
    /// Where it lies, without links.
    folder: PathBuf,
}

/// A folder that is left out, and why.
pub(super) struct Problem {
    pub folder: String,
    pub text: String,
}

impl Skills {
    /// Looks through a folder. A folder in it that is no skill, or a broken one, costs itself only.
    pub fn read(root: &Path) -> io::Result<Self> {
        let mut folders: Vec<PathBuf> = fs::read_dir(root)?
            .filter_map(Result::ok)
            .map(|entry| entry.path())
            .filter(|path| !is_hidden(path) && path.is_dir())
            .collect();
        folders.sort();
        let mut skills = Self::default();
        if folders.len() > SKILLS_MAX {
            skills.problem(
                root,
                format!("more than {SKILLS_MAX} folders; those after them are left out"),
            );
            folders.truncate(SKILLS_MAX);
        }
        for folder in folders {
            match Skill::read(&folder) {
                Err(text) => skills.problem(&folder, text),
                Ok(skill) if skills.named(&skill.name).is_some() => {
                    let text = format!("the name `{}` is taken by an earlier folder", shown(&skill.name));
                    skills.problem(&folder, text);
                }
                Ok(skill) => skills.skills.push(skill),
            }
        }
        Ok(skills)
    }

    /// The skill with exactly this name.
    pub fn named(&self, name: &str) -> Option<&Skill> {
        self.skills.iter().find(|skill| skill.name == name.trim())
    }

    fn problem(&mut self, folder: &Path, text: String) {
        self.problems.push(Problem {
            folder: name_of(folder),
            text,
        });
    }
}

impl Skill {
    fn read(folder: &Path) -> Result<Self, String> {
        let folder = folder
            .canonicalize()
            .map_err(|error| format!("cannot be read: {error}"))?;
        let main = match within(&folder, Path::new(MAIN)) {
            Err(Unreadable::Missing) => return Err(format!("has no {MAIN}")),
            main => main.map_err(|reason| format!("{MAIN} {reason}"))?,
        };
        let head = text_of(&main, HEAD_BYTES, true).map_err(|reason| format!("{MAIN} {reason}"))?;
        let read = front_matter::read(&head)?;
        let (name, description) = (read.name, read.description);
        if name.chars().count() > 200 || name.contains(char::is_control) {
            return Err("`name` in SKILL.md must be 200 characters at most, on one line".to_owned());
        }
        Ok(Self {
            name,
            description: shown_description(&description),
            folder,
        })
    }

    /// The instructions.
    pub fn body(&self) -> Result<String, String> {
        let text = self.file(MAIN)?;
        front_matter::read(&text).map(|read| read.body.to_owned())
    }

    /// The text of one file within the folder.
    pub fn file(&self, path: &str) -> Result<String, String> {
        let wanted = Path::new(path.strip_prefix("./").unwrap_or(path));
        let inside = !path.contains('\\')
            && wanted
                .components()
                .all(|part| matches!(part, Component::Normal(_)))
            && wanted.components().next().is_some();
        if !inside {
            return Err(format!(
                "`path` must lead to a file within the skill, such as `references/style.md`, not `{}`",
                shown(path)
            ));
        }
        if wanted
            .components()
            .any(|part| is_hidden(Path::new(part.as_os_str())))
        {
            return Err("hidden files are not shown; skills_read lists those that are".to_owned());
        }
        let file = within(&self.folder, wanted).map_err(|reason| {
            let hint = match reason {
                Unreadable::Missing | Unreadable::NoFile => "; skills_read lists the files there are",
                Unreadable::Outside | Unreadable::Disk(_) => "",
            };
            format!("`{}` {reason}{hint}", shown(path))
        })?;
        text_of(&file, SKILL_FILE_BYTES, false).map_err(|reason| format!("`{}` {reason}", shown(path)))
    }

    /// The other files, by path. Links to elsewhere are not among them.
    pub fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        self.collect(Path::new(""), 0, &mut files);
        files.sort();
        files.retain(|file| file != MAIN);
        files.truncate(SKILL_FILES_MAX);
        files
    }

    fn collect(&self, below: &Path, depth: usize, files: &mut Vec<String>) {
        let Ok(entries) = fs::read_dir(self.folder.join(below)) else {
            return;
        };
        for entry in entries.filter_map(Result::ok) {
            let path = below.join(entry.file_name());
            let Ok(kind) = entry.file_type() else { continue };
            if is_hidden(&path) || files.len() > SKILL_FILES_MAX {
                continue;
            }
            if kind.is_dir() && depth < DEPTH_MAX {
                self.collect(&path, depth + 1, files);
            } else if (kind.is_file() || kind.is_symlink()) && within(&self.folder, &path).is_ok() {
                files.extend(slashed(&path));
            }
        }
    }
}

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
enum Unreadable {
    #[error("does not exist")]
    Missing,
    #[error("is no file")]
    NoFile,
    #[error("leads out of the skill's folder")]
    Outside,
    #[error("cannot be read: {0}")]
    Disk(io::Error),
}

/// Where a path within a folder really leads. Links are followed as far as they stay inside.
fn within(folder: &Path, path: &Path) -> Result<PathBuf, Unreadable> {
    let real = folder
        .join(path)
        .canonicalize()
        .map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Unreadable::Missing,
            _ => Unreadable::Disk(error),
        })?;
    let Ok(inner) = real.strip_prefix(folder) else {
        return Err(Unreadable::Outside);
    };
    // A link must not lead to what is not shown.
    if inner
        .components()
        .any(|part| is_hidden(Path::new(part.as_os_str())))
    {
        return Err(Unreadable::Outside);
    }
    match real.is_file() {
        true => Ok(real),
        false => Err(Unreadable::NoFile),
    }
}

/// A file as text, when it is one and not too long, or the beginning of it.
fn text_of(file: &Path, bytes_max: usize, beginning: bool) -> Result<String, String> {
    let mut bytes = Vec::new();
    let more = bytes_max as u64 + 1;
    File::open(file)
        .and_then(|file| file.take(more).read_to_end(&mut bytes))
        .map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() > bytes_max {
        if !beginning {
            return Err(format!(
                "is larger than {} KB, which is the most that is read",
                bytes_max / 1024
            ));
        }
        // The cut may go through a character.
        let whole = std::str::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len);
        if whole + 4 > bytes.len() {
            bytes.truncate(whole);
        }
    }
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok(text),
        _ => Err("is not text in UTF-8; only text is shown".to_owned()),
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// A path as skills name their files on every system; `None` for a name that is no text.
fn slashed(path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}

/// A description longer than any list should show is cut.
fn shown_description(description: &str) -> String {
    const CHARS: usize = 1_024;
    match description.char_indices().nth(CHARS) {
        None => description.to_owned(),
        Some((end, _)) => format!("{}…", description.get(..end).unwrap_or_default()),
    }
}
