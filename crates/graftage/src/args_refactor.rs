//! Arguments of `refactor`.

use clap::{Args as ClapArgs, Subcommand};

use crate::args::{GivenAnswers, Reasoner, Repair};

#[derive(Debug, Subcommand)]
pub(crate) enum Refactor {
    /// Rename an item with everything that names it: uses, imports, re-exports, patterns, impls of a
    /// trait, files of a module, links and examples in the documentation
    Rename(Rename),
    /// Move an item to another module of its crate, with its impls in the same file; uses, imports and
    /// paths follow
    Move(Move),
    /// Put a function, method, constant or type alias into its uses, and remove its definition
    Inline(Inline),
    /// Add a parameter to a function, or a part to a tuple struct or variant, with an argument at
    /// every call
    AddParameter(AddParameter),
    /// Remove a parameter that the function does not use, with its argument at every call
    RemoveParameter(RemoveParameter),
    /// Give the parameters of a function another order, with the arguments of every call
    Reorder(Reorder),
    /// Change the type of a parameter, return value, field or constant, and update its uses
    ChangeType(ChangeType),
    /// Add a field to a struct, with a value in every literal
    AddField(AddField),
}

/// What the commands have in common that change a definition.
#[derive(Debug, ClapArgs)]
pub(crate) struct Change {
    #[command(flatten)]
    pub(crate) repair: Repair,
    /// Time limit in seconds [default: `fix.timeout_seconds`]
    #[arg(long, value_name = "N")]
    pub(crate) max_seconds: Option<u64>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AddParameter {
    /// Function, method, tuple struct or variant: the end of its path, or `FILE:LINE[:COLUMN]`. Of
    /// a trait's method the trait and all impls change
    pub(crate) item: String,
    /// The parameter as in code: `limit: usize` (of a tuple struct or variant only the type counts)
    #[arg(value_name = "NAME: TYPE")]
    pub(crate) parameter: String,
    /// Position among the parameters, from 1, without `self` [default: the last]
    #[arg(long, value_name = "N", conflicts_with_all = ["before", "after"])]
    pub(crate) at: Option<usize>,
    /// Put it before this parameter
    #[arg(long, value_name = "NAME", conflicts_with = "after")]
    pub(crate) before: Option<String>,
    /// Put it after this parameter
    #[arg(long, value_name = "NAME")]
    pub(crate) after: Option<String>,
    /// Argument at every call, one expression [default: found for each call as `fix` does]
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) value: Option<String>,
    #[command(flatten)]
    pub(crate) answers: GivenAnswers,
    #[command(flatten)]
    pub(crate) change: Change,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RemoveParameter {
    /// Function, method, tuple struct or variant: the end of its path, or `FILE:LINE[:COLUMN]`
    pub(crate) item: String,
    /// Name of the parameter; of one without name its index, from 0
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) change: Change,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Reorder {
    /// Function or method: the end of its path, or `FILE:LINE[:COLUMN]`
    pub(crate) item: String,
    /// All parameters in their new order, without `self`: `to,from`
    #[arg(value_name = "NAME,NAME…", value_delimiter = ',', required = true)]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) change: Change,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ChangeType {
    /// Function (its return type), `function::parameter`, `Type::field` or constant: the end of its
    /// path, or `FILE:LINE[:COLUMN]`
    pub(crate) item: String,
    /// The new type
    #[arg(value_name = "TYPE")]
    pub(crate) ty: String,
    /// Sources of candidate repairs of the remaining uses
    #[arg(long, default_value = "rules")]
    pub(crate) reasoner: Reasoner,
    #[command(flatten)]
    pub(crate) answers: GivenAnswers,
    #[command(flatten)]
    pub(crate) change: Change,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AddField {
    /// Struct: the end of its path, or `FILE:LINE[:COLUMN]`
    pub(crate) item: String,
    /// The field as in code: `limit: usize`; it gets the visibility of the last field
    #[arg(value_name = "NAME: TYPE")]
    pub(crate) field: String,
    /// Value in every literal, one expression [default: found for each literal as `fix` does]
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) value: Option<String>,
    #[command(flatten)]
    pub(crate) answers: GivenAnswers,
    #[command(flatten)]
    pub(crate) change: Change,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Rename {
    /// Item: `module::Type::member` or the end of that path (a field as `Type::field`, a generic
    /// parameter as `function::T`), or its place as `FILE:LINE` or `FILE:LINE:COLUMN`
    pub(crate) item: String,
    /// New name
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) change: Change,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Move {
    /// Function, struct, enum, union, trait, constant, static or type alias: the end of its path, or
    /// `FILE:LINE`
    pub(crate) item: String,
    /// The module, which exists: `crate::a::b`, `a::b`, `super::b`, or its file
    pub(crate) module: String,
    #[command(flatten)]
    pub(crate) change: Change,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Inline {
    /// Function, method, constant or type alias: the end of its path, or `FILE:LINE[:COLUMN]`
    pub(crate) item: String,
    /// Keep the definition, such as that of a public item
    #[arg(long)]
    pub(crate) keep: bool,
    #[command(flatten)]
    pub(crate) change: Change,
}
