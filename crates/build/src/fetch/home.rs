//! The private `CARGO_HOME` of one download: what it contains at the start, and its removal. Start
//! at [`PrivateHome`]; `take_over.rs` moves its files to the user's registry.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use base::Ctx;

use super::config::ReducedConfig;
use super::index_entry;
use super::lock_file::LockFile;
use crate::CargoError;

/// Maximum number of sources, and thus of folders, in a registry.
pub(super) const SOURCES: usize = 1_000;
/// Maximum size of one index entry in bytes; the largest have some hundred releases.
pub(super) const ENTRY_BYTES: u64 = 32 << 20;
/// Lock file of each private folder, held while its process runs.
const LOCK: &str = "lock";

/// A private folder for one download, removed on drop. It contains two folders that serve as
/// `CARGO_HOME`, both with the reduced configuration and without credentials:
///
/// - `get`, for the download: an empty registry, except for what the user's has already (links to
///   `.crate` files and sources, which are read-only in the view, and copies of index entries);
/// - `put`, for unpacking: its registry is the user's.
#[derive(Debug)]
pub(super) struct PrivateHome {
    dir: PathBuf,
    _lock: File,
}

impl PrivateHome {
    /// Creates the folder below graftage's cache, and removes those of ended processes.
    pub(super) fn make(ctx: &Ctx, cache: &Path) -> Result<Self, CargoError> {
        let all = cache.join("downloads");
        untrusted_fs::make_own(&all).map_err(CargoError::fault("create", &all))?;
        // One process at a time, so that a new folder is not mistaken for an abandoned one.
        let guard = all.join(".guard");
        let file = File::create(&guard).map_err(CargoError::io("create", &guard))?;
        file.lock().map_err(CargoError::io("lock", &guard))?;
        remove_dead(&all);
        let dir = all.join(ctx.fresh_name());
        fs::create_dir(&dir).map_err(CargoError::io("create", &dir))?;
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o700))
            .map_err(CargoError::io("close", &dir))?;
        let path = dir.join(LOCK);
        let lock = File::create(&path).map_err(CargoError::io("create", &path))?;
        lock.lock().map_err(CargoError::io("lock", &path))?;
        let home = Self { dir, _lock: lock };
        for path in [home.get(), home.put()] {
            fs::create_dir(&path).map_err(CargoError::io("create", &path))?;
        }
        Ok(home)
    }

    /// `CARGO_HOME` of the download.
    pub(super) fn get(&self) -> PathBuf {
        self.dir.join("get")
    }

    /// `CARGO_HOME` for unpacking into the user's registry.
    pub(super) fn put(&self) -> PathBuf {
        self.dir.join("put")
    }

    /// Writes the configuration into `put`, whose registry is the user's.
    pub(super) fn fill_put(
        &self,
        cargo_home: &Path,
        config: &ReducedConfig,
    ) -> Result<(), CargoError> {
        configure(&self.put(), cargo_home, config)?;
        let to = self.put().join("registry");
        symlink(cargo_home.join("registry"), &to).map_err(CargoError::io("link", &to))
    }

    /// Writes the configuration into `get`, and links or copies what the user's registry has of
    /// `lock`.
    pub(super) fn fill_get(
        &self,
        cargo_home: &Path,
        config: &ReducedConfig,
        lock: &LockFile,
    ) -> Result<(), CargoError> {
        configure(&self.get(), cargo_home, config)?;
        let registry = cargo_home.join("registry");
        let own = self.get().join("registry");
        for (part, is_there) in
            [("cache", is_file as fn(&Path) -> bool), ("src", |it| is_file(&it.join(".cargo-ok")))]
        {
            for source in sources(&registry.join(part)) {
                let (from, to) = (registry.join(part).join(&source), own.join(part).join(&source));
                fs::create_dir_all(&to).map_err(CargoError::io("create", &to))?;
                for release in lock.releases.keys() {
                    let name = if part == "cache" { release.file() } else { release.folder() };
                    if is_there(&from.join(&name)) {
                        let to = to.join(&name);
                        symlink(from.join(&name), &to).map_err(CargoError::io("link", to))?;
                    }
                }
            }
        }
        self.copy_index(&registry.join("index"), lock)
    }

    /// cargo rewrites index entries, so they are copied. Unreadable ones are downloaded again.
    fn copy_index(&self, index: &Path, lock: &LockFile) -> Result<(), CargoError> {
        for source in sources(index) {
            let Ok(from) = untrusted_fs::Dir::open(&index.join(&source)) else { continue };
            let to = self.get().join("registry/index").join(&source).join(".cache");
            for name in lock.releases.keys().map(|release| &release.name) {
                let entry = index_entry::path(name);
                let Ok(Some(found)) = from.read(Path::new(".cache").join(&entry), ENTRY_BYTES)
                else {
                    continue;
                };
                let to = to.join(entry);
                let folder = to.parent().unwrap_or(&to);
                fs::create_dir_all(folder).map_err(CargoError::io("create", folder))?;
                fs::write(&to, found.bytes).map_err(CargoError::io("write", &to))?;
            }
        }
        Ok(())
    }
}

fn configure(home: &Path, cargo_home: &Path, config: &ReducedConfig) -> Result<(), CargoError> {
    let path = home.join("config.toml");
    fs::write(&path, config.text()).map_err(CargoError::io("write", &path))?;
    let (from, to) = (cargo_home.join("git"), home.join("git"));
    if from.is_dir() {
        symlink(from, &to).map_err(CargoError::io("link", &to))?;
    }
    Ok(())
}

impl Drop for PrivateHome {
    fn drop(&mut self) {
        // What is left after an error is removed by the next download.
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// The folder names in a part of the registry, one per source; links are ignored.
pub(super) fn sources(part: &Path) -> Vec<String> {
    let Ok(dir) = untrusted_fs::Dir::open(part) else { return Vec::new() };
    let entries = dir.entries(SOURCES).unwrap_or_default();
    entries
        .into_iter()
        .filter(|entry| entry.kind == untrusted_fs::EntryKind::Folder)
        .filter_map(|entry| entry.name.into_string().ok())
        .filter(|name| !name.starts_with('.'))
        .collect()
}

/// Whether it is a file with content: cargo takes an empty one for an interrupted download.
pub(super) fn is_file(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0)
}

fn remove_dead(all: &Path) {
    for entry in fs::read_dir(all).into_iter().flatten().flatten() {
        if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let is_dead = match File::options().write(true).open(entry.path().join(LOCK)) {
            Ok(lock) => lock.try_lock().is_ok(),
            // Its process died before it created the lock, or while the folder was removed.
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        };
        if is_dead {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
