//! [`EdgeView`]: reading edges, their sites and unresolved sites in place.
use std::ops::Range;

use base::{EdgeKind, Provenance, Tier};

use crate::data::UnresolvedReason;
use crate::layout::Section;
use crate::map::Map;
use base::columns::Column;

/// One edge of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeView {
    /// Edge number.
    pub number: u32,
    /// Number of the source item.
    pub src: u32,
    /// Number of the target item.
    pub dst: u32,
    /// Kind.
    pub kind: EdgeKind,
    /// Confidence.
    pub tier: Tier,
    /// Resolver that found it.
    pub provenance: Provenance,
    /// Resolution rule that found it.
    pub rule: u8,
    /// Number of sites.
    pub weight: u32,
}

/// One site of an edge: the source location that produced it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteView {
    /// Number of the file.
    pub file: u32,
    /// Byte offset of the token that names the target.
    pub offset: u32,
    /// Line, from 1.
    pub line: u32,
}

/// A site whose target could not be resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnresolvedView<'a> {
    /// Number of the item that contains it.
    pub src: u32,
    /// Number of the file.
    pub file: u32,
    /// Byte offset of the token.
    pub offset: u32,
    /// Line, from 1.
    pub line: u32,
    /// Name at the site.
    pub name: &'a str,
    /// Reason.
    pub reason: UnresolvedReason,
}

impl Map {
    /// The edge with this number.
    pub fn edge(&self, number: u32) -> Option<EdgeView> {
        let starts = self.column(Section::OutStarts);
        let src = starts.partition_point(|start| start <= number).checked_sub(1)?;
        self.edge_of(u32::try_from(src).ok()?, number)
    }

    /// The outgoing edges of an item, by kind and target.
    pub fn edges_out(&self, item: u32) -> impl Iterator<Item = EdgeView> {
        let range = self.column(Section::OutStarts).range(item as usize);
        self.bounded(range).filter_map(move |number| self.edge_of(item, number))
    }

    /// The incoming edges of an item, by source and kind.
    pub fn edges_in(&self, item: u32) -> impl Iterator<Item = EdgeView> {
        let incoming = self.column(Section::Incoming);
        let range = self.column(Section::InStarts).range(item as usize);
        let range = range.start.min(incoming.len())..range.end.min(incoming.len());
        range
            .filter_map(move |at| self.edge(incoming.get(at)?))
            .filter(move |edge| edge.dst == item)
    }

    /// Target and kind of the outgoing edges of an item: cheaper than [`Map::edges_out`] where
    /// nothing else is needed.
    pub fn links_out(&self, item: u32) -> impl Iterator<Item = (u32, EdgeKind)> {
        let targets = self.column(Section::Targets);
        let range = self.column(Section::OutStarts).range(item as usize);
        self.bounded(range).filter_map(move |number| {
            let target = targets.get(number as usize)?;
            (target < self.item_count()).then_some((target, self.kind_of(number)?))
        })
    }

    /// Source and kind of the incoming edges of an item: cheaper than [`Map::edges_in`] where
    /// nothing else is needed.
    pub fn links_in(&self, item: u32) -> impl Iterator<Item = (u32, EdgeKind)> {
        let incoming = self.column(Section::Incoming);
        let targets = self.column(Section::Targets);
        let starts = self.column(Section::OutStarts);
        let range = self.column(Section::InStarts).range(item as usize);
        let range = range.start.min(incoming.len())..range.end.min(incoming.len());
        let mut before = 0;
        range.filter_map(move |at| {
            let number = incoming.get(at)?;
            // Incoming edges are sorted by source: the next source is near.
            before = source_of(starts, number, before)?;
            let source = u32::try_from(before).ok().filter(|source| *source < self.item_count())?;
            (targets.get(number as usize)? == item).then_some((source, self.kind_of(number)?))
        })
    }

    fn kind_of(&self, number: u32) -> Option<EdgeKind> {
        EdgeKind::from_u8(self.column(Section::EdgeKinds).get(number as usize)? as u8 & 7)
    }

    /// All edges, by source, kind and target.
    pub fn edges(&self) -> impl Iterator<Item = EdgeView> {
        (0..self.item_count()).flat_map(move |item| self.edges_out(item))
    }

    /// The sites of an edge, by position.
    pub fn sites(&self, edge: EdgeView) -> impl Iterator<Item = SiteView> {
        let own_file = self.item(edge.src).map_or(u32::MAX, |item| item.file);
        let offsets = self.column(Section::SiteOffsets);
        let lines = self.column(Section::SiteLines);
        let files = self.column(Section::SiteFiles);
        let range = self.column(Section::SiteStarts).range(edge.number as usize);
        let range = range.start.min(offsets.len())..range.end.min(offsets.len());
        range.filter_map(move |n| {
            Some(SiteView {
                file: look_up(files, n as u32).unwrap_or(own_file),
                offset: offsets.get(n)?,
                line: lines.get(n)?,
            })
        })
    }

    /// The number of sites of all edges.
    pub fn site_count(&self) -> u32 {
        self.column(Section::SiteOffsets).len() as u32
    }

    /// The number of unresolved sites.
    pub fn unresolved_count(&self) -> u32 {
        self.column(Section::UnresolvedSources).len() as u32
    }

    /// The unresolved site with this number; they are sorted by source.
    pub fn unresolved(&self, number: u32) -> Option<UnresolvedView<'_>> {
        let get = |section| self.column(section).get(number as usize);
        Some(UnresolvedView {
            src: get(Section::UnresolvedSources)?,
            file: get(Section::UnresolvedFiles)?.wrapping_sub(1),
            offset: get(Section::UnresolvedOffsets)?,
            line: get(Section::UnresolvedLines)?,
            name: self.text(get(Section::UnresolvedNames)?)?,
            reason: UnresolvedReason::from_u8(get(Section::UnresolvedReasons)? as u8)?,
        })
    }

    /// The unresolved sites inside an item.
    pub fn unresolved_in(&self, item: u32) -> impl Iterator<Item = UnresolvedView<'_>> {
        let sources = self.column(Section::UnresolvedSources);
        let start = sources.partition_point(|src| src < item);
        let end = sources.partition_point(|src| src <= item);
        (start..end).filter_map(|number| self.unresolved(number as u32))
    }

    fn edge_of(&self, src: u32, number: u32) -> Option<EdgeView> {
        let at = number as usize;
        let bits = self.column(Section::EdgeKinds).get(at)? as u8;
        let dst = self.column(Section::Targets).get(at)?;
        if src.max(dst) >= self.item_count() {
            return None;
        }
        Some(EdgeView {
            number,
            src,
            dst,
            kind: EdgeKind::from_u8(bits & 7)?,
            tier: if bits & 8 == 0 { Tier::Proven } else { Tier::Candidate },
            provenance: if bits & 16 == 0 { Provenance::Syntax } else { Provenance::Ra },
            rule: self.column(Section::Rules).get(at)? as u8,
            weight: look_up(self.column(Section::Weights), number)
                .unwrap_or_else(|| self.column(Section::SiteStarts).range(at).len().max(1) as u32),
        })
    }

    /// The part of `range` that are valid edge numbers.
    fn bounded(&self, range: Range<usize>) -> Range<u32> {
        let count = self.edge_count();
        (range.start as u32).min(count)..(range.end as u32).min(count)
    }
}

/// The source item of an edge, by galloping search from the source of a previous edge.
fn source_of(starts: Column<'_>, number: u32, from: usize) -> Option<usize> {
    let is_before = |at: usize| starts.get(at).is_some_and(|start| start <= number);
    let mut low = if is_before(from) { from } else { 0 };
    let mut step = 1;
    while is_before(low + step) {
        low += step;
        step *= 2;
    }
    // The last start at or before the edge is in `low..high`.
    let mut high = low + step;
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    is_before(low).then_some(low)
}

/// The value beside `key` in a column of sorted pairs.
fn look_up(pairs: Column<'_>, key: u32) -> Option<u32> {
    let (mut low, mut high) = (0, pairs.len() / 2);
    while low < high {
        let middle = low + (high - low) / 2;
        match pairs.get(middle * 2)?.cmp(&key) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Equal => return pairs.get(middle * 2 + 1),
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}
