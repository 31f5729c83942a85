//! [`ToolIndex`]: tools that fit an intent, where there are too many to show all of them to a model.
//!
//! A tool is found by its name, its description, and the names, descriptions and values of its
//! arguments. Schemas come from servers that are not trusted: they are text that is ranked, limited in
//! length and depth, and nothing else.

use std::sync::Arc;

use base::{ContentHash, SortedMap};
use search::{Encoder, Passage, PassageHit, StaticTable, rank_passages};
use serde_json::Value;

use crate::format::ToolSchema;

/// Maximum length of the text by which a tool is found, in bytes.
const LONGEST_TEXT: usize = 16 << 10;
/// Maximum depth of a schema to which its texts are read.
const DEEPEST: usize = 16;

/// A tool that fits an intent.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolHit {
    /// Name.
    pub name: String,
    /// Score and its parts: `body` is the one of the whole text, and there is no `title`.
    pub score: PassageHit,
}

/// What [`ToolIndex::refresh`] found, as names in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolChanges {
    /// Tools that are new.
    pub added: Vec<String>,
    /// Tools with another description or other arguments.
    pub changed: Vec<String>,
    /// Tools that are gone.
    pub removed: Vec<String>,
}

/// Tools by name, ready to be ranked.
pub struct ToolIndex {
    encoder: Arc<dyn Encoder>,
    tools: SortedMap<String, IndexedTool>,
}

struct IndexedTool {
    hash: ContentHash,
    passage: Passage,
}

impl ToolIndex {
    /// An index of these tools; of two with the same name, the first is used.
    pub fn new<'a>(tools: impl IntoIterator<Item = &'a ToolSchema>) -> Self {
        let encoder: Arc<dyn Encoder> = Arc::new(StaticTable::embedded());
        let mut index = Self { encoder, tools: SortedMap::new() };
        index.refresh(tools);
        index
    }

    /// Replaces the tools by these. Only those whose text is new are read.
    pub fn refresh<'a>(&mut self, tools: impl IntoIterator<Item = &'a ToolSchema>) -> ToolChanges {
        let mut before = std::mem::take(&mut self.tools);
        let mut changes = ToolChanges::default();
        for tool in tools {
            if self.tools.contains_key(&tool.name) {
                continue;
            }
            let text = text(tool);
            let hash = ContentHash::of(text.as_bytes());
            let list = match before.remove(&tool.name) {
                Some(same) if same.hash == hash => {
                    self.tools.insert(tool.name.clone(), same);
                    continue;
                }
                Some(_) => &mut changes.changed,
                None => &mut changes.added,
            };
            list.push(tool.name.clone());
            // Names are short, and words such as `get` and `list` are in many: ranked apart, as titles,
            // they would put wrong tools first.
            let passage = Passage::new(&*self.encoder, "", &text);
            self.tools.insert(tool.name.clone(), IndexedTool { hash, passage });
        }
        changes.added.sort();
        changes.changed.sort();
        changes.removed = before.into_keys().collect();
        changes
    }

    /// The tools that fit an intent, best first, at most `limit`.
    pub fn search(&self, intent: &str, limit: usize) -> Vec<ToolHit> {
        let names: Vec<&String> = self.tools.keys().collect();
        let passages: Vec<&Passage> = self.tools.values().map(|tool| &tool.passage).collect();
        let ranked = rank_passages(&*self.encoder, &passages, intent, limit);
        let hit = |score: PassageHit| ToolHit { name: names[score.index].clone(), score };
        ranked.into_iter().map(hit).collect()
    }

    /// The names of the tools, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }
}

/// The text by which a tool is found.
fn text(tool: &ToolSchema) -> String {
    let mut text = String::new();
    line(&tool.name, &mut text);
    line(&tool.description, &mut text);
    texts(&tool.input_schema, 0, &mut text);
    text
}

/// Adds the texts of a schema: names of arguments, titles, descriptions and values that are allowed.
fn texts(schema: &Value, depth: usize, out: &mut String) {
    if depth > DEEPEST {
        return;
    }
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("description" | "title" | "const", Value::String(text)) => line(text, out),
                    ("enum", Value::Array(values)) => {
                        values.iter().filter_map(Value::as_str).for_each(|text| line(text, out));
                    }
                    ("properties", Value::Object(arguments)) => {
                        for (name, argument) in arguments {
                            line(name, out);
                            texts(argument, depth + 1, out);
                        }
                    }
                    (_, Value::Object(_) | Value::Array(_)) => texts(value, depth + 1, out),
                    _ => {}
                }
            }
        }
        Value::Array(schemas) => schemas.iter().for_each(|schema| texts(schema, depth + 1, out)),
        _ => {}
    }
}

/// Adds a line as far as the limit allows.
fn line(text: &str, out: &mut String) {
    let rest = LONGEST_TEXT.saturating_sub(out.len());
    out.push_str(&text[..text.floor_char_boundary(rest)]);
    out.push('\n');
}
