//! Writes a verified change, and checks it again if the tree changed meanwhile.

use base::{Ctx, Diagnostic};
use check::{Checked, Ladder};
use edit::Overlay;
use policy::{Approval, Evidence, GateRules, Permit, Refusal};
use project::Workspace;
use repo::{Applied, ApplyOptions, CommitMessage, RepoError};

use crate::lesson::Lesson;
use crate::{Consent, ConsentAct, ConsentError, Error, PendingChange};

/// Maximum number of attempts if the tree changes between check and write.
const ATTEMPTS: usize = 4;

/// A verified change before its write, with the inputs of its check.
#[derive(Debug)]
pub struct AcceptedChange {
    /// The change.
    pub overlay: Overlay,
    /// The permit to write the change onto the tree that it was checked on.
    pub permit: Permit,
    /// The ladder that the change passed.
    pub ladder: Ladder,
    /// The gate's rules.
    pub rules: GateRules,
    /// The user's approval.
    pub approval: Approval,
    /// The diagnostics of the tree before the change, where the caller has them: what a change teaches is
    /// learned from them, and else costs a check of the tree.
    pub before: Option<Vec<Diagnostic>>,
    /// The consent of a person who was asked about this change on this tree; `None`: no person was asked.
    pub consent: Option<Consent>,
}

impl AcceptedChange {
    /// The question to a person about the write: `titles` name the change, `see` the command that shows it.
    pub fn pending(&self, titles: Vec<String>, see: &str) -> PendingChange {
        PendingChange {
            act: ConsentAct::Write,
            change: self.overlay.clone(),
            tree: self.permit.tree().files_hash(),
            titles,
            see: see.to_owned(),
        }
    }
}

/// Result of the write of a verified change.
#[derive(Debug)]
pub enum AcceptOutcome {
    /// The change was written.
    Written {
        /// The applied change.
        applied: Applied,
        /// Evidence for the tree that it was written onto.
        evidence: Box<Evidence>,
    },
    /// Other files changed since the check, and the gate refuses the change on the present tree.
    /// Nothing was written.
    Refused {
        /// The check on the present tree.
        checked: Box<Checked>,
        /// Reasons of the gate; never empty.
        refusals: Vec<Refusal>,
        /// Files that changed since the first check.
        moved: Vec<String>,
    },
}

/// Writes a verified change. If other files changed since its check, the change is checked on the
/// present tree and passes the gate again, a bounded number of times.
///
/// # Errors
/// [`ConsentError`] if a person consented to another change, or to this one on another tree;
/// [`RepoError::Moved`] if the tree changes during each attempt; [`RepoError::Changed`] if a file of
/// the change itself differs from the version that the change was made for; [`RepoError::Reverted`] if
/// the tree fails the check after the commit (setting `commit.verify`).
pub fn accept(
    ctx: &Ctx,
    workspace: &Workspace,
    accepted: AcceptedChange,
    options: &ApplyOptions,
) -> Result<AcceptOutcome, Error> {
    let AcceptedChange { mut overlay, mut permit, ladder, rules, approval, before, consent } =
        accepted;
    // A person consented to this change on this tree: on another one, the question is another one.
    let attempts = if consent.is_some() { 1 } else { ATTEMPTS };
    if let Some(consent) = consent {
        consent.spend(ConsentAct::Write, overlay.patch_set(), permit.tree().files_hash())?;
    }
    let lesson = Lesson::before(ctx, workspace, permit.evidence(), &ladder, before);
    let mut attempt = 1;
    loop {
        let evidence = Box::new(permit.evidence().clone());
        let (project, sandbox) = (workspace.project(), workspace.sandbox());
        let verifies = workspace.settings().commit_verify && !rules.is_partial;
        let written = if verifies {
            let mut gate = |_: &Applied| passes(ctx, workspace, &ladder).unwrap_or(false);
            project.apply_gated(ctx, sandbox, &overlay, permit, options, Some(&mut gate))
        } else {
            project.apply(ctx, sandbox, &overlay, permit, options)
        };
        let moved = match written {
            Ok(applied) => {
                lesson.learn(ctx, workspace, &overlay, &applied.id);
                return Ok(AcceptOutcome::Written { applied, evidence });
            }
            Err(RepoError::Moved { .. }) if attempts == 1 => return Err(ConsentError::Moved.into()),
            Err(RepoError::Moved { changed }) if attempt < attempts => changed,
            Err(error) => return Err(error.into()),
        };
        attempt += 1;
        ctx.progress("checking again", "other files changed during the check".to_owned());
        let checked = workspace.prover(ctx)?.prove(ctx, overlay, &ladder, &mut |_| {})?;
        permit = match policy::decide(&rules, checked.evidence.clone(), &approval).permit() {
            Ok(permit) => permit,
            Err(refusals) => {
                return Ok(AcceptOutcome::Refused { checked: Box::new(checked), refusals, moved });
            }
        };
        overlay = checked.overlay;
    }
}

/// Whether the present tree passes the ladder.
fn passes(ctx: &Ctx, workspace: &Workspace, ladder: &Ladder) -> Result<bool, Error> {
    ctx.progress("checking again", "after the commit".to_owned());
    Ok(workspace.prover(ctx)?.baseline(ctx, ladder, &mut |_| {})?.passed())
}

/// The note for a change that was refused because other files changed after its first check.
pub fn moved_note(moved: &[String]) -> String {
    let first = moved.first().map_or("a file", String::as_str);
    let more = match moved.len() {
        0 | 1 => String::new(),
        n => format!(" and {} more", n - 1),
    };
    format!("`{first}`{more} changed after the first check; this is the result on the present tree")
}

/// The message of a commit of an edit.
pub(crate) fn commit_message(files: &[String]) -> CommitMessage {
    CommitMessage {
        kind: "refactor".to_owned(),
        scope: None,
        summary: format!("apply an edit to {}", files.join(", ")),
        body: Vec::new(),
    }
    .fitted()
}
