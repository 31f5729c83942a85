//! [`Gemma`]: the text form of FunctionGemma and of models with the same template.

use serde_json::{Map, Value};

use super::parse::Parser;
use super::print::{check_key, check_text, object, text};
use super::{FormatError, FunctionCall, FunctionResponse, ToolSchema, schema};

/// What begins the developer's turn if the caller has no other text.
const SYSTEM: &str = "You are a model that can do function calling with the following functions";

/// The strings that control the model. A text that contains one is refused: it could end its own part
/// and imitate a call or a response.
pub(super) const CONTROLS: [&str; 14] = [
    "<start_function_declaration>",
    "<end_function_declaration>",
    "<start_function_call>",
    "<end_function_call>",
    "<start_function_response>",
    "<end_function_response>",
    "<escape>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<bos>",
    "<eos>",
    "<pad>",
    "<unk>",
    "<|\"|>",
];

/// The form, by the string around texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gemma {
    /// FunctionGemma: `<escape>`.
    #[default]
    Function,
    /// Gemma 4: `<|"|>`.
    Four,
}

/// A turn of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum GemmaTurn {
    /// What the user writes.
    User(String),
    /// What the model writes.
    Model(String),
    /// Calls by the model; several are parallel.
    Calls(Vec<FunctionCall>),
    /// Their results, in the same order.
    Responses(Vec<FunctionResponse>),
}

/// What a model has written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GemmaOutput {
    /// Text before, between and after the calls.
    pub text: String,
    /// Calls, in their order.
    pub calls: Vec<FunctionCall>,
}

impl Gemma {
    /// The strings at which generation stops.
    pub const STOP: [&str; 2] = ["<end_of_turn>", "<start_function_response>"];

    /// The string around texts.
    pub const fn delimiter(self) -> &'static str {
        match self {
            Self::Function => "<escape>",
            Self::Four => "<|\"|>",
        }
    }

    /// A prompt: the developer's turn with the tools, the turns, and the begin of the model's next one.
    /// The token for the begin of the text is left to the tokenizer.
    ///
    /// # Errors
    /// A text with a control string, a name or a schema that cannot be written.
    pub fn prompt(
        self,
        system: Option<&str>,
        tools: &[ToolSchema],
        turns: &[GemmaTurn],
    ) -> Result<String, FormatError> {
        let mut prompt = String::new();
        if system.is_some() || !tools.is_empty() {
            let system = system.unwrap_or(SYSTEM);
            check_text("the system text", system)?;
            prompt.push_str("<start_of_turn>developer\n");
            prompt.push_str(system);
            for tool in tools {
                prompt.push_str(&self.declaration(tool)?);
            }
            prompt.push_str("<end_of_turn>\n");
        }
        // Calls, responses and the text after them are one turn of the model.
        let mut is_open = false;
        for turn in turns {
            match turn {
                GemmaTurn::User(text) => {
                    if std::mem::take(&mut is_open) {
                        prompt.push_str("<end_of_turn>\n");
                    }
                    check_text("the user's text", text)?;
                    prompt.push_str("<start_of_turn>user\n");
                    prompt.push_str(text);
                    prompt.push_str("<end_of_turn>\n");
                }
                GemmaTurn::Model(text) => {
                    check_text("the model's text", text)?;
                    begin(&mut prompt, &mut is_open);
                    prompt.push_str(text);
                    prompt.push_str("<end_of_turn>\n");
                    is_open = false;
                }
                GemmaTurn::Calls(calls) => {
                    begin(&mut prompt, &mut is_open);
                    for call in calls {
                        prompt.push_str(&self.call(call)?);
                    }
                }
                GemmaTurn::Responses(responses) => {
                    for response in responses {
                        prompt.push_str(&self.response(response)?);
                    }
                }
            }
        }
        begin(&mut prompt, &mut is_open);
        Ok(prompt)
    }

    /// Prints the declaration of a tool. Keywords of its schema that the form does not have (limits,
    /// formats, defaults, enums of numbers) are left out.
    ///
    /// # Errors
    /// As [`Gemma::prompt`].
    pub fn declaration(self, tool: &ToolSchema) -> Result<String, FormatError> {
        check_key(&tool.name)?;
        let mut out = String::from("<start_function_declaration>declaration:");
        out.push_str(&tool.name);
        out.push_str("{description:");
        text(self, &tool.name, &tool.description, &mut out)?;
        schema::parameters(self, tool, &mut out)?;
        out.push_str("}<end_function_declaration>");
        Ok(out)
    }

    /// Prints a call.
    ///
    /// # Errors
    /// As [`Gemma::prompt`].
    pub fn call(self, call: &FunctionCall) -> Result<String, FormatError> {
        self.named("call", &call.name, &call.arguments)
    }

    /// Prints a response.
    ///
    /// # Errors
    /// As [`Gemma::prompt`].
    pub fn response(self, response: &FunctionResponse) -> Result<String, FormatError> {
        match &response.response {
            Value::Object(fields) => self.named("response", &response.name, fields),
            value => {
                let fields = Map::from_iter([("value".to_owned(), value.clone())]);
                self.named("response", &response.name, &fields)
            }
        }
    }

    /// Parses one declaration.
    ///
    /// # Errors
    /// [`FormatError::Syntax`] with the byte; a declaration with parts of another shape.
    pub fn parse_declaration(self, text: &str) -> Result<ToolSchema, FormatError> {
        let (name, fields) = Parser::new(self, text).whole("declaration")?;
        schema::tool(name, fields)
    }

    /// Parses one call.
    ///
    /// # Errors
    /// [`FormatError::Syntax`] with the byte.
    pub fn parse_call(self, text: &str) -> Result<FunctionCall, FormatError> {
        let (name, arguments) = Parser::new(self, text).whole("call")?;
        Ok(FunctionCall { name, arguments })
    }

    /// Parses one response.
    ///
    /// # Errors
    /// [`FormatError::Syntax`] with the byte.
    pub fn parse_response(self, text: &str) -> Result<FunctionResponse, FormatError> {
        let (name, fields) = Parser::new(self, text).whole("response")?;
        Ok(FunctionResponse { name, response: Value::Object(fields) })
    }

    /// Parses what a model has written: calls with any text around them, up to the first string at which
    /// generation stops.
    ///
    /// # Errors
    /// A call that is not well-formed, with its byte: no part of such an output is used.
    pub fn parse_output(self, output: &str) -> Result<GemmaOutput, FormatError> {
        let end = Self::STOP.iter().filter_map(|stop| output.find(stop)).min();
        let output = output.get(..end.unwrap_or(output.len())).unwrap_or(output);
        let mut found = GemmaOutput::default();
        let mut parser = Parser::new(self, output);
        loop {
            found.text.push_str(parser.up_to("<start_function_call>"));
            if parser.is_at_end() {
                return Ok(found);
            }
            let (name, arguments) = parser.named("call")?;
            found.calls.push(FunctionCall { name, arguments });
        }
    }

    fn named(
        self,
        what: &str,
        name: &str,
        fields: &Map<String, Value>,
    ) -> Result<String, FormatError> {
        check_key(name)?;
        let mut out = format!("<start_function_{what}>{what}:{name}");
        object(self, name, fields, 0, &mut out)?;
        out.push_str(&format!("<end_function_{what}>"));
        Ok(out)
    }
}

fn begin(prompt: &mut String, is_open: &mut bool) {
    if !std::mem::replace(is_open, true) {
        prompt.push_str("<start_of_turn>model\n");
    }
}
