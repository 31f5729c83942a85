//! The rows of `map.db`.

use base::{ContentHash, EdgeKind, ItemId, Provenance, Tier};

/// All rows of `map.db`, as ingest writes them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapRows {
    /// Nodes; each id once.
    pub nodes: Vec<NodeRow>,
    /// Edges; each (src, dst, kind) once.
    pub edges: Vec<IsgEdgeRow>,
    /// The code of items.
    pub blobs: Vec<BlobRow>,
    /// Vectors; all of one length.
    pub embeddings: Vec<EmbeddingRow>,
    /// Diagnostics of compilers and analyzers.
    pub diagnostics: Vec<DiagnosticRow>,
    /// The documents of the lexical index.
    pub doc_meta: Vec<DocMetaRow>,
}

/// The difference to the previous state: one batch of changed files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapChange {
    /// The state that it was computed for; a map in another state rejects it. `None`: any.
    pub from: Option<u64>,
    /// Rows that are new or replace those with the same key.
    pub rows: MapRows,
    /// Removed nodes. Their code, vectors, diagnostics, index data and outgoing edges are removed
    /// too; edges *into* them must be in `removed_edges`, or be outgoing edges of nodes in
    /// `renewed`.
    pub removed: Vec<ItemId>,
    /// Nodes whose outgoing edges and diagnostics are removed before those in `rows` are added.
    pub renewed: Vec<ItemId>,
    /// Removed edges.
    pub removed_edges: Vec<EdgeKey>,
}

/// The key of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeKey {
    /// The source.
    pub src: ItemId,
    /// The target.
    pub dst: ItemId,
    /// The kind.
    pub kind: EdgeKind,
}

/// One row of `isg_nodes`.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeRow {
    /// The stable id.
    pub id: ItemId,
    /// The readable key.
    pub key: String,
    /// The canonical path.
    pub canon: String,
    /// Where it is.
    pub location: NodeLocation,
    /// `package/target`; empty: none. Column `crate`.
    pub krate: String,
    /// The path of its module within the crate.
    pub module_path: String,
    /// The kind: `function`, `struct`, …
    pub kind: String,
    /// Its name.
    pub name: String,
    /// How it is declared.
    pub declaration: NodeDeclaration,
    /// 1: item of a module; 2: member.
    pub isgl_level: u8,
    /// Syntax errors in it.
    pub parse_error_count: u32,
    /// 0 to 1.
    pub confidence: f64,
    /// The hash of its tokens.
    pub hash: ContentHash,
    /// When rust-analyzer last analyzed it, in microseconds.
    pub ra_hydrated_ts: Option<i64>,
    /// Diagnostics in one line.
    pub diag_summary: Option<String>,
}

/// The location of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeLocation {
    /// The file, relative to the project; empty: none.
    pub file_path: String,
    /// The first byte.
    pub span_start: u32,
    /// The end of its last byte.
    pub span_end: u32,
    /// The first line, from 1.
    pub line: u32,
    /// The last line.
    pub end_line: u32,
}

/// The declaration of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeDeclaration {
    /// The signature as written.
    pub signature_ts: String,
    /// The canonical signature, if the text parses.
    pub signature_syn: Option<String>,
    /// The signature from rust-analyzer.
    pub ra_signature: Option<String>,
    /// Its generics, as written; empty: none.
    pub generics: String,
    /// Its visibility, as written; empty: private.
    pub vis: String,
    /// Types that rust-analyzer resolved, as JSON text.
    pub resolved_types: Option<String>,
    /// How a macro generates it.
    pub macro_expansion_notes: Option<String>,
}

/// One row of `isg_edges`.
#[derive(Clone, Debug, PartialEq)]
pub struct IsgEdgeRow {
    /// The source.
    pub src: ItemId,
    /// The target.
    pub dst: ItemId,
    /// The kind.
    pub kind: EdgeKind,
    /// The strength: the number of sites, unless something better is known.
    pub weight: f64,
    /// The source of the edge.
    pub provenance: Provenance,
    /// The tier.
    pub tier: Tier,
    /// The number of sites.
    pub sites: u32,
}

impl IsgEdgeRow {
    /// The key.
    pub fn key(&self) -> EdgeKey {
        EdgeKey { src: self.src, dst: self.dst, kind: self.kind }
    }
}

/// One row of `code_blobs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobRow {
    /// The item.
    pub id: ItemId,
    /// The exact text, without that of nested items with their own row.
    pub code: String,
    /// `test`, `test_helper`, `production`.
    pub tdd_classification: String,
    /// Whether the text contains a syntax error.
    pub recovered: bool,
}

/// One row of `embeddings`.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddingRow {
    /// The item.
    pub id: ItemId,
    /// The encoder.
    pub model: String,
    /// The vector.
    pub vec: Vec<f32>,
}

/// One row of `diagnostics`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagnosticRow {
    /// The item.
    pub id: ItemId,
    /// The index among its diagnostics, from 0.
    pub ordinal: u32,
    /// `error`, `warning`, `note`, `help`.
    pub severity: String,
    /// `E0425`, a lint's name; empty: none.
    pub code: String,
    /// The message.
    pub message: String,
    /// The first byte and the end.
    pub range: (u32, u32),
    /// When it was reported, in microseconds.
    pub ts: i64,
}

/// One row of `bm25_doc_meta`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocMetaRow {
    /// The item.
    pub id: ItemId,
    /// The token hash that was indexed.
    pub tracking_hash: ContentHash,
    /// The version of the tokenizer.
    pub tokenizer_version: u32,
    /// The number of tokens of the document.
    pub token_length: u32,
}
