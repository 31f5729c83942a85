//! The sources of a project that git ignores: no part of its snapshot, but a build reads them, so a proof
//! is valid only while they are the same. Start at [`Project::ignored_sources`].

use std::collections::VecDeque;

use base::{Ctx, ProjectPath, SortedSet};
use untrusted_fs::{Dir, DirEntry, EntryKind};

use crate::error::RepoError;
use crate::plan::ancestors;
use crate::project::Project;
use crate::replace::is_temp_name;
use crate::tracked::Tracked;
use crate::walk::is_built;

/// Most entries of folders without sources that are looked at; those near the root come first.
const MOST_LOOKED_AT: usize = 50_000;
/// Most entries of one folder with sources.
const MAX_ENTRIES: usize = 1_000_000;

impl Project {
    /// The Rust files and manifests that git ignores, sorted: beside the `sources`, and in folders without any.
    ///
    /// Left out are build output, hidden folders, other repositories and vendored packages (whose sums cargo
    /// compares), and what is beyond 50,000 entries of ignored folders. No link is followed. A folder that
    /// cannot be read is absent.
    pub(crate) fn ignored_sources<'a>(
        &self,
        ctx: &Ctx,
        sources: impl Iterator<Item = &'a ProjectPath> + Clone,
    ) -> Result<Vec<ProjectPath>, RepoError> {
        let known: SortedSet<&ProjectPath> = sources.clone().collect();
        let folders: SortedSet<ProjectPath> = sources.flat_map(ancestors).collect();
        let Ok(root) = Dir::open(self.root()) else { return Ok(Vec::new()) };
        let cache = self.cache_dir();
        let tracked = Tracked::of(self.root());
        let (mut found, mut left) = (Vec::new(), MOST_LOOKED_AT);
        let mut queue = VecDeque::from([None::<ProjectPath>]);
        while let Some(folder) = queue.pop_front() {
            ctx.check_cancelled()?;
            let at = folder.as_ref().map_or("", ProjectPath::as_str);
            let has_sources = folder.as_ref().is_none_or(|it| folders.contains(it));
            let Ok(Some(dir)) = root.open_dir(at) else { continue };
            let limit = if has_sources { MAX_ENTRIES } else { left };
            let Ok(entries) = dir.entries(limit) else { continue };
            if !has_sources {
                left -= entries.len();
                if is_of_others(&entries) {
                    continue;
                }
            }
            let output = (entries.iter().any(|it| it.name == "Cargo.toml"), &tracked);
            for entry in &entries {
                let Some(path) = below(folder.as_ref(), entry) else { continue };
                match entry.kind {
                    EntryKind::Folder if !path.file_name().starts_with('.') => {
                        let is_left_out = || {
                            let inner = dir.open_dir(path.file_name()).ok().flatten();
                            cache.starts_with(path.join_to(self.root()))
                                || inner.is_none_or(|it| is_built(path.as_str(), output, &it))
                        };
                        if folders.contains(&path) || !is_left_out() {
                            queue.push_back(Some(path));
                        }
                    }
                    EntryKind::File if !known.contains(&path) && is_source(path.file_name()) => {
                        found.push(path);
                    }
                    _ => {}
                }
            }
        }
        found.sort();
        Ok(found)
    }
}

/// Whether builds need a file as a source or a setting of their own.
pub(crate) fn is_source(name: &str) -> bool {
    let is_setting =
        matches!(name, "Cargo.lock" | "Cargo.toml" | "rust-toolchain" | "rust-toolchain.toml");
    name.ends_with(".rs") || is_setting
}

/// Whether a folder is another repository, or a vendored package.
fn is_of_others(entries: &[DirEntry]) -> bool {
    entries.iter().any(|it| it.name == ".git" || it.name == ".cargo-checksum.json")
}

/// The path of an entry; `None` of a name that is no text, or of a file that a change is written to.
fn below(folder: Option<&ProjectPath>, entry: &DirEntry) -> Option<ProjectPath> {
    let name = entry.name.to_str().filter(|it| !is_temp_name(it))?;
    match folder {
        Some(folder) => ProjectPath::new(&format!("{folder}/{name}")).ok(),
        None => ProjectPath::new(name).ok(),
    }
}
