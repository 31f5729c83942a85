//! The record of an open project, with approvals that a killed process left settled.

use base::{ContentHash, Ctx, ProjectPath};
use edit::{FileChange, Files as _, Overlay};
use project::Workspace;
use record::{
    CodeRow, NewProposal, Proposal, ProposalState, Proposals, Record, RecordEntry, RecordError,
};
use repo::EntryState;

use super::card::{self, CardState, ProposalCard};
use crate::Error;

/// The proposals of a project.
pub(crate) struct OpenRecord<'a> {
    pub(super) workspace: &'a Workspace,
    pub(crate) record: Record,
    pub(crate) proposals: Proposals,
    /// Damage of the record.
    pub(super) troubles: Vec<String>,
}

impl<'a> OpenRecord<'a> {
    /// Reads the record. An approval that was interrupted is completed in the record if the undo
    /// journal has its change, else released: the tree and the record agree afterwards.
    pub(crate) fn open(ctx: &Ctx, workspace: &'a Workspace) -> Result<Self, Error> {
        let record = workspace.record();
        let mut troubles = Vec::new();
        let (mut proposals, found) = record.proposals()?;
        if proposals.all().any(|it| it.state == ProposalState::Approved) {
            match settle(ctx, workspace, &record) {
                Ok(()) => {}
                // It can be read all the same, such as on a read-only disk.
                Err(error) => {
                    troubles.push(format!("an interrupted approval is not settled: {error}"))
                }
            }
            proposals = record.proposals()?.0;
        }
        troubles.extend(found);
        Ok(Self { workspace, record, proposals, troubles })
    }

    /// The proposals with these ids, each once. The UUID or key of an item is an id, too, while one
    /// open proposal changes it.
    pub(super) fn find(&self, ids: &[String]) -> Result<Vec<Proposal>, Error> {
        let mut found: Vec<Proposal> = Vec::new();
        for id in ids {
            let proposal = match self.proposals.find(id) {
                Ok(proposal) => proposal,
                Err(error) => match self.changing(id)?[..] {
                    [] => return Err(error.into()),
                    [one] => one,
                    ref several => {
                        let candidates = several.iter().map(|it| it.new.id.clone()).collect();
                        let (id, is_ambiguous) = (id.clone(), true);
                        let error = RecordError::NoProposal { id, is_ambiguous, candidates };
                        return Err(error.into());
                    }
                },
            };
            if !found.iter().any(|it| it.new.id == proposal.new.id) {
                found.push(proposal.clone());
            }
        }
        Ok(found)
    }

    /// The open proposals that change the item with this UUID or key, newest first.
    fn changing(&self, item: &str) -> Result<Vec<&Proposal>, Error> {
        let mut found = Vec::new();
        for proposal in self.proposals.all().rev().filter(|it| it.state.is_open()) {
            if self.rows(proposal)?.iter().any(|row| row.id == item || row.key == item) {
                found.push(proposal);
            }
        }
        Ok(found)
    }

    /// The rows of the code graph of a proposal.
    pub(super) fn rows(&self, proposal: &Proposal) -> Result<Vec<CodeRow>, Error> {
        Ok(card::rows(self.record.texts(), proposal)?)
    }

    /// The cards of these proposals as they are now.
    pub(super) fn cards(&self, ids: &[String]) -> Result<Vec<ProposalCard>, Error> {
        let (proposals, _) = self.record.proposals()?;
        let has_applied =
            |id: &&String| proposals.get(id).is_some_and(|it| it.state == ProposalState::Applied);
        let undone = match ids.iter().any(|id| has_applied(&id)) {
            true => self.undone()?,
            false => Vec::new(),
        };
        let card_of = |proposal: &Proposal| {
            let state = CardState {
                stale: stale_file(self.workspace, &proposal.new),
                is_undone: proposal.change.as_ref().is_some_and(|it| undone.contains(it)),
            };
            ProposalCard::of(self.record.texts(), proposal, state)
        };
        Ok(ids.iter().filter_map(|id| proposals.get(id)).map(card_of).collect())
    }

    /// The changes of the journal that were undone.
    pub(crate) fn undone(&self) -> Result<Vec<String>, Error> {
        undone(self.workspace)
    }
}

/// The changes of the journal that were undone.
pub(crate) fn undone(workspace: &Workspace) -> Result<Vec<String>, Error> {
    let history = workspace.project().history()?;
    let undone = history.into_iter().filter(|it| it.state != EntryState::Applied);
    Ok(undone.map(|it| it.id).collect())
}

/// The first file of a proposal that is not what the proposal was made for.
pub(super) fn stale_file(workspace: &Workspace, new: &NewProposal) -> Option<String> {
    let differs = |file: &&record::FileBase| {
        let Ok(path) = ProjectPath::new(&file.path) else { return true };
        let Ok(state) = workspace.project().read(&path) else { return true };
        let found = state.as_ref().map(|it| ContentHash::of(it.text.as_bytes()));
        found != file.base || state.is_some_and(|it| it.executable != file.executable)
    };
    new.files.iter().find(differs).map(|file| file.path.clone())
}

/// The first file of a change whose present state is not the one that the change was made for.
pub(crate) fn moved_file(workspace: &Workspace, change: &Overlay) -> Option<String> {
    let differs = |(path, it): &(&ProjectPath, &FileChange)| {
        workspace.project().read(path).map_or(true, |found| found != it.before)
    };
    change.changes().find(differs).map(|(path, _)| path.to_string())
}

/// The field of a journal entry's note with the name of the approval.
pub(super) const APPROVAL: &str = "approval";

/// Compares interrupted approvals with the undo journal. The lock shows that no process is writing
/// them any more.
fn settle(ctx: &Ctx, workspace: &Workspace, record: &Record) -> Result<(), Error> {
    let Some(_lock) = record.try_lock_approval()? else { return Ok(()) };
    let project = workspace.project();
    if project.has_pending_change()? {
        return Ok(());
    }
    let history = project.history()?;
    record.write(ctx, |proposals| {
        let mut entries = Vec::new();
        let mut version = proposals.version();
        let approved: Vec<&Proposal> =
            proposals.all().filter(|it| it.state == ProposalState::Approved).collect();
        let mut names: Vec<&String> = Vec::new();
        for name in approved.iter().filter_map(|it| it.approval.as_ref()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        for name in names {
            let ids = approved.iter().filter(|it| it.approval.as_ref() == Some(name));
            let ids: Vec<String> = ids.map(|it| it.new.id.clone()).collect();
            let is_it = |it: &&repo::JournalEntry| {
                it.note[APPROVAL].as_str() == Some(name) && it.state == EntryState::Applied
            };
            entries.push(match history.iter().find(is_it) {
                Some(change) => {
                    version += 1;
                    let (change, commit) = (change.id.clone(), change.commit.clone());
                    RecordEntry::Applied { ids, change, commit, version, at: ctx.now() }
                }
                None => {
                    let reason = "the process that wrote it was interrupted".to_owned();
                    RecordEntry::Released { ids, reason, at: ctx.now() }
                }
            });
        }
        Ok((entries, ()))
    })
}
