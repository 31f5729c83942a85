//! The tree on which a verification depends, by content, and stamps of the file system that show
//! cheaply whether it was written since. Programs cannot set these stamps.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{ContentHash, Ctx, ProjectPath, SortedMap, SortedSet};
use policy::{OutsideTexts, Tree, TreeInputs};
use rayon::prelude::*;

use crate::error::RepoError;
use crate::project::Project;
use crate::snapshot::hash_of;
use crate::walk::walk;

/// The file system's metadata of each file of a tree: inode, size, time of the last change of
/// content or state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stamps(SortedMap<PathBuf, Stamp>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    changed_ns: i128,
}

impl Stamps {
    /// The files that were written, made or removed between the two, sorted; relative to `root`
    /// where they are below it.
    pub fn changed_since(&self, former: &Stamps, root: &Path) -> Vec<String> {
        let now = self.0.iter().filter(|(path, stamp)| former.0.get(*path) != Some(stamp));
        let gone = former.0.keys().filter(|path| !self.0.contains_key(*path));
        let changed: SortedSet<&PathBuf> = now.map(|(path, _)| path).chain(gone).collect();
        let shown = |path: &PathBuf| path.strip_prefix(root).unwrap_or(path).display().to_string();
        changed.into_iter().map(shown).collect()
    }
}

impl Project {
    /// The tree by content, with the stamp that each file had before it was read: what is written
    /// later differs from the stamp.
    ///
    /// # Errors
    /// [`RepoError::Read`] when the root cannot be listed; [`RepoError::Cancelled`].
    pub fn tree_state(
        &self,
        ctx: &Ctx,
        inputs: &Arc<TreeInputs>,
    ) -> Result<(Tree, Stamps), RepoError> {
        let (own, mut links, out) = list(ctx, self.root())?;
        // A link that git ignores leads to the same files.
        let ignored = self.ignored_beside(own.iter().map(|it| &it.0)).unwrap_or_default();
        links.extend(ignored.iter().filter_map(|it| leads(self.root(), it)));
        let (by_git, mut texts) = self.run_by_git();
        links.extend(by_git);
        let outside = self.outside(&ignored, &out);
        links.extend(outside.links);
        texts.extend(outside.texts);
        let generated = self.ignored_sources(ctx, own.iter().map(|it| &it.0))?;
        let generated = generated.into_iter().map(|path| (path.clone(), path.join_to(self.root())));
        let generated: Listed = generated.collect();
        let beside: Vec<PathBuf> = beside(ctx, inputs)?.into_iter().collect();
        let read = |path: &PathBuf| {
            let stamp = stamp(path)?;
            let hash = hash_of(ctx, path).transpose()?;
            Some(hash.map(|hash| (stamp, hash)))
        };
        let read_all = |files: Listed| {
            let files = files.into_par_iter();
            let read =
                files.filter_map(|(path, file)| Some(read(&file)?.map(|read| (path, read, file))));
            read.collect::<Result<Vec<_>, RepoError>>()
        };
        let (own, generated) = (read_all(own)?, read_all(generated)?);
        let beside: Vec<_> = beside
            .into_par_iter()
            .filter_map(|file| Some(read(&file)?.map(|read| (read, file))))
            .collect::<Result<_, RepoError>>()?;
        ctx.check_cancelled()?;
        let mut stamps = SortedMap::new();
        let mut hashes = |read: Vec<(ProjectPath, (Stamp, ContentHash), PathBuf)>| {
            let hashes = read.into_iter().map(|(path, (stamp, hash), file)| {
                stamps.insert(file, stamp);
                (path, hash)
            });
            hashes.collect::<SortedMap<ProjectPath, ContentHash>>()
        };
        let (files, generated) = (hashes(own), hashes(generated));
        let mut others: SortedMap<PathBuf, ContentHash> = SortedMap::new();
        for ((stamp, hash), file) in beside {
            stamps.insert(file.clone(), stamp);
            others.insert(file, hash);
        }
        let tree = Tree::new(files, others, Arc::clone(inputs));
        let tree =
            tree.with_ignored(generated).with_links(links).with_outside(OutsideTexts::new(texts));
        Ok((tree, Stamps(stamps)))
    }

    /// The stamps only: lists the tree, reads no file.
    ///
    /// # Errors
    /// As [`Project::tree_state`].
    pub fn stamps(&self, ctx: &Ctx, inputs: &TreeInputs) -> Result<Stamps, RepoError> {
        let own = list(ctx, self.root())?.0;
        let generated = self.ignored_sources(ctx, own.iter().map(|it| &it.0))?;
        let generated = generated.into_iter().map(|path| path.join_to(self.root()));
        let own = own.into_iter().map(|(_, file)| file);
        let files: Vec<PathBuf> = own.chain(generated).chain(beside(ctx, inputs)?).collect();
        let stamped = files.into_par_iter().filter_map(|file| Some((stamp(&file)?, file)));
        let stamped: Vec<_> = stamped.collect();
        Ok(Stamps(stamped.into_iter().map(|(stamp, file)| (file, stamp)).collect()))
    }
}

/// Files with their paths on the host.
type Listed = Vec<(ProjectPath, PathBuf)>;

/// Links of a project, each with what it leads to.
type Links = SortedMap<ProjectPath, ProjectPath>;

/// The files of a folder, its links that lead to something in it, and those that do not.
fn list(ctx: &Ctx, root: &Path) -> Result<(Listed, Links, Vec<ProjectPath>), RepoError> {
    let found = walk(ctx, root, &[])?;
    let mut links = SortedMap::new();
    let mut out = Vec::new();
    for (path, _) in found.iter().filter(|it| it.1) {
        match leads(root, path) {
            Some((link, target)) => _ = links.insert(link, target),
            None => out.push(path.clone()),
        }
    }
    let files = found.into_iter().map(|(path, _)| (path.clone(), path.join_to(root))).collect();
    Ok((files, links, out))
}

/// A link of the project with what it leads to in it; `None` of another path.
fn leads(root: &Path, path: &ProjectPath) -> Option<(ProjectPath, ProjectPath)> {
    let at = path.join_to(root);
    if !std::fs::symlink_metadata(&at).ok()?.is_symlink() {
        return None;
    }
    let real = untrusted_fs::leads_to(&at)?;
    Some((path.clone(), ProjectPath::within(root, &real).ok()?))
}

/// Every file that `inputs` name, folders expanded; a folder that cannot be listed is absent.
fn beside(ctx: &Ctx, inputs: &TreeInputs) -> Result<SortedSet<PathBuf>, RepoError> {
    let mut files: SortedSet<PathBuf> = inputs.files.iter().cloned().collect();
    for folder in &inputs.folders {
        match list(ctx, folder) {
            Ok((found, ..)) => files.extend(found.into_iter().map(|(_, file)| file)),
            Err(RepoError::Read { .. }) => {}
            Err(err) => return Err(err),
        }
    }
    Ok(files)
}

fn stamp(path: &Path) -> Option<Stamp> {
    let meta = std::fs::symlink_metadata(path).ok()?;
    Some(Stamp {
        device: meta.dev(),
        inode: meta.ino(),
        size: meta.size(),
        changed_ns: i128::from(meta.ctime()) * 1_000_000_000 + i128::from(meta.ctime_nsec()),
    })
}
