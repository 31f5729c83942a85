//! The files beside the sources that git ignores, and what of the project an agent's run may not see.
//! Such files are no part of the tree that a permit names, but a build can read them. Start at
//! [`Project::ignored_beside`] and [`Project::closed_to_agents`].

use std::collections::BTreeSet;

use base::{Ctx, ProjectPath};
use beneath::{Dir, EntryKind};

use crate::error::RepoError;
use crate::plan::ancestors;
use crate::project::Project;
use crate::replace::is_temp_name;
use crate::walk::walk;

/// Most entries of one folder.
pub(crate) const MAX_ENTRIES: usize = 200_000;
/// Entries of the project's git folder that agents may see by what they run: its commits, and what is
/// staged. All others may have addresses with tokens, or credentials.
pub(crate) const OPEN_OF_GIT: [&str; 6] =
    ["HEAD", "index", "objects", "packed-refs", "refs", "shallow"];

impl Project {
    /// The files and links that git ignores in folders with sources, and hidden folders there, sorted. Other
    /// ignored folders are output or dependencies, and are left out.
    ///
    /// `sources` are the files that git does not ignore. Nothing is followed or opened but folders.
    ///
    /// # Errors
    /// [`RepoError::Read`] where a folder with sources has more than 200,000 entries.
    pub fn ignored_beside<'a>(
        &self,
        sources: impl Iterator<Item = &'a ProjectPath> + Clone,
    ) -> Result<BTreeSet<ProjectPath>, RepoError> {
        let known: BTreeSet<&ProjectPath> = sources.clone().collect();
        let folders: BTreeSet<ProjectPath> = sources.flat_map(ancestors).collect();
        let fault = |fault: beneath::Fault, folder: Option<&ProjectPath>| RepoError::Read {
            path: folder.map_or_else(|| self.root().to_owned(), |it| it.join_to(self.root())),
            reason: fault.to_string(),
        };
        let root = Dir::open(self.root()).map_err(|it| fault(it, None))?;
        let mut found = BTreeSet::new();
        for folder in std::iter::once(None).chain(folders.iter().map(Some)) {
            let at = folder.map_or("", |it| it.as_str());
            // A folder that vanished, or that is a link by now, has no sources any more.
            let Ok(Some(dir)) = root.open_dir(at) else { continue };
            for entry in dir.entries(MAX_ENTRIES).map_err(|it| fault(it, folder))? {
                let name = entry.name.to_str().filter(|it| !is_temp_name(it));
                let path = name.and_then(|name| match folder {
                    Some(folder) => ProjectPath::new(&format!("{folder}/{name}")).ok(),
                    None => ProjectPath::new(name).ok(),
                });
                let Some(path) = path else { continue };
                let is_known = known.contains(&path) || folders.contains(&path);
                let is_file = matches!(entry.kind, EntryKind::File | EntryKind::Link);
                let is_hidden = entry.kind == EntryKind::Folder
                    && path.file_name().starts_with('.')
                    && !matches!(path.as_str(), ".git" | ".cargo");
                if !is_known && (is_file || is_hidden) {
                    found.insert(path);
                }
            }
        }
        Ok(found)
    }

    /// Entries that agents may not see by what they run: [`Project::ignored_beside`] but for what builds
    /// need as sources or settings of their own (those of Rust, `Cargo.lock`, toolchain files), files with
    /// secrets by their names, and what git knows of other places; also its objects, where they have a file
    /// with secrets that is a source. For [`crate::ViewOptions::closed`].
    ///
    /// # Errors
    /// As [`Project::snapshot`] and [`Project::ignored_beside`].
    pub fn closed_to_agents(&self, ctx: &Ctx) -> Result<BTreeSet<ProjectPath>, RepoError> {
        let sources: Vec<ProjectPath> =
            walk(ctx, self.root(), &[])?.into_iter().map(|(path, _)| path).collect();
        let beside = self.ignored_beside(sources.iter())?;
        Ok(self.closed_among(sources.iter(), &beside))
    }

    /// The same where the sources, and what is ignored beside them, are known.
    pub fn closed_among<'a>(
        &self,
        sources: impl Iterator<Item = &'a ProjectPath>,
        beside: &BTreeSet<ProjectPath>,
    ) -> BTreeSet<ProjectPath> {
        let is_closed = |it: &&ProjectPath| it.as_str() != ".git" && !is_source(it.file_name());
        let mut closed: BTreeSet<ProjectPath> = beside.iter().filter(is_closed).cloned().collect();
        let secrets: Vec<ProjectPath> =
            sources.filter(|it| policy::has_secrets(it)).cloned().collect();
        let has_secrets = !secrets.is_empty();
        closed.extend(secrets);
        let root = Dir::open(self.root());
        let git = root.as_ref().ok().and_then(|root| root.open_dir(".git").ok().flatten());
        let entries = git.and_then(|it| it.entries(MAX_ENTRIES).ok()).unwrap_or_default();
        let is_closed =
            |name: &&str| !OPEN_OF_GIT.contains(name) || *name == "objects" && has_secrets;
        let is_entry =
            |it: &&beneath::DirEntry| matches!(it.kind, EntryKind::File | EntryKind::Folder);
        let names = entries.iter().filter(is_entry).filter_map(|it| it.name.to_str());
        closed.extend(
            names.filter(is_closed).filter_map(|it| ProjectPath::new(&format!(".git/{it}")).ok()),
        );
        closed
    }
}

/// Whether builds need a file as a source or a setting of their own.
fn is_source(name: &str) -> bool {
    let is_setting =
        matches!(name, "Cargo.lock" | "Cargo.toml" | "rust-toolchain" | "rust-toolchain.toml");
    name.ends_with(".rs") || is_setting
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dirs;

    /// A project with these files in a folder of its own.
    fn project(dir: &std::path::Path, files: &[&str]) -> Project {
        let root = dir.join("p");
        for file in files {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x\n").unwrap();
        }
        std::fs::write(
            root.join(".gitignore"),
            "/target\n*.log\nprivate.md\n.hid\ndist\ngen.rs\nCargo.lock\n.env.local\n",
        )
        .unwrap();
        let dirs = Dirs { cache: dir.join("cache"), state: dir.join("state") };
        Project::open(&testkit::ctx(), &root, dirs).unwrap()
    }

    #[test]
    fn what_git_ignores_beside_sources_and_secrets_are_closed_and_what_builds_need_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let project = project(
            dir.path(),
            &[
                "Cargo.toml",
                "Cargo.lock",
                "src/lib.rs",
                "src/gen.rs",
                "src/a.log",
                "private.md",
                ".hid/n.md",
                ".env",
                ".env.local",
                "conf/prod.env",
                ".cargo/config.toml",
                ".git/config",
                ".git/HEAD",
                ".git/modules/m/config",
                ".git/remotes/origin",
                ".git/config.lock",
                ".git/objects/aa/bb",
                "src/nested/.git/config",
                "src/nested/a.rs",
                "dist/index.html",
                "target/debug/x",
                "mise/src/lib.rs",
            ],
        );
        let closed = project.closed_to_agents(&testkit::ctx()).unwrap();
        let closed: Vec<&str> = closed.iter().map(ProjectPath::as_str).collect();
        assert_eq!(
            closed,
            [
                ".env",
                ".env.local",
                ".git/config",
                ".git/config.lock",
                ".git/modules",
                ".git/objects",
                ".git/remotes",
                ".hid",
                "conf/prod.env",
                "private.md",
                "src/a.log",
                "src/nested/.git"
            ]
        );
        // Objects hold what sources held; without secrets among these they are seen.
        let sources = [ProjectPath::new("src/lib.rs").unwrap()];
        let closed = project.closed_among(sources.iter(), &BTreeSet::new());
        assert!(!closed.iter().any(|it| it.as_str() == ".git/objects"), "{closed:?}");
    }
}
