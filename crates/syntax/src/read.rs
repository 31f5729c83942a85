//! One reading for all: items, declarations, bodies.

use std::collections::BTreeMap;

use crate::facts::FileFacts;
use crate::parse::{items, unreadable};
use crate::tree::Tree;

/// Reads all that a text says: one parse, one walk. Items are those of [`crate::parse`], and
/// besides them those in macro calls.
pub fn read(text: &str) -> FileFacts {
    let mut tree = Tree::default();
    match crate::walk::tree(text) {
        Some(parsed) => tree.add(&parsed, &|at| at),
        None => return FileFacts { file: unreadable(text), ..FileFacts::default() },
    };
    let pieces = BTreeMap::new();
    let items = items(text, &tree, &pieces);
    crate::lower::lower(text, &tree, &pieces, items)
}
