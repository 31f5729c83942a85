use std::collections::{BTreeMap, BTreeSet};

use base::{ContentHash, EdgeKind, Provenance, Tier};
use graph::{
    CrateRow, EdgeRow, FileFlags, FileRow, ItemFlags, ItemKind, ItemRow, MapData, ProblemRow,
    SiteRow, UnresolvedRow,
};

use crate::nodes::twin_id;
use crate::slots::{self, NONE, Slots};
use crate::state::{FileState, State};

/// Where each file's nodes are and to what they belong; by file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// The slot of each row.
    pub(crate) rows: Vec<Vec<u32>>,
    pub(crate) homes: Vec<Home>,
}

/// The module that a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Home {
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

/// One edge's site before edges are numbered. The order is that of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Raw {
    src: u32,
    kind: EdgeKind,
    dst: u32,
    tier: Tier,
    rule: u8,
    file: u32,
    offset: u32,
    line: u32,
}

/// The rows of the whole map, and the files of which a link leads to nothing any more.
pub(crate) fn assemble(state: &State, slots: &mut Slots, places: &Places) -> (MapData, Vec<usize>) {
    let mut assembly = Assembly {
        numbers: Vec::new(),
        data: MapData { epoch: state.epoch, ..MapData::default() },
        raw: Vec::new(),
        dangling: BTreeSet::new(),
    };
    assembly.files(state, slots, places);
    assembly.tail(state, slots);
    assembly.parents(state, slots, places);
    assembly.structure(state, slots, places);
    assembly.links(state);
    assembly.edges();
    assembly.problems(state);
    (assembly.data, assembly.dangling.into_iter().collect())
}

struct Assembly {
    /// By slot.
    numbers: Vec<u32>,
    data: MapData,
    raw: Vec<Raw>,
    dangling: BTreeSet<usize>,
}

impl Assembly {
    fn number(&self, slot: u32) -> Option<u32> {
        self.numbers.get(slot as usize).copied().filter(|number| *number != NONE)
    }

    fn push(&mut self, slot: u32, row: ItemRow) {
        if self.numbers.len() <= slot as usize {
            self.numbers.resize(slot as usize + 1, NONE);
        }
        self.numbers[slot as usize] = self.data.items.len() as u32;
        self.data.items.push(row);
    }

    /// Files and what stands in them.
    fn files(&mut self, state: &State, slots: &mut Slots, places: &Places) {
        self.numbers = vec![NONE; slots.len()];
        let rows: usize = state.files.iter().map(|file| file.nodes.rows.len() + 1).sum();
        self.data.items.reserve(rows);
        for (number, file) in state.files.iter().enumerate() {
            let home = places.homes[number];
            self.data.files.push(FileRow {
                path: file.path.clone(),
                hash: file.hash,
                len: file.text.len() as u32,
                lines: file.lines,
                parse_errors: file.facts.file.parse_errors.len() as u32,
                flags: FileFlags {
                    is_orphan: home.is_orphan,
                    is_inactive: home.is_inactive,
                    ..file.flags
                },
            });
            let path = file.path.as_str();
            let id = slots::file_id(path);
            let len = file.text.len() as u32;
            self.push(
                slots.of(id),
                ItemRow {
                    file: number as u32,
                    krate: home.krate,
                    span: (0, len),
                    signature_end: len,
                    line: 1,
                    end_line: file.lines.max(1),
                    parse_errors: file.facts.file.parse_errors.len() as u32,
                    token_hash: file.hash,
                    name: file.path.file_name().to_owned(),
                    flags: ItemFlags { is_inactive: home.is_inactive, ..ItemFlags::default() },
                    ..bare(id, ItemKind::File, path)
                },
            );
            for (row, slot) in file.nodes.rows.iter().zip(&places.rows[number]) {
                let mut row = row.clone();
                if let Some(id) = slots.id(*slot).filter(|id| *id != row.id) {
                    row.id = id;
                    row.disambiguator = twin_text(&row);
                }
                row.file = number as u32;
                self.push(*slot, row);
            }
        }
    }

    /// What stands in no file: crates, features, what lies outside; by kind and path.
    fn tail(&mut self, state: &State, slots: &mut Slots) {
        let crates = &state.crates;
        for (input, facts) in crates.inputs.iter().zip(&crates.facts) {
            self.data.crates.push(CrateRow {
                name: input.name.clone(),
                version: facts.version.clone(),
                kind: facts.kind.clone(),
                root: input.root,
            });
        }
        for (number, input) in crates.inputs.iter().enumerate() {
            let id = slots::crate_id(&input.name);
            let row = ItemRow { krate: number as u32, ..bare(id, ItemKind::Crate, &input.name) };
            self.push(slots.of(id), ItemRow { name: input.extern_name.clone(), ..row });
        }
        for (canon, name) in features(state) {
            let id = slots::feature_id(&canon);
            self.push(slots.of(id), ItemRow { name, ..bare(id, ItemKind::Feature, &canon) });
        }
        let mut outside: BTreeMap<Box<str>, u32> = BTreeMap::new();
        for facts in &crates.facts {
            for package in &facts.outside {
                outside.insert(package.as_str().into(), slots.of_outside(package));
            }
        }
        let links = state.files.iter().filter_map(|file| file.links.as_ref());
        for link in links.flat_map(|links| &links.links) {
            if self.number(link.dst).is_none()
                && let Some(canon) = slots.outside(link.dst)
                && !outside.contains_key(canon)
            {
                outside.insert(canon.into(), link.dst);
            }
        }
        for (canon, slot) in outside {
            let name = canon.rsplit("::").next().unwrap_or(&canon).to_owned();
            let id = slots::outside_id(&canon);
            self.push(slot, ItemRow { name, ..bare(id, ItemKind::External, &canon) });
        }
    }

    /// Parents as numbers of the whole map.
    fn parents(&mut self, state: &State, slots: &mut Slots, places: &Places) {
        let mut at = 0;
        for (number, file) in state.files.iter().enumerate() {
            let home = places.homes[number];
            let file_number = at as u32;
            let outer = self.number(home.slot).unwrap_or(file_number);
            let crate_slot = state.crates.inputs.get(home.krate as usize);
            let crate_number =
                crate_slot.and_then(|input| self.number(slots.of(slots::crate_id(&input.name))));
            self.data.items[at].parent = crate_number;
            if let Some(crate_number) = crate_number {
                self.structural(crate_number, EdgeKind::Contains, file_number, Tier::Proven);
            }
            at += 1;
            for row in &file.nodes.rows {
                let number = at as u32;
                let parent = match row.parent {
                    Some(parent) => file_number + 1 + parent,
                    None => outer,
                };
                self.data.items[at].parent = Some(parent);
                self.structural(parent, EdgeKind::Contains, number, Tier::Proven);
                if row.parent.is_none() && parent != file_number {
                    self.structural(file_number, EdgeKind::Contains, number, Tier::Proven);
                }
                at += 1;
            }
        }
    }

    /// Crates on each other and on packages outside; items behind features.
    fn structure(&mut self, state: &State, slots: &mut Slots, places: &Places) {
        let crates = &state.crates;
        let number =
            |it: &Self, name: &str, slots: &mut Slots| it.number(slots.of(slots::crate_id(name)));
        for (input, facts) in crates.inputs.iter().zip(&crates.facts) {
            let Some(own) = number(self, &input.name, slots) else { continue };
            for to in &facts.depends_on {
                let to = crates.inputs.get(to.0 as usize);
                if let Some(to) = to.and_then(|to| number(self, &to.name, slots)) {
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
        for (file, rows) in state.files.iter().zip(&places.rows) {
            for (row, feature, is_certain) in &file.nodes.gates {
                let Some(item) = rows.get(*row as usize).and_then(|slot| self.number(*slot)) else {
                    continue;
                };
                let krate = file.nodes.rows[*row as usize].krate;
                let Some(facts) = crates.facts.get(krate as usize) else { continue };
                let id = slots::feature_id(&feature_canon(&facts.package, feature));
                if let Some(to) = self.number(slots.of(id)) {
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
                self.raw.push(Raw {
                    src,
                    kind: link.kind,
                    dst,
                    tier: link.tier,
                    rule: link.rule,
                    file: number as u32,
                    offset: link.offset,
                    line: link.line,
                });
            }
            for site in &links.unresolved {
                let Some(src) = self.number(site.src) else {
                    self.dangling.insert(number);
                    continue;
                };
                self.data.unresolved.push(UnresolvedRow {
                    src,
                    file: number as u32,
                    offset: site.offset,
                    line: site.line,
                    name: site.name.to_string(),
                    reason: site.reason,
                });
            }
        }
        self.data.unresolved.sort();
        self.data.unresolved.dedup();
    }

    fn structural(&mut self, src: u32, kind: EdgeKind, dst: u32, tier: Tier) {
        self.raw.push(Raw { src, kind, dst, tier, rule: 0, file: NONE, offset: 0, line: 0 });
    }

    /// Sites to edges, each connection once; the surest tier wins.
    fn edges(&mut self) {
        let mut raw = std::mem::take(&mut self.raw);
        // Long runs are in order already: a stable sort finds them.
        raw.sort();
        raw.dedup();
        for site in raw {
            let is_same = self.data.edges.last().is_some_and(|edge| {
                (edge.src, edge.kind, edge.dst) == (site.src, site.kind, site.dst)
            });
            if !is_same {
                self.data.edges.push(EdgeRow {
                    src: site.src,
                    kind: site.kind,
                    dst: site.dst,
                    tier: site.tier,
                    provenance: Provenance::Syntax,
                    rule: site.rule,
                    weight: 0,
                });
            }
            if let Some(edge) = self.data.edges.last_mut() {
                edge.weight += 1;
            }
            if site.file != NONE {
                self.data.sites.push(SiteRow {
                    edge: self.data.edges.len() as u32 - 1,
                    file: site.file,
                    offset: site.offset,
                    line: site.line,
                });
            }
        }
        // Of one edge, sites of a candidate may stand before those of another rule.
        self.data.sites.sort();
    }

    fn problems(&mut self, state: &State) {
        let problems = &mut self.data.problems;
        problems.extend(state.crates.problems.iter().cloned());
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
    }
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
    for file in &state.files {
        for (row, feature, _) in &file.nodes.gates {
            let krate = file.nodes.rows.get(*row as usize).map_or(NONE, |row| row.krate);
            if let Some(facts) = crates.facts.get(krate as usize) {
                features.insert(feature_canon(&facts.package, feature), feature.to_string());
            }
        }
    }
    features
}

fn feature_canon(package: &str, feature: &str) -> String {
    format!("{package}/feature={feature}")
}

/// A row of what has no text of its own.
fn bare(id: base::ItemId, kind: ItemKind, canon: &str) -> ItemRow {
    ItemRow {
        id,
        key: canon.to_owned(),
        canon: canon.to_owned(),
        disambiguator: String::new(),
        kind,
        name: canon.to_owned(),
        krate: NONE,
        file: NONE,
        parent: None,
        span: (0, 0),
        code_start: 0,
        signature_end: 0,
        name_span: (0, 0),
        line: 0,
        end_line: 0,
        visibility: String::new(),
        token_hash: ContentHash::of(canon.as_bytes()),
        parse_errors: 0,
        cfg: String::new(),
        flags: ItemFlags::default(),
    }
}

/// The disambiguator that gave a twin its id.
fn twin_text(row: &ItemRow) -> String {
    // Twins of twins are few: the ordinal is found again by trying.
    let found = (2..=1_000).map(|ordinal| twin_id(row, ordinal)).find(|(id, _)| *id == row.id);
    found.map_or_else(|| row.disambiguator.clone(), |(_, text)| text)
}
