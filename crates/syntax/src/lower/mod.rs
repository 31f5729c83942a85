//! From the syntax tree to [`FileFacts`]: what each item declares, and its body as expressions.
//! Recursion is bounded: what is nested deeper than [`DEEPEST`] becomes `Other`, `Wild`, `Unknown`.

mod block;
mod decl;
mod expr;
mod import;
mod literal;
mod macros;
mod pattern;
mod types;

use std::collections::HashMap;
use std::ops::Range;

use crate::facts::{
    Body, BodyId, Decl, Expr, ExprId, FileFacts, Name, Pat, PatId, Path, PathId, TypeId, TypeRef,
};
use crate::macro_args::MacroArgs;
use crate::parse::{ItemNode, Items};
use crate::tree::{Kind, Tree};
use base::SortedMap;

/// How deep types, patterns and expressions are followed. Chains of calls, fields and operators
/// count once.
const DEEPEST: u32 = 256;

/// Reads the declarations and bodies of `items`.
pub(crate) fn lower(
    text: &str,
    tree: &Tree,
    args: &SortedMap<u32, MacroArgs>,
    items: Items,
) -> FileFacts {
    let mut by_node: Vec<(u32, u32)> =
        items.nodes.iter().zip(0..).map(|(it, idx)| (it.node, idx)).collect();
    by_node.sort_unstable();
    let mut lower = Lower {
        text,
        tree,
        args,
        by_node,
        facts: FileFacts { file: items.file, ..FileFacts::default() },
        names: HashMap::new(),
        exprs: Vec::new(),
        pats: Vec::new(),
        depth: 0,
        branches: SortedMap::new(),
    };
    for (item, node) in (0..).zip(&items.nodes) {
        let decl = lower.decl(item, *node);
        lower.facts.decls.push(decl);
    }
    for (item, node) in (0..).zip(&items.nodes) {
        lower.const_exprs(item, node.node);
    }
    for (item, node) in items.inner_attributes {
        lower.inner_attribute(item, node);
    }
    lower.facts
}

struct Lower<'a> {
    text: &'a str,
    tree: &'a Tree,
    args: &'a SortedMap<u32, MacroArgs>,
    /// Items by their node.
    by_node: Vec<(u32, u32)>,
    facts: FileFacts,
    names: HashMap<&'a str, Name>,
    /// Of the body being read.
    exprs: Vec<Expr>,
    pats: Vec<Pat>,
    depth: u32,
    /// The branches of calls of `cfg_if!`, by the items that the calls are.
    branches: SortedMap<usize, Vec<(Range<u32>, String)>>,
}

impl<'a> Lower<'a> {
    fn slice(&self, node: u32) -> &'a str {
        self.tree.slice(self.text, node)
    }

    /// The name that a node spells.
    fn name(&mut self, node: u32) -> Name {
        let word = self.slice(node);
        self.intern(word)
    }

    fn intern(&mut self, word: &'a str) -> Name {
        let word = word.strip_prefix("r#").unwrap_or(word);
        let names = &mut self.facts.names;
        *self.names.entry(word).or_insert_with(|| {
            names.push(word.into());
            Name(names.len() as u32 - 1)
        })
    }

    fn push_expr(&mut self, expr: Expr) -> ExprId {
        self.exprs.push(expr);
        ExprId(self.exprs.len() as u32 - 1)
    }

    fn push_pat(&mut self, pat: Pat) -> PatId {
        self.pats.push(pat);
        PatId(self.pats.len() as u32 - 1)
    }

    fn push_type(&mut self, of: TypeRef) -> TypeId {
        self.facts.types.push(of);
        TypeId(self.facts.types.len() as u32 - 1)
    }

    fn push_path(&mut self, path: Path) -> PathId {
        self.facts.paths.push(path);
        PathId(self.facts.paths.len() as u32 - 1)
    }

    /// The item that a node is.
    fn item_of(&self, node: u32) -> Option<u32> {
        let at = self.by_node.binary_search_by_key(&node, |&(node, _)| node).ok()?;
        self.by_node.get(at).map(|&(_, item)| item)
    }

    /// Reads a body.
    fn body(&mut self, item: u32, read: impl FnOnce(&mut Self) -> (Vec<PatId>, ExprId)) -> BodyId {
        let (params, root) = read(self);
        let exprs = self.exprs.as_slice().to_vec();
        let pats = self.pats.as_slice().to_vec();
        self.exprs.clear();
        self.pats.clear();
        self.facts.bodies.push(Body { item, params, root, exprs, pats });
        BodyId(self.facts.bodies.len() as u32 - 1)
    }

    /// Reads the constant expressions in the declaration of an item as one more body.
    fn const_exprs(&mut self, item: u32, node: u32) {
        let tree = self.tree;
        let (mut found, mut open) = (Vec::new(), vec![node]);
        while let Some(parent) = open.pop() {
            let has_value =
                matches!(tree.kind(parent), Kind::ARRAY_TYPE | Kind::CONST_ARG | Kind::VARIANT);
            for child in tree.children(parent) {
                let is_expr = crate::tree::is_expr(tree.kind(child));
                if is_expr && has_value && tree.kind(child) != Kind::LITERAL {
                    found.push(child);
                } else if !is_expr && self.item_of(child).is_none() {
                    open.push(child);
                }
            }
        }
        if !found.is_empty() {
            found.sort_unstable();
            self.body(item, |it| {
                let all = found.iter().map(|node| it.expr(*node)).collect();
                (Vec::new(), it.push_expr(Expr::Other(all)))
            });
        }
    }

    /// Runs `read` one level deeper; `None` where that is too deep.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        Some(read)
    }
}

/// The declaration of an item that may be in a macro call.
fn is_in_macro(node: ItemNode) -> Decl {
    Decl { in_macro_call: node.in_macro, ..Decl::default() }
}
