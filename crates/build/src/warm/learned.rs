//! The entries of the project that each unit learned of, by the records of the sandbox: what a macro, a build
//! script, the assembler or the linker read is in no report of a compiler.

use std::path::{Path, PathBuf};

use base::SortedMap;
use sandbox::UnitRecord;
use untrusted_fs::Dir;

use super::read_roots::ReadRoots;

/// Maximum number of records, and of bytes in one.
const RECORDS: usize = 1_000_000;
const BYTES: u64 = 64 << 20;

/// The parts of the project that one unit learned of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Learned {
    /// Keys of entries that it read or asked about, whether they were there or not.
    pub(super) entries: Vec<String>,
    /// Keys of folders whose names it read.
    pub(super) folders: Vec<String>,
    /// Files and folders of the target directory that it read.
    pub(super) built: Vec<PathBuf>,
    /// Whether a later change of all that it learned would be noticed.
    pub(super) is_comparable: bool,
}

/// The records in a target directory.
pub(super) struct Records<'a> {
    folder: Option<Dir>,
    roots: &'a ReadRoots,
    /// Names of the records of compilers by cargo's hash; `None` for a hash that occurs twice.
    compilers: SortedMap<String, Option<String>>,
}

impl<'a> Records<'a> {
    /// `None` if they cannot be listed.
    pub(super) fn open(target: &Dir, roots: &'a ReadRoots) -> Option<Self> {
        let folder = target.open_dir(UnitRecord::FOLDER).ok()?;
        let mut compilers = SortedMap::new();
        let entries = folder.as_ref().map(|it| it.entries(RECORDS)).transpose().ok()?;
        for entry in entries.into_iter().flatten() {
            let Ok(name) = entry.name.into_string() else { continue };
            if let Some((_, hash)) = name.rsplit_once('-') {
                let hash = hash.to_owned();
                if !name.starts_with(&UnitRecord::of_run("")) {
                    compilers.entry(hash).and_modify(|it| *it = None).or_insert(Some(name));
                }
            }
        }
        Some(Self { folder, roots, compilers })
    }

    /// The record of the compiler of the unit with this hash; `None` if there is none.
    pub(super) fn of_compiler(&self, hash: &str) -> Option<Learned> {
        self.read(self.compilers.get(hash)?.as_deref()?)
    }

    /// The record of a build script's run; `unit` is the name of its folder.
    pub(super) fn of_run(&self, unit: &str) -> Option<Learned> {
        self.read(&UnitRecord::of_run(unit))
    }

    fn read(&self, name: &str) -> Option<Learned> {
        let found = self.folder.as_ref()?.read(name, BYTES).ok()??;
        let record = UnitRecord::parse(&found.bytes);
        let mut learned = Learned {
            is_comparable: record.is_complete,
            built: record.built,
            ..Learned::default()
        };
        let mut key = |path: &Path| {
            let key = self.roots.key(path).filter(|it| self.roots.is_comparable(it));
            learned.is_comparable &= key.is_some();
            key
        };
        learned.entries = record.entries.iter().filter_map(|it| key(it)).collect();
        learned.folders = record.folders.iter().filter_map(|it| key(it)).collect();
        Some(learned)
    }
}
