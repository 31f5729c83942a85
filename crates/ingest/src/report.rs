use std::collections::BTreeMap;

use base::{EdgeKind, Provenance, Tier};
use graph::{ProblemRow, UnresolvedReason};
use serde::{Deserialize, Serialize};

/// What the map holds after a refresh, and what that cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Rust files in the map.
    pub files: u64,
    /// Items of these files, enum variants included.
    pub items: u64,
    /// How many edges of each sort, sorted.
    pub edges: Vec<EdgeCount>,
    /// What was not understood, and why; what was rebuilt because it was damaged stands first.
    pub problems: Vec<ProblemRow>,
    /// Files that were left out: no text, unreadable, the same file under another name.
    pub skipped: u64,
    /// How much of the code is understood.
    pub coverage: Coverage,
    /// Sites whose target is not known, by reason.
    pub unresolved: BTreeMap<UnresolvedReason, u64>,
    /// Files that were parsed in this refresh.
    pub parsed_files: u64,
    /// Files whose edges were found in this refresh.
    pub resolved_files: u64,
    /// Files that this refresh found added, changed or removed.
    pub changed_files: u64,
    /// CPU time of this process and its children during the refresh.
    pub cpu_ms: u64,
    /// How long the refresh took.
    pub wall_ms: u64,
    /// The most memory that this process ever had.
    pub peak_rss_bytes: u64,
    /// What the index takes on disk.
    pub bytes_on_disk: u64,
    /// Which state of the sources the map is of: grows with every change of it.
    pub epoch: u64,
}

/// How many edges of one sort there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EdgeCount {
    /// What they are.
    pub kind: EdgeKind,
    /// Who found them.
    pub provenance: Provenance,
    /// How sure they are.
    pub tier: Tier,
    /// How many.
    pub count: u64,
}

/// How much of the code is understood.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    /// Bytes of the files in the map.
    pub bytes: u64,
    /// Their lines.
    pub lines: u64,
    /// Files without a syntax error, of all.
    pub clean_files: f64,
    /// Files that a crate's module tree reaches, of all.
    pub reached_files: f64,
    /// Sites of calls, uses and imports with exactly one target.
    pub proven_sites: u64,
    /// Sites with several.
    pub candidate_sites: u64,
    /// Sites with none.
    pub unresolved_sites: u64,
}
