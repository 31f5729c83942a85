//! Small typical crates, each with one test that the mutations disable.

use base::SortedMap;

/// A crate as texts by path, and where its test is.
#[derive(Clone)]
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    pub(crate) files: SortedMap<&'static str, String>,
    /// File with the test.
    pub(crate) file: &'static str,
    /// Name of the test.
    pub(crate) test: &'static str,
    /// Attribute as written.
    pub(crate) attribute: &'static str,
    /// Head up to the brace.
    pub(crate) head: &'static str,
    /// First statement of the body.
    pub(crate) first: &'static str,
    /// Statement that asserts.
    pub(crate) assertion: &'static str,
    /// Compared expression.
    pub(crate) actual: &'static str,
    pub(crate) expected: &'static str,
}

const MANIFEST: &str = r#"[package]
name = "shape"
version = "0.1.0"
edition = "2024"

[lib]
path = "src/lib.rs"

[features]
default = ["std", "full"]
std = []
full = []

[dependencies]
memchr = "2"

[dev-dependencies]
proptest = "1"
rstest = { version = "0.26" }

[lints.rust]
unsafe_code = "forbid"

[lints.clippy]
todo = "deny"

[workspace]
members = ["crates/a", "crates/b"]

[[test]]
name = "slow"
path = "tests/slow.rs"
"#;

const LIBRARY: &str = "#![deny(missing_docs)]\n//! Sums.\n\n/// The sum.\n///\n/// ```\n/// \
assert_eq!(shape::add(1, 2), 3);\n/// ```\npub fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n\n\
/// Reads a number.\npub fn read(text: &str) -> Result<u32, std::num::ParseIntError> {\n    \
text.trim().parse()\n}\n";

fn files(more: &[(&'static str, String)]) -> SortedMap<&'static str, String> {
    let mut files = SortedMap::from([
        ("Cargo.toml", MANIFEST.to_owned()),
        ("src/lib.rs", LIBRARY.to_owned()),
        (
            "tests/slow.rs",
            "#[test]\nfn is_slow() {\n    assert_eq!(shape::add(9, 9), 18);\n}\n".to_owned(),
        ),
        ("tests/data/words.txt", "one\ntwo\n".to_owned()),
        ("src/snapshots/shape.snap", "value: 5\n".to_owned()),
        ("clippy.toml", "disallowed-methods = [\"std::env::var\"]\n".to_owned()),
        (".config/nextest.toml", "[profile.default]\nretries = 0\n".to_owned()),
    ]);
    files.extend(more.iter().cloned());
    files
}

/// A unit test in a module of the library.
fn unit() -> Shape {
    let tests = "\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds_two() {\n        \
let got = add(2, 3);\n        assert_eq!(got, 5);\n    }\n\n    #[test]\n    fn reads_a_number() {\n        \
assert_eq!(read(\" 7 \"), Ok(7));\n    }\n}\n";
    Shape {
        name: "unit",
        files: files(&[("src/lib.rs", format!("{LIBRARY}{tests}"))]),
        file: "src/lib.rs",
        test: "adds_two",
        attribute: "#[test]",
        head: "fn adds_two() {",
        first: "let got = add(2, 3);",
        assertion: "assert_eq!(got, 5);",
        actual: "got",
        expected: "5",
    }
}

/// An integration test with a helper that asserts.
fn integration() -> Shape {
    let tests = "//! From outside.\n\nuse shape::{add, read};\n\nfn check(text: &str, want: u32) {\n    \
let found = read(text).unwrap();\n    assert!(found == want, \"{found}\");\n}\n\n#[test]\nfn reads_what_is_written() {\n    \
let want = \"42\";\n    check(want, 42);\n    assert_eq!(add(40, 2), 42);\n}\n";
    Shape {
        name: "integration",
        files: files(&[("tests/it.rs", tests.to_owned())]),
        file: "tests/it.rs",
        test: "reads_what_is_written",
        attribute: "#[test]",
        head: "fn reads_what_is_written() {",
        first: "let want = \"42\";",
        assertion: "assert_eq!(add(40, 2), 42);",
        actual: "add(40, 2)",
        expected: "42",
    }
}

/// An asynchronous test that returns a `Result` and loops over cases.
fn asynchronous() -> Shape {
    let tests = "\n#[cfg(all(test, feature = \"std\"))]\nmod test {\n    use super::read;\n\n    \
type Outcome = Result<(), Box<dyn std::error::Error>>;\n\n    #[tokio::test(flavor = \"current_thread\")]\n    \
async fn reads_all() -> Result<(), Box<dyn std::error::Error>> {\n        let cases = [(\"1\", 1), (\"2\", 2)];\n        \
for (text, want) in cases {\n            assert_eq!(read(text)?, want);\n        }\n        \
assert!(read(\"x\").is_err());\n        Ok(())\n    }\n\n    fn unused() -> Outcome {\n        Ok(())\n    }\n}\n";
    Shape {
        name: "asynchronous",
        files: files(&[("src/lib.rs", format!("{LIBRARY}{tests}"))]),
        file: "src/lib.rs",
        test: "reads_all",
        attribute: "#[tokio::test(flavor = \"current_thread\")]",
        head: "async fn reads_all() -> Result<(), Box<dyn std::error::Error>> {",
        first: "let cases = [(\"1\", 1), (\"2\", 2)];",
        assertion: "assert!(read(\"x\").is_err());",
        actual: "read(\"x\").is_err()",
        expected: "\"x\"",
    }
}

/// A parametrised test in a test file beside the sources; another test there expects a panic.
fn parametrised() -> Shape {
    let tests = "use rstest::rstest;\n\nuse crate::add;\n\n#[rstest]\n#[case(1, 2, 3)]\n#[case(20, 22, 42)]\n\
fn adds_each(#[case] a: u32, #[case] b: u32, #[case] want: u32) {\n    let sum = add(a, b);\n    \
prop_assert_eq!(sum, want);\n    expect![[r#\"3\"#]].assert_eq(&add(1, 2).to_string());\n}\n\n#[test]\n\
#[should_panic(expected = \"overflow\")]\nfn overflows() {\n    add(u32::MAX, 1);\n}\n";
    Shape {
        name: "parametrised",
        files: files(&[
            ("src/lib.rs", format!("{LIBRARY}\n#[cfg(test)]\nmod tests;\n")),
            ("src/tests.rs", tests.to_owned()),
        ]),
        file: "src/tests.rs",
        test: "adds_each",
        attribute: "#[rstest]",
        head: "fn adds_each(#[case] a: u32, #[case] b: u32, #[case] want: u32) {",
        first: "let sum = add(a, b);",
        assertion: "prop_assert_eq!(sum, want);",
        actual: "sum",
        expected: "r#\"3\"#",
    }
}

pub(crate) fn shapes() -> Vec<Shape> {
    vec![unit(), integration(), asynchronous(), parametrised()]
}
