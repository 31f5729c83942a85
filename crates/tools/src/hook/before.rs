//! Before an edit: what the new text would break, from the two texts alone.

use std::fmt::Write as _;
use std::sync::Arc;

use base::Ctx;
use edit::{FileState, Overlay};
use project::Workspace;

use super::input::{Edited, LARGEST_TEXT};
use super::{HookAnswer, HookInput, HookMode};
use crate::proposals::syntax_problems;

/// The most remarks of an answer.
const LISTED: usize = 5;

pub(super) fn before_edit(
    ctx: &Ctx,
    workspace: &Workspace,
    input: &HookInput,
    mode: HookMode,
) -> HookAnswer {
    let root = workspace.project().root();
    let Some(path) = input.file(root) else { return HookAnswer::default() };
    let before = untrusted_fs::read_source(root, path.as_str());
    let before = before.and_then(|bytes| String::from_utf8(bytes).ok());
    let remarks = match input.edited(before.as_deref().unwrap_or_default()) {
        // The client itself reports an edit that does not apply.
        Edited::Misfit => Vec::new(),
        Edited::TooLarge => {
            let limit = LARGEST_TEXT >> 20;
            vec![format!("it makes a text of more than {limit} MiB, which is not checked")]
        }
        Edited::Text(after) => {
            let state = |text: String| FileState { text: Arc::from(text), executable: false };
            let states = vec![(path.clone(), before.map(state), Some(state(after)))];
            remarks(&Overlay::from_states("agent", ctx.now(), states))
        }
    };
    let mut text = String::new();
    for remark in remarks.iter().take(LISTED) {
        let _ = writeln!(text, "- {remark}");
    }
    if remarks.len() > LISTED {
        let _ = writeln!(text, "- and {} more", remarks.len() - LISTED);
    }
    match mode {
        HookMode::Strict => {
            let found = if text.is_empty() { text } else { format!("\nThis edit also:\n{text}") };
            HookAnswer::refusal(format!(
                "Rust files of this project are changed through graftage only. Call its tool \
                 `propose_edit` with the same edit of `{path}`, then `preflight` with the id of the \
                 proposal, then `apply`.{found}"
            ))
        }
        HookMode::Check if text.is_empty() => HookAnswer::default(),
        HookMode::Check => {
            HookAnswer::context("PreToolUse", format!("graftage on this edit of `{path}`:\n{text}"))
        }
    }
}

/// New syntax errors, and tests that it removes or weakens.
fn remarks(overlay: &Overlay) -> Vec<String> {
    let mut remarks = syntax_problems(overlay);
    let violations = preserve::violations(overlay, &[]);
    remarks.extend(
        violations
            .iter()
            .filter(|it| it.rule.protects_tests())
            .map(|it| format!("{}:{}: {}: `{}`", it.path, it.line, it.rule, it.detail.trim())),
    );
    remarks
}
