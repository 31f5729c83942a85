//! Hooks of coding agents: what their client asks before and after it edits a file directly, at the
//! start of a session and when the agent wants to end.
//!
//! Input and answers are the JSON of Claude Code's command hooks. Invariants: a hook changes nothing in
//! the tree; without something to report its answer is empty, which costs no tokens; it refuses an edit
//! only in strict mode; what cannot be done in the time of the caller is reported, not waited for.
//! Start at [`agent_hook`].

mod before;
mod input;
mod seen;
mod verdict;

use base::{Ctx, visible};

pub use input::HookInput;
use project::Workspace;
use serde::Serialize;
use serde_json::{Value, json};

use crate::Error;

/// What a hook may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookMode {
    /// Report what an edit breaks.
    Check,
    /// Refuse direct edits of Rust files and name the tool to use.
    Strict,
}

/// The answer to the client; `{}` where there is nothing to report. Its texts quote names and messages of
/// the project, so hidden characters in it are escapes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookAnswer {
    /// `block`: the agent gets `reason` and continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<&'static str>,
    /// Text for the agent, with `decision`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Text for the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_message: Option<String>,
    /// The part that depends on the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook_specific_output: Option<Value>,
}

impl HookAnswer {
    /// A note for the person; the agent is not stopped.
    pub fn note(text: impl Into<String>) -> Self {
        Self { system_message: Some(visible(&text.into())), ..Self::default() }
    }

    /// Text that the agent gets beside the result of its call.
    fn context(event: &str, text: String) -> Self {
        let output = json!({ "hookEventName": event, "additionalContext": visible(&text) });
        Self { hook_specific_output: Some(output), ..Self::default() }
    }

    fn refusal(reason: String) -> Self {
        let output = json!({
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": visible(&reason),
        });
        Self { hook_specific_output: Some(output), ..Self::default() }
    }

    /// Whether it refuses the call.
    pub fn is_refusal(&self) -> bool {
        let decision = self.hook_specific_output.as_ref().map(|it| &it["permissionDecision"]);
        decision.is_some_and(|it| it == "deny")
    }

    fn block(reason: String) -> Self {
        Self { decision: Some("block"), reason: Some(visible(&reason)), ..Self::default() }
    }
}

/// Text at the start of a session: when to use which tool.
const START: &str = "This is a Rust project with graftage. Its MCP tools answer questions about \
the code (search, context, graph) with fewer tokens than reading files, and `propose_edit`, then \
`preflight`, then `apply` change it: a change is proven on a private view before any file is \
written. `fix` repairs compile errors, `finish` finishes an in-progress change.";

/// Answers one call of a hook.
///
/// # Errors
/// A project that cannot be read, a check that cannot run, or an interrupt by the caller.
pub fn agent_hook(
    ctx: &Ctx,
    workspace: &Workspace,
    input: &HookInput,
    mode: HookMode,
) -> Result<HookAnswer, Error> {
    match input.event() {
        "SessionStart" => Ok(HookAnswer::context("SessionStart", START.to_owned())),
        "PreToolUse" => Ok(before::before_edit(ctx, workspace, input, mode)),
        "PostToolUse" => verdict::after_edit(ctx, workspace, input),
        "Stop" | "SubagentStop" => verdict::at_end(ctx, workspace, input),
        "SessionEnd" => {
            seen::forget(workspace, input.session());
            Ok(HookAnswer::default())
        }
        _ => Ok(HookAnswer::default()),
    }
}

/// The answer in strict mode where it is not certain that a call edits no Rust file of a project: why.
pub fn hook_refused(why: &str) -> HookAnswer {
    HookAnswer::refusal(format!(
        "graftage is strict here and {why}: Rust files are changed through its tool `propose_edit`, then \
         `preflight`, then `apply`"
    ))
}

/// The answer to an event where a check did not end in time.
pub fn hook_not_finished(event: &str, mode: HookMode, seconds: f64) -> HookAnswer {
    match event {
        // Nothing is known of an event that was not read in this time.
        "PreToolUse" | "" if mode == HookMode::Strict => HookAnswer::refusal(format!(
            "graftage could not examine this edit within {seconds} s; call its tool `propose_edit`"
        )),
        "PostToolUse" | "Stop" | "SubagentStop" => HookAnswer::note(format!(
            "graftage: the check did not end within {seconds} s, so nothing is proven; run \
             `graftage check` or the tool `check`"
        )),
        _ => HookAnswer::default(),
    }
}
