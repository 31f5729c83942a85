//! The files beside the sources that git ignores, and what of the project an agent's run may not see.
//! Such files are no part of the tree that a permit names, but a build can read them. Start at
//! [`Project::ignored_beside`] and [`Project::closed_to_agents`].

use base::{Ctx, ProjectPath, SortedSet};
use untrusted_fs::{Dir, EntryKind};

use crate::error::RepoError;
use crate::ignored_sources::is_source;
use crate::plan::ancestors;
use crate::project::Project;
use crate::replace::is_temp_name;
use crate::tracked::{Tracked, index_of};
use crate::walk::{is_built, walk};

/// Most entries of one folder.
pub(crate) const MAX_ENTRIES: usize = 200_000;
/// Most entries of folders without sources that are looked at.
const MOST_LOOKED_AT: usize = 50_000;
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
    ) -> Result<SortedSet<ProjectPath>, RepoError> {
        let known: SortedSet<&ProjectPath> = sources.clone().collect();
        let folders: SortedSet<ProjectPath> = sources.flat_map(ancestors).collect();
        let fault = |fault: untrusted_fs::Fault, folder: Option<&ProjectPath>| RepoError::Read {
            path: folder.map_or_else(|| self.root().to_owned(), |it| it.join_to(self.root())),
            reason: fault.to_string(),
        };
        let root = Dir::open(self.root()).map_err(|it| fault(it, None))?;
        let mut found = SortedSet::new();
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
    pub fn closed_to_agents(&self, ctx: &Ctx) -> Result<SortedSet<ProjectPath>, RepoError> {
        let sources: Vec<ProjectPath> =
            walk(ctx, self.root(), &[])?.into_iter().map(|(path, _)| path).collect();
        let beside = self.ignored_beside(sources.iter())?;
        self.closed_among(ctx, sources.iter(), &beside)
    }

    /// The files with secrets by their names in folders without sources, and folders of which not all can be
    /// looked at. Build output is left out: a build writes it.
    fn secrets_elsewhere(
        &self,
        ctx: &Ctx,
        known: &SortedSet<ProjectPath>,
    ) -> Result<SortedSet<ProjectPath>, RepoError> {
        let root = Dir::open(self.root());
        let Ok(root) = root.as_ref() else { return Ok(SortedSet::new()) };
        let tracked = Tracked::of(self.root());
        let mut found = SortedSet::new();
        let mut left = MOST_LOOKED_AT;
        let mut queue = vec![String::new()];
        while let Some(at) = queue.pop() {
            ctx.check_cancelled()?;
            let Ok(Some(dir)) = root.open_dir(&at) else { continue };
            let has_sources = ProjectPath::new(&at).map_or(at.is_empty(), |it| known.contains(&it));
            let entries = dir.entries(if has_sources { MAX_ENTRIES } else { left }).ok();
            let Some(entries) = entries else {
                // Of a folder with sources the files beside them are found already.
                found.extend(ProjectPath::new(&at).ok().filter(|_| !has_sources));
                continue;
            };
            left -= if has_sources { 0 } else { entries.len() };
            if let Some(folder) = ProjectPath::new(&at).ok().filter(|_| is_bare(&entries)) {
                found.insert(folder);
                continue;
            }
            let has_manifest = entries.iter().any(|it| it.name == "Cargo.toml");
            for entry in entries {
                let lossy = entry.name.to_string_lossy();
                let path = if at.is_empty() { lossy.to_string() } else { format!("{at}/{lossy}") };
                let Ok(path) = ProjectPath::new(&path) else { continue };
                let is_secret = policy::has_secrets(&path);
                // No path of ours has such a name, so that nothing can be left out by it.
                if (is_secret || has_sources) && entry.name.to_str().is_none() {
                    return Err(not_text(&path.join_to(self.root())));
                }
                match entry.kind {
                    EntryKind::Folder if is_secret && !known.contains(&path) => {
                        found.insert(path);
                    }
                    _ if path.as_str() == ".git" => {}
                    // Of another repository.
                    _ if path.file_name() == ".git" => {
                        found.insert(path);
                    }
                    EntryKind::Folder if is_output(&path, has_manifest, (root, &tracked)) => {}
                    EntryKind::Folder => queue.push(path.as_str().to_owned()),
                    _ if is_secret => {
                        found.insert(path);
                    }
                    _ => {}
                }
            }
        }
        Ok(found)
    }

    /// The same where the sources, and what is ignored beside them, are known.
    ///
    /// # Errors
    /// [`RepoError::Read`] for a name that no run can leave out; [`RepoError::Cancelled`].
    pub fn closed_among<'a>(
        &self,
        ctx: &Ctx,
        sources: impl Iterator<Item = &'a ProjectPath> + Clone,
        beside: &SortedSet<ProjectPath>,
    ) -> Result<SortedSet<ProjectPath>, RepoError> {
        let folders: SortedSet<ProjectPath> = sources.clone().flat_map(ancestors).collect();
        let is_closed = |it: &&ProjectPath| it.as_str() != ".git" && !is_source(it.file_name());
        let mut closed: SortedSet<ProjectPath> = beside.iter().filter(is_closed).cloned().collect();
        let secrets: Vec<ProjectPath> =
            sources.filter(|it| policy::has_secrets(it)).cloned().collect();
        closed.extend(secrets.iter().cloned());
        closed.extend(self.secrets_elsewhere(ctx, &folders)?);
        let root = Dir::open(self.root());
        let git = root.as_ref().ok().and_then(|root| root.open_dir(".git").ok().flatten());
        // One that git ignores may be staged or committed all the same.
        let staged = || git.as_ref().is_some_and(has_staged_secrets);
        let has_secrets = !secrets.is_empty() || staged();
        let entries = git.and_then(|it| it.entries(MAX_ENTRIES).ok()).unwrap_or_default();
        let is_closed =
            |name: &&str| !OPEN_OF_GIT.contains(name) || *name == "objects" && has_secrets;
        let is_entry =
            |it: &&untrusted_fs::DirEntry| matches!(it.kind, EntryKind::File | EntryKind::Folder);
        let names = entries.iter().filter(is_entry).filter_map(|it| it.name.to_str());
        closed.extend(
            names.filter(is_closed).filter_map(|it| ProjectPath::new(&format!(".git/{it}")).ok()),
        );
        Ok(closed)
    }
}

/// Whether a folder is a repository without a working tree.
fn is_bare(entries: &[untrusted_fs::DirEntry]) -> bool {
    ["HEAD", "config", "objects", "refs"]
        .iter()
        .all(|name| entries.iter().any(|it| it.name == *name))
}

/// Whether git's index may have a file with secrets, in the tree or not.
fn has_staged_secrets(git: &Dir) -> bool {
    let Some(names) = index_of(git) else { return false };
    let is_secret = |name: &Vec<u8>| {
        let path = std::str::from_utf8(name).ok().and_then(|it| ProjectPath::new(it).ok());
        path.is_none_or(|it| policy::has_secrets(&it))
    };
    names.is_none_or(|all| all.iter().any(is_secret))
}

/// Whether a folder is build output.
fn is_output(path: &ProjectPath, has_manifest: bool, (root, tracked): (&Dir, &Tracked)) -> bool {
    let dir = root.open_dir(path.as_str()).ok().flatten();
    dir.is_some_and(|dir| is_built(path.as_str(), (has_manifest, tracked), &dir))
}

fn not_text(path: &std::path::Path) -> RepoError {
    let reason = "its name is not UTF-8, so that it cannot be kept from what agents run: rename it";
    RepoError::Read { path: path.to_owned(), reason: reason.to_owned() }
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
        let closed = project.closed_among(&testkit::ctx(), sources.iter(), &SortedSet::new());
        let closed = closed.unwrap();
        assert!(!closed.iter().any(|it| it.as_str() == ".git/objects"), "{closed:?}");
        // A secret that git has all the same, in the tree or not.
        let entry = |name: &str| {
            let mut bytes = vec![0; 60];
            bytes.extend(u16::try_from(name.len()).unwrap().to_be_bytes());
            bytes.extend(name.as_bytes());
            bytes.resize(bytes.len() / 8 * 8 + 8, 0);
            bytes
        };
        let index = |version: u32, names: &[&str]| {
            let count = u32::try_from(names.len()).unwrap();
            let head = [b"DIRC".as_slice(), &version.to_be_bytes(), &count.to_be_bytes()].concat();
            let entries = names.iter().fold(head, |all, name| [all, entry(name)].concat());
            // The checksum.
            [entries, vec![0; 20]].concat()
        };
        for (index, has) in [
            (index(2, &["a", "src/lib.rs"]), false),
            (index(2, &["gone/.env", "src/lib.rs"]), true),
            (index(3, &["src/lib.rs", "src/deep/folder/prod.env"]), true),
            (index(4, &["a"]), true),
            (b"no index".to_vec(), true),
        ] {
            std::fs::write(project.root().join(".git/index"), &index).unwrap();
            let closed = project.closed_among(&testkit::ctx(), sources.iter(), &SortedSet::new());
            let has_closed = closed.unwrap().iter().any(|it| it.as_str() == ".git/objects");
            assert_eq!(has_closed, has, "{:?}", String::from_utf8_lossy(&index));
        }
    }

    #[test]
    fn secrets_in_folders_without_sources_are_closed_and_names_in_bytes_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let files = [
            "Cargo.toml",
            "src/lib.rs",
            "deploy/prod.env",
            "deploy/deep/.aws/credentials",
            "dist/.env.local",
            "dist/app.js",
            "target/debug/.env",
            "deep/only/.git/config",
            "mirror.git/HEAD",
            "mirror.git/config",
            "mirror.git/objects/a",
            "mirror.git/refs/a",
        ];
        let project = project(dir.path(), &files);
        std::fs::write(project.root().join("deploy/.gitignore"), "*\n").unwrap();
        let closed = project.closed_to_agents(&testkit::ctx()).unwrap();
        let closed: Vec<&str> = closed.iter().map(ProjectPath::as_str).collect();
        assert_eq!(
            closed,
            [
                "deep/only/.git",
                "deploy/deep/.aws",
                "deploy/prod.env",
                "dist/.env.local",
                "mirror.git"
            ]
        );
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"src/k\xe9y.txt");
        std::fs::write(project.root().join(name), "x").unwrap();
        let error = project.closed_to_agents(&testkit::ctx()).unwrap_err().to_string();
        assert!(error.contains("src/k") && error.contains("UTF-8"), "{error}");
    }
}
