//! Obligations: bounds and projections that wait for a type to become known.

use std::rc::Rc;

use super::Infer;
use super::project::ProjectionOutcome;
use super::select::Selection;
use super::ty::{Args, TraitRef, Ty, TyKind};
use crate::{DefId, Symbol};

/// A bound or a projection to solve when its types are known.
#[derive(Clone, Debug)]
pub(super) enum Obligation {
    Bound(TraitRef),
    Projection(DefId, Args, Symbol, Ty),
}

impl Infer<'_> {
    /// Registers the bounds of a definition that can determine types.
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
        self.body.obligations.push(Obligation::Bound(TraitRef { of: bound.of, args, bindings }));
    }

    /// Solves obligations as far as types are known.
    pub(super) fn solve_obligations(&mut self) {
        for _ in 0..8 {
            if self.body.obligations.is_empty() && self.body.deferred_calls.is_empty() {
                return;
            }
            if self.body.solved_at == (self.body.vars.bound, self.body.obligations.len()) {
                return;
            }
            let before = self.body.vars.bound;
            for obligations in std::mem::take(&mut self.body.obligations) {
                if let Some(obligations) = self.solve_obligation(obligations) {
                    self.body.obligations.push(obligations);
                }
            }
            self.body.solved_at = (self.body.vars.bound, self.body.obligations.len());
            self.retry_deferred_calls();
            if before == self.body.vars.bound {
                return;
            }
        }
    }

    fn solve_obligation(&mut self, obligations: Obligation) -> Option<Obligation> {
        match obligations {
            Obligation::Projection(of, args, name, var) => {
                match self.try_project(of, &args, name) {
                    ProjectionOutcome::Is(ty) => {
                        self.unify(var, ty);
                    }
                    ProjectionOutcome::Rigid => {
                        let ty = self.types.make(TyKind::Projection(of, args, name));
                        self.unify(var, ty);
                    }
                    ProjectionOutcome::Later => {
                        return Some(Obligation::Projection(of, args, name, var));
                    }
                }
                None
            }
            Obligation::Bound(bound) => {
                self.solve_bound(&bound).then_some(Obligation::Bound(bound))
            }
        }
    }

    /// Unifies types by a bound; returns whether it must wait.
    fn solve_bound(&mut self, bound: &TraitRef) -> bool {
        let Some(self_ty) = bound.args.first().map(|ty| self.shallow(*ty)) else { return false };
        match self.types.kind(self_ty) {
            TyKind::Unknown => return false,
            TyKind::Var(_) => return true,
            TyKind::Closure(..) | TyKind::FnDef(..) | TyKind::FnPtr(..)
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
                    let mark = self.body.vars.snapshot();
                    match self.match_impl(def, bound) {
                        Some(args) => {
                            self.body.vars.commit(mark);
                            self.add_predicates(def, &[(def, args)]);
                        }
                        None => self.body.vars.rollback(mark),
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
            // The binding may belong to a supertrait.
            let plain = TraitRef { bindings: Rc::from([]), ..bound.clone() };
            if let Some(of) = self.trait_with_assoc(&plain, *name) {
                let found = self.project(of.of, of.args, *name);
                self.unify(*ty, found);
            }
        }
        false
    }
}
