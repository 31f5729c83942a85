//! Operators between expressions and before them, by how tightly they bind.

use super::{Mark, Parser, Step, T};
use crate::tree::{Field, Kind};

/// What binds two expressions.
enum Operator {
    Binary { level: u8, signs: usize },
    Compound { signs: usize },
    Assign,
    Range { signs: usize },
    Cast,
}

const ASSIGN: u8 = 0;
const RANGE: u8 = 1;
/// What comparisons are on: the operands in a chain of `let`s bind at least as tightly.
pub(super) const COMPARISON: u8 = 4;
const CAST: u8 = 11;

impl Parser<'_> {
    /// An expression.
    pub(super) fn expr(&mut self) -> Step {
        self.binary(ASSIGN)
    }

    /// An expression whose operators bind at least this tightly.
    pub(super) fn binary(&mut self, least: u8) -> Step {
        self.deeper(|it| {
            let mark = it.mark();
            if it.is_sign(0, T::Dot, T::Dot) {
                if it.nth(2) == T::Dot && it.is_joint(1) {
                    return None;
                }
                // `..=b` is an assignment to the grammar.
                it.sign(2, Kind::Dots);
                it.upper_bound()?;
                it.close(mark, Kind::RangeExpression);
            } else {
                it.unary()?;
            }
            it.rest(mark, least)
        })
    }

    /// What an expression goes on with that began at the mark.
    pub(super) fn rest(&mut self, mark: Mark, least: u8) -> Step {
        while let Some(operator) = self.operator() {
            match operator {
                Operator::Binary { level, signs } if level >= least => {
                    self.field(Field::Left);
                    let kind = match (signs, self.kind()) {
                        (1, T::And) => Kind::And,
                        (1, T::Star) => Kind::Star,
                        (1, T::Minus) => Kind::Minus,
                        _ => Kind::Other,
                    };
                    self.sign(signs, kind);
                    self.field(Field::Operator);
                    self.binary(level + 1)?;
                    self.field(Field::Right);
                    self.close(mark, Kind::BinaryExpression);
                }
                Operator::Compound { signs } if least == ASSIGN => {
                    self.field(Field::Left);
                    self.sign(signs, Kind::Other);
                    self.field(Field::Operator);
                    self.open_ended(|it| it.binary(ASSIGN + 1))?;
                    self.field(Field::Right);
                    self.close(mark, Kind::CompoundAssignmentExpr);
                }
                Operator::Assign if least == ASSIGN => {
                    self.field(Field::Left);
                    self.sign(1, Kind::Equal);
                    self.open_ended(|it| it.binary(ASSIGN + 1))?;
                    self.field(Field::Right);
                    self.close(mark, Kind::AssignmentExpression);
                }
                Operator::Range { signs } if RANGE >= least => {
                    self.sign(signs, Kind::Dots);
                    match signs {
                        2 => self.upper_bound()?,
                        _ if self.no_struct && self.kind() == T::OpenBrace => return None,
                        _ => self.binary(RANGE + 1)?,
                    }
                    self.close(mark, Kind::RangeExpression);
                }
                Operator::Cast if CAST >= least => {
                    self.field(Field::Value);
                    self.skip(T::As)?;
                    self.ty_alone()?;
                    self.field(Field::Type);
                    self.close(mark, Kind::TypeCastExpression);
                }
                _ => break,
            }
        }
        Some(())
    }

    /// What stands behind `..`. To the grammar `..*b` and `..-b` are products and differences.
    fn upper_bound(&mut self) -> Step {
        match self.kind() {
            T::Star | T::Minus => Some(()),
            T::And | T::Or | T::Less | T::OpenBracket => None,
            // `a = b..(c)` is a call to it.
            T::OpenParen if self.is_open_ended => None,
            T::OpenBrace if self.no_struct => None,
            _ if self.begins_expr(0) => self.binary(RANGE + 1),
            _ => Some(()),
        }
    }

    /// The operator that comes next.
    fn operator(&self) -> Option<Operator> {
        let joint = |ahead: usize, kind: T| self.nth(ahead + 1) == kind && self.is_joint(ahead);
        // `+` or `+=`.
        let of = |level: u8| match joint(0, T::Equal) {
            true => Operator::Compound { signs: 2 },
            false => Operator::Binary { level, signs: 1 },
        };
        Some(match self.kind() {
            T::As => Operator::Cast,
            T::Star | T::Slash | T::Percent => of(10),
            T::Minus if joint(0, T::Greater) => return None,
            T::Plus | T::Minus => of(9),
            T::Caret => of(6),
            // What follows is the next link of a chain.
            T::And if joint(0, T::And) => match self.nth(2) {
                T::Let => return None,
                _ => Operator::Binary { level: 3, signs: 2 },
            },
            T::And => of(7),
            T::Or if joint(0, T::Or) => Operator::Binary { level: 2, signs: 2 },
            T::Or => of(5),
            kind @ (T::Less | T::Greater) => {
                let is_shift = joint(0, kind);
                match (is_shift, joint(usize::from(is_shift), T::Equal)) {
                    (true, true) => Operator::Compound { signs: 3 },
                    (true, false) => Operator::Binary { level: 8, signs: 2 },
                    (false, true) => Operator::Binary { level: COMPARISON, signs: 2 },
                    (false, false) => Operator::Binary { level: COMPARISON, signs: 1 },
                }
            }
            T::Equal if joint(0, T::Equal) => Operator::Binary { level: COMPARISON, signs: 2 },
            T::Equal if joint(0, T::Greater) => return None,
            T::Equal => Operator::Assign,
            T::Bang if joint(0, T::Equal) => Operator::Binary { level: COMPARISON, signs: 2 },
            T::Dot if joint(0, T::Dot) => {
                let is_long = joint(1, T::Equal) || joint(1, T::Dot);
                Operator::Range { signs: 2 + usize::from(is_long) }
            }
            _ => return None,
        })
    }

    /// Whether an operator comes next that may stand behind a whole statement alone.
    pub(super) fn is_operator(&self) -> bool {
        self.operator().is_some()
    }

    /// An operand, with the operators before and behind it.
    fn unary(&mut self) -> Step {
        let mark = self.mark();
        match self.kind() {
            T::Minus => self.sign(1, Kind::Minus),
            T::Star => self.sign(1, Kind::Star),
            T::Bang => self.sign(1, Kind::Bang),
            T::And => {
                self.sign(1, Kind::And);
                if self.is_word(0, "raw") && matches!(self.nth(1), T::Const | T::Mut) {
                    self.skip(T::Name)?;
                    match self.kind() {
                        T::Mut => self.leaf(Kind::MutableSpecifier),
                        _ => self.skip(T::Const)?,
                    }
                } else if self.kind() == T::Mut {
                    self.leaf(Kind::MutableSpecifier);
                }
                self.deeper(Self::unary)?;
                self.field(Field::Value);
                self.close(mark, Kind::ReferenceExpression);
                return Some(());
            }
            _ => {
                self.primary()?;
                return self.postfix(mark);
            }
        }
        self.deeper(Self::unary)?;
        self.close(mark, Kind::UnaryExpression);
        Some(())
    }

    /// `?`, `.name`, `(…)`, `[…]` behind an expression that began at the mark.
    pub(super) fn postfix(&mut self, mark: Mark) -> Step {
        loop {
            match self.kind() {
                T::Question => {
                    self.skip(T::Question)?;
                    self.close(mark, Kind::TryExpression);
                }
                T::Dot if !self.is_sign(0, T::Dot, T::Dot) => {
                    if self.nth(1) == T::Await {
                        self.sign(1, Kind::Dot);
                        self.skip(T::Await)?;
                        self.close(mark, Kind::AwaitExpression);
                        continue;
                    }
                    self.field(Field::Value);
                    self.sign(1, Kind::Dot);
                    match self.kind() {
                        T::Name | T::Prim => self.leaf(Kind::FieldIdentifier),
                        T::Int => self.leaf(Kind::IntegerLiteral),
                        _ => return None,
                    }
                    self.field(Field::Member);
                    self.close(mark, Kind::FieldExpression);
                    if self.is_path_sep(0) {
                        self.field(Field::Function);
                        self.sign(2, Kind::PathSep);
                        self.type_arguments()?;
                        self.field(Field::TypeArguments);
                        self.close(mark, Kind::GenericFunction);
                    }
                }
                T::OpenParen => {
                    self.field(Field::Function);
                    self.arguments()?;
                    self.field(Field::Arguments);
                    self.close(mark, Kind::CallExpression);
                }
                T::OpenBracket => {
                    self.sign(1, Kind::Open);
                    self.with_struct(false, Self::expr)?;
                    self.expect(T::CloseBracket, Kind::Close)?;
                    self.close(mark, Kind::IndexExpression);
                }
                _ => return Some(()),
            }
        }
    }

    /// Whether an expression may begin with this token.
    pub(super) fn begins_expr(&self, ahead: usize) -> bool {
        match self.nth(ahead) {
            T::Colon => self.is_path_sep(ahead),
            T::Dot => self.is_sign(ahead, T::Dot, T::Dot),
            kind => {
                kind.is_literal()
                    || matches!(
                        kind,
                        T::Name
                            | T::Under
                            | T::Prim
                            | T::Metavariable
                            | T::Lifetime
                            | T::Async
                            | T::Break
                            | T::Const
                            | T::Continue
                            | T::Crate
                            | T::For
                            | T::If
                            | T::Loop
                            | T::Match
                            | T::Move
                            | T::Return
                            | T::SelfWord
                            | T::Static
                            | T::Super
                            | T::Try
                            | T::Unsafe
                            | T::While
                            | T::Yield
                            | T::Bang
                            | T::And
                            | T::OpenParen
                            | T::Star
                            | T::Minus
                            | T::Less
                            | T::OpenBracket
                            | T::OpenBrace
                            | T::Or
                    )
            }
        }
    }
}
