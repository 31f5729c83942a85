//! Inference of patterns: binds their names to types.

use base::ItemKind;
use syntax::facts::{Pat, PatId, PathId};

use super::Infer;
use super::body::BodyCtx;
use super::ty::{Args, Ty, TyKind, Types};
use crate::{Namespace, Resolution, Symbol};

/// The maximum nesting of patterns.
const NESTING: u32 = 60;

impl<'m> Infer<'m> {
    /// Binds the names of a pattern to parts of a value of this type. `by_ref`: the default binding
    /// mode is by reference.
    pub(super) fn pat(&mut self, id: PatId, ty: Ty, by_ref: bool) {
        let Some(at) = self.body.at else { return };
        let Some(pat) = at.body.pats.get(id.idx()) else { return };
        if self.body.nesting > NESTING + 60 {
            return;
        }
        self.body.nesting += 1;
        self.pat_at_depth(pat, ty, by_ref);
        self.body.nesting -= 1;
    }

    fn pat_at_depth(&mut self, pat: &'m Pat, ty: Ty, by_ref: bool) {
        let Some(at) = self.body.at else { return };
        self.settle(ty);
        match pat {
            Pat::Bind { name, by_ref: own_ref, sub, offset } => {
                let symbol = self.file_symbol(at.file, *name);
                if sub.is_none() && !own_ref && self.names_value(symbol, *offset) {
                    return;
                }
                let bound = if by_ref || *own_ref { self.types.reference(ty) } else { ty };
                self.body.locals.push((symbol, bound));
                if let Some(sub) = sub {
                    self.pat(*sub, ty, by_ref);
                }
            }
            Pat::Path(path) => self.path_pat(*path, ty, by_ref),
            Pat::TupleStruct { path, pats, rest } => {
                let (ty, by_ref) = self.peeled(ty, by_ref);
                let fields = self.fields_of_pattern(*path, ty);
                self.pats_in_order(pats, *rest, fields.as_deref(), by_ref);
            }
            Pat::Struct(path, fields) => {
                let (ty, by_ref) = self.peeled(ty, by_ref);
                let (own, def) = self.type_of_struct_path(*path);
                self.unify(own, ty);
                for (name, pat) in fields {
                    let name = self.file_symbol(at.file, *name);
                    let ty = self.named_field(own, def, name).unwrap_or(Types::UNKNOWN);
                    self.pat(*pat, ty, by_ref);
                }
            }
            Pat::Tuple { pats, rest } => self.tuple_pat(pats, *rest, ty, by_ref),
            Pat::Slice(pats) => self.slice_pat(&at, pats, ty, by_ref),
            Pat::Ref(inner) => {
                let ty = self.referent(ty, by_ref);
                self.pat(*inner, ty, false);
            }
            Pat::Or(pats) => self.or_pat(pats, ty, by_ref),
            Pat::Literal(literal) => {
                if self.is_open(ty) {
                    let own = self.literal(&at, *literal);
                    let (ty, _) = self.peeled(ty, by_ref);
                    self.try_unify(ty, own);
                }
            }
            Pat::Rest | Pat::Wild => {}
        }
    }

    /// A unit struct or variant determines the type.
    fn path_pat(&mut self, path: PathId, ty: Ty, by_ref: bool) {
        let (ty, _) = self.peeled(ty, by_ref);
        let (value, last) = self.value_at(path);
        if let Some(last) = last {
            self.value_use(&value, last);
        }
        if self.is_open(ty)
            && let Some((def, subst)) = self.item_of_value(value)
            && let Some(adt) = self.adt_of(def)
        {
            let args = subst.first().map_or_else(|| self.types.no_args(), |it| it.1.clone());
            let own = self.types.make(TyKind::Adt(adt, args));
            self.unify(ty, own);
        }
    }

    fn tuple_pat(&mut self, pats: &'m [PatId], rest: Option<u32>, ty: Ty, by_ref: bool) {
        let (ty, by_ref) = self.peeled(ty, by_ref);
        if self.is_open(ty) && rest.is_none() {
            let parts: Args = self.fresh_args(pats.len());
            let own = self.types.make(TyKind::Tuple(parts));
            self.unify(ty, own);
        }
        let parts = match self.kind(ty) {
            TyKind::Tuple(parts) => Some(parts.clone()),
            _ => None,
        };
        self.pats_in_order(pats, rest, parts.as_deref(), by_ref);
    }

    fn slice_pat(&mut self, at: &BodyCtx<'m>, pats: &'m [PatId], ty: Ty, by_ref: bool) {
        let (ty, by_ref) = self.peeled(ty, by_ref);
        let of = match self.kind(ty) {
            TyKind::Slice(of) | TyKind::Array(of) => *of,
            _ => Types::UNKNOWN,
        };
        let rest = self.types.make(TyKind::Slice(of));
        let pat_of = |id: &PatId| at.body.pats.get(id.idx());
        for pat in pats {
            // `name @ ..`
            let is_rest = matches!(pat_of(pat), Some(Pat::Bind { sub: Some(sub), .. })
                if matches!(pat_of(sub), Some(Pat::Rest)));
            self.pat(*pat, if is_rest { rest } else { of }, by_ref);
        }
    }

    /// The type behind the `&` of a pattern.
    fn referent(&mut self, ty: Ty, by_ref: bool) -> Ty {
        match self.kind(ty) {
            TyKind::Ref(to) => *to,
            TyKind::Var(_) if self.is_open(ty) => {
                let to = self.fresh();
                let own = self.types.reference(to);
                self.unify(ty, own);
                to
            }
            // `&` resets the default binding mode.
            _ if by_ref => ty,
            _ => Types::UNKNOWN,
        }
    }

    /// Alternatives: all bind the same names to the same types.
    fn or_pat(&mut self, pats: &'m [PatId], ty: Ty, by_ref: bool) {
        let Some((first, others)) = pats.split_first() else { return };
        let mark = self.body.locals.len();
        self.pat(*first, ty, by_ref);
        let end = self.body.locals.len();
        for other in others {
            self.pat(*other, ty, by_ref);
            for (name, found) in self.body.locals.split_off(end) {
                let own = self.body.locals.iter().skip(mark).find(|(of, _)| *of == name);
                match own.copied() {
                    Some((_, own)) => {
                        self.try_unify(own, found);
                    }
                    None => self.body.locals.push((name, found)),
                }
            }
        }
    }

    /// Whether a single name in a pattern is a constant, a static or a unit variant in scope. By
    /// convention those begin with a capital letter.
    fn names_value(&mut self, name: Symbol, offset: u32) -> bool {
        if !self.map.name_of(name).starts_with(char::is_uppercase) {
            return false;
        }
        let Some(cx) = self.cx() else { return false };
        let found = self.map.resolve(&mut self.deps, &cx.scope, &[name], false, Namespace::Value);
        let names = match found {
            Resolution::Def(def) => match self.map.def(def).kind {
                ItemKind::Const | ItemKind::Static => true,
                ItemKind::Struct | ItemKind::Variant => !self.is_tuple_like(def),
                _ => false,
            },
            Resolution::External(_) => true,
            _ => false,
        };
        if names {
            self.use_at(&found, offset);
        }
        names
    }

    /// The type without the references that a pattern looks through.
    fn peeled(&mut self, ty: Ty, by_ref: bool) -> (Ty, bool) {
        let (mut ty, mut by_ref) = (self.shallow(ty), by_ref);
        while let TyKind::Ref(to) = *self.types.kind(ty) {
            ty = self.shallow(to);
            by_ref = true;
        }
        (ty, by_ref)
    }

    fn pats_in_order(
        &mut self,
        pats: &'m [PatId],
        rest: Option<u32>,
        types: Option<&[Ty]>,
        by_ref: bool,
    ) {
        let count = types.map_or(0, <[Ty]>::len);
        for (number, pat) in pats.iter().enumerate() {
            let index = match rest {
                Some(rest) if number >= rest as usize => (count + number).checked_sub(pats.len()),
                _ => Some(number),
            };
            let ty = index.and_then(|index| types?.get(index)).copied();
            self.pat(*pat, ty.unwrap_or(Types::UNKNOWN), by_ref);
        }
    }
}
