use base::Ctx;
use check::Tests;
use edit::Overlay;
use policy::Approval;
use repair::{Advised, CompilerSuggestions, Reasoner, Search, SearchLimits};
use repo::{ApplyOptions, CommitMessage};
use tools::{Acceptance, Accepted, FixAnalyzer, FixRules, Workspace};

use crate::prove::WIDTH;
use crate::task::{Task, counted};
use crate::{AgentError, Event, FixReport, Outcome, Step};

/// rust-analyzer's proposals, where it comes last, get at most this share of the attempts besides.
const LATE_SHARE: usize = 3;

/// What to mend and how far to go for it.
#[derive(Clone, Debug, Default)]
pub struct FixOptions {
    /// Only errors of this code (`E0308`).
    pub error: Option<String>,
    /// Mend what makes this test fail (a filter on its name).
    pub test: Option<String>,
    /// Which tests a repair must pass; the settings' choice when absent.
    pub tests: Option<Tests>,
    /// The longest that the search may take; the settings' choice when absent.
    pub max_seconds: Option<u64>,
    /// Who may propose.
    pub reasoners: Reasoners,
    /// What a person decided about the repair: rules of preservation that it may break.
    pub approval: Approval,
}

/// Whose repairs are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reasoners {
    /// All that are present: rules, and rust-analyzer when the settings (`fix.analyzer`) say.
    #[default]
    All,
    /// The deterministic rules.
    Rules,
    /// rust-analyzer's quick fixes.
    Analyzer,
}

/// The answer, and – where the gate opened – what [`apply`] needs.
#[derive(Debug)]
pub struct Fixed {
    /// The answer.
    pub report: FixReport,
    /// The proven repair and the right to write it.
    pub accepted: Option<Accepted>,
}

/// Finds the smallest proven repair of what keeps the tree from building. Writes nothing.
pub fn fix(
    ctx: &Ctx,
    workspace: &Workspace,
    options: &FixOptions,
    on: &mut dyn FnMut(&Event),
) -> Result<Fixed, AgentError> {
    let mut task = Task::new(ctx, workspace, options, on)?;

    task.enter(Step::Check, "the tree as it stands");
    let baseline = task.baseline()?;
    let seeds = task.seeds(&baseline);
    if seeds.is_empty() {
        return Ok(task.nothing_to_mend(&baseline));
    }

    task.enter(Step::Propose, format!("repairs of {}", counted(seeds.len(), "error")));
    let limits =
        SearchLimits { attempts: workspace.settings().fix_attempts, ..SearchLimits::default() };
    let (reasoners, mut late) = reasoners(ctx, workspace, options.reasoners)?;
    late &= repair::is_advisable(&seeds);
    let mut search = Search::new(reasoners, limits, &seeds, workspace.project());

    while task.has_time() {
        let mut attempts = search.next(WIDTH);
        let is_late = attempts.is_empty();
        if is_late {
            attempts = task.put_off(WIDTH);
        }
        if attempts.is_empty() && late {
            late = false;
            task.enter(Step::Propose, "asking rust-analyzer");
            if let Some(advisor) = workspace.advisor(ctx)? {
                let more = workspace.settings().fix_attempts / LATE_SHARE;
                search.enlist(Box::new(Advised::new(advisor)), more.max(1), workspace.project());
                continue;
            }
        }
        if attempts.is_empty() {
            break;
        }
        task.try_all(&mut search, &attempts, is_late)?;
        if let Some(accepted) = task.settle(&mut search)? {
            return Ok(accepted);
        }
    }
    ctx.check_cancelled()?;
    task.give_up(&search)
}

/// Who speaks from the start, and whether rust-analyzer is asked once these have failed.
fn reasoners(
    ctx: &Ctx,
    workspace: &Workspace,
    which: Reasoners,
) -> Result<(Vec<Box<dyn Reasoner>>, bool), AgentError> {
    let settings = workspace.settings();
    let mut reasoners: Vec<Box<dyn Reasoner>> = match (which, settings.fix_rules) {
        (Reasoners::Analyzer, _) | (_, FixRules::None) => Vec::new(),
        (Reasoners::All | Reasoners::Rules, FixRules::Compiler) => {
            vec![Box::new(CompilerSuggestions)]
        }
        (Reasoners::All | Reasoners::Rules, FixRules::All) => repair::reasoners(),
    };
    let when = match which {
        Reasoners::Rules => FixAnalyzer::Never,
        Reasoners::Analyzer => FixAnalyzer::First,
        // It runs already.
        Reasoners::All if settings.analyzer_live => FixAnalyzer::First,
        Reasoners::All => settings.fix_analyzer,
    };
    if when == FixAnalyzer::First
        && let Some(advisor) = workspace.advisor(ctx)?
    {
        reasoners.push(Box::new(Advised::new(advisor)));
    }
    Ok((reasoners, when == FixAnalyzer::Last))
}

/// Writes an accepted repair, and commits it where asked. Where other files changed since its proof,
/// it is proven again first; the outcome is [`Outcome::None`] where it does not hold any more.
pub fn apply(
    ctx: &Ctx,
    workspace: &Workspace,
    fixed: Fixed,
    commit: bool,
) -> Result<FixReport, AgentError> {
    let Fixed { mut report, accepted } = fixed;
    let Some(accepted) = accepted else {
        return Ok(report);
    };
    let commit = commit || workspace.settings().commit_always;
    let options = ApplyOptions {
        commit: commit.then(|| commit_message(&report, &accepted.overlay)),
        ..ApplyOptions::default()
    };
    match tools::accept(ctx, workspace, accepted, &options)? {
        Acceptance::Written { applied, evidence } => {
            report.outcome = Outcome::Applied;
            report.evidence = Some(*evidence);
            report.id = Some(applied.id);
            report.commit = applied.commit;
        }
        Acceptance::Refused { checked, refusals, moved } => {
            let reasons: Vec<String> = refusals.iter().map(ToString::to_string).collect();
            report.outcome = Outcome::None;
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
        [] => "repair what does not compile".to_owned(),
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
