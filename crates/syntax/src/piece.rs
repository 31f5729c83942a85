//! Tokens of macro calls that read as Rust: parsed once more, as what they read as.

/// Tokens of a macro call that were parsed once more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// The node around what they were read as.
    pub(crate) node: u32,
    /// As what they read.
    pub(crate) reading: Reading,
}

/// As what the tokens of a macro call can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Items: the node is a list of declarations.
    Items,
    /// Expressions separated by commas: the node is a list of arguments.
    Arguments,
    /// Statements: the node is a block.
    Block,
}
