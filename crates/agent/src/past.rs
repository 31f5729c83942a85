//! The rewrites of recent commits, read once no other candidate is left.

use change::{Difference, PastDifference};
use edit::{FileState, Overlay};
use repair::{Past, Search};
use repo::PastChange;

use crate::task::Task;
use crate::{AgentError, ReasonerChoice, TaskStep};

/// Number of commits that are learned from.
const MAX_COMMITS: usize = 20;
/// The candidates from history get this fraction (1/4) of the attempts in addition.
const HISTORY_SHARE: usize = 4;

impl Task<'_> {
    /// Whether past commits may be asked at the end: not for a change that starts from a request.
    pub(crate) fn learns_from_past(&self) -> bool {
        let is_wanted = matches!(
            self.options.reasoners,
            ReasonerChoice::All | ReasonerChoice::Rules | ReasonerChoice::Intents
        );
        is_wanted && self.options.begin.is_none()
    }

    /// Adds the rewrites of recent commits to the search; `false` if there is no commit to learn
    /// from. A history that cannot be read is left out.
    pub(crate) fn learn_from_past(&mut self, search: &mut Search) -> Result<bool, AgentError> {
        self.enter(TaskStep::Propose, "rewrites of recent commits");
        let commits = self.world.past(MAX_COMMITS)?;
        if commits.is_empty() {
            return Ok(false);
        }
        let commits = commits.into_iter().map(|it| self.past_difference(it)).collect();
        let more = self.world.settings().fix_attempts / HISTORY_SHARE;
        search.add_reasoner(Box::new(Past::new(commits)), more.max(1), &*self.world);
        Ok(true)
    }

    fn past_difference(&self, commit: PastChange) -> PastDifference {
        let PastChange { id, subject, files } = commit;
        let short: String = id.chars().take(9).collect();
        let state = |text| Some(FileState { text, executable: false });
        let states =
            files.into_iter().map(|(path, before, after)| (path, state(after), state(before)));
        let back = Overlay::from_states(&short, self.world.now(), states.collect());
        PastDifference {
            commit: format!("{short} \"{subject}\""),
            difference: Difference::since(&back),
        }
    }
}
