//! Calls of macros in expressions.

use super::Lower;
use crate::facts::{BlockKind, Expr};
use crate::piece::Reading;
use crate::tree::{Field, Kind};

impl Lower<'_> {
    pub(super) fn macro_call(&mut self, node: u32) -> Expr {
        let tree = self.tree;
        let Some(path) = tree.field(node, Field::Macro) else { return Expr::Other(Vec::new()) };
        let path = self.path(path);
        let Some(tokens) = tree.child(node, Kind::TokenTree) else {
            return Expr::Other(Vec::new());
        };
        let at = tree.node(tokens);
        let (args, is_complete) = match self.pieces.get(&node).copied() {
            Some(piece) if piece.reading == Reading::Arguments => {
                (self.exprs_below(piece.node), true)
            }
            Some(piece) => {
                let block = self.block(piece.node, BlockKind::Plain);
                (vec![self.push_expr(block)], true)
            }
            None => (Vec::new(), tree.parts(tokens).next().is_none()),
        };
        Expr::Macro { path, args, is_complete, tokens: (at.start, at.end) }
    }
}
