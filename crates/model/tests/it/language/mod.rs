//! Tests of the language models against a stand-in for both providers.

mod anthropic;
mod budget;
mod cancel;
mod failures;
mod openai;
mod real;
mod retry;
mod server;

use std::time::Duration;

use graftage_model::language::{
    Anthropic, ApiKey, LanguageModel, Message, MessagePart, OpenAi, ProviderOptions, Role,
    ToolSpec, Turn, TurnDelta, TurnError, TurnLimits, TurnRequest,
};
use serde_json::{Value, json};

/// A key that no redaction rule knows.
const KEY: &str = "local-key-7";

/// Both formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Anthropic,
    OpenAi,
}

const BOTH: [Format; 2] = [Format::Anthropic, Format::OpenAi];

impl Format {
    /// A client with limits that suit tests.
    fn client(self, url: &str) -> Box<dyn LanguageModel> {
        let limits = TurnLimits {
            connect: Duration::from_secs(5),
            idle: Duration::from_secs(10),
            total: Duration::from_secs(15),
            max_bytes: 8 << 20,
        };
        self.client_with(url, limits)
    }

    fn client_with(self, url: &str, limits: TurnLimits) -> Box<dyn LanguageModel> {
        let options = ProviderOptions {
            socket: None,
            url: url.to_owned(),
            model: "test-model".to_owned(),
            key: Some(ApiKey::new(KEY).unwrap()),
            limits,
        };
        match self {
            Self::Anthropic => Box::new(Anthropic::new(options).unwrap()),
            Self::OpenAi => Box::new(OpenAi::new(options).unwrap()),
        }
    }

    /// A complete stream with this text and this usage.
    fn text_stream(self, text: &str, input: u64, output: u64) -> String {
        let (head, tail) = (self.text_start(text, input), self.end(output));
        match self {
            Self::Anthropic => head + &tail,
            Self::OpenAi => {
                let usage = json!({"prompt_tokens": input, "completion_tokens": output});
                head + &events(&[
                    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}),
                    json!({"choices": [], "usage": usage}),
                ]) + "data: [DONE]\n\n"
            }
        }
    }

    /// The start of a stream, with one text.
    fn text_start(self, text: &str, input: u64) -> String {
        match self {
            Self::Anthropic => events(&[
                json!({"type": "message_start", "message": {"model": "test-model-1",
                    "usage": {"input_tokens": input, "output_tokens": 1}}}),
                json!({"type": "content_block_start", "index": 0,
                    "content_block": {"type": "text", "text": ""}}),
                json!({"type": "content_block_delta", "index": 0,
                    "delta": {"type": "text_delta", "text": text}}),
            ]),
            Self::OpenAi => events(&[json!({"model": "test-model-1",
                "choices": [{"index": 0, "delta": {"role": "assistant", "content": text}}]})]),
        }
    }

    fn end(self, output: u64) -> String {
        match self {
            Self::Anthropic => events(&[
                json!({"type": "content_block_stop", "index": 0}),
                json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
                    "usage": {"output_tokens": output}}),
                json!({"type": "message_stop"}),
            ]),
            Self::OpenAi => "data: [DONE]\n\n".to_owned(),
        }
    }
}

/// Events of a stream; the name is the type of the data, where it has one.
fn events(data: &[Value]) -> String {
    let event = |data: &Value| match data["type"].as_str() {
        Some(name) => format!("event: {name}\ndata: {data}\n\n"),
        None => format!("data: {data}\n\n"),
    };
    data.iter().map(event).collect()
}

/// A request with one message and one tool.
fn request() -> TurnRequest {
    TurnRequest {
        system: "Be brief.".to_owned(),
        messages: vec![user("Fix it.")],
        tools: vec![ToolSpec {
            name: "edit".to_owned(),
            description: "Edits a file.".to_owned(),
            input_schema: json!({"type": "object", "properties": {"path": {"type": "string"}}}),
        }],
        max_tokens: 1000,
        temperature: None,
        stop: Vec::new(),
        schema: None,
    }
}

fn user(text: &str) -> Message {
    Message { role: Role::User, parts: vec![MessagePart::Text { text: text.to_owned() }] }
}

/// Runs one turn and returns the progress with it.
fn turn(
    model: &dyn LanguageModel,
    request: &TurnRequest,
) -> (Result<Turn, TurnError>, Vec<TurnDelta>) {
    let mut deltas = Vec::new();
    let turn = model.turn(&testkit::ctx(), request, &mut |delta| deltas.push(delta.clone()));
    (turn, deltas)
}
