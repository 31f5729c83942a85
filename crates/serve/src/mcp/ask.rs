//! Asks the user before a tool writes the tree, where the client can show a question.
//!
//! Clients of the handshake get a request in the middle of the call. Since 2026-07-28 the call ends with a
//! question and is sent again with the answer, and with a state that binds the answer to exactly
//! these arguments. A client that cannot ask has its own permission prompt before it calls a tool that
//! is announced as destructive. The gate decides in every case.

use std::collections::BTreeMap;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, InputRequest, InputRequiredResult, ProtocolVersion, ServerRequest,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};
use tools::{ExitKind, ToolError};

/// The name of the question, and of the field of its form.
const QUESTION: &str = "write";
/// Time that the user has for an answer.
const PATIENCE: Duration = Duration::from_secs(600);

/// What follows from a question.
pub(super) enum Asked {
    /// The call continues.
    Yes,
    /// The call ends with the question, and is sent again.
    Later(Box<InputRequiredResult>),
}

/// Whether the client can show a question for this request.
pub(super) fn can_ask(context: &RequestContext<RoleServer>) -> bool {
    context.client_capabilities().is_some_and(|it| it.elicitation.is_some())
}

/// Asks the user; `state` identifies tool and arguments.
pub(super) async fn ask(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    message: String,
    state: String,
) -> Result<Asked, ToolError> {
    let form = json!({"mode": "form", "message": message, "requestedSchema": {"type": "object",
        "properties": {QUESTION: {"type": "boolean", "title": "Write it", "default": true}}}});
    let params: ElicitRequestParams = serde_json::from_value(form).map_err(unclear)?;
    let question = ElicitRequest::new(params);
    let is_new = context
        .protocol_version()
        .is_some_and(|it| it.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
    if is_new {
        let answer = request.input_responses.as_ref().and_then(|it| it.get(QUESTION));
        return match answer {
            Some(answer) if request.request_state.as_deref() == Some(&state) => {
                decided(serde_json::from_value(answer.clone()).map_err(unclear)?)
            }
            _ => {
                let requests =
                    BTreeMap::from([(QUESTION.to_owned(), InputRequest::Elicitation(question))]);
                Ok(Asked::Later(Box::new(InputRequiredResult::new(Some(requests), Some(state)))))
            }
        };
    }
    let sent = context.peer.send_request(ServerRequest::ElicitRequest(question));
    match tokio::time::timeout(PATIENCE, sent).await {
        Ok(Ok(ClientResult::ElicitResult(answer))) => decided(answer),
        Ok(Ok(_)) => Err(unclear("another result")),
        Ok(Err(error)) => Err(unclear(error)),
        Err(_) => Err(no("the user did not answer")),
    }
}

fn decided(answer: ElicitResult) -> Result<Asked, ToolError> {
    let refused =
        answer.content.as_ref().and_then(|it| it.get(QUESTION)) == Some(&Value::Bool(false));
    match answer.action {
        ElicitationAction::Accept if !refused => Ok(Asked::Yes),
        _ => Err(no("the user declined")),
    }
}

fn no(reason: &str) -> ToolError {
    let fix = "nothing was written; ask the user what to change before you call it again";
    ToolError::new(ExitKind::No, reason, fix)
}

fn unclear(error: impl std::fmt::Display) -> ToolError {
    no(&format!("the client's answer for the user cannot be used: {error}"))
}
