//! Files of a view, read on the host.

use std::path::{Path, PathBuf};

use beneath::Dir;
use sandbox::{Mount, View};

use crate::outside::MANIFEST_BYTES;

/// The text of a file of the view, of a manifest's size at most; `None` where there is no such text.
pub(crate) fn read(view: &View, path: &Path) -> Option<String> {
    let mount = view.mounts.iter().rev().find(|it| path.starts_with(it.inside()))?;
    let below = path.strip_prefix(mount.inside()).ok()?;
    let folders: Vec<&PathBuf> = match mount {
        Mount::ReadOnly { host, .. } | Mount::Writable { host, .. } => vec![host],
        Mount::Overlay { lowers, upper, .. } => {
            upper.iter().map(|it| &it.folder).chain(lowers).collect()
        }
        Mount::Scratch { .. } | Mount::Hidden { .. } => return None,
    };
    for folder in folders {
        // In an upper layer, a removed file is a device, which is not read.
        if let Some(found) = Dir::open(folder).ok()?.read(below, MANIFEST_BYTES).ok()? {
            return String::from_utf8(found.bytes).ok();
        }
    }
    None
}
