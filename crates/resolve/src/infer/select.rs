//! Which impl a bound is met by, and what an associated type is.

use std::rc::Rc;

use super::Infer;
use super::ty::{Args, Kind, TraitRef, Ty, Types};
use crate::{DefId, DefKind, Namespace, Prim, Symbol, TypeHead};

/// How deep bounds of impls are followed while impls are told apart.
const DEPTH: u32 = 5;

/// What meets a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Selection {
    /// Exactly this impl.
    One(DefId),
    /// These, which could not be told apart (yet).
    Several(Vec<DefId>),
    /// No impl.
    None,
    /// The type is not known (yet).
    Unknown,
}

/// A bound holds, does not, or cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Yes,
    No,
    Maybe,
}

/// What an associated type turned out to be.
enum Projected {
    Is(Ty),
    /// Nothing more can be said than that it is this projection.
    Rigid,
    /// The type is not known yet.
    Later,
}

/// What waits for a type to become known.
#[derive(Clone, Debug)]
pub(super) enum Pending {
    Bound(TraitRef),
    Projection(DefId, Args, Symbol, Ty),
}

impl Infer<'_> {
    /// The head by which impls for a type are found; `None`: only blanket ones apply.
    pub(super) fn head(&self, ty: Ty) -> Option<TypeHead> {
        Some(match self.kind(ty) {
            Kind::Adt(def, _) => TypeHead::Adt(*def),
            Kind::Prim(prim) => TypeHead::Prim(*prim),
            Kind::Ref(_) => TypeHead::Ref,
            Kind::Ptr(_) => TypeHead::Ptr,
            Kind::Slice(_) => TypeHead::Slice,
            Kind::Array(_) => TypeHead::Array,
            Kind::Tuple(_) => TypeHead::Tuple,
            Kind::FnPtr(..) => TypeHead::Fn,
            Kind::Never => TypeHead::Never,
            Kind::Dyn(bounds) => TypeHead::Dyn(bounds.first()?.of),
            Kind::Unknown | Kind::External(_) | Kind::Projected(..) => TypeHead::Unknown,
            Kind::FnDef(..)
            | Kind::Closure(..)
            | Kind::Param(..)
            | Kind::Opaque(_)
            | Kind::Projection(..)
            | Kind::Var(_) => return None,
        })
    }

    /// The impls of a trait that may be for a type of this head, blanket ones included.
    pub(super) fn impls(&mut self, of: DefId, head: Option<TypeHead>) -> Rc<[DefId]> {
        if let Some(impls) = self.impls_by_head.get(&(of, head)) {
            return impls.clone();
        }
        let mut impls = Vec::new();
        let heads = [head, Some(TypeHead::Param)];
        for head in heads.into_iter().flatten() {
            impls.extend_from_slice(self.map.impls_for(&mut self.deps, of, head));
        }
        let impls: Rc<[DefId]> = impls.into();
        self.impls_by_head.insert((of, head), impls.clone());
        impls
    }

    /// The impls that meet a bound.
    pub(super) fn select(&mut self, bound: &TraitRef, depth: u32) -> Selection {
        let Some(self_ty) = bound.args.first().map(|ty| self.shallow(*ty)) else {
            return Selection::None;
        };
        if matches!(self.types.kind(self_ty), Kind::Unknown | Kind::Var(_)) || depth > DEPTH {
            return Selection::Unknown;
        }
        let head = self.head(self_ty);
        let mut found = Vec::new();
        for def in self.impls(bound.of, head).iter() {
            if !self.map.def(*def).is_active && self.cfg_counts(*def) {
                continue;
            }
            let before = self.pending.len();
            let mark = self.vars.mark();
            let fits = self.match_impl(*def, bound).is_some_and(|args| {
                let subst = [(*def, args)];
                let predicates = self.predicates(*def);
                predicates.iter().all(|predicate| {
                    let predicate = self.types.subst_trait_ref(predicate, &subst);
                    let predicate = self.normalized_trait_ref(&predicate);
                    self.holds(&predicate, depth + 1) != Holds::No
                })
            });
            self.vars.take_back(mark);
            self.pending.truncate(before);
            if fits {
                found.push(*def);
            }
        }
        match found.as_slice() {
            [] => Selection::None,
            [one] => Selection::One(*one),
            _ => Selection::Several(found),
        }
    }

    /// Code behind a cfg that is off says nothing of code that is on; inside such code it may.
    fn cfg_counts(&self, _def: DefId) -> bool {
        self.is_active
    }

    /// Makes an impl's header equal to a bound; the impl's arguments.
    pub(super) fn match_impl(&mut self, def: DefId, bound: &TraitRef) -> Option<Args> {
        let header = self.impl_trait(def)?;
        let count = self.generics(def).params.len();
        let args = self.fresh_args(count);
        let subst = [(def, args.clone())];
        for (theirs, ours) in header.args.iter().zip(bound.args.iter()) {
            let theirs = self.types.subst(*theirs, &subst);
            let theirs = self.normalized(theirs);
            if !self.unify(theirs, *ours) {
                return None;
            }
        }
        Some(args)
    }

    /// Whether a bound holds.
    pub(super) fn holds(&mut self, bound: &TraitRef, depth: u32) -> Holds {
        let Some(self_ty) = bound.args.first().map(|ty| self.shallow(*ty)) else {
            return Holds::Maybe;
        };
        if self.lang.is_marker(bound.of) {
            return Holds::Yes;
        }
        if let Some(whole) = self.number_var(self_ty) {
            return self.number_holds(bound, whole, depth);
        }
        match self.types.kind(self_ty) {
            Kind::Unknown | Kind::Var(_) => return Holds::Maybe,
            Kind::Closure(..) | Kind::FnDef(..) | Kind::FnPtr(..)
                if self.lang.is_fn_trait(bound.of) || self.lang.is_copy_or_clone(bound.of) =>
            {
                return Holds::Yes;
            }
            Kind::Ref(_) | Kind::Ptr(_) | Kind::Never | Kind::Prim(_)
                if self.lang.is_copy_or_clone(bound.of) =>
            {
                return Holds::Yes;
            }
            Kind::Tuple(_) | Kind::Array(_)
                if self.lang.is_copy_or_clone(bound.of) || self.lang.is_derivable(bound.of) =>
            {
                return Holds::Yes;
            }
            Kind::Adt(def, _) => {
                let def = *def;
                if self.derives(def, bound.of) {
                    return Holds::Yes;
                }
            }
            _ => {}
        }
        for known in self.bounds_of(self_ty).iter() {
            if known.of == bound.of && self.could_equal(known, bound) {
                return Holds::Yes;
            }
        }
        match self.select(bound, depth) {
            Selection::One(_) | Selection::Several(_) => Holds::Yes,
            Selection::None => Holds::No,
            Selection::Unknown => Holds::Maybe,
        }
    }

    fn number_holds(&mut self, bound: &TraitRef, whole: bool, depth: u32) -> Holds {
        let prims = if whole { [Prim::I32, Prim::Usize, Prim::U8] } else { [Prim::F64; 3] };
        for prim in prims {
            let mut args = bound.args.to_vec();
            if let Some(first) = args.first_mut() {
                *first = self.types.prim(prim);
            }
            let bound = TraitRef { args: args.into(), ..bound.clone() };
            if self.holds(&bound, depth + 1) != Holds::No {
                return Holds::Maybe;
            }
        }
        Holds::No
    }

    /// Whether two bounds of the same trait could be one, tried without a trace.
    fn could_equal(&mut self, a: &TraitRef, b: &TraitRef) -> bool {
        let mark = self.vars.mark();
        let fits = a.args.iter().zip(b.args.iter()).all(|(a, b)| self.unify(*a, *b));
        self.vars.take_back(mark);
        fits
    }

    /// Whether a type derives a trait.
    pub(super) fn derives(&mut self, def: DefId, of: DefId) -> bool {
        let Some(name) = self.map.def(of).name else { return false };
        if !self.all_derives.contains_key(&def) {
            let derives = self.derives_of(def);
            self.all_derives.insert(def, derives);
        }
        let Some(derives) = self.all_derives.get(&def) else { return false };
        derives.contains(&name)
    }

    fn derives_of(&mut self, def: DefId) -> Rc<[Symbol]> {
        let Some((_, item, _)) = self.map.facts(def) else { return Rc::from([]) };
        self.map.signature(&mut self.deps, def);
        derive_paths(&item.attributes)
            .filter_map(|path| {
                let name = path.rsplit("::").next().unwrap_or(path);
                self.map.symbol(name.trim())
            })
            .collect()
    }

    /// The bounds that hold of a type in the code at hand, supertraits included.
    pub(super) fn bounds_of(&mut self, ty: Ty) -> Rc<[TraitRef]> {
        let ty = self.resolved(ty);
        let kind = self.types.kind(ty).clone();
        let own =
            matches!(kind, Kind::Param(..) | Kind::Projection(..) | Kind::Dyn(_) | Kind::Opaque(_));
        if !own && !self.env_is_wide {
            return self.no_bounds.clone();
        }
        if let Some(bounds) = self.bounds_by_type.get(&ty) {
            return bounds.clone();
        }
        let env = self.env.clone();
        let mut all: Vec<TraitRef> = Vec::new();
        for known in env.iter() {
            if known.args.first() == Some(&ty) {
                all.push(known.clone());
            }
        }
        match kind {
            Kind::Projection(of, args, name) => {
                all.extend(self.assoc_bounds(of, &args, name, ty));
            }
            Kind::Dyn(bounds) | Kind::Opaque(bounds) => {
                for bound in bounds.iter() {
                    let mut args = bound.args.to_vec();
                    if let Some(first) = args.first_mut() {
                        *first = ty;
                    }
                    all.push(TraitRef { args: args.into(), ..bound.clone() });
                }
            }
            _ => {}
        }
        let mut at = 0;
        while let Some(bound) = all.get(at).cloned() {
            for parent in self.supertraits(&bound) {
                if all.len() < 128 && !all.contains(&parent) {
                    all.push(parent);
                }
            }
            at += 1;
        }
        let all: Rc<[TraitRef]> = all.into();
        if !self.types.has_var(ty) {
            self.bounds_by_type.insert(ty, all.clone());
        }
        all
    }

    /// A type with its projections worked out as far as can be; what has to wait is a variable.
    pub(super) fn normalized(&mut self, ty: Ty) -> Ty {
        self.normalized_at(ty, 0)
    }

    fn normalized_at(&mut self, ty: Ty, depth: u32) -> Ty {
        if !self.types.has_projection(ty) {
            return ty;
        }
        if depth > 16 || self.depth > 40 {
            return Types::UNKNOWN;
        }
        match self.types.kind(ty).clone() {
            Kind::Projection(of, args, name) => {
                let args: Args =
                    args.iter().map(|arg| self.normalized_at(*arg, depth + 1)).collect();
                self.project(of, args, name)
            }
            Kind::Dyn(_) | Kind::Opaque(_) => {
                // Their parts may name projections of variables: those are left for later, when
                // the bound is used.
                self.normalized_bounds(ty, depth)
            }
            Kind::Adt(def, args) => {
                let args = args.iter().map(|arg| self.normalized_at(*arg, depth + 1)).collect();
                self.types.make(Kind::Adt(def, args))
            }
            Kind::Tuple(args) => {
                let args = args.iter().map(|arg| self.normalized_at(*arg, depth + 1)).collect();
                self.types.make(Kind::Tuple(args))
            }
            Kind::Ref(to) => {
                let to = self.normalized_at(to, depth + 1);
                self.types.reference(to)
            }
            Kind::Ptr(to) => {
                let to = self.normalized_at(to, depth + 1);
                self.types.make(Kind::Ptr(to))
            }
            Kind::Slice(to) => {
                let to = self.normalized_at(to, depth + 1);
                self.types.make(Kind::Slice(to))
            }
            Kind::Array(to) => {
                let to = self.normalized_at(to, depth + 1);
                self.types.make(Kind::Array(to))
            }
            Kind::FnPtr(args, ret) => {
                let args = args.iter().map(|arg| self.normalized_at(*arg, depth + 1)).collect();
                let ret = self.normalized_at(ret, depth + 1);
                self.types.make(Kind::FnPtr(args, ret))
            }
            _ => ty,
        }
    }

    fn normalized_bounds(&mut self, ty: Ty, depth: u32) -> Ty {
        let (Kind::Dyn(bounds) | Kind::Opaque(bounds)) = self.types.kind(ty).clone() else {
            return ty;
        };
        let mut all = Vec::new();
        for bound in bounds.iter() {
            let args = bound.args.iter().map(|arg| self.normalized_at(*arg, depth + 1)).collect();
            let bindings = bound.bindings.iter();
            let bindings =
                bindings.map(|(name, ty)| (*name, self.normalized_at(*ty, depth + 1))).collect();
            all.push(TraitRef { of: bound.of, args, bindings });
        }
        let is_dyn = matches!(self.types.kind(ty), Kind::Dyn(_));
        self.types.make(if is_dyn { Kind::Dyn(all.into()) } else { Kind::Opaque(all.into()) })
    }

    pub(super) fn normalized_trait_ref(&mut self, of: &TraitRef) -> TraitRef {
        let args = of.args.iter().map(|ty| self.normalized(*ty)).collect();
        let bindings = of.bindings.iter().map(|(name, ty)| (*name, self.normalized(*ty))).collect();
        TraitRef { of: of.of, args, bindings }
    }

    /// `<args[0] as of<…>>::name`; a variable where it must wait.
    pub(super) fn project(&mut self, of: DefId, args: Args, name: Symbol) -> Ty {
        self.depth += 1;
        let found = self.try_project(of, &args, name);
        self.depth -= 1;
        match found {
            Projected::Is(ty) => ty,
            Projected::Rigid => self.types.make(Kind::Projection(of, args, name)),
            Projected::Later => {
                let var = self.fresh();
                self.pending.push(Pending::Projection(of, args, name, var));
                var
            }
        }
    }

    fn try_project(&mut self, of: DefId, args: &Args, name: Symbol) -> Projected {
        let Some(self_ty) = args.first().map(|ty| self.shallow(*ty)) else {
            return Projected::Is(Types::UNKNOWN);
        };
        if self.depth > 40 {
            return Projected::Is(Types::UNKNOWN);
        }
        match self.types.kind(self_ty).clone() {
            Kind::Unknown | Kind::External(_) | Kind::Never => {
                return Projected::Is(Types::UNKNOWN);
            }
            Kind::Var(_) => return Projected::Later,
            Kind::Closure(..) | Kind::FnDef(..) | Kind::FnPtr(..) if self.lang.is_fn_trait(of) => {
                return Projected::Is(
                    self.callable(self_ty).map_or(Types::UNKNOWN, |(_, ret)| ret),
                );
            }
            _ => {}
        }
        let bound = TraitRef { of, args: args.clone(), bindings: Rc::from([]) };
        for known in self.bounds_of(self_ty).iter() {
            if known.of != of || !self.could_equal(known, &bound) {
                continue;
            }
            for (ours, theirs) in args.iter().zip(known.args.iter()) {
                self.unify(*ours, *theirs);
            }
            return match known.bindings.iter().find(|(of, _)| *of == name) {
                Some((_, ty)) => Projected::Is(self.normalized(*ty)),
                None => Projected::Rigid,
            };
        }
        match self.select(&bound, 0) {
            Selection::One(def) => {
                let Some(impl_args) = self.match_impl(def, &bound) else {
                    return Projected::Is(Types::UNKNOWN);
                };
                self.add_predicates(def, &[(def, impl_args.clone())]);
                Projected::Is(self.assoc_of_impl(def, impl_args, &bound, name))
            }
            Selection::Several(_) => {
                let open = args.iter().any(|ty| {
                    let ty = self.resolved(*ty);
                    self.types.has_var(ty)
                });
                if open { Projected::Later } else { Projected::Is(Types::UNKNOWN) }
            }
            Selection::None => match self.types.kind(self_ty) {
                // It may hold by a bound that is not written here.
                Kind::Param(..) | Kind::Projection(..) => Projected::Rigid,
                _ => Projected::Is(Types::UNKNOWN),
            },
            Selection::Unknown => Projected::Is(Types::UNKNOWN),
        }
    }

    /// The associated type of an impl, or the default of its trait.
    fn assoc_of_impl(&mut self, def: DefId, impl_args: Args, bound: &TraitRef, name: Symbol) -> Ty {
        let own = self.map.member(&mut self.deps, def, name, Namespace::Type);
        let (alias, subst) = match own {
            Some(alias) => (alias, [(def, impl_args)]),
            None => match self.map.member(&mut self.deps, bound.of, name, Namespace::Type) {
                Some(alias) => (alias, [(bound.of, bound.args.clone())]),
                None => return Types::UNKNOWN,
            },
        };
        // A generic associated type has parameters of its own, nearly always lifetimes.
        let Some(ty) = self.alias(alias) else { return Types::UNKNOWN };
        let ty = self.types.subst(ty, &subst);
        self.normalized(ty)
    }

    /// Registers the bounds of a definition from which something can be learnt.
    pub(super) fn add_predicates(&mut self, def: DefId, subst: &[(DefId, Args)]) {
        let predicates = self.predicates(def);
        for predicate in predicates.iter() {
            if predicate.args.len() > 1 || !predicate.bindings.is_empty() {
                let bound = self.types.subst_trait_ref(predicate, subst);
                self.add_bound(bound);
            }
        }
    }

    pub(super) fn add_bound(&mut self, bound: TraitRef) {
        let args = bound.args.iter().map(|ty| self.normalized(*ty)).collect();
        let bindings: Vec<_> = bound.bindings.to_vec();
        let bindings = bindings.into_iter().map(|(name, ty)| (name, self.normalized(ty))).collect();
        self.pending.push(Pending::Bound(TraitRef { of: bound.of, args, bindings }));
    }

    /// Works off what waits, as far as types are known.
    pub(super) fn settle(&mut self) {
        for _ in 0..8 {
            if self.pending.is_empty() && self.waiting.is_empty() {
                return;
            }
            if self.settled_at == (self.vars.bound, self.pending.len()) {
                return;
            }
            let before = self.vars.bound;
            for pending in std::mem::take(&mut self.pending) {
                if let Some(pending) = self.work_off(pending) {
                    self.pending.push(pending);
                }
            }
            self.settled_at = (self.vars.bound, self.pending.len());
            self.retry_waiting();
            if before == self.vars.bound {
                return;
            }
        }
    }

    fn work_off(&mut self, pending: Pending) -> Option<Pending> {
        match pending {
            Pending::Projection(of, args, name, var) => {
                match self.try_project(of, &args, name) {
                    Projected::Is(ty) => {
                        self.unify(var, ty);
                    }
                    Projected::Rigid => {
                        let ty = self.types.make(Kind::Projection(of, args, name));
                        self.unify(var, ty);
                    }
                    Projected::Later => return Some(Pending::Projection(of, args, name, var)),
                }
                None
            }
            Pending::Bound(bound) => self.work_off_bound(&bound).then_some(Pending::Bound(bound)),
        }
    }

    /// Learns from a bound; whether it must wait.
    fn work_off_bound(&mut self, bound: &TraitRef) -> bool {
        let Some(self_ty) = bound.args.first().map(|ty| self.shallow(*ty)) else { return false };
        match self.types.kind(self_ty) {
            Kind::Unknown => return false,
            Kind::Var(_) => return true,
            Kind::Closure(..) | Kind::FnDef(..) | Kind::FnPtr(..)
                if self.lang.is_fn_trait(bound.of) =>
            {
                if let Some((params, ret)) = self.callable(self_ty) {
                    if let Some(input) = bound.args.get(1) {
                        let tuple = self.types.tuple(params);
                        self.unify(*input, tuple);
                    }
                    for (_, ty) in bound.bindings.iter() {
                        let ret = self.fn_output(bound.of, ret);
                        self.unify(*ty, ret);
                    }
                }
                return false;
            }
            _ => {}
        }
        let known: Vec<TraitRef> = (self.bounds_of(self_ty).iter())
            .filter(|known| known.of == bound.of)
            .cloned()
            .collect();
        let known: Vec<_> =
            known.into_iter().filter(|known| self.could_equal(known, bound)).collect();
        if let [only] = known.as_slice() {
            for (ours, theirs) in bound.args.iter().zip(only.args.iter()) {
                let theirs = self.normalized(*theirs);
                self.unify(*ours, theirs);
            }
        } else if known.is_empty() {
            match self.select(bound, 0) {
                Selection::One(def) => {
                    let mark = self.vars.mark();
                    match self.match_impl(def, bound) {
                        Some(args) => {
                            self.vars.keep(mark);
                            self.add_predicates(def, &[(def, args)]);
                        }
                        None => self.vars.take_back(mark),
                    }
                }
                Selection::Several(_) => {
                    return bound.args.iter().any(|ty| {
                        let ty = self.resolved(*ty);
                        self.types.has_var(ty)
                    });
                }
                Selection::None | Selection::Unknown => return false,
            }
        } else {
            return false;
        }
        for (name, ty) in bound.bindings.iter() {
            // The binding may be of a supertrait.
            let plain = TraitRef { bindings: Rc::from([]), ..bound.clone() };
            if let Some(of) = self.trait_with_assoc(&plain, *name) {
                let found = self.project(of.of, of.args, *name);
                self.unify(*ty, found);
            }
        }
        false
    }

    /// What `F::Output` is for a bound `F: of(…)`, given what calling gives.
    pub(super) fn fn_output(&mut self, of: DefId, ret: Ty) -> Ty {
        if self.lang.is_async_fn_trait(of) { self.awaited(ret) } else { ret }
    }

    /// What awaiting gives.
    pub(super) fn awaited(&mut self, ty: Ty) -> Ty {
        let (Some(of), Some(output)) = (self.lang.into_future, self.lang.output) else {
            return Types::UNKNOWN;
        };
        self.project(of, Rc::from([ty]), output)
    }

    /// What dereferencing once gives, for looking up methods and fields.
    pub(super) fn deref(&mut self, ty: Ty) -> Option<Ty> {
        let ty = self.shallow(ty);
        match self.types.kind(ty) {
            Kind::Ref(to) => return Some(*to),
            Kind::Adt(..) | Kind::Param(..) | Kind::Projection(..) | Kind::Opaque(_) => {}
            Kind::Dyn(_) => {}
            _ => return None,
        }
        let (of, target) = (self.lang.deref?, self.lang.target?);
        let bound = TraitRef { of, args: Rc::from([ty]), bindings: Rc::from([]) };
        if let Kind::Adt(..) = self.types.kind(ty) {
            let head = self.head(ty);
            if self.impls(of, head).is_empty() {
                return None;
            }
        } else if !self.bounds_of(ty).iter().any(|known| known.of == of) {
            return None;
        }
        match self.try_project(of, &bound.args, target) {
            Projected::Is(to) => Some(to),
            Projected::Rigid => Some(self.types.make(Kind::Projection(of, bound.args, target))),
            Projected::Later => None,
        }
    }

    /// A definition that can be shown to users: of the workspace.
    pub(super) fn is_ours(&self, def: DefId) -> bool {
        !self.map.is_std(def) && self.map.def(def).kind != DefKind::Import
    }
}

/// The paths in `#[derive(…)]`, as written; those behind `cfg_attr` too.
pub(super) fn derive_paths(attributes: &[String]) -> impl Iterator<Item = &str> {
    attributes.iter().flat_map(|attribute| {
        let mut all = Vec::new();
        let mut rest = attribute.as_str();
        while let Some(at) = rest.find("derive(") {
            rest = &rest[at + "derive(".len()..];
            let end = rest.find(')').unwrap_or(rest.len());
            all.extend(rest[..end].split(',').map(str::trim).filter(|path| !path.is_empty()));
            rest = &rest[end..];
        }
        all
    })
}
