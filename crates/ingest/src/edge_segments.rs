//! The edges of the map. The edges of one file's items form one segment, those of each crate
//! another; a segment stores slots, and so stays valid while numbers shift. After a save only the
//! segments are rebuilt to which a newly resolved file contributes; the rest are copied. Start at
//! [`EdgeCache::edges`].

use std::sync::Arc;

use base::SortedSet;
use graph::{EdgeChunk, PartUnresolved, TextPool};
use rayon::prelude::*;

use crate::crate_slots::CrateSlots;
use crate::file_chunk::FileChunk;
use crate::links::FileLinks;
use crate::node_interner::NONE;
use crate::numbers::Numbers;
use crate::report::EdgeTotals;
use crate::slot_tables::FileModule;
use crate::state::FileState;

mod builder;

/// With fewer segments than this the work is done on this thread: waking other threads takes
/// longer.
const FEW: usize = 16;

/// The edges of the previous map.
#[derive(Debug, Default)]
pub(crate) struct EdgeCache {
    /// Contributions to segments, by file.
    contributions: Vec<Arc<EdgeContribution>>,
    /// The segments of files, then of crates, then of the rest.
    segments: Vec<Arc<EdgeSegment>>,
}

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

impl EdgeCache {
    /// The edges, or the files with a link to a missing node.
    pub(crate) fn edges(
        &mut self,
        states: &[FileState],
        files: &[Arc<FileChunk>],
        modules: &[FileModule],
        fixed: &CrateSlots,
        numbers: &Numbers,
    ) -> Result<MapEdges, SortedSet<usize>> {
        let assembler = EdgeAssembler { files, fixed, numbers };
        if self.contributions.len() != files.len() || self.segments.len() != numbers.segments() {
            *self = Self::default();
        }
        self.contributions = self.contributions(&assembler, states, modules)?;
        self.rebuild_stale(&assembler);
        let mut dangling = SortedSet::new();
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

    /// The contributions of all files, unchanged ones from the cache; or the files with a link from
    /// a missing node.
    fn contributions(
        &mut self,
        assembler: &EdgeAssembler<'_>,
        states: &[FileState],
        modules: &[FileModule],
    ) -> Result<Vec<Arc<EdgeContribution>>, SortedSet<usize>> {
        let mut dangling = SortedSet::new();
        let mut contributions = Vec::with_capacity(states.len());
        let files = states.iter().zip(assembler.files).zip(modules);
        for (number, ((state, chunk), module)) in files.enumerate() {
            let known = self.contributions.get(number).filter(|contribution| {
                state.links.as_ref().is_some_and(|links| Arc::ptr_eq(links, &contribution.links))
                    && Arc::ptr_eq(chunk, &contribution.chunk)
                    && contribution.module == *module
                    && contribution
                        .foreign_sources
                        .iter()
                        .all(|it| assembler.numbers.segment_of(it.slot) == it.segment)
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
        if dangling.is_empty() {
            return Ok(contributions);
        }
        self.contributions.clear();
        Err(dangling)
    }

    /// Builds the segments again whose contributions have changed.
    fn rebuild_stale(&mut self, assembler: &EdgeAssembler<'_>) {
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
    }

    /// The targets of all segments as numbers. A segment whose order changed is rebuilt.
    fn targets(
        &mut self,
        assembler: &EdgeAssembler<'_>,
        dangling: &mut SortedSet<usize>,
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
}

/// Sites without a target.
pub(crate) fn unresolved(
    files: &[FileState],
    numbers: &Numbers,
    pool: &mut TextPool,
) -> Result<Vec<PartUnresolved>, SortedSet<usize>> {
    let mut dangling = SortedSet::new();
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
        name: pool.put(&site.name),
        reason: site.reason,
    });
    Ok(rows.collect())
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
