//! Reads, hashes and parses files.

use std::cell::RefCell;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::{ContentHash, Ctx, LineIndex, ProjectPath};
use graph::{FileFlags, ProblemRow};
use rayon::prelude::*;
use syntax::facts::FileFacts;
use untrusted_fs::{Dir, Fault};

use crate::IngestError;
use crate::discover::problem;

/// Larger files are not source code; offsets have 32 bits.
const FILE_BYTES: u64 = 64 << 20;
/// How many syntax errors of one file are listed individually.
const LISTED_ERRORS: usize = 20;

/// A file's text, or why it is left out of the map.
#[derive(Clone, Debug)]
pub(crate) struct FileBytes {
    pub(crate) path: ProjectPath,
    /// Hash of the bytes; for an unreadable file, of the reason.
    pub(crate) hash: ContentHash,
    pub(crate) text: Result<Arc<str>, &'static str>,
}

/// Reads and hashes files in parallel. Files that vanished are left out.
pub(crate) fn read_all(
    ctx: &Ctx,
    root: &Dir,
    paths: &[ProjectPath],
) -> Result<Vec<FileBytes>, IngestError> {
    let read: Vec<Option<FileBytes>> = paths
        .par_iter()
        .with_min_len(16)
        .map(|path| if ctx.is_cancelled() { None } else { read(root, path) })
        .collect();
    ctx.check_cancelled()?;
    Ok(read.into_iter().flatten().collect())
}

/// The hash of a regular file, without keeping its bytes; `None` if there is no such file or it is
/// too large.
pub(crate) fn hash_of(root: &Dir, path: &ProjectPath) -> Option<ContentHash> {
    thread_local! {
        /// Reused for all files of a thread.
        static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    }
    let mut file = root.open_file(path.as_str()).ok()??;
    let len = file.metadata().ok()?.len();
    let len = usize::try_from(len).ok().filter(|len| *len as u64 <= FILE_BYTES)?;
    BUFFER.with_borrow_mut(|buffer| {
        // One extra byte detects a file that grows while it is read.
        if buffer.len() <= len {
            buffer.resize(len + 1, 0);
        }
        let mut read = 0;
        while read <= len {
            match file.read(buffer.get_mut(read..=len)?) {
                Ok(0) => break,
                Ok(more) => read += more,
                Err(err) if err.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
            if read == len {
                break;
            }
        }
        (read == len).then(|| ContentHash::of(&buffer[..len]))
    })
}

/// Reads and hashes one file; `None` if it does not exist.
pub(crate) fn read(root: &Dir, path: &ProjectPath) -> Option<FileBytes> {
    let refused = |reason: &'static str| {
        Some(FileBytes {
            path: path.clone(),
            hash: ContentHash::of(reason.as_bytes()),
            text: Err(reason),
        })
    };
    let bytes = match root.read(path.as_str(), FILE_BYTES) {
        Ok(Some(found)) => found.bytes,
        Ok(None) => return None,
        Err(Fault::Link | Fault::NotAFile) => return refused("it is not a regular file"),
        Err(Fault::TooLarge { .. }) => return refused("it is larger than 64 MiB"),
        Err(_) => return refused("it cannot be read"),
    };
    let hash = ContentHash::of(&bytes);
    let text = match String::from_utf8(bytes) {
        Ok(text) => Ok(text.into()),
        Err(_) => Err("it is not UTF-8 text"),
    };
    Some(FileBytes { path: path.clone(), hash, text })
}

/// The facts of one file, without its context.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    pub(crate) facts: Arc<FileFacts>,
    pub(crate) lines: u32,
    pub(crate) flags: FileFlags,
    pub(crate) problems: Arc<[ProblemRow]>,
}

/// Parses files in parallel, with progress.
pub(crate) fn parse_all(
    ctx: &Ctx,
    files: &[(&ProjectPath, &str)],
) -> Result<Vec<Parsed>, IngestError> {
    let done = AtomicU64::new(0);
    let total = files.len() as u64;
    // A single file is parsed on this thread: waking other threads takes longer.
    if let [(path, text)] = files {
        return Ok(vec![parse(path, text)]);
    }
    let parsed: Vec<Option<Parsed>> = files
        .par_iter()
        .map(|(path, text)| {
            if ctx.is_cancelled() {
                return None;
            }
            let parsed = parse(path, text);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(16) || done == total {
                ctx.count("reading", path.as_str(), done, total);
            }
            Some(parsed)
        })
        .collect();
    ctx.check_cancelled()?;
    Ok(parsed.into_iter().flatten().collect())
}

/// Parses one file.
pub(crate) fn parse(path: &ProjectPath, text: &str) -> Parsed {
    let facts = syntax::read(text);
    let lines = LineIndex::new(text);
    let errors = &facts.file.parse_errors;
    let mut problems: Vec<ProblemRow> = errors
        .iter()
        .take(LISTED_ERRORS)
        .map(|span| ProblemRow {
            path: path.clone(),
            line: lines.line_of(span.start),
            kind: "syntax".to_owned(),
            message: match span.slice(text).map(str::trim) {
                None | Some("") => "something is missing here".to_owned(),
                Some(skipped) => format!("`{}` was not understood", shorten(skipped)),
            },
        })
        .collect();
    if let Some(more) = errors.len().checked_sub(LISTED_ERRORS).filter(|more| *more > 0) {
        problems.push(problem(path, "syntax", format!("{more} more syntax errors")));
    }
    Parsed {
        lines: text.lines().count() as u32,
        flags: FileFlags {
            is_generated: is_generated(text),
            is_vendored: is_vendored(path),
            ..FileFlags::default()
        },
        problems: problems.into(),
        facts: Arc::new(facts),
    }
}

/// The beginning of a text, on one line.
fn shorten(text: &str) -> String {
    const CHARS: usize = 40;
    let line = text.lines().next().unwrap_or_default().trim_end();
    let mut short: String = line.chars().filter(|c| !c.is_control()).take(CHARS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Generators mark their output with a comment near the top.
fn is_generated(text: &str) -> bool {
    let mut head = text.lines().take(12).map(str::trim_start);
    head.any(|line| {
        let is_comment = line.starts_with("//") || line.starts_with("/*") || line.starts_with('*');
        let line = line.to_ascii_lowercase();
        is_comment
            && (line.contains("@generated")
                || line.contains("do not edit")
                || line.contains("automatically generated")
                || line.contains("autogenerated")
                || line.contains("auto-generated")
                || line.contains("generated by"))
    })
}

fn is_vendored(path: &ProjectPath) -> bool {
    const FOLDERS: [&str; 4] = ["vendor", "vendored", "third_party", "third-party"];
    path.as_str().split('/').rev().skip(1).any(|name| FOLDERS.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_and_vendored_files_are_marked() {
        assert!(is_generated("// @generated by prost\nfn f() {}"));
        assert!(is_generated("/* Automatically generated rust module. */"));
        assert!(!is_generated("fn f() { \"DO NOT EDIT\" }"));
        let path = |text: &str| ProjectPath::new(text).unwrap();
        assert!(is_vendored(&path("vendor/a/src/lib.rs")));
        assert!(!is_vendored(&path("src/vendor.rs")));
    }

    #[test]
    fn broken_text_is_a_problem_with_its_line() {
        let path = ProjectPath::new("a.rs").unwrap();
        let parsed = parse(&path, "fn f() {}\nfn ) {}\n");
        assert!(!parsed.problems.is_empty());
        assert!(parsed.problems.iter().all(|it| it.line == 2 && it.kind == "syntax"));
    }
}
