//! Checks that a text is a valid identifier and no keyword of any edition.

use base::is_word;

use std::fmt;

/// Why a text cannot be a new name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadName {
    /// It is no identifier.
    NoIdentifier,
    /// It is a keyword that can be written as a raw identifier.
    Keyword {
        /// The raw identifier.
        raw: String,
    },
    /// It is a keyword that cannot be a name at all.
    Reserved,
}

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoIdentifier => f.write_str("it is not a Rust identifier"),
            Self::Keyword { raw } => write!(f, "it is a keyword; `{raw}` is possible"),
            Self::Reserved => f.write_str("it is a reserved word"),
        }
    }
}

/// Strict and reserved keywords of all editions.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Words that are never a name, not even with `r#`.
const RESERVED: &[&str] = &["_", "self", "Self", "super", "crate"];

/// Whether `name` can be the name of an item.
///
/// # Errors
/// Why it cannot.
pub fn check_name(name: &str) -> Result<(), BadName> {
    let word = name.strip_prefix("r#").unwrap_or(name);
    if RESERVED.contains(&word) {
        return Err(BadName::Reserved);
    }
    let mut chars = word.chars();
    let first = chars.next().is_some_and(|it| it == '_' || it.is_alphabetic());
    if !first || !chars.all(is_word) {
        return Err(BadName::NoIdentifier);
    }
    if KEYWORDS.contains(&name) {
        return Err(BadName::Keyword { raw: format!("r#{name}") });
    }
    Ok(())
}
