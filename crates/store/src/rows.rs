use base::{ContentHash, EdgeKind, ItemId, Provenance, Tier};

/// All rows of `map.db`: what a run of ingest found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapRows {
    /// Nodes; each id once.
    pub nodes: Vec<NodeRow>,
    /// Edges; each (src, dst, kind) once.
    pub edges: Vec<EdgeRow>,
    /// The code of items.
    pub blobs: Vec<BlobRow>,
    /// Vectors; all of one length.
    pub embeddings: Vec<EmbeddingRow>,
    /// What compilers and analyzers said of items.
    pub diagnostics: Vec<DiagnosticRow>,
    /// What the lexical index was made from.
    pub doc_meta: Vec<DocMetaRow>,
}

/// What is different from the state before: one batch of changed files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapChange {
    /// The state that it was made against; a map in another state refuses it. `None`: any.
    pub from: Option<u64>,
    /// Rows that are new or replace those of the same key.
    pub rows: MapRows,
    /// Nodes that are gone. Their code, vectors, diagnostics, index data and outgoing edges go
    /// along; edges *into* them stand in `removed_edges`, or are among the outgoing edges of nodes
    /// in `renewed`.
    pub removed: Vec<ItemId>,
    /// Nodes whose outgoing edges and diagnostics are dropped before those in `rows` come in.
    pub renewed: Vec<ItemId>,
    /// Edges that are gone.
    pub removed_edges: Vec<EdgeKey>,
}

/// The key of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeKey {
    /// From.
    pub src: ItemId,
    /// To.
    pub dst: ItemId,
    /// What it is.
    pub kind: EdgeKind,
}

/// One row of `isg_nodes`.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeRow {
    /// Its lasting id.
    pub id: ItemId,
    /// The readable key.
    pub key: String,
    /// The canonical path.
    pub canon: String,
    /// Its file, relative to the project; empty: none.
    pub file_path: String,
    /// `package/target`; empty: none. Column `crate`.
    pub krate: String,
    /// The path of its module within the crate.
    pub module_path: String,
    /// What it is: `function`, `struct`, …
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The signature as it is written.
    pub signature_ts: String,
    /// The canonical signature, where its slice parses.
    pub signature_syn: Option<String>,
    /// What rust-analyzer shows for it.
    pub ra_signature: Option<String>,
    /// Its generics, as written; empty: none.
    pub generics: String,
    /// Its visibility, as written; empty: private.
    pub vis: String,
    /// 1: item of a module; 2: member.
    pub isgl_level: u8,
    /// Syntax errors in it.
    pub parse_error_count: u32,
    /// 0 to 1.
    pub confidence: f64,
    /// First byte.
    pub span_start: u32,
    /// Behind its last byte.
    pub span_end: u32,
    /// First line, from 1.
    pub line: u32,
    /// Last line.
    pub end_line: u32,
    /// The hash of its tokens.
    pub hash: ContentHash,
    /// When rust-analyzer last spoke of it, in microseconds.
    pub ra_hydrated_ts: Option<i64>,
    /// Types that rust-analyzer resolved, as JSON text.
    pub resolved_types: Option<String>,
    /// How a macro makes it.
    pub macro_expansion_notes: Option<String>,
    /// Diagnostics in one line.
    pub diag_summary: Option<String>,
}

/// One row of `isg_edges`.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeRow {
    /// From.
    pub src: ItemId,
    /// To.
    pub dst: ItemId,
    /// What it is.
    pub kind: EdgeKind,
    /// How strong: the number of sites, unless something better is known.
    pub weight: f64,
    /// Who found it.
    pub provenance: Provenance,
    /// How sure.
    pub tier: Tier,
    /// How many sites it has.
    pub sites: u32,
}

impl EdgeRow {
    /// What it is found by.
    pub fn key(&self) -> EdgeKey {
        EdgeKey { src: self.src, dst: self.dst, kind: self.kind }
    }
}

/// One row of `code_blobs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobRow {
    /// Whose.
    pub id: ItemId,
    /// The exact text, without that of the items in it that have a row of their own.
    pub code: String,
    /// `test`, `test_helper`, `production`.
    pub tdd_classification: String,
    /// The slice crosses a syntax error.
    pub recovered: bool,
}

/// One row of `embeddings`.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddingRow {
    /// Whose.
    pub id: ItemId,
    /// By which encoder.
    pub model: String,
    /// The vector.
    pub vec: Vec<f32>,
}

/// One row of `diagnostics`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagnosticRow {
    /// Of which item.
    pub id: ItemId,
    /// Which of its diagnostics, from 0.
    pub ordinal: u32,
    /// `error`, `warning`, `note`, `help`.
    pub severity: String,
    /// `E0425`, a lint's name; empty: none.
    pub code: String,
    /// In words.
    pub message: String,
    /// First byte and the one behind the last.
    pub range: (u32, u32),
    /// When it was said, in microseconds.
    pub ts: i64,
}

/// One row of `bm25_doc_meta`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocMetaRow {
    /// Whose.
    pub id: ItemId,
    /// The token hash that was indexed.
    pub tracking_hash: ContentHash,
    /// By which tokenizer.
    pub tokenizer_version: u32,
    /// How many tokens the document has.
    pub token_length: u32,
}
