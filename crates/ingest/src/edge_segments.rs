//! The edges of the map. The edges of one file's items form one segment, those of each crate
//! another; a segment stores slots, and so stays valid while numbers shift. After a save only the
//! segments are rebuilt to which a newly resolved file contributes; the rest are copied. Start at
//! [`ChunkCache::edges`].

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{EdgeKind, Provenance, Tier};
use graph::{EdgeChunk, EdgeHead, PartUnresolved};
use rayon::prelude::*;

use crate::assemble::Numbers;
use crate::chunk_cache::{ChunkCache, FileChunk};
use crate::crate_slots::CrateSlots;
use crate::links::{FileLinks, Link};
use crate::node_interner::NONE;
use crate::report::EdgeTotals;
use crate::slot_tables::FileModule;
use crate::state::FileState;

/// With fewer segments than this the work is done on this thread: waking other threads takes
/// longer.
const FEW: usize = 16;

/// What one file contributes to edge segments.
#[derive(Debug)]
pub(crate) struct EdgeContribution {
    links: Arc<FileLinks>,
    chunk: Arc<FileChunk>,
    module: FileModule,
    /// Items in other segments that are sources of edges in this file.
    foreign_sources: Vec<ForeignSource>,
}

/// A source item whose edges are stored in another segment.
#[derive(Debug)]
struct ForeignSource {
    slot: u32,
    /// [`NONE`] if it does not exist.
    segment: u32,
    /// Indices of the links with this source.
    links: Vec<u32>,
}

/// The edges whose sources are the items of one file, or one crate.
#[derive(Debug)]
pub(crate) struct EdgeSegment {
    /// The contributions; for a file its own first.
    contributions: Vec<Arc<EdgeContribution>>,
    pub(crate) chunk: EdgeChunk,
    pub(crate) totals: EdgeTotals,
    /// The target slot of each edge.
    targets: Vec<u32>,
    /// Whether the previous edge has the same source and kind, and a lower target number.
    continues: Vec<bool>,
}

/// All edges of the map being assembled.
pub(crate) struct MapEdges {
    pub(crate) segments: Vec<Arc<EdgeSegment>>,
    /// Target numbers.
    pub(crate) targets: Vec<u32>,
    /// For each file, the number of its container and of the container of its items.
    pub(crate) around: Vec<(Option<u32>, Option<u32>)>,
}

/// One site of an edge, or an edge without a site, in the order of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct EdgeSite {
    /// Index in the segment.
    src: u32,
    /// Kind, target, tier, provenance (rust-analyzer first) and rule, packed: one comparison nearly
    /// always decides.
    key: u64,
    file: u32,
    offset: u32,
    line: u32,
    /// The slot of the target.
    slot: u32,
}

impl EdgeSite {
    /// Kind and target.
    fn edge(&self) -> (u32, u64) {
        (self.src, self.key >> 10)
    }

    fn kind(&self) -> u8 {
        (self.key >> 42) as u8
    }
}

impl ChunkCache {
    /// The edges, or the files with a link to a missing node.
    pub(crate) fn edges(
        &mut self,
        states: &[FileState],
        files: &[Arc<FileChunk>],
        modules: &[FileModule],
        fixed: &CrateSlots,
        numbers: &Numbers,
    ) -> Result<MapEdges, BTreeSet<usize>> {
        let assembler = EdgeAssembler { files, fixed, numbers };
        if self.contributions.len() != files.len() || self.segments.len() != numbers.segments() {
            self.contributions.clear();
            self.segments.clear();
        }
        let mut dangling = BTreeSet::new();
        let mut contributions = Vec::with_capacity(files.len());
        for (number, ((state, chunk), module)) in states.iter().zip(files).zip(modules).enumerate()
        {
            let known = self.contributions.get(number).filter(|contribution| {
                state.links.as_ref().is_some_and(|links| Arc::ptr_eq(links, &contribution.links))
                    && Arc::ptr_eq(chunk, &contribution.chunk)
                    && contribution.module == *module
                    && contribution
                        .foreign_sources
                        .iter()
                        .all(|it| numbers.segment_of(it.slot) == it.segment)
            });
            match (known, &state.links) {
                (Some(contribution), _) => contributions.push(contribution.clone()),
                (None, Some(links)) => {
                    match assembler.contribution(number as u32, chunk, *module, links) {
                        Some(contribution) => contributions.push(Arc::new(contribution)),
                        None => drop(dangling.insert(number)),
                    }
                }
                (None, None) => drop(dangling.insert(number)),
            }
        }
        if !dangling.is_empty() {
            self.contributions.clear();
            return Err(dangling);
        }
        self.contributions = contributions;
        let mut of_segments = assembler.contributions(&self.contributions);
        let is_same = |number: usize, contributions: &[Arc<EdgeContribution>]| {
            let known = self.segments.get(number).map(|segment| &segment.contributions);
            known.is_some_and(|known| {
                known.len() == contributions.len()
                    && known.iter().zip(contributions).all(|(a, b)| Arc::ptr_eq(a, b))
            })
        };
        let stale: Vec<(usize, Vec<Arc<EdgeContribution>>)> = of_segments
            .iter_mut()
            .enumerate()
            .filter(|(number, contributions)| !is_same(*number, contributions))
            .map(|(number, contributions)| (number, std::mem::take(contributions)))
            .collect();
        let make = |(number, contributions): (usize, Vec<Arc<EdgeContribution>>)| {
            (number, Arc::new(assembler.segment(number as u32, contributions)))
        };
        let made: Vec<(usize, Arc<EdgeSegment>)> = if stale.len() < FEW {
            stale.into_iter().map(make).collect()
        } else {
            stale.into_par_iter().map(make).collect()
        };
        if self.segments.is_empty() {
            self.segments = made.into_iter().map(|(_, segment)| segment).collect();
        } else {
            made.into_iter().for_each(|(number, segment)| self.segments[number] = segment);
        }
        let targets = self.targets(&assembler, &mut dangling);
        if !dangling.is_empty() {
            return Err(dangling);
        }
        let around = modules.iter().zip(0..).map(|(module, number)| {
            let krate = fixed.slots.get(module.krate as usize).and_then(|slot| numbers.of(*slot));
            (krate, numbers.of(module.slot).or(Some(numbers.start(number))))
        });
        Ok(MapEdges { around: around.collect(), segments: self.segments.clone(), targets })
    }

    /// The targets of all segments as numbers. A segment whose order changed is rebuilt.
    fn targets(
        &mut self,
        assembler: &EdgeAssembler<'_>,
        dangling: &mut BTreeSet<usize>,
    ) -> Vec<u32> {
        let count = self.segments.iter().map(|segment| segment.targets.len()).sum();
        let mut targets: Vec<u32> = Vec::with_capacity(count);
        for number in 0..self.segments.len() {
            let start = targets.len();
            if !assembler.put_targets(&self.segments[number], &mut targets) {
                targets.truncate(start);
                let contributions = self.segments[number].contributions.clone();
                let segment = Arc::new(assembler.segment(number as u32, contributions));
                if !assembler.put_targets(&segment, &mut targets) {
                    let stale = segment.contributions.iter().filter(|it| assembler.is_dangling(it));
                    dangling.extend(stale.map(|contribution| contribution.chunk.number as usize));
                }
                self.segments[number] = segment;
            }
        }
        targets
    }

    /// Sites without a target.
    pub(crate) fn unresolved(
        &mut self,
        files: &[FileState],
        numbers: &Numbers,
    ) -> Result<Vec<PartUnresolved>, BTreeSet<usize>> {
        let mut dangling = BTreeSet::new();
        let mut rows = Vec::new();
        for (number, file) in files.iter().enumerate() {
            for site in file.links.iter().flat_map(|links| &links.unresolved) {
                match numbers.of(site.src) {
                    Some(src) => rows.push((src, number as u32, site)),
                    None => drop(dangling.insert(number)),
                }
            }
        }
        if !dangling.is_empty() {
            return Err(dangling);
        }
        rows.sort_unstable_by_key(|(src, file, site)| {
            (*src, *file, site.offset, site.line, &site.name, site.reason)
        });
        rows.dedup();
        let rows = rows.into_iter().map(|(src, file, site)| PartUnresolved {
            src,
            file,
            offset: site.offset,
            line: site.line,
            name: self.pool.put(&site.name),
            reason: site.reason,
        });
        Ok(rows.collect())
    }
}

struct EdgeAssembler<'a> {
    files: &'a [Arc<FileChunk>],
    fixed: &'a CrateSlots,
    numbers: &'a Numbers,
}

impl EdgeAssembler<'_> {
    /// `None` if the source of a link does not exist.
    fn contribution(
        &self,
        number: u32,
        chunk: &Arc<FileChunk>,
        module: FileModule,
        links: &Arc<FileLinks>,
    ) -> Option<EdgeContribution> {
        let mut foreign_sources: Vec<ForeignSource> = Vec::new();
        let mut add = |slot: u32, segment: u32, link: Option<u32>| {
            let known = foreign_sources.iter_mut().find(|it| it.slot == slot);
            match known {
                Some(it) => it.links.extend(link),
                None => {
                    foreign_sources.push(ForeignSource {
                        slot,
                        segment,
                        links: link.into_iter().collect(),
                    });
                }
            }
        };
        if module.slot != module.own {
            add(module.slot, self.numbers.segment_of(module.slot), None);
        }
        if let Some(slot) = self.fixed.slots.get(module.krate as usize) {
            add(*slot, self.numbers.segment_of(*slot), None);
        }
        let own = self.numbers.range(number);
        let mut last = None;
        for (at, link) in links.links.iter().enumerate() {
            if last == Some(link.src) {
                continue;
            }
            let src = self.numbers.of(link.src)?;
            if own.contains(&src) {
                last = Some(link.src);
            } else {
                add(link.src, self.numbers.segment(src), Some(at as u32));
            }
        }
        Some(EdgeContribution {
            links: links.clone(),
            chunk: chunk.clone(),
            module,
            foreign_sources,
        })
    }

    /// The files that contribute to each segment.
    fn contributions(
        &self,
        contributions: &[Arc<EdgeContribution>],
    ) -> Vec<Vec<Arc<EdgeContribution>>> {
        let mut all: Vec<Vec<Arc<EdgeContribution>>> = vec![Vec::new(); self.numbers.segments()];
        for (own, contribution) in all.iter_mut().zip(contributions) {
            own.push(contribution.clone());
        }
        for contribution in contributions {
            let others = contribution
                .foreign_sources
                .iter()
                .filter(|it| it.segment != contribution.chunk.number);
            for it in others {
                let Some(others) = all.get_mut(it.segment as usize) else { continue };
                if others.last().is_none_or(|last| !Arc::ptr_eq(last, contribution)) {
                    others.push(contribution.clone());
                }
            }
        }
        all
    }

    fn segment(&self, number: u32, contributions: Vec<Arc<EdgeContribution>>) -> EdgeSegment {
        let range = self.numbers.range(number);
        let own = contributions.first().filter(|contribution| contribution.chunk.number == number);
        let sites = own.map_or(0, |contribution| {
            contribution.links.links.len() + contribution.chunk.rows().len() * 2
        });
        let mut builder =
            SegmentBuilder { assembler: self, start: range.start, all: Vec::with_capacity(sites) };
        for contribution in &contributions {
            if contribution.chunk.number == number {
                builder.own(contribution);
                builder.top_level(contribution, number);
                let links = contribution.links.links.iter();
                let own = links
                    .filter(|it| self.numbers.of(it.src).is_some_and(|src| range.contains(&src)));
                own.for_each(|link| builder.link(link, number));
            } else {
                builder.top_level(contribution, number);
                builder.foreign(contribution, number);
            }
        }
        for (krate, slot) in self.fixed.slots.iter().enumerate() {
            if self.numbers.of(*slot) == Some(range.start) {
                builder.krate(krate);
            }
        }
        let mut all = builder.all;
        all.sort_unstable();
        let file = if (number as usize) < self.files.len() { number } else { NONE };
        let mut segment = EdgeSegment {
            contributions,
            chunk: EdgeChunk::new(file),
            totals: EdgeTotals::default(),
            targets: Vec::with_capacity(all.len()),
            continues: Vec::with_capacity(all.len()),
        };
        let mut rest = &*all;
        for src in 0..range.len() as u32 {
            let len = rest.partition_point(|it| it.src <= src);
            let (of_src, after) = rest.split_at(len);
            rest = after;
            let mut last_kind = None;
            for edge in of_src.chunk_by(|a, b| a.edge() == b.edge()) {
                segment.push(edge, &mut last_kind);
            }
            segment.chunk.end_item();
        }
        segment
    }

    /// Whether all targets of a segment exist, in ascending order.
    fn put_targets(&self, segment: &EdgeSegment, targets: &mut Vec<u32>) -> bool {
        let mut last = 0;
        let mut is_valid = true;
        targets.extend(segment.targets.iter().zip(&segment.continues).map(|(slot, continues)| {
            let target = self.numbers.of(*slot).unwrap_or(NONE);
            is_valid &= target != NONE && (!*continues || target > last);
            last = target;
            target
        }));
        is_valid
    }

    fn is_dangling(&self, contribution: &EdgeContribution) -> bool {
        contribution.links.links.iter().any(|link| self.numbers.of(link.dst).is_none())
    }
}

impl EdgeSegment {
    /// Adds the sites of one edge without duplicates; the strongest tier wins.
    fn push(&mut self, builder: &[EdgeSite], last_kind: &mut Option<u8>) {
        let Some(first) = builder.first() else { return };
        let mut weight = 0;
        let mut sites: Vec<(u32, u32, u32)> = Vec::with_capacity(builder.len());
        let mut last = None;
        for it in builder {
            if last.replace(it) == Some(it) {
                continue;
            }
            weight += 1;
            if it.file != NONE {
                sites.push((it.file, it.offset, it.line));
            }
        }
        // Sites of a candidate may come before those of another rule.
        if !sites.is_sorted() {
            sites.sort_unstable();
        }
        let head = EdgeHead {
            kind: EdgeKind::from_u8(first.kind()).unwrap_or(EdgeKind::Contains),
            tier: if first.key >> 9 & 1 == 0 { Tier::Proven } else { Tier::Candidate },
            provenance: if first.key >> 8 & 1 == 0 { Provenance::Ra } else { Provenance::Syntax },
            rule: first.key as u8,
            weight,
        };
        self.totals.add_edge(&head);
        self.chunk.push(head, sites.into_iter());
        self.targets.push(first.slot);
        self.continues.push(last_kind.replace(first.kind()) == Some(first.kind()));
    }
}

/// The sites of one segment before they are sorted.
struct SegmentBuilder<'a> {
    assembler: &'a EdgeAssembler<'a>,
    /// The number of the segment's first item.
    start: u32,
    all: Vec<EdgeSite>,
}

impl SegmentBuilder<'_> {
    fn link(&mut self, link: &Link, file: u32) {
        let Some(src) = self.assembler.numbers.of(link.src) else { return };
        let key = (link.kind, link.tier, (link.provenance, link.rule));
        self.put(src - self.start, key, link.dst, (file, link.offset, link.line));
    }

    /// Adds a structural edge; `src` is an index in the segment.
    fn structural(&mut self, src: u32, kind: EdgeKind, dst: u32, tier: Tier) {
        self.put(src, (kind, tier, (Provenance::Syntax, 0)), dst, (NONE, 0, 0));
    }

    fn put(
        &mut self,
        src: u32,
        (kind, tier, (provenance, rule)): (EdgeKind, Tier, (Provenance, u8)),
        slot: u32,
        (file, offset, line): (u32, u32, u32),
    ) {
        let dst = u64::from(self.assembler.numbers.of(slot).unwrap_or(NONE));
        let is_syntax = u64::from(provenance == Provenance::Syntax);
        let strength = (tier as u64) << 9 | is_syntax << 8 | u64::from(rule);
        let key = (kind as u64) << 42 | dst << 10 | strength;
        self.all.push(EdgeSite { src, key, file, offset, line, slot });
    }

    /// Adds containment in a file, and the features of its items.
    fn own(&mut self, contribution: &EdgeContribution) {
        for (row, slot) in contribution.chunk.rows().iter().zip(contribution.chunk.slots()) {
            let parent = row.parent.map_or(0, |parent| parent + 1);
            self.structural(parent, EdgeKind::Contains, *slot, Tier::Proven);
        }
        let numbers = self.assembler.numbers;
        let gates = contribution.chunk.gates.iter().filter(|(_, to, _)| numbers.of(*to).is_some());
        for (row, feature, is_certain) in gates {
            let tier = if *is_certain { Tier::Proven } else { Tier::Candidate };
            self.structural(*row + 1, EdgeKind::FeatureGatedBy, *feature, tier);
        }
    }

    /// The top-level items of a file that is a module of another file belong to both.
    fn top_level(&mut self, contribution: &EdgeContribution, segment: u32) {
        let numbers = self.assembler.numbers;
        if contribution.module.slot != contribution.module.own
            && let Some(outer) = numbers.of(contribution.module.slot)
            && numbers.range(segment).contains(&outer)
        {
            let top_level = contribution.chunk.rows().iter().zip(contribution.chunk.slots());
            for (_, slot) in top_level.filter(|(row, _)| row.parent.is_none()) {
                self.structural(outer - self.start, EdgeKind::Contains, *slot, Tier::Proven);
            }
        }
    }

    /// Adds what a file contributes to another file's segment, or to a crate's.
    fn foreign(&mut self, contribution: &EdgeContribution, segment: u32) {
        let numbers = self.assembler.numbers;
        let krate = self.assembler.fixed.slots.get(contribution.module.krate as usize);
        if let Some(krate) = krate.and_then(|slot| numbers.of(*slot))
            && numbers.range(segment).contains(&krate)
        {
            let src = krate - self.start;
            self.structural(src, EdgeKind::Contains, contribution.module.own, Tier::Proven);
        }
        for it in contribution.foreign_sources.iter().filter(|it| it.segment == segment) {
            for link in it.links.iter().filter_map(|at| contribution.links.links.get(*at as usize))
            {
                self.link(link, contribution.chunk.number);
            }
        }
    }

    /// Adds the dependencies of a crate, and the features of its package.
    fn krate(&mut self, krate: usize) {
        let (fixed, numbers) = (self.assembler.fixed, self.assembler.numbers);
        let facts = &fixed.crates.facts[krate];
        let depends = facts.depends_on.iter().filter_map(|to| fixed.slots.get(to.0 as usize));
        for to in depends.chain(&fixed.outside[krate]).filter(|it| numbers.of(**it).is_some()) {
            self.structural(0, EdgeKind::Depends, *to, Tier::Proven);
        }
        for feature in fixed.features[krate].iter().filter(|it| numbers.of(**it).is_some()) {
            self.structural(0, EdgeKind::Contains, *feature, Tier::Proven);
        }
    }
}
