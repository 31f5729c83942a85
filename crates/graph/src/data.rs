//! [`MapData`]: the map as plain rows, as `ingest` builds it and tests compare it. `write.rs`
//! serialises it, `rows.rs` reads it back.
use base::{ContentHash, EdgeKind, ItemId, ItemKind, ProjectPath, Provenance, Tier};
use serde::{Deserialize, Serialize};

/// The whole map as rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapData {
    /// Epoch: the state of the sources; grows with every finalize.
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
    /// Sites of edges, sorted by edge.
    pub sites: Vec<SiteRow>,
    /// Unresolved sites, sorted by source.
    pub unresolved: Vec<UnresolvedRow>,
    /// Problems, sorted by file and position.
    pub problems: Vec<ProblemRow>,
}

/// One crate: a target of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrateRow {
    /// `package/target`.
    pub name: String,
    /// Version of the package.
    pub version: String,
    /// Kind of the target: `lib`, `bin`, `test`, `example`, `bench`, `proc-macro`, `build`.
    pub kind: String,
    /// Index of the root file in `files`.
    pub root: u32,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRow {
    /// Path.
    pub path: ProjectPath,
    /// Hash of the file's bytes.
    pub hash: ContentHash,
    /// Length in bytes.
    pub len: u32,
    /// Number of lines.
    pub lines: u32,
    /// Number of syntax errors.
    pub parse_errors: u32,
    /// Flags.
    pub flags: FileFlags,
}

/// Properties of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFlags {
    /// Whether its header marks it as generated.
    pub is_generated: bool,
    /// Whether it is in a vendored directory.
    pub is_vendored: bool,
    /// Whether no crate's module tree contains it.
    pub is_orphan: bool,
    /// Whether the cfg of its module is off on this host.
    pub is_inactive: bool,
}

/// One item: a node of the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemRow {
    /// Stable id.
    pub id: ItemId,
    /// Key: `crates/io/src-lib.rs-Reader::read`; unique. Equal to `canon` for an item without a
    /// file.
    pub key: String,
    /// Canonical path: `package/target::module::Item`; not unique (cfg alternatives).
    pub canon: String,
    /// Disambiguator of items that share a canonical path; else empty.
    pub disambiguator: String,
    /// Kind.
    pub kind: ItemKind,
    /// Name; for an impl its header.
    pub name: String,
    /// Index in `crates`; `u32::MAX`: none.
    pub krate: u32,
    /// Index in `files`; `u32::MAX`: none.
    pub file: u32,
    /// ParentRef item (impl, trait, module, enum, function, crate).
    pub parent: Option<u32>,
    /// Byte range of the whole item, doc comments and attributes included.
    pub span: (u32, u32),
    /// Byte offset of the item itself, after doc comments and attributes.
    pub code_start: u32,
    /// Byte offset of the end of the signature; `span.1` for an item without a body.
    pub signature_end: u32,
    /// Byte range of the name token; empty for an item without a name.
    pub name_span: (u32, u32),
    /// Line of `code_start`, from 1.
    pub line: u32,
    /// Last line, from 1.
    pub end_line: u32,
    /// Visibility: `pub`, `pub(crate)` …; empty: private.
    pub visibility: String,
    /// Hash of the item's tokens.
    pub token_hash: ContentHash,
    /// Number of syntax errors inside the item.
    pub parse_errors: u32,
    /// Own cfg predicate, without those of the parents; empty: none.
    pub cfg: String,
    /// Flags.
    pub flags: ItemFlags,
}

/// Properties of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemFlags {
    /// Whether it is a test, or code that only tests compile.
    pub is_test: bool,
    /// Whether it is inside a function.
    pub is_local: bool,
    /// Whether its text contains a syntax error.
    pub is_recovered: bool,
    /// Whether a macro call expands to it; its span is then that of the call, or in its tokens.
    pub from_macro: bool,
    /// Whether its cfg, or that of a parent, is off on this host.
    pub is_inactive: bool,
    /// Whether it has a doc comment.
    pub has_docs: bool,
}

/// One edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeRow {
    /// Number of the source item.
    pub src: u32,
    /// Kind.
    pub kind: EdgeKind,
    /// Number of the target item.
    pub dst: u32,
    /// Confidence.
    pub tier: Tier,
    /// Resolver that found it.
    pub provenance: Provenance,
    /// Resolution rule (number in `resolve`'s table; 0 for structural edges).
    pub rule: u8,
    /// Number of sites.
    pub weight: u32,
}

/// One site of an edge: the source location that produced it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SiteRow {
    /// Index in `edges`.
    pub edge: u32,
    /// Index in `files`.
    pub file: u32,
    /// Byte offset of the token that names the target.
    pub offset: u32,
    /// Line, from 1.
    pub line: u32,
}

/// A site whose target could not be resolved.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnresolvedRow {
    /// Number of the item that contains it.
    pub src: u32,
    /// Index in `files`.
    pub file: u32,
    /// Byte offset of the token.
    pub offset: u32,
    /// Line, from 1.
    pub line: u32,
    /// Name at the site.
    pub name: String,
    /// Reason.
    pub reason: UnresolvedReason,
}

base::named_enum! {
    /// Why a site could not be resolved.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[repr(u8)]
    pub enum UnresolvedReason {
        /// The type of the receiver is unknown.
        UnknownReceiver = "unknown_receiver",
        /// No item of that name is in scope, or the type has no such member.
        NotFound = "not_found",
        /// Too many members have that name to list them.
        TooMany = "too_many",
        /// The site is in the tokens of a macro that could not be expanded.
        InMacro = "in_macro",
    }
}

/// One problem: something that could not be processed while indexing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProblemRow {
    /// Path of the file; for problems of the whole project, its manifest.
    pub path: ProjectPath,
    /// Line, from 1; 0: the whole file.
    pub line: u32,
    /// Kind: `syntax`, `not utf-8`, `module file missing`, `metadata`, …
    pub kind: String,
    /// Message.
    pub message: String,
}
