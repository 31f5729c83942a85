//! Two system calls that test kernel features for which no file and no program exists on every
//! machine. They are declared here because xtask uses the standard library only.
//! Start at [`landlock_version`].

#![allow(unsafe_code, reason = "two system calls; the standard library has neither")]

use std::ffi::{CStr, CString, c_char, c_int, c_long, c_uint, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

// SAFETY: the declarations are those of the C library on Linux.
unsafe extern "C" {
    fn syscall(number: c_long, ...) -> c_long;
    fn setxattr(
        path: *const c_char,
        name: *const c_char,
        value: *const c_void,
        size: usize,
        flags: c_int,
    ) -> c_int;
}

/// `landlock_create_ruleset`, which has the same number on every architecture.
const CREATE_RULESET: c_long = 444;

/// The version of Landlock; 0 if the kernel has none or it is disabled.
pub(crate) fn landlock_version() -> i64 {
    let (no_rules, no_size, ask_version): (*const c_void, usize, c_uint) = (std::ptr::null(), 0, 1);
    // SAFETY: with the version flag the call reads no memory and opens nothing.
    let version = unsafe { syscall(CREATE_RULESET, no_rules, no_size, ask_version) };
    version.max(0)
}

/// Whether files of the folder can have attributes that begin with `user.`.
pub(crate) fn has_user_attributes(folder: &Path) -> bool {
    let file = folder.join(format!("graftage-attribute-{}", std::process::id()));
    let Ok(path) = CString::new(file.as_os_str().as_bytes()) else { return false };
    if std::fs::write(&file, "").is_err() {
        return false;
    }
    let name: &CStr = c"user.graftage";
    // SAFETY: path and name end with NUL and outlive the call; the value is one readable byte.
    let set = unsafe { setxattr(path.as_ptr(), name.as_ptr(), c"x".as_ptr().cast(), 1, 0) };
    let removed = std::fs::remove_file(&file);
    set == 0 && removed.is_ok()
}
