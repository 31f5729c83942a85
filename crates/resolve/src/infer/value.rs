//! Inference of paths as values: functions, constants, constructors and members of types. Start at
//! [`Infer::value_at`].

use std::rc::Rc;

use base::{EdgeKind, ItemKind};
use syntax::facts::{Fields, PathId, Segment, TypeId, TypeRef};

use super::Infer;
use super::lower::Cx;
use super::method::{Lookup, Picked};
use super::sites::{CallSite, CallTarget};
use super::ty::{Args, Subst, TraitRef, Ty, TyKind, Types};
use crate::{DefId, Namespace, Resolution, Rule, Symbol};

/// What a path refers to as a value.
pub(super) enum Value {
    Local(Ty),
    /// A function, constant, static, constructor.
    Item(DefId, Subst),
    /// A member of a type.
    Assoc(Lookup, Vec<Ty>),
    Several(Vec<DefId>),
    External,
    None,
}

/// What a member of a qualified path is a member of.
enum Owner {
    Trait(TraitRef),
    Type(Ty),
}

/// The arguments of one owner.
fn subst_of(owner: DefId, args: Args) -> Subst {
    if args.is_empty() { Rc::from([]) } else { Rc::from([(owner, args)]) }
}

impl<'m> Infer<'m> {
    /// The type of a path that is not called.
    pub(super) fn path_expr(&mut self, path: PathId) -> Ty {
        let (value, last) = self.value_at(path);
        if let Some(last) = last {
            self.value_use(&value, last);
        }
        match value {
            Value::Local(ty) => ty,
            Value::Item(def, subst) => self.item_value(def, subst),
            Value::Assoc(Lookup::One(picked), own) => self.picked_value(&picked, &own),
            _ => Types::UNKNOWN,
        }
    }

    /// Adds the use of a function, or of a constant of a type, that is not called.
    pub(super) fn value_use(&mut self, value: &Value, last: &'m Segment) {
        let target = match value {
            Value::Item(def, _) if self.is_fn(*def) => {
                return self.push_edge(EdgeKind::Uses, *def, Rule::FunctionValue, last.offset);
            }
            Value::Assoc(Lookup::One(picked), _) => {
                let def = picked.def;
                match self.map.def(def).kind {
                    _ if self.is_fn(def) && picked.of_trait => self.target(picked),
                    _ if self.is_fn(def) => {
                        return self.push_edge(
                            EdgeKind::Uses,
                            def,
                            Rule::FunctionValue,
                            last.offset,
                        );
                    }
                    ItemKind::Const => {
                        return self.push_edge(EdgeKind::Uses, def, Rule::Named, last.offset);
                    }
                    _ => return,
                }
            }
            Value::Assoc(Lookup::Several(all), _) => {
                CallTarget::Several(all.iter().map(|picked| picked.def).collect())
            }
            Value::Several(defs) => CallTarget::Several(defs.clone()),
            _ => return,
        };
        let Some(cx) = self.cx() else { return };
        let name = self.symbol(&cx, last.name);
        let site = self.call_site(last.offset, name, false, target);
        self.push_call_site(CallSite { is_value: true, ..site });
    }

    pub(super) fn item_value(&mut self, def: DefId, subst: Subst) -> Ty {
        match self.map.def(def).kind {
            ItemKind::Function | ItemKind::Method => {
                for (owner, _) in subst.iter() {
                    self.add_predicates(*owner, &subst);
                }
                self.types.make(TyKind::FnDef(def, subst))
            }
            ItemKind::Const | ItemKind::Static => {
                let ty = self.value_type(def);
                self.instance(ty, &subst)
            }
            ItemKind::Struct | ItemKind::Variant => {
                let args = subst.first().map_or_else(|| self.types.no_args(), |(_, it)| it.clone());
                self.constructor(def, args)
            }
            _ => Types::UNKNOWN,
        }
    }

    pub(super) fn picked_value(&mut self, picked: &Picked, own: &[Ty]) -> Ty {
        let subst = self.picked_subst(picked, own);
        match self.map.def(picked.def).kind {
            ItemKind::Const => {
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
    pub(super) fn value_at(&mut self, path: PathId) -> (Value, Option<&'m Segment>) {
        let Some(cx) = self.cx() else { return (Value::None, None) };
        let Some(written) = self.facts_of(cx.file).paths.get(path.idx()) else {
            return (Value::None, None);
        };
        let Some(last) = written.segments.last() else { return (Value::None, None) };
        let name = self.symbol(&cx, last.name);
        if written.qself.is_none()
            && !written.is_global
            && written.segments.len() == 1
            && let Some(ty) = self.local_at(name, last.offset)
        {
            return (Value::Local(ty), Some(last));
        }
        for arg in written.segments.iter().flat_map(|it| &it.args) {
            self.const_argument(&cx, *arg);
        }
        let value = self.value_of(&cx, path, last, name);
        (value.unwrap_or(Value::None), Some(last))
    }

    /// Adds the use of a constant that is an argument of generics, where it is written like a type.
    fn const_argument(&mut self, cx: &Cx, arg: TypeId) {
        let Some(TypeRef::Path(path)) = self.facts_of(cx.file).types.get(arg.idx()) else { return };
        let quiet = Cx { in_body: false, ..*cx };
        if matches!(self.resolve_path(&quiet, *path, Namespace::Type), Resolution::None) {
            // What it resolves to counts as used.
            let _ = self.resolve_path(cx, *path, Namespace::Value);
        }
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
            let member = self.qualified_owner(cx, (ty, of), segments)?;
            return Some(match member {
                Owner::Trait(bound) => self.member_of_trait(cx, bound, name, last),
                Owner::Type(ty) => self.member_of_type(cx, ty, name, last),
            });
        }
        let (ty, used) = match self.resolve_path(cx, path, Namespace::Value) {
            Resolution::Def(def) => {
                // `Trait::name`: its `Self` must be inferred.
                if let Some(of) = self.map.def(def).parent
                    && self.map.def(of).kind == ItemKind::Trait
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
            Resolution::SelfType(def) if segments.len() == 1 => return self.self_value(def),
            Resolution::SelfType(def) => {
                let assoc = segments.get(1).filter(|_| segments.len() > 2);
                match assoc.and_then(|it| self.own_assoc_type(def, self.symbol(cx, it.name))) {
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

    /// `Self` as a value: the constructor of a struct.
    fn self_value(&mut self, def: DefId) -> Option<Value> {
        let ty = self.self_type(def);
        let TyKind::Adt(adt, args) = self.kind(ty).clone() else { return None };
        Some(Value::Item(adt, subst_of(adt, args)))
    }

    /// What contains the last segment of `<T as Trait>::A::last`.
    fn qualified_owner(
        &mut self,
        cx: &Cx,
        (ty, of): (TypeId, Option<PathId>),
        segments: &'m [Segment],
    ) -> Option<Owner> {
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
        Some(of.map_or(Owner::Type(ty), Owner::Trait))
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
            return Value::Item(def, subst_of(adt, args));
        }
        let own = self.own_generics(cx, def, segments.last());
        Value::Item(def, subst_of(def, own.into()))
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
            && self.map.def(def).kind == ItemKind::Enum
            && let Some(variant) = self.map.member(&mut self.deps, def, name, Namespace::Value)
            && self.map.def(variant).kind == ItemKind::Variant
        {
            return Value::Item(variant, subst_of(def, args));
        }
        let found = self.lookup_assoc(ty, name, cx.scope);
        let own = match &found {
            Lookup::One(picked) => self.own_generics(cx, picked.def, Some(last)),
            _ => Vec::new(),
        };
        Value::Assoc(found, own)
    }

    /// The constructor or constant that a pattern's path refers to.
    pub(super) fn pattern_value(&mut self, path: PathId) -> Option<(DefId, Subst)> {
        let value = self.value_at(path).0;
        self.item_of_value(value)
    }

    /// The item that a value is, with its arguments.
    pub(super) fn item_of_value(&mut self, value: Value) -> Option<(DefId, Subst)> {
        match value {
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
