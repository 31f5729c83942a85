//! The programs that the kernel opens by itself where one is started: the interpreter of a script, and the one that an
//! executable file names.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// The bytes of a script's first line that the kernel looks at.
const LINE: usize = 256;
/// Maximum number of program headers, and length of a path.
const HEADERS: u64 = 4_096;
const PATH: usize = 4_096;
/// Kind of the program header that names an interpreter.
const INTERPRETER: u32 = 3;

/// The path of the program that starts this one; `None` if the kernel opens no other.
pub(super) fn interpreter(program: &OwnedFd) -> Option<PathBuf> {
    let start = bytes(program, 0, LINE);
    if let Some(line) = start.strip_prefix(b"#!") {
        let line = line.split(|it| *it == b'\n').next()?;
        let mut words = line.split(|it| matches!(it, b' ' | b'\t')).filter(|it| !it.is_empty());
        return Some(OsString::from_vec(words.next()?.to_vec()).into());
    }
    // A file of 64 bits, the least significant byte first, which is what runs here.
    if !start.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let number = |from: &[u8], at: usize, length: usize| {
        let bytes = from.get(at..at + length)?;
        Some(bytes.iter().rev().fold(0, |number: u64, it| number << 8 | u64::from(*it)))
    };
    let (first, size) = (number(&start, 0x20, 8)?, number(&start, 0x36, 2)?);
    let headers = number(&start, 0x38, 2)?.min(HEADERS);
    (0..headers).find_map(|it| {
        let header = bytes(program, first.checked_add(it * size)?, 56);
        if number(&header, 0, 4)? != u64::from(INTERPRETER) {
            return None;
        }
        let path = bytes(
            program,
            number(&header, 8, 8)?,
            number(&header, 32, 8)?.min(PATH as u64) as usize,
        );
        let end = path.iter().position(|it| *it == 0).unwrap_or(path.len());
        Some(OsString::from_vec(path[..end].to_vec()).into())
    })
}

/// The bytes at a place of a file, fewer where it ends.
fn bytes(file: &OwnedFd, at: u64, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    let read = rustix::io::pread(file, &mut bytes, at).unwrap_or(0);
    bytes.truncate(read);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_executable_files_name_the_program_that_starts_them() {
        let of = |path: &std::path::Path| interpreter(&std::fs::File::open(path).unwrap().into());
        let own = of(&std::env::current_exe().unwrap());
        assert!(own.is_none_or(|it| it.is_absolute() && it.exists()));
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("s");
        for (text, expected) in [
            ("#!/bin/sh\n", Some("/bin/sh")),
            ("#! \t/p/x.txt -a b", Some("/p/x.txt")),
            ("#!\n", None),
            ("\x7fELF\x02\x01", None),
            ("", None),
        ] {
            std::fs::write(&script, text).unwrap();
            assert_eq!(of(&script), expected.map(PathBuf::from), "{text:?}");
        }
    }
}
