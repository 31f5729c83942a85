//! Impl selection: finds the impl for a bound, or that there are several, none, or not yet enough
//! types. Start at [`Infer::select`].

use std::rc::Rc;

use base::ItemKind;

use super::Infer;
use super::assume::Assumption;
use super::ty::{Args, TraitRef, Ty, TyKind};
use crate::{DefId, Prim, Symbol, TypeHead};

/// The depth up to which bounds of impls are checked during selection.
const DEPTH: u32 = 5;

/// The impls for a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Selection {
    /// Exactly this impl.
    One(DefId),
    /// Several impls (so far).
    Several(Vec<DefId>),
    /// No impl.
    None,
    /// The type is unknown (so far).
    Unknown,
}

/// Whether a bound holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Yes,
    No,
    Maybe,
}

impl Infer<'_> {
    /// The head under which impls for a type are found; `None`: only blanket impls apply.
    pub(super) fn head(&self, ty: Ty) -> Option<TypeHead> {
        Some(match self.kind(ty) {
            TyKind::Adt(def, _) => TypeHead::Adt(*def),
            TyKind::Prim(prim) => TypeHead::Prim(*prim),
            TyKind::Ref(_) => TypeHead::Ref,
            TyKind::Ptr(_) => TypeHead::Ptr,
            TyKind::Slice(_) => TypeHead::Slice,
            TyKind::Array(_) => TypeHead::Array,
            TyKind::Tuple(_) => TypeHead::Tuple,
            TyKind::FnPtr(..) => TypeHead::Fn,
            TyKind::Never => TypeHead::Never,
            TyKind::Dyn(bounds) => TypeHead::Dyn(bounds.first()?.of),
            TyKind::Unknown
            | TyKind::External(_)
            | TyKind::ExternalResult(..)
            | TyKind::PinProjection(..) => TypeHead::Unknown,
            TyKind::FnDef(..)
            | TyKind::Closure(..)
            | TyKind::Param(..)
            | TyKind::Opaque(_)
            | TyKind::Projection(..)
            | TyKind::Var(_) => return None,
        })
    }

    /// The impls of a trait for a type head, including blanket impls.
    pub(super) fn impls(&mut self, of: DefId, head: Option<TypeHead>) -> Rc<[DefId]> {
        if let Some(impls) = self.lookups.impls_by_head.get(&(of, head)) {
            return impls.clone();
        }
        let mut impls = Vec::new();
        let heads = [head, Some(TypeHead::Param)];
        for head in heads.into_iter().flatten() {
            impls.extend_from_slice(self.map.impls_for(&mut self.deps, of, head));
        }
        let impls: Rc<[DefId]> = impls.into();
        self.lookups.impls_by_head.insert((of, head), impls.clone());
        impls
    }

    /// The impls for a bound.
    pub(super) fn select(&mut self, bound: &TraitRef, depth: u32) -> Selection {
        let Some(self_ty) = bound.args.first().map(|ty| self.shallow(*ty)) else {
            return Selection::None;
        };
        if matches!(self.types.kind(self_ty), TyKind::Unknown | TyKind::Var(_)) || depth > DEPTH {
            return Selection::Unknown;
        }
        let Some((args, is_of_item)) = self.closed(&bound.args) else {
            return self.select_among(bound, self_ty, depth);
        };
        let key = (bound.of, args, depth, self.item.is_active);
        let known = if is_of_item { &self.item.selected } else { &self.lookups.selected };
        if let Some(known) = known.get(&key) {
            return known.clone();
        }
        let assumed = self.assumptions.count;
        let found = self.select_among(bound, self_ty, depth);
        // A declaration that is being lowered is incomplete, and an assumption may be denied.
        if self.lowering == 0 && self.assumptions.count == assumed {
            let known =
                if is_of_item { &mut self.item.selected } else { &mut self.lookups.selected };
            known.insert(key, found.clone());
        }
        found
    }

    /// Arguments without variables, and whether the result depends on the bounds of the current
    /// item.
    fn closed(&mut self, args: &Args) -> Option<(Args, bool)> {
        let has_var = |infer: &Self, args: &[Ty]| args.iter().any(|ty| infer.types.has_var(*ty));
        let mut args = args.clone();
        if has_var(self, &args) {
            args = args.iter().map(|ty| self.resolved(*ty)).collect();
            if has_var(self, &args) {
                return None;
            }
        }
        let is_of_item = self.item.env_is_wide || args.iter().any(|ty| self.types.has_param(*ty));
        Some((args, is_of_item))
    }

    fn select_among(&mut self, bound: &TraitRef, self_ty: Ty, depth: u32) -> Selection {
        let head = self.head(self_ty);
        let mut found = Vec::new();
        for def in self.impls(bound.of, head).iter() {
            if !self.map.def(*def).is_active && self.excludes_inactive(*def) {
                continue;
            }
            if self.is_for_another(*def, bound) {
                continue;
            }
            let (before, vars) = (self.body.obligations.len(), self.body.vars.len());
            let mark = self.body.vars.snapshot();
            let fits = self.match_impl(*def, bound).is_some_and(|args| {
                let subst = [(*def, args)];
                let predicates = self.predicates(*def);
                predicates.iter().all(|predicate| {
                    let predicate = self.types.subst_trait_ref(predicate, &subst);
                    let predicate = self.normalized_trait_ref(&predicate);
                    self.holds(&predicate, depth + 1) != Holds::No
                })
            });
            self.body.vars.rollback(mark);
            self.body.obligations.truncate(before);
            self.body.vars.truncate(vars);
            if fits {
                found.push(*def);
            }
        }
        match found.as_slice() {
            [] => Selection::None,
            [one] => Selection::One(*one),
            _ => Selection::Several(found),
        }
    }

    /// Active code cannot use cfg-disabled impls; disabled code can.
    fn excludes_inactive(&self, _def: DefId) -> bool {
        self.item.is_active
    }

    /// Fast rejection by an impl's header: most impls of a trait are for other types.
    fn is_for_another(&mut self, def: DefId, bound: &TraitRef) -> bool {
        let Some(header) = self.impl_trait(def) else { return true };
        let mut pairs = header.args.iter().zip(bound.args.iter());
        pairs.any(|(theirs, ours)| self.differs(*theirs, *ours, 0))
    }

    /// Unifies an impl's header with a bound; returns the impl's arguments.
    pub(super) fn match_impl(&mut self, def: DefId, bound: &TraitRef) -> Option<Args> {
        let header = self.impl_trait(def)?;
        let count = self.generics(def).params.len();
        let args = self.fresh_args(count);
        let subst = [(def, args.clone())];
        for (theirs, ours) in header.args.iter().zip(bound.args.iter()) {
            let theirs = self.types.subst(*theirs, &subst);
            let theirs = self.normalized(theirs);
            if !self.unify(theirs, *ours) {
                return None;
            }
        }
        Some(args)
    }

    /// Whether a bound holds.
    pub(super) fn holds(&mut self, bound: &TraitRef, depth: u32) -> Holds {
        let Some(self_ty) = bound.args.first().map(|ty| self.shallow(*ty)) else {
            return Holds::Maybe;
        };
        if self.lang.is_marker(bound.of) {
            return Holds::Yes;
        }
        if let Some(whole) = self.number_var(self_ty) {
            return self.number_holds(bound, whole, depth);
        }
        match self.types.kind(self_ty) {
            TyKind::Unknown | TyKind::Var(_) => return Holds::Maybe,
            TyKind::Closure(..) | TyKind::FnDef(..) | TyKind::FnPtr(..)
                if self.lang.is_fn_trait(bound.of) || self.lang.is_copy_or_clone(bound.of) =>
            {
                return Holds::Yes;
            }
            TyKind::Ref(_) | TyKind::Ptr(_) | TyKind::Never | TyKind::Prim(_)
                if self.lang.is_copy_or_clone(bound.of) =>
            {
                return Holds::Yes;
            }
            TyKind::Tuple(_) | TyKind::Array(_)
                if self.lang.is_copy_or_clone(bound.of) || self.lang.is_derivable(bound.of) =>
            {
                return Holds::Yes;
            }
            TyKind::Adt(def, _) => {
                let def = *def;
                if self.derives(def, bound.of) {
                    return Holds::Yes;
                }
            }
            _ => {}
        }
        for known in self.bounds_of(self_ty).iter() {
            if known.of == bound.of && self.could_equal(known, bound) {
                return Holds::Yes;
            }
        }
        match self.select(bound, depth) {
            Selection::One(_) | Selection::Several(_) => Holds::Yes,
            Selection::None => Holds::No,
            Selection::Unknown => Holds::Maybe,
        }
    }

    fn number_holds(&mut self, bound: &TraitRef, whole: bool, depth: u32) -> Holds {
        let prims: &[Prim] = if whole { &[Prim::I32, Prim::Usize, Prim::U8] } else { &[Prim::F64] };
        for prim in prims.iter().copied() {
            let mut args = bound.args.to_vec();
            if let Some(first) = args.first_mut() {
                *first = self.types.prim(prim);
            }
            let bound = TraitRef { args: args.into(), ..bound.clone() };
            if self.holds(&bound, depth + 1) != Holds::No {
                return Holds::Maybe;
            }
        }
        Holds::No
    }

    /// Whether two bounds of the same trait could be equal; leaves no bindings.
    pub(super) fn could_equal(&mut self, a: &TraitRef, b: &TraitRef) -> bool {
        let mark = self.body.vars.snapshot();
        let fits = a.args.iter().zip(b.args.iter()).all(|(a, b)| self.unify(*a, *b));
        self.body.vars.rollback(mark);
        fits
    }

    /// Whether a type derives a trait.
    pub(super) fn derives(&mut self, def: DefId, of: DefId) -> bool {
        let Some(name) = self.map.def(of).name else { return false };
        if !self.decls.derives.contains_key(&def) {
            let derives = self.derives_of(def);
            self.decls.derives.insert(def, derives);
        }
        let Some(derives) = self.decls.derives.get(&def) else { return false };
        if !derives.contains(&name) {
            return false;
        }
        self.lang.is_built_in_derive(of) || self.assume(Assumption::Derive)
    }

    fn derives_of(&mut self, def: DefId) -> Rc<[Symbol]> {
        let Some((_, item, _)) = self.map.facts(def) else { return Rc::from([]) };
        self.map.signature(&mut self.deps, def);
        derive_paths(&item.attributes)
            .filter_map(|path| {
                let name = path.rsplit("::").next().unwrap_or(path);
                self.map.symbol(name.trim())
            })
            .collect()
    }

    /// The bounds that hold for a type in the current item, including supertraits.
    pub(super) fn bounds_of(&mut self, ty: Ty) -> Rc<[TraitRef]> {
        let ty = self.resolved(ty);
        let kind = self.types.kind(ty).clone();
        let own = matches!(
            kind,
            TyKind::Param(..) | TyKind::Projection(..) | TyKind::Dyn(_) | TyKind::Opaque(_)
        );
        if !own && !self.item.env_is_wide {
            return self.decls.no_bounds.clone();
        }
        if let Some(bounds) = self.body.bounds_by_type.get(&ty) {
            return bounds.clone();
        }
        let env = self.item.env.clone();
        let mut all: Vec<TraitRef> = Vec::new();
        for known in env.iter() {
            if known.args.first() == Some(&ty) {
                all.push(known.clone());
            }
        }
        match kind {
            TyKind::Projection(of, args, name) => {
                all.extend(self.assoc_bounds(of, &args, name, ty));
            }
            TyKind::Dyn(bounds) | TyKind::Opaque(bounds) => {
                for bound in bounds.iter() {
                    let mut args = bound.args.to_vec();
                    if let Some(first) = args.first_mut() {
                        *first = ty;
                    }
                    all.push(TraitRef { args: args.into(), ..bound.clone() });
                }
            }
            _ => {}
        }
        let mut at = 0;
        while let Some(bound) = all.get(at).cloned() {
            for parent in self.supertraits(&bound) {
                if all.len() < 128 && !all.contains(&parent) {
                    all.push(parent);
                }
            }
            at += 1;
        }
        let all: Rc<[TraitRef]> = all.into();
        if !self.types.has_var(ty) {
            self.body.bounds_by_type.insert(ty, all.clone());
        }
        all
    }

    /// Whether a definition belongs to the workspace and can be shown to users.
    pub(super) fn is_local(&self, def: DefId) -> bool {
        !self.map.is_std(def) && self.map.def(def).kind != ItemKind::Import
    }
}

/// The paths in `#[derive(…)]`, as written; also those inside `cfg_attr`.
pub(super) fn derive_paths(attributes: &[String]) -> impl Iterator<Item = &str> {
    attributes.iter().flat_map(|attribute| {
        let mut all = Vec::new();
        let mut rest = attribute.as_str();
        while let Some(at) = rest.find("derive(") {
            rest = &rest[at + "derive(".len()..];
            let end = rest.find(')').unwrap_or(rest.len());
            all.extend(rest[..end].split(',').map(str::trim).filter(|path| !path.is_empty()));
            rest = &rest[end..];
        }
        all
    })
}
