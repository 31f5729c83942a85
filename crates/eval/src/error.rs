//! [`EvalError`]: why a suite could not be run. A case that fails is a result instead.

use std::path::PathBuf;

use base::Hint;

/// Why a suite could not be run. A case that fails is a result instead.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// A file or folder of the suite or the output cannot be read or written.
    #[error("`{path}` cannot be used: {reason}", path = path.display())]
    Io {
        /// File or folder.
        path: PathBuf,
        /// Error of the system.
        reason: String,
    },
    /// The folder or file is no known suite.
    #[error("`{path}` is no suite that can be run: {reason}", path = path.display())]
    UnknownSuite {
        /// File or folder.
        path: PathBuf,
        /// What was expected.
        reason: String,
    },
    /// A line of a suite's file does not fit its layout.
    #[error("`{path}` line {line} is no case: {reason}", path = path.display())]
    BadCase {
        /// File of the suite.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A requested case is not in the suite.
    #[error("no case `{id}` in the suite")]
    NoSuchCase {
        /// Id as requested.
        id: String,
    },
    /// Another run uses the same folder.
    #[error("another run is writing into `{path}`", path = path.display())]
    Busy {
        /// File that it has locked.
        path: PathBuf,
    },
    /// The cases of a suite are answered from one index.
    #[error("the cases of {suite} share one index, and run in one process")]
    InOneProcess {
        /// The suite.
        suite: &'static str,
    },
    /// No run was named.
    #[error("there is no run to compare")]
    NothingToCompare,
    /// Runs of different suites cannot be compared.
    #[error("`{run}` is a run of {other}, not of {suite}")]
    OtherSuite {
        /// The run.
        run: String,
        /// Its suite.
        other: String,
        /// The suite of the first run.
        suite: String,
    },
    /// A crate's sources are not in the registry folder.
    #[error("the sources of {missing} are not in `{folder}`", missing = missing.join(", "), folder = folder.display())]
    NoSources {
        /// `name version` of each.
        missing: Vec<String>,
        /// Folder that was searched.
        folder: PathBuf,
    },
    /// A program that the suite needs is not in the toolchain.
    #[error("the toolchain has no `{0}`")]
    NoProgram(&'static str),
    /// The toolchain failed, or could not be run.
    #[error(transparent)]
    Cargo(#[from] build::CargoError),
    /// A workspace could not be indexed.
    #[error(transparent)]
    Ingest(#[from] ingest::IngestError),
    /// rust-analyzer failed.
    #[error(transparent)]
    Analyzer(#[from] analyzer::AnalyzerError),
    /// A project could not be opened, or one of its tools failed.
    #[error(transparent)]
    Tools(#[from] tools::Error),
    /// A program could not be run.
    #[error(transparent)]
    Sandbox(#[from] sandbox::SandboxError),
    /// The files of a case could not be created.
    #[error("case `{id}` cannot be laid out: {reason}")]
    Layout {
        /// Id of the case.
        id: String,
        /// Reason.
        reason: String,
    },
    /// The user cancelled it; finished results are kept.
    #[error("interrupted")]
    Cancelled(#[from] base::Cancelled),
}

impl From<project::ProjectError> for EvalError {
    fn from(error: project::ProjectError) -> Self {
        Self::Tools(error.into())
    }
}

impl From<code::CodeError> for EvalError {
    fn from(error: code::CodeError) -> Self {
        Self::Tools(error.into())
    }
}

impl EvalError {
    pub(crate) fn io(path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::Io { path: path.to_path_buf(), reason: error.to_string() }
    }
}

impl Hint for EvalError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Io { .. } => "check the path and its permissions".to_owned(),
            Self::UnknownSuite { .. } => {
                "name a folder or a `.jsonl` file of the evaluation data".to_owned()
            }
            Self::BadCase { .. } => "correct that line, or download the file again".to_owned(),
            Self::NothingToCompare | Self::OtherSuite { .. } => {
                "pass output folders of `eval run` of the same suite".to_owned()
            }
            Self::InOneProcess { .. } => "leave `--engine` out".to_owned(),
            Self::NoSuchCase { .. } => "case ids stand in the suite's file as `id`".to_owned(),
            Self::Busy { .. } => "wait for it, or choose another `--out`".to_owned(),
            Self::NoSources { .. } => {
                "run `cargo xtask eval fetch SUITE`, which fetches them with cargo".to_owned()
            }
            Self::NoProgram(name) => format!("`rustup component add {}`", component(name)),
            Self::Cargo(error) => return error.hint(),
            Self::Ingest(error) => return error.hint(),
            Self::Analyzer(error) => return error.hint(),
            Self::Tools(error) => return error.hint(),
            Self::Sandbox(error) => return error.hint(),
            Self::Layout { .. } => "the case's patch or lock does not fit its sources".to_owned(),
            Self::Cancelled(_) => {
                "run the same command again: it continues where it stopped".to_owned()
            }
        })
    }
}

fn component(program: &str) -> &str {
    match program {
        "clippy-driver" => "clippy",
        other => other,
    }
}
