//! How does one get to a trade fair, and who pays for it?

use serde_json::json;

use super::CALLER;
use crate::answer::Outcome;
use crate::app::{App, app};
use crate::arguments::Args;
use crate::euros::Euros;
use crate::refusal::{ensure, expect_state};
use crate::schema::{choices, record};
use crate::table::include;
use crate::tool::Effect::{Adds, Removes, Sends, Sets};

record! {
    /// A train one can take every day.
    Train = "train", "trains", "TRN-" {
        /// Train id
        id: String,
        /// Where it starts
        origin: String,
        /// Where it goes
        destination: String,
        /// Departure, local time
        departs: String,
        /// Arrival, local time
        arrives: String,
        /// Fare in euros
        fare: Euros,
    }
}

record! {
    /// A hotel.
    Hotel = "hotel", "hotels", "HTL-" {
        /// Hotel id
        id: String,
        /// Name
        name: String,
        /// City
        city: String,
        /// Price of a night, in euros
        night: Euros,
        /// Walk to the fair or office, in minutes
        walk_minutes: i64,
    }
}

record! {
    /// A journey for work.
    Trip = "trip", "trips", "TRIP-" {
        /// Trip id
        id: String,
        /// Who travels, by first name
        traveller: String,
        /// Where to
        destination: String,
        /// What for
        purpose: String,
        /// First day
        starts_on: String,
        /// Last day
        ends_on: String,
        /// Where it stands
        state: TripState,
        /// What is booked
        bookings: Vec<String>,
        /// What the bookings cost together, in euros
        cost: Euros,
    }
}

record! {
    /// Money somebody laid out on a trip.
    Expense = "expense", "expenses", "EXP-" {
        /// Expense id
        id: String,
        /// On which trip
        trip_id: String,
        /// What for
        category: Category,
        /// In a few words
        note: String,
        /// How much, in euros
        amount: Euros,
        /// Whether it was paid back
        paid_back: bool,
    }
}

choices! {
    /// Where a trip stands.
    TripState { Planned = "planned", Approved = "approved", Cancelled = "cancelled" }

    /// What money was spent on.
    Category { Meals = "meals", Transport = "transport", Material = "material" }
}

app! {
    /// Ways to travel, trips, and their cost.
    Travel = "travel" of trains: Train, hotels: Hotel, trips: Trip, expenses: Expense;
    words: TripState, Category;
    tools: searching, planning, paying;
}

fn searching(app: App<Travel>) -> App<Travel> {
    app.reads("search_trains", |travel, args| travel.trains.list(args))
        .reads("search_hotels", |travel, args| travel.hotels.list(args))
        .reads("list_trips", |travel, args| travel.trips.list(args))
        .reads("get_itinerary", |travel, args| {
            travel.trips.show(args.get("trip_id")?, Trip::headline)
        })
}

fn planning(app: App<Travel>) -> App<Travel> {
    app.changes(Adds, "plan_trip", |travel, args| {
        let (start, end): (&str, &str) = (args.get("starts_on")?, args.get("ends_on")?);
        ensure!(start <= end, "a trip cannot end on {end} and start on {start}");
        let rest = json!({"state": TripState::Planned, "bookings": [], "cost": Euros::ZERO});
        travel.trips.create(args, rest, Trip::headline)
    })
    .changes(Sets, "approve_trip", |travel, args| {
        travel.trips.update(args.get("trip_id")?, |trip| {
            expect_state(&trip.id, trip.state, &[TripState::Planned, TripState::Approved])?;
            trip.state = TripState::Approved;
            Ok(trip.headline())
        })
    })
    .changes(Sends, "book_train", |travel, args| {
        let train = travel.trains.get(args.get("train_id")?)?;
        let day: &str = args.get("day")?;
        let booking = format!("{} on {day} at {}", train.route(), train.departs);
        let fare = train.fare;
        travel.book(booking, fare, args)
    })
    .changes(Sends, "book_hotel", |travel, args| {
        let hotel = travel.hotels.get(args.get("hotel_id")?)?;
        let (arrival, nights): (&str, i64) = (args.get("arrival")?, args.get("nights")?);
        let booking = format!("{}: {}, {nights} nights from {arrival}", hotel.id, hotel.name);
        let price = hotel.night * nights;
        travel.book(booking, price, args)
    })
    .changes(Removes, "cancel_trip", |travel, args| {
        travel.trips.update(args.get("trip_id")?, |trip| {
            trip.state = TripState::Cancelled;
            trip.bookings.clear();
            trip.cost = Euros::ZERO;
            Ok(trip.headline())
        })
    })
}

fn paying(app: App<Travel>) -> App<Travel> {
    app.reads("list_expenses", |travel, args| travel.expenses.list(args))
        .changes(Adds, "file_expense", |travel, args| {
            let trip = travel.trips.get(args.get("trip_id")?)?;
            let trip = trip.id.clone();
            travel
                .expenses
                .create(args, json!({"paid_back": false}), |expense| {
                    format!("filed {} over {} for {trip}", expense.id, expense.amount)
                })
        })
        .changes(Sets, "pay_back_expense", |travel, args| {
            travel.expenses.update(args.get("expense_id")?, |expense| {
                expense.paid_back = true;
                Ok(format!("{CALLER} paid back {}", expense.amount))
            })
        })
}

impl Train {
    fn route(&self) -> String {
        format!("{}: train {} to {}", self.id, self.origin, self.destination)
    }
}

impl Trip {
    fn headline(&self) -> String {
        let trip = format!("{}: {} to {}", self.id, self.traveller, self.destination);
        format!("{trip}, {}, {} booked", self.state, self.cost)
    }
}

impl Travel {
    /// Books something for the trip the call names.
    fn book(&mut self, booking: String, cost: Euros, args: &Args) -> Outcome<Trip> {
        self.trips.update(args.get("trip_id")?, |trip| {
            expect_state(&trip.id, trip.state, &[TripState::Approved])?;
            ensure!(
                !trip.bookings.contains(&booking),
                "{} has that booked already",
                trip.id
            );
            include(&mut trip.bookings, booking, "bookings")?;
            trip.cost += cost;
            Ok(trip.headline())
        })
    }
}
