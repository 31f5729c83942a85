//! The policy of the gate, to show and to verify.

use std::path::Path;

use ::policy::program::{ExplorationReport, Thread};
use ::policy::{PROTECTED, PROTECTED_BY_PLACE, PROTECTED_FILE, Policy, Protected};
use serde::Serialize;

use crate::{ProjectError, Settings, SettingsError};

/// The policy in use.
#[derive(Clone, Debug, Serialize)]
pub struct PolicyView {
    /// Its threads, in order of priority.
    pub threads: Vec<ThreadRow>,
    /// The events that graftage reports, with their fields.
    pub events: Vec<String>,
    /// What only a person may change: files, and keys of `Cargo.toml`.
    pub protected: &'static [Protected],
    /// Files that only a person may change whatever their names are.
    pub protected_by_place: &'static [&'static str],
    /// How a person allows one file.
    pub allowed_by: &'static str,
    /// Whether it is verified that no change is applied before it was compared with this table.
    pub is_table_verified: bool,
}

/// One thread.
#[derive(Clone, Debug, Serialize)]
pub struct ThreadRow {
    /// Name.
    pub name: String,
    /// Priority.
    pub priority: u32,
    /// Whether it is one of the shipped policy.
    pub is_shipped: bool,
    /// What it blocks, and until when.
    pub does: String,
    /// Why it blocks.
    pub because: String,
    /// The thread as a policy file has it.
    pub thread: Thread,
}

/// The policy of these settings.
pub fn policy_view(settings: &Settings) -> Result<PolicyView, ProjectError> {
    let whole = in_use(settings)?;
    let row = |thread: &Thread| ThreadRow {
        name: thread.name.clone(),
        priority: thread.priority,
        is_shipped: Policy::is_shipped(thread),
        does: thread.description(),
        because: thread.because.clone(),
        thread: thread.clone(),
    };
    let is_held = whole.holds(PROTECTED_FILE, &whole.verify());
    Ok(PolicyView {
        threads: whole.threads().iter().map(row).collect(),
        events: Policy::events(),
        protected: PROTECTED,
        protected_by_place: PROTECTED_BY_PLACE,
        allowed_by: "--allow protected-file:PATH",
        is_table_verified: is_held,
    })
}

/// Explores the policy of these settings, with the threads of `file` beside them.
pub fn policy_verified(
    settings: &Settings,
    file: Option<&Path>,
) -> Result<ExplorationReport, ProjectError> {
    let mut tried = settings.clone();
    if let Some(file) = file {
        if !file.is_file() {
            let reason = "there is no such file".to_owned();
            return Err(SettingsError::Unreadable { file: file.to_path_buf(), reason }.into());
        }
        tried.add_policy(file, untrusted_fs::read_own)?;
    }
    Ok(in_use(&tried)?.verify())
}

fn in_use(settings: &Settings) -> Result<Policy, ProjectError> {
    let whole = Policy::of(&settings.gate);
    whole.map_err(|error| refused(Path::new(crate::POLICY_FILE), &error))
}

fn refused(file: &Path, error: &::policy::PolicyError) -> ProjectError {
    SettingsError::Policy { file: file.to_path_buf(), reason: error.to_string() }.into()
}
