//! [`Version`]: rust-analyzer's version, comparable with a Rust release.

use std::fmt;

/// The version that rust-analyzer reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The text as reported: `1.97.1`, `0.3.2345-standalone`.
    pub text: String,
    /// The minor version of its Rust release: 97 for `1.97.1`. `None` for other numbering.
    pub minor: Option<u32>,
}

impl Version {
    /// Parses the output of `rust-analyzer --version`; `None` if it has another format.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let text = line.trim().strip_prefix("rust-analyzer ")?.split(' ').next()?;
        (!text.is_empty()).then(|| Self { text: text.to_owned(), minor: rust_minor(text) })
    }

    /// Whether it is older than the toolchain; `rustc` is the first line of `rustc -vV`. An older
    /// rust-analyzer does not support the toolchain's protocol for procedural macros. False if either
    /// has no release number.
    pub(crate) fn is_older_than(&self, rustc: &str) -> bool {
        let rustc = rustc.split(' ').nth(1).and_then(rust_minor);
        matches!((self.minor, rustc), (Some(minor), Some(rustc)) if minor < rustc)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The minor version: 97 for `1.97.1` and `1.97.0-nightly`.
fn rust_minor(text: &str) -> Option<u32> {
    let mut parts = text.split('.');
    (parts.next()? == "1").then(|| parts.next()?.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_parsed_from_the_program_output() {
        let minor = |line: &str| Version::parse(line).map(|it| it.minor);
        assert_eq!(minor("rust-analyzer 1.97.1\n"), Some(Some(97)));
        assert_eq!(minor("rust-analyzer 1.95.0 (59807616e 2026-04-14)"), Some(Some(95)));
        assert_eq!(minor("rust-analyzer 0.3.2345-standalone"), Some(None));
        assert_eq!(minor("error: unknown binary 'rust-analyzer'"), None);
    }

    #[test]
    fn only_a_smaller_release_number_is_older() {
        let older = |own: &str, rustc: &str| {
            Version::parse(&format!("rust-analyzer {own}")).unwrap().is_older_than(rustc)
        };
        assert!(older("1.85.1", "rustc 1.95.0 (59807616e 2026-04-14)"));
        assert!(!older("1.97.1", "rustc 1.95.0 (59807616e 2026-04-14)"));
        assert!(!older("1.97.1", "rustc 1.97.0-nightly (abc 2026-05-19)"));
        assert!(!older("0.3.1-standalone", "rustc 1.95.0 (59807616e 2026-04-14)"));
    }
}
