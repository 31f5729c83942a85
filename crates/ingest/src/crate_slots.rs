//! The nodes outside files that depend on the crates alone, as slots.

use std::sync::Arc;

use base::SortedMap;
use graph::CrateRow;

use crate::crates::Crates;
use crate::node_interner::{self, NodeInterner};

/// The crates of a workspace and the slots that follow from them.
#[derive(Debug)]
pub(crate) struct CrateSlots {
    pub(crate) crates: Arc<Crates>,
    pub(crate) rows: Vec<CrateRow>,
    /// Slots by crate.
    pub(crate) slots: Vec<u32>,
    /// Slots of the external dependencies, by crate.
    pub(crate) outside: Vec<Vec<u32>>,
    /// Slots of the package's features, by crate.
    pub(crate) features: Vec<Vec<u32>>,
    /// Canonical path, name and slot of all declared features, each once.
    pub(crate) declared: SortedMap<String, (String, u32)>,
}

impl CrateSlots {
    pub(crate) fn of(crates: &Arc<Crates>, slots: &mut NodeInterner) -> Self {
        let inputs = crates.inputs.iter();
        let mut fixed = Self {
            crates: crates.clone(),
            rows: inputs
                .clone()
                .zip(&crates.facts)
                .map(|(input, facts)| CrateRow {
                    name: input.name.clone(),
                    version: facts.version.clone(),
                    kind: facts.kind.clone(),
                    root: input.root,
                })
                .collect(),
            slots: inputs.map(|input| slots.of(node_interner::crate_id(&input.name))).collect(),
            outside: Vec::new(),
            features: Vec::new(),
            declared: SortedMap::new(),
        };
        for facts in &crates.facts {
            let outside = facts.outside.iter().map(|package| slots.of_outside(package));
            fixed.outside.push(outside.collect());
            let mut own = Vec::with_capacity(facts.features.len());
            for name in facts.features.keys() {
                let canon = feature_canon(&facts.package, name);
                let slot = match fixed.declared.get(&canon) {
                    Some((_, slot)) => *slot,
                    None => slots.of(node_interner::feature_id(&canon)),
                };
                own.push(slot);
                fixed.declared.insert(canon, (name.clone(), slot));
            }
            fixed.features.push(own);
        }
        fixed
    }

    /// The slot of a feature named in a crate's cfg, and its path if no package declares it. `None`
    /// if the crate is unknown.
    pub(crate) fn feature_slot(
        &self,
        krate: u32,
        feature: &str,
        slots: &mut NodeInterner,
    ) -> Option<(u32, Option<String>)> {
        let facts = self.crates.facts.get(krate as usize)?;
        let canon = feature_canon(&facts.package, feature);
        Some(match self.declared.get(&canon) {
            Some((_, slot)) => (*slot, None),
            None => (slots.of(node_interner::feature_id(&canon)), Some(canon)),
        })
    }
}

fn feature_canon(package: &str, feature: &str) -> String {
    format!("{package}/feature={feature}")
}
