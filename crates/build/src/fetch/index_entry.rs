//! Parses the files in which cargo caches a registry's index entry of one package
//! (`registry/index/<source>/.cache/<prefix>/<name>`). The layout is that of `SummariesCache` in
//! cargo's `sources/registry/index/cache.rs`: a version byte, the schema version in four bytes, the
//! state of the index, and for each release its version and a line of JSON, each ended by a zero.

use std::path::PathBuf;

use base::SortedMap;
use serde::Deserialize;

use super::fault::IndexFault;

/// Version of the layout, written by every cargo since 1.56.
const CACHE_VERSION: u8 = 3;

#[derive(Deserialize)]
struct Line {
    name: String,
    vers: String,
    cksum: String,
    #[serde(default)]
    yanked: bool,
    #[serde(default)]
    rust_version: Option<String>,
}

/// One release in an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    /// Version.
    pub(crate) version: String,
    /// Whether it was withdrawn.
    pub(crate) yanked: bool,
    /// The oldest Rust that it declares to support.
    pub(crate) rust_version: Option<String>,
    checksum: String,
}

/// Path of a package's entry in the index, below a `.cache` folder.
pub(crate) fn path(name: &str) -> PathBuf {
    let name = name.to_ascii_lowercase();
    // Names are ASCII (see `LockFile`), so each byte is a character.
    match name.len() {
        0..=2 => [name.len().to_string(), name].iter().collect(),
        3 => ["3", &name[..1], &name].iter().collect(),
        _ => [&name[..2], &name[2..4], &name].iter().collect(),
    }
}

/// The SHA-256 of each release in the entry of package `name`, by version; the error is why the
/// bytes are invalid.
pub(super) fn checksums(name: &str, bytes: &[u8]) -> Result<SortedMap<String, String>, IndexFault> {
    Ok(listed(name, bytes)?.into_iter().map(|it| (it.version, it.checksum)).collect())
}

/// The releases in the entry of package `name`; the error is why the bytes are invalid.
pub(crate) fn listed(name: &str, bytes: &[u8]) -> Result<Vec<Listed>, IndexFault> {
    if bytes.first() != Some(&CACHE_VERSION) || bytes.len() < 5 {
        return Err(IndexFault::Format);
    }
    let mut fields = bytes[5..].split(|byte| *byte == 0);
    let malformed = || IndexFault::Damaged;
    std::str::from_utf8(fields.next().unwrap_or_default()).map_err(|_| malformed())?;
    let mut found = Vec::new();
    while let Some(version) = fields.next() {
        let Some(json) = fields.next() else {
            // Nothing must follow the last zero.
            return if version.is_empty() { Ok(found) } else { Err(malformed()) };
        };
        let line: Line = serde_json::from_slice(json).map_err(|_| malformed())?;
        if !line.name.eq_ignore_ascii_case(name) || line.vers.as_bytes() != version {
            return Err(IndexFault::Other { name: line.name, version: line.vers });
        }
        found.push(Listed {
            version: line.vers,
            yanked: line.yanked,
            rust_version: line.rust_version,
            checksum: line.cksum.to_ascii_lowercase(),
        });
    }
    Err(malformed())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(lines: &[(&str, &str)]) -> Vec<u8> {
        let mut bytes = vec![3, 2, 0, 0, 0];
        bytes.extend(b"etag: x\0");
        for (version, json) in lines {
            bytes.extend(format!("{version}\0{json}\0").bytes());
        }
        bytes
    }

    const LINE: &str = r#"{"name":"Ab","vers":"1.0.0","deps":[],"cksum":"FF"}"#;

    #[test]
    fn an_entry_lists_releases_and_anything_else_is_refused() {
        let found = checksums("ab", &entry(&[("1.0.0", LINE)])).unwrap();
        assert_eq!(found, SortedMap::from([("1.0.0".to_owned(), "ff".to_owned())]));
        assert_eq!(checksums("ab", &entry(&[])).unwrap(), SortedMap::new());
        for (bytes, reason) in [
            (entry(&[("1.0.1", LINE)]), "it lists Ab 1.0.0"),
            (entry(&[("1.0.0", "{")]), "it is damaged"),
            (entry(&[("1.0.0", LINE)])[..40].to_vec(), "it is damaged"),
            (vec![3, 2, 0, 0, 0], "it is damaged"),
            (b"{\"name\":1}".to_vec(), "it has another format than this version of graftage reads"),
            (Vec::new(), "it has another format than this version of graftage reads"),
        ] {
            assert_eq!(checksums("ab", &bytes).unwrap_err().to_string(), reason);
        }
        assert_eq!(
            checksums("other", &entry(&[("1.0.0", LINE)])).unwrap_err().to_string(),
            "it lists Ab 1.0.0"
        );
    }

    #[test]
    fn a_package_is_kept_below_the_beginning_of_its_name() {
        for (name, expected) in
            [("a", "1/a"), ("ab", "2/ab"), ("abc", "3/a/abc"), ("Serde", "se/rd/serde")]
        {
            assert_eq!(path(name), PathBuf::from(expected));
        }
    }
}
