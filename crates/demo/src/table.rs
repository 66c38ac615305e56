//! Where do the things of one kind live while the demo runs?

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::{Answer, Listing, Outcome, listing};
use crate::arguments::Args;
use crate::refusal::{Refusal, ensure};
use crate::schema::Described;

/// Most rows of a table, so that an instance left running keeps its memory.
const ROWS_MAX: usize = 300;

/// Most elements of a list inside a row.
const ELEMENTS_MAX: usize = 50;

/// A row, declared by `record!`.
pub(crate) trait Record: Clone + Described + Serialize + DeserializeOwned + 'static {
    /// What one is called, such as `invoice`.
    const NOUN: &'static str;
    /// What several are called; also the member of a listing.
    const PLURAL: &'static str;
    /// What a generated key begins with, such as `INV-`.
    const PREFIX: &'static str;
    /// The field it is found by.
    const KEY: &'static str;

    /// What it is found by.
    fn key(&self) -> &str;
}

/// Rows in the order they were made.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Vec<R>", bound = "R: Record")]
pub(crate) struct Table<R> {
    rows: Vec<R>,
    /// The number in the newest generated key.
    serial: u64,
}

impl<R: Record> From<Vec<R>> for Table<R> {
    fn from(rows: Vec<R>) -> Self {
        let serial = rows.iter().filter_map(|row| number_in::<R>(row.key())).max();
        Self {
            rows,
            serial: serial.unwrap_or(100),
        }
    }
}

fn number_in<R: Record>(key: &str) -> Option<u64> {
    key.strip_prefix(R::PREFIX)?.parse().ok()
}

impl<R: Record> Table<R> {
    /// All rows, oldest first.
    pub fn iter(&self) -> std::slice::Iter<'_, R> {
        self.rows.iter()
    }

    /// All rows, to be changed.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, R> {
        self.rows.iter_mut()
    }

    /// The row with that key; refuses with the closest keys there are.
    pub fn get(&self, key: &str) -> Result<&R, Refusal> {
        Ok(&self.rows[self.position(key)?])
    }

    /// The row with that key, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Result<&mut R, Refusal> {
        let position = self.position(key)?;
        Ok(&mut self.rows[position])
    }

    /// The key for the next row to add: one that nobody has had before.
    pub fn next_key(&self) -> String {
        format!("{}{}", R::PREFIX, self.serial.saturating_add(1))
    }

    /// Adds a row and gives back a copy; refuses a key that is taken, and rows beyond the bound.
    fn add(&mut self, row: R) -> Result<R, Refusal> {
        let key = row.key();
        ensure!(
            self.rows.iter().all(|known| known.key() != key),
            "there is already a {} `{key}`",
            R::NOUN
        );
        ensure!(
            self.rows.len() < ROWS_MAX,
            "the demo keeps at most {ROWS_MAX} {}; start it again for a fresh one",
            R::PLURAL
        );
        self.serial = self.serial.max(number_in::<R>(key).unwrap_or_default());
        self.rows.push(row.clone());
        Ok(row)
    }

    /// Takes a row out.
    pub fn remove(&mut self, key: &str) -> Result<R, Refusal> {
        let position = self.position(key)?;
        Ok(self.rows.remove(position))
    }

    /// Answers with the row that has that key.
    pub fn show(&self, key: &str, text: impl FnOnce(&R) -> String) -> Outcome<R> {
        let row = self.get(key)?;
        Ok(Answer::new(text(row), row.clone()))
    }

    /// Adds a row and gives back a copy: its fields are `rest`, a new key where keys are generated, and
    /// for the others the arguments named like them.
    pub fn insert(&mut self, args: &Args, rest: Value) -> Result<R, Refusal> {
        let Value::Object(mut row) = rest else {
            return Err(Refusal::new(format!("a {} is made of named fields", R::NOUN)));
        };
        if !R::PREFIX.is_empty() {
            row.entry(R::KEY).or_insert(self.next_key().into());
        }
        for (name, value) in args.given() {
            row.entry(name).or_insert(value.clone());
        }
        let row = serde_json::from_value(Value::Object(row))
            .map_err(|error| Refusal::new(format!("no {} can be made of this: {error}", R::NOUN)))?;
        self.add(row)
    }

    /// [`Table::insert`] as an answer.
    pub fn create(&mut self, args: &Args, rest: Value, text: impl FnOnce(&R) -> String) -> Outcome<R> {
        let row = self.insert(args, rest)?;
        Ok(Answer::new(text(&row), row))
    }

    /// Changes the row with that key and answers with it; the change says what it did.
    pub fn update(
        &mut self,
        key: &str,
        change: impl FnOnce(&mut R) -> Result<String, Refusal>,
    ) -> Outcome<R> {
        let row = self.get_mut(key)?;
        let text = change(row)?;
        Ok(Answer::new(text, row.clone()))
    }

    /// Takes a row out and answers in words, unless these refuse.
    pub fn discard(&mut self, key: &str, words: impl FnOnce(&R) -> Result<String, Refusal>) -> Outcome<()> {
        let row = self.remove(key)?;
        Ok(Answer::new(words(&row)?, ()))
    }

    /// Takes out all rows like this, and says how many they were.
    pub fn remove_where(&mut self, unwanted: impl Fn(&R) -> bool) -> usize {
        let before = self.rows.len();
        self.rows.retain(|row| !unwanted(row));
        before - self.rows.len()
    }

    /// The rows that fit the call, newest first: a given argument that is named like a field must equal
    /// it (or one of its elements), and every word of `query` must occur in some text of the row.
    pub fn matching<'a>(&'a self, args: &'a Args) -> impl Iterator<Item = &'a R> {
        self.rows.iter().rev().filter(|row| fits(*row, args))
    }

    /// [`Table::matching`] as an answer.
    pub fn list(&self, args: &Args) -> Outcome<Listing<R>> {
        listing(self.matching(args), args)
    }

    fn position(&self, key: &str) -> Result<usize, Refusal> {
        self.rows
            .iter()
            .position(|row| row.key() == key)
            .ok_or_else(|| Refusal::unknown(R::NOUN, key, self.rows.iter().map(R::key)))
    }
}

/// Adds to a list inside a row, unless it is in there already; refuses beyond the bound.
pub(crate) fn include<T: PartialEq>(list: &mut Vec<T>, element: T, noun: &str) -> Result<(), Refusal> {
    if list.contains(&element) {
        return Ok(());
    }
    ensure!(
        list.len() < ELEMENTS_MAX,
        "there are already {ELEMENTS_MAX} {noun}, the most the demo keeps"
    );
    list.push(element);
    Ok(())
}

fn fits<R: Record>(row: &R, args: &Args) -> bool {
    let row = serde_json::to_value(row).unwrap_or_default();
    args.given().all(|(name, wanted)| match (name, row.get(name)) {
        ("query", _) => wanted.as_str().is_some_and(|query| contains(&row, query)),
        (_, Some(Value::Array(elements))) => elements.contains(wanted),
        (_, Some(field)) => field == wanted,
        (_, None) => true,
    })
}

fn contains(row: &Value, query: &str) -> bool {
    let row = row.to_string().to_lowercase();
    query
        .to_lowercase()
        .split_whitespace()
        .all(|word| row.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::Arg;
    use crate::schema::record;
    use serde_json::json;

    record! {
        /// A plant.
        Plant = "plant", "plants", "PLA-" {
            /// Key.
            id: String,
            /// Name.
            name: String,
            /// Where it may stand.
            places: Vec<String>,
        }
    }

    fn plants() -> Table<Plant> {
        serde_json::from_value(json!([
            {"id": "PLA-7", "name": "Basil", "places": ["window"]},
            {"id": "PLA-9", "name": "Thyme, lemon", "places": ["window", "balcony"]},
        ]))
        .unwrap()
    }

    #[test]
    fn keys_go_on_from_the_highest_and_are_never_used_again() {
        let mut plants = plants();
        let mut add = |name: &str| {
            let id = plants.next_key();
            let (name, places) = (name.to_owned(), Vec::new());
            plants.add(Plant { id, name, places }).unwrap().id
        };
        assert_eq!((add("Mint"), add("Sage")), ("PLA-10".into(), "PLA-11".into()));
        plants.remove("PLA-11").unwrap();
        assert_eq!(plants.next_key(), "PLA-12");
    }

    #[test]
    fn a_table_is_bounded_and_its_keys_are_unique() {
        let mut plants = plants();
        let basil = plants.get("PLA-7").unwrap().clone();
        assert!(plants.add(basil.clone()).is_err());
        for _ in plants.rows.len()..ROWS_MAX {
            let id = plants.next_key();
            plants.add(Plant { id, ..basil.clone() }).unwrap();
        }
        let id = plants.next_key();
        assert!(plants.add(Plant { id, ..basil }).is_err());
    }

    #[test]
    fn rows_are_found_by_field_element_and_words() {
        let optional = |name: &str| json!({"name": name, "kind": "text", "about": "Filter", "sample": "x", "optional": true});
        let mut needs: Vec<Arg> = ["name", "places", "query"]
            .map(|name| serde_json::from_value(optional(name)).unwrap())
            .into();
        needs.push(Arg::limit());
        let plants = plants();
        for (given, expected) in [
            (json!({}), "2 plants"),
            (json!({"name": "Basil"}), "1 plant"),
            (json!({"places": "window"}), "2 plants"),
            (json!({"places": "balcony"}), "1 plant"),
            (json!({"query": "LEMON thyme"}), "1 plant"),
            (json!({"query": "rose"}), "no plants found"),
            (json!({"limit": 1}), "1 of 2 plants"),
        ] {
            let Value::Object(map) = given.clone() else {
                panic!()
            };
            let args = Args::check(&needs, map, String::new()).unwrap();
            let result = plants.list(&args).unwrap().into_result();
            assert_eq!(result["content"][0]["text"], expected, "{given}");
        }
    }
}
