//! Reasoner: rewrites that recent commits of the project made, at places with the old code.

use std::sync::Arc;

use base::{Applicability, Diagnostic};
use change::PastDifference;
use edit::Files;

use crate::{Fix, Reasoner};

/// Rewrites that recent commits of the project made, for errors at places that still have the old
/// code. All of them count as guesses, after the compiler's suggestions and the other rules.
pub struct Past {
    commits: Arc<[PastDifference]>,
}

impl Past {
    /// Learns from these commits, the last one first.
    pub fn new(commits: Vec<PastDifference>) -> Self {
        Self { commits: commits.into() }
    }
}

impl Reasoner for Past {
    fn name(&self) -> &'static str {
        "history"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let propagations = change::propagate_from_history(&self.commits, diagnostics, files);
        let fixes = propagations.into_iter().flat_map(|it| {
            let fix = Fix {
                splices: it.splices,
                rationale: it.reason,
                applicability: Applicability::Unspecified,
                reasoner: self.name(),
                seed: 0,
                guesses: it.guesses,
            };
            it.seeds.into_iter().map(move |seed| Fix { seed, ..fix.clone() })
        });
        fixes.collect()
    }
}
