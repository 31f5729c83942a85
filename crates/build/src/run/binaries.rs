//! Test binaries as cargo reports them.

use std::path::PathBuf;

use base::SortedSet;
use serde::{Deserialize, Serialize};

/// Maximum size of a message about an artifact.
const LINE_BYTES: usize = 1 << 20;

/// One test binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestBinary {
    /// Name with which the names of its tests begin ([`crate::TestReport`]).
    pub name: String,
    /// The binary in the view.
    pub path: PathBuf,
    /// The folder of its package in the view, where cargo starts it.
    pub dir: PathBuf,
    /// How cargo names it.
    pub target: TestTarget,
}

/// A target with tests as arguments of cargo.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TestTarget {
    /// Package name.
    pub package: String,
    /// `--lib`, or `--test` and a name, or `--bin` and a name.
    pub arguments: Vec<String>,
}

#[derive(Deserialize)]
struct Artifact {
    reason: String,
    package_id: Option<String>,
    manifest_path: Option<PathBuf>,
    executable: Option<PathBuf>,
    target: Named,
    profile: Profile,
}

#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    kind: Vec<String>,
    name: String,
}

#[derive(Deserialize)]
struct Profile {
    #[serde(default)]
    test: bool,
}

/// The test binary of a `compiler-artifact` message.
pub(super) fn test_binary(line: &[u8]) -> Option<TestBinary> {
    if line.len() > LINE_BYTES {
        return None;
    }
    let artifact: Artifact = serde_json::from_slice(line).ok()?;
    if artifact.reason != "compiler-artifact" || !artifact.profile.test {
        return None;
    }
    let path = artifact.executable?;
    let stem = path.file_stem()?.to_str()?;
    let name = match stem.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 16 => name,
        _ => stem,
    };
    let kind = artifact.target.kind.first()?.as_str();
    let arguments = match kind {
        "test" | "bin" | "example" | "bench" => vec![format!("--{kind}"), artifact.target.name],
        _ => vec!["--lib".to_owned()],
    };
    let package = crate::message::package_name(artifact.package_id.as_deref()?);
    let dir = artifact.manifest_path?.parent()?.to_owned();
    let (name, target) = (name.to_owned(), TestTarget { package, arguments });
    Some(TestBinary { name, path, dir, target })
}

/// A binary that more than one message names. Cargo reports each once, so one of them is not cargo's.
pub(super) fn named_twice(binaries: &[TestBinary]) -> Option<&str> {
    let mut files = SortedSet::new();
    let again = binaries.iter().find(|it| !files.insert(it.path.file_name()))?;
    Some(&again.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary_that_two_messages_name_is_seen() {
        let binary = |path: &str, target: &str| TestBinary {
            name: "a".to_owned(),
            path: path.into(),
            dir: "/p".into(),
            target: TestTarget { package: "a".to_owned(), arguments: vec![target.to_owned()] },
        };
        let own = binary("/t/debug/deps/a-1", "--lib");
        let other = binary("/t/debug/deps/a-2", "--lib");
        assert_eq!(named_twice(&[own.clone(), other]), None);
        // Also by another path, or as another target.
        let forged = binary("/t/debug/./deps/../deps/a-1", "--test");
        assert_eq!(named_twice(&[own, forged]), Some("a"));
    }

    #[test]
    fn a_test_binary_has_the_name_of_its_tests() {
        let line = r#"{"reason":"compiler-artifact","package_id":"path+file:///p#a-b@0.1.0",
            "manifest_path":"/p/Cargo.toml","target":{"kind":["test"],"name":"it-works"},
            "profile":{"test":true},"executable":"/t/debug/deps/it_works-0123456789abcdef"}"#;
        let binary = test_binary(line.as_bytes()).unwrap();
        assert_eq!((binary.name.as_str(), binary.dir.to_str()), ("it_works", Some("/p")));
        let target = TestTarget {
            package: "a-b".to_owned(),
            arguments: vec!["--test".to_owned(), "it-works".to_owned()],
        };
        assert_eq!(binary.target, target);
        let other = line.replace("\"test\":true", "\"test\":false");
        assert_eq!(test_binary(other.as_bytes()), None);
        assert_eq!(test_binary(b"{}"), None);
    }
}
