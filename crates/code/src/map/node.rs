//! Nodes of `stream`: items with all columns of the relation `isg_nodes`.

use base::{ContentHash, EdgeKind, ItemId, ItemKind, Provenance, Tier};
use graph::ItemView;
use ingest::{Description, MACRO_INTERFACE, MacroItem};
use serde::Serialize;

use super::{CurrentMap, EdgeCard};

/// One node; the fields have the names of the columns of `isg_nodes`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeCard {
    /// Stable id.
    pub id: ItemId,
    /// Readable key.
    pub key: String,
    /// Canonical path.
    pub canon: String,
    /// Item kind; `macro_interface`: an item from a macro call that only rust-analyzer resolves.
    pub kind: &'static str,
    /// Name; for an impl, its header.
    pub name: String,
    /// Crate as `package/target`; empty: none.
    #[serde(rename = "crate")]
    pub krate: String,
    /// Path of its module within the crate.
    pub module_path: String,
    /// Where it is.
    #[serde(flatten)]
    pub location: LocationColumns,
    /// How it is declared.
    #[serde(flatten)]
    pub signatures: SignatureColumns,
    /// Nesting level: 1 is an item of a module, 2 a member.
    pub isgl_level: u8,
    /// Number of syntax errors in the item.
    pub parse_error_count: u32,
    /// Whether the item overlaps a syntax error.
    pub recovered: bool,
    /// Confidence, 0 to 1.
    pub confidence: f64,
    /// Hash of its tokens.
    pub hash: ContentHash,
    /// Class: `test`, `test_helper`, `production`.
    pub tdd_classification: &'static str,
    /// Its own cfg predicate; empty: none.
    pub cfg: String,
    /// Whether its cfg, or that of an enclosing item, is disabled on this host.
    pub is_inactive: bool,
}

/// The location of a node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LocationColumns {
    /// File, relative to the project; empty: none.
    pub file_path: String,
    /// Offset of the first byte, doc comments and attributes included.
    pub span_start: u32,
    /// Offset after the last byte.
    pub span_end: u32,
    /// First line after doc comments and attributes, from 1; 0: no file.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
}

/// The declaration of a node.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SignatureColumns {
    /// Visibility: `pub`, `pub(crate)` …; empty: private.
    pub vis: String,
    /// Signature as written, one line.
    pub signature_ts: String,
    /// Canonical signature; `None` if it does not parse.
    pub signature_syn: Option<String>,
    /// Signature of rust-analyzer, with macros expanded and paths resolved; `None` without a run of
    /// rust-analyzer.
    pub ra_signature: Option<String>,
    /// Types in its declaration, as rust-analyzer resolved them; `None` without a run of
    /// rust-analyzer.
    pub resolved_types: Option<Vec<String>>,
    /// Description of the macro expansion that produces the item.
    pub macro_expansion_notes: Option<String>,
    /// Generic parameters as written; empty: none.
    pub generics: String,
}

impl CurrentMap<'_> {
    pub(crate) fn node(&self, item: &ItemView<'_>) -> NodeCard {
        self.describe(item, |it| node(item, it))
    }

    /// The items of a macro call that only rust-analyzer resolves.
    pub(crate) fn made_nodes(&self, item: &ItemView<'_>) -> Vec<NodeCard> {
        // Only macro calls produce items; this check saves the description of all others.
        if item.kind != ItemKind::MacroCall {
            return Vec::new();
        }
        self.describe(item, |it| {
            let made = it.macro_items();
            if made.is_empty() {
                return Vec::new();
            }
            let call = node(item, it);
            made.iter().map(|made| made_node(&call, made)).collect()
        })
    }

    /// The edges from a macro call to the items that it produces.
    pub(crate) fn made_edges(&self, number: u32) -> Vec<EdgeCard> {
        let call = self.map().item(number).filter(|it| it.kind == ItemKind::MacroCall);
        let Some(call) = call else { return Vec::new() };
        self.describe(&call, |it| {
            let made = it.macro_items().into_iter();
            let edge = |made: MacroItem<'_>| EdgeCard {
                src: call.id(),
                dst: made.id,
                src_canon: call.canon(),
                dst_canon: made.canon,
                kind: EdgeKind::Contains,
                tier: Tier::Proven,
                provenance: Provenance::Ra,
                rule: None,
                weight: 1,
                file: call.path().map(str::to_owned),
                line: Some(call.line),
                sites: Vec::new(),
            };
            made.map(edge).collect()
        })
    }
}

/// A node for an item from a macro call, with the location and class of the call.
fn made_node(call: &NodeCard, made: &MacroItem<'_>) -> NodeCard {
    NodeCard {
        id: made.id,
        key: made.key.clone(),
        canon: made.canon.clone(),
        kind: MACRO_INTERFACE,
        name: made.name().to_owned(),
        signatures: SignatureColumns {
            ra_signature: Some(made.interface.signature.to_string()),
            macro_expansion_notes: Some(made.notes()),
            ..SignatureColumns::default()
        },
        parse_error_count: 0,
        recovered: false,
        confidence: made.confidence(),
        hash: made.hash(),
        ..call.clone()
    }
}

fn node(item: &ItemView<'_>, description: &Description<'_>) -> NodeCard {
    let signature = description.signature();
    let has_file = item.path().is_some();
    let confidence = description.confidence(&signature);
    NodeCard {
        id: item.id(),
        key: item.key(),
        module_path: description.module_path(),
        canon: item.canon(),
        kind: item.kind.as_str(),
        name: item.name().into_owned(),
        krate: item.crate_name().unwrap_or_default().to_owned(),
        location: LocationColumns {
            file_path: item.path().unwrap_or_default().to_owned(),
            span_start: item.span.0,
            span_end: item.span.1,
            start_line: if has_file { item.line } else { 0 },
            end_line: if has_file { item.end_line } else { 0 },
        },
        isgl_level: description.level(),
        parse_error_count: item.parse_errors,
        recovered: description.is_recovered(),
        confidence,
        hash: item.token_hash(),
        tdd_classification: description.class().as_str(),
        signatures: SignatureColumns {
            vis: item.visibility().to_owned(),
            generics: description.generics(&signature),
            signature_syn: signature.exact().map(str::to_owned),
            signature_ts: signature.written,
            ra_signature: description.ra_signature().map(str::to_owned),
            resolved_types: description.resolved_types(),
            macro_expansion_notes: description.expansion_notes(),
        },
        cfg: item.cfg().to_owned(),
        is_inactive: item.flags.is_inactive,
    }
}
