//! Collects everything a name may mean in one scope or item; [`select`] then applies the rules of
//! the language.

use base::ItemKind;

use super::lookup::{MAX_GLOBS, Observer, member_spaces};
use super::lookup_key::LookupKind;
use super::table::{Binding, NONE, ScopeData, Target, Vis, space};
use super::{Def, DefId, DefMap, Existence, Namespace, Symbol};

/// One possible meaning of a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) target: Target,
    pub(super) is_active: bool,
    pub(super) existence: Existence,
    pub(super) is_glob: bool,
    pub(super) is_visible: bool,
}

/// A search for the meanings of one name, through globs.
struct HitSearch<'a, O> {
    map: &'a DefMap,
    observer: &'a mut O,
    name: Symbol,
    ns: Namespace,
    /// The scopes that were searched, each with the module of the use.
    visited: Vec<(u32, u32)>,
    hits: Vec<Hit>,
}

impl<O: Observer> HitSearch<'_, O> {
    /// Collects the meanings in one scope. `from` is the module of the use.
    fn scope(&mut self, at: u32, from: u32) {
        if self.visited.contains(&(at, from)) || self.visited.len() >= MAX_GLOBS {
            return;
        }
        self.visited.push((at, from));
        let map = self.map;
        let Some(scope) = map.scopes.get(at as usize) else { return };
        self.ask(scope, LookupKind::Entry(scope.ident, self.name, self.ns));
        let first = self.hits.len();
        self.declared(at, from);
        let is_sure = |hit: &Hit| hit.is_active && hit.existence == Existence::Sure;
        if self.hits[first..].iter().any(is_sure) {
            return;
        }
        // The absence of globs is a dependency too: adding the first one changes the result.
        self.ask(scope, LookupKind::Globs(scope.ident));
        for number in &scope.globs {
            self.glob(*number, scope.module, from);
        }
    }

    fn ask(&mut self, scope: &ScopeData, kind: LookupKind) {
        if !self.map.is_std_crate(scope.krate) {
            self.observer.ask(self.map.key(kind));
        }
    }

    /// The items and imports of a scope with the name.
    fn declared(&mut self, at: u32, from: u32) {
        let map = self.map;
        let hidden = self.observer.hidden();
        for candidate in map.names.get(at, self.name) {
            if candidate.spaces & space(self.ns) == 0 {
                continue;
            }
            let is_visible = map.sees(from, candidate.vis);
            match candidate.binding {
                Binding::Item(def) => {
                    let it = map.def(def);
                    if it.existence == Existence::No {
                        continue;
                    }
                    self.hits.push(Hit {
                        target: Target::Def(def),
                        is_active: it.is_active,
                        existence: it.existence,
                        is_glob: false,
                        is_visible,
                    });
                }
                Binding::Import(number) if number == hidden => {}
                Binding::Import(number) => {
                    self.observer.import(number);
                    map.push_import(number, self.ns, is_visible, &mut self.hits);
                }
            }
        }
    }

    /// What a glob import provides. `module` contains the import, `from` the use.
    fn glob(&mut self, number: u32, module: u32, from: u32) {
        let map = self.map;
        if number == self.observer.hidden() {
            return;
        }
        let Some(import) = map.imports.leaves.get(number as usize) else { return };
        self.observer.import(number);
        let of = map.def(import.def);
        if of.existence == Existence::No {
            return;
        }
        let is_visible = map.sees(from, import.vis);
        for (container, _) in &import.results {
            let first = self.hits.len();
            if let Target::Def(def) = *container {
                self.inside(def, module);
            }
            self.imported(first, of, is_visible);
        }
    }

    /// The meanings inside a definition that a glob import in `module` names.
    fn inside(&mut self, def: DefId, module: u32) {
        match self.map.def(def).kind {
            ItemKind::Module | ItemKind::Crate => {
                self.scope(self.map.def(def).inner, self.map.as_seen_in(def, module));
            }
            ItemKind::Enum | ItemKind::Trait => {
                self.map.member_hits(self.observer, def, self.name, self.ns, &mut self.hits);
            }
            _ => {}
        }
    }

    /// Makes the hits from `first` on those of a glob import: it does not import what is not
    /// visible to it.
    fn imported(&mut self, first: usize, of: &Def, is_visible: bool) {
        let mut kept = first;
        for idx in first..self.hits.len() {
            let hit = self.hits[idx];
            if hit.is_visible {
                self.hits[kept] = Hit {
                    is_active: hit.is_active && of.is_active,
                    existence: hit.existence.max(of.existence),
                    is_glob: true,
                    is_visible,
                    ..hit
                };
                kept += 1;
            }
        }
        self.hits.truncate(kept);
    }
}

impl DefMap {
    /// The meanings of a name in one scope, including its globs. `from` is the module of the use.
    pub(super) fn hits(
        &self,
        observer: &mut impl Observer,
        scope: u32,
        name: Symbol,
        ns: Namespace,
        from: u32,
    ) -> Vec<Hit> {
        let (visited, hits) = (Vec::new(), Vec::new());
        let mut search = HitSearch { map: self, observer, name, ns, visited, hits };
        search.scope(scope, from);
        search.hits
    }

    /// The targets of an import in one namespace.
    pub(super) fn push_import(
        &self,
        number: u32,
        ns: Namespace,
        is_visible: bool,
        hits: &mut Vec<Hit>,
    ) {
        let Some(import) = self.imports.leaves.get(number as usize) else { return };
        let of = self.def(import.def);
        for (target, spaces) in &import.results {
            if spaces & space(ns) == 0 {
                continue;
            }
            let (is_active, existence) = match target {
                Target::Def(def) => (self.def(*def).is_active, self.def(*def).existence),
                _ => (true, Existence::Sure),
            };
            if existence.max(of.existence) == Existence::No {
                continue;
            }
            hits.push(Hit {
                target: *target,
                is_active: is_active && of.is_active,
                existence: existence.max(of.existence),
                is_glob: false,
                is_visible,
            });
        }
    }

    /// The members of an enum or trait with the name.
    pub(super) fn member_hits(
        &self,
        observer: &mut impl Observer,
        of: DefId,
        name: Symbol,
        ns: Namespace,
        hits: &mut Vec<Hit>,
    ) {
        self.record_member(observer, of, name);
        for member in self.members_named(of, name) {
            let def = self.def(*member);
            if member_spaces(def.kind) & space(ns) != 0 {
                hits.push(Hit {
                    target: Target::Def(*member),
                    is_active: def.is_active,
                    existence: def.existence,
                    is_glob: false,
                    is_visible: true,
                });
            }
        }
    }

    pub(super) fn record_member(&self, observer: &mut impl Observer, of: DefId, name: Symbol) {
        if !self.is_std(of) {
            observer.ask(self.key(LookupKind::Member(self.def(of).ident, name)));
        }
    }

    /// The module `from` of a use as the visibilities in the module `of` mean it. Where `of` shares the file
    /// and so the scope of another module, that is the module around the other one which is as far outside.
    pub(super) fn as_seen_in(&self, of: DefId, from: u32) -> u32 {
        let inner = self.def(of).inner;
        let Some(scope) = self.scopes.get(inner as usize) else { return from };
        if scope.def == of || self.sees(from, inner) {
            return from;
        }
        let module_at = |at: u32| self.scopes.get(at as usize).map(|it| it.module);
        let outside = |at: u32| module_at(self.scopes.get(at as usize)?.parent);
        let (mut shared, mut own) = (module_at(self.def(of).scope), outside(inner));
        while let (Some(around), Some(there)) = (shared, own) {
            if self.sees(from, around) {
                return there;
            }
            (shared, own) = (outside(around), outside(there).or(own));
        }
        from
    }

    /// Whether the module scope `from` is inside the scope that `vis` names.
    pub(super) fn sees(&self, from: u32, vis: Vis) -> bool {
        let mut at = from;
        loop {
            if vis == NONE || at == vis {
                return true;
            }
            match self.scopes.get(at as usize) {
                Some(scope) if scope.parent != NONE => {
                    at = self.scopes[scope.parent as usize].module;
                }
                _ => return false,
            }
        }
    }
}

/// Applies the preferences of the language: visible before invisible, active before cfg-disabled,
/// named before glob, workspace before external. Returns the rest sorted, without duplicates.
pub(super) fn select(mut hits: Vec<Hit>) -> Vec<Target> {
    if hits.len() > 1 {
        if hits.iter().any(|it| it.is_visible) {
            hits.retain(|it| it.is_visible);
        }
        if hits.iter().any(|it| it.is_active && it.existence == Existence::Sure) {
            hits.retain(|it| it.is_active);
        }
        let is_named_sure = |it: &Hit| !it.is_glob && it.existence == Existence::Sure;
        if hits.iter().any(is_named_sure) {
            hits.retain(is_named_sure);
        } else if hits.iter().all(|it| it.existence == Existence::Maybe)
            && hits.iter().any(|it| !it.is_glob)
        {
            hits.retain(|it| !it.is_glob);
        }
        if hits.iter().any(|it| matches!(it.target, Target::Def(_))) {
            hits.retain(|it| matches!(it.target, Target::Def(_)));
        }
    }
    let mut targets: Vec<_> = hits.into_iter().map(|it| it.target).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}
