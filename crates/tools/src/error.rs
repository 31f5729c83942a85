//! The error type of all commands, with exit classes and hints.

mod hints;
mod kinds;

use project::{ExitKind, ProjectError};

use crate::ProposalError;

/// The error of a command. Messages and hints of the crates below are passed through; the command
/// line adds the exit status.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Project, settings or environment cannot be used.
    #[error(transparent)]
    Project(#[from] ProjectError),
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
    /// A file that `graftage docs` did not write is in the output directory.
    #[error("`{path}` was not written by `graftage docs`, or was changed since")]
    InTheWay {
        /// Path of the file.
        path: String,
    },
    /// The output cannot be written.
    #[error("failed to write output: {0}")]
    Output(std::io::Error),
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
}

/// Errors of the crates below become errors of the project.
macro_rules! through_project {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::Project(error.into())
            }
        })*
    };
}

through_project!(
    base::Cancelled,
    build::CargoError,
    build::RootError,
    check::CheckError,
    edit::EditError,
    ingest::IngestError,
    model::ModelError,
    model::language::TurnError,
    project::SettingsError,
    repo::RepoError,
);

impl Error {
    /// Whether the same request may succeed a moment later: something else wrote the tree or had a lock.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Project(error) if error.is_transient())
    }
}
