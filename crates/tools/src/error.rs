//! The error type of all commands, with exit classes and hints.

mod hints;
mod kinds;

use serde::{Deserialize, Serialize};

use crate::{ProposalError, SettingsError};

/// The error of a command. Messages and hints of the crates below are passed through; the command
/// line adds the exit status.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A setting has a bad name or value.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The user's tree, the journal or git failed.
    #[error(transparent)]
    Repo(#[from] repo::RepoError),
    /// A check failed to run.
    #[error(transparent)]
    Check(#[from] check::CheckError),
    /// The toolchain or cargo failed.
    #[error(transparent)]
    Cargo(#[from] build::CargoError),
    /// An edit request is not valid.
    #[error(transparent)]
    Edit(#[from] edit::EditError),
    /// The map could not be updated.
    #[error(transparent)]
    Ingest(#[from] ingest::IngestError),
    /// The configured model could not be loaded.
    #[error(transparent)]
    Model(#[from] model::ModelError),
    /// The language model cannot be used, or gave no answer.
    #[error(transparent)]
    Turn(#[from] model::language::TurnError),
    /// A language model is asked for, and none is configured.
    #[error("no language model is configured")]
    NoModel,
    /// There is no plan of this id, or its file is none.
    #[error("no plan `{id}`: {reason}")]
    NoPlan {
        /// The id in the request.
        id: String,
        /// The reason.
        reason: String,
    },
    /// The rules of the project cannot be given.
    #[error(transparent)]
    Rules(#[from] memory::RulesError),
    /// A skill cannot be used.
    #[error(transparent)]
    Skill(#[from] memory::SkillError),
    /// A plan cannot be read or changed.
    #[error(transparent)]
    Relation(#[from] memory::RelationError),
    /// A path of a request is not inside the project.
    #[error(transparent)]
    Path(#[from] base::PathError),
    /// A text cannot be a plan or a step of one.
    #[error("{reason}")]
    BadPlan {
        /// The reason.
        reason: String,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::StoreError),
    /// A consent is worth nothing for what is to be written.
    #[error(transparent)]
    Consent(#[from] crate::ConsentError),
    /// A proposal cannot be found, verified or approved.
    #[error(transparent)]
    Proposal(#[from] ProposalError),
    /// No item of the map has this name.
    #[error("no item named `{query}`")]
    NoItem {
        /// The name in the request.
        query: String,
        /// Similar canonical paths, best first.
        nearest: Vec<String>,
    },
    /// The path names a package outside the project.
    #[error(
        "`{query}` is in the package `{package}`, which is outside this project: the map does not have its items"
    )]
    OutsideItem {
        /// The name in the request.
        query: String,
        /// The package.
        package: String,
    },
    /// The only definition of this name is in the input of a macro call.
    #[error(
        "`{query}` is made by the macro call at {place}: such an item cannot be changed as one"
    )]
    InMacroCall {
        /// The name in the request.
        query: String,
        /// File and line of the definition.
        place: String,
    },
    /// No item has this name, and files of the project are not in the map.
    #[error("no item named `{query}`; the map does not have {}", files.join(", "))]
    NotMapped {
        /// The name in the request.
        query: String,
        /// The files with the reasons.
        files: Vec<String>,
    },
    /// Several items have this name.
    #[error("`{query}` is ambiguous ({} matches)", candidates.len())]
    Ambiguous {
        /// The name in the request.
        query: String,
        /// The matching items, one line each.
        candidates: Vec<String>,
    },
    /// A text cannot be the name of an item.
    #[error("`{name}` cannot be a name: {reason}")]
    BadName {
        /// The text.
        name: String,
        /// The reason.
        reason: String,
    },
    /// An item cannot be renamed.
    #[error("`{item}` cannot be renamed: {reason}")]
    NotRenamed {
        /// The item in the request.
        item: String,
        /// The reason.
        reason: String,
    },
    /// An item cannot move to a module.
    #[error("`{item}` cannot be moved: {reason}")]
    NotMoved {
        /// The item in the request.
        item: String,
        /// The reason.
        reason: String,
    },
    /// An item cannot go into its uses.
    #[error("`{item}` cannot be inlined: {reason}")]
    NotInlined {
        /// The item in the request.
        item: String,
        /// The reason.
        reason: String,
    },
    /// A definition cannot be changed as asked.
    #[error("cannot change `{item}`: {reason}")]
    NotReshaped {
        /// The item in the request.
        item: String,
        /// The reason.
        reason: String,
    },
    /// A text in a request is not the Rust that it has to be.
    #[error("{reason}")]
    BadText {
        /// The text and what it has to be.
        reason: String,
    },
    /// The repository has no commit to compare the tree with.
    #[error("the project has no git commit to compare with")]
    NoCommit,
    /// The revision to compare the tree with is no commit.
    #[error("git knows no commit `{revision}`")]
    NoRevision {
        /// The revision as given.
        revision: String,
    },
    /// No manifest of the workspace names the package.
    #[error("no package of the workspace depends on `{package}`")]
    NoDependency {
        /// Package name as given.
        package: String,
        /// The dependencies, with commas.
        known: String,
    },
    /// A dependency cannot be upgraded.
    #[error("cannot upgrade `{package}`: {reason}")]
    Upgrade {
        /// Package name.
        package: String,
        /// The reason, or cargo's message.
        reason: String,
    },
    /// The workspace cannot have an edition.
    #[error("cannot migrate to edition `{edition}`: {reason}")]
    Edition {
        /// The edition.
        edition: String,
        /// The reason.
        reason: String,
    },
    /// The encoder is not supported.
    #[error("no encoder named `{model}`")]
    NoEncoder {
        /// Name of the encoder.
        model: String,
    },
    /// A file of ranking weights is not valid.
    #[error("`{path}` is not a valid weights file: {error}")]
    Weights {
        /// Path of the file.
        path: String,
        /// The parse error.
        error: search::WeightsError,
    },
    /// A file that `graftage docs` did not write is in the output directory.
    #[error("`{path}` was not written by `graftage docs`, or was changed since")]
    InTheWay {
        /// Path of the file.
        path: String,
    },
    /// A file or directory cannot be written.
    #[error("cannot write `{path}`: {reason}")]
    Unwritable {
        /// Path of the file or directory.
        path: String,
        /// Error message of the system.
        reason: String,
    },
    /// A directory outside the project cannot be added to `trust.paths`.
    #[error("cannot trust `{folder}`: {reason}")]
    Trust {
        /// The directory as given by the user.
        folder: String,
        /// The reason.
        reason: String,
    },
    /// The output cannot be written.
    #[error("failed to write output: {0}")]
    Output(std::io::Error),
    /// The directory is not part of a project.
    #[error(transparent)]
    Root(#[from] build::RootError),
    /// A file or directory cannot be read.
    #[error("cannot read `{path}`: {reason}")]
    Unreadable {
        /// Path of the file or directory.
        path: String,
        /// Error message of the system.
        reason: String,
    },
    /// A file is no trace of a run.
    #[error("cannot read the trace `{path}`: {reason}")]
    Trace {
        /// Path of the file.
        path: String,
        /// The reason.
        reason: String,
    },
    /// A trace lacks what the run asks: it was cut off, or made by another version.
    #[error("the trace has no answer to {question}")]
    NoAnswer {
        /// The question.
        question: String,
    },
    /// The states of a task do not follow each other as they must: a defect of graftage.
    #[error("internal: {reason}")]
    Machine {
        /// What happened where.
        reason: String,
    },
    /// An error that a trace has recorded.
    #[error("{message}")]
    Recorded {
        /// The message.
        message: String,
        /// The hint.
        hint: Option<String>,
        /// The class.
        kind: ExitKind,
    },
    /// The user interrupted the command.
    #[error("interrupted")]
    Cancelled(#[from] base::Cancelled),
}

/// Class of an error; the command line maps it to an exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitKind {
    /// Negative result: not found, or refused in the present state of the project.
    No,
    /// Usage or input is not valid.
    Input,
    /// The machine lacks a program, a permission or a resource.
    Environment,
    /// Bug in graftage.
    Internal,
    /// Interrupted by the user.
    Interrupted,
}

impl Error {
    /// Whether the same request may succeed a moment later: something else wrote the tree or had a lock.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Check(check::CheckError::TreeMoves { .. }) => true,
            Self::Check(check::CheckError::Repo(error)) | Self::Repo(error) => {
                matches!(error, repo::RepoError::Busy { .. })
            }
            _ => false,
        }
    }
}
