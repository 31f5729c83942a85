//! Options of a refresh.

use std::path::PathBuf;

/// Options of a refresh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Read and resolve everything again, as if nothing had been indexed before.
    pub full: bool,
    /// Additional files in `.gitignore` format (absolute, or relative to the root): matching files
    /// are left out of the map. Other ignore files than the last time count as a change of the
    /// tree.
    pub ignore_files: Vec<PathBuf>,
}
