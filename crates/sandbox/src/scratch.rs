use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// What all names of folders and control groups of this room begin with.
pub(crate) const PREFIX: &str = "graftage-sandbox-";

/// A name that no other run of this or another living process has.
pub(crate) fn fresh_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{PREFIX}{}-{number}", std::process::id())
}

/// Whether `name` is one of ours and its process is gone.
pub(crate) fn is_stale(name: &str) -> bool {
    let Some(rest) = name.strip_prefix(PREFIX) else { return false };
    let Some(pid) = rest.split('-').next().and_then(|pid| pid.parse::<u32>().ok()) else {
        return false;
    };
    !Path::new("/proc").join(pid.to_string()).exists()
}

/// A private folder of the host that is gone with the value.
#[derive(Debug)]
pub(crate) struct ScratchFolder(PathBuf);

impl ScratchFolder {
    pub(crate) fn new(root: &Path) -> std::io::Result<Self> {
        // Whoever made a folder of this name first, it is not ours: the next number is tried.
        for _ in 0..1000 {
            let path = root.join(fresh_name());
            match std::fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(std::io::ErrorKind::AlreadyExists.into())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// Removes a folder though the job may have taken rights away within it.
pub(crate) fn remove(folder: &Path) {
    if std::fs::remove_dir_all(folder).is_err() {
        open_up(folder);
        // What still resists is left to the next sweep.
        let _ = std::fs::remove_dir_all(folder);
    }
}

fn open_up(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700));
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}

/// Removes what crashed processes left in `root`.
pub(crate) fn sweep(root: &Path) {
    for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_stale) {
            remove(&entry.path());
        }
    }
}
