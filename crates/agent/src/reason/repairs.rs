//! The state of a conversation in the search for a repair, and what is shown of files and proofs.

use base::{ByteSpan, ContentHash, Ctx, LineIndex, ProjectPath, SortedSet};
use check::Checked;
use edit::Files as _;
use model::language::{TurnError, Usage, fence};
use repair::Overlaid;
use tools::ReportedDiagnostic;

use super::conversation::Conversation;
use super::lookup::PlacedItem;
use super::prompt::{self, cut};
use super::{ModelNote, ModelNoteKind, ReasonLimits, Scope};
use crate::AgentError;
use crate::world::TapedModel;

/// Maximum number of bytes of a failed test's output.
const MAX_OUTPUT: usize = 2_000;

/// The conversation of a search.
#[derive(Debug)]
pub(crate) struct ModelRun {
    pub(crate) conversation: Conversation,
    pub(crate) scope: Scope,
    /// The last edit, composed with the in-progress change.
    pub(crate) last: Option<Tried>,
    /// The edits so far.
    pub(crate) made: SortedSet<ContentHash>,
    /// Number of notes that were reported.
    pub(crate) reported: usize,
    /// Whether the model has no further edit.
    pub(crate) is_over: bool,
    /// Cost so far in micro-dollars.
    pub(crate) spent: u64,
}

/// An edit that became a candidate.
#[derive(Debug)]
pub(crate) struct Tried {
    pub(crate) patch: ContentHash,
    pub(crate) diff: String,
    /// What its last proof found.
    pub(crate) found: String,
}

impl ModelRun {
    pub(crate) fn new(conversation: Conversation, scope: Scope) -> Self {
        Self {
            conversation,
            scope,
            last: None,
            made: SortedSet::new(),
            reported: 0,
            is_over: false,
            spent: 0,
        }
    }

    /// The steps of the conversation so far.
    pub(crate) fn notes(&self) -> Vec<ModelNote> {
        self.conversation.notes.clone()
    }

    /// Tokens used so far.
    pub(crate) fn usage(&self) -> Usage {
        self.conversation.usage
    }
}

/// The reason of a refusal by a second conversation about a change and its task; none if it has no
/// objection. Without an answer nothing is approved.
pub(crate) fn review(
    ctx: &Ctx,
    model: &TapedModel,
    limits: ReasonLimits,
    conversation: &mut Conversation,
    (task, diff): (&str, &str),
) -> Result<Option<String>, AgentError> {
    let text = format!("{}{}", fence("task", task), fence("change", diff));
    let mut review = Conversation::new(limits, &text).with_system(prompt::REVIEW);
    let answer = review.text_answer(ctx, model);
    conversation.add_usage(review.usage);
    let refused = match answer {
        Err(TurnError::Cancelled) => return Err(base::Cancelled.into()),
        Err(error) => Some(format!("review: {error}")),
        Ok(answer) => prompt::refusal(&answer),
    };
    let line = refused.clone().unwrap_or_else(|| "no objection".to_owned());
    conversation.note(ModelNoteKind::Reviewed, &line);
    Ok(refused)
}

/// What a proof found, for the model: the errors that are left, or the tests that fail.
pub(crate) fn findings(checked: &Checked) -> String {
    let errors = checked.mapped.iter().filter(|it| it.diagnostic.is_error());
    let rows: Vec<ReportedDiagnostic> = errors.map(ReportedDiagnostic::from).collect();
    let mut text = prompt::errors(&rows);
    if let Some(failure) = &checked.failure {
        text.push_str(&cut(failure, MAX_OUTPUT));
    }
    let failed = checked.tests.iter().flat_map(|it| &it.failed).take(3);
    for test in failed {
        text.push_str(&format!("\ntest {} failed:\n{}", test.name, cut(&test.output, MAX_OUTPUT)));
    }
    text
}

/// File and bytes of an item.
pub(crate) fn span_of(files: &Overlaid<'_>, item: &PlacedItem) -> Option<(ProjectPath, ByteSpan)> {
    let path = ProjectPath::new(item.file.as_deref()?).ok()?;
    let text = files.read(&path).ok().flatten()?.text;
    let lines = LineIndex::new(&text);
    let first = lines.line_span(item.start_line?)?;
    let last = lines.line_span(item.end_line?)?;
    Some((path, ByteSpan::new(first.start, last.end)))
}

/// The texts of the files that may change: whole while `bytes` last, then the items with marks.
pub(crate) fn texts(files: &Overlaid<'_>, scope: &Scope, bytes: usize) -> Vec<(String, String)> {
    let mut left = bytes;
    let mut found = Vec::new();
    for path in scope.files() {
        if scope.closed(files, path).is_some() {
            continue;
        }
        let Ok(Some(state)) = files.read(path) else { continue };
        let text = match state.text.len() <= left {
            true => state.text.to_string(),
            false => parts(&state.text, scope.marks_in(path), left),
        };
        left = left.saturating_sub(text.len());
        if !text.is_empty() {
            found.push((path.to_string(), text));
        }
    }
    found
}

/// The outermost items with marks, but not modules.
fn parts(text: &str, marks: impl Iterator<Item = ByteSpan>, bytes: usize) -> String {
    let file = syntax::parse(text);
    let mut spans = SortedSet::new();
    for mark in marks {
        let mut at = syntax::item_at(&file, mark);
        let mut span = None;
        while let Some(item) = at.and_then(|it| file.items.get(it)) {
            if item.kind != syntax::NodeKind::Module {
                span = Some(item.span);
            }
            at = item.parent;
        }
        spans.extend(span);
    }
    let mut out = String::new();
    for span in spans {
        let part = span.slice(text).unwrap_or_default();
        if out.len() + part.len() > bytes {
            break;
        }
        out.push_str(&format!("// …\n{part}\n"));
    }
    out
}
