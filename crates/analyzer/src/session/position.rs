//! Positions, ranges and file URIs of the protocol.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// A position in a text. The session requires UTF-8 columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LspPosition {
    /// The line, from 0.
    pub line: u32,
    /// The column in bytes, from 0.
    pub column: u32,
}

/// A half-open range of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LspRange {
    /// The first position.
    pub start: LspPosition,
    /// The position after the last.
    pub end: LspPosition,
}

impl LspPosition {
    pub(super) fn to_json(self) -> Value {
        json!({ "line": self.line, "character": self.column })
    }

    fn read(value: &Value) -> Option<Self> {
        let number = |name: &str| u32::try_from(value.get(name)?.as_u64()?).ok();
        Some(Self { line: number("line")?, column: number("character")? })
    }
}

impl LspRange {
    pub(super) fn to_json(self) -> Value {
        json!({ "start": self.start.to_json(), "end": self.end.to_json() })
    }

    pub(super) fn read(value: &Value) -> Option<Self> {
        let end = |name: &str| LspPosition::read(value.get(name)?);
        Some(Self { start: end("start")?, end: end("end")? })
    }
}

/// The URI of a file.
pub(super) fn uri(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(*byte)),
            it if it.is_ascii_alphanumeric() => uri.push(char::from(*it)),
            it => uri.push_str(&format!("%{it:02X}")),
        }
    }
    uri
}

/// The path of a `file:` URI; `None` for other URIs.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let mut rest = uri.strip_prefix("file://")?.bytes();
    let mut bytes = Vec::new();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        bytes.push(u8::try_from(digit()? * 16 + digit()?).ok()?);
    }
    Some(PathBuf::from(OsString::from_vec(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_uris_round_trip() {
        for path in ["/a/b.rs", "/a b/ü%.rs", "/x/#y?.rs"] {
            assert_eq!(path_of(&uri(Path::new(path))), Some(PathBuf::from(path)));
        }
        assert_eq!(uri(Path::new("/a b")), "file:///a%20b");
        assert_eq!(path_of("https://x/y"), None);
        assert_eq!(path_of("file:///a%2"), None);
    }
}
