//! Which apps does Bramble & Co use?

mod billing;
mod calendar;
mod chat;
mod crm;
mod deploys;
mod feature_flags;
mod files;
mod mail;
mod monitoring;
mod orders;
mod people;
mod surveys;
mod tickets;
mod travel;
mod wiki;

use crate::DemoApp;

/// Whoever calls the tools, as the apps name them.
const CALLER: &str = "you";

/// All of them, by name.
pub(crate) fn all() -> Vec<DemoApp> {
    vec![
        billing::app().into(),
        calendar::app().into(),
        chat::app().into(),
        crm::app().into(),
        deploys::app().into(),
        feature_flags::app().into(),
        files::app().into(),
        mail::app().into(),
        monitoring::app().into(),
        orders::app().into(),
        people::app().into(),
        surveys::app().into(),
        tickets::app().into(),
        travel::app().into(),
        wiki::app().into(),
    ]
}
