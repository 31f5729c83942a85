//! Associated types: what they are, and types with them worked out.

use std::rc::Rc;

use super::Infer;
use super::select::Selection;
use super::settle::Pending;
use super::ty::{Args, Kind, TraitRef, Ty, Types};
use crate::{DefId, Namespace, Symbol};

/// What an associated type turned out to be.
pub(super) enum Projected {
    Is(Ty),
    /// Nothing more can be said than that it is this projection.
    Rigid,
    /// The type is not known yet.
    Later,
}

impl Infer<'_> {
    /// A type with its projections worked out as far as can be; what has to wait is a variable.
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
            Kind::Projection(of, args, name) => {
                let args: Args =
                    args.iter().map(|arg| self.normalized_at(*arg, depth + 1)).collect();
                self.project(of, args, name)
            }
            Kind::Dyn(_) | Kind::Opaque(_) => {
                // Their parts may name projections of variables: those are left for later, when
                // the bound is used.
                self.normalized_bounds(ty, depth)
            }
            Kind::Adt(def, args) => {
                let args = args.iter().map(|arg| self.normalized_at(*arg, depth + 1)).collect();
                self.types.make(Kind::Adt(def, args))
            }
            Kind::Tuple(args) => {
                let args = args.iter().map(|arg| self.normalized_at(*arg, depth + 1)).collect();
                self.types.make(Kind::Tuple(args))
            }
            Kind::Ref(to) => {
                let to = self.normalized_at(to, depth + 1);
                self.types.reference(to)
            }
            Kind::Ptr(to) => {
                let to = self.normalized_at(to, depth + 1);
                self.types.make(Kind::Ptr(to))
            }
            Kind::Slice(to) => {
                let to = self.normalized_at(to, depth + 1);
                self.types.make(Kind::Slice(to))
            }
            Kind::Array(to) => {
                let to = self.normalized_at(to, depth + 1);
                self.types.make(Kind::Array(to))
            }
            Kind::FnPtr(args, ret) => {
                let args = args.iter().map(|arg| self.normalized_at(*arg, depth + 1)).collect();
                let ret = self.normalized_at(ret, depth + 1);
                self.types.make(Kind::FnPtr(args, ret))
            }
            _ => ty,
        }
    }

    fn normalized_bounds(&mut self, ty: Ty, depth: u32) -> Ty {
        let (Kind::Dyn(bounds) | Kind::Opaque(bounds)) = self.types.kind(ty).clone() else {
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
        let is_dyn = matches!(self.types.kind(ty), Kind::Dyn(_));
        self.types.make(if is_dyn { Kind::Dyn(all.into()) } else { Kind::Opaque(all.into()) })
    }

    pub(super) fn normalized_trait_ref(&mut self, of: &TraitRef) -> TraitRef {
        let args = of.args.iter().map(|ty| self.normalized(*ty)).collect();
        let bindings = of.bindings.iter().map(|(name, ty)| (*name, self.normalized(*ty))).collect();
        TraitRef { of: of.of, args, bindings }
    }

    /// `<args[0] as of<…>>::name`; a variable where it must wait.
    pub(super) fn project(&mut self, of: DefId, args: Args, name: Symbol) -> Ty {
        self.depth += 1;
        let found = self.try_project(of, &args, name);
        self.depth -= 1;
        match found {
            Projected::Is(ty) => ty,
            Projected::Rigid => self.types.make(Kind::Projection(of, args, name)),
            Projected::Later => {
                let var = self.fresh();
                self.pending.push(Pending::Projection(of, args, name, var));
                var
            }
        }
    }

    pub(super) fn try_project(&mut self, of: DefId, args: &Args, name: Symbol) -> Projected {
        let Some(self_ty) = args.first().map(|ty| self.shallow(*ty)) else {
            return Projected::Is(Types::UNKNOWN);
        };
        if self.depth > 40 {
            return Projected::Is(Types::UNKNOWN);
        }
        match self.types.kind(self_ty).clone() {
            Kind::Unknown | Kind::External(_) | Kind::Never => {
                return Projected::Is(Types::UNKNOWN);
            }
            Kind::Var(_) => return Projected::Later,
            Kind::Closure(..) | Kind::FnDef(..) | Kind::FnPtr(..) if self.lang.is_fn_trait(of) => {
                return Projected::Is(
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
                Some((_, ty)) => Projected::Is(self.normalized(*ty)),
                None => Projected::Rigid,
            };
        }
        match self.select(&bound, 0) {
            Selection::One(def) => {
                let Some(impl_args) = self.match_impl(def, &bound) else {
                    return Projected::Is(Types::UNKNOWN);
                };
                self.add_predicates(def, &[(def, impl_args.clone())]);
                Projected::Is(self.assoc_of_impl(def, impl_args, &bound, name))
            }
            Selection::Several(_) => {
                let open = args.iter().any(|ty| {
                    let ty = self.resolved(*ty);
                    self.types.has_var(ty)
                });
                if open { Projected::Later } else { Projected::Is(Types::UNKNOWN) }
            }
            Selection::None => match self.types.kind(self_ty) {
                // It may hold by a bound that is not written here.
                Kind::Param(..) | Kind::Projection(..) => Projected::Rigid,
                _ => Projected::Is(Types::UNKNOWN),
            },
            Selection::Unknown => Projected::Is(Types::UNKNOWN),
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
        // A generic associated type has parameters of its own, nearly always lifetimes.
        let Some(ty) = self.alias(alias) else { return Types::UNKNOWN };
        let ty = self.types.subst(ty, &subst);
        self.normalized(ty)
    }

    /// What `F::Output` is for a bound `F: of(…)`, given what calling gives.
    pub(super) fn fn_output(&mut self, of: DefId, ret: Ty) -> Ty {
        if self.lang.is_async_fn_trait(of) { self.awaited(ret) } else { ret }
    }

    /// What awaiting gives.
    pub(super) fn awaited(&mut self, ty: Ty) -> Ty {
        let (Some(of), Some(output)) = (self.lang.into_future, self.lang.output) else {
            return Types::UNKNOWN;
        };
        self.project(of, Rc::from([ty]), output)
    }

    /// What dereferencing once gives, for looking up methods and fields.
    pub(super) fn deref(&mut self, ty: Ty) -> Option<Ty> {
        let ty = self.shallow(ty);
        match self.types.kind(ty) {
            Kind::Ref(to) => return Some(*to),
            Kind::Adt(..) | Kind::Param(..) | Kind::Projection(..) | Kind::Opaque(_) => {}
            Kind::Dyn(_) => {}
            _ => return None,
        }
        let (of, target) = (self.lang.deref?, self.lang.target?);
        let bound = TraitRef { of, args: Rc::from([ty]), bindings: Rc::from([]) };
        if let Kind::Adt(..) = self.types.kind(ty) {
            let head = self.head(ty);
            if self.impls(of, head).is_empty() {
                return None;
            }
        } else if !self.bounds_of(ty).iter().any(|known| known.of == of) {
            return None;
        }
        match self.try_project(of, &bound.args, target) {
            Projected::Is(to) => Some(to),
            Projected::Rigid => Some(self.types.make(Kind::Projection(of, bound.args, target))),
            Projected::Later => None,
        }
    }
}
