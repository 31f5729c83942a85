//! Reads what tests that were built with `-C instrument-coverage` have written: from a raw profile
//! and the coverage map of its binary to the executed lines of the project's files. Needs no tools of
//! LLVM. Start at [`lines_by_file`].
//!
//! Both inputs were written by foreign code: every read is checked, sizes are limited, and anything
//! unusual is no coverage. (The crate `llvm_profparser` panics on damaged maps and allocates what a
//! header asks for.)

mod bytes;
mod lines;
mod mapping;
mod profile;

use std::path::Path;

use base::{ProjectPath, SortedMap};

pub(crate) use mapping::CoverageMap;

/// Executed lines by file, each from 1 and ascending.
pub type LinesByFile = SortedMap<ProjectPath, Vec<u32>>;

/// The lines of the project's files that a run executed; `None` where the profile cannot be read.
pub(crate) fn lines_by_file(map: &CoverageMap, profile: &[u8], root: &Path) -> Option<LinesByFile> {
    let counters = profile::read(profile)?;
    let mut found = LinesByFile::new();
    for (file, lines) in lines::executed(map, &counters) {
        if let Ok(path) = ProjectPath::within(root, Path::new(&*file)) {
            found.insert(path, lines.into_iter().collect());
        }
    }
    Some(found)
}
