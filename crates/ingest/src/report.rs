//! The report of a refresh: totals of the map, coverage and cost.

use base::{EdgeKind, ItemKind, Provenance, SortedMap, Tier};
use graph::{EdgeHead, FileFlags, Map, MapParts, ProblemRow, UnresolvedReason};
use serde::{Deserialize, Serialize};

use crate::phases::Work;
use crate::{Hydrated, Phases};

/// The contents of the map after a refresh, and its cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IndexReport {
    /// Rust files in the map.
    pub files: u64,
    /// Items of these files, including enum variants.
    pub items: u64,
    /// The number of edges by kind, provenance and tier, sorted.
    pub edges: Vec<EdgeCount>,
    /// Problems in the sources; those about rebuilt files come first.
    pub problems: Vec<ProblemRow>,
    /// Files that were left out: not text, unreadable, the same file under another name.
    pub skipped: u64,
    /// How much of the code is resolved.
    pub coverage: MapCoverage,
    /// The number of unresolved sites, by reason.
    pub unresolved: SortedMap<UnresolvedReason, u64>,
    /// Summary of the rust-analyzer results; `None`: all edges come from syntax.
    #[serde(default)]
    pub analyzer: Option<Hydrated>,
    /// Files parsed in this refresh.
    pub parsed_files: u64,
    /// Files resolved in this refresh.
    pub resolved_files: u64,
    /// Files added, changed or removed since the last refresh.
    pub changed_files: u64,
    /// The definitions of all files were rebuilt: a patch was not possible.
    #[serde(default)]
    pub is_whole: bool,
    /// Files whose links led to missing items after an incremental update; the map was then rebuilt
    /// from scratch. Not 0: a bug in graftage.
    #[serde(default)]
    pub missed_keys: u64,
    /// The time spent in each phase.
    #[serde(default)]
    pub phases: Phases,
    /// CPU time of this process and its children during the refresh.
    pub cpu_ms: u64,
    /// The duration of the refresh.
    pub wall_ms: u64,
    /// The peak memory of this process.
    pub peak_rss_bytes: u64,
    /// The cost until the map could be queried; building the search index comes after that.
    #[serde(default)]
    pub map: Cost,
    /// The size of the index on disk.
    pub bytes_on_disk: u64,
    /// The epoch of the map: it grows with every change of the sources.
    pub epoch: u64,
}

/// The cost of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// CPU time of this process and its children.
    pub cpu_ms: u64,
    /// The duration.
    pub wall_ms: u64,
    /// The peak memory of the process until then.
    pub peak_rss_bytes: u64,
}

/// The number of edges of one kind, provenance and tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EdgeCount {
    /// The kind.
    pub kind: EdgeKind,
    /// The source of the edges.
    pub provenance: Provenance,
    /// The tier.
    pub tier: Tier,
    /// The number.
    pub count: u64,
}

/// How much of the code is resolved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MapCoverage {
    /// Bytes of the files in the map.
    pub bytes: u64,
    /// Their number of lines.
    pub lines: u64,
    /// The share of files without a syntax error.
    pub clean_files: f64,
    /// The share of files that a crate's module tree reaches.
    pub reached_files: f64,
    /// Sites of calls, uses and imports with exactly one target.
    pub proven_sites: u64,
    /// Sites with several candidates.
    pub candidate_sites: u64,
    /// Sites without a target.
    pub unresolved_sites: u64,
    /// Call sites whose target is outside the workspace; they have no edges.
    #[serde(default)]
    pub external_sites: u64,
}

/// Edge counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct EdgeTotals {
    /// Edges by kind, provenance, tier.
    edges: [[[u64; 2]; 2]; KINDS],
    /// Sites of non-structural edges, by tier.
    sites: [u64; 2],
}

impl EdgeTotals {
    pub(crate) fn add_edge(&mut self, edge: &EdgeHead) {
        if let Some(of_kind) = self.edges.get_mut(edge.kind as usize) {
            of_kind[edge.provenance as usize][edge.tier as usize] += 1;
        }
        // Structural edges have no sites: they are not resolved.
        if edge.rule != 0 {
            self.sites[edge.tier as usize] += u64::from(edge.weight);
        }
    }

    fn add(&mut self, other: &Self) {
        let ours =
            self.edges.as_flattened_mut().as_flattened_mut().iter_mut().chain(&mut self.sites);
        let theirs = other.edges.as_flattened().as_flattened().iter().chain(&other.sites);
        ours.zip(theirs).for_each(|(ours, theirs)| *ours += theirs);
    }
}

/// The counts of a map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Totals {
    items: u64,
    edges: EdgeTotals,
    unresolved: SortedMap<UnresolvedReason, u64>,
    coverage: MapCoverage,
    files: u64,
    clean: u64,
    reached: u64,
}

const KINDS: usize = EdgeKind::ALL.len();

impl Totals {
    pub(crate) fn of_map(map: &Map) -> Self {
        let mut totals = Self::default();
        for it in map.edges() {
            let (kind, tier, provenance) = (it.kind, it.tier, it.provenance);
            let head = EdgeHead { kind, tier, provenance, rule: it.rule, weight: it.weight };
            totals.edges.add_edge(&head);
        }
        let sites = (0..map.unresolved_count()).filter_map(|number| map.unresolved(number));
        sites.for_each(|site| totals.unresolved(site.reason));
        map.files()
            .for_each(|file| totals.file(file.len, file.lines, file.parse_errors, file.flags));
        let outside = |kind| {
            use ItemKind::{Crate, External, Feature, File};
            matches!(kind, Crate | File | Feature | External)
        };
        totals.items = map.items().filter(|item| !outside(item.kind)).count() as u64;
        totals
    }

    /// `items` is the number of items in files.
    pub(crate) fn of_parts<'a>(
        parts: &MapParts<'_>,
        items: u64,
        edges: impl Iterator<Item = &'a EdgeTotals>,
    ) -> Self {
        let mut totals = Self { items, ..Self::default() };
        edges.for_each(|it| totals.edges.add(it));
        parts.unresolved.iter().for_each(|site| totals.unresolved(site.reason));
        for file in parts.files {
            let row = file.row;
            totals.file(row.len, row.lines, row.parse_errors, row.flags);
        }
        totals
    }

    pub(crate) fn set_external(&mut self, sites: u64) {
        self.coverage.external_sites = sites;
    }

    fn unresolved(&mut self, reason: UnresolvedReason) {
        *self.unresolved.entry(reason).or_default() += 1;
        self.coverage.unresolved_sites += 1;
    }

    fn file(&mut self, len: u32, lines: u32, parse_errors: u32, flags: FileFlags) {
        self.files += 1;
        self.clean += u64::from(parse_errors == 0);
        self.reached += u64::from(!flags.is_orphan);
        self.coverage.bytes += u64::from(len);
        self.coverage.lines += u64::from(lines);
    }
}

/// Builds the report for a map.
pub(crate) fn of(map: &Map, totals: &Totals, work: &Work) -> IndexReport {
    let mut edges = Vec::new();
    for (kind, of_kind) in totals.edges.edges.iter().enumerate() {
        let Some(kind) = EdgeKind::from_u8(kind as u8) else { continue };
        for (provenance, tiers) in [Provenance::Syntax, Provenance::Ra].into_iter().zip(of_kind) {
            for (tier, count) in [Tier::Proven, Tier::Candidate].into_iter().zip(tiers) {
                if *count > 0 {
                    edges.push(EdgeCount { kind, provenance, tier, count: *count });
                }
            }
        }
    }
    edges.sort();
    let files = totals.files;
    let part = |count: u64| if files == 0 { 1.0 } else { count as f64 / files as f64 };
    IndexReport {
        files,
        items: totals.items,
        edges,
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
        coverage: MapCoverage {
            clean_files: part(totals.clean),
            reached_files: part(totals.reached),
            proven_sites: totals.edges.sites[Tier::Proven as usize],
            candidate_sites: totals.edges.sites[Tier::Candidate as usize],
            ..totals.coverage.clone()
        },
        unresolved: totals.unresolved.clone(),
        parsed_files: work.parsed,
        resolved_files: work.resolved,
        changed_files: work.changed,
        is_whole: work.is_whole,
        phases: work.phases,
        epoch: map.epoch(),
        ..IndexReport::default()
    }
}
