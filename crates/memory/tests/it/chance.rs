//! Random calls, schemas and texts for the tests and the bench of formats.

use serde_json::{Map, Value, json};

/// A generator of numbers that look like chance: the same seed gives the same.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn text(&mut self) -> String {
        let parts = [
            "a",
            "Tokyo, Japan",
            "{x:1}",
            "[",
            "]",
            ":",
            ",",
            "\"",
            "\\",
            "\n",
            "é",
            "<",
            ">",
            "<esc",
            "ape>",
            "<end_of",
            "|",
            "<|",
            "null",
            "日本",
            "\u{0}",
            " ",
            "call:f{",
            "}",
        ];
        (0..self.below(6)).map(|_| self.pick(&parts)).collect()
    }

    pub(crate) fn name(&mut self) -> String {
        let parts = ["get", "_", "Weather", "a", "B", "9", ".", "-", "ß", "null", "true"];
        (0..1 + self.below(3)).map(|_| self.pick(&parts)).collect()
    }

    fn number(&mut self) -> Value {
        match self.below(6) {
            0 => json!(self.below(100)),
            1 => json!(-(self.below(1000) as i64)),
            2 => json!(u64::MAX - self.below(10) as u64),
            3 => json!(i64::MIN + self.below(10) as i64),
            4 => json!(f64::from_bits((self.0 >> 2) | 1)),
            _ => json!((self.below(100_000) as f64 - 5e4) / 7.0),
        }
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth > 4 { 4 } else { 6 }) {
            0 => Value::String(self.text()),
            1 => self.number(),
            2 => Value::Bool(self.below(2) == 0),
            3 => Value::Null,
            4 => (0..self.below(4)).map(|_| self.value(depth + 1)).collect(),
            _ => Value::Object(self.fields(depth + 1)),
        }
    }

    pub(crate) fn fields(&mut self, depth: usize) -> Map<String, Value> {
        (0..self.below(4)).map(|_| (self.name(), self.value(depth))).collect()
    }

    /// A schema with the keywords that Gemma's form has.
    pub(crate) fn schema(&mut self, depth: usize) -> Value {
        let kinds = ["string", "number", "integer", "boolean", "array", "object"];
        let kind = if depth > 3 { kinds[self.below(4)] } else { self.pick(&kinds) };
        let mut schema = self.object_schema(kind == "object", depth);
        schema.insert("type".to_owned(), kind.into());
        let text = self.text();
        if !text.is_empty() {
            schema.insert("description".to_owned(), text.into());
        }
        match kind {
            "string" if self.below(3) == 0 => {
                schema.insert("enum".to_owned(), json!(["a", self.text()]));
            }
            "array" if self.below(3) > 0 => {
                schema.insert("items".to_owned(), self.schema(depth + 1));
            }
            _ => {}
        }
        Value::Object(schema)
    }

    fn object_schema(&mut self, is_object: bool, depth: usize) -> Map<String, Value> {
        let mut schema = Map::new();
        let count = if is_object { self.below(4) } else { 0 };
        let properties: Map<String, Value> =
            (0..count).map(|_| (self.name(), self.schema(depth + 1))).collect();
        if !properties.is_empty() {
            let required: Vec<&String> = properties.keys().take(self.below(3)).collect();
            if !required.is_empty() {
                schema.insert("required".to_owned(), json!(required));
            }
            schema.insert("properties".to_owned(), Value::Object(properties));
        }
        schema
    }

    /// The schema of a tool.
    pub(crate) fn tool_schema(&mut self) -> Value {
        if self.below(4) == 0 {
            return Value::Null;
        }
        let mut schema = self.object_schema(true, 0);
        schema.insert("type".to_owned(), "object".into());
        Value::Object(schema)
    }
}
