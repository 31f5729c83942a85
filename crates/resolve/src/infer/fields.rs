//! Inference of fields: their access, and the paths and fields of struct expressions and patterns.

use std::rc::Rc;

use base::ItemKind;
use syntax::facts::{ExprId, Name, PathId};

use super::Infer;
use super::ty::{Args, Ty, TyKind, Types};
use crate::{DefId, Namespace, Resolution, Symbol};

impl<'m> Infer<'m> {
    pub(super) fn field(&mut self, base: ExprId, name: Name) -> Ty {
        let Some(at) = self.body.at else { return Types::UNKNOWN };
        let base = self.settled_expr(base);
        let symbol = self.file_symbol(at.file, name);
        self.field_of(base, symbol).unwrap_or(Types::UNKNOWN)
    }

    /// The type of a field, searched along the autoderef steps.
    pub(super) fn field_of(&mut self, base: Ty, name: Symbol) -> Option<Ty> {
        for step in self.deref_steps(base) {
            match self.types.kind(step).clone() {
                TyKind::Adt(def, args) => {
                    if let Some(ty) = self.declared_field(def, (def, args), name) {
                        return Some(ty);
                    }
                }
                TyKind::PinProjection(def, args) => {
                    return self.pin_projected_field(def, &args, name);
                }
                TyKind::Tuple(parts) => {
                    let number = self.map.name_of(name).parse::<usize>();
                    if let Some(ty) = number.ok().and_then(|number| parts.get(number)) {
                        return Some(*ty);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The type of a field of a struct, union or variant `of`, for a type with these arguments.
    fn declared_field(&mut self, of: DefId, ty: (DefId, Args), name: Symbol) -> Option<Ty> {
        let fields = self.fields(of);
        let (_, found) = match self.map.name_of(name).parse::<usize>() {
            Ok(number) => fields.get(number).filter(|(name, _)| name.is_none())?,
            Err(_) => fields.iter().find(|(of, _)| *of == Some(name))?,
        };
        Some(self.instance(*found, &[ty]))
    }

    pub(super) fn struct_expr(
        &mut self,
        path: PathId,
        fields: &'m [(Name, ExprId)],
        base: Option<ExprId>,
        expected: Option<Ty>,
    ) -> Ty {
        let Some(cx) = self.cx() else { return Types::UNKNOWN };
        let (ty, variant) = self.type_of_struct_path(path);
        if let Some(expected) = expected
            && !self.is_open(expected)
        {
            self.try_unify(ty, expected);
        }
        for (name, value) in fields {
            let name = self.file_symbol(cx.file, *name);
            let wanted = self.named_field(ty, variant, name);
            let found = self.expr(*value, wanted);
            if let Some(wanted) = wanted {
                self.coerce(found, wanted);
            }
        }
        if let Some(base) = base {
            let found = self.expr(base, Some(ty));
            self.coerce(found, ty);
        }
        ty
    }

    /// Resolves a path before `{` or in a pattern to the type and the struct or variant.
    pub(super) fn type_of_struct_path(&mut self, path: PathId) -> (Ty, Option<DefId>) {
        let Some(cx) = self.cx() else { return (Types::UNKNOWN, None) };
        let facts = self.facts_of(cx.file);
        let Some(written) = facts.paths.get(path.idx()) else { return (Types::UNKNOWN, None) };
        let segments = &written.segments;
        let found = self.resolve_path(&cx, path, Namespace::Type);
        let (ty, used) = match found {
            Resolution::Def(def) => {
                let ty = self.lower_def(&cx, def, segments);
                let ty = self.normalized(ty);
                if self.map.def(def).kind == ItemKind::Variant {
                    return (ty, Some(def));
                }
                (ty, segments.len())
            }
            Resolution::Partial(def, used) => {
                let ty = self.lower_def(&cx, def, segments.get(..used).unwrap_or(segments));
                (self.normalized(ty), used)
            }
            Resolution::SelfType(def) if segments.len() > 1 => {
                let name = self.symbol(&cx, segments[1].name);
                match self.own_assoc_type(def, name) {
                    Some(ty) => (ty, 2),
                    None => (self.self_type(def), 1),
                }
            }
            _ => {
                let ty = self.lower_path(&cx, path);
                (self.normalized(ty), segments.len())
            }
        };
        let TyKind::Adt(def, _) = *self.kind(ty) else { return (ty, None) };
        match segments.get(used) {
            None => (ty, Some(def)),
            Some(segment) => {
                let name = self.symbol(&cx, segment.name);
                let found = self.map.member(&mut self.deps, def, name, Namespace::Type);
                let found =
                    found.or_else(|| self.map.member(&mut self.deps, def, name, Namespace::Value));
                let found = found.filter(|def| self.map.def(*def).kind == ItemKind::Variant);
                match found {
                    Some(def) => (ty, Some(def)),
                    None => (Types::UNKNOWN, None),
                }
            }
        }
    }

    /// The field types of a tuple struct or variant for a value of this type.
    pub(super) fn fields_of_pattern(&mut self, path: PathId, ty: Ty) -> Option<Vec<Ty>> {
        let (def, subst) = self.pattern_value(path)?;
        let adt = self.adt_of(def)?;
        let args = subst.first().map_or_else(|| self.types.no_args(), |it| it.1.clone());
        let own = self.types.make(TyKind::Adt(adt, args.clone()));
        self.unify(own, ty);
        let fields = self.fields(def);
        let subst: Rc<[(DefId, Args)]> = Rc::from([(adt, args)]);
        Some(fields.iter().map(|(_, ty)| self.instance(*ty, &subst)).collect())
    }

    /// The type of a field that a struct expression or pattern names.
    pub(super) fn named_field(&mut self, own: Ty, def: Option<DefId>, name: Symbol) -> Option<Ty> {
        match self.kind(own).clone() {
            TyKind::Adt(adt, args) => self.declared_field(def?, (adt, args), name),
            _ => None,
        }
    }
}
