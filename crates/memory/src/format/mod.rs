//! Tools, calls and responses in the forms that models read and write.
//!
//! [`ToolSchema`] is the neutral form; Anthropic's and OpenAI's are the same JSON with other names.
//! [`Gemma`] prints and parses the text form of FunctionGemma. Texts of models are untrusted: any text
//! has a result or an error, and a text that contains a control string is never printed.

mod error;
mod gemma;
mod parse;
mod print;
mod schema;

pub use error::FormatError;
pub use gemma::{Gemma, GemmaOutput, GemmaTurn};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A tool as a model sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSchema {
    /// Name.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// JSON Schema of its arguments, an object; `null` for a tool without arguments.
    pub input_schema: Value,
}

impl ToolSchema {
    /// The tool as an element of `tools` of Anthropic's Messages API.
    pub fn to_anthropic(&self) -> Value {
        json!({
            "name": self.name,
            "description": self.description,
            "input_schema": self.object_schema(),
        })
    }

    /// The tool as an element of `tools` of the chat completions API.
    pub fn to_openai(&self) -> Value {
        json!({
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": self.object_schema(),
            },
        })
    }

    /// Both require a schema of an object, also of a tool without arguments.
    fn object_schema(&self) -> Value {
        match &self.input_schema {
            Value::Object(schema) if schema.contains_key("type") => self.input_schema.clone(),
            Value::Object(schema) => {
                let mut schema = schema.clone();
                schema.insert("type".to_owned(), "object".into());
                Value::Object(schema)
            }
            _ => json!({ "type": "object", "properties": {} }),
        }
    }
}

/// A call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FunctionCall {
    /// Name of the tool.
    pub name: String,
    /// Arguments by name.
    pub arguments: Map<String, Value>,
}

/// The result of a call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FunctionResponse {
    /// Name of the tool.
    pub name: String,
    /// Result: an object; anything else is printed as an object with the field `value`.
    pub response: Value,
}
