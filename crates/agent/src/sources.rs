//! The sources of candidates: reasoners that propose from the start, and those that are asked once no
//! candidate is left.

use std::sync::Arc;

use base::ProjectPath;
use project::{FixAnalyzer, FixRules};
use repair::{Advised, CompilerSuggestions, Holes, InProgress, Learned, Parts, Reasoner, Search};

use crate::task::Task;
use crate::world::World;
use crate::{AgentError, ReasonerChoice, TaskStep};

/// With `fix.analyzer = last`, rust-analyzer's proposals get this fraction (1/3) of the attempts in
/// addition.
const ANALYZER_SHARE: usize = 3;
/// Number of attempts for parts, and for holes.
const HOLE_ATTEMPTS: usize = 6;

/// Sources of candidates that are used, one after the other, when no candidate is left.
#[derive(Default)]
pub(crate) struct LateSources {
    /// Whether the last commits are read.
    pub(crate) past: bool,
    /// Whether rust-analyzer is asked.
    pub(crate) analyzer: bool,
    /// Parts of values that have another type now.
    pub(crate) parts: Option<Parts>,
    /// Holes for the values that nothing else has found.
    pub(crate) holes: Option<Holes>,
}

impl LateSources {
    /// Adds the candidates of the next source; `false` if there is none, or if a choice between
    /// repairs that passed is open.
    pub(crate) fn add_next(
        &mut self,
        task: &mut Task<'_>,
        search: &mut Search,
    ) -> Result<bool, AgentError> {
        if task.has_choice() {
            return Ok(false);
        }
        if std::mem::take(&mut self.past) && task.learn_from_past(search)? {
            return Ok(true);
        }
        if !std::mem::take(&mut self.analyzer) {
            return task.ask_model(search);
        }
        task.enter(TaskStep::Propose, "quick fixes of rust-analyzer");
        let Some(advisor) = task.world.advisor()? else { return task.ask_model(search) };
        let more = task.world.settings().fix_attempts / ANALYZER_SHARE;
        search.add_reasoner(Box::new(Advised::new(advisor)), more.max(1), &*task.world);
        Ok(true)
    }
}

impl LateSources {
    /// Adds parts, then holes, for what is left of an in-progress change, if no candidate builds; `false` if nothing is
    /// left.
    pub(crate) fn add_holes(&mut self, task: &mut Task<'_>, search: &mut Search) -> bool {
        let is_open = search.winners().is_empty() && task.refused.is_empty() && !task.has_choice();
        let (reasoner, step): (Box<dyn Reasoner>, _) = match (self.parts.take(), self.holes.take())
        {
            _ if !is_open => return false,
            (Some(parts), holes) => {
                self.holes = holes;
                (Box::new(parts), "parts of values that have another type now")
            }
            (None, Some(holes)) => (Box::new(holes), "holes for values that no rule knows"),
            (None, None) => return false,
        };
        task.enter(TaskStep::Propose, step);
        search.add_reasoner(reasoner, HOLE_ATTEMPTS, &*task.world);
        true
    }
}

/// The reasoners of the first pass, and whether rust-analyzer is added once these have failed.
pub(crate) fn reasoners(
    world: &World<'_>,
    which: ReasonerChoice,
    sources: Arc<[ProjectPath]>,
    in_progress: &InProgress,
) -> Result<(Vec<Box<dyn Reasoner>>, bool), AgentError> {
    let settings = world.settings();
    let mut reasoners: Vec<Box<dyn Reasoner>> = match (which, settings.fix_rules) {
        (
            ReasonerChoice::Analyzer
            | ReasonerChoice::Intents
            | ReasonerChoice::Nothing
            | ReasonerChoice::Model,
            _,
        )
        | (_, FixRules::None) => Vec::new(),
        (ReasonerChoice::All | ReasonerChoice::Rules, FixRules::Compiler) => {
            vec![Box::new(CompilerSuggestions)]
        }
        (ReasonerChoice::All | ReasonerChoice::Rules, FixRules::All) => {
            repair::reasoners(sources, in_progress)
        }
    };
    if !reasoners.is_empty() && settings.fix_rules == FixRules::All {
        let learned = world.learned()?;
        if !learned.is_empty() {
            reasoners.push(Box::new(Learned::new(learned)));
        }
    }
    let when = match which {
        ReasonerChoice::Rules
        | ReasonerChoice::Intents
        | ReasonerChoice::Nothing
        | ReasonerChoice::Model => FixAnalyzer::Never,
        ReasonerChoice::Analyzer => FixAnalyzer::First,
        // A live server runs anyway, so its proposals cost little.
        ReasonerChoice::All if settings.analyzer.live => FixAnalyzer::First,
        ReasonerChoice::All => settings.fix_analyzer,
    };
    if when == FixAnalyzer::First
        && let Some(advisor) = world.advisor()?
    {
        reasoners.push(Box::new(Advised::new(advisor)));
    }
    Ok((reasoners, when == FixAnalyzer::Last))
}
