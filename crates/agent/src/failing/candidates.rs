//! The mutations of the code that failing tests execute, best first.

use base::{LineIndex, ProjectPath, SortedSet};
use check::CoverageRequest;
use edit::{Files as _, Overlay};
use repair::mutate::{Mutation, MutationHints, Suspicion, expectations, mutations, rank};
use syntax::NodeKind;

use super::Failing;
use crate::task::Task;
use crate::{AgentError, TaskStep};

/// Time limit of coverage in seconds.
const COVERAGE_SECONDS: u64 = 240;
/// Maximum number of candidates that are tried.
const CANDIDATES: usize = 1_000;

impl Failing {
    /// Reads the sources, and what the tests execute.
    pub(super) fn measure(&mut self, task: &mut Task<'_>) -> Result<(), AgentError> {
        for path in task.sources()? {
            if let Ok(Some(state)) = task.world.read(&path) {
                self.texts.insert(path, state.text);
            }
        }
        let tests = self.test_files();
        self.texts.retain(|path, _| !tests.contains(path));
        if !task.world.settings().fix_coverage {
            self.notes.push("coverage is off (`fix.coverage`)".to_owned());
            return Ok(());
        }
        task.enter(TaskStep::Check, "what the tests execute");
        let request = CoverageRequest {
            failing: self.targets.iter().map(|it| it.name.clone()).collect(),
            passing: self.passing.clone(),
            seconds: COVERAGE_SECONDS,
        };
        self.coverage = task.world.coverage(&request)?;
        self.notes.append(&mut self.coverage.notes.clone());
        let has_lines = self.coverage.tests.iter().any(|it| it.fails);
        if !has_lines {
            self.notes.push(
                "candidates are ranked by names and by what the tests print alone".to_owned(),
            );
        }
        Ok(())
    }

    /// Files that only tests compile: by their path, or since a test module declares them.
    fn test_files(&self) -> SortedSet<ProjectPath> {
        let mut found = SortedSet::new();
        for (path, text) in &self.texts {
            let name = path.as_str();
            if syntax::is_test_path(name) || name.starts_with("examples/") || is_build_script(path)
            {
                found.insert(path.clone());
            }
            for item in syntax::parse(text).items {
                if item.kind != NodeKind::Module || !item.is_test || item.body.is_some() {
                    continue;
                }
                let folders = module_folders(path);
                let own = |it: &&ProjectPath| {
                    folders.iter().any(|folder| {
                        let base = format!("{folder}{}", item.name);
                        it.as_str() == format!("{base}.rs")
                            || it.as_str().starts_with(&format!("{base}/"))
                    })
                };
                found.extend(self.texts.keys().filter(own).cloned());
            }
        }
        found
    }

    /// The mutations, best first.
    pub(super) fn mutations(&self, back: Option<&Overlay>) -> Vec<Mutation> {
        let outputs = self.targets.iter().map(|it| it.output.as_str());
        let hints =
            MutationHints { expectations: outputs.flat_map(expectations).take(8).collect() };
        let suspicion = Suspicion {
            counts: self.coverage.counts(),
            failing: self.coverage.tests.iter().filter(|it| it.fails).count(),
            changed: super::reverts::changed_lines(back),
            printed: self.printed(),
        };
        let mut found = Vec::new();
        for (path, text) in &self.texts {
            let has_lines = suspicion.counts.is_empty() || suspicion.counts.contains_key(path);
            if !has_lines {
                // A constant of a file without executed lines is left out.
                continue;
            }
            let wanted = |line: u32| suspicion.is_wanted(path, line);
            found.extend(mutations(path, text, &hints, &wanted));
        }
        let mut ranked = rank(found, &suspicion);
        ranked.truncate(CANDIDATES);
        ranked
    }

    /// The places in the project that the failing tests print: `panicked at src/a.rs:3:5`.
    fn printed(&self) -> Vec<(ProjectPath, u32)> {
        let mut found = Vec::new();
        let lines = self.targets.iter().flat_map(|it| it.output.lines());
        for line in lines.filter(|it| it.contains(".rs:")) {
            for word in line.split_whitespace() {
                let mut parts = word.split(':');
                let (Some(path), Some(line)) = (parts.next(), parts.next()) else { continue };
                let (Ok(path), Ok(line)) = (ProjectPath::new(path), line.parse()) else { continue };
                if self.texts.contains_key(&path) && !found.contains(&(path.clone(), line)) {
                    found.push((path, line));
                }
            }
        }
        found
    }

    /// How many failing and passing tests execute what a change edits; `None` if that is not known.
    pub(super) fn covering(&self, overlay: &Overlay) -> Option<(usize, usize)> {
        let mut lines = build::LinesByFile::new();
        for (path, change) in overlay.changes() {
            let text = change.before_text();
            let index = LineIndex::new(text);
            let of_splice = |it: &edit::Splice| {
                index.line_of(it.span.start)..=index.line_of(it.span.end.max(1) - 1)
            };
            let mut of_file: Vec<u32> = change.edit.splices.iter().flat_map(of_splice).collect();
            of_file.sort_unstable();
            of_file.dedup();
            lines.insert(path.clone(), of_file);
        }
        Some(self.coverage.covering(&lines)).filter(|it| *it != (0, 0))
    }
}

/// The claim about a change that passes: never more.
pub(super) fn plausible(covering: Option<(usize, usize)>) -> String {
    match covering.map(|(failing, passing)| failing + passing) {
        None => "plausible: how many tests cover it is not known".to_owned(),
        Some(n) => format!("plausible: {} cover{} it", base::counted(n, "test"), s(n)),
    }
}

fn s(count: usize) -> &'static str {
    if count == 1 { "s" } else { "" }
}

fn is_build_script(path: &ProjectPath) -> bool {
    path.file_name() == "build.rs"
}

/// The folders in which the modules of a file are, with `/` at the end.
fn module_folders(path: &ProjectPath) -> Vec<String> {
    let (folder, name) = match path.as_str().rsplit_once('/') {
        Some((folder, name)) => (format!("{folder}/"), name),
        None => (String::new(), path.as_str()),
    };
    match name {
        "lib.rs" | "main.rs" | "mod.rs" => vec![folder],
        _ => vec![format!("{folder}{}/", name.trim_end_matches(".rs")), folder],
    }
}
