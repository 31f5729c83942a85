//! A subgoal that a model makes: its edits as an in-progress change in memory, which `fix` completes by
//! rules and proves.

use std::sync::Arc;

use base::{Ctx, ProjectPath, SortedSet};
use edit::Overlay;
use model::language::{TurnError, fence};
use project::{ExitKind, Workspace};
use repair::Overlaid;
use repo::CommitMessage;
use serde::{Deserialize, Serialize};

use super::plan::MAX_SUBGOALS;
use super::run::{Advanced, GoalOptions};
use crate::noted::{RunNote, note_run};
use crate::reason::{
    BYTES_PER_TOKEN, Conversation, MICRO, MapLookup, ModelNoteKind, ModelReasoner, PLAN, Prompt,
    Proposal, ProposalContext, ReasonLimits, SYSTEM, Scope, row_texts, texts,
};
use crate::world::{TapedModel, World};
use crate::{
    AgentError, FixEvent, FixOptions, FixOutcome, FixReport, FixResult, IntentRow, ReasonerChoice,
    TraceEnd, TraceRequest,
};

/// Maximum number of names of a task that are looked up.
const MAX_NAMES: usize = 8;
/// Maximum number of files whose texts a model gets for a task.
const MAX_FILES: usize = 6;

/// A subgoal for a model. What it is asked is recorded as one run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepRequest {
    /// The task of which it is a part.
    pub goal: String,
    /// The subgoal.
    pub text: String,
    /// The changes of the subgoals before it.
    #[serde(rename = "begun")]
    pub in_progress: Overlay,
    /// The options of the task.
    pub options: GoalOptions,
}

impl StepRequest {
    /// Asks the model for edits until one is proven.
    pub(super) fn run(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        on: &mut dyn FnMut(&FixEvent),
    ) -> Result<Advanced, AgentError> {
        if self.options.model.is_none() {
            return self.run_in(&Arc::new(World::live(ctx, workspace)), on);
        }
        let started = ctx.now();
        let request = TraceRequest::Step(Box::new(self.clone()));
        let world = Arc::new(World::recorded(ctx, workspace, request)?);
        let result = self.run_in(&world, on);
        if matches!(&result, Err(error) if error.exit_kind() == ExitKind::Interrupted) {
            return result;
        }
        let trace = world.end(TraceEnd::of(result.as_ref().map(|it| &it.fixed.report), &[]));
        let mut advanced = result?;
        let fixed = &mut advanced.fixed;
        fixed.report.trace = trace.map(|it| it.display().to_string());
        let note = RunNote {
            command: "task",
            request: &self.text,
            first_pass: None,
            started,
            files_hash: world.files_hash(),
        };
        note_run(ctx, workspace, note, fixed);
        Ok(advanced)
    }

    /// The same from a record.
    pub(crate) fn replayed(&self, world: &Arc<World<'_>>) -> Result<FixResult, AgentError> {
        Ok(self.run_in(world, &mut |_| {})?.fixed)
    }

    fn run_in(
        &self,
        world: &Arc<World<'_>>,
        on: &mut dyn FnMut(&FixEvent),
    ) -> Result<Advanced, AgentError> {
        let options = &self.options;
        let limits =
            options.model.as_ref().map_or_else(ReasonLimits::default, |it| it.limits.clone());
        let (scope, prompt) = self.prompt(world, limits.context_tokens)?;
        let Some(reasoner) = &options.model else {
            let text = format!("{SYSTEM}\n{}", prompt.text());
            let report = FixReport::none(
                "rules do not understand this task, and no language model is configured \
                 (`model.provider`): they rename, move and inline items, add, remove and reorder \
                 parameters, change types, add fields",
            );
            let fixed = FixResult { report, accepted: None, message: None };
            return Ok(Advanced { fixed, prompt: Some(text) });
        };
        let model = world.model(reasoner);
        let conversation = Conversation::new(limits, &prompt.text());
        let talk = Talk { asked: self, scope, conversation, reported: 0 };
        let fixed = talk.run(world, &model, on)?;
        Ok(Advanced { fixed, prompt: None })
    }

    /// What may change, and the first message.
    fn prompt(&self, world: &World<'_>, budget: usize) -> Result<(Scope, Prompt), AgentError> {
        let lookup = MapLookup { world };
        let packed = lookup.context(&self.text, budget / 2)?;
        let mut files: SortedSet<ProjectPath> = SortedSet::new();
        files
            .extend(packed.files.iter().filter_map(|it| ProjectPath::new(it).ok()).take(MAX_FILES));
        let mut callers = Vec::new();
        for name in code_words(&format!("{} {}", self.goal, self.text)) {
            let Ok(items) = lookup.named(&name) else { continue };
            for item in items {
                files.extend(item.file.as_ref().and_then(|it| ProjectPath::new(it).ok()));
                callers.push(item.line);
            }
        }
        files.extend(self.in_progress.changes().map(|(path, _)| path.clone()));
        let scope = Scope::of_task(&format!("{}\n{}", self.goal, self.text), files);
        let overlaid = Overlaid { base: world, overlay: &self.in_progress };
        let task = match self.goal == self.text {
            true => self.text.clone(),
            false => format!("{}\n\nThis is one step of: {}", self.text, self.goal),
        };
        let prompt = Prompt {
            task,
            callers,
            files: texts(&overlaid, &scope, budget / 2 * BYTES_PER_TOKEN),
            context: packed.text,
            ..Prompt::default()
        };
        Ok((scope, prompt))
    }
}

/// The words of a task that look like names in code.
fn code_words(text: &str) -> SortedSet<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let is_code = |it: &&str| {
        it.contains("::") || it.contains('_') || it.chars().skip(1).any(char::is_uppercase)
    };
    let marks = |c: char| !c.is_alphanumeric() && c != '_' && c != ':';
    let plain = text.split(char::is_whitespace).map(|it| it.trim_matches(marks)).filter(is_code);
    let names = quoted.chain(plain).map(|it| it.trim_end_matches("()"));
    let is_path = |it: &&str| !it.is_empty() && it.split("::").all(crate::request::is_name);
    names.filter(is_path).map(str::to_owned).take(MAX_NAMES).collect()
}

/// The conversation about one subgoal.
struct Talk<'a> {
    asked: &'a StepRequest,
    scope: Scope,
    conversation: Conversation,
    /// Number of notes that were reported.
    reported: usize,
}

impl Talk<'_> {
    fn run(
        mut self,
        world: &Arc<World<'_>>,
        model: &TapedModel,
        on: &mut dyn FnMut(&FixEvent),
    ) -> Result<FixResult, AgentError> {
        let mut last: Option<FixResult> = None;
        loop {
            let proposal = self.propose(world, model, on)?;
            self.report(on);
            let Some(proposal) = proposal else {
                let mut fixed = last.unwrap_or_else(|| FixResult {
                    report: FixReport::none(&self.no_edit()),
                    accepted: None,
                    message: None,
                });
                fixed.accepted = None;
                // The last edit is shown with the reason against it.
                fixed.report.outcome = FixOutcome::None;
                fixed.report.notes.extend(self.allowing());
                return Ok(self.counted(fixed, model));
            };
            let mut fixed = self.prove(world, &proposal, on)?;
            if fixed.report.outcome == FixOutcome::Proven {
                let refused = self.review(world.ctx, &fixed, model)?;
                self.report(on);
                let Some(reason) = refused else { return Ok(self.counted(fixed, model)) };
                fixed.accepted = None;
                fixed.report.outcome = FixOutcome::None;
                fixed.report.reason = Some(reason);
            }
            let reason = fixed.report.reason.clone().unwrap_or_else(|| "it does not build".into());
            let mut found = row_texts(&fixed.report.errors);
            for refused in &fixed.report.refused {
                found.push_str(&format!("\n{}", refused.reason));
            }
            self.conversation.feed_back(&reason, &found);
            self.report(on);
            last = Some(fixed);
        }
    }

    fn propose(
        &mut self,
        world: &World<'_>,
        model: &TapedModel,
        on: &mut dyn FnMut(&FixEvent),
    ) -> Result<Option<Proposal>, AgentError> {
        let files = Overlaid { base: world, overlay: &self.asked.in_progress };
        let lookup = MapLookup { world };
        let root = world.look("root", "", |it| Ok(it.project().root().to_path_buf()))?;
        let context = ProposalContext {
            root: &root,
            files: &files,
            scope: &self.scope,
            errors: &[],
            approval: &self.asked.options.approval,
            lookup: &lookup,
        };
        let mut on = |text: &str| on(&FixEvent::Writing { text: text.to_owned() });
        match self.conversation.propose(world.ctx, model, &context, &mut on) {
            Ok(proposal) => Ok(proposal),
            Err(TurnError::Cancelled) => Err(base::Cancelled.into()),
            Err(error) => {
                self.conversation.note(ModelNoteKind::Ended, &error.to_string());
                Ok(None)
            }
        }
    }

    /// Completes the edit by rules, and proves the whole.
    fn prove(
        &self,
        world: &Arc<World<'_>>,
        proposal: &Proposal,
        on: &mut dyn FnMut(&FixEvent),
    ) -> Result<FixResult, AgentError> {
        let begin = self.asked.in_progress.compose(&proposal.overlay)?;
        let request = IntentRow {
            what: "asked".into(),
            item: self.asked.text.clone(),
            evidence: match proposal.rationale.is_empty() {
                true => "an edit of the model".to_owned(),
                false => format!("the model: {}", proposal.rationale),
            },
            confidence: 1.0,
            file: begin.changes().next().map_or_else(String::new, |(path, _)| path.to_string()),
            line: 1,
        };
        let rationale = request.evidence.clone();
        let mut approval = self.asked.options.approval.clone();
        // Nothing else breaks it: the scope refused that.
        let asked_rule = self.scope.asked_rule(&begin);
        approval.allow.extend(asked_rule.map(|it| it.as_str().to_owned()));
        let fix = FixOptions {
            tests: self.asked.options.tests,
            max_seconds: self.asked.options.max_seconds,
            approval,
            begin: Some(begin),
            is_own: true,
            // No person wrote it: the preservation rule applies to all of it.
            asked: Some(Overlay::empty()),
            request: Some(request),
            reasoners: ReasonerChoice::Rules,
            ..FixOptions::default()
        };
        let mut fixed = crate::fix::run(world, &fix, on)?.result?;
        fixed.report.rationale.insert(0, rationale);
        if let Some(rule) = asked_rule {
            let note =
                format!("the task asks for tests, which permits `preservation:{rule}` for them");
            fixed.report.notes.push(note);
        }
        fixed.report.candidates_tried = fixed.report.candidates_tried.max(1);
        Ok(fixed)
    }

    /// The reason of a refusal by a second conversation, where reviews are on.
    fn review(
        &mut self,
        ctx: &Ctx,
        fixed: &FixResult,
        model: &TapedModel,
    ) -> Result<Option<String>, AgentError> {
        let limits = self.asked.options.model.as_ref().map(|it| it.limits.clone());
        let Some(limits) = limits.filter(|it| it.review) else { return Ok(None) };
        crate::reason::review(
            ctx,
            model,
            limits,
            &mut self.conversation,
            (&self.asked.text, &fixed.report.diff),
        )
    }

    /// Why there is no edit.
    fn no_edit(&self) -> String {
        let is_end = |kind| matches!(kind, ModelNoteKind::Ended | ModelNoteKind::Refused);
        let last = self.conversation.notes.iter().rev().find(|it| is_end(it.kind));
        let why = last.map_or_else(String::new, |it| format!(": {}", it.text));
        format!("the model has no edit within the limits{why}")
    }

    /// How to permit what the model was refused.
    fn allowing(&self) -> Option<String> {
        let rule = self.conversation.broken_rule?;
        Some(format!(
            "if the task asks for that removal, `--allow preservation:{rule}` permits it, and the report \
             records it"
        ))
    }

    fn report(&mut self, on: &mut dyn FnMut(&FixEvent)) {
        for note in self.conversation.notes.iter().skip(self.reported) {
            on(&FixEvent::Model { note: note.clone() });
        }
        self.reported = self.conversation.notes.len();
    }

    fn counted(&self, mut fixed: FixResult, model: &TapedModel) -> FixResult {
        let summary = self.asked.text.lines().next().unwrap_or_default().trim_end_matches('.');
        let message = CommitMessage {
            kind: "feat".to_owned(),
            scope: None,
            summary: summary.to_owned(),
            body: fixed.report.rationale.clone(),
        };
        fixed.message = Some(message.fitted());
        fixed.report.tokens = self.conversation.usage.total();
        fixed.report.cost = model.spent() as f64 / MICRO;
        fixed.report.model.clone_from(&self.conversation.notes);
        fixed
    }
}

/// The steps that a model divides a task into, and the tokens and dollars that it used.
pub(super) fn ask_plan(
    ctx: &Ctx,
    workspace: &Workspace,
    goal: &str,
    reasoner: &ModelReasoner,
) -> Result<(Vec<String>, u64, f64), AgentError> {
    let world = World::live(ctx, workspace);
    let budget = reasoner.limits.context_tokens / 2;
    let packed = MapLookup { world: &world }.context(goal, budget)?;
    let text = format!("{}{}", fence("task", goal), fence("context", &packed.text));
    let mut conversation = Conversation::new(reasoner.limits.clone(), &text).with_system(PLAN);
    let model = world.model(reasoner);
    let answer = conversation.text_answer(ctx, &model)?;
    let lines =
        answer.lines().map(|it| crate::reason::one_line(it.trim_start_matches(['-', '*', ' '])));
    let steps: Vec<String> = lines.filter(|it| !it.is_empty()).take(MAX_SUBGOALS).collect();
    Ok((steps, conversation.usage.total(), model.spent() as f64 / MICRO))
}
