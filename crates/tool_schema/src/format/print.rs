//! Prints values in the form of FunctionGemma.

use serde_json::{Map, Value};

use super::FormatError;

/// The strings that control the model. A text that contains one is refused: it could end its own part
/// and imitate a call or a response.
const CONTROLS: [&str; 14] = [
    "<start_function_declaration>",
    "<end_function_declaration>",
    "<start_function_call>",
    "<end_function_call>",
    "<start_function_response>",
    "<end_function_response>",
    DELIMITER,
    "<start_of_turn>",
    "<end_of_turn>",
    "<bos>",
    "<eos>",
    "<pad>",
    "<unk>",
    "<|\"|>",
];

/// The string around texts.
const DELIMITER: &str = "<escape>";

/// Maximum depth of nested values.
pub(super) const DEEPEST: usize = 64;

/// Checks a text that comes from outside.
fn check_text(place: &str, text: &str) -> Result<(), FormatError> {
    match CONTROLS.iter().find(|control| text.contains(**control)) {
        Some(control) => Err(FormatError::Control { place: place.to_owned(), control }),
        None => Ok(()),
    }
}

/// Checks a name or a key, which are printed without delimiters.
pub(super) fn check_key(key: &str) -> Result<(), FormatError> {
    if !key.is_empty() && key.chars().all(is_key) {
        Ok(())
    } else {
        Err(FormatError::Name { name: key.chars().take(64).collect() })
    }
}

/// Whether a key may contain a character.
fn is_key(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$' | '/')
}

pub(super) fn text(place: &str, text: &str, out: &mut String) -> Result<(), FormatError> {
    check_text(place, text)?;
    out.push_str(DELIMITER);
    out.push_str(text);
    out.push_str(DELIMITER);
    Ok(())
}

fn object(
    place: &str,
    fields: &Map<String, Value>,
    depth: usize,
    out: &mut String,
) -> Result<(), FormatError> {
    out.push('{');
    for (number, (key, field)) in sorted(fields).into_iter().enumerate() {
        check_key(key)?;
        if number > 0 {
            out.push(',');
        }
        out.push_str(key);
        out.push(':');
        value(place, field, depth + 1, out)?;
    }
    out.push('}');
    Ok(())
}

pub(super) fn value(
    place: &str,
    it: &Value,
    depth: usize,
    out: &mut String,
) -> Result<(), FormatError> {
    if depth > DEEPEST {
        return Err(FormatError::TooDeep { limit: DEEPEST });
    }
    match it {
        Value::Null => out.push_str("null"),
        Value::Bool(it) => out.push_str(if *it { "true" } else { "false" }),
        Value::Number(it) => out.push_str(&it.to_string()),
        Value::String(it) => text(place, it, out)?,
        Value::Array(values) => {
            out.push('[');
            for (number, it) in values.iter().enumerate() {
                if number > 0 {
                    out.push(',');
                }
                value(place, it, depth + 1, out)?;
            }
            out.push(']');
        }
        Value::Object(fields) => object(place, fields, depth, out)?,
    }
    Ok(())
}

/// The fields in the order of the template, which ignores case.
pub(super) fn sorted(fields: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut fields: Vec<_> = fields.iter().collect();
    fields.sort_by_cached_key(|(key, _)| (key.to_lowercase(), (*key).clone()));
    fields
}
