//! Items: which one it is, and those that hold others.

use super::{Mark, Parser, Step, T};
use crate::tree::{Field, Kind};

impl Parser<'_> {
    /// Whether an item begins here rather than an expression.
    pub(super) fn begins_item(&self) -> bool {
        match self.kind() {
            T::Pub
            | T::Fn
            | T::Struct
            | T::Enum
            | T::Trait
            | T::Impl
            | T::Mod
            | T::Use
            | T::Type
            | T::Extern
            | T::Static => true,
            T::Const => self.nth(1) != T::OpenBrace,
            T::Unsafe => self.nth(1) != T::OpenBrace,
            T::Async => matches!(self.nth(1), T::Fn | T::Unsafe | T::Extern),
            T::Name => {
                self.is_word(0, "union") && self.nth(1) == T::Name
                    || self.is_word(0, "default")
                        && matches!(self.nth(1), T::Fn | T::Unsafe | T::Async | T::Const)
                    || self.is_word(0, "macro_rules") && self.nth(1) == T::Bang
            }
            _ => false,
        }
    }

    pub(super) fn item(&mut self) -> Step {
        let mark = self.mark();
        let has_visibility = self.kind() == T::Pub;
        if has_visibility {
            self.visibility();
        }
        match self.kind() {
            T::Struct => self.structure(mark, T::Struct),
            T::Name if self.is_word(0, "union") => self.structure(mark, T::Name),
            T::Name if self.is_word(0, "macro_rules") && !has_visibility => {
                self.macro_definition(mark)
            }
            T::Enum => self.enumeration(mark),
            T::Trait => self.trait_item(mark),
            T::Unsafe if self.nth(1) == T::Trait => {
                self.skip(T::Unsafe)?;
                self.trait_item(mark)
            }
            T::Unsafe if self.nth(1) == T::Impl && !has_visibility => {
                self.skip(T::Unsafe)?;
                self.impl_item(mark)
            }
            T::Impl if !has_visibility => self.impl_item(mark),
            T::Mod => self.module(mark),
            T::Use => {
                self.skip(T::Use)?;
                self.use_clause()?;
                self.field(Field::Argument);
                self.expect(T::Semicolon, Kind::Semicolon)?;
                self.close(mark, Kind::UseDeclaration);
                Some(())
            }
            T::Type => self.type_item(mark, has_visibility),
            T::Const if !matches!(self.nth(1), T::Fn | T::Unsafe | T::Async | T::Extern) => {
                self.constant(mark)
            }
            T::Static => self.constant(mark),
            T::Extern if self.nth(1) == T::Crate => self.extern_crate(mark),
            T::Extern | T::Unsafe if self.is_extern_block() && !has_visibility => {
                self.extern_block(mark)
            }
            _ => self.function(mark),
        }
    }

    fn is_extern_block(&self) -> bool {
        let ahead = usize::from(self.kind() == T::Unsafe);
        let has_abi = matches!(self.nth(ahead + 1), T::Str | T::RawStr);
        self.nth(ahead) == T::Extern && self.nth(ahead + 1 + usize::from(has_abi)) == T::OpenBrace
    }

    /// `pub`, `pub(crate)`.
    pub(super) fn visibility(&mut self) {
        let mut to = self.at + 1;
        if self.nth(1) == T::OpenParen {
            let mate = self.token(1).mate as usize;
            let is_word =
                matches!(self.nth(2), T::SelfWord | T::Super | T::Crate) && mate == self.at + 3;
            if is_word || self.nth(2) == T::In {
                to = mate + 1;
            }
        }
        self.whole(to, Kind::VisibilityModifier);
    }

    /// `{ … }` with items in it.
    fn declaration_list(&mut self) -> Step {
        let mark = self.mark();
        self.expect(T::OpenBrace, Kind::Open)?;
        self.deeper(|it| it.declarations(T::CloseBrace))?;
        self.expect(T::CloseBrace, Kind::Close)?;
        self.close(mark, Kind::DeclarationList);
        self.field(Field::Body);
        Some(())
    }

    /// Items up to this token.
    pub(super) fn declarations(&mut self, end: T) -> Step {
        while self.kind() != end {
            match self.kind() {
                T::Semicolon => self.empty_statement()?,
                T::Hash => self.attribute(self.nth(1) == T::Bang)?,
                _ if self.begins_item() => self.item()?,
                T::Name | T::Crate | T::SelfWord | T::Super | T::Colon => {
                    let mark = self.mark();
                    self.value_path(Kind::Error)?;
                    if !self.is_macro_call(0) {
                        return None;
                    }
                    self.macro_call(mark)?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn module(&mut self, mark: Mark) -> Step {
        self.expect(T::Mod, Kind::Mod)?;
        self.name(Kind::Identifier)?;
        match self.kind() {
            T::Semicolon => self.sign(1, Kind::Semicolon),
            _ => self.declaration_list()?,
        }
        self.close(mark, Kind::ModItem);
        Some(())
    }

    fn trait_item(&mut self, mark: Mark) -> Step {
        self.expect(T::Trait, Kind::Trait)?;
        self.name(Kind::TypeIdentifier)?;
        self.generics()?;
        if self.kind() == T::Colon {
            self.trait_bounds()?;
            self.field(Field::Bounds);
        }
        self.where_clause()?;
        self.declaration_list()?;
        self.close(mark, Kind::TraitItem);
        Some(())
    }

    fn impl_item(&mut self, mark: Mark) -> Step {
        self.skip(T::Impl)?;
        self.generics()?;
        let is_negative = self.kind() == T::Bang;
        if is_negative {
            self.sign(1, Kind::Bang);
        }
        self.ty()?;
        if self.kind() == T::For {
            let is_trait = matches!(
                self.last(),
                Kind::TypeIdentifier | Kind::ScopedTypeIdentifier | Kind::GenericType
            );
            if !is_trait {
                return None;
            }
            self.field(Field::Trait);
            self.skip(T::For)?;
            self.ty()?;
        } else if is_negative {
            return None;
        }
        self.field(Field::Type);
        self.where_clause()?;
        match self.kind() {
            T::Semicolon => self.sign(1, Kind::Semicolon),
            _ => self.declaration_list()?,
        }
        self.close(mark, Kind::ImplItem);
        Some(())
    }

    /// `<…>` behind a name, where there is one.
    pub(super) fn generics(&mut self) -> Step {
        if self.kind() == T::Less {
            self.type_parameters()?;
            self.field(Field::TypeParameters);
        }
        Some(())
    }

    /// `extern`, `extern "C"`.
    pub(super) fn extern_modifier(&mut self) -> Step {
        let mark = self.mark();
        self.skip(T::Extern)?;
        if self.kind() == T::Str {
            self.literal()?;
        }
        self.close(mark, Kind::Other);
        Some(())
    }

    fn extern_block(&mut self, mark: Mark) -> Step {
        if self.kind() == T::Unsafe {
            self.skip(T::Unsafe)?;
        }
        self.extern_modifier()?;
        self.declaration_list()?;
        self.close(mark, Kind::ForeignModItem);
        Some(())
    }

    fn extern_crate(&mut self, mark: Mark) -> Step {
        self.skip(T::Extern)?;
        self.leaf(Kind::CrateWord);
        match self.kind() {
            T::Name | T::SelfWord => self.leaf(Kind::Identifier),
            _ => return None,
        }
        self.field(Field::Name);
        if self.kind() == T::As {
            self.skip(T::As)?;
            match self.kind() {
                T::Name | T::Under => self.leaf(Kind::Identifier),
                _ => return None,
            }
            self.field(Field::Alias);
        }
        self.expect(T::Semicolon, Kind::Semicolon)?;
        self.close(mark, Kind::ExternCrateDeclaration);
        Some(())
    }

    /// `macro_rules! name { … }`: of its rules the parser of the grammar sees nothing either.
    fn macro_definition(&mut self, mark: Mark) -> Step {
        if !self.is_joint(0) {
            return None;
        }
        self.skip(T::Name)?;
        self.skip(T::Bang)?;
        self.name(Kind::Identifier)?;
        let open = self.kind();
        if !open.is_open() {
            return None;
        }
        let mate = self.token(0).mate as usize;
        // A definition that is not empty and whose tokens are kept is none.
        if self.is_kept(mate) && mate != self.at + 1 {
            return None;
        }
        self.sign(1, Kind::Open);
        self.pass_to(mate);
        self.sign(1, Kind::Close);
        if open != T::OpenBrace {
            self.expect(T::Semicolon, Kind::Semicolon)?;
        }
        self.close(mark, Kind::MacroDefinition);
        Some(())
    }
}
