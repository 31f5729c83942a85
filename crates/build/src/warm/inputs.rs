//! Parses the files that list a unit's inputs: rustc's dep-info, and the output of a build script.

use std::path::{Path, PathBuf};

use untrusted_fs::{Dir, Fault};

use super::units::{Scan, UnitInputs};
use base::normal_path;

/// Maximum size of one such file, and of all of them.
const FILE_BYTES: u64 = 16 << 20;
const ALL_BYTES: u64 = 512 << 20;
/// Maximum number of paths in all of them.
const PATHS: usize = 2_000_000;

/// Reads the inputs of units, with limits that apply to all units together. Methods return `None`
/// if a limit is exceeded.
pub(super) struct Inputs<'a> {
    scan: &'a Scan<'a>,
    bytes: u64,
    paths: usize,
}

impl<'a> Inputs<'a> {
    pub(super) fn new(scan: &'a Scan<'a>) -> Self {
        Self { scan, bytes: ALL_BYTES, paths: PATHS }
    }

    /// The files that rustc's dep-info names.
    pub(super) fn dep_info(&mut self, dir: &Dir, file: &Path) -> Option<UnitInputs> {
        let Some(text) = self.text(dir, file)? else { return Some(UnitInputs::Unknown) };
        let paths = base::dep_info_files(&text).map(|path| self.scan.cwd.join(path));
        match self.read(paths)? {
            // A compiler reads at least one file.
            UnitInputs::Package => Some(UnitInputs::Unknown),
            read => Some(read),
        }
    }

    /// The inputs that a build script declared.
    pub(super) fn declared(
        &mut self,
        dir: &Dir,
        output: &Path,
        package_dirs: &[PathBuf],
    ) -> Option<UnitInputs> {
        let Some(text) = self.text(dir, output)? else { return Some(UnitInputs::Unknown) };
        let declared = text.lines().filter_map(|line| {
            line.strip_prefix("cargo::rerun-if-changed=")
                .or_else(|| line.strip_prefix("cargo:rerun-if-changed="))
        });
        let paths = declared.flat_map(|path| package_dirs.iter().map(|dir| dir.join(path.trim())));
        self.read(paths)
    }

    /// `Some(None)` if there is no such text.
    fn text(&mut self, dir: &Dir, file: &Path) -> Option<Option<String>> {
        match dir.read(file, FILE_BYTES.min(self.bytes)) {
            Ok(Some(found)) => {
                self.bytes -= found.bytes.len() as u64;
                Some(String::from_utf8(found.bytes).ok())
            }
            Ok(None) => Some(None),
            Err(Fault::TooLarge { .. }) => None,
            Err(_) => Some(None),
        }
    }

    fn read(&mut self, paths: impl Iterator<Item = PathBuf>) -> Option<UnitInputs> {
        let (targets, roots) = (self.scan.target_paths, self.scan.roots);
        let mut read = Vec::new();
        let mut known = true;
        for path in paths {
            self.paths = self.paths.checked_sub(1)?;
            // An output of the build script is valid if its run is.
            let plain = normal_path(&path);
            if targets.iter().any(|it| plain.starts_with(it)) {
                continue;
            }
            match roots.key(&path) {
                Some(key) if roots.is_comparable(&key) => read.push(key),
                _ => known = false,
            }
        }
        read.sort();
        read.dedup();
        Some(match (known, read.is_empty()) {
            (false, _) => UnitInputs::Unknown,
            (true, true) => UnitInputs::Package,
            (true, false) => UnitInputs::Files(read),
        })
    }
}
