//! Policies: files with threads that tighten the gate, the user's and the project's.

use std::path::Path;

use policy::Policy;

use super::{ReadFile, Settings, SettingsError, read_text};

impl Settings {
    /// Adds the threads of a policy file, if there is one; one that is in use already, word for word, counts
    /// once.
    pub(crate) fn add_policy(&mut self, file: &Path, read: ReadFile) -> Result<(), SettingsError> {
        let Some(text) = read_text(file, read)? else { return Ok(()) };
        let refused = |reason: String| SettingsError::Policy { file: file.to_path_buf(), reason };
        let threads = Policy::threads_of(&text)
            .map_err(|error| refused(error.to_string().trim_end().to_owned()))?;
        let new = threads.into_iter().filter(|it| !self.gate.threads.contains(it));
        let new: Vec<_> = new.collect();
        self.gate.threads.extend(new);
        let whole = Policy::of(&self.gate).map_err(|error| refused(error.to_string()))?;
        match whole.unknown_events().first() {
            None => Ok(()),
            Some(event) => Err(refused(match event.split_once(' ') {
                None => format!("nothing reports an event named `{event}`"),
                Some((event, field)) => format!("the event `{event}` has no field `{field}`"),
            })),
        }
    }
}
