//! Policies: files with threads that tighten the gate, the user's and the project's.

use std::path::Path;

use policy::Policy;

use super::{ReadFile, Settings, SettingsError, read_text};

impl Settings {
    /// Adds the threads of a policy file, if there is one.
    pub(crate) fn add_policy(&mut self, file: &Path, read: ReadFile) -> Result<(), SettingsError> {
        let Some(text) = read_text(file, read)? else { return Ok(()) };
        let refused = |reason: String| SettingsError::Policy { file: file.to_path_buf(), reason };
        let threads = Policy::threads_of(&text)
            .map_err(|error| refused(error.to_string().trim_end().to_owned()))?;
        self.gate.threads.extend(threads);
        let whole =
            Policy::tightened_by(&self.gate.threads).map_err(|error| refused(error.to_string()))?;
        match whole.unknown_events().first() {
            None => Ok(()),
            Some(name) => Err(refused(format!("nothing reports an event named `{name}`"))),
        }
    }
}
