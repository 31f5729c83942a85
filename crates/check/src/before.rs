//! The findings of a tree before the change, which those after it are compared with: errors, lints
//! and tests of each configuration.

use std::collections::{BTreeMap, HashSet};

use base::{Diagnostic, Severity};

use crate::compare::TestsBefore;

/// What one climb found of a state of the tree, so that a change can be compared with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Before {
    /// `None`: not checked.
    pub(crate) errors: Option<usize>,
    /// The errors themselves; of the code of tests where that was looked at.
    pub(crate) reported: Vec<Diagnostic>,
    /// By configuration.
    pub(crate) scopes: Vec<ScopeBefore>,
}

/// The same of one configuration.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScopeBefore {
    /// Findings of the linter; `None`: not run, or it does not build.
    pub(crate) lints: Option<BTreeMap<Lint, usize>>,
    /// By what was run ([`crate::test_choice::TestChoice::label`]). Absent: not run, not built, or cut
    /// off.
    pub(crate) tests: BTreeMap<String, TestsBefore>,
}

impl Before {
    pub(crate) fn scope(&self, idx: usize) -> Option<&ScopeBefore> {
        self.scopes.get(idx)
    }

    pub(crate) fn scope_mut(&mut self, idx: usize) -> &mut ScopeBefore {
        if self.scopes.len() <= idx {
            self.scopes.resize_with(idx + 1, ScopeBefore::default);
        }
        &mut self.scopes[idx]
    }

    /// Takes over what `other` found of the same state; a shorter climb takes nothing back.
    pub(crate) fn add(&mut self, other: Before) {
        self.errors = other.errors.or(self.errors);
        self.reported.extend(new_diagnostics(&self.reported, other.reported));
        for (idx, scope) in other.scopes.into_iter().enumerate() {
            let own = self.scope_mut(idx);
            own.lints = scope.lints.or(own.lints.take());
            own.tests.extend(scope.tests);
        }
    }
}

/// A finding of a linter, whatever its line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lint {
    code: Option<String>,
    message: String,
    file: Option<String>,
}

/// Findings of a linter by what they are about.
pub(crate) fn lints(diagnostics: &[Diagnostic]) -> BTreeMap<Lint, usize> {
    let mut found = BTreeMap::new();
    for diagnostic in diagnostics {
        if diagnostic.severity > Severity::Warning {
            continue;
        }
        let lint = Lint {
            code: diagnostic.code.clone(),
            message: diagnostic.message.clone(),
            file: diagnostic.user_span().map(|span| span.place.as_str().to_owned()),
        };
        *found.entry(lint).or_insert(0) += 1;
    }
    found
}

/// The diagnostics of `more` that are not in `known`, each once, in their order.
pub(crate) fn new_diagnostics(known: &[Diagnostic], more: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen: HashSet<&Diagnostic> = known.iter().collect();
    let is_new: Vec<bool> = more.iter().map(|it| seen.insert(it)).collect();
    more.into_iter().zip(is_new).filter_map(|(it, is_new)| is_new.then_some(it)).collect()
}
