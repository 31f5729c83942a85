//! A change under review: its text is kept as a proposal, a part of it is proven, and exactly what was
//! proven is written. For front ends in which a person edits a change and takes a part of it.

use base::{ContentHash, Ctx};
use check::Tests;
use edit::Overlay;
use policy::{Approval, Evidence, Refusal};
use record::RecordEntry;
use repo::RepoError;

use super::approve::{Writing, Written, write};
use super::card;
use super::error::ProposalError;
use super::open::{OpenRecord, moved_file, stale_file};
use super::propose::Draft;
use super::verify::{Proof, not_checked};
use crate::accept::{AcceptOutcome, moved_note};
use crate::{Consent, ConsentAct, Error, PendingChange, ReportedDiagnostic};
use project::stage;
use project::{ProjectError, Workspace};

/// Author of what a person keeps of a change.
const PERSON: &str = "person";

/// Reads the change of an open proposal.
///
/// # Errors
/// An id that names no open proposal; one of which a file has changed since.
pub fn reviewed(ctx: &Ctx, workspace: &Workspace, id: &str) -> Result<(String, Overlay), Error> {
    let open = OpenRecord::open(ctx, workspace)?;
    let proposal = open.proposals.find(id)?;
    let id = proposal.new.id.clone();
    if !proposal.state.is_open() {
        let reason = format!("proposal {id} is {} already", proposal.state.as_str());
        return Err(record::RecordError::Illegal { reason }.into());
    }
    if let Some(file) = stale_file(workspace, &proposal.new) {
        return Err(ProposalError::Stale { id, file }.into());
    }
    Ok((id, card::overlay(open.record.texts(), proposal)?))
}

/// The change that a text in any edit format makes of the present tree, such as the diff of a draft.
///
/// # Errors
/// A text that is no edit of the present tree.
pub fn change_of_text(ctx: &Ctx, workspace: &Workspace, text: &str) -> Result<Overlay, Error> {
    Ok(stage(ctx, workspace, text)?.0)
}

/// Keeps a change as a proposal, and returns its id. `instead` is the proposal that it replaces, which is
/// then closed. A change that is proposed already keeps its id.
///
/// # Errors
/// A change without an edit; a record that cannot be written.
pub fn keep(
    ctx: &Ctx,
    workspace: &Workspace,
    change: &Overlay,
    task: &str,
    instead: Option<&str>,
) -> Result<String, Error> {
    let (proposals, _) = workspace.record().proposals()?;
    if let Some(same) = instead.and_then(|id| proposals.get(id))
        && same.state.is_open()
        && same.new.patch_set == change.patch_set()
    {
        return Ok(same.new.id.clone());
    }
    let draft = Draft::of_overlay(change.clone(), task, instead);
    draft.record(ctx, workspace, &workspace.record())
}

/// A change that was verified, with what the gate decides about it. It is worth exactly the change that
/// was verified, on the tree that it was verified on.
pub struct ProvenChange {
    proof: Proof,
    refusals: Vec<Refusal>,
}

impl ProvenChange {
    /// Verifies a change on the present tree. `on` receives the diagnostics while the check runs.
    ///
    /// # Errors
    /// A file that is not as the change was made for; a check that cannot run. A refusal of the gate is no error.
    pub fn of(
        ctx: &Ctx,
        workspace: &Workspace,
        change: Overlay,
        tests: Option<Tests>,
        on: &mut dyn FnMut(&ReportedDiagnostic),
    ) -> Result<Self, Error> {
        if let Some(file) = moved_file(workspace, &change) {
            return Err(ProposalError::Moved { file }.into());
        }
        let tests = tests.unwrap_or(workspace.settings().check_tests);
        let proof = Proof::of(ctx, workspace, change, tests, on)?;
        let refusals = proof.refusals(&Approval::default());
        Ok(Self { proof, refusals })
    }

    /// The hash of the change: [`Overlay::patch_set`].
    pub fn patch_set(&self) -> ContentHash {
        self.proof.checked.overlay.patch_set()
    }

    /// The evidence.
    pub fn evidence(&self) -> &Evidence {
        &self.proof.checked.evidence
    }

    /// Reasons of the gate; empty if it opens.
    pub fn refusals(&self) -> &[Refusal] {
        &self.refusals
    }

    /// Diagnostics of the changed tree, errors first.
    pub fn diagnostics(&self) -> Vec<ReportedDiagnostic> {
        self.proof.diagnostics()
    }

    /// Parts that the proof did not look at, one line; `None` if there are none.
    pub fn not_checked(&self) -> Option<String> {
        not_checked(self.evidence())
    }

    /// The question to a person about the write; `None` where the gate is closed.
    pub fn pending(&self, titles: Vec<String>, approval: &Approval) -> Option<PendingChange> {
        let permit = self.proof.decide(approval).ok()?;
        Some(PendingChange {
            act: ConsentAct::Write,
            change: self.proof.checked.overlay.clone(),
            tree: permit.tree().files_hash(),
            titles,
            see: "graftage edit list".to_owned(),
        })
    }

    /// Writes the change after a person consented to it. It is kept as a proposal first, as every change
    /// that is written; `instead` is the open proposal that it is, or is a part of.
    ///
    /// # Errors
    /// A consent to another change or tree ([`crate::ConsentError`]); a write that fails. A refusal of
    /// the gate is no error.
    pub fn write(
        self,
        ctx: &Ctx,
        workspace: &Workspace,
        writing: ReviewedWrite<'_>,
    ) -> Result<WrittenReview, Error> {
        let ReviewedWrite { instead, approval, consent } = writing;
        let change = self.proof.checked.overlay.clone();
        let id = keep(ctx, workspace, &change, "", None)?;
        let ids = [id.clone()];
        let consent = Some(consent);
        let writing = Writing { ids: &ids, proof: self.proof, approval, commit: false, consent };
        let record = workspace.record();
        let written = write(ctx, workspace, &record, writing);
        let outcome = match written {
            Ok(Written::Closed(refusals)) => WrittenReview::Refused { refusals, note: None },
            Ok(Written::Outcome(AcceptOutcome::Refused { refusals, moved, .. })) => {
                WrittenReview::Refused { refusals, note: Some(moved_note(&moved)) }
            }
            Ok(Written::Outcome(AcceptOutcome::Written { applied, .. })) => {
                WrittenReview::Applied { change: applied.id.into(), commit: applied.commit }
            }
            Err(error) => {
                let is_pending =
                    matches!(error, Error::Project(ProjectError::Repo(RepoError::Recovery { .. })));
                if !is_pending && instead != Some(id.as_str()) {
                    close(ctx, &record, &id, &error.to_string());
                }
                return Err(error);
            }
        };
        match (&outcome, instead) {
            (WrittenReview::Applied { change, .. }, Some(old)) if old != id => {
                close(ctx, &record, old, &format!("a part of it was applied as {change}"));
            }
            (WrittenReview::Refused { .. }, old) if old != Some(id.as_str()) => {
                close(ctx, &record, &id, "the gate refused it");
            }
            _ => {}
        }
        Ok(outcome)
    }
}

/// Input of [`ProvenChange::write`].
pub struct ReviewedWrite<'a> {
    /// The open proposal that the change is, or is a part of.
    pub instead: Option<&'a str>,
    /// The user's approval: who, and preservation rules that the change may break.
    pub approval: &'a Approval,
    /// The person's consent to exactly this change.
    pub consent: Consent,
}

/// Result of [`ProvenChange::write`].
#[derive(Clone, Debug, PartialEq)]
pub enum WrittenReview {
    /// The change was written.
    Applied {
        /// Id of the change for `undo`.
        change: String,
        /// Commit id, if a commit was made.
        commit: Option<String>,
    },
    /// The gate is closed on the present tree; nothing was written.
    Refused {
        /// Reasons of the gate.
        refusals: Vec<Refusal>,
        /// The files that changed since the proof.
        note: Option<String>,
    },
}

/// Closes a proposal, where it is still open. The change itself is settled: a record that cannot be
/// written leaves an open proposal, which is seen to be stale.
fn close(ctx: &Ctx, record: &record::Record, id: &str, reason: &str) {
    let _ = record.write(ctx, |proposals| {
        let is_open = proposals.get(id).is_some_and(|it| it.state.is_open());
        let entry = RecordEntry::Rejected {
            ids: vec![id.to_owned()],
            reason: reason.to_owned(),
            at: ctx.now(),
        };
        Ok::<_, Error>((if is_open { vec![entry] } else { Vec::new() }, ()))
    });
}

impl Draft {
    /// The draft of a change that a person has reviewed.
    fn of_overlay(overlay: Overlay, task: &str, instead: Option<&str>) -> Self {
        let text = overlay.unified_diff();
        let mut overlay = overlay;
        overlay.author = PERSON.to_owned();
        let mut draft = Self::staged(overlay, text);
        draft.task = task.to_owned();
        draft.again = instead.map(str::to_owned);
        draft
    }
}
