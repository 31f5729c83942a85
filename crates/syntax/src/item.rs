//! [`SourceFile`], the result of [`crate::parse`]: the items of a text with spans, canonical paths
//! and attributes, and where the parser skipped text.

use std::fmt;

use base::ByteSpan;
use serde::{Deserialize, Serialize};

base::named_enum! {
    /// What kinds of item there are (the closed set that edits name).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum NodeKind {
        /// A free function, or a function of an extern block.
        Function = "function",
        /// A constant, associated ones included.
        Const = "const",
        /// An enum.
        Enum = "enum",
        /// An impl block, inherent or of a trait.
        Impl = "impl",
        /// `use …;` or `extern crate …;`.
        Import = "import",
        /// `macro_rules!`, or a macro call at item level.
        Macro = "macro",
        /// A module, with or without its body.
        Module = "module",
        /// A static.
        Static = "static",
        /// A struct.
        Struct = "struct",
        /// A trait.
        Trait = "trait",
        /// A type alias or an associated type.
        TypeAlias = "type_alias",
        /// A union.
        Union = "union",
        /// A function of an impl or a trait, with or without `self`.
        Method = "method",
    }
}

impl fmt::Display for NodeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// What it is.
    pub kind: NodeKind,
    /// Its name as written; of an impl its header (`Type`, `Trait for Type`), of an import its
    /// tree (`std::{fmt, io}`), of a macro call the macro's path. Empty where the code is broken.
    pub name: String,
    /// Its path inside the file: `module::Type::method`, `<Type as Trait>::method`, `<Type>` for
    /// an inherent impl, `Trait::method`, `use std::fmt`, `name!` for `macro_rules!`, `name!()`
    /// for a macro call, `outer::inner` for an item inside a function. Duplicates of the same kind get
    /// `-2`, `-3`, …, so that kind and canon together are unique in a file.
    pub canon: String,
    /// All of it, with its outer doc comments and attributes.
    pub span: ByteSpan,
    /// Where the item itself begins, behind doc comments and attributes; ends with `span`.
    pub code_span: ByteSpan,
    /// The item's name token; `None` where it has none (impl, import) or the code is broken.
    pub name_span: Option<ByteSpan>,
    /// Block, member list, field list, token tree or initialiser, its braces included.
    pub body: Option<ByteSpan>,
    /// `pub`, `pub(crate)` …, empty where private.
    pub visibility: String,
    /// Its outer doc comments, comment by comment, without the newlines behind them.
    pub docs: Vec<ByteSpan>,
    /// Outer attributes as written: `#[derive(Debug)]`. Doc comments are not among them.
    pub attributes: Vec<String>,
    /// A `#[test]`-like attribute, or code that only `cfg(test)` compiles, its own or a parent's.
    pub is_test: bool,
    /// Whether it is inside a function or an initialiser, so not part of its module's interface.
    pub is_local: bool,
    /// Whether skipped text after it was taken for its end: a guess, so its text must not be
    /// replaced.
    pub is_recovered: bool,
    /// The index of the item that holds it; always smaller than its own.
    pub parent: Option<usize>,
    /// How many syntax errors lie inside it, those of its members included.
    pub parse_errors: usize,
}

/// A text that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its items, each after the one that holds it, by increasing start.
    pub items: Vec<Item>,
    /// Where the parser skipped text, or (empty spans) missed a token.
    pub parse_errors: Vec<ByteSpan>,
}

/// The innermost item whose span (doc comments and attributes included) holds `span`.
pub fn item_at(file: &SourceFile, span: ByteSpan) -> Option<usize> {
    let after = file.items.partition_point(|item| item.span.start <= span.start);
    let mut at = after.checked_sub(1);
    while let Some(idx) = at {
        let item = file.items.get(idx)?;
        if item.span.contains(span) {
            return Some(idx);
        }
        at = item.parent;
    }
    None
}
