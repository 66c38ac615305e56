//! What is known about customers, and how do deals with them go?

use serde_json::json;

use super::CALLER;
use crate::answer::{Answer, Outcome};
use crate::app::{App, app};
use crate::arguments::Args;
use crate::euros::Euros;
use crate::refusal::ensure;
use crate::schema::Choices as _;
use crate::schema::{choices, record};
use crate::tool::Effect::{Adds, Removes, Sets};

record! {
    /// Somebody who buys from us.
    Customer = "customer", "customers", "CUS-" {
        /// Customer id, used by billing, orders and tickets
        id: String,
        /// Name
        name: String,
        /// What kind of customer
        segment: Segment,
        /// Where they are
        city: String,
        /// Colleague who looks after them
        owner: String,
        /// First day as a customer
        since: String,
    }
}

record! {
    /// A person at a customer.
    Contact = "contact", "contacts", "CTC-" {
        /// Contact id
        id: String,
        /// Customer they belong to
        customer_id: String,
        /// Full name
        name: String,
        /// What they do there
        role: String,
        /// E-mail address
        email: String,
    }
}

record! {
    /// Something that may be sold.
    Deal = "deal", "deals", "DEAL-" {
        /// Deal id
        id: String,
        /// Who may buy
        customer_id: String,
        /// What it is about
        title: String,
        /// How far it has come
        stage: Stage,
        /// What it is worth, in euros
        value: Euros,
        /// Day by which it should be decided
        closes_on: String,
    }
}

record! {
    /// One time somebody was in touch with a customer.
    Activity = "activity", "activities", "ACT-" {
        /// Activity id
        id: String,
        /// With whom
        customer_id: String,
        /// How
        channel: Channel,
        /// What was said
        summary: String,
        /// Who of us it was
        author: String,
        /// Day
        happened_on: String,
    }
}

record! {
    /// The deals in one stage.
    StageTotal {
        /// The stage
        stage: Stage,
        /// How many deals
        deals: i64,
        /// What they are worth together, in euros
        value: Euros,
    }
}

record! {
    /// All deals by stage.
    Pipeline {
        /// One entry a stage, in order
        stages: Vec<StageTotal>,
    }
}

choices! {
    /// What kind of customer.
    Segment { Private = "private", Retail = "retail", Hospitality = "hospitality", Education = "education" }

    /// How far a deal has come.
    Stage { Lead = "lead", Offer = "offer", Negotiation = "negotiation", Won = "won", Lost = "lost" }

    /// How somebody was in touch.
    Channel { Call = "call", Meeting = "meeting", Mail = "mail" }
}

app! {
    /// Customers, the people there, and what is in the making.
    Crm = "crm" of customers: Customer, contacts: Contact, deals: Deal, activities: Activity;
    words: Segment, Stage, Channel;
    tools: customers, people, deals;
}

fn customers(app: App<Crm>) -> App<Crm> {
    app.reads("list_customers", |crm, args| crm.customers.list(args))
        .reads("get_customer", |crm, args| {
            crm.customers.show(args.get("customer_id")?, |customer| {
                format!("{} in {}", customer.name, customer.city)
            })
        })
        .changes(Adds, "add_customer", |crm, args| {
            let rest = json!({"owner": CALLER, "since": args.today()});
            crm.customers.create(args, rest, |customer| {
                format!("{} is {}", customer.name, customer.id)
            })
        })
        .changes(Sets, "assign_customer", |crm, args| {
            crm.customers.update(args.get("customer_id")?, |customer| {
                customer.owner = args.get("owner")?;
                Ok(format!("{} now looks after {}", customer.owner, customer.name))
            })
        })
}

fn people(app: App<Crm>) -> App<Crm> {
    app.reads("list_contacts", |crm, args| crm.contacts.list(args))
        .changes(Adds, "add_contact", |crm, args| {
            crm.customers.get(args.get("customer_id")?)?;
            crm.contacts.create(args, json!({}), |contact| {
                format!("added {} as {}", contact.name, contact.id)
            })
        })
        .changes(Removes, "delete_contact", |crm, args| {
            crm.contacts.discard(args.get("contact_id")?, |contact| {
                Ok(format!("deleted {} and all we knew of them", contact.id))
            })
        })
        .reads("list_activities", |crm, args| crm.activities.list(args))
        .changes(Adds, "log_activity", |crm, args| {
            let customer = crm.customers.get(args.get("customer_id")?)?;
            let rest = json!({"author": CALLER, "happened_on": args.today()});
            crm.activities.create(args, rest, |activity| {
                format!("noted a {} with {}", activity.channel, customer.name)
            })
        })
}

fn deals(app: App<Crm>) -> App<Crm> {
    app.reads("list_deals", |crm, args| crm.deals.list(args))
        .reads("summarize_pipeline", pipeline)
        .changes(Adds, "create_deal", |crm, args| {
            crm.customers.get(args.get("customer_id")?)?;
            crm.deals.create(args, json!({"stage": Stage::Lead}), |deal| {
                format!("started {} over {}", deal.id, deal.value)
            })
        })
        .changes(Sets, "move_deal", |crm, args| {
            crm.deals.update(args.get("deal_id")?, |deal| {
                let stage = args.get("stage")?;
                ensure!(
                    !deal.stage.is_decided() || deal.stage == stage,
                    "{} is already {}; start a new deal",
                    deal.id,
                    deal.stage
                );
                deal.stage = stage;
                Ok(format!("{} is {stage}", deal.id))
            })
        })
}

impl Stage {
    fn is_decided(self) -> bool {
        matches!(self, Self::Won | Self::Lost)
    }
}

fn pipeline(crm: &Crm, _: &Args) -> Outcome<Pipeline> {
    let total = |stage: &Stage| {
        let deals: Vec<&Deal> = crm.deals.iter().filter(|deal| deal.stage == *stage).collect();
        let value = deals.iter().map(|deal| deal.value).sum();
        StageTotal {
            stage: *stage,
            deals: deals.len() as i64,
            value,
        }
    };
    let stages: Vec<StageTotal> = Stage::ALL.iter().map(total).collect();
    let undecided: Euros = stages
        .iter()
        .filter(|total| !total.stage.is_decided())
        .map(|total| total.value)
        .sum();
    Ok(Answer::new(
        format!("{undecided} are still to be decided"),
        Pipeline { stages },
    ))
}
