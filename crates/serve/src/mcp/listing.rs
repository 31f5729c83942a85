//! The tools of a toolbox as the protocol lists them.
//!
//! A model pays for the list in every conversation, so schemas are reduced to what it needs: types,
//! fields, limits and one description per input field; the shape of an answer's rows is written once, for
//! the first tool that has it. `tests/` measures the whole.

use std::sync::Arc;

use project::AnswerForm;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};
use tools::{Effect, ToolListing, Toolbox};

use super::projects::ROOT;

/// The tools that are not listed: a coding agent has its own, or they are for people.
const NOT_LISTED: &[&str] = &["read", "write", "edit", "glob", "grep", "exec", "execute"];

/// The listed tools. With several projects each has an argument for the project.
pub(super) fn tools(toolbox: &Toolbox, several: bool, answers: AnswerForm) -> Vec<Tool> {
    let listed = toolbox.list().into_iter().filter(|it| is_listed(it.card.name));
    let mut rows = Vec::new();
    listed.map(|listing| tool(listing, several, answers, &mut rows)).collect()
}

/// Whether clients may call the tool.
pub(super) fn is_listed(name: &str) -> bool {
    !NOT_LISTED.contains(&name)
}

/// A tool of the list; `rows` are the shapes that the tools before it have.
fn tool(listing: ToolListing, several: bool, answers: AnswerForm, rows: &mut Vec<Value>) -> Tool {
    let ToolListing { card, input_schema, output_schema } = listing;
    let mut input = object(reduced(input_schema, Part::Input));
    if several && let Some(Value::Object(fields)) = input.get_mut("properties") {
        let root =
            json!({"type": "string", "description": "Project: its folder, or the name of it."});
        fields.insert(ROOT.to_owned(), root);
    }
    let required = output_schema.get("required").cloned();
    let mut output = object(reduced(output_schema, Part::Output));
    without_known(&mut output, rows);
    output.extend(required.map(|names| ("required".to_owned(), names)));
    let tool = Tool::new(card.name, card.description, Arc::new(input))
        .with_title(card.title)
        .with_annotations(annotations(card.effect));
    match answers {
        AnswerForm::Both => tool.with_raw_output_schema(Arc::new(output)),
        AnswerForm::Text => tool,
    }
}

/// Leaves only the type of rows whose fields another tool of the list has, too.
fn without_known(output: &mut JsonObject, rows: &mut Vec<Value>) {
    let Some(Value::Object(fields)) = output.get_mut("properties") else { return };
    for items in fields.values_mut().filter_map(|it| it.get_mut("items")) {
        if rows.contains(items) {
            *items = json!({"type": "object"});
        } else if items.get("properties").is_some() {
            rows.push(items.clone());
            if let Value::Object(row) = items {
                without_known(row, rows);
            }
        }
    }
}

/// Hints other than the defaults of the protocol (not read-only, destructive, not idempotent, open).
fn annotations(effect: Effect) -> ToolAnnotations {
    // What runs is confined: it writes nothing of the user's, and has no network.
    let hints = ToolAnnotations::new().open_world(false);
    match effect {
        Effect::Reads | Effect::Runs => hints.read_only(true),
        Effect::Stages => hints.destructive(false),
        Effect::Writes => hints.destructive(true),
    }
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(fields) => fields,
        _ => Map::from_iter([("type".to_owned(), json!("object"))]),
    }
}

/// What a schema describes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Input,
    Output,
}

/// The schema without what describes it to programs only. A model reads an output by the names of its
/// fields, and does not have to obey its limits.
fn reduced(schema: Value, part: Part) -> Value {
    match schema {
        Value::Object(fields) => {
            let mut kept = Map::new();
            for (key, value) in fields {
                let value = match key.as_str() {
                    "$schema" | "title" | "format" | "$id" => continue,
                    "description" | "required" | "minimum" | "maximum" if part == Part::Output => {
                        continue;
                    }
                    "minimum" if value == json!(0) => continue,
                    "default" if value.is_null() => continue,
                    // Names of fields and definitions are no keywords.
                    "properties" | "$defs" | "patternProperties" => each(value, part),
                    "enum" | "const" | "required" | "default" | "examples" => value,
                    _ => reduced(value, part),
                };
                kept.insert(key, value);
            }
            Value::Object(kept)
        }
        Value::Array(items) => {
            Value::Array(items.into_iter().map(|it| reduced(it, part)).collect())
        }
        other => other,
    }
}

fn each(value: Value, part: Part) -> Value {
    match value {
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, it)| (name, reduced(it, part))).collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_keeps_its_fields_whatever_they_are_named() {
        let schema = json!({"$schema": "x", "title": "T", "type": "object", "description": "d",
            "properties": {"title": {"type": "string", "title": "T", "description": "a title"},
                "description": {"type": ["string", "null"], "default": null}}});
        let input = json!({"type": "object", "description": "d", "properties": {
            "title": {"type": "string", "description": "a title"},
            "description": {"type": ["string", "null"]}}});
        assert_eq!(reduced(schema.clone(), Part::Input), input);
        let output = json!({"type": "object", "properties": {
            "title": {"type": "string"}, "description": {"type": ["string", "null"]}}});
        assert_eq!(reduced(schema, Part::Output), output);
    }

    #[test]
    fn a_row_is_described_once() {
        let row = json!({"type": "object", "properties": {"at": {"type": "string"}}});
        let answer = json!({"type": "object", "properties": {
            "errors": {"type": "array", "items": row}, "n": {"type": "integer"},
            "notes": {"type": "array", "items": {"type": "string"}}}});
        let (mut first, mut rows) = (object(answer.clone()), Vec::new());
        without_known(&mut first, &mut rows);
        assert_eq!(Value::Object(first), answer);
        let mut second = object(answer.clone());
        without_known(&mut second, &mut rows);
        assert_eq!(second["properties"]["errors"]["items"], json!({"type": "object"}));
        assert_eq!(second["properties"]["notes"], answer["properties"]["notes"]);
    }
}
