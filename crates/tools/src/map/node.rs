//! One item with all that relations and streams say of it.

use base::{ContentHash, EdgeKind, ItemId, Provenance, Tier};
use graph::{ItemKind, ItemView};
use ingest::{Description, MACRO_INTERFACE, MacroItem};
use serde::Serialize;

use super::{EdgeCard, Fresh};

/// One node, under the names of the relation `isg_nodes`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeCard {
    /// Its lasting id.
    pub id: ItemId,
    /// The readable key.
    pub key: String,
    /// The canonical path.
    pub canon: String,
    /// What it is; `macro_interface`: something that only rust-analyzer sees a macro call make.
    pub kind: &'static str,
    /// Its name; of an impl its header.
    pub name: String,
    /// `package/target`; empty: none.
    #[serde(rename = "crate")]
    pub krate: String,
    /// The path of its module within the crate.
    pub module_path: String,
    /// Its file; empty: none.
    pub file_path: String,
    /// First byte, doc comments and attributes included.
    pub span_start: u32,
    /// Behind its last byte.
    pub span_end: u32,
    /// First line behind doc comments and attributes, from 1; 0: no file.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// `pub`, `pub(crate)` …; empty: private.
    pub vis: String,
    /// The signature as written, in one line.
    pub signature_ts: String,
    /// The canonical signature, where it parses.
    pub signature_syn: Option<String>,
    /// The signature as rust-analyzer has it, macros expanded and paths resolved, where it was
    /// asked.
    pub ra_signature: Option<String>,
    /// The items that its declaration names as types, as rust-analyzer resolved them; `None` where
    /// it was not asked.
    pub resolved_types: Option<Vec<String>>,
    /// How a macro makes it.
    pub macro_expansion_notes: Option<String>,
    /// Its generic parameters as written; empty: none.
    pub generics: String,
    /// 1: item of a module; 2: member.
    pub isgl_level: u8,
    /// Syntax errors in it.
    pub parse_error_count: u32,
    /// It crosses a syntax error.
    pub recovered: bool,
    /// 0 to 1.
    pub confidence: f64,
    /// Of its tokens.
    pub hash: ContentHash,
    /// `test`, `test_helper`, `production`.
    pub tdd_classification: &'static str,
    /// The cfg it stands behind, its own only; empty: none.
    pub cfg: String,
    /// That cfg, or one around it, is off on this host.
    pub is_inactive: bool,
}

impl Fresh<'_> {
    pub(crate) fn node(&self, item: &ItemView<'_>) -> NodeCard {
        self.describe(item, |it| node(item, it))
    }

    /// What a macro call makes besides items of the map.
    pub(crate) fn made_nodes(&self, item: &ItemView<'_>) -> Vec<NodeCard> {
        // Nothing else makes anything: the others are not described a second time.
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

    /// That the call holds what it makes.
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

/// Something that a macro call makes: at its place, and of its class.
fn made_node(call: &NodeCard, made: &MacroItem<'_>) -> NodeCard {
    NodeCard {
        id: made.id,
        key: made.key.clone(),
        canon: made.canon.clone(),
        kind: MACRO_INTERFACE,
        name: made.name().to_owned(),
        vis: String::new(),
        signature_ts: String::new(),
        signature_syn: None,
        ra_signature: Some(made.interface.signature.to_string()),
        resolved_types: None,
        macro_expansion_notes: Some(made.notes()),
        generics: String::new(),
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
    NodeCard {
        id: item.id(),
        key: item.key(),
        module_path: description.module_path(),
        canon: item.canon(),
        kind: item.kind.as_str(),
        name: item.name().into_owned(),
        krate: item.crate_name().unwrap_or_default().to_owned(),
        file_path: item.path().unwrap_or_default().to_owned(),
        span_start: item.span.0,
        span_end: item.span.1,
        start_line: if has_file { item.line } else { 0 },
        end_line: if has_file { item.end_line } else { 0 },
        vis: item.visibility().to_owned(),
        generics: description.generics(&signature),
        isgl_level: description.level(),
        parse_error_count: item.parse_errors,
        recovered: description.is_recovered(),
        confidence: description.confidence(&signature),
        hash: item.token_hash(),
        tdd_classification: description.class().as_str(),
        signature_ts: signature.written,
        signature_syn: signature.exact,
        ra_signature: description.ra_signature().map(str::to_owned),
        resolved_types: description.resolved_types(),
        macro_expansion_notes: description.expansion_notes(),
        cfg: item.cfg().to_owned(),
        is_inactive: item.flags.is_inactive,
    }
}
