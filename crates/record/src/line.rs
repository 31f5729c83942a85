//! The format of one line: `{"v":1,"n":7,"sum":"<64 hex digits>","entry":{…}}`.
//!
//! The checksum covers the checksum of the line before, the number and the bytes of the entry, so a
//! line that was changed, moved, removed or repeated does not verify.

use base::{ContentHash, Hasher};

/// The limit of a line in bytes, with its frame and its end.
pub const LINE_LIMIT: usize = 1 << 20;

/// The version of the format.
const VERSION: u64 = 1;

/// The end of a log: what the next line is chained to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// The number of the last line; 0 in an empty log.
    pub(crate) number: u64,
    /// The checksum of the last line.
    pub(crate) sum: ContentHash,
}

impl End {
    /// The end of an empty log.
    pub(crate) fn empty() -> Self {
        Self { number: 0, sum: ContentHash::from_bytes([0; 32]) }
    }

    /// The end that the first line of a file follows that continues one with this end.
    pub(crate) fn restarted(self) -> Self {
        Self { number: self.number, ..Self::empty() }
    }

    /// The line of an entry after this end, with its line break, and the end after it.
    pub(crate) fn line(self, entry: &str) -> (String, Self) {
        let number = self.number + 1;
        let end = Self { number, sum: sum(self.sum, number, entry) };
        let line = format!(
            "{{\"v\":{VERSION},\"n\":{number},\"sum\":\"{}\",\"entry\":{entry}}}\n",
            end.sum
        );
        (line, end)
    }
}

/// A line whose frame was read; whether it verifies is for [`Framed::follows`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Framed<'a> {
    pub(crate) number: u64,
    pub(crate) sum: ContentHash,
    /// The JSON of the entry.
    pub(crate) entry: &'a str,
}

/// Why a line has no frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unframed {
    /// It is of another version.
    Version(u64),
    /// It is no line of a log.
    Foreign,
}

impl<'a> Framed<'a> {
    /// Reads the frame of a line without its line break.
    pub(crate) fn read(line: &'a [u8]) -> std::result::Result<Self, Unframed> {
        let text = std::str::from_utf8(line).map_err(|_| Unframed::Foreign)?;
        let rest = text.strip_prefix("{\"v\":").ok_or(Unframed::Foreign)?;
        let (version, rest) = number(rest)?;
        if version != VERSION {
            return Err(Unframed::Version(version));
        }
        let (number, rest) = number(rest.strip_prefix(",\"n\":").ok_or(Unframed::Foreign)?)?;
        let rest = rest.strip_prefix(",\"sum\":\"").ok_or(Unframed::Foreign)?;
        let (written, rest) = rest.split_at_checked(64).ok_or(Unframed::Foreign)?;
        // As it was written, in lower case: a changed byte is found in the checksum too.
        let sum = ContentHash::parse(written).filter(|it| it.to_string() == written);
        let sum = sum.ok_or(Unframed::Foreign)?;
        let rest = rest.strip_prefix("\",\"entry\":").ok_or(Unframed::Foreign)?;
        let entry = rest.strip_suffix('}').ok_or(Unframed::Foreign)?;
        Ok(Self { number, sum, entry })
    }

    /// The end that this line, as the first of a file, must follow: a file that continues another one
    /// keeps its numbers.
    pub(crate) fn start(&self) -> End {
        End { number: self.number.saturating_sub(1), ..End::empty() }
    }

    /// The end after this line if it is the line after `end`; else the reason.
    pub(crate) fn follows(&self, end: End) -> std::result::Result<End, OutOfOrder> {
        if self.number != end.number + 1 {
            return Err(OutOfOrder::Number { line: end.number + 1, number: self.number });
        }
        if sum(end.sum, self.number, self.entry) != self.sum {
            return Err(OutOfOrder::Checksum { line: self.number });
        }
        Ok(self.end())
    }

    /// The end of a log whose last line this is.
    pub(crate) fn end(&self) -> End {
        End { number: self.number, sum: self.sum }
    }
}

/// Why a line is not the one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OutOfOrder {
    /// A line is missing, or is there twice.
    #[error("line {line} is numbered {number}")]
    Number { line: u64, number: u64 },
    /// A line, or one before it, was changed.
    #[error("the checksum of line {line} is wrong")]
    Checksum { line: u64 },
}

fn sum(before: ContentHash, number: u64, entry: &str) -> ContentHash {
    Hasher::new()
        .field(before.as_bytes())
        .field(&number.to_le_bytes())
        .field(entry.as_bytes())
        .finish()
}

/// The digits at the start of `text`, and the rest.
fn number(text: &str) -> std::result::Result<(u64, &str), Unframed> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    number.parse().map(|number| (number, rest)).map_err(|_| Unframed::Foreign)
}
