//! The change that an undo or a redo would write, to be shown before it is written.

use base::ProjectPath;
use edit::{FileState, Overlay};

use crate::error::RepoError;
use crate::journal::{JournalEntry, Stored};
use crate::plan::{Verb, choose};
use crate::project::Project;

/// A change of the journal that is to be undone or redone.
#[derive(Clone, Debug)]
pub struct Restoring {
    /// Its full id.
    pub id: String,
    /// Its line in the history.
    pub summary: String,
    /// The change that is written: of an undo, from the states after to those before.
    pub change: Overlay,
    /// Whether something was committed since it was accepted.
    pub is_committed_since: bool,
}

impl Project {
    /// What [`Project::undo`] would write; `None`: of the newest change.
    ///
    /// # Errors
    /// Where there is no such change, or it is undone already.
    pub fn undoing(&self, id: Option<&str>) -> Result<Restoring, RepoError> {
        self.restoring(id, Verb::Undo)
    }

    /// What [`Project::redo`] would write; `None`: of the change that was undone last.
    ///
    /// # Errors
    /// As [`Project::undoing`].
    pub fn redoing(&self, id: Option<&str>) -> Result<Restoring, RepoError> {
        self.restoring(id, Verb::Redo)
    }

    fn restoring(&self, id: Option<&str>, verb: Verb) -> Result<Restoring, RepoError> {
        let entries = self.history()?;
        let entry = choose(&entries, id, verb)?;
        Ok(Restoring {
            id: entry.id.clone(),
            summary: entry.summary.clone(),
            change: change_of(entry, verb),
            is_committed_since: {
                let files = entry.files.iter().map(|it| &it.path);
                entry.heads != Some(self.heads_around(files))
            },
        })
    }
}

fn change_of(entry: &JournalEntry, verb: Verb) -> Overlay {
    let state = |stored: &Option<Stored>| {
        let state = |it: &Stored| FileState { text: it.text.clone(), executable: it.executable };
        stored.as_ref().map(state)
    };
    let states = entry.files.iter().map(|file| {
        let (before, after) = (state(&file.before), state(&file.after));
        let path: ProjectPath = file.path.clone();
        match verb {
            Verb::Undo => (path, after, before),
            Verb::Redo => (path, before, after),
        }
    });
    Overlay::from_states(&entry.author, entry.accepted_at, states.collect())
}
