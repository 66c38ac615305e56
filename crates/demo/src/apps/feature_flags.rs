//! Which features are switched on, and for whom?

use serde_json::json;

use super::CALLER;
use crate::answer::{Answer, Outcome};
use crate::app::{App, app};
use crate::arguments::Args;
use crate::refusal::{Refusal, ensure};
use crate::schema::record;
use crate::table::include;
use crate::tool::Effect::{Adds, Removes, Sets};

record! {
    /// A feature that can be switched without a release.
    Flag = "flag", "flags", "" {
        /// Key the code asks for
        key: String,
        /// What it switches
        about: String,
        /// Who decides on it
        owner: String,
        /// Whether it is on at all
        enabled: bool,
        /// How many in a hundred customers have it while it is on
        rollout_percent: i64,
        /// Customers who have it in any case while it is on
        always_for: Vec<String>,
    }
}

record! {
    /// One time a flag was changed.
    FlagChange = "change", "changes", "CHG-" {
        /// Change id
        id: String,
        /// Which flag
        flag_key: String,
        /// What was done
        change: String,
        /// By whom
        author: String,
        /// When
        changed_at: String,
    }
}

record! {
    /// Whether one customer has a feature.
    Decision {
        /// Which flag
        flag_key: String,
        /// Which customer
        customer_id: String,
        /// Whether the customer has it
        on: bool,
        /// Why
        because: String,
    }
}

app! {
    /// Flags and their history.
    FeatureFlags = "feature_flags" of flags: Flag, changes: FlagChange;
    tools: reading, changing;
}

fn reading(app: App<FeatureFlags>) -> App<FeatureFlags> {
    app.reads("list_flags", |features, args| features.flags.list(args))
        .reads("get_flag", |features, args| {
            features.flags.show(args.get("flag_key")?, |flag| flag.state())
        })
        .reads("check_flag_for_customer", decide)
        .reads("list_flag_changes", |features, args| features.changes.list(args))
}

fn changing(app: App<FeatureFlags>) -> App<FeatureFlags> {
    app.changes(Adds, "create_flag", |features, args| {
        let rest = json!({"owner": CALLER, "enabled": false, "rollout_percent": 100, "always_for": []});
        let flag = features.flags.insert(args, rest)?;
        features.note(&flag.key, "created", args)?;
        Ok(Answer::new(flag.state(), flag))
    })
    .changes(Sets, "switch_flag", |features, args| {
        let enabled = args.get("enabled")?;
        features.update(args, |flag| {
            flag.enabled = enabled;
            Ok(format!("switched {}", if enabled { "on" } else { "off" }))
        })
    })
    .changes(Sets, "set_flag_rollout", |features, args| {
        let percent = args.get("percent")?;
        features.update(args, |flag| {
            flag.rollout_percent = percent;
            Ok(format!("rolled out to {percent} %"))
        })
    })
    .changes(Sets, "give_customer_a_flag", |features, args| {
        let customer: String = args.get("customer_id")?;
        features.update(args, |flag| {
            include(&mut flag.always_for, customer.clone(), "customers on this flag")?;
            Ok(format!("given to {customer}"))
        })
    })
    .changes(Removes, "delete_flag", |features, args| {
        let flag = features.flags.remove(args.get("flag_key")?)?;
        ensure!(!flag.enabled, "{} is still on; switch it off first", flag.key);
        features.note(&flag.key, "deleted", args)?;
        Ok(Answer::new(format!("deleted {}", flag.key), ()))
    })
}

fn decide(features: &FeatureFlags, args: &Args) -> Outcome<Decision> {
    let flag = features.flags.get(args.get("flag_key")?)?;
    let customer_id: String = args.get("customer_id")?;
    let named = flag.always_for.contains(&customer_id);
    let place = place_of(&flag.key, &customer_id);
    let (on, because) = match (flag.enabled, named) {
        (false, _) => (false, "the flag is off".to_owned()),
        (true, true) => (true, "the customer is named on the flag".to_owned()),
        (true, false) => (
            place < flag.rollout_percent,
            format!("place {place} of 100, rolled out below {}", flag.rollout_percent),
        ),
    };
    let state = if on { "on" } else { "off" };
    let text = format!("{} is {state} for {customer_id}: {because}", flag.key);
    let decision = Decision {
        flag_key: flag.key.clone(),
        customer_id,
        on,
        because,
    };
    Ok(Answer::new(text, decision))
}

/// A place from 0 to 99 that a customer keeps for one flag: FNV-1a over both names.
fn place_of(key: &str, customer_id: &str) -> i64 {
    let hash = key
        .bytes()
        .chain(customer_id.bytes())
        .fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
    i64::from(hash % 100)
}

impl Flag {
    fn state(&self) -> String {
        match self.enabled {
            true => format!("{} is on for {} % of customers", self.key, self.rollout_percent),
            false => format!("{} is off", self.key),
        }
    }
}

impl FeatureFlags {
    /// Changes the flag the call names; the change says what it did, for the history.
    fn update(
        &mut self,
        args: &Args,
        change: impl FnOnce(&mut Flag) -> Result<String, Refusal>,
    ) -> Outcome<Flag> {
        let flag = self.flags.get_mut(args.get("flag_key")?)?;
        let done = change(flag)?;
        let flag = flag.clone();
        self.note(&flag.key, &done, args)?;
        Ok(Answer::new(flag.state(), flag))
    }

    fn note(&mut self, flag_key: &str, change: &str, args: &Args) -> Result<(), Refusal> {
        let rest = json!({
            "flag_key": flag_key, "change": change, "author": CALLER, "changed_at": args.now(),
        });
        self.changes.insert(args, rest)?;
        Ok(())
    }
}
