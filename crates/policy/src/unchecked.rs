//! Parts of a project that a proof did not look at. In files and answers each is its text; a text that
//! is read back has the kind that its first word names, so a stored proof is shown as a new one.

use serde::{Deserialize, Serialize};

/// Kind of an [`UncheckedPart`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UncheckedKind {
    /// A package that no configuration builds.
    Package,
    /// A feature that is off.
    Feature,
    /// Code behind a condition that is never true.
    Condition,
    /// The code of tests.
    TestCode,
    /// A binary.
    Binary,
    /// A test target.
    Test,
    /// An example.
    Example,
    /// A bench.
    Bench,
    /// Anything else, such as the number of parts that are not listed.
    Other,
}

impl UncheckedKind {
    /// The kinds with the first words of their texts.
    const WORDS: [(&'static str, Self); 8] = [
        ("package", Self::Package),
        ("feature", Self::Feature),
        ("cfg", Self::Condition),
        ("code", Self::TestCode),
        ("bin", Self::Binary),
        ("test", Self::Test),
        ("example", Self::Example),
        ("bench", Self::Bench),
    ];

    /// The kind of a target, by cargo's name of its kind.
    pub fn of_target(kind: &str) -> Self {
        match kind {
            "bin" => Self::Binary,
            "test" => Self::Test,
            "example" => Self::Example,
            "bench" => Self::Bench,
            _ => Self::Other,
        }
    }
}

/// Part of a project that no configuration covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct UncheckedPart {
    /// Kind.
    pub kind: UncheckedKind,
    /// Name that distinguishes it from others of its kind, in backticks, or the condition; else the text.
    pub name: String,
    /// Description: ``feature `x` of `k` ``.
    pub text: String,
}

impl UncheckedPart {
    /// A part that is not one of several of its kind.
    pub fn other(text: String) -> Self {
        Self { kind: UncheckedKind::Other, name: text.clone(), text }
    }
}

impl From<UncheckedPart> for String {
    fn from(it: UncheckedPart) -> Self {
        it.text
    }
}

impl From<String> for UncheckedPart {
    fn from(text: String) -> Self {
        let word = text.split([' ', '(']).next().unwrap_or_default();
        let kind = UncheckedKind::WORDS
            .iter()
            .find(|it| it.0 == word)
            .map_or(UncheckedKind::Other, |it| it.1);
        let quoted = text.split_inclusive('`').take(2).map(str::len).sum::<usize>();
        let name = match (kind, text.find('`')) {
            (UncheckedKind::Other, _) => &text,
            (_, Some(start)) if quoted > start => &text[start..quoted],
            _ => text.split(": ").next().unwrap_or(&text),
        };
        Self { kind, name: name.to_owned(), text }
    }
}

impl std::fmt::Display for UncheckedPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}
