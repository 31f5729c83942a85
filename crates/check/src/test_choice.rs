//! [`TestChoice`]: which tests a run of the ladder runs, as a value. `candidate.rs` makes it
//! (`Prover::test_choice`), `test_rung.rs` runs it.

use std::sync::Arc;

use crate::changed_examples::ChangedExamples;
use crate::{RenamedName, Scope, Tests};

/// Maximum number of packages that are named.
const LISTED: usize = 4;

/// Which tests to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestChoice {
    pub(crate) tests: Tests,
    pub(crate) filter: Option<String>,
    /// Packages to test; `None`: those of the configuration.
    pub(crate) packages: Option<Affected>,
    /// A name that the change gives to tests, or to what their names contain.
    pub(crate) renamed: Option<RenamedName>,
    /// An item that the change moves, with its documentation tests.
    pub(crate) moved: Option<Arc<preserve::MovedItem>>,
    /// The examples that the change makes other ones.
    pub(crate) examples: ChangedExamples,
}

/// The members of the workspace by what a change affects, each sorted by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Affected {
    pub(crate) packages: Vec<String>,
    pub(crate) others: Vec<String>,
}

impl TestChoice {
    /// Whether the change affects no package.
    pub(crate) fn is_empty(&self) -> bool {
        self.packages.as_ref().is_some_and(|it| it.packages.is_empty())
    }

    /// The packages whose tests do not run, since cargo knows no way from them to what changes: they may
    /// still read it, so that an answer names them. `None` if there are none.
    pub(crate) fn left_out(&self) -> Option<String> {
        let others = &self.packages.as_ref()?.others;
        let names: Vec<String> = others.iter().map(|it| format!("`{it}`")).collect();
        let of = match names.as_slice() {
            [] => return None,
            few if few.len() <= LISTED => few.join(", "),
            many => format!("{} packages", many.len()),
        };
        let verb = if names.len() == 1 { "does" } else { "do" };
        Some(format!("tests of {of}, which {verb} not depend on it (`--tests all` runs them)"))
    }

    /// Identifies runs of tests that may be compared with each other.
    pub(crate) fn label(&self, scope: &Scope) -> String {
        let kind = if self.tests == Tests::All { "all" } else { "affected" };
        let packages = match &self.packages {
            Some(it) if scope.packages.is_empty() => it.packages.join(","),
            _ => String::new(),
        };
        let filter = self.filter.as_deref().unwrap_or_default();
        format!("tests {kind} {scope} [{packages}] [{filter}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_are_not_tested_are_named() {
        let left_out = |others: &[&str]| {
            let others = others.iter().map(|it| (*it).to_owned()).collect();
            let packages = Some(Affected { packages: Vec::new(), others });
            let choice = TestChoice {
                tests: Tests::Affected,
                filter: None,
                packages,
                renamed: None,
                moved: None,
                examples: ChangedExamples::default(),
            };
            choice.left_out().unwrap_or_default()
        };
        assert_eq!(left_out(&[]), "");
        let all = "not depend on it (`--tests all` runs them)";
        assert_eq!(left_out(&["a"]), format!("tests of `a`, which does {all}"));
        assert_eq!(left_out(&["a", "b"]), format!("tests of `a`, `b`, which do {all}"));
        let many = left_out(&["a", "b", "c", "d", "e"]);
        assert_eq!(many, format!("tests of 5 packages, which do {all}"));
    }
}
