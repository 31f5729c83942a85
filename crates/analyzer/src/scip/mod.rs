//! What a SCIP index says, as plain tables: files, symbols, where each is defined and where each is
//! named.
//!
//! Positions are a line from 1 and a column in UTF-8 bytes from 0, as rust-analyzer and the parser
//! of this house count them. Locals (variables, parameters) are not told apart, and where they are
//! defined is left out: they matter only in that a name is one.

mod calls;
mod facts;
mod places;
mod read;
mod symbol;

pub use calls::{Call, calls, is_called, macro_definitions};
pub use facts::{Damage, Definition, Facts, Pos, Range, Reference, Symbol, SymbolKind};
pub use places::{Named, Places};
pub use read::read;
pub use symbol::{ParsedSymbol, parse_symbol};
