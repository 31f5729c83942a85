//! One reading for all: items, declarations, bodies.

use crate::facts::FileFacts;
use crate::mend::mended;
use crate::parse::{items, unreadable};
use crate::piece::read_pieces;
use crate::tree::Tree;

/// Reads all that a text says: one parse, one walk. Items are those of [`crate::parse`], and
/// besides them those in macro calls.
pub fn read(text: &str) -> FileFacts {
    let mut tree = Tree::default();
    let Some((mut parser, parsed)) = crate::walk::parser_and_tree(text) else {
        return FileFacts { file: unreadable(text), ..FileFacts::default() };
    };
    tree.add(&mended(text, parsed));
    let pieces = read_pieces(text, &mut tree, &mut parser);
    let items = items(text, &tree, &pieces);
    crate::lower::lower(text, &tree, &pieces, items)
}
