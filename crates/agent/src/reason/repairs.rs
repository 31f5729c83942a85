//! The model in the search for a repair: its edits as candidates, and what became of them as the next
//! message. Start at [`Task::ask_model`].

use std::collections::BTreeSet;

use base::{ByteSpan, ContentHash, Diagnostic, LineIndex, ProjectPath};
use check::Checked;
use edit::{Files as _, Overlay};
use model::language::TurnError;
use repair::{Overlaid, Search};
use tools::{ContextRequest, DiagnosticRow, ItemCard, WalkRequest};

use super::conversation::{Conversation, Ground};
use super::lookup::{MapLookup, place};
use super::prompt::{self, Prompt, cut};
use super::{ModelNote, ModelNoteKind, ModelReasoner, Scope};
use crate::task::Task;
use crate::{AgentError, ReasonerChoice, TaskStep};

/// Number of attempts for an edit and for what other reasoners add to it.
const ATTEMPTS: usize = 6;
/// Maximum number of items of which callers are listed.
const MAX_ITEMS: usize = 4;
/// Maximum number of callers per item.
const MAX_CALLERS: usize = 12;
/// Bytes per token of code, at least: the estimate for texts of files.
const BYTES_PER_TOKEN: usize = 3;
/// Maximum number of bytes of a failed test's output.
const MAX_OUTPUT: usize = 2_000;

/// The conversation of a search.
#[derive(Debug)]
pub(crate) struct ModelRun {
    conversation: Conversation,
    scope: Scope,
    /// The last edit, as a change with what was begun.
    last: Option<Tried>,
    /// The edits so far.
    made: BTreeSet<ContentHash>,
    /// Number of notes that were reported.
    reported: usize,
    /// Whether the model has no further edit.
    is_over: bool,
}

/// An edit that became a candidate.
#[derive(Debug)]
struct Tried {
    patch: ContentHash,
    diff: String,
    /// What its last proof found.
    found: String,
}

impl Task<'_> {
    /// Asks the model for an edit and adds it to the search; `false` if there is none.
    pub(crate) fn ask_model(&mut self, search: &mut Search) -> Result<bool, AgentError> {
        let is_wanted =
            matches!(self.options.reasoners, ReasonerChoice::All | ReasonerChoice::Model);
        let Some(reasoner) = self.options.model.clone().filter(|_| is_wanted) else {
            return Ok(false);
        };
        if self.has_choice() {
            return Ok(false);
        }
        let mut run = match self.model.take() {
            Some(run) => run,
            None => self.begin_conversation(&reasoner, search.errors())?,
        };
        let added = self.ask(&mut run, &reasoner, search);
        self.report_notes(&mut run);
        self.model = Some(run);
        added
    }

    fn ask(
        &mut self,
        run: &mut ModelRun,
        reasoner: &ModelReasoner,
        search: &mut Search,
    ) -> Result<bool, AgentError> {
        if run.is_over {
            return Ok(false);
        }
        if let Some(tried) = run.last.take() {
            let refused = self.refused_reason(&tried.diff);
            let reason = refused.unwrap_or_else(|| "it does not build".to_owned());
            run.conversation.feed_back(&reason, &tried.found);
        }
        let begun = self.options.begin.clone().unwrap_or_else(Overlay::empty);
        loop {
            self.report_notes(run);
            self.enter(TaskStep::Propose, format!("asking {}", reasoner.model.name()));
            let files = Overlaid { base: self.workspace.project(), overlay: &begun };
            let lookup = MapLookup { ctx: self.ctx, workspace: self.workspace };
            let ground = Ground {
                root: self.workspace.project().root(),
                files: &files,
                scope: &run.scope,
                errors: search.errors(),
                approval: &self.options.approval,
                lookup: &lookup,
            };
            let proposal = match run.conversation.propose(self.ctx, &*reasoner.model, &ground) {
                Ok(proposal) => proposal,
                Err(TurnError::Cancelled) => return Err(base::Cancelled.into()),
                Err(error) => {
                    run.conversation.note(ModelNoteKind::Ended, &error.to_string());
                    None
                }
            };
            let Some(proposal) = proposal else {
                run.is_over = true;
                return Ok(false);
            };
            let why = match proposal.rationale.is_empty() {
                true => "an edit of the model".to_owned(),
                false => format!("the model: {}", proposal.rationale),
            };
            if search.add_change(&proposal.overlay, vec![why], ATTEMPTS) {
                let whole = begun.compose(&proposal.overlay)?;
                let patch = whole.patch_set();
                run.made.insert(patch);
                let diff = whole.unified_diff();
                run.last = Some(Tried { patch, diff, found: String::new() });
                return Ok(true);
            }
            run.conversation.feed_back("this change was tried before, and failed", "");
        }
    }

    /// Notes what a proof of the last edit of the model found.
    pub(crate) fn observe(&mut self, overlay: &Overlay, checked: &Checked) {
        let Some(tried) = self.model.as_mut().and_then(|run| run.last.as_mut()) else { return };
        if overlay.patch_set() != tried.patch {
            return;
        }
        tried.found = findings(checked);
    }

    /// Why an attempt with this difference was refused.
    fn refused_reason(&self, diff: &str) -> Option<String> {
        self.refused.iter().rev().find(|it| it.diff == diff).map(|it| it.reason.clone())
    }

    fn begin_conversation(
        &mut self,
        reasoner: &ModelReasoner,
        errors: &[Diagnostic],
    ) -> Result<ModelRun, AgentError> {
        let begun = self.options.begin.clone().unwrap_or_else(Overlay::empty);
        let files = Overlaid { base: self.workspace.project(), overlay: &begun };
        let mut scope = Scope::of_errors(errors);
        let callers = self.callers();
        for caller in &callers {
            if let Some((path, span)) = span_of(&files, caller) {
                scope.add_item(path, span);
            }
        }
        let mut prompt = Prompt {
            task: "Repair the errors so that the project compiles and its tests pass.".to_owned(),
            errors: self.errors.clone(),
            callers: callers.iter().map(place).collect(),
            ..Prompt::default()
        };
        let budget = reasoner.limits.context_tokens;
        prompt.files = texts(&files, &scope, budget / 2 * BYTES_PER_TOKEN);
        let request = ContextRequest::new(prompt::errors(&self.errors), budget / 2);
        // Without a map the texts of the files are all there is.
        match tools::context(self.ctx, self.workspace, &request) {
            Ok(packed) => prompt.context = packed.text,
            Err(error) => self.ctx.progress("asking the model", error.to_string()),
        }
        self.ctx.check_cancelled()?;
        Ok(ModelRun {
            conversation: Conversation::new(reasoner.limits.clone(), &prompt.text()),
            scope,
            last: None,
            made: BTreeSet::new(),
            reported: 0,
            is_over: false,
        })
    }

    /// The callers of the items with errors.
    fn callers(&self) -> Vec<ItemCard> {
        let items: BTreeSet<&String> =
            self.errors.iter().filter_map(|it| it.item.as_ref()).collect();
        let mut found: Vec<ItemCard> = Vec::new();
        for item in items.into_iter().take(MAX_ITEMS) {
            let request = WalkRequest {
                item: item.clone(),
                depth: 1,
                kinds: Vec::new(),
                limit: MAX_CALLERS,
                only_proven: false,
            };
            let Ok(answer) = tools::callers(self.ctx, self.workspace, &request) else { continue };
            let new = answer.items.into_iter().filter(|it| !it.is_test);
            found.extend(new);
        }
        found.sort_by(|a, b| a.canon.cmp(&b.canon));
        found.dedup_by(|a, b| a.canon == b.canon);
        found
    }

    /// Reviews a change that passed, if a model made it and reviews are on; the reason of a refusal.
    pub(crate) fn review(&mut self, overlay: &Overlay) -> Result<Option<String>, AgentError> {
        let Some(reasoner) = self.options.model.clone().filter(|it| it.limits.review) else {
            return Ok(None);
        };
        let Some(mut run) = self.model.take() else { return Ok(None) };
        let mut found = Ok(None);
        if run.made.contains(&overlay.patch_set()) {
            self.enter(TaskStep::Decide, "review by the model");
            let task = prompt::errors(&self.errors);
            found = run.review(self, &reasoner, &task, &overlay.unified_diff());
            self.report_notes(&mut run);
        }
        self.model = Some(run);
        found
    }

    fn report_notes(&mut self, run: &mut ModelRun) {
        for note in run.conversation.notes.iter().skip(run.reported) {
            (self.on)(&crate::FixEvent::Model { note: note.clone() });
        }
        run.reported = run.conversation.notes.len();
    }

    pub(crate) fn model_notes(&self) -> Vec<ModelNote> {
        self.model.as_ref().map_or_else(Vec::new, |run| run.conversation.notes.clone())
    }

    pub(crate) fn model_tokens(&self) -> u64 {
        self.model.as_ref().map_or(0, |run| run.conversation.usage.total())
    }

    pub(crate) fn model_cost(&self) -> f64 {
        0.0
    }
}

impl ModelRun {
    /// The reason of a refusal by a second conversation; none if it has no reason or no answer.
    fn review(
        &mut self,
        task: &Task<'_>,
        reasoner: &ModelReasoner,
        errors: &str,
        diff: &str,
    ) -> Result<Option<String>, AgentError> {
        let text = format!("{}{}", prompt::fence("task", errors), prompt::fence("change", diff));
        let mut review =
            Conversation::new(reasoner.limits.clone(), &text).with_system(prompt::REVIEW);
        let answer = review.text_answer(task.ctx, &*reasoner.model);
        let usage = review.usage;
        self.conversation.add_usage(usage);
        let refused = match answer {
            Err(TurnError::Cancelled) => return Err(base::Cancelled.into()),
            // Without an answer nothing is approved.
            Err(error) => Some(format!("review: {error}")),
            Ok(answer) => prompt::refusal(&answer),
        };
        let line = refused.clone().unwrap_or_else(|| "no objection".to_owned());
        self.conversation.note(ModelNoteKind::Reviewed, &line);
        Ok(refused)
    }
}

/// What a proof found, for the model: the errors that are left, or the tests that fail.
pub(super) fn findings(checked: &Checked) -> String {
    let errors = checked.mapped.iter().filter(|it| it.diagnostic.is_error());
    let rows: Vec<DiagnosticRow> = errors.map(DiagnosticRow::from).collect();
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
fn span_of(files: &Overlaid<'_>, item: &ItemCard) -> Option<(ProjectPath, ByteSpan)> {
    let path = ProjectPath::new(item.file.as_deref()?).ok()?;
    let text = edit::Files::read(files, &path).ok().flatten()?.text;
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
    let mut spans = BTreeSet::new();
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
