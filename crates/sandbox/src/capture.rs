//! Captures the output of a job: the first bytes are kept, complete lines are passed on.

use std::io;

/// The maximum length in bytes of a line that is passed on as a whole; a longer one is split.
const LONGEST_LINE: usize = 16 << 20;

/// One output stream: the first bytes are kept, the rest is counted, lines are passed on.
#[derive(Debug)]
pub(crate) struct Capture {
    pub(crate) kept: Vec<u8>,
    pub(crate) dropped: u64,
    limit: usize,
    line: Vec<u8>,
    /// Whether bytes are passed on as they arrive, not as lines.
    is_raw: bool,
}

impl Capture {
    pub(crate) fn new(limit: usize) -> Self {
        Self { kept: Vec::new(), dropped: 0, limit, line: Vec::new(), is_raw: false }
    }

    /// Passes bytes on as they arrive, in chunks of any size.
    pub(crate) fn raw(limit: usize) -> Self {
        Self { is_raw: true, ..Self::new(limit) }
    }

    pub(crate) fn push(&mut self, bytes: &[u8], on_line: &mut dyn FnMut(&[u8])) {
        let free = self.limit.saturating_sub(self.kept.len()).min(bytes.len());
        self.kept.extend_from_slice(&bytes[..free]);
        self.dropped += (bytes.len() - free) as u64;
        if self.is_raw {
            return on_line(bytes);
        }
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            match piece.strip_suffix(b"\n") {
                Some(end) if self.line.is_empty() => on_line(end),
                Some(end) => {
                    self.line.extend_from_slice(end);
                    on_line(&self.line);
                    self.line.clear();
                }
                None => {
                    self.line.extend_from_slice(piece);
                    if self.line.len() >= LONGEST_LINE {
                        self.finish(on_line);
                    }
                }
            }
        }
    }

    /// Passes on a last line that has no newline.
    pub(crate) fn finish(&mut self, on_line: &mut dyn FnMut(&[u8])) {
        if !self.line.is_empty() {
            on_line(&self.line);
            self.line.clear();
        }
    }

    /// Reads once from `fd`; `false` at its end.
    pub(crate) fn read(
        &mut self,
        fd: impl std::os::fd::AsFd,
        buffer: &mut [u8],
        on_line: &mut dyn FnMut(&[u8]),
    ) -> io::Result<bool> {
        match rustix::io::read(fd, &mut *buffer) {
            Ok(0) => Ok(false),
            Ok(bytes) => {
                self.push(&buffer[..bytes], on_line);
                Ok(true)
            }
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_whatever_the_pieces() {
        let mut capture = Capture::new(4);
        let mut lines = Vec::new();
        for piece in ["a", "b\ncd", "", "\n\n", "e"] {
            capture.push(piece.as_bytes(), &mut |line| lines.push(line.to_vec()));
        }
        capture.finish(&mut |line| lines.push(line.to_vec()));
        assert_eq!(lines, [&b"ab"[..], b"cd", b"", b"e"]);
        assert_eq!((capture.kept.as_slice(), capture.dropped), (&b"ab\nc"[..], 4));
    }
}
