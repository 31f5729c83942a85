use std::path::PathBuf;

/// How to bring the map up to date.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Read and resolve everything again, as if nothing had been indexed before.
    pub full: bool,
    /// Further files in the format of `.gitignore` (absolute, or relative to the root): what they
    /// name is left out of the map. Asking with others than the last time is a change of the tree.
    pub ignore_files: Vec<PathBuf>,
}
