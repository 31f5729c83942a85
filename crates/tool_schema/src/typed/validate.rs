//! Checks a value against a schema as [`super::schema_of`] makes it.
//!
//! No library: a model reads the error, so it names the place, what fits there and the nearest name that is
//! known, for all faults of an input at once. serde stops at the first one, and a validator of JSON Schema
//! answers in the words of the schema.

use serde_json::{Map, Value};

use super::InputError;
use super::near::nearest_names;

/// The most values or fields in a fix.
const LISTED: usize = 20;

/// The most characters of a value in an error.
const SHOWN: usize = 60;

/// The most levels of an input, those that the parser of JSON allows.
const DEEPEST: usize = 128;

/// Checks an input.
pub(super) fn check(schema: &Value, input: &Value) -> Result<(), InputError> {
    if is_deeper(input, DEEPEST) {
        let reason = format!("it is nested more than {DEEPEST} levels deep");
        return refused("", reason, "pass a flatter value".to_owned());
    }
    Checker { root: schema }.value(schema, input, "")
}

/// The input without the `null`s of optional fields.
pub(super) fn without_nulls(schema: &Value, input: &Value) -> Value {
    Checker { root: schema }.pruned(schema, input)
}

fn is_deeper(value: &Value, limit: usize) -> bool {
    let below = |value: &Value| limit == 0 || is_deeper(value, limit - 1);
    match value {
        Value::Array(items) => items.iter().any(below),
        Value::Object(fields) => fields.values().any(below),
        _ => false,
    }
}

struct Checker<'a> {
    root: &'a Value,
}

fn refused<T>(field: &str, reason: String, fix: String) -> Result<T, InputError> {
    Err(InputError { field: field.to_owned(), reason, fix })
}

impl<'a> Checker<'a> {
    fn value(&self, schema: &'a Value, value: &Value, at: &str) -> Result<(), InputError> {
        let Some(schema) = self.resolved(schema) else { return Ok(()) };
        if let Some(Value::Array(choices)) = schema.get("anyOf").or(schema.get("oneOf")) {
            return self.one_of(choices, value, at);
        }
        if let Some(wanted) = schema.get("const") {
            return constant(schema, std::slice::from_ref(wanted), value, at);
        }
        kind(schema, value, at)?;
        if let Some(Value::Array(known)) = schema.get("enum") {
            return constant(schema, known, value, at);
        }
        match value {
            Value::Object(fields) => self.object(schema, fields, at),
            Value::Array(items) => self.items(schema, items, at),
            Value::Number(number) => {
                bounds(schema, number.as_f64(), ["minimum", "maximum"], "the number", at)
            }
            Value::String(text) => {
                let count = text.chars().count() as f64;
                bounds(schema, Some(count), ["minLength", "maxLength"], "its length", at)
            }
            Value::Null | Value::Bool(_) => Ok(()),
        }
    }

    /// Follows references; `None`: any value is allowed.
    fn resolved(&self, mut schema: &'a Value) -> Option<&'a Map<String, Value>> {
        loop {
            let fields = schema.as_object()?;
            match fields.get("$ref").and_then(Value::as_str) {
                None => return Some(fields),
                Some("#") => schema = self.root,
                Some(target) => {
                    schema = self.root.pointer(target.strip_prefix('#')?)?;
                    // A definition that is only a reference to itself allows anything.
                    if schema.get("$ref").and_then(Value::as_str) == Some(target) {
                        return None;
                    }
                }
            }
        }
    }

    fn object(
        &self,
        schema: &'a Map<String, Value>,
        fields: &Map<String, Value>,
        at: &str,
    ) -> Result<(), InputError> {
        let others = schema.get("additionalProperties");
        let known = schema.get("properties").and_then(Value::as_object);
        let is_closed = match others {
            Some(Value::Bool(is_open)) => !is_open,
            Some(_) => false,
            None => known.is_some(),
        };
        let required = required(schema);
        // An unknown field is reported before a missing one, which is often the same, mistyped.
        for (name, value) in fields {
            let place = joined(at, name);
            match (known.and_then(|it| it.get(name)), others) {
                (Some(_), _) if value.is_null() && !required.contains(&name.as_str()) => {}
                (Some(property), _) => self.value(property, value, &place)?,
                (None, _) if is_closed => return unknown(known, fields, name, &place),
                (None, Some(others)) => self.value(others, value, &place)?,
                (None, None) => {}
            }
        }
        match required.iter().find(|name| !fields.contains_key(**name)) {
            None => Ok(()),
            Some(name) => {
                let wanted = known.and_then(|it| it.get(*name)).and_then(Value::as_object);
                let fix = format!("pass `{name}`: {}", wanted.map_or_else(String::new, expected));
                refused(&joined(at, name), "it is missing".to_owned(), fix)
            }
        }
    }

    fn items(
        &self,
        schema: &'a Map<String, Value>,
        items: &[Value],
        at: &str,
    ) -> Result<(), InputError> {
        let count = items.len() as f64;
        bounds(schema, Some(count), ["minItems", "maxItems"], "its number of elements", at)?;
        for (index, item) in items.iter().enumerate() {
            let place = format!("{at}[{index}]");
            let own = schema.get("prefixItems").and_then(|it| it.get(index));
            if let Some(wanted) = own.or(schema.get("items")) {
                self.value(wanted, item, &place)?;
            }
        }
        Ok(())
    }

    /// Several alternatives: the one that a constant field selects, else the one that fits best.
    fn one_of(&self, choices: &'a [Value], value: &Value, at: &str) -> Result<(), InputError> {
        if let Some((field, known)) = self.tag(choices)
            && let Value::Object(fields) = value
        {
            let place = joined(at, field);
            let Some(tag) = fields.get(field) else {
                let fix = format!("pass `{field}`: {}", listed(&known));
                return refused(&place, "it is missing".to_owned(), fix);
            };
            return match known.iter().position(|it| *it == tag) {
                Some(index) => self.value(&choices[index], value, at),
                None => refused(&place, not_among(tag), choose(tag, &known)),
            };
        }
        let mut best: Option<InputError> = None;
        for choice in choices {
            match self.value(choice, value, at) {
                Ok(()) => return Ok(()),
                Err(error) => {
                    let is_deeper =
                        best.as_ref().is_none_or(|best| error.field.len() > best.field.len());
                    if is_deeper {
                        best = Some(error);
                    }
                }
            }
        }
        best.map_or(Ok(()), Err)
    }

    /// The field that is a constant in each alternative, and its values.
    fn tag(&self, choices: &'a [Value]) -> Option<(&'a str, Vec<&'a Value>)> {
        let properties = |choice| self.resolved(choice)?.get("properties")?.as_object();
        let constant = |choice, name: &str| properties(choice)?.get(name)?.get("const");
        let first = properties(choices.first()?)?;
        let name =
            first.keys().find(|name| choices.iter().all(|it| constant(it, name).is_some()))?;
        Some((name, choices.iter().filter_map(|it| constant(it, name)).collect()))
    }

    fn pruned(&self, schema: &'a Value, value: &Value) -> Value {
        let Some(schema) = self.resolved(schema) else { return value.clone() };
        if let Some(Value::Array(choices)) = schema.get("anyOf").or(schema.get("oneOf")) {
            let chosen = choices.iter().find(|choice| self.value(choice, value, "").is_ok());
            return chosen.map_or_else(|| value.clone(), |choice| self.pruned(choice, value));
        }
        match value {
            Value::Object(fields) => {
                let required = required(schema);
                let kept = fields
                    .iter()
                    .filter(|(name, value)| !value.is_null() || required.contains(&name.as_str()));
                let pruned = kept.map(|(name, value)| {
                    let property = schema.get("properties").and_then(|it| it.get(name));
                    let property = property.or(schema.get("additionalProperties"));
                    let value = property.map_or_else(|| value.clone(), |it| self.pruned(it, value));
                    (name.clone(), value)
                });
                Value::Object(pruned.collect())
            }
            Value::Array(items) => {
                let item = |value: &Value| {
                    schema.get("items").map_or_else(|| value.clone(), |it| self.pruned(it, value))
                };
                Value::Array(items.iter().map(item).collect())
            }
            other => other.clone(),
        }
    }
}

fn required(schema: &Map<String, Value>) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).collect()
}

fn joined(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }
}

/// The error of a field that the object does not have.
fn unknown(
    known: Option<&Map<String, Value>>,
    fields: &Map<String, Value>,
    name: &str,
    place: &str,
) -> Result<(), InputError> {
    let known: Vec<&String> = known.into_iter().flat_map(Map::keys).collect();
    let free = known.iter().filter(|it| !fields.contains_key(**it)).map(|it| it.as_str());
    let fix = match (nearest_names(name, free, 1).first(), known.is_empty()) {
        (Some(near), _) => format!("use `{near}`"),
        (None, true) => "leave it out: there are no fields".to_owned(),
        (None, false) => {
            let names: Vec<String> =
                known.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
            format!("leave it out; the fields are {}", names.join(", "))
        }
    };
    refused(place, "there is no such field".to_owned(), fix)
}

/// Checks the type of a value.
fn kind(schema: &Map<String, Value>, value: &Value, at: &str) -> Result<(), InputError> {
    let is = |name: &str| match name {
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    };
    let names = kinds(schema);
    if names.is_empty() || names.iter().any(|name| is(name)) {
        return Ok(());
    }
    // Texts of JSON are a frequent mistake: the fix is the value itself.
    let inner = value.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let is_quoted = inner.is_some_and(|inner| {
        let schema = Map::from_iter([("type".to_owned(), schema["type"].clone())]);
        kind(&schema, &inner, at).is_ok()
    });
    let fix = match is_quoted {
        true => format!("pass the {} itself, without quotes around it", names[0]),
        false => format!("pass {}", expected(schema)),
    };
    refused(at, format!("it is {}", described(value)), fix)
}

fn kinds(schema: &Map<String, Value>) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Checks a value against constants.
fn constant(
    schema: &Map<String, Value>,
    known: &[Value],
    value: &Value,
    at: &str,
) -> Result<(), InputError> {
    if known.contains(value) {
        return Ok(());
    }
    let known: Vec<&Value> = known.iter().collect();
    match value {
        Value::String(_) => refused(at, not_among(value), choose(value, &known)),
        _ => {
            refused(at, format!("it is {}", described(value)), format!("pass {}", expected(schema)))
        }
    }
}

fn not_among(value: &Value) -> String {
    format!("{} is none of its values", shown(value))
}

/// The nearest value, or all.
fn choose(value: &Value, known: &[&Value]) -> String {
    let names = known.iter().filter_map(|it| it.as_str());
    match nearest_names(value.as_str().unwrap_or_default(), names, 1).first() {
        Some(near) => format!("use `{near}`; the values are {}", listed(known)),
        None => format!("use {}", listed(known)),
    }
}

fn listed(values: &[&Value]) -> String {
    let text =
        |value: &&Value| value.as_str().map_or_else(|| value.to_string(), |it| format!("`{it}`"));
    values.iter().take(LISTED).map(text).collect::<Vec<_>>().join(", ")
}

/// Checks a number, or the length of a text or list.
fn bounds(
    schema: &Map<String, Value>,
    value: Option<f64>,
    [least, most]: [&str; 2],
    what: &str,
    at: &str,
) -> Result<(), InputError> {
    let Some(value) = value else { return Ok(()) };
    let limit = |name: &str| schema.get(name).and_then(Value::as_f64);
    if let Some(least) = limit(least).filter(|least| value < *least) {
        let reason = format!("{what} is {value}, less than {least}");
        return refused(at, reason, format!("pass at least {least}"));
    }
    if let Some(most) = limit(most).filter(|most| value > *most) {
        let reason = format!("{what} is {value}, more than {most}");
        return refused(at, reason, format!("pass at most {most}"));
    }
    Ok(())
}

/// `an integer: Number of lines`.
fn expected(schema: &Map<String, Value>) -> String {
    let mut text = match schema.get("enum").and_then(Value::as_array) {
        Some(values) => format!("one of {}", listed(&values.iter().collect::<Vec<_>>())),
        None => match kinds(schema).as_slice() {
            [] => "a value".to_owned(),
            names => names.iter().map(|it| with_article(it)).collect::<Vec<_>>().join(" or "),
        },
    };
    if let Some(description) = schema.get("description").and_then(Value::as_str) {
        text.push_str(": ");
        text.push_str(description);
    }
    text
}

fn with_article(name: &str) -> String {
    match name {
        "null" => "null".to_owned(),
        "integer" | "array" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

/// `a string ("5")`.
fn described(value: &Value) -> String {
    let name = match value {
        Value::Null => return "null".to_owned(),
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => return "an array".to_owned(),
        Value::Object(_) => return "an object".to_owned(),
    };
    format!("{name} ({})", shown(value))
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
