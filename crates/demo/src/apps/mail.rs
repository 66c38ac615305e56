//! What can be done with the shared mailbox?

use serde_json::{Value, json};

use crate::answer::Answer;
use crate::app::{App, app};
use crate::arguments::Args;
use crate::refusal::{Refusal, ensure, expect_state};
use crate::schema::{choices, record};
use crate::table::include;
use crate::tool::Effect::{Adds, Removes, Sends, Sets};

/// The mailbox's own address.
const ADDRESS: &str = "hello@bramble.example";

record! {
    /// One e-mail.
    Mail = "mail", "mails", "MAIL-" {
        /// Mail id
        id: String,
        /// Where it lies
        folder: Folder,
        /// Address of the sender
        from: String,
        /// Addresses of the recipients
        to: Vec<String>,
        /// Subject line
        subject: String,
        /// What it says
        text: String,
        /// When it was sent or last saved
        sent_at: String,
        /// Whether somebody has read it
        read: bool,
        /// Labels to find it by
        labels: Vec<String>,
        /// The mail it answers
        in_reply_to: Option<String>,
    }
}

choices! {
    /// Where a mail lies.
    Folder { Inbox = "inbox", Sent = "sent", Drafts = "drafts", Archive = "archive" }
}

app! {
    /// One mailbox.
    Mailbox = "mail" of mails: Mail;
    words: Folder;
    tools: reading, writing, sorting;
}

fn reading(app: App<Mailbox>) -> App<Mailbox> {
    app.reads("list_mails", |mailbox, args| mailbox.mails.list(args))
        .reads("read_mail", |mailbox, args| {
            mailbox.mails.show(args.get("mail_id")?, |mail| {
                format!("{}: {}", mail.from, mail.subject)
            })
        })
        .reads("search_mails", |mailbox, args| mailbox.mails.list(args))
}

fn writing(app: App<Mailbox>) -> App<Mailbox> {
    app.changes(Sends, "send_mail", |mailbox, args| {
        let mail = write(mailbox, Folder::Sent, json!({}), args)?;
        Ok(Answer::new(
            format!("sent {} to {}", mail.id, mail.to.join(", ")),
            mail,
        ))
    })
    .changes(Sends, "reply_to_mail", |mailbox, args| {
        let original = mailbox.mails.get(args.get("mail_id")?)?;
        let topic = original.subject.trim_start_matches("Re: ");
        let rest = json!({
            "to": [original.from], "subject": format!("Re: {topic}"), "in_reply_to": original.id,
        });
        let mail = write(mailbox, Folder::Sent, rest, args)?;
        Ok(Answer::new(format!("answered {}", mail.to.join(", ")), mail))
    })
    .changes(Adds, "save_draft", |mailbox, args| {
        let mail = write(mailbox, Folder::Drafts, json!({}), args)?;
        Ok(Answer::new(format!("saved {} as a draft", mail.id), mail))
    })
    .changes(Sends, "send_draft", |mailbox, args| {
        mailbox.mails.update(args.get("mail_id")?, |mail| {
            expect_state(&mail.id, mail.folder, &[Folder::Drafts])?;
            mail.folder = Folder::Sent;
            args.now().clone_into(&mut mail.sent_at);
            Ok(format!("sent {} to {}", mail.id, mail.to.join(", ")))
        })
    })
}

fn sorting(app: App<Mailbox>) -> App<Mailbox> {
    app.changes(Sets, "mark_mail", |mailbox, args| {
        let read = args.get("read")?;
        mailbox.mails.update(args.get("mail_id")?, |mail| {
            mail.read = read;
            Ok(format!("{} is {}", mail.id, if read { "read" } else { "unread" }))
        })
    })
    .changes(Sets, "label_mail", |mailbox, args| {
        let label = args.get("label")?;
        mailbox.mails.update(args.get("mail_id")?, |mail| {
            include(&mut mail.labels, label, "labels")?;
            Ok(format!("{} has the labels {}", mail.id, mail.labels.join(", ")))
        })
    })
    .changes(Sets, "archive_mail", |mailbox, args| {
        mailbox.mails.update(args.get("mail_id")?, |mail| {
            mail.folder = Folder::Archive;
            Ok(format!("archived {}", mail.id))
        })
    })
    .changes(Removes, "delete_mail", |mailbox, args| {
        mailbox.mails.discard(args.get("mail_id")?, |mail| {
            Ok(format!("deleted {} ({})", mail.id, mail.subject))
        })
    })
}

/// Adds a mail of ours, made of the call and of what is given.
fn write(mailbox: &mut Mailbox, folder: Folder, mut rest: Value, args: &Args) -> Result<Mail, Refusal> {
    let ours = json!({
        "folder": folder, "from": ADDRESS, "sent_at": args.now(), "read": true, "labels": [],
    });
    if let (Value::Object(rest), Value::Object(ours)) = (&mut rest, ours) {
        rest.extend(ours);
    }
    let mail = mailbox.mails.insert(args, rest)?;
    for address in &mail.to {
        let parts = address.split_once('@');
        ensure!(
            parts.is_some_and(|(user, host)| !user.is_empty() && host.contains('.')),
            "`{address}` is not an e-mail address such as `office@oakmere.example`"
        );
    }
    Ok(mail)
}
