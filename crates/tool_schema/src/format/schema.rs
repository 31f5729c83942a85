//! JSON Schema → the declarations of FunctionGemma, which have six types and few keywords.

use serde_json::{Map, Value};

use super::print::{DEEPEST, check_key, sorted, text, value};
use super::{FormatError, ToolSchema};

/// The types of a declaration.
const TYPES: [&str; 6] = ["string", "number", "integer", "boolean", "array", "object"];

/// Prints `,parameters:{…}` of a tool that has arguments.
pub(super) fn parameters(tool: &ToolSchema, out: &mut String) -> Result<(), FormatError> {
    let Value::Object(schema) = &tool.input_schema else { return Ok(()) };
    if schema.is_empty() {
        return Ok(());
    }
    let printer = Printer { definitions: schema };
    out.push_str(",parameters:{");
    printer.fields(&tool.name, schema, 0, out)?;
    out.push_str("type:");
    text(&tool.name, "OBJECT", out)?;
    out.push('}');
    Ok(())
}

struct Printer<'a> {
    /// The schema of the tool, in which references are resolved.
    definitions: &'a Map<String, Value>,
}

impl<'a> Printer<'a> {
    /// Prints `properties:{…},required:[…],` as far as there are any.
    fn fields(
        &self,
        place: &str,
        schema: &'a Map<String, Value>,
        depth: usize,
        out: &mut String,
    ) -> Result<(), FormatError> {
        if let Some(Value::Object(properties)) = schema.get("properties")
            && !properties.is_empty()
        {
            out.push_str("properties:{");
            for (number, (key, property)) in sorted(properties).into_iter().enumerate() {
                if number > 0 {
                    out.push(',');
                }
                check_key(key)?;
                out.push_str(key);
                out.push_str(":{");
                self.property(&format!("{place}.{key}"), property, true, depth + 1, out)?;
                out.push('}');
            }
            out.push_str("},");
        }
        if let Some(Value::Array(required)) = schema.get("required")
            && !required.is_empty()
        {
            out.push_str("required:");
            value(place, &Value::Array(required.clone()), depth, out)?;
            out.push(',');
        }
        Ok(())
    }

    /// Prints the schema of a property, which always has a description, or of the items of an array.
    fn property(
        &self,
        place: &str,
        schema: &'a Value,
        is_described: bool,
        depth: usize,
        out: &mut String,
    ) -> Result<(), FormatError> {
        if depth > DEEPEST {
            return Err(FormatError::TooDeep { limit: DEEPEST });
        }
        let (schema, outer) = self.resolved(place, schema)?;
        let kind = kind(place, schema)?;
        let description = outer.or(schema.get("description")).and_then(Value::as_str);
        if is_described || description.is_some() {
            out.push_str("description:");
            text(place, description.unwrap_or_default(), out)?;
            out.push(',');
        }
        match (kind, schema.get("enum"), schema.get("items")) {
            ("string", Some(Value::Array(values)), _) if !values.is_empty() => {
                out.push_str("enum:");
                value(place, &Value::Array(values.clone()), depth, out)?;
                out.push(',');
            }
            ("array", _, Some(items)) => {
                out.push_str("items:{");
                self.property(&format!("{place}[]"), items, false, depth + 1, out)?;
                out.push_str("},");
            }
            ("object", _, _) => self.fields(place, schema, depth, out)?,
            _ => {}
        }
        out.push_str("type:");
        text(place, &kind.to_uppercase(), out)
    }

    /// Follows `$ref` and the only alternative that is not `null`; also the first description on the way.
    fn resolved(
        &self,
        place: &str,
        schema: &'a Value,
    ) -> Result<(&'a Map<String, Value>, Option<&'a Value>), FormatError> {
        let failed = |reason: &str| {
            Err(FormatError::Schema { place: place.to_owned(), reason: reason.to_owned() })
        };
        let (mut schema, mut description) = (schema, None);
        for _ in 0..DEEPEST {
            let Value::Object(fields) = schema else { return failed("it is no object") };
            description = description.or(fields.get("description"));
            if let Some(Value::String(target)) = fields.get("$ref") {
                let mut parts = target.strip_prefix("#/").unwrap_or_default().split('/');
                let first = parts.next().and_then(|part| self.definitions.get(part));
                match parts.try_fold(first, |at, part| at.map(|it| it.get(part))).flatten() {
                    Some(found) => schema = found,
                    None => return failed("its reference leads nowhere"),
                }
            } else if let Some(Value::Array(any)) = fields.get("anyOf").or(fields.get("oneOf")) {
                let is_null = |it: &&Value| it.get("type").and_then(Value::as_str) == Some("null");
                let mut others = any.iter().filter(|it| !is_null(it));
                match (others.next(), others.next()) {
                    (Some(only), None) => schema = only,
                    _ => return failed("it has several alternatives"),
                }
            } else {
                return Ok((fields, description));
            }
        }
        failed("its references form a cycle")
    }
}

/// The type of a schema; `null` beside another one is left out.
fn kind(place: &str, schema: &Map<String, Value>) -> Result<&'static str, FormatError> {
    let name = match schema.get("type") {
        Some(Value::String(name)) => Some(name.as_str()),
        Some(Value::Array(names)) => {
            let mut others = names.iter().filter_map(Value::as_str).filter(|name| *name != "null");
            others.next().filter(|_| others.next().is_none())
        }
        None if schema.get("enum").is_some_and(Value::is_array) => Some("string"),
        _ => None,
    };
    let known = name.and_then(|name| TYPES.iter().find(|kind| **kind == name));
    known.copied().ok_or_else(|| FormatError::Schema {
        place: place.to_owned(),
        reason: "it has not exactly one of the basic types".to_owned(),
    })
}
