//! Methods of traits in scope that a receiver may have.

use std::rc::Rc;

use syntax::facts::{Receiver, Shape};

use super::Infer;
use super::method::{Picked, TraitMethods};
use super::select::Holds;
use super::ty::{TraitRef, Ty, TyKind, Types};
use crate::{DefId, NameScope, Namespace, Resolution, Symbol, TypeHead};

impl Infer<'_> {
    /// The methods of traits in scope whose `self` type is `target` and whose trait the type
    /// implements.
    pub(super) fn pick_extension(
        &mut self,
        traits: &[(DefId, DefId)],
        target: Ty,
        number: Option<Ty>,
    ) -> Vec<Picked> {
        let mut sure = Vec::new();
        let mut maybe = Vec::new();
        for (of, def) in traits {
            let Some(receiver) = self.receiver_kind(*def) else { continue };
            let Some(mut self_ty) = self.extension_self(*of, *def, receiver, target) else {
                continue;
            };
            if let Some(number) = number
                && (self_ty == Types::I32 || self_ty == Types::F64)
            {
                self_ty = number;
            }
            let count = self.generics(*of).params.len();
            let mut args = vec![self_ty];
            args.extend(self.fresh_args(count.saturating_sub(1)).iter());
            let bound = TraitRef { of: *of, args: args.into(), bindings: Rc::from([]) };
            let picked = |is_sure| Picked {
                def: *def,
                container: (*of, bound.args.clone()),
                of_trait: true,
                is_sure,
                number: None,
            };
            let before = self.body.obligations.len();
            // `&mut self` on what may be `&T`: an impl for `&T` is also possible.
            let no_ref_impl =
                !matches!(receiver, Receiver::RefMut) || !self.has_ref_impl(*of, self_ty);
            match self.holds(&bound, 0) {
                Holds::Yes => sure.push(picked(no_ref_impl)),
                Holds::Maybe => {
                    maybe.push(picked(matches!(self.types.kind(self_ty), TyKind::Prim(_))));
                }
                Holds::No => {}
            }
            self.body.obligations.truncate(before);
        }
        let inner = match self.types.kind(target) {
            TyKind::Ref(to) => self.shallow(*to),
            _ => target,
        };
        let unknown = matches!(self.types.kind(inner), TyKind::External(_) | TyKind::Unknown);
        let mut found = if sure.is_empty() { maybe } else { sure };
        if unknown {
            // An external type may have an inherent method, which would have precedence.
            found.iter_mut().for_each(|picked| picked.is_sure = false);
        }
        if let [only] = found.as_slice() {
            let (of, args) = only.container.clone();
            if args.len() > 1 {
                self.add_bound(TraitRef { of, args, bindings: Rc::from([]) });
            }
        }
        found
    }

    /// The type that implements the trait if the `self` of its method is `target`.
    fn extension_self(
        &mut self,
        of: DefId,
        method: DefId,
        receiver: Receiver,
        target: Ty,
    ) -> Option<Ty> {
        match receiver {
            Receiver::Value => Some(target),
            Receiver::Ref | Receiver::RefMut => match self.types.kind(target) {
                TyKind::Ref(inner) => Some(self.shallow(*inner)),
                _ => None,
            },
            Receiver::Typed(_) => {
                let written = self.sig(method)?.receiver?;
                let var = self.fresh();
                let own = self.self_type(of);
                let TyKind::Param(owner, _) = *self.types.kind(own) else { return None };
                let written = self.types.subst(written, &[(owner, Rc::from([var]))]);
                self.try_unify(written, target).then(|| self.shallow(var))
            }
        }
    }

    /// Whether the trait has an impl for references to this type.
    fn has_ref_impl(&mut self, of: DefId, ty: Ty) -> bool {
        let TyKind::Adt(def, _) = *self.kind(ty) else { return false };
        self.impls(of, Some(TypeHead::Ref)).iter().any(|found| {
            let own = self.impl_self(*found);
            match self.types.kind(own) {
                TyKind::Ref(to) => {
                    matches!(self.types.kind(*to), TyKind::Adt(other, _) if *other == def)
                }
                _ => false,
            }
        })
    }

    /// The traits in scope that have a method with that name, with the method.
    pub(super) fn traits_with(&mut self, scope: NameScope, name: Symbol) -> TraitMethods {
        let key = (scope.at, scope.item, name);
        if let Some(found) = self.lookups.traits_by_name.get(&key) {
            return found.clone();
        }
        let traits = match self.lookups.traits_by_scope.get(&(scope.at, scope.item)) {
            Some(traits) => traits.clone(),
            None => {
                let traits: Rc<[DefId]> = self.map.traits_in_scope(&mut self.deps, &scope).into();
                self.lookups.traits_by_scope.insert((scope.at, scope.item), traits.clone());
                traits
            }
        };
        let mut found = Vec::new();
        for of in traits.iter() {
            if let Some(def) = self.method_in(*of, name) {
                found.push((*of, def));
            }
        }
        let found: Rc<[_]> = found.into();
        self.lookups.traits_by_name.insert(key, found.clone());
        found
    }

    /// Methods of a workspace type from impls of external traits that are in scope under their own
    /// names.
    pub(super) fn external_trait_methods(
        &mut self,
        step: Ty,
        name: Symbol,
        scope: NameScope,
    ) -> Vec<(DefId, Option<TraitRef>)> {
        let mut all = Vec::new();
        match *self.types.kind(step) {
            TyKind::Adt(def, _) if self.is_local(def) => {
                for found in self.map.trait_impls(&mut self.deps, TypeHead::Adt(def)) {
                    if let Some(method) = self.method_in(*found, name)
                        && self.map.trait_of(&mut self.deps, *found).is_none()
                        && self.is_external_trait_in_scope(*found, scope)
                    {
                        all.push((method, None));
                    }
                }
            }
            _ => {}
        }
        all
    }

    /// Whether the external trait that an impl implements is in scope: under its own name, or because an
    /// enclosing impl implements it, too.
    fn is_external_trait_in_scope(&mut self, of: DefId, scope: NameScope) -> bool {
        let Some((of_trait, last)) = self.external_trait_of(of) else { return false };
        let here = self.map.resolve(&mut self.deps, &scope, &[last], false, Namespace::Type);
        if here == Resolution::External(of_trait.clone()) {
            return true;
        }
        let mut around = Some(scope.item);
        while let Some(it) = around {
            if self.external_trait_of(it).is_some_and(|(other, _)| other == of_trait) {
                return true;
            }
            around = self.map.def(it).parent;
        }
        false
    }

    /// The path of the external trait that an impl implements, and the last name in its header.
    fn external_trait_of(&mut self, of: DefId) -> Option<(String, Symbol)> {
        let Some(Shape::Impl { of_trait: Some(path), is_negative: false, .. }) =
            self.decl(of).map(|decl| &decl.shape)
        else {
            return None;
        };
        let cx = self.cx_of(of);
        let Resolution::External(of_trait) = self.resolve_path(&cx, *path, Namespace::Type) else {
            return None;
        };
        let last = self.facts_of(cx.file).paths.get(path.idx()).and_then(|it| it.segments.last());
        Some((of_trait, self.symbol(&cx, last?.name)))
    }
}
