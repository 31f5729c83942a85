//! Indexes impls by the head of their type and by their trait, and members by their container.

use base::ItemKind;
use syntax::facts::{Path, Shape, TypeId, TypeRef};

use super::imports::DependencyRecorder;
use super::lookup::{Observer, UsedPath};
use super::lookup_key::LookupKind;
use super::parts::{ImplIndex, MemberIndex};
use super::table::{Binding, ImportKind, Target, Vis, space};
use super::{DefId, DefMap, Existence, NameScope, Namespace, Resolution, TypeHead};
use crate::FileIdx;

/// How many aliases are followed to the head of a type.
const MAX_ALIASES: usize = 16;

/// Indexes the members of impls and traits, and the variants of enums.
pub(super) fn index_members(map: &mut DefMap) {
    map.members = MemberIndex::default();
    let all = 0..map.defs.len() as u32;
    renew_members(map, |_| true, all.map(DefId));
}

/// Removes members from the indexes and adds new ones.
pub(super) fn renew_members(
    map: &mut DefMap,
    is_removed: impl Fn(DefId) -> bool,
    new: impl Iterator<Item = DefId>,
) {
    let (mut children, mut methods, mut named) = (Vec::new(), Vec::new(), Vec::new());
    for id in new {
        let def = map.def(id);
        let Some(parent) = def.parent else { continue };
        let is_member = match map.defs[parent.idx()].kind {
            ItemKind::Impl | ItemKind::Trait => {
                matches!(def.kind, ItemKind::Method | ItemKind::Const | ItemKind::TypeAlias)
            }
            ItemKind::Enum => def.kind == ItemKind::Variant,
            _ => false,
        };
        if !is_member || def.existence == Existence::No {
            continue;
        }
        children.push((parent, id));
        if let Some(name) = def.name {
            named.push(((parent, name), id));
            if def.kind == ItemKind::Method && !map.is_std(id) {
                methods.push((name, id));
            }
        }
    }
    let index = &mut map.members;
    index.children.replace(|_, id| is_removed(id), children);
    index.methods.replace(|_, id| is_removed(id), methods);
    index.named.replace(|_, id| is_removed(id), named);
}

/// Indexes impls; imports must be resolved.
pub(super) fn index_impls(map: &mut DefMap) {
    map.impls = ImplIndex::default();
    let all: Vec<DefId> = map.ids().collect();
    renew_impls(map, |_| true, &all);
}

/// Removes impls from the indexes and adds new ones.
pub(super) fn renew_impls(map: &mut DefMap, is_removed: impl Fn(DefId) -> bool, new: &[DefId]) {
    let mut inherent = Vec::new();
    let mut trait_impls = Vec::new();
    let mut impls_of = Vec::new();
    let mut impls_for = Vec::new();
    let mut dependencies = Vec::new();
    for id in new.iter().copied() {
        let def = map.def(id);
        if def.kind != ItemKind::Impl || def.existence == Existence::No {
            continue;
        }
        let Some((facts, _, decl)) = map.facts(id) else { continue };
        let Shape::Impl { self_type, of_trait, .. } = &decl.shape else { continue };
        let mut recorder = DependencyRecorder::default();
        let heads = map.heads(&mut recorder, id, *self_type);
        match of_trait {
            None => inherent.extend(heads.into_iter().map(|head| (head, id))),
            Some(path) => {
                if let Some(path) = facts.paths.get(path.idx()) {
                    let traits: Vec<_> = map.traits_at(&mut recorder, id, path).collect();
                    if let [only] = traits.as_slice() {
                        impls_for.extend(heads.iter().map(|head| ((*only, *head), id)));
                    }
                    impls_of.extend(traits.into_iter().map(|of| (of, id)));
                }
                trait_impls.extend(heads.into_iter().map(|head| (head, id)));
            }
        }
        if !map.is_std(id) {
            dependencies.push((id, recorder.finish().keys));
        }
    }
    let of_impl: Vec<(DefId, DefId)> = impls_of.iter().map(|(of, id)| (*id, *of)).collect();
    let index = &mut map.impls;
    index.traits.replace(|id, _| is_removed(id), of_impl);
    index.heads.retain(|(id, _)| !is_removed(*id));
    index.heads.extend(inherent.iter().chain(&trait_impls).map(|(head, id)| (*id, *head)));
    index.heads.sort_unstable();
    index.inherent.replace(|_, id| is_removed(id), inherent);
    index.by_head.replace(|_, id| is_removed(id), trait_impls);
    index.by_trait.replace(|_, id| is_removed(id), impls_of);
    index.by_trait_and_head.replace(|_, id| is_removed(id), impls_for);
    index.dependencies.retain(|id, _| !is_removed(*id));
    index.dependencies.extend(dependencies);
}

/// Collects the traits that each scope adds: declared in it, or imported by name or `as _`.
pub(super) fn index_traits(map: &mut DefMap) {
    renew_traits(map, |_| true);
}

/// Collects the traits of some scopes again.
pub(super) fn renew_traits(map: &mut DefMap, is_new: impl Fn(u32) -> bool) {
    let mut traits: Vec<(u32, DefId, Vis)> = Vec::new();
    let is_trait = |def: DefId| {
        map.def(def).kind == ItemKind::Trait && map.def(def).existence != Existence::No
    };
    for entry in map.names.entries.iter().filter(|entry| is_new(entry.scope)) {
        for candidate in map.names.of(entry) {
            if candidate.spaces & space(Namespace::Type) == 0 {
                continue;
            }
            match candidate.binding {
                Binding::Item(def) if is_trait(def) => {
                    traits.push((entry.scope, def, candidate.vis));
                }
                Binding::Item(_) => {}
                Binding::Import(number) => {
                    let Some(import) = map.imports.leaves.get(number as usize) else { continue };
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
    let imports = map.imports.leaves.iter().filter(|it| it.kind == ImportKind::Underscore);
    for import in imports.filter(|it| is_new(it.scope)) {
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
    for (at, scope) in map.scopes.iter_mut().enumerate() {
        if is_new(at as u32) {
            scope.traits.clear();
        }
    }
    for (scope, def, vis) in traits {
        map.scopes[scope as usize].traits.push((def, vis));
    }
}

impl DefMap {
    /// The heads of an impl's type: one, or several if the type is ambiguous.
    fn heads(&self, observer: &mut DependencyRecorder, of: DefId, ty: TypeId) -> Vec<TypeHead> {
        self.heads_in(observer, self.def(of).file, self.scope_of(of), ty, MAX_ALIASES)
    }

    /// The traits that the path of an impl resolves to.
    fn traits_at(
        &self,
        observer: &mut DependencyRecorder,
        of: DefId,
        path: &Path,
    ) -> impl Iterator<Item = DefId> {
        let file = self.def(of).file;
        let names: Vec<_> =
            path.segments.iter().map(|it| self.file_symbol(file, it.name)).collect();
        let scope = self.scope_of(of);
        let path = UsedPath::new(&names, path.is_global, Namespace::Type);
        let mut traits = match self.resolve_path(observer, &scope, path) {
            Resolution::Def(of) => vec![of],
            Resolution::Ambiguous(all) => all,
            _ => Vec::new(),
        };
        traits.retain(|of| self.def(*of).kind == ItemKind::Trait);
        traits.into_iter()
    }

    fn heads_in(
        &self,
        observer: &mut DependencyRecorder,
        file: FileIdx,
        scope: NameScope,
        ty: TypeId,
        fuel: usize,
    ) -> Vec<TypeHead> {
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
        let path = UsedPath::new(&names, path.is_global, Namespace::Type);
        match self.resolve_path(observer, &scope, path) {
            Resolution::Def(def) => self.heads_of(observer, def, fuel),
            Resolution::Ambiguous(all) => {
                let mut heads: Vec<_> =
                    all.into_iter().flat_map(|def| self.heads_of(observer, def, fuel)).collect();
                heads.sort_unstable();
                heads.dedup();
                heads
            }
            Resolution::Prim(prim) if names.len() == 1 => vec![TypeHead::Prim(prim)],
            // The parameter of an alias is a type that the user of the alias chooses.
            Resolution::Param(..) if names.len() == 1 && fuel == MAX_ALIASES => {
                vec![TypeHead::Param]
            }
            _ => vec![TypeHead::Unknown],
        }
    }

    /// The heads of a type by its definition; aliases are followed.
    fn heads_of(
        &self,
        observer: &mut DependencyRecorder,
        def: DefId,
        fuel: usize,
    ) -> Vec<TypeHead> {
        if self.def(def).kind == ItemKind::TypeAlias && !self.is_std(def) {
            observer.ask(self.key(LookupKind::Signature(self.def(def).ident)));
        }
        match self.def(def).kind {
            ItemKind::Struct | ItemKind::Enum | ItemKind::Union => vec![TypeHead::Adt(def)],
            ItemKind::Trait => vec![TypeHead::Dyn(def)],
            ItemKind::TypeAlias if fuel > 0 => match self.facts(def).map(|it| &it.2.shape) {
                Some(Shape::Alias { of: Some(of), .. }) => {
                    self.heads_in(observer, self.def(def).file, self.scope_of(def), *of, fuel - 1)
                }
                _ => vec![TypeHead::Unknown],
            },
            _ => vec![TypeHead::Unknown],
        }
    }
}
