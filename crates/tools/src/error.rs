//! The error type of all commands, with exit classes and hints.

use base::Hint;
use serde::{Deserialize, Serialize};

use crate::{ProposalError, SettingsError};

/// Maximum number of candidates in a hint.
const LISTED: usize = 20;

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

    /// Class of the error.
    pub fn exit_kind(&self) -> ExitKind {
        match self {
            Self::Settings(_)
            | Self::Edit(_)
            | Self::Root(_)
            | Self::Unreadable { .. }
            | Self::Ambiguous { .. }
            | Self::BadName { .. }
            | Self::BadText { .. }
            | Self::NoCommit
            | Self::Path(_)
            | Self::BadPlan { .. }
            | Self::NoRevision { .. }
            | Self::NoDependency { .. }
            | Self::Weights { .. }
            | Self::Trace { .. }
            | Self::Trust { .. }
            | Self::InTheWay { .. } => ExitKind::Input,
            Self::NoItem { .. }
            | Self::OutsideItem { .. }
            | Self::NotMapped { .. }
            | Self::InMacroCall { .. }
            | Self::NoPlan { .. }
            | Self::NotRenamed { .. }
            | Self::NotMoved { .. }
            | Self::NotInlined { .. }
            | Self::NotReshaped { .. }
            | Self::Edition { .. }
            | Self::NoAnswer { .. }
            | Self::Upgrade { .. } => ExitKind::No,
            Self::Recorded { kind, .. } => *kind,
            Self::NoEncoder { .. } | Self::Unwritable { .. } | Self::NoModel => {
                ExitKind::Environment
            }
            Self::Turn(model::language::TurnError::Cancelled) => ExitKind::Interrupted,
            Self::Turn(_) => ExitKind::Environment,
            Self::Output(_) | Self::Machine { .. } => ExitKind::Internal,
            Self::Cancelled(_) => ExitKind::Interrupted,
            Self::Model(error) => model_kind(error),
            Self::Ingest(error) => ingest_kind(error),
            Self::Store(error) => store_kind(error),
            Self::Repo(error) => repo_kind(error),
            Self::Check(error) => check_kind(error),
            Self::Cargo(error) => cargo_kind(error),
            Self::Consent(_) => ExitKind::No,
            Self::Proposal(error) => error.exit_kind(),
            Self::Rules(error) => rules_kind(error),
            Self::Skill(error) => skill_kind(error),
            Self::Relation(error) => relation_kind(error),
        }
    }
}

fn rules_kind(error: &memory::RulesError) -> ExitKind {
    use memory::RulesError as E;
    match error {
        E::Root { .. } => ExitKind::Environment,
        E::NoReference { .. } | E::Unusable { .. } => ExitKind::No,
        E::Cancelled(_) => ExitKind::Interrupted,
    }
}

fn skill_kind(error: &memory::SkillError) -> ExitKind {
    use memory::SkillError as E;
    match error {
        E::NoSkill { .. } | E::Untrusted { .. } | E::Changed { .. } | E::File { .. } => {
            ExitKind::No
        }
        E::Cancelled(_) => ExitKind::Interrupted,
    }
}

fn relation_kind(error: &memory::RelationError) -> ExitKind {
    use memory::RelationError as E;
    match error {
        E::NoRelation { .. } | E::NoParent { .. } => ExitKind::No,
        E::Persist { .. } | E::File { .. } | E::Version { .. } => ExitKind::Environment,
        _ => ExitKind::Input,
    }
}

fn repo_kind(error: &repo::RepoError) -> ExitKind {
    use repo::RepoError as E;
    match error {
        E::Root { .. } | E::Message(_) | E::NoGit { .. } | E::GitFolder { .. } | E::Empty => {
            ExitKind::Input
        }
        E::Changed { .. }
        | E::ChangedAround { .. }
        | E::CommittedSince { .. }
        | E::NoEntry { .. }
        | E::Nothing { .. }
        | E::Already { .. }
        | E::GitState { .. }
        | E::Uncommitted { .. }
        | E::Hook { .. }
        | E::Moved { .. }
        | E::Reverted { .. } => ExitKind::No,
        E::Permit { .. } => ExitKind::Internal,
        E::Cancelled(_) => ExitKind::Interrupted,
        E::Read { .. }
        | E::Write { .. }
        | E::Keep { .. }
        | E::Busy { .. }
        | E::Damaged { .. }
        | E::Recovery { .. }
        | E::View { .. }
        | E::GitMissing
        | E::Git { .. }
        | E::Sandbox(_) => ExitKind::Environment,
    }
}

fn ingest_kind(error: &ingest::IngestError) -> ExitKind {
    use ingest::IngestError as E;
    match error {
        E::Repo(error) => repo_kind(error),
        E::Cancelled(_) => ExitKind::Interrupted,
        E::Rows { .. } => ExitKind::Internal,
        _ => ExitKind::Environment,
    }
}

fn model_kind(error: &model::ModelError) -> ExitKind {
    use model::ModelError as E;
    match error {
        E::Unknown { .. } | E::Manifest { .. } | E::Address { .. } => ExitKind::Input,
        E::Unreadable { .. } | E::Hash { .. } | E::Unusable { .. } | E::NotBuilt { .. } => {
            ExitKind::Environment
        }
    }
}

fn store_kind(error: &store::StoreError) -> ExitKind {
    use store::StoreError as E;
    match error {
        E::Script { .. } | E::Refused { .. } => ExitKind::Input,
        E::TooLong { .. } | E::TooBig { .. } => ExitKind::No,
        E::NoEngine | E::Keep { .. } | E::Busy { .. } => ExitKind::Environment,
        _ => ExitKind::Internal,
    }
}

fn check_kind(error: &check::CheckError) -> ExitKind {
    use check::CheckError as E;
    match error {
        E::Repo(error) => repo_kind(error),
        E::Cargo(error) => cargo_kind(error),
        E::Cancelled(_) => ExitKind::Interrupted,
        _ => ExitKind::Environment,
    }
}

fn cargo_kind(error: &build::CargoError) -> ExitKind {
    use build::CargoError as E;
    match error {
        E::ToolchainFile { .. } | E::ToolchainInside { .. } | E::Manifest { .. } => ExitKind::Input,
        E::Cancelled(_) => ExitKind::Interrupted,
        _ => ExitKind::Environment,
    }
}

impl Hint for Error {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Settings(error) => error.hint(),
            Self::Repo(error) => error.hint(),
            Self::Check(error) => error.hint(),
            Self::Cargo(error) => error.hint(),
            Self::Edit(error) => error.hint(),
            Self::Root(error) => error.hint(),
            Self::Consent(error) => error.hint(),
            Self::Proposal(error) => error.hint(),
            Self::Rules(error) => error.hint(),
            Self::Skill(error) => error.hint(),
            Self::Relation(error) => error.hint(),
            Self::BadPlan { .. } => Some("describe what is to be done in a sentence".to_owned()),
            Self::Path(_) => Some("pass a path inside the project".to_owned()),
            Self::Trust { .. } => Some(
                "pass an existing directory, and make sure that the user's configuration file (see \
                 `graftage doctor`) is valid TOML and writable"
                    .to_owned(),
            ),
            Self::Unreadable { .. } | Self::Unwritable { .. } => {
                Some("check the path and its permissions".to_owned())
            }
            Self::Ingest(error) => error.hint(),
            Self::Model(error) => error.hint(),
            Self::Store(error) => error.hint(),
            Self::Turn(error) => error.hint(),
            Self::NoPlan { .. } => Some("`graftage plan show` lists the plans with their ids".to_owned()),
            Self::NoModel => Some(
                "set `model.provider` (anthropic, openai) and `model.name` in your configuration file, and \
                 the key in ANTHROPIC_KEY or OPENAI_API_KEY; a server on this machine needs only \
                 `model.provider = \"openai\"` and `model.url`"
                    .to_owned(),
            ),
            Self::NoItem { nearest, .. } if nearest.is_empty() => Some(
                "use the canonical path of an item, the end of that path (`Type::method`), its key \
                 or its id; local variables and lifetimes are no items"
                    .to_owned(),
            ),
            Self::NoItem { nearest, .. } => Some(format!("similar names: {}", nearest.join(", "))),
            Self::InMacroCall { .. } => Some(
                "change it in the call, then run `graftage finish`, which adapts or lists the uses"
                    .to_owned(),
            ),
            Self::NotMapped { .. } => Some(
                "an item of such a file is read and changed in the project that contains the link's \
                 target: pass its directory with `-C DIR`"
                    .to_owned(),
            ),
            Self::OutsideItem { .. } => Some(
                "run it in the folder of that package (`-C DIR`), or, where one repository has both, in \
                 its root without a manifest; a dependency of a registry has no map"
                    .to_owned(),
            ),
            Self::Ambiguous { candidates, .. } => {
                let mut text = "use a longer path, or the key or place of one of these:".to_owned();
                for candidate in candidates.iter().take(LISTED) {
                    text.push_str("\n    ");
                    text.push_str(candidate);
                }
                if candidates.len() > LISTED {
                    text.push_str(&format!("\n    and {} more", candidates.len() - LISTED));
                }
                Some(text)
            }
            Self::Weights { error, .. } => error.hint(),
            Self::BadName { .. } => Some(
                "use letters, digits and `_`, no digit first; a keyword as `r#keyword`".to_owned(),
            ),
            Self::NotRenamed { .. } => {
                Some("choose another name or item; `graftage show ITEM` lists where it is used".to_owned())
            }
            Self::NotMoved { .. } => Some(
                "a free item moves to an existing module of its crate: `crate::a::b` or its file"
                    .to_owned(),
            ),
            Self::NotInlined { .. } | Self::NotReshaped { .. } => {
                Some("`graftage show ITEM` shows the definition and where it is used".to_owned())
            }
            Self::BadText { .. } => Some(
                "a parameter or field is `NAME: TYPE`, a value one expression, a type one type".to_owned(),
            ),
            Self::NoCommit => Some("pass an item or a diff, or make a commit first".to_owned()),
            Self::NoRevision { .. } => {
                Some("`--base` takes what git takes: a commit, a branch, a tag".to_owned())
            }
            Self::Edition { .. } => None,
            Self::NoDependency { known, .. } if known.is_empty() => None,
            Self::NoDependency { known, .. } => Some(format!("its dependencies: {known}")),
            Self::Upgrade { .. } => Some(
                "pass a version that the registry has (`cargo search`, `cargo info`); without the \
                 network only versions that were downloaded before can be chosen"
                    .to_owned(),
            ),
            Self::NoEncoder { .. } => {
                Some("this version has no encoders for `--ann-model`: omit the flag, or pass `none`".to_owned())
            }
            Self::InTheWay { .. } => {
                Some("move the file away, or choose another directory with `--out`".to_owned())
            }
            Self::Trace { .. } => Some(
                "pass a file that `graftage fix` wrote, or a folder with such files".to_owned(),
            ),
            Self::NoAnswer { .. } => Some(
                "replay it with the version of graftage that wrote it (its first line has it)".to_owned(),
            ),
            Self::Recorded { hint, .. } => hint.clone(),
            Self::Output(_) | Self::Cancelled(_) | Self::Machine { .. } => None,
        }
    }
}
