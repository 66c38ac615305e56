//! Who works here, who is away, and what does a newcomer need?

use serde_json::json;

use crate::answer::{Answer, Outcome, listing};
use crate::app::{App, app};
use crate::arguments::Args;
use crate::refusal::ensure;
use crate::schema::{choices, record};
use crate::story_time::day_of;
use crate::tool::Effect::{Adds, Removes, Sets};

record! {
    /// A colleague.
    Person = "person", "people", "EMP-" {
        /// Employee id
        id: String,
        /// Full name
        name: String,
        /// What they do
        role: String,
        /// Team
        team: String,
        /// Employee id of their manager
        manager_id: Option<String>,
        /// E-mail address
        email: String,
        /// First working day
        starts_on: String,
        /// Days of holiday left this year
        days_left: i64,
    }
}

record! {
    /// Days on which somebody is away.
    TimeOff = "time off", "time_off", "OFF-" {
        /// Request id
        id: String,
        /// Who
        person_id: String,
        /// Why
        reason: Reason,
        /// First day away
        from: String,
        /// Last day away
        to: String,
        /// How many days, both ends included
        days: i64,
        /// What was decided
        decision: Decision,
    }
}

record! {
    /// Something to do for a newcomer.
    OnboardingTask = "onboarding task", "onboarding_tasks", "TSK-" {
        /// Task id
        id: String,
        /// For whom
        person_id: String,
        /// What is to do
        title: String,
        /// Who does it, by first name
        owner: String,
        /// Whether it is done
        done: bool,
    }
}

choices! {
    /// Why somebody is away.
    Reason { Holiday = "holiday", Sick = "sick", Parental = "parental" }

    /// What was decided.
    Decision { Requested = "requested", Approved = "approved", Declined = "declined" }
}

app! {
    /// Colleagues, and what is planned for them.
    People = "people" of people: Person, time_off: TimeOff, tasks: OnboardingTask;
    words: Reason, Decision;
    tools: colleagues, time_off, onboarding;
}

fn colleagues(app: App<People>) -> App<People> {
    app.reads("find_people", |people, args| people.people.list(args))
        .reads("get_person", |people, args| {
            people.people.show(args.get("person_id")?, |person| {
                format!("{}, {}", person.name, person.role)
            })
        })
        .reads("list_direct_reports", |people, args| {
            people.people.get(args.get("manager_id")?)?;
            people.people.list(args)
        })
        .changes(Sets, "change_manager", |people, args| {
            let manager = people.people.get(args.get("manager_id")?)?.clone();
            people.people.update(args.get("person_id")?, |person| {
                ensure!(
                    person.id != manager.id,
                    "{} cannot report to themselves",
                    person.name
                );
                person.manager_id = Some(manager.id);
                Ok(format!("{} reports to {}", person.name, manager.name))
            })
        })
}

fn time_off(app: App<People>) -> App<People> {
    app.reads("list_time_off", |people, args| people.time_off.list(args))
        .reads("who_is_away", |people, args| {
            let day: &str = args.get("day")?;
            let away = |time: &&TimeOff| {
                time.decision == Decision::Approved && time.from.as_str() <= day && day <= time.to.as_str()
            };
            listing(people.time_off.matching(args).filter(away), args)
        })
        .changes(Adds, "request_time_off", request_time_off)
        .changes(Sets, "decide_time_off", decide_time_off)
        .changes(Removes, "cancel_time_off", |people, args| {
            let time = people.time_off.remove(args.get("request_id")?)?;
            people.people.get_mut(&time.person_id)?.days_left += time.holidays();
            Ok(Answer::new(format!("cancelled {}", time.id), time))
        })
}

fn onboarding(app: App<People>) -> App<People> {
    app.reads("list_onboarding_tasks", |people, args| people.tasks.list(args))
        .changes(Adds, "add_onboarding_task", |people, args| {
            let person = people.people.get(args.get("person_id")?)?;
            people.tasks.create(args, json!({"done": false}), |task| {
                format!("{} does {} for {}", task.owner, task.id, person.name)
            })
        })
        .changes(Sets, "complete_onboarding_task", |people, args| {
            people.tasks.update(args.get("task_id")?, |task| {
                task.done = true;
                Ok(format!("done: {}", task.title))
            })
        })
}

fn request_time_off(people: &mut People, args: &Args) -> Outcome<TimeOff> {
    let person = people.people.get(args.get("person_id")?)?;
    let (from, to): (&str, &str) = (args.get("from")?, args.get("to")?);
    let ends = day_of(from).zip(day_of(to));
    let days = ends.map_or(0, |(first, last)| last - first + 1);
    ensure!(
        (1..=366).contains(&days),
        "from {from} to {to} is not a stretch of 1 to 366 days"
    );
    ensure!(
        args.get::<Reason>("reason")? != Reason::Holiday || days <= person.days_left,
        "{} has {} days of holiday left, not {days}",
        person.name,
        person.days_left
    );
    let rest = json!({"days": days, "decision": Decision::Requested});
    people
        .time_off
        .create(args, rest, |time| format!("asked for {days} days as {}", time.id))
}

fn decide_time_off(people: &mut People, args: &Args) -> Outcome<TimeOff> {
    let approve: bool = args.get("approve")?;
    people.time_off.update(args.get("request_id")?, |time| {
        let before = time.holidays();
        time.decision = if approve {
            Decision::Approved
        } else {
            Decision::Declined
        };
        let person = people.people.get_mut(&time.person_id)?;
        person.days_left += before - time.holidays();
        ensure!(
            person.days_left >= 0,
            "{} has too few days of holiday left",
            person.name
        );
        Ok(format!("{} is {}", time.id, time.decision))
    })
}

impl TimeOff {
    /// How many days of holiday it takes.
    fn holidays(&self) -> i64 {
        let taken = self.decision == Decision::Approved && self.reason == Reason::Holiday;
        if taken { self.days } else { 0 }
    }
}
