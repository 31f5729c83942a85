//! The findings of a tree before the change, which those after it are compared with: errors, lints
//! and tests of each configuration.

use std::collections::HashSet;

use base::{Diagnostic, Severity, SortedMap, SortedSet};

use crate::compare::TestsBefore;
use crate::skipped::SkippedTarget;

/// Findings of one run of the ladder on a state of the tree, so that a change can be compared with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Before {
    /// `None`: not checked.
    pub(crate) errors: Option<usize>,
    /// The errors themselves; of the code of tests where that was looked at.
    pub(crate) reported: Vec<Diagnostic>,
    /// Warnings of a tree that builds, without the code of tests (`false`) and with it.
    pub(crate) warnings: SortedMap<bool, SortedMap<Lint, usize>>,
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
    /// Flags that build scripts passed to the compiler, by package.
    pub(crate) script_cfgs: SortedMap<String, SortedSet<String>>,
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
        for (with_tests, warnings) in other.warnings {
            let own = self.warnings.entry(with_tests).or_default();
            for (lint, count) in warnings {
                let own = own.entry(lint).or_insert(0);
                *own = count.max(*own);
            }
        }
        for (idx, scope) in other.scopes.into_iter().enumerate() {
            let own = self.scope_mut(idx);
            if idx >= lasting {
                *own = scope;
                continue;
            }
            own.lints = scope.lints.or(own.lints.take());
            own.tests.extend(scope.tests);
            own.unbuilt.extend(scope.unbuilt);
            own.script_cfgs.extend(scope.script_cfgs);
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

impl Lint {
    pub(crate) fn of(diagnostic: &Diagnostic) -> Self {
        Self {
            code: diagnostic.code.clone(),
            message: diagnostic.message.clone(),
            file: diagnostic.user_span().map(|span| span.place.as_str().to_owned()),
        }
    }
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
        *found.entry(Lint::of(diagnostic)).or_insert(0) += 1;
    }
    found
}

/// The warnings, each place once: a library and its tests report the same ones.
pub(crate) fn warnings(diagnostics: &[Diagnostic]) -> Vec<&Diagnostic> {
    let mut seen = HashSet::new();
    let place = |it: &Diagnostic| it.user_span().map(|it| (it.place.clone(), it.bytes));
    let is_warning = |it: &&Diagnostic| it.severity == Severity::Warning;
    let all = diagnostics.iter().filter(is_warning);
    all.filter(|it| seen.insert((&it.code, &it.message, place(it)))).collect()
}

/// The warnings among `diagnostics` that are not among those before. One whose message or file is another one is
/// new only if there are more of its lint than before: a renamed item that was unused is unused still.
pub(crate) fn new_warnings<'a>(
    before: &SortedMap<Lint, usize>,
    diagnostics: &'a [Diagnostic],
) -> Vec<&'a Diagnostic> {
    let warnings = warnings(diagnostics);
    let mut more: SortedMap<&Option<String>, usize> = SortedMap::new();
    for it in &warnings {
        *more.entry(&it.code).or_insert(0) += 1;
    }
    for (lint, count) in before {
        if let Some(it) = more.get_mut(&lint.code) {
            *it = it.saturating_sub(*count);
        }
    }
    let mut known = before.clone();
    let mut found = Vec::new();
    for it in warnings {
        let count = known.get_mut(&Lint::of(it)).filter(|it| **it > 0);
        match (count, more.get_mut(&it.code)) {
            (Some(count), _) => *count -= 1,
            (None, Some(left)) if *left > 0 => {
                *left -= 1;
                found.push(it);
            }
            _ => {}
        }
    }
    found
}

/// The diagnostics of `more` that are not in `known`, each once, in their order.
pub(crate) fn new_diagnostics(known: &[Diagnostic], more: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen: HashSet<&Diagnostic> = known.iter().collect();
    let is_new: Vec<bool> = more.iter().map(|it| seen.insert(it)).collect();
    more.into_iter().zip(is_new).filter_map(|(it, is_new)| is_new.then_some(it)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warning(code: &str, message: &str) -> Diagnostic {
        let code = Some(code.to_owned());
        Diagnostic { code, ..Diagnostic::new(Severity::Warning, message) }
    }

    #[test]
    fn only_warnings_beyond_those_before_are_new() {
        let before = [warning("dead_code", "`old` is unused"), warning("unused", "`a`")];
        let after = [
            warning("dead_code", "`new` is unused"),
            warning("unused", "`a`"),
            warning("unused", "`b`"),
            warning("deprecated", "`c`"),
        ];
        let found = new_warnings(&lints(warnings(&before)), &after);
        let messages: Vec<&str> = found.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(messages, ["`b`", "`c`"]);
    }
}
