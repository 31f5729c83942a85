//! Patterns.

use super::{Mark, Parser, Step, T};
use crate::tree::{Field, Kind};

impl Parser<'_> {
    /// A pattern, alternatives too.
    pub(super) fn pattern(&mut self) -> Step {
        let mark = self.mark();
        if self.kind() == T::Or {
            self.skip(T::Or)?;
            self.pattern_alone()?;
            self.close(mark, Kind::OrPattern);
        } else {
            self.pattern_alone()?;
        }
        while self.kind() == T::Or && !self.is_sign(0, T::Or, T::Or) {
            self.skip(T::Or)?;
            self.pattern_alone()?;
            self.close(mark, Kind::OrPattern);
        }
        Some(())
    }

    /// A pattern without alternatives of its own.
    pub(super) fn pattern_alone(&mut self) -> Step {
        self.deeper(Self::pattern_of_kind)
    }

    fn pattern_of_kind(&mut self) -> Step {
        let mark = self.mark();
        match self.kind() {
            T::Under => self.sign(1, Kind::Underscore),
            T::Ref => {
                self.sign(1, Kind::Ref);
                self.pattern_alone()?;
                self.close(mark, Kind::RefPattern);
            }
            T::Mut => {
                self.leaf(Kind::MutableSpecifier);
                self.pattern_alone()?;
                self.close(mark, Kind::MutPattern);
            }
            T::And => {
                self.sign(1, Kind::And);
                if self.kind() == T::Mut {
                    self.leaf(Kind::MutableSpecifier);
                }
                self.pattern_alone()?;
                self.close(mark, Kind::ReferencePattern);
            }
            T::OpenParen => {
                self.sign(1, Kind::Open);
                self.pattern_list(T::CloseParen)?;
                self.close(mark, Kind::TuplePattern);
            }
            T::OpenBracket => {
                self.sign(1, Kind::Open);
                self.pattern_list(T::CloseBracket)?;
                self.close(mark, Kind::SlicePattern);
            }
            T::Dot if self.is_sign(0, T::Dot, T::Dot) => {
                let is_closed = self.nth(2) == T::Equal && self.is_joint(1);
                if self.nth(2) == T::Dot && self.is_joint(1) {
                    return None;
                }
                self.sign(2 + usize::from(is_closed), Kind::Dots);
                if self.begins_bound() {
                    self.bound()?;
                    self.field(Field::Right);
                    self.close(mark, Kind::RangePattern);
                } else if is_closed {
                    return None;
                } else {
                    self.close(mark, Kind::RemainingFieldPattern);
                }
            }
            T::Minus => {
                self.negative()?;
                self.range(mark)?;
            }
            kind if kind.is_literal() => {
                self.literal()?;
                self.range(mark)?;
            }
            T::Name if self.nth(1) == T::At => {
                self.leaf(Kind::Identifier);
                self.skip(T::At)?;
                self.pattern_alone()?;
                self.close(mark, Kind::CapturedPattern);
            }
            T::Name
            | T::Prim
            | T::SelfWord
            | T::Super
            | T::Crate
            | T::Colon
            | T::Less
            | T::Metavariable => self.path_pattern(mark)?,
            _ => return None,
        }
        Some(())
    }

    /// Patterns up to the bracket that closes.
    fn pattern_list(&mut self, end: T) -> Step {
        while self.kind() != end {
            self.pattern()?;
            if self.kind() != end {
                self.expect(T::Comma, Kind::Comma)?;
            }
        }
        self.sign(1, Kind::Close);
        Some(())
    }

    /// `Name::<T>` before the fields of a tuple struct.
    fn type_of_pattern(&mut self) -> Step {
        let at = self.out.len().checked_sub(1)?;
        let arguments = self.out.get(at.checked_sub(1)?)?.size as usize;
        let of = self.out.get_mut(at.checked_sub(arguments + 2)?)?;
        match of.kind {
            Kind::Identifier => of.kind = Kind::TypeIdentifier,
            Kind::ScopedIdentifier => {}
            _ => return None,
        }
        of.field = Field::Type;
        self.out.get_mut(at)?.kind = Kind::GenericType;
        Some(())
    }

    fn path_pattern(&mut self, mark: Mark) -> Step {
        self.value_path(Kind::GenericPattern)?;
        if self.is_macro_call(0) {
            return self.macro_call(mark);
        }
        if self.last() == Kind::GenericPattern && self.kind() == T::OpenParen {
            self.type_of_pattern()?;
        }
        let is_name = matches!(self.last(), Kind::Identifier | Kind::ScopedIdentifier);
        match self.kind() {
            T::OpenParen if is_name || self.last() == Kind::GenericType => {
                self.field(Field::Type);
                self.sign(1, Kind::Open);
                self.pattern_list(T::CloseParen)?;
                self.close(mark, Kind::TupleStructPattern);
            }
            T::OpenBrace if is_name => {
                self.path_of_struct()?;
                self.field(Field::Type);
                self.sign(1, Kind::Open);
                self.field_patterns()?;
                self.close(mark, Kind::StructPattern);
            }
            T::OpenParen | T::OpenBrace => return None,
            _ if self.last() == Kind::GenericPattern => {}
            _ if is_name => self.range(mark)?,
            _ => return None,
        }
        Some(())
    }

    fn field_patterns(&mut self) -> Step {
        while self.kind() != T::CloseBrace {
            let mark = self.mark();
            if self.is_sign(0, T::Dot, T::Dot) {
                self.sign(2, Kind::Dots);
                self.close(mark, Kind::RemainingFieldPattern);
            } else {
                if self.kind() == T::Ref {
                    self.sign(1, Kind::Ref);
                }
                if self.kind() == T::Mut {
                    self.leaf(Kind::MutableSpecifier);
                }
                if self.kind() == T::Name && self.is_colon(1) {
                    self.name(Kind::FieldIdentifier)?;
                    self.skip(T::Colon)?;
                    self.pattern()?;
                    self.field(Field::Pattern);
                } else {
                    self.name(Kind::ShorthandFieldIdentifier)?;
                }
                self.close(mark, Kind::FieldPattern);
            }
            if self.kind() != T::CloseBrace {
                self.expect(T::Comma, Kind::Comma)?;
            }
        }
        self.sign(1, Kind::Close);
        Some(())
    }

    /// `..`, `..=b` behind what may be the lower bound of a range.
    fn range(&mut self, mark: Mark) -> Step {
        if !self.is_sign(0, T::Dot, T::Dot) {
            return Some(());
        }
        let is_long = matches!(self.nth(2), T::Equal | T::Dot) && self.is_joint(1);
        self.field(Field::Left);
        self.sign(2 + usize::from(is_long), Kind::Dots);
        if self.begins_bound() {
            self.bound()?;
            self.field(Field::Right);
        } else if is_long {
            return None;
        }
        self.close(mark, Kind::RangePattern);
        Some(())
    }

    fn begins_bound(&self) -> bool {
        let kind = self.kind();
        kind.is_literal()
            || matches!(kind, T::Minus | T::Name | T::Prim | T::SelfWord | T::Super | T::Crate)
            || self.is_path_sep(0)
    }

    fn bound(&mut self) -> Step {
        match self.kind() {
            T::Minus => self.negative(),
            kind if kind.is_literal() => self.literal(),
            _ => self
                .value_path(Kind::Error)
                .filter(|()| matches!(self.last(), Kind::Identifier | Kind::ScopedIdentifier)),
        }
    }
}
