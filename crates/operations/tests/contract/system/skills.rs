//! Are skills read from their folder, and nothing else?

use super::*;

fn skill(name: &str, description: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\n\n{body}\n")
}

async fn over(folder: &Folder) -> Deployment {
    let options = Options {
        skills: Some(folder.0.clone()),
        ..Options::default()
    };
    plan(&lab()).options(options).start().await
}

fn filled() -> Folder {
    let folder = Folder::new();
    folder.write(
        "pdf/SKILL.md",
        skill("pdf-forms", "Fill in PDF forms.", "# Steps\n1. Read `docs/a.md`."),
    );
    folder.write("pdf/docs/a.md", "Read this é.");
    folder.write("pdf/scripts/fill.py", "print(1)\n");
    folder.write("pdf/.env", "KEY=1");
    folder.write("pdf/logo.png", [0x89, b'P', b'N', b'G', 0, 0xff]);
    folder.write("pdf/large.txt", "x".repeat(256 * 1024 + 1));
    folder.write("pdf/limit.txt", "x".repeat(256 * 1024));
    folder.write("mail/SKILL.md", skill("mail", "Write mails.", "Be kind."));
    folder.write("outside.txt", "not yours");
    folder
}

#[tokio::test]
async fn skills_are_listed_and_read() {
    let folder = filled();
    let (deployment, ann) = (over(&folder).await, Agent::ann());
    let list = ann.ask(&deployment, "skills_list", json!({})).await.good();
    assert_eq!(
        list,
        json!({"skills": [
            {"name": "mail", "description": "Write mails."},
            {"name": "pdf-forms", "description": "Fill in PDF forms."},
        ]})
    );
    let read = ann
        .ask(&deployment, "skills_read", json!({"name": "pdf-forms"}))
        .await
        .good();
    assert_eq!(
        read,
        json!({
            "name": "pdf-forms",
            "description": "Fill in PDF forms.",
            "body": "# Steps\n1. Read `docs/a.md`.\n",
            "files": ["docs/a.md", "large.txt", "limit.txt", "logo.png", "scripts/fill.py"],
        })
    );
    for (path, text) in [
        ("docs/a.md", "Read this é."),
        ("./scripts/fill.py", "print(1)\n"),
        ("limit.txt", &"x".repeat(256 * 1024)),
    ] {
        let arguments = json!({"name": "pdf-forms", "path": path});
        let file = ann.ask(&deployment, "skills_read_file", arguments).await.good();
        assert!(
            file == json!({"name": "pdf-forms", "path": path, "text": text}),
            "{path}"
        );
    }
    // What the operator changes holds from the next call on.
    folder.write("mail/SKILL.md", skill("mail", "Write letters.", "Be brief."));
    let list = ann.ask(&deployment, "skills_list", json!({})).await.good();
    assert_eq!(list["skills"][0]["description"], "Write letters.");
}

/// Nothing outside a skill's folder is read, whatever the path says or a link leads to.
#[tokio::test]
async fn nothing_outside_is_read() {
    let folder = filled();
    let root = &folder.0;
    let link =
        |target: &str, name: &str| std::os::unix::fs::symlink(target, root.join("pdf").join(name)).unwrap();
    link("../outside.txt", "link.txt");
    link("..", "up");
    link("docs/a.md", "inside.md");
    link("/", "root");
    let (deployment, ann) = (over(&folder).await, Agent::ann());
    let absolute = root.join("pdf/docs/a.md");
    for (path, told) in [
        ("../outside.txt", "`path` must lead to a file within the skill"),
        (
            "docs/../../outside.txt",
            "`path` must lead to a file within the skill",
        ),
        ("docs\\a.md", "`path` must lead to a file within the skill"),
        (".", "`path` must lead to a file within the skill"),
        (
            absolute.to_str().unwrap(),
            "`path` must lead to a file within the skill",
        ),
        ("/etc/hostname", "`path` must lead to a file within the skill"),
        ("link.txt", "`link.txt` leads out of the skill's folder"),
        ("up/outside.txt", "leads out of the skill's folder"),
        ("root/etc/hostname", "leads out of the skill's folder"),
        (".env", "hidden files are not shown"),
        ("docs", "`docs` is no file; skills_read lists"),
        ("docs/b.md", "`docs/b.md` does not exist; skills_read lists"),
        ("docs/a.md/x", "does not exist"),
        ("a\u{0}b", "cannot be read"),
        ("logo.png", "`logo.png` is not text in UTF-8"),
        ("large.txt", "`large.txt` is larger than 256 KB"),
    ] {
        let arguments = json!({"name": "pdf-forms", "path": path});
        let said = ann.ask(&deployment, "skills_read_file", arguments).await.bad();
        assert!(said.contains(told), "{path}: {said}");
        assert!(!said.contains("not yours"), "{path}");
    }
    let arguments = json!({"name": "pdf-forms", "path": "inside.md"});
    let inside = ann.ask(&deployment, "skills_read_file", arguments).await.good();
    assert_eq!(inside["text"], "Read this é.");
    let read = ann
        .ask(&deployment, "skills_read", json!({"name": "pdf-forms"}))
        .await
        .good();
    let files = read["files"].as_array().unwrap();
    assert!(
        files.contains(&json!("inside.md")) && !files.contains(&json!("link.txt")),
        "{files:?}"
    );
    assert!(
        !files.iter().any(|file| file.as_str().unwrap().starts_with("up/")),
        "{files:?}"
    );
}

/// A broken folder is told and costs nobody else anything.
#[tokio::test]
async fn broken_folders_cost_themselves_only() {
    let folder = filled();
    folder.write("bad1/SKILL.md", "no front matter");
    folder.write("bad2/notes.md", "x");
    folder.write("bad3/SKILL.md", [0xff, 0xfe, 0, 1]);
    folder.write("mail2/SKILL.md", skill("mail", "Again.", "x"));
    folder.write(".git/SKILL.md", "hidden");
    std::fs::create_dir_all(folder.0.join("bad4/SKILL.md")).unwrap();
    folder.write("long/SKILL.md", skill("long", "Long.", &"x".repeat(300_000)));
    folder.write(
        "wide/SKILL.md",
        skill("wide", "Wide.", &format!("x{}", "é".repeat(20_000))),
    );
    let (deployment, ann) = (over(&folder).await, Agent::ann());
    let list = ann.ask(&deployment, "skills_list", json!({})).await.good();
    let names: Vec<_> = list["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skill| skill["name"].clone())
        .collect();
    assert_eq!(names, ["long", "mail", "pdf-forms", "wide"]);
    let problems: Vec<String> = list["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| {
            format!(
                "{}: {}",
                problem["folder"].as_str().unwrap(),
                problem["problem"].as_str().unwrap()
            )
        })
        .collect();
    let expected = [
        "bad1: SKILL.md must begin with a line `---`",
        "bad2: has no SKILL.md",
        "bad3: SKILL.md is not text in UTF-8",
        "bad4: SKILL.md is no file",
        "mail2: the name `mail` is taken by an earlier folder",
    ];
    assert_eq!(problems.len(), expected.len(), "{problems:?}");
    for (problem, expected) in problems.iter().zip(expected) {
        assert!(problem.starts_with(expected), "{problem}");
    }
    let said = ann
        .ask(&deployment, "skills_read", json!({"name": "long"}))
        .await
        .bad();
    assert!(said.contains("`SKILL.md` is larger than 256 KB"), "{said}");
    ann.ask(&deployment, "skills_read", json!({"name": "wide"}))
        .await
        .good();
    let said = ann
        .ask(&deployment, "skills_read", json!({"name": "nope"}))
        .await
        .bad();
    assert!(
        said.contains("no skill is named `nope`; there are: long, mail, pdf-forms, wide"),
        "{said}"
    );
}

/// Without a folder there are no skills; a folder that has gone is told.
#[tokio::test]
async fn no_folder_is_no_skill() {
    let ann = Agent::ann();
    let none = deployment().await;
    assert_eq!(
        ann.ask(&none, "skills_list", json!({})).await.good(),
        json!({"skills": []})
    );
    let said = ann.ask(&none, "skills_read", json!({"name": "x"})).await.bad();
    assert!(said.contains("this gateway has no skills"), "{said}");
    let folder = filled();
    let gone = over(&folder).await;
    drop(folder);
    let said = ann.ask(&gone, "skills_list", json!({})).await.bad();
    assert!(said.contains("the folder of skills cannot be read"), "{said}");
    assert!(
        !said.contains("handpick-system"),
        "the model is not told where it lies: {said}"
    );
}
