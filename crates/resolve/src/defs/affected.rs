//! Which part of a map a patch affects: the file itself, and the imports that depend on what it
//! changed.

use base::SortedSet;

use super::lookup_key::{LookupKind, MapSubset};
use super::table::{Binding, ImportKind};
use super::{DefId, DefMap, Namespace};
use crate::{FileIdx, KeySet};

impl DefMap {
    /// The part of the map with these definitions and scopes.
    pub(super) fn part(
        &self,
        ids: &[DefId],
        scopes: &[u32],
        at: u32,
        sources: &[FileIdx],
    ) -> MapSubset {
        let defs = self.flags(ids);
        let imports =
            self.imports.leaves.iter().map(|it| !it.is_removed && defs[it.def.idx()]).collect();
        let mut flags = vec![false; self.scopes.len()];
        scopes.iter().chain([&at]).for_each(|at| flags[*at as usize] = true);
        MapSubset { defs, imports, scopes: flags, sources: sources.to_vec() }
    }

    /// Adds the keys of the lookups that find some imports.
    pub(super) fn keys_of_imports(&self, imports: &[u32], keys: &mut Vec<u64>) {
        if imports.is_empty() {
            return;
        }
        let set: SortedSet<u32> = imports.iter().copied().collect();
        for number in imports {
            let import = &self.imports.leaves[*number as usize];
            if import.kind == ImportKind::Glob {
                let scope = &self.scopes[import.scope as usize];
                keys.push(self.key(LookupKind::Globs(scope.ident)).0);
            }
        }
        for entry in &self.names.entries {
            let is_it =
                |binding: Binding| matches!(binding, Binding::Import(it) if set.contains(&it));
            if self.names.of(entry).any(|it| is_it(it.binding))
                && let Some(scope) = self.scopes.get(entry.scope as usize)
            {
                for ns in [Namespace::Type, Namespace::Value, Namespace::Macro] {
                    keys.push(self.key(LookupKind::Entry(scope.ident, entry.name, ns)).0);
                }
            }
        }
    }

    /// The imports that depend on one of these keys or seeds, including the seeds.
    pub(super) fn affected(&self, keys: &KeySet, seeds: &[u32]) -> Vec<u32> {
        let mut is_in = vec![false; self.imports.leaves.len()];
        seeds.iter().for_each(|number| is_in[*number as usize] = true);
        if !keys.is_empty() {
            for (import, is_in) in self.imports.leaves.iter().zip(&mut is_in) {
                *is_in |= keys.intersects(&import.dependencies.keys);
            }
        }
        let mut found = is_in.iter().filter(|it| **it).count();
        while found > 0 {
            for at in 0..is_in.len() {
                let dependencies = &self.imports.leaves[at].dependencies;
                if !is_in[at] && dependencies.imports.iter().any(|it| is_in[*it as usize]) {
                    is_in[at] = true;
                }
            }
            let now = is_in.iter().filter(|it| **it).count();
            if now == found {
                break;
            }
            found = now;
        }
        (0..is_in.len() as u32).filter(|at| is_in[*at as usize]).collect()
    }
}
