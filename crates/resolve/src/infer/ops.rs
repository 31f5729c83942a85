//! Inference of operators: built-in ones, and methods of operator traits.

use std::rc::Rc;

use syntax::facts::{Arithmetic, BinaryOp, ExprId, UnaryOp};

use super::Infer;
use super::sites::CallTarget;
use super::ty::{TraitRef, Ty, TyKind, Types};
use crate::{DefId, Namespace};

impl<'m> Infer<'m> {
    pub(super) fn deref_expr(&mut self, inner: ExprId) -> Ty {
        let ty = self.settled_expr(inner);
        match *self.kind(ty) {
            TyKind::Ref(to) | TyKind::Ptr(to) => to,
            _ => self.deref(ty).unwrap_or(Types::UNKNOWN),
        }
    }

    pub(super) fn unary(&mut self, op: UnaryOp, offset: u32, inner: ExprId) -> Ty {
        let ty = self.settled_expr(inner);
        if self.is_builtin(ty) {
            return self.peeled_number(ty);
        }
        let of = match op {
            UnaryOp::Neg => self.lang.neg,
            UnaryOp::Not => self.lang.not,
        };
        self.operator(of, offset, ty, None)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, offset: u32, left: ExprId, right: ExprId) -> Ty {
        if op == BinaryOp::Lazy {
            self.expr(left, Some(Types::BOOL));
            self.expr(right, Some(Types::BOOL));
            return Types::BOOL;
        }
        let left = self.expr(left, None);
        let right = self.expr(right, None);
        if self.is_open(left) || self.is_open(right) {
            self.solve_obligations();
        }
        match op {
            BinaryOp::Lazy => Types::BOOL,
            BinaryOp::Eq | BinaryOp::Ord => {
                if self.is_builtin(left) {
                    // The operands have the same type except for references.
                    self.agree(left, right);
                } else {
                    let of = if op == BinaryOp::Eq {
                        self.lang.partial_eq
                    } else {
                        self.lang.partial_ord
                    };
                    self.operator(of, offset, left, Some(right));
                }
                Types::BOOL
            }
            BinaryOp::Arithmetic(which, assigns) => {
                if self.is_builtin(left) && (self.is_builtin(right) || self.is_open(right)) {
                    let is_shift = matches!(which, Arithmetic::Shl | Arithmetic::Shr);
                    let ty = self.peeled_number(left);
                    if !is_shift {
                        self.agree(left, right);
                    }
                    return if assigns { Types::UNIT } else { ty };
                }
                let of = self.lang.arithmetic(which, assigns);
                let ty = self.operator(of, offset, left, Some(right));
                if assigns { Types::UNIT } else { ty }
            }
        }
    }

    /// Unifies the operands of a built-in operator.
    fn agree(&mut self, left: Ty, right: Ty) {
        let (left, right) = (self.peeled_number(left), self.peeled_number(right));
        if self.number_var(left).is_some() || self.number_var(right).is_some() {
            self.try_unify(left, right);
        }
    }

    /// Whether the operators of a type are built in.
    fn is_builtin(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Ref(to) => match self.kind(*to) {
                TyKind::Prim(_) => true,
                TyKind::Var(_) => self.number_var(*to).is_some(),
                _ => false,
            },
            TyKind::Prim(_) | TyKind::Ptr(_) | TyKind::Never => true,
            TyKind::Var(_) => self.number_var(ty).is_some(),
            _ => false,
        }
    }

    fn peeled_number(&self, ty: Ty) -> Ty {
        match self.kind(ty) {
            TyKind::Ref(to) => self.shallow(*to),
            _ => self.shallow(ty),
        }
    }

    /// An operator of a trait: its type, and a call site if the impl is in the workspace.
    fn operator(&mut self, of: Option<DefId>, offset: u32, left: Ty, right: Option<Ty>) -> Ty {
        let Some(of) = of else { return Types::UNKNOWN };
        let members = self.map.members(&mut self.deps, of).to_vec();
        let Some(method) = members.iter().copied().find(|def| self.is_fn(*def)) else {
            return Types::UNKNOWN;
        };
        let mut args = vec![left];
        if let Some(right) = right {
            // Comparisons take their operands by reference implicitly.
            args.push(right);
        }
        let args: Rc<[Ty]> = args.into();
        if matches!(self.kind(left), TyKind::Var(_) | TyKind::Unknown) {
            return Types::UNKNOWN;
        }
        if let Some(name) = self.map.def(method).name {
            let target = CallTarget::Operator { method, args: args.clone() };
            let site = self.call_site(offset, name, true, target);
            self.push_call_site(site);
        }
        match self.lang.output {
            Some(output)
                if self.map.member(&mut self.deps, of, output, Namespace::Type).is_some() =>
            {
                self.project(of, args, output)
            }
            _ => Types::UNKNOWN,
        }
    }

    pub(super) fn index(&mut self, base: ExprId, index: ExprId) -> Ty {
        let base = self.expr(base, None);
        let index = self.expr(index, None);
        self.settle(base);
        let (Some(of), Some(output)) = (self.lang.index, self.lang.output) else {
            return Types::UNKNOWN;
        };
        for step in self.deref_steps(base) {
            match self.types.kind(step).clone() {
                TyKind::Array(elem) | TyKind::Slice(elem) => {
                    return match self.is_range(index) {
                        true => self.types.make(TyKind::Slice(elem)),
                        false => {
                            self.fix_index(index);
                            elem
                        }
                    };
                }
                TyKind::Prim(crate::Prim::Str) => return Types::STR,
                TyKind::Adt(def, args) if Some(def) == self.lang.vec => {
                    let elem = args.first().copied().unwrap_or(Types::UNKNOWN);
                    return match self.is_range(index) {
                        true => self.types.make(TyKind::Slice(elem)),
                        false => {
                            self.fix_index(index);
                            elem
                        }
                    };
                }
                TyKind::Var(_) | TyKind::Unknown => return Types::UNKNOWN,
                _ => {}
            }
            let bound = TraitRef { of, args: Rc::from([step, index]), bindings: Rc::from([]) };
            let before = self.body.obligations.len();
            let holds = self.holds(&bound, 0);
            self.body.obligations.truncate(before);
            if holds != super::select::Holds::No {
                return self.project(of, bound.args, output);
            }
        }
        Types::UNKNOWN
    }

    fn fix_index(&mut self, index: Ty) {
        if self.number_var(index).is_some() {
            self.unify(index, Types::USIZE);
        }
    }

    fn is_range(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Adt(def, _) => {
                let def = Some(*def);
                let lang = &self.lang;
                [lang.range, lang.range_from, lang.range_to, lang.range_full].contains(&def)
            }
            _ => false,
        }
    }
}
