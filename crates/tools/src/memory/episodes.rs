//! The episodes of a project: a view of its record.

use memory::{Episode, EpisodeItem};
use project::Workspace;
use record::{
    Blobs, ErrorRecord, PastRun, Proposal, ProposalState, Proposals, Record, RunDetail, RunHistory,
};

use super::skills::{Skill, skills};
use crate::Error;
use crate::proposals::{rows_of, undone};

/// Name of the texts' own part among the rows of a change.
const FILE: &str = "file";

/// The record of a project as far as it is remembered.
pub(super) struct Remembered {
    pub(super) record: Record,
    pub(super) runs: RunHistory,
    pub(super) proposals: Proposals,
    undone: Vec<String>,
    pub(super) skills: Vec<Skill>,
    /// Damage of the record.
    pub(super) notes: Vec<String>,
}

impl Remembered {
    pub(super) fn open(workspace: &Workspace) -> Result<Self, Error> {
        let record = workspace.record();
        let (runs, mut notes) = record.run_history()?;
        let (proposals, damage) = record.proposals()?;
        notes.extend(damage);
        let (undone, skills) = (undone(workspace)?, skills(workspace)?);
        Ok(Self { record, runs, proposals, undone, skills, notes })
    }

    /// All episodes and skills that were not forgotten.
    pub(super) fn episodes(&self) -> Vec<Episode> {
        let is_kept = |id: &str| !self.runs.forgotten.contains(id);
        let runs = self.runs.runs.iter().filter(|it| is_kept(&it.run.id));
        let proposals = self.proposals.all().filter(|it| is_kept(&it.new.id));
        let runs = runs.map(|it| self.of_run(it));
        let skills = self.skills.iter().map(Skill::episode);
        runs.chain(proposals.map(|it| self.of_proposal(it))).chain(skills).collect()
    }

    /// The ids that a text names.
    pub(super) fn ids(&self, text: &str) -> Vec<String> {
        let all = self.episodes().into_iter().map(|it| it.id);
        all.filter(|id| base::names_id(text, id)).collect()
    }

    fn of_run(&self, past: &PastRun) -> Episode {
        let run = &past.run;
        let detail = run_detail(self.record.texts(), past).unwrap_or_default();
        let change = past.applied.as_ref().map(|it| it.change.clone());
        Episode {
            id: run.id.clone(),
            command: run.command.clone(),
            outcome: match &change {
                Some(change) => self.written(change).to_owned(),
                None => run.outcome.clone(),
            },
            errors: detail.errors.iter().map(error_line).collect(),
            items: items(&detail),
            request: detail.request,
            by: detail.rules,
            rationale: detail.rationale,
            files: detail.files,
            patch_set: detail.patch_set,
            change,
            diff: detail.diff,
            reason: detail.reason,
            candidates: run.candidates,
            tokens: run.tokens,
            micro_dollars: run.micro_dollars,
            wall_ms: run.wall_ms,
            at: run.at,
        }
    }

    fn of_proposal(&self, proposal: &Proposal) -> Episode {
        let new = &proposal.new;
        let rows = rows_of(self.record.texts(), proposal);
        let item = |row: &record::CodeRow| {
            let path = row.local.split_once(' ').map_or("", |(_, path)| path);
            EpisodeItem { file: row.file.clone(), path: path.to_owned() }
        };
        let outcome = match (proposal.state, &proposal.change) {
            (ProposalState::Applied, Some(change)) => self.written(change),
            (state, _) => state.as_str(),
        };
        Episode {
            id: new.id.clone(),
            command: "edit".to_owned(),
            outcome: outcome.to_owned(),
            request: if new.task.is_empty() { new.summary.clone() } else { new.task.clone() },
            by: vec![new.author.clone()],
            rationale: vec![new.summary.clone()],
            items: rows.iter().filter(|row| row.local != FILE).map(item).collect(),
            files: new.files.iter().map(|file| file.path.clone()).collect(),
            patch_set: Some(new.patch_set),
            change: proposal.change.clone(),
            reason: proposal.reason.clone().unwrap_or_default(),
            at: proposal.decided_at.unwrap_or(new.at),
            ..Episode::default()
        }
    }

    fn written(&self, change: &String) -> &'static str {
        if self.undone.contains(change) { "undone" } else { "applied" }
    }
}

/// The texts of a run; `None` in records of earlier versions, and where they are lost.
pub(super) fn run_detail(texts: &Blobs, past: &PastRun) -> Option<RunDetail> {
    serde_json::from_slice(&texts.get(past.run.detail?).ok()?).ok()
}

fn error_line(error: &ErrorRecord) -> String {
    match &error.code {
        Some(code) => format!("{code}: {}", error.message),
        None => error.message.clone(),
    }
}

/// The items of the change; without one those in which the errors are.
fn items(detail: &RunDetail) -> Vec<EpisodeItem> {
    let changed = detail.items.iter();
    let mut items: Vec<EpisodeItem> =
        changed.map(|it| EpisodeItem { file: it.file.clone(), path: it.path.clone() }).collect();
    if items.is_empty() {
        let of = |error: &ErrorRecord| {
            Some(EpisodeItem { file: error.file.clone()?, path: error.item.clone()? })
        };
        items.extend(detail.errors.iter().filter_map(of));
        items.sort();
        items.dedup();
    }
    items
}
