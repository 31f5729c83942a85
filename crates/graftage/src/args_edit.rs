//! Arguments of `edit`; the doc comments are the help texts.

use std::path::PathBuf;

use crate::args::{Allow, Live, Scope, Tests};
use clap::{Args as ClapArgs, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum Edit {
    /// Check an edit and write it
    Apply(EditApply),
    /// Record an edit as a proposal; nothing is checked or written yet
    Propose(EditPropose),
    /// List the open proposals
    List(EditList),
    /// Check proposals on the present tree, together, without writing them
    Preflight(EditPreflight),
    /// Check proposals once more and write them as one change
    Approve(EditApprove),
    /// Reject proposals
    Reject(EditReject),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EditPropose {
    /// The edit: typed edits (JSON), a unified diff, search/replace blocks or a whole file; `-`
    /// reads standard input
    #[arg(value_name = "FILE", required_unless_present = "again")]
    pub(crate) file: Option<PathBuf>,
    /// Task that the edit belongs to
    #[arg(long, value_name = "TEXT", default_value = "", conflicts_with = "again")]
    pub(crate) task: String,
    /// Stage the edit of this proposal again, on the present tree; the proposal is replaced
    #[arg(long, value_name = "ID", conflicts_with = "file")]
    pub(crate) again: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EditList {
    /// List applied and rejected proposals, too
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EditPreflight {
    /// Ids of proposals; the first four characters of an id are enough
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,
    /// Tests to run [default: `check.tests`]
    #[arg(long)]
    pub(crate) tests: Option<Tests>,
    #[command(flatten)]
    pub(crate) scope: Scope,
    /// Use of a live rust-analyzer, which checks the edit before cargo [default: `analyzer.live`]
    #[arg(long, value_name = "MODE")]
    pub(crate) analyzer: Option<Live>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EditApprove {
    /// Ids of proposals; the first four characters of an id are enough
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,
    /// Name to record as the approver [default: the user]
    #[arg(long, value_name = "NAME")]
    pub(crate) approver: Option<String>,
    /// Tests that must pass [default: those of the last preflight]
    #[arg(long)]
    pub(crate) tests: Option<Tests>,
    #[command(flatten)]
    pub(crate) scope: Scope,
    #[command(flatten)]
    pub(crate) allow: Allow,
    /// Use of a live rust-analyzer, which checks the edit before cargo [default: `analyzer.live`]
    #[arg(long, value_name = "MODE")]
    pub(crate) analyzer: Option<Live>,
    /// Commit the change, as one conventional commit of exactly its files
    #[arg(long)]
    pub(crate) commit: bool,
    /// Show the whole change that would be written, and write nothing
    #[arg(long, conflicts_with = "commit")]
    pub(crate) dry_run: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EditReject {
    /// Ids of proposals; the first four characters of an id are enough
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,
    /// Why (recorded)
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EditApply {
    /// The edit: typed edits (JSON), a unified diff, search/replace blocks or a whole file; `-`
    /// reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Tests that must pass [default: `check.tests`]
    #[arg(long)]
    pub(crate) tests: Option<Tests>,
    #[command(flatten)]
    pub(crate) scope: Scope,
    #[command(flatten)]
    pub(crate) allow: Allow,
    /// Use of a live rust-analyzer, which checks the edit before cargo [default: `analyzer.live`]
    #[arg(long, value_name = "MODE")]
    pub(crate) analyzer: Option<Live>,
    /// Check only, write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Commit the edit, as one conventional commit of exactly its files
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) commit: bool,
    /// Write the edit even if the gate refuses it, for this reason (recorded)
    #[arg(long = "override", value_name = "REASON", conflicts_with = "dry_run")]
    pub(crate) override_reason: Option<String>,
}
