//! The traits whose methods a place can call without naming them.

use base::ItemKind;

use super::lookup_key::LookupKind;
use super::table::{ImportKind, Target};
use super::{DefId, DefMap, NameScope};
use crate::Deps;

impl DefMap {
    /// The traits whose methods can be called in a scope: imported (`as _` too), declared, from the
    /// prelude, and the trait that an enclosing item declares or implements. Sorted.
    pub(crate) fn traits_in_scope(&self, deps: &mut Deps, scope: &NameScope) -> Vec<DefId> {
        let mut found = Vec::new();
        let mut visited = Vec::new();
        let mut at = scope.at;
        while let Some(it) = self.scopes.get(at as usize) {
            self.traits_of_scope(deps, at, it.module, &mut visited, &mut found);
            if !it.is_block {
                let krate = self.crates.get(it.krate.0 as usize);
                if let Some(prelude) = krate.and_then(|it| it.prelude) {
                    self.traits_of_scope(deps, prelude, prelude, &mut visited, &mut found);
                }
                break;
            }
            at = it.parent;
        }
        let mut around = Some(scope.item);
        while let Some(it) = around {
            let def = self.def(it);
            match def.kind {
                ItemKind::Trait => found.push(it),
                ItemKind::Impl => found.extend(self.trait_of(deps, it)),
                _ => {}
            }
            around = def.parent;
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn traits_of_scope(
        &self,
        deps: &mut Deps,
        at: u32,
        from: u32,
        visited: &mut Vec<(u32, u32)>,
        found: &mut Vec<DefId>,
    ) {
        let Some(scope) = self.scopes.get(at as usize) else { return };
        if visited.contains(&(at, from)) || visited.len() >= 256 {
            return;
        }
        visited.push((at, from));
        if !self.is_std_crate(scope.krate) {
            deps.note(self.key(LookupKind::Traits(scope.ident)));
            deps.note(self.key(LookupKind::Globs(scope.ident)));
        }
        let visible = scope.traits.iter().filter(|(_, vis)| self.sees(from, *vis));
        found.extend(visible.map(|(of, _)| *of));
        for number in &scope.globs {
            let Some(import) = self.imports.leaves.get(*number as usize) else { continue };
            if import.kind != ImportKind::Glob || !self.sees(from, import.vis) {
                continue;
            }
            for (container, _) in &import.results {
                if let Target::Def(def) = container
                    && matches!(self.def(*def).kind, ItemKind::Module | ItemKind::Crate)
                {
                    let (inner, from) = (self.def(*def).inner, self.as_seen_in(*def, scope.module));
                    self.traits_of_scope(deps, inner, from, visited, found);
                }
            }
        }
    }
}
