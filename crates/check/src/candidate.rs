//! One run of the ladder for a candidate, in a throw-away layer over the warm target.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Ctx, ProjectPath, SortedMap, is_word};
use build::CargoWorkspace;
use policy::{RungName, TestReference, Tree};
use repo::Materialised;

use crate::baseline::wanted;
use crate::before::Before;
use crate::draft::Draft;
use crate::format::Unformatted;
use crate::ladder_run::{Comparison, LadderRun};
use crate::prover::{LONG, Prover, timeout};
use crate::skipped::LastCommit;
use crate::test_choice::TestChoice;
use crate::text::millis;
use crate::tree_state::{TreeState, with_overlay};
use crate::{CheckError, Ladder, MappedDiagnostic, SkipRule};

/// Time limit of tests without a baseline, since the tree does not build.
const UNKNOWN: Duration = Duration::from_secs(15 * 60);

/// The state that a run of the ladder is compared with.
#[derive(Clone, Copy)]
enum Against<'a> {
    /// Nothing: the overlay is the last commit.
    Itself,
    /// Nothing yet, and no target is skipped: the baseline comes later, if it is needed.
    Later,
    /// The tree without the change.
    Tree(&'a Before),
}

impl<'a> Against<'a> {
    fn tree(self) -> Option<&'a Before> {
        match self {
            Self::Tree(before) => Some(before),
            Self::Itself | Self::Later => None,
        }
    }
}

impl Prover {
    /// Runs the ladder once for a candidate; returns what moved in the tree meanwhile.
    pub(crate) fn candidate(
        &self,
        ctx: &Ctx,
        draft: &mut Draft,
        state: &TreeState,
        ladder: &Ladder,
        on: &mut dyn FnMut(&MappedDiagnostic),
    ) -> Result<Vec<String>, CheckError> {
        let workspace = self.workspace_of(ctx, state)?;
        let choice = self.test_choice(ladder, workspace.as_deref(), draft);
        draft.preserves_renaming(ladder.renamed.as_ref());
        let is_late = self.is_late(ctx, ladder, choice.as_ref())?
            && self.builds_alone(ctx, draft, state, ladder)?;
        if !is_late {
            self.ready(ctx, state, ladder, choice.as_ref())?;
        }
        let before = self.before_of(&state.tree);
        draft.findings.errors_before = before.errors;
        match &ladder.asked {
            Some(asked) => draft.preserves_asked(&self.project, asked),
            None => {
                let allowed = self.allowed(ctx, draft)?;
                draft.preserves_given(&before.reported, &allowed);
            }
        }
        draft.preserves_move(ladder.moved.as_deref());
        draft.preserves_inlining(ladder.inlined.as_deref());
        draft.findings.coverage = self.coverage(&state.tree, workspace.as_deref(), ladder);
        if let Some(part) = choice.as_ref().and_then(TestChoice::left_out) {
            draft.findings.coverage.not_looked_at.insert(0, policy::UncheckedPart::other(part));
        }
        if !is_late {
            self.run_ladder(
                ctx,
                draft,
                state,
                ladder,
                (Against::Tree(&before), choice.as_ref()),
                on,
            )?;
        }
        draft.note_closed(&state.closed);
        draft.name_errors(&before.reported);
        let with_tests = ladder.test_code || choice.is_some();
        // What is compiled with the code of tests has all other warnings too.
        let known = before.warnings.get(&with_tests).or(before.warnings.get(&true));
        if let Some(known) = known {
            draft.list_new_warnings(known);
        }
        self.moved_since(ctx, state)
    }

    /// Whether a candidate may come before its baseline: it is compared with nothing while it builds,
    /// and the warm target has the dependencies.
    fn is_late(
        &self,
        ctx: &Ctx,
        ladder: &Ladder,
        choice: Option<&TestChoice>,
    ) -> Result<bool, CheckError> {
        let is_alone =
            ladder.late_baseline && !ladder.clippy && !ladder.stories && choice.is_none();
        if !is_alone {
            return Ok(false);
        }
        let built = self.warm(ctx)?.built();
        Ok(wanted(&self.scopes, ladder, None).iter().all(|word| built.contains(word)))
    }

    /// Whether a candidate builds and needs no baseline, nothing skipped; if not, the draft is left as
    /// it was, and the run is for nothing.
    fn builds_alone(
        &self,
        ctx: &Ctx,
        draft: &mut Draft,
        state: &TreeState,
        ladder: &Ladder,
    ) -> Result<bool, CheckError> {
        let mut alone = draft.clone();
        self.run_ladder(ctx, &mut alone, state, ladder, (Against::Later, None), &mut |_| {})?;
        let is_enough = !alone.needs_baseline();
        if is_enough {
            *draft = alone;
        }
        Ok(is_enough)
    }

    /// Knowledge of the state that broken targets are compared with.
    fn last_commit(
        &self,
        ctx: &Ctx,
        against: Against<'_>,
        skip: SkipRule,
    ) -> Result<LastCommit, CheckError> {
        Ok(match against {
            Against::Tree(before) if skip == SkipRule::Tree => {
                LastCommit::Tree(Arc::new(before.clone()))
            }
            Against::Itself => LastCommit::Itself,
            Against::Later => LastCommit::Unknown,
            Against::Tree(_) => {
                self.head_known(ctx)?.map_or(LastCommit::Unknown, LastCommit::Found)
            }
        })
    }

    /// All rungs that run cargo, for an overlay on `state`, compared with the tree before it or
    /// the last commit; what a change can be compared with.
    fn run_ladder(
        &self,
        ctx: &Ctx,
        draft: &mut Draft,
        state: &TreeState,
        ladder: &Ladder,
        (against, choice): (Against<'_>, Option<&TestChoice>),
        on: &mut dyn FnMut(&MappedDiagnostic),
    ) -> Result<Before, CheckError> {
        let overlay = draft.overlay.clone();
        let workspace = self.workspace_of(ctx, state)?;
        let needed = self.with_story_apps(ladder, &self.asked_stories(state, &overlay, ladder));
        let view = self.show_prepared(ctx, &overlay, &needed, ladder.timeout.unwrap_or(LONG))?;
        let shown = &view.0;
        let files = with_overlay(state.tree.files(), &overlay);
        let warm = self.warm(ctx)?;
        let sources = self.sources(state, &files, workspace.as_deref());
        let target = warm.candidate(ctx, sources, self.isolation(shown))?;
        let last_commit = self.last_commit(ctx, against, ladder.skip)?;
        let skip_inputs =
            self.skip_inputs(ladder, workspace.as_deref(), &state.tree, (&overlay, last_commit));
        let place =
            self.place(ctx, (&view, &state.tree, &ladder.more), target.target(), skip_inputs)?;
        let mut run = LadderRun::new(place, draft, (&self.project, &overlay), on);
        let (build, tests) = self.durations();
        let mut passing = self.take_held(&mut run, ladder, state.tree.hash());
        if !passing {
            passing = run.check(ladder.test_code, timeout(ladder, build))?.passed;
            if passing {
                self.hold(run.draft, ladder, state.tree.hash());
            }
        }
        if passing && ladder.format && run.draft.findings.rung(RungName::Format).is_none() {
            self.format_rung(ctx, run.draft, shown, workspace.as_deref())?;
        }
        if !passing || !(ladder.clippy || ladder.stories || choice.is_some()) {
            return Ok(run.found);
        }
        let declared = declared_in(self.project.root(), &state.tree, workspace.as_ref());
        let before = against.tree();
        let head = match before {
            Some(before) => self.head_if_needed(ctx, state, ladder, before, choice)?,
            None => None,
        };
        if let (Some(head), Some(skip_inputs)) = (&head, &mut run.place.skip_inputs)
            && ladder.skip == SkipRule::LastCommit
        {
            skip_inputs.last_commit = LastCommit::Found(Arc::clone(head));
        }
        let with = comparison(before, head.as_ref(), &declared);
        if ladder.clippy {
            passing = run.clippy(timeout(ladder, build), with)?.passed;
        }
        match choice {
            Some(choice) if passing && choice.is_empty() => {
                let detail = "no package is affected".to_owned();
                run.draft.rung(RungName::AffectedTests, true, 0, detail);
            }
            Some(choice) if passing => {
                let limit = match tests {
                    Some(_) => timeout(ladder, tests),
                    // The duration of a check is no estimate for tests.
                    None => ladder.timeout.unwrap_or(UNKNOWN),
                };
                passing = run.tests(choice, limit, with)?.passed;
            }
            _ => {}
        }
        if ladder.stories && passing {
            let unaffected = choice.and_then(TestChoice::unaffected).unwrap_or_default();
            let workspace = (workspace.as_deref(), unaffected);
            run.stories(self, state, workspace, timeout(ladder, build))?;
        }
        Ok(run.found)
    }

    /// Runs the ladder on the last commit, as a state to compare with; its evidence is dropped.
    pub(crate) fn run_on_head(
        &self,
        ctx: &Ctx,
        head: edit::Overlay,
        state: &TreeState,
        ladder: &Ladder,
        choice: Option<&TestChoice>,
    ) -> Result<Before, CheckError> {
        let mut draft = Draft::new(&self.project, head, state.tree.clone());
        let ladder = Ladder { format: false, analyzer: false, stories: false, ..ladder.clone() };
        self.run_ladder(ctx, &mut draft, state, &ladder, (Against::Itself, choice), &mut |_| {})
    }

    /// The draft with the files formatted that were formatted before the change.
    pub(crate) fn reformatted(
        &self,
        ctx: &Ctx,
        mut draft: Draft,
        state: &TreeState,
    ) -> Result<Draft, CheckError> {
        let started = Instant::now();
        let is_rust = |path: &ProjectPath| path.extension() == Some("rs");
        if !draft.overlay.changes().any(|(path, it)| is_rust(path) && it.after.is_some()) {
            return Ok(draft);
        }
        let workspace = self.workspace_of(ctx, state)?;
        let shown = self.show_with(ctx, &draft.overlay, SortedMap::new())?;
        let place = (&shown.view, shown.root.as_path());
        let found = Unformatted::of(ctx, &self.env, place, workspace.as_deref(), &draft.overlay)?;
        if let Some(late) = found.late() {
            draft.note(late);
        }
        let Some(formatted) = found.formatted(&draft.overlay) else { return Ok(draft) };
        let (rungs, notes) = (draft.findings.rungs.clone(), draft.findings.notes.clone());
        let (plain, tree) = (draft.overlay, state.tree.clone());
        let mut draft = Draft::with_format(&self.project, formatted, plain, tree);
        (draft.findings.rungs, draft.findings.notes) = (rungs, notes);
        let detail = "formatted with the change".to_owned();
        draft.rung(RungName::Format, true, millis(started.elapsed()), detail);
        Ok(draft)
    }

    /// Advice, so only for what holds; its place in the ladder is right after the parse.
    fn format_rung(
        &self,
        ctx: &Ctx,
        draft: &mut Draft,
        shown: &Materialised,
        workspace: Option<&CargoWorkspace>,
    ) -> Result<(), CheckError> {
        let started = Instant::now();
        let overlay = &draft.overlay;
        let place = (&shown.view, shown.root.as_path());
        let unformatted = Unformatted::of(ctx, &self.env, place, workspace, overlay)?;
        if !unformatted.is_known {
            return Ok(());
        }
        let passed = unformatted.files.is_empty();
        let detail = if passed {
            "formatted".to_owned()
        } else {
            format!("no longer formatted: {}", unformatted.paths())
        };
        draft.rung(RungName::Format, passed, millis(started.elapsed()), detail);
        draft.findings.rungs.sort_by_key(|rung| rung.name);
        Ok(())
    }
}

/// The tree without the change where it builds, else the last commit.
fn comparison<'a>(
    before: Option<&'a Before>,
    head: Option<&'a Arc<Before>>,
    declared: &'a dyn Fn(&str) -> bool,
) -> Option<Comparison<'a>> {
    match head {
        Some(head) => {
            Some(Comparison { before: head, reference: TestReference::LastCommit, declared })
        }
        None => Some(Comparison {
            before: before?,
            reference: TestReference::Tree,
            declared: &|_| true,
        }),
    }
}

/// Whether the tree still declares a test of the last commit: its target is there, and some source
/// has a function of its name without `self`, in the modules of the name. Undecidable cases count as declared.
fn declared_in<'a>(
    root: &'a Path,
    tree: &'a Tree,
    workspace: Option<&'a Arc<CargoWorkspace>>,
) -> impl Fn(&str) -> bool + 'a {
    let texts: std::cell::OnceCell<Vec<(&ProjectPath, String)>> = std::cell::OnceCell::new();
    move |test: &str| {
        let (binary, path) = test.split_once("::").unwrap_or(("", test));
        let mut targets =
            workspace.into_iter().flat_map(|it| &it.manifests).flat_map(|it| &it.targets);
        if workspace.is_some() && !targets.any(|it| it.name.replace('-', "_") == binary) {
            return false;
        }
        let texts = texts.get_or_init(|| {
            let sources = tree.files().keys().filter(|path| path.extension() == Some("rs"));
            let read = |path: &ProjectPath| {
                String::from_utf8(untrusted_fs::read_source(root, path.as_str())?).ok()
            };
            sources.filter_map(|path| Some((path, read(path)?))).collect()
        });
        let texts: Vec<(&str, &str)> =
            texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        is_declared(path, &texts)
    }
}

/// Whether one of the texts, by path, has a function with the last name of a test, in the modules of
/// its other names. Where files may be modules of any name, only the innermost module counts.
fn is_declared(test: &str, texts: &[(&str, &str)]) -> bool {
    // Parametrised tests are functions one step up: `adds::case_1`.
    let mut names = test.rsplit("::").filter(|name| !name.starts_with("case_"));
    let Some(name) = names.next() else { return true };
    let has_any_path =
        |text: &str| ["#[path", "include!", "mod $"].iter().any(|it| text.contains(it));
    let counted = match texts.iter().any(|(_, text)| has_any_path(text)) {
        true => 1,
        false => usize::MAX,
    };
    let modules: Vec<&str> = names.take(counted).collect();
    let is_in = |path: &str, text: &str, module: &str| {
        let file = module.trim_start_matches("r#");
        let mut folders = path.trim_end_matches(".rs").split('/');
        folders.any(|it| it == file) || declares(text, "mod", module)
    };
    texts.iter().any(|(path, text)| {
        declares_test(text, name) && modules.iter().all(|it| is_in(path, text, it))
    })
}

/// Whether a text has the declaration as whole words.
fn declares(text: &str, keyword: &str, name: &str) -> bool {
    after_declarations(text, keyword, name).next().is_some()
}

/// Whether a text has a function of the name that may be a test: one without `self`.
fn declares_test(text: &str, name: &str) -> bool {
    after_declarations(text, "fn", name).any(|rest| {
        let first = rest.split_once('(').map_or("", |(_, it)| it.trim_start());
        let first = first.trim_start_matches('&').trim_start();
        let first = match first.strip_prefix('\'') {
            Some(lifetime) => lifetime.trim_start_matches(is_word).trim_start(),
            None => first,
        };
        let first = first.strip_prefix("mut ").unwrap_or(first).trim_start();
        first.strip_prefix("self").is_none_or(|it| it.starts_with(is_word))
    })
}

/// What follows each declaration.
fn after_declarations<'a>(
    text: &'a str,
    keyword: &str,
    name: &str,
) -> impl Iterator<Item = &'a str> {
    let declaration = format!("{keyword} {name}");
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let (_, after) = rest.split_once(&declaration)?;
            rest = after;
            if !after.starts_with(is_word) {
                return Some(after);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_declared_in_all_modules_of_its_name() {
        let texts = [
            ("src/lib.rs", "mod wide; mod kept; mod more;"),
            ("src/wide.rs", "mod tests { fn adds() {} }"),
            ("src/kept.rs", "mod tests { fn other() {} }"),
            ("src/more.rs", "mod r#ref { fn adds() {} }"),
        ];
        let declared = |test: &str| is_declared(test, &texts);
        assert!(declared("wide::tests::adds"));
        assert!(declared("wide::tests::adds::case_1"));
        assert!(declared("more::r#ref::adds"));
        assert!(!declared("narrow::tests::adds"));
        assert!(!declared("kept::tests::adds"));
        assert!(!declared("wide::tests::removed"));
    }

    #[test]
    fn a_method_of_the_name_is_no_test() {
        let declared = |text: &str| is_declared("m::tests::adds", &[("src/m.rs", text)]);
        let methods = [
            "fn adds(self)",
            "fn adds<T>(&mut self, a: T)",
            "fn adds(\n        &'a self)",
            "fn adds(mut self: Box<Self>)",
        ];
        for method in methods {
            assert!(!declared(&format!("impl S {{ {method} {{}} }} mod tests {{}}")), "{method}");
        }
        let method = "impl S { fn adds(&self) {} } mod tests { #[t] fn adds(selfish: u8) {} }";
        assert!(declared(method));
        assert!(!declared("mod tests { fn adds_more() {} }"));
        assert!(declared("mod tests { fn adds_more() {} fn adds() {} }"));
    }

    #[test]
    fn of_files_with_any_path_only_the_innermost_module_counts() {
        let texts = [
            ("src/lib.rs", "#[path = \"x.rs\"] mod narrow;"),
            ("src/x.rs", "mod tests { fn adds() {} }"),
        ];
        assert!(is_declared("narrow::tests::adds", &texts));
        assert!(!is_declared("narrow::more::adds", &texts));
    }
}
