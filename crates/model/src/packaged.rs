//! Members of packages: the file of a model inside a zip archive, such as a wheel.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

/// Most names of members in a message.
const SHOWN: usize = 5;
/// Most members of a package.
const MOST: usize = 1_000_000;

/// The address of a package and the member that it names, as in `https://example.org/x.whl#models/a.gguf`.
pub(crate) fn split(url: &str) -> (&str, Option<&str>) {
    match url.split_once('#') {
        Some((package, member)) if !member.is_empty() => (package, Some(member)),
        _ => (url, None),
    }
}

/// Why a package does not have the file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PackageFault {
    /// It is no archive, or a damaged one.
    #[error("its package cannot be read: {0}")]
    Archive(#[from] ZipError),
    /// It cannot be opened.
    #[error("its package cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// Another member, or none.
    #[error("its package has no `{member}`{others}")]
    Missing {
        /// The name that was asked for.
        member: String,
        /// The models that it has.
        others: String,
    },
    /// More members than the limit.
    #[error("its package has more than {MOST} files")]
    TooMany,
}

/// Calls `read` with the member's content and its size in bytes, as the package states it.
///
/// # Errors
/// See [`PackageFault`].
pub(crate) fn with_member<R>(
    package: &Path,
    member: &str,
    read: impl FnOnce(&mut dyn Read, u64) -> R,
) -> Result<R, PackageFault> {
    let mut archive = ZipArchive::new(std::io::BufReader::new(File::open(package)?))?;
    if archive.len() > MOST {
        return Err(PackageFault::TooMany);
    }
    let others = others(&archive);
    let mut file = archive.by_name(member).map_err(|error| match error {
        ZipError::FileNotFound => PackageFault::Missing { member: member.to_owned(), others },
        error => error.into(),
    })?;
    let size = file.size();
    Ok(read(&mut file, size))
}

fn others<R: Read + std::io::Seek>(archive: &ZipArchive<R>) -> String {
    let names = archive.file_names().filter_map(Result::ok);
    let mut models: Vec<_> = names.filter(|it| it.ends_with(".gguf")).collect();
    models.sort_unstable();
    match models.as_slice() {
        [] => ", and no file that ends in `.gguf`".to_owned(),
        some => {
            let more = if some.len() > SHOWN { ", …" } else { "" };
            let shown: Vec<String> = some.iter().take(SHOWN).map(|it| format!("`{it}`")).collect();
            format!("; it has {}{more}", shown.join(", "))
        }
    }
}
