//! Inference of expressions. Start at [`Infer::expr_of`].

use std::rc::Rc;

use syntax::facts::{Arm, Expr, ExprId, Fields, Literal, Name, PatId, PathId, TypeId};

use super::Infer;
use super::body::BodyCtx;
use super::obligations::Obligation;
use super::ty::{Ty, TyKind, Types};
use crate::{DefKind, Namespace, Prim, Resolution, Symbol};

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
            Expr::Ref(inner) => {
                let expected = expected.and_then(|ty| match self.kind(ty) {
                    TyKind::Ref(to) => Some(*to),
                    _ => None,
                });
                let ty = self.expr(*inner, expected);
                self.types.reference(ty)
            }
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
                let ty = self.expr(*inner, None);
                if self.is_open(ty) {
                    self.solve_obligations();
                }
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
            Expr::Tuple(parts) => {
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
            Expr::Array(parts) => {
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
            Expr::Range(from, to) => self.range(*from, *to),
            Expr::Closure { params, ret, body, is_async } => {
                self.closure(params, *ret, *body, *is_async, expected)
            }
            Expr::Block(kind, stmts, tail) => self.block(at, id, (*kind, stmts, *tail), expected),
            Expr::If(cond, then, otherwise) => {
                let mark = self.locals.len();
                self.expr(*cond, Some(Types::BOOL));
                let then = self.expr(*then, expected);
                self.locals.truncate(mark);
                match otherwise {
                    None => Types::UNIT,
                    Some(otherwise) => {
                        let otherwise = self.expr(*otherwise, expected);
                        self.join(&[then, otherwise])
                    }
                }
            }
            Expr::Match(on, arms) => self.match_expr(*on, arms, expected),
            Expr::Let(pat, value) => {
                let ty = self.expr(*value, None);
                self.pat(*pat, ty, false);
                Types::BOOL
            }
            Expr::Loop(body) => {
                let ty = self.fresh();
                self.loops.push((ty, false));
                self.expr(*body, None);
                match self.loops.pop() {
                    Some((ty, true)) => ty,
                    _ => Types::NEVER,
                }
            }
            Expr::While(cond, body) => {
                let mark = self.locals.len();
                self.loops.push((Types::UNIT, false));
                self.expr(*cond, Some(Types::BOOL));
                self.expr(*body, None);
                self.loops.pop();
                self.locals.truncate(mark);
                Types::UNIT
            }
            Expr::For(pat, iter, body) => {
                let iter = self.expr(*iter, None);
                if self.is_open(iter) {
                    self.solve_obligations();
                }
                let item = self.iterator_item(iter);
                let mark = self.locals.len();
                self.pat(*pat, item, false);
                self.loops.push((Types::UNIT, false));
                self.expr(*body, None);
                self.loops.pop();
                self.locals.truncate(mark);
                Types::UNIT
            }
            Expr::Return(value) => {
                let wanted = self.ret;
                if let Some(value) = value {
                    let found = self.expr(*value, Some(wanted));
                    self.coerce(found, wanted);
                }
                Types::NEVER
            }
            Expr::Break(value) => {
                let ty = match value {
                    Some(value) => self.expr(*value, None),
                    None => Types::UNIT,
                };
                if let Some((wanted, found)) = self.loops.last_mut() {
                    *found = true;
                    let wanted = *wanted;
                    self.coerce(ty, wanted);
                }
                Types::NEVER
            }
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
            let mark = self.locals.len();
            self.pat(arm.pat, on, false);
            if let Some(guard) = arm.guard {
                self.expr(guard, Some(Types::BOOL));
            }
            types.push(self.expr(arm.value, expected));
            self.locals.truncate(mark);
        }
        self.join(&types)
    }

    pub(super) fn field(&mut self, base: ExprId, name: Name) -> Ty {
        let Some(at) = self.at else { return Types::UNKNOWN };
        let base = self.expr(base, None);
        if self.is_open(base) {
            self.solve_obligations();
        }
        let symbol = self.map.file_symbol(at.file, name);
        self.field_of(base, symbol).unwrap_or(Types::UNKNOWN)
    }

    /// The type of a field, searched along the autoderef steps.
    pub(super) fn field_of(&mut self, base: Ty, name: Symbol) -> Option<Ty> {
        for step in self.deref_steps(base) {
            match self.types.kind(step).clone() {
                TyKind::Adt(def, args) => {
                    let fields = self.fields(def);
                    let text = self.map.name_of(name);
                    let found = match text.parse::<usize>() {
                        Ok(number) => fields.get(number).filter(|(name, _)| name.is_none()),
                        Err(_) => fields.iter().find(|(of, _)| *of == Some(name)),
                    };
                    if let Some((_, ty)) = found {
                        return Some(self.instance(*ty, &[(def, args)]));
                    }
                }
                TyKind::PinProjection(def, args) => {
                    return self.pin_projected_field(def, &args, name);
                }
                TyKind::Tuple(parts) => {
                    let number = self.map.name_of(name).parse::<usize>();
                    if let Some(ty) = number.ok().and_then(|number| parts.get(number)) {
                        return Some(*ty);
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn struct_expr(
        &mut self,
        path: PathId,
        fields: &'m [(Name, ExprId)],
        base: Option<ExprId>,
        expected: Option<Ty>,
    ) -> Ty {
        let Some(cx) = self.cx() else { return Types::UNKNOWN };
        let (ty, variant) = self.type_of_struct_path(path);
        if let Some(expected) = expected
            && !self.is_open(expected)
        {
            self.try_unify(ty, expected);
        }
        let known = match (variant, self.kind(ty).clone()) {
            (Some(def), TyKind::Adt(adt, args)) => Some((self.fields(def), adt, args)),
            _ => None,
        };
        for (name, value) in fields {
            let wanted = known.as_ref().and_then(|(fields, adt, args)| {
                let name = self.map.file_symbol(cx.file, *name);
                let number = self.map.name_of(name).parse::<usize>().ok();
                let field = match number {
                    Some(number) => fields.get(number),
                    None => fields.iter().find(|(of, _)| *of == Some(name)),
                };
                let ty = field?.1;
                Some(self.instance(ty, &[(*adt, args.clone())]))
            });
            let found = self.expr(*value, wanted);
            if let Some(wanted) = wanted {
                self.coerce(found, wanted);
            }
        }
        if let Some(base) = base {
            let found = self.expr(base, Some(ty));
            self.coerce(found, ty);
        }
        ty
    }

    /// Resolves a path before `{` or in a pattern to the type and the struct or variant.
    pub(super) fn type_of_struct_path(&mut self, path: PathId) -> (Ty, Option<crate::DefId>) {
        let Some(cx) = self.cx() else { return (Types::UNKNOWN, None) };
        let facts = self.facts_of(cx.file);
        let Some(written) = facts.paths.get(path.idx()) else { return (Types::UNKNOWN, None) };
        let segments = &written.segments;
        let found = self.resolve_path(&cx, path, Namespace::Type);
        let (ty, used) = match found {
            Resolution::Def(def) => {
                let ty = self.lower_def(&cx, def, segments);
                let ty = self.normalized(ty);
                if self.map.def(def).kind == DefKind::Variant {
                    return (ty, Some(def));
                }
                (ty, segments.len())
            }
            Resolution::Partial(def, used) => {
                let ty = self.lower_def(&cx, def, segments.get(..used).unwrap_or(segments));
                (self.normalized(ty), used)
            }
            Resolution::SelfType(def) if segments.len() > 1 => {
                let name = self.symbol(&cx, segments[1].name);
                match self.own_assoc_type(def, name) {
                    Some(ty) => (ty, 2),
                    None => (self.self_type(def), 1),
                }
            }
            _ => {
                let ty = self.lower_path(&cx, path);
                (self.normalized(ty), segments.len())
            }
        };
        let TyKind::Adt(def, _) = *self.kind(ty) else { return (ty, None) };
        match segments.get(used) {
            None => (ty, Some(def)),
            Some(segment) => {
                let name = self.symbol(&cx, segment.name);
                let found = self.map.member(&mut self.deps, def, name, Namespace::Type);
                let found =
                    found.or_else(|| self.map.member(&mut self.deps, def, name, Namespace::Value));
                let found = found.filter(|def| self.map.def(*def).kind == DefKind::Variant);
                match found {
                    Some(def) => (ty, Some(def)),
                    None => (Types::UNKNOWN, None),
                }
            }
        }
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

    fn closure(
        &mut self,
        params: &'m [(PatId, Option<TypeId>)],
        ret: Option<TypeId>,
        body: ExprId,
        is_async: bool,
        expected: Option<Ty>,
    ) -> Ty {
        let hint = expected.and_then(|ty| self.closure_hint(ty));
        let mark = self.locals.len();
        let mut types = Vec::with_capacity(params.len());
        for (number, (pat, written)) in params.iter().enumerate() {
            let hint = hint.as_ref().and_then(|(inputs, _)| inputs.get(number)).copied();
            let ty = match (written, hint) {
                (Some(written), Some(hint)) => {
                    let ty = self.written(*written);
                    self.try_unify(ty, hint);
                    ty
                }
                (Some(written), None) => self.written(*written),
                (None, Some(hint)) => hint,
                (None, None) => self.fresh(),
            };
            types.push(ty);
            self.pat(*pat, ty, false);
        }
        let outer = self.ret;
        let loops = std::mem::take(&mut self.loops);
        let hinted = hint.and_then(|(_, ret)| ret);
        self.ret = match ret {
            Some(ret) => self.written(ret),
            None => self.fresh(),
        };
        let own = self.ret;
        let hint = if ret.is_some() { Some(own) } else { hinted.filter(|_| !is_async) };
        let found = self.expr(body, hint);
        self.coerce(found, own);
        self.loops = loops;
        self.ret = outer;
        self.locals.truncate(mark);
        let own = if found == Types::NEVER && self.is_open(own) {
            // A closure that never returns fits any expected return type.
            own
        } else {
            self.shallow(own)
        };
        let own = if is_async { self.future_of(own) } else { own };
        self.closures += 1;
        self.types.make(TyKind::Closure(self.closures, types.into(), own))
    }

    /// The parameters and the return type that an expected type implies for a closure.
    fn closure_hint(&mut self, wanted: Ty) -> Option<(Vec<Ty>, Option<Ty>)> {
        let wanted = self.shallow(wanted);
        let (inputs, ret) = match self.types.kind(wanted).clone() {
            TyKind::Var(_) => {
                let found = self.obligations.iter().find_map(|obligations| match obligations {
                    Obligation::Bound(bound)
                        if self.lang.is_fn_trait(bound.of)
                            && bound.args.first().map(|ty| self.shallow(*ty)) == Some(wanted) =>
                    {
                        let ret = bound.bindings.first().map(|(_, ty)| *ty);
                        let ret = ret.filter(|_| !self.lang.is_async_fn_trait(bound.of));
                        Some((*bound.args.get(1)?, ret))
                    }
                    _ => None,
                });
                found?
            }
            TyKind::FnPtr(params, ret) | TyKind::Closure(_, params, ret) => {
                return Some((params.to_vec(), Some(ret)));
            }
            TyKind::Opaque(bounds) | TyKind::Dyn(bounds) => {
                let bound = bounds.iter().find(|bound| self.lang.is_fn_trait(bound.of))?.clone();
                let bound = self.normalized_trait_ref(&bound);
                (*bound.args.get(1)?, bound.bindings.first().map(|(_, ty)| *ty))
            }
            TyKind::Param(..) => {
                let (params, ret) = self.callable(wanted)?;
                return Some((params, Some(ret)));
            }
            _ => return None,
        };
        match self.kind(inputs).clone() {
            TyKind::Tuple(inputs) => Some((inputs.to_vec(), ret)),
            _ => None,
        }
    }

    /// The type of `expr?`.
    pub(super) fn try_type(&mut self, ty: Ty) -> Ty {
        if self.is_open(ty) {
            self.solve_obligations();
        }
        let TyKind::Adt(def, args) = self.kind(ty).clone() else { return Types::UNKNOWN };
        let def = Some(def);
        if def == self.lang.option || def == self.lang.result {
            return args.first().copied().unwrap_or(Types::UNKNOWN);
        }
        if def == self.lang.control_flow {
            return args.get(1).copied().unwrap_or(Types::UNKNOWN);
        }
        if def == self.lang.poll
            && let Some(inner) = args.first().copied()
        {
            // `Poll<Result<T, E>>` and `Poll<Option<Result<T, E>>>`.
            if let TyKind::Adt(of, inner_args) = self.kind(inner).clone() {
                let made = if Some(of) == self.lang.option {
                    let result = inner_args.first().copied().unwrap_or(Types::UNKNOWN);
                    let value = self.try_type(result);
                    self.types.make(TyKind::Adt(of, Rc::from([value])))
                } else {
                    self.try_type(inner)
                };
                if let Some(poll) = def {
                    return self.types.make(TyKind::Adt(poll, Rc::from([made])));
                }
            }
        }
        Types::UNKNOWN
    }

    /// The item type of a `for` loop over a value.
    pub(super) fn iterator_item(&mut self, ty: Ty) -> Ty {
        match (self.lang.into_iterator, self.lang.item) {
            (Some(of), Some(item)) => self.project(of, Rc::from([ty]), item),
            _ => Types::UNKNOWN,
        }
    }

    /// The type of a constructor: callable for a tuple struct or variant, otherwise the value.
    pub(super) fn constructor(&mut self, def: crate::DefId, args: Rc<[Ty]>) -> Ty {
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
