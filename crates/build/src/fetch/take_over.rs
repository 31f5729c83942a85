//! Moves downloaded files to the user's registry: `.crate` files whose SHA-256 is in the lock file,
//! index entries with the same SHA-256, and the `config.json` of a new registry. Everything is
//! checked before the first file is moved; each is written under a temporary name and renamed. The
//! caller holds cargo's package cache lock.

use std::fs::{self, File, Permissions};
use std::io::{Read, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use untrusted_fs::{Dir, EntryKind, Fault};

use super::fault::IndexFault;
use super::home::{ENTRY_BYTES, is_file, sources};
use super::index_entry;
use super::lock_file::{LockFile, Release};
use crate::CargoError;

/// Maximum size of one `.crate`, in bytes; the public registry's limit is 10 MiB by default.
const CRATE_BYTES: u64 = 512 << 20;
/// Maximum size of a registry's `config.json`, in bytes.
const ADDRESS_BYTES: u64 = 64 << 10;

/// The number of moved files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MovedFiles {
    pub(super) crates: usize,
    pub(super) entries: usize,
}

/// Moves what `lock` names and the user's `registry` does not have from the `registry` folder of a
/// private home.
///
/// # Errors
/// [`CargoError::Download`] when a file does not match the lock file; nothing is moved then.
pub(super) fn take_over(
    private: &Path,
    registry: &Path,
    lock: &LockFile,
) -> Result<MovedFiles, CargoError> {
    let mut moves = Moves::default();
    let mut taken = MovedFiles::default();
    for source in sources(&private.join("cache")) {
        let from = open(&private.join("cache").join(&source))?;
        for (release, checksums) in &lock.releases {
            let to = registry.join("cache").join(&source).join(release.file());
            let registry_file = RegistryFile { source: &source, file: release.file() };
            if is_file(&to) || checksums.is_empty() || !registry_file.is_file(&from)? {
                continue;
            }
            let sum = moves.copy(&from, &registry_file, &to)?;
            if !checksums.contains(&sum) {
                let listed: Vec<&str> = checksums.iter().map(String::as_str).collect();
                return Err(registry_file.error(format!(
                    "its SHA-256 is {sum}, and `Cargo.lock` has {}",
                    listed.join(", ")
                )));
            }
            taken.crates += 1;
        }
    }
    for source in sources(&private.join("index")) {
        let from = open(&private.join("index").join(&source))?;
        let to = registry.join("index").join(&source);
        taken.entries += take_entries(&from, &to, &source, lock, &mut moves)?;
        take_address(&from, &to, &source, &mut moves)?;
    }
    moves.finish()?;
    Ok(taken)
}

fn take_entries(
    from: &Dir,
    to: &Path,
    source: &str,
    lock: &LockFile,
    moves: &mut Moves,
) -> Result<usize, CargoError> {
    let mut taken = 0;
    let mut releases = lock.releases.keys().peekable();
    while let Some(first) = releases.next() {
        let mut of_name = vec![first];
        while let Some(next) = releases.next_if(|next| next.name == first.name) {
            of_name.push(next);
        }
        let file = Path::new(".cache").join(index_entry::path(&first.name));
        let registry_file = RegistryFile { source, file: file.display().to_string() };
        let found =
            from.read(&file, ENTRY_BYTES).map_err(|fault| registry_file.fault_error(&fault))?;
        let Some(found) = found else { continue };
        let own = untrusted_fs::read_regular(&to.join(&file), ENTRY_BYTES).ok().flatten();
        if own.is_some_and(|own| matches_lock(&own, &of_name, lock) == Ok(true)) {
            continue;
        }
        // An entry without these releases belongs to another registry with a package of that name.
        if matches_lock(&found.bytes, &of_name, lock)
            .map_err(|fault| registry_file.error(fault.to_string()))?
        {
            moves.write(&found.bytes, &to.join(&file))?;
            taken += 1;
        }
    }
    Ok(taken)
}

/// Whether an index entry lists all `releases`, each with a checksum of the lock file; the error is
/// how it differs.
fn matches_lock(entry: &[u8], releases: &[&Release], lock: &LockFile) -> Result<bool, IndexFault> {
    let Some(first) = releases.first() else { return Ok(false) };
    let listed = index_entry::checksums(&first.name, entry)?;
    let mut all = true;
    for release in releases {
        let wanted = lock.releases.get(*release).filter(|sums| !sums.is_empty());
        match (listed.get(&release.version), wanted) {
            (Some(sum), Some(wanted)) if !wanted.contains(sum) => {
                return Err(IndexFault::Checksum {
                    release: release.folder(),
                    sum: sum.clone(),
                    wanted: wanted.iter().cloned().collect(),
                });
            }
            (Some(_), Some(_)) => {}
            (None, _) | (_, None) => all = false,
        }
    }
    Ok(all)
}

/// `config.json`, the address from which a registry serves its packages. An existing one stays.
fn take_address(from: &Dir, to: &Path, source: &str, moves: &mut Moves) -> Result<(), CargoError> {
    let registry_file = RegistryFile { source, file: "config.json".to_owned() };
    let to = to.join(&registry_file.file);
    let found = from
        .read(&registry_file.file, ADDRESS_BYTES)
        .map_err(|fault| registry_file.fault_error(&fault))?;
    let Some(found) = found.filter(|_| !to.exists()) else { return Ok(()) };
    let json: Option<serde_json::Value> = serde_json::from_slice(&found.bytes).ok();
    let address = json.as_ref().and_then(|json| json.get("dl")?.as_str());
    let is_remote = |text: &str| text.starts_with("https://") || text.starts_with("http://");
    if !address.is_some_and(is_remote) {
        return Err(registry_file.error("it names no address of the network".to_owned()));
    }
    moves.write(&found.bytes, &to)
}

/// A file of the private registry, for messages.
struct RegistryFile<'a> {
    source: &'a str,
    file: String,
}

impl RegistryFile<'_> {
    fn error(&self, reason: String) -> CargoError {
        CargoError::Download { file: self.file.clone(), source_name: self.source.into(), reason }
    }

    fn fault_error(&self, fault: &Fault) -> CargoError {
        self.error(fault.to_string())
    }

    /// Whether it is a file that cargo wrote. A link represents a file that the user's registry
    /// has, and is an error here like anything else.
    fn is_file(&self, dir: &Dir) -> Result<bool, CargoError> {
        match dir.kind(&self.file).map_err(|fault| self.fault_error(&fault))? {
            Some(EntryKind::File) => Ok(true),
            None => Ok(false),
            Some(EntryKind::Link) => Err(self.fault_error(&Fault::Link)),
            Some(EntryKind::Folder | EntryKind::Special) => Err(self.fault_error(&Fault::NotAFile)),
        }
    }
}

/// Files written under temporary names in their destination folders, renamed when all are valid.
/// Dropping it leaves nothing behind.
#[derive(Default)]
struct Moves {
    files: Vec<(NamedTempFile, PathBuf)>,
}

impl Moves {
    fn write(&mut self, bytes: &[u8], to: &Path) -> Result<(), CargoError> {
        let mut new = Self::beside(to)?;
        new.write_all(bytes).map_err(CargoError::io("write", new.path()))?;
        self.files.push((new, to.to_owned()));
        Ok(())
    }

    /// Copies a file and returns the SHA-256 of the copy, in lower-case hex.
    fn copy(
        &mut self,
        from: &Dir,
        registry_file: &RegistryFile<'_>,
        to: &Path,
    ) -> Result<String, CargoError> {
        let opened = from
            .open_file(&registry_file.file)
            .map_err(|fault| registry_file.fault_error(&fault))?;
        let opened = opened.ok_or_else(|| registry_file.error("it is gone".to_owned()))?;
        let mut new = Self::beside(to)?;
        let sum = copy_hashed(opened, new.as_file_mut())
            .map_err(CargoError::io("copy to", new.path()))?
            .ok_or_else(|| registry_file.fault_error(&Fault::TooLarge { limit: CRATE_BYTES }))?;
        self.files.push((new, to.to_owned()));
        Ok(sum)
    }

    fn beside(to: &Path) -> Result<NamedTempFile, CargoError> {
        let folder = to.parent().unwrap_or(to);
        fs::create_dir_all(folder).map_err(CargoError::io("create", folder))?;
        tempfile::Builder::new()
            .prefix(".graftage-")
            // Other programs of the user read it.
            .permissions(Permissions::from_mode(0o644))
            .tempfile_in(folder)
            .map_err(CargoError::io("write to", folder))
    }

    fn finish(self) -> Result<(), CargoError> {
        for (new, to) in self.files {
            new.persist(&to).map_err(|error| CargoError::Io {
                action: "write",
                path: to,
                source: error.error,
            })?;
        }
        Ok(())
    }
}

/// `None` if it is larger than a `.crate` may be.
fn copy_hashed(from: File, to: &mut File) -> std::io::Result<Option<String>> {
    let mut from = from.take(CRATE_BYTES + 1);
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 64 << 10];
    let mut copied = 0u64;
    loop {
        let read = from.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        copied += read as u64;
        hasher.update(&buffer[..read]);
        to.write_all(&buffer[..read])?;
    }
    let hex = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((copied <= CRATE_BYTES).then_some(hex))
}

fn open(path: &Path) -> Result<Dir, CargoError> {
    Dir::open(path).map_err(|fault| CargoError::Io {
        action: "open",
        path: path.to_owned(),
        source: fault.into(),
    })
}

#[cfg(test)]
#[path = "take_over/tests.rs"]
mod tests;
