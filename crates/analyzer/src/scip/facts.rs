use base::ProjectPath;

/// All that one index says. Files, definitions and references stand in the index's own order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Who made it: `rust-analyzer 1.97.1`; empty where it does not say.
    pub tool: String,
    /// The files that it speaks of.
    pub files: Vec<ProjectPath>,
    /// Everything that is defined or named in them, each once, in order of first use.
    pub symbols: Vec<Symbol>,
    /// Where symbols are defined.
    pub definitions: Vec<Definition>,
    /// Where symbols are named, their definitions left out.
    pub references: Vec<Reference>,
    /// Parts that make no sense by themselves and were left out: a path that leaves the project,
    /// a range of two numbers. In words, at most a hundred.
    pub problems: Vec<String>,
    /// The index breaks off or goes wrong here; what is before was read.
    pub damage: Option<Damage>,
}

/// Where and why reading ended before the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The byte at which the part begins that cannot be read.
    pub offset: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// Something that has a name beyond one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// As it stands in the index.
    pub text: Box<str>,
    /// The package that defines it; empty where the text cannot be taken apart.
    pub package: Box<str>,
    /// Its path as people write it, without the crate: `module::Type::method`,
    /// `module::<Type as Trait>::method`, `module::Trait::method`. Empty for a crate itself.
    pub path: Box<str>,
    /// What it is.
    pub kind: SymbolKind,
    /// Its signature as an editor shows it; empty where the index has none.
    pub signature: Box<str>,
}

/// What a symbol is, as far as its text tells.
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
    /// An impl as such, a parameter by name, or what cannot be taken apart.
    Other,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos {
    /// From 1.
    pub line: u32,
    /// In UTF-8 bytes, from 0.
    pub col: u32,
}

/// From a place to another, the end outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Range {
    /// Where it begins.
    pub start: Pos,
    /// Where it ends.
    pub end: Pos,
}

impl Range {
    /// Whether it holds the place.
    pub fn holds(self, pos: Pos) -> bool {
        self.start <= pos && pos < self.end
    }
}

/// Where a symbol is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Index in [`Facts::symbols`].
    pub symbol: u32,
    /// Index in [`Facts::files`].
    pub file: u32,
    /// Its name token; of a module or crate its file.
    pub range: Range,
    /// The whole of it, where the index says.
    pub enclosing: Option<Range>,
}

/// Where a symbol is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Index in [`Facts::symbols`].
    pub symbol: u32,
    /// Index in [`Facts::files`].
    pub file: u32,
    /// The token that names it; of an operator that calls a method, the operator.
    pub range: Range,
}

impl Facts {
    /// The symbol of a definition or reference.
    pub fn symbol(&self, idx: u32) -> Option<&Symbol> {
        self.symbols.get(idx as usize)
    }

    /// The file of a definition or reference.
    pub fn file(&self, idx: u32) -> Option<&ProjectPath> {
        self.files.get(idx as usize)
    }
}
