//! Stores the syntax links of files whose links in the map differ, by numbers of the map's items.

use std::collections::BTreeMap;

use base::{EdgeKind, ItemId, Provenance, Tier};
use graph::UnresolvedReason;
use serde::{Deserialize, Serialize};

use crate::links::{FileLinks, Link, Unresolved};
use crate::node_interner::{NONE, NodeInterner};
use crate::state::State;

/// Numbers per link.
const PARTS: usize = 6;

/// Link targets that are not items in files.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Names {
    outside: Vec<Box<str>>,
    others: Vec<[u8; 16]>,
}

/// The links of one file.
#[derive(Serialize, Deserialize)]
pub(crate) struct KeptLinks {
    /// For each link: distance to the previous offset, line, source, target, kind and tier, rule.
    links: Vec<u32>,
    /// Offset, line, source, reason, name.
    unresolved: Vec<(u32, u32, u32, UnresolvedReason, Box<str>)>,
}

/// Encodes slots: numbers of items in files (`4n`), canonical paths (`4n + 1`), ids of the rest
/// (`4n + 2`).
pub(crate) struct Namer<'a> {
    slots: &'a NodeInterner,
    numbers: Vec<u32>,
    known: BTreeMap<u32, u32>,
    pub(crate) names: Names,
}

impl<'a> Namer<'a> {
    pub(crate) fn new(state: &'a State) -> Self {
        let mut numbers = vec![NONE; state.slots.len()];
        // The order of items in a map: files, each followed by its items.
        let modules = state.slot_tables.modules.iter().zip(&state.slot_tables.rows);
        let all = modules.flat_map(|(module, rows)| std::iter::once(&module.own).chain(rows));
        for (slot, number) in all.zip(0..) {
            if let Some(known) = numbers.get_mut(*slot as usize) {
                *known = number;
            }
        }
        Self { slots: &state.slots, numbers, known: BTreeMap::new(), names: Names::default() }
    }

    fn name(&mut self, slot: u32) -> Option<u32> {
        if let Some(number) = self.numbers.get(slot as usize).filter(|number| **number != NONE) {
            return number.checked_mul(4);
        }
        if let Some(name) = self.known.get(&slot) {
            return Some(*name);
        }
        let name = match self.slots.outside(slot) {
            Some(canon) => {
                self.names.outside.push(canon.into());
                (self.names.outside.len() as u32 - 1) * 4 + 1
            }
            None => {
                self.names.others.push(self.slots.id(slot)?.to_bytes());
                (self.names.others.len() as u32 - 1) * 4 + 2
            }
        };
        self.known.insert(slot, name);
        Some(name)
    }

    /// `None` if an end of a link has no slot.
    pub(crate) fn kept(&mut self, links: &FileLinks) -> Option<KeptLinks> {
        let mut kept = Vec::with_capacity(links.links.len() * PARTS);
        let mut last = 0;
        for link in &links.links {
            kept.push(link.offset.wrapping_sub(std::mem::replace(&mut last, link.offset)));
            kept.push(link.line);
            kept.push(self.name(link.src)?);
            kept.push(self.name(link.dst)?);
            kept.push((link.kind as u32) << 1 | link.tier as u32);
            kept.push(u32::from(link.rule));
        }
        let unresolved = links.unresolved.iter().map(|site| {
            let src = self.name(site.src)?;
            Some((site.offset, site.line, src, site.reason, site.name.clone()))
        });
        Some(KeptLinks { unresolved: unresolved.collect::<Option<_>>()?, links: kept })
    }
}

/// Decodes slots.
pub(crate) struct NameReader<'a> {
    pub(crate) names: &'a Names,
    /// The slot of each item of the map.
    pub(crate) numbers: &'a [u32],
    pub(crate) slots: &'a mut NodeInterner,
}

impl NameReader<'_> {
    fn slot(&mut self, name: u32) -> Option<u32> {
        let at = (name / 4) as usize;
        match name % 4 {
            0 => self.numbers.get(at).copied(),
            1 => self.names.outside.get(at).map(|canon| self.slots.of_outside(canon)),
            2 => {
                let id = self.names.others.get(at)?;
                Some(self.slots.of(ItemId::from_bytes(*id)))
            }
            _ => None,
        }
    }

    /// The links without their dependencies; `None` if they are invalid.
    pub(crate) fn links(&mut self, kept: &KeptLinks) -> Option<FileLinks> {
        let mut links = FileLinks::default();
        let mut offset = 0_u32;
        for parts in kept.links.chunks(PARTS) {
            let [distance, line, src, dst, packed, rule] = *parts else { return None };
            offset = offset.wrapping_add(distance);
            links.links.push(Link {
                offset,
                line,
                src: self.slot(src)?,
                dst: self.slot(dst)?,
                kind: EdgeKind::from_u8(u8::try_from(packed >> 1).ok()?)?,
                tier: if packed & 1 == 0 { Tier::Proven } else { Tier::Candidate },
                rule: u8::try_from(rule).ok()?,
                provenance: Provenance::Syntax,
            });
        }
        for (offset, line, src, reason, name) in &kept.unresolved {
            links.unresolved.push(Unresolved {
                offset: *offset,
                line: *line,
                src: self.slot(*src)?,
                reason: *reason,
                name: name.clone(),
            });
        }
        Some(links)
    }
}
