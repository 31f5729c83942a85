use std::collections::BTreeMap;

use base::{EdgeKind, Provenance, Tier};
use graph::{EdgeHead, FileFlags, ItemKind, Map, MapParts, ProblemRow, UnresolvedReason};
use serde::{Deserialize, Serialize};

use crate::batch::Work;
use crate::{Hydrated, Phases};

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
    /// What rust-analyzer's part in the map comes to; `None`: syntax alone made it.
    #[serde(default)]
    pub analyzer: Option<Hydrated>,
    /// Files that were parsed in this refresh.
    pub parsed_files: u64,
    /// Files whose edges were found in this refresh.
    pub resolved_files: u64,
    /// Files that this refresh found added, changed or removed.
    pub changed_files: u64,
    /// The definitions of all files were made anew: the change went too deep for a patch, or there
    /// was nothing to patch.
    #[serde(default)]
    pub is_whole: bool,
    /// Where the time went.
    #[serde(default)]
    pub phases: Phases,
    /// CPU time of this process and its children during the refresh.
    pub cpu_ms: u64,
    /// How long the refresh took.
    pub wall_ms: u64,
    /// The most memory that this process ever had.
    pub peak_rss_bytes: u64,
    /// The same three when the map could be asked; what makes it searchable comes behind that.
    #[serde(default)]
    pub map: Cost,
    /// What the index takes on disk.
    pub bytes_on_disk: u64,
    /// Which state of the sources the map is of: grows with every change of it.
    pub epoch: u64,
}

/// What something took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// CPU time of this process and its children.
    pub cpu_ms: u64,
    /// How long it took.
    pub wall_ms: u64,
    /// The most memory that the process had until then.
    pub peak_rss_bytes: u64,
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

/// Edges, counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct EdgeTotals {
    /// By kind, provenance, tier.
    edges: [[[u64; 2]; 2]; KINDS],
    /// By tier: sites of what is no structure.
    sites: [u64; 2],
}

impl EdgeTotals {
    pub(crate) fn add_edge(&mut self, edge: &EdgeHead) {
        if let Some(of_kind) = self.edges.get_mut(edge.kind as usize) {
            of_kind[edge.provenance as usize][edge.tier as usize] += 1;
        }
        // Structure has no sites: it is no answer that could have been wrong.
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

/// What a map holds, counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Totals {
    items: u64,
    edges: EdgeTotals,
    unresolved: BTreeMap<UnresolvedReason, u64>,
    coverage: Coverage,
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

    /// `items`: how many stand in files.
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

/// What a map holds, and what was done for it.
pub(crate) fn of(map: &Map, totals: &Totals, work: &Work) -> Report {
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
    Report {
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
        coverage: Coverage {
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
        ..Report::default()
    }
}
