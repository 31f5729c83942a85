use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{EdgeKind, Provenance, Tier};
use graph::{
    CrateRow, EdgeRow, ItemChunk, ItemKind, ItemRow, Map, Parent, PartFile, PartUnresolved, Parts,
    ProblemRow, SiteRow,
};

use crate::IngestError;
use crate::nodes::twin_id;
use crate::pieces::{Pieces, Tail, bare};
use crate::report::Totals;
use crate::slots::{self, NONE, Slots};
use crate::state::{FileState, State};

/// Where each file's nodes are and to what they belong; by file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// The slot of each row.
    pub(crate) rows: Vec<Vec<u32>>,
    pub(crate) homes: Vec<Home>,
    /// The slot of each definition of the definition map.
    pub(crate) by_def: Vec<u32>,
}

/// The module that a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Home {
    /// The slot of the file itself.
    pub(crate) own: u32,
    /// The slot of the module's item, or of the crate; of an orphan the file's own.
    pub(crate) slot: u32,
    /// Index of its crate; [`NONE`]: not known.
    pub(crate) krate: u32,
    pub(crate) is_orphan: bool,
    pub(crate) is_inactive: bool,
}

/// Gives each row its slot: that of its id, and of an id that was given already a twin's.
pub(crate) fn row_slots(files: &[FileState], slots: &mut Slots) -> Vec<Vec<u32>> {
    let mut twins: BTreeMap<u32, u32> = BTreeMap::new();
    let mut taken: Vec<bool> = vec![false; slots.len()];
    let mut all = Vec::with_capacity(files.len());
    for file in files {
        let mut own = Vec::with_capacity(file.nodes.rows.len());
        for row in &file.nodes.rows {
            let mut slot = slots.of(row.id);
            let plain = slot;
            loop {
                if taken.len() <= slot as usize {
                    taken.resize(slots.len(), false);
                }
                match taken.get_mut(slot as usize) {
                    Some(taken) if *taken => {}
                    Some(taken) => {
                        *taken = true;
                        break;
                    }
                    None => break,
                }
                let ordinal = twins.entry(plain).or_insert(1);
                *ordinal += 1;
                slot = slots.of(twin_id(row, *ordinal).0);
            }
            own.push(slot);
        }
        all.push(own);
    }
    all
}

/// One edge's site before edges are numbered; its source is known from where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Raw {
    kind: EdgeKind,
    dst: u32,
    tier: Tier,
    rule: u8,
    file: u32,
    offset: u32,
    line: u32,
}

/// The map, and what it holds.
#[derive(Debug)]
pub(crate) struct Assembled {
    pub(crate) map: Map,
    pub(crate) totals: Totals,
}

/// The whole map, or the files of which a link leads to nothing any more. What did not change since
/// the last one is taken from `pieces`, the rest costs a few passes over numbers.
pub(crate) fn assemble(
    state: &State,
    slots: &mut Slots,
    places: &Places,
    pieces: &mut Pieces,
) -> Result<Result<Assembled, Vec<usize>>, IngestError> {
    pieces.tidy();
    let files = pieces.of_files(&state.files, slots, &places.rows, &places.homes);
    let mut assembly = Assembly {
        numbers: vec![NONE; slots.len()],
        count: 0,
        raw: Vec::new(),
        dangling: BTreeSet::new(),
    };
    for (home, rows) in places.homes.iter().zip(&places.rows) {
        assembly.take(home.own);
        rows.iter().for_each(|slot| assembly.take(*slot));
    }
    let crates: Vec<u32> =
        (state.crates.inputs.iter()).map(|input| slots.of(slots::crate_id(&input.name))).collect();
    assembly.tail(state, slots, &crates, pieces);
    let around = assembly.parents(state, places, &crates);
    assembly.structure(state, slots, places, &crates);
    assembly.links(state);
    let unresolved = assembly.unresolved(state, pieces);
    if !assembly.dangling.is_empty() {
        return Ok(Err(assembly.dangling.into_iter().collect()));
    }
    let (edges, sites) = assembly.edges();
    let problems = problems(state);
    let crate_rows: Vec<CrateRow> = (state.crates.inputs.iter().zip(&state.crates.facts))
        .map(|(input, facts)| CrateRow {
            name: input.name.clone(),
            version: facts.version.clone(),
            kind: facts.kind.clone(),
            root: input.root,
        })
        .collect();
    let part_files: Vec<PartFile<'_>> = (files.iter().zip(around))
        .map(|(piece, (holder, home))| PartFile { row: &piece.row, holder, home })
        .collect();
    let chunks: Vec<&ItemChunk> = (files.iter().map(|piece| &piece.chunk))
        .chain(pieces.tail.as_ref().map(|tail| &tail.chunk))
        .collect();
    let parts = Parts {
        epoch: state.epoch,
        crates: &crate_rows,
        files: &part_files,
        chunks: &chunks,
        edges: &edges,
        sites: &sites,
        unresolved: &unresolved,
        problems: &problems,
    };
    let items = state.files.iter().map(|file| file.nodes.rows.len() as u64).sum();
    let totals = Totals::of_parts(&parts, items);
    let map = Map::of_parts(&parts, &mut pieces.pool)
        .map_err(|err| IngestError::Rows { reason: err.to_string() })?;
    Ok(Ok(Assembled { map, totals }))
}

struct Assembly {
    /// By slot.
    numbers: Vec<u32>,
    /// Numbers given so far.
    count: u32,
    /// With their sources.
    raw: Vec<(u32, Raw)>,
    dangling: BTreeSet<usize>,
}

impl Assembly {
    fn number(&self, slot: u32) -> Option<u32> {
        self.numbers.get(slot as usize).copied().filter(|number| *number != NONE)
    }

    /// Gives a slot the next number.
    fn take(&mut self, slot: u32) {
        if self.numbers.len() <= slot as usize {
            self.numbers.resize(slot as usize + 1, NONE);
        }
        self.numbers[slot as usize] = self.count;
        self.count += 1;
    }

    /// What stands in no file: crates, features, what lies outside; by kind and path.
    fn tail(&mut self, state: &State, slots: &mut Slots, crates: &[u32], pieces: &mut Pieces) {
        let mut order: Vec<u32> = crates.to_vec();
        let features = features(state);
        order.extend(features.keys().map(|canon| slots.of(slots::feature_id(canon))));
        let mut outside: Vec<u32> = Vec::new();
        for package in state.crates.facts.iter().flat_map(|facts| &facts.outside) {
            outside.push(slots.of_outside(package));
        }
        let mut is_listed = vec![false; slots.len()];
        outside.retain(|slot| !std::mem::replace(&mut is_listed[*slot as usize], true));
        let links = state.files.iter().filter_map(|file| file.links.as_ref());
        for link in links.flat_map(|links| &links.links) {
            let Some(listed) = is_listed.get_mut(link.dst as usize) else { continue };
            if !*listed && self.numbers.get(link.dst as usize).is_none_or(|it| *it == NONE) {
                *listed = true;
                if slots.outside(link.dst).is_some() {
                    outside.push(link.dst);
                }
            }
        }
        outside.sort_unstable_by_key(|slot| slots.outside(*slot));
        order.extend(outside);
        order.iter().for_each(|slot| self.take(*slot));
        let is_same = |tail: &Tail| tail.slots == order && Arc::ptr_eq(&tail.crates, &state.crates);
        if pieces.tail.as_ref().is_some_and(is_same) {
            return;
        }
        let mut chunk = ItemChunk::new(NONE, "");
        let mut push = |row: ItemRow| chunk.push(&row, Parent::None, &mut pieces.pool);
        for (number, input) in state.crates.inputs.iter().enumerate() {
            let id = slots::crate_id(&input.name);
            let row = ItemRow { krate: number as u32, ..bare(id, ItemKind::Crate, &input.name) };
            push(ItemRow { name: input.extern_name.clone(), ..row });
        }
        for (canon, name) in features {
            let row = bare(slots::feature_id(&canon), ItemKind::Feature, &canon);
            push(ItemRow { name, ..row });
        }
        for canon in order.iter().filter_map(|slot| slots.outside(*slot)) {
            let name = canon.rsplit("::").next().unwrap_or(canon).to_owned();
            push(ItemRow { name, ..bare(slots::outside_id(canon), ItemKind::External, canon) });
        }
        pieces.tail = Some(Tail { crates: state.crates.clone(), slots: order, chunk });
    }

    /// What holds what; of each file what is around it and around what stands in it.
    fn parents(
        &mut self,
        state: &State,
        places: &Places,
        crates: &[u32],
    ) -> Vec<(Option<u32>, Option<u32>)> {
        let mut at = 0;
        let mut around = Vec::with_capacity(state.files.len());
        for (file, home) in state.files.iter().zip(&places.homes) {
            let file_number = at;
            let outer = self.number(home.slot).unwrap_or(file_number);
            let krate = crates.get(home.krate as usize).and_then(|slot| self.number(*slot));
            if let Some(krate) = krate {
                self.structural(krate, EdgeKind::Contains, file_number, Tier::Proven);
            }
            around.push((krate, Some(outer)));
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
        around
    }

    /// Crates on each other and on packages outside; items behind features.
    fn structure(&mut self, state: &State, slots: &mut Slots, places: &Places, crates: &[u32]) {
        for (slot, facts) in crates.iter().zip(&state.crates.facts) {
            let Some(own) = self.number(*slot) else { continue };
            for to in &facts.depends_on {
                let to = crates.get(to.0 as usize);
                if let Some(to) = to.and_then(|to| self.number(*to)) {
                    self.structural(own, EdgeKind::Depends, to, Tier::Proven);
                }
            }
            for package in &facts.outside {
                if let Some(to) = self.number(slots.of_outside(package)) {
                    self.structural(own, EdgeKind::Depends, to, Tier::Proven);
                }
            }
            for feature in facts.features.keys() {
                let id = slots::feature_id(&feature_canon(&facts.package, feature));
                if let Some(feature) = self.number(slots.of(id)) {
                    self.structural(own, EdgeKind::Contains, feature, Tier::Proven);
                }
            }
        }
        // Of one crate the same few features come again and again.
        let mut known: BTreeMap<(u32, &str), u32> = BTreeMap::new();
        for (file, rows) in state.files.iter().zip(&places.rows) {
            for (row, feature, is_certain) in &file.nodes.gates {
                let Some(item) = rows.get(*row as usize).and_then(|slot| self.number(*slot)) else {
                    continue;
                };
                let krate = file.nodes.rows[*row as usize].krate;
                let Some(facts) = state.crates.facts.get(krate as usize) else { continue };
                let slot = *known.entry((krate, feature)).or_insert_with(|| {
                    slots.of(slots::feature_id(&feature_canon(&facts.package, feature)))
                });
                if let Some(to) = self.number(slot) {
                    let tier = if *is_certain { Tier::Proven } else { Tier::Candidate };
                    self.structural(item, EdgeKind::FeatureGatedBy, to, tier);
                }
            }
        }
    }

    fn links(&mut self, state: &State) {
        for (number, file) in state.files.iter().enumerate() {
            let Some(links) = &file.links else {
                self.dangling.insert(number);
                continue;
            };
            for link in &links.links {
                let (Some(src), Some(dst)) = (self.number(link.src), self.number(link.dst)) else {
                    self.dangling.insert(number);
                    continue;
                };
                let raw = Raw {
                    kind: link.kind,
                    dst,
                    tier: link.tier,
                    rule: link.rule,
                    file: number as u32,
                    offset: link.offset,
                    line: link.line,
                };
                self.raw.push((src, raw));
            }
        }
    }

    fn unresolved(&mut self, state: &State, pieces: &mut Pieces) -> Vec<PartUnresolved> {
        let mut rows = Vec::new();
        for (number, file) in state.files.iter().enumerate() {
            for site in file.links.iter().flat_map(|links| &links.unresolved) {
                match self.number(site.src) {
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
        self.raw.push((src, Raw { kind, dst, tier, rule: 0, file: NONE, offset: 0, line: 0 }));
    }

    /// Sites to edges, each connection once; the surest tier wins. Sites are counted into their
    /// sources, of which each has few.
    fn edges(&mut self) -> (Vec<EdgeRow>, Vec<SiteRow>) {
        let raw = std::mem::take(&mut self.raw);
        let mut ends = vec![0_u32; self.count as usize + 1];
        raw.iter().for_each(|(src, _)| ends[*src as usize + 1] += 1);
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        let mut order = vec![0_u32; raw.len()];
        // What began as the start of a source's part ends as its end.
        for (at, (src, _)) in raw.iter().enumerate() {
            let place = &mut ends[*src as usize];
            order[*place as usize] = at as u32;
            *place += 1;
        }
        let mut edges: Vec<EdgeRow> = Vec::with_capacity(raw.len());
        let mut sites: Vec<SiteRow> = Vec::with_capacity(raw.len());
        let mut start = 0;
        for src in 0..self.count {
            let end = ends[src as usize] as usize;
            let own = &mut order[start..end];
            start = end;
            own.sort_unstable_by_key(|at| raw[*at as usize].1);
            let first = edges.len();
            let mut last = None;
            // Where the sites of the edge at hand begin.
            let mut from = sites.len();
            for at in own {
                let it = raw[*at as usize].1;
                if last.replace(it) == Some(it) {
                    continue;
                }
                let is_same = edges.len() > first
                    && edges.last().is_some_and(|edge| (edge.kind, edge.dst) == (it.kind, it.dst));
                if !is_same {
                    order_sites(&mut sites[from..]);
                    from = sites.len();
                    edges.push(EdgeRow {
                        src,
                        kind: it.kind,
                        dst: it.dst,
                        tier: it.tier,
                        provenance: Provenance::Syntax,
                        rule: it.rule,
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
        (edges, sites)
    }
}

/// Of one edge, sites of a candidate may stand before those of another rule.
fn order_sites(sites: &mut [SiteRow]) {
    if !sites.is_sorted() {
        sites.sort_unstable();
    }
}

fn problems(state: &State) -> Vec<ProblemRow> {
    let mut problems: Vec<ProblemRow> = state.crates.problems.clone();
    problems.extend(state.tree_problems.iter().chain(&state.module_problems).cloned());
    problems.extend(state.skipped.iter().map(|skipped| ProblemRow {
        path: skipped.path.clone(),
        line: 0,
        kind: "skipped".to_owned(),
        message: skipped.reason.clone(),
    }));
    problems.extend(state.files.iter().flat_map(|file| file.problems.iter().cloned()));
    problems.sort();
    problems.dedup();
    problems
}

/// All features that packages have or cfgs ask for: canonical path and name.
fn features(state: &State) -> BTreeMap<String, String> {
    let mut features = BTreeMap::new();
    let crates = &state.crates;
    for facts in &crates.facts {
        for feature in facts.features.keys() {
            features.insert(feature_canon(&facts.package, feature), feature.clone());
        }
    }
    let mut asked: BTreeSet<(u32, &str)> = BTreeSet::new();
    for file in &state.files {
        for (row, feature, _) in &file.nodes.gates {
            let krate = file.nodes.rows.get(*row as usize).map_or(NONE, |row| row.krate);
            asked.insert((krate, feature));
        }
    }
    for (krate, feature) in asked {
        if let Some(facts) = crates.facts.get(krate as usize) {
            features.insert(feature_canon(&facts.package, feature), feature.to_owned());
        }
    }
    features
}

fn feature_canon(package: &str, feature: &str) -> String {
    format!("{package}/feature={feature}")
}
