//! `edit propose`: stages an edit on the present tree and records it. Nothing is verified yet.

use base::{ContentHash, Ctx, LineIndex};
use edit::{Overlay, Staged};
use project::Workspace;
use project::recorded;
use project::{FileAccess, OpenFiles};
use record::{FileBase, NewProposal, Proposals, Record, RecordEntry};
use serde::Serialize;
use serde_json::json;

use super::card::ProposalCard;
use super::code_graph::CodeGraph;
use super::error::ProposalError;
use super::ids::ItemIds;
use super::open::OpenRecord;
use crate::Error;
use crate::lifecycle::request_args;

/// Most open proposals of a project.
const MOST_OPEN: usize = 100;

/// Most bytes of the texts of a change, before and after.
const MOST_BYTES: usize = 16 << 20;

/// Whether one more proposal may be kept.
fn may_keep(proposals: &Proposals) -> Result<(), ProposalError> {
    match proposals.all().filter(|it| it.state.is_open()).count() >= MOST_OPEN {
        true => Err(ProposalError::TooMany { most: MOST_OPEN }),
        false => Ok(()),
    }
}

/// Input of [`propose`].
#[derive(Clone, Debug, Default)]
pub struct ProposeRequest {
    /// The edit in any supported format.
    pub text: String,
    /// Task that it belongs to; empty: none.
    pub task: String,
    /// Author; empty: `edit`.
    pub author: String,
    /// Who sends it, and so which files it may open.
    pub access: FileAccess,
}

/// Result of [`propose`] and [`propose_again`], as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProposeResponse {
    /// Exactly one card: a request is one proposal.
    pub proposals: Vec<ProposalCard>,
    /// Problems and notes: syntax errors in the new texts, deprecated formats, fuzzy matches.
    pub problems: Vec<String>,
}

/// Stages an edit request on the present tree and records it as a proposal. The tree is not
/// written, and nothing is verified. A change that is proposed already keeps its id.
///
/// # Errors
/// A request that is not valid, or changes nothing; a record that cannot be written.
pub fn propose(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &ProposeRequest,
) -> Result<ProposeResponse, Error> {
    let args = request_args(&request.text, None);
    recorded(
        ctx,
        workspace,
        "edit propose",
        args,
        || propose_unrecorded(ctx, workspace, request),
        |it| json!({ "proposals": it.proposals.iter().map(|card| &card.id).collect::<Vec<_>>() }),
    )
}

/// A change that was recorded as a proposal.
pub(crate) struct StagedChange {
    /// Id of the proposal.
    pub(crate) id: String,
    /// The change.
    pub(crate) overlay: Overlay,
    /// As [`ProposeResponse::problems`].
    pub(crate) problems: Vec<String>,
}

/// As [`propose`], for callers that need the change and not its card. The call is not recorded.
pub(super) fn stage(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &ProposeRequest,
) -> Result<StagedChange, Error> {
    let (open, mut staged) = staged(ctx, workspace, request)?;
    staged.problems.extend(open.troubles.iter().cloned());
    Ok(staged)
}

fn propose_unrecorded(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &ProposeRequest,
) -> Result<ProposeResponse, Error> {
    let (open, staged) = staged(ctx, workspace, request)?;
    respond(&open, staged.id, staged.problems)
}

/// The change of a request, recorded, and the record; its troubles are not among the problems yet.
fn staged<'w>(
    ctx: &Ctx,
    workspace: &'w Workspace,
    request: &ProposeRequest,
) -> Result<(OpenRecord<'w>, StagedChange), Error> {
    let draft = Draft::of(ctx, workspace, request)?;
    let (overlay, problems) = (draft.overlay.clone(), draft.problems.clone());
    let open = OpenRecord::open(ctx, workspace)?;
    let id = draft.record(ctx, workspace, &open.record)?;
    Ok((open, StagedChange { id, overlay, problems }))
}

/// Stages the request of a proposal again, on the present tree, as a new proposal. The old one is
/// rejected if it is still open.
///
/// # Errors
/// As [`propose`]; an id that names no proposal.
pub fn propose_again(ctx: &Ctx, workspace: &Workspace, id: &str) -> Result<ProposeResponse, Error> {
    let args = json!({ "again": id });
    recorded(
        ctx,
        workspace,
        "edit propose",
        args,
        || propose_again_unrecorded(ctx, workspace, id),
        |it| json!({ "proposals": it.proposals.iter().map(|card| &card.id).collect::<Vec<_>>() }),
    )
}

fn propose_again_unrecorded(
    ctx: &Ctx,
    workspace: &Workspace,
    id: &str,
) -> Result<ProposeResponse, Error> {
    let open = OpenRecord::open(ctx, workspace)?;
    let old = open.proposals.find(id)?.clone();
    let request = ProposeRequest {
        text: open.record.texts().text(old.new.request)?,
        task: old.new.task.clone(),
        author: old.new.author.clone(),
        // Only the command line stages again.
        access: FileAccess::Person,
    };
    let mut draft = Draft::of(ctx, workspace, &request)?;
    draft.again = Some(old.new.id.clone());
    let problems = draft.problems.clone();
    let id = draft.record(ctx, workspace, &open.record)?;
    respond(&open, id, problems)
}

fn respond(
    open: &OpenRecord<'_>,
    id: String,
    mut problems: Vec<String>,
) -> Result<ProposeResponse, Error> {
    problems.extend(open.troubles.iter().cloned());
    Ok(ProposeResponse { proposals: open.cards(&[id])?, problems })
}

/// A staged change before it is recorded.
pub(crate) struct Draft {
    pub(crate) overlay: Overlay,
    /// Syntax errors in the new texts, and the notes of staging.
    problems: Vec<String>,
    /// How many of them are syntax errors.
    syntax: usize,
    text: String,
    pub(super) task: String,
    confidence: Option<f32>,
    /// The proposal that it replaces.
    pub(super) again: Option<String>,
}

impl Draft {
    /// A change that is staged already, with its text.
    pub(super) fn staged(overlay: Overlay, text: String) -> Self {
        let problems = syntax_problems(&overlay);
        Self {
            syntax: problems.len(),
            problems,
            overlay,
            text,
            task: String::new(),
            confidence: None,
            again: None,
        }
    }

    /// Stages a request.
    pub(crate) fn of(
        ctx: &Ctx,
        workspace: &Workspace,
        request: &ProposeRequest,
    ) -> Result<Self, Error> {
        let project = workspace.project();
        let parsed = edit::parse_request(&request.text, project.root())?;
        let author = if request.author.is_empty() { "edit" } else { &request.author };
        let files = OpenFiles { ctx, workspace, access: request.access };
        let Staged { overlay, notes } = edit::stage(&files, &parsed, author, ctx.now())?;
        let mut draft = Self {
            task: request.task.clone(),
            confidence: parsed.confidence,
            ..Self::staged(overlay, request.text.clone())
        };
        draft.problems.extend(notes);
        Ok(draft)
    }

    /// The notes of staging.
    pub(crate) fn notes(&self) -> Vec<String> {
        self.problems[self.syntax..].to_vec()
    }

    /// Records the change, and returns the id of the proposal.
    pub(crate) fn record(
        self,
        ctx: &Ctx,
        workspace: &Workspace,
        record: &Record,
    ) -> Result<String, Error> {
        if self.overlay.is_empty() {
            return Err(ProposalError::Nothing.into());
        }
        let patch_set = self.overlay.patch_set();
        let is_open = |proposals: &Proposals| {
            let same = |it: &&record::Proposal| {
                it.new.patch_set == patch_set
                    && it.state.is_open()
                    && self.again.as_ref() != Some(&it.new.id)
            };
            proposals.all().rev().find(same).map(|it| it.new.id.clone())
        };
        let known = record.proposals()?.0;
        if let Some(id) = is_open(&known) {
            return Ok(id);
        }
        may_keep(&known)?;
        let texts =
            self.overlay.changes().map(|it| it.1.before_text().len() + it.1.after_text().len());
        let bytes: usize = texts.sum();
        if bytes > MOST_BYTES {
            return Err(ProposalError::TooLarge { bytes, most: MOST_BYTES }.into());
        }
        let new = self.proposal(ctx, workspace, record)?;
        record.write(ctx, |proposals| {
            // Another process may have proposed it in the meantime.
            if let Some(id) = is_open(proposals) {
                return Ok((Vec::new(), id));
            }
            may_keep(proposals)?;
            let id = Record::fresh_id(proposals, patch_set);
            let mut entries = vec![RecordEntry::Proposed(NewProposal { id: id.clone(), ..new })];
            if let Some(old) = self.again.as_ref().and_then(|old| proposals.get(old))
                && old.state.is_open()
            {
                let (ids, at) = (vec![old.new.id.clone()], ctx.now());
                entries.push(RecordEntry::Rejected {
                    ids,
                    reason: format!("staged again as {id}"),
                    at,
                });
            }
            Ok((entries, id))
        })
    }

    fn proposal(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        record: &Record,
    ) -> Result<NewProposal, Error> {
        let ids = ItemIds::open(ctx, workspace, &self.overlay);
        let rows = CodeGraph::of_change(&self.overlay, &|path, item, is_current| {
            ids.of(path, item, is_current)
        });
        debug_assert!(CodeGraph::determines(&rows, &self.overlay), "rows of another change");
        let texts = record.texts();
        let json = |value: serde_json::Result<Vec<u8>>| {
            value.map_err(|error| record::RecordError::Entry { reason: error.to_string() })
        };
        let base = |(path, change): (&base::ProjectPath, &edit::FileChange)| FileBase {
            path: path.to_string(),
            base: change.before.as_ref().map(|it| ContentHash::of(it.text.as_bytes())),
            executable: change.before.as_ref().is_some_and(|it| it.executable),
        };
        Ok(NewProposal {
            id: String::new(),
            task: self.task.clone(),
            author: self.overlay.author.clone(),
            summary: summary(&self.overlay),
            at: ctx.now(),
            request: texts.put(ctx, self.text.as_bytes())?,
            overlay: texts.put(ctx, &json(serde_json::to_vec(&self.overlay))?)?,
            rows: texts.put(ctx, &json(serde_json::to_vec(&rows))?)?,
            patch_set: self.overlay.patch_set(),
            files: self.overlay.changes().map(base).collect(),
            confidence: self.confidence,
            again: self.again.clone(),
        })
    }
}

/// `2 files, +3 −1`.
fn summary(overlay: &Overlay) -> String {
    let stat = overlay.stat();
    let first = overlay.changes().next().map(|(path, _)| path.to_string()).unwrap_or_default();
    let files = match stat.files {
        0 | 1 => first,
        more => format!("{first} and {}", base::counted(more - 1, "other file")),
    };
    format!("{files}: +{} -{}", stat.added, stat.removed)
}

/// The files whose new text has more syntax errors than the old one, with the first new line.
pub(crate) fn syntax_problems(overlay: &Overlay) -> Vec<String> {
    let mut problems = Vec::new();
    for (path, change) in overlay.changes().filter(|(path, _)| path.as_str().ends_with(".rs")) {
        let after = change.after_text();
        let found = syntax::parse(after).parse_errors;
        let before = syntax::parse(change.before_text()).parse_errors.len();
        if found.len() <= before {
            continue;
        }
        let line = found.first().map_or(1, |span| LineIndex::new(after).line_of(span.start));
        let count = base::counted(found.len() - before, "syntax error");
        problems.push(format!("{path}:{line}: the new text has {count} more than the old one"));
    }
    problems
}
