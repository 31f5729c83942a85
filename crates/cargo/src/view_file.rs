//! Files of a view, read on the host.

use std::path::{Path, PathBuf};

use beneath::Dir;
use sandbox::{Mount, View};

use crate::outside::MANIFEST_BYTES;

/// Maximum number of links that are followed one after the other.
const MAX_LINKS: usize = 40;

/// The text of a file of the view and the path that it has without links; links lead to paths of the view, as
/// they do for what runs there. `None` where there is no such text.
pub(crate) fn read_followed(view: &View, path: &Path) -> Option<(PathBuf, String)> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if let Some(text) = read(view, &path) {
            return Some((path, text));
        }
        // The first part of the path that is a link.
        let (link, target) =
            path.ancestors().collect::<Vec<_>>().into_iter().rev().find_map(|it| {
                let target = std::fs::read_link(host_path(view, it)?).ok()?;
                Some((it.to_owned(), target))
            })?;
        let rest = path.strip_prefix(&link).ok()?.to_owned();
        let folder = link.parent()?.to_owned();
        path = crate::configuration::normal(&folder.join(target).join(rest));
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
        Mount::Scratch { .. } | Mount::Hidden { .. } => Vec::new(),
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
