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

/// The term bags of one file and of its documents: a pure function of a [`SourceFile`], so that it
/// can be kept by hash.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileTerms {}

/// Counts the terms of a file.
pub fn file_terms(_file: &SourceFile<'_>) -> FileTerms {
    FileTerms {}
}

impl FileTerms {
    /// To keep between runs.
    pub fn to_bytes(&self) -> Vec<u8> {
        Vec::new()
    }

    /// `None` where the bytes are damaged or of another version.
    pub fn from_bytes(_bytes: &[u8]) -> Option<Self> {
        Some(Self {})
    }

    /// How many documents it holds.
    pub fn document_count(&self) -> usize {
        0
    }

    /// The vectors of all documents.
    pub fn vectors(&self, encoder: &dyn crate::Encoder) -> crate::FileVectors {
        crate::FileVectors::new(encoder.name(), encoder.dims())
    }
}

/// The terms of a document's code and their weights, as an encoder wants them: name and scope three
/// times, path and code once; `1 + ln(tf)`. Sorted by term. What an encoder is trained on and what
/// the index hands to it are the same by this function.
pub fn code_bag(_document: &Document<'_>, _path: &str) -> Vec<(String, f32)> {
    Vec::new()
}

/// The terms of any other text – a query, a doc comment – and their weights `1 + ln(tf)`, sorted by
/// term.
pub fn doc_bag(_text: &str) -> Vec<(String, f32)> {
    Vec::new()
}
