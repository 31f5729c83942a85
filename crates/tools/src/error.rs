//! The error type of all commands, with exit classes and hints.

mod hints;
mod kinds;

use code::CodeError;
use project::{ExitKind, ProjectError};

use crate::ProposalError;

/// The error of a command. Messages and hints of the crates below are passed through; the command
/// line adds the exit status.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Project, settings or environment cannot be used.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// A question about the code has no answer.
    #[error(transparent)]
    Code(CodeError),
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
    /// The change of a run cannot be taken.
    #[error(transparent)]
    Kept(#[from] crate::KeptError),
    /// A consent is worth nothing for what is to be written.
    #[error(transparent)]
    Consent(#[from] crate::ConsentError),
    /// A proposal cannot be found, verified or approved.
    #[error(transparent)]
    Proposal(#[from] ProposalError),
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

impl From<CodeError> for Error {
    fn from(error: CodeError) -> Self {
        match error {
            CodeError::Project(error) => Self::Project(error),
            error => Self::Code(error),
        }
    }
}

impl From<store::StoreError> for Error {
    fn from(error: store::StoreError) -> Self {
        Self::Code(error.into())
    }
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
