//! [`GivenLibraries`]: the libraries that a unit is given by cargo, and those that these were given. A compiler finds
//! the latter by listing a folder; the others there are none of its unit's.

use std::path::Path;

use base::SortedSet;
use untrusted_fs::{Dir, Fault};

/// The folder in the target directory with a file for each unit: the units whose libraries it is given, one a line.
/// Foreign code cannot write there.
const FOLDER: &str = ".given";
/// Maximum size of such a file, in bytes.
const BYTES: u64 = 1 << 20;

/// The units whose libraries a unit may find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GivenLibraries {
    units: SortedSet<String>,
    /// Whether all libraries have to be shown, since a unit has no file.
    pub(super) is_unknown: bool,
}

impl GivenLibraries {
    /// Notes what `unit` is given, and follows that.
    pub(super) fn begin(target: &Path, unit: &str, given: &[String]) -> Result<Self, Fault> {
        let folder = Dir::open(target)?.make_dirs(FOLDER)?;
        folder.remove_all(unit)?;
        folder.write_new(unit, given.join("\n").as_bytes())?;
        Self::follow(&folder, given.to_vec())
    }

    /// The libraries that a program was given when it was built as this unit.
    pub(super) fn of_program(target: &Path, unit: &str) -> Result<Self, Fault> {
        Self::follow(&Dir::open(target)?.make_dirs(FOLDER)?, vec![unit.to_owned()])
    }

    fn follow(folder: &Dir, mut queue: Vec<String>) -> Result<Self, Fault> {
        let mut found = Self::default();
        while let Some(unit) = queue.pop() {
            if found.units.contains(&unit) {
                continue;
            }
            match folder.read(&unit, BYTES)?.and_then(|it| String::from_utf8(it.bytes).ok()) {
                Some(text) => queue.extend(text.lines().map(str::to_owned)),
                None => found.is_unknown = true,
            }
            found.units.insert(unit);
        }
        Ok(found)
    }

    /// Whether the library of a unit may be found.
    pub(super) fn has(&self, unit: &str) -> bool {
        self.is_unknown || self.units.contains(unit)
    }
}
