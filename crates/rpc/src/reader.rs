//! Lines of bounded length.

use std::io::{self, BufRead};

/// A line that was read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A whole line, without its end.
    Whole(Vec<u8>),
    /// A line that is longer than allowed; all of it was read.
    TooLong,
    /// The input has ended.
    End,
}

/// Reads a line of at most `limit` bytes.
pub(crate) fn read_line(input: &mut dyn BufRead, limit: usize) -> io::Result<Line> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let part = match input.fill_buf() {
            Ok(part) => part,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if part.is_empty() {
            return Ok(match (line.is_empty(), is_too_long) {
                (_, true) => Line::TooLong,
                (true, false) => Line::End,
                // The other side ended within a line.
                (false, false) => Line::Whole(line),
            });
        }
        let end = part.iter().position(|it| *it == b'\n');
        let text = &part[..end.unwrap_or(part.len())];
        if line.len() + text.len() > limit {
            is_too_long = true;
            line = Vec::new();
        }
        if !is_too_long {
            line.extend_from_slice(text);
        }
        let used = end.map_or(part.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(if is_too_long { Line::TooLong } else { Line::Whole(line) });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn lines_are_whole_bounded_and_end_with_the_input() {
        let text = "a\r\n\nlonger than ten\nb\nc";
        for size in [1, 2, 7, 100] {
            let mut input = BufReader::with_capacity(size, text.as_bytes());
            let mut next = || read_line(&mut input, 10).unwrap();
            let whole = |it: &str| Line::Whole(it.as_bytes().to_vec());
            assert_eq!(next(), whole("a"));
            assert_eq!(next(), whole(""));
            assert_eq!(next(), Line::TooLong);
            assert_eq!(next(), whole("b"));
            assert_eq!(next(), whole("c"));
            assert_eq!(next(), Line::End);
        }
    }
}
