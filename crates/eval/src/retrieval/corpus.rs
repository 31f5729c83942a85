//! A published crate as the product's user would have it: in a separate folder, indexed.

use std::path::{Path, PathBuf};

use base::Ctx;
use project::{Surroundings, Workspace};

use super::blank::{blank, blank_docs};
use crate::layout::registry_folder;
use crate::{EvalError, RunEnvironment};

/// Which of a crate's texts the product gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// As published.
    Whole,
    /// Without doc comments, since they contain the queries.
    WithoutDocs,
    /// Without these byte ranges of files, which contain the questions.
    WithoutRanges(Vec<(String, usize, usize)>),
}

impl Sight {
    /// What the product gets of a source file, whose path is relative to the crate.
    fn of(&self, file: &Path, text: String) -> String {
        match self {
            Self::Whole => text,
            Self::WithoutDocs => blank_docs(&text),
            Self::WithoutRanges(ranges) => {
                let own = ranges.iter().filter(|(of, ..)| Path::new(of) == file);
                own.fold(text, |text, (_, start, end)| blank(&text, *start, *end))
            }
        }
    }
}

/// The folder of one crate while its queries are run.
pub(super) struct CorpusDir {
    pub(super) sources: PathBuf,
    pub(super) root: PathBuf,
    /// Folder for the product's caches and state.
    pub(super) work: PathBuf,
}

impl CorpusDir {
    /// `package` is `name-version`; its sources are in cargo's registry folder.
    pub(super) fn of(
        machine: &RunEnvironment,
        work: &Path,
        package: &str,
    ) -> Result<Self, EvalError> {
        let home = &machine.surroundings.cargo_home;
        let sources = registry_folder(home, package).ok_or_else(|| EvalError::NoSources {
            missing: vec![package.to_owned()],
            folder: home.join("registry").join("src"),
        })?;
        let work = work.join(package);
        Ok(Self { sources, root: work.join("crate"), work })
    }

    /// Creates the folder with Rust sources and manifest only.
    pub(super) fn lay_out(&self, sight: &Sight) -> Result<(), EvalError> {
        self.remove()?;
        copy(&self.sources, &self.root, Path::new(""), sight)?;
        // A workspace of its own, wherever the folder is.
        let manifest = self.root.join("Cargo.toml");
        let io = |error: std::io::Error| EvalError::io(&manifest, &error);
        let text = std::fs::read_to_string(&manifest).map_err(io)?;
        let has_workspace = text.lines().any(|line| line.trim().starts_with("[workspace"));
        if !has_workspace {
            std::fs::write(&manifest, format!("{text}\n[workspace]\n")).map_err(io)?;
        }
        Ok(())
    }

    /// Opens it like any project.
    pub(super) fn open(&self, ctx: &Ctx, machine: &RunEnvironment) -> Result<Workspace, EvalError> {
        let surroundings = Surroundings {
            cache_dir: self.work.join("cache"),
            state_dir: self.work.join("state"),
            ..machine.surroundings.clone()
        };
        let sandbox = machine.sandbox.clone();
        Ok(Workspace::open(ctx, &self.root, &machine.settings, &surroundings, sandbox)?)
    }

    /// Removes everything that was created.
    pub(super) fn remove(&self) -> Result<(), EvalError> {
        match std::fs::remove_dir_all(&self.work) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(EvalError::io(&self.work, &error))
            }
            _ => Ok(()),
        }
    }

    /// The text of a source file as the product gets it.
    pub(super) fn read(&self, file: &str) -> Result<String, EvalError> {
        let path = self.root.join(file);
        let bytes = std::fs::read(&path).map_err(|error| EvalError::io(&path, &error))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Copies the folder `below` the crate.
fn copy(from: &Path, to: &Path, below: &Path, sight: &Sight) -> Result<(), EvalError> {
    std::fs::create_dir_all(to).map_err(|error| EvalError::io(to, &error))?;
    let io = |error: std::io::Error| EvalError::io(from, &error);
    for entry in std::fs::read_dir(from).map_err(io)? {
        let entry = entry.map_err(io)?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        let below = below.join(entry.file_name());
        let kind = entry.file_type().map_err(io)?;
        if kind.is_dir() {
            copy(&path, &to, &below, sight)?;
        } else if kind.is_file() && is_wanted(&path) {
            let bytes = std::fs::read(&path).map_err(|error| EvalError::io(&path, &error))?;
            let is_rust = path.extension().is_some_and(|extension| extension == "rs");
            let bytes = match String::from_utf8(bytes) {
                Ok(text) if is_rust => sight.of(&below, text).into_bytes(),
                Ok(text) => text.into_bytes(),
                Err(error) => error.into_bytes(),
            };
            std::fs::write(&to, bytes).map_err(|error| EvalError::io(&to, &error))?;
        }
    }
    Ok(())
}

fn is_wanted(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
        || path.file_name().is_some_and(|name| name == "Cargo.toml")
}
