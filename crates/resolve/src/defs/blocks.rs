//! Finds the blocks of a body that contain items; each gets its own scope.

use syntax::facts::{Body, Expr, ExprId, Stmt};

/// A block with items: its expression, its items, and the enclosing block with items.
pub(super) struct ItemBlock {
    pub(super) expr: ExprId,
    pub(super) items: Vec<u32>,
    /// Index of the enclosing block in the list; parents come first.
    pub(super) outer: Option<usize>,
}

/// The blocks of a body that contain items, outer blocks first.
pub(super) fn item_blocks(body: &Body) -> Vec<ItemBlock> {
    let has_items = |expr: &Expr| {
        matches!(expr, Expr::Block(_, stmts, _)
            if stmts.iter().any(|stmt| matches!(stmt, Stmt::Item(_))))
    };
    if !body.exprs.iter().any(has_items) {
        return Vec::new();
    }
    let mut parents = vec![u32::MAX; body.exprs.len()];
    for (number, expr) in body.exprs.iter().enumerate() {
        children(expr, &mut |child| {
            if let Some(parent) = parents.get_mut(child.idx()) {
                *parent = number as u32;
            }
        });
    }
    // The arena has children before parents: in reverse, outer blocks come first.
    let mut blocks: Vec<ItemBlock> = Vec::new();
    let mut numbers = vec![usize::MAX; body.exprs.len()];
    for (number, expr) in body.exprs.iter().enumerate().rev() {
        // The innermost enclosing block with items: the parent, or the one that encloses the
        // parent.
        let parent = parents.get(number).copied().unwrap_or(u32::MAX) as usize;
        let around = numbers.get(parent).copied().unwrap_or(usize::MAX);
        let mut this = around;
        if let Expr::Block(_, stmts, _) = expr
            && has_items(expr)
        {
            this = blocks.len();
            blocks.push(ItemBlock {
                expr: ExprId(number as u32),
                items: stmts
                    .iter()
                    .filter_map(|stmt| match stmt {
                        Stmt::Item(item) => Some(*item),
                        _ => None,
                    })
                    .collect(),
                outer: (around != usize::MAX).then_some(around),
            });
        }
        numbers[number] = this;
    }
    blocks
}

/// Calls `each` with every direct subexpression.
fn children(expr: &Expr, each: &mut dyn FnMut(ExprId)) {
    match expr {
        Expr::Path(_) | Expr::Literal(_) => {}
        Expr::Call(callee, args) => {
            each(*callee);
            args.iter().for_each(|it| each(*it));
        }
        Expr::MethodCall { receiver, args, .. } => {
            each(*receiver);
            args.iter().for_each(|it| each(*it));
        }
        Expr::Field(of, ..)
        | Expr::Ref(of)
        | Expr::Deref(of)
        | Expr::Unary(_, _, of)
        | Expr::Await(of)
        | Expr::Try(of)
        | Expr::Cast(of, _)
        | Expr::Let(_, of)
        | Expr::Loop(of) => each(*of),
        Expr::Index(a, b)
        | Expr::Binary(_, _, a, b)
        | Expr::Repeat(a, b)
        | Expr::Assign(a, b)
        | Expr::While(a, b)
        | Expr::For(_, a, b) => {
            each(*a);
            each(*b);
        }
        Expr::Struct { fields, base, .. } => {
            fields.iter().for_each(|(_, it)| each(*it));
            base.iter().for_each(|it| each(*it));
        }
        Expr::Tuple(parts) | Expr::Array(parts) | Expr::Other(parts) => {
            parts.iter().for_each(|it| each(*it));
        }
        Expr::Macro { args, .. } => args.iter().for_each(|it| each(*it)),
        Expr::Range(a, b) => a.iter().chain(b).for_each(|it| each(*it)),
        Expr::Closure { body, .. } => each(*body),
        Expr::Block(_, stmts, value) => {
            for stmt in stmts {
                match stmt {
                    Stmt::Let { init, otherwise, .. } => {
                        init.iter().chain(otherwise).for_each(|it| each(*it));
                    }
                    Stmt::Expr(it) => each(*it),
                    Stmt::Item(_) => {}
                }
            }
            value.iter().for_each(|it| each(*it));
        }
        Expr::If(cond, then, otherwise) => {
            each(*cond);
            each(*then);
            otherwise.iter().for_each(|it| each(*it));
        }
        Expr::Match(on, arms) => {
            each(*on);
            for arm in arms {
                arm.guard.iter().for_each(|it| each(*it));
                each(arm.value);
            }
        }
        Expr::Return(value) | Expr::Break(value) => value.iter().for_each(|it| each(*it)),
    }
}
