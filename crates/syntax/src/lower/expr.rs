//! Lowers expressions, kind by kind. Start at [`Lower::expr`].

use super::Lower;
use crate::facts::{Arithmetic, Arm, BinaryOp, BlockKind, Expr, ExprId, Segment, TypeId, UnaryOp};
use crate::tree::Kind;

impl Lower<'_> {
    /// The expression `node`, `Other` where there is none.
    fn expr_or_other(&mut self, node: Option<u32>) -> ExprId {
        match node {
            Some(node) => self.expr(node),
            None => self.nothing(),
        }
    }

    /// The n-th expression among the children, `Other` where there is none.
    fn part(&mut self, node: u32, n: usize) -> ExprId {
        self.expr_or_other(self.tree.exprs(node).nth(n))
    }

    pub(super) fn is_expr(&self, node: u32) -> bool {
        crate::tree::is_expr(self.tree.kind(node))
    }

    /// The expression that a node is. Chains (`a.b().c?.await + d`) grow to the left without end,
    /// so they are read from the innermost on in a loop.
    pub(super) fn expr(&mut self, node: u32) -> ExprId {
        let mut spine = Vec::new();
        let mut inner = node;
        while let Some(left) = self.left(inner) {
            spine.push(inner);
            inner = left;
        }
        let expr = self.deeper(|it| it.leaf_expr(inner));
        let mut expr = match expr {
            Some(Ok(id)) => id,
            Some(Err(expr)) => self.push_expr(expr),
            None => self.nothing(),
        };
        for outer in spine.into_iter().rev() {
            let grown = self.deeper(|it| it.grow(outer, expr));
            let grown = grown.unwrap_or_else(|| Expr::Other(vec![expr]));
            expr = self.push_expr(grown);
        }
        expr
    }

    /// The expression that one which grows to the left continues.
    fn left(&self, node: u32) -> Option<u32> {
        let grows = matches!(
            self.tree.kind(node),
            Kind::CALL_EXPR
                | Kind::METHOD_CALL_EXPR
                | Kind::FIELD_EXPR
                | Kind::CAST_EXPR
                | Kind::BIN_EXPR
                | Kind::INDEX_EXPR
                | Kind::AWAIT_EXPR
                | Kind::TRY_EXPR
        );
        self.tree.exprs(node).next().filter(|_| grows)
    }

    /// What `node` makes of its left part.
    fn grow(&mut self, node: u32, left: ExprId) -> Expr {
        let tree = self.tree;
        match tree.kind(node) {
            Kind::CALL_EXPR => Expr::Call(left, self.args(node)),
            Kind::METHOD_CALL_EXPR => {
                let Some(of) = tree.child(node, Kind::NAME_REF) else {
                    return Expr::Other(vec![left]);
                };
                let generics = tree.child(node, Kind::GENERIC_ARG_LIST);
                let generics = generics.map(|it| self.turbofish(it)).unwrap_or_default();
                let args = self.args(node);
                let (name, offset) = (self.name(of), tree.node(of).start);
                Expr::MethodCall { receiver: left, name, offset, generics, args }
            }
            Kind::FIELD_EXPR => match tree.child(node, Kind::NAME_REF) {
                Some(name) => Expr::Field(left, self.name(name), tree.node(name).start),
                None => Expr::Other(vec![left]),
            },
            Kind::CAST_EXPR => match self.type_in(node) {
                Some(of) => Expr::Cast(left, of),
                None => Expr::Other(vec![left]),
            },
            Kind::BIN_EXPR => {
                let right = self.part(node, 1);
                self.binary(node, left, right)
            }
            Kind::INDEX_EXPR => match tree.exprs(node).nth(1) {
                Some(index) => Expr::Index(left, self.expr(index)),
                None => Expr::Other(vec![left]),
            },
            Kind::AWAIT_EXPR => Expr::Await(left),
            Kind::TRY_EXPR => Expr::Try(left),
            _ => Expr::Other(vec![left]),
        }
    }

    fn turbofish(&mut self, node: u32) -> Vec<TypeId> {
        let name = self.intern("");
        let mut segment = Segment { name, offset: 0, args: Vec::new(), bindings: Vec::new() };
        self.type_arguments(node, &mut segment);
        segment.args
    }

    fn args(&mut self, node: u32) -> Vec<ExprId> {
        let list = self.tree.child(node, Kind::ARG_LIST);
        list.map(|it| self.values(it)).unwrap_or_default()
    }

    /// All expressions among the children.
    pub(super) fn values(&mut self, node: u32) -> Vec<ExprId> {
        self.tree.exprs(node).map(|it| self.expr(it)).collect()
    }

    fn binary(&mut self, node: u32, left: ExprId, right: ExprId) -> Expr {
        let tree = self.tree;
        let Some(sign) = tree.children(node).find(|it| tree.kind(*it).is_punct()) else {
            return Expr::Other(vec![left, right]);
        };
        let (arithmetic, assigns) = match tree.kind(sign) {
            Kind::EQ => return Expr::Assign(left, right),
            kind => match operator(kind) {
                Some(Operator::Arithmetic(of, assigns)) => (of, assigns),
                Some(Operator::Other(op)) => {
                    return Expr::Binary(op, tree.node(sign).start, left, right);
                }
                None => return Expr::Other(vec![left, right]),
            },
        };
        let op = BinaryOp::Arithmetic(arithmetic, assigns);
        Expr::Binary(op, tree.node(sign).start, left, right)
    }

    /// An expression that does not grow to the left: one that is there already (in parentheses),
    /// or a new one.
    fn leaf_expr(&mut self, node: u32) -> Result<ExprId, Expr> {
        let tree = self.tree;
        Err(match tree.kind(node) {
            Kind::PAREN_EXPR | Kind::EXPR_STMT => match tree.exprs(node).next() {
                Some(of) => return Ok(self.expr(of)),
                None => Expr::Other(Vec::new()),
            },
            Kind::PATH_EXPR => match tree.child(node, Kind::PATH) {
                Some(path) => Expr::Path(self.path(path)),
                None => Expr::Other(Vec::new()),
            },
            Kind::BLOCK_EXPR => self.block_expr(node),
            Kind::REF_EXPR => match tree.exprs(node).next() {
                Some(of) => Expr::Ref(self.expr(of)),
                None => Expr::Other(Vec::new()),
            },
            Kind::PREFIX_EXPR => self.unary(node),
            Kind::TUPLE_EXPR => Expr::Tuple(self.values(node)),
            // `[value; count]`.
            Kind::ARRAY_EXPR if tree.has(node, Kind::SEMICOLON) => {
                Expr::Repeat(self.part(node, 0), self.part(node, 1))
            }
            Kind::ARRAY_EXPR => Expr::Array(self.values(node)),
            Kind::RANGE_EXPR => self.range(node),
            Kind::RECORD_EXPR => self.struct_literal(node),
            Kind::CLOSURE_EXPR => self.closure(node),
            Kind::IF_EXPR => {
                let (condition, then) = (self.part(node, 0), self.part(node, 1));
                let otherwise = tree.exprs(node).nth(2).map(|it| self.expr(it));
                Expr::If(condition, then, otherwise)
            }
            Kind::LET_EXPR => {
                let value = self.part(node, 0);
                Expr::Let(self.pat_in(node), value)
            }
            Kind::MATCH_EXPR => self.match_on(node),
            Kind::LOOP_EXPR => Expr::Loop(self.part(node, 0)),
            Kind::WHILE_EXPR => {
                let condition = self.part(node, 0);
                Expr::While(condition, self.part(node, 1))
            }
            Kind::FOR_EXPR => {
                let iter = self.part(node, 0);
                let pat = self.pat_in(node);
                Expr::For(pat, iter, self.part(node, 1))
            }
            Kind::RETURN_EXPR => Expr::Return(tree.exprs(node).next().map(|it| self.expr(it))),
            Kind::BREAK_EXPR => Expr::Break(tree.exprs(node).next().map(|it| self.expr(it))),
            Kind::MACRO_EXPR => match tree.child(node, Kind::MACRO_CALL) {
                Some(call) => self.macro_call(call),
                None => Expr::Other(Vec::new()),
            },
            Kind::LITERAL => match self.literal(node) {
                Some(literal) => Expr::Literal(literal),
                None => Expr::Other(Vec::new()),
            },
            _ => Expr::Other(self.values(node)),
        })
    }

    fn block_expr(&mut self, node: u32) -> Expr {
        let tree = self.tree;
        let Some(list) = tree.child(node, Kind::STMT_LIST) else { return Expr::Other(Vec::new()) };
        let kind = match tree.has(node, Kind::ASYNC_KW) {
            true => BlockKind::Async,
            false => BlockKind::Plain,
        };
        let block = self.block(list, kind);
        // The value of `try { … }` has another type than the block's tail.
        if tree.has(node, Kind::TRY_BLOCK_MODIFIER) || tree.has(node, Kind::GEN_KW) {
            return Expr::Other(vec![self.push_expr(block)]);
        }
        block
    }

    fn unary(&mut self, node: u32) -> Expr {
        let tree = self.tree;
        let sign = tree.children(node).find(|it| tree.kind(*it).is_punct());
        let Some((of, sign)) = tree.exprs(node).next().zip(sign) else {
            return Expr::Other(Vec::new());
        };
        let operand = self.expr(of);
        let offset = tree.node(sign).start;
        match tree.kind(sign) {
            Kind::STAR => Expr::Deref(operand),
            Kind::MINUS => Expr::Unary(UnaryOp::Neg, offset, operand),
            Kind::BANG => Expr::Unary(UnaryOp::Not, offset, operand),
            _ => Expr::Other(vec![operand]),
        }
    }

    fn range(&mut self, node: u32) -> Expr {
        let tree = self.tree;
        let dots = tree.children(node).find(|it| tree.kind(*it).is_punct()).unwrap_or(node);
        let (mut from, mut to) = (None, None);
        for part in tree.exprs(node) {
            let side = if part < dots { &mut from } else { &mut to };
            *side = Some(self.expr(part));
        }
        Expr::Range(from, to)
    }

    fn struct_literal(&mut self, node: u32) -> Expr {
        let tree = self.tree;
        let Some(path) = tree.child(node, Kind::PATH) else { return Expr::Other(Vec::new()) };
        let path = self.path(path);
        let (mut fields, mut base) = (Vec::new(), None);
        let Some(list) = tree.child(node, Kind::RECORD_EXPR_FIELD_LIST) else {
            return Expr::Struct { path, fields, base };
        };
        for part in tree.children(list) {
            if self.is_expr(part) {
                base = Some(self.expr(part));
            }
            if tree.kind(part) != Kind::RECORD_EXPR_FIELD {
                continue;
            }
            let value = tree.exprs(part).next();
            // `S { x }` is `S { x: x }`.
            let name = tree.child(part, Kind::NAME_REF).or(value);
            let Some(name) = name else { continue };
            let value = self.expr_or_other(value);
            fields.push((self.name(name), value));
        }
        Expr::Struct { path, fields, base }
    }

    fn closure(&mut self, node: u32) -> Expr {
        let tree = self.tree;
        let mut params = Vec::new();
        if let Some(list) = tree.child(node, Kind::PARAM_LIST) {
            for part in tree.children(list).filter(|it| tree.kind(*it) == Kind::PARAM) {
                let of = self.type_in(part);
                params.push((self.pat_in(part), of));
            }
        }
        let ret = self.return_type(node);
        let body = self.part(node, 0);
        let is_async = tree.has(node, Kind::ASYNC_KW);
        Expr::Closure { params, ret, body, is_async }
    }

    fn match_on(&mut self, node: u32) -> Expr {
        let tree = self.tree;
        let on = self.part(node, 0);
        let mut arms = Vec::new();
        if let Some(list) = tree.child(node, Kind::MATCH_ARM_LIST) {
            for part in tree.children(list).filter(|it| tree.kind(*it) == Kind::MATCH_ARM) {
                let pat = self.pat_in(part);
                let guard = tree.child(part, Kind::MATCH_GUARD);
                let guard = guard.and_then(|it| tree.exprs(it).next()).map(|it| self.expr(it));
                arms.push(Arm { pat, guard, value: self.part(part, 0) });
            }
        }
        Expr::Match(on, arms)
    }
}

/// An operator between two operands.
enum Operator {
    Other(BinaryOp),
    /// `true` where it assigns.
    Arithmetic(Arithmetic, bool),
}

fn operator(kind: Kind) -> Option<Operator> {
    let arithmetic = |of, assigns| Operator::Arithmetic(of, assigns);
    Some(match kind {
        Kind::AMP2 | Kind::PIPE2 => Operator::Other(BinaryOp::Lazy),
        Kind::EQ2 | Kind::NEQ => Operator::Other(BinaryOp::Eq),
        Kind::L_ANGLE | Kind::LTEQ | Kind::R_ANGLE | Kind::GTEQ => Operator::Other(BinaryOp::Ord),
        Kind::PLUS => arithmetic(Arithmetic::Add, false),
        Kind::PLUSEQ => arithmetic(Arithmetic::Add, true),
        Kind::MINUS => arithmetic(Arithmetic::Sub, false),
        Kind::MINUSEQ => arithmetic(Arithmetic::Sub, true),
        Kind::STAR => arithmetic(Arithmetic::Mul, false),
        Kind::STAREQ => arithmetic(Arithmetic::Mul, true),
        Kind::SLASH => arithmetic(Arithmetic::Div, false),
        Kind::SLASHEQ => arithmetic(Arithmetic::Div, true),
        Kind::PERCENT => arithmetic(Arithmetic::Rem, false),
        Kind::PERCENTEQ => arithmetic(Arithmetic::Rem, true),
        Kind::AMP => arithmetic(Arithmetic::BitAnd, false),
        Kind::AMPEQ => arithmetic(Arithmetic::BitAnd, true),
        Kind::PIPE => arithmetic(Arithmetic::BitOr, false),
        Kind::PIPEEQ => arithmetic(Arithmetic::BitOr, true),
        Kind::CARET => arithmetic(Arithmetic::BitXor, false),
        Kind::CARETEQ => arithmetic(Arithmetic::BitXor, true),
        Kind::SHL => arithmetic(Arithmetic::Shl, false),
        Kind::SHLEQ => arithmetic(Arithmetic::Shl, true),
        Kind::SHR => arithmetic(Arithmetic::Shr, false),
        Kind::SHREQ => arithmetic(Arithmetic::Shr, true),
        _ => return None,
    })
}
