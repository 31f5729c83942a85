//! Method resolution, in the lookup order of the language.

use std::rc::Rc;

use base::ItemKind;
use syntax::facts::{Receiver, Shape};

use super::Infer;
use super::select::Holds;
use super::ty::{Args, Subst, TraitRef, Ty, TyKind, Types};
use crate::{DefId, NameScope, Namespace, Symbol, TypeHead};

/// The maximum number of autoderef steps.
const STEPS: usize = 12;

/// A candidate for a method call.
#[derive(Clone, Debug)]
pub(super) struct Picked {
    /// The function, of an inherent impl or of a trait.
    pub def: DefId,
    /// The impl or trait with its arguments (`Self` first for a trait).
    pub container: (DefId, Args),
    /// The function belongs to a trait.
    pub of_trait: bool,
    /// No other candidate is possible, and all types involved are known.
    pub is_sure: bool,
    /// The variable of a number receiver whose type is not decided.
    pub number: Option<Ty>,
}

/// Traits, each with its method of one name.
pub(super) type TraitMethods = Rc<[(DefId, DefId)]>;

/// The result of a lookup.
#[derive(Clone, Debug)]
pub(super) enum Lookup {
    One(Picked),
    /// An ambiguous call.
    Several(Vec<Picked>),
    /// The type is known and has no such method.
    None,
    /// The receiver's type is not known yet.
    Open,
    /// The receiver's type, or one of its autoderef steps, is unknown.
    Unknown,
}

impl Infer<'_> {
    /// The autoderef steps of a receiver, starting with itself.
    pub(super) fn deref_steps(&mut self, ty: Ty) -> Vec<Ty> {
        let mut steps = vec![self.shallow(ty)];
        while steps.len() < STEPS {
            let Some(last) = steps.last().copied() else { break };
            let Some(next) = self.deref(last) else { break };
            let next = self.shallow(next);
            if steps.contains(&next) {
                break;
            }
            steps.push(next);
        }
        if let Some(last) = steps.last()
            && let TyKind::Array(of) = *self.types.kind(*last)
        {
            steps.push(self.types.make(TyKind::Slice(of)));
        }
        steps
    }

    /// Looks a method up. If exactly one is found, the arguments of its impl are unified.
    pub(super) fn lookup_method(&mut self, receiver: Ty, name: Symbol, scope: NameScope) -> Lookup {
        self.settle(receiver);
        if self.is_open(receiver) {
            return Lookup::Open;
        }
        let mut steps = self.deref_steps(receiver);
        let mut number = None;
        if let (Some(first), Some(whole)) = (steps.first_mut(), self.number_var(receiver)) {
            number = Some(*first);
            *first = if whole { Types::I32 } else { Types::F64 };
        }
        let inherent = self.inherent_named(&steps, name);
        let traits = self.traits_with(scope, name);
        for step in steps.iter().copied() {
            match self.types.kind(step) {
                TyKind::Unknown => return Lookup::Unknown,
                TyKind::Var(_) => return Lookup::Open,
                _ => {}
            }
            for by_ref in [false, true] {
                let target = if by_ref { self.types.reference(step) } else { step };
                let found = self.pick_inherent(&inherent, target, number);
                if !found.is_empty() {
                    return one_or_several(found);
                }
                let found = self.pick_extension(&traits, target, number);
                if !found.is_empty() {
                    return one_or_several(found);
                }
                let external = self.external_trait_methods(step, name, scope);
                let found = self.pick_inherent(&external, target, number);
                if !found.is_empty() {
                    return one_or_several(found);
                }
            }
            if matches!(self.types.kind(step), TyKind::External(_)) {
                return Lookup::Unknown;
            }
        }
        Lookup::None
    }

    /// Inherent methods: of inherent impls, and of the bounds of type parameters and trait objects.
    fn inherent_named(&mut self, steps: &[Ty], name: Symbol) -> Vec<(DefId, Option<TraitRef>)> {
        let mut all = Vec::new();
        for step in steps {
            if let Some(head) = self.head(*step)
                && head != TypeHead::Unknown
            {
                all.extend(self.inherent_of(head, name).iter().map(|method| (*method, None)));
            }
            let is_bounded = matches!(
                self.types.kind(*step),
                TyKind::Param(..) | TyKind::Projection(..) | TyKind::Dyn(_) | TyKind::Opaque(_)
            );
            if is_bounded {
                for bound in self.bounds_of(*step).iter() {
                    if let Some(method) = self.method_in(bound.of, name) {
                        all.push((method, Some(bound.clone())));
                    }
                }
            }
        }
        all
    }

    /// The methods with a name in the inherent impls of a type head.
    fn inherent_of(&mut self, head: TypeHead, name: Symbol) -> Rc<[DefId]> {
        let key = (head, name, self.item.is_active);
        if let Some(found) = self.lookups.inherent_by_name.get(&key) {
            return found.clone();
        }
        let impls = self.map.inherent_impls(&mut self.deps, head);
        let found: Rc<[DefId]> = impls.iter().filter_map(|it| self.method_in(*it, name)).collect();
        self.lookups.inherent_by_name.insert(key, found.clone());
        found
    }

    /// Whether it is a trait impl.
    pub(super) fn is_trait_impl(&self, def: DefId) -> bool {
        let shape = self.map.facts(def).map(|(_, _, decl)| &decl.shape);
        matches!(shape, Some(Shape::Impl { of_trait: Some(_), .. }))
    }

    /// A function with `self` and that name in an impl or trait.
    pub(super) fn method_in(&mut self, container: DefId, name: Symbol) -> Option<DefId> {
        let def = self.map.member(&mut self.deps, container, name, Namespace::Value)?;
        if self.item.is_active && !self.map.def(def).is_active {
            return None;
        }
        let (_, _, decl) = self.map.facts(def)?;
        match &decl.shape {
            Shape::Fn(decl) if decl.receiver.is_some() => Some(def),
            _ => None,
        }
    }

    pub(super) fn receiver_kind(&mut self, def: DefId) -> Option<Receiver> {
        match &self.map.facts(def)?.2.shape {
            Shape::Fn(decl) => decl.receiver,
            _ => None,
        }
    }

    /// The inherent methods whose `self` type is `target`.
    fn pick_inherent(
        &mut self,
        all: &[(DefId, Option<TraitRef>)],
        target: Ty,
        number: Option<Ty>,
    ) -> Vec<Picked> {
        let mut found: Vec<Picked> = Vec::new();
        let mut marks = Vec::new();
        for (def, bound) in all {
            let Some(sig) = self.sig(*def) else { continue };
            let (Some(receiver), Some(owner)) = (sig.receiver, self.map.def(*def).parent) else {
                continue;
            };
            let before = self.body.obligations.len();
            let mark = self.body.vars.snapshot();
            let args = match bound {
                Some(bound) => bound.args.clone(),
                None => {
                    let count = self.generics(owner).params.len();
                    self.fresh_args(count)
                }
            };
            let subst = [(owner, args.clone())];
            let receiver = self.types.subst(receiver, &subst);
            let receiver = self.normalized(receiver);
            let mut fits = self.unify(receiver, target);
            if fits && bound.is_none() {
                let predicates = self.predicates(owner);
                fits = predicates.iter().all(|predicate| {
                    let predicate = self.types.subst_trait_ref(predicate, &subst);
                    let predicate = self.normalized_trait_ref(&predicate);
                    self.holds(&predicate, 1) != Holds::No
                });
            }
            self.body.vars.rollback(mark);
            self.body.obligations.truncate(before);
            if fits && !found.iter().any(|other| other.def == *def) {
                marks.push((receiver, target));
                found.push(Picked {
                    def: *def,
                    container: (owner, args),
                    of_trait: bound.is_some(),
                    is_sure: true,
                    number,
                });
            }
        }
        if let ([only], [(receiver, target)]) = (found.as_slice(), marks.as_slice()) {
            let (owner, args) = &only.container;
            let (receiver, target, owner, args) = (*receiver, *target, *owner, args.clone());
            self.unify(receiver, target);
            if !only.of_trait {
                self.add_predicates(owner, &[(owner, args)]);
            }
        }
        found
    }

    /// The arguments of a picked function's container and of its own generics.
    pub(super) fn picked_subst(&mut self, picked: &Picked, own: &[Ty]) -> Subst {
        let count = self.generics(picked.def).params.len();
        let mut args: Vec<Ty> = own.iter().copied().take(count).collect();
        while args.len() < count {
            args.push(self.fresh());
        }
        let mut all = vec![picked.container.clone()];
        if count > 0 {
            all.push((picked.def, args.into()));
        }
        all.into()
    }

    /// Resolves `Type::name`; inherent members first.
    pub(super) fn lookup_assoc(&mut self, self_ty: Ty, name: Symbol, scope: NameScope) -> Lookup {
        let self_ty = self.shallow(self_ty);
        if self.types.kind(self_ty) == &TyKind::Unknown {
            return Lookup::Unknown;
        }
        if self.is_open(self_ty) {
            return Lookup::Open;
        }
        let mut found = Vec::new();
        if let Some(head) = self.head(self_ty)
            && head != TypeHead::Unknown
        {
            for def in self.map.inherent_impls(&mut self.deps, head) {
                let member = self.map.member(&mut self.deps, *def, name, Namespace::Value);
                let Some(member) = member else { continue };
                if self.item.is_active && !self.map.def(member).is_active {
                    continue;
                }
                let own = self.impl_self(*def);
                let count = self.generics(*def).params.len();
                let args = self.fresh_args(count);
                let own = self.types.subst(own, &[(*def, args.clone())]);
                let mark = self.body.vars.snapshot();
                let fits = self.unify(own, self_ty);
                self.body.vars.rollback(mark);
                if fits {
                    found.push((
                        own,
                        Picked {
                            def: member,
                            container: (*def, args),
                            of_trait: false,
                            is_sure: true,
                            number: None,
                        },
                    ));
                }
            }
        }
        if let [(own, only)] = found.as_slice() {
            let (own, only) = (*own, only.clone());
            self.unify(own, self_ty);
            let (owner, args) = only.container.clone();
            self.add_predicates(owner, &[(owner, args)]);
            return Lookup::One(only);
        }
        if !found.is_empty() {
            return Lookup::Several(found.into_iter().map(|(_, picked)| picked).collect());
        }
        let mut all: Vec<Picked> = Vec::new();
        for bound in self.bounds_of(self_ty).iter() {
            let member = self.map.member(&mut self.deps, bound.of, name, Namespace::Value);
            if let Some(def) = member {
                let container = (bound.of, bound.args.clone());
                if !all.iter().any(|other| other.def == def) {
                    all.push(Picked {
                        def,
                        container,
                        of_trait: true,
                        is_sure: true,
                        number: None,
                    });
                }
            }
        }
        if all.is_empty() {
            all = self.assoc_of_traits(self_ty, name, scope);
        }
        if all.is_empty() && matches!(self.types.kind(self_ty), TyKind::External(_)) {
            return Lookup::Unknown;
        }
        one_or_several(all)
    }

    fn assoc_of_traits(&mut self, self_ty: Ty, name: Symbol, scope: NameScope) -> Vec<Picked> {
        let traits: Rc<[DefId]> = match self.lookups.traits_by_scope.get(&(scope.at, scope.item)) {
            Some(traits) => traits.clone(),
            None => self.map.traits_in_scope(&mut self.deps, &scope).into(),
        };
        self.lookups.traits_by_scope.insert((scope.at, scope.item), traits.clone());
        let (mut sure, mut maybe) = (Vec::new(), Vec::new());
        for of in traits.iter() {
            let member = self.map.member(&mut self.deps, *of, name, Namespace::Value);
            let Some(def) = member else { continue };
            let count = self.generics(*of).params.len();
            let mut args = vec![self_ty];
            args.extend(self.fresh_args(count.saturating_sub(1)).iter());
            let bound = TraitRef { of: *of, args: args.into(), bindings: Rc::from([]) };
            let before = self.body.obligations.len();
            let holds = self.holds(&bound, 0);
            self.body.obligations.truncate(before);
            let picked = Picked {
                def,
                container: (*of, bound.args.clone()),
                of_trait: true,
                is_sure: holds == Holds::Yes,
                number: None,
            };
            match holds {
                Holds::Yes => sure.push(picked),
                Holds::Maybe => maybe.push(picked),
                Holds::No => {}
            }
        }
        let found = if sure.is_empty() { maybe } else { sure };
        if let [only] = found.as_slice() {
            let (of, args) = only.container.clone();
            if args.len() > 1 {
                self.add_bound(TraitRef { of, args, bindings: Rc::from([]) });
            }
        }
        found
    }

    /// Whether it is a function or method.
    pub(super) fn is_fn(&self, def: DefId) -> bool {
        matches!(self.map.def(def).kind, ItemKind::Function | ItemKind::Method)
    }
}

fn one_or_several(mut found: Vec<Picked>) -> Lookup {
    match (found.pop(), found.is_empty()) {
        (None, _) => Lookup::None,
        (Some(only), true) => Lookup::One(only),
        (Some(last), false) => {
            found.push(last);
            Lookup::Several(found)
        }
    }
}
