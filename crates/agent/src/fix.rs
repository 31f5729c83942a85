//! `fix`: searches for repairs, verifies them, and writes the accepted one. Start at [`fix`].

use std::sync::Arc;

use base::{Ctx, ProjectPath};
use check::{Checked, Tests};
use edit::Overlay;
use policy::Approval;
use preserve::Relisting;
use repair::{Advised, Begun, CompilerSuggestions, Reasoner, Search, SearchLimits};
use repo::{ApplyOptions, CommitMessage};
use tools::{AcceptOutcome, AcceptedChange, FixAnalyzer, FixRules, Workspace};

use crate::prove::PARALLEL_PROOFS;
use crate::reason::ModelReasoner;
use crate::task::Task;
use crate::{AgentError, FixEvent, FixOutcome, FixReport, IntentRow, TaskStep};

/// With `fix.analyzer = last`, rust-analyzer's proposals get this fraction (1/3) of the attempts in
/// addition.
const ANALYZER_SHARE: usize = 3;

/// Options of [`fix`].
#[derive(Clone, Debug, Default)]
pub struct FixOptions {
    /// Error code such as `E0308`: only errors of this code are fixed.
    pub error: Option<String>,
    /// Test name filter: the errors and failures of these tests are fixed.
    pub test: Option<String>,
    /// Tests that a repair must pass; `None`: the setting `check.tests`.
    pub tests: Option<Tests>,
    /// Time limit of the search in seconds, without the first build of changed dependencies; `None`:
    /// the setting `fix.timeout_seconds`.
    pub max_seconds: Option<u64>,
    /// Commit to compare with to see what was begun; `None`: the last one.
    pub base: Option<String>,
    /// A change that is begun in memory: it is part of every candidate, and its errors are fixed.
    /// What was begun is read from it alone.
    pub begin: Option<Overlay>,
    /// The part of `begin` that a person asked for, to which the preservation rule does not apply;
    /// `None`: all of it.
    pub asked: Option<Overlay>,
    /// What `begin` is, of a change that starts from words; `None`: read from its difference.
    pub request: Option<IntentRow>,
    /// What `begin` is declared to change only.
    pub relisting: Option<Relisting>,
    /// The dependencies that have another version by `begin`.
    pub libraries: Vec<change::Library>,
    /// Reasoners that propose candidates.
    pub reasoners: ReasonerChoice,
    /// Of several changes that pass and mean different things, the one to take, from 1.
    pub choose: Option<usize>,
    /// The user's approval: preservation rules that the repair may break.
    pub approval: Approval,
    /// A language model, asked once nothing else has found a repair.
    pub model: Option<ModelReasoner>,
}

/// The reasoners whose repairs are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReasonerChoice {
    /// All available ones: rules, and rust-analyzer as the setting `fix.analyzer` allows.
    #[default]
    All,
    /// The deterministic rules.
    Rules,
    /// rust-analyzer's quick fixes.
    Analyzer,
    /// Only what follows from what the user has begun.
    Intents,
    /// None: what is begun must build by itself.
    Nothing,
    /// The language model of the options.
    Model,
}

/// The report of [`fix`] and, if the gate opened, the input of [`apply`].
#[derive(Debug)]
pub struct FixResult {
    /// The report.
    pub report: FixReport,
    /// The verified repair with its permit.
    pub accepted: Option<AcceptedChange>,
    /// Message of the commit; `None`: made from the errors that were repaired.
    pub message: Option<CommitMessage>,
}

/// Finds the smallest verified repair of the errors that prevent the tree from building. Writes
/// nothing.
///
/// # Errors
/// Errors of the crates below; a tree without a repair is a [`FixOutcome`], not an error.
pub fn fix(
    ctx: &Ctx,
    workspace: &Workspace,
    options: &FixOptions,
    on: &mut dyn FnMut(&FixEvent),
) -> Result<FixResult, AgentError> {
    let mut task = Task::new(ctx, workspace, options, on)?;
    let baseline = baseline(&mut task, options)?;
    let errors = task.target_errors(&baseline);
    let finishes = options.reasoners == ReasonerChoice::Intents || options.begin.is_some();
    let (begun, sources) = match errors.is_empty() && !finishes {
        true => (Begun::default(), Arc::default()),
        false => {
            let sources: Arc<[ProjectPath]> = task.sources()?.into();
            (task.begun(&baseline, &sources)?, sources)
        }
    };
    if !errors.is_empty() && options.reasoners == ReasonerChoice::Nothing {
        return Ok(task.does_not_build(&baseline));
    }
    if errors.is_empty() {
        return match &options.begin {
            Some(begin) if baseline.passed() => task.verify_begin(begin),
            None if finishes && baseline.passed() => task.finish_clean(&baseline, &begun),
            _ => Ok(task.nothing_to_fix(&baseline)),
        };
    }

    task.enter(TaskStep::Propose, format!("repairs of {}", base::counted(errors.len(), "error")));
    let limits =
        SearchLimits { attempts: workspace.settings().fix_attempts, ..SearchLimits::default() };
    let (reasoners, mut asks_analyzer) = reasoners(ctx, workspace, options.reasoners, sources)?;
    asks_analyzer &= repair::is_advisable(&errors);
    let late = LateSources { past: task.learns_from_past(), analyzer: asks_analyzer };
    let search = Search::finishing(begun, reasoners, limits, &errors, workspace.project());
    try_candidates(ctx, task, search, late)
}

/// The result of the tree without a repair.
fn baseline(task: &mut Task<'_>, options: &FixOptions) -> Result<Checked, AgentError> {
    match &options.begin {
        None => {
            task.enter(TaskStep::Check, "the tree without changes");
            task.baseline()
        }
        Some(begin) => {
            task.enter(TaskStep::Check, "the tree with what is begun");
            let baseline = task.begin(begin)?;
            if !options.libraries.is_empty() {
                task.restart_clock();
            }
            Ok(baseline)
        }
    }
}

/// Tries the candidates of a search until one passes or none is left.
fn try_candidates(
    ctx: &Ctx,
    mut task: Task<'_>,
    mut search: Search,
    mut late: LateSources,
) -> Result<FixResult, AgentError> {
    while task.has_time() {
        let mut attempts = search.next(PARALLEL_PROOFS);
        let is_late = attempts.is_empty();
        if is_late {
            attempts = task.next_deferred(PARALLEL_PROOFS);
        }
        if attempts.is_empty() {
            if late.add_next(ctx, &mut task, &mut search)? || task.ask_model(&mut search)? {
                continue;
            }
            break;
        }
        task.try_all(&mut search, &attempts, is_late)?;
        if let Some(result) = task.verify_winners(&mut search)? {
            return Ok(result);
        }
    }
    ctx.check_cancelled()?;
    let is_complete = task.has_time();
    if let Some(result) = task.decide_choice(is_complete) {
        return Ok(result);
    }
    task.give_up(&search)
}

/// Sources of candidates that are used, one after the other, when no candidate is left.
struct LateSources {
    /// Whether the last commits are read.
    past: bool,
    /// Whether rust-analyzer is asked.
    analyzer: bool,
}

impl LateSources {
    /// Adds the candidates of the next source; `false` if there is none, or if a choice between
    /// repairs that passed is open.
    fn add_next(
        &mut self,
        ctx: &Ctx,
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
            return Ok(false);
        }
        task.enter(TaskStep::Propose, "quick fixes of rust-analyzer");
        let Some(advisor) = task.workspace.advisor(ctx)? else { return Ok(false) };
        let more = task.workspace.settings().fix_attempts / ANALYZER_SHARE;
        let files = task.workspace.project();
        search.add_reasoner(Box::new(Advised::new(advisor)), more.max(1), files);
        Ok(true)
    }
}

/// The reasoners of the first pass, and whether rust-analyzer is added once these have failed.
fn reasoners(
    ctx: &Ctx,
    workspace: &Workspace,
    which: ReasonerChoice,
    sources: Arc<[ProjectPath]>,
) -> Result<(Vec<Box<dyn Reasoner>>, bool), AgentError> {
    let settings = workspace.settings();
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
        (ReasonerChoice::All | ReasonerChoice::Rules, FixRules::All) => repair::reasoners(sources),
    };
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
        && let Some(advisor) = workspace.advisor(ctx)?
    {
        reasoners.push(Box::new(Advised::new(advisor)));
    }
    Ok((reasoners, when == FixAnalyzer::Last))
}

/// Writes an accepted repair, and commits it if `commit` or the setting `commit.always` is set. If
/// other files changed since it was verified, it is verified again first; the outcome is
/// [`FixOutcome::None`] if that fails.
///
/// # Errors
/// Errors of the crates below, such as a file of the repair that changed since.
pub fn apply(
    ctx: &Ctx,
    workspace: &Workspace,
    fixed: FixResult,
    commit: bool,
) -> Result<FixReport, AgentError> {
    let FixResult { mut report, accepted, message } = fixed;
    let Some(accepted) = accepted else {
        return Ok(report);
    };
    let commit = commit || workspace.settings().commit_always;
    let options = ApplyOptions {
        commit: commit
            .then(|| message.unwrap_or_else(|| commit_message(&report, &accepted.overlay))),
        ..ApplyOptions::default()
    };
    match tools::accept(ctx, workspace, accepted, &options)? {
        AcceptOutcome::Written { applied, evidence } => {
            report.outcome = FixOutcome::Applied;
            report.evidence = Some(*evidence);
            report.id = Some(applied.id);
            report.commit = applied.commit;
        }
        AcceptOutcome::Refused { checked, refusals, moved } => {
            let reasons: Vec<String> = refusals.iter().map(ToString::to_string).collect();
            report.outcome = FixOutcome::None;
            report.evidence = Some(checked.evidence);
            report.reason = Some(format!("{}: {}", tools::moved_note(&moved), reasons.join("; ")));
        }
    }
    Ok(report)
}

fn commit_message(report: &FixReport, overlay: &Overlay) -> CommitMessage {
    let mut codes: Vec<&str> =
        report.errors.iter().filter_map(|error| error.code.as_deref()).collect();
    codes.sort_unstable();
    codes.dedup();
    let summary = match codes.as_slice() {
        [] => "repair compile errors".to_owned(),
        [code] => format!("repair {code}"),
        [first, rest @ ..] if rest.len() < 3 => format!("repair {first}, {}", rest.join(", ")),
        [first, rest @ ..] => format!("repair {first} and {} other errors", rest.len()),
    };
    let files: Vec<_> = overlay.changes().map(|(path, _)| path).collect();
    let scope = match files.as_slice() {
        [file] => file.file_name().strip_suffix(".rs").map(str::to_owned),
        _ => None,
    };
    CommitMessage { kind: "fix".to_owned(), scope, summary, body: report.rationale.clone() }
        .fitted()
}
