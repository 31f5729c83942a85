//! `apply` and `undo`: the tools that write the user's tree.

use base::Ctx;
use check::Tests;
use project::{ProjectError, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::diagnostics::{DiagnosticLines, RefusalLine, refusal_lines, tests_schema};
use super::{Effect, Tool, ToolCard, ToolError};
use crate::undo::undo_unasked;
use crate::{
    ApproveRequest, Consent, Error, PendingChange, PreflightRequest, PreflightResponse,
    ProposalError, RestoreSummary, approve, pending_approval, pending_restore, preflight_check,
    restore_consented,
};

/// Who approves where a call names no approver.
const APPROVER: &str = "agent";

/// Writes verified proposals.
pub(crate) struct ApplyTool;

/// Input of [`ApplyTool`]. It has no field that allows the breaking of a rule: only a person may.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApplyInput {
    /// Ids of proposals, written as one change.
    #[schemars(length(min = 1), inner(length(min = record::ID_LENGTH)))]
    ids: Vec<String>,
    /// Tests that must pass.
    #[serde(default)]
    #[schemars(schema_with = "tests_schema")]
    tests: Option<Tests>,
    /// Also commit.
    #[serde(default)]
    commit: bool,
}

/// Output of [`ApplyTool`].
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ApplyOutput {
    /// Whether the tree was written.
    applied: bool,
    /// Id of the change for `undo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<String>,
    /// Commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    /// Why the gate is closed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocked_by: Vec<RefusalLine>,
    #[serde(flatten)]
    found: DiagnosticLines,
    /// Notes: files that changed during the check.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl ApplyOutput {
    /// Nothing was written.
    fn blocked(it: PreflightResponse) -> Self {
        Self {
            applied: false,
            change: None,
            commit: None,
            blocked_by: refusal_lines(it.refusals),
            found: DiagnosticLines::of(&it.diagnostics),
            notes: Vec::new(),
        }
    }
}

impl Tool for ApplyTool {
    type Input = ApplyInput;
    type Output = ApplyOutput;
    const RECORDS_ITSELF: bool = true;
    const CARD: ToolCard = ToolCard {
        name: "apply",
        title: "Apply proposals",
        description: "Verifies proposals and writes them, all or nothing; `undo` reverts it.",
        effect: Effect::Writes,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: ApplyInput,
    ) -> Result<ApplyOutput, ToolError> {
        apply(ctx, workspace, input, None)
    }

    fn pending(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: &ApplyInput,
    ) -> Result<PendingChange, ToolError> {
        refuse_closed(ctx, workspace, &input.ids)?;
        let tests = at_least(input.tests, workspace.settings().check_tests);
        let pending = pending_approval(ctx, workspace, &input.ids, tests)?;
        Ok(pending.committed(workspace, input.commit))
    }

    fn call_consented(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: ApplyInput,
        consent: Consent,
    ) -> Result<ApplyOutput, ToolError> {
        apply(ctx, workspace, input, Some(consent))
    }
}

/// The tests that a call asks for, and no fewer than the settings ask for: a call cannot loosen them.
fn at_least(asked: Option<Tests>, settings: Tests) -> Option<Tests> {
    asked.map(|asked| if asked as u8 > settings as u8 { asked } else { settings })
}

/// Refuses proposals of files that an agent may not read: it could not have proposed them.
fn refuse_closed(ctx: &Ctx, workspace: &Workspace, ids: &[String]) -> Result<(), ToolError> {
    for id in ids {
        let card = crate::proposal(ctx, workspace, id)?;
        if let Some(file) = super::proposals::closed_of(ctx, workspace, &card) {
            let message = format!("proposal {id} changes `{file}`, which only the user opens");
            let hint = "the user writes it with `graftage edit approve`";
            return Err(ToolError::new(project::ExitKind::No, message, hint));
        }
    }
    Ok(())
}

fn apply(
    ctx: &Ctx,
    workspace: &Workspace,
    input: ApplyInput,
    mut consent: Option<Consent>,
) -> Result<ApplyOutput, ToolError> {
    refuse_closed(ctx, workspace, &input.ids)?;
    let request = ApproveRequest {
        ids: input.ids,
        approver: APPROVER.to_owned(),
        allow: Vec::new(),
        tests: at_least(input.tests, workspace.settings().check_tests),
        commit: input.commit,
    };
    let it = match approve(ctx, workspace, &request, &mut consent, &mut |_| {}) {
        // Not verified yet, as it was staged or since the tree changed.
        Err(Error::Proposal(ProposalError::NotVerified { .. })) => {
            let (ids, tests) = (request.ids.clone(), request.tests);
            let verified = PreflightRequest { ids, tests };
            let verified = preflight_check(ctx, workspace, &verified, &mut |_| {})?;
            if !verified.refusals.is_empty() {
                return Ok(ApplyOutput::blocked(verified));
            }
            approve(ctx, workspace, &request, &mut consent, &mut |_| {})
        }
        other => other,
    };
    let it = it.map_err(without_output)?;
    Ok(ApplyOutput {
        applied: it.change.is_some(),
        change: it.change,
        commit: it.commit,
        blocked_by: refusal_lines(it.refusals),
        found: DiagnosticLines::of(&it.diagnostics),
        notes: it.notes,
    })
}

/// An error for an agent: a hook runs for the user, and sees and prints what no agent may read.
fn without_output(error: Error) -> Error {
    match error {
        Error::Project(ProjectError::Repo(repo::RepoError::Hook { hook, .. })) => {
            let output = "its output is for the user, who commits to see it".to_owned();
            repo::RepoError::Hook { hook, output }.into()
        }
        other => other,
    }
}

/// Reverts an applied change.
pub(crate) struct UndoTool;

/// Input of [`UndoTool`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoInput {
    /// Id of the change; without it the newest.
    #[serde(default)]
    #[schemars(length(min = record::ID_LENGTH))]
    change: Option<String>,
    /// Reapply an undone change instead.
    #[serde(default)]
    redo: bool,
}

/// Refuses to revert a change of a person, or of files that only a person may change.
fn only_own_changes(workspace: &Workspace, id: Option<&str>) -> Result<(), ToolError> {
    let history = workspace.project().history().map_err(Error::from)?;
    let is_possible = |entry: &&repo::JournalEntry| match id {
        Some(id) => entry.id.starts_with(id),
        None => entry.state == repo::EntryState::Applied,
    };
    let mut possible: Vec<&repo::JournalEntry> = history.iter().filter(is_possible).collect();
    if id.is_none() {
        // The journal reverts the newest one.
        possible.sort_by_key(|entry| std::cmp::Reverse(entry.order));
        possible.truncate(1);
    }
    let by_person = possible.iter().find(|entry| !is_of_agent(entry));
    if let Some(entry) = by_person {
        let reason = format!("{} is a change of a person: {}", entry.id, entry.summary);
        return Err(ToolError::field("change", reason, "ask the user to run `graftage undo`"));
    }
    let mut files = possible.iter().flat_map(|entry| &entry.files);
    let protected = files.find_map(|file| Some((&file.path, policy::protected(&file.path)?)));
    let Some((path, row)) = protected else { return Ok(()) };
    let reason = format!("it changes `{path}`: {}", row.reason);
    Err(ToolError::field("change", reason, "ask the user to run `graftage undo`"))
}

/// Whether an agent approved the change of an entry.
fn is_of_agent(entry: &repo::JournalEntry) -> bool {
    entry.note["approver"] == APPROVER
}

impl Tool for UndoTool {
    type Input = UndoInput;
    type Output = RestoreSummary;
    const CARD: ToolCard = ToolCard {
        name: "undo",
        title: "Undo a change",
        description: "Reverts an applied change, byte for byte.",
        effect: Effect::Writes,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: UndoInput,
    ) -> Result<RestoreSummary, ToolError> {
        let id = input.change.as_deref();
        if input.redo {
            let reason = "a change that was undone returns only with a proof";
            let hint = "propose it again, or ask the user to run `graftage redo`";
            return Err(ToolError::field("redo", reason.to_owned(), hint));
        }
        only_own_changes(workspace, id)?;
        Ok(undo_unasked(ctx, workspace, id)?)
    }

    fn pending(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: &UndoInput,
    ) -> Result<PendingChange, ToolError> {
        Ok(pending_restore(ctx, workspace, input.redo, input.change.as_deref())?.1)
    }

    fn call_consented(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: UndoInput,
        consent: Consent,
    ) -> Result<RestoreSummary, ToolError> {
        let id = input.change.as_deref();
        Ok(restore_consented(ctx, workspace, input.redo, id, consent)?)
    }
}
