//! A decoded SCIP index as tables: files, symbols, definitions and references.
//!
//! Positions have a line from 1 and a column in UTF-8 bytes from 0, as in the `syntax` crate. All
//! locals (variables, parameters) are one symbol without definitions: callers only need to know that
//! a name is a local. Start at [`read()`] and [`ScipLookup`].

mod calls;
mod facts;
mod places;
mod read;
mod symbol;

pub use calls::{Call, calls, is_called, macro_definitions};
pub use facts::{
    Facts, Pos, Reference, ScipDamage, ScipDefinition, ScipRange, ScipSymbol, SymbolKind,
};
pub use places::{ParsedItem, ScipLookup};
pub use read::read;
pub(crate) use symbol::parse_symbol;
