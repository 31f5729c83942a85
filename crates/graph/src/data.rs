use base::{ContentHash, EdgeKind, ItemId, ProjectPath, Provenance, Tier};
use serde::{Deserialize, Serialize};

/// The whole map as rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapData {
    /// Which state of the sources it is of: grows with every finalize.
    pub epoch: u64,
    /// Crates (targets), sorted by name.
    pub crates: Vec<CrateRow>,
    /// Files, sorted by path.
    pub files: Vec<FileRow>,
    /// Items, sorted by file and start; those without a file (crates, features, externals) last,
    /// by kind and path. The index of a row is the item's number.
    pub items: Vec<ItemRow>,
    /// Edges, sorted, each `(src, kind, dst)` once.
    pub edges: Vec<EdgeRow>,
    /// Where edges come from, sorted by edge.
    pub sites: Vec<SiteRow>,
    /// Sites without a target, sorted by source.
    pub unresolved: Vec<UnresolvedRow>,
    /// What was not understood, and why, sorted by file and place.
    pub problems: Vec<ProblemRow>,
}

/// One crate: a target of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrateRow {
    /// `package/target`.
    pub name: String,
    /// The package's version.
    pub version: String,
    /// The target's kind: `lib`, `bin`, `test`, `example`, `bench`, `proc-macro`, `build`.
    pub kind: String,
    /// Index of its root file in `files`.
    pub root: u32,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRow {
    /// Where it is.
    pub path: ProjectPath,
    /// Of its bytes.
    pub hash: ContentHash,
    /// How many bytes it has.
    pub len: u32,
    /// How many lines it has.
    pub lines: u32,
    /// How many syntax errors it has.
    pub parse_errors: u32,
    /// What is special about it.
    pub flags: FileFlags,
}

/// What is special about a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFlags {
    /// It says that a program made it.
    pub is_generated: bool,
    /// It stands in a vendored folder.
    pub is_vendored: bool,
    /// No crate's module tree reaches it.
    pub is_orphan: bool,
    /// Its module's cfg is off on this host.
    pub is_inactive: bool,
}

/// What an item is, as the map has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum ItemKind {
    Function,
    Method,
    Struct,
    Enum,
    Union,
    Trait,
    Impl,
    Module,
    Const,
    Static,
    TypeAlias,
    /// `macro_rules!`.
    Macro,
    /// A macro call at item level.
    MacroCall,
    /// An import.
    Import,
    /// A variant of an enum.
    Variant,
    /// A crate (its root module too).
    Crate,
    /// A file.
    File,
    /// A cargo feature.
    Feature,
    /// Something outside the workspace.
    External,
}

impl ItemKind {
    /// All kinds, in their order.
    pub const ALL: [ItemKind; 19] = [
        Self::Function,
        Self::Method,
        Self::Struct,
        Self::Enum,
        Self::Union,
        Self::Trait,
        Self::Impl,
        Self::Module,
        Self::Const,
        Self::Static,
        Self::TypeAlias,
        Self::Macro,
        Self::MacroCall,
        Self::Import,
        Self::Variant,
        Self::Crate,
        Self::File,
        Self::Feature,
        Self::External,
    ];

    /// The name that answers use: `type_alias`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Struct => "struct",
            Self::Enum => "enum",
            Self::Union => "union",
            Self::Trait => "trait",
            Self::Impl => "impl",
            Self::Module => "module",
            Self::Const => "const",
            Self::Static => "static",
            Self::TypeAlias => "type_alias",
            Self::Macro => "macro",
            Self::MacroCall => "macro_call",
            Self::Import => "import",
            Self::Variant => "variant",
            Self::Crate => "crate",
            Self::File => "file",
            Self::Feature => "feature",
            Self::External => "external",
        }
    }

    /// From its number in a table.
    pub fn from_u8(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

/// One node of the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemRow {
    /// Its lasting id.
    pub id: ItemId,
    /// `crates/io/src-lib.rs-Reader::read`; unique. Equal to `canon` where there is no file.
    pub key: String,
    /// `package/target::module::Item`; not unique (cfg twins).
    pub canon: String,
    /// What tells twins of one canonical path apart; else empty.
    pub disambiguator: String,
    /// What it is.
    pub kind: ItemKind,
    /// Its name; of an impl its header.
    pub name: String,
    /// Index in `crates`; `u32::MAX`: none.
    pub krate: u32,
    /// Index in `files`; `u32::MAX`: none.
    pub file: u32,
    /// The item that holds it (impl, trait, module, enum, function, crate).
    pub parent: Option<u32>,
    /// All of it, doc comments and attributes included; bytes.
    pub span: (u32, u32),
    /// Where the item itself begins, behind doc comments and attributes.
    pub code_start: u32,
    /// Its signature ends here (its body begins); `span.1` where it has no body.
    pub signature_end: u32,
    /// Its name token; empty where it has none.
    pub name_span: (u32, u32),
    /// First line of `code_start`, from 1.
    pub line: u32,
    /// Last line, from 1.
    pub end_line: u32,
    /// `pub`, `pub(crate)` …; empty: private.
    pub visibility: String,
    /// Of its tokens (G3's `hash`).
    pub token_hash: ContentHash,
    /// How many syntax errors lie in it.
    pub parse_errors: u32,
    /// The cfg predicate it stands behind, its own only; empty: none.
    pub cfg: String,
    /// What is special about it.
    pub flags: ItemFlags,
}

/// What is special about an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemFlags {
    /// A test, or code that only tests compile.
    pub is_test: bool,
    /// It stands in a function.
    pub is_local: bool,
    /// Its slice crosses a syntax error.
    pub is_recovered: bool,
    /// It comes out of a macro (its span is the call's, or stands in its tokens).
    pub from_macro: bool,
    /// Its cfg, or one around it, is off on this host.
    pub is_inactive: bool,
    /// It has a doc comment.
    pub has_docs: bool,
}

/// One edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeRow {
    /// From: number of an item.
    pub src: u32,
    /// What it is.
    pub kind: EdgeKind,
    /// To: number of an item.
    pub dst: u32,
    /// How sure.
    pub tier: Tier,
    /// Who found it.
    pub provenance: Provenance,
    /// By which rule (its number in `resolve`'s table; 0 for structure).
    pub rule: u8,
    /// How many sites it has.
    pub weight: u32,
}

/// One site of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SiteRow {
    /// Index in `edges`.
    pub edge: u32,
    /// Index in `files`.
    pub file: u32,
    /// Byte offset of the token that names the target.
    pub offset: u32,
    /// Its line, from 1.
    pub line: u32,
}

/// A site whose target is not known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnresolvedRow {
    /// The item it stands in.
    pub src: u32,
    /// Index in `files`.
    pub file: u32,
    /// Byte offset of the token.
    pub offset: u32,
    /// Its line, from 1.
    pub line: u32,
    /// What is named there.
    pub name: String,
    /// Why nothing was found.
    pub reason: UnresolvedReason,
}

/// Why a site has no target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum UnresolvedReason {
    /// The receiver's type does not show.
    UnknownReceiver,
    /// Nothing of that name is in scope, or the type has no such member.
    NotFound,
    /// Too many members have that name to list them.
    TooMany,
    /// It stands in the tokens of a macro that could not be read.
    InMacro,
}

impl UnresolvedReason {
    /// All reasons, in their order.
    pub const ALL: [UnresolvedReason; 4] =
        [Self::UnknownReceiver, Self::NotFound, Self::TooMany, Self::InMacro];

    /// The name that answers use: `unknown_receiver`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnknownReceiver => "unknown_receiver",
            Self::NotFound => "not_found",
            Self::TooMany => "too_many",
            Self::InMacro => "in_macro",
        }
    }

    /// From its number in a table.
    pub fn from_u8(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

/// Something that was not understood.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProblemRow {
    /// The file; empty path impossible, so problems of the whole project stand at its manifest.
    pub path: ProjectPath,
    /// Line, from 1; 0: the whole file.
    pub line: u32,
    /// What kind: `syntax`, `not utf-8`, `module file missing`, `metadata`, …
    pub kind: String,
    /// In words.
    pub message: String,
}
