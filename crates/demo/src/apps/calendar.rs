//! What can be done about meetings, and when are people free?

use serde_json::json;

use super::CALLER;
use crate::answer::{Answer, Outcome, listing};
use crate::app::{App, app};
use crate::arguments::Args;
use crate::refusal::{Refusal, ensure};
use crate::schema::{choices, record};
use crate::tool::Effect::{Adds, Removes, Sets};

/// Working hours, in minutes after midnight.
const WORKDAY: std::ops::Range<i64> = 9 * 60..17 * 60;
/// Meetings begin on the half hour, in minutes.
const STEP: usize = 30;

record! {
    /// Somebody who is invited.
    Guest {
        /// First name
        person: String,
        /// What they said
        reply: Reply,
    }
}

record! {
    /// A meeting or another date.
    Event = "event", "events", "EVT-" {
        /// Event id
        id: String,
        /// What it is
        title: String,
        /// When it begins
        starts_at: String,
        /// When it ends, on the same day
        ends_at: String,
        /// Room, where one is booked
        room: Option<String>,
        /// Who set it up
        organiser: String,
        /// Who is invited
        guests: Vec<Guest>,
    }
}

record! {
    /// A room to meet in.
    Room = "room", "rooms", "" {
        /// Name
        name: String,
        /// How many people it seats
        seats: i64,
        /// What stands in it
        equipment: Vec<String>,
    }
}

record! {
    /// A stretch of time.
    Slot {
        /// When it begins
        starts_at: String,
        /// When it ends
        ends_at: String,
    }
}

record! {
    /// Times at which everybody is free.
    FreeTime {
        /// The times, earliest first
        slots: Vec<Slot>,
    }
}

choices! {
    /// What somebody said to an invitation.
    Reply { Yes = "yes", No = "no", Maybe = "maybe", Waiting = "waiting" }
}

app! {
    /// Meetings and the rooms they take.
    Calendar = "calendar" of events: Event, rooms: Room;
    words: Reply;
    tools: reading, planning, adjusting;
}

fn reading(app: App<Calendar>) -> App<Calendar> {
    app.reads("list_events", |calendar, args| {
        let day: Option<&str> = args.get("day")?;
        let person: Option<&str> = args.get("person")?;
        let events = calendar.events.matching(args).filter(|event| {
            day.is_none_or(|day| event.starts_at.starts_with(day))
                && person.is_none_or(|person| event.concerns(person))
        });
        listing(events, args)
    })
    .reads("get_event", |calendar, args| {
        calendar.events.show(args.get("event_id")?, |event| {
            format!("{} at {}", event.title, event.starts_at)
        })
    })
    .reads("find_free_time", find_free_time)
    .reads("list_rooms", |calendar, args| calendar.rooms.list(args))
}

fn planning(app: App<Calendar>) -> App<Calendar> {
    app.changes(Adds, "create_event", |calendar, args| {
        check_times(args)?;
        let guests = args.get::<Option<Vec<String>>>("guests")?.unwrap_or_default();
        let guests: Vec<Guest> = guests.into_iter().map(Guest::waiting).collect();
        let rest = json!({"organiser": CALLER, "guests": guests});
        calendar.events.create(args, rest, |event| {
            format!("{} is at {}", event.id, event.starts_at)
        })
    })
    .changes(Sets, "invite_to_event", |calendar, args| {
        calendar.events.update(args.get("event_id")?, |event| {
            for person in args.get::<Vec<String>>("people")? {
                if !event.concerns(&person) {
                    event.guests.push(Guest::waiting(person));
                }
            }
            ensure!(event.guests.len() <= 50, "an event takes at most 50 guests");
            Ok(format!("{} has {} guests", event.id, event.guests.len()))
        })
    })
    .changes(Sets, "answer_invitation", |calendar, args| {
        calendar.events.update(args.get("event_id")?, |event| {
            let person: &str = args.get("person")?;
            let Some(guest) = event.guests.iter_mut().find(|guest| guest.person == person) else {
                let known = event.guests.iter().map(|guest| guest.person.as_str());
                return Err(Refusal::unknown("guest", person, known));
            };
            guest.reply = args.get("reply")?;
            Ok(format!("{person} says {}", guest.reply))
        })
    })
}

fn adjusting(app: App<Calendar>) -> App<Calendar> {
    app.changes(Sets, "reschedule_event", |calendar, args| {
        check_times(args)?;
        let mut event = calendar.events.get(args.get("event_id")?)?.clone();
        event.starts_at = args.get("starts_at")?;
        event.ends_at = args.get("ends_at")?;
        calendar.save(event)
    })
    .changes(Sets, "book_room", |calendar, args| {
        let room = calendar.rooms.get(args.get("room")?)?;
        let mut event = calendar.events.get(args.get("event_id")?)?.clone();
        let people = event.guests.len() as i64 + 1;
        let Room { name, seats, .. } = room;
        ensure!(people <= *seats, "the {name} seats {seats}, and {people} come");
        event.room = Some(name.clone());
        calendar.save(event)
    })
    .changes(Removes, "cancel_event", |calendar, args| {
        calendar.events.discard(args.get("event_id")?, |event| {
            let guests = event.guests.len();
            Ok(format!("called off {}; {guests} guests were told", event.title))
        })
    })
}

fn find_free_time(calendar: &Calendar, args: &Args) -> Outcome<FreeTime> {
    let people: Vec<String> = args.get("people")?;
    let (day, length): (&str, i64) = (args.get("day")?, args.get("minutes")?);
    let busy: Vec<&Event> = calendar
        .events
        .iter()
        .filter(|event| {
            event.starts_at.starts_with(day) && people.iter().any(|person| event.concerns(person))
        })
        .collect();
    let slots: Vec<Slot> = WORKDAY
        .step_by(STEP)
        .filter(|start| start + length <= WORKDAY.end)
        .map(|start| Slot {
            starts_at: at(day, start),
            ends_at: at(day, start + length),
        })
        .filter(|slot| {
            !busy
                .iter()
                .any(|event| event.overlaps(&slot.starts_at, &slot.ends_at))
        })
        .collect();
    let text = match slots.first() {
        Some(first) => format!("{} times fit, the first at {}", slots.len(), first.starts_at),
        None => format!("on {day} there is no time that fits everybody"),
    };
    Ok(Answer::new(text, FreeTime { slots }))
}

fn at(day: &str, minutes: i64) -> String {
    format!("{day}T{:02}:{:02}", minutes / 60, minutes % 60)
}

impl Guest {
    fn waiting(person: String) -> Self {
        let reply = Reply::Waiting;
        Self { person, reply }
    }
}

impl Event {
    fn concerns(&self, person: &str) -> bool {
        self.organiser == person || self.guests.iter().any(|guest| guest.person == person)
    }

    fn overlaps(&self, starts_at: &str, ends_at: &str) -> bool {
        self.starts_at.as_str() < ends_at && starts_at < self.ends_at.as_str()
    }
}

fn check_times(args: &Args) -> Result<(), Refusal> {
    let (start, end): (&str, &str) = (args.get("starts_at")?, args.get("ends_at")?);
    ensure!(
        start < end && start.get(..10) == end.get(..10),
        "an event ends after it begins, on the same day; not {start} to {end}"
    );
    Ok(())
}

impl Calendar {
    /// Saves a changed event, unless somebody else has its room at that time.
    fn save(&mut self, wanted: Event) -> Outcome<Event> {
        let taken = self.events.iter().find(|event| {
            event.id != wanted.id
                && event.room == wanted.room
                && event.room.is_some()
                && event.overlaps(&wanted.starts_at, &wanted.ends_at)
        });
        if let Some(Event {
            id,
            title,
            starts_at,
            ends_at,
            ..
        }) = taken
        {
            return Err(Refusal::new(format!(
                "the room is taken by {id} ({title}) from {starts_at} to {ends_at}; list_rooms names the others"
            )));
        }
        self.events.update(&wanted.id.clone(), |event| {
            *event = wanted;
            let place = event.room.as_deref().unwrap_or("no room");
            Ok(format!("{} is at {}, in {place}", event.id, event.starts_at))
        })
    }
}
