use std::path::PathBuf;

use base::Hint;

/// Why a suite could not be run. A case that goes wrong is a result, never one of these.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// A file or folder of the suite or the output cannot be read or written.
    #[error("`{path}` cannot be used: {reason}", path = path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// The system's word.
        reason: String,
    },
    /// The folder or file is no suite that is known.
    #[error("`{path}` is no suite that can be run: {reason}", path = path.display())]
    UnknownSuite {
        /// Which.
        path: PathBuf,
        /// What was looked for.
        reason: String,
    },
    /// A line of a suite's file does not fit its layout.
    #[error("`{path}` line {line} is no case: {reason}", path = path.display())]
    BadCase {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A case that was asked for is not in the suite.
    #[error("no case `{id}` in the suite")]
    NoSuchCase {
        /// As asked.
        id: String,
    },
    /// Another run writes into the same folder.
    #[error("another run is writing into `{path}`", path = path.display())]
    Busy {
        /// The file that it holds.
        path: PathBuf,
    },
    /// A crate's sources are not in the registry folder.
    #[error("the sources of {missing} are not in `{folder}`", missing = missing.join(", "), folder = folder.display())]
    NoSources {
        /// `name version` of each.
        missing: Vec<String>,
        /// Where they were looked for.
        folder: PathBuf,
    },
    /// A program that the suite needs is not in the toolchain.
    #[error("the toolchain has no `{0}`")]
    NoProgram(&'static str),
    /// The toolchain, or running it.
    #[error(transparent)]
    Cargo(#[from] cargo::CargoError),
    /// Mapping a workspace.
    #[error(transparent)]
    Ingest(#[from] ingest::IngestError),
    /// Asking rust-analyzer.
    #[error(transparent)]
    Analyzer(#[from] analyzer::AnalyzerError),
    /// Opening a project, or asking its tools.
    #[error(transparent)]
    Tools(#[from] tools::Error),
    /// Running a program.
    #[error(transparent)]
    Sandbox(#[from] sandbox::SandboxError),
    /// A case's own files could not be made.
    #[error("case `{id}` cannot be laid out: {reason}")]
    Layout {
        /// Which.
        id: String,
        /// Why.
        reason: String,
    },
    /// The user asked to stop; what is finished is kept.
    #[error("interrupted")]
    Cancelled(#[from] base::Cancelled),
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
            Self::BadCase { .. } => "mend that line, or take the file anew".to_owned(),
            Self::NoSuchCase { .. } => "case ids stand in the suite's file as `id`".to_owned(),
            Self::Busy { .. } => "wait for it, or choose another `--out`".to_owned(),
            Self::NoSources { .. } => {
                "run `graftage eval fetch SUITE`, which fetches them with cargo".to_owned()
            }
            Self::NoProgram(name) => format!("`rustup component add {}`", component(name)),
            Self::Cargo(error) => return error.hint(),
            Self::Ingest(error) => return error.hint(),
            Self::Analyzer(error) => return error.hint(),
            Self::Tools(error) => return error.hint(),
            Self::Sandbox(error) => return error.hint(),
            Self::Layout { .. } => "the case's patch or lock does not fit its sources".to_owned(),
            Self::Cancelled(_) => {
                "run the same command again: it goes on where it stopped".to_owned()
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
