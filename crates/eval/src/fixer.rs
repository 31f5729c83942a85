//! [`Fixer`]: what answers the cases of a suite. [`Product`] runs `fix` as a user gets it; tests
//! use fakes.

use std::path::{Path, PathBuf};

use agent::{Agent, FixOptions, FixOutcome, ModelSource};
use base::Ctx;
use policy::Approval;
use project::{ProjectError, Settings, Surroundings, Workspace};
use sandbox::Sandbox;

/// What answers the cases: the product, or a fake in a test.
pub trait Fixer: Sync {
    /// Repairs the package at `root`, in place if it is verified.
    fn fix(&self, ctx: &Ctx, root: &Path) -> Answer;

    /// Repairs what makes tests of the package fail, in place if only one change passes.
    fn fix_tests(&self, ctx: &Ctx, root: &Path) -> Answer {
        self.fix(ctx, root)
    }
}

/// The answer to a case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// `applied`, `proven`, `draft`, `none`, `clean`; `error` if the product failed.
    pub outcome: String,
    /// Why there is no repair.
    pub reason: Option<String>,
    /// Repairs that build but were rejected, each with the reason.
    pub refused: Vec<String>,
    /// What the repair does.
    pub rationale: Vec<String>,
    /// Diff of a draft, which the product never applies.
    pub draft: Option<String>,
    /// Diffs of the changes that all pass, of which the user has to choose one.
    pub choices: Vec<String>,
    /// Number of candidates that were compiled.
    pub candidates: usize,
    /// Tokens of language models.
    pub tokens: u64,
    /// Their cost in US dollars.
    pub cost: f64,
    /// Whether the user cancelled it.
    pub cancelled: bool,
}

/// The product as a user gets it: `fix`, then `apply` of the verified change. Only its cache and
/// state folders are in the run's output folder.
pub(crate) struct Product {
    settings: Settings,
    surroundings: Surroundings,
    sandbox: Sandbox,
}

impl Product {
    /// `work` is the folder of the run.
    pub(crate) fn new(
        settings: &Settings,
        surroundings: &Surroundings,
        sandbox: &Sandbox,
        work: &Path,
    ) -> Self {
        let folder = |name: &str| -> PathBuf { work.join(name) };
        analyzer::share_unpacked(&surroundings.cache_dir, &folder("cache"));
        let surroundings = Surroundings {
            cache_dir: folder("cache"),
            state_dir: folder("state"),
            ..surroundings.clone()
        };
        // The runs of all cases are compared with their replays.
        let mut settings = settings.clone();
        settings.trace_keep = usize::MAX;
        Self { settings, surroundings, sandbox: sandbox.clone() }
    }

    fn answer(&self, ctx: &Ctx, root: &Path, options: &FixOptions) -> Result<Answer, tools::Error> {
        let workspace =
            Workspace::open(ctx, root, &self.settings, &self.surroundings, self.sandbox.clone())?;
        let model = ModelSource::Settings(Box::new(self.surroundings.clone()));
        let agent = Agent::compose(workspace, model, Approval::default());
        let fixed = agent.fix(ctx, options.clone(), &mut |_| {})?;
        let report = agent.apply(ctx, fixed, false)?;
        Ok(Answer {
            outcome: match report.outcome {
                FixOutcome::Applied => "applied",
                FixOutcome::Proven => "proven",
                FixOutcome::Draft => "draft",
                FixOutcome::None | FixOutcome::Partial => "none",
                FixOutcome::Clean => "clean",
            }
            .to_owned(),
            reason: report.reason,
            refused: report
                .refused
                .into_iter()
                .map(|refused| format!("{} ({})", refused.reason, refused.rationale.join("; ")))
                .collect(),
            rationale: report.rationale,
            draft: (report.outcome == FixOutcome::Draft).then_some(report.diff),
            choices: report.choices.into_iter().map(|it| it.diff).collect(),
            candidates: report.candidates_tried,
            tokens: report.tokens,
            cost: report.cost,
            cancelled: false,
        })
    }
}

impl Product {
    fn answered(&self, ctx: &Ctx, root: &Path, options: &FixOptions) -> Answer {
        self.answer(ctx, root, options).unwrap_or_else(|error| Answer {
            outcome: "error".to_owned(),
            reason: Some(error.to_string()),
            cancelled: matches!(error, tools::Error::Project(ProjectError::Cancelled(_)))
                || ctx.is_cancelled(),
            ..Answer::default()
        })
    }
}

impl Fixer for Product {
    fn fix(&self, ctx: &Ctx, root: &Path) -> Answer {
        self.answered(ctx, root, &FixOptions::default())
    }

    fn fix_tests(&self, ctx: &Ctx, root: &Path) -> Answer {
        self.answered(ctx, root, &FixOptions { failing: true, ..FixOptions::default() })
    }
}
