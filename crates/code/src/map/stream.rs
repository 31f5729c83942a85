//! `stream`: the whole map as JSON lines, or into the database.

use std::path::PathBuf;

use base::{Ctx, EdgeKind, ItemKind, Severity, SortedMap};
use graph::{EdgeView, ItemView};
use ingest::{IndexReport, Options};
use project::Workspace;
use serde::Serialize;

use super::node::NodeCard;
use super::{CurrentMap, EdgeCard, open_store};
use crate::CodeError;

/// Handling of items that did not parse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ParserMode {
    /// Stream all items; no canonical signatures.
    Tolerant,
    /// Report items that did not parse, and omit them.
    Strict,
    /// Stream all items; those that did not parse are marked.
    #[default]
    Auto,
}

/// Destination of the records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StreamOutput {
    /// The database.
    Cozo,
    /// The caller, one by one.
    #[default]
    Stdout,
}

/// Input of [`stream`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamRequest {
    /// Additional ignore files.
    pub ignore_files: Vec<PathBuf>,
    /// Handling of items that did not parse.
    pub parser_mode: ParserMode,
    /// Destination of the records.
    pub output: StreamOutput,
    /// Maximum number of edges of one kind per source item; those with the highest weight are kept.
    pub fanout_cap: Option<usize>,
    /// Encoder whose vectors to add; none is supported.
    pub ann_model: Option<String>,
}

/// One line of the stream.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum StreamRecord {
    /// An item.
    Node(Box<NodeCard>),
    /// An edge.
    Edge(Box<EdgeCard>),
    /// The source text of an item.
    Slice {
        /// Id of the item.
        id: base::ItemId,
        /// Source text.
        code: String,
        /// Whether the item overlaps a syntax error.
        recovered: bool,
        /// Class: `test`, `test_helper`, `production`.
        tdd_classification: &'static str,
    },
    /// A problem in the sources or the metadata.
    Diagnostic {
        /// File, relative to the project.
        file: String,
        /// Line, from 1; 0: the whole file.
        line: u32,
        /// Severity.
        severity: Severity,
        /// Kind: `syntax`, `metadata` …
        code: String,
        /// Message.
        message: String,
    },
    /// The summary, always the last line.
    Summary(Box<StreamSummary>),
}

/// The last line of the stream.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StreamSummary {
    /// Number of `node` lines.
    pub nodes: u64,
    /// Number of `edge` lines.
    pub edges_streamed: u64,
    /// Number of `slice` lines.
    pub slices: u64,
    /// Number of `diagnostic` lines.
    pub diagnostics: u64,
    /// Number of edges that the fan-out limit omitted.
    pub edges_capped: u64,
    /// Number of omitted items that did not parse.
    pub items_left_out: u64,
    /// Statistics and cost of indexing.
    #[serde(flatten)]
    pub report: IndexReport,
}

/// Updates the map and passes it to `on` as records, in the order nodes, edges, slices, diagnostics,
/// summary. With the database as destination, `on` receives the summary only.
///
/// # Errors
/// An encoder that is not supported, a map that cannot be updated, or the error of `on`.
pub fn stream(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &StreamRequest,
    on: &mut dyn FnMut(&StreamRecord) -> Result<(), CodeError>,
) -> Result<(), CodeError> {
    if let Some(model) = request.ann_model.as_deref().filter(|model| *model != "none") {
        return Err(CodeError::NoEncoder { model: model.to_owned() });
    }
    let options = Options { ignore_files: request.ignore_files.clone(), ..Options::default() };
    let current = CurrentMap::with_options(ctx, workspace, &options)?;
    if request.output == StreamOutput::Cozo {
        open_store(ctx, &current)?;
    }
    let mut summary = StreamSummary {
        nodes: 0,
        edges_streamed: 0,
        slices: 0,
        diagnostics: 0,
        edges_capped: 0,
        items_left_out: 0,
        report: current.report().clone(),
    };
    if request.output == StreamOutput::Stdout {
        // An item in a broken item may be valid itself, so modules and files are never omitted.
        let is_omitted = |item: ItemView<'_>| {
            request.parser_mode == ParserMode::Strict
                && (item.parse_errors > 0 || item.flags.is_recovered)
                && !matches!(item.kind, ItemKind::Crate | ItemKind::File | ItemKind::Module)
        };
        let omitted: Vec<bool> = current.map().items().map(is_omitted).collect();
        summary.items_left_out = omitted.iter().filter(|is_out| **is_out).count() as u64;
        let mut records =
            Records { ctx, current: &current, request, omitted, summary: &mut summary, on };
        records.nodes()?;
        records.edges()?;
        records.slices()?;
        records.diagnostics()?;
    }
    on(&StreamRecord::Summary(Box::new(summary)))
}

/// The records of one stream before the summary.
struct Records<'a> {
    ctx: &'a Ctx,
    current: &'a CurrentMap<'a>,
    request: &'a StreamRequest,
    /// By item: whether it is left out.
    omitted: Vec<bool>,
    summary: &'a mut StreamSummary,
    on: &'a mut dyn FnMut(&StreamRecord) -> Result<(), CodeError>,
}

impl Records<'_> {
    fn is_in(&self, number: u32) -> bool {
        !self.omitted.get(number as usize).copied().unwrap_or(false)
    }

    fn nodes(&mut self) -> Result<(), CodeError> {
        let map = self.current.map();
        let total = u64::from(map.item_count());
        for item in map.items() {
            if !self.is_in(item.number) {
                continue;
            }
            if item.number % 1024 == 0 {
                self.ctx.check_cancelled()?;
                self.ctx.count("streaming", "nodes", u64::from(item.number), total);
            }
            let mut node = self.current.node(&item);
            if self.request.parser_mode == ParserMode::Tolerant {
                node.signatures.signature_syn = None;
            }
            for node in std::iter::once(node).chain(self.current.made_nodes(&item)) {
                (self.on)(&StreamRecord::Node(Box::new(node)))?;
                self.summary.nodes += 1;
            }
        }
        Ok(())
    }

    fn edges(&mut self) -> Result<(), CodeError> {
        let map = self.current.map();
        for number in 0..map.item_count() {
            if !self.is_in(number) {
                continue;
            }
            let all: Vec<EdgeView> =
                map.edges_out(number).filter(|edge| self.is_in(edge.dst)).collect();
            let count = all.len();
            let edges = capped(all, self.request.fanout_cap);
            self.summary.edges_capped += (count - edges.len()) as u64;
            let cards = edges.into_iter().map(|edge| self.current.edge_card(edge));
            for card in cards.chain(self.current.made_edges(number)) {
                (self.on)(&StreamRecord::Edge(Box::new(card)))?;
                self.summary.edges_streamed += 1;
            }
        }
        Ok(())
    }

    fn slices(&mut self) -> Result<(), CodeError> {
        for item in self.current.map().items() {
            if !self.is_in(item.number) {
                continue;
            }
            let slice = self.current.describe(&item, |it| StreamRecord::Slice {
                id: item.id(),
                code: it.code().to_owned(),
                recovered: it.is_recovered(),
                tdd_classification: it.class().as_str(),
            });
            if matches!(&slice, StreamRecord::Slice { code, .. } if !code.is_empty()) {
                (self.on)(&slice)?;
                self.summary.slices += 1;
            }
        }
        Ok(())
    }

    /// The items that were left out, then the problems of the map.
    fn diagnostics(&mut self) -> Result<(), CodeError> {
        let map = self.current.map();
        let omitted = &self.omitted;
        let is_omitted = |item: &ItemView<'_>| omitted.get(item.number as usize) == Some(&true);
        let left_out = map.items().filter(is_omitted);
        let left_out = left_out.map(|item| StreamRecord::Diagnostic {
            file: item.path().unwrap_or_default().to_owned(),
            line: item.line,
            severity: Severity::Error,
            code: "left out".to_owned(),
            message: format!("`{}` did not parse", item.canon()),
        });
        let problems = map.problems().map(|problem| StreamRecord::Diagnostic {
            file: problem.path.to_owned(),
            line: problem.line,
            severity: match problem.kind {
                "syntax" => Severity::Error,
                _ => Severity::Warning,
            },
            code: problem.kind.to_owned(),
            message: problem.message.to_owned(),
        });
        for record in left_out.chain(problems) {
            (self.on)(&record)?;
            self.summary.diagnostics += 1;
        }
        Ok(())
    }
}

/// Keeps the `cap` edges with the highest weight per kind, in the original order.
fn capped(edges: Vec<EdgeView>, cap: Option<usize>) -> Vec<EdgeView> {
    let Some(cap) = cap else { return edges };
    let mut by_kind: SortedMap<EdgeKind, Vec<EdgeView>> = SortedMap::new();
    for edge in edges {
        by_kind.entry(edge.kind).or_default().push(edge);
    }
    let mut kept: Vec<EdgeView> = Vec::new();
    for (_, mut edges) in by_kind {
        edges.sort_by_key(|edge| (std::cmp::Reverse(edge.weight), edge.number));
        edges.truncate(cap);
        kept.extend(edges);
    }
    kept.sort_by_key(|edge| edge.number);
    kept
}
