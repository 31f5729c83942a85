use std::path::PathBuf;

use crate::{args_map, args_search};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

/// Changes Rust code safely: an edit is proven in an overlay before it reaches your tree.
#[derive(Debug, Parser)]
#[command(name = "graftage", version, max_term_width = 100, propagate_version = true)]
#[command(after_help = "Exit status: 0 done, 1 the answer is no, 2 bad usage or input, 3 the \
                        environment lacks something, 4 internal fault, 130 interrupted.")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What all commands take.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Global {
    /// The project; by default the workspace that encloses the present folder
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(crate) dir: Option<PathBuf>,
    /// One JSON document on standard output, nothing else there
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Never reach for the network
    #[arg(long, global = true)]
    pub(crate) offline: bool,
    /// Say only what was asked for
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Say more: every candidate, what it does and what stands in its way
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Set one setting for this call, as `config show` names it
    #[arg(long = "config", value_name = "KEY=VALUE", global = true)]
    pub(crate) config: Vec<String>,
    /// Let builds read this folder outside the project, now and in later calls: a path dependency,
    /// or a toolchain that the project names
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) trust_path: Vec<PathBuf>,
    /// Run foreign code even where the sandbox cannot confine it
    #[arg(long, global = true)]
    pub(crate) allow_unsandboxed: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Repair a small broken crate in a temporary folder and show how
    Demo,
    /// Prove the tree, or an edit on top of it, without writing anything
    Check(Check),
    /// Find the smallest proven repair of what keeps the tree from building
    Fix(Fix),
    /// Edits by hand or by a program
    #[command(subcommand)]
    Edit(Edit),
    /// Bring the map up to date: items, calls, uses, and how sure each is
    Index(args_map::Index),
    /// Hand the map on as JSON lines, or into the database
    Stream(args_map::Stream),
    /// Find code: by a description, a name, an error, or by what must change
    Search(args_search::Search),
    /// Pack what a task needs to know into a token budget
    Context(args_search::Context),
    /// Look at one item from all sides
    Show(args_map::Show),
    /// Who calls an item
    Callers(args_map::Walk),
    /// What an item calls
    Callees(args_map::Walk),
    /// What a change may reach, and which tests look at it
    Impact(args_map::Impact),
    /// The shortest way from one item to another
    Path(args_map::Path),
    /// Ask the map in Datalog
    Query(args_map::Query),
    /// Write documentation of the code base
    Docs(args_map::Docs),
    /// Remove what can be rebuilt
    Clean,
    /// Take back an accepted change (the newest, or the one named)
    Undo(Journal),
    /// Bring back an undone change
    Redo(Journal),
    /// Run evaluation suites and read their reports
    #[command(subcommand)]
    Eval(Eval),
    /// Look at what this machine offers and what a missing part would add
    Doctor,
    /// Settings
    #[command(subcommand)]
    Config(Config),
    /// Print the completion script of a shell
    Completions(Completions),
    /// Print the manual page
    #[command(hide = true)]
    Man,
}

/// Which tests a proof runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tests {
    /// None
    None,
    /// Those of the touched packages and of the packages that depend on them
    Affected,
    /// All of the workspace
    All,
}

impl From<Tests> for check::Tests {
    fn from(tests: Tests) -> Self {
        match tests {
            Tests::None => Self::None,
            Tests::Affected => Self::Affected,
            Tests::All => Self::All,
        }
    }
}

/// What a proof builds, in cargo's words [default: `check.scope`].
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "What is built and tested")]
pub(crate) struct Scope {
    /// Only this package (repeatable)
    #[arg(short, long = "package", value_name = "NAME")]
    packages: Vec<String>,
    /// All packages of the workspace
    #[arg(long, conflicts_with = "packages")]
    workspace: bool,
    /// Turn these features on
    #[arg(short = 'F', long, value_name = "NAMES", value_delimiter = ',')]
    features: Vec<String>,
    /// Turn all features on
    #[arg(long)]
    all_features: bool,
    /// Turn the default features off
    #[arg(long)]
    no_default_features: bool,
    /// Check examples, benches and tests too
    #[arg(long)]
    all_targets: bool,
    /// Build for this target
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
}

impl Scope {
    /// What the flags make of the setting `check.scope`; `None` where none was given.
    pub(crate) fn setting(&self) -> Option<(&'static str, String)> {
        let scope = check::Scope {
            packages: self.packages.clone(),
            lib_only: false,
            all_targets: self.all_targets,
            features: self.features.clone(),
            all_features: self.all_features,
            no_default_features: self.no_default_features,
            target: self.target.clone(),
        };
        let given = self.workspace || scope != check::Scope::default();
        given.then(|| ("check.scope", scope.to_string()))
    }
}

/// What a person allows a change by name.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct Allow {
    /// Allow the change to break this rule of preservation, by the name that a refusal gives
    /// (repeatable, recorded): `preservation:test-removed`
    #[arg(long = "allow", value_name = "preservation:NAME", value_parser = preservation_rule)]
    pub(crate) rules: Vec<String>,
}

/// The name behind `preservation:`.
fn preservation_rule(text: &str) -> Result<String, String> {
    let name = text
        .strip_prefix("preservation:")
        .ok_or_else(|| "write it as `preservation:NAME`".to_owned())?;
    name.parse::<preserve::Rule>().map(|rule| rule.as_str().to_owned()).map_err(|error| {
        let names: Vec<&str> = preserve::Rule::ALL.iter().map(|rule| rule.as_str()).collect();
        format!("{error}; one of {}", names.join(", "))
    })
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Check {
    /// Prove this edit on top of the tree: typed edits (JSON), a unified diff, search/replace
    /// blocks or a whole file; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) overlay: Option<PathBuf>,
    /// Which tests to run [default: none for the tree, `check.tests` for an overlay]
    #[arg(long)]
    pub(crate) tests: Option<Tests>,
    /// Run clippy too
    #[arg(long)]
    pub(crate) clippy: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
    /// Whether a live rust-analyzer looks at the edit before cargo [default: `analyzer.live`]
    #[arg(long, value_name = "MODE")]
    pub(crate) analyzer: Option<Live>,
}

/// Whether a rust-analyzer is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Live {
    /// No
    Off,
    /// Yes: about 10 CPU seconds before its first answer, and a twentieth of a check for each
    /// further one
    Live,
}

impl Live {
    /// What the flag makes of the setting.
    pub(crate) fn settings(flag: Option<Self>) -> Vec<(&'static str, &'static str)> {
        match flag {
            None => Vec::new(),
            Some(Self::Off) => vec![("analyzer.live", "false")],
            Some(Self::Live) => vec![("analyzer.live", "true")],
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Fix {
    /// Mend only errors of this code
    #[arg(long, value_name = "CODE")]
    pub(crate) error: Option<String>,
    /// Mend what makes this test fail
    #[arg(long, value_name = "NAME")]
    pub(crate) test: Option<String>,
    /// Which tests the repair must pass [default: `check.tests`]
    #[arg(long)]
    pub(crate) tests: Option<Tests>,
    /// Write the proven repair without asking
    #[arg(long)]
    pub(crate) apply: bool,
    /// Commit it too: one conventional commit of exactly its files
    #[arg(long, requires = "apply")]
    pub(crate) commit: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
    #[command(flatten)]
    pub(crate) allow: Allow,
    /// Who may propose
    #[arg(long, default_value = "all")]
    pub(crate) reasoner: Reasoner,
    /// Whether a live rust-analyzer proposes, and looks at candidates before cargo [default:
    /// `analyzer.live`; it proposes when `fix.analyzer` says]
    #[arg(long, value_name = "MODE")]
    pub(crate) analyzer: Option<Live>,
    /// Stop searching after so long
    #[arg(long, value_name = "N")]
    pub(crate) max_seconds: Option<u64>,
}

/// The reasoners that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reasoner {
    /// Deterministic rules: the compiler's suggestions under proof
    Rules,
    /// rust-analyzer's quick fixes and assists; starts one
    Analyzer,
    /// All that are present
    All,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Edit {
    /// Prove an edit and write it
    Apply(EditApply),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EditApply {
    /// The edit: typed edits (JSON), a unified diff, search/replace blocks or a whole file; `-`
    /// reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Which tests must hold [default: `check.tests`]
    #[arg(long)]
    pub(crate) tests: Option<Tests>,
    #[command(flatten)]
    pub(crate) scope: Scope,
    #[command(flatten)]
    pub(crate) allow: Allow,
    /// Whether a live rust-analyzer looks at the edit before cargo [default: `analyzer.live`]
    #[arg(long, value_name = "MODE")]
    pub(crate) analyzer: Option<Live>,
    /// Prove and show, write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// One conventional commit of exactly these files
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) commit: bool,
    /// Write it though the gate is closed, for this reason (kept in the record)
    #[arg(long = "override", value_name = "REASON", conflicts_with = "dry_run")]
    pub(crate) override_reason: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Journal {
    /// The change, as `fix` and `edit apply` named it
    pub(crate) id: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Eval {
    /// Run a suite: a case file, or the folder of a set
    Run(EvalRun),
    /// Fetch the crates that a suite is about into cargo's registry folder
    Fetch {
        /// The case file or the set's folder
        suite: PathBuf,
    },
    /// Compare the map's calls with what rust-analyzer says of a workspace
    Oracle(EvalOracle),
    /// Fit the weights of the search's scorer to sets A and B
    Fit(EvalFit),
    /// Print the report of a finished or interrupted run
    Report {
        /// The folder that `eval run --out` was given
        dir: PathBuf,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EvalRun {
    /// The case file or the set's folder
    pub(crate) suite: PathBuf,
    /// Where results, report and resumable state go
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Cases at a time [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Only the first so many cases
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Only these cases, by id
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(crate) cases: Vec<String>,
    /// Leave out the fixer that only deletes, which is measured beside
    #[arg(long)]
    pub(crate) no_deletion: bool,
    /// Have rust-analyzer say what calls mean before the map is judged (set F)
    #[arg(long)]
    pub(crate) analyzer: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EvalFit {
    /// Case files or sets' folders: set A for `locate`, set B for `find`
    #[arg(required = true)]
    pub(crate) suites: Vec<PathBuf>,
    /// Where the weights and the report go
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Crates at a time [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EvalOracle {
    /// The workspace, with a `Cargo.lock`
    pub(crate) workspace: PathBuf,
    /// Where the report goes, and rust-analyzer's index, which is used again
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// An index that `rust-analyzer scip` made of this state, instead of running it
    #[arg(long, value_name = "FILE")]
    pub(crate) index: Option<PathBuf>,
    /// Features that rust-analyzer takes for on besides the default ones; `all` for all
    #[arg(long, value_name = "FEATURE", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// Judge the map with rust-analyzer's words taken in: what is missing was lost on the way
    #[arg(long)]
    pub(crate) hydrated: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    /// Every setting with its value and where it came from
    Show,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}
