//! The policy of the gate, to show and to verify.

use std::path::Path;

use ::policy::Policy;
use ::policy::program::{Report, Thread};
use serde::Serialize;

use crate::{Error, Settings, SettingsError};

/// The policy in use.
#[derive(Clone, Debug, Serialize)]
pub struct PolicyView {
    /// Its threads, in order of priority.
    pub threads: Vec<ThreadRow>,
    /// The events that graftage reports, with their fields.
    pub events: Vec<String>,
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
pub fn policy_view(settings: &Settings) -> Result<PolicyView, Error> {
    let shipped = Policy::shipped().map_err(|error| refused(Path::new("policy.toml"), &error))?;
    let whole = in_use(settings)?;
    let row = |thread: &Thread| ThreadRow {
        name: thread.name.clone(),
        priority: thread.priority,
        is_shipped: shipped.threads().contains(thread),
        does: thread.description(),
        because: thread.because.clone(),
        thread: thread.clone(),
    };
    Ok(PolicyView { threads: whole.threads().iter().map(row).collect(), events: Policy::events() })
}

/// Explores the policy of these settings, with the threads of `file` beside them.
pub fn policy_verified(settings: &Settings, file: Option<&Path>) -> Result<Report, Error> {
    let mut tried = settings.clone();
    if let Some(file) = file {
        if !file.is_file() {
            let reason = "there is no such file".to_owned();
            return Err(SettingsError::Unreadable { file: file.to_path_buf(), reason }.into());
        }
        tried.add_policy(file, beneath::read_own)?;
    }
    Ok(in_use(&tried)?.verify())
}

fn in_use(settings: &Settings) -> Result<Policy, Error> {
    let whole = Policy::tightened_by(&settings.gate.threads);
    whole.map_err(|error| refused(Path::new(crate::settings::POLICY_FILE), &error))
}

fn refused(file: &Path, error: &::policy::PolicyError) -> Error {
    SettingsError::Policy { file: file.to_path_buf(), reason: error.to_string() }.into()
}
