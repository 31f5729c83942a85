//! Types, interned for one file's resolution: equal types have equal numbers.

use std::rc::Rc;

use super::hash::FastMap;
use crate::{DefId, Prim, Symbol};

/// A type: index into [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Ty(u32);

/// Arguments.
pub(super) type Args = Rc<[Ty]>;

/// What a type is. References and pointers have no mutability: no rule here needs it, since the
/// code is taken to be right.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Not known: says nothing about anything.
    Unknown,
    Never,
    Prim(Prim),
    /// A struct, enum or union with its type arguments.
    Adt(DefId, Args),
    /// A type outside the workspace and the standard library: its canonical path.
    External(Rc<str>),
    Ref(Ty),
    Ptr(Ty),
    Slice(Ty),
    Array(Ty),
    Tuple(Args),
    FnPtr(Args, Ty),
    /// A function, or the constructor of a struct or variant, with arguments of all generics
    /// around it.
    FnDef(DefId, Subst),
    /// A closure: its number, parameters, value.
    Closure(u32, Args, Ty),
    /// A type parameter: whose, and the how-manieth. Of a trait the first is `Self`.
    Param(DefId, u32),
    Dyn(Bounds),
    Opaque(Bounds),
    /// `<args[0] as Trait<args[1..]>>::Name`.
    Projection(DefId, Args, Symbol),
    /// The fields of a struct, each behind a reference: what `pin_project!` makes of it.
    Projected(DefId, Args),
    /// An inference variable of the body at hand.
    Var(u32),
}

/// Arguments of definitions: of an impl or trait and of a function in it.
pub(super) type Subst = Rc<[(DefId, Args)]>;

/// Bounds of `dyn` and `impl`; the `Self` of each is [`Types::UNKNOWN`].
pub(super) type Bounds = Rc<[TraitRef]>;

/// What is said of associated types.
pub(super) type Bindings = Rc<[(Symbol, Ty)]>;

/// A trait with its arguments, and what is said of its associated types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct TraitRef {
    pub of: DefId,
    /// `Self` first.
    pub args: Args,
    pub bindings: Bindings,
}

const HAS_VAR: u8 = 1;
const HAS_PARAM: u8 = 2;
const HAS_PROJECTION: u8 = 4;

/// All types of one file's resolution.
pub(super) struct Types {
    kinds: Vec<Kind>,
    flags: Vec<u8>,
    numbers: FastMap<Kind, Ty>,
    /// Variables by their number.
    vars: Vec<Ty>,
    empty: Args,
}

impl Types {
    pub(super) const UNKNOWN: Ty = Ty(0);
    pub(super) const NEVER: Ty = Ty(1);
    pub(super) const UNIT: Ty = Ty(2);
    pub(super) const BOOL: Ty = Ty(3);
    pub(super) const STR: Ty = Ty(4);
    pub(super) const STR_REF: Ty = Ty(5);
    pub(super) const USIZE: Ty = Ty(6);
    pub(super) const CHAR: Ty = Ty(7);
    pub(super) const U8: Ty = Ty(8);
    pub(super) const I32: Ty = Ty(9);
    pub(super) const F64: Ty = Ty(10);

    pub(super) fn new() -> Self {
        let empty: Args = Rc::from([]);
        let mut types = Self {
            kinds: Vec::new(),
            flags: Vec::new(),
            numbers: FastMap::default(),
            vars: Vec::new(),
            empty: empty.clone(),
        };
        // In the order of the constants above.
        types.make(Kind::Unknown);
        types.make(Kind::Never);
        types.make(Kind::Tuple(empty));
        types.prim(Prim::Bool);
        let text = types.prim(Prim::Str);
        types.make(Kind::Ref(text));
        types.prim(Prim::Usize);
        types.prim(Prim::Char);
        types.prim(Prim::U8);
        types.prim(Prim::I32);
        types.prim(Prim::F64);
        types
    }

    /// The type of this kind.
    pub(super) fn make(&mut self, kind: Kind) -> Ty {
        if let Some(ty) = self.numbers.get(&kind) {
            return *ty;
        }
        let ty = Ty(self.kinds.len() as u32);
        self.flags.push(self.flags_of(&kind));
        self.numbers.insert(kind.clone(), ty);
        self.kinds.push(kind);
        ty
    }

    /// The variable of this number; one after the other they are made for the first time.
    pub(super) fn var(&mut self, number: u32) -> Ty {
        if let Some(ty) = self.vars.get(number as usize) {
            return *ty;
        }
        let ty = self.make(Kind::Var(number));
        if self.vars.len() == number as usize {
            self.vars.push(ty);
        }
        ty
    }

    pub(super) fn prim(&mut self, prim: Prim) -> Ty {
        self.make(Kind::Prim(prim))
    }

    pub(super) fn reference(&mut self, to: Ty) -> Ty {
        self.make(Kind::Ref(to))
    }

    pub(super) fn tuple(&mut self, parts: Vec<Ty>) -> Ty {
        if parts.is_empty() {
            return Self::UNIT;
        }
        self.make(Kind::Tuple(parts.into()))
    }

    pub(super) fn no_args(&self) -> Args {
        self.empty.clone()
    }

    pub(super) fn kind(&self, ty: Ty) -> &Kind {
        &self.kinds[ty.0 as usize]
    }

    pub(super) fn has_var(&self, ty: Ty) -> bool {
        self.flags[ty.0 as usize] & HAS_VAR != 0
    }

    pub(super) fn has_param(&self, ty: Ty) -> bool {
        self.flags[ty.0 as usize] & HAS_PARAM != 0
    }

    pub(super) fn has_projection(&self, ty: Ty) -> bool {
        self.flags[ty.0 as usize] & HAS_PROJECTION != 0
    }

    fn flags_of(&self, kind: &Kind) -> u8 {
        let of = |ty: &Ty| self.flags[ty.0 as usize];
        let all = |args: &Args| args.iter().fold(0, |flags, ty| flags | of(ty));
        match kind {
            Kind::Unknown | Kind::Never | Kind::Prim(_) | Kind::External(_) => 0,
            Kind::Adt(_, args) | Kind::Projected(_, args) | Kind::Tuple(args) => all(args),
            Kind::Ref(to) | Kind::Ptr(to) | Kind::Slice(to) | Kind::Array(to) => of(to),
            Kind::FnPtr(args, ret) | Kind::Closure(_, args, ret) => all(args) | of(ret),
            Kind::FnDef(_, subst) => subst.iter().fold(0, |flags, (_, args)| flags | all(args)),
            Kind::Param(..) => HAS_PARAM,
            Kind::Dyn(bounds) | Kind::Opaque(bounds) => bounds.iter().fold(0, |flags, bound| {
                // The place of `Self` is no gap.
                let args = bound.args.iter().skip(1).fold(0, |flags, ty| flags | of(ty));
                let bindings = bound.bindings.iter().fold(0, |flags, (_, ty)| flags | of(ty));
                flags | args | bindings
            }),
            Kind::Projection(_, args, _) => HAS_PROJECTION | all(args),
            Kind::Var(_) => HAS_VAR,
        }
    }

    /// Rebuilds a type with each part given by `part`, which sees the direct parts.
    pub(super) fn map_parts(&mut self, ty: Ty, part: &mut dyn FnMut(&mut Self, Ty) -> Ty) -> Ty {
        let kind = self.kind(ty).clone();
        let mut args = |types: &mut Self, args: &Args| -> Args {
            args.iter().map(|ty| part(types, *ty)).collect()
        };
        let kind = match kind {
            Kind::Unknown
            | Kind::Never
            | Kind::Prim(_)
            | Kind::External(_)
            | Kind::Param(..)
            | Kind::Var(_) => return ty,
            Kind::Adt(def, old) if old.is_empty() => Kind::Adt(def, old),
            Kind::Adt(def, old) => Kind::Adt(def, args(self, &old)),
            Kind::Tuple(old) => Kind::Tuple(args(self, &old)),
            Kind::Ref(to) => Kind::Ref(part(self, to)),
            Kind::Projected(def, old) => Kind::Projected(def, args(self, &old)),
            Kind::Ptr(to) => Kind::Ptr(part(self, to)),
            Kind::Slice(to) => Kind::Slice(part(self, to)),
            Kind::Array(to) => Kind::Array(part(self, to)),
            Kind::FnPtr(old, ret) => {
                let new = args(self, &old);
                Kind::FnPtr(new, part(self, ret))
            }
            Kind::Closure(number, old, ret) => {
                let new = args(self, &old);
                Kind::Closure(number, new, part(self, ret))
            }
            Kind::FnDef(def, subst) => {
                let subst = subst.iter().map(|(owner, old)| (*owner, args(self, old))).collect();
                Kind::FnDef(def, subst)
            }
            Kind::Dyn(bounds) => Kind::Dyn(self.map_bounds(&bounds, part)),
            Kind::Opaque(bounds) => Kind::Opaque(self.map_bounds(&bounds, part)),
            Kind::Projection(of, old, name) => Kind::Projection(of, args(self, &old), name),
        };
        self.make(kind)
    }

    fn map_bounds(&mut self, bounds: &Bounds, part: &mut dyn FnMut(&mut Self, Ty) -> Ty) -> Bounds {
        bounds.iter().map(|bound| self.map_trait_ref(bound, part)).collect()
    }

    pub(super) fn map_trait_ref(
        &mut self,
        bound: &TraitRef,
        part: &mut dyn FnMut(&mut Self, Ty) -> Ty,
    ) -> TraitRef {
        TraitRef {
            of: bound.of,
            args: bound.args.iter().map(|ty| part(self, *ty)).collect(),
            bindings: bound.bindings.iter().map(|(name, ty)| (*name, part(self, *ty))).collect(),
        }
    }

    /// Puts arguments in the place of parameters.
    pub(super) fn subst(&mut self, ty: Ty, subst: &[(DefId, Args)]) -> Ty {
        if !self.has_param(ty) || subst.is_empty() {
            return ty;
        }
        if let Kind::Param(owner, number) = self.kind(ty) {
            let found = subst.iter().find(|(of, _)| of == owner);
            return found.and_then(|(_, args)| args.get(*number as usize)).copied().unwrap_or(ty);
        }
        self.map_parts(ty, &mut |types, part| types.subst(part, subst))
    }

    pub(super) fn subst_trait_ref(&mut self, of: &TraitRef, subst: &[(DefId, Args)]) -> TraitRef {
        self.map_trait_ref(of, &mut |types, part| types.subst(part, subst))
    }
}
