//! Merges rust-analyzer results over the syntax links of a file. Start at [`overlay`].

use std::sync::Arc;

use base::{EdgeKind, LineIndex, Provenance, SortedMap, SortedSet, Tier};

use super::ANALYZER_RULE;
use super::analyzer_file::{Fact, FactKind, Hydration, KeptFile};
use crate::links::{FileLinks, Link};
use crate::node_interner::{NONE, NodeInterner};
use crate::state::{FileState, State};

/// A file's merged links with their inputs.
#[derive(Clone, Debug)]
pub(crate) struct Overlaid {
    pub(crate) syntax: Arc<FileLinks>,
    kept: Arc<KeptFile>,
    merged: Arc<FileLinks>,
    /// Slots named by the results, split into existing and missing items.
    present: Vec<u32>,
    missing: Vec<u32>,
}

impl FileState {
    /// The syntax links of the file.
    pub(crate) fn syntax_links(&self) -> Option<&Arc<FileLinks>> {
        let links = self.links.as_ref()?;
        match &self.overlaid {
            Some(it) if Arc::ptr_eq(&it.merged, links) => Some(&it.syntax),
            _ => Some(links),
        }
    }
}

/// Updates the links of all files to the current results and items. `rows` contains the slots of
/// the items of each file.
pub(crate) fn overlay(state: &mut State, rows: &[Vec<u32>], slots: &mut NodeInterner) {
    let hydration = state.hydration.clone();
    let mut exists: Vec<bool> = Vec::new();
    if hydration.is_some() {
        exists.resize(slots.len(), false);
        for slot in rows.iter().flatten() {
            exists[*slot as usize] = true;
        }
    }
    let is_there = |slot: &u32| exists.get(*slot as usize).is_some_and(|it| *it);
    for file in &mut state.files {
        let Some(syntax) = file.syntax_links().cloned() else { continue };
        let kept = hydration.as_ref().and_then(|it| it.file(&file.path, file.hash));
        let (Some(hydration), Some(kept)) = (&hydration, kept) else {
            file.links = Some(syntax);
            file.overlaid = None;
            continue;
        };
        let same = file.overlaid.clone().filter(|it| {
            Arc::ptr_eq(&it.syntax, &syntax)
                && Arc::ptr_eq(&it.kept, kept)
                && it.present.iter().all(is_there)
                && !it.missing.iter().any(is_there)
        });
        if let Some(same) = same {
            file.links = Some(same.merged.clone());
            continue;
        }
        let overlaid = overlay_file(&syntax, kept, hydration, &file.text, slots, &is_there);
        file.links = Some(overlaid.merged.clone());
        file.overlaid = Some(Arc::new(overlaid));
    }
}

/// A hash of the syntax links of each item; never 0.
pub(super) fn digests(links: &FileLinks, slots: &NodeInterner) -> SortedMap<u32, u32> {
    let mut digests: SortedMap<u32, u64> = SortedMap::new();
    let id = |slot: u32| {
        let bytes = slots.id(slot).map_or([0; 16], |id| id.to_bytes());
        u64::from_le_bytes(std::array::from_fn(|at| bytes[at]))
    };
    let mut mix = |src: u32, parts: [u64; 3]| {
        let digest = digests.entry(src).or_insert(0x9e37_79b9_7f4a_7c15);
        for part in parts {
            let mixed = (digest.rotate_left(23) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            *digest = mixed ^ (mixed >> 29);
        }
    };
    // Links at one offset are sorted by slots, which differ between processes.
    let mut own: Vec<(u32, u64, [u64; 3])> = Vec::new();
    for it in links.links.iter().filter(|it| it.kind != EdgeKind::Depends) {
        let packed = (it.kind as u64) << 16 | (it.tier as u64) << 8 | u64::from(it.rule);
        own.push((it.src, id(it.src), [u64::from(it.offset), packed, id(it.dst)]));
    }
    for it in &links.unresolved {
        let packed = 1 << 32 | it.reason as u64;
        own.push((it.src, id(it.src), [u64::from(it.offset), packed, 0]));
    }
    own.sort_unstable_by_key(|(_, id, parts)| (*id, *parts));
    own.into_iter().for_each(|(src, _, parts)| mix(src, parts));
    digests.into_iter().map(|(src, digest)| (src, (digest >> 32) as u32 | 1)).collect()
}

/// The results for one file that are still valid.
#[derive(Default)]
struct ValidFacts {
    /// Call targets by offset and source; empty if the call leaves the map.
    calls: SortedMap<(u32, u32), SortedSet<u32>>,
    macros: SortedMap<(u32, u32), SortedSet<u32>>,
    /// Offsets by source and target.
    uses: SortedMap<(u32, u32), SortedSet<u32>>,
    /// Targets of names by offset and source.
    named: SortedMap<(u32, u32), SortedSet<u32>>,
    implements: SortedMap<(u32, u32), SortedSet<u32>>,
}

fn overlay_file(
    syntax: &Arc<FileLinks>,
    kept: &Arc<KeptFile>,
    hydration: &Hydration,
    text: &str,
    slots: &mut NodeInterner,
    is_there: &dyn Fn(&u32) -> bool,
) -> Overlaid {
    let digests = digests(syntax, slots);
    let (mut present, mut missing) = (SortedSet::new(), SortedSet::new());
    let mut slot_of = |index: u32| {
        let slot = hydration.ids.get(index as usize).map_or(NONE, |id| slots.of(*id));
        if is_there(&slot) {
            present.insert(slot)
        } else {
            missing.insert(slot)
        };
        slot
    };
    let valid: SortedMap<u32, u32> = (kept.items.iter())
        .map(|(item, digest)| (*item, slot_of(*item), *digest))
        .filter(|(_, slot, digest)| {
            is_there(slot) && digests.get(slot).copied().unwrap_or(0) == *digest
        })
        .map(|(item, slot, _)| (item, slot))
        .collect();
    let mut facts = ValidFacts::default();
    for fact in &kept.facts {
        let Some(src) = valid.get(&fact.src).copied() else { continue };
        let dst = slot_of(fact.dst);
        if is_there(&dst) {
            facts.add(fact, src, dst);
        }
    }
    let merged = facts.merge(syntax, text);
    Overlaid {
        syntax: syntax.clone(),
        kept: kept.clone(),
        merged: Arc::new(merged),
        present: present.into_iter().collect(),
        missing: missing.into_iter().collect(),
    }
}

impl ValidFacts {
    fn add(&mut self, fact: &Fact, src: u32, dst: u32) {
        let place = (fact.offset, src);
        match fact.kind {
            FactKind::LeavesMap => {
                self.calls.entry(place).or_default();
            }
            FactKind::Calls => {
                self.calls.entry(place).or_default().insert(dst);
            }
            FactKind::Invokes => {
                self.macros.entry(place).or_default().insert(dst);
            }
            FactKind::Uses => {
                self.uses.entry((src, dst)).or_default().insert(fact.offset);
                self.named.entry(place).or_default().insert(dst);
            }
            FactKind::Implements => {
                self.implements.entry((src, dst)).or_default().insert(fact.offset);
            }
        }
    }

    /// The syntax links that the results do not contradict, and the links that only they have.
    fn merge(mut self, syntax: &FileLinks, text: &str) -> FileLinks {
        let mut links: Vec<Link> = Vec::with_capacity(syntax.links.len());
        for link in &syntax.links {
            match self.verdict(link) {
                Some(true) => links.push(confirmed(link)),
                Some(false) => {}
                None => links.push(*link),
            }
        }
        self.put_rest(text, &mut links);
        links.sort_unstable();
        let unresolved = syntax.unresolved.iter().filter(|site| {
            let place = (site.offset, site.src);
            !self.calls.contains_key(&place) && !self.macros.contains_key(&place)
        });
        FileLinks {
            links,
            unresolved: unresolved.cloned().collect(),
            external: syntax.external,
            deps: syntax.deps.clone(),
        }
    }

    /// Whether the results contain a syntax link, which is then taken out of them, or contradict it;
    /// `None`: neither.
    fn verdict(&mut self, link: &Link) -> Option<bool> {
        let place = (link.offset, link.src);
        match link.kind {
            EdgeKind::Calls if link.rule == resolve::Rule::MacroCall.number() => {
                self.macros.get_mut(&place).map(|targets| targets.remove(&link.dst))
            }
            EdgeKind::Calls => self.calls.get_mut(&place).map(|targets| targets.remove(&link.dst)),
            EdgeKind::Uses => match self.uses.get_mut(&(link.src, link.dst)) {
                // Several uses of a name in one item are one edge: the syntax link is sufficient.
                Some(places) => {
                    places.clear();
                    Some(true)
                }
                None if link.tier == Tier::Candidate && self.named.contains_key(&place) => {
                    Some(false)
                }
                None => None,
            },
            EdgeKind::Implements => {
                let offsets = self.implements.get_mut(&(link.src, link.dst));
                offsets.map(|places| {
                    places.clear();
                    true
                })
            }
            _ => None,
        }
    }

    /// Adds the links of the results that are left.
    fn put_rest(&self, text: &str, links: &mut Vec<Link>) {
        let lines = LineIndex::new(text);
        let mut add = |offset: u32, src: u32, dst: u32, kind: EdgeKind| {
            links.push(Link {
                offset,
                line: lines.line_of(offset as usize),
                src,
                dst,
                kind,
                tier: Tier::Proven,
                rule: ANALYZER_RULE,
                provenance: Provenance::Ra,
            });
        };
        for ((offset, src), targets) in self.calls.iter().chain(&self.macros) {
            targets.iter().for_each(|dst| add(*offset, *src, *dst, EdgeKind::Calls));
        }
        for (targets, kind) in
            [(&self.uses, EdgeKind::Uses), (&self.implements, EdgeKind::Implements)]
        {
            for ((src, dst), places) in targets {
                places.iter().for_each(|offset| add(*offset, *src, *dst, kind));
            }
        }
    }
}

/// A proven syntax rule stays the evidence; a guess does not.
fn confirmed(link: &Link) -> Link {
    let rule = if link.tier == Tier::Proven { link.rule } else { ANALYZER_RULE };
    Link { tier: Tier::Proven, rule, provenance: Provenance::Ra, ..*link }
}
