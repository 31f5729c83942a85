//! Traces on disk: written line by line, read whole. The file of a running trace is locked, so that no
//! other process continues it.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::{FORMAT, Trace, TraceHeader, TraceLine};
use crate::AgentError;

/// Largest trace in bytes; a run with more is not recorded.
const LARGEST: u64 = 256 << 20;
/// How the header of a trace begins.
const BEGINNING: &[u8; 9] = b"{\"begin\":";
/// Ending of the names of traces.
const ENDING: &str = "jsonl";

/// A trace that is written.
#[derive(Debug)]
pub(crate) struct TraceFile {
    path: PathBuf,
    file: File,
    bytes: u64,
}

impl TraceFile {
    /// Creates a trace in `folder`, or continues the newest one there of the same run that was cut off.
    /// Returns what is known of that.
    pub(crate) fn open(
        folder: &Path,
        header: &TraceHeader,
        name: &str,
    ) -> io::Result<(Self, Option<Trace>)> {
        untrusted_fs::make_own(folder)?;
        for path in newest_traces(folder) {
            if let Some(found) = Self::continued(&path, header)? {
                return Ok(found);
            }
        }
        let path = folder.join(format!("{:016}-{name}.{ENDING}", header.started.0));
        let file = OpenOptions::new().create_new(true).append(true).mode(0o600).open(&path)?;
        file.lock()?;
        let mut trace = Self { path, file, bytes: 0 };
        trace.write(&TraceLine::Begin(Box::new(header.clone())))?;
        Ok((trace, None))
    }

    /// The trace at `path` if it is one of the same run, was cut off, and is not in use.
    fn continued(path: &Path, header: &TraceHeader) -> io::Result<Option<(Self, Option<Trace>)>> {
        let Ok(file) = OpenOptions::new().read(true).append(true).open(path) else {
            return Ok(None);
        };
        if file.try_lock().is_err() {
            return Ok(None);
        }
        let Ok((trace, whole)) = read(path) else { return Ok(None) };
        if trace.end.is_some() || !trace.header.is_same_run(header) {
            return Ok(None);
        }
        // The line that the kill cut off.
        file.set_len(whole)?;
        let mut file = file;
        let bytes = file.seek(SeekFrom::End(0))?;
        Ok(Some((Self { path: path.to_path_buf(), file, bytes }, Some(trace))))
    }

    /// Appends a line.
    pub(crate) fn write(&mut self, line: &TraceLine) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.bytes += text.len() as u64;
        if self.bytes > LARGEST {
            return Err(io::Error::other("the trace is too large"));
        }
        self.file.write_all(&text)
    }

    /// Removes the trace: it cannot be completed.
    pub(crate) fn discard(self) {
        // It is cut off either way, and a later run does not continue it without its answers.
        let _ = std::fs::remove_file(&self.path);
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// The traces of a folder, newest first.
pub fn newest_traces(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(|it| Some(it.ok()?.path()));
    let mut traces: Vec<PathBuf> =
        paths.filter(|it| it.extension().is_some_and(|it| it == ENDING)).collect();
    traces.sort();
    traces.reverse();
    traces
}

/// Whether a file begins as a trace does.
pub fn is_trace(path: &Path) -> bool {
    let mut start = [0; BEGINNING.len()];
    let read = File::open(path).and_then(|mut it| it.read_exact(&mut start));
    read.is_ok() && start == *BEGINNING
}

/// Reads a trace.
///
/// # Errors
/// A file that cannot be read or is no trace of this version; the message names the line.
pub fn read_trace(path: &Path) -> Result<Trace, AgentError> {
    Ok(read(path)?.0)
}

/// A trace and the length of its whole lines.
fn read(path: &Path) -> Result<(Trace, u64), AgentError> {
    let refused = |reason: String| AgentError::Trace { path: path.display().to_string(), reason };
    let bytes = untrusted_fs::read_own(path, LARGEST)
        .map_err(|fault| refused(fault.to_string()))?
        .ok_or_else(|| refused("there is no such file".to_owned()))?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let mut lines = bytes[..whole].split(|byte| *byte == b'\n').filter(|it| !it.is_empty());
    let first = lines.next().ok_or_else(|| refused("it is empty".to_owned()))?;
    let header = match serde_json::from_slice(first) {
        Ok(TraceLine::Begin(header)) if header.format == FORMAT => *header,
        Ok(TraceLine::Begin(header)) => {
            return Err(refused(format!("it has format {}, not {FORMAT}", header.format)));
        }
        Ok(_) => return Err(refused("its first line is no header".to_owned())),
        Err(error) => return Err(refused(format!("line 1: {error}"))),
    };
    let mut trace = Trace { header, answers: Vec::new(), end: None };
    for (idx, line) in lines.enumerate() {
        let number = idx + 2;
        match serde_json::from_slice(line) {
            Ok(TraceLine::Answer(answer)) if trace.end.is_none() => trace.answers.push(answer),
            Ok(TraceLine::End(end)) if trace.end.is_none() => trace.end = Some(end),
            Ok(_) => return Err(refused(format!("line {number} does not belong there"))),
            Err(error) => return Err(refused(format!("line {number}: {error}"))),
        }
    }
    Ok((trace, whole as u64))
}
