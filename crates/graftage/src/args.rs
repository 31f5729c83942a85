//! Arguments of the program; the doc comments are the help texts.

use std::path::PathBuf;

use crate::args_fleet::EngineArgs;
use crate::{
    args_edit, args_fleet, args_guidance, args_hook, args_map, args_memory, args_refactor,
    args_search, args_serve, args_tools, args_tui, args_world,
};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

/// Changes Rust code safely: every edit is checked in an overlay before it reaches your tree.
#[derive(Debug, Parser)]
#[command(name = "graftage", version, long_version = crate::version::LONG.as_str())]
#[command(max_term_width = 100, propagate_version = true)]
#[command(after_help = format!("Exit status: {}", crate::help::EXIT_STATUS))]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Options of all commands.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Global {
    /// Directory of the project [default: the workspace of the current directory]
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(crate) dir: Option<PathBuf>,
    /// Write the result as one JSON document to standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Do not use the network
    #[arg(long, global = true)]
    pub(crate) offline: bool,
    /// Print results only, no notes or progress
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Print details: every candidate with its changes and errors, complete lists
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Override a setting for this run (repeatable); `config show` lists all
    #[arg(long = "config", value_name = "KEY=VALUE", global = true)]
    pub(crate) config: Vec<String>,
    /// Let builds read this directory outside the project, now and in later runs: a path dependency
    /// or a custom toolchain (repeatable)
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) trust_path: Vec<PathBuf>,
    /// Let downloads contact this registry or package source that only the project names, now and in
    /// later runs (repeatable)
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) trust_registry: Vec<String>,
    /// Run build scripts, macros and tests even if the sandbox cannot confine them
    #[arg(long, global = true)]
    pub(crate) allow_unsandboxed: bool,
    /// Write an entry for each finished piece of work (jobs, proofs, stages of a search or of the map,
    /// tools, turns of a model) with its duration and numbers to standard error [env: GRAFTAGE_LOG]
    #[arg(long, value_enum, value_name = "FORM", global = true)]
    pub(crate) log: Option<crate::log::LogForm>,
    /// Ends with standard input: the command is a task of a fleet
    #[arg(long, hide = true)]
    pub(crate) task_of_fleet: bool,
    /// Folder for caches and records of this run
    #[arg(long, hide = true, value_name = "DIR")]
    pub(crate) caches: Option<PathBuf>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Repair a small broken crate in a temporary directory and show the steps
    Demo,
    /// Check the tree, or an edit on top of it, without writing anything
    Check(Check),
    /// Find the smallest verified repair of compile errors
    Fix(Fix),
    /// Finish an in-progress change: update the remaining uses
    Finish(Finish),
    /// Apply the draft of an earlier run, once it is verified on the same files
    Apply(Apply),
    /// Change the version of a dependency and adapt the code that uses it
    Upgrade(Upgrade),
    /// Change a definition and everything that follows from it
    #[command(subcommand)]
    Refactor(args_refactor::Refactor),
    /// Make a change that a text describes: by rules where they understand it, else by a language model
    Task(Task),
    /// Apply edits of yours or of a program, at once or as proposals
    #[command(subcommand)]
    Edit(args_edit::Edit),
    /// Read, edit and take changes on a screen, part by part, each part proven
    Tui(args_tui::Tui),
    /// Update the code map: items, calls and uses, each proven or a candidate
    Index(args_map::Index),
    /// Write the map as JSON lines, or into the database
    Stream(args_map::Stream),
    /// Serve coding agents: the tools of graftage over the Model Context Protocol
    #[command(subcommand)]
    Serve(args_serve::Serve),
    /// Search code by a description, a name, an error or a task
    Search(args_search::Search),
    /// Pack the relevant code of a task into a token budget
    Context(args_search::Context),
    /// Show one item: documentation, code, members, edges
    Show(args_map::Show),
    /// List the callers of an item
    Callers(args_map::Walk),
    /// List the items that an item calls
    Callees(args_map::Walk),
    /// List the items and tests that a change may affect
    Impact(args_map::Impact),
    /// Find the shortest path from one item to another
    Path(args_map::Path),
    /// Query the map and the record of proposals in Datalog
    Query(args_map::Query),
    /// Write Markdown documentation of the project
    Docs(args_map::Docs),
    /// Remove caches: the map and target directories of graftage
    Clean,
    /// Undo an accepted change (the newest, or the one with the given id)
    Undo(Journal),
    /// Redo an undone change (the last one, or the one with the given id)
    Redo(Journal),
    /// Run evaluation suites and print their reports
    #[command(subcommand)]
    Eval(Eval),
    /// Check the environment: toolchain, sandbox, optional programs
    Doctor(Doctor),
    /// Run a command in many repositories: results, patches and one page
    #[command(subcommand)]
    Fleet(args_fleet::Fleet),
    /// Models of this machine: list, download and try them
    #[command(subcommand)]
    Dobby(args_fleet::Dobby),
    /// Run tasks for an engine
    #[command(hide = true)]
    Worker(args_fleet::Worker),
    /// Summarize what is recorded of the project: runs, retrieval, tool calls, proposals
    Stats,
    /// Search what was done in the project and what came of it, or forget it
    #[command(subcommand)]
    Memory(args_memory::Memory),
    /// Show settings
    #[command(subcommand)]
    Config(Config),
    /// Show, explain and verify the policy: what blocks the writing of a change
    #[command(subcommand)]
    Policy(args_guidance::Policy),
    /// Answer a hook of a coding agent: its JSON on standard input, the answer on standard output
    Hook(args_hook::Hook),
    /// Show what the project asks of those who change a path: its AGENTS.md files and what they link to
    #[command(subcommand)]
    Rules(args_guidance::Rules),
    /// Play stories in a browser: what a person does on a page, and sees
    #[command(subcommand)]
    World(args_world::World),
    /// Find, read, validate and run skills: of the project, of the user, and shipped
    #[command(subcommand)]
    Skills(args_guidance::Skills),
    /// Keep plans: those of yours and those of `task`, as trees of steps
    #[command(subcommand)]
    Plan(args_guidance::Plan),
    /// List and call the tools that models and servers use
    #[command(subcommand)]
    Tools(args_tools::Tools),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print a manual page, or write those of all commands
    Man(Man),
}

/// Tests that a check runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tests {
    /// No tests
    None,
    /// Tests of the changed packages and of the packages that depend on them
    Affected,
    /// All tests of the workspace
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

/// Scope of a check, with the options of cargo [default: `check.scope`].
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Build options")]
pub(crate) struct Scope {
    /// Check only this package (repeatable)
    #[arg(short, long = "package", value_name = "NAME")]
    packages: Vec<String>,
    /// Check all packages of the workspace
    #[arg(long, conflicts_with = "packages")]
    workspace: bool,
    /// Enable these features
    #[arg(short = 'F', long, value_name = "NAMES", value_delimiter = ',')]
    features: Vec<String>,
    /// Enable all features
    #[arg(long)]
    all_features: bool,
    /// Disable the default features
    #[arg(long)]
    no_default_features: bool,
    /// Check examples, benches and tests too
    #[arg(long)]
    all_targets: bool,
    /// Build for this target triple
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
}

impl Scope {
    /// The flags as a value of the setting `check.scope`; `None` without flags.
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

/// Preservation rules that the user allows a change to break, and protected files that it may change.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct Allow {
    /// Allow the change to break this preservation rule, or to change this file that only a person may
    /// change (`graftage policy show` lists them), as named by a refusal:
    /// `preservation:test-removed`, `protected-file:.cargo/config.toml`; `guess`: a guess that
    /// no test covers; `revert`: a repair that reverts your change (repeatable, recorded)
    #[arg(long = "allow", value_name = "RULE:NAME", value_parser = allowed_rule)]
    pub(crate) rules: Vec<String>,
}

/// Parses the rule name after `preservation:`, the path after `protected-file:`, or what makes a repair a
/// draft.
fn allowed_rule(text: &str) -> Result<String, String> {
    if agent::DRAFTS.contains(&text) {
        return Ok(text.to_owned());
    }
    if let Some(path) =
        text.strip_prefix(policy::PROTECTED_FILE).and_then(|it| it.strip_prefix(':'))
    {
        let path = base::ProjectPath::new(path).map_err(|error| error.to_string())?;
        return Ok(format!("{}:{path}", policy::PROTECTED_FILE));
    }
    let name = text.strip_prefix("preservation:").ok_or_else(|| {
        "use `preservation:NAME`, `protected-file:PATH`, `guess` or `revert`".to_owned()
    })?;
    name.parse::<preserve::Rule>().map(|rule| rule.as_str().to_owned()).map_err(|error| {
        let names: Vec<&str> = preserve::Rule::ALL.iter().map(|rule| rule.as_str()).collect();
        format!("{error}; use one of: {}", names.join(", "))
    })
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Check {
    /// Check this edit on top of the tree: typed edits (JSON), a unified diff, search/replace
    /// blocks or a whole file; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) overlay: Option<PathBuf>,
    /// Which tests to run [default: none for the tree, `check.tests` for an overlay]
    #[arg(long)]
    pub(crate) tests: Option<Tests>,
    /// Run clippy too
    #[arg(long)]
    pub(crate) clippy: bool,
    /// Play the stories that the change may affect in a browser, too
    #[arg(long)]
    pub(crate) stories: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
    /// Use of a live rust-analyzer, which checks the edit before cargo [default: `analyzer.live`]
    #[arg(long, value_name = "MODE")]
    pub(crate) analyzer: Option<Live>,
}

/// Use of a live rust-analyzer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Live {
    /// Do not start rust-analyzer
    Off,
    /// Start rust-analyzer: about 10 CPU seconds for the first result, then about 5 % of the cost of
    /// a cargo check for each further one
    Live,
}

impl Live {
    /// The flag as settings.
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
    /// Fix only errors with this code
    #[arg(long, value_name = "CODE", conflicts_with = "resume")]
    pub(crate) error: Option<String>,
    /// Fix this failing test
    #[arg(long, value_name = "NAME", conflicts_with = "resume")]
    pub(crate) test: Option<String>,
    /// Fix all failing tests, once the tree builds
    #[arg(long, conflicts_with_all = ["test", "resume"])]
    pub(crate) failing_tests: bool,
    #[command(flatten)]
    pub(crate) repair: Repair,
    /// Choose one of several changes that pass, such as the sides of a merge conflict, from 1
    #[arg(long, value_name = "N")]
    pub(crate) choose: Option<usize>,
    #[command(flatten)]
    pub(crate) answering: Answering,
    /// Sources of candidate repairs
    #[arg(long, default_value = "all", conflicts_with = "resume")]
    pub(crate) reasoner: FixReasoner,
    #[command(flatten)]
    pub(crate) model: Model,
    /// Use of a live rust-analyzer, which proposes repairs and checks candidates before cargo
    /// [default: `analyzer.live`; see also `fix.analyzer`]
    #[arg(long, value_name = "MODE")]
    pub(crate) analyzer: Option<Live>,
    /// Time limit of the search in seconds [default: `fix.timeout_seconds`]
    #[arg(long, value_name = "N")]
    pub(crate) max_seconds: Option<u64>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Task {
    /// The task, or a file with it (`-`: standard input): `rename Foo::bar to baz`, `add a parameter
    /// timeout: Duration to connect`. Several steps as a list are a plan
    #[arg(value_name = "TEXT|FILE", required_unless_present = "resume")]
    pub(crate) task: Option<String>,
    /// Print the plan and stop; it is stored and can be edited
    #[arg(long)]
    pub(crate) plan: bool,
    /// Continue a stored plan
    #[arg(long, value_name = "ID", conflicts_with = "task")]
    pub(crate) resume: Option<String>,
    #[command(flatten)]
    pub(crate) repair: Repair,
    #[command(flatten)]
    pub(crate) model: Model,
    /// Time limit of each search in seconds [default: `fix.timeout_seconds`]
    #[arg(long, value_name = "N")]
    pub(crate) max_seconds: Option<u64>,
}

/// What a repair must pass, and what happens with it.
#[derive(Debug, ClapArgs)]
pub(crate) struct Repair {
    /// Tests that the repair must pass [default: `check.tests`]
    #[arg(long)]
    pub(crate) tests: Option<Tests>,
    /// Write the verified repair without asking
    #[arg(long)]
    pub(crate) apply: bool,
    /// Commit the repair too, as one conventional commit of exactly its files
    #[arg(long, requires = "apply")]
    pub(crate) commit: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
    #[command(flatten)]
    pub(crate) allow: Allow,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Finish {
    /// Commit to compare the tree with: the difference is your in-progress change
    #[arg(long, value_name = "REV", default_value = "HEAD", conflicts_with = "resume")]
    pub(crate) base: String,
    #[command(flatten)]
    pub(crate) repair: Repair,
    #[command(flatten)]
    pub(crate) answering: Answering,
    /// Time limit of the search in seconds [default: `fix.timeout_seconds`]
    #[arg(long, value_name = "N")]
    pub(crate) max_seconds: Option<u64>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Apply {
    /// Id of the run, as it is printed with the draft; its guesses are taken as they are
    #[arg(value_name = "ID")]
    pub(crate) run: String,
    /// Tests that the change must pass [default: `check.tests`]
    #[arg(long)]
    pub(crate) tests: Option<Tests>,
    /// Commit the change too, as one conventional commit of exactly its files
    #[arg(long, conflicts_with = "partial")]
    pub(crate) commit: bool,
    /// Take a change that leaves errors, with them; no test runs
    #[arg(long)]
    pub(crate) partial: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
    #[command(flatten)]
    pub(crate) allow: Allow,
}

/// Answers to what neither a rule nor the proof decides.
#[derive(Debug, ClapArgs)]
pub(crate) struct GivenAnswers {
    /// Answer a question of an earlier run: the number of an option, or an expression (`=5` is the number itself)
    #[arg(long = "answer", value_name = "ID=ANSWER", value_parser = answer)]
    pub(crate) answers: Vec<(String, String)>,
    /// File with answers, a JSON object of ids and answers; `-` is standard input
    #[arg(long = "answers", value_name = "FILE")]
    pub(crate) answer_file: Option<PathBuf>,
    /// Ask nothing on a terminal: what would be asked is listed
    #[arg(long)]
    pub(crate) no_questions: bool,
}

/// The same, and how an earlier run is continued or ended.
#[derive(Debug, ClapArgs)]
pub(crate) struct Answering {
    #[command(flatten)]
    pub(crate) given: GivenAnswers,
    /// Continue an earlier run on the same files, by its id: what it tried is not tried again
    #[arg(long, value_name = "ID")]
    pub(crate) resume: Option<String>,
    /// If no repair makes the tree build, write what is certain with the errors that it leaves: fewer than before, and
    /// none new; it is not verified, and no test runs
    #[arg(long, conflicts_with = "commit")]
    pub(crate) partial: bool,
}

/// Parses an answer: the id of a question before the first `=`.
fn answer(text: &str) -> Result<(String, String), String> {
    let usage = || "use the id of a question and its answer: `q1a2b3=1`".to_owned();
    agent::Answers::pair(text).ok_or_else(usage)
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Upgrade {
    /// Package name of the dependency, and its new version as in a manifest: `rand`, `rand@0.9`
    /// [default: the newest]
    #[arg(value_name = "DEPENDENCY[@VERSION]", required_unless_present = "edition")]
    pub(crate) dependency: Option<String>,
    /// Migrate the packages of the workspace to this edition instead: by the compiler's lints, the
    /// manifests, and repairs of the remaining errors
    #[arg(long, value_name = "YEAR", conflicts_with = "dependency")]
    pub(crate) edition: Option<String>,
    /// Apply even if lints report possible semantic changes, or if the dependency is not built here:
    /// one of another platform
    #[arg(long)]
    pub(crate) accept_warnings: bool,
    #[command(flatten)]
    pub(crate) repair: Repair,
    #[command(flatten)]
    pub(crate) answers: GivenAnswers,
    /// Sources of candidate repairs
    #[arg(long, default_value = "rules")]
    pub(crate) reasoner: Reasoner,
    /// Time limit of the search in seconds [default: `fix.timeout_seconds`]
    #[arg(long, value_name = "N")]
    pub(crate) max_seconds: Option<u64>,
}

/// Sources of candidate repairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reasoner {
    /// Rules: suggestions of the compiler and rules of graftage
    Rules,
    /// Quick fixes of rust-analyzer, which is started
    Analyzer,
    /// All that are available
    All,
}

/// Sources of candidate repairs of `fix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FixReasoner {
    /// Rules: suggestions of the compiler and rules of graftage
    Rules,
    /// Quick fixes of rust-analyzer, which is started
    Analyzer,
    /// The language model of the configuration (`model.provider`)
    Model,
    /// All that are available, a language model last
    All,
}

/// Use of a language model.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Language model")]
pub(crate) struct Model {
    /// Name of the language model [default: `model.name`]
    #[arg(long = "model", value_name = "NAME")]
    name: Option<String>,
    /// Maximum cost of the run in US dollars [default: `model.max_cost`]
    #[arg(long, value_name = "DOLLARS")]
    max_cost: Option<String>,
}

impl Model {
    /// The flags as settings.
    pub(crate) fn settings(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let name = self.name.as_deref().map(|it| ("model.name", it));
        name.into_iter().chain(self.max_cost.as_deref().map(|it| ("model.max_cost", it)))
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Doctor {
    /// Print a bundle for a report of a problem, as JSON: versions, what works, numbers of past runs; no
    /// code, names, paths or values of settings that are text
    #[arg(long)]
    pub(crate) bundle: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Journal {
    /// Id of the change, as printed by `fix` and `edit apply`
    pub(crate) id: Option<String>,
    /// Show the change that would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Eval {
    /// Run a suite
    Run(EvalRun),
    /// Run recorded runs again, without cargo, model or project, and compare the results byte for byte.
    /// Ends with status 1 if one differs
    Replay {
        /// Trace of a run, or directory that is searched for traces
        trace: PathBuf,
    },
    /// Print the report of a finished or interrupted run; of several runs of one suite, how they differ:
    /// rules, retrieval settings, models or builds
    Report {
        /// Output directories of `eval run --out`; the others are compared with the first
        #[arg(required = true)]
        dirs: Vec<PathBuf>,
        /// Write the comparison as one HTML page
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EvalRun {
    /// Case file, or directory of a set
    pub(crate) suite: PathBuf,
    /// Output directory for results, report and state to resume from
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Number of parallel cases, or of workers [default: the number of cores, or of the cluster's]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// Run only the first N cases
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Run only these cases, by id
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(crate) cases: Vec<String>,
    /// Skip the deletion-only baseline
    #[arg(long)]
    pub(crate) no_deletion: bool,
    /// Add results of rust-analyzer to the map before it is compared (set F)
    #[arg(long)]
    pub(crate) analyzer: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    /// List all settings with value, origin, purpose and accepted values
    Show,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Completions {
    /// Shell
    pub(crate) shell: Shell,
}

/// A shell with completions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(clippy::enum_variant_names, reason = "the name of that shell")]
pub(crate) enum Shell {
    Bash,
    Elvish,
    Fish,
    Nushell,
    #[value(name = "powershell")]
    PowerShell,
    Zsh,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Man {
    /// Command, with the one below it if it has any: `fix`, `refactor rename` [default: the page of graftage]
    pub(crate) command: Vec<String>,
    /// Write the pages of all commands into this directory
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub(crate) out: Option<PathBuf>,
}
