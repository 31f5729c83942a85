//! The links of a file: those of syntax, and over them what rust-analyzer said.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{EdgeKind, LineIndex, Provenance, Tier};

use super::ANALYZER_RULE;
use super::kept::{Hydration, KeptFile, Verb};
use crate::links::{FileLinks, Link};
use crate::slots::{NONE, Slots};
use crate::state::{FileState, State};

/// A file's links with what they were made of.
#[derive(Clone, Debug)]
pub(crate) struct Overlaid {
    pub(crate) syntax: Arc<FileLinks>,
    kept: Arc<KeptFile>,
    merged: Arc<FileLinks>,
    /// Slots of what was said to be there and is, and of what is not.
    present: Vec<u32>,
    missing: Vec<u32>,
}

impl FileState {
    /// What syntax found in it.
    pub(crate) fn syntax_links(&self) -> Option<&Arc<FileLinks>> {
        let links = self.links.as_ref()?;
        match &self.overlaid {
            Some(it) if Arc::ptr_eq(&it.merged, links) => Some(&it.syntax),
            _ => Some(links),
        }
    }
}

/// Brings the links of all files up to what was said, and to what is there. `rows`: the slots of
/// the items of each file.
pub(crate) fn overlay(state: &mut State, rows: &[Vec<u32>], slots: &mut Slots) {
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
        let overlaid = lay(&syntax, kept, hydration, &file.text, slots, &is_there);
        file.links = Some(overlaid.merged.clone());
        file.overlaid = Some(Arc::new(overlaid));
    }
}

/// Of each item with links, a hash of what syntax found in it; never 0.
pub(super) fn digests(links: &FileLinks, slots: &Slots) -> BTreeMap<u32, u32> {
    let mut digests: BTreeMap<u32, u64> = BTreeMap::new();
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
    // Links of one place come in the order of slots, which differs from process to process.
    let mut own: Vec<(u32, u64, [u64; 3])> = Vec::new();
    for it in links.links.iter().filter(|it| it.kind != EdgeKind::Depends) {
        let what = (it.kind as u64) << 16 | (it.tier as u64) << 8 | u64::from(it.rule);
        own.push((it.src, id(it.src), [u64::from(it.offset), what, id(it.dst)]));
    }
    for it in &links.unresolved {
        let what = 1 << 32 | it.reason as u64;
        own.push((it.src, id(it.src), [u64::from(it.offset), what, 0]));
    }
    own.sort_unstable_by_key(|(_, id, parts)| (*id, *parts));
    own.into_iter().for_each(|(src, _, parts)| mix(src, parts));
    digests.into_iter().map(|(src, digest)| (src, (digest >> 32) as u32 | 1)).collect()
}

/// What was said of one file, where it still holds.
#[derive(Default)]
struct Told {
    /// Targets of calls by place and source; none: the call leaves the map.
    calls: BTreeMap<(u32, u32), BTreeSet<u32>>,
    macros: BTreeMap<(u32, u32), BTreeSet<u32>>,
    /// Places by source and target.
    uses: BTreeMap<(u32, u32), BTreeSet<u32>>,
    /// Targets of names by place and source.
    named: BTreeMap<(u32, u32), BTreeSet<u32>>,
    implements: BTreeMap<(u32, u32), BTreeSet<u32>>,
}

fn lay(
    syntax: &Arc<FileLinks>,
    kept: &Arc<KeptFile>,
    hydration: &Hydration,
    text: &str,
    slots: &mut Slots,
    is_there: &dyn Fn(&u32) -> bool,
) -> Overlaid {
    let digests = digests(syntax, slots);
    let (mut present, mut missing) = (BTreeSet::new(), BTreeSet::new());
    let mut slot_of = |index: u32| {
        let slot = hydration.ids.get(index as usize).map_or(NONE, |id| slots.of(*id));
        if is_there(&slot) {
            present.insert(slot)
        } else {
            missing.insert(slot)
        };
        slot
    };
    let holds: BTreeMap<u32, u32> = (kept.items.iter())
        .map(|(item, digest)| (*item, slot_of(*item), *digest))
        .filter(|(_, slot, digest)| {
            is_there(slot) && digests.get(slot).copied().unwrap_or(0) == *digest
        })
        .map(|(item, slot, _)| (item, slot))
        .collect();
    let mut told = Told::default();
    for fact in &kept.facts {
        let Some(src) = holds.get(&fact.src).copied() else { continue };
        let dst = slot_of(fact.dst);
        if !is_there(&dst) {
            continue;
        }
        let place = (fact.offset, src);
        match fact.verb {
            Verb::LeavesMap => {
                told.calls.entry(place).or_default();
            }
            Verb::Calls => {
                told.calls.entry(place).or_default().insert(dst);
            }
            Verb::Invokes => {
                told.macros.entry(place).or_default().insert(dst);
            }
            Verb::Uses => {
                told.uses.entry((src, dst)).or_default().insert(fact.offset);
                told.named.entry(place).or_default().insert(dst);
            }
            Verb::Implements => {
                told.implements.entry((src, dst)).or_default().insert(fact.offset);
            }
        }
    }
    let merged = told.merge(syntax, text);
    Overlaid {
        syntax: syntax.clone(),
        kept: kept.clone(),
        merged: Arc::new(merged),
        present: present.into_iter().collect(),
        missing: missing.into_iter().collect(),
    }
}

impl Told {
    fn merge(mut self, syntax: &FileLinks, text: &str) -> FileLinks {
        let mut links: Vec<Link> = Vec::with_capacity(syntax.links.len());
        let macro_call = resolve::Rule::MacroCall.number();
        for link in &syntax.links {
            let place = (link.offset, link.src);
            let verdict = match link.kind {
                EdgeKind::Calls if link.rule == macro_call => {
                    self.macros.get_mut(&place).map(|told| told.remove(&link.dst))
                }
                EdgeKind::Calls => self.calls.get_mut(&place).map(|told| told.remove(&link.dst)),
                EdgeKind::Uses => match self.uses.get_mut(&(link.src, link.dst)) {
                    // The same name in one item is one edge: what syntax has of it is enough.
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
                    let told = self.implements.get_mut(&(link.src, link.dst));
                    told.map(|places| {
                        places.clear();
                        true
                    })
                }
                _ => None,
            };
            match verdict {
                Some(true) => links.push(confirmed(link)),
                Some(false) => {}
                None => links.push(*link),
            }
        }
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
        for (told, kind) in [(&self.uses, EdgeKind::Uses), (&self.implements, EdgeKind::Implements)]
        {
            for ((src, dst), places) in told {
                places.iter().for_each(|offset| add(*offset, *src, *dst, kind));
            }
        }
        links.sort_unstable();
        let unresolved = syntax.unresolved.iter().filter(|site| {
            let place = (site.offset, site.src);
            !self.calls.contains_key(&place) && !self.macros.contains_key(&place)
        });
        FileLinks { links, unresolved: unresolved.cloned().collect(), deps: syntax.deps.clone() }
    }
}

/// A rule that was sure stays the evidence; a guess is none.
fn confirmed(link: &Link) -> Link {
    let rule = if link.tier == Tier::Proven { link.rule } else { ANALYZER_RULE };
    Link { tier: Tier::Proven, rule, provenance: Provenance::Ra, ..*link }
}
