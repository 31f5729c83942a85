//! [`download`]: adds the file of a model to its folder, by hash.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::address::{self, AddressProblem};
use crate::error::ModelError;
use crate::folder::{ModelFolder, compare};
use crate::packaged;

/// Longest time to connect, and to the first byte of an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Longest time for a whole file.
const LONGEST: Duration = Duration::from_secs(6 * 3_600);

/// Most bytes of a file.
const MOST_BYTES: u64 = 64 << 30;

/// Bytes that are read at a time.
const PIECE: usize = 64 << 10;

/// The way in which a file came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Downloaded {
    /// It was there, with its hash. Its size in bytes.
    Present(u64),
    /// It was downloaded. Its size in bytes.
    New(u64),
}

/// Downloads a file from `https://…`, from `http://…` on this machine, or copies it from `file:///…`, unless it is
/// there. After `#` the address of a zip archive names the member that is the file. An interrupted download
/// continues. `on_bytes` gets the bytes so far and, where it is known, their number; it
/// returns whether to go on. The file is in the folder only if it has the hash.
///
/// # Errors
/// An address that cannot be used, a redirect, an answer without the file, a file that cannot be written, another hash
/// (the download is removed), or the end by `on_bytes`.
pub fn download(
    folder: &ModelFolder,
    (url, sha256): (&str, &str),
    on_bytes: &mut dyn FnMut(u64, Option<u64>) -> bool,
) -> Result<Downloaded, ModelError> {
    let path = folder.path_of(sha256)?;
    if path.is_file()
        && let Ok(bytes) = compare(&path, sha256)
    {
        return Ok(Downloaded::Present(bytes));
    }
    if let Some(all) = path.parent() {
        std::fs::create_dir_all(all).map_err(|error| unwritable(all, &error))?;
    }
    let part = path.with_extension("part");
    let bytes = match packaged::split(url) {
        (url, None) => Fetch { url, part: &part, on_bytes }.run()?,
        (package, Some(member)) => from_package((package, member), &part, on_bytes)?,
    };
    if let Err(error) = compare(&part, sha256) {
        // Continuing it would give the same.
        let _ = std::fs::remove_file(&part);
        return Err(error);
    }
    std::fs::rename(&part, &path).map_err(|error| unwritable(&path, &error))?;
    Ok(Downloaded::New(bytes))
}

/// Writes the member of a package to `part`; the package itself is kept until that is done.
fn from_package(
    (url, member): (&str, &str),
    part: &Path,
    on_bytes: &mut dyn FnMut(u64, Option<u64>) -> bool,
) -> Result<u64, ModelError> {
    let (package, is_own) = match url.strip_prefix("file://") {
        Some(path) => (PathBuf::from(path), false),
        None => {
            let package = part.with_extension("package");
            Fetch { url, part: &package, on_bytes }.run()?;
            (package, true)
        }
    };
    let mut fetch = Fetch { url, part, on_bytes };
    let written = packaged::with_member(&package, member, |content, size| {
        fetch.write(content, 0, Some(size))
    });
    if is_own && !matches!(written, Ok(Err(ModelError::Cancelled | ModelError::Unwritable { .. })))
    {
        // The file is there, or the package is not the right one.
        let _ = std::fs::remove_file(&package);
    }
    written.unwrap_or_else(|fault| Err(fetch.failed(fault.to_string())))
}

fn unwritable(path: &Path, error: &std::io::Error) -> ModelError {
    ModelError::Unwritable { path: path.display().to_string(), reason: error.to_string() }
}

/// A download.
struct Fetch<'a> {
    url: &'a str,
    part: &'a Path,
    on_bytes: &'a mut dyn FnMut(u64, Option<u64>) -> bool,
}

impl Fetch<'_> {
    fn run(mut self) -> Result<u64, ModelError> {
        if let Some(path) = self.url.strip_prefix("file://") {
            let path = PathBuf::from(path);
            // To open a pipe would wait for its other end.
            if !std::fs::metadata(&path).is_ok_and(|it| it.is_file()) {
                return Err(self.failed("there is no regular file".to_owned()));
            }
            let file = File::open(&path).map_err(|error| self.failed(error.to_string()))?;
            let total = file.metadata().ok().map(|it| it.len());
            return self.write(file, 0, total);
        }
        if self.url.is_empty() {
            return Err(self.failed("its manifest names no source".to_owned()));
        }
        self.check_address()?;
        let kept = std::fs::metadata(self.part).map_or(0, |it| it.len());
        let agent = address::fixed_agent(None, |it| {
            it.timeout_connect(Some(PATIENCE))
                .timeout_recv_response(Some(PATIENCE))
                .timeout_recv_body(Some(LONGEST))
        });
        let mut request = agent.get(self.url);
        if kept > 0 {
            request = request.header("range", format!("bytes={kept}-"));
        }
        let mut response = request.call().map_err(|error| self.failed(error.to_string()))?;
        let from = match response.status().as_u16() {
            200 => 0,
            206 if begins_at(&response, kept) => kept,
            // The part is the whole file already, or of another one: its hash decides.
            416 if kept > 0 => return Ok(kept),
            status @ 300..=399 => {
                let to = response.headers().get("location").and_then(|it| it.to_str().ok());
                let to = base::visible_line(address::shown(to.unwrap_or("nowhere")));
                return Err(
                    self.failed(format!("it redirects ({status}) to {to}: name that address"))
                );
            }
            status => return Err(self.failed(format!("the server answers {status}"))),
        };
        let length = response.body().content_length().map(|it| it + from);
        let body = response.body_mut().with_config().limit(MOST_BYTES).reader();
        let bytes = self.write(body, from, length)?;
        match length {
            Some(all) if all != bytes => {
                Err(self.failed(format!("it ended after {bytes} of {all} bytes")))
            }
            _ => Ok(bytes),
        }
    }

    fn check_address(&self) -> Result<(), ModelError> {
        address::validate(self.url, false).map_err(|problem| match problem {
            AddressProblem::Invalid(reason) => self.failed(reason.to_owned()),
            AddressProblem::NoTls => ModelError::NotBuilt { feature: "tls" },
        })?;
        if self.url.starts_with("http://") && !address::is_local(self.url) {
            return Err(self.failed("`http` is for this machine alone: use `https`".to_owned()));
        }
        Ok(())
    }

    /// Writes a stream to the part, from this offset; returns the size of the part.
    fn write(
        &mut self,
        mut from: impl Read,
        offset: u64,
        total: Option<u64>,
    ) -> Result<u64, ModelError> {
        let opened =
            OpenOptions::new().create(true).write(true).truncate(offset == 0).open(self.part);
        let mut part = opened.map_err(|error| unwritable(self.part, &error))?;
        std::io::Seek::seek(&mut part, std::io::SeekFrom::Start(offset))
            .map_err(|error| unwritable(self.part, &error))?;
        let (mut bytes, mut piece) = (offset, vec![0; PIECE]);
        loop {
            if !(self.on_bytes)(bytes, total) {
                return Err(ModelError::Cancelled);
            }
            let length = match from.read(&mut piece) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(self.failed(error.to_string())),
            };
            part.write_all(&piece[..length]).map_err(|error| unwritable(self.part, &error))?;
            bytes += length as u64;
            if bytes > MOST_BYTES {
                return Err(self.failed("it is larger than 64 GiB".to_owned()));
            }
        }
        part.sync_all().map_err(|error| unwritable(self.part, &error))?;
        Ok(bytes)
    }

    fn failed(&self, reason: String) -> ModelError {
        let reason = base::visible_line(&reason);
        ModelError::Download { url: address::shown(self.url).to_owned(), reason }
    }
}

/// Whether a partial answer begins where it was asked to.
fn begins_at(response: &ureq::http::Response<ureq::Body>, offset: u64) -> bool {
    let range = response.headers().get("content-range").and_then(|it| it.to_str().ok());
    range.is_some_and(|it| it.starts_with(&format!("bytes {offset}-")))
}
