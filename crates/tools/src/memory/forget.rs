//! `memory forget`: hides episodes and removes their texts. The log itself is append-only: the numbers of
//! a run stay in it, its texts do not.

use base::{ContentHash, Ctx, SortedSet, Timestamp};
use memory::Episode;
use project::recorded;
use project::{SkillStore, Workspace};
use record::{ProposalState, Record, RecordEntry, RecordError};
use serde::Serialize;

use super::episodes::{Remembered, run_detail};
use super::skills::records;
use crate::Error;

/// Input of [`memory_forget`]: ids, or all, or all before a time.
#[derive(Clone, Debug, Default)]
pub struct ForgetRequest {
    /// Ids of episodes, or their beginnings.
    pub ids: Vec<String>,
    /// Whether all are forgotten.
    pub all: bool,
    /// All that ended before this time are forgotten.
    pub before: Option<Timestamp>,
    /// Whether they are only listed.
    pub dry_run: bool,
}

/// Result of [`memory_forget`], as `--json` prints it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ForgetResponse {
    /// What was forgotten, or would be.
    pub forgotten: Vec<ForgottenRow>,
    /// Whether it was done, not only listed.
    pub done: bool,
    /// Number of texts that were removed.
    pub texts: usize,
    /// Number of traces of runs that were removed.
    pub traces: usize,
    /// What is kept, with the reason.
    pub notes: Vec<String>,
}

/// One episode that is forgotten.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ForgottenRow {
    /// Id.
    pub id: String,
    /// It in one line.
    pub title: String,
    /// The day on which it ended, in UTC.
    pub date: String,
}

/// Forgets episodes: they are not found any more, and their texts are removed where nothing else in the
/// record names them.
///
/// # Errors
/// An id that names no episode, or several; a record that cannot be written.
pub fn memory_forget(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &ForgetRequest,
) -> Result<ForgetResponse, Error> {
    if request.dry_run {
        return Forgetting::of(workspace, request).map(|it| it.response);
    }
    let args = serde_json::json!({ "ids": request.ids, "all": request.all });
    recorded(
        ctx,
        workspace,
        "memory forget",
        args,
        || Forgetting::of(workspace, request)?.run(ctx, workspace),
        |it| serde_json::json!({ "forgotten": it.forgotten.len() }),
    )
}

/// What is forgotten.
struct Forgetting {
    remembered: Remembered,
    response: ForgetResponse,
}

impl Forgetting {
    fn of(workspace: &Workspace, request: &ForgetRequest) -> Result<Self, Error> {
        let remembered = Remembered::open(workspace)?;
        let mut ids: SortedSet<String> = SortedSet::new();
        for text in &request.ids {
            match &remembered.ids(text)[..] {
                [one] => _ = ids.insert(one.clone()),
                [] if text.len() < base::SHORTEST_ID => {
                    return Err(RecordError::ShortId { id: text.clone() }.into());
                }
                found => {
                    return Err(RecordError::NoMemory {
                        id: text.clone(),
                        is_ambiguous: !found.is_empty(),
                        candidates: found.iter().take(10).cloned().collect(),
                    }
                    .into());
                }
            }
        }
        let is_meant = |it: &Episode| {
            request.all
                || request.before.is_some_and(|before| it.at < before)
                || ids.contains(&it.id)
        };
        let row = |it: Episode| ForgottenRow {
            title: it.title().to_owned(),
            date: it.at.date(),
            id: it.id,
        };
        let forgotten = remembered.episodes().into_iter().filter(is_meant).map(row).collect();
        let response = ForgetResponse { forgotten, ..ForgetResponse::default() };
        Ok(Self { remembered, response })
    }

    fn run(self, ctx: &Ctx, workspace: &Workspace) -> Result<ForgetResponse, Error> {
        let Self { mut remembered, mut response } = self;
        let ids: Vec<String> = response.forgotten.iter().map(|it| it.id.clone()).collect();
        response.done = true;
        if !ids.is_empty() {
            let entry = RecordEntry::Forgotten { ids: ids.clone(), at: ctx.now() };
            for record in records(workspace) {
                record.remember(ctx, &entry)?;
            }
            remembered.runs.forgotten.extend(ids.iter().cloned());
        }
        response.traces = remove_traces(workspace, &remembered)?;
        for hash in unnamed(&remembered)? {
            response.texts += usize::from(remembered.record.texts().remove(hash)?);
        }
        if workspace.settings().memory_skills == SkillStore::User {
            response.texts += forget_shared(&workspace.user_record())?;
        }
        response.notes = notes(&remembered, &ids);
        Ok(response)
    }
}

/// The texts that only forgotten episodes name, of earlier calls too: a kill may have kept some.
fn unnamed(remembered: &Remembered) -> Result<SortedSet<ContentHash>, Error> {
    let Remembered { record, runs, proposals, .. } = remembered;
    let is_gone = |id: &String| {
        let is_open =
            |it: &record::Proposal| it.state.is_open() || it.state == ProposalState::Approved;
        runs.forgotten.contains(id) && !proposals.get(id).is_some_and(is_open)
    };
    let (mut gone, mut kept) = (SortedSet::new(), SortedSet::new());
    kept.extend(runs.texts());
    gone.extend(runs.forgotten_texts());
    for numbered in &record.entries()?.entries {
        match &numbered.entry {
            RecordEntry::Proposed(new) => {
                let texts = [new.request, new.overlay, new.rows];
                if is_gone(&new.id) { gone.extend(texts) } else { kept.extend(texts) }
            }
            RecordEntry::Preflighted(it) => {
                let of = if it.ids.iter().all(is_gone) { &mut gone } else { &mut kept };
                of.insert(it.evidence);
            }
            _ => {}
        }
    }
    Ok(gone.difference(&kept).copied().collect())
}

/// Removes the texts of skills that the user's record forgot.
fn forget_shared(record: &Record) -> Result<usize, Error> {
    let history = record.run_history()?.0;
    let kept: SortedSet<ContentHash> = history.texts().collect();
    let gone: SortedSet<ContentHash> = history.forgotten_texts().collect();
    let mut removed = 0;
    for hash in gone.difference(&kept) {
        removed += usize::from(record.texts().remove(*hash)?);
    }
    Ok(removed)
}

/// Removes the traces of forgotten runs, which contain texts of the project; returns their number.
fn remove_traces(workspace: &Workspace, remembered: &Remembered) -> Result<usize, Error> {
    let folder = workspace.project().state_dir().join("traces");
    let mut removed = 0;
    for past in &remembered.runs.runs {
        if !remembered.runs.forgotten.contains(&past.run.id) {
            continue;
        }
        let trace = run_detail(remembered.record.texts(), past).and_then(|it| it.trace);
        // The name of a file in that folder, and nothing else.
        let Some(name) = trace.filter(|it| !it.contains('/') && it != "..") else { continue };
        match std::fs::remove_file(folder.join(&name)) {
            Ok(()) => removed += 1,
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => {}
            Err(err) => {
                let path = folder.join(&name);
                return Err(RecordError::Keep { path, reason: err.to_string() }.into());
            }
        }
    }
    Ok(removed)
}

fn notes(remembered: &Remembered, ids: &[String]) -> Vec<String> {
    let mut notes = Vec::new();
    let open = ids.iter().filter_map(|id| remembered.proposals.get(id));
    for proposal in open.filter(|it| it.state.is_open()) {
        notes.push(format!(
            "proposal {} is open: its texts are kept until it is approved or rejected",
            proposal.new.id
        ));
    }
    let is_applied = |id: &&String| {
        let proposal = remembered.proposals.get(id).is_some_and(|it| it.change.is_some());
        let mut runs = remembered.runs.runs.iter();
        proposal || runs.any(|it| it.run.id == **id && it.applied.is_some())
    };
    let applied = ids.iter().filter(is_applied).count();
    if applied > 0 {
        notes.push(format!(
            "the undo journal keeps {}, so that `undo` works",
            base::counted(applied, "written change")
        ));
    }
    notes
}
