//! One Rust text to items, problems and structure. Never fails: broken code gives fewer items and
//! more problems.
//!
//! Invariants: pure, total on any `&str`, deterministic, linear in the text (10,000-deep nesting
//! included). Spans are bytes of the very text that was handed in.

use base::ByteSpan;
use serde::{Deserialize, Serialize};

/// What kinds of item there are (the closed set that edits name, see SPEC E1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind { Function, Const, Enum, Impl, Import, Macro, Module, Static, Struct, Trait, TypeAlias, Union, Method }

/// One item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub kind: NodeKind,
    pub name: String,
    /// path inside the file: `module::Type::method`, `<Type as Trait>::method`, twins `-2`
    pub canon: String,
    /// with doc comments and attributes
    pub span: ByteSpan,
    /// the item's name token
    pub name_span: Option<ByteSpan>,
    pub body: Option<ByteSpan>,
    pub visibility: String,
    pub attributes: Vec<String>,
    pub is_test: bool,
    pub parent: Option<usize>,
    pub parse_errors: usize,
}

/// A text that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFile { pub items: Vec<Item>, pub parse_errors: Vec<ByteSpan> }

/// Reads a text.
pub fn parse(_text: &str) -> SourceFile { unimplemented!() }
