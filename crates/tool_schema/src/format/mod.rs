//! Tools in the forms that models read.
//!
//! [`ToolSchema`] is the neutral form; Anthropic's and OpenAI's are the same JSON with other names,
//! FunctionGemma's is a text. A text that contains a control string of that model is never printed.

mod error;
mod print;
mod schema;

pub use error::FormatError;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use print::{check_key, text};

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

    /// The declaration of the tool in the text form of FunctionGemma. Keywords of its schema that the
    /// form does not have (limits, formats, defaults, enums of numbers) are left out.
    ///
    /// # Errors
    /// A text with a control string, a name or a schema that cannot be written.
    pub fn to_gemma(&self) -> Result<String, FormatError> {
        check_key(&self.name)?;
        let mut out = String::from("<start_function_declaration>declaration:");
        out.push_str(&self.name);
        out.push_str("{description:");
        text(&self.name, &self.description, &mut out)?;
        schema::parameters(self, &mut out)?;
        out.push_str("}<end_function_declaration>");
        Ok(out)
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
