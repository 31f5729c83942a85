//! The write protocol: a plan is executed or rolled back completely. Both may be interrupted at any
//! point and continued by another process.
//!
//! 1. `Writing`: the new content is written beside each file under a temporary name, and synced.
//! 2. `Forward`: each file is exchanged with its temporary name in one atomic rename. The old
//!    content is then under the temporary name, and is compared with the expected content: an edit
//!    that another process made in the meantime is detected, not lost.
//! 3. Only when all files have the expected content, the temporary names are removed.
//!
//! `Back` is the reverse. Every step checks the present state before it acts, so a second run over
//! a partially executed plan does only what is missing.

use std::io;
use std::os::fd::OwnedFd;

use base::{ProjectPath, SortedSet};
use edit::Unreadable;
use rustix::fs::{AtFlags, Mode};
use rustix::io::Errno;

use crate::crash_points::reached;
use crate::error::RepoError;
use crate::journal::{FolderRecord, Journal, Plan, Step, Stored};
use crate::replace::{
    aside_name, exchange, move_aside, move_to_free, settle, unfinished_name, write_new,
};
use crate::tree::{FileContents, Tree, describe, is_executable, read_beneath};

/// The execution of one plan on one tree.
pub(crate) struct Transaction<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) journal: &'a Journal,
    pub(crate) plan: &'a Plan,
}

/// The content of a name, compared with the two states of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    Before,
    After,
    Other,
}

/// The result of rolling back a plan.
#[derive(Debug, Default)]
pub(crate) struct Back {
    /// The files that another process changed and that were left as they are.
    pub(crate) foreign: Vec<ProjectPath>,
}

impl Transaction<'_> {
    /// Makes the folders and writes the new content under temporary names.
    pub(crate) fn write_temps(&self) -> Result<(), RepoError> {
        self.make_folders(&self.plan.make_folders)?;
        reached();
        for step in &self.plan.steps {
            if let Some(after) = &step.after {
                self.write_temp(step, after)?;
                reached();
            }
        }
        self.sync_parents()
    }

    /// Swaps all files to their later state and checks what was swapped out.
    pub(crate) fn swap_forward(&self) -> Result<(), RepoError> {
        for step in &self.plan.steps {
            self.forward(step)?;
            reached();
        }
        self.verify_all()?;
        self.sync_parents()
    }

    /// Checks whether a process that had a file open wrote to it after it was swapped out.
    pub(crate) fn verify_all(&self) -> Result<(), RepoError> {
        self.plan.steps.iter().try_for_each(|step| self.verify(step))
    }

    /// Removes temporary names and the folders that the change left empty.
    pub(crate) fn clean(&self) -> Result<(), RepoError> {
        for step in &self.plan.steps {
            self.remove_temp(step)?;
            reached();
        }
        self.remove_empty(&self.plan.remove_folders);
        reached();
        self.sync_parents()
    }

    /// Rolls everything back. Files with neither the earlier nor the later state were changed by
    /// another process and are kept.
    pub(crate) fn back(&self) -> Result<Back, RepoError> {
        let mut result = Back::default();
        self.make_folders(&self.plan.remove_folders)?;
        for step in self.plan.steps.iter().rev() {
            if !self.back_step(step)? {
                result.foreign.push(step.path.clone());
            }
            reached();
            self.remove_temp(step)?;
            reached();
        }
        self.remove_empty(&self.plan.make_folders);
        self.sync_parents()?;
        Ok(result)
    }

    fn forward(&self, step: &Step) -> Result<(), RepoError> {
        match self.look(step)? {
            Holds::After => Ok(()),
            Holds::Other => Err(self.changed(step)),
            Holds::Before => {
                let folder = self.parent(step)?;
                if let Some(after) = &step.after {
                    let ready = read_beneath(&folder, &step.temp);
                    if !matches!(&ready, Ok(Some(found)) if equal(found, after)) {
                        self.remove_temp(step)?;
                        self.write_temp(step, after)?;
                    }
                }
                self.swap(&folder, step, step.before.is_some(), step.after.is_some())
            }
        }
    }

    /// After the swap the temporary name must have the earlier state. It does not exist if this plan
    /// was cleaned up before.
    fn verify(&self, step: &Step) -> Result<(), RepoError> {
        let Some(before) = &step.before else { return Ok(()) };
        let folder = match self.tree.parent(&step.path) {
            Ok(folder) => folder,
            // The clean-up had already removed the emptied folder.
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(err) => return Err(write_error(&step.path, &err)),
        };
        match read_beneath(&folder, &step.temp) {
            Ok(None) => Ok(()),
            Ok(Some(found)) if equal(&found, before) => Ok(()),
            Ok(Some(_)) | Err(_) => Err(self.changed(step)),
        }
    }

    /// Returns false if another process changed the file.
    fn back_step(&self, step: &Step) -> Result<bool, RepoError> {
        match self.look(step)? {
            Holds::Before => Ok(true),
            Holds::Other => Ok(false),
            Holds::After => {
                let folder = self.parent(step)?;
                let mut ours = true;
                if let Some(before) = &step.before {
                    match read_beneath(&folder, &step.temp) {
                        Ok(Some(found)) if equal(&found, before) => {}
                        // Another process wrote through a descriptor that was already open: its
                        // edit is restored and kept.
                        Ok(Some(_)) => ours = false,
                        Ok(None) => {
                            self.remove_temp(step)?;
                            self.write_temp(step, before)?;
                        }
                        Err(why) => {
                            return Err(RepoError::Write {
                                path: step.path.clone(),
                                reason: describe(&why),
                                is_full: false,
                            });
                        }
                    }
                }
                let (old, new) = (step.after.is_some(), step.before.is_some());
                self.swap(&folder, step, old, new)?;
                if let Some(after) = &step.after
                    && !matches!(read_beneath(&folder, &step.temp), Ok(Some(found)) if equal(&found, after))
                {
                    // Another process saved the file between the check and the swap: keep that.
                    self.swap(&folder, step, new, old)?;
                    ours = false;
                }
                Ok(ours)
            }
        }
    }

    /// One atomic step from `old` (is there a file now?) to `new` (shall there be one?).
    fn swap(&self, folder: &OwnedFd, step: &Step, old: bool, new: bool) -> Result<(), RepoError> {
        let name = step.path.file_name();
        let temp = step.temp.as_str();
        let result = match (old, new) {
            (true, true) => exchange(folder, temp, name),
            (false, true) => move_to_free(folder, temp, name),
            (true, false) => move_aside(folder, name, temp),
            (false, false) => Ok(()),
        };
        match result {
            Ok(()) => Ok(()),
            // Another process created or removed the file after the check.
            Err(Errno::EXIST | Errno::NOENT) => Err(self.changed(step)),
            Err(err) => Err(write_error(&step.path, &err.into())),
        }
    }

    fn look(&self, step: &Step) -> Result<Holds, RepoError> {
        // If the folder does not exist, nothing can have been interrupted in it.
        if let Ok(folder) = self.tree.parent(&step.path) {
            settle(&folder, &step.temp, step.path.file_name())
                .map_err(|err| write_error(&step.path, &err.into()))?;
        }
        let found = match self.tree.read(&step.path) {
            Ok(found) => found,
            Err(Unreadable::Io(reason)) => {
                let path = step.path.clone();
                return Err(RepoError::Write { path, reason, is_full: false });
            }
            Err(_) => return Ok(Holds::Other),
        };
        let holds = |state: &Option<Stored>| match (&found, state) {
            (None, None) => true,
            (Some(found), Some(state)) => equal(found, state),
            _ => false,
        };
        Ok(if holds(&step.after) {
            Holds::After
        } else if holds(&step.before) {
            Holds::Before
        } else {
            Holds::Other
        })
    }

    fn changed(&self, step: &Step) -> RepoError {
        let difference = match self.tree.read(&step.path) {
            Err(why) => describe(&why),
            Ok(_) => "another process changed it at the same moment".to_owned(),
        };
        RepoError::Changed { path: step.path.clone(), difference }
    }

    fn parent(&self, step: &Step) -> Result<OwnedFd, RepoError> {
        self.tree.parent(&step.path).map_err(|err| write_error(&step.path, &err))
    }

    fn write_temp(&self, step: &Step, state: &Stored) -> Result<(), RepoError> {
        let folder = self.parent(step)?;
        let like = self.tree.read(&step.path).ok().flatten();
        write_new(&folder, step, state, like.as_ref()).map_err(|err| {
            let _ = rustix::fs::unlinkat(&folder, unfinished_name(&step.temp), AtFlags::empty());
            write_error(&step.path, &err)
        })
    }

    /// Removes the temporary name. Content that is neither state is an edit of a process
    /// that still had the file open; it is saved elsewhere, not lost.
    fn remove_temp(&self, step: &Step) -> Result<(), RepoError> {
        let folder = match self.tree.parent(&step.path) {
            Ok(folder) => folder,
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(err) => return Err(write_error(&step.path, &err)),
        };
        let aside = aside_name(&step.temp);
        for name in [&step.temp, &aside] {
            let Ok(Some(found)) = read_beneath(&folder, name) else { continue };
            let ours = |state: &Option<Stored>| {
                state.as_ref().is_some_and(|state| state.text.as_bytes() == found.bytes)
            };
            if !ours(&step.before) && !ours(&step.after) {
                self.journal
                    .rescue(step.path.file_name(), &found.bytes)
                    .map_err(|err| write_error(&step.path, &err))?;
            }
        }
        for name in [step.temp.clone(), aside, unfinished_name(&step.temp)] {
            // A read-only file system refuses to remove even a name that does not exist.
            let flags = AtFlags::SYMLINK_NOFOLLOW;
            if rustix::fs::statat(&folder, name.as_str(), flags).err() == Some(Errno::NOENT) {
                continue;
            }
            match rustix::fs::unlinkat(&folder, name.as_str(), AtFlags::empty()) {
                Ok(()) | Err(Errno::NOENT) => {}
                Err(err) => return Err(write_error(&step.path, &err.into())),
            }
        }
        Ok(())
    }

    fn make_folders(&self, folders: &[FolderRecord]) -> Result<(), RepoError> {
        for folder in folders {
            let fail = |err: io::Error| write_error(&folder.path, &err);
            let parent = self.tree.parent(&folder.path).map_err(fail)?;
            let mode = Mode::from_raw_mode(0o777);
            match rustix::fs::mkdirat(&parent, folder.path.file_name(), mode) {
                Ok(()) => {
                    if let Some(mode) = folder.mode {
                        let fd = self.tree.folder(Some(&folder.path)).map_err(fail)?;
                        rustix::fs::fchmod(&fd, Mode::from_raw_mode(mode))
                            .map_err(|err| fail(err.into()))?;
                    }
                }
                // Another process created it: if it is not a folder, the next step fails.
                Err(Errno::EXIST) => {}
                Err(err) => return Err(fail(err.into())),
            }
        }
        Ok(())
    }

    /// Removes folders, innermost first; a folder that is not empty is kept.
    fn remove_empty(&self, folders: &[FolderRecord]) {
        for folder in folders.iter().rev() {
            if let Ok(parent) = self.tree.parent(&folder.path) {
                let _ = rustix::fs::unlinkat(&parent, folder.path.file_name(), AtFlags::REMOVEDIR);
            }
        }
    }

    /// Makes the names in all folders of the plan durable; for a removed folder, the one above.
    fn sync_parents(&self) -> Result<(), RepoError> {
        let mut synced = SortedSet::new();
        for step in &self.plan.steps {
            let mut folder = step.path.parent();
            loop {
                if synced.contains(&folder) {
                    break;
                }
                match self.tree.folder(folder.as_ref()) {
                    Ok(fd) => {
                        rustix::fs::fsync(&fd)
                            .map_err(|err| write_error(&step.path, &err.into()))?;
                        synced.insert(folder);
                        break;
                    }
                    Err(err) if err.kind() == io::ErrorKind::NotFound => match folder {
                        Some(gone) => folder = gone.parent(),
                        None => break,
                    },
                    Err(err) => return Err(write_error(&step.path, &err)),
                }
            }
        }
        Ok(())
    }
}

fn equal(found: &FileContents, state: &Stored) -> bool {
    found.bytes == state.text.as_bytes() && is_executable(found.mode) == state.executable
}

fn write_error(path: &ProjectPath, err: &io::Error) -> RepoError {
    let is_full = err.kind() == io::ErrorKind::StorageFull;
    RepoError::Write { path: path.clone(), reason: err.to_string(), is_full }
}
