//! [`Document`] and [`FileDocuments`]: the input of indexing.

use base::ItemKind;

/// One item to index. Documents are functions, methods, types, traits, impls, modules, macros,
/// constants and statics ([`Document::is_worth`]), and each file as a whole: by its own doc comment
/// and the names of what it defines and presents. That of a file is no result, but counts for it.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// Index among the items of its file: its number in the map minus that of the file's first
    /// item, so that a file's terms stay valid while other files change.
    pub item: u32,
    /// Kind.
    pub kind: ItemKind,
    /// Name; for an impl its header.
    pub name: &'a str,
    /// Canonical path.
    pub canon: &'a str,
    /// Signature, without the body.
    pub signature: &'a str,
    /// Doc comment.
    pub doc: &'a str,
    /// Code without doc comments, signature included; for an impl, trait or module the header and
    /// the names of its members.
    pub code: &'a str,
    /// Number of lines.
    pub lines: u32,
    /// Whether it is a test, or code that only tests compile.
    pub is_test: bool,
}

impl Document<'_> {
    /// Whether items of this kind are documents.
    pub fn is_worth(kind: ItemKind) -> bool {
        use ItemKind::{
            Const, Enum, Function, Impl, Macro, Method, Module, Static, Struct, Trait, TypeAlias,
            Union,
        };
        matches!(
            kind,
            Function
                | Method
                | Struct
                | Enum
                | Union
                | Trait
                | Impl
                | Module
                | Const
                | Static
                | TypeAlias
                | Macro
        )
    }
}

/// One file to index.
#[derive(Clone, Debug)]
pub struct FileDocuments<'a> {
    /// Path, as in the map.
    pub path: &'a str,
    /// Items in order.
    pub documents: Vec<Document<'a>>,
    /// Whole text.
    pub text: &'a str,
    /// Role of the file.
    pub origin: FileOrigin,
}

/// The role of a file, derived from its path and content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct FileOrigin {
    /// Whether it is test code.
    pub is_test: bool,
    /// Whether it is an example.
    pub is_example: bool,
    /// Whether it is a benchmark.
    pub is_bench: bool,
    /// Whether it is generated.
    pub is_generated: bool,
    /// Whether it is in a vendored directory.
    pub is_vendored: bool,
}
