//! Expressions.

use super::Lower;
use crate::facts::{Arithmetic, Arm, BinaryOp, BlockKind, Expr, ExprId, Segment, TypeId, UnaryOp};
use crate::tree::{Field, Kind};

impl Lower<'_> {
    pub(super) fn expr_field(&mut self, node: u32, field: Field) -> Option<ExprId> {
        let of = self.tree.field(node, field)?;
        Some(self.expr(of))
    }

    /// The expression with this role, `Other` where there is none.
    fn expr_or_other(&mut self, node: u32, field: Field) -> ExprId {
        self.expr_field(node, field).unwrap_or_else(|| self.nothing())
    }

    /// The expression that a node is. Chains (`a.b().c?.await + d`) grow to the left without end,
    /// so they are taken from the inside out in a loop.
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

    /// The expression on which one that grows to the left goes on.
    fn left(&self, node: u32) -> Option<u32> {
        let tree = self.tree;
        match tree.node(node).kind {
            Kind::CallExpression => {
                let function = tree.field(node, Field::Function)?;
                let of = match tree.node(function).kind {
                    Kind::GenericFunction => tree.field(function, Field::Function)?,
                    _ => function,
                };
                match tree.node(of).kind {
                    Kind::FieldExpression => tree.field(of, Field::Value),
                    _ => Some(function),
                }
            }
            Kind::FieldExpression | Kind::TypeCastExpression => tree.field(node, Field::Value),
            Kind::BinaryExpression => tree.field(node, Field::Left),
            Kind::IndexExpression | Kind::AwaitExpression | Kind::TryExpression => {
                tree.parts(node).next()
            }
            _ => None,
        }
    }

    /// What `node` makes of its left part.
    fn grow(&mut self, node: u32, left: ExprId) -> Expr {
        let tree = self.tree;
        match tree.node(node).kind {
            Kind::CallExpression => {
                let args = self.args(tree.field(node, Field::Arguments));
                let function = tree.field(node, Field::Function).unwrap_or(node);
                let (of, generic) = match tree.node(function).kind {
                    Kind::GenericFunction => {
                        let of = tree.field(function, Field::Function).unwrap_or(function);
                        (of, tree.field(function, Field::TypeArguments))
                    }
                    _ => (function, None),
                };
                let name = match tree.node(of).kind {
                    Kind::FieldExpression => tree.field(of, Field::Member),
                    _ => return Expr::Call(left, args),
                };
                let Some(name_node) = name else { return Expr::Other(vec![left]) };
                let generics = generic.map(|it| self.turbofish(it)).unwrap_or_default();
                let (name, offset) = (self.name(name_node), tree.node(name_node).start);
                Expr::MethodCall { receiver: left, name, offset, generics, args }
            }
            Kind::FieldExpression => match tree.field(node, Field::Member) {
                Some(name) => Expr::Field(left, self.name(name), tree.node(name).start),
                None => Expr::Other(vec![left]),
            },
            Kind::TypeCastExpression => match self.type_field(node, Field::Type) {
                Some(of) => Expr::Cast(left, of),
                None => Expr::Other(vec![left]),
            },
            Kind::BinaryExpression => {
                let right = self.expr_or_other(node, Field::Right);
                self.binary(node, left, right, false)
            }
            Kind::IndexExpression => {
                let index = tree.parts(node).nth(1);
                match index {
                    Some(index) => Expr::Index(left, self.expr(index)),
                    None => Expr::Other(vec![left]),
                }
            }
            Kind::AwaitExpression => Expr::Await(left),
            Kind::TryExpression => Expr::Try(left),
            _ => Expr::Other(vec![left]),
        }
    }

    fn turbofish(&mut self, node: u32) -> Vec<TypeId> {
        let name = self.intern("");
        let mut segment = Segment { name, offset: 0, args: Vec::new(), bindings: Vec::new() };
        self.type_arguments(node, &mut segment);
        segment.args
    }

    fn args(&mut self, node: Option<u32>) -> Vec<ExprId> {
        node.map(|it| self.exprs_below(it)).unwrap_or_default()
    }

    /// All expressions among the children.
    pub(super) fn exprs_below(&mut self, node: u32) -> Vec<ExprId> {
        let tree = self.tree;
        tree.parts(node).map(|it| self.expr(it)).collect()
    }

    fn binary(&mut self, node: u32, left: ExprId, right: ExprId, assigns: bool) -> Expr {
        let tree = self.tree;
        let Some(sign) = tree.field(node, Field::Operator) else {
            return Expr::Other(vec![left, right]);
        };
        let word = self.slice(sign);
        let op = match word {
            "&&" | "||" => BinaryOp::Lazy,
            "==" | "!=" => BinaryOp::Eq,
            "<" | "<=" | ">" | ">=" => BinaryOp::Ord,
            _ => {
                let arithmetic = match word.strip_suffix('=').unwrap_or(word) {
                    "+" => Arithmetic::Add,
                    "-" => Arithmetic::Sub,
                    "*" => Arithmetic::Mul,
                    "/" => Arithmetic::Div,
                    "%" => Arithmetic::Rem,
                    "&" => Arithmetic::BitAnd,
                    "|" => Arithmetic::BitOr,
                    "^" => Arithmetic::BitXor,
                    "<<" => Arithmetic::Shl,
                    ">>" => Arithmetic::Shr,
                    _ => return Expr::Other(vec![left, right]),
                };
                BinaryOp::Arithmetic(arithmetic, assigns)
            }
        };
        Expr::Binary(op, tree.node(sign).start, left, right)
    }

    /// An expression that does not grow to the left: one that is there already (in parentheses),
    /// or a new one.
    fn leaf_expr(&mut self, node: u32) -> Result<ExprId, Expr> {
        let tree = self.tree;
        Err(match tree.node(node).kind {
            _ if tree.node(node).is_missing() => Expr::Other(Vec::new()),
            Kind::ParenthesizedExpression => match tree.parts(node).next() {
                Some(of) => return Ok(self.expr(of)),
                None => Expr::Other(Vec::new()),
            },
            Kind::ExpressionStatement => match tree.parts(node).next() {
                Some(of) => return Ok(self.expr(of)),
                None => Expr::Other(Vec::new()),
            },
            Kind::Identifier
            | Kind::SelfWord
            | Kind::SuperWord
            | Kind::CrateWord
            | Kind::Metavariable
            | Kind::ScopedIdentifier
            | Kind::GenericFunction => Expr::Path(self.path(node)),
            Kind::Block => self.block(node, BlockKind::Plain),
            Kind::UnsafeBlock | Kind::ConstBlock => match tree.child(node, Kind::Block) {
                Some(block) => self.block(block, BlockKind::Plain),
                None => Expr::Other(Vec::new()),
            },
            Kind::AsyncBlock => match tree.child(node, Kind::Block) {
                Some(block) => self.block(block, BlockKind::Async),
                None => Expr::Other(Vec::new()),
            },
            Kind::ReferenceExpression => match self.expr_field(node, Field::Value) {
                Some(of) => Expr::Ref(of),
                None => Expr::Other(Vec::new()),
            },
            Kind::UnaryExpression => self.unary(node),
            Kind::AssignmentExpression => {
                let left = self.expr_or_other(node, Field::Left);
                let right = self.expr_or_other(node, Field::Right);
                Expr::Assign(left, right)
            }
            Kind::CompoundAssignmentExpr => {
                let left = self.expr_or_other(node, Field::Left);
                let right = self.expr_or_other(node, Field::Right);
                self.binary(node, left, right, true)
            }
            Kind::TupleExpression => Expr::Tuple(self.exprs_below(node)),
            Kind::UnitExpression => Expr::Tuple(Vec::new()),
            Kind::ArrayExpression => {
                let nodes = tree.parts(node).filter(|&it| tree.node(it).field != Field::Length);
                let nodes: Vec<u32> = nodes.collect();
                Expr::Array(nodes.into_iter().map(|it| self.expr(it)).collect())
            }
            Kind::RangeExpression => self.range(node),
            Kind::StructExpression => self.struct_literal(node),
            Kind::ClosureExpression => self.closure(node),
            Kind::IfExpression => {
                let condition = self.expr_or_other(node, Field::Condition);
                let then = self.expr_or_other(node, Field::Consequence);
                let otherwise = tree.field(node, Field::Alternative);
                let otherwise = match otherwise.map(|it| (tree.node(it).kind, it)) {
                    Some((Kind::ElseClause, clause)) => tree.parts(clause).next(),
                    other => other.map(|(_, it)| it),
                };
                Expr::If(condition, then, otherwise.map(|it| self.expr(it)))
            }
            Kind::LetCondition => {
                let value = self.expr_or_other(node, Field::Value);
                Expr::Let(self.pat_field(node, Field::Pattern), value)
            }
            Kind::LetChain => self.chain(node),
            Kind::MatchExpression => self.match_on(node),
            Kind::LoopExpression => Expr::Loop(self.expr_or_other(node, Field::Body)),
            Kind::WhileExpression => {
                let condition = self.expr_or_other(node, Field::Condition);
                Expr::While(condition, self.expr_or_other(node, Field::Body))
            }
            Kind::ForExpression => {
                let iter = self.expr_or_other(node, Field::Value);
                let pat = self.pat_field(node, Field::Pattern);
                Expr::For(pat, iter, self.expr_or_other(node, Field::Body))
            }
            Kind::ReturnExpression => {
                let of = tree.parts(node).next();
                Expr::Return(of.map(|it| self.expr(it)))
            }
            Kind::BreakExpression => {
                let of = tree.parts(node).find(|&it| tree.node(it).kind != Kind::Label);
                Expr::Break(of.map(|it| self.expr(it)))
            }
            Kind::ContinueExpression => Expr::Other(Vec::new()),
            Kind::MacroInvocation => self.macro_call(node),
            kind => match self.literal(node) {
                Some(literal) => Expr::Literal(literal),
                None if is_no_expression(kind) => Expr::Other(Vec::new()),
                None => Expr::Other(self.exprs_below(node)),
            },
        })
    }

    fn unary(&mut self, node: u32) -> Expr {
        let tree = self.tree;
        let sign = tree.children(node).next();
        let Some((of, sign)) = tree.parts(node).next().zip(sign) else {
            return Expr::Other(Vec::new());
        };
        let operand = self.expr(of);
        let offset = tree.node(sign).start;
        match tree.node(sign).kind {
            Kind::Star => Expr::Deref(operand),
            Kind::Minus => Expr::Unary(UnaryOp::Neg, offset, operand),
            Kind::Bang => Expr::Unary(UnaryOp::Not, offset, operand),
            _ => Expr::Other(vec![operand]),
        }
    }

    fn range(&mut self, node: u32) -> Expr {
        let tree = self.tree;
        let dots = tree.child(node, Kind::Dots).map_or(0, |it| tree.node(it).start);
        let parts: Vec<u32> = tree.parts(node).collect();
        let (mut from, mut to) = (None, None);
        for part in parts {
            let side = if tree.node(part).start < dots { &mut from } else { &mut to };
            *side = Some(self.expr(part));
        }
        Expr::Range(from, to)
    }

    fn struct_literal(&mut self, node: u32) -> Expr {
        let tree = self.tree;
        let Some(name) = tree.field(node, Field::Name) else { return Expr::Other(Vec::new()) };
        let path = self.path(name);
        let mut fields = Vec::new();
        let mut base = None;
        if let Some(body) = tree.field(node, Field::Body) {
            for part in tree.parts(body) {
                match tree.node(part).kind {
                    Kind::ShorthandFieldInitializer => {
                        let Some(of) = tree.parts(part).next() else { continue };
                        let value = self.expr(of);
                        fields.push((self.name(of), value));
                    }
                    Kind::FieldInitializer => {
                        let Some(of) = tree.field(part, Field::Member) else { continue };
                        let value = self.expr_or_other(part, Field::Value);
                        fields.push((self.name(of), value));
                    }
                    Kind::BaseFieldInitializer => {
                        base = tree.parts(part).next().map(|it| self.expr(it));
                    }
                    _ => {}
                }
            }
        }
        Expr::Struct { path, fields, base }
    }

    fn closure(&mut self, node: u32) -> Expr {
        let tree = self.tree;
        let mut params = Vec::new();
        if let Some(list) = tree.field(node, Field::Parameters) {
            for part in tree.children(list) {
                let part_node = tree.node(part);
                if part_node.kind == Kind::Parameter {
                    let of = self.type_field(part, Field::Type);
                    params.push((self.pat_field(part, Field::Pattern), of));
                } else if part_node.kind == Kind::Underscore
                    || part_node.is_named() && !part_node.is_comment()
                {
                    params.push((self.pat(part), None));
                }
            }
        }
        let ret = self.type_field(node, Field::ReturnType);
        let body = self.expr_or_other(node, Field::Body);
        let is_async = tree.child(node, Kind::Async).is_some();
        Expr::Closure { params, ret, body, is_async }
    }

    /// `a && let p = b && c`.
    fn chain(&mut self, node: u32) -> Expr {
        let tree = self.tree;
        let mut chain: Option<ExprId> = None;
        let mut sign = 0;
        for child in tree.children(node) {
            let child_node = tree.node(child);
            if child_node.is_comment() {
                continue;
            }
            if !child_node.is_named() {
                sign = child_node.start;
                continue;
            }
            let right = self.expr(child);
            chain = Some(match chain {
                None => right,
                Some(left) => self.push_expr(Expr::Binary(BinaryOp::Lazy, sign, left, right)),
            });
        }
        match chain {
            // The last one was pushed as it stands.
            Some(last) if last.idx() + 1 == self.exprs.len() => {
                self.exprs.pop().unwrap_or(Expr::Other(Vec::new()))
            }
            Some(last) => Expr::Other(vec![last]),
            None => Expr::Other(Vec::new()),
        }
    }

    fn match_on(&mut self, node: u32) -> Expr {
        let tree = self.tree;
        let on = self.expr_or_other(node, Field::Value);
        let mut arms = Vec::new();
        if let Some(body) = tree.field(node, Field::Body) {
            for part in tree.parts(body) {
                if tree.node(part).kind != Kind::MatchArm {
                    continue;
                }
                let (mut pat, mut guard) = (None, None);
                if let Some(pattern) = tree.field(part, Field::Pattern) {
                    let first = tree.children(pattern).find(|&it| {
                        let node = tree.node(it);
                        node.is_named() && !node.is_comment() || node.kind == Kind::Underscore
                    });
                    pat = first.map(|it| self.pat(it));
                    guard = self.expr_field(pattern, Field::Condition);
                }
                let pat = pat.unwrap_or_else(|| self.push_pat(crate::facts::Pat::Wild));
                let value = self.expr_or_other(part, Field::Value);
                arms.push(Arm { pat, guard, value });
            }
        }
        Expr::Match(on, arms)
    }
}

/// What stands among the pieces of broken code and has no expressions in it.
fn is_no_expression(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::VisibilityModifier
            | Kind::FunctionModifiers
            | Kind::AttributeItem
            | Kind::InnerAttributeItem
            | Kind::TypeIdentifier
            | Kind::PrimitiveType
            | Kind::FieldIdentifier
            | Kind::ScopedTypeIdentifier
            | Kind::GenericType
            | Kind::ReferenceType
            | Kind::TupleType
            | Kind::TypeParameters
            | Kind::TypeArguments
            | Kind::Parameters
            | Kind::WhereClause
            | Kind::TraitBounds
            | Kind::Lifetime
            | Kind::Label
            | Kind::TokenTree
            | Kind::MutableSpecifier
            | Kind::UseDeclaration
            | Kind::FunctionItem
            | Kind::FunctionSignatureItem
            | Kind::StructItem
            | Kind::EnumItem
            | Kind::UnionItem
            | Kind::TraitItem
            | Kind::ImplItem
            | Kind::ModItem
            | Kind::ConstItem
            | Kind::StaticItem
            | Kind::TypeItem
            | Kind::AssociatedType
            | Kind::MacroDefinition
            | Kind::ExternCrateDeclaration
            | Kind::ForeignModItem
    )
}
