//! `finish` on a tree that compiles: the places that the change has left behind. Those that follow with
//! certainty are verified as one change; the others are remarks.

use std::sync::Arc;

use base::{Diagnostic, LineIndex, ProjectPath, Timestamp};
use check::{Checked, Tests};
use edit::{Files, Overlay, Splice};
use repair::{Attempt, InProgress, Overlaid};
use serde::Serialize;

use crate::AgentError;
use crate::discarded::unused_values;
use crate::old_names::OldName;
use crate::task::Task;
use crate::verify::{Asking, Tested};

/// A place that compiles and has the old state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftRow {
    /// File.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
    /// What is there.
    pub what: String,
    /// The change that it follows from.
    pub why: String,
    /// Whether the verified change has an edit for it.
    pub edited: bool,
    /// Why no proof covers an old name there; `None` for other remarks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unproven: Option<String>,
    /// Whether it is an old name in a comment, found by a refactoring.
    #[serde(skip)]
    pub in_comment: bool,
}

impl LeftRow {
    /// Whether it is a call that loses the failure of a function.
    pub fn loses_failure(&self) -> bool {
        self.unproven.as_deref().is_some_and(change::is_lost_failure)
    }

    /// Whether it is a call in an example with the arguments before a change.
    pub fn is_example_call(&self) -> bool {
        self.unproven.as_deref().is_some_and(change::is_example_call)
    }

    /// Whether it is a call in an example that the tests of the documentation compile.
    pub(crate) fn is_example_to_run(&self) -> bool {
        self.unproven.as_deref().is_some_and(change::is_example_to_run)
    }
}

/// The rows after all tests passed: an example that was compiled is proven with its edit, and had no call
/// to change without one.
pub(crate) fn after_all_tests(rows: Vec<LeftRow>) -> Vec<LeftRow> {
    let rows = rows.into_iter().filter(|it| it.edited || !it.is_example_to_run());
    rows.map(|it| match it.is_example_to_run() {
        true => LeftRow { unproven: None, ..it },
        false => it,
    })
    .collect()
}

impl From<change::LeftBehind> for LeftRow {
    fn from(it: change::LeftBehind) -> Self {
        Self {
            path: it.path.to_string(),
            line: it.line,
            what: it.what,
            why: it.why,
            edited: false,
            unproven: it.unproven.map(str::to_owned),
            in_comment: false,
        }
    }
}

/// The old names in comments and strings of the lines that a repair has changed.
fn in_changed_lines(in_progress: &InProgress, change: &Overlay) -> Vec<LeftRow> {
    let mut found = Vec::new();
    for intent in in_progress.intents() {
        let change::What::Renamed { from, .. } = &intent.what else { continue };
        for (path, file) in change.changes() {
            let (before, after) = (file.before_text(), file.after_text());
            let is_changed = |line: u32| {
                let at = usize::try_from(line).unwrap_or_default().saturating_sub(1);
                let text = after.lines().nth(at).unwrap_or_default();
                !before.lines().any(|it| it == text)
            };
            let texts = [(path.clone(), Arc::from(after))];
            let names = change::path_mentions(&texts, from).into_iter();
            found.extend(names.filter(|it| is_changed(it.1)).map(|(path, line, what)| LeftRow {
                path: path.to_string(),
                line,
                what,
                why: intent.to_string(),
                edited: false,
                unproven: None,
                in_comment: false,
            }));
        }
    }
    found
}

/// What a change that compiles has left behind.
pub(crate) struct LeftBehind {
    /// The edits that follow with certainty; `None` without any.
    pub(crate) overlay: Option<Overlay>,
    rows: Vec<LeftRow>,
    /// The edit of each row.
    splices: Vec<Option<(ProjectPath, Splice)>>,
    /// Places of former names that no check covers.
    names: Vec<OldName>,
}

impl LeftBehind {
    /// The rows with these edits verified.
    pub(crate) fn edited(&self) -> Vec<LeftRow> {
        let rows = self.rows.iter().cloned().zip(&self.splices);
        let rows = rows.map(|(row, splice)| match splice {
            // No failure is lost with its edit.
            Some(_) if row.loses_failure() => LeftRow { edited: true, unproven: None, ..row },
            splice => LeftRow { edited: splice.is_some(), ..row },
        });
        rows.chain(self.names.iter().map(|it| it.row(true))).collect()
    }

    /// The rows without an edit.
    pub(crate) fn unedited(&self) -> Vec<LeftRow> {
        self.rows.iter().cloned().chain(self.names.iter().map(|it| it.row(false))).collect()
    }

    /// The reasons of the edits, one line each.
    pub(crate) fn rationale(&self) -> Vec<String> {
        let (failures, others): (Vec<_>, Vec<_>) =
            self.edits().partition(|(row, _)| row.is_some_and(LeftRow::loses_failure));
        let mut lines: Vec<String> =
            failures.iter().filter_map(|it| Some(it.0?.why.clone())).collect();
        lines.dedup();
        let (calls, names): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(row, _)| row.is_some_and(LeftRow::is_example_call));
        if !calls.is_empty() {
            lines.push("calls in examples of the documentation follow".to_owned());
        }
        if !names.is_empty() {
            lines.push("names in the documentation follow".to_owned());
        }
        lines
    }

    /// The same without the edits that pass a failure on where these errors are, or without all of them
    /// if the errors are elsewhere; `None` if there is nothing else.
    pub(crate) fn without_failing(&self, errors: &[Diagnostic], files: &dyn Files) -> Option<Self> {
        let marks: Vec<(&ProjectPath, u32)> = errors
            .iter()
            .filter(|it| it.is_error())
            .filter_map(|it| Some((it.user_span()?.place.project()?, it.user_span()?.start.line)))
            .collect();
        // An edit adds no line.
        let is_marked = |(path, splice): &(ProjectPath, Splice)| {
            let state = files.read(path).ok().flatten();
            let line = state.map(|it| LineIndex::new(&it.text).line_of(splice.span.start));
            line.is_some_and(|line| marks.contains(&(path, line)))
        };
        let passes: Vec<bool> = self
            .rows
            .iter()
            .zip(&self.splices)
            .map(|it| it.0.loses_failure() && it.1.is_some())
            .collect();
        let fails: Vec<bool> = passes
            .iter()
            .zip(&self.splices)
            .map(|(passes, splice)| *passes && splice.as_ref().is_some_and(is_marked))
            .collect();
        let dropped = if fails.contains(&true) { fails } else { passes };
        self.without(&dropped, files)
    }

    /// The same without the edits of calls in examples; `None` if there is nothing else, or none of them.
    pub(crate) fn without_example_calls(&self, files: &dyn Files) -> Option<Self> {
        let rows = self.rows.iter().zip(&self.splices);
        let dropped: Vec<bool> = rows.map(|it| it.0.is_example_call() && it.1.is_some()).collect();
        self.without(&dropped, files)
    }

    /// The same with those of these places of former names that follow; `None` if its edits are the same.
    pub(crate) fn with_names(&self, mut names: Vec<OldName>, files: &dyn Files) -> Option<Self> {
        let (rows, splices) = (self.rows.clone(), self.splices.clone());
        names.retain(|it| it.splice().is_some() || self.names.contains(it));
        let mut more = Self { overlay: None, rows, splices, names };
        more.overlay = edits(more.edits().map(|it| it.1).collect(), files);
        (more.overlay.is_some() && more.overlay != self.overlay).then_some(more)
    }

    /// The same without the edits of these rows; `None` if these are none or all.
    fn without(&self, dropped: &[bool], files: &dyn Files) -> Option<Self> {
        if !dropped.contains(&true) {
            return None;
        }
        let splices = self.splices.iter().zip(dropped);
        let splices = splices.map(|(it, dropped)| it.clone().filter(|_| !dropped)).collect();
        let (rows, names) = (self.rows.clone(), self.names.clone());
        let mut less = Self { overlay: None, rows, splices, names };
        less.overlay = edits(less.edits().map(|it| it.1).collect(), files);
        less.overlay.is_some().then_some(less)
    }

    /// The edits, each with its row; those of names have none.
    fn edits(&self) -> impl Iterator<Item = (Option<&LeftRow>, (ProjectPath, Splice))> {
        let rows = self.rows.iter().zip(&self.splices);
        let of_rows = rows.filter_map(|(row, splice)| Some((Some(row), splice.clone()?)));
        of_rows.chain(self.names.iter().filter_map(|it| Some((None, it.splice()?))))
    }
}

impl Task<'_> {
    /// Lists what was left behind on a tree that compiles.
    pub(crate) fn left_behind(
        &mut self,
        baseline: &Checked,
        in_progress: &InProgress,
    ) -> Result<LeftBehind, AgentError> {
        let mut texts = self.texts()?;
        texts.extend(self.texts_of(|it| it.file_name() == "Cargo.toml")?);
        // Workflows and scripts that build with a feature.
        let of_tools = self.other_texts()?.into_iter();
        texts.extend(of_tools.filter(|it| !is_read_already(&it.0) && it.1.contains("feature")));
        let mut found = in_progress.left_behind(&baseline.diagnostics, &texts);
        let mut names = self.old_names(in_progress)?;
        found.retain(|it| !names.iter().any(|name| name.answers(it)));
        let splices: Vec<Option<(ProjectPath, Splice)>> =
            found.iter().map(|it| Some((it.path.clone(), it.splice.clone()?))).collect();
        // Both look at links.
        names.retain(|it| it.splice().is_none_or(|own| !splices.contains(&Some(own))));
        names.retain(|it| !it.is_known_remark(&found));
        let mut rows: Vec<LeftRow> = found.into_iter().map(LeftRow::from).collect();
        let mut splices = splices;
        for row in self.unbuilt_uses(in_progress, &Overlay::empty())? {
            let is_it = |it: &LeftRow| (&it.path, it.line) == (&row.path, row.line);
            match rows.iter().position(is_it) {
                // One that has its own reason stays.
                Some(at) if splices[at].is_none() && rows[at].unproven.is_none() => rows[at] = row,
                Some(_) => {}
                None => {
                    rows.push(row);
                    splices.push(None);
                }
            }
        }
        let mut left = LeftBehind { overlay: None, rows, splices, names };
        left.overlay = edits(left.edits().map(|it| it.1).collect(), &*self.world);
        Ok(left)
    }

    /// The remarks on places that a repair leaves behind, without the rows of `known`: all for a task that
    /// only finishes the in-progress change, for others those in code that no check builds.
    pub(crate) fn left_by_repair(
        &self,
        change: &Overlay,
        known: &[LeftRow],
    ) -> Result<Vec<LeftRow>, AgentError> {
        let finishes = self.options.finishes();
        let Some(in_progress) = self.finishes.as_ref() else { return Ok(Vec::new()) };
        let unbuilt = self.unbuilt_uses(in_progress, change)?;
        let is_of = |rows: &[LeftRow], it: &LeftRow| {
            rows.iter().any(|of| (&of.path, of.line) == (&it.path, it.line))
        };
        if !finishes {
            let mut rows = self.unbuilt(change)?;
            rows.retain(|it| !is_of(&unbuilt, it));
            rows.extend(unbuilt);
            return Ok(rows);
        }
        let found = in_progress.left_behind(&[], &self.texts_with(change)?).into_iter();
        let rows = found.map(LeftRow::from).chain(in_changed_lines(in_progress, change));
        let rows = rows.filter(|it| !is_of(&unbuilt, it)).chain(unbuilt.iter().cloned());
        let rows = rows.filter(|it| !is_of(known, it) && !has_new_order(it, change)).collect();
        Ok(if self.tests() == Tests::All { after_all_tests(rows) } else { rows })
    }

    /// The calls in examples of the tree that have the arguments before the in-progress change.
    pub(crate) fn left_example_calls(&self) -> Result<Vec<LeftRow>, AgentError> {
        let Some(in_progress) = self.finishes.as_ref() else { return Ok(Vec::new()) };
        let found = in_progress.left_example_calls(&self.texts()?);
        Ok(found.into_iter().map(LeftRow::from).collect())
    }

    /// A repair with the edits of the calls in examples that follow from it, and the rows of these; `None` if
    /// it leaves none that follows.
    pub(crate) fn with_example_calls(
        &self,
        change: &Overlay,
    ) -> Result<Option<(Overlay, Vec<LeftRow>)>, AgentError> {
        let is_asked = self.options.finishes() || self.options.request.is_some();
        let Some(in_progress) = self.finishes.as_ref().filter(|_| is_asked && self.has_examples)
        else {
            return Ok(None);
        };
        let mut found = in_progress.left_example_calls(&self.texts_with(change)?);
        found.retain(|it| it.splice.is_some());
        let splices: Vec<_> =
            found.iter().filter_map(|it| Some((it.path.clone(), it.splice.clone()?))).collect();
        let files = Overlaid { base: &*self.world, overlay: change };
        let Some(whole) = edits(splices, &files).and_then(|it| change.compose(&it).ok()) else {
            return Ok(None);
        };
        let rows = found.into_iter().map(|it| LeftRow { edited: true, ..it.into() }).collect();
        let is_tested = self.tests() == Tests::All;
        Ok(Some((whole, if is_tested { after_all_tests(rows) } else { rows })))
    }

    /// The Rust and Markdown texts of the project with a change.
    pub(crate) fn texts_with(
        &self,
        change: &Overlay,
    ) -> Result<Vec<(ProjectPath, Arc<str>)>, AgentError> {
        let mut texts = self.texts()?;
        for (path, text) in &mut texts {
            let after = change.get(path).and_then(|it| it.after.as_ref());
            *text = after.map_or_else(|| Arc::clone(text), |it| Arc::clone(&it.text));
        }
        Ok(texts)
    }

    /// The places in code that no check builds which a change that builds leaves.
    pub(crate) fn unbuilt(&self, change: &Overlay) -> Result<Vec<LeftRow>, AgentError> {
        let Some(in_progress) = self.finishes.as_ref().filter(|it| it.has_new_part()) else {
            return Ok(Vec::new());
        };
        let texts = self.texts_with(change)?;
        Ok(in_progress.unbuilt(&texts).into_iter().map(LeftRow::from).collect())
    }

    /// The places of the tree that the in-progress change concerns and that a person has to decide.
    pub(crate) fn unsettled(&self) -> Vec<LeftRow> {
        let Some((in_progress, errors)) = self.finishes.as_ref().zip(self.before.as_ref()) else {
            return Vec::new();
        };
        in_progress.unsettled(errors, &*self.world).into_iter().map(LeftRow::from).collect()
    }

    /// The results of changed functions that nothing uses in the tree with a change: remarks.
    pub(crate) fn unused_results(&self, checked: &Checked) -> Vec<LeftRow> {
        let unused: Vec<Diagnostic> = unused_values(checked).cloned().collect();
        let Some(in_progress) = self.finishes.as_ref().filter(|_| !unused.is_empty()) else {
            return Vec::new();
        };
        let Ok(texts) = self.texts_with(&checked.overlay) else { return Vec::new() };
        in_progress.warned(&unused, &texts).into_iter().map(LeftRow::from).collect()
    }

    /// Tests a repair together with the edits that pass on the failures which it leaves unused; `None` if
    /// there are none, or if it does not pass with them.
    pub(crate) fn test_with_failures(
        &mut self,
        attempt: &Attempt,
        warnings: &[Diagnostic],
    ) -> Result<Option<(Attempt, Tested)>, AgentError> {
        let finishes = self.options.finishes();
        let Some(in_progress) = self.finishes.as_ref().filter(|_| finishes) else {
            return Ok(None);
        };
        let found = in_progress.warned(warnings, &self.texts_with(&attempt.overlay)?);
        let edits = found.into_iter().filter(change::LeftBehind::loses_failure);
        let splices: Vec<_> = edits.filter_map(|it| Some((it.path, it.splice?))).collect();
        let files = Overlaid { base: &*self.world, overlay: &attempt.overlay };
        let more = Overlay::from_splices("graftage finish", Timestamp(0), &files, &splices);
        let whole = more.ok().filter(|_| !splices.is_empty());
        let Some(overlay) = whole.and_then(|it| attempt.overlay.compose(&it).ok()) else {
            return Ok(None);
        };
        let whole = Attempt { overlay, ..attempt.clone() };
        let tested = self.test(Asking::Repair(&whole))?;
        Ok(matches!(tested, Tested::Passed(_)).then_some((whole, tested)))
    }

    /// The Rust and Markdown texts of the project.
    pub(crate) fn texts(&self) -> Result<Vec<(ProjectPath, Arc<str>)>, AgentError> {
        self.texts_of(|it| matches!(it.extension(), Some("rs" | "md")))
    }

    /// The texts that name items for people and other tools: Markdown, and what tools read by its ending or
    /// name (debugger views, scripts, configuration, snapshots of output).
    pub(crate) fn other_texts(&self) -> Result<Vec<(ProjectPath, Arc<str>)>, AgentError> {
        let mut texts = self.texts_of(|it| it.extension() == Some("md") || is_of_tools(it))?;
        texts.retain(|it| it.1.len() <= LARGEST_OF_TOOLS);
        Ok(texts)
    }

    /// The texts of the files of the project that this is true of.
    pub(crate) fn texts_of(
        &self,
        is_it: impl Fn(&ProjectPath) -> bool,
    ) -> Result<Vec<(ProjectPath, Arc<str>)>, AgentError> {
        let files = self.world.files()?;
        let read = |path: ProjectPath| {
            let text = self.world.read(&path).ok().flatten()?.text;
            Some((path, text))
        };
        Ok(files.into_iter().filter(is_it).filter_map(read).collect())
    }
}

/// Whether a row is about the order of arguments on a line that a repair has written.
fn has_new_order(row: &LeftRow, change: &Overlay) -> bool {
    let is_order = row.unproven.as_deref().is_some_and(change::is_argument_order);
    let path = ProjectPath::new(&row.path).ok().filter(|_| is_order);
    path.and_then(|it| change.get(&it)).is_some_and(|it| {
        let at = (row.line as usize).saturating_sub(1);
        let line = it.after_text().lines().nth(at);
        line.is_some_and(|line| !it.before_text().lines().any(|old| old == line))
    })
}

/// Most bytes of a text of another tool: larger ones are data.
const LARGEST_OF_TOOLS: usize = 256 << 10;

/// Whether a file is one of [`Task::texts`], or a manifest.
fn is_read_already(path: &ProjectPath) -> bool {
    matches!(path.extension(), Some("rs" | "md")) || path.file_name() == "Cargo.toml"
}

/// Whether other tools read a file that may name items.
fn is_of_tools(path: &ProjectPath) -> bool {
    const ENDINGS: [&str; 36] = [
        "adoc", "c", "cc", "cfg", "cpp", "cs", "css", "gdb", "go", "graphql", "h", "hbs", "hpp",
        "html", "j2", "java", "js", "json", "kt", "lldb", "natvis", "proto", "py", "rb", "ron",
        "rst", "sh", "sql", "stderr", "stdout", "swift", "tera", "toml", "ts", "yaml", "yml",
    ];
    const NAMES: [&str; 5] = ["Dockerfile", "Justfile", "Makefile", "justfile", "makefile"];
    let is_known = path.extension().is_some_and(|it| ENDINGS.contains(&it));
    is_known || NAMES.contains(&path.file_name())
}

/// The edits as one change; `None` without any.
fn edits(mut splices: Vec<(ProjectPath, Splice)>, files: &dyn Files) -> Option<Overlay> {
    splices.sort_by(|(a, x), (b, y)| (a, x.span).cmp(&(b, y.span)));
    splices.dedup_by(|a, b| a.0 == b.0 && a.1.span == b.1.span);
    let overlay = Overlay::from_splices("graftage finish", Timestamp(0), files, &splices).ok()?;
    (!overlay.is_empty()).then_some(overlay)
}
