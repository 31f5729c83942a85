//! Types, generics and bounds.

use super::{Parser, Step, T};
use crate::tree::{Field, Kind};

impl Parser<'_> {
    /// A type; `A + B` too.
    pub(super) fn ty(&mut self) -> Step {
        let mark = self.mark();
        self.ty_alone()?;
        while self.kind() == T::Plus {
            self.skip(T::Plus)?;
            match self.kind() {
                T::Lifetime => self.leaf(Kind::Lifetime),
                T::Use => self.use_bounds()?,
                _ => self.ty_alone()?,
            }
            self.close(mark, Kind::BoundedType);
        }
        Some(())
    }

    /// A type without a `+` of its own.
    pub(super) fn ty_alone(&mut self) -> Step {
        self.deeper(Self::ty_of_kind)
    }

    fn ty_of_kind(&mut self) -> Step {
        let mark = self.mark();
        match self.kind() {
            T::And => {
                self.sign(1, Kind::And);
                if self.kind() == T::Lifetime {
                    self.leaf(Kind::Lifetime);
                }
                if self.kind() == T::Mut {
                    self.leaf(Kind::MutableSpecifier);
                }
                self.ty_alone()?;
                self.field(Field::Type);
                self.close(mark, Kind::ReferenceType);
            }
            T::Star => {
                self.sign(1, Kind::Star);
                match self.kind() {
                    T::Mut => self.leaf(Kind::MutableSpecifier),
                    _ => self.skip(T::Const)?,
                }
                self.ty_alone()?;
                self.field(Field::Type);
                self.close(mark, Kind::PointerType);
            }
            T::OpenBracket => {
                self.sign(1, Kind::Open);
                self.ty()?;
                self.field(Field::Element);
                if self.kind() == T::Semicolon {
                    self.sign(1, Kind::Semicolon);
                    self.with_struct(false, Self::expr)?;
                    self.field(Field::Length);
                }
                self.expect(T::CloseBracket, Kind::Close)?;
                self.close(mark, Kind::ArrayType);
            }
            T::OpenParen => {
                self.sign(1, Kind::Open);
                let kind = match self.kind() {
                    T::CloseParen => Kind::UnitType,
                    _ => Kind::TupleType,
                };
                while self.kind() != T::CloseParen {
                    self.ty()?;
                    if self.kind() != T::CloseParen {
                        self.expect(T::Comma, Kind::Comma)?;
                    }
                }
                self.expect(T::CloseParen, Kind::Close)?;
                self.close(mark, kind);
            }
            T::Bang => {
                self.sign(1, Kind::Bang);
                self.close(mark, Kind::NeverType);
            }
            T::Question => {
                self.skip(T::Question)?;
                self.ty_alone()?;
                self.close(mark, Kind::RemovedTraitBound);
            }
            T::Impl => {
                self.skip(T::Impl)?;
                if self.kind() == T::For {
                    self.skip(T::For)?;
                    self.type_parameters()?;
                }
                match self.kind() {
                    T::Question | T::OpenParen => self.ty_alone()?,
                    T::Lifetime => {
                        let bounds = self.mark();
                        self.leaf(Kind::Lifetime);
                        self.skip(T::Plus)?;
                        self.ty_alone()?;
                        self.close(bounds, Kind::BoundedType);
                    }
                    _ => self.type_path()?,
                }
                self.field(Field::Trait);
                self.close(mark, Kind::AbstractType);
            }
            T::Dyn => {
                self.skip(T::Dyn)?;
                match self.kind() {
                    T::For => self.higher_ranked()?,
                    T::OpenParen => self.ty_alone()?,
                    _ => self.type_path()?,
                }
                self.field(Field::Trait);
                self.close(mark, Kind::DynamicType);
            }
            T::For => {
                self.for_lifetimes()?;
                match self.kind() {
                    T::Fn | T::Unsafe | T::Extern => self.function_pointer(mark)?,
                    _ => return None,
                }
            }
            T::Fn | T::Unsafe | T::Extern => self.function_pointer(mark)?,
            _ => self.type_path()?,
        }
        Some(())
    }

    /// `use<'a, T>`.
    fn use_bounds(&mut self) -> Step {
        let mark = self.mark();
        self.skip(T::Use)?;
        self.skip(T::Less)?;
        loop {
            match self.kind() {
                T::Lifetime => self.leaf(Kind::Lifetime),
                T::Name => self.leaf(Kind::TypeIdentifier),
                _ => return None,
            }
            if self.kind() == T::Comma {
                self.sign(1, Kind::Comma);
            } else if self.kind() != T::Greater {
                return None;
            }
            if self.kind() == T::Greater {
                break;
            }
        }
        self.skip(T::Greater)?;
        self.close(mark, Kind::UseBounds);
        Some(())
    }

    /// `for<'a>` before a function pointer.
    fn for_lifetimes(&mut self) -> Step {
        let mark = self.mark();
        self.skip(T::For)?;
        self.skip(T::Less)?;
        loop {
            if self.kind() != T::Lifetime {
                return None;
            }
            self.leaf(Kind::Lifetime);
            if self.kind() == T::Comma {
                self.sign(1, Kind::Comma);
            }
            if self.kind() == T::Greater {
                break;
            }
        }
        self.skip(T::Greater)?;
        self.close(mark, Kind::Other);
        Some(())
    }

    fn function_pointer(&mut self, mark: super::Mark) -> Step {
        if self.kind() != T::Fn {
            self.function_modifiers()?;
        }
        self.expect(T::Fn, Kind::Fn)?;
        self.function_type(mark)
    }

    /// `(A, B) -> C` of a function type that began at the mark.
    pub(super) fn function_type(&mut self, mark: super::Mark) -> Step {
        self.parameters(true)?;
        self.field(Field::Parameters);
        self.return_type(Self::ty_alone)?;
        self.close(mark, Kind::FunctionType);
        Some(())
    }

    /// `-> T`, with the type read so, where it stands here; says whether it does.
    pub(super) fn return_type(&mut self, ty: impl FnOnce(&mut Self) -> Step) -> Option<bool> {
        if !self.is_sign(0, T::Minus, T::Greater) {
            return Some(false);
        }
        self.skip(T::Minus)?;
        self.skip(T::Greater)?;
        ty(self)?;
        self.field(Field::ReturnType);
        Some(true)
    }

    /// `for<'a> T`.
    pub(super) fn higher_ranked(&mut self) -> Step {
        let mark = self.mark();
        self.skip(T::For)?;
        self.type_parameters()?;
        self.field(Field::TypeParameters);
        self.ty_alone()?;
        self.field(Field::Type);
        self.close(mark, Kind::HigherRankedTraitBound);
        Some(())
    }

    /// `: A + 'b`.
    pub(super) fn trait_bounds(&mut self) -> Step {
        let mark = self.mark();
        if !self.is_colon(0) {
            return None;
        }
        self.skip(T::Colon)?;
        loop {
            match self.kind() {
                T::Lifetime => self.leaf(Kind::Lifetime),
                T::For => self.higher_ranked()?,
                _ => self.ty_alone()?,
            }
            if self.kind() != T::Plus {
                break;
            }
            self.skip(T::Plus)?;
        }
        self.close(mark, Kind::TraitBounds);
        Some(())
    }

    /// `<'a, T: A = B, const N: usize>`.
    pub(super) fn type_parameters(&mut self) -> Step {
        self.in_angles(Kind::TypeParameters, |it| {
            while it.kind() == T::Hash {
                it.attribute(false)?;
            }
            it.type_parameter()
        })
    }

    /// `<…>` with one part or several, the last of which a comma may follow.
    fn in_angles(&mut self, kind: Kind, mut part: impl FnMut(&mut Self) -> Step) -> Step {
        let mark = self.mark();
        self.skip(T::Less)?;
        loop {
            part(self)?;
            if self.kind() == T::Comma {
                self.sign(1, Kind::Comma);
                if self.kind() != T::Greater {
                    continue;
                }
            }
            break;
        }
        self.skip(T::Greater)?;
        self.close(mark, kind);
        Some(())
    }

    fn type_parameter(&mut self) -> Step {
        let mark = self.mark();
        match self.kind() {
            T::Lifetime => {
                self.leaf(Kind::Lifetime);
                self.field(Field::Name);
                if self.kind() == T::Colon {
                    self.trait_bounds()?;
                    self.field(Field::Bounds);
                }
                self.close(mark, Kind::Other);
            }
            T::Const => {
                self.skip(T::Const)?;
                self.name(Kind::Identifier)?;
                self.type_behind_colon()?;
                if self.kind() == T::Equal {
                    self.sign(1, Kind::Equal);
                    match self.kind() {
                        T::OpenBrace => self.block()?,
                        T::Name => self.leaf(Kind::Identifier),
                        T::Minus => self.negative()?,
                        kind if kind.is_literal() => self.literal()?,
                        _ => return None,
                    }
                    self.field(Field::Value);
                }
                self.close(mark, Kind::ConstParameter);
            }
            T::Name => {
                self.name(Kind::TypeIdentifier)?;
                if self.kind() == T::Colon {
                    self.trait_bounds()?;
                    self.field(Field::Bounds);
                }
                if self.kind() == T::Equal {
                    self.sign(1, Kind::Equal);
                    self.ty()?;
                    self.field(Field::DefaultType);
                }
                self.close(mark, Kind::TypeParameter);
            }
            _ => return None,
        }
        Some(())
    }

    /// `: T`.
    pub(super) fn type_behind_colon(&mut self) -> Step {
        if !self.is_colon(0) {
            return None;
        }
        self.skip(T::Colon)?;
        self.ty()?;
        self.field(Field::Type);
        Some(())
    }

    /// `where …`, where there is one.
    pub(super) fn where_clause(&mut self) -> Step {
        if self.kind() != T::Where {
            return Some(());
        }
        let mark = self.mark();
        self.skip(T::Where)?;
        while !matches!(self.kind(), T::OpenBrace | T::Semicolon | T::Equal | T::End) {
            let predicate = self.mark();
            match self.kind() {
                T::Lifetime => self.leaf(Kind::Lifetime),
                T::For => self.higher_ranked()?,
                _ => {
                    self.ty_alone()?;
                    let is_left = matches!(
                        self.last(),
                        Kind::TypeIdentifier
                            | Kind::ScopedTypeIdentifier
                            | Kind::GenericType
                            | Kind::ReferenceType
                            | Kind::PointerType
                            | Kind::TupleType
                            | Kind::ArrayType
                            | Kind::PrimitiveType
                    );
                    if !is_left {
                        return None;
                    }
                }
            }
            self.field(Field::Left);
            self.trait_bounds()?;
            self.field(Field::Bounds);
            self.close(predicate, Kind::WherePredicate);
            if self.kind() != T::Comma {
                break;
            }
            self.sign(1, Kind::Comma);
        }
        self.close(mark, Kind::WhereClause);
        Some(())
    }

    /// `<A, 'b, C = D, 3, { e }>`.
    pub(super) fn type_arguments(&mut self) -> Step {
        self.in_angles(Kind::TypeArguments, |it| {
            it.type_argument()?;
            if it.kind() == T::Colon {
                it.trait_bounds()?;
            }
            Some(())
        })
    }

    fn type_argument(&mut self) -> Step {
        let mark = self.mark();
        match self.kind() {
            T::Lifetime => self.leaf(Kind::Lifetime),
            T::OpenBrace => self.block()?,
            kind if kind.is_literal() => self.literal()?,
            T::Name if self.nth(1) == T::Equal && !self.is_sign(1, T::Equal, T::Equal) => {
                self.name(Kind::TypeIdentifier)?;
                self.sign(1, Kind::Equal);
                self.ty()?;
                self.field(Field::Type);
                self.close(mark, Kind::TypeBinding);
            }
            _ => {
                self.ty()?;
                if self.kind() == T::Equal && !self.is_sign(0, T::Equal, T::Equal) {
                    self.binding_with_arguments(mark)?;
                }
            }
        }
        Some(())
    }

    /// `= C` behind `A<'b>`, which was read as a type.
    fn binding_with_arguments(&mut self, mark: super::Mark) -> Step {
        self.out.pop().filter(|it| it.kind == Kind::GenericType)?;
        let name = self.out.get_mut(mark.len as usize);
        name.filter(|it| it.kind == Kind::TypeIdentifier)?.field = Field::Name;
        self.sign(1, Kind::Equal);
        self.ty()?;
        self.field(Field::Type);
        self.close(mark, Kind::TypeBinding);
        Some(())
    }
}
