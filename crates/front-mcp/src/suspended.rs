//! Which calls of stateless clients wait for an answer, and who may give it?

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use serde_json::value::RawValue;

use crate::ongoing::Ongoing;
use crate::session::lock;

/// Calls that may wait at once; beyond it the one that has waited longest is given up.
pub const SUSPENDED_MAX: usize = 10_000;
/// Calls of one caller that may wait at once; beyond it their own oldest is given up.
pub const SUSPENDED_PER_CALLER_MAX: usize = 100;

/// Calls of one key that may wait at once, whatever end users it names; beyond it the key's own oldest is given up.
pub const SUSPENDED_PER_KEY_MAX: usize = 1_000;

/// What a retry must have in common with the call it goes on with.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    /// The gateway.
    pub gateway: String,
    /// The key.
    pub key_id: String,
    /// The end user.
    pub user_id: Option<String>,
    /// The tool's name, as it was written.
    pub name: String,
    /// Its arguments.
    pub arguments: Option<Arc<RawValue>>,
}

impl Binding {
    /// Whether `retry` is the same call by the same caller. Arguments may be spelled another way.
    pub fn admits(&self, retry: &Self) -> bool {
        (&self.gateway, &self.key_id, &self.user_id, &self.name)
            == (&retry.gateway, &retry.key_id, &retry.user_id, &retry.name)
            && same(self.arguments.as_deref(), retry.arguments.as_deref())
    }

    fn caller(&self) -> Whose {
        (self.key_id.clone(), self.user_id.clone())
    }
}

/// Whether two calls pass the same arguments; none are an empty object.
fn same(one: Option<&RawValue>, other: Option<&RawValue>) -> bool {
    let text = |raw: Option<&RawValue>| raw.map_or("{}", RawValue::get).to_owned();
    let (one, other) = (text(one), text(other));
    let value = |text: &str| handpick_protocol::json::value(text).unwrap_or(Value::Null);
    one == other || value(&one) == value(&other)
}

/// The calls whose client was asked and has not come back yet, by `requestState`.
///
/// The state is random, means nothing by itself, and is good for one retry: each round has its own. An entry lives
/// as long as its question: whoever asks limits the time, and takes the question back when it is over.
#[derive(Default)]
pub(crate) struct Suspended {
    open: Mutex<Open>,
}

/// A key and an end user.
type Whose = (String, Option<String>);

#[derive(Default)]
struct Open {
    calls: HashMap<String, (u64, Arc<Ongoing>)>,
    /// States by age, oldest first.
    ages: BTreeMap<u64, String>,
    callers: HashMap<Whose, BTreeSet<u64>>,
    keys: HashMap<String, BTreeSet<u64>>,
    clock: u64,
}

impl Suspended {
    /// Keeps a call that waits under `state`. Whoever had to leave for it is given up.
    pub fn keep(&self, state: String, call: Arc<Ongoing>) {
        let mut open = lock(&self.open);
        let caller = call.binding.caller();
        let own = open.callers.get(&caller);
        let oldest_own = own
            .filter(|own| own.len() >= SUSPENDED_PER_CALLER_MAX)
            .and_then(BTreeSet::first)
            .copied();
        let own_key = open.keys.get(&caller.0);
        let oldest_of_key = own_key
            .filter(|own| own.len() >= SUSPENDED_PER_KEY_MAX)
            .and_then(BTreeSet::first)
            .copied();
        let oldest = || open.ages.keys().next().copied();
        let leaves = match oldest_own.or(oldest_of_key) {
            None if open.calls.len() >= SUSPENDED_MAX => oldest(),
            own => own,
        };
        if let Some(leaves) = leaves.and_then(|age| open.ages.get(&age).cloned())
            && let Some(left) = open.remove(&leaves)
        {
            left.give_up();
        }
        open.clock += 1;
        let now = open.clock;
        open.ages.insert(now, state.clone());
        open.keys.entry(caller.0.clone()).or_default().insert(now);
        open.callers.entry(caller).or_default().insert(now);
        open.calls.insert(state, (now, call));
    }

    /// Nothing waits under `state` any more.
    pub fn forget(&self, state: &str) {
        lock(&self.open).remove(state);
    }

    /// The call that waits under `state`, if `retry` may go on with it.
    pub fn find(&self, state: &str, retry: &Binding) -> Option<Arc<Ongoing>> {
        let (_, call) = lock(&self.open).calls.get(state).cloned()?;
        call.binding.admits(retry).then_some(call)
    }

    /// How many wait.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        lock(&self.open).calls.len()
    }
}

impl Open {
    fn remove(&mut self, state: &str) -> Option<Arc<Ongoing>> {
        let (age, call) = self.calls.remove(state)?;
        self.ages.remove(&age);
        let caller = call.binding.caller();
        if let Some(own) = self.keys.get_mut(&caller.0) {
            own.remove(&age);
            if own.is_empty() {
                self.keys.remove(&caller.0);
            }
        }
        if let Some(own) = self.callers.get_mut(&caller) {
            own.remove(&age);
            if own.is_empty() {
                self.callers.remove(&caller);
            }
        }
        Some(call)
    }
}

#[cfg(test)]
mod tests {
    use handpick_protocol::json::raw;

    use super::*;

    fn binding(user: usize) -> Binding {
        Binding {
            gateway: "g".to_owned(),
            key_id: format!("key {}", user / 100),
            user_id: Some(user.to_string()),
            name: "t".to_owned(),
            arguments: None,
        }
    }

    fn call(suspended: &Arc<Suspended>, user: usize) -> Arc<Ongoing> {
        Ongoing::new(suspended, binding(user), Default::default())
    }

    /// A caller's own oldest leaves before anybody else's, then the oldest of all; nothing is left behind.
    #[test]
    fn the_number_of_calls_is_bounded() {
        let suspended = Arc::new(Suspended::default());
        let first = call(&suspended, 0);
        suspended.keep("first".to_owned(), Arc::clone(&first));
        let greedy: Vec<_> = (0..=SUSPENDED_PER_CALLER_MAX)
            .map(|_| call(&suspended, 1))
            .collect();
        for (number, call) in greedy.iter().enumerate() {
            suspended.keep(format!("greedy {number}"), Arc::clone(call));
        }
        assert_eq!(suspended.len(), SUSPENDED_PER_CALLER_MAX + 1);
        assert!(greedy[0].is_given_up() && !greedy[1].is_given_up() && !first.is_given_up());
        assert!(suspended.find("greedy 0", &binding(1)).is_none());
        assert!(suspended.find("first", &binding(0)).is_some());

        for user in 2..SUSPENDED_MAX {
            suspended.keep(format!("user {user}"), call(&suspended, user));
        }
        assert_eq!(suspended.len(), SUSPENDED_MAX);
        assert!(first.is_given_up());
        for number in 0..=SUSPENDED_PER_CALLER_MAX {
            suspended.forget(&format!("greedy {number}"));
        }
        for user in 2..SUSPENDED_MAX {
            suspended.forget(&format!("user {user}"));
        }
        let open = suspended.open.lock().unwrap();
        assert!(open.calls.is_empty() && open.ages.is_empty());
        assert!(open.callers.is_empty() && open.keys.is_empty());
    }

    /// A key that invents end users gives up its own calls, never those of another key.
    #[test]
    fn the_number_of_calls_of_a_key_is_bounded() {
        let suspended = Arc::new(Suspended::default());
        let other = call(&suspended, 0);
        suspended.keep("other".to_owned(), Arc::clone(&other));
        let of_key = |user: usize| Binding {
            user_id: Some(format!("invented {user}")),
            ..binding(500)
        };
        let calls: Vec<_> = (0..=SUSPENDED_PER_KEY_MAX)
            .map(|user| Ongoing::new(&suspended, of_key(user), Default::default()))
            .collect();
        for (number, call) in calls.iter().enumerate() {
            suspended.keep(number.to_string(), Arc::clone(call));
        }
        assert_eq!(suspended.len(), SUSPENDED_PER_KEY_MAX + 1);
        assert!(calls[0].is_given_up() && !calls[1].is_given_up() && !other.is_given_up());
    }

    /// What makes a retry the same call, and what does not.
    #[test]
    fn a_retry_is_the_same_call() {
        let first = |arguments: Option<&str>| Binding {
            arguments: arguments.map(|text| raw(text.to_owned()).into()),
            ..binding(1)
        };
        for (one, other, expected) in [
            (None, None, true),
            (None, Some("{}"), true),
            (Some(r#"{"a":1,"b":[2]}"#), Some(r#"{ "b": [2], "a": 1 }"#), true),
            (Some(r#"{"a":1}"#), Some(r#"{"a":2}"#), false),
            (Some(r#"{"a":1}"#), None, false),
            (Some(r#"{"a":1}"#), Some(r#"{"a":1,"b":null}"#), false),
        ] {
            assert_eq!(first(one).admits(&first(other)), expected, "{one:?} {other:?}");
        }
        let other = |change: fn(&mut Binding)| {
            let mut other = binding(1);
            change(&mut other);
            other
        };
        for changed in [
            other(|binding| binding.gateway.push('2')),
            other(|binding| binding.key_id.push('2')),
            other(|binding| binding.user_id = None),
            other(|binding| binding.name.push('2')),
        ] {
            assert!(!binding(1).admits(&changed), "{changed:?}");
        }
    }
}
