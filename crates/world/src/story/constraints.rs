//! Structural annotations of a file of stories: what the events of its pages must obey, in every story. Each becomes a
//! thread of a behavioural program ([`policy::structure`]); its place is its line.

use base::SortedMap;
use policy::program::Pattern;
use policy::structure::{
    Annotated, Block, Channel, Lever, LeverLimit, Loop, Object, Payload, Structure,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use toml::Spanned;

use super::raw::RawFile;

/// An object of a page: made, used while it exists, and removed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Object")]
pub(super) struct RawObject {
    /// Name, unique in the file.
    name: String,
    /// Reason, for the message.
    #[serde(default)]
    because: String,
    /// Events that make it.
    #[schemars(with = "Vec<String>")]
    made_by: Vec<Pattern>,
    /// Events that need it.
    #[schemars(with = "Vec<String>")]
    used_by: Vec<Pattern>,
    /// Events that remove it; it can be made again.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    removed_by: Vec<Pattern>,
    /// Name of the object that it is a part of.
    within: Option<String>,
}

/// The values that a field of an event may have.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Channel")]
pub(super) struct RawChannel {
    /// Name, unique in the file.
    name: String,
    /// Reason, for the message.
    #[serde(default)]
    because: String,
    /// Name of the event.
    event: String,
    /// Field of the event.
    field: String,
    /// Its values: `"flag"`, `{ number = { least = 0, most = 3 } }` or `{ selection = ["all", "open"] }`.
    #[serde(rename = "carries")]
    #[schemars(schema_with = "payload")]
    payload: Payload,
}

/// The limit of an action.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Lever")]
pub(super) struct RawLever {
    /// Name, unique in the file.
    name: String,
    /// Reason, for the message.
    #[serde(default)]
    because: String,
    /// Name of the event.
    event: String,
    /// Its limit: `{ range = { field = "count", most = 3 } }`, `{ after = { opens = ["agree"] } }` or
    /// `{ times = { most = 1 } }`.
    #[schemars(schema_with = "limit")]
    limit: LeverLimit,
}

/// An action that is answered.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Loop")]
pub(super) struct RawLoop {
    /// Name, unique in the file.
    name: String,
    /// Reason, for the message.
    #[serde(default)]
    because: String,
    /// Action.
    #[schemars(with = "String")]
    action: Pattern,
    /// Answer.
    #[schemars(with = "String")]
    response: Pattern,
    /// Whether no second action may come before the answer.
    #[serde(default)]
    exclusive: bool,
}

/// Events in an order, again and again.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Block")]
pub(super) struct RawBlock {
    /// Name, unique in the file.
    name: String,
    /// Reason, for the message.
    #[serde(default)]
    because: String,
    /// The events.
    #[schemars(with = "Vec<String>")]
    order: Vec<Pattern>,
}

fn range() -> serde_json::Value {
    serde_json::json!({ "least": { "type": "integer" }, "most": { "type": "integer" } })
}

fn payload(_: &mut SchemaGenerator) -> Schema {
    let texts = serde_json::json!({ "type": "array", "items": { "type": "string" } });
    json_schema!({ "oneOf": [
        { "const": "flag" },
        { "type": "object", "required": ["number"], "additionalProperties": false,
          "properties": { "number": { "type": "object", "properties": range() } } },
        { "type": "object", "required": ["selection"], "additionalProperties": false,
          "properties": { "selection": texts } },
    ] })
}

fn limit(_: &mut SchemaGenerator) -> Schema {
    let texts = serde_json::json!({ "type": "array", "items": { "type": "string" } });
    let mut field_range = range();
    field_range["field"] = serde_json::json!({ "type": "string" });
    let way = |name: &str, required: &str, properties: serde_json::Value| {
        let of = serde_json::json!({ "type": "object", "required": [required],
            "additionalProperties": false, "properties": properties });
        serde_json::json!({ "type": "object", "required": [name], "additionalProperties": false,
            "properties": { name: of } })
    };
    let number = serde_json::json!({ "type": "integer", "minimum": 0 });
    json_schema!({ "oneOf": [
        way("range", "field", field_range),
        way("after", "opens", serde_json::json!({ "opens": texts, "closes": texts })),
        way("times", "most", serde_json::json!({ "most": number, "resets": texts })),
    ] })
}

/// The constraints of a file.
pub(super) struct Constraints {
    pub(super) structure: Structure,
    /// Their lines, by name.
    pub(super) lines: SortedMap<String, usize>,
}

impl Constraints {
    /// The constraints as they are written in the file of a path. `line` gives the line of an offset.
    pub(super) fn new(raw: &RawFile, path: &str, line: &dyn Fn(usize) -> usize) -> Self {
        let mut all = Self { structure: Structure::default(), lines: SortedMap::new() };
        for it in &raw.object {
            let RawObject { made_by, used_by, removed_by, within, .. } = it.get_ref();
            let (made_by, used_by) = (made_by.clone(), used_by.clone());
            let (removed_by, within) = (removed_by.clone(), within.clone());
            let object = Object { made_by, used_by, removed_by, within };
            let object = all.annotated(it, (path, line), object);
            all.structure.object.push(object);
        }
        for it in &raw.channel {
            let RawChannel { event, field, payload, .. } = it.get_ref();
            let (event, field, payload) = (event.clone(), field.clone(), payload.clone());
            let channel = Channel { event, field, payload, from: None };
            let channel = all.annotated(it, (path, line), channel);
            all.structure.channel.push(channel);
        }
        for it in &raw.lever {
            let RawLever { event, limit, .. } = it.get_ref();
            let lever = Lever { event: event.clone(), limit: limit.clone() };
            let lever = all.annotated(it, (path, line), lever);
            all.structure.lever.push(lever);
        }
        for it in &raw.loops {
            let RawLoop { action, response, exclusive, .. } = it.get_ref();
            let (action, response) = (action.clone(), response.clone());
            let answered = Loop { action, response, exclusive: *exclusive };
            let answered = all.annotated(it, (path, line), answered);
            all.structure.loops.push(answered);
        }
        for it in &raw.block {
            let order = it.get_ref().order.clone();
            let (threads, requests, blocks) = (Vec::new(), Vec::new(), Vec::new());
            let block = Block { threads, requests, blocks, order };
            let block = all.annotated(it, (path, line), block);
            all.structure.block.push(block);
        }
        all
    }

    /// A constraint with its place and a priority of its own.
    fn annotated<R: Named, T>(
        &mut self,
        raw: &Spanned<R>,
        (path, line): (&str, &dyn Fn(usize) -> usize),
        is: T,
    ) -> Annotated<T> {
        let (name, because) = raw.get_ref().name();
        let line = line(raw.span().start);
        self.lines.insert(name.to_owned(), line);
        let at = format!("{path}:{line}");
        let priority = self.structure.threads().len() as u32 + 1;
        Annotated { name: name.to_owned(), at, priority, because: because.to_owned(), is }
    }
}

/// Name and reason of a constraint.
trait Named {
    fn name(&self) -> (&str, &str);
}

macro_rules! named {
    ($($raw:ident)*) => {
        $(impl Named for $raw {
            fn name(&self) -> (&str, &str) {
                (&self.name, &self.because)
            }
        })*
    };
}
named!(RawObject RawChannel RawLever RawLoop RawBlock);
