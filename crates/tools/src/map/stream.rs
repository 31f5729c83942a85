use std::collections::BTreeMap;
use std::path::PathBuf;

use base::{Ctx, EdgeKind, Severity};
use graph::{EdgeView, ItemKind};
use ingest::{Options, Report};
use serde::Serialize;

use super::node::NodeCard;
use super::{EdgeCard, Fresh, query};
use crate::{Error, Workspace};

/// How much of what was read is handed on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ParserMode {
    /// Everything, broken or not, as it is written: no signature is parsed exactly.
    Tolerant,
    /// Items that did not parse are reported and left out.
    Strict,
    /// Everything; what did not parse is marked.
    #[default]
    Auto,
}

/// Where the records go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StreamOutput {
    /// Into the database.
    Cozo,
    /// To the caller, one by one.
    #[default]
    Stdout,
}

/// What to stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamRequest {
    /// Further ignore files.
    pub ignore_files: Vec<PathBuf>,
    /// What to do with items that did not parse.
    pub parser_mode: ParserMode,
    /// Where to.
    pub output: StreamOutput,
    /// So many edges of one kind leave an item at most, the heaviest.
    pub fanout_cap: Option<usize>,
    /// The encoder whose vectors to add.
    pub ann_model: Option<String>,
}

/// One line of a stream.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Record {
    /// An item.
    Node(Box<NodeCard>),
    /// A connection.
    Edge(Box<EdgeCard>),
    /// The exact text of an item.
    Slice {
        /// Whose.
        id: base::ItemId,
        /// The text.
        code: String,
        /// It crosses a syntax error.
        recovered: bool,
        /// `test`, `test_helper`, `production`.
        tdd_classification: &'static str,
    },
    /// Something that was not understood.
    Diagnostic {
        /// The file.
        file: String,
        /// The line, from 1; 0: the whole file.
        line: u32,
        /// How bad.
        severity: Severity,
        /// What kind: `syntax`, `metadata` …
        code: String,
        /// In words.
        message: String,
    },
    /// The last line.
    Summary(Box<StreamSummary>),
}

/// What the last line says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StreamSummary {
    /// How many lines of each type came before.
    pub nodes: u64,
    /// See `nodes`.
    pub edges_streamed: u64,
    /// See `nodes`.
    pub slices: u64,
    /// See `nodes`.
    pub diagnostics: u64,
    /// Edges that the cap on fan-out left out.
    pub edges_capped: u64,
    /// Items that did not parse and were left out.
    pub items_left_out: u64,
    /// What indexing found and cost.
    #[serde(flatten)]
    pub report: Report,
}

/// Brings the map up to date and hands it on as records, in the order nodes, edges, slices,
/// diagnostics, summary. Into the database: the summary alone.
pub fn stream(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &StreamRequest,
    on: &mut dyn FnMut(&Record) -> Result<(), Error>,
) -> Result<(), Error> {
    if let Some(model) = request.ann_model.as_deref().filter(|model| *model != "none") {
        return Err(Error::NoEncoder { model: model.to_owned() });
    }
    let options = Options { ignore_files: request.ignore_files.clone(), ..Options::default() };
    let fresh = Fresh::with_options(ctx, workspace, &options)?;
    if request.output == StreamOutput::Cozo {
        query::bring_up(ctx, &fresh)?;
    }
    let mut summary = StreamSummary {
        nodes: 0,
        edges_streamed: 0,
        slices: 0,
        diagnostics: 0,
        edges_capped: 0,
        items_left_out: 0,
        report: fresh.report().clone(),
    };
    if request.output == StreamOutput::Stdout {
        records(ctx, &fresh, request, &mut summary, on)?;
    }
    on(&Record::Summary(Box::new(summary)))
}

fn records(
    ctx: &Ctx,
    fresh: &Fresh<'_>,
    request: &StreamRequest,
    summary: &mut StreamSummary,
    on: &mut dyn FnMut(&Record) -> Result<(), Error>,
) -> Result<(), Error> {
    let map = fresh.map();
    let total = u64::from(map.item_count());
    // What a broken item holds may still be whole, but not the other way round.
    let is_left_out: Vec<bool> = map
        .items()
        .map(|item| {
            request.parser_mode == ParserMode::Strict
                && (item.parse_errors > 0 || item.flags.is_recovered)
                && !matches!(item.kind, ItemKind::Crate | ItemKind::File | ItemKind::Module)
        })
        .collect();
    let is_in = |number: u32| !is_left_out.get(number as usize).copied().unwrap_or(false);
    for item in map.items().filter(|item| is_in(item.number)) {
        if item.number % 1024 == 0 {
            ctx.check_cancelled()?;
            ctx.count("streaming", "nodes", u64::from(item.number), total);
        }
        let mut node = fresh.node(&item);
        if request.parser_mode == ParserMode::Tolerant {
            node.signature_syn = None;
        }
        on(&Record::Node(Box::new(node)))?;
        summary.nodes += 1;
        for made in fresh.made_nodes(&item) {
            on(&Record::Node(Box::new(made)))?;
            summary.nodes += 1;
        }
    }
    summary.items_left_out = is_left_out.iter().filter(|is_out| **is_out).count() as u64;
    for number in (0..map.item_count()).filter(|number| is_in(*number)) {
        let edges: Vec<EdgeView> = map.edges_out(number).filter(|edge| is_in(edge.dst)).collect();
        let all = edges.len();
        let edges = capped(edges, request.fanout_cap);
        summary.edges_capped += (all - edges.len()) as u64;
        for edge in edges {
            on(&Record::Edge(Box::new(fresh.edge_card(edge))))?;
            summary.edges_streamed += 1;
        }
        for edge in fresh.made_edges(number) {
            on(&Record::Edge(Box::new(edge)))?;
            summary.edges_streamed += 1;
        }
    }
    for item in map.items().filter(|item| is_in(item.number)) {
        let slice = fresh.describe(&item, |it| Record::Slice {
            id: item.id(),
            code: it.code().to_owned(),
            recovered: it.is_recovered(),
            tdd_classification: it.class().as_str(),
        });
        if matches!(&slice, Record::Slice { code, .. } if !code.is_empty()) {
            on(&slice)?;
            summary.slices += 1;
        }
    }
    for item in map.items().filter(|item| !is_in(item.number)) {
        on(&Record::Diagnostic {
            file: item.path().unwrap_or_default().to_owned(),
            line: item.line,
            severity: Severity::Error,
            code: "left out".to_owned(),
            message: format!("`{}` did not parse", item.canon()),
        })?;
        summary.diagnostics += 1;
    }
    for problem in map.problems() {
        let severity = if problem.kind == "syntax" { Severity::Error } else { Severity::Warning };
        on(&Record::Diagnostic {
            file: problem.path.to_owned(),
            line: problem.line,
            severity,
            code: problem.kind.to_owned(),
            message: problem.message.to_owned(),
        })?;
        summary.diagnostics += 1;
    }
    Ok(())
}

/// Of each kind the heaviest, in the order they had.
fn capped(edges: Vec<EdgeView>, cap: Option<usize>) -> Vec<EdgeView> {
    let Some(cap) = cap else { return edges };
    let mut by_kind: BTreeMap<EdgeKind, Vec<EdgeView>> = BTreeMap::new();
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
