//! The kinds of items that can be renamed.

use syntax::places::{Definition, DefinitionKind};

/// The kind of an item that can be renamed, as far as its uses differ in syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RenameKind {
    /// A function outside of impls and traits.
    Function,
    /// A function of an impl or trait.
    Method,
    /// A struct, enum, union, trait or type alias.
    Type,
    /// A type or constant of an impl or trait.
    Member,
    /// A constant or static outside of impls and traits.
    Value,
    /// A named field.
    Field,
    /// A variant of an enum.
    Variant,
    /// A module.
    Module,
    /// A `macro_rules!` macro.
    Macro,
    /// A generic parameter of an item.
    Generic,
}

impl RenameKind {
    /// Whether it belongs to a type or trait, so that no name without a path or `.` means it.
    pub(super) fn is_member(self) -> bool {
        matches!(self, Self::Field | Self::Member | Self::Method)
    }

    /// The kind of a definition.
    pub fn of(definition: &Definition) -> Self {
        Self::of_kind(definition.kind, !definition.owner.is_empty())
    }

    /// The kind of a definition of this kind, which may be a member of a type, trait or enum.
    pub fn of_kind(kind: DefinitionKind, is_member: bool) -> Self {
        match kind {
            DefinitionKind::Function if is_member => Self::Method,
            DefinitionKind::Function => Self::Function,
            DefinitionKind::TypeAlias | DefinitionKind::Const if is_member => Self::Member,
            DefinitionKind::Const | DefinitionKind::Static => Self::Value,
            DefinitionKind::Field => Self::Field,
            DefinitionKind::Variant => Self::Variant,
            DefinitionKind::Module => Self::Module,
            DefinitionKind::Macro => Self::Macro,
            DefinitionKind::Struct
            | DefinitionKind::Enum
            | DefinitionKind::Trait
            | DefinitionKind::TypeAlias => Self::Type,
        }
    }
}
