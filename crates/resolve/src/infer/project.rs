//! Associated types: projections and their normalization.

use std::rc::Rc;

use super::Infer;
use super::assume::Assumption;
use super::obligations::Obligation;
use super::select::Selection;
use super::ty::{Args, TraitRef, Ty, TyKind, Types};
use crate::{DefId, Namespace, Symbol};

/// The result of a projection.
pub(super) enum ProjectionOutcome {
    Is(Ty),
    /// Not reducible: it stays this projection.
    Rigid,
    /// The type is not known yet.
    Later,
}

impl Infer<'_> {
    /// Normalizes the projections in a type; those that cannot be decided yet become variables.
    pub(super) fn normalized(&mut self, ty: Ty) -> Ty {
        self.normalized_at(ty, 0)
    }

    fn normalized_at(&mut self, ty: Ty, depth: u32) -> Ty {
        if !self.types.has_projection(ty) {
            return ty;
        }
        if depth > 16 || self.depth > 40 {
            return Types::UNKNOWN;
        }
        match self.types.kind(ty).clone() {
            TyKind::Projection(of, args, name) => {
                let args: Args =
                    args.iter().map(|arg| self.normalized_at(*arg, depth + 1)).collect();
                self.project(of, args, name)
            }
            TyKind::ExternalResult(path, args) => {
                let result = self.lang.result.filter(|_| self.assume(Assumption::ExternalResult));
                let Some(result) = result else { return self.types.make(TyKind::External(path)) };
                let args = args.iter().map(|arg| self.normalized_at(*arg, depth + 1)).collect();
                self.types.make(TyKind::Adt(result, args))
            }
            TyKind::Dyn(_) | TyKind::Opaque(_) => {
                // Their parts may be projections of variables, which are decided when the bound is
                // used.
                self.normalized_bounds(ty, depth)
            }
            TyKind::Adt(def, args) => {
                let args = args.iter().map(|arg| self.normalized_at(*arg, depth + 1)).collect();
                self.types.make(TyKind::Adt(def, args))
            }
            TyKind::Tuple(args) => {
                let args = args.iter().map(|arg| self.normalized_at(*arg, depth + 1)).collect();
                self.types.make(TyKind::Tuple(args))
            }
            TyKind::Ref(to) => {
                let to = self.normalized_at(to, depth + 1);
                self.types.reference(to)
            }
            TyKind::Ptr(to) => {
                let to = self.normalized_at(to, depth + 1);
                self.types.make(TyKind::Ptr(to))
            }
            TyKind::Slice(to) => {
                let to = self.normalized_at(to, depth + 1);
                self.types.make(TyKind::Slice(to))
            }
            TyKind::Array(to) => {
                let to = self.normalized_at(to, depth + 1);
                self.types.make(TyKind::Array(to))
            }
            TyKind::FnPtr(args, ret) => {
                let args = args.iter().map(|arg| self.normalized_at(*arg, depth + 1)).collect();
                let ret = self.normalized_at(ret, depth + 1);
                self.types.make(TyKind::FnPtr(args, ret))
            }
            _ => ty,
        }
    }

    fn normalized_bounds(&mut self, ty: Ty, depth: u32) -> Ty {
        let (TyKind::Dyn(bounds) | TyKind::Opaque(bounds)) = self.types.kind(ty).clone() else {
            return ty;
        };
        let mut all = Vec::new();
        for bound in bounds.iter() {
            let args = bound.args.iter().map(|arg| self.normalized_at(*arg, depth + 1)).collect();
            let bindings = bound.bindings.iter();
            let bindings =
                bindings.map(|(name, ty)| (*name, self.normalized_at(*ty, depth + 1))).collect();
            all.push(TraitRef { of: bound.of, args, bindings });
        }
        let is_dyn = matches!(self.types.kind(ty), TyKind::Dyn(_));
        self.types.make(if is_dyn { TyKind::Dyn(all.into()) } else { TyKind::Opaque(all.into()) })
    }

    pub(super) fn normalized_trait_ref(&mut self, of: &TraitRef) -> TraitRef {
        let args = of.args.iter().map(|ty| self.normalized(*ty)).collect();
        let bindings = of.bindings.iter().map(|(name, ty)| (*name, self.normalized(*ty))).collect();
        TraitRef { of: of.of, args, bindings }
    }

    /// `<args[0] as of<…>>::name`; a variable if it cannot be decided yet.
    pub(super) fn project(&mut self, of: DefId, args: Args, name: Symbol) -> Ty {
        self.depth += 1;
        let found = self.try_project(of, &args, name);
        self.depth -= 1;
        match found {
            ProjectionOutcome::Is(ty) => ty,
            ProjectionOutcome::Rigid => self.types.make(TyKind::Projection(of, args, name)),
            ProjectionOutcome::Later => {
                let var = self.fresh();
                self.body.obligations.push(Obligation::Projection(of, args, name, var));
                var
            }
        }
    }

    pub(super) fn try_project(
        &mut self,
        of: DefId,
        args: &Args,
        name: Symbol,
    ) -> ProjectionOutcome {
        let Some(self_ty) = args.first().map(|ty| self.shallow(*ty)) else {
            return ProjectionOutcome::Is(Types::UNKNOWN);
        };
        if self.depth > 40 {
            return ProjectionOutcome::Is(Types::UNKNOWN);
        }
        match self.types.kind(self_ty).clone() {
            TyKind::Unknown | TyKind::External(_) | TyKind::Never => {
                return ProjectionOutcome::Is(Types::UNKNOWN);
            }
            TyKind::Var(_) => return ProjectionOutcome::Later,
            TyKind::Closure(..) | TyKind::FnDef(..) | TyKind::FnPtr(..)
                if self.lang.is_fn_trait(of) =>
            {
                return ProjectionOutcome::Is(
                    self.callable(self_ty).map_or(Types::UNKNOWN, |(_, ret)| ret),
                );
            }
            _ => {}
        }
        let bound = TraitRef { of, args: args.clone(), bindings: Rc::from([]) };
        for known in self.bounds_of(self_ty).iter() {
            if known.of != of || !self.could_equal(known, &bound) {
                continue;
            }
            for (ours, theirs) in args.iter().zip(known.args.iter()) {
                self.unify(*ours, *theirs);
            }
            return match known.bindings.iter().find(|(of, _)| *of == name) {
                Some((_, ty)) => ProjectionOutcome::Is(self.normalized(*ty)),
                None => ProjectionOutcome::Rigid,
            };
        }
        match self.select(&bound, 0) {
            Selection::One(def) => {
                let Some(impl_args) = self.match_impl(def, &bound) else {
                    return ProjectionOutcome::Is(Types::UNKNOWN);
                };
                self.add_predicates(def, &[(def, impl_args.clone())]);
                ProjectionOutcome::Is(self.assoc_of_impl(def, impl_args, &bound, name))
            }
            Selection::Several(_) => {
                let open = args.iter().any(|ty| {
                    let ty = self.resolved(*ty);
                    self.types.has_var(ty)
                });
                if open { ProjectionOutcome::Later } else { ProjectionOutcome::Is(Types::UNKNOWN) }
            }
            Selection::None => match self.types.kind(self_ty) {
                // It may hold by a bound that is not declared here.
                TyKind::Param(..) | TyKind::Projection(..) => ProjectionOutcome::Rigid,
                _ => ProjectionOutcome::Is(Types::UNKNOWN),
            },
            Selection::Unknown => ProjectionOutcome::Is(Types::UNKNOWN),
        }
    }

    /// The associated type of an impl, or the default of its trait.
    fn assoc_of_impl(&mut self, def: DefId, impl_args: Args, bound: &TraitRef, name: Symbol) -> Ty {
        let own = self.map.member(&mut self.deps, def, name, Namespace::Type);
        let (alias, subst) = match own {
            Some(alias) => (alias, [(def, impl_args)]),
            None => match self.map.member(&mut self.deps, bound.of, name, Namespace::Type) {
                Some(alias) => (alias, [(bound.of, bound.args.clone())]),
                None => return Types::UNKNOWN,
            },
        };
        // The own parameters of a generic associated type are nearly always lifetimes.
        let Some(ty) = self.alias(alias) else { return Types::UNKNOWN };
        let ty = self.types.subst(ty, &subst);
        self.normalized(ty)
    }

    /// `F::Output` for a bound `F: of(…)`, given the return type.
    pub(super) fn fn_output(&mut self, of: DefId, ret: Ty) -> Ty {
        if self.lang.is_async_fn_trait(of) { self.awaited(ret) } else { ret }
    }

    /// The type of `value.await`.
    pub(super) fn awaited(&mut self, ty: Ty) -> Ty {
        let (Some(of), Some(output)) = (self.lang.into_future, self.lang.output) else {
            return Types::UNKNOWN;
        };
        self.project(of, Rc::from([ty]), output)
    }

    /// The type after one dereference, for lookups of methods and fields.
    pub(super) fn deref(&mut self, ty: Ty) -> Option<Ty> {
        let ty = self.shallow(ty);
        match self.types.kind(ty) {
            TyKind::Ref(to) => return Some(*to),
            TyKind::Adt(..) | TyKind::Param(..) | TyKind::Projection(..) | TyKind::Opaque(_) => {}
            TyKind::Dyn(_) => {}
            _ => return None,
        }
        let (of, target) = (self.lang.deref?, self.lang.target?);
        let bound = TraitRef { of, args: Rc::from([ty]), bindings: Rc::from([]) };
        if let TyKind::Adt(..) = self.types.kind(ty) {
            let head = self.head(ty);
            if self.impls(of, head).is_empty() {
                return None;
            }
        } else if !self.bounds_of(ty).iter().any(|known| known.of == of) {
            return None;
        }
        match self.try_project(of, &bound.args, target) {
            ProjectionOutcome::Is(to) => Some(to),
            ProjectionOutcome::Rigid => {
                Some(self.types.make(TyKind::Projection(of, bound.args, target)))
            }
            ProjectionOutcome::Later => None,
        }
    }
}
