//! Lowers types, bounds and paths from syntax to [`Ty`], in the context of an item or a body
//! ([`Cx`]).

use std::rc::Rc;

use base::ItemKind;
use syntax::facts::{Bound, FileFacts, Name, PathId, Segment, TypeId, TypeRef};

use super::Infer;
use super::ty::{Args, Bindings, Bounds, TraitRef, Ty, TyKind, Types};
use crate::{DefId, FileIdx, NameScope, Namespace, Resolution, Symbol};

/// The limit for chains of declarations (aliases, bounds of bounds).
const DEPTH: u32 = 24;

/// The context of a written type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cx {
    pub file: FileIdx,
    /// The item whose generics are in scope.
    pub item: DefId,
    pub scope: NameScope,
    /// In a body, omitted types are inferred; elsewhere they are unknown.
    pub in_body: bool,
}

impl<'m> Infer<'m> {
    pub(super) fn facts_of(&self, file: FileIdx) -> &'m FileFacts {
        match self.expansions.get(file) {
            Some(made) => &made.facts,
            None => &self.map.source(file).facts,
        }
    }

    /// The context of a definition's own signature.
    pub(super) fn cx_of(&self, def: DefId) -> Cx {
        Cx {
            file: self.map.def(def).file,
            item: def,
            scope: self.map.scope_of(def),
            in_body: false,
        }
    }

    pub(super) fn symbol(&self, cx: &Cx, name: Name) -> Symbol {
        self.file_symbol(cx.file, name)
    }

    fn omitted(&mut self, cx: &Cx) -> Ty {
        if cx.in_body { self.fresh() } else { Types::UNKNOWN }
    }

    pub(super) fn lower(&mut self, cx: &Cx, id: TypeId) -> Ty {
        if self.depth > DEPTH {
            return Types::UNKNOWN;
        }
        self.depth += 1;
        self.lowering += 1;
        let ty = self.lower_at_depth(cx, id);
        self.lowering -= 1;
        self.depth -= 1;
        ty
    }

    fn lower_at_depth(&mut self, cx: &Cx, id: TypeId) -> Ty {
        let facts = self.facts_of(cx.file);
        match facts.types.get(id.idx()) {
            None | Some(TypeRef::Unknown) => self.omitted(cx),
            Some(TypeRef::Never) => Types::NEVER,
            Some(TypeRef::Path(path)) => self.lower_path(cx, *path),
            Some(TypeRef::Ref(to)) => {
                let to = self.lower(cx, *to);
                self.types.reference(to)
            }
            Some(TypeRef::Ptr(to)) => {
                let to = self.lower(cx, *to);
                self.types.make(TyKind::Ptr(to))
            }
            Some(TypeRef::Slice(of)) => {
                let of = self.lower(cx, *of);
                self.types.make(TyKind::Slice(of))
            }
            Some(TypeRef::Array(of)) => {
                let of = self.lower(cx, *of);
                self.types.make(TyKind::Array(of))
            }
            Some(TypeRef::Tuple(parts)) => {
                let parts = parts.iter().map(|part| self.lower(cx, *part)).collect();
                self.types.tuple(parts)
            }
            Some(TypeRef::Fn(params, ret)) => {
                let params = params.iter().map(|param| self.lower(cx, *param)).collect();
                let ret = ret.map_or(Types::UNIT, |ret| self.lower(cx, ret));
                self.types.make(TyKind::FnPtr(params, ret))
            }
            Some(TypeRef::Dyn(bounds)) => {
                let bounds = self.lower_bounds(cx, bounds);
                self.bounded(bounds, TyKind::Dyn)
            }
            Some(TypeRef::Impl(bounds)) => {
                let bounds = self.lower_bounds(cx, bounds);
                self.bounded(bounds, TyKind::Opaque)
            }
        }
    }

    fn bounded(&mut self, bounds: Bounds, kind: fn(Bounds) -> TyKind) -> Ty {
        self.types.make(kind(bounds))
    }

    fn lower_bounds(&mut self, cx: &Cx, bounds: &[Bound]) -> Bounds {
        let all = bounds.iter().filter_map(|bound| self.lower_bound(cx, bound.0, Types::UNKNOWN));
        all.collect::<Vec<_>>().into()
    }

    /// `self_ty: path`.
    pub(super) fn lower_bound(&mut self, cx: &Cx, path: PathId, self_ty: Ty) -> Option<TraitRef> {
        let of = self.trait_at(cx, path)?;
        let segment = self.facts_of(cx.file).paths.get(path.idx())?.segments.last()?;
        let (args, bindings) = self.trait_args(cx, of, self_ty, segment);
        Some(TraitRef { of, args, bindings })
    }

    /// The trait that a path refers to.
    pub(super) fn trait_at(&mut self, cx: &Cx, path: PathId) -> Option<DefId> {
        match self.resolve_path(cx, path, Namespace::Type) {
            Resolution::Def(def) if self.map.def(def).kind == ItemKind::Trait => Some(def),
            _ => None,
        }
    }

    fn trait_args(
        &mut self,
        cx: &Cx,
        of: DefId,
        self_ty: Ty,
        segment: &Segment,
    ) -> (Args, Bindings) {
        let mut args = vec![self_ty];
        args.extend(self.lower_args(cx, of, &segment.args, args.clone()));
        let bindings = segment.bindings.iter();
        let bindings =
            bindings.map(|(name, ty)| (self.symbol(cx, *name), self.lower(cx, *ty))).collect();
        (args.into(), bindings)
    }

    /// The arguments of a path for a definition's own type parameters; omitted ones are filled with
    /// defaults. `before` contains the leading arguments that are not written (`Self` of a trait).
    pub(super) fn lower_args(
        &mut self,
        cx: &Cx,
        def: DefId,
        written: &[TypeId],
        before: Vec<Ty>,
    ) -> Vec<Ty> {
        let generics = self.generics(def);
        let skip = before.len();
        let mut all = before;
        let wanted = generics.params.len().saturating_sub(skip);
        let surplus = written.len() > wanted;
        for ty in written {
            if all.len() >= generics.params.len() {
                break;
            }
            // There are more arguments than type parameters only if some are constants.
            if surplus && self.is_const_arg(cx, *ty) {
                continue;
            }
            let ty = self.lower(cx, *ty);
            all.push(ty);
        }
        while all.len() < generics.params.len() {
            let default = generics.defaults.get(all.len()).copied().flatten();
            let ty = match default {
                // In expressions too: the default is nearly always meant.
                Some(default) if !cx.in_body || !written.is_empty() => {
                    let own = self.cx_of(def);
                    let ty = self.lower(&own, default);
                    self.types.subst(ty, &[(def, all.clone().into())])
                }
                _ => self.omitted(cx),
            };
            all.push(ty);
        }
        all.split_off(skip)
    }

    fn is_const_arg(&mut self, cx: &Cx, id: TypeId) -> bool {
        let facts = self.facts_of(cx.file);
        let Some(TypeRef::Path(path)) = facts.types.get(id.idx()) else { return false };
        match self.resolve_path(cx, *path, Namespace::Type) {
            Resolution::Param(def, name) => self.param(def, name).is_none(),
            Resolution::None => true,
            _ => false,
        }
    }

    /// Resolves a path without its type arguments.
    pub(super) fn resolve_path(&mut self, cx: &Cx, id: PathId, ns: Namespace) -> Resolution {
        let facts = self.facts_of(cx.file);
        let Some(path) = facts.paths.get(id.idx()) else { return Resolution::None };
        if path.qself.is_some() || path.segments.is_empty() {
            return Resolution::None;
        }
        let mut segments = std::mem::take(&mut self.segments);
        segments.clear();
        let names = path.segments.iter().map(|segment| self.file_symbol(cx.file, segment.name));
        segments.extend(names);
        let scope = self.path_scope(cx, &mut segments);
        let found = self.map.resolve(&mut self.deps, &scope, &segments, path.is_global, ns);
        self.segments = segments;
        if cx.in_body {
            self.use_of(cx, id, &found);
        }
        found
    }

    pub(super) fn lower_path(&mut self, cx: &Cx, id: PathId) -> Ty {
        let facts = self.facts_of(cx.file);
        let Some(path) = facts.paths.get(id.idx()) else { return Types::UNKNOWN };
        let segments = &path.segments;
        if let Some((ty, of)) = path.qself {
            let self_ty = self.lower(cx, ty);
            let mut ty = self_ty;
            for (at, segment) in segments.iter().enumerate() {
                let name = self.symbol(cx, segment.name);
                ty = match of {
                    Some(of) if at == 0 => match self.lower_bound(cx, of, self_ty) {
                        Some(bound) => self.projection_in(bound, name),
                        None => Types::UNKNOWN,
                    },
                    _ => self.assoc_type(cx, ty, name),
                };
            }
            return ty;
        }
        let (mut ty, used) = match self.resolve_path(cx, id, Namespace::Type) {
            Resolution::Def(def) => (self.lower_def(cx, def, segments), segments.len()),
            Resolution::Partial(def, used) => {
                (self.lower_def(cx, def, segments.get(..used).unwrap_or(segments)), used)
            }
            Resolution::SelfType(def) => {
                // In a trait impl its own associated types have precedence.
                if let Some(segment) = segments.get(1) {
                    let name = self.symbol(cx, segment.name);
                    match self.own_assoc_type(def, name) {
                        Some(ty) => (ty, 2),
                        None => (self.self_type(def), 1),
                    }
                } else {
                    (self.self_type(def), 1)
                }
            }
            Resolution::Param(def, name) => match self.param(def, name) {
                Some(ty) => (ty, 1),
                None => return Types::UNKNOWN,
            },
            Resolution::Prim(prim) => (self.types.prim(prim), 1),
            Resolution::External(name) => (self.external(cx, name, segments), segments.len()),
            Resolution::Ambiguous(_) | Resolution::None => return Types::UNKNOWN,
        };
        for segment in segments.iter().skip(used) {
            let name = self.symbol(cx, segment.name);
            ty = self.assoc_type(cx, ty, name);
        }
        ty
    }

    /// An external type. That of a path to `Result` is decided by [`Assumption::ExternalResult`].
    ///
    /// [`Assumption::ExternalResult`]: super::assume::Assumption::ExternalResult
    fn external(&mut self, cx: &Cx, name: String, segments: &[Segment]) -> Ty {
        let last = segments.last();
        if let Some([ok, rest @ ..]) = last.map(|it| it.args.as_slice())
            && name.ends_with("::Result")
        {
            let ok = self.lower(cx, *ok);
            let err = rest.first().map_or(Types::UNKNOWN, |err| self.lower(cx, *err));
            return self.types.make(TyKind::ExternalResult(name.into(), Rc::from([ok, err])));
        }
        self.types.make(TyKind::External(name.into()))
    }

    /// A type definition with the arguments of the last of `segments`.
    pub(super) fn lower_def(&mut self, cx: &Cx, def: DefId, segments: &[Segment]) -> Ty {
        let written: &[TypeId] = segments.last().map_or(&[], |segment| &segment.args);
        match self.map.def(def).kind {
            ItemKind::Struct | ItemKind::Enum | ItemKind::Union => {
                let args = self.lower_args(cx, def, written, Vec::new());
                self.types.make(TyKind::Adt(def, args.into()))
            }
            ItemKind::Variant => {
                let Some(of) = self.map.def(def).parent else { return Types::UNKNOWN };
                // Both `Enum::<T>::Variant` and `Variant::<T>` are allowed.
                let before = segments.len().checked_sub(2).and_then(|at| segments.get(at));
                let before: &[TypeId] = before.map_or(&[], |segment| &segment.args);
                let written = if written.is_empty() { before } else { written };
                let args = self.lower_args(cx, of, written, Vec::new());
                self.types.make(TyKind::Adt(of, args.into()))
            }
            ItemKind::TypeAlias => {
                let Some(ty) = self.alias(def) else { return Types::UNKNOWN };
                let args = self.lower_args(cx, def, written, Vec::new());
                self.types.subst(ty, &[(def, args.into())])
            }
            ItemKind::Trait => {
                // Trait objects of edition 2015, without `dyn`.
                let Some(segment) = segments.last() else { return Types::UNKNOWN };
                let (args, bindings) = self.trait_args(cx, def, Types::UNKNOWN, segment);
                let bound = TraitRef { of: def, args, bindings };
                self.types.make(TyKind::Dyn(Rc::from([bound])))
            }
            _ => Types::UNKNOWN,
        }
    }

    /// `<self as bound>::name`, or its binding in the bound.
    pub(super) fn projection_in(&mut self, bound: TraitRef, name: Symbol) -> Ty {
        if let Some((_, ty)) = bound.bindings.iter().find(|(of, _)| *of == name) {
            return *ty;
        }
        // The associated type may be declared by a supertrait.
        match self.trait_with_assoc(&bound, name) {
            Some(bound) => self.types.make(TyKind::Projection(bound.of, bound.args, name)),
            None => Types::UNKNOWN,
        }
    }

    /// The bound or supertrait that declares the associated type.
    pub(super) fn trait_with_assoc(&mut self, bound: &TraitRef, name: Symbol) -> Option<TraitRef> {
        let mut seen = vec![bound.clone()];
        let mut at = 0;
        while let Some(bound) = seen.get(at).cloned() {
            if self.declares_type(bound.of, name) {
                return Some(bound);
            }
            for parent in self.supertraits(&bound) {
                if seen.len() < 64 && !seen.iter().any(|other| other.of == parent.of) {
                    seen.push(parent);
                }
            }
            at += 1;
        }
        None
    }

    fn declares_type(&mut self, of: DefId, name: Symbol) -> bool {
        let found = self.map.member(&mut self.deps, of, name, Namespace::Type);
        found.is_some_and(|def| self.map.def(def).kind == ItemKind::TypeAlias)
    }

    /// `ty::name` in a type, by the bounds that hold in `cx`.
    pub(super) fn assoc_type(&mut self, cx: &Cx, ty: Ty, name: Symbol) -> Ty {
        if self.depth > DEPTH {
            return Types::UNKNOWN;
        }
        self.depth += 1;
        let found = self.assoc_type_at_depth(cx, ty, name);
        self.depth -= 1;
        found
    }

    fn assoc_type_at_depth(&mut self, cx: &Cx, ty: Ty, name: Symbol) -> Ty {
        let bounds: Vec<TraitRef> = match self.types.kind(ty).clone() {
            TyKind::Param(owner, _) => {
                if self.map.def(owner).kind == ItemKind::Trait && self.self_type(owner) == ty {
                    let own = self.identity(owner);
                    vec![own]
                } else {
                    self.written_bounds(cx.item, ty, name)
                }
            }
            TyKind::Projection(of, args, assoc) => {
                let mut bounds = self.written_bounds(cx.item, ty, name);
                bounds.extend(self.assoc_bounds(of, &args, assoc, ty));
                bounds
            }
            TyKind::Dyn(bounds) | TyKind::Opaque(bounds) => bounds.to_vec(),
            _ => return Types::UNKNOWN,
        };
        for bound in bounds {
            let mut args = bound.args.to_vec();
            if let Some(first) = args.first_mut() {
                *first = ty;
            }
            let bound = TraitRef { args: args.into(), ..bound };
            if let Some((_, found)) = bound.bindings.iter().find(|(of, _)| *of == name) {
                return *found;
            }
            if let Some(bound) = self.trait_with_assoc(&bound, name) {
                return self.projection_in(bound, name);
            }
        }
        Types::UNKNOWN
    }

    /// The bounds of a type declared by an item or its containers, restricted to traits with an
    /// associated type of that name. Only those are lowered, so that `T: A<T::B>` terminates.
    fn written_bounds(&mut self, item: DefId, ty: Ty, name: Symbol) -> Vec<TraitRef> {
        let mut found = Vec::new();
        let mut next = Some(item);
        while let Some(def) = next {
            next = self.generic_parent(def);
            let Some((_, _, decl)) = self.map.facts(def) else { continue };
            self.map.signature(&mut self.deps, def);
            let own = self.cx_of(def);
            for param in &decl.generics {
                let symbol = self.symbol(&own, param.name);
                if self.param(def, symbol) != Some(ty) {
                    continue;
                }
                for bound in &param.bounds {
                    if self.bound_has_assoc(&own, bound.0, name) {
                        found.extend(self.lower_bound(&own, bound.0, ty));
                    }
                }
            }
            if matches!(self.types.kind(ty), TyKind::Param(..)) {
                continue;
            }
            for (of, bounds) in &decl.wheres {
                let with: Vec<_> = bounds.iter().map(|bound| bound.0).collect();
                let with: Vec<_> = with
                    .into_iter()
                    .filter(|path| self.bound_has_assoc(&own, *path, name))
                    .collect();
                if !with.is_empty() && self.lower(&own, *of) == ty {
                    for path in with {
                        found.extend(self.lower_bound(&own, path, ty));
                    }
                }
            }
        }
        found
    }

    fn bound_has_assoc(&mut self, cx: &Cx, path: PathId, name: Symbol) -> bool {
        let Some(of) = self.trait_at(cx, path) else { return false };
        let mut seen = vec![of];
        let mut at = 0;
        while let Some(of) = seen.get(at).copied() {
            if self.declares_type(of, name) {
                return true;
            }
            for parent in self.super_defs(of) {
                if seen.len() < 64 && !seen.contains(&parent) {
                    seen.push(parent);
                }
            }
            at += 1;
        }
        false
    }
}
