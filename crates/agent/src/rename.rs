//! `refactor rename`: the plan of the map, proven by the compiler. Start at [`rename`].

use base::{ContentHash, Ctx, ProjectPath, SortedSet, Timestamp};
use check::{Checked, Ladder, RenamedName, Scope, Tests};
use edit::{FileState, Files, Overlay, Splice, Unreadable};
use policy::Keep;
use project::Workspace;
use refactor::{FailedExample, ListedUses, RenameTarget};
use tools::RenamePlan;

use crate::examples::failed_examples;
use crate::refactoring::{AUTHOR, Shown, listed};
use crate::task::{Task, why_not};
use crate::{AgentError, FixEvent, FixResult, IntentRow, LeftRow, RefactorOptions, TaskStep};

/// Maximum number of proofs that correct the plan.
const ROUNDS: usize = 8;
/// Maximum number of names in the input of macros that are shown.
const PASSED_SHOWN: usize = 3;
/// The tree of the proof, in a reason.
const WITH: &str = "with the new name";

/// Renames an item with everything that names it. Writes nothing: [`crate::apply`] does, if the proof
/// passed.
///
/// The plan comes from the code map. Where the map leaves a doubt, the compiler lists the uses of the
/// item first: it is marked as deprecated in an overlay. Errors of the renamed tree correct the plan.
/// If the new name was in use before, the uses of the renamed item are listed too: they must be the
/// same.
///
/// # Errors
/// An unknown or ambiguous item, one that cannot be renamed, and errors of the crates below. A rename
/// that does not build is an outcome, not an error.
pub fn rename(
    ctx: &Ctx,
    workspace: &Workspace,
    (item, to): (&str, &str),
    options: &RefactorOptions,
    on: &mut dyn FnMut(&FixEvent),
) -> Result<FixResult, AgentError> {
    let fix = options.fix();
    let mut task = Task::new(ctx, workspace, &fix, on)?;
    task.enter(TaskStep::Propose, format!("`{to}` for `{item}`"));
    let plan = tools::rename_plan(ctx, workspace, item, to)?;
    task.intents = vec![intent(&plan)];
    Rename { task, plan, more: Vec::new() }.run()
}

/// One run of [`rename`].
struct Rename<'a> {
    task: Task<'a>,
    plan: RenamePlan,
    /// Configurations that the check builds besides those of the settings.
    more: Vec<Scope>,
}

impl Rename<'_> {
    fn run(mut self) -> Result<FixResult, AgentError> {
        let ladder = self.ladder(self.tests());
        self.more = self.task.widen(&mut self.plan.renaming, &self.plan.places, &ladder)?;
        let is_fresh = self.plan.renaming.is_fresh();
        let mut before = None;
        if !is_fresh || self.plan.renaming.is_open() {
            before = self.list_uses(false)?;
            if let Some(listed) = &before {
                self.plan.renaming.confirm(listed);
            }
        }
        let checked = self.settle()?;
        if let Some(reason) = why_not(&checked, WITH) {
            let notes = self.passed_names()?;
            let mut refused = self.task.abort(Some(&checked), reason);
            refused.report.notes.extend(notes);
            return Ok(refused);
        }
        if !self.plan.renaming.renames_item() {
            let reason = "its definition was not found as a token of the text".to_owned();
            return Ok(self.task.abort(Some(&checked), reason));
        }
        if !is_fresh
            && let Some(before) = before
            && let Some(after) = self.list_uses(true)?
            && let Some(reason) = self.captured(&before, &after)
        {
            return Ok(self.task.abort(Some(&checked), reason));
        }
        self.verify(checked)
    }

    /// Proves the plan, corrected by the errors, until it builds or nothing more follows from them.
    fn settle(&mut self) -> Result<Checked, AgentError> {
        let ladder = match self.tests() {
            // Nothing comes after it.
            Tests::None => self.ladder(Tests::None),
            _ => self.check_only(),
        };
        let mut seen = SortedSet::new();
        loop {
            let overlay = self.overlay(None)?;
            seen.insert(overlay.patch_set());
            let checked = self.task.prove(overlay, &ladder)?;
            if checked.passed() || !self.corrects(&checked, &seen)? {
                return Ok(checked);
            }
        }
    }

    /// Whether the errors changed the plan to one that was not tried yet.
    fn corrects(
        &mut self,
        checked: &Checked,
        seen: &SortedSet<ContentHash>,
    ) -> Result<bool, AgentError> {
        if self.task.proofs >= ROUNDS || !self.task.has_time() {
            return Ok(false);
        }
        let learned = self.plan.renaming.learn(&checked.diagnostics, &checked.overlay);
        Ok(learned > 0 && !seen.contains(&self.overlay(None)?.patch_set()))
    }

    /// The uses of the item that the compiler lists, in the tree or in the renamed one; `None` if it
    /// cannot list them.
    fn list_uses(&mut self, is_renamed: bool) -> Result<Option<ListedUses>, AgentError> {
        let Some(mark) = self.plan.renaming.mark() else { return Ok(None) };
        let ladder = self.check_only();
        if !is_renamed {
            return self.task.list_uses(&self.plan.renaming, &ladder);
        }
        let checked = self.task.prove(self.overlay(Some(mark))?, &ladder)?;
        let to = &self.plan.renaming.target().to;
        let listed = self.plan.renaming.listed(&checked.diagnostics, &checked.overlay, to);
        Ok(Some(listed))
    }

    /// Why the rename changed what a name means; `None` if it did not.
    fn captured(&self, before: &ListedUses, after: &ListedUses) -> Option<String> {
        let target = self.plan.renaming.target();
        let line_of = |(path, at): &(ProjectPath, usize)| {
            let text = self.task.world.read(path).ok().flatten();
            let line = text.map_or(0, |it| base::LineIndex::new(&it.text).line_of(*at));
            format!("{path}:{line}")
        };
        if let Some(lost) = before.sites.difference(&after.sites).next() {
            return Some(format!(
                "at {} the name `{}` would mean something else",
                line_of(lost),
                target.to
            ));
        }
        let new = after.elsewhere.difference(&before.elsewhere).next();
        new.map(|(path, line)| {
            format!("at {path}:{line} another use of `{}` would mean the renamed item", target.to)
        })
    }

    /// The tests that the rename must pass.
    fn tests(&self) -> Tests {
        self.task.tests_with(self.plan.renaming.has_examples())
    }

    /// Runs tests and gate on the plan, which builds. Examples that fail correct it, and errors of what
    /// only the tests build.
    fn verify(mut self, settled: Checked) -> Result<FixResult, AgentError> {
        let tests = self.tests();
        let ladder = self.ladder(tests);
        let mut checked = settled;
        if tests != Tests::None {
            let overlay = self.overlay(None)?;
            self.task.enter_tests(self.plan.item.clone(), &overlay, tests);
            checked = self.task.prove(overlay, &ladder)?;
            let mut seen = SortedSet::from([checked.overlay.patch_set()]);
            while !checked.passed() && seen.len() < 4 {
                let failed = self.failed_examples(&checked);
                let learned = self.plan.renaming.learn_examples(&failed);
                if learned == 0 && !self.corrects(&checked, &seen)? {
                    break;
                }
                checked = self.task.prove(self.overlay(None)?, &ladder)?;
                if !seen.insert(checked.overlay.patch_set()) {
                    break;
                }
            }
        }
        if let Some(reason) = self.left_in_quotes(&checked) {
            return Ok(self.task.abort(Some(&checked), reason));
        }
        let RenameTarget { from, to, .. } = self.plan.renaming.target();
        let summary = format!("rename {from} to {to}");
        let notes = std::mem::take(&mut self.plan.notes);
        let rationale = self.rationale();
        let why = rationale.first().map_or("", String::as_str);
        let mut left = self.task.left_names(&self.plan.renaming, (why, tests != Tests::None))?;
        let named = self.plan.renaming.tests_named_after().into_iter();
        left.extend(named.map(|it| LeftRow::unproven(it, why)));
        let uses = (&self.plan.renaming, &self.plan.places);
        left.extend(self.task.ungated_names(uses, &ladder, why)?);
        let workspace = self.task.world.workspace()?;
        let (uses, crates) = (&self.plan.renaming, &self.plan.crates);
        let (up, outside) = tools::sibling_names(self.task.ctx, workspace, crates, uses);
        left.extend(outside.into_iter().map(|it| {
            let row = LeftRow::unproven(it, why);
            LeftRow { path: format!("{up}{}", row.path), ..row }
        }));
        left.extend(self.run_time_names(why, &left)?);
        let is_listed = left.iter().any(|it| it.in_comment);
        let mentions = self.mentions().filter(|_| !is_listed);
        let notes = notes.into_iter().chain(mentions).chain(self.passed_names()?).collect();
        let shown = Shown { rationale, notes, left, summary };
        // The user asked for the change by its words; the proof of the renaming is that it is one.
        Ok(self.task.decide_words(checked, ladder, (Keep::Tests, WITH), shown))
    }

    /// Why the rename may break what a macro or a build script of the project writes: quoted code has the old
    /// name, and no test has compiled what is written.
    fn left_in_quotes(&self, checked: &Checked) -> Option<String> {
        let tests = checked.evidence.tests.as_ref();
        if tests.is_some_and(|it| it.passed > 0 && it.newly_failing().is_empty()) {
            return None;
        }
        let found = self.plan.renaming.left_in_quotes();
        let places = found.iter().map(|it| format!("{}:{}: {}", it.path, it.line, it.why));
        let places = listed(places.collect());
        (!found.is_empty()).then(|| {
            format!(
                "`{}` stays in quoted code that may mean the item, and no test proves what that code \
                 becomes:\n  {places}\n  change these places and the definition, then run `graftage \
                 finish`; or add a test that uses the macro",
                self.plan.renaming.target().from
            )
        })
    }

    /// The places of the old name as a derive writes it, where no row is about their lines.
    fn run_time_names(&self, why: &str, known: &[LeftRow]) -> Result<Vec<LeftRow>, AgentError> {
        let Some(name) = &self.plan.run_time else { return Ok(Vec::new()) };
        let mut texts = self.task.texts_of(|it| it.extension() == Some("rs"))?;
        texts.extend(self.task.other_texts()?);
        let rows = name.places(&texts).into_iter().map(|it| LeftRow::unproven(it, why));
        let is_new =
            |it: &LeftRow| !known.iter().any(|of| (&of.path, of.line) == (&it.path, it.line));
        Ok(rows.filter(is_new).collect())
    }

    /// The first places where macros make more of the old name than uses: neither the compiler nor the map
    /// shows what else has that name.
    fn passed_names(&self) -> Result<Vec<String>, AgentError> {
        let found = self.plan.renaming.passed_names(&self.task.texts()?);
        let more = found.len().saturating_sub(PASSED_SHOWN);
        let mut lines: Vec<String> =
            found.iter().take(PASSED_SHOWN).map(ToString::to_string).collect();
        if let Some(last) = lines.last_mut().filter(|_| more > 0) {
            last.push_str(&format!(" and at {more} more"));
        }
        Ok(lines)
    }

    /// The plan as a change of the tree, with one more splice.
    fn overlay(&self, more: Option<(ProjectPath, Splice)>) -> Result<Overlay, AgentError> {
        let moved = MovedFiles { base: &*self.task.world, moves: &self.plan.moves };
        let mut splices = self.plan.renaming.splices();
        splices.extend(more);
        for (path, _) in &mut splices {
            *path = moved.new_path(path).clone();
        }
        let edits = Overlay::from_splices(AUTHOR, Timestamp(0), &moved, &splices)?;
        Ok(moved.overlay().compose(&edits)?)
    }

    fn check_only(&self) -> Ladder {
        Ladder { format: false, clippy: false, ..self.ladder(Tests::None) }
    }

    fn ladder(&self, tests: Tests) -> Ladder {
        let RenameTarget { from, to, .. } = self.plan.renaming.target();
        Ladder {
            renamed: Some(RenamedName { from: from.clone(), to: to.clone() }),
            more: self.more.clone(),
            ..self.task.ladder_of_words(tests)
        }
    }

    /// The documentation tests that failed.
    fn failed_examples(&self, checked: &Checked) -> Vec<FailedExample> {
        let before = |path: ProjectPath| match self.plan.moves.iter().find(|(_, to)| *to == path) {
            Some((from, _)) => from.clone(),
            None => path,
        };
        let found = failed_examples(checked).into_iter();
        found.map(|it| FailedExample { path: before(it.path), ..it }).collect()
    }

    fn rationale(&self) -> Vec<String> {
        let (sites, files) = self.plan.renaming.extent();
        let mut lines = vec![format!(
            "{} is now `{}`: {} in {}",
            self.plan.item,
            self.plan.renaming.target().to,
            base::counted(sites, "place"),
            base::counted(files, "file"),
        )];
        let moved = self.plan.moves.iter().map(|(from, to)| format!("`{from}` is now `{to}`"));
        lines.extend(moved);
        lines
    }

    /// The comments that still have the old name.
    fn mentions(&self) -> Option<String> {
        let from = &self.plan.renaming.target().from;
        let places = self.plan.renaming.mentions();
        let (path, line) = places.first()?;
        let more = match places.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        Some(format!("comments still name `{from}`: {path}:{line}{more}"))
    }
}

/// The project after its files have moved.
struct MovedFiles<'a> {
    base: &'a dyn Files,
    moves: &'a [(ProjectPath, ProjectPath)],
}

impl MovedFiles<'_> {
    fn new_path<'p>(&'p self, path: &'p ProjectPath) -> &'p ProjectPath {
        self.moves.iter().find(|(from, _)| from == path).map_or(path, |(_, to)| to)
    }

    /// The moves alone.
    fn overlay(&self) -> Overlay {
        let mut states = Vec::new();
        for (from, to) in self.moves {
            let Some(now) = self.base.read(from).ok().flatten() else { continue };
            states.push((from.clone(), Some(now.clone()), None));
            states.push((to.clone(), None, Some(now)));
        }
        let mut overlay = Overlay::from_states(AUTHOR, Timestamp(0), states);
        for (from, to) in self.moves {
            overlay.mark_renamed(from, to);
        }
        overlay
    }
}

impl Files for MovedFiles<'_> {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        match self.moves.iter().find(|(_, to)| to == path) {
            Some((from, _)) => self.base.read(from),
            None if self.moves.iter().any(|(from, _)| from == path) => Ok(None),
            None => self.base.read(path),
        }
    }
}

fn intent(plan: &RenamePlan) -> IntentRow {
    let target = plan.renaming.target();
    let at = target.definitions.iter().next();
    IntentRow {
        what: "renamed".into(),
        item: plan.item.clone(),
        evidence: format!("{} is to be `{}`", plan.item, target.to),
        confidence: 1.0,
        file: at.map_or_else(String::new, |(path, _)| path.to_string()),
        line: plan.line,
    }
}
