//! One body: its state, and the walk over it from the first statement to the last.

use std::rc::Rc;

use syntax::facts::{BlockKind, Body, Expr, ExprId, Stmt};

use super::Infer;
use super::lower::Cx;
use super::ty::{Kind, TraitRef, Ty, Types};
use crate::{DefId, DefKind, FileIdx, Scope, Symbol};

/// How deep expressions are followed with all that is known around them; what lies deeper is
/// looked at later and alone.
const NESTING: u32 = 100;

/// The body at hand.
#[derive(Clone, Copy)]
pub(super) struct At<'m> {
    pub file: FileIdx,
    pub number: u32,
    pub body: &'m Body,
    /// The item that it is of.
    pub def: DefId,
    pub scope: Scope,
}

impl<'m> Infer<'m> {
    /// Walks a body and leaves its sites in `self.sites`.
    pub(super) fn infer_body(&mut self, at: At<'m>) {
        self.vars.clear();
        self.pending.clear();
        self.waiting.clear();
        self.locals.clear();
        self.loops.clear();
        self.too_deep.clear();
        self.bounds_by_type.clear();
        self.settled_at = (u32::MAX, 0);
        self.is_lost = false;
        self.nesting = 0;
        self.closures = 0;
        self.done.clear();
        self.done.resize(at.body.exprs.len(), None);
        self.enter_item(at.def);
        self.at = Some(at);

        let ret = self.bind_params(&at);
        self.ret = ret;
        let found = self.expr(at.body.root, Some(ret));
        self.coerce(found, ret);
        self.settle();
        self.settle_numbers();
        self.settle();
        self.give_up_waiting();
        self.is_lost = true;
        while let Some(deep) = self.too_deep.pop() {
            self.nesting = 0;
            self.locals.clear();
            self.expr(deep, None);
        }
        self.settle();
        self.give_up_waiting();
        self.finish_sites();
        self.at = None;
    }

    /// The bounds that hold in an item.
    pub(super) fn enter_item(&mut self, def: DefId) {
        self.is_active = self.map.def(def).is_active;
        self.selected_here.clear();
        let mut env: Vec<TraitRef> = Vec::new();
        let mut next = Some(def);
        while let Some(owner) = next {
            next = self.generic_parent(owner);
            env.extend(self.predicates(owner).iter().cloned());
            if self.map.def(owner).kind == DefKind::Trait {
                let own = self.identity(owner);
                env.push(own);
            }
        }
        self.env_is_wide = env.iter().any(|bound| {
            bound.args.first().is_some_and(|ty| {
                !matches!(self.types.kind(*ty), Kind::Param(..) | Kind::Projection(..))
            })
        });
        self.env = env.into();
    }

    fn bind_params(&mut self, at: &At<'m>) -> Ty {
        match self.map.def(at.def).kind {
            DefKind::Function | DefKind::Method => {}
            DefKind::Const | DefKind::Static => {
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
            self.locals.push((name, ty));
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

    /// What `impl Future<Output = T>` is a future of.
    fn binding_of(&self, ty: Ty) -> Option<Ty> {
        match self.types.kind(ty) {
            Kind::Opaque(bounds) => Some(bounds.first()?.bindings.first()?.1),
            _ => None,
        }
    }

    pub(super) fn cx(&self) -> Option<Cx> {
        let at = self.at?;
        Some(Cx { file: at.file, item: at.def, scope: at.scope, in_body: true })
    }

    pub(super) fn local(&self, name: Symbol) -> Option<Ty> {
        self.locals.iter().rev().find(|(of, _)| *of == name).map(|(_, ty)| *ty)
    }

    /// The type of an expression; `expected` is a hint that closures and literals take.
    pub(super) fn expr(&mut self, id: ExprId, expected: Option<Ty>) -> Ty {
        let Some(at) = self.at else { return Types::UNKNOWN };
        if let Some(Some(ty)) = self.done.get(id.idx()) {
            return *ty;
        }
        let Some(expr) = at.body.exprs.get(id.idx()) else { return Types::UNKNOWN };
        if self.nesting > NESTING {
            self.too_deep.push(id);
            return Types::UNKNOWN;
        }
        self.nesting += 1;
        // Chains are as long as people like: their links are done from the inside out.
        if let Some(first) = left_of(expr) {
            let mut chain = vec![first];
            while let Some(left) =
                chain.last().and_then(|last| at.body.exprs.get(last.idx())).and_then(left_of)
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
        self.nesting -= 1;
        if let Some(place) = self.done.get_mut(id.idx()) {
            *place = Some(ty);
        }
        ty
    }

    /// A block, its own names and items in scope.
    pub(super) fn block(
        &mut self,
        at: &At<'m>,
        id: ExprId,
        (kind, stmts, tail): (BlockKind, &'m [Stmt], Option<ExprId>),
        expected: Option<Ty>,
    ) -> Ty {
        let outer = at.scope;
        if let Some(scope) = self.map.block_scope(outer, at.file, at.number, id)
            && let Some(at) = &mut self.at
        {
            at.scope = scope;
        }
        let mark = self.locals.len();
        let ret = self.ret;
        let mut expected = expected;
        if kind == BlockKind::Async {
            self.ret = self.fresh();
            expected = None;
        }
        let loops =
            if kind == BlockKind::Async { std::mem::take(&mut self.loops) } else { Vec::new() };
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
        self.locals.truncate(mark);
        if let Some(at) = &mut self.at {
            at.scope = outer;
        }
        if kind == BlockKind::Async {
            self.loops = loops;
            let own = std::mem::replace(&mut self.ret, ret);
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
                // A value that never comes says nothing of what is bound.
                let ty = if ty == Types::NEVER { self.fresh() } else { ty };
                self.pat(*pat, ty, false);
                found == Some(Types::NEVER)
            }
        }
    }

    /// Makes a value of one type fit where another is wanted, as the language coerces.
    pub(super) fn coerce(&mut self, found: Ty, wanted: Ty) {
        let (found, wanted) = (self.shallow(found), self.shallow(wanted));
        if found == wanted || found == Types::NEVER || found == Types::UNKNOWN {
            return;
        }
        match (self.types.kind(found).clone(), self.types.kind(wanted).clone()) {
            (_, Kind::Unknown) => {}
            (_, Kind::Var(_)) | (Kind::Var(_), _) => {
                if let Kind::Opaque(bounds) = self.types.kind(wanted).clone() {
                    self.meet(found, &bounds);
                } else {
                    self.unify(found, wanted);
                }
            }
            (Kind::Ref(from), Kind::Ref(to)) => {
                if self.try_unify(from, to) || self.is_open(from) || self.is_open(to) {
                    return;
                }
                match self.types.kind(self.shallow(to)) {
                    Kind::Dyn(_) => {}
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
            (Kind::Ref(from), Kind::Ptr(to)) => {
                self.try_unify(from, to);
            }
            (Kind::Closure(..) | Kind::FnDef(..), Kind::FnPtr(params, ret)) => {
                if let Some((own, own_ret)) = self.callable(found) {
                    for (own, param) in own.iter().zip(params.iter()) {
                        self.unify(*own, *param);
                    }
                    self.unify(own_ret, ret);
                }
            }
            (own, Kind::Opaque(bounds)) => {
                if matches!(own, Kind::Opaque(_)) && self.try_unify(found, wanted) {
                    return;
                }
                self.meet(found, &bounds);
            }
            _ => {
                self.try_unify(found, wanted);
            }
        }
    }

    /// A value stands where `impl bounds` is wanted.
    fn meet(&mut self, ty: Ty, bounds: &[TraitRef]) {
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

    /// What a value can be called with, and what that gives.
    pub(super) fn callable(&mut self, ty: Ty) -> Option<(Vec<Ty>, Ty)> {
        let mut ty = self.shallow(ty);
        for _ in 0..6 {
            match self.types.kind(ty).clone() {
                Kind::FnDef(def, subst) => {
                    let sig = self.sig(def)?;
                    let all = sig.receiver.iter().chain(sig.params.iter());
                    let params = all.copied().collect::<Vec<_>>();
                    let params = params.into_iter().map(|param| self.instance(param, &subst));
                    let params = params.collect();
                    let ret = self.instance(sig.ret, &subst);
                    return Some((params, ret));
                }
                Kind::FnPtr(params, ret) | Kind::Closure(_, params, ret) => {
                    return Some((params.to_vec(), ret));
                }
                Kind::Param(..) | Kind::Projection(..) | Kind::Dyn(_) | Kind::Opaque(_) => {
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
                            Kind::Tuple(params) => Some((params.to_vec(), ret)),
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

    /// A type of a signature with arguments put in, projections worked out.
    pub(super) fn instance(&mut self, ty: Ty, subst: &[(DefId, Rc<[Ty]>)]) -> Ty {
        let ty = self.types.subst(ty, subst);
        self.normalized(ty)
    }
}

/// What stands to the left in a chain.
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
