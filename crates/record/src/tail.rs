//! Reads the text of a log: its lines from the start, and its end without reading all of it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use crate::line::{End, Framed, LINE_LIMIT, Unframed};

/// The part of a log that verifies.
#[derive(Debug)]
pub(crate) struct Verified<'a> {
    /// Its lines.
    pub(crate) lines: Vec<Framed<'a>>,
    /// Its length in bytes.
    pub(crate) length: usize,
    /// Why the rest is not used; `None` if there is no rest, or only a torn last line.
    pub(crate) fault: Option<TextFault>,
}

/// Why the rest of a log is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TextFault {
    /// It is damaged.
    Damaged(String),
    /// It is of a later version.
    Version(u64),
}

/// Verifies the lines of a log. `continues`: whether the first line may have any number.
pub(crate) fn verify(bytes: &[u8], continues: bool) -> Verified<'_> {
    let mut verified = Verified { lines: Vec::new(), length: 0, fault: None };
    let mut end = End::empty();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let Some(text) = line.strip_suffix(b"\n") else {
            // Torn: the line break is the last byte that is written.
            if line.len() > LINE_LIMIT {
                verified.fault = Some(TextFault::Damaged("a line has no end".to_owned()));
            }
            break;
        };
        let framed = match Framed::read(text) {
            Ok(framed) => framed,
            Err(Unframed::Version(version)) => {
                verified.fault = Some(TextFault::Version(version));
                break;
            }
            Err(Unframed::Foreign) => {
                verified.fault = Some(TextFault::Damaged("it is no line of a record".to_owned()));
                break;
            }
        };
        if continues && verified.lines.is_empty() {
            end = framed.start();
        }
        match framed.follows(end) {
            Ok(next) => end = next,
            Err(fault) => {
                verified.fault = Some(TextFault::Damaged(fault.to_string()));
                break;
            }
        }
        verified.length += line.len();
        verified.lines.push(framed);
    }
    verified
}

/// The end of a log and the length up to it, if all of it verifies.
pub(crate) fn end_of_whole(bytes: &[u8]) -> Option<(End, u64)> {
    let verified = verify(bytes, false);
    let end = verified.lines.last().map_or(End::empty(), Framed::end);
    verified.fault.is_none().then_some((end, verified.length as u64))
}

/// The end of a log and the length up to it, if its last two lines verify; `None` if the whole log
/// must be read to find out.
pub(crate) fn end_of(file: &mut File, continues: bool) -> std::io::Result<Option<(End, u64)>> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut window = 4 << 10;
    loop {
        let start = length.saturating_sub(window);
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.by_ref().take(length - start).read_to_end(&mut bytes)?;
        // Without the torn last line.
        let kept = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let mut lines = bytes[..kept].split_inclusive(|byte| *byte == b'\n').rev();
        let last = lines.next();
        let before = lines.next();
        // In a part of a log, the first line may lack its start.
        let is_whole = start == 0 || lines.next().is_some();
        if is_whole {
            let length = start + kept as u64;
            return Ok(chained(before, last, continues).map(|end| (end, length)));
        }
        if window > 4 * LINE_LIMIT as u64 {
            return Ok(None);
        }
        window *= 16;
    }
}

fn chained(before: Option<&[u8]>, last: Option<&[u8]>, continues: bool) -> Option<End> {
    let Some(last) = last else { return Some(End::empty()) };
    let last = Framed::read(last.strip_suffix(b"\n")?).ok()?;
    let end = match before {
        Some(before) => Framed::read(before.strip_suffix(b"\n")?).ok()?.end(),
        None if continues => last.start(),
        None => End::empty(),
    };
    last.follows(end).ok()
}
