use graph::ItemKind;

/// One item as the index sees it. Which items become documents: functions, methods, types, traits,
/// impls, modules, macros, constants, statics ([`Document::is_worth`]).
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// Its place among the items of its file: its number in the map less the number of the file's
    /// first item. So a file's terms stay true while other files change.
    pub item: u32,
    /// What it is.
    pub kind: ItemKind,
    /// Its name; of an impl its header.
    pub name: &'a str,
    /// Its canonical path.
    pub canon: &'a str,
    /// Its signature, without the body.
    pub signature: &'a str,
    /// Its doc comment.
    pub doc: &'a str,
    /// All of it without doc comments, signature included; of an impl, trait or module the header
    /// and the names of its members.
    pub code: &'a str,
    /// How many lines it has.
    pub lines: u32,
    /// A test, or code that only tests compile.
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

/// One file as the index sees it.
#[derive(Clone, Debug)]
pub struct SourceFile<'a> {
    /// As the map spells it.
    pub path: &'a str,
    /// Its items, in their order.
    pub documents: Vec<Document<'a>>,
    /// All of it.
    pub text: &'a str,
    /// What is special about it.
    pub origin: Origin,
}

/// What is special about a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Origin {
    /// It belongs to tests.
    pub is_test: bool,
    /// It is an example.
    pub is_example: bool,
    /// It is a benchmark.
    pub is_bench: bool,
    /// A program made it.
    pub is_generated: bool,
    /// It stands in a vendored folder.
    pub is_vendored: bool,
}
