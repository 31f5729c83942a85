//! [`Ignored`]: whether git ignores a name of the tree, by the ignore files of its folders and of its repository.
//!
//! The files are untrusted: they are opened by descriptor, no link is followed, and they have limits.

use std::path::Path;

use ignore::Match;
use ignore::gitignore::Gitignore;
use untrusted_fs::{Dir, Fault};

use crate::error::RepoError;
use crate::git_files::{self, GitDirs};
use crate::ignore_patterns::patterns;

/// Maximum number of patterns of all ignore files of a tree: each takes time and memory.
const MAX_PATTERNS: usize = 50_000;
/// Maximum size of an ignore file, in bytes.
pub(crate) const FILE_BYTES: u64 = 1 << 20;

/// The ignore files of the folders around a name, from the root of the repository inwards.
pub(crate) struct Ignored {
    levels: Vec<Level>,
    /// Patterns that were read so far.
    patterns: usize,
}

/// One folder.
struct Level {
    /// Its `.gitignore`.
    own: Option<Gitignore>,
    /// `info/exclude` of the repository whose working tree it is.
    exclude: Option<Gitignore>,
    /// Whether it is the root of a repository, to whose names nothing above it applies.
    is_repository: bool,
    /// Whether names of any case are equal in its repository.
    any_case: bool,
}

impl Ignored {
    /// The files of the folders above `root`, up to that of the repository; without one, none.
    ///
    /// # Errors
    /// [`RepoError::Read`]: an ignore file that is not regular or too large.
    pub(crate) fn above(root: &Path) -> Result<Self, RepoError> {
        let Some(GitDirs { top, .. }) = git_files::find(root) else {
            return Ok(Self { levels: Vec::new(), patterns: 0 });
        };
        let above: Vec<&Path> =
            root.ancestors().skip(1).take_while(|it| it.starts_with(&top)).collect();
        let mut found = Self { levels: Vec::new(), patterns: 0 };
        for folder in above.into_iter().rev() {
            let dir = Dir::open(folder).map_err(|fault| refused(folder, &fault.to_string()))?;
            found.enter(folder, &dir)?;
        }
        Ok(found)
    }

    /// Adds the files of a folder, `dir`, in the folder that was entered last.
    ///
    /// # Errors
    /// As [`Ignored::above`].
    pub(crate) fn enter(&mut self, folder: &Path, dir: &Dir) -> Result<(), RepoError> {
        let any_case = self.levels.last().is_some_and(|it| it.any_case);
        let level = Level::of(folder, dir, any_case)?;
        self.patterns +=
            [&level.own, &level.exclude].into_iter().flatten().map(Gitignore::len).sum::<usize>();
        if self.patterns > MAX_PATTERNS {
            let reason = format!("the ignore files have more than {MAX_PATTERNS} patterns");
            return Err(refused(folder, &reason));
        }
        self.levels.push(level);
        Ok(())
    }

    /// Drops the files of the folder that was entered last.
    pub(crate) fn leave(&mut self) {
        self.levels.pop();
    }

    /// Whether a name in the folder that was entered last is ignored. That folder itself is not.
    pub(crate) fn is_ignored(&self, path: &Path, is_folder: bool) -> bool {
        for level in self.levels.iter().rev() {
            let decides = |it: &Option<Gitignore>| {
                let found = it.as_ref().map_or(Match::None, |it| it.matched(path, is_folder));
                (!found.is_none()).then(|| found.is_ignore())
            };
            if let Some(is_ignored) = decides(&level.own) {
                return is_ignored;
            }
            if level.is_repository {
                // Of less weight than all files of the folders.
                return decides(&level.exclude).unwrap_or(false);
            }
        }
        false
    }
}

impl Level {
    /// `around`: as in the folder around it, unless it is a repository.
    fn of(folder: &Path, dir: &Dir, around: bool) -> Result<Self, RepoError> {
        let git = git_files::of_top(folder).map(|it| it.common_dir);
        let any_case = git.as_ref().map_or(around, |it| git_files::ignores_case(it));
        let names = Names { folder, any_case };
        let own = names.read(dir, ".gitignore", folder)?;
        let exclude = match git.as_ref().and_then(|git| Some((git, Dir::open(git).ok()?))) {
            Some((git, dir)) => names.read(&dir, "info/exclude", git)?,
            None => None,
        };
        Ok(Self { own, exclude, is_repository: git.is_some(), any_case })
    }
}

/// The names that an ignore file is about.
struct Names<'a> {
    /// They are below this folder.
    folder: &'a Path,
    /// Whether they are equal in any case.
    any_case: bool,
}

impl Names<'_> {
    /// The patterns of the ignore file `name` in `dir`, which is at `at`. Git follows no link either.
    fn read(&self, dir: &Dir, name: &str, at: &Path) -> Result<Option<Gitignore>, RepoError> {
        let path = at.join(name);
        match dir.read(name, FILE_BYTES) {
            Ok(None) | Err(Fault::Link | Fault::NotAFolder) => Ok(None),
            Ok(Some(found)) => patterns(self.folder, &found.bytes, self.any_case)
                .map(Some)
                .map_err(|fault| refused(&path, &fault.to_string())),
            Err(fault) => Err(refused(&path, &fault.to_string())),
        }
    }
}

fn refused(path: &Path, reason: &str) -> RepoError {
    let reason = format!("it decides what is ignored: {reason}");
    RepoError::Read { path: path.to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of a tree that are ignored, each asked in its folder.
    fn ignored(files: &[(&str, &str)], names: &[&str]) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for (name, text) in files {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let is_ignored = |name: &&&str| {
            let path = root.join(name);
            let mut ignored = Ignored::above(&root).unwrap();
            let folders: Vec<&Path> =
                path.ancestors().skip(1).take_while(|it| it.starts_with(&root)).collect();
            for folder in folders.into_iter().rev() {
                ignored.enter(folder, &Dir::open(folder).unwrap()).unwrap();
            }
            ignored.is_ignored(&path, false)
        };
        names.iter().filter(is_ignored).map(|it| (*it).to_owned()).collect()
    }

    #[test]
    fn the_innermost_file_decides_and_the_repository_last() {
        let files = [
            (".git/HEAD", "ref: refs/heads/main\n"),
            (".git/objects/x", ""),
            (".git/refs/x", ""),
            (".git/info/exclude", "x.txt\ny.txt\n"),
            // No repository.
            ("s/.git/HEAD", "ref: refs/heads/main\n"),
            (".gitignore", "a.txt\n!y.txt\n"),
            ("s/.gitignore", "!a.txt\nb.txt\n"),
        ];
        let names = ["a.txt", "b.txt", "x.txt", "y.txt", "s/a.txt", "s/b.txt", "s/x.txt"];
        assert_eq!(ignored(&files, &names), ["a.txt", "x.txt", "s/b.txt", "s/x.txt"]);
    }

    #[test]
    fn a_submodule_has_files_of_its_own() {
        let files = [
            (".git/HEAD", "ref: refs/heads/main\n"),
            (".git/objects/x", ""),
            (".git/refs/x", ""),
            (".git/config", "[core]\n\tignoreCase = true\n"),
            (".git/info/exclude", "X.txt\n"),
            (".git/modules/s/HEAD", "ref: refs/heads/main\n"),
            (".git/modules/s/objects/x", ""),
            (".git/modules/s/refs/x", ""),
            (".git/modules/s/info/exclude", "own.txt\n"),
            (".gitignore", "a.txt\n"),
            ("s/.git", "gitdir: ../.git/modules/s\n"),
            ("w/.git", "gitdir: ../.git/worktrees/w\n"),
            (".git/worktrees/w/HEAD", "ref: refs/heads/main\n"),
            (".git/worktrees/w/commondir", "../..\n"),
        ];
        let names = ["x.txt", "s/x.txt", "s/a.txt", "s/own.txt", "s/OWN.txt", "w/x.txt", "w/a.txt"];
        assert_eq!(ignored(&files, &names), ["x.txt", "s/own.txt", "w/x.txt"]);
    }

    #[test]
    fn a_file_that_is_no_file_is_refused_by_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("long"), "a".repeat((1 << 20) + 1)).unwrap();
        std::fs::rename(at("long"), at(".gitignore")).unwrap();
        let level = |folder: &Path| Level::of(folder, &Dir::open(folder).unwrap(), false);
        assert!(level(dir.path()).err().unwrap().to_string().contains(".gitignore"));
        std::fs::remove_file(at(".gitignore")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", at(".gitignore")).unwrap();
        assert!(level(dir.path()).unwrap().own.is_none());
    }
}
