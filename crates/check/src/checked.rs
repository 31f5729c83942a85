use base::Diagnostic;
use edit::Overlay;
use policy::{Evidence, FileSummary, PatchKind, Rung, RungName};

use crate::Mapped;
use crate::public_api;

/// An overlay and what was found of it. The only value that the gate's evidence is taken from.
#[derive(Debug)]
pub struct Checked {
    /// What was proven; empty for a baseline.
    pub overlay: Overlay,
    /// For the gate.
    pub evidence: Evidence,
    /// Errors first; coordinates of the overlay's text.
    pub diagnostics: Vec<Diagnostic>,
    /// The same in the same order, with their places in the user's own text.
    pub mapped: Vec<Mapped>,
    /// Where tests were run.
    pub tests: Option<cargo::TestReport>,
    /// cargo's failure that is no diagnostic.
    pub failure: Option<String>,
    /// A rung's time was over first.
    pub timed_out: bool,
}

impl Checked {
    pub(crate) fn new(overlay: Overlay) -> Self {
        let evidence = Evidence {
            patch_set: overlay.patch_set(),
            rungs: Vec::new(),
            errors_before: None,
            errors_after: 0,
            tests: None,
            files: overlay.changes().map(|(path, change)| summary(path, change)).collect(),
            violations: Vec::new(),
            public_changes: public_api::changes(&overlay),
            notes: Vec::new(),
            protections: Vec::new(),
        };
        Self {
            overlay,
            evidence,
            diagnostics: Vec::new(),
            mapped: Vec::new(),
            tests: None,
            failure: None,
            timed_out: false,
        }
    }

    /// Whether every rung that was climbed held; advice does not count.
    pub fn passed(&self) -> bool {
        self.evidence.rungs.iter().all(|rung| rung.passed || rung.name == RungName::Format)
    }

    /// How many errors the compiler found.
    pub fn errors(&self) -> usize {
        self.evidence.errors_after
    }

    pub(crate) fn rung(&mut self, name: RungName, passed: bool, ms: u64, detail: String) -> bool {
        self.evidence.rungs.push(Rung { name, passed, ms, detail });
        passed
    }
}

fn summary(path: &base::ProjectPath, change: &edit::FileChange) -> FileSummary {
    let one = Overlay::from_states(
        "",
        base::Timestamp::default(),
        vec![(path.clone(), change.before.clone(), change.after.clone())],
    );
    let stat = one.stat();
    FileSummary {
        path: path.clone(),
        kind: match (&change.before, &change.after) {
            (None, Some(_)) if change.renamed_from.is_some() => PatchKind::Rename,
            (None, _) => PatchKind::Create,
            (Some(_), None) => PatchKind::Delete,
            (Some(_), Some(_)) => PatchKind::Edit,
        },
        added: stat.added,
        removed: stat.removed,
    }
}
