//! Which tests a climb runs.

use std::sync::Arc;

use crate::changed_examples::ChangedExamples;
use crate::{RenamedName, Scope, Tests};

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
