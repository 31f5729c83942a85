//! Declarations of items as types: generics, headers of impls, signatures, fields, bounds. Each is
//! computed once per resolved file.

use std::rc::Rc;

use base::ItemKind;
use syntax::facts::{Decl, Fields, FnDecl, Receiver, Shape, TypeId};

use super::Infer;
use super::ty::{Args, TraitRef, Ty, TyKind, Types};
use crate::{DefId, Namespace, Resolution, Symbol};

/// The type parameters of one definition, without those of its containers.
#[derive(Debug, Default)]
pub(super) struct Generics {
    /// Names; `None` is `Self`, the first parameter of a trait.
    pub params: Vec<Option<Symbol>>,
    pub defaults: Vec<Option<TypeId>>,
}

/// Fields of a struct or variant; fields of a tuple struct have no names.
pub(super) type FieldTypes = Rc<[(Option<Symbol>, Ty)]>;

/// The signature of a function or constructor.
#[derive(Debug)]
pub(super) struct Sig {
    /// The type of `self`.
    pub receiver: Option<Ty>,
    pub params: Vec<Ty>,
    pub ret: Ty,
}

impl<'m> Infer<'m> {
    /// The declaration of a definition that is an item; records the dependency.
    pub(super) fn decl(&mut self, def: DefId) -> Option<&'m Decl> {
        let (_, _, decl) = self.map.facts(def)?;
        self.map.signature(&mut self.deps, def);
        Some(decl)
    }

    /// The impl, trait or enum whose generics are also in scope.
    pub(super) fn generic_parent(&self, def: DefId) -> Option<DefId> {
        let parent = self.map.def(def).parent?;
        let kind = self.map.def(parent).kind;
        matches!(kind, ItemKind::Impl | ItemKind::Trait | ItemKind::Enum).then_some(parent)
    }

    pub(super) fn generics(&mut self, def: DefId) -> Rc<Generics> {
        if let Some(generics) = self.decls.generics.get(&def) {
            return generics.clone();
        }
        let mut generics = Generics::default();
        if self.map.def(def).kind == ItemKind::Trait {
            generics.params.push(None);
            generics.defaults.push(None);
        }
        if self.map.def(def).variant.is_none()
            && let Some(decl) = self.decl(def)
        {
            let file = self.map.def(def).file;
            for param in decl.generics.iter().filter(|param| !param.is_const) {
                generics.params.push(Some(self.map.file_symbol(file, param.name)));
                generics.defaults.push(param.default);
            }
        }
        let generics = Rc::new(generics);
        self.decls.generics.insert(def, generics.clone());
        generics
    }

    /// The type of a type parameter; `None` for const parameters.
    pub(super) fn param(&mut self, def: DefId, name: Symbol) -> Option<Ty> {
        let generics = self.generics(def);
        let number = generics.params.iter().position(|param| *param == Some(name))?;
        Some(self.types.make(TyKind::Param(def, number as u32)))
    }

    /// A definition's own parameters as its arguments.
    pub(super) fn own_args(&mut self, def: DefId) -> Args {
        let count = self.generics(def).params.len() as u32;
        (0..count).map(|number| self.types.make(TyKind::Param(def, number))).collect()
    }

    /// `Self: Trait` inside the trait.
    pub(super) fn identity(&mut self, of: DefId) -> TraitRef {
        TraitRef { of, args: self.own_args(of), bindings: Rc::from([]) }
    }

    /// The type of `Self` in an impl, trait or type definition.
    pub(super) fn self_type(&mut self, def: DefId) -> Ty {
        match self.map.def(def).kind {
            ItemKind::Impl => self.impl_self(def),
            ItemKind::Trait => self.types.make(TyKind::Param(def, 0)),
            ItemKind::Struct | ItemKind::Enum | ItemKind::Union => {
                let args = self.own_args(def);
                self.types.make(TyKind::Adt(def, args))
            }
            _ => Types::UNKNOWN,
        }
    }

    /// The self type of an impl.
    pub(super) fn impl_self(&mut self, def: DefId) -> Ty {
        if let Some(ty) = self.decls.impl_selves.get(&def) {
            return *ty;
        }
        // A cyclic self type is unknown.
        self.decls.impl_selves.insert(def, Types::UNKNOWN);
        let ty = match self.decl(def).map(|decl| &decl.shape) {
            Some(Shape::Impl { self_type, .. }) => {
                let cx = self.cx_of(def);
                self.lower(&cx, *self_type)
            }
            _ => Types::UNKNOWN,
        };
        self.decls.impl_selves.insert(def, ty);
        ty
    }

    /// The trait of an impl, with its arguments.
    pub(super) fn impl_trait(&mut self, def: DefId) -> Option<TraitRef> {
        if let Some(of) = self.decls.impl_traits.get(&def) {
            return of.clone();
        }
        self.decls.impl_traits.insert(def, None);
        let self_ty = self.impl_self(def);
        let of = match self.decl(def).map(|decl| &decl.shape) {
            Some(Shape::Impl { of_trait: Some(path), is_negative: false, .. }) => {
                let cx = self.cx_of(def);
                self.lower_bound(&cx, *path, self_ty)
            }
            _ => None,
        };
        self.decls.impl_traits.insert(def, of.clone());
        of
    }

    /// `Self::name` in a trait impl (its own associated type) or in a trait.
    pub(super) fn own_assoc_type(&mut self, def: DefId, name: Symbol) -> Option<Ty> {
        if self.map.def(def).kind != ItemKind::Impl {
            return None;
        }
        if let Some(alias) = self.map.member(&mut self.deps, def, name, Namespace::Type)
            && self.map.def(alias).kind == ItemKind::TypeAlias
        {
            return self.alias(alias);
        }
        let bound = self.impl_trait(def)?;
        let bound = self.trait_with_assoc(&bound, name)?;
        Some(self.types.make(TyKind::Projection(bound.of, bound.args, name)))
    }

    /// The target of an alias or associated type.
    pub(super) fn alias(&mut self, def: DefId) -> Option<Ty> {
        if let Some(ty) = self.decls.aliases.get(&def) {
            return *ty;
        }
        self.decls.aliases.insert(def, None);
        let ty = match self.decl(def).map(|decl| &decl.shape) {
            Some(Shape::Alias { of: Some(of), .. }) => {
                let cx = self.cx_of(def);
                Some(self.lower(&cx, *of))
            }
            _ => None,
        };
        self.decls.aliases.insert(def, ty);
        ty
    }

    /// The type of a constant or static used as a value.
    pub(super) fn value_type(&mut self, def: DefId) -> Ty {
        let ty = self.declared_type(def);
        if self.is_thread_local(def)
            && let Some(key) = self.lang.local_key
        {
            return self.types.make(TyKind::Adt(key, Rc::from([ty])));
        }
        ty
    }

    /// Whether it comes from an expansion of `thread_local!`.
    fn is_thread_local(&mut self, def: DefId) -> bool {
        if self.map.def(def).kind != ItemKind::Static {
            return false;
        }
        let Some(call) = self.map.source(self.map.def(def).file).call else { return false };
        let Some(Shape::MacroCall(path)) = self.map.facts(call).map(|it| &it.2.shape) else {
            return false;
        };
        let cx = self.cx_of(call);
        match self.resolve_path(&cx, *path, Namespace::Macro) {
            Resolution::Def(found) => Some(found) == self.lang.thread_local,
            _ => false,
        }
    }

    /// The declared type of a constant or static.
    pub(super) fn declared_type(&mut self, def: DefId) -> Ty {
        match self.decl(def).map(|decl| &decl.shape) {
            Some(Shape::Value(Some(of))) => {
                let cx = self.cx_of(def);
                self.lower(&cx, *of)
            }
            _ => Types::UNKNOWN,
        }
    }

    /// The fields of a struct, union or variant, in terms of the type's parameters; the names of a
    /// tuple struct's fields are numbers.
    pub(super) fn fields(&mut self, def: DefId) -> FieldTypes {
        if let Some(fields) = self.decls.fields.get(&def) {
            return fields.clone();
        }
        let variant = self.map.def(def).variant;
        let of = match (self.decl(def).map(|decl| &decl.shape), variant) {
            (Some(Shape::Struct(fields)), _) => Some(fields),
            (Some(Shape::Enum(variants)), Some(at)) => {
                variants.get(at as usize).map(|variant| &variant.fields)
            }
            _ => None,
        };
        let owner = if variant.is_some() { self.map.def(def).parent } else { None };
        let cx = self.cx_of(owner.unwrap_or(def));
        let fields: Rc<[_]> = match of {
            None | Some(Fields::Unit) => Rc::from([]),
            Some(Fields::Tuple(types)) => {
                types.iter().map(|ty| (None, self.lower(&cx, *ty))).collect()
            }
            Some(Fields::Named(fields)) => fields
                .iter()
                .map(|(name, ty)| (Some(self.symbol(&cx, *name)), self.lower(&cx, *ty)))
                .collect(),
        };
        self.decls.fields.insert(def, fields.clone());
        fields
    }

    /// Whether a struct or variant is constructed with parentheses (`Tuple`), as a value (`Unit`)
    /// or with braces.
    pub(super) fn shape_of_fields(&self, def: DefId) -> Option<&'m Fields> {
        let (_, _, decl) = self.map.facts(def)?;
        match (&decl.shape, self.map.def(def).variant) {
            (Shape::Struct(fields), _) => Some(fields),
            (Shape::Enum(variants), Some(at)) => {
                variants.get(at as usize).map(|variant| &variant.fields)
            }
            _ => None,
        }
    }

    /// The type of a struct or variant.
    pub(super) fn adt_of(&self, def: DefId) -> Option<DefId> {
        match self.map.def(def).kind {
            ItemKind::Struct | ItemKind::Union | ItemKind::Enum => Some(def),
            ItemKind::Variant => self.map.def(def).parent,
            _ => None,
        }
    }

    /// The declaration of a function.
    pub(super) fn fn_decl(&mut self, def: DefId) -> Option<&'m FnDecl> {
        match self.decl(def).map(|decl| &decl.shape) {
            Some(Shape::Fn(decl)) => Some(decl),
            _ => None,
        }
    }

    /// The signature of a function, or of a constructor that can be called.
    pub(super) fn sig(&mut self, def: DefId) -> Option<Rc<Sig>> {
        if let Some(sig) = self.decls.sigs.get(&def) {
            return sig.clone();
        }
        self.decls.sigs.insert(def, None);
        let sig = self.make_sig(def).map(Rc::new);
        self.decls.sigs.insert(def, sig.clone());
        sig
    }

    fn make_sig(&mut self, def: DefId) -> Option<Sig> {
        if let Some(adt) = self.adt_of(def) {
            if !matches!(self.shape_of_fields(def), Some(Fields::Tuple(_))) {
                return None;
            }
            let params = self.fields(def).iter().map(|(_, ty)| *ty).collect();
            return Some(Sig { receiver: None, params, ret: self.self_type(adt) });
        }
        let decl = self.fn_decl(def)?;
        let cx = self.cx_of(def);
        let receiver = match decl.receiver {
            None => None,
            Some(receiver) => {
                let own = self.generic_parent(def).map(|parent| self.self_type(parent));
                let own = own.unwrap_or(Types::UNKNOWN);
                Some(match receiver {
                    Receiver::Value => own,
                    Receiver::Ref | Receiver::RefMut => self.types.reference(own),
                    Receiver::Typed(ty) => self.lower(&cx, ty),
                })
            }
        };
        let params = decl.params.iter().map(|param| self.lower(&cx, *param)).collect();
        let mut ret = decl.ret.map_or(Types::UNIT, |ret| self.lower(&cx, ret));
        if decl.is_async {
            ret = self.future_of(ret);
        }
        Some(Sig { receiver, params, ret })
    }

    /// `impl Future<Output = ty>`.
    pub(super) fn future_of(&mut self, ty: Ty) -> Ty {
        let (Some(of), Some(output)) = (self.lang.future, self.lang.output) else {
            return Types::UNKNOWN;
        };
        let args = Rc::from([Types::UNKNOWN]);
        let bound = TraitRef { of, args, bindings: Rc::from([(output, ty)]) };
        self.types.make(TyKind::Opaque(Rc::from([bound])))
    }

    /// The bounds that a definition itself declares; for a trait also its supertraits.
    pub(super) fn predicates(&mut self, def: DefId) -> Rc<[TraitRef]> {
        if let Some(all) = self.decls.predicates.get(&def) {
            return all.clone();
        }
        self.decls.predicates.insert(def, Rc::from([]));
        let mut all = Vec::new();
        if let Some(decl) = self.decl(def) {
            let cx = self.cx_of(def);
            if let Shape::Trait(parents) = &decl.shape {
                let own = self.self_type(def);
                all.extend(parents.iter().filter_map(|bound| self.lower_bound(&cx, bound.0, own)));
            }
            for param in &decl.generics {
                let name = self.symbol(&cx, param.name);
                let Some(ty) = self.param(def, name) else { continue };
                all.extend(param.bounds.iter().filter_map(|it| self.lower_bound(&cx, it.0, ty)));
            }
            for (ty, bounds) in &decl.wheres {
                let ty = self.lower(&cx, *ty);
                if ty != Types::UNKNOWN {
                    let bounds = bounds.iter().filter_map(|it| self.lower_bound(&cx, it.0, ty));
                    all.extend(bounds.collect::<Vec<_>>());
                }
            }
        }
        let all: Rc<[TraitRef]> = all.into();
        self.decls.predicates.insert(def, all.clone());
        all
    }

    /// The direct supertraits of a bound.
    pub(super) fn supertraits(&mut self, bound: &TraitRef) -> Vec<TraitRef> {
        let own = self.self_type(bound.of);
        let predicates = self.predicates(bound.of);
        let subst = [(bound.of, bound.args.clone())];
        let parents = predicates.iter().filter(|parent| parent.args.first() == Some(&own));
        parents.map(|parent| self.types.subst_trait_ref(parent, &subst)).collect()
    }

    /// The direct supertraits of a trait, without their arguments.
    pub(super) fn super_defs(&mut self, of: DefId) -> Vec<DefId> {
        let Some(Shape::Trait(parents)) = self.decl(of).map(|decl| &decl.shape) else {
            return Vec::new();
        };
        let cx = self.cx_of(of);
        parents.iter().filter_map(|bound| self.trait_at(&cx, bound.0)).collect()
    }

    /// The bounds that a trait declares for its associated type `name`, applied to `ty`.
    pub(super) fn assoc_bounds(
        &mut self,
        of: DefId,
        args: &Args,
        name: Symbol,
        ty: Ty,
    ) -> Vec<TraitRef> {
        let Some(alias) = self.map.member(&mut self.deps, of, name, Namespace::Type) else {
            return Vec::new();
        };
        let Some(Shape::Alias { bounds, .. }) = self.decl(alias).map(|decl| &decl.shape) else {
            return Vec::new();
        };
        let cx = self.cx_of(alias);
        let subst = [(of, args.clone())];
        let mut all = Vec::new();
        for bound in bounds {
            if let Some(bound) = self.lower_bound(&cx, bound.0, ty) {
                // `ty` is already outside the trait: only the rest is substituted.
                all.push(self.types.subst_trait_ref(&bound, &subst));
            }
        }
        all
    }
}
