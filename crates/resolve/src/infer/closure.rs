//! Inference of closures, with the parameter types that their context implies.

use syntax::facts::{ExprId, PatId, TypeId};

use super::Infer;
use super::obligations::Obligation;
use super::ty::{Ty, TyKind, Types};

impl<'m> Infer<'m> {
    pub(super) fn closure(
        &mut self,
        params: &'m [(PatId, Option<TypeId>)],
        ret: Option<TypeId>,
        body: ExprId,
        is_async: bool,
        expected: Option<Ty>,
    ) -> Ty {
        let hint = expected.and_then(|ty| self.closure_hint(ty));
        let mark = self.body.locals.len();
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
        let outer = self.body.ret;
        let loops = std::mem::take(&mut self.body.loops);
        let hinted = hint.and_then(|(_, ret)| ret);
        self.body.ret = match ret {
            Some(ret) => self.written(ret),
            None => self.fresh(),
        };
        let own = self.body.ret;
        let hint = if ret.is_some() { Some(own) } else { hinted.filter(|_| !is_async) };
        let found = self.expr(body, hint);
        self.coerce(found, own);
        self.body.loops = loops;
        self.body.ret = outer;
        self.body.locals.truncate(mark);
        let own = if found == Types::NEVER && self.is_open(own) {
            // A closure that never returns fits any expected return type.
            own
        } else {
            self.shallow(own)
        };
        let own = if is_async { self.future_of(own) } else { own };
        self.body.closures += 1;
        self.types.make(TyKind::Closure(self.body.closures, types.into(), own))
    }

    /// The parameters and the return type that an expected type implies for a closure.
    fn closure_hint(&mut self, wanted: Ty) -> Option<(Vec<Ty>, Option<Ty>)> {
        let wanted = self.shallow(wanted);
        let (inputs, ret) = match self.types.kind(wanted).clone() {
            TyKind::Var(_) => {
                let found =
                    self.body.obligations.iter().find_map(|obligations| match obligations {
                        Obligation::Bound(bound)
                            if self.lang.is_fn_trait(bound.of)
                                && bound.args.first().map(|ty| self.shallow(*ty))
                                    == Some(wanted) =>
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
}
