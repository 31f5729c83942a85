//! What the files say that name a unit's inputs: rustc's dep-info, and what a build script printed.

use std::path::{Path, PathBuf};

use beneath::{Dir, Fault};

use super::units::{Read, Scan};
use crate::outside::normal;

/// Bytes of one such file, and of all of them.
const FILE_BYTES: u64 = 16 << 20;
const ALL_BYTES: u64 = 512 << 20;
/// Paths in all of them.
const PATHS: usize = 2_000_000;

/// Reads the inputs of units within limits that hold for all units together. `None` of a method:
/// a limit is exceeded.
pub(super) struct Inputs<'a> {
    scan: &'a Scan<'a>,
    bytes: u64,
    paths: usize,
}

impl<'a> Inputs<'a> {
    pub(super) fn new(scan: &'a Scan<'a>) -> Self {
        Self { scan, bytes: ALL_BYTES, paths: PATHS }
    }

    /// Each file that was read has a line of its own, `path:`, spaces escaped.
    pub(super) fn dep_info(&mut self, dir: &Dir, file: &Path) -> Option<Read> {
        let Some(text) = self.text(dir, file)? else { return Some(Read::Unknown) };
        let paths = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.strip_suffix(':'))
            .map(|path| self.scan.cwd.join(path.replace("\\ ", " ")));
        match self.read(paths)? {
            // A compiler reads one file at least.
            Read::Package => Some(Read::Unknown),
            read => Some(read),
        }
    }

    /// What a build script declared.
    pub(super) fn declared(
        &mut self,
        dir: &Dir,
        output: &Path,
        package_dirs: &[PathBuf],
    ) -> Option<Read> {
        let Some(text) = self.text(dir, output)? else { return Some(Read::Unknown) };
        let declared = text.lines().filter_map(|line| {
            line.strip_prefix("cargo::rerun-if-changed=")
                .or_else(|| line.strip_prefix("cargo:rerun-if-changed="))
        });
        self.read(declared.flat_map(|path| package_dirs.iter().map(|dir| dir.join(path.trim()))))
    }

    /// `Some(None)` where there is no such text.
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

    fn read(&mut self, paths: impl Iterator<Item = PathBuf>) -> Option<Read> {
        let (target, roots) = (self.scan.target_path, self.scan.roots);
        let mut read = Vec::new();
        let mut known = true;
        for path in paths {
            self.paths = self.paths.checked_sub(1)?;
            // Output of a build script: it is valid if the script's run is.
            let plain = normal(&path);
            if plain.starts_with(target) || plain.starts_with(super::INSIDE) {
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
            (false, _) => Read::Unknown,
            (true, true) => Read::Package,
            (true, false) => Read::Files(read),
        })
    }
}
