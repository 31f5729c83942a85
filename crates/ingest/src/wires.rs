use std::collections::BTreeSet;

use base::{EdgeKind, Provenance, Tier};
use graph::{EdgeRow, PartUnresolved, SiteRow};

use crate::assemble::{Numbers, Places};
use crate::fixed::Fixed;
use crate::links::FileLinks;
use crate::pieces::{Piece, Pieces, Wire};
use crate::slots::{NONE, Slots};
use crate::state::{FileState, State};

/// One edge's site before edges are numbered, in the order of the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Raw {
    /// Kind, target, tier, who found it (rust-analyzer first) and rule, one after the other: one
    /// comparison nearly always decides.
    key: u64,
    file: u32,
    offset: u32,
    line: u32,
}

impl Raw {
    fn new(kind: EdgeKind, dst: u32, tier: Tier, by: (Provenance, u8)) -> Self {
        let syntax = u64::from(by.0 == Provenance::Syntax);
        let surety = (tier as u64) << 9 | syntax << 8 | u64::from(by.1);
        let key = (kind as u64) << 42 | u64::from(dst) << 10 | surety;
        Self { key, file: NONE, offset: 0, line: 0 }
    }

    /// Kind and target.
    fn edge(&self) -> u64 {
        self.key >> 10
    }
}

/// Of a file, the number of what is around it and of what is around the items in it.
type Around = (Option<u32>, Option<u32>);

/// The edges of the map that is being made. Those of one file come in the order that they had in
/// the map before, so that hardly anything has to be sorted.
pub(crate) struct Wires<'a> {
    state: &'a State,
    places: &'a Places,
    fixed: &'a Fixed,
    numbers: &'a Numbers,
    around: Vec<Around>,
    /// With their sources.
    raw: Vec<(u32, Raw)>,
    /// Files of which a link leads to nothing.
    pub(crate) dangling: BTreeSet<usize>,
}

impl Pieces {
    /// Brings the order of links up to date: of files that were resolved again.
    pub(crate) fn wire(&mut self, files: &[FileState], slots: &Slots) {
        self.wires.resize_with(files.len(), || None);
        for (file, wire) in files.iter().zip(&mut self.wires) {
            let is_same = match (&file.links, &*wire) {
                (Some(links), Some(wire)) => std::sync::Arc::ptr_eq(links, &wire.links),
                (None, None) => true,
                _ => false,
            };
            if !is_same {
                *wire = file.links.clone().map(|links| {
                    let outside = outside(&links, slots);
                    Wire { order: Vec::new(), links, outside }
                });
            }
        }
    }
}

fn outside(links: &FileLinks, slots: &Slots) -> Vec<u32> {
    let mut all: Vec<u32> = links.links.iter().map(|link| link.dst).collect();
    all.sort_unstable();
    all.dedup();
    all.retain(|slot| slots.outside(*slot).is_some());
    all
}

impl<'a> Wires<'a> {
    pub(crate) fn new(
        state: &'a State,
        places: &'a Places,
        fixed: &'a Fixed,
        numbers: &'a Numbers,
    ) -> Self {
        let links = state.files.iter().flat_map(|file| &file.links);
        let sites: usize = links.map(|links| links.links.len()).sum();
        let raw = Vec::with_capacity(sites + numbers.count as usize * 3);
        let around = Vec::with_capacity(state.files.len());
        Self { state, places, fixed, numbers, around, raw, dangling: BTreeSet::new() }
    }

    /// What holds what; crates on each other and on packages outside; items behind features.
    pub(crate) fn structure(&mut self, files: &[std::sync::Arc<Piece>]) {
        let (state, fixed, numbers) = (self.state, self.fixed, self.numbers);
        let mut at = 0;
        for (file, home) in state.files.iter().zip(&self.places.homes) {
            let file_number = at;
            let outer = numbers.of(home.slot).unwrap_or(file_number);
            let krate = fixed.slots.get(home.krate as usize).and_then(|slot| numbers.of(*slot));
            if let Some(krate) = krate {
                self.structural(krate, EdgeKind::Contains, file_number, Tier::Proven);
            }
            self.around.push((krate, Some(outer)));
            at += 1;
            for row in &file.nodes.rows {
                let parent = row.parent.map_or(outer, |parent| file_number + 1 + parent);
                self.structural(parent, EdgeKind::Contains, at, Tier::Proven);
                if row.parent.is_none() && parent != file_number {
                    self.structural(file_number, EdgeKind::Contains, at, Tier::Proven);
                }
                at += 1;
            }
        }
        for (number, slot) in fixed.slots.iter().enumerate() {
            let Some(own) = numbers.of(*slot) else { continue };
            let facts = &fixed.crates.facts[number];
            let depends = facts.depends_on.iter().filter_map(|to| fixed.slots.get(to.0 as usize));
            for to in depends.chain(&fixed.outside[number]).filter_map(|slot| numbers.of(*slot)) {
                self.structural(own, EdgeKind::Depends, to, Tier::Proven);
            }
            for feature in fixed.features[number].iter().filter_map(|slot| numbers.of(*slot)) {
                self.structural(own, EdgeKind::Contains, feature, Tier::Proven);
            }
        }
        for (piece, rows) in files.iter().zip(&self.places.rows) {
            for (row, feature, is_certain) in &piece.gates {
                let item = rows.get(*row as usize).and_then(|slot| numbers.of(*slot));
                if let (Some(item), Some(to)) = (item, numbers.of(*feature)) {
                    let tier = if *is_certain { Tier::Proven } else { Tier::Candidate };
                    self.structural(item, EdgeKind::FeatureGatedBy, to, tier);
                }
            }
        }
    }

    /// What resolution found.
    pub(crate) fn links(&mut self, pieces: &mut Pieces) {
        let numbers = self.numbers;
        for (number, wire) in pieces.wires.iter_mut().enumerate() {
            let Some(wire) = wire else {
                self.dangling.insert(number);
                continue;
            };
            let links = &wire.links.links;
            if wire.order.len() != links.len() {
                wire.order = (0..links.len() as u32).collect();
                wire.order.sort_unstable_by_key(|at| {
                    let it = &links[*at as usize];
                    let (src, dst) = (numbers.of(it.src), numbers.of(it.dst));
                    let is_syntax = it.provenance == Provenance::Syntax;
                    (src, it.kind, dst, (it.tier, is_syntax, it.rule), it.offset, it.line)
                });
            }
            for at in &wire.order {
                let link = &links[*at as usize];
                let (Some(src), Some(dst)) = (numbers.of(link.src), numbers.of(link.dst)) else {
                    self.dangling.insert(number);
                    continue;
                };
                let raw = Raw {
                    file: number as u32,
                    offset: link.offset,
                    line: link.line,
                    ..Raw::new(link.kind, dst, link.tier, (link.provenance, link.rule))
                };
                self.raw.push((src, raw));
            }
        }
    }

    /// Sites without a target.
    pub(crate) fn unresolved(&mut self, pieces: &mut Pieces) -> Vec<PartUnresolved> {
        let mut rows = Vec::new();
        for (number, file) in self.state.files.iter().enumerate() {
            for site in file.links.iter().flat_map(|links| &links.unresolved) {
                match self.numbers.of(site.src) {
                    Some(src) => rows.push((src, number as u32, site)),
                    None => {
                        self.dangling.insert(number);
                    }
                }
            }
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
            name: pieces.pool.put(&site.name),
            reason: site.reason,
        });
        rows.collect()
    }

    fn structural(&mut self, src: u32, kind: EdgeKind, dst: u32, tier: Tier) {
        self.raw.push((src, Raw::new(kind, dst, tier, (Provenance::Syntax, 0))));
    }

    /// Sites to edges, each connection once; the surest tier wins. Sites are counted into their
    /// sources; those of one source are in order already but where nodes changed places.
    pub(crate) fn finish(self) -> (Vec<Around>, (Vec<EdgeRow>, Vec<SiteRow>)) {
        let Self { raw, around, numbers, .. } = self;
        let mut ends = vec![0_u32; numbers.count as usize + 1];
        raw.iter().for_each(|(src, _)| ends[*src as usize + 1] += 1);
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        let mut ordered = vec![Raw::default(); raw.len()];
        // What began as the start of a source's part ends as its end.
        for (src, raw) in &raw {
            let place = &mut ends[*src as usize];
            ordered[*place as usize] = *raw;
            *place += 1;
        }
        let mut edges: Vec<EdgeRow> = Vec::with_capacity(raw.len());
        let mut sites: Vec<SiteRow> = Vec::with_capacity(raw.len());
        let mut start = 0;
        for src in 0..numbers.count {
            let end = ends[src as usize] as usize;
            let own = &mut ordered[start..end];
            start = end;
            if !own.is_sorted() {
                own.sort_unstable();
            }
            edges_of(src, own, &mut edges, &mut sites);
        }
        (around, (edges, sites))
    }
}

/// The edges of one source.
fn edges_of(src: u32, own: &[Raw], edges: &mut Vec<EdgeRow>, sites: &mut Vec<SiteRow>) {
    let mut last: Option<&Raw> = None;
    // Where the sites of the edge at hand begin.
    let mut from = sites.len();
    for it in own {
        let before = last.replace(it);
        if before == Some(it) {
            continue;
        }
        if before.is_none_or(|before| before.edge() != it.edge()) {
            order_sites(&mut sites[from..]);
            from = sites.len();
            edges.push(EdgeRow {
                src,
                kind: EdgeKind::from_u8((it.key >> 42) as u8).unwrap_or(EdgeKind::Contains),
                dst: (it.key >> 10) as u32,
                tier: if it.key >> 9 & 1 == 0 { Tier::Proven } else { Tier::Candidate },
                provenance: if it.key >> 8 & 1 == 0 { Provenance::Ra } else { Provenance::Syntax },
                rule: it.key as u8,
                weight: 0,
            });
        }
        let edge = edges.len() as u32 - 1;
        if let Some(edge) = edges.last_mut() {
            edge.weight += 1;
        }
        if it.file != NONE {
            sites.push(SiteRow { edge, file: it.file, offset: it.offset, line: it.line });
        }
    }
    order_sites(&mut sites[from..]);
}

/// Of one edge, sites of a candidate may stand before those of another rule.
fn order_sites(sites: &mut [SiteRow]) {
    if !sites.is_sorted() {
        sites.sort_unstable();
    }
}
