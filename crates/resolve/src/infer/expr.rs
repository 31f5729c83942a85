//! Inference of expressions. Start at [`Infer::expr_of`].

use std::rc::Rc;

use syntax::facts::{Arm, Expr, ExprId, Fields, Literal, Name, PatId, TypeId};

use super::Infer;
use super::body::BodyCtx;
use super::state::Loop;
use super::ty::{Ty, TyKind, Types};
use crate::{DefId, Prim};

impl<'m> Infer<'m> {
    pub(super) fn expr_of(
        &mut self,
        at: &BodyCtx<'m>,
        id: ExprId,
        expr: &'m Expr,
        expected: Option<Ty>,
    ) -> Ty {
        match expr {
            Expr::Path(path) => self.path_expr(*path),
            Expr::Call(callee, args) => self.call(at, *callee, args, expected),
            Expr::MethodCall { receiver, name, offset, generics, args } => {
                self.method_call(*receiver, (*name, *offset), generics, args, expected)
            }
            Expr::Field(base, name, _) => self.field(*base, *name),
            Expr::Index(base, index) => self.index(*base, *index),
            Expr::Struct { path, fields, base } => self.struct_expr(*path, fields, *base, expected),
            Expr::Ref(inner) => self.ref_expr(*inner, expected),
            Expr::Deref(inner) => self.deref_expr(*inner),
            Expr::Unary(op, offset, inner) => self.unary(*op, *offset, *inner),
            Expr::Binary(op, offset, left, right) => self.binary(*op, *offset, *left, *right),
            Expr::Assign(left, right) => {
                let wanted = self.expr(*left, None);
                let found = self.expr(*right, Some(wanted));
                self.coerce(found, wanted);
                Types::UNIT
            }
            Expr::Await(inner) => {
                let ty = self.settled_expr(*inner);
                self.awaited(ty)
            }
            Expr::Try(inner) => {
                let ty = self.expr(*inner, None);
                self.try_type(ty)
            }
            Expr::Cast(inner, ty) => {
                let wanted = self.written(*ty);
                self.expr(*inner, None);
                wanted
            }
            Expr::Tuple(parts) => self.tuple_expr(parts, expected),
            Expr::Array(parts) => self.array_expr(parts, expected),
            Expr::Repeat(value, count) => {
                let ty = self.array_expr(std::slice::from_ref(value), expected);
                self.expr(*count, None);
                ty
            }
            Expr::Range(from, to) => self.range(*from, *to),
            Expr::Closure { params, ret, body, is_async } => {
                self.closure(params, *ret, *body, *is_async, expected)
            }
            Expr::Block(kind, stmts, tail) => self.block(at, id, (*kind, stmts, *tail), expected),
            Expr::If(cond, then, otherwise) => self.if_expr(*cond, *then, *otherwise, expected),
            Expr::Match(on, arms) => self.match_expr(*on, arms, expected),
            Expr::Let(pat, value) => {
                let ty = self.expr(*value, None);
                self.pat(*pat, ty, false);
                Types::BOOL
            }
            Expr::Loop(body) => self.loop_expr(*body),
            Expr::While(cond, body) => self.while_expr(*cond, *body),
            Expr::For(pat, iter, body) => self.for_expr(*pat, *iter, *body),
            Expr::Return(value) => self.return_expr(*value),
            Expr::Break(value) => self.break_expr(*value),
            Expr::Literal(literal) => self.literal(at, *literal),
            Expr::Macro { path, args, is_complete, tokens } => {
                self.macro_expr(at, *path, args, *is_complete, *tokens, expected)
            }
            Expr::Other(parts) => {
                for part in parts {
                    self.expr(*part, None);
                }
                Types::UNKNOWN
            }
        }
    }

    /// Solves the obligations if a type that is about to be inspected is open.
    pub(super) fn settle(&mut self, ty: Ty) {
        if self.is_open(ty) {
            self.solve_obligations();
        }
    }

    /// The type of an expression, with the obligations solved if it is open.
    pub(super) fn settled_expr(&mut self, id: ExprId) -> Ty {
        let ty = self.expr(id, None);
        self.settle(ty);
        ty
    }

    fn ref_expr(&mut self, inner: ExprId, expected: Option<Ty>) -> Ty {
        let expected = expected.and_then(|ty| match self.kind(ty) {
            TyKind::Ref(to) => Some(*to),
            _ => None,
        });
        let ty = self.expr(inner, expected);
        self.types.reference(ty)
    }

    fn tuple_expr(&mut self, parts: &'m [ExprId], expected: Option<Ty>) -> Ty {
        let expected = expected.map(|ty| self.kind(ty).clone());
        let mut types = Vec::with_capacity(parts.len());
        for (number, part) in parts.iter().enumerate() {
            let hint = match &expected {
                Some(TyKind::Tuple(all)) => all.get(number).copied(),
                _ => None,
            };
            types.push(self.expr(*part, hint));
        }
        self.types.tuple(types)
    }

    fn array_expr(&mut self, parts: &'m [ExprId], expected: Option<Ty>) -> Ty {
        let hint = expected.and_then(|ty| match self.kind(ty) {
            TyKind::Array(of) | TyKind::Slice(of) => Some(*of),
            _ => None,
        });
        let of = self.fresh();
        for part in parts {
            let ty = self.expr(*part, hint);
            self.coerce(ty, of);
        }
        self.types.make(TyKind::Array(of))
    }

    fn if_expr(
        &mut self,
        cond: ExprId,
        then: ExprId,
        otherwise: Option<ExprId>,
        expected: Option<Ty>,
    ) -> Ty {
        let mark = self.body.locals.len();
        self.expr(cond, Some(Types::BOOL));
        let then = self.expr(then, expected);
        self.body.locals.truncate(mark);
        match otherwise {
            None => Types::UNIT,
            Some(otherwise) => {
                let otherwise = self.expr(otherwise, expected);
                self.join(&[then, otherwise])
            }
        }
    }

    fn loop_expr(&mut self, body: ExprId) -> Ty {
        let ty = self.fresh();
        self.body.loops.push(Loop { ty, has_break: false });
        self.expr(body, None);
        match self.body.loops.pop() {
            Some(Loop { ty, has_break: true }) => ty,
            _ => Types::NEVER,
        }
    }

    fn while_expr(&mut self, cond: ExprId, body: ExprId) -> Ty {
        let mark = self.body.locals.len();
        self.body.loops.push(Loop { ty: Types::UNIT, has_break: false });
        self.expr(cond, Some(Types::BOOL));
        self.expr(body, None);
        self.body.loops.pop();
        self.body.locals.truncate(mark);
        Types::UNIT
    }

    fn for_expr(&mut self, pat: PatId, iter: ExprId, body: ExprId) -> Ty {
        let iter = self.settled_expr(iter);
        let item = self.iterator_item(iter);
        let mark = self.body.locals.len();
        self.pat(pat, item, false);
        self.body.loops.push(Loop { ty: Types::UNIT, has_break: false });
        self.expr(body, None);
        self.body.loops.pop();
        self.body.locals.truncate(mark);
        Types::UNIT
    }

    fn return_expr(&mut self, value: Option<ExprId>) -> Ty {
        let wanted = self.body.ret;
        if let Some(value) = value {
            let found = self.expr(value, Some(wanted));
            self.coerce(found, wanted);
        }
        Types::NEVER
    }

    fn break_expr(&mut self, value: Option<ExprId>) -> Ty {
        let found = value.map_or(Types::UNIT, |value| self.expr(value, None));
        if let Some(innermost) = self.body.loops.last_mut() {
            innermost.has_break = true;
            let wanted = innermost.ty;
            self.coerce(found, wanted);
        }
        Types::NEVER
    }

    /// Lowers a type written in the body.
    pub(super) fn written(&mut self, id: TypeId) -> Ty {
        let Some(cx) = self.cx() else { return Types::UNKNOWN };
        let ty = self.lower(&cx, id);
        self.normalized(ty)
    }

    pub(super) fn literal(&mut self, at: &BodyCtx<'m>, literal: Literal) -> Ty {
        match literal {
            Literal::Str => Types::STR_REF,
            Literal::ByteStr => {
                let of = self.types.make(TyKind::Array(Types::U8));
                self.types.reference(of)
            }
            Literal::CStr => match self.lang.c_str {
                Some(def) => {
                    let args = self.types.no_args();
                    let ty = self.types.make(TyKind::Adt(def, args));
                    self.types.reference(ty)
                }
                None => Types::UNKNOWN,
            },
            Literal::Char => Types::CHAR,
            Literal::Suffixed(name) => {
                let text = self.name(at, name);
                match Prim::ALL.iter().find(|prim| prim.as_str() == text) {
                    Some(prim) => self.types.prim(*prim),
                    None => Types::UNKNOWN,
                }
            }
            Literal::Int => self.fresh_int(),
            Literal::Float => self.fresh_float(),
            Literal::Bool => Types::BOOL,
        }
    }

    pub(super) fn name(&self, at: &BodyCtx<'m>, name: Name) -> &'m str {
        self.facts_of(at.file).names.get(name.idx()).map_or("", |name| name)
    }

    /// The common type of a value's alternatives.
    pub(super) fn join(&mut self, types: &[Ty]) -> Ty {
        if types.iter().all(|ty| *ty == Types::NEVER) {
            return Types::NEVER;
        }
        let joined = self.fresh();
        for ty in types {
            self.coerce(*ty, joined);
        }
        // If one alternative is unknown, the others may have been coerced to its type.
        self.shallow(joined)
    }

    fn match_expr(&mut self, on: ExprId, arms: &'m [Arm], expected: Option<Ty>) -> Ty {
        let on = self.expr(on, None);
        let mut types = Vec::with_capacity(arms.len());
        for arm in arms {
            let mark = self.body.locals.len();
            self.pat(arm.pat, on, false);
            if let Some(guard) = arm.guard {
                self.expr(guard, Some(Types::BOOL));
            }
            types.push(self.expr(arm.value, expected));
            self.body.locals.truncate(mark);
        }
        self.join(&types)
    }

    fn range(&mut self, from: Option<ExprId>, to: Option<ExprId>) -> Ty {
        let of = self.fresh();
        for end in [from, to].into_iter().flatten() {
            let ty = self.expr(end, None);
            self.unify(of, ty);
        }
        let lang = &self.lang;
        let (def, has_arg) = match (from, to) {
            (Some(_), Some(_)) => (lang.range, true),
            (Some(_), None) => (lang.range_from, true),
            (None, Some(_)) => (lang.range_to, true),
            (None, None) => (lang.range_full, false),
        };
        match def {
            Some(def) => {
                let args = if has_arg { Rc::from([of]) } else { self.types.no_args() };
                self.types.make(TyKind::Adt(def, args))
            }
            None => Types::UNKNOWN,
        }
    }

    /// The type of `expr?`.
    pub(super) fn try_type(&mut self, ty: Ty) -> Ty {
        self.settle(ty);
        let TyKind::Adt(def, args) = self.kind(ty).clone() else { return Types::UNKNOWN };
        let def = Some(def);
        if def == self.lang.option || def == self.lang.result {
            return args.first().copied().unwrap_or(Types::UNKNOWN);
        }
        if def == self.lang.control_flow {
            return args.get(1).copied().unwrap_or(Types::UNKNOWN);
        }
        if let Some(poll) = def.filter(|_| def == self.lang.poll)
            && let Some(inner) = args.first().copied()
        {
            return self.try_type_of_poll(poll, inner);
        }
        Types::UNKNOWN
    }

    /// The type of `expr?` for a `Poll<Result<T, E>>` or `Poll<Option<Result<T, E>>>`.
    fn try_type_of_poll(&mut self, poll: DefId, inner: Ty) -> Ty {
        let TyKind::Adt(of, args) = self.kind(inner).clone() else { return Types::UNKNOWN };
        let value = if Some(of) == self.lang.option {
            let value = self.try_type(args.first().copied().unwrap_or(Types::UNKNOWN));
            self.types.make(TyKind::Adt(of, Rc::from([value])))
        } else {
            self.try_type(inner)
        };
        self.types.make(TyKind::Adt(poll, Rc::from([value])))
    }

    /// The item type of a `for` loop over a value.
    pub(super) fn iterator_item(&mut self, ty: Ty) -> Ty {
        match (self.lang.into_iterator, self.lang.item) {
            (Some(of), Some(item)) => self.project(of, Rc::from([ty]), item),
            _ => Types::UNKNOWN,
        }
    }

    /// The type of a constructor: callable for a tuple struct or variant, otherwise the value.
    pub(super) fn constructor(&mut self, def: DefId, args: Rc<[Ty]>) -> Ty {
        let Some(adt) = self.adt_of(def) else { return Types::UNKNOWN };
        match self.shape_of_fields(def) {
            Some(Fields::Tuple(_)) => {
                let subst: Rc<[_]> =
                    if args.is_empty() { Rc::from([]) } else { Rc::from([(adt, args)]) };
                self.types.make(TyKind::FnDef(def, subst))
            }
            _ => self.types.make(TyKind::Adt(adt, args)),
        }
    }
}
