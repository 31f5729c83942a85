use std::fmt;

/// The version that rust-analyzer says it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// `1.97.1`, `0.3.2345-standalone`, as it was said.
    pub text: String,
    /// The Rust release that it belongs to: 97 of `1.97.1`. `None` where it is numbered otherwise.
    pub minor: Option<u32>,
}

impl Version {
    /// Reads what `rust-analyzer --version` printed; `None` where it is none of its lines.
    pub fn parse(line: &str) -> Option<Self> {
        let text = line.trim().strip_prefix("rust-analyzer ")?.split(' ').next()?;
        (!text.is_empty()).then(|| Self { text: text.to_owned(), minor: rust_minor(text) })
    }

    /// Whether it is older than the toolchain with this first line of `rustc -vV`. Only then does
    /// it lose procedural macros, because it does not speak the toolchain's protocol for them.
    /// False where either has no release number.
    pub fn is_older_than(&self, rustc: &str) -> bool {
        let rustc = rustc.split(' ').nth(1).and_then(rust_minor);
        matches!((self.minor, rustc), (Some(own), Some(rustc)) if own < rustc)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// `97` of `1.97.1` and `1.97.0-nightly`.
fn rust_minor(text: &str) -> Option<u32> {
    let mut parts = text.split('.');
    (parts.next()? == "1").then(|| parts.next()?.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_the_program_s_own_line() {
        let minor = |line: &str| Version::parse(line).map(|it| it.minor);
        assert_eq!(minor("rust-analyzer 1.97.1\n"), Some(Some(97)));
        assert_eq!(minor("rust-analyzer 1.95.0 (59807616e 2026-04-14)"), Some(Some(95)));
        assert_eq!(minor("rust-analyzer 0.3.2345-standalone"), Some(None));
        assert_eq!(minor("error: unknown binary 'rust-analyzer'"), None);
    }

    #[test]
    fn only_one_that_is_known_to_be_older_is_older() {
        let older = |own: &str, rustc: &str| {
            Version::parse(&format!("rust-analyzer {own}")).unwrap().is_older_than(rustc)
        };
        assert!(older("1.85.1", "rustc 1.95.0 (59807616e 2026-04-14)"));
        assert!(!older("1.97.1", "rustc 1.95.0 (59807616e 2026-04-14)"));
        assert!(!older("1.97.1", "rustc 1.97.0-nightly (abc 2026-05-19)"));
        assert!(!older("0.3.1-standalone", "rustc 1.95.0 (59807616e 2026-04-14)"));
    }
}
