//! Imports.

use super::{Parser, Step, T};
use crate::tree::{Field, Kind};

impl Parser<'_> {
    pub(super) fn use_clause(&mut self) -> Step {
        self.deeper(Self::use_tree)
    }

    fn use_tree(&mut self) -> Step {
        let mark = self.mark();
        let mut has_prefix = true;
        match self.kind() {
            T::OpenBrace => return self.use_list(),
            T::Star => {
                self.sign(1, Kind::Star);
                self.close(mark, Kind::UseWildcard);
                return Some(());
            }
            T::Colon if self.is_path_sep(0) => has_prefix = false,
            T::SelfWord => self.leaf(Kind::SelfWord),
            T::Super => self.leaf(Kind::SuperWord),
            T::Crate => self.leaf(Kind::CrateWord),
            T::Metavariable => self.leaf(Kind::Metavariable),
            T::Name | T::Prim => self.leaf(Kind::Identifier),
            _ => return None,
        }
        while self.is_path_sep(0) {
            match self.nth(2) {
                T::OpenBrace => {
                    if has_prefix {
                        self.field(Field::Path);
                    }
                    self.sign(2, Kind::PathSep);
                    self.use_list()?;
                    self.field(Field::List);
                    self.close(mark, Kind::ScopedUseList);
                    return Some(());
                }
                T::Star => {
                    self.sign(2, Kind::PathSep);
                    self.sign(1, Kind::Star);
                    self.close(mark, Kind::UseWildcard);
                    return Some(());
                }
                kind @ (T::Name | T::Prim | T::Super) => {
                    if has_prefix {
                        self.field(Field::Path);
                    }
                    has_prefix = true;
                    self.sign(2, Kind::PathSep);
                    self.leaf(if kind == T::Super { Kind::SuperWord } else { Kind::Identifier });
                    self.field(Field::Name);
                    self.close(mark, Kind::ScopedIdentifier);
                }
                _ => return None,
            }
        }
        if !has_prefix {
            return None;
        }
        if self.kind() == T::As {
            self.field(Field::Path);
            self.skip(T::As)?;
            match self.kind() {
                T::Name | T::Under => self.leaf(Kind::Identifier),
                _ => return None,
            }
            self.field(Field::Alias);
            self.close(mark, Kind::UseAsClause);
        }
        Some(())
    }

    fn use_list(&mut self) -> Step {
        let mark = self.mark();
        self.expect(T::OpenBrace, Kind::Open)?;
        while self.kind() != T::CloseBrace {
            self.use_clause()?;
            if self.kind() != T::CloseBrace {
                self.expect(T::Comma, Kind::Comma)?;
            }
        }
        self.expect(T::CloseBrace, Kind::Close)?;
        self.close(mark, Kind::UseList);
        Some(())
    }
}
