//! [`Intent`]: one change of a definition, such as a parameter added or a field renamed. Only the
//! data; `find.rs` derives intents from a difference.

use std::fmt;

use base::ProjectPath;
use syntax::places::{Definition, DefinitionKind};

/// One thing that a person has changed on purpose, at the level of definitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// What was changed.
    pub what: What,
    /// File of the definition: in the present tree, of a removed one in the base.
    pub path: ProjectPath,
    /// Line of the definition there, from 1.
    pub line: u32,
    /// How sure it is that this definition is that of the base, in percent: 100 if its name is the
    /// same.
    pub confidence: u8,
}

/// A definition by its name and what it is a member of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DefinitionName {
    /// What it defines.
    pub kind: DefinitionKind,
    /// Name of the type, trait or enum around it; empty in a module.
    pub owner: String,
    /// Trait whose impl it is in.
    pub of_trait: Option<String>,
    /// Its name; the new one if it was renamed.
    pub name: String,
}

/// What was changed. Types and values are as written, in one spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A definition has another name.
    Renamed {
        /// The definition, with its new name.
        of: DefinitionName,
        /// Its old name.
        from: String,
    },
    /// An item is in another file.
    Moved {
        /// The item.
        of: DefinitionName,
        /// The file that it was in.
        from: ProjectPath,
    },
    /// A definition is gone.
    Removed(DefinitionName),
    /// A definition is new.
    Added {
        /// The definition.
        of: DefinitionName,
        /// Type of a field; empty for others.
        ty: String,
    },
    /// A function has a parameter more.
    ParameterAdded {
        /// The function, or tuple struct or variant.
        of: DefinitionName,
        /// Index among the parameters, without `self`.
        at: usize,
        /// Name of the parameter; empty if it has none.
        name: String,
        /// Its type.
        ty: String,
    },
    /// A function has a parameter less.
    ParameterRemoved {
        /// The function, or tuple struct or variant.
        of: DefinitionName,
        /// Index among the old parameters, without `self`.
        at: usize,
        /// Name of the parameter; empty if it had none.
        name: String,
        /// Number of parameters before.
        count: usize,
    },
    /// A parameter, return value, field or constant has another type.
    Retyped {
        /// The definition.
        of: DefinitionName,
        /// Index of the parameter; `None` for the type of the definition itself.
        at: Option<usize>,
        /// Old type; empty if there was none.
        from: String,
        /// New type; empty if there is none.
        to: String,
    },
    /// The head of a function was changed, in whatever part.
    Head {
        /// The function.
        of: DefinitionName,
        /// Old head, from its name to its body.
        from: String,
        /// New head.
        to: String,
    },
}

impl Intent {
    /// The name under which other code knew the definition; `None` of a new one.
    pub fn known_as(&self) -> Option<&str> {
        match &self.what {
            What::Renamed { from, .. } => Some(from),
            What::Added { .. } => None,
            What::Moved { of, .. }
            | What::Removed(of)
            | What::ParameterAdded { of, .. }
            | What::ParameterRemoved { of, .. }
            | What::Retyped { of, .. }
            | What::Head { of, .. } => Some(&of.name),
        }
    }
}

impl DefinitionName {
    /// The name of a definition.
    pub fn of(definition: &Definition) -> Self {
        Self {
            kind: definition.kind,
            owner: definition.owner.clone(),
            of_trait: definition.of_trait.clone(),
            name: definition.name.clone(),
        }
    }
}

impl What {
    /// The kind of the change in one word: `renamed`, `parameter_added`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Renamed { .. } => "renamed",
            Self::Moved { .. } => "moved",
            Self::Removed(_) => "removed",
            Self::Added { .. } => "added",
            Self::ParameterAdded { .. } => "parameter_added",
            Self::ParameterRemoved { .. } => "parameter_removed",
            Self::Retyped { .. } => "retyped",
            Self::Head { .. } => "signature",
        }
    }

    /// The definition that was changed.
    pub fn of(&self) -> &DefinitionName {
        match self {
            Self::Removed(of)
            | Self::Moved { of, .. }
            | Self::Renamed { of, .. }
            | Self::Added { of, .. }
            | Self::ParameterAdded { of, .. }
            | Self::ParameterRemoved { of, .. }
            | Self::Retyped { of, .. }
            | Self::Head { of, .. } => of,
        }
    }
}

impl fmt::Display for DefinitionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            DefinitionKind::Function if self.owner.is_empty() => "function",
            DefinitionKind::Function => "method",
            DefinitionKind::Struct => "struct",
            DefinitionKind::Enum => "enum",
            DefinitionKind::Trait => "trait",
            DefinitionKind::TypeAlias => "type",
            DefinitionKind::Const => "constant",
            DefinitionKind::Static => "static",
            DefinitionKind::Module => "module",
            DefinitionKind::Macro => "macro",
            DefinitionKind::Field => "field",
            DefinitionKind::Variant => "variant",
        };
        match (&self.of_trait, self.owner.as_str()) {
            (Some(of), owner) => write!(f, "{kind} `<{owner} as {of}>::{}`", self.name),
            (None, "") => write!(f, "{kind} `{}`", self.name),
            (None, owner) => write!(f, "{kind} `{owner}::{}`", self.name),
        }
    }
}

impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::Renamed { of, from } => write!(f, "{of} was `{from}`"),
            What::Moved { of, from } => {
                write!(f, "{of} is in `{}` now, was in `{from}`", self.path)
            }
            What::Removed(of) => write!(f, "{of} is removed"),
            What::Added { of, .. } => write!(f, "{of} is new"),
            What::ParameterAdded { of, name, ty, .. } if name.is_empty() => {
                write!(f, "{of} has a new part of type `{ty}`")
            }
            What::ParameterAdded { of, name, ty, .. } => {
                write!(f, "{of} has the new parameter `{name}: {ty}`")
            }
            What::ParameterRemoved { of, at, name, .. } if name.is_empty() => {
                write!(f, "{of} has lost part {}", at + 1)
            }
            What::ParameterRemoved { of, name, .. } => {
                write!(f, "{of} has lost the parameter `{name}`")
            }
            What::Retyped { of, at: Some(at), from, to } => {
                write!(f, "parameter {} of {of} is `{to}`, was `{from}`", at + 1)
            }
            What::Retyped { of, at: None, from, to } => {
                let verb = if of.kind == DefinitionKind::Function { "returns" } else { "is" };
                let shown = |it: &str| if it.is_empty() { "()".to_owned() } else { it.to_owned() };
                write!(f, "{of} {verb} `{}`, was `{}`", shown(to), shown(from))
            }
            What::Head { of, .. } => write!(f, "{of} has another signature"),
        }
    }
}
