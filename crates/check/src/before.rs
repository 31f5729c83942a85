//! The findings of a tree before the change, which those after it are compared with: errors, lints
//! and tests of each configuration.

use std::collections::HashSet;

use base::{Diagnostic, Severity, SortedMap};

use crate::compare::TestsBefore;
use crate::skipped::SkippedTarget;

/// Findings of one run of the ladder on a state of the tree, so that a change can be compared with it.
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
    pub(crate) lints: Option<SortedMap<Lint, usize>>,
    /// By what was run ([`crate::test_choice::TestChoice::label`]). Absent: not run, not built, or cut
    /// off.
    pub(crate) tests: SortedMap<String, TestsBefore>,
    /// The errors of the test targets that do not build, by package and target.
    pub(crate) unbuilt: SortedMap<(String, String), SortedMap<Lint, usize>>,
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

    /// Notes test targets that do not build.
    pub(crate) fn note_unbuilt(&mut self, idx: usize, skipped: &[SkippedTarget]) {
        for it in skipped {
            let key = (it.package.clone(), it.target.clone());
            self.scope_mut(idx).unbuilt.insert(key, it.errors.clone());
        }
    }

    /// Whether a test target does not build and has all of these errors, as often.
    pub(crate) fn has_errors(
        &self,
        idx: usize,
        (package, target): (&str, &str),
        errors: &SortedMap<Lint, usize>,
    ) -> bool {
        let key = (package.to_owned(), target.to_owned());
        let Some(known) = self.scope(idx).and_then(|it| it.unbuilt.get(&key)) else { return false };
        errors.iter().all(|(error, count)| known.get(error).is_some_and(|it| count <= it))
    }

    /// Takes over what `other` found of the same state; a shorter run removes nothing. After the
    /// first `lasting` configurations come those of one ladder alone, which may be others each time.
    pub(crate) fn add(&mut self, other: Before, lasting: usize) {
        self.errors = other.errors.or(self.errors);
        self.reported.extend(new_diagnostics(&self.reported, other.reported));
        for (idx, scope) in other.scopes.into_iter().enumerate() {
            let own = self.scope_mut(idx);
            if idx >= lasting {
                *own = scope;
                continue;
            }
            own.lints = scope.lints.or(own.lints.take());
            own.tests.extend(scope.tests);
            own.unbuilt.extend(scope.unbuilt);
        }
    }
}

/// A finding of the compiler or a linter, whatever its line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lint {
    code: Option<String>,
    message: String,
    file: Option<String>,
}

/// Errors and findings of a linter by what they are about.
pub(crate) fn lints<'a>(
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
) -> SortedMap<Lint, usize> {
    let mut found = SortedMap::new();
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
