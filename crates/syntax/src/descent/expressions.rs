//! Expressions that are no operators.

use super::operators::COMPARISON;
use super::{Mark, Parser, Step, T};
use crate::tree::{Field, Kind};

impl Parser<'_> {
    pub(super) fn literal(&mut self) -> Step {
        let kind = match self.kind() {
            T::Int => Kind::IntegerLiteral,
            T::Float => Kind::FloatLiteral,
            T::Str => Kind::StringLiteral,
            T::RawStr => Kind::RawStringLiteral,
            T::Char => Kind::CharLiteral,
            T::True | T::False => Kind::BooleanLiteral,
            _ => return None,
        };
        self.leaf(kind);
        Some(())
    }

    /// `-1`, where it is a literal.
    pub(super) fn negative(&mut self) -> Step {
        let mark = self.mark();
        self.expect(T::Minus, Kind::Minus)?;
        if !matches!(self.kind(), T::Int | T::Float) {
            return None;
        }
        self.literal()?;
        self.close(mark, Kind::NegativeLiteral);
        Some(())
    }

    /// Whether an expression begins here that ends with a block.
    pub(super) fn begins_block_like(&self) -> bool {
        match self.kind() {
            T::If | T::Match | T::While | T::Loop | T::For | T::OpenBrace => true,
            T::Unsafe | T::Const => self.nth(1) == T::OpenBrace,
            T::Async => {
                self.nth(1) == T::OpenBrace || self.nth(1) == T::Move && self.nth(2) == T::OpenBrace
            }
            T::Lifetime => self.is_colon(1),
            _ => false,
        }
    }

    /// An expression that ends with a block.
    pub(super) fn block_like(&mut self) -> Step {
        let mark = self.mark();
        match self.kind() {
            T::If => return self.deeper(Self::if_expr),
            T::Match => return self.deeper(Self::match_expr),
            T::OpenBrace => return self.block(),
            T::Unsafe => {
                self.skip(T::Unsafe)?;
                self.block()?;
                self.close(mark, Kind::UnsafeBlock);
            }
            T::Const => {
                self.skip(T::Const)?;
                self.block()?;
                self.field(Field::Body);
                self.close(mark, Kind::ConstBlock);
            }
            T::Async => {
                self.sign(1, Kind::Async);
                if self.kind() == T::Move {
                    self.skip(T::Move)?;
                }
                self.block()?;
                self.close(mark, Kind::AsyncBlock);
            }
            _ => {
                if self.kind() == T::Lifetime {
                    self.leaf(Kind::Label);
                    self.skip(T::Colon)?;
                }
                self.loop_expr(mark)?;
            }
        }
        Some(())
    }

    fn loop_expr(&mut self, mark: Mark) -> Step {
        let kind = match self.kind() {
            T::OpenBrace => {
                self.block_from(mark)?;
                return Some(());
            }
            T::Loop => {
                self.skip(T::Loop)?;
                Kind::LoopExpression
            }
            T::While => {
                self.skip(T::While)?;
                self.condition()?;
                Kind::WhileExpression
            }
            T::For => {
                self.skip(T::For)?;
                self.pattern()?;
                self.field(Field::Pattern);
                self.skip(T::In)?;
                self.with_struct(true, Self::expr)?;
                self.field(Field::Value);
                Kind::ForExpression
            }
            _ => return None,
        };
        self.block()?;
        self.field(Field::Body);
        self.close(mark, kind);
        Some(())
    }

    fn if_expr(&mut self) -> Step {
        let mark = self.mark();
        self.expect(T::If, Kind::If)?;
        self.condition()?;
        self.block()?;
        self.field(Field::Consequence);
        if self.kind() == T::Else {
            let clause = self.mark();
            self.skip(T::Else)?;
            match self.kind() {
                T::If => self.deeper(Self::if_expr)?,
                _ => self.block()?,
            }
            self.close(clause, Kind::ElseClause);
            self.field(Field::Alternative);
        }
        self.close(mark, Kind::IfExpression);
        Some(())
    }

    /// A condition, `let` among it; it has its role already.
    pub(super) fn condition(&mut self) -> Step {
        self.with_struct(true, Self::chain)?;
        self.field(Field::Condition);
        Some(())
    }

    /// `a && let b = c && d`.
    pub(super) fn chain(&mut self) -> Step {
        let mark = self.mark();
        let mut links = 1;
        match self.kind() {
            T::Let => self.let_condition()?,
            _ => self.expr()?,
        }
        while self.is_sign(0, T::And, T::And) {
            self.sign(2, Kind::Other);
            match self.kind() {
                T::Let => self.let_condition()?,
                _ => self.binary(COMPARISON)?,
            }
            links += 1;
        }
        if links > 1 {
            self.close(mark, Kind::LetChain);
        }
        Some(())
    }

    fn let_condition(&mut self) -> Step {
        let mark = self.mark();
        self.expect(T::Let, Kind::Let)?;
        self.pattern()?;
        self.field(Field::Pattern);
        self.expect(T::Equal, Kind::Equal)?;
        self.binary(COMPARISON)?;
        self.field(Field::Value);
        self.close(mark, Kind::LetCondition);
        Some(())
    }

    fn match_expr(&mut self) -> Step {
        let mark = self.mark();
        self.skip(T::Match)?;
        self.with_struct(true, Self::expr)?;
        self.field(Field::Value);
        let block = self.mark();
        self.expect(T::OpenBrace, Kind::Open)?;
        while self.kind() != T::CloseBrace {
            self.with_struct(false, Self::match_arm)?;
        }
        self.expect(T::CloseBrace, Kind::Close)?;
        self.close(block, Kind::MatchBlock);
        self.field(Field::Body);
        self.close(mark, Kind::MatchExpression);
        Some(())
    }

    fn match_arm(&mut self) -> Step {
        let mark = self.mark();
        while self.kind() == T::Hash {
            self.attribute(self.nth(1) == T::Bang)?;
        }
        self.match_pattern()?;
        if !self.is_sign(0, T::Equal, T::Greater) {
            return None;
        }
        self.sign(2, Kind::FatArrow);
        let is_block_like = self.begins_block_like();
        let is_over = match is_block_like {
            true => self.block_like_whole()?,
            false => {
                self.expr()?;
                false
            }
        };
        self.field(Field::Value);
        match self.kind() {
            T::Comma => self.sign(1, Kind::Comma),
            T::CloseBrace => {}
            _ if is_over => {}
            _ => return None,
        }
        self.close(mark, Kind::MatchArm);
        Some(())
    }

    /// What ends with a block and is not followed by a comma or semicolon ends there, but where a
    /// method or field of it is meant; whether it ended.
    pub(super) fn block_like_whole(&mut self) -> Option<bool> {
        let mark = self.mark();
        self.block_like()?;
        let is_dot = self.kind() == T::Dot && !self.is_sign(0, T::Dot, T::Dot);
        if is_dot || self.kind() == T::Question {
            self.postfix(mark)?;
            self.rest(mark, 0)?;
            return Some(false);
        }
        // What can go on only is rare, and what may begin something else does.
        let is_sure = !matches!(
            self.kind(),
            T::As | T::Plus | T::Slash | T::Percent | T::Caret | T::Equal | T::Greater
        );
        // `<<A as B>::C>::d()` begins with a shift to the grammar.
        (is_sure && !self.is_sign(0, T::Less, T::Less)).then_some(true)
    }

    /// A pattern with its guard, as those of a match.
    pub(super) fn match_pattern(&mut self) -> Step {
        let mark = self.mark();
        self.pattern()?;
        if self.kind() == T::If {
            self.sign(1, Kind::If);
            self.chain()?;
            self.field(Field::Condition);
        }
        self.close(mark, Kind::MatchPattern);
        self.field(Field::Pattern);
        Some(())
    }

    /// An expression without operators.
    pub(super) fn primary(&mut self) -> Step {
        let mark = self.mark();
        match self.kind() {
            kind if kind.is_literal() => self.literal()?,
            T::Name
            | T::Under
            | T::Prim
            | T::SelfWord
            | T::Super
            | T::Crate
            | T::Metavariable
            | T::Less
            | T::Colon => self.path_expr(mark)?,
            T::OpenParen => self.with_struct(false, Self::parenthesized)?,
            T::OpenBracket => self.with_struct(false, |it| it.array(mark))?,
            T::Or | T::Move => self.closure()?,
            T::Async if !self.begins_block_like() => self.closure()?,
            T::Return => {
                self.skip(T::Return)?;
                self.value()?;
                self.close(mark, Kind::ReturnExpression);
            }
            T::Break => {
                self.skip(T::Break)?;
                if self.kind() == T::Lifetime {
                    self.leaf(Kind::Label);
                }
                // `break (a)` is a call to the grammar, `break -a` a difference.
                let is_other = matches!(
                    self.kind(),
                    T::OpenParen | T::OpenBracket | T::Minus | T::Star | T::And | T::Or | T::Less
                );
                if is_other {
                    return None;
                }
                self.value()?;
                self.close(mark, Kind::BreakExpression);
            }
            T::Continue => {
                self.skip(T::Continue)?;
                if self.kind() == T::Lifetime {
                    self.leaf(Kind::Label);
                }
                self.close(mark, Kind::ContinueExpression);
            }
            _ if self.begins_block_like() => self.block_like()?,
            _ => return None,
        }
        Some(())
    }

    /// What is returned, where anything is.
    fn value(&mut self) -> Step {
        if !self.begins_expr(0) {
            return Some(());
        }
        if self.no_struct && self.kind() == T::OpenBrace {
            return None;
        }
        self.open_ended(|it| it.binary(1))
    }

    /// `()`, `(a)`, `(a, b)`.
    fn parenthesized(&mut self) -> Step {
        let mark = self.mark();
        self.expect(T::OpenParen, Kind::Open)?;
        let mut kind = Kind::UnitExpression;
        while self.kind() != T::CloseParen {
            self.expr()?;
            if kind == Kind::UnitExpression {
                kind = Kind::ParenthesizedExpression;
            }
            if self.kind() != T::CloseParen {
                self.expect(T::Comma, Kind::Comma)?;
                kind = Kind::TupleExpression;
            }
        }
        self.expect(T::CloseParen, Kind::Close)?;
        self.close(mark, kind);
        Some(())
    }

    fn array(&mut self, mark: Mark) -> Step {
        self.expect(T::OpenBracket, Kind::Open)?;
        self.elements(T::CloseBracket)?;
        self.expect(T::CloseBracket, Kind::Close)?;
        self.close(mark, Kind::ArrayExpression);
        Some(())
    }

    /// What stands in the brackets of an array.
    pub(super) fn elements(&mut self, end: T) -> Step {
        let mut is_first = true;
        while self.kind() != end {
            while self.kind() == T::Hash {
                self.attribute(false)?;
            }
            self.expr()?;
            if is_first && self.kind() == T::Semicolon {
                self.sign(1, Kind::Semicolon);
                self.expr()?;
                self.field(Field::Length);
                return Some(());
            }
            is_first = false;
            if self.kind() != end {
                self.expect(T::Comma, Kind::Comma)?;
            }
        }
        Some(())
    }

    /// `(a, b)` behind what is called.
    pub(super) fn arguments(&mut self) -> Step {
        let mark = self.mark();
        self.expect(T::OpenParen, Kind::Open)?;
        self.with_struct(false, |it| it.argument_list(T::CloseParen))?;
        self.expect(T::CloseParen, Kind::Close)?;
        self.close(mark, Kind::Arguments);
        Some(())
    }

    pub(super) fn argument_list(&mut self, end: T) -> Step {
        while self.kind() != end {
            while self.kind() == T::Hash {
                self.attribute(false)?;
            }
            self.expr()?;
            if self.kind() != end {
                self.expect(T::Comma, Kind::Comma)?;
            }
        }
        Some(())
    }

    /// A path, and the macro call or struct that it begins.
    fn path_expr(&mut self, mark: Mark) -> Step {
        self.value_path(Kind::GenericFunction)?;
        if self.is_macro_call(0) {
            return self.macro_call(mark);
        }
        if self.kind() != T::OpenBrace || self.no_struct {
            // `crate` alone is no expression, nor is `super`.
            let is_value = !matches!(self.last(), Kind::CrateWord | Kind::SuperWord);
            return is_value.then_some(());
        }
        self.path_of_struct()?;
        self.field(Field::Name);
        let list = self.mark();
        self.sign(1, Kind::Open);
        self.with_struct(false, Self::initializers)?;
        self.expect(T::CloseBrace, Kind::Close)?;
        self.close(list, Kind::FieldInitializerList);
        self.field(Field::Body);
        self.close(mark, Kind::StructExpression);
        Some(())
    }

    fn initializers(&mut self) -> Step {
        while self.kind() != T::CloseBrace {
            let mark = self.mark();
            if self.is_sign(0, T::Dot, T::Dot) {
                self.sign(2, Kind::Dots);
                self.expr()?;
                self.close(mark, Kind::BaseFieldInitializer);
            } else {
                while self.kind() == T::Hash {
                    self.attribute(false)?;
                }
                match self.kind() {
                    T::Name | T::Prim | T::Int if self.is_colon(1) => {
                        match self.kind() {
                            T::Int => self.leaf(Kind::IntegerLiteral),
                            _ => self.leaf(Kind::FieldIdentifier),
                        }
                        self.field(Field::Member);
                        self.skip(T::Colon)?;
                        self.expr()?;
                        self.field(Field::Value);
                        self.close(mark, Kind::FieldInitializer);
                    }
                    T::Name => {
                        self.leaf(Kind::Identifier);
                        self.close(mark, Kind::ShorthandFieldInitializer);
                    }
                    _ => return None,
                }
            }
            if self.kind() != T::CloseBrace {
                self.expect(T::Comma, Kind::Comma)?;
            }
        }
        Some(())
    }

    fn closure(&mut self) -> Step {
        let mark = self.mark();
        if self.kind() == T::Async {
            self.sign(1, Kind::Async);
        }
        if self.kind() == T::Move {
            self.skip(T::Move)?;
        }
        let list = self.mark();
        self.skip(T::Or)?;
        while self.kind() != T::Or {
            self.closure_parameter()?;
            if self.kind() != T::Or {
                self.expect(T::Comma, Kind::Comma)?;
                // The grammar knows no comma at the end.
                if self.kind() == T::Or {
                    return None;
                }
            }
        }
        self.skip(T::Or)?;
        self.close(list, Kind::ClosureParameters);
        self.field(Field::Parameters);
        if self.return_type(Self::ty)? {
            self.block()?;
        } else if self.kind() == T::Under {
            return None;
        } else {
            self.open_ended(Self::expr)?;
        }
        self.field(Field::Body);
        self.close(mark, Kind::ClosureExpression);
        Some(())
    }

    fn closure_parameter(&mut self) -> Step {
        let mark = self.mark();
        self.pattern_alone()?;
        if !self.is_colon(0) {
            return Some(());
        }
        // `mut` is the parameter's where it has a type.
        if self.last() == Kind::MutPattern {
            self.out.pop();
        }
        self.field(Field::Pattern);
        self.type_behind_colon()?;
        self.close(mark, Kind::Parameter);
        Some(())
    }
}
