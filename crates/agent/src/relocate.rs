//! `refactor move`: an item goes to another module, proven by the compiler. Start at [`relocate`].

use std::sync::Arc;

use base::{Ctx, ProjectPath, SortedSet, Timestamp};
use check::{Checked, Ladder, Scope, Tests};
use edit::{Files as _, Overlay, Splice};
use policy::Keep;
use project::Workspace;
use tools::RelocationDraft;

use crate::refactoring::{AUTHOR, Shown};
use crate::task::{Task, why_not};
use crate::{AgentError, FixEvent, FixResult, IntentRow, LeftRow, RefactorOptions, TaskStep};

/// Maximum number of proofs that correct the plan.
const ROUNDS: usize = 10;
/// The tree of the proof, in a reason.
const WITH: &str = "with the moved item";

/// Moves an item to another module with everything that names it. Writes nothing:
/// [`crate::apply`] does, if the proof passed.
///
/// The plan comes from `mod` and `use` declarations; errors of the tree with the move correct it:
/// missing names and traits, private members, imports that are no longer used. The proof declares the
/// move, and anything that it does besides is refused.
///
/// # Errors
/// An unknown or ambiguous item, one that cannot move there, and errors of the crates below. A move
/// that does not build is an outcome, not an error.
pub fn relocate(
    ctx: &Ctx,
    workspace: &Workspace,
    (item, to): (&str, &str),
    options: &RefactorOptions,
    on: &mut dyn FnMut(&FixEvent),
) -> Result<FixResult, AgentError> {
    let fix = options.fix();
    let mut task = Task::new(ctx, workspace, &fix, on)?;
    task.enter(TaskStep::Propose, format!("`{item}` to `{to}`"));
    let mut draft = tools::relocation_plan(ctx, workspace, item, to)?;
    task.intents = vec![intent(&draft)];
    let splices = &draft.relocation.splices;
    let overlay = Overlay::from_splices(AUTHOR, Timestamp(0), workspace.project(), splices)?;
    let ladder = task.ladder_of_words(task.tests());
    let more = task.widen(&mut draft.uses, &draft.places, &ladder)?;
    Relocate { task, draft, overlay, more }.run()
}

/// One run of [`relocate`].
struct Relocate<'a> {
    task: Task<'a>,
    draft: RelocationDraft,
    /// The plan, corrected so far.
    overlay: Overlay,
    /// Configurations that the check builds besides those of the settings.
    more: Vec<Scope>,
}

impl Relocate<'_> {
    fn run(mut self) -> Result<FixResult, AgentError> {
        let checked = self.settle()?;
        match why_not(&checked, WITH) {
            Some(reason) => Ok(self.task.abort(Some(&checked), reason)),
            None => self.verify(),
        }
    }

    /// Proves the plan, corrected by what the compiler reports, until nothing more follows.
    fn settle(&mut self) -> Result<Checked, AgentError> {
        let ladder = Ladder { format: false, clippy: false, ..self.ladder(Tests::None) };
        let mut seen = SortedSet::new();
        let mut passed: Option<(Overlay, Checked)> = None;
        loop {
            seen.insert(self.overlay.patch_set());
            let checked = self.task.prove(self.overlay.clone(), &ladder)?;
            let proven = self.overlay.clone();
            let may_go_on = self.task.proofs < ROUNDS && self.task.has_time();
            let is_new = may_go_on && self.correct(&checked)?;
            if is_new && !seen.contains(&self.overlay.patch_set()) {
                if checked.passed() {
                    passed = Some((proven, checked));
                }
                continue;
            }
            // A correction may fail, such as an import removed that is needed after all: the last
            // tree that builds counts.
            let (overlay, checked) = match passed {
                Some(passed) if !checked.passed() => passed,
                _ => (proven, checked),
            };
            self.overlay = overlay;
            return Ok(checked);
        }
    }

    /// Whether the diagnostics changed the plan.
    fn correct(&mut self, checked: &Checked) -> Result<bool, AgentError> {
        let files = self.files()?;
        let lesson = self.draft.relocation.learn(&checked.diagnostics, &files);
        if lesson.splices.is_empty() {
            return Ok(false);
        }
        let mut states = Vec::new();
        for (path, text) in &files {
            let own: Vec<Splice> =
                lesson.splices.iter().filter(|it| it.0 == *path).map(|it| it.1.clone()).collect();
            let Ok(edit) = edit::TextEdit::new(text, &own) else { return Ok(false) };
            let Some(now) = edit.apply(text).filter(|_| !own.is_empty()) else { continue };
            let Some(before) = self.task.world.read(path).ok().flatten() else {
                return Ok(false);
            };
            let mut after = before.clone();
            after.text = now.into();
            states.push((path.clone(), Some(before), Some(after)));
        }
        let changed =
            self.overlay.changes().filter(|(path, _)| !states.iter().any(|(it, _, _)| it == *path));
        let rest = changed.map(|(path, it)| (path.clone(), it.before.clone(), it.after.clone()));
        let all: Vec<_> = rest.chain(states.iter().cloned()).collect();
        let overlay = Overlay::from_states(AUTHOR, Timestamp(0), all);
        let is_new = overlay.patch_set() != self.overlay.patch_set();
        self.overlay = overlay;
        Ok(is_new)
    }

    /// The project's Rust files with the plan.
    fn files(&self) -> Result<Vec<(ProjectPath, Arc<str>)>, AgentError> {
        let project = &*self.task.world;
        let text = |path: &ProjectPath| match self.overlay.get(path) {
            Some(change) => Some(change.after.as_ref()?.text.clone()),
            None => Some(project.read(path).ok().flatten()?.text),
        };
        let sources = self.task.sources()?;
        Ok(sources.into_iter().filter_map(|it| Some((it.clone(), text(&it)?))).collect())
    }

    /// Runs tests and gate on the plan.
    fn verify(mut self) -> Result<FixResult, AgentError> {
        let is_named = self.task.has_in_examples(&[&self.draft.name])?;
        let tests = self.task.tests_with(self.draft.relocation.has_examples || is_named);
        self.task.enter_tests(self.draft.item.clone(), &self.overlay, tests);
        let ladder = self.ladder(tests);
        let checked = self.task.prove(self.overlay.clone(), &ladder)?;
        let summary = format!("move {} to {}", self.draft.name, self.draft.relocation.to);
        let left = self.left(&summary)?;
        let shown = Shown { rationale: self.rationale(), notes: self.notes(), left, summary };
        Ok(self.task.decide_words(checked, ladder, (Keep::Everything, WITH), shown))
    }

    /// The texts that name the old path, where it no longer leads to the item.
    fn left(&self, summary: &str) -> Result<Vec<LeftRow>, AgentError> {
        let relocation = &self.draft.relocation;
        let module = relocation.from.rsplit("::").next().unwrap_or_default();
        if relocation.re_export || matches!(module, "" | "crate") {
            return Ok(Vec::new());
        }
        let path = format!("{module}::{}", self.draft.name);
        let found = change::path_mentions(&self.task.texts_with(&self.overlay)?, &path);
        let row = |(path, line, what): (ProjectPath, u32, String)| LeftRow {
            path: path.to_string(),
            line,
            what,
            why: summary.to_owned(),
            edited: false,
            unproven: Some("texts are not changed".to_owned()),
            in_comment: false,
        };
        Ok(found.into_iter().map(row).collect())
    }

    /// The places that no configuration builds.
    fn notes(&self) -> Vec<String> {
        let found = self.draft.uses.unproven(true);
        let Some(first) = found.first() else { return Vec::new() };
        vec![format!(
            "{} may name `{}` where nothing proves it: {}:{} ({})",
            base::counted(found.len(), "place"),
            self.draft.name,
            first.path,
            first.line,
            first.why
        )]
    }

    fn ladder(&self, tests: Tests) -> Ladder {
        Ladder {
            moved: Some(Arc::new(self.draft.relocation.declared.clone())),
            more: self.more.clone(),
            ..self.task.ladder_of_words(tests)
        }
    }

    fn rationale(&self) -> Vec<String> {
        let of = &self.draft.relocation;
        let impls = match of.impls {
            0 => String::new(),
            count => format!(" with {}", base::counted(count, "impl")),
        };
        let mut lines = vec![format!(
            "{} moves from `{}` to `{}`{impls}: {} changed",
            self.draft.item,
            of.from,
            of.to,
            base::counted(of.uses, "use"),
        )];
        if of.re_export {
            lines.push(format!(
                "a `pub use` stays in `{}`, since other crates can name the item there",
                of.from
            ));
        }
        lines.extend(of.widened.iter().cloned());
        lines
    }
}

fn intent(draft: &RelocationDraft) -> IntentRow {
    IntentRow {
        what: "moved".into(),
        item: draft.item.clone(),
        evidence: format!("{} is to be in `{}`", draft.item, draft.relocation.to),
        confidence: 1.0,
        file: draft.file.clone(),
        line: draft.line,
    }
}
