//! Asks the user before a tool writes the tree, where the client can show a question.
//!
//! Clients of the handshake get a request in the middle of the call. Since 2026-07-28 the call ends with a
//! question and is sent again with the answer, and with the question's nonce, which binds the answer
//! to exactly these arguments and to the change that was shown. A client that cannot ask has its own permission prompt before it calls a tool that
//! is announced as destructive. The gate decides in every case.

use std::collections::BTreeMap;
use std::time::Duration;

use project::ExitKind;
use rmcp::model::{
    CallToolRequestParams, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, InputRequest, InputRequiredResult, ProtocolVersion, ServerRequest,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};
use tools::{Consent, ConsentQuestion, Consents, ToolError};

/// The name of the question, and of the field of its form.
const QUESTION: &str = "write";
/// Time that the user has for an answer.
const PATIENCE: Duration = Duration::from_secs(600);

/// What follows from a question.
pub(super) enum Asked {
    /// The user consents; the call continues.
    Yes(Consent),
    /// The call ends with the question, and is sent again.
    Later(Box<InputRequiredResult>),
}

/// Whether the client can show a question for this request.
pub(super) fn can_ask(context: &RequestContext<RoleServer>) -> bool {
    context.client_capabilities().is_some_and(|it| it.elicitation.is_some())
}

/// Whether the call ends with a question, and is sent again with the answer.
fn ends_with_question(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|it| it.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

/// The user's answer in a call that was sent again; `None` where it has none to a question about exactly
/// this call that still waits.
pub(super) fn answered(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    consents: &Consents,
    call: &[u8],
) -> Result<Option<Asked>, ToolError> {
    if !ends_with_question(context) {
        return Ok(None);
    }
    let answer = request.input_responses.as_ref().and_then(|it| it.get(QUESTION));
    let nonce = request.request_state.as_deref().filter(|nonce| consents.waits(nonce, call));
    let (Some(answer), Some(nonce)) = (answer, nonce) else { return Ok(None) };
    let answer = serde_json::from_value(answer.clone()).map_err(unclear);
    decided(answer, consents, (nonce, call)).map(Some)
}

/// Asks the user.
pub(super) async fn ask(
    context: &RequestContext<RoleServer>,
    consents: &Consents,
    question: &ConsentQuestion,
    call: &[u8],
) -> Result<Asked, ToolError> {
    let nonce = question.nonce();
    let form = json!({"mode": "form", "message": question.text(), "requestedSchema": {
        "type": "object",
        "properties": {QUESTION: {"type": "boolean", "title": "Write it", "default": true}}}});
    let params: ElicitRequestParams = serde_json::from_value(form).map_err(unclear)?;
    let elicited = ElicitRequest::new(params);
    if ends_with_question(context) {
        let requests = BTreeMap::from([(QUESTION.to_owned(), InputRequest::Elicitation(elicited))]);
        let result = InputRequiredResult::new(Some(requests), Some(nonce.to_owned()));
        return Ok(Asked::Later(Box::new(result)));
    }
    let sent = context.peer.send_request(ServerRequest::ElicitRequest(elicited));
    let answer = match tokio::time::timeout(PATIENCE, sent).await {
        Ok(Ok(ClientResult::ElicitResult(answer))) => Ok(answer),
        Ok(Ok(_)) => Err(unclear("another result")),
        Ok(Err(error)) => Err(unclear(error)),
        Err(_) => Err(no("the user did not answer")),
    };
    decided(answer, consents, (nonce, call))
}

/// The consent, where the answer is yes. The question does not wait any longer.
fn decided(
    answer: Result<ElicitResult, ToolError>,
    consents: &Consents,
    (nonce, call): (&str, &[u8]),
) -> Result<Asked, ToolError> {
    let consent = consents.redeem(nonce, call);
    let answer = answer?;
    // A form that was sent back untouched may leave the field out; any other value is no consent.
    let field = answer.content.as_ref().and_then(|it| it.get(QUESTION));
    let consents_to_it = matches!(field, None | Some(Value::Bool(true)));
    match answer.action {
        ElicitationAction::Accept if consents_to_it => {
            Ok(Asked::Yes(consent.map_err(|error| ToolError::from(tools::Error::from(error)))?))
        }
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
