//! Files of a view, read on the host.

use std::path::{Path, PathBuf};

use sandbox::{Mount, View};
use untrusted_fs::Dir;

use crate::outside::MANIFEST_BYTES;

/// Maximum number of links that are followed one after the other.
const MAX_LINKS: usize = 40;

/// The path of an entry of the view without links, which lead to paths of the view, as they do for what runs
/// there; `None` where the view has nothing.
pub(crate) fn followed(view: &View, path: &Path) -> Option<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        // The first part of the path that is a link.
        let mut parts: Vec<PathBuf> = path.ancestors().map(Path::to_owned).collect();
        parts.reverse();
        let link = parts.into_iter().find_map(|it| {
            let target = std::fs::read_link(host_path(view, &it)?).ok()?;
            Some((it, target))
        });
        let Some((link, target)) = link else {
            return host_path(view, &path).map(|_| path);
        };
        let rest = path.strip_prefix(&link).ok()?.to_owned();
        path = base::normal_path(&link.parent()?.join(target).join(rest));
    }
    None
}

/// Where the host has an entry of the view, in the topmost layer that has it.
fn host_path(view: &View, path: &Path) -> Option<PathBuf> {
    let mount = view.mounts.iter().rev().find(|it| path.starts_with(it.inside()))?;
    let below = path.strip_prefix(mount.inside()).ok()?;
    let all = layers(mount).into_iter().map(|it| it.join(below));
    all.into_iter().find(|it| it.symlink_metadata().is_ok())
}

/// The folders of the host that a mount shows, the topmost first.
fn layers(mount: &Mount) -> Vec<&PathBuf> {
    match mount {
        Mount::ReadOnly { host, .. } | Mount::Writable { host, .. } => vec![host],
        Mount::Overlay { lowers, upper, .. } => {
            upper.iter().map(|it| &it.folder).chain(lowers).collect()
        }
        Mount::Sockets { .. } | Mount::Scratch { .. } | Mount::Hidden { .. } => Vec::new(),
    }
}

/// The text of a file of the view, of a manifest's size at most; `None` where there is no such text.
pub(crate) fn read(view: &View, path: &Path) -> Option<String> {
    let mount = view.mounts.iter().rev().find(|it| path.starts_with(it.inside()))?;
    let below = path.strip_prefix(mount.inside()).ok()?;
    for folder in layers(mount) {
        // In an upper layer, a removed file is a device, which is not read.
        if let Some(found) = Dir::open(folder).ok()?.read(below, MANIFEST_BYTES).ok()? {
            return String::from_utf8(found.bytes).ok();
        }
    }
    None
}
