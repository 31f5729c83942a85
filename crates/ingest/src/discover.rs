//! Lists the files of the tree: Rust files, manifests and links. Reads no contents.

use std::path::{Path, PathBuf};

use base::{Ctx, ProjectPath, SortedMap};
use graph::ProblemRow;

use crate::IngestError;

/// Kind of the problems of links whose files the map does not have.
pub const LINK: &str = "link";

/// The files of the tree that are relevant for the map, by name; contents are read later.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tree {
    /// Rust files, sorted.
    pub(crate) rust: Vec<ProjectPath>,
    /// `Cargo.toml`s, sorted.
    pub(crate) manifests: Vec<ProjectPath>,
    /// Links to Rust files or directories of the tree, with their targets.
    pub(crate) links: SortedMap<ProjectPath, ProjectPath>,
    /// The number of links that were skipped.
    pub(crate) skipped: u64,
    /// The reasons for skipped links.
    pub(crate) problems: Vec<ProblemRow>,
}

/// Lists the tree. A file with several names counts once, under its real one.
pub(crate) fn discover(
    ctx: &Ctx,
    project: &repo::Project,
    ignore_files: &[PathBuf],
) -> Result<Tree, IngestError> {
    let mut tree = Tree::default();
    for source in project.sources(ctx, ignore_files)? {
        let is_rust = source.path.extension() == Some("rs");
        match source.link {
            None if is_rust => tree.rust.push(source.path),
            None if source.path.file_name() == "Cargo.toml" => tree.manifests.push(source.path),
            None => {}
            Some(target) => tree.link(project.root(), source.path, target, is_rust),
        }
    }
    Ok(tree)
}

impl Tree {
    fn link(&mut self, root: &Path, path: ProjectPath, target: Option<PathBuf>, is_rust: bool) {
        let inside = target.as_ref().and_then(|to| ProjectPath::within(root, to).ok());
        match inside {
            // The target is listed under its own name, or ignored.
            Some(real) => {
                self.skipped += u64::from(is_rust);
                self.links.insert(path, real);
            }
            None if is_rust => {
                self.skipped += 1;
                let message = match target {
                    Some(target) => {
                        format!("the link leads out of the project, to `{}`", target.display())
                    }
                    None => "the link leads nowhere".to_owned(),
                };
                self.problems.push(problem(&path, LINK, message));
            }
            None => {}
        }
    }

    /// The path under which a file is listed, with links resolved.
    pub(crate) fn real(&self, path: &ProjectPath) -> ProjectPath {
        let mut path = path.clone();
        // A link to a link is canonical already; a directory inside a linked directory needs
        // another round.
        for _ in 0..8 {
            let found = self.links.iter().find_map(|(link, real)| {
                if path == *link {
                    return Some(real.clone());
                }
                let rest = path.as_str().strip_prefix(link.as_str())?.strip_prefix('/')?;
                ProjectPath::new(&format!("{real}/{rest}")).ok()
            });
            match found {
                Some(next) if next != path => path = next,
                _ => break,
            }
        }
        path
    }
}

/// Creates a problem that concerns a whole file.
pub(crate) fn problem(path: &ProjectPath, kind: &str, message: impl Into<String>) -> ProblemRow {
    ProblemRow { path: path.clone(), line: 0, kind: kind.to_owned(), message: message.into() }
}
