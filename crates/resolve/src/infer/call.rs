//! Inference of calls: the callee, arguments against parameters, and method calls that wait until
//! the type of their receiver is known. `method.rs` decides which method is called.

use std::rc::Rc;

use syntax::TokenSource;
use syntax::facts::{Expr, ExprId, Name, PathId, TypeId};

use super::Infer;
use super::body::BodyCtx;
use super::method::{Lookup, Picked};
use super::sites::{CallSite, CallTarget};
use super::ty::{Ty, Types};
use super::value::Value;
use crate::{NameScope, Symbol};

/// A method call whose receiver type is not known yet.
#[derive(Clone, Debug)]
pub(super) struct DeferredCall {
    receiver: Ty,
    name: Symbol,
    offset: u32,
    copied_from: Option<TokenSource>,
    scope: NameScope,
    generics: Rc<[Ty]>,
    args: Rc<[Ty]>,
    ret: Ty,
    context_unknown: bool,
}

impl<'m> Infer<'m> {
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
        let name = self.file_symbol(at.file, last.name);
        let (offset, copied_from) = self.position(last.offset);
        let site = |target| CallSite {
            offset,
            name,
            is_method: false,
            target,
            copied_from,
            is_value: false,
        };
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
        let (offset, copied_from) = self.position(offset);
        let site = |target| CallSite {
            offset,
            name,
            is_method: true,
            target,
            copied_from,
            is_value: false,
        };
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
                    copied_from,
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
        if self.body.deferred_calls.iter().all(|call| self.is_open(call.receiver)) {
            return;
        }
        for call in std::mem::take(&mut self.body.deferred_calls) {
            if self.is_open(call.receiver) {
                self.body.deferred_calls.push(call);
                continue;
            }
            self.retry(call);
        }
    }

    fn retry(&mut self, call: DeferredCall) {
        let DeferredCall { receiver, name, offset, scope, copied_from, .. } = call;
        let site = |target| CallSite {
            offset,
            name,
            is_method: true,
            target,
            copied_from,
            is_value: false,
        };
        let lost = std::mem::replace(&mut self.body.context_unknown, call.context_unknown);
        match self.lookup_method(receiver, name, scope) {
            Lookup::One(picked) => {
                self.push_call_site(site(self.target(&picked)));
                if let Some((params, ret)) = self.instance_of(&picked, &call.generics) {
                    for (param, arg) in params.iter().zip(call.args.iter()) {
                        self.coerce(*arg, *param);
                    }
                    self.unify(call.ret, ret);
                }
            }
            Lookup::Open => self.body.deferred_calls.push(call),
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
            let DeferredCall { name, offset, copied_from, .. } = deferred_calls;
            self.push_call_site(CallSite {
                offset,
                name,
                is_method: true,
                target: CallTarget::Guess,
                copied_from,
                is_value: false,
            });
        }
    }
}
