//! What the standard library offers, as declarations of our own.

use std::sync::{Arc, OnceLock};

use syntax::facts::FileFacts;

/// The files; the first is the root of the crate, the others are its modules by `mod x;`.
/// `std`, `core` and `alloc` are all names of this one crate.
const FILES: &[(&str, &str)] = &[("std/lib.rs", include_str!("../sysroot/lib.rs"))];

/// One file of the declarations.
pub(crate) struct SysrootFile {
    pub(crate) path: &'static str,
    pub(crate) text: Arc<str>,
    pub(crate) facts: Arc<FileFacts>,
}

/// All files, read once in a process.
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
