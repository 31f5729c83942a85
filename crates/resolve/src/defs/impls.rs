//! Impls by the head of their type and by their trait; members by what holds them.

use syntax::facts::{Shape, TypeId, TypeRef};

use super::index::Index;
use super::lookup::Observer;
use super::table::{Brings, Target, What, space};
use super::{DefId, DefKind, DefMap, Existence, Namespace, Resolution, Scope, Symbol, TypeHead};
use crate::FileIdx;
use crate::deps::Key;

/// How many aliases a type may hide behind.
const MOST_ALIASES: usize = 16;

/// While the map is built nobody asks what answers rest on.
struct Nobody;

impl Observer for Nobody {
    fn ask(&mut self, _key: Key) {}

    fn import(&mut self, _number: u32) {}

    fn hidden(&self) -> u32 {
        super::table::NONE
    }
}

/// Members of impls and traits, variants of enums.
pub(super) fn index_members(map: &mut DefMap) {
    let mut children = Vec::new();
    let mut methods = Vec::new();
    for (number, def) in map.defs.iter().enumerate() {
        let id = DefId(number as u32);
        let Some(parent) = def.parent else { continue };
        let is_member = match map.defs[parent.idx()].kind {
            DefKind::Impl | DefKind::Trait => {
                matches!(def.kind, DefKind::Method | DefKind::Const | DefKind::TypeAlias)
            }
            DefKind::Enum => def.kind == DefKind::Variant,
            _ => false,
        };
        if !is_member || def.existence == Existence::No {
            continue;
        }
        children.push((parent, id));
        if let Some(name) = def.name.filter(|_| def.kind == DefKind::Method) {
            methods.push((name, id));
        }
    }
    methods.retain(|(_, id)| !map.is_std(*id));
    map.children = Index::new(children);
    map.methods = Index::new(methods);
    let mut named: Vec<((DefId, Symbol), DefId)> = Vec::new();
    for (of, id) in map.children.pairs() {
        if let Some(name) = map.def(id).name {
            named.push(((of, name), id));
        }
    }
    map.named = Index::new(named);
}

/// Impls, after imports are resolved.
pub(super) fn index_impls(map: &mut DefMap) {
    let mut inherent = Vec::new();
    let mut trait_impls = Vec::new();
    let mut impls_of = Vec::new();
    for number in 0..map.defs.len() as u32 {
        let id = DefId(number);
        let def = map.def(id);
        if def.kind != DefKind::Impl || def.existence == Existence::No {
            continue;
        }
        let Some((facts, _, decl)) = map.facts(id) else { continue };
        let Shape::Impl { self_type, of_trait, .. } = &decl.shape else { continue };
        let heads = map.heads(id, *self_type);
        let Some(path) = of_trait else {
            inherent.extend(heads.into_iter().map(|head| (head, id)));
            continue;
        };
        trait_impls.extend(heads.into_iter().map(|head| (head, id)));
        let Some(path) = facts.paths.get(path.idx()) else { continue };
        let names: Vec<_> =
            path.segments.iter().map(|it| map.file_symbol(def.file, it.name)).collect();
        let scope = map.scope_of(id);
        let walk = map.walk(&mut Nobody, &scope, &names, path.is_global, Namespace::Type, false);
        let traits = match map.resolution(walk, &names) {
            Resolution::Def(of) => vec![of],
            Resolution::Ambiguous(all) => all,
            _ => Vec::new(),
        };
        let traits = traits.into_iter().filter(|of| map.def(*of).kind == DefKind::Trait);
        impls_of.extend(traits.map(|of| (of, id)));
    }
    map.traits_of = Index::new(impls_of.iter().map(|(of, id)| (*id, *of)).collect());
    let heads = inherent.iter().chain(&trait_impls).map(|(head, id)| (*id, *head)).collect();
    map.heads = heads;
    map.heads.sort_unstable();
    map.inherent = Index::new(inherent);
    map.trait_impls = Index::new(trait_impls);
    map.impls_of = Index::new(impls_of);
}

/// The traits that each scope brings by itself: declared in it or imported by name or `as _`.
pub(super) fn index_traits(map: &mut DefMap) {
    let mut traits = Vec::new();
    let is_trait =
        |def: DefId| map.def(def).kind == DefKind::Trait && map.def(def).existence != Existence::No;
    for entry in &map.names.entries {
        for candidate in map.names.of(entry) {
            if candidate.spaces & space(Namespace::Type) == 0 {
                continue;
            }
            match candidate.what {
                What::Item(def) if is_trait(def) => {
                    traits.push((entry.scope, def, candidate.vis));
                }
                What::Item(_) => {}
                What::Import(number) => {
                    let Some(import) = map.imports.get(number as usize) else { continue };
                    for (target, _) in &import.results {
                        if let Target::Def(def) = target
                            && is_trait(*def)
                        {
                            traits.push((entry.scope, *def, candidate.vis));
                        }
                    }
                }
            }
        }
    }
    for import in map.imports.iter().filter(|it| it.brings == Brings::Underscore) {
        for (target, _) in &import.results {
            if let Target::Def(def) = target
                && is_trait(*def)
            {
                traits.push((import.scope, *def, import.vis));
            }
        }
    }
    traits.sort_unstable();
    traits.dedup();
    map.scope_traits = traits;
}

impl DefMap {
    /// The heads of an impl's type: one, or those of twins that cannot be told apart.
    fn heads(&self, of: DefId, ty: TypeId) -> Vec<TypeHead> {
        self.heads_in(self.def(of).file, self.scope_of(of), ty, MOST_ALIASES)
    }

    fn heads_in(&self, file: FileIdx, scope: Scope, ty: TypeId, fuel: usize) -> Vec<TypeHead> {
        let facts = &self.source(file).facts;
        let path = match facts.types.get(ty.idx()) {
            Some(TypeRef::Path(path)) => path,
            Some(TypeRef::Dyn(bounds)) => match bounds.first() {
                Some(bound) => &bound.0,
                None => return vec![TypeHead::Unknown],
            },
            Some(TypeRef::Ref(_)) => return vec![TypeHead::Ref],
            Some(TypeRef::Ptr(_)) => return vec![TypeHead::Ptr],
            Some(TypeRef::Slice(_)) => return vec![TypeHead::Slice],
            Some(TypeRef::Array(_)) => return vec![TypeHead::Array],
            Some(TypeRef::Tuple(_)) => return vec![TypeHead::Tuple],
            Some(TypeRef::Fn(..)) => return vec![TypeHead::Fn],
            Some(TypeRef::Never) => return vec![TypeHead::Never],
            _ => return vec![TypeHead::Unknown],
        };
        let Some(path) = facts.paths.get(path.idx()) else { return vec![TypeHead::Unknown] };
        if path.qself.is_some() {
            return vec![TypeHead::Unknown];
        }
        let names: Vec<_> =
            path.segments.iter().map(|it| self.file_symbol(file, it.name)).collect();
        let walk = self.walk(&mut Nobody, &scope, &names, path.is_global, Namespace::Type, false);
        match self.resolution(walk, &names) {
            Resolution::Def(def) => self.heads_of(def, fuel),
            Resolution::Ambiguous(all) => {
                let mut heads: Vec<_> =
                    all.into_iter().flat_map(|def| self.heads_of(def, fuel)).collect();
                heads.sort_unstable();
                heads.dedup();
                heads
            }
            Resolution::Prim(prim) if names.len() == 1 => vec![TypeHead::Prim(prim)],
            // The parameter of an alias stands for a type that its user gives.
            Resolution::Param(..) if names.len() == 1 && fuel == MOST_ALIASES => {
                vec![TypeHead::Param]
            }
            _ => vec![TypeHead::Unknown],
        }
    }

    /// The heads of a type by its definition, aliases seen through.
    fn heads_of(&self, def: DefId, fuel: usize) -> Vec<TypeHead> {
        match self.def(def).kind {
            DefKind::Struct | DefKind::Enum | DefKind::Union => vec![TypeHead::Adt(def)],
            DefKind::Trait => vec![TypeHead::Dyn(def)],
            DefKind::TypeAlias if fuel > 0 => match self.facts(def).map(|it| &it.2.shape) {
                Some(Shape::Alias { of: Some(of), .. }) => {
                    self.heads_in(self.def(def).file, self.scope_of(def), *of, fuel - 1)
                }
                _ => vec![TypeHead::Unknown],
            },
            _ => vec![TypeHead::Unknown],
        }
    }
}
