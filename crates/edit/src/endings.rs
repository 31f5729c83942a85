//! Line endings and byte order marks of a text.

use std::borrow::Cow;

/// The byte order mark.
pub(crate) const BOM: &str = "\u{feff}";

/// The line endings of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endings {
    /// No line has an ending.
    None,
    /// Every line ends in `\n`.
    Lf,
    /// Every line ends in `\r\n`.
    CrLf,
    /// Both endings occur.
    Mixed,
}

impl Endings {
    pub(crate) fn of(text: &str) -> Self {
        let all = text.matches('\n').count();
        match text.matches("\r\n").count() {
            _ if all == 0 => Self::None,
            0 => Self::Lf,
            count if count == all => Self::CrLf,
            _ => Self::Mixed,
        }
    }

    /// `text` with CRLF endings if this file is uniformly CRLF and `text` is LF; else `text`
    /// unchanged.
    pub(crate) fn adapt(self, text: &str) -> Cow<'_, str> {
        if self != Self::CrLf || !matches!(Endings::of(text), Self::Lf) {
            return Cow::Borrowed(text);
        }
        Cow::Owned(text.replace('\n', "\r\n"))
    }
}

/// `text` for a file that has this text: every line with `\r\n` if the file has no other ending.
pub(crate) fn as_in(file: &str, text: &str) -> String {
    match Endings::of(file) {
        Endings::CrLf => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        _ => text.to_owned(),
    }
}

/// The line without its terminator.
pub(crate) fn strip_eol(line: &str) -> &str {
    match line.strip_suffix('\n') {
        Some(line) => line.strip_suffix('\r').unwrap_or(line),
        None => line,
    }
}

/// The terminator of a line: `\r\n`, `\n` or nothing.
pub(crate) fn eol(line: &str) -> &str {
    &line[strip_eol(line).len()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_uniform_crlf_file_changes_what_comes_in() {
        assert_eq!(Endings::of("a\r\nb\r\n").adapt("x\ny"), "x\r\ny");
        assert_eq!(Endings::of("a\r\nb\n").adapt("x\ny"), "x\ny");
        assert_eq!(Endings::of("a\nb\n").adapt("x\r\ny"), "x\r\ny");
        assert_eq!(Endings::of("a\r\n").adapt("x\r\ny\n"), "x\r\ny\n");
        assert_eq!(Endings::of("a\rb"), Endings::None);
        assert_eq!(as_in("a\r\n", "x\ny\r\n"), "x\r\ny\r\n");
        assert_eq!(as_in("a\n", "x\ny\r\n"), "x\ny\r\n");
    }
}
