//! Types, interned for the resolution of one file: equal types have equal indices.

use std::rc::Rc;

use crate::hash::FastMap;
use crate::{DefId, Prim, Symbol};

/// A type: index into [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Ty(u32);

/// Type arguments.
pub(super) type Args = Rc<[Ty]>;

/// The kind of a type. References and pointers have no mutability: no rule here needs it, since the
/// code is assumed to compile.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum TyKind {
    /// Unknown: unifies with everything, proves nothing.
    Unknown,
    Never,
    Prim(Prim),
    /// A struct, enum or union with its type arguments.
    Adt(DefId, Args),
    /// A type outside the workspace and the standard library, by its canonical path.
    External(Rc<str>),
    /// An external type named `Result`, with its value and error; normalized to the standard
    /// library's or to an external type.
    ExternalResult(Rc<str>, Args),
    Ref(Ty),
    Ptr(Ty),
    Slice(Ty),
    Array(Ty),
    Tuple(Args),
    FnPtr(Args, Ty),
    /// A function, or the constructor of a struct or variant, with the arguments of all generics in
    /// scope.
    FnDef(DefId, Subst),
    /// A closure: its number, parameters, return type.
    Closure(u32, Args, Ty),
    /// A type parameter: owner and index. Index 0 of a trait is `Self`.
    Param(DefId, u32),
    Dyn(Bounds),
    Opaque(Bounds),
    /// `<args[0] as Trait<args[1..]>>::Name`.
    Projection(DefId, Args, Symbol),
    /// The struct that `pin_project!` generates for `project()`.
    PinProjection(DefId, Args),
    /// An inference variable of the current body.
    Var(u32),
}

/// Arguments of definitions: of an impl or trait and of a function in it.
pub(super) type Subst = Rc<[(DefId, Args)]>;

/// Bounds of `dyn` and `impl`; the `Self` of each is [`Types::UNKNOWN`].
pub(super) type Bounds = Rc<[TraitRef]>;

/// Bindings of associated types.
pub(super) type Bindings = Rc<[(Symbol, Ty)]>;

/// A trait with its arguments, and bindings of its associated types.
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

/// The interned types of one file's resolution.
pub(super) struct Types {
    kinds: Vec<TyKind>,
    flags: Vec<u8>,
    numbers: FastMap<TyKind, Ty>,
    /// Variables by index.
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
        types.make(TyKind::Unknown);
        types.make(TyKind::Never);
        types.make(TyKind::Tuple(empty));
        types.prim(Prim::Bool);
        let text = types.prim(Prim::Str);
        types.make(TyKind::Ref(text));
        types.prim(Prim::Usize);
        types.prim(Prim::Char);
        types.prim(Prim::U8);
        types.prim(Prim::I32);
        types.prim(Prim::F64);
        types
    }

    /// Interns a type.
    pub(super) fn make(&mut self, kind: TyKind) -> Ty {
        if let Some(ty) = self.numbers.get(&kind) {
            return *ty;
        }
        let ty = Ty(self.kinds.len() as u32);
        self.flags.push(self.flags_of(&kind));
        self.numbers.insert(kind.clone(), ty);
        self.kinds.push(kind);
        ty
    }

    /// The variable with this index; new indices must be consecutive.
    pub(super) fn var(&mut self, number: u32) -> Ty {
        if let Some(ty) = self.vars.get(number as usize) {
            return *ty;
        }
        let ty = self.make(TyKind::Var(number));
        if self.vars.len() == number as usize {
            self.vars.push(ty);
        }
        ty
    }

    pub(super) fn prim(&mut self, prim: Prim) -> Ty {
        self.make(TyKind::Prim(prim))
    }

    pub(super) fn reference(&mut self, to: Ty) -> Ty {
        self.make(TyKind::Ref(to))
    }

    pub(super) fn tuple(&mut self, parts: Vec<Ty>) -> Ty {
        if parts.is_empty() {
            return Self::UNIT;
        }
        self.make(TyKind::Tuple(parts.into()))
    }

    pub(super) fn no_args(&self) -> Args {
        self.empty.clone()
    }

    pub(super) fn kind(&self, ty: Ty) -> &TyKind {
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

    fn flags_of(&self, kind: &TyKind) -> u8 {
        let of = |ty: &Ty| self.flags[ty.0 as usize];
        let all = |args: &Args| args.iter().fold(0, |flags, ty| flags | of(ty));
        match kind {
            TyKind::Unknown | TyKind::Never | TyKind::Prim(_) | TyKind::External(_) => 0,
            TyKind::Adt(_, args) | TyKind::PinProjection(_, args) | TyKind::Tuple(args) => {
                all(args)
            }
            TyKind::Ref(to) | TyKind::Ptr(to) | TyKind::Slice(to) | TyKind::Array(to) => of(to),
            TyKind::FnPtr(args, ret) | TyKind::Closure(_, args, ret) => all(args) | of(ret),
            TyKind::FnDef(_, subst) => subst.iter().fold(0, |flags, (_, args)| flags | all(args)),
            TyKind::Param(..) => HAS_PARAM,
            TyKind::Dyn(bounds) | TyKind::Opaque(bounds) => {
                bounds.iter().fold(0, |flags, bound| {
                    // The `Self` of a bound is a placeholder and does not count.
                    let args = bound.args.iter().skip(1).fold(0, |flags, ty| flags | of(ty));
                    let bindings = bound.bindings.iter().fold(0, |flags, (_, ty)| flags | of(ty));
                    flags | args | bindings
                })
            }
            TyKind::Projection(_, args, _) | TyKind::ExternalResult(_, args) => {
                HAS_PROJECTION | all(args)
            }
            TyKind::Var(_) => HAS_VAR,
        }
    }

    /// Rebuilds a type, replacing each direct part with the result of `part`.
    pub(super) fn map_parts(&mut self, ty: Ty, part: &mut dyn FnMut(&mut Self, Ty) -> Ty) -> Ty {
        let kind = self.kind(ty).clone();
        let mut args = |types: &mut Self, args: &Args| -> Args {
            args.iter().map(|ty| part(types, *ty)).collect()
        };
        let kind = match kind {
            TyKind::Unknown
            | TyKind::Never
            | TyKind::Prim(_)
            | TyKind::External(_)
            | TyKind::Param(..)
            | TyKind::Var(_) => return ty,
            TyKind::Adt(def, old) if old.is_empty() => TyKind::Adt(def, old),
            TyKind::Adt(def, old) => TyKind::Adt(def, args(self, &old)),
            TyKind::Tuple(old) => TyKind::Tuple(args(self, &old)),
            TyKind::Ref(to) => TyKind::Ref(part(self, to)),
            TyKind::PinProjection(def, old) => TyKind::PinProjection(def, args(self, &old)),
            TyKind::Ptr(to) => TyKind::Ptr(part(self, to)),
            TyKind::Slice(to) => TyKind::Slice(part(self, to)),
            TyKind::Array(to) => TyKind::Array(part(self, to)),
            TyKind::FnPtr(old, ret) => {
                let new = args(self, &old);
                TyKind::FnPtr(new, part(self, ret))
            }
            TyKind::Closure(number, old, ret) => {
                let new = args(self, &old);
                TyKind::Closure(number, new, part(self, ret))
            }
            TyKind::FnDef(def, subst) => {
                let subst = subst.iter().map(|(owner, old)| (*owner, args(self, old))).collect();
                TyKind::FnDef(def, subst)
            }
            TyKind::Dyn(bounds) => TyKind::Dyn(self.map_bounds(&bounds, part)),
            TyKind::Opaque(bounds) => TyKind::Opaque(self.map_bounds(&bounds, part)),
            TyKind::Projection(of, old, name) => TyKind::Projection(of, args(self, &old), name),
            TyKind::ExternalResult(path, old) => TyKind::ExternalResult(path, args(self, &old)),
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

    /// Substitutes arguments for parameters.
    pub(super) fn subst(&mut self, ty: Ty, subst: &[(DefId, Args)]) -> Ty {
        if !self.has_param(ty) || subst.is_empty() {
            return ty;
        }
        if let TyKind::Param(owner, number) = self.kind(ty) {
            let found = subst.iter().find(|(of, _)| of == owner);
            return found.and_then(|(_, args)| args.get(*number as usize)).copied().unwrap_or(ty);
        }
        self.map_parts(ty, &mut |types, part| types.subst(part, subst))
    }

    pub(super) fn subst_trait_ref(&mut self, of: &TraitRef, subst: &[(DefId, Args)]) -> TraitRef {
        self.map_trait_ref(of, &mut |types, part| types.subst(part, subst))
    }
}
