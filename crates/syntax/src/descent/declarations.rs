//! Items that hold no others: functions, types, constants.

use super::{Mark, Parser, Step, T};
use crate::tree::{Field, Kind};

impl Parser<'_> {
    pub(super) fn function(&mut self, mark: Mark) -> Step {
        if self.kind() != T::Fn {
            self.function_modifiers()?;
        }
        self.expect(T::Fn, Kind::Fn)?;
        match self.kind() {
            T::Metavariable => {
                self.leaf(Kind::Metavariable);
                self.field(Field::Name);
            }
            _ => self.name(Kind::Identifier)?,
        }
        self.generics()?;
        self.parameters(false)?;
        self.field(Field::Parameters);
        self.return_type(Self::ty)?;
        self.where_clause()?;
        let kind = match self.kind() {
            T::Semicolon => {
                self.sign(1, Kind::Semicolon);
                Kind::FunctionSignatureItem
            }
            _ => {
                self.block()?;
                self.field(Field::Body);
                Kind::FunctionItem
            }
        };
        self.close(mark, kind);
        Some(())
    }

    /// `async`, `unsafe extern "C"`.
    pub(super) fn function_modifiers(&mut self) -> Step {
        let mark = self.mark();
        loop {
            match self.kind() {
                T::Async => self.sign(1, Kind::Async),
                T::Const => self.skip(T::Const)?,
                T::Unsafe => self.skip(T::Unsafe)?,
                T::Extern => self.extern_modifier()?,
                T::Name if self.is_word(0, "default") => self.skip(T::Name)?,
                T::Fn => break,
                _ => return None,
            }
        }
        self.close(mark, Kind::FunctionModifiers);
        Some(())
    }

    /// Parameters of a function, or of the type of one.
    pub(super) fn parameters(&mut self, of_type: bool) -> Step {
        let mark = self.mark();
        self.expect(T::OpenParen, Kind::Open)?;
        while self.kind() != T::CloseParen {
            if self.kind() == T::Hash {
                self.attribute(false)?;
            }
            self.with_struct(false, |it| it.parameter(of_type))?;
            if self.kind() != T::CloseParen {
                self.expect(T::Comma, Kind::Comma)?;
            }
        }
        self.expect(T::CloseParen, Kind::Close)?;
        self.close(mark, Kind::Parameters);
        Some(())
    }

    fn parameter(&mut self, of_type: bool) -> Step {
        let mark = self.mark();
        if self.is_sign(0, T::Dot, T::Dot) {
            if self.nth(2) != T::Dot {
                return None;
            }
            self.sign(3, Kind::Dots);
            self.close(mark, Kind::VariadicParameter);
            return Some(());
        }
        if let Some(own) = self.self_ahead() {
            return self.self_parameter(mark, own);
        }
        if of_type {
            match self.kind() {
                T::Name if self.is_colon(1) => self.leaf(Kind::Identifier),
                T::Under if self.is_colon(1) => self.sign(1, Kind::Underscore),
                T::Under if matches!(self.nth(1), T::Comma | T::CloseParen) => {
                    self.sign(1, Kind::Underscore);
                    return Some(());
                }
                // `&_` and `(_, T)` may be patterns, too.
                T::And | T::OpenParen | T::OpenBracket if self.has_wildcard() => return None,
                _ => return self.ty(),
            }
        } else {
            if self.kind() == T::Mut {
                self.leaf(Kind::MutableSpecifier);
            }
            self.pattern()?;
        }
        self.field(Field::Pattern);
        if !self.is_colon(0) {
            return None;
        }
        if self.is_sign(1, T::Dot, T::Dot) && self.nth(3) == T::Dot {
            self.skip(T::Colon)?;
            self.sign(3, Kind::Dots);
            self.close(mark, Kind::VariadicParameter);
            return Some(());
        }
        self.type_behind_colon()?;
        self.close(mark, Kind::Parameter);
        Some(())
    }

    /// Whether `_` stands in the parameter that comes next.
    fn has_wildcard(&self) -> bool {
        let rest = self.tokens.get(self.at..).unwrap_or(&[]);
        let mut depth = 0_usize;
        for token in rest {
            match token.kind {
                T::Under => return true,
                T::Comma if depth == 0 => return false,
                kind if kind.is_open() => depth += 1,
                kind if kind.is_close() && depth == 0 => return false,
                kind if kind.is_close() => depth -= 1,
                _ => {}
            }
        }
        false
    }

    /// How far ahead the `self` of a parameter stands that is one.
    fn self_ahead(&self) -> Option<usize> {
        let mut ahead = 0;
        if self.nth(ahead) == T::And {
            ahead += 1;
            ahead += usize::from(self.nth(ahead) == T::Lifetime);
        }
        ahead += usize::from(self.nth(ahead) == T::Mut);
        let is_self = self.nth(ahead) == T::SelfWord && !self.is_path_sep(ahead + 1);
        is_self.then_some(ahead)
    }

    fn self_parameter(&mut self, mark: Mark, own: usize) -> Step {
        if self.is_colon(own + 1) {
            match self.kind() {
                T::Mut => self.leaf(Kind::MutableSpecifier),
                T::SelfWord => {}
                _ => return None,
            }
            self.leaf(Kind::SelfWord);
            self.field(Field::Pattern);
            self.type_behind_colon()?;
            self.close(mark, Kind::Parameter);
            return Some(());
        }
        if self.kind() == T::And {
            self.sign(1, Kind::And);
        }
        if self.kind() == T::Lifetime {
            self.leaf(Kind::Lifetime);
        }
        if self.kind() == T::Mut {
            self.leaf(Kind::MutableSpecifier);
        }
        self.leaf(Kind::SelfWord);
        self.close(mark, Kind::SelfParameter);
        Some(())
    }

    /// A struct, or a union.
    pub(super) fn structure(&mut self, mark: Mark, word: T) -> Step {
        let is_union = word == T::Name;
        self.expect(word, if is_union { Kind::Union } else { Kind::Struct })?;
        self.name(Kind::TypeIdentifier)?;
        self.generics()?;
        if self.kind() == T::OpenParen && !is_union {
            self.ordered_fields()?;
            self.field(Field::Body);
            self.where_clause()?;
            self.expect(T::Semicolon, Kind::Semicolon)?;
        } else if self.kind() == T::Semicolon && !is_union {
            self.sign(1, Kind::Semicolon);
        } else {
            self.where_clause()?;
            self.named_fields()?;
            self.field(Field::Body);
        }
        self.close(mark, if is_union { Kind::UnionItem } else { Kind::StructItem });
        Some(())
    }

    /// `{ a: A, pub b: B }`.
    fn named_fields(&mut self) -> Step {
        let mark = self.mark();
        self.expect(T::OpenBrace, Kind::Open)?;
        while self.kind() != T::CloseBrace {
            while self.kind() == T::Hash {
                self.attribute(false)?;
            }
            let field = self.mark();
            if self.kind() == T::Pub {
                self.visibility();
            }
            match self.kind() {
                T::Name | T::Prim => self.leaf(Kind::FieldIdentifier),
                _ => return None,
            }
            self.field(Field::Name);
            self.type_behind_colon()?;
            self.close(field, Kind::FieldDeclaration);
            if self.kind() != T::CloseBrace {
                self.expect(T::Comma, Kind::Comma)?;
            }
        }
        self.expect(T::CloseBrace, Kind::Close)?;
        self.close(mark, Kind::FieldDeclarationList);
        Some(())
    }

    /// `(A, pub B)`.
    fn ordered_fields(&mut self) -> Step {
        let mark = self.mark();
        self.expect(T::OpenParen, Kind::Open)?;
        while self.kind() != T::CloseParen {
            while self.kind() == T::Hash {
                self.attribute(false)?;
            }
            if self.kind() == T::Pub {
                self.visibility();
            }
            self.ty()?;
            self.field(Field::Type);
            if self.kind() != T::CloseParen {
                self.expect(T::Comma, Kind::Comma)?;
            }
        }
        self.expect(T::CloseParen, Kind::Close)?;
        self.close(mark, Kind::OrderedFieldDeclarationList);
        Some(())
    }

    pub(super) fn enumeration(&mut self, mark: Mark) -> Step {
        self.expect(T::Enum, Kind::Enum)?;
        self.name(Kind::TypeIdentifier)?;
        self.generics()?;
        self.where_clause()?;
        let list = self.mark();
        self.expect(T::OpenBrace, Kind::Open)?;
        while self.kind() != T::CloseBrace {
            while self.kind() == T::Hash {
                self.attribute(false)?;
            }
            let variant = self.mark();
            if self.kind() == T::Pub {
                self.visibility();
            }
            self.name(Kind::Identifier)?;
            match self.kind() {
                T::OpenBrace => self.named_fields()?,
                T::OpenParen => self.ordered_fields()?,
                _ => {}
            }
            if matches!(self.last(), Kind::FieldDeclarationList | Kind::OrderedFieldDeclarationList)
            {
                self.field(Field::Body);
            }
            if self.kind() == T::Equal {
                self.sign(1, Kind::Equal);
                self.expr()?;
                self.field(Field::Value);
            }
            self.close(variant, Kind::EnumVariant);
            if self.kind() != T::CloseBrace {
                self.expect(T::Comma, Kind::Comma)?;
            }
        }
        self.expect(T::CloseBrace, Kind::Close)?;
        self.close(list, Kind::EnumVariantList);
        self.field(Field::Body);
        self.close(mark, Kind::EnumItem);
        Some(())
    }

    /// A type alias, or an associated type.
    pub(super) fn type_item(&mut self, mark: Mark, has_visibility: bool) -> Step {
        self.expect(T::Type, Kind::Type)?;
        self.name(Kind::TypeIdentifier)?;
        self.generics()?;
        let has_bounds = self.kind() == T::Colon;
        if has_bounds {
            self.trait_bounds()?;
            self.field(Field::Bounds);
        }
        self.where_clause()?;
        if self.kind() != T::Equal {
            if has_visibility {
                return None;
            }
            self.expect(T::Semicolon, Kind::Semicolon)?;
            self.close(mark, Kind::AssociatedType);
            return Some(());
        }
        if has_bounds {
            return None;
        }
        self.sign(1, Kind::Equal);
        self.ty()?;
        self.field(Field::Type);
        self.where_clause()?;
        self.expect(T::Semicolon, Kind::Semicolon)?;
        self.close(mark, Kind::TypeItem);
        Some(())
    }

    /// A constant or a static.
    pub(super) fn constant(&mut self, mark: Mark) -> Step {
        let mut kind = Kind::ConstItem;
        if self.kind() == T::Static {
            kind = Kind::StaticItem;
            self.sign(1, Kind::Static);
            if self.kind() == T::Mut {
                self.leaf(Kind::MutableSpecifier);
            }
        } else {
            self.skip(T::Const)?;
        }
        match self.kind() {
            T::Under if kind == Kind::ConstItem => self.leaf(Kind::Identifier),
            T::Name => self.leaf(Kind::Identifier),
            _ => return None,
        }
        self.field(Field::Name);
        self.type_behind_colon()?;
        if self.kind() == T::Equal {
            self.sign(1, Kind::Equal);
            self.expr()?;
            self.field(Field::Value);
        }
        self.expect(T::Semicolon, Kind::Semicolon)?;
        self.close(mark, kind);
        Some(())
    }
}
