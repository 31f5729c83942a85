//! The names of the folders and control groups of this crate, and the sweep of those that crashed
//! processes left.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use untrusted_fs::ScratchFolder;

/// The prefix of the names of all folders and control groups of this crate.
const PREFIX: &str = "graftage-sandbox-";

/// A name that is unique in this process; another container may use the same one.
pub(crate) fn fresh_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{PREFIX}{}-{number}", std::process::id())
}

/// Whether this crate makes such names. Other programs use the same directory.
pub(crate) fn is_ours(name: &str) -> bool {
    let number = name.strip_prefix(PREFIX);
    number.is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'))
}

/// A private folder in `root`.
pub(crate) fn folder(root: &Path) -> std::io::Result<ScratchFolder> {
    ScratchFolder::new(root, fresh_name)
}

/// Removes the folders that crashed processes left in `root`.
pub(crate) fn sweep(root: &Path) {
    untrusted_fs::sweep(root, is_ours, |_| {});
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dead_folder_goes_though_its_number_names_a_living_process() {
        let root = tempfile::tempdir().unwrap();
        let dead = root.path().join(format!("{PREFIX}{}-77", std::process::id()));
        let theirs = root.path().join(format!("{PREFIX}notes"));
        std::fs::create_dir(&dead).unwrap();
        std::fs::create_dir(&theirs).unwrap();
        sweep(root.path());
        assert!(!dead.exists() && theirs.is_dir());
    }
}
