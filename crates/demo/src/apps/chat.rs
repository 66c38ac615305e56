//! What can be done in the team chat?

use serde_json::json;

use super::CALLER;
use crate::answer::{Answer, Outcome, listing};
use crate::app::{App, app};
use crate::arguments::Args;
use crate::refusal::ensure;
use crate::schema::record;
use crate::table::include;
use crate::tool::Effect::{Adds, Removes, Sets};

record! {
    /// A place to talk.
    Channel = "channel", "channels", "" {
        /// Name, without `#`
        name: String,
        /// What it is for
        purpose: String,
        /// Who is in it
        members: Vec<String>,
        /// Ids of the pinned messages
        pinned: Vec<String>,
    }
}

record! {
    /// Something somebody said.
    Message = "message", "messages", "MSG-" {
        /// Message id
        id: String,
        /// Channel it stands in
        channel: String,
        /// Who wrote it
        author: String,
        /// What it says
        text: String,
        /// When it was sent
        sent_at: String,
        /// Id of the message it replies to
        thread: Option<String>,
        /// Emoji people put on it
        reactions: Vec<String>,
    }
}

app! {
    /// Channels and what was said in them.
    Chat = "chat" of channels: Channel, messages: Message;
    tools: reading, talking, arranging;
}

fn reading(app: App<Chat>) -> App<Chat> {
    app.reads("list_channels", |chat, args| chat.channels.list(args))
        .reads("read_channel", |chat, args| {
            chat.channels.get(args.get("channel")?)?;
            chat.messages.list(args)
        })
        .reads("read_thread", |chat, args| {
            let first = chat.messages.get(args.get("message_id")?)?;
            let replies = chat
                .messages
                .iter()
                .filter(|message| message.thread.as_ref() == Some(&first.id));
            listing(replies.chain([first]), args)
        })
        .reads("search_messages", |chat, args| chat.messages.list(args))
}

fn talking(app: App<Chat>) -> App<Chat> {
    app.changes(Adds, "send_message", |chat, args| {
        post(chat, args.get("channel")?, None, args)
    })
    .changes(Adds, "reply_in_thread", |chat, args| {
        let parent = chat.messages.get(args.get("message_id")?)?.clone();
        // A reply to a reply joins the same thread.
        let thread = parent.thread.as_deref().unwrap_or(&parent.id);
        post(chat, &parent.channel, Some(thread), args)
    })
    .changes(Sets, "add_reaction", |chat, args| {
        chat.messages.update(args.get("message_id")?, |message| {
            include(&mut message.reactions, args.get("emoji")?, "reactions")?;
            Ok(format!("{} now has {}", message.id, message.reactions.join(" ")))
        })
    })
    .changes(Removes, "delete_message", |chat, args| {
        chat.messages.discard(args.get("message_id")?, |message| {
            ensure!(
                message.author == CALLER,
                "{} was written by {}; only its author can delete it",
                message.id,
                message.author
            );
            Ok(format!("deleted {}", message.id))
        })
    })
}

fn arranging(app: App<Chat>) -> App<Chat> {
    app.changes(Adds, "create_channel", |chat, args| {
        let mut members = args.get::<Option<Vec<String>>>("members")?.unwrap_or_default();
        members.push(CALLER.into());
        let rest = json!({"members": members, "pinned": []});
        chat.channels
            .create(args, rest, |channel| format!("opened #{}", channel.name))
    })
    .changes(Sets, "invite_to_channel", |chat, args| {
        chat.channels.update(args.get("channel")?, |channel| {
            for person in args.get::<Vec<String>>("people")? {
                include(&mut channel.members, person, "members")?;
            }
            Ok(format!("#{} has {} members", channel.name, channel.members.len()))
        })
    })
    .changes(Sets, "pin_message", |chat, args| {
        let message = chat.messages.get(args.get("message_id")?)?;
        chat.channels.update(&message.channel, |channel| {
            include(&mut channel.pinned, message.id.clone(), "pinned messages")?;
            Ok(format!("pinned {} in #{}", message.id, channel.name))
        })
    })
}

fn post(chat: &mut Chat, channel: &str, thread: Option<&str>, args: &Args) -> Outcome<Message> {
    let channel = chat.channels.get(channel.trim_start_matches('#'))?;
    let rest = json!({
        "channel": channel.name, "author": CALLER, "sent_at": args.now(), "thread": thread, "reactions": [],
    });
    let message = chat.messages.insert(args, rest)?;
    let readers = channel.members.len();
    let text = format!("posted {} to #{} for {readers} people", message.id, channel.name);
    Ok(Answer::new(text, message).with_meta(json!({"bramble.example/notified": readers})))
}
