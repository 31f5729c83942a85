//! [`Scripted`]: a language model that plays prepared turns, for tests and recorded sessions.

use std::path::Path;
use std::sync::Mutex;

use base::Ctx;
use serde::{Deserialize, Serialize};

use super::error::TurnError;
use super::turn::{LanguageModel, MessagePart, Turn, TurnDelta, TurnRequest};

/// Maximum size of a script in bytes.
const MAX_SCRIPT: u64 = 64 << 20;

/// One prepared answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedTurn {
    /// What the request must contain.
    #[serde(default)]
    pub expect: ExpectedRequest,
    /// The answer.
    pub answer: ScriptedAnswer,
}

/// A turn or an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScriptedAnswer {
    /// A turn.
    Turn(Turn),
    /// An error.
    Error(TurnError),
}

/// What a request must contain for a prepared answer; the default accepts every request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExpectedRequest {
    /// Texts that the system prompt, a message or a tool result contains.
    pub contains: Vec<String>,
    /// Texts that none of them contains.
    pub lacks: Vec<String>,
    /// Names of tools that are offered.
    pub tools: Vec<String>,
}

/// A model that plays prepared turns in their order.
#[derive(Debug)]
pub struct Scripted {
    name: String,
    turns: Vec<ScriptedTurn>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    next: usize,
    requests: Vec<TurnRequest>,
}

impl Scripted {
    /// A model that answers with `turns`, whatever the requests are.
    pub fn new(turns: Vec<Turn>) -> Self {
        let accept = |turn| ScriptedTurn {
            expect: ExpectedRequest::default(),
            answer: ScriptedAnswer::Turn(turn),
        };
        Self::with_expectations(turns.into_iter().map(accept).collect())
    }

    /// A model that compares each request with the expectation of its turn.
    pub fn with_expectations(turns: Vec<ScriptedTurn>) -> Self {
        Self { name: "scripted".to_owned(), turns, state: Mutex::default() }
    }

    /// A model that plays the turns of a JSON file: a list of [`ScriptedTurn`].
    ///
    /// # Errors
    /// The file cannot be read or is not such a list.
    pub(crate) fn from_file(path: &Path) -> Result<Self, TurnError> {
        let invalid = |reason: String| TurnError::Settings {
            reason: format!("script `{}`: {reason}", path.display()),
            fix: "give a JSON file with a list of turns".to_owned(),
        };
        let size = std::fs::metadata(path).map_err(|error| invalid(error.to_string()))?.len();
        if size > MAX_SCRIPT {
            return Err(invalid(format!("it has more than {MAX_SCRIPT} bytes")));
        }
        let text = std::fs::read_to_string(path).map_err(|error| invalid(error.to_string()))?;
        Self::from_json(&text).map_err(|error| invalid(error.to_string()))
    }

    /// A model that plays the turns of a JSON text: a list of [`ScriptedTurn`].
    ///
    /// # Errors
    /// The text is not such a list.
    pub(crate) fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text).map(Self::with_expectations)
    }

    /// The requests so far, in their order.
    pub fn requests(&self) -> Vec<TurnRequest> {
        base::lock(&self.state).requests.clone()
    }
}

impl ExpectedRequest {
    /// The first part of the expectation that `request` does not meet.
    fn unmet(&self, request: &TurnRequest) -> Option<String> {
        let texts = request.texts();
        let has = |wanted: &String| texts.iter().any(|text| text.contains(wanted.as_str()));
        if let Some(missing) = self.contains.iter().find(|wanted| !has(wanted)) {
            return Some(format!("the request does not contain `{missing}`"));
        }
        if let Some(found) = self.lacks.iter().find(|unwanted| has(unwanted)) {
            return Some(format!("the request contains `{found}`"));
        }
        let offered = |name: &String| request.tools.iter().any(|tool| tool.name == *name);
        let missing = self.tools.iter().find(|name| !offered(name))?;
        Some(format!("the request has no tool `{missing}`"))
    }
}

impl LanguageModel for Scripted {
    fn name(&self) -> &str {
        &self.name
    }

    fn turn(
        &self,
        ctx: &Ctx,
        request: &TurnRequest,
        on: &mut dyn FnMut(&TurnDelta),
    ) -> Result<Turn, TurnError> {
        ctx.check_cancelled()?;
        let index = {
            let mut state = base::lock(&self.state);
            state.requests.push(request.clone());
            state.next += 1;
            state.next - 1
        };
        let unmatched = |reason| TurnError::Script { turn: index + 1, reason };
        let prepared = self.turns.get(index);
        let prepared = prepared.ok_or_else(|| unmatched("there is none".to_owned()))?;
        if let Some(reason) = prepared.expect.unmet(request) {
            return Err(unmatched(reason));
        }
        let turn = match &prepared.answer {
            ScriptedAnswer::Turn(turn) => turn.clone(),
            ScriptedAnswer::Error(error) => return Err(error.clone()),
        };
        for part in &turn.parts {
            match part {
                MessagePart::Text { text } => on(&TurnDelta::Text(text.clone())),
                MessagePart::ToolCall(call) => {
                    on(&TurnDelta::ToolCallStarted { name: call.name.clone() })
                }
                MessagePart::ToolResult { .. } => {}
            }
        }
        on(&TurnDelta::Usage(turn.usage));
        Ok(turn)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use base::{Host, Timestamp};

    use super::*;
    use crate::language::{Message, Role, StopReason, Usage};

    struct Still;

    impl Host for Still {
        fn now(&self) -> Timestamp {
            Timestamp(0)
        }

        fn random(&self) -> [u8; 16] {
            [0; 16]
        }
    }

    const SCRIPT: &str = r#"[
      {"expect": {"contains": ["fix"], "lacks": ["secret"]},
       "answer": {"turn": {"parts": [
          {"type": "text", "text": "Here."},
          {"type": "tool_call", "id": "1", "name": "edit", "input": {"path": "src/lib.rs"}}],
        "stop": "tool_use", "usage": {"input_tokens": 10, "output_tokens": 5}}}},
      {"answer": {"error": {"refused":
          {"status": 529, "reason": "overloaded", "retry_after_ms": null}}}}
    ]"#;

    #[test]
    fn a_script_is_played_in_order_and_ends() {
        let ctx = Ctx::new(Arc::new(Still));
        let model = Scripted::from_json(SCRIPT).unwrap();
        let part = MessagePart::Text { text: "fix it".to_owned() };
        let request = TurnRequest {
            messages: vec![Message { role: Role::User, parts: vec![part] }],
            ..TurnRequest::default()
        };
        let mut deltas = Vec::new();
        let turn = model.turn(&ctx, &request, &mut |delta| deltas.push(delta.clone())).unwrap();
        assert_eq!(turn.text(), "Here.");
        assert_eq!(turn.stop, StopReason::ToolUse);
        assert_eq!(turn.calls().next().map(|call| call.name.as_str()), Some("edit"));
        let usage = Usage { input_tokens: 10, output_tokens: 5, ..Usage::default() };
        assert_eq!(
            deltas,
            [
                TurnDelta::Text("Here.".to_owned()),
                TurnDelta::ToolCallStarted { name: "edit".to_owned() },
                TurnDelta::Usage(usage),
            ]
        );
        let second = model.turn(&ctx, &request, &mut |_| {});
        assert!(matches!(second, Err(TurnError::Refused { status: 529, .. })), "{second:?}");
        let third = model.turn(&ctx, &request, &mut |_| {});
        assert!(matches!(third, Err(TurnError::Script { turn: 3, .. })), "{third:?}");
        assert_eq!(model.requests().len(), 3);
    }

    #[test]
    fn an_unexpected_request_is_an_error() {
        let ctx = Ctx::new(Arc::new(Still));
        let model = Scripted::from_json(SCRIPT).unwrap();
        let wrong = model.turn(&ctx, &TurnRequest::default(), &mut |_| {});
        let reason = "the request does not contain `fix`".to_owned();
        assert_eq!(wrong, Err(TurnError::Script { turn: 1, reason }));
    }
}
