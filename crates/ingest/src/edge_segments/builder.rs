//! Builds one edge segment: collects the sites of its edges, sorts them and joins those of one edge.
//! Start at [`EdgeAssembler::segment`].

use std::sync::Arc;

use base::{EdgeKind, Provenance, Tier};
use graph::{EdgeChunk, EdgeHead};

use super::{EdgeAssembler, EdgeContribution, EdgeSegment};
use crate::links::Link;
use crate::node_interner::NONE;
use crate::report::EdgeTotals;

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

impl EdgeAssembler<'_> {
    /// Builds a segment from what files contribute to it.
    pub(super) fn segment(
        &self,
        number: u32,
        contributions: Vec<Arc<EdgeContribution>>,
    ) -> EdgeSegment {
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
