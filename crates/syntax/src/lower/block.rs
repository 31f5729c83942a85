//! Blocks and statements.

use super::Lower;
use crate::facts::{BlockKind, Expr, Stmt};
use crate::tree::{Field, Kind};

impl Lower<'_> {
    /// The statements below `node`, which is a block or stands for one.
    pub(super) fn block(&mut self, node: u32, kind: BlockKind) -> Expr {
        let tree = self.tree;
        let mut stmts = Vec::new();
        // What may be the value of the block: an expression with nothing behind it.
        let mut tail = None;
        for child in tree.children(node) {
            let child_node = tree.node(child);
            if !child_node.is_named() || child_node.is_comment() {
                continue;
            }
            match child_node.kind {
                Kind::Label | Kind::AttributeItem | Kind::InnerAttributeItem => continue,
                Kind::EmptyStatement => {
                    stmts.extend(tail.take().map(Stmt::Expr));
                    continue;
                }
                _ => {}
            }
            stmts.extend(tail.take().map(Stmt::Expr));
            match child_node.kind {
                Kind::LetDeclaration => {
                    let of = self.type_field(child, Field::Type);
                    let init = self.expr_field(child, Field::Value);
                    let otherwise = self.expr_field(child, Field::Alternative);
                    let pat = self.pat_field(child, Field::Pattern);
                    stmts.push(Stmt::Let { pat, of, init, otherwise });
                }
                Kind::ExpressionStatement => {
                    let Some(of) = tree.parts(child).next() else { continue };
                    let expr = self.expr(of);
                    if tree.child(child, Kind::Semicolon).is_some() {
                        stmts.push(Stmt::Expr(expr));
                        self.items_of_call(of, &mut stmts);
                    } else {
                        tail = Some(expr);
                    }
                }
                _ => match self.item_of(child) {
                    Some(item) => stmts.push(Stmt::Item(item)),
                    None if child_node.kind == Kind::ForeignModItem => {
                        self.foreign_items(child, &mut stmts);
                    }
                    None => {
                        tail = Some(self.expr(child));
                        self.items_of_call(child, &mut stmts);
                    }
                },
            }
        }
        Expr::Block(kind, stmts, tail)
    }

    /// Items in the tokens of a macro call that is a statement are in scope around it, where the
    /// macro passes them on.
    fn items_of_call(&self, node: u32, stmts: &mut Vec<Stmt>) {
        if let Some(piece) = self.pieces.get(&node) {
            let items = self.tree.children(piece.node).filter_map(|it| self.item_of(it));
            stmts.extend(items.map(Stmt::Item));
        }
    }

    /// The functions and statics of an extern block are items of the block around it.
    fn foreign_items(&self, node: u32, stmts: &mut Vec<Stmt>) {
        if let Some(list) = self.tree.field(node, Field::Body) {
            stmts
                .extend(self.tree.children(list).filter_map(|it| self.item_of(it)).map(Stmt::Item));
        }
    }
}
