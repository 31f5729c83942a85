//! The tests of a tree that builds and has an in-progress change: that it compiles does not show that
//! its calls mean what they meant. Arguments of one type may be swapped, another method may have the
//! old name.

use check::{Checked, Ladder, Tests};
use refactor::FailedExample;
use repair::InProgress;

use crate::examples::examples_of;
use crate::task::Task;
use crate::{AgentError, TaskStep};

/// Most failing tests that a reason names.
const NAMED: usize = 3;

/// The tests of a tree, and those of them that failed before the change too.
pub(crate) struct TestedTree {
    pub(crate) checked: Checked,
    /// Names of the tests that fail and did not at the last commit.
    pub(crate) new: Vec<String>,
    /// Whether all tests ran, with those of the documentation.
    pub(crate) is_all: bool,
}

impl TestedTree {
    /// Why the tree is not clean; `None` if no test fails that passed before.
    pub(crate) fn reason(&self) -> Option<String> {
        let named: Vec<String> = self.new.iter().take(NAMED).map(|it| format!("`{it}`")).collect();
        let more = match self.new.len().saturating_sub(named.len()) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let count = match self.new.len() {
            0 => return None,
            1 => "1 test fails".to_owned(),
            count => format!("{count} tests fail"),
        };
        let names = named.join(", ");
        Some(format!("the tree builds, and {count} that passed before the change: {names}{more}"))
    }

    /// The examples of the documentation that fail and did not at the last commit.
    pub(crate) fn failed_examples(&self) -> Vec<FailedExample> {
        examples_of(&self.checked, &|name| self.new.iter().any(|it| it == name))
    }
}

impl Task<'_> {
    /// Runs the tests of a tree that builds and has an in-progress change: those that the user asked
    /// for, else all if a definition that existed is another one now. `None` if there is nothing to run.
    pub(crate) fn tested_tree(
        &mut self,
        in_progress: &InProgress,
    ) -> Result<Option<TestedTree>, AgentError> {
        let is_changed = in_progress.intents().iter().any(|it| it.known_as().is_some());
        let wanted = self.options.tests.unwrap_or_else(|| self.tests_with(is_changed));
        let is_asked = self.options.tests.is_some() && !in_progress.intents().is_empty();
        if wanted == Tests::None || !(is_changed || is_asked) {
            return Ok(None);
        }
        self.enter(TaskStep::Test, "the tree as it is");
        let ladder = Ladder { format: false, test_code: true, ..self.world.ladder(wanted, None) };
        let checked = self.world.baseline(&ladder)?;
        let failed: Vec<String> =
            checked.tests.iter().flat_map(|it| &it.failed).map(|it| it.name.clone()).collect();
        let known = match failed.is_empty() {
            true => Vec::new(),
            false => self.failing_before(&ladder)?,
        };
        let new = failed.into_iter().filter(|it| !known.contains(it)).collect();
        Ok(Some(TestedTree { checked, new, is_all: wanted == Tests::All }))
    }

    /// The tests that fail at the last commit.
    fn failing_before(&mut self, ladder: &Ladder) -> Result<Vec<String>, AgentError> {
        let Some(back) = self.base()?.filter(|it| !it.is_empty()) else { return Ok(Vec::new()) };
        self.enter(TaskStep::Test, "the last commit, to compare with");
        let before = self.world.prove(back, ladder)?;
        let failed = before.tests.iter().flat_map(|it| &it.failed);
        Ok(failed.map(|it| it.name.clone()).collect())
    }
}
