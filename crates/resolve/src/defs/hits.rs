//! Collects everything a name may mean in one scope or item; [`select`] then applies the rules of
//! the language.

use super::digest::LookupKind;
use super::lookup::{MAX_GLOBS, Observer, member_spaces};
use super::table::{Binding, NONE, Target, Vis, space};
use super::{DefId, DefKind, DefMap, Existence, Namespace, Symbol};

/// One possible meaning of a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) target: Target,
    pub(super) is_active: bool,
    pub(super) existence: Existence,
    pub(super) is_glob: bool,
    pub(super) is_visible: bool,
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
        let mut hits = Vec::new();
        self.collect_hits(observer, scope, name, ns, from, &mut Vec::new(), &mut hits);
        hits
    }

    #[allow(clippy::too_many_arguments, reason = "one recursion with its accumulators")]
    pub(super) fn collect_hits(
        &self,
        observer: &mut impl Observer,
        at: u32,
        name: Symbol,
        ns: Namespace,
        from: u32,
        visited: &mut Vec<(u32, u32)>,
        hits: &mut Vec<Hit>,
    ) {
        if visited.contains(&(at, from)) || visited.len() >= MAX_GLOBS {
            return;
        }
        visited.push((at, from));
        let Some(scope) = self.scopes.get(at as usize) else { return };
        let is_std = self.is_std_crate(scope.krate);
        if !is_std {
            observer.ask(self.key(LookupKind::Entry(scope.ident, name, ns)));
        }
        let first = hits.len();
        let hidden = observer.hidden();
        for candidate in self.names.get(at, name) {
            if candidate.spaces & space(ns) == 0 {
                continue;
            }
            let is_visible = self.sees(from, candidate.vis);
            match candidate.binding {
                Binding::Item(def) => {
                    let it = self.def(def);
                    if it.existence == Existence::No {
                        continue;
                    }
                    hits.push(Hit {
                        target: Target::Def(def),
                        is_active: it.is_active,
                        existence: it.existence,
                        is_glob: false,
                        is_visible,
                    });
                }
                Binding::Import(number) if number == hidden => {}
                Binding::Import(number) => {
                    observer.import(number);
                    self.push_import(number, ns, is_visible, hits);
                }
            }
        }
        let is_sure = |hit: &Hit| hit.is_active && hit.existence == Existence::Sure;
        if hits[first..].iter().any(is_sure) {
            return;
        }
        // The absence of globs is a dependency too: adding the first one changes the result.
        if !is_std {
            observer.ask(self.key(LookupKind::Globs(scope.ident)));
        }
        for number in &scope.globs {
            let Some(import) =
                self.imports.leaves.get(*number as usize).filter(|_| *number != hidden)
            else {
                continue;
            };
            observer.import(*number);
            let is_visible = self.sees(from, import.vis);
            let of = self.def(import.def);
            if of.existence == Existence::No {
                continue;
            }
            for (container, _) in &import.results {
                let before = hits.len();
                match *container {
                    Target::Def(def) => match self.def(def).kind {
                        DefKind::Module | DefKind::Crate => {
                            let inner = self.def(def).inner;
                            self.collect_hits(
                                observer,
                                inner,
                                name,
                                ns,
                                scope.module,
                                visited,
                                hits,
                            );
                        }
                        DefKind::Enum | DefKind::Trait => {
                            self.member_hits(observer, def, name, ns, hits);
                        }
                        _ => {}
                    },
                    Target::External(_) | Target::Unknown => {}
                }
                // A glob does not import what is not visible to it.
                let mut kept = before;
                for idx in before..hits.len() {
                    let hit = hits[idx];
                    if hit.is_visible {
                        hits[kept] = Hit {
                            is_active: hit.is_active && of.is_active,
                            existence: hit.existence.max(of.existence),
                            is_glob: true,
                            is_visible,
                            ..hit
                        };
                        kept += 1;
                    }
                }
                hits.truncate(kept);
            }
        }
    }

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
