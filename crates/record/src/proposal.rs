//! [`Proposals`], the state of all proposals: a pure fold of the log.

use base::{SortedMap, Timestamp};

use crate::{NewProposal, Numbered, PreflightRecord, RecordEntry, RecordError};

base::named_enum! {
    /// The state of a proposal.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ProposalState {
        /// It is not verified.
        Proposed = "proposed",
        /// It was verified, and the gate was open.
        Proven = "proven",
        /// It was verified, and the gate was closed.
        Refused = "refused",
        /// It is being written.
        Approved = "approved",
        /// It was written.
        Applied = "applied",
        /// It was rejected.
        Rejected = "rejected",
    }
}

impl ProposalState {
    /// Whether it can still be verified, approved or rejected.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Proposed | Self::Proven | Self::Refused)
    }
}

/// A proposal and what happened to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The proposed change.
    pub new: NewProposal,
    /// State.
    pub state: ProposalState,
    /// The last verification.
    pub preflight: Option<PreflightRecord>,
    /// The file that was seen to differ from what the proposal was made for.
    pub stale: Option<String>,
    /// Who approved it.
    pub approver: Option<String>,
    /// Name of its last approval.
    pub approval: Option<String>,
    /// Why it was rejected, or why its last write failed.
    pub reason: Option<String>,
    /// Its change in the undo journal, once applied.
    pub change: Option<String>,
    /// Its commit, if one was made.
    pub commit: Option<String>,
    /// The version of the code graph that it made, once applied.
    pub version: Option<u64>,
    /// When it was applied or rejected.
    pub decided_at: Option<Timestamp>,
}

/// All proposals of a project.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposals {
    /// In the order in which they were proposed.
    order: Vec<String>,
    by_id: SortedMap<String, Proposal>,
    version: u64,
    troubles: Vec<String>,
}

/// Why an entry does not fit the state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Illegal {
    /// The proposal.
    pub id: String,
    /// The reason, with its name.
    pub reason: String,
}

impl Proposals {
    /// The state after these entries. An entry that does not fit is skipped and reported.
    pub fn of<'a>(entries: impl IntoIterator<Item = &'a Numbered<RecordEntry>>) -> Self {
        let mut all = Self::default();
        for Numbered { number, entry } in entries {
            if let Err(illegal) = all.apply(entry) {
                all.troubles.push(format!("entry {number} of the record is skipped: {illegal}"));
            }
        }
        all
    }

    /// The entries that did not fit.
    pub fn troubles(&self) -> &[String] {
        &self.troubles
    }

    /// The version of the code graph: the number of changes that were applied.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// All proposals, oldest first.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = &Proposal> {
        self.order.iter().filter_map(|id| self.by_id.get(id))
    }

    /// The proposal with this id.
    pub fn get(&self, id: &str) -> Option<&Proposal> {
        self.by_id.get(id)
    }

    /// The proposal that `text` names ([`base::names_id`]).
    ///
    /// # Errors
    /// [`RecordError::NoProposal`] with candidates if there is none, or several;
    /// [`RecordError::ShortId`].
    pub fn find(&self, text: &str) -> Result<&Proposal, RecordError> {
        if let Some(exact) = self.by_id.get(text) {
            return Ok(exact);
        }
        if text.len() < base::SHORTEST_ID {
            return Err(RecordError::ShortId { id: text.to_owned() });
        }
        let found: Vec<&Proposal> =
            self.all().filter(|it| base::names_id(text, &it.new.id)).collect();
        if let [one] = found[..] {
            return Ok(one);
        }
        let is_ambiguous = !found.is_empty();
        let named: Vec<&Proposal> = match is_ambiguous {
            true => found,
            false => self.all().filter(|it| it.state.is_open()).collect(),
        };
        let candidates = named.iter().rev().take(10).map(|it| it.new.id.clone()).collect();
        Err(RecordError::NoProposal { id: text.to_owned(), is_ambiguous, candidates })
    }

    /// Adds an entry; the state is unchanged if it does not fit.
    ///
    /// # Errors
    /// [`Illegal`] names the proposal and its state.
    pub fn apply(&mut self, entry: &RecordEntry) -> Result<(), Illegal> {
        use ProposalState::{Approved, Proven, Rejected};
        match entry {
            RecordEntry::Proposed(new) => self.propose(new),
            RecordEntry::Preflighted(preflight) => {
                self.each(&preflight.ids, "verified", ProposalState::is_open, |it| {
                    it.state = if preflight.passed { Proven } else { ProposalState::Refused };
                    it.preflight = Some(preflight.clone());
                })
            }
            RecordEntry::Stale { id, file, .. } => {
                let ids = std::slice::from_ref(id);
                self.each(ids, "marked", ProposalState::is_open, |it| {
                    it.stale = Some(file.clone());
                })
            }
            RecordEntry::Approved { ids, approval, approver, .. } => self.each(
                ids,
                "approved",
                |state| state == Proven,
                |it| {
                    (it.state, it.approver) = (Approved, Some(approver.clone()));
                    it.approval = Some(approval.clone());
                },
            ),
            RecordEntry::Released { ids, reason, .. } => self.each(
                ids,
                "released",
                |state| state == Approved,
                |it| {
                    (it.state, it.reason) = (Proven, Some(reason.clone()));
                },
            ),
            RecordEntry::Applied { ids, change, commit, version, at } => {
                self.flip(ids, *version, |it| {
                    (it.change, it.commit) = (Some(change.clone()), commit.clone());
                    it.decided_at = Some(*at);
                })
            }
            RecordEntry::Rejected { ids, reason, at } => {
                self.each(ids, "rejected", ProposalState::is_open, |it| {
                    (it.state, it.reason) = (Rejected, Some(reason.clone()));
                    it.decided_at = Some(*at);
                })
            }
            RecordEntry::ToolRequested { .. }
            | RecordEntry::ToolDone { .. }
            | RecordEntry::ToolFailed { .. }
            | RecordEntry::Retrieved(_)
            | RecordEntry::Run(_)
            | RecordEntry::RunApplied(_)
            | RecordEntry::SkillMined(_)
            | RecordEntry::Forgotten { .. } => Ok(()),
        }
    }

    /// The futures of these proposals become current, as the next version.
    fn flip(
        &mut self,
        ids: &[String],
        version: u64,
        mut change: impl FnMut(&mut Proposal),
    ) -> Result<(), Illegal> {
        if version != self.version + 1 {
            let reason = format!("version {version} does not follow {}", self.version);
            return Err(Illegal { id: ids.join(", "), reason });
        }
        self.each(
            ids,
            "applied",
            |state| state == ProposalState::Approved,
            |it| {
                (it.state, it.version, it.reason) = (ProposalState::Applied, Some(version), None);
                change(it);
            },
        )?;
        self.version = version;
        Ok(())
    }

    fn propose(&mut self, new: &NewProposal) -> Result<(), Illegal> {
        if self.by_id.contains_key(&new.id) {
            let reason = format!("there is a proposal {} already", new.id);
            return Err(Illegal { id: new.id.clone(), reason });
        }
        self.order.push(new.id.clone());
        let proposal = Proposal {
            new: new.clone(),
            state: ProposalState::Proposed,
            preflight: None,
            stale: None,
            approver: None,
            approval: None,
            reason: None,
            change: None,
            commit: None,
            version: None,
            decided_at: None,
        };
        self.by_id.insert(new.id.clone(), proposal);
        Ok(())
    }

    /// Changes all these proposals, or none if one of them is in another state.
    fn each(
        &mut self,
        ids: &[String],
        verb: &str,
        fits: impl Fn(ProposalState) -> bool,
        mut change: impl FnMut(&mut Proposal),
    ) -> Result<(), Illegal> {
        let illegal = |id: &str, reason: String| Err(Illegal { id: id.to_owned(), reason });
        if ids.is_empty() {
            return illegal("", "it names no proposal".to_owned());
        }
        for (at, id) in ids.iter().enumerate() {
            let Some(proposal) = self.by_id.get(id) else {
                return illegal(id, format!("there is no proposal {id}"));
            };
            if ids[..at].contains(id) {
                return illegal(id, format!("proposal {id} is named twice"));
            }
            if !fits(proposal.state) {
                let state = proposal.state.as_str();
                return illegal(id, format!("proposal {id} is {state} and cannot be {verb}"));
            }
        }
        for id in ids {
            if let Some(proposal) = self.by_id.get_mut(id) {
                change(proposal);
            }
        }
        Ok(())
    }
}
