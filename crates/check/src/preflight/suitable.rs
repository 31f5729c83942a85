//! Decides whether a candidate can be checked in memory: Rust sources only, none of them removed,
//! moved or a build script.

use edit::Overlay;

/// Why a change cannot be checked in memory; `None` if it can.
pub(super) fn why_not(overlay: &Overlay) -> Option<String> {
    overlay.changes().find_map(|(path, change)| {
        let is_gone = change.after.is_none() || change.renamed_from.is_some();
        if path.extension() != Some("rs") {
            Some(format!("`{path}` is no Rust source: only cargo can check what follows from it"))
        } else if is_gone {
            Some(format!("`{path}` goes or moves, which a server cannot be shown"))
        } else if path.file_name() == "build.rs" {
            Some(format!("`{path}` would have to be run first"))
        } else {
            None
        }
    })
}
