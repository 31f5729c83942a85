//! [`Redacting`]: removes secrets from everything that is sent to a model.

use base::Ctx;
use serde_json::Value;

use super::error::TurnError;
use super::redact::Redactor;
use super::turn::{
    LanguageModel, Message, MessagePart, ToolCall, ToolSpec, Turn, TurnDelta, TurnRequest,
};

/// A model that is sent no secret that [`Redactor`] finds.
#[derive(Debug)]
pub(crate) struct Redacting<M> {
    model: M,
    redactor: Redactor,
}

impl<M: LanguageModel> Redacting<M> {
    /// Removes secrets from the requests to `model`.
    pub(crate) fn new(model: M, redactor: Redactor) -> Self {
        Self { model, redactor }
    }

    fn clean(&self, request: &TurnRequest) -> TurnRequest {
        TurnRequest {
            system: self.text(&request.system),
            messages: request.messages.iter().map(|message| self.message(message)).collect(),
            tools: request.tools.iter().map(|tool| self.tool(tool)).collect(),
            stop: request.stop.clone(),
            schema: request.schema.as_ref().map(|schema| self.value(schema)),
            ..*request
        }
    }

    fn message(&self, message: &Message) -> Message {
        let parts = message.parts.iter().map(|part| match part {
            MessagePart::Text { text } => MessagePart::Text { text: self.text(text) },
            MessagePart::ToolCall(call) => MessagePart::ToolCall(ToolCall {
                id: call.id.clone(),
                name: call.name.clone(),
                input: self.value(&call.input),
            }),
            MessagePart::ToolResult { id, content, is_error } => MessagePart::ToolResult {
                id: id.clone(),
                content: self.text(content),
                is_error: *is_error,
            },
        });
        Message { role: message.role, parts: parts.collect() }
    }

    fn tool(&self, tool: &ToolSpec) -> ToolSpec {
        ToolSpec {
            name: tool.name.clone(),
            description: self.text(&tool.description),
            input_schema: self.value(&tool.input_schema),
        }
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(values) => values.iter().map(|value| self.value(value)).collect(),
            Value::Object(fields) => {
                fields.iter().map(|(name, value)| (self.text(name), self.value(value))).collect()
            }
            other => other.clone(),
        }
    }

    fn text(&self, text: &str) -> String {
        self.redactor.redact(text).0
    }
}

impl<M: LanguageModel> LanguageModel for Redacting<M> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn turn(
        &self,
        ctx: &Ctx,
        request: &TurnRequest,
        on: &mut dyn FnMut(&TurnDelta),
    ) -> Result<Turn, TurnError> {
        self.model.turn(ctx, &self.clean(request), on)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::language::{Role, Scripted};

    #[test]
    fn every_text_of_a_request_is_clean() {
        let secret = format!("ghp_{}", "a9Xq2Lm7Rt4Zw8Kc1Vb6Ny3Hd5Jf0Gs1Pq2T");
        let text = || format!("a {secret} b");
        let part = MessagePart::Text { text: text() };
        let call = ToolCall {
            id: "1".to_owned(),
            name: "edit".to_owned(),
            input: json!({ "a": [text(), 1], text(): null }),
        };
        let result =
            MessagePart::ToolResult { id: "1".to_owned(), content: text(), is_error: true };
        let request = TurnRequest {
            system: text(),
            messages: vec![
                Message { role: Role::User, parts: vec![part, result] },
                Message { role: Role::Assistant, parts: vec![MessagePart::ToolCall(call)] },
            ],
            tools: vec![ToolSpec {
                name: "edit".to_owned(),
                description: text(),
                input_schema: json!({ "description": text() }),
            }],
            max_tokens: 7,
            temperature: Some(0.5),
            stop: Vec::new(),
            schema: Some(json!({ "const": text() })),
        };
        let model = Redacting::new(Scripted::new(Vec::new()), Redactor::default());
        let _ = model.turn(&testkit::ctx(), &request, &mut |_| {});
        let sent = serde_json::to_string(&model.model.requests()[0]).unwrap();
        let want = serde_json::to_string(&request).unwrap().replace(&secret, "[redacted:git-host]");
        assert_eq!(sent, want);
    }
}
