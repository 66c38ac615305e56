//! What can be done about questions and complaints of customers?

use serde_json::json;

use super::CALLER;
use crate::answer::{Answer, Outcome};
use crate::app::{App, app};
use crate::arguments::Args;
use crate::refusal::{Refusal, ensure};
use crate::schema::{choices, record};
use crate::table::include;
use crate::tool::Effect::{Adds, Removes, Sends, Sets};

record! {
    /// One matter a customer wrote about.
    Ticket = "ticket", "tickets", "TIC-" {
        /// Ticket id
        id: String,
        /// What it is about
        subject: String,
        /// Customer in the crm
        customer_id: String,
        /// Order it concerns
        order_id: Option<String>,
        /// Where it stands; pending waits for the customer
        status: TicketStatus,
        /// How soon it matters
        priority: Priority,
        /// Who works on it
        assignee: Option<String>,
        /// Words to find it by
        tags: Vec<String>,
        /// When it came in
        opened_at: String,
    }
}

record! {
    /// One message in a ticket.
    Comment = "comment", "comments", "COM-" {
        /// Comment id
        id: String,
        /// Ticket it stands in
        ticket_id: String,
        /// Who wrote it
        author: String,
        /// What it says
        text: String,
        /// Whether the customer sees it
        public: bool,
        /// When it was written
        written_at: String,
    }
}

record! {
    /// A ticket with all that was said.
    Conversation {
        /// The ticket
        ticket: Ticket,
        /// Its messages, oldest first
        comments: Vec<Comment>,
    }
}

record! {
    /// How much work there is.
    Workload {
        /// Tickets waiting for us
        open: i64,
        /// Tickets waiting for the customer
        pending: i64,
        /// Tickets done
        solved: i64,
        /// Tickets that wait for us and have nobody
        unassigned: i64,
        /// Tickets that wait for us and are urgent
        urgent: i64,
    }
}

choices! {
    /// Where a ticket stands.
    TicketStatus { Open = "open", Pending = "pending", Solved = "solved" }

    /// How soon it matters.
    Priority { Low = "low", Normal = "normal", High = "high", Urgent = "urgent" }
}

app! {
    /// Matters of customers and what was said about them.
    Tickets = "tickets" of tickets: Ticket, comments: Comment;
    words: TicketStatus, Priority;
    tools: reading, answering, sorting;
}

fn reading(app: App<Tickets>) -> App<Tickets> {
    app.reads("list_tickets", |desk, args| desk.tickets.list(args))
        .reads("search_tickets", |desk, args| desk.tickets.list(args))
        .reads("get_ticket", |desk, args| {
            let ticket = desk.tickets.get(args.get("ticket_id")?)?.clone();
            let mut comments: Vec<Comment> = desk.comments.matching(args).cloned().collect();
            comments.reverse();
            let text = format!("{}: {} ({} messages)", ticket.id, ticket.subject, comments.len());
            Ok(Answer::new(text, Conversation { ticket, comments }))
        })
        .reads("get_support_workload", |desk, _| {
            let count =
                |wanted: fn(&Ticket) -> bool| desk.tickets.iter().filter(|t| wanted(t)).count() as i64;
            let workload = Workload {
                open: count(|t| t.status == TicketStatus::Open),
                pending: count(|t| t.status == TicketStatus::Pending),
                solved: count(|t| t.status == TicketStatus::Solved),
                unassigned: count(|t| t.status == TicketStatus::Open && t.assignee.is_none()),
                urgent: count(|t| t.status == TicketStatus::Open && t.priority == Priority::Urgent),
            };
            let text = format!("{} open, {} of them urgent", workload.open, workload.urgent);
            Ok(Answer::new(text, workload))
        })
}

fn answering(app: App<Tickets>) -> App<Tickets> {
    app.changes(Adds, "create_ticket", |desk, args| {
        let priority = args.get::<Option<Priority>>("priority")?;
        let rest = json!({
            "status": TicketStatus::Open, "priority": priority.unwrap_or(Priority::Normal), "tags": [],
            "opened_at": args.now(),
        });
        let ticket = desk.tickets.insert(args, rest)?;
        comment(desk, &ticket.id, true, args)?;
        Ok(Answer::new(format!("opened {}", ticket.id), ticket))
    })
    .changes(Sends, "reply_to_customer", |desk, args| {
        let ticket = desk.tickets.get_mut(args.get("ticket_id")?)?;
        ticket.status = TicketStatus::Pending;
        let (id, customer) = (ticket.id.clone(), ticket.customer_id.clone());
        let comment = comment(desk, &id, true, args)?;
        Ok(Answer::new(format!("answered {customer} in {id}"), comment))
    })
    .changes(Adds, "add_internal_note", |desk, args| {
        let id = desk.tickets.get(args.get("ticket_id")?)?.id.clone();
        let comment = comment(desk, &id, false, args)?;
        Ok(Answer::new(format!("noted on {id}"), comment))
    })
    .changes(Sets, "resolve_ticket", |desk, args| {
        let solved = args.get::<Option<bool>>("solved")?.unwrap_or(true);
        update(desk, args, |ticket| {
            ticket.status = if solved {
                TicketStatus::Solved
            } else {
                TicketStatus::Open
            };
            Ok(())
        })
    })
}

fn sorting(app: App<Tickets>) -> App<Tickets> {
    app.changes(Sets, "assign_ticket", |desk, args| {
        let assignee = args.get("assignee")?;
        update(desk, args, |ticket| {
            ticket.assignee = Some(assignee);
            Ok(())
        })
    })
    .changes(Sets, "set_ticket_priority", |desk, args| {
        let priority = args.get("priority")?;
        update(desk, args, |ticket| {
            ticket.priority = priority;
            Ok(())
        })
    })
    .changes(Sets, "tag_ticket", |desk, args| {
        let tags: Vec<String> = args.get("tags")?;
        update(desk, args, |ticket| {
            tags.into_iter()
                .try_for_each(|tag| include(&mut ticket.tags, tag, "tags"))
        })
    })
    .changes(Removes, "merge_tickets", |desk, args| {
        let kept = desk.tickets.get(args.get("ticket_id")?)?.clone();
        let duplicate = desk.tickets.remove(args.get("duplicate_id")?)?;
        ensure!(
            duplicate.customer_id == kept.customer_id,
            "{} and {} belong to different customers",
            duplicate.id,
            kept.id
        );
        let moved = desk.comments.iter_mut();
        for comment in moved.filter(|comment| comment.ticket_id == duplicate.id) {
            comment.ticket_id.clone_from(&kept.id);
        }
        Ok(Answer::new(
            format!("merged {} into {}", duplicate.id, kept.id),
            kept,
        ))
    })
}

fn comment(desk: &mut Tickets, ticket_id: &str, public: bool, args: &Args) -> Result<Comment, Refusal> {
    let rest = json!({
        "ticket_id": ticket_id, "author": CALLER, "public": public, "written_at": args.now(),
    });
    desk.comments.insert(args, rest)
}

/// Changes the ticket the call names.
fn update(
    desk: &mut Tickets,
    args: &Args,
    change: impl FnOnce(&mut Ticket) -> Result<(), Refusal>,
) -> Outcome<Ticket> {
    desk.tickets.update(args.get("ticket_id")?, |ticket| {
        change(ticket)?;
        let Ticket {
            id,
            status,
            priority,
            assignee,
            ..
        } = ticket;
        let who = assignee.as_deref().unwrap_or("nobody");
        Ok(format!("{id} is {status} and {priority}, with {who}"))
    })
}
