//! The list of tools in the forms of models.

use project::ExitKind;
use serde_json::Value;

use super::{ToolError, Toolbox};

/// The form of a list of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolFormat {
    /// `tools` of Anthropic's Messages API.
    Anthropic,
    /// `tools` of the chat completions API.
    OpenAi,
    /// Declarations of FunctionGemma: a text.
    Gemma,
}

impl Toolbox {
    /// All tools in the form of a model.
    ///
    /// # Errors
    /// A schema that the form cannot express.
    pub fn formatted(&self, format: ToolFormat) -> Result<Value, ToolError> {
        let schemas = self.schemas();
        let list = |form: fn(&tool_schema::ToolSchema) -> Value| schemas.iter().map(form).collect();
        match format {
            ToolFormat::Anthropic => Ok(Value::Array(list(tool_schema::ToolSchema::to_anthropic))),
            ToolFormat::OpenAi => Ok(Value::Array(list(tool_schema::ToolSchema::to_openai))),
            ToolFormat::Gemma => {
                let declared: Result<String, _> =
                    schemas.iter().map(tool_schema::ToolSchema::to_gemma).collect();
                declared.map(Value::String).map_err(|it| ToolError::of(ExitKind::Internal, &it))
            }
        }
    }
}
