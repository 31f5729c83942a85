use std::collections::BTreeMap;

use base::{EdgeKind, Provenance, Tier};
use graph::{ItemKind, Map, ProblemRow, UnresolvedReason};
use serde::{Deserialize, Serialize};

use crate::batch::Work;

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

/// What a map holds.
pub(crate) fn of_map(map: &Map, work: &Work) -> Report {
    let mut edges: BTreeMap<(EdgeKind, Provenance, Tier), u64> = BTreeMap::new();
    let mut coverage = Coverage::default();
    for edge in map.edges() {
        *edges.entry((edge.kind, edge.provenance, edge.tier)).or_default() += 1;
        // Structure has no sites: it is no answer that could have been wrong.
        if edge.rule != 0 {
            match edge.tier {
                Tier::Proven => coverage.proven_sites += u64::from(edge.weight),
                Tier::Candidate => coverage.candidate_sites += u64::from(edge.weight),
            }
        }
    }
    let mut unresolved = BTreeMap::new();
    for number in 0..map.unresolved_count() {
        if let Some(site) = map.unresolved(number) {
            *unresolved.entry(site.reason).or_default() += 1;
        }
    }
    coverage.unresolved_sites = u64::from(map.unresolved_count());
    let (mut files, mut clean, mut reached) = (0_u64, 0_u64, 0_u64);
    for file in map.files() {
        files += 1;
        clean += u64::from(file.parse_errors == 0);
        reached += u64::from(!file.flags.is_orphan);
        coverage.bytes += u64::from(file.len);
        coverage.lines += u64::from(file.lines);
    }
    let part = |count: u64| if files == 0 { 1.0 } else { count as f64 / files as f64 };
    coverage.clean_files = part(clean);
    coverage.reached_files = part(reached);
    let outside = |kind| {
        matches!(kind, ItemKind::Crate | ItemKind::File | ItemKind::Feature | ItemKind::External)
    };
    Report {
        files,
        items: map.items().filter(|item| !outside(item.kind)).count() as u64,
        edges: edges
            .into_iter()
            .map(|((kind, provenance, tier), count)| EdgeCount { kind, provenance, tier, count })
            .collect(),
        problems: map
            .problems()
            .filter_map(|it| {
                Some(ProblemRow {
                    path: base::ProjectPath::new(it.path).ok()?,
                    line: it.line,
                    kind: it.kind.to_owned(),
                    message: it.message.to_owned(),
                })
            })
            .collect(),
        coverage,
        unresolved,
        parsed_files: work.parsed,
        resolved_files: work.resolved,
        changed_files: work.changed,
        epoch: map.epoch(),
        ..Report::default()
    }
}
