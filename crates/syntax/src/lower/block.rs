//! Lowers blocks and their statements.

use super::Lower;
use crate::facts::{BlockKind, Expr, Stmt};
use crate::macro_args::ParsedAs;
use crate::tree::Kind;

impl Lower<'_> {
    /// The statements of `node`, a list of them.
    pub(super) fn block(&mut self, node: u32, kind: BlockKind) -> Expr {
        let tree = self.tree;
        let mut stmts = Vec::new();
        // The value of the block if nothing follows: an expression without a semicolon.
        let mut tail = None;
        for child in tree.children(node) {
            match tree.kind(child) {
                Kind::SEMICOLON => stmts.extend(tail.take().map(Stmt::Expr)),
                Kind::ATTR | Kind::L_CURLY | Kind::R_CURLY => {}
                Kind::LET_STMT => {
                    stmts.extend(tail.take().map(Stmt::Expr));
                    stmts.push(self.let_stmt(child));
                }
                Kind::EXPR_STMT => {
                    stmts.extend(tail.take().map(Stmt::Expr));
                    let Some(of) = tree.exprs(child).next() else { continue };
                    let expr = self.expr(of);
                    match tree.has(child, Kind::SEMICOLON) {
                        true => stmts.push(Stmt::Expr(expr)),
                        false => tail = Some(expr),
                    }
                    self.items_of_call(of, &mut stmts);
                }
                Kind::EXTERN_BLOCK => {
                    stmts.extend(tail.take().map(Stmt::Expr));
                    self.foreign_items(child, &mut stmts);
                }
                kind => {
                    stmts.extend(tail.take().map(Stmt::Expr));
                    if let Some(item) = self.item_of(child) {
                        stmts.push(Stmt::Item(item));
                    } else if kind == Kind::ERROR || self.is_expr(child) {
                        tail = Some(self.expr(child));
                        self.items_of_call(child, &mut stmts);
                    }
                }
            }
        }
        Expr::Block(kind, stmts, tail)
    }

    fn let_stmt(&mut self, node: u32) -> Stmt {
        let tree = self.tree;
        let of = self.type_in(node);
        let init = tree.exprs(node).next().map(|it| self.expr(it));
        let otherwise = tree.child(node, Kind::LET_ELSE).and_then(|it| tree.exprs(it).next());
        let otherwise = otherwise.map(|it| self.expr(it));
        Stmt::Let { pat: self.pat_in(node), of, init, otherwise }
    }

    /// Items in the tokens of a macro call that is a statement are in scope around it if the
    /// macro passes them on.
    fn items_of_call(&self, node: u32, stmts: &mut Vec<Stmt>) {
        let call = self.tree.child(node, Kind::MACRO_CALL);
        let args = call.and_then(|it| self.args.get(&it));
        let lists = [ParsedAs::Items, ParsedAs::Block];
        if let Some(args) = args.filter(|it| lists.contains(&it.parsed_as)) {
            let items = self.tree.children(args.node).filter_map(|it| self.item_of(it));
            stmts.extend(items.map(Stmt::Item));
        }
    }

    /// The functions and statics of an extern block are items of the block around it.
    fn foreign_items(&self, node: u32, stmts: &mut Vec<Stmt>) {
        if let Some(list) = self.tree.child(node, Kind::EXTERN_ITEM_LIST) {
            let items = self.tree.children(list).filter_map(|it| self.item_of(it));
            stmts.extend(items.map(Stmt::Item));
        }
    }
}
