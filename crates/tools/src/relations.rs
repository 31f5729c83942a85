//! The record, and rules and skills, as relations for Datalog: derived from the log whenever a query finds them stale.

use base::{Ctx, Hasher, ItemId, SortedMap};
use code::CurrentMap;
use graph::Map;
use record::{CodeRow, Proposal, ProposalState, RecordEntry, own_text};
use store::{
    CodeGraphRow, EditProposalRow, RecordRows, RecordStore, RetrievalRow, Store, ToolCallRow,
};

use crate::Error;
use crate::memory::MemorySources;
use crate::proposals::{self, OpenRecord};

/// Updates the relations of the record. The log is the source of truth: the rows are
/// replaced as a whole, in one transaction, unless they are of this state of log and map.
///
/// # Errors
/// A record that cannot be read, or a database that cannot be written.
pub(crate) fn fill_record(ctx: &Ctx, current: &CurrentMap<'_>, store: &Store) -> Result<(), Error> {
    let open = OpenRecord::open(ctx, current.workspace())?;
    let entries = open.record.entries()?;
    let activity = open.record.activity()?;
    let memory = MemorySources::read(ctx, current);
    let found = store.record()?;
    let is_empty = entries.entries.is_empty() && activity.entries.is_empty() && memory.is_empty();
    if found.is_none() && is_empty {
        return Ok(());
    }
    let undone = open.undone()?;
    let mut stamp = Hasher::new();
    for end in [entries.end, activity.end, current.map().checksum()] {
        stamp.field(end.as_bytes());
    }
    undone.iter().for_each(|change| {
        stamp.field(change.as_bytes());
    });
    memory.stamp(current.workspace(), &mut stamp)?;
    let stamp = first_eight(stamp.finish().as_bytes());
    if found == Some(stamp) {
        return Ok(());
    }
    let mut rows =
        RecordRows { memory: memory.rows(current.workspace())?, ..RecordRows::default() };
    let mut graph = Current { map: current.map(), rows: SortedMap::new() };
    for numbered in &entries.entries {
        match &numbered.entry {
            RecordEntry::Applied { ids, change, version, .. } if !undone.contains(change) => {
                for proposal in ids.iter().filter_map(|id| open.proposals.get(id)) {
                    graph.flip(&open, proposal, *version);
                }
            }
            _ => {}
        }
    }
    for proposal in open.proposals.all() {
        rows.proposals.push(proposal_row(&open, proposal, &undone));
        if proposal.state.is_open() || proposal.state == ProposalState::Approved {
            rows.codegraph.extend(graph.futures(&open, proposal));
        }
    }
    rows.codegraph.extend(graph.rows.into_values());
    let mut calls: SortedMap<String, ToolCallRow> = SortedMap::new();
    for numbered in &activity.entries {
        match &numbered.entry {
            RecordEntry::Retrieved(retrieval) => {
                rows.retrievals.push(retrieval_row(numbered.number, retrieval));
            }
            entry => note_call(&mut calls, entry),
        }
    }
    rows.tool_calls = calls.into_values().collect();
    Ok(store.import_record(&rows, stamp)?)
}

fn first_eight(bytes: &[u8; 32]) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|at| bytes[at]))
}

/// What is current by the record.
struct Current<'a> {
    map: &'a Map,
    /// By item.
    rows: SortedMap<ItemId, CodeGraphRow>,
}

impl Current<'_> {
    /// The futures of an applied proposal become current.
    fn flip(&mut self, open: &OpenRecord<'_>, proposal: &Proposal, version: u64) {
        // A text that is lost has no rows.
        for row in proposals::rows_of(open.record.texts(), proposal) {
            let id = self.id(&row);
            let flipped = CodeGraphRow {
                id,
                proposal: String::new(),
                current_code: row.future.as_deref().map(own_text),
                future_code: None,
                future_action: None,
                version,
                ..code_graph_row(id, &row)
            };
            self.rows.insert(id, flipped);
        }
    }

    /// The futures of an open proposal.
    fn futures(&self, open: &OpenRecord<'_>, proposal: &Proposal) -> Vec<CodeGraphRow> {
        let rows = proposals::rows_of(open.record.texts(), proposal);
        let mut futures: SortedMap<ItemId, CodeGraphRow> = SortedMap::new();
        for row in rows {
            let id = self.id(&row);
            let proposal = proposal.new.id.clone();
            futures.insert(id, CodeGraphRow { proposal, ..code_graph_row(id, &row) });
        }
        futures.into_values().collect()
    }

    /// The id of an item in the present map, by its key; else that of the record.
    fn id(&self, row: &CodeRow) -> ItemId {
        let item = self.map.file_by_path(&row.file).and_then(|file| {
            let numbers = self.map.items_of_file(file);
            let kind = |item: &graph::ItemView<'_>| item.kind.as_str() == row.node_kind;
            let items = numbers.filter_map(|number| self.map.item(number)).filter(kind);
            let key = |item: &graph::ItemView<'_>| row.node_kind == "file" || item.key() == row.key;
            items.into_iter().find(key)
        });
        let recorded = || ItemId::parse(&row.id);
        let id = item.map(|item| item.id()).or_else(recorded);
        id.unwrap_or_else(|| ItemId::of(&row.key, &row.node_kind, ""))
    }
}

fn code_graph_row(id: ItemId, row: &CodeRow) -> CodeGraphRow {
    CodeGraphRow {
        id,
        proposal: String::new(),
        key: row.key.clone(),
        file_path: row.file.clone(),
        current_code: row.current.as_deref().map(own_text),
        future_code: row.future.as_deref().map(own_text),
        future_action: Some(row.action.as_str().to_owned()),
        tdd_classification: row.tdd_classification.clone(),
        version: 0,
    }
}

fn proposal_row(open: &OpenRecord<'_>, proposal: &Proposal, undone: &[String]) -> EditProposalRow {
    let new = &proposal.new;
    let texts = open.record.texts();
    let is_undone = proposal.change.as_ref().is_some_and(|it| undone.contains(it));
    let evidence = proposal.preflight.as_ref().and_then(|it| texts.text(it.evidence).ok());
    EditProposalRow {
        id: new.id.clone(),
        task: new.task.clone(),
        overlay: proposals::overlay(texts, proposal)
            .map(|it| it.unified_diff())
            .unwrap_or_default(),
        state: if is_undone { "undone" } else { proposal.state.as_str() }.to_owned(),
        evidence,
        confidence: new.confidence.map(f64::from),
        approver: proposal.approver.clone(),
        reason: proposal.reason.clone(),
        created_at: new.at.0,
        decided_at: proposal.decided_at.map(|at| at.0),
        author: new.author.clone(),
        files: new.files.iter().map(|file| file.path.clone()).collect(),
        change: proposal.change.clone(),
        version: proposal.version,
    }
}

fn retrieval_row(number: u64, retrieval: &record::RetrievalRecord) -> RetrievalRow {
    RetrievalRow {
        id: number,
        task: retrieval.task.clone(),
        tool: retrieval.tool.clone(),
        query: retrieval.query.clone(),
        focus: retrieval.focus.clone(),
        hits: retrieval.hits.clone(),
        cached: retrieval.cached,
        took_us: retrieval.took_us,
        at: retrieval.at.0,
    }
}

/// Follows a tool call. The end of a call whose request was dropped from the log is left out.
fn note_call(calls: &mut SortedMap<String, ToolCallRow>, entry: &RecordEntry) {
    match entry {
        RecordEntry::ToolRequested { call, task, tool, args, at } => {
            let row = ToolCallRow {
                id: call.clone(),
                task: task.clone(),
                tool: tool.clone(),
                args: args.to_string(),
                state: "requested",
                result: None,
                error: None,
                requested_at: at.0,
                done_at: None,
            };
            calls.insert(call.clone(), row);
        }
        RecordEntry::ToolDone { call, result, at } => {
            if let Some(row) = calls.get_mut(call) {
                (row.state, row.done_at) = ("done", Some(at.0));
                row.result = Some(result.to_string());
            }
        }
        RecordEntry::ToolFailed { call, error, at } => {
            if let Some(row) = calls.get_mut(call) {
                (row.state, row.done_at) = ("failed", Some(at.0));
                row.error = Some(error.clone());
            }
        }
        _ => {}
    }
}
