//! Bounds the answer of a tool: its longest lists and texts are shortened, and `cut` reports that.

use project::ExitKind;
use serde_json::Value;

use super::ToolError;

/// The most bytes of an answer as JSON, about 16,000 tokens.
pub(crate) const MAX_ANSWER_BYTES: usize = 64 << 10;

/// A list or text is not shortened below this number of bytes.
const SMALLEST: usize = 256;

/// Bytes that the report of what was cut may take.
const REPORT: usize = 1 << 10;

/// Shortens an answer to at most `limit` bytes. `input` is the schema of the input, by which the report
/// names the field that gets the rest.
pub(super) fn bounded(mut answer: Value, limit: usize, input: &Value) -> Result<Value, ToolError> {
    let mut size = answer.to_string().len();
    if size <= limit {
        return Ok(answer);
    }
    let mut cuts: Vec<String> = Vec::new();
    while size + REPORT > limit {
        let path = longest(&answer);
        let place = path.join(".");
        let Some(value) = path.iter().try_fold(&mut answer, |at, key| child(at, key)) else {
            break;
        };
        if path.is_empty() || !halve(value) {
            break;
        }
        if !cuts.contains(&place) {
            cuts.push(place);
        }
        size = answer.to_string().len();
    }
    let Value::Object(fields) = &mut answer else { return Err(too_long(size)) };
    if size + REPORT > limit {
        return Err(too_long(size));
    }
    let names: Vec<String> = cuts.iter().take(5).map(|name| format!("`{name}`")).collect();
    let has = |field: &str| input.get("properties").is_some_and(|it| it.get(field).is_some());
    let next = match ["offset", "limit", "budget"].iter().find(|field| has(field)) {
        Some(field) => format!("ask again with another `{field}`, or for less"),
        None => "ask for less".to_owned(),
    };
    let report = format!("shortened: {}; {next}", names.join(", "));
    fields.insert("cut".to_owned(), Value::String(report));
    Ok(answer)
}

fn too_long(size: usize) -> ToolError {
    let reason = format!("the answer has {size} bytes, more than can be returned");
    ToolError::new(ExitKind::No, reason, "ask for less: a smaller limit, one item, one file")
}

fn child<'a>(value: &'a mut Value, key: &str) -> Option<&'a mut Value> {
    match value {
        Value::Object(fields) => fields.get_mut(key),
        Value::Array(items) => items.get_mut(key.parse::<usize>().ok()?),
        _ => None,
    }
}

/// The path to the list or text with the most bytes that is not mostly one element of its own.
fn longest(answer: &Value) -> Vec<String> {
    let (mut at, mut path) = (answer, Vec::new());
    loop {
        let sized = |value: &Value| value.to_string().len();
        let own = sized(at);
        let children: Vec<(String, &Value)> = match at {
            Value::Object(fields) => fields.iter().map(|(key, it)| (key.clone(), it)).collect(),
            Value::Array(items) => {
                items.iter().enumerate().map(|(index, it)| (index.to_string(), it)).collect()
            }
            _ => return path,
        };
        let largest = children.into_iter().max_by_key(|(_, it)| sized(it));
        let Some((key, value)) = largest else { return path };
        if at.is_array() && sized(value) * 2 < own {
            return path;
        }
        path.push(key);
        at = value;
    }
}

/// Halves a list or text; whether it could.
fn halve(value: &mut Value) -> bool {
    if value.to_string().len() < SMALLEST {
        return false;
    }
    match value {
        Value::Array(items) => {
            items.truncate(items.len() / 2);
            true
        }
        Value::String(text) => {
            let mut end = text.len() / 2;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
            text.push('…');
            true
        }
        _ => false,
    }
}
