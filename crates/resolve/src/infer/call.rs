//! Inference of paths as values, calls, and method calls.

use std::rc::Rc;

use base::EdgeKind;
use syntax::facts::{Expr, ExprId, Fields, Name, PathId, Segment, TypeId};

use super::Infer;
use super::body::BodyCtx;
use super::lower::Cx;
use super::method::{Lookup, Picked};
use super::sites::{CallSite, CallTarget};
use super::ty::{Args, Subst, TraitRef, Ty, TyKind, Types};
use crate::{DefId, DefKind, Namespace, Resolution, Rule, Scope, Symbol};

/// What a path refers to as a value.
enum Value {
    Local(Ty),
    /// A function, constant, static, constructor.
    Item(DefId, Subst),
    /// A member of a type.
    Assoc(Lookup, Vec<Ty>),
    Several(Vec<DefId>),
    External,
    None,
}

/// A method call whose receiver type is not known yet.
#[derive(Clone, Debug)]
pub(super) struct DeferredCall {
    receiver: Ty,
    name: Symbol,
    offset: u32,
    scope: Scope,
    generics: Rc<[Ty]>,
    args: Rc<[Ty]>,
    ret: Ty,
    context_unknown: bool,
}

impl<'m> Infer<'m> {
    /// The type of a path that is not called.
    pub(super) fn path_expr(&mut self, path: PathId) -> Ty {
        let (value, last) = self.value_at(path);
        let named = match &value {
            Value::Item(def, _) => Some(*def),
            Value::Assoc(Lookup::One(picked), _) if !picked.of_trait => Some(picked.def),
            _ => None,
        };
        if let (Some(def), Some(last)) = (named.filter(|def| self.is_fn(*def)), last) {
            self.push_edge(EdgeKind::Uses, def, Rule::FunctionValue, last.offset);
        }
        match value {
            Value::Local(ty) => ty,
            Value::Item(def, subst) => self.item_value(def, subst),
            Value::Assoc(Lookup::One(picked), own) => self.picked_value(&picked, &own),
            _ => Types::UNKNOWN,
        }
    }

    fn item_value(&mut self, def: DefId, subst: Subst) -> Ty {
        match self.map.def(def).kind {
            DefKind::Function | DefKind::Method => {
                for (owner, _) in subst.iter() {
                    self.add_predicates(*owner, &subst);
                }
                self.types.make(TyKind::FnDef(def, subst))
            }
            DefKind::Const | DefKind::Static => {
                let ty = self.value_type(def);
                self.instance(ty, &subst)
            }
            DefKind::Struct | DefKind::Variant => {
                let args = subst.first().map_or_else(|| self.types.no_args(), |(_, it)| it.clone());
                self.constructor(def, args)
            }
            _ => Types::UNKNOWN,
        }
    }

    fn picked_value(&mut self, picked: &Picked, own: &[Ty]) -> Ty {
        let subst = self.picked_subst(picked, own);
        match self.map.def(picked.def).kind {
            DefKind::Const => {
                let ty = self.value_type(picked.def);
                self.instance(ty, &subst)
            }
            _ if self.is_fn(picked.def) => {
                self.add_predicates(picked.def, &subst);
                self.types.make(TyKind::FnDef(picked.def, subst))
            }
            _ => Types::UNKNOWN,
        }
    }

    /// What a path refers to, and its last segment.
    fn value_at(&mut self, path: PathId) -> (Value, Option<&'m Segment>) {
        let Some(cx) = self.cx() else { return (Value::None, None) };
        let Some(written) = self.facts_of(cx.file).paths.get(path.idx()) else {
            return (Value::None, None);
        };
        let Some(last) = written.segments.last() else { return (Value::None, None) };
        let name = self.symbol(&cx, last.name);
        if written.qself.is_none()
            && !written.is_global
            && written.segments.len() == 1
            && let Some(ty) = self.local(name)
        {
            return (Value::Local(ty), Some(last));
        }
        let value = self.value_of(&cx, path, last, name);
        (value.unwrap_or(Value::None), Some(last))
    }

    fn value_of(
        &mut self,
        cx: &Cx,
        path: PathId,
        last: &'m Segment,
        name: Symbol,
    ) -> Option<Value> {
        let written = self.facts_of(cx.file).paths.get(path.idx())?;
        let segments = &written.segments;
        if let Some((ty, of)) = written.qself {
            let ty = self.lower(cx, ty);
            let mut ty = self.normalized(ty);
            let mut of = match of {
                Some(of) => Some(self.lower_bound(cx, of, ty)?),
                None => None,
            };
            for segment in segments.iter().take(segments.len() - 1) {
                let name = self.symbol(cx, segment.name);
                ty = match of.take() {
                    Some(bound) => self.projection_in(bound, name),
                    None => self.assoc_type(cx, ty, name),
                };
                ty = self.normalized(ty);
            }
            return Some(match of {
                Some(bound) => self.member_of_trait(cx, bound, name, last),
                None => self.member_of_type(cx, ty, name, last),
            });
        }
        let (ty, used) = match self.resolve_path(cx, path, Namespace::Value) {
            Resolution::Def(def) => {
                // `Trait::name`: its `Self` must be inferred.
                if let Some(of) = self.map.def(def).parent
                    && self.map.def(of).kind == DefKind::Trait
                {
                    let before = segments.len().checked_sub(2).and_then(|at| segments.get(at))?;
                    let bound = self.bound_to_infer(cx, of, before);
                    return Some(self.member_of_trait(cx, bound, name, last));
                }
                return Some(self.item_at(cx, def, segments));
            }
            Resolution::Partial(def, used) => {
                (self.lower_def(cx, def, segments.get(..used)?), used)
            }
            Resolution::SelfType(def) => {
                if segments.len() == 1 {
                    let ty = self.self_type(def);
                    let TyKind::Adt(adt, args) = self.kind(ty).clone() else { return None };
                    let subst: Subst =
                        if args.is_empty() { Rc::from([]) } else { Rc::from([(adt, args)]) };
                    return Some(Value::Item(adt, subst));
                }
                let assoc = if segments.len() > 2 {
                    let name = self.symbol(cx, segments.get(1)?.name);
                    self.own_assoc_type(def, name)
                } else {
                    None
                };
                match assoc {
                    Some(ty) => (ty, 2),
                    None => (self.self_type(def), 1),
                }
            }
            Resolution::Param(def, of) => match self.param(def, of) {
                Some(ty) => (ty, 1),
                // A const parameter: its type, nearly always `usize`, is not recorded.
                None => return Some(Value::Local(Types::UNKNOWN)),
            },
            Resolution::Prim(prim) => (self.types.prim(prim), 1),
            Resolution::Ambiguous(defs) => return Some(Value::Several(defs)),
            Resolution::External(_) => return Some(Value::External),
            Resolution::None => return None,
        };
        let mut ty = self.normalized(ty);
        for segment in segments.iter().take(segments.len() - 1).skip(used) {
            let name = self.symbol(cx, segment.name);
            ty = self.assoc_type(cx, ty, name);
            ty = self.normalized(ty);
        }
        Some(self.member_of_type(cx, ty, name, last))
    }

    /// `_: Trait<…>` with the arguments of a segment.
    fn bound_to_infer(&mut self, cx: &Cx, of: DefId, segment: &'m Segment) -> TraitRef {
        let self_ty = self.fresh();
        let mut args = vec![self_ty];
        if segment.args.is_empty() {
            let count = self.generics(of).params.len();
            args.extend(self.fresh_args(count.saturating_sub(1)).iter());
        } else {
            args.extend(self.lower_args(cx, of, &segment.args, vec![self_ty]));
        }
        TraitRef { of, args: args.into(), bindings: Rc::from([]) }
    }

    /// A definition as a value, with the arguments of the path.
    fn item_at(&mut self, cx: &Cx, def: DefId, segments: &'m [Segment]) -> Value {
        if let Some(adt) = self.adt_of(def) {
            let ty = self.lower_def(cx, def, segments);
            let TyKind::Adt(_, args) = self.types.kind(ty).clone() else { return Value::None };
            let args: Args = args.iter().map(|ty| self.normalized(*ty)).collect();
            let subst: Subst = if args.is_empty() { Rc::from([]) } else { Rc::from([(adt, args)]) };
            return Value::Item(def, subst);
        }
        let own = self.own_generics(cx, def, segments.last());
        let subst: Subst =
            if own.is_empty() { Rc::from([]) } else { Rc::from([(def, own.into())]) };
        Value::Item(def, subst)
    }

    /// The arguments of a function's own generics: those written, and variables for the rest.
    fn own_generics(&mut self, cx: &Cx, def: DefId, last: Option<&'m Segment>) -> Vec<Ty> {
        let written: &[TypeId] = last.map_or(&[], |segment| &segment.args);
        let args = self.lower_args(cx, def, written, Vec::new());
        args.into_iter().map(|ty| self.normalized(ty)).collect()
    }

    fn member_of_trait(
        &mut self,
        cx: &Cx,
        bound: TraitRef,
        name: Symbol,
        last: &'m Segment,
    ) -> Value {
        // `Trait::name` can also name a member of a supertrait if the type determines it.
        let member = self.map.member(&mut self.deps, bound.of, name, Namespace::Value);
        let Some(def) = member else { return Value::None };
        let own = self.own_generics(cx, def, Some(last));
        if bound.args.len() > 1 {
            self.add_bound(TraitRef { bindings: Rc::from([]), ..bound.clone() });
        }
        let picked = Picked {
            def,
            container: (bound.of, bound.args),
            of_trait: true,
            is_sure: true,
            number: None,
        };
        Value::Assoc(Lookup::One(picked), own)
    }

    fn member_of_type(&mut self, cx: &Cx, ty: Ty, name: Symbol, last: &'m Segment) -> Value {
        if let TyKind::Adt(def, args) = self.kind(ty).clone()
            && self.map.def(def).kind == DefKind::Enum
            && let Some(variant) = self.map.member(&mut self.deps, def, name, Namespace::Value)
            && self.map.def(variant).kind == DefKind::Variant
        {
            let subst: Subst = if args.is_empty() { Rc::from([]) } else { Rc::from([(def, args)]) };
            return Value::Item(variant, subst);
        }
        let found = self.lookup_assoc(ty, name, cx.scope);
        let own = match &found {
            Lookup::One(picked) => self.own_generics(cx, picked.def, Some(last)),
            _ => Vec::new(),
        };
        Value::Assoc(found, own)
    }

    pub(super) fn call(
        &mut self,
        at: &BodyCtx<'m>,
        callee: ExprId,
        args: &'m [ExprId],
        expected: Option<Ty>,
    ) -> Ty {
        let ty = match at.body.exprs.get(callee.idx()) {
            Some(Expr::Path(path)) => {
                let ty = self.callee(*path);
                if let Some(slot) = self.body.done.get_mut(callee.idx()) {
                    *slot = Some(ty);
                }
                ty
            }
            _ => self.expr(callee, None),
        };
        self.settle(ty);
        match self.callable(ty) {
            Some((params, ret)) => {
                self.check_args(&params, ret, args, expected);
                ret
            }
            None => {
                for arg in args {
                    self.expr(*arg, None);
                }
                Types::UNKNOWN
            }
        }
    }

    /// The type of a callee path; adds a call site if it refers to a function.
    fn callee(&mut self, path: PathId) -> Ty {
        let (value, last) = self.value_at(path);
        let Some(last) = last else { return Types::UNKNOWN };
        let Some(at) = self.body.at else { return Types::UNKNOWN };
        let name = self.map.file_symbol(at.file, last.name);
        let site = |target| CallSite { offset: last.offset, name, is_method: false, target };
        match value {
            Value::Local(ty) => ty,
            Value::Item(def, subst) => {
                if self.is_fn(def) {
                    self.push_call_site(site(CallTarget::Function(def)));
                }
                self.item_value(def, subst)
            }
            Value::Assoc(Lookup::One(picked), own) => {
                if self.is_fn(picked.def) {
                    self.push_call_site(site(self.target(&picked)));
                }
                self.picked_value(&picked, &own)
            }
            Value::Assoc(Lookup::Several(all), _) => {
                let defs = all.iter().map(|picked| picked.def).collect();
                self.push_call_site(site(CallTarget::Several(defs)));
                Types::UNKNOWN
            }
            Value::Several(defs) => {
                self.push_call_site(site(CallTarget::Several(defs)));
                Types::UNKNOWN
            }
            Value::Assoc(Lookup::None, _) | Value::None => {
                self.push_call_site(site(CallTarget::Missing));
                Types::UNKNOWN
            }
            Value::Assoc(Lookup::Open | Lookup::Unknown, _) => {
                self.push_call_site(site(CallTarget::Guess));
                Types::UNKNOWN
            }
            Value::External => {
                self.push_call_site(site(CallTarget::External));
                Types::UNKNOWN
            }
        }
    }

    pub(super) fn target(&self, picked: &Picked) -> CallTarget {
        if picked.of_trait {
            CallTarget::OfTrait {
                method: picked.def,
                args: picked.container.1.clone(),
                is_sure: picked.is_sure,
            }
        } else if self.is_trait_impl(picked.container.0) {
            CallTarget::OfImpl(picked.def)
        } else {
            CallTarget::Inherent(picked.def)
        }
    }

    /// Checks arguments against parameters; closures last, when more of their signature is known.
    pub(super) fn check_args(
        &mut self,
        params: &[Ty],
        ret: Ty,
        args: &'m [ExprId],
        expected: Option<Ty>,
    ) {
        let Some(at) = self.body.at else { return };
        let is_late =
            |arg: &ExprId| matches!(at.body.exprs.get(arg.idx()), Some(Expr::Closure { .. }));
        let hints = self.hints(params, ret, expected);
        for late in [false, true] {
            if late {
                if !args.iter().any(is_late) {
                    break;
                }
                self.solve_obligations();
            }
            for (number, arg) in args.iter().enumerate() {
                if is_late(arg) != late {
                    continue;
                }
                let wanted = params.get(number).copied();
                let hint = match wanted {
                    Some(wanted) if self.is_open(wanted) && !late => {
                        hints.as_ref().and_then(|hints| hints.get(number)).copied().or(Some(wanted))
                    }
                    other => other,
                };
                let found = self.expr(*arg, hint);
                if let Some(wanted) = wanted {
                    self.coerce(found, wanted);
                }
            }
        }
    }

    /// The parameter types if the call returned the expected type, as hints for nested closures.
    fn hints(&mut self, params: &[Ty], ret: Ty, expected: Option<Ty>) -> Option<Vec<Ty>> {
        let expected = expected?;
        if self.is_open(expected) || !params.iter().any(|param| self.is_open(*param)) {
            return None;
        }
        let mark = self.body.vars.snapshot();
        let hints = if self.unify(ret, expected) {
            Some(params.iter().map(|param| self.resolved(*param)).collect())
        } else {
            None
        };
        self.body.vars.rollback(mark);
        hints
    }

    pub(super) fn method_call(
        &mut self,
        receiver: ExprId,
        (name, offset): (Name, u32),
        generics: &'m [TypeId],
        args: &'m [ExprId],
        expected: Option<Ty>,
    ) -> Ty {
        let receiver = self.expr(receiver, None);
        let Some(cx) = self.cx() else { return Types::UNKNOWN };
        let name = self.symbol(&cx, name);
        let found = self.lookup_method(receiver, name, cx.scope);
        let site = |target| CallSite { offset, name, is_method: true, target };
        if matches!(found, Lookup::None)
            && args.is_empty()
            && let Some(projected) = self.pin_projection(receiver, name)
        {
            return projected;
        }
        match found {
            Lookup::One(picked) => {
                self.push_call_site(site(self.target(&picked)));
                let own = if generics.is_empty() {
                    Vec::new()
                } else {
                    let own = self.lower_args(&cx, picked.def, generics, Vec::new());
                    own.into_iter().map(|ty| self.normalized(ty)).collect()
                };
                let Some((params, ret)) = self.instance_of(&picked, &own) else {
                    return Types::UNKNOWN;
                };
                self.check_args(&params, ret, args, expected);
                ret
            }
            Lookup::Open => {
                let generics: Rc<[Ty]> = generics.iter().map(|ty| self.written(*ty)).collect();
                let args = args.iter().map(|arg| self.expr(*arg, None)).collect();
                let ret = self.fresh();
                let context_unknown = self.body.context_unknown;
                let scope = cx.scope;
                self.body.deferred_calls.push(DeferredCall {
                    receiver,
                    name,
                    offset,
                    scope,
                    generics,
                    args,
                    ret,
                    context_unknown,
                });
                ret
            }
            other => {
                for arg in args {
                    self.expr(*arg, None);
                }
                self.push_call_site(site(match other {
                    Lookup::Several(all) => {
                        CallTarget::Several(all.iter().map(|picked| picked.def).collect())
                    }
                    Lookup::None => CallTarget::NoMethod(receiver),
                    _ => CallTarget::Guess,
                }));
                Types::UNKNOWN
            }
        }
    }

    /// The parameters (without `self`) and return type of a picked method.
    pub(super) fn instance_of(&mut self, picked: &Picked, own: &[Ty]) -> Option<(Vec<Ty>, Ty)> {
        let sig = self.sig(picked.def)?;
        let subst = self.picked_subst(picked, own);
        self.add_predicates(picked.def, &subst);
        let params = sig.params.iter().map(|param| self.instance(*param, &subst)).collect();
        let mut ret = self.instance(sig.ret, &subst);
        if let Some(number) = picked.number
            && (ret == Types::I32 || ret == Types::F64)
        {
            ret = number;
        }
        let mut params: Vec<Ty> = params;
        if let Some(number) = picked.number {
            for param in &mut params {
                if *param == Types::I32 || *param == Types::F64 {
                    *param = number;
                }
            }
        }
        Some((params, ret))
    }

    /// Retries the method calls whose receiver types are known by now.
    pub(super) fn retry_deferred_calls(&mut self) {
        if self
            .body
            .deferred_calls
            .iter()
            .all(|deferred_calls| self.is_open(deferred_calls.receiver))
        {
            return;
        }
        for deferred_calls in std::mem::take(&mut self.body.deferred_calls) {
            if self.is_open(deferred_calls.receiver) {
                self.body.deferred_calls.push(deferred_calls);
                continue;
            }
            self.retry(deferred_calls);
        }
    }

    fn retry(&mut self, deferred_calls: DeferredCall) {
        let DeferredCall { receiver, name, offset, scope, .. } = deferred_calls;
        let site = |target| CallSite { offset, name, is_method: true, target };
        let lost =
            std::mem::replace(&mut self.body.context_unknown, deferred_calls.context_unknown);
        match self.lookup_method(receiver, name, scope) {
            Lookup::One(picked) => {
                self.push_call_site(site(self.target(&picked)));
                if let Some((params, ret)) = self.instance_of(&picked, &deferred_calls.generics) {
                    for (param, arg) in params.iter().zip(deferred_calls.args.iter()) {
                        self.coerce(*arg, *param);
                    }
                    self.unify(deferred_calls.ret, ret);
                }
            }
            Lookup::Open => self.body.deferred_calls.push(deferred_calls),
            Lookup::Several(all) => {
                let defs = all.iter().map(|picked| picked.def).collect();
                self.push_call_site(site(CallTarget::Several(defs)));
            }
            Lookup::None => self.push_call_site(site(CallTarget::NoMethod(receiver))),
            Lookup::Unknown => self.push_call_site(site(CallTarget::Guess)),
        }
        self.body.context_unknown = lost;
    }

    /// Records the remaining method calls with an unknown receiver.
    pub(super) fn give_up_deferred_calls(&mut self) {
        for deferred_calls in std::mem::take(&mut self.body.deferred_calls) {
            let DeferredCall { name, offset, .. } = deferred_calls;
            self.push_call_site(CallSite {
                offset,
                name,
                is_method: true,
                target: CallTarget::Guess,
            });
        }
    }

    /// The constructor or constant that a pattern's path refers to.
    pub(super) fn pattern_value(&mut self, path: PathId) -> Option<(DefId, Subst)> {
        match self.value_at(path).0 {
            Value::Item(def, subst) => Some((def, subst)),
            Value::Assoc(Lookup::One(picked), own) => {
                let subst = self.picked_subst(&picked, &own);
                Some((picked.def, subst))
            }
            _ => None,
        }
    }

    /// Whether a struct or variant is constructed with parentheses.
    pub(super) fn is_tuple_like(&self, def: DefId) -> bool {
        matches!(self.shape_of_fields(def), Some(Fields::Tuple(_)))
    }
}
