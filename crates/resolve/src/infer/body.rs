//! Inference of one body: its state, and the walk over it from the first statement to the last.

use std::rc::Rc;

use base::ItemKind;
use syntax::facts::{BlockKind, Body, Expr, ExprId, Stmt};

use super::Infer;
use super::lower::Cx;
use super::ty::{TraitRef, Ty, TyKind, Types};
use crate::{DefId, FileIdx, NameScope, Symbol};

/// The nesting up to which expressions are walked with their context; deeper ones are walked later
/// without it.
const NESTING: u32 = 100;

/// The body that is being walked.
#[derive(Clone, Copy)]
pub(super) struct BodyCtx<'m> {
    pub file: FileIdx,
    pub number: u32,
    pub body: &'m Body,
    /// The item that contains the body.
    pub def: DefId,
    pub scope: NameScope,
}

impl<'m> Infer<'m> {
    /// Walks a body and turns its call sites into edges.
    pub(super) fn infer_body(&mut self, at: BodyCtx<'m>) {
        self.body.enter(at);
        self.enter_item(at.def);
        let decl = self.facts_of(at.file).decls.get(at.body.item as usize);
        let is_own = decl.is_none_or(|it| it.body.is_none_or(|it| it.0 == at.number));
        // Constant expressions of the declaration see no parameter.
        let ret = if is_own { self.bind_params(&at) } else { Types::UNKNOWN };
        self.body.ret = ret;
        let found = self.expr(at.body.root, Some(ret));
        self.coerce(found, ret);
        self.solve_obligations();
        self.default_numbers();
        self.solve_obligations();
        self.give_up_deferred_calls();
        self.body.context_unknown = true;
        while let Some(deep) = self.body.too_deep.pop() {
            self.body.nesting = 0;
            self.body.locals.clear();
            self.expr(deep, None);
        }
        self.solve_obligations();
        self.give_up_deferred_calls();
        self.finish_sites();
        self.body.at = None;
    }

    /// Sets the bounds that hold in an item.
    pub(super) fn enter_item(&mut self, def: DefId) {
        self.item.is_active = self.map.def(def).is_active;
        self.item.selected.clear();
        let mut env: Vec<TraitRef> = Vec::new();
        let mut next = Some(def);
        while let Some(owner) = next {
            next = self.generic_parent(owner);
            env.extend(self.predicates(owner).iter().cloned());
            if self.map.def(owner).kind == ItemKind::Trait {
                let own = self.identity(owner);
                env.push(own);
            }
        }
        self.item.env_is_wide = env.iter().any(|bound| {
            bound.args.first().is_some_and(|ty| {
                !matches!(self.types.kind(*ty), TyKind::Param(..) | TyKind::Projection(..))
            })
        });
        self.item.env = env.into();
    }

    fn bind_params(&mut self, at: &BodyCtx<'m>) -> Ty {
        match self.map.def(at.def).kind {
            ItemKind::Function | ItemKind::Method => {}
            ItemKind::Const | ItemKind::Static => {
                let ty = self.declared_type(at.def);
                return self.normalized(ty);
            }
            _ => return self.fresh(),
        }
        let Some(sig) = self.sig(at.def) else { return Types::UNKNOWN };
        let decl = self.fn_decl(at.def);
        if let Some(receiver) = sig.receiver
            && let Some(name) = self.map.symbol("self")
        {
            let ty = self.normalized(receiver);
            self.body.locals.push((name, ty));
        }
        for (pat, ty) in at.body.params.iter().zip(sig.params.iter()) {
            let ty = self.normalized(*ty);
            self.pat(*pat, ty, false);
        }
        let mut ret = sig.ret;
        if decl.is_some_and(|decl| decl.is_async) {
            ret = self.binding_of(ret).unwrap_or(Types::UNKNOWN);
        }
        self.normalized(ret)
    }

    /// The `T` of `impl Future<Output = T>`.
    fn binding_of(&self, ty: Ty) -> Option<Ty> {
        match self.types.kind(ty) {
            TyKind::Opaque(bounds) => Some(bounds.first()?.bindings.first()?.1),
            _ => None,
        }
    }

    pub(super) fn cx(&self) -> Option<Cx> {
        let at = self.body.at?;
        Some(Cx { file: at.file, item: at.def, scope: at.scope, in_body: true })
    }

    pub(super) fn local(&self, name: Symbol) -> Option<Ty> {
        self.body.locals.iter().rev().find(|(of, _)| *of == name).map(|(_, ty)| *ty)
    }

    /// Infers the type of an expression; `expected` is a hint for closures and literals.
    pub(super) fn expr(&mut self, id: ExprId, expected: Option<Ty>) -> Ty {
        let Some(at) = self.body.at else { return Types::UNKNOWN };
        if let Some(Some(ty)) = self.body.done.get(id.idx()) {
            return *ty;
        }
        let Some(expr) = at.body.exprs.get(id.idx()) else { return Types::UNKNOWN };
        if self.body.nesting > NESTING {
            self.body.too_deep.push(id);
            return Types::UNKNOWN;
        }
        self.body.nesting += 1;
        // Method chains may be long: walk their links from the inside out instead of recursively.
        if let Some(first) = left_of(expr) {
            let mut chain = vec![first];
            // A link that is done ends it: else each link would walk all those before it.
            while let Some(left) = chain
                .last()
                .filter(|last| !self.is_done(**last))
                .and_then(|last| at.body.exprs.get(last.idx()))
                .and_then(left_of)
            {
                chain.push(left);
            }
            if chain.len() > 8 {
                while let Some(link) = chain.pop() {
                    if !matches!(at.body.exprs.get(link.idx()), Some(Expr::Path(_)) | None) {
                        self.expr(link, None);
                    }
                }
            }
        }
        let ty = self.expr_of(&at, id, expr, expected);
        self.body.nesting -= 1;
        if let Some(slot) = self.body.done.get_mut(id.idx()) {
            *slot = Some(ty);
        }
        ty
    }

    fn is_done(&self, id: ExprId) -> bool {
        matches!(self.body.done.get(id.idx()), Some(Some(_)))
    }

    /// Walks a block with its own names and items in scope.
    pub(super) fn block(
        &mut self,
        at: &BodyCtx<'m>,
        id: ExprId,
        (kind, stmts, tail): (BlockKind, &'m [Stmt], Option<ExprId>),
        expected: Option<Ty>,
    ) -> Ty {
        let outer = at.scope;
        if let Some(scope) = self.map.block_scope(outer, at.file, at.number, id)
            && let Some(at) = &mut self.body.at
        {
            at.scope = scope;
        }
        let mark = self.body.locals.len();
        let ret = self.body.ret;
        let mut expected = expected;
        if kind == BlockKind::Async {
            self.body.ret = self.fresh();
            expected = None;
        }
        let loops = if kind == BlockKind::Async {
            std::mem::take(&mut self.body.loops)
        } else {
            Vec::new()
        };
        let mut diverges = false;
        for stmt in stmts {
            diverges |= self.stmt(stmt);
        }
        let ty = match tail {
            Some(tail) => self.expr(tail, expected),
            None if diverges => Types::NEVER,
            None => Types::UNIT,
        };
        let ty = if diverges { Types::NEVER } else { ty };
        self.body.locals.truncate(mark);
        if let Some(at) = &mut self.body.at {
            at.scope = outer;
        }
        if kind == BlockKind::Async {
            self.body.loops = loops;
            let own = std::mem::replace(&mut self.body.ret, ret);
            self.coerce(ty, own);
            return self.future_of(own);
        }
        ty
    }

    fn stmt(&mut self, stmt: &'m Stmt) -> bool {
        match stmt {
            Stmt::Item(_) => false,
            Stmt::Expr(expr) => self.expr(*expr, None) == Types::NEVER,
            Stmt::Let { pat, of, init, otherwise } => {
                let cx = self.cx();
                let written = match (of, cx) {
                    (Some(of), Some(cx)) => {
                        let ty = self.lower(&cx, *of);
                        Some(self.normalized(ty))
                    }
                    _ => None,
                };
                let found = init.map(|init| self.expr(init, written));
                if let Some(otherwise) = otherwise {
                    self.expr(*otherwise, None);
                }
                let ty = match (written, found) {
                    (Some(written), Some(found)) => {
                        self.coerce(found, written);
                        written
                    }
                    (Some(ty), None) | (None, Some(ty)) => ty,
                    (None, None) => self.fresh(),
                };
                // A diverging initializer does not determine the type of the binding.
                let ty = if ty == Types::NEVER { self.fresh() } else { ty };
                self.pat(*pat, ty, false);
                found == Some(Types::NEVER)
            }
        }
    }

    /// Unifies a value's type with the expected one, with the coercions of the language.
    pub(super) fn coerce(&mut self, found: Ty, wanted: Ty) {
        let (found, wanted) = (self.shallow(found), self.shallow(wanted));
        if found == wanted || found == Types::NEVER || found == Types::UNKNOWN {
            return;
        }
        match (self.types.kind(found).clone(), self.types.kind(wanted).clone()) {
            (_, TyKind::Unknown) => {}
            (_, TyKind::Var(_)) | (TyKind::Var(_), _) => {
                if let TyKind::Opaque(bounds) = self.types.kind(wanted).clone() {
                    self.add_opaque_bounds(found, &bounds);
                } else {
                    self.unify(found, wanted);
                }
            }
            (TyKind::Ref(from), TyKind::Ref(to)) => {
                if self.try_unify(from, to) || self.is_open(from) || self.is_open(to) {
                    return;
                }
                match self.types.kind(self.shallow(to)) {
                    TyKind::Dyn(_) => {}
                    _ => {
                        let steps = self.deref_steps(from);
                        for step in steps.into_iter().skip(1) {
                            if self.try_unify(step, to) {
                                return;
                            }
                        }
                    }
                }
            }
            (TyKind::Ref(from), TyKind::Ptr(to)) => {
                self.try_unify(from, to);
            }
            (TyKind::Closure(..) | TyKind::FnDef(..), TyKind::FnPtr(params, ret)) => {
                if let Some((own, own_ret)) = self.callable(found) {
                    for (own, param) in own.iter().zip(params.iter()) {
                        self.unify(*own, *param);
                    }
                    self.unify(own_ret, ret);
                }
            }
            (own, TyKind::Opaque(bounds)) => {
                if matches!(own, TyKind::Opaque(_)) && self.try_unify(found, wanted) {
                    return;
                }
                self.add_opaque_bounds(found, &bounds);
            }
            _ => {
                self.try_unify(found, wanted);
            }
        }
    }

    /// Adds the bounds of an expected `impl bounds` to a value's type.
    fn add_opaque_bounds(&mut self, ty: Ty, bounds: &[TraitRef]) {
        for bound in bounds {
            if bound.args.len() > 1 || !bound.bindings.is_empty() {
                let mut args = bound.args.to_vec();
                if let Some(first) = args.first_mut() {
                    *first = ty;
                }
                self.add_bound(TraitRef { args: args.into(), ..bound.clone() });
            }
        }
    }

    /// The parameters and the return type of a callable value.
    pub(super) fn callable(&mut self, ty: Ty) -> Option<(Vec<Ty>, Ty)> {
        let mut ty = self.shallow(ty);
        for _ in 0..6 {
            match self.types.kind(ty).clone() {
                TyKind::FnDef(def, subst) => {
                    let sig = self.sig(def)?;
                    let all = sig.receiver.iter().chain(sig.params.iter());
                    let params = all.copied().collect::<Vec<_>>();
                    let params = params.into_iter().map(|param| self.instance(param, &subst));
                    let params = params.collect();
                    let ret = self.instance(sig.ret, &subst);
                    return Some((params, ret));
                }
                TyKind::FnPtr(params, ret) | TyKind::Closure(_, params, ret) => {
                    return Some((params.to_vec(), ret));
                }
                TyKind::Param(..) | TyKind::Projection(..) | TyKind::Dyn(_) | TyKind::Opaque(_) => {
                    let bounds = self.bounds_of(ty);
                    if let Some(bound) = bounds.iter().find(|it| self.lang.is_fn_trait(it.of)) {
                        let inputs = bound.args.get(1).copied()?;
                        let inputs = self.normalized(inputs);
                        let ret = bound.bindings.first().map_or(Types::UNIT, |(_, ty)| *ty);
                        let ret = self.normalized(ret);
                        let ret = if self.lang.is_async_fn_trait(bound.of) {
                            self.future_of(ret)
                        } else {
                            ret
                        };
                        return match self.kind(inputs).clone() {
                            TyKind::Tuple(params) => Some((params.to_vec(), ret)),
                            _ => None,
                        };
                    }
                }
                _ => {}
            }
            ty = self.deref(ty)?;
            ty = self.shallow(ty);
        }
        None
    }

    /// Substitutes arguments in a type of a signature and normalizes projections.
    pub(super) fn instance(&mut self, ty: Ty, subst: &[(DefId, Rc<[Ty]>)]) -> Ty {
        let ty = self.types.subst(ty, subst);
        self.normalized(ty)
    }
}

/// The left operand or receiver of an expression in a chain.
fn left_of(expr: &Expr) -> Option<ExprId> {
    match expr {
        Expr::MethodCall { receiver: left, .. }
        | Expr::Call(left, _)
        | Expr::Field(left, ..)
        | Expr::Index(left, _)
        | Expr::Binary(_, _, left, _)
        | Expr::Await(left)
        | Expr::Cast(left, _)
        | Expr::Try(left) => Some(*left),
        _ => None,
    }
}
