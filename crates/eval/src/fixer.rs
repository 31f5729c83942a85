use std::path::{Path, PathBuf};

use agent::{FixOptions, FixOutcome};
use base::Ctx;
use sandbox::Sandbox;
use tools::{Settings, Surroundings, Workspace};

/// What answers the cases: the product, or a stand-in of a test.
pub trait Fixer: Sync {
    /// Mends the package at `root`, in place where it is sure of it.
    fn fix(&self, ctx: &Ctx, root: &Path) -> Answer;
}

/// How a case was answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// `applied`, `proven`, `draft`, `none`, `clean`; `error` where the product failed.
    pub outcome: String,
    /// Why there is no repair.
    pub reason: Option<String>,
    /// Repairs that build and were turned down, each with the reason.
    pub refused: Vec<String>,
    /// What the repair does.
    pub rationale: Vec<String>,
    /// A draft's diff, which is never applied by the product.
    pub draft: Option<String>,
    /// How many candidates went through the compiler.
    pub candidates: usize,
    /// The user asked to stop.
    pub cancelled: bool,
}

/// The product as a user gets it: `fix`, then `apply` of what was proven. Only its folders for
/// caches and state lie with the run's output.
pub struct Product {
    settings: Settings,
    surroundings: Surroundings,
    sandbox: Sandbox,
}

impl Product {
    /// `work` is the run's folder.
    pub fn new(
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
        Self { settings: settings.clone(), surroundings, sandbox: sandbox.clone() }
    }

    fn answer(&self, ctx: &Ctx, root: &Path) -> Result<Answer, tools::Error> {
        let workspace =
            Workspace::open(ctx, root, &self.settings, &self.surroundings, self.sandbox.clone())?;
        let fixed = agent::fix(ctx, &workspace, &FixOptions::default(), &mut |_| {})?;
        let report = agent::apply(ctx, &workspace, fixed, false)?;
        Ok(Answer {
            outcome: match report.outcome {
                FixOutcome::Applied => "applied",
                FixOutcome::Proven => "proven",
                FixOutcome::Draft => "draft",
                FixOutcome::None => "none",
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
            candidates: report.candidates_tried,
            cancelled: false,
        })
    }
}

impl Fixer for Product {
    fn fix(&self, ctx: &Ctx, root: &Path) -> Answer {
        self.answer(ctx, root).unwrap_or_else(|error| Answer {
            outcome: "error".to_owned(),
            reason: Some(error.to_string()),
            cancelled: matches!(error, tools::Error::Cancelled(_)) || ctx.is_cancelled(),
            ..Answer::default()
        })
    }
}
