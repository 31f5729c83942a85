//! The edges of the map. Those of one file's items are one segment, those of each crate another; a
//! segment holds slots, and so stays as it is while numbers shift. After a save only segments are
//! made again to which a file that was resolved anew contributes; the rest are copied.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{EdgeKind, Provenance, Tier};
use graph::{EdgeChunk, EdgeHead, PartUnresolved};
use rayon::prelude::*;

use crate::assemble::{Home, Numbers};
use crate::fixed::Fixed;
use crate::links::{FileLinks, Link};
use crate::pieces::{Piece, Pieces};
use crate::report::EdgeTotals;
use crate::slots::NONE;
use crate::state::FileState;

/// Fewer segments than these are made at once: waking other threads takes longer.
const FEW: usize = 16;

/// What one file contributes to segments.
#[derive(Debug)]
pub(crate) struct Wire {
    links: Arc<FileLinks>,
    piece: Arc<Piece>,
    home: Home,
    /// Items in other segments that edges of this file leave.
    elsewhere: Vec<Elsewhere>,
}

/// An item outside of a file, or of none, that edges which stand in the file leave.
#[derive(Debug)]
struct Elsewhere {
    slot: u32,
    /// [`NONE`]: it is not there.
    segment: u32,
    /// Numbers of the links that leave it.
    links: Vec<u32>,
}

/// The edges that leave the items of one file, or one crate.
#[derive(Debug)]
pub(crate) struct Segment {
    /// What it was made of; of a file its own first.
    wires: Vec<Arc<Wire>>,
    pub(crate) chunk: EdgeChunk,
    pub(crate) totals: EdgeTotals,
    /// Where each edge leads.
    targets: Vec<u32>,
    /// Of each edge: the one before it has the same source and kind, and leads to a lower number.
    goes_on: Vec<bool>,
}

/// The edges of a map that is being made.
pub(crate) struct Wired {
    pub(crate) segments: Vec<Arc<Segment>>,
    /// Numbers.
    pub(crate) targets: Vec<u32>,
    /// Of each file, the number of what is around it and of what is around the items in it.
    pub(crate) around: Vec<(Option<u32>, Option<u32>)>,
}

/// One site of an edge, or an edge without one, in the order of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Raw {
    /// Its place in the segment.
    src: u32,
    /// Kind, target, tier, who found it (rust-analyzer first) and rule, one after the other: one
    /// comparison nearly always decides.
    key: u64,
    file: u32,
    offset: u32,
    line: u32,
    /// The slot of the target.
    slot: u32,
}

impl Raw {
    /// Kind and target.
    fn edge(&self) -> (u32, u64) {
        (self.src, self.key >> 10)
    }

    fn kind(&self) -> u8 {
        (self.key >> 42) as u8
    }
}

impl Pieces {
    /// The edges, or the files of which a link leads to nothing.
    pub(crate) fn wire(
        &mut self,
        states: &[FileState],
        files: &[Arc<Piece>],
        homes: &[Home],
        fixed: &Fixed,
        numbers: &Numbers,
    ) -> Result<Wired, BTreeSet<usize>> {
        let maker = Maker { files, fixed, numbers };
        if self.wires.len() != files.len() || self.segments.len() != numbers.segments() {
            self.wires.clear();
            self.segments.clear();
        }
        let mut dangling = BTreeSet::new();
        let mut wires = Vec::with_capacity(files.len());
        for (number, ((state, piece), home)) in states.iter().zip(files).zip(homes).enumerate() {
            let known = self.wires.get(number).filter(|wire| {
                state.links.as_ref().is_some_and(|links| Arc::ptr_eq(links, &wire.links))
                    && Arc::ptr_eq(piece, &wire.piece)
                    && wire.home == *home
                    && wire.elsewhere.iter().all(|it| numbers.segment_of(it.slot) == it.segment)
            });
            match (known, &state.links) {
                (Some(wire), _) => wires.push(wire.clone()),
                (None, Some(links)) => match maker.wire(number as u32, piece, *home, links) {
                    Some(wire) => wires.push(Arc::new(wire)),
                    None => drop(dangling.insert(number)),
                },
                (None, None) => drop(dangling.insert(number)),
            }
        }
        if !dangling.is_empty() {
            self.wires.clear();
            return Err(dangling);
        }
        self.wires = wires;
        let mut of_segments = maker.contributions(&self.wires);
        let is_same = |number: usize, wires: &[Arc<Wire>]| {
            let known = self.segments.get(number).map(|segment| &segment.wires);
            known.is_some_and(|known| {
                known.len() == wires.len()
                    && known.iter().zip(wires).all(|(a, b)| Arc::ptr_eq(a, b))
            })
        };
        let stale: Vec<(usize, Vec<Arc<Wire>>)> = of_segments
            .iter_mut()
            .enumerate()
            .filter(|(number, wires)| !is_same(*number, wires))
            .map(|(number, wires)| (number, std::mem::take(wires)))
            .collect();
        let make = |(number, wires): (usize, Vec<Arc<Wire>>)| {
            (number, Arc::new(maker.segment(number as u32, wires)))
        };
        let made: Vec<(usize, Arc<Segment>)> = if stale.len() < FEW {
            stale.into_iter().map(make).collect()
        } else {
            stale.into_par_iter().map(make).collect()
        };
        if self.segments.is_empty() {
            self.segments = made.into_iter().map(|(_, segment)| segment).collect();
        } else {
            made.into_iter().for_each(|(number, segment)| self.segments[number] = segment);
        }
        let targets = self.targets(&maker, &mut dangling);
        if !dangling.is_empty() {
            return Err(dangling);
        }
        let around = homes.iter().zip(0..).map(|(home, number)| {
            let krate = fixed.slots.get(home.krate as usize).and_then(|slot| numbers.of(*slot));
            (krate, numbers.of(home.slot).or(Some(numbers.start(number))))
        });
        Ok(Wired { around: around.collect(), segments: self.segments.clone(), targets })
    }

    /// The targets of all segments as numbers. Where they came into another order, a segment is
    /// made again.
    fn targets(&mut self, maker: &Maker<'_>, dangling: &mut BTreeSet<usize>) -> Vec<u32> {
        let count = self.segments.iter().map(|segment| segment.targets.len()).sum();
        let mut targets: Vec<u32> = Vec::with_capacity(count);
        for number in 0..self.segments.len() {
            let start = targets.len();
            if !maker.put_targets(&self.segments[number], &mut targets) {
                targets.truncate(start);
                let wires = self.segments[number].wires.clone();
                let segment = Arc::new(maker.segment(number as u32, wires));
                if !maker.put_targets(&segment, &mut targets) {
                    let stale = segment.wires.iter().filter(|it| maker.is_dangling(it));
                    dangling.extend(stale.map(|wire| wire.piece.number as usize));
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

struct Maker<'a> {
    files: &'a [Arc<Piece>],
    fixed: &'a Fixed,
    numbers: &'a Numbers,
}

impl Maker<'_> {
    /// `None`: a link leaves what is not there.
    fn wire(
        &self,
        number: u32,
        piece: &Arc<Piece>,
        home: Home,
        links: &Arc<FileLinks>,
    ) -> Option<Wire> {
        let mut elsewhere: Vec<Elsewhere> = Vec::new();
        let mut add = |slot: u32, segment: u32, link: Option<u32>| {
            let known = elsewhere.iter_mut().find(|it| it.slot == slot);
            match known {
                Some(it) => it.links.extend(link),
                None => {
                    elsewhere.push(Elsewhere { slot, segment, links: link.into_iter().collect() });
                }
            }
        };
        if home.slot != home.own {
            add(home.slot, self.numbers.segment_of(home.slot), None);
        }
        if let Some(slot) = self.fixed.slots.get(home.krate as usize) {
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
        Some(Wire { links: links.clone(), piece: piece.clone(), home, elsewhere })
    }

    /// Which files contribute to each segment.
    fn contributions(&self, wires: &[Arc<Wire>]) -> Vec<Vec<Arc<Wire>>> {
        let mut all: Vec<Vec<Arc<Wire>>> = vec![Vec::new(); self.numbers.segments()];
        for (own, wire) in all.iter_mut().zip(wires) {
            own.push(wire.clone());
        }
        for wire in wires {
            let others = wire.elsewhere.iter().filter(|it| it.segment != wire.piece.number);
            for it in others {
                let Some(others) = all.get_mut(it.segment as usize) else { continue };
                if others.last().is_none_or(|last| !Arc::ptr_eq(last, wire)) {
                    others.push(wire.clone());
                }
            }
        }
        all
    }

    fn segment(&self, number: u32, wires: Vec<Arc<Wire>>) -> Segment {
        let range = self.numbers.range(number);
        let own = wires.first().filter(|wire| wire.piece.number == number);
        let sites = own.map_or(0, |wire| wire.links.links.len() + wire.piece.rows().len() * 2);
        let mut raws = Raws { maker: self, start: range.start, all: Vec::with_capacity(sites) };
        for wire in &wires {
            if wire.piece.number == number {
                raws.own(wire);
                raws.tops(wire, number);
                let links = wire.links.links.iter();
                let own = links
                    .filter(|it| self.numbers.of(it.src).is_some_and(|src| range.contains(&src)));
                own.for_each(|link| raws.link(link, number));
            } else {
                raws.tops(wire, number);
                raws.guest(wire, number);
            }
        }
        for (krate, slot) in self.fixed.slots.iter().enumerate() {
            if self.numbers.of(*slot) == Some(range.start) {
                raws.krate(krate);
            }
        }
        let mut all = raws.all;
        all.sort_unstable();
        let file = if (number as usize) < self.files.len() { number } else { NONE };
        let mut segment = Segment {
            wires,
            chunk: EdgeChunk::new(file),
            totals: EdgeTotals::default(),
            targets: Vec::with_capacity(all.len()),
            goes_on: Vec::with_capacity(all.len()),
        };
        let mut rest = &*all;
        for src in 0..range.len() as u32 {
            let len = rest.partition_point(|it| it.src <= src);
            let (of_src, behind) = rest.split_at(len);
            rest = behind;
            let mut last_kind = None;
            for edge in of_src.chunk_by(|a, b| a.edge() == b.edge()) {
                segment.push(edge, &mut last_kind);
            }
            segment.chunk.end_item();
        }
        segment
    }

    /// Whether all targets of a segment are there, in rising order.
    fn put_targets(&self, segment: &Segment, targets: &mut Vec<u32>) -> bool {
        let mut last = 0;
        let mut is_good = true;
        targets.extend(segment.targets.iter().zip(&segment.goes_on).map(|(slot, goes_on)| {
            let target = self.numbers.of(*slot).unwrap_or(NONE);
            is_good &= target != NONE && (!*goes_on || target > last);
            last = target;
            target
        }));
        is_good
    }

    fn is_dangling(&self, wire: &Wire) -> bool {
        wire.links.links.iter().any(|link| self.numbers.of(link.dst).is_none())
    }
}

impl Segment {
    /// Adds the sites of one edge, each once; the surest tier wins.
    fn push(&mut self, raws: &[Raw], last_kind: &mut Option<u8>) {
        let Some(first) = raws.first() else { return };
        let mut weight = 0;
        let mut sites: Vec<(u32, u32, u32)> = Vec::with_capacity(raws.len());
        let mut last = None;
        for it in raws {
            if last.replace(it) == Some(it) {
                continue;
            }
            weight += 1;
            if it.file != NONE {
                sites.push((it.file, it.offset, it.line));
            }
        }
        // Sites of a candidate may stand before those of another rule.
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
        self.goes_on.push(last_kind.replace(first.kind()) == Some(first.kind()));
    }
}

/// The sites of one segment before they are ordered.
struct Raws<'a> {
    maker: &'a Maker<'a>,
    /// The number of the segment's first item.
    start: u32,
    all: Vec<Raw>,
}

impl Raws<'_> {
    fn link(&mut self, link: &Link, file: u32) {
        let Some(src) = self.maker.numbers.of(link.src) else { return };
        let key = (link.kind, link.tier, (link.provenance, link.rule));
        self.put(src - self.start, key, link.dst, (file, link.offset, link.line));
    }

    /// Structure: `src` is a place in the segment.
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
        let dst = u64::from(self.maker.numbers.of(slot).unwrap_or(NONE));
        let is_syntax = u64::from(provenance == Provenance::Syntax);
        let surety = (tier as u64) << 9 | is_syntax << 8 | u64::from(rule);
        let key = (kind as u64) << 42 | dst << 10 | surety;
        self.all.push(Raw { src, key, file, offset, line, slot });
    }

    /// What holds what in a file, and what is behind features.
    fn own(&mut self, wire: &Wire) {
        for (row, slot) in wire.piece.rows().iter().zip(wire.piece.slots()) {
            let parent = row.parent.map_or(0, |parent| parent + 1);
            self.structural(parent, EdgeKind::Contains, *slot, Tier::Proven);
        }
        let numbers = self.maker.numbers;
        let gates = wire.piece.gates.iter().filter(|(_, to, _)| numbers.of(*to).is_some());
        for (row, feature, is_certain) in gates {
            let tier = if *is_certain { Tier::Proven } else { Tier::Candidate };
            self.structural(*row + 1, EdgeKind::FeatureGatedBy, *feature, tier);
        }
    }

    /// The items of a file that is a module of another belong to both.
    fn tops(&mut self, wire: &Wire, segment: u32) {
        let numbers = self.maker.numbers;
        if wire.home.slot != wire.home.own
            && let Some(outer) = numbers.of(wire.home.slot)
            && numbers.range(segment).contains(&outer)
        {
            let tops = wire.piece.rows().iter().zip(wire.piece.slots());
            for (_, slot) in tops.filter(|(row, _)| row.parent.is_none()) {
                self.structural(outer - self.start, EdgeKind::Contains, *slot, Tier::Proven);
            }
        }
    }

    /// What a file adds to another's segment, or to a crate's.
    fn guest(&mut self, wire: &Wire, segment: u32) {
        let numbers = self.maker.numbers;
        let krate = self.maker.fixed.slots.get(wire.home.krate as usize);
        if let Some(krate) = krate.and_then(|slot| numbers.of(*slot))
            && numbers.range(segment).contains(&krate)
        {
            let src = krate - self.start;
            self.structural(src, EdgeKind::Contains, wire.home.own, Tier::Proven);
        }
        for it in wire.elsewhere.iter().filter(|it| it.segment == segment) {
            for link in it.links.iter().filter_map(|at| wire.links.links.get(*at as usize)) {
                self.link(link, wire.piece.number);
            }
        }
    }

    /// What a crate depends on; the features that its package has.
    fn krate(&mut self, krate: usize) {
        let (fixed, numbers) = (self.maker.fixed, self.maker.numbers);
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
