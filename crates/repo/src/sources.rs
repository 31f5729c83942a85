//! Lists the files of the project that are not ignored.

use std::path::{Path, PathBuf};

use base::{Ctx, ProjectPath};

use crate::error::RepoError;
use crate::project::Project;
use crate::walk::walk;

/// One name in the tree that is not ignored.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceEntry {
    /// The path.
    pub path: ProjectPath,
    /// For a symbolic link, its canonical target; `None` if that does not exist.
    pub link: Option<Option<PathBuf>>,
}

impl Project {
    /// The files and links of the project by the rules of [`Project::snapshot`], without those
    /// that `ignore_files` exclude (in the format of `.gitignore`). Sorted. Links are not
    /// followed.
    ///
    /// # Errors
    /// [`RepoError::Read`] when the root, or one of `ignore_files`, cannot be read;
    /// [`RepoError::Cancelled`].
    pub fn sources(
        &self,
        ctx: &Ctx,
        ignore_files: &[PathBuf],
    ) -> Result<Vec<SourceEntry>, RepoError> {
        of_folder(ctx, self.root(), ignore_files)
    }
}

fn of_folder(
    ctx: &Ctx,
    root: &Path,
    ignore_files: &[PathBuf],
) -> Result<Vec<SourceEntry>, RepoError> {
    let found = walk(ctx, root, ignore_files)?;
    Ok(found
        .into_iter()
        .map(|(path, is_link)| {
            let link = is_link.then(|| path.join_to(root).canonicalize().ok());
            SourceEntry { path, link }
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_ignore_files_leave_files_out() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for name in ["a.rs", "b.rs", "c.rs"] {
            std::fs::write(root.join(name), "").unwrap();
        }
        std::fs::write(root.join(".gitignore"), "a.rs\n").unwrap();
        std::fs::write(root.join("more"), "b.rs\n").unwrap();
        let ctx = testkit::ctx();
        let names = |ignore: &[PathBuf]| -> Vec<String> {
            let found = of_folder(&ctx, &root, ignore).unwrap();
            found.iter().map(|it| it.path.as_str().to_owned()).collect()
        };
        assert_eq!(names(&[]), [".gitignore", "b.rs", "c.rs", "more"]);
        assert_eq!(names(&["more".into()]), [".gitignore", "c.rs", "more"]);
        assert!(of_folder(&ctx, &root, &["none".into()]).is_err());
    }

    #[test]
    fn a_link_is_described_by_its_target() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::write(root.join("a.rs"), "").unwrap();
        std::os::unix::fs::symlink("a.rs", root.join("b.rs")).unwrap();
        std::os::unix::fs::symlink("nothing", root.join("c.rs")).unwrap();
        let found = of_folder(&testkit::ctx(), &root, &[]).unwrap();
        let links: Vec<_> = found.into_iter().map(|it| it.link).collect();
        assert_eq!(links, [None, Some(Some(root.join("a.rs"))), Some(None)]);
    }
}
