//! Bounds and associated types that wait for a type to become known.

use std::rc::Rc;

use super::Infer;
use super::project::Projected;
use super::select::Selection;
use super::ty::{Args, Kind, TraitRef, Ty};
use crate::{DefId, Symbol};

/// What waits for a type to become known.
#[derive(Clone, Debug)]
pub(super) enum Pending {
    Bound(TraitRef),
    Projection(DefId, Args, Symbol, Ty),
}

impl Infer<'_> {
    /// Registers the bounds of a definition from which something can be learnt.
    pub(super) fn add_predicates(&mut self, def: DefId, subst: &[(DefId, Args)]) {
        let predicates = self.predicates(def);
        for predicate in predicates.iter() {
            if predicate.args.len() > 1 || !predicate.bindings.is_empty() {
                let bound = self.types.subst_trait_ref(predicate, subst);
                self.add_bound(bound);
            }
        }
    }

    pub(super) fn add_bound(&mut self, bound: TraitRef) {
        let args = bound.args.iter().map(|ty| self.normalized(*ty)).collect();
        let bindings: Vec<_> = bound.bindings.to_vec();
        let bindings = bindings.into_iter().map(|(name, ty)| (name, self.normalized(ty))).collect();
        self.pending.push(Pending::Bound(TraitRef { of: bound.of, args, bindings }));
    }

    /// Works off what waits, as far as types are known.
    pub(super) fn settle(&mut self) {
        for _ in 0..8 {
            if self.pending.is_empty() && self.waiting.is_empty() {
                return;
            }
            if self.settled_at == (self.vars.bound, self.pending.len()) {
                return;
            }
            let before = self.vars.bound;
            for pending in std::mem::take(&mut self.pending) {
                if let Some(pending) = self.work_off(pending) {
                    self.pending.push(pending);
                }
            }
            self.settled_at = (self.vars.bound, self.pending.len());
            self.retry_waiting();
            if before == self.vars.bound {
                return;
            }
        }
    }

    fn work_off(&mut self, pending: Pending) -> Option<Pending> {
        match pending {
            Pending::Projection(of, args, name, var) => {
                match self.try_project(of, &args, name) {
                    Projected::Is(ty) => {
                        self.unify(var, ty);
                    }
                    Projected::Rigid => {
                        let ty = self.types.make(Kind::Projection(of, args, name));
                        self.unify(var, ty);
                    }
                    Projected::Later => return Some(Pending::Projection(of, args, name, var)),
                }
                None
            }
            Pending::Bound(bound) => self.work_off_bound(&bound).then_some(Pending::Bound(bound)),
        }
    }

    /// Learns from a bound; whether it must wait.
    fn work_off_bound(&mut self, bound: &TraitRef) -> bool {
        let Some(self_ty) = bound.args.first().map(|ty| self.shallow(*ty)) else { return false };
        match self.types.kind(self_ty) {
            Kind::Unknown => return false,
            Kind::Var(_) => return true,
            Kind::Closure(..) | Kind::FnDef(..) | Kind::FnPtr(..)
                if self.lang.is_fn_trait(bound.of) =>
            {
                if let Some((params, ret)) = self.callable(self_ty) {
                    if let Some(input) = bound.args.get(1) {
                        let tuple = self.types.tuple(params);
                        self.unify(*input, tuple);
                    }
                    for (_, ty) in bound.bindings.iter() {
                        let ret = self.fn_output(bound.of, ret);
                        self.unify(*ty, ret);
                    }
                }
                return false;
            }
            _ => {}
        }
        let known: Vec<TraitRef> = (self.bounds_of(self_ty).iter())
            .filter(|known| known.of == bound.of)
            .cloned()
            .collect();
        let known: Vec<_> =
            known.into_iter().filter(|known| self.could_equal(known, bound)).collect();
        if let [only] = known.as_slice() {
            for (ours, theirs) in bound.args.iter().zip(only.args.iter()) {
                let theirs = self.normalized(*theirs);
                self.unify(*ours, theirs);
            }
        } else if known.is_empty() {
            match self.select(bound, 0) {
                Selection::One(def) => {
                    let mark = self.vars.mark();
                    match self.match_impl(def, bound) {
                        Some(args) => {
                            self.vars.keep(mark);
                            self.add_predicates(def, &[(def, args)]);
                        }
                        None => self.vars.take_back(mark),
                    }
                }
                Selection::Several(_) => {
                    return bound.args.iter().any(|ty| {
                        let ty = self.resolved(*ty);
                        self.types.has_var(ty)
                    });
                }
                Selection::None | Selection::Unknown => return false,
            }
        } else {
            return false;
        }
        for (name, ty) in bound.bindings.iter() {
            // The binding may be of a supertrait.
            let plain = TraitRef { bindings: Rc::from([]), ..bound.clone() };
            if let Some(of) = self.trait_with_assoc(&plain, *name) {
                let found = self.project(of.of, of.args, *name);
                self.unify(*ty, found);
            }
        }
        false
    }
}
