//! The model in the search for a repair: its edits as candidates, and what became of them as the next
//! message. Start at [`Task::ask_model`].

use base::{Diagnostic, SortedSet};
use check::Checked;
use edit::Overlay;
use model::language::TurnError;
use repair::{Overlaid, Search};

use crate::reason::{
    BYTES_PER_TOKEN, Conversation, MICRO, MapLookup, ModelNote, ModelNoteKind, ModelReasoner,
    ModelRun, PlacedItem, Prompt, ProposalContext, Scope, Tried, findings, review, row_texts,
    span_of, texts,
};
use crate::task::Task;
use crate::{AgentError, ReasonerChoice, TaskStep};

/// Number of attempts for an edit and for what other reasoners add to it.
const ATTEMPTS: usize = 6;
/// Maximum number of items of which callers are listed.
const MAX_ITEMS: usize = 4;

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
        let in_progress = self.options.begin.clone().unwrap_or_else(Overlay::empty);
        let root = self.world.look("root", "", |it| Ok(it.project().root().to_path_buf()))?;
        loop {
            self.report_notes(run);
            self.enter(TaskStep::Propose, format!("asking {}", reasoner.name));
            let world = std::sync::Arc::clone(&self.world);
            let files = Overlaid { base: &*world, overlay: &in_progress };
            let lookup = MapLookup { world: &world };
            let context = ProposalContext {
                root: &root,
                files: &files,
                scope: &run.scope,
                errors: search.errors(),
                approval: &self.options.approval,
                lookup: &lookup,
            };
            let model = self.world.model(reasoner);
            let answer = run.conversation.propose(self.ctx, &model, &context, &mut |text| {
                (self.on)(&crate::FixEvent::Writing { text: text.to_owned() });
            });
            run.spent = run.spent.max(model.spent());
            let proposal = match answer {
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
                let whole = in_progress.compose(&proposal.overlay)?;
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
        let in_progress = self.options.begin.clone().unwrap_or_else(Overlay::empty);
        let world = std::sync::Arc::clone(&self.world);
        let files = Overlaid { base: &*world, overlay: &in_progress };
        let lookup = MapLookup { world: &world };
        let mut scope = Scope::of_errors(errors);
        let callers = self.callers(&lookup);
        for caller in &callers {
            if let Some((path, span)) = span_of(&files, caller) {
                scope.add_item(path, span);
            }
        }
        let mut prompt = Prompt {
            task: "Repair the errors so that the project compiles and its tests pass.".to_owned(),
            errors: self.errors.clone(),
            callers: callers.iter().map(|it| it.line.clone()).collect(),
            ..Prompt::default()
        };
        let budget = reasoner.limits.context_tokens;
        prompt.files = texts(&files, &scope, budget / 2 * BYTES_PER_TOKEN);
        // Without a map the texts of the files are all there is.
        match lookup.context(&row_texts(&self.errors), budget / 2) {
            Ok(packed) => prompt.context = packed.text,
            Err(error) => self.ctx.progress("asking the model", error.to_string()),
        }
        self.ctx.check_cancelled()?;
        let conversation = Conversation::new(reasoner.limits.clone(), &prompt.text());
        Ok(ModelRun::new(conversation, scope))
    }

    /// The callers of the items with errors.
    fn callers(&self, lookup: &MapLookup<'_, '_>) -> Vec<PlacedItem> {
        let items: SortedSet<&String> =
            self.errors.iter().filter_map(|it| it.item.as_ref()).collect();
        let found = items.into_iter().take(MAX_ITEMS).filter_map(|it| lookup.callers(it).ok());
        found.flatten().collect::<SortedSet<PlacedItem>>().into_iter().collect()
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
            let task = row_texts(&self.errors);
            let model = self.world.model(&reasoner);
            let (limits, diff) = (reasoner.limits.clone(), overlay.unified_diff());
            found = review(self.ctx, &model, limits, &mut run.conversation, (&task, &diff));
            run.spent = run.spent.max(model.spent());
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
        let run = self.model.as_ref().map_or_else(Vec::new, |run| run.notes());
        self.answered.model.notes.iter().cloned().chain(run).collect()
    }

    pub(crate) fn model_tokens(&self) -> u64 {
        self.answered.model.tokens + self.model.as_ref().map_or(0, |run| run.usage().total())
    }

    /// Cost in dollars.
    pub(crate) fn model_cost(&self) -> f64 {
        let run = self.model.as_ref().map_or(0, |run| run.spent);
        // Both are what the account has paid so far.
        run.max(self.answered.model.spent) as f64 / MICRO
    }
}
