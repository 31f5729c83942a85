//! What stands in no file, as slots: it stays while the crates do.

use std::collections::BTreeMap;
use std::sync::Arc;

use graph::CrateRow;

use crate::crates::Crates;
use crate::slots::{self, Slots};

/// The crates of one workspace and what follows from them alone.
#[derive(Debug)]
pub(crate) struct Fixed {
    pub(crate) crates: Arc<Crates>,
    pub(crate) rows: Vec<CrateRow>,
    /// By crate.
    pub(crate) slots: Vec<u32>,
    /// By crate: the packages outside that it depends on.
    pub(crate) outside: Vec<Vec<u32>>,
    /// By crate: the features that its package has.
    pub(crate) features: Vec<Vec<u32>>,
    /// Canonical path, name and slot of all features that packages have, each once.
    pub(crate) declared: BTreeMap<String, (String, u32)>,
}

impl Fixed {
    pub(crate) fn of(crates: &Arc<Crates>, slots: &mut Slots) -> Self {
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
            slots: inputs.map(|input| slots.of(slots::crate_id(&input.name))).collect(),
            outside: Vec::new(),
            features: Vec::new(),
            declared: BTreeMap::new(),
        };
        for facts in &crates.facts {
            let outside = facts.outside.iter().map(|package| slots.of_outside(package));
            fixed.outside.push(outside.collect());
            let mut own = Vec::with_capacity(facts.features.len());
            for name in facts.features.keys() {
                let canon = feature_canon(&facts.package, name);
                let slot = match fixed.declared.get(&canon) {
                    Some((_, slot)) => *slot,
                    None => slots.of(slots::feature_id(&canon)),
                };
                own.push(slot);
                fixed.declared.insert(canon, (name.clone(), slot));
            }
            fixed.features.push(own);
        }
        fixed
    }

    /// The slot of a feature that an item of a crate asks for, and its path where no package has
    /// it. `None`: the crate is not known.
    pub(crate) fn asked(
        &self,
        krate: u32,
        feature: &str,
        slots: &mut Slots,
    ) -> Option<(u32, Option<String>)> {
        let facts = self.crates.facts.get(krate as usize)?;
        let canon = feature_canon(&facts.package, feature);
        Some(match self.declared.get(&canon) {
            Some((_, slot)) => (*slot, None),
            None => (slots.of(slots::feature_id(&canon)), Some(canon)),
        })
    }
}

fn feature_canon(package: &str, feature: &str) -> String {
    format!("{package}/feature={feature}")
}
