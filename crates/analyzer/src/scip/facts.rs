//! The tables of a SCIP index. Indices into them are `u32`.

use base::ProjectPath;

/// The facts of one index. Files, definitions and references have the order of the index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Name and version of the indexer, `rust-analyzer 1.97.1`; empty if missing.
    pub tool: String,
    /// The indexed files.
    pub files: Vec<ProjectPath>,
    /// All symbols defined or referenced in them, without duplicates, in order of first use.
    pub symbols: Vec<ScipSymbol>,
    /// Definitions of symbols.
    pub definitions: Vec<ScipDefinition>,
    /// References to symbols, without their definitions.
    pub references: Vec<Reference>,
    /// Messages about invalid parts that were left out: a path that leaves the project, a range of
    /// two numbers. At most a hundred.
    pub problems: Vec<String>,
    /// Where decoding stopped early; everything before was read.
    pub damage: Option<ScipDamage>,
}

/// Where and why decoding stopped before the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScipDamage {
    /// The byte offset of the part that cannot be decoded.
    pub offset: u64,
    /// The decoder's error.
    pub reason: String,
}

/// A named item that is visible outside one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScipSymbol {
    /// The symbol string of the index.
    pub text: Box<str>,
    /// The package that defines it; empty if the text cannot be parsed.
    pub package: Box<str>,
    /// Its Rust path without the crate: `module::Type::method`,
    /// `module::<Type as Trait>::method`, `module::Trait::method`. Empty for a crate itself.
    pub path: Box<str>,
    /// Its kind.
    pub kind: SymbolKind,
    /// Its signature as an editor shows it; empty if the index has none.
    pub signature: Box<str>,
}

/// The kind of a symbol, derived from its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolKind {
    /// A function or method, with or without `self`.
    Function,
    /// A struct, enum, union, trait, type alias or associated type.
    Type,
    /// A constant, static, field or variant.
    Term,
    /// A module or crate.
    Module,
    /// A macro.
    Macro,
    /// A variable or parameter of a function; all of them are one symbol.
    Local,
    /// An impl itself, a parameter by name, or a symbol that cannot be parsed.
    Other,
}

/// A position in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos {
    /// The line, from 1.
    pub line: u32,
    /// The column in UTF-8 bytes, from 0.
    pub col: u32,
}

/// A half-open range of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScipRange {
    /// The first position.
    pub start: Pos,
    /// The position after the last.
    pub end: Pos,
}

impl ScipRange {
    /// Whether it contains the position.
    pub(crate) fn holds(self, pos: Pos) -> bool {
        self.start <= pos && pos < self.end
    }
}

/// A definition of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScipDefinition {
    /// Index in [`Facts::symbols`].
    pub symbol: u32,
    /// Index in [`Facts::files`].
    pub file: u32,
    /// The name token; for a module or crate the file.
    pub range: ScipRange,
    /// The whole item, if the index has it.
    pub enclosing: Option<ScipRange>,
}

/// A reference to a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Index in [`Facts::symbols`].
    pub symbol: u32,
    /// Index in [`Facts::files`].
    pub file: u32,
    /// The referencing token; for an overloaded operator the operator.
    pub range: ScipRange,
}

impl Facts {
    /// The symbol of a definition or reference.
    pub fn symbol(&self, idx: u32) -> Option<&ScipSymbol> {
        self.symbols.get(idx as usize)
    }

    /// The file of a definition or reference.
    pub fn file(&self, idx: u32) -> Option<&ProjectPath> {
        self.files.get(idx as usize)
    }
}
