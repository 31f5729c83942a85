//! Makes a schema as small as models need it: each of its tokens is paid for in every request.

use serde_json::{Map, Value};

/// Shrinks the schema of a whole type.
pub(super) fn shrink(schema: &mut Value) {
    walk(schema);
    if let Value::Object(fields) = schema {
        // A tool has a description of its own.
        fields.remove("description");
    }
}

fn walk(schema: &mut Value) {
    let Value::Object(fields) = schema else { return };
    for key in ["title", "format", "$schema", "$comment"] {
        fields.remove(key);
    }
    if fields.get("additionalProperties") == Some(&Value::Bool(true)) {
        fields.remove("additionalProperties");
    }
    if fields.get("default").is_some_and(is_empty) {
        fields.remove("default");
    }
    for key in ["properties", "$defs"] {
        if let Some(Value::Object(children)) = fields.get_mut(key) {
            children.values_mut().for_each(walk);
        }
    }
    for key in ["items", "additionalProperties"] {
        if let Some(child) = fields.get_mut(key) {
            walk(child);
        }
    }
    for key in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        if let Some(Value::Array(children)) = fields.get_mut(key) {
            children.iter_mut().for_each(walk);
        }
    }
    join_constants(fields);
    if let Some(Value::String(text)) = fields.get_mut("description") {
        *text = one_line(text);
    }
    optional_without_null(fields);
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Bool(true) | Value::Number(_) => false,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

/// An optional field is left out; that it may be `null` need not be written.
fn optional_without_null(fields: &mut Map<String, Value>) {
    let required: Vec<String> = match fields.get("required") {
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    let Some(Value::Object(properties)) = fields.get_mut("properties") else { return };
    for (name, property) in properties.iter_mut() {
        if let Value::Object(property) = property
            && !required.contains(name)
        {
            without_null(property);
        }
    }
}

fn without_null(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    let Some(Value::Array(any)) = schema.get_mut("anyOf") else { return };
    any.retain(|it| it.get("type").and_then(Value::as_str) != Some("null"));
    if let [Value::Object(only)] = any.as_slice() {
        let only = only.clone();
        schema.remove("anyOf");
        for (key, value) in only {
            // The description of the field is nearer than that of its type.
            schema.entry(key).or_insert(value);
        }
    }
}

/// `oneOf` of constants, one for each variant with a doc comment, as one `enum`.
fn join_constants(fields: &mut Map<String, Value>) {
    let Some(Value::Array(variants)) = fields.get("oneOf") else { return };
    let mut values = Vec::new();
    for variant in variants {
        match (variant.get("const"), variant.get("enum")) {
            (Some(Value::String(value)), _) => values.push(Value::from(value.as_str())),
            (None, Some(Value::Array(some))) => values.extend(some.iter().cloned()),
            _ => return,
        }
    }
    fields.remove("oneOf");
    fields.insert("type".to_owned(), "string".into());
    fields.insert("enum".to_owned(), Value::Array(values));
}

/// A doc comment as one line without links and final full stop.
fn one_line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.replace("[`", "`").replace("`]", "`");
    match text.strip_suffix('.') {
        Some(rest) if !rest.contains(". ") => rest.to_owned(),
        _ => text,
    }
}
