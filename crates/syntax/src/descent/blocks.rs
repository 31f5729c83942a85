//! Blocks and statements.

use super::{Mark, Parser, Step, T};
use crate::tree::{Field, Kind};

impl Parser<'_> {
    /// `{ … }`.
    pub(super) fn block(&mut self) -> Step {
        let mark = self.mark();
        self.block_from(mark)
    }

    /// A block that began at the mark, with its label.
    pub(super) fn block_from(&mut self, mark: Mark) -> Step {
        self.expect(T::OpenBrace, Kind::Open)?;
        self.with_struct(false, |it| it.deeper(|it| it.statements(T::CloseBrace)))?;
        self.expect(T::CloseBrace, Kind::Close)?;
        self.close(mark, Kind::Block);
        Some(())
    }

    /// Statements up to this token, the last of which may be an expression.
    pub(super) fn statements(&mut self, end: T) -> Step {
        while self.kind() != end {
            self.statement(true)?;
        }
        Some(())
    }

    /// One statement. In a block the last may be an expression without a semicolon.
    pub(super) fn statement(&mut self, in_block: bool) -> Step {
        match self.kind() {
            T::Semicolon => self.empty_statement(),
            T::Hash => self.attribute(self.nth(1) == T::Bang),
            T::Let => self.let_declaration(),
            _ if self.begins_item() => self.item(),
            _ => self.expression_statement(in_block),
        }
    }

    pub(super) fn empty_statement(&mut self) -> Step {
        let mark = self.mark();
        self.expect(T::Semicolon, Kind::Semicolon)?;
        self.close(mark, Kind::EmptyStatement);
        Some(())
    }

    fn let_declaration(&mut self) -> Step {
        let mark = self.mark();
        self.expect(T::Let, Kind::Let)?;
        if self.kind() == T::Mut {
            self.leaf(Kind::MutableSpecifier);
        }
        self.pattern()?;
        self.field(Field::Pattern);
        if self.kind() == T::Colon {
            self.type_behind_colon()?;
        }
        if self.kind() == T::Equal {
            self.sign(1, Kind::Equal);
            self.expr()?;
            self.field(Field::Value);
        }
        if self.kind() == T::Else {
            self.skip(T::Else)?;
            self.block()?;
            self.field(Field::Alternative);
        }
        self.expect(T::Semicolon, Kind::Semicolon)?;
        self.close(mark, Kind::LetDeclaration);
        Some(())
    }

    fn expression_statement(&mut self, in_block: bool) -> Step {
        let mark = self.mark();
        if self.begins_block_like() {
            if self.block_like_whole()? {
                self.close(mark, Kind::ExpressionStatement);
                return Some(());
            }
        } else if matches!(self.kind(), T::Name | T::Crate | T::SelfWord | T::Super | T::Colon) {
            self.primary()?;
            let is_call = self.last() == Kind::MacroInvocation;
            // A macro call is a statement by itself.
            if is_call && !self.is_operator() && !self.is_postfix() && self.kind() != T::Semicolon {
                return Some(());
            }
            self.postfix(mark)?;
            self.rest(mark, 0)?;
        } else {
            self.expr()?;
        }
        match self.kind() {
            T::Semicolon => {
                self.sign(1, Kind::Semicolon);
                self.close(mark, Kind::ExpressionStatement);
                Some(())
            }
            T::CloseBrace | T::End if in_block => Some(()),
            _ => None,
        }
    }

    fn is_postfix(&self) -> bool {
        matches!(self.kind(), T::Question | T::Dot | T::OpenParen | T::OpenBracket)
    }
}
