use std::ops::Range;

use base::{EdgeKind, Provenance, Tier};

use crate::column::Column;
use crate::data::UnresolvedReason;
use crate::layout::Section;
use crate::map::Map;

/// One edge of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeView {
    /// Its number.
    pub number: u32,
    /// From: number of an item.
    pub src: u32,
    /// To: number of an item.
    pub dst: u32,
    /// What it is.
    pub kind: EdgeKind,
    /// How sure.
    pub tier: Tier,
    /// Who found it.
    pub provenance: Provenance,
    /// By which rule.
    pub rule: u8,
    /// How many sites it has.
    pub weight: u32,
}

/// One site of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteView {
    /// Number of its file.
    pub file: u32,
    /// Byte offset of the token that names the target.
    pub offset: u32,
    /// Its line, from 1.
    pub line: u32,
}

/// A site whose target is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnresolvedView<'a> {
    /// The item it stands in.
    pub src: u32,
    /// Number of its file.
    pub file: u32,
    /// Byte offset of the token.
    pub offset: u32,
    /// Its line, from 1.
    pub line: u32,
    /// What is named there.
    pub name: &'a str,
    /// Why nothing was found.
    pub reason: UnresolvedReason,
}

impl Map {
    /// The edge of this number.
    pub fn edge(&self, number: u32) -> Option<EdgeView> {
        let starts = self.column(Section::OutStarts);
        let src = starts.partition_point(|start| start <= number).checked_sub(1)?;
        self.edge_of(u32::try_from(src).ok()?, number)
    }

    /// The edges that leave an item, by kind and target.
    pub fn edges_out(&self, item: u32) -> impl Iterator<Item = EdgeView> {
        let range = self.column(Section::OutStarts).range(item as usize);
        self.bounded(range).filter_map(move |number| self.edge_of(item, number))
    }

    /// The edges that reach an item, by source and kind.
    pub fn edges_in(&self, item: u32) -> impl Iterator<Item = EdgeView> {
        let incoming = self.column(Section::Incoming);
        let range = self.column(Section::InStarts).range(item as usize);
        let range = range.start.min(incoming.len())..range.end.min(incoming.len());
        range
            .filter_map(move |at| self.edge(incoming.get(at)?))
            .filter(move |edge| edge.dst == item)
    }

    /// Where the edges that leave an item lead, and of what kind they are: for who needs no more of
    /// them than that, at a fraction of what [`Map::edges_out`] costs.
    pub fn links_out(&self, item: u32) -> impl Iterator<Item = (u32, EdgeKind)> {
        let targets = self.column(Section::Targets);
        let range = self.column(Section::OutStarts).range(item as usize);
        self.bounded(range).filter_map(move |number| {
            let target = targets.get(number as usize)?;
            (target < self.item_count()).then_some((target, self.kind_of(number)?))
        })
    }

    /// Where the edges that reach an item come from, and of what kind they are: as
    /// [`Map::edges_in`], at a fraction of its cost.
    pub fn links_in(&self, item: u32) -> impl Iterator<Item = (u32, EdgeKind)> {
        let incoming = self.column(Section::Incoming);
        let targets = self.column(Section::Targets);
        let starts = self.column(Section::OutStarts);
        let range = self.column(Section::InStarts).range(item as usize);
        let range = range.start.min(incoming.len())..range.end.min(incoming.len());
        let mut before = 0;
        range.filter_map(move |at| {
            let number = incoming.get(at)?;
            // They come by source: the next one is not far.
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

    /// Where an edge comes from, by place.
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

    /// How many sites all edges have together.
    pub fn site_count(&self) -> u32 {
        self.column(Section::SiteOffsets).len() as u32
    }

    /// How many sites without a target there are.
    pub fn unresolved_count(&self) -> u32 {
        self.column(Section::UnresolvedSources).len() as u32
    }

    /// The site without a target of this number; they are sorted by source.
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

    /// The sites without a target that stand in an item.
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

    /// Numbers of edges that are there.
    fn bounded(&self, range: Range<usize>) -> Range<u32> {
        let count = self.edge_count();
        (range.start as u32).min(count)..(range.end as u32).min(count)
    }
}

/// The item that an edge leaves, found by steps that double from that of another edge on.
fn source_of(starts: Column<'_>, number: u32, from: usize) -> Option<usize> {
    let is_before = |at: usize| starts.get(at).is_some_and(|start| start <= number);
    let mut low = if is_before(from) { from } else { 0 };
    let mut step = 1;
    while is_before(low + step) {
        low += step;
        step *= 2;
    }
    // The last start that is not behind the edge lies from `low` on and before `high`.
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
