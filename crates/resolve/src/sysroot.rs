//! The declarations of the standard library, parsed once per process. `cargo xtask gen-sysroot` makes
//! them from rust-src; a test compares them with it.

use std::sync::{Arc, OnceLock};

use syntax::facts::FileFacts;

/// The files; the first is the root of the crate. `std`, `core` and `alloc` are all names of this
/// one crate.
const FILES: &[(&str, &str)] = &[("std/lib.rs", include_str!("../sysroot/std.rs"))];

/// One file of the declarations.
pub(crate) struct SysrootFile {
    pub(crate) path: &'static str,
    pub(crate) text: Arc<str>,
    pub(crate) facts: Arc<FileFacts>,
}

/// All files, parsed once per process.
pub(crate) fn files() -> &'static [SysrootFile] {
    static READ: OnceLock<Vec<SysrootFile>> = OnceLock::new();
    READ.get_or_init(|| {
        FILES
            .iter()
            .map(|(path, text)| SysrootFile {
                path,
                text: Arc::from(*text),
                facts: Arc::new(syntax::read(text)),
            })
            .collect()
    })
}
