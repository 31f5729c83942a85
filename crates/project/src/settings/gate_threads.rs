//! Policies: files with threads that tighten the gate, the user's and the project's.

use std::path::Path;

use policy::{Policy, UnknownEvent};

use super::{ReadFile, Settings, SettingsError, read_text};

impl Settings {
    /// Adds the threads of a policy file, if there is one; one that is in use already, word for word, counts
    /// once.
    pub(crate) fn add_policy(&mut self, file: &Path, read: ReadFile) -> Result<(), SettingsError> {
        let Some(text) = read_text(file, read)? else { return Ok(()) };
        let refused = |reason: String| SettingsError::Policy { file: file.to_path_buf(), reason };
        let threads = Policy::threads_of(&text)
            .map_err(|error| refused(error.to_string().trim_end().to_owned()))?;
        for thread in threads {
            if !self.gate.threads.contains(&thread) {
                self.gate.threads.push(thread);
            }
        }
        let whole = Policy::of(&self.gate).map_err(|error| refused(error.to_string()))?;
        match whole.unknown_events().first() {
            None => Ok(()),
            Some(UnknownEvent { event, field: None }) => {
                Err(refused(format!("nothing reports an event named `{event}`")))
            }
            Some(UnknownEvent { event, field: Some(field) }) => {
                Err(refused(format!("the event `{event}` has no field `{field}`")))
            }
        }
    }
}
