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

const MIB: usize = 1024 * 1024;
/// Bytes that all waiting calls may hold; one more is refused. Fifty KiB for each of [`SUSPENDED_MAX`], which is far
/// more than most have, and a part of a small machine's memory.
pub const SUSPENDED_BYTES_MAX: usize = 512 * MIB;
/// Bytes that the waiting calls of one caller may hold: four of the largest that a request can bring.
pub const SUSPENDED_BYTES_PER_CALLER_MAX: usize = 32 * MIB;
/// Bytes that the waiting calls of one key may hold, so that no key takes all the room by inventing end users.
pub const SUSPENDED_BYTES_PER_KEY_MAX: usize = 128 * MIB;

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

    /// About how many bytes it holds.
    pub fn bytes(&self) -> usize {
        let arguments = self.arguments.as_deref().map_or(0, |raw| raw.get().len());
        let user_id = self.user_id.as_ref().map_or(0, String::len);
        self.gateway.len() + self.key_id.len() + user_id + self.name.len() + arguments
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

/// Whose waiting calls hold too much for one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// The caller's own.
    Caller,
    /// Those of the key.
    Key,
    /// Everybody's.
    All,
}

impl Full {
    /// What the agent is told.
    pub fn told(self) -> String {
        let (whose, bytes, way_out) = match self {
            Self::Caller => (
                "your calls that wait for an answer hold",
                SUSPENDED_BYTES_PER_CALLER_MAX,
                "answer some of them, or pass less in the arguments",
            ),
            Self::Key => (
                "the calls of this key that wait for an answer hold",
                SUSPENDED_BYTES_PER_KEY_MAX,
                "answer some of them, or try again later",
            ),
            Self::All => (
                "the calls that wait for an answer hold",
                SUSPENDED_BYTES_MAX,
                "try again later",
            ),
        };
        let mib = bytes / MIB;
        format!("given up: this call needs an answer, and {whose} all they may, {mib} MiB; {way_out}")
    }
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
    calls: HashMap<String, Waiting>,
    /// States by age, oldest first.
    ages: BTreeMap<u64, String>,
    callers: HashMap<Whose, Share>,
    keys: HashMap<String, Share>,
    bytes: usize,
    clock: u64,
}

#[derive(Clone)]
struct Waiting {
    age: u64,
    bytes: usize,
    call: Arc<Ongoing>,
}

/// What one caller's or one key's calls take.
#[derive(Default)]
struct Share {
    ages: BTreeSet<u64>,
    bytes: usize,
}

impl Suspended {
    /// Keeps a call that waits under `state` and holds this many bytes. By number, whoever has waited longest has to
    /// leave for it and is given up; by bytes, it is refused, and nobody leaves.
    pub fn keep(&self, state: String, call: Arc<Ongoing>, bytes: usize) -> Result<(), Full> {
        let mut open = lock(&self.open);
        let caller = call.binding.caller();
        let leaves = open.leaves_for(&caller);
        let leaving = leaves.as_ref().and_then(|state| open.calls.get(state));
        open.check(&caller, bytes, leaving)?;
        if let Some(left) = leaves.and_then(|leaves| open.remove(&leaves)) {
            left.give_up();
        }
        open.clock += 1;
        let age = open.clock;
        open.ages.insert(age, state.clone());
        open.bytes += bytes;
        let of_key = open.keys.entry(caller.0.clone()).or_default();
        of_key.ages.insert(age);
        of_key.bytes += bytes;
        let own = open.callers.entry(caller).or_default();
        own.ages.insert(age);
        own.bytes += bytes;
        open.calls.insert(state, Waiting { age, bytes, call });
        Ok(())
    }

    /// The call that waits under `state` holds this many bytes from now on; where that is too much, it stays as it
    /// was. Holding less is never too much.
    pub fn resize(&self, state: &str, bytes: usize) -> Result<(), Full> {
        let mut open = lock(&self.open);
        let Some(waiting) = open.calls.get(state) else {
            return Ok(());
        };
        let (before, caller) = (waiting.bytes, waiting.call.binding.caller());
        if bytes > before {
            open.check(&caller, bytes, Some(waiting))?;
        }
        let now = |held: usize| (held + bytes).saturating_sub(before);
        open.bytes = now(open.bytes);
        if let Some(own) = open.keys.get_mut(&caller.0) {
            own.bytes = now(own.bytes);
        }
        if let Some(own) = open.callers.get_mut(&caller) {
            own.bytes = now(own.bytes);
        }
        if let Some(waiting) = open.calls.get_mut(state) {
            waiting.bytes = bytes;
        }
        Ok(())
    }

    /// Nothing waits under `state` any more.
    pub fn forget(&self, state: &str) {
        lock(&self.open).remove(state);
    }

    /// The call that waits under `state`, if `retry` may go on with it.
    pub fn find(&self, state: &str, retry: &Binding) -> Option<Arc<Ongoing>> {
        let call = Arc::clone(&lock(&self.open).calls.get(state)?.call);
        call.binding.admits(retry).then_some(call)
    }

    /// How many wait.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        lock(&self.open).calls.len()
    }

    /// What they hold together.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        lock(&self.open).bytes
    }
}

impl Open {
    /// The state of the call that has to leave when `caller` brings one more.
    fn leaves_for(&self, caller: &Whose) -> Option<String> {
        let oldest_beyond = |share: Option<&Share>, max: usize| {
            let share = share.filter(|share| share.ages.len() >= max)?;
            share.ages.first().copied()
        };
        let own = oldest_beyond(self.callers.get(caller), SUSPENDED_PER_CALLER_MAX)
            .or_else(|| oldest_beyond(self.keys.get(&caller.0), SUSPENDED_PER_KEY_MAX));
        let age = match own {
            None if self.calls.len() >= SUSPENDED_MAX => self.ages.keys().next().copied(),
            own => own,
        };
        self.ages.get(&age?).cloned()
    }

    /// Whether there is room for `bytes` of `caller` once `leaving` has left.
    fn check(&self, caller: &Whose, bytes: usize, leaving: Option<&Waiting>) -> Result<(), Full> {
        let freed = |whose: &dyn Fn(&Whose) -> bool| {
            leaving
                .filter(|leaving| whose(&leaving.call.binding.caller()))
                .map_or(0, |leaving| leaving.bytes)
        };
        let held = |share: Option<&Share>| share.map_or(0, |share| share.bytes);
        let own = held(self.callers.get(caller)).saturating_sub(freed(&|other| other == caller));
        let of_key = held(self.keys.get(&caller.0)).saturating_sub(freed(&|other| other.0 == caller.0));
        let all = self.bytes.saturating_sub(freed(&|_| true));
        for (held, max, full) in [
            (own, SUSPENDED_BYTES_PER_CALLER_MAX, Full::Caller),
            (of_key, SUSPENDED_BYTES_PER_KEY_MAX, Full::Key),
            (all, SUSPENDED_BYTES_MAX, Full::All),
        ] {
            if held.saturating_add(bytes) > max {
                return Err(full);
            }
        }
        Ok(())
    }

    fn remove(&mut self, state: &str) -> Option<Arc<Ongoing>> {
        let Waiting { age, bytes, call } = self.calls.remove(state)?;
        self.ages.remove(&age);
        self.bytes = self.bytes.saturating_sub(bytes);
        let caller = call.binding.caller();
        if let Some(own) = self.keys.get_mut(&caller.0)
            && own.lose(age, bytes)
        {
            self.keys.remove(&caller.0);
        }
        if let Some(own) = self.callers.get_mut(&caller)
            && own.lose(age, bytes)
        {
            self.callers.remove(&caller);
        }
        Some(call)
    }
}

impl Share {
    /// One call less; whether none is left.
    fn lose(&mut self, age: u64, bytes: usize) -> bool {
        self.ages.remove(&age);
        self.bytes = self.bytes.saturating_sub(bytes);
        self.ages.is_empty()
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
        Ongoing::new(suspended, binding(user), 0, Default::default())
    }

    /// A caller's own oldest leaves before anybody else's, then the oldest of all; nothing is left behind.
    #[test]
    fn the_number_of_calls_is_bounded() {
        let suspended = Arc::new(Suspended::default());
        let first = call(&suspended, 0);
        suspended.keep("first".to_owned(), Arc::clone(&first), 1).unwrap();
        let greedy: Vec<_> = (0..=SUSPENDED_PER_CALLER_MAX)
            .map(|_| call(&suspended, 1))
            .collect();
        for (number, call) in greedy.iter().enumerate() {
            suspended
                .keep(format!("greedy {number}"), Arc::clone(call), 1)
                .unwrap();
        }
        assert_eq!(suspended.len(), SUSPENDED_PER_CALLER_MAX + 1);
        assert!(greedy[0].is_given_up() && !greedy[1].is_given_up() && !first.is_given_up());
        assert!(suspended.find("greedy 0", &binding(1)).is_none());
        assert!(suspended.find("first", &binding(0)).is_some());

        for user in 2..SUSPENDED_MAX {
            suspended
                .keep(format!("user {user}"), call(&suspended, user), 1)
                .unwrap();
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
        assert_eq!(open.bytes, 0);
    }

    /// A key that invents end users gives up its own calls, never those of another key.
    #[test]
    fn the_number_of_calls_of_a_key_is_bounded() {
        let suspended = Arc::new(Suspended::default());
        let other = call(&suspended, 0);
        suspended.keep("other".to_owned(), Arc::clone(&other), 1).unwrap();
        let of_key = |user: usize| Binding {
            user_id: Some(format!("invented {user}")),
            ..binding(500)
        };
        let calls: Vec<_> = (0..=SUSPENDED_PER_KEY_MAX)
            .map(|user| Ongoing::new(&suspended, of_key(user), 0, Default::default()))
            .collect();
        for (number, call) in calls.iter().enumerate() {
            suspended.keep(number.to_string(), Arc::clone(call), 1).unwrap();
        }
        assert_eq!(suspended.len(), SUSPENDED_PER_KEY_MAX + 1);
        assert!(calls[0].is_given_up() && !calls[1].is_given_up() && !other.is_given_up());
    }

    /// Beyond what a caller, a key, or all may hold, one more is refused and nobody leaves; whatever leaves makes room.
    #[test]
    fn the_bytes_of_calls_are_bounded() {
        let of = |key: usize, user: usize| Binding {
            key_id: format!("key {key}"),
            user_id: Some(user.to_string()),
            ..binding(0)
        };
        let suspended = Arc::new(Suspended::default());
        let keep = |key: usize, user: usize, number: usize, bytes: usize| {
            let call = Ongoing::new(&suspended, of(key, user), 0, Default::default());
            suspended.keep(format!("{key} {user} {number}"), call, bytes)
        };
        let (half, quarter) = (
            SUSPENDED_BYTES_PER_CALLER_MAX / 2,
            SUSPENDED_BYTES_PER_CALLER_MAX / 4,
        );
        let callers = SUSPENDED_BYTES_PER_KEY_MAX / SUSPENDED_BYTES_PER_CALLER_MAX;
        let keys = SUSPENDED_BYTES_MAX / SUSPENDED_BYTES_PER_KEY_MAX;
        for key in 0..keys {
            for user in 0..callers {
                assert_eq!(keep(key, user, 0, half), Ok(()));
                assert_eq!(keep(key, user, 1, half), Ok(()));
                assert_eq!(keep(key, user, 2, 1), Err(Full::Caller));
            }
            assert_eq!(keep(key, callers, 0, 1), Err(Full::Key));
        }
        assert_eq!(keep(keys, 0, 0, 1), Err(Full::All));
        assert_eq!(suspended.len(), 2 * callers * keys, "nobody left");
        assert_eq!(suspended.bytes(), SUSPENDED_BYTES_MAX);

        // Holding more is refused, too, and changes nothing; holding less makes room.
        assert_eq!(suspended.resize("0 0 0", half + 1), Err(Full::Caller));
        assert_eq!(suspended.resize("0 0 0", quarter), Ok(()));
        assert_eq!(keep(0, 0, 2, quarter + 1), Err(Full::Caller));
        assert_eq!(keep(0, 0, 2, quarter), Ok(()));
        assert_eq!(suspended.resize("unknown", usize::MAX), Ok(()));
        suspended.forget("1 0 0");
        assert_eq!(keep(keys, 0, 0, half), Ok(()));
        assert_eq!(keep(1, 0, 0, half), Err(Full::All));
        assert_eq!(suspended.bytes(), SUSPENDED_BYTES_MAX);
        let states: Vec<String> = suspended.open.lock().unwrap().calls.keys().cloned().collect();
        for state in states {
            suspended.forget(&state);
        }
        let open = suspended.open.lock().unwrap();
        assert!(open.callers.is_empty() && open.keys.is_empty());
        assert_eq!(open.bytes, 0);
    }

    /// A call that takes another's place by number takes its bytes too; one that is refused takes nobody's place.
    #[test]
    fn who_leaves_by_number_makes_room() {
        let suspended = Arc::new(Suspended::default());
        let each = SUSPENDED_BYTES_PER_CALLER_MAX / SUSPENDED_PER_CALLER_MAX;
        let calls: Vec<_> = (0..SUSPENDED_PER_CALLER_MAX)
            .map(|_| call(&suspended, 1))
            .collect();
        for (number, call) in calls.iter().enumerate() {
            suspended
                .keep(number.to_string(), Arc::clone(call), each)
                .unwrap();
        }
        let rest = SUSPENDED_BYTES_PER_CALLER_MAX - each * SUSPENDED_PER_CALLER_MAX;
        let larger = suspended.keep("larger".to_owned(), call(&suspended, 1), each + rest + 1);
        assert_eq!(larger, Err(Full::Caller));
        assert!(!calls[0].is_given_up());
        suspended
            .keep("as large".to_owned(), call(&suspended, 1), each + rest)
            .unwrap();
        assert!(calls[0].is_given_up() && !calls[1].is_given_up());
        assert_eq!(suspended.bytes(), SUSPENDED_BYTES_PER_CALLER_MAX);
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
