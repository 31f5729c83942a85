//! Paths: in types, in expressions and patterns.

use super::{Mark, Parser, Step, T};
use crate::tree::{Field, Kind};

impl Parser<'_> {
    /// A name with the role of one.
    pub(super) fn name(&mut self, kind: Kind) -> Step {
        let is_name = match self.kind() {
            T::Name => true,
            T::Prim => matches!(kind, Kind::Identifier | Kind::FieldIdentifier),
            _ => false,
        };
        if !is_name {
            return None;
        }
        self.leaf(kind);
        self.field(Field::Name);
        Some(())
    }

    /// Whether `::name` comes next.
    fn goes_on(&self, ahead: usize) -> bool {
        self.is_path_sep(ahead)
            && matches!(self.nth(ahead + 2), T::Name | T::Super | T::Prim | T::Crate | T::SelfWord)
    }

    /// A path in the place of a type, with what it is of.
    pub(super) fn type_path(&mut self) -> Step {
        let mark = self.mark();
        let mut has_prefix = true;
        match self.kind() {
            T::Less => self.bracketed_type()?,
            T::Colon if self.is_path_sep(0) => has_prefix = false,
            T::SelfWord => self.leaf(Kind::SelfWord),
            T::Super => self.leaf(Kind::SuperWord),
            T::Crate => self.leaf(Kind::CrateWord),
            T::Metavariable => {
                self.leaf(Kind::Metavariable);
                if !self.is_path_sep(0) {
                    return Some(());
                }
            }
            T::Prim if !self.is_path_sep(1) => {
                self.leaf(Kind::PrimitiveType);
                return Some(());
            }
            T::Name if self.is_macro_call(1) => {
                self.leaf(Kind::Identifier);
                return self.macro_call(mark);
            }
            T::Prim => self.leaf(Kind::Identifier),
            T::Name if self.goes_on(1) => self.leaf(Kind::Identifier),
            T::Name | T::Under => {
                self.leaf(Kind::TypeIdentifier);
                if !self.type_tail(mark)? {
                    return Some(());
                }
            }
            _ => return None,
        }
        loop {
            if !self.is_path_sep(0) {
                return None;
            }
            if has_prefix {
                self.field(Field::Path);
            }
            let is_of_generic = has_prefix && self.last() == Kind::GenericType;
            has_prefix = true;
            self.sign(2, Kind::PathSep);
            match self.kind() {
                T::Super if self.goes_on(1) && !is_of_generic => {
                    self.leaf(Kind::SuperWord);
                    self.field(Field::Name);
                    self.close(mark, Kind::ScopedIdentifier);
                }
                T::Name | T::Prim if self.goes_on(1) => {
                    if is_of_generic {
                        return None;
                    }
                    self.leaf(Kind::Identifier);
                    self.field(Field::Name);
                    self.close(mark, Kind::ScopedIdentifier);
                }
                T::Name | T::Prim => {
                    self.leaf(Kind::TypeIdentifier);
                    self.field(Field::Name);
                    self.close(mark, Kind::ScopedTypeIdentifier);
                    if !self.type_tail(mark)? {
                        return Some(());
                    }
                }
                _ => return None,
            }
        }
    }

    /// What stands behind the last name of a path; whether the path goes on behind that.
    fn type_tail(&mut self, mark: Mark) -> Option<bool> {
        match self.kind() {
            T::Less => {
                self.field(Field::Type);
                self.type_arguments()?;
                self.field(Field::TypeArguments);
                self.close(mark, Kind::GenericType);
                match self.is_path_sep(0) {
                    true if !self.goes_on(0) => None,
                    goes_on => Some(goes_on),
                }
            }
            T::OpenParen => {
                self.field(Field::Trait);
                self.function_type(mark)?;
                Some(false)
            }
            // `Vec::<u8>` is no type to the grammar, and macro calls with paths are rare.
            T::Colon if self.is_path_sep(0) => None,
            T::Bang if self.is_macro_call(0) => None,
            _ => Some(false),
        }
    }

    /// `<T>`, `<T as Trait>`.
    fn bracketed_type(&mut self) -> Step {
        let mark = self.mark();
        self.skip(T::Less)?;
        let inner = self.mark();
        self.ty()?;
        if self.kind() == T::As {
            self.field(Field::Type);
            self.skip(T::As)?;
            self.ty()?;
            self.field(Field::Alias);
            self.close(inner, Kind::QualifiedType);
        }
        self.skip(T::Greater)?;
        self.close(mark, Kind::BracketedType);
        Some(())
    }

    /// A path in an expression or pattern, up to its last name; with `::<…>` behind it where
    /// `generic` says as what. It becomes a node of its own.
    pub(super) fn value_path(&mut self, generic: Kind) -> Step {
        let mark = self.mark();
        let mut has_prefix = true;
        match self.kind() {
            T::Less => {
                self.bracketed_type()?;
                if !self.is_path_sep(0) {
                    return None;
                }
            }
            T::Colon if self.is_path_sep(0) => has_prefix = false,
            T::SelfWord => self.leaf(Kind::SelfWord),
            T::Super => self.leaf(Kind::SuperWord),
            T::Crate => self.leaf(Kind::CrateWord),
            T::Metavariable => self.leaf(Kind::Metavariable),
            T::Name | T::Prim | T::Under => self.leaf(Kind::Identifier),
            _ => return None,
        }
        while self.is_path_sep(0) {
            if self.nth(2) == T::Less {
                let is_name = matches!(self.last(), Kind::Identifier | Kind::ScopedIdentifier);
                if !has_prefix || !is_name {
                    return None;
                }
                // What it is of is a type where the path goes on, else what was asked for.
                let of = self.out.len() - 1;
                self.sign(2, Kind::PathSep);
                self.type_arguments()?;
                self.field(Field::TypeArguments);
                let goes_on = self.goes_on(0);
                let kind = if goes_on { Kind::GenericType } else { generic };
                if let Some(node) = self.out.get_mut(of) {
                    let is_function = kind == Kind::GenericFunction;
                    node.field = match kind {
                        Kind::GenericFunction => Field::Function,
                        Kind::GenericPattern => Field::Other,
                        _ => Field::Type,
                    };
                    if !is_function && kind != Kind::GenericPattern && node.kind == Kind::Identifier
                    {
                        node.kind = Kind::TypeIdentifier;
                    }
                }
                self.close(mark, kind);
                if !goes_on {
                    return Some(());
                }
                continue;
            }
            if has_prefix {
                self.field(Field::Path);
            }
            has_prefix = true;
            self.sign(2, Kind::PathSep);
            match self.kind() {
                T::Name | T::Prim => self.leaf(Kind::Identifier),
                T::Super => self.leaf(Kind::SuperWord),
                _ => return None,
            }
            self.field(Field::Name);
            self.close(mark, Kind::ScopedIdentifier);
        }
        has_prefix.then_some(())
    }

    /// The path that was just read is that of a struct.
    pub(super) fn path_of_struct(&mut self) -> Step {
        if self.last() == Kind::GenericFunction {
            return self.turbofish_of_struct();
        }
        let [.., before, last] = self.out.as_mut_slice() else {
            let last = self.out.last_mut().filter(|it| it.kind == Kind::Identifier)?;
            last.kind = Kind::TypeIdentifier;
            return Some(());
        };
        match last.kind {
            Kind::Identifier => last.kind = Kind::TypeIdentifier,
            // Its name is the last of its children.
            Kind::ScopedIdentifier if before.kind == Kind::Identifier => {
                last.kind = Kind::ScopedTypeIdentifier;
                before.kind = Kind::TypeIdentifier;
            }
            _ => return None,
        }
        Some(())
    }
    /// `Name::<T>` before the fields of a struct.
    fn turbofish_of_struct(&mut self) -> Step {
        let at = self.out.len().checked_sub(1)?;
        let arguments = self.out.get(at.checked_sub(1)?)?.size as usize;
        let of = self.out.get_mut(at.checked_sub(arguments + 2)?)?;
        match (of.field, of.kind) {
            (Field::Function, Kind::Identifier) => of.kind = Kind::TypeIdentifier,
            (Field::Function, Kind::ScopedIdentifier) => {}
            _ => return None,
        }
        of.field = Field::Type;
        self.out.get_mut(at)?.kind = Kind::GenericTypeWithTurbofish;
        Some(())
    }
}
