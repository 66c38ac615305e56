//! How is one demo tool defined and shown?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::argument::{Arg, Vocabulary, input_schema};
use crate::arguments::Args;
use crate::refusal::Refusal;

/// What runs when a tool is called: gives back the `tools/call` result.
pub(crate) type Handler<S> = Box<dyn Fn(&mut S, &Args) -> Result<Value, Refusal> + Send + Sync>;

/// What a tool does to the world; decides its annotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing.
    Reads,
    /// Makes something new; twice makes two.
    Adds,
    /// Brings something into a state; twice is once.
    Sets,
    /// Reaches people outside the company; cannot be called back.
    Sends,
    /// Takes something away, replaces it or undoes it.
    Removes,
}

/// What the data of an app says about a tool.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Declaration {
    /// The description: its first line says what the tool does to what.
    does: String,
    /// Arguments, in the order to show them.
    #[serde(default)]
    needs: Vec<Arg>,
    /// Whether it gives back a list that a `limit` may cut.
    #[serde(default)]
    limited: bool,
}

/// One tool of an app.
pub(crate) struct Tool<S> {
    pub effect: Effect,
    pub name: &'static str,
    description: String,
    pub needs: Vec<Arg>,
    output_schema: Value,
    pub run: Handler<S>,
}

impl<S> Tool<S> {
    /// A tool; `output_schema` is `null` where the result has no structured value. Fails on a choice
    /// that is not in the vocabulary.
    pub fn new(
        effect: Effect,
        name: &'static str,
        declaration: Declaration,
        vocabulary: &Vocabulary,
        output_schema: Value,
        run: Handler<S>,
    ) -> Result<Self, String> {
        let mut needs = declaration.needs;
        needs.extend(declaration.limited.then(Arg::limit));
        needs.iter_mut().try_for_each(|arg| arg.resolve(vocabulary))?;
        Ok(Self {
            effect,
            name,
            description: declaration.does,
            needs,
            output_schema,
            run,
        })
    }

    /// The element of `tools/list`. `team` owns the app.
    pub fn definition(&self, team: &str) -> Value {
        let mut definition = json!({
            "name": self.name,
            "title": title(self.name),
            "description": self.description,
            "inputSchema": input_schema(&self.needs),
            "outputSchema": self.output_schema,
            "annotations": {
                "readOnlyHint": self.effect == Effect::Reads,
                "destructiveHint": self.effect == Effect::Removes,
                "idempotentHint": matches!(self.effect, Effect::Reads | Effect::Sets),
                "openWorldHint": self.effect == Effect::Sends,
            },
            "_meta": {"bramble.example/team": team},
        });
        if let (Value::Null, Some(members)) = (&self.output_schema, definition.as_object_mut()) {
            members.shift_remove("outputSchema");
        }
        definition
    }
}

/// `list_open_invoices` as people read it: "List open invoices".
fn title(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
