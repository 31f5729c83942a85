//! Lowers the declaration of an item: signature, fields, variants, types of an impl.

use super::{Lower, is_in_macro};
use crate::NodeKind;
use crate::attribute::{cfg_predicate, path_value, word};
use crate::cfg_if;
use crate::facts::{Decl, Expr, Fields, FnDecl, Pat, PatId, Receiver, Shape, TypeRef, Variant};
use crate::head::ImplTypes;
use crate::parse::ItemNode;
use crate::tree::Kind;

/// Two predicates as one.
fn joined(outer: Option<String>, inner: Option<String>) -> Option<Box<str>> {
    match (outer, inner) {
        (Some(outer), Some(inner)) => Some(format!("all({outer}, {inner})").into()),
        (outer, inner) => outer.or(inner).map(Into::into),
    }
}

impl Lower<'_> {
    pub(super) fn decl(&mut self, item: u32, at: ItemNode) -> Decl {
        let tree = self.tree;
        let node = at.node;
        let mut decl = is_in_macro(at);
        let Some(of) = self.facts.file.items.get(item as usize) else { return decl };
        let (kind, own) = (of.kind, cfg_predicate(&of.attributes));
        // Documentation is before the first token of a branch.
        let place = (of.parent, of.code_span.start as u32);
        decl.cfg = joined(if at.in_macro { self.branch(place) } else { None }, own);
        let name = tree.child(node, Kind::NAME).or_else(|| tree.child(node, Kind::UNDERSCORE));
        let name = name.filter(|it| !tree.node(*it).has_error());
        decl.name = name.map(|it| self.name(it));
        (decl.generics, decl.wheres) = self.generics(node);
        decl.shape = match kind {
            NodeKind::Function | NodeKind::Method => {
                let (shape, body) = self.function(item, node);
                decl.body = body;
                shape
            }
            NodeKind::Struct | NodeKind::Union => Shape::Struct(self.fields(node)),
            NodeKind::Enum => Shape::Enum(self.variants(node)),
            NodeKind::Trait => Shape::Trait(self.bounds(node)),
            NodeKind::Impl => self.impl_of(node),
            NodeKind::TypeAlias => {
                Shape::Alias { of: self.type_in(node), bounds: self.bounds(node) }
            }
            NodeKind::Const | NodeKind::Static => {
                let of = self.type_in(node);
                if let Some(value) = tree.exprs(node).next() {
                    decl.body = Some(self.body(item, |it| (Vec::new(), it.expr(value))));
                }
                Shape::Value(of)
            }
            NodeKind::Module => {
                let attributes = self.facts.file.items.get(item as usize);
                let attributes = attributes.map_or(&[][..], |it| it.attributes.as_slice());
                Shape::Module {
                    is_inline: tree.has(node, Kind::ITEM_LIST),
                    path: attributes.iter().find_map(|it| path_value(it)).map(Into::into),
                    macro_use: attributes.iter().any(|it| word(it) == "macro_use"),
                }
            }
            NodeKind::Macro if tree.kind(node) != Kind::MACRO_CALL => {
                let attributes = self.facts.file.items.get(item as usize);
                let attributes = attributes.map_or(&[][..], |it| it.attributes.as_slice());
                let is_exported = attributes.iter().any(|it| word(it) == "macro_export");
                self.intern_tokens(node);
                Shape::MacroDef { is_exported }
            }
            NodeKind::Macro => match tree.child(node, Kind::PATH) {
                Some(path) => Shape::MacroCall(self.path(path)),
                None => Shape::None,
            },
            NodeKind::Import => {
                self.import(item, node);
                Shape::Import
            }
        };
        decl
    }

    /// The condition of the branch of `cfg_if!` at a position in a call.
    fn branch(&mut self, (call, at): (Option<usize>, u32)) -> Option<String> {
        let call = call?;
        let (items, text) = (&self.facts.file.items, self.text);
        // Each call is read once, whatever number of items it has.
        let branches = self.branches.entry(call).or_insert_with(|| {
            let of = items.get(call).filter(|it| it.kind == NodeKind::Macro);
            let body = of.and_then(|it| it.body);
            let tokens = body.and_then(|body| Some((text.get(body.start..body.end)?, body.start)));
            tokens.map(|(text, start)| cfg_if::conditions(text, start as u32)).unwrap_or_default()
        });
        branches.iter().find(|it| it.0.contains(&at)).map(|it| it.1.clone())
    }

    /// `#![cfg(…)]` applies to the item around it.
    pub(super) fn inner_attribute(&mut self, item: Option<usize>, node: u32) {
        let text = self.slice(node);
        match item {
            None => self.facts.inner_attributes.push(text.into()),
            Some(item) => {
                let inner = [text.to_owned()];
                let Some(inner) = cfg_predicate(&inner) else { return };
                if let Some(decl) = self.facts.decls.get_mut(item) {
                    decl.cfg = joined(decl.cfg.take().map(Into::into), Some(inner));
                }
            }
        }
    }

    fn function(&mut self, item: u32, node: u32) -> (Shape, Option<crate::facts::BodyId>) {
        let tree = self.tree;
        let mut decl = FnDecl::default();
        let mut patterns: Vec<Option<u32>> = Vec::new();
        if let Some(params) = tree.child(node, Kind::PARAM_LIST) {
            for part in tree.children(params) {
                match tree.kind(part) {
                    Kind::SELF_PARAM => decl.receiver = Some(self.receiver(part)),
                    Kind::PARAM if tree.has(part, Kind::DOT3) => {}
                    Kind::PARAM => {
                        let of = self.type_in(part);
                        decl.params.push(of.unwrap_or_else(|| self.push_type(TypeRef::Unknown)));
                        patterns.push(tree.pats(part).next());
                    }
                    _ => {}
                }
            }
        }
        decl.ret = self.return_type(node);
        decl.is_async = tree.has(node, Kind::ASYNC_KW);
        let body = tree.child(node, Kind::BLOCK_EXPR).map(|body| {
            self.body(item, |it| {
                let mut params: Vec<PatId> = Vec::with_capacity(patterns.len());
                for pattern in patterns {
                    params.push(match pattern {
                        Some(pattern) => it.pat(pattern),
                        None => it.push_pat(Pat::Wild),
                    });
                }
                (params, it.expr(body))
            })
        });
        (Shape::Fn(decl), body)
    }

    fn receiver(&mut self, node: u32) -> Receiver {
        if let Some(of) = self.type_in(node) {
            Receiver::Typed(of)
        } else if !self.tree.has(node, Kind::AMP) {
            Receiver::Value
        } else if self.tree.has(node, Kind::MUT_KW) {
            Receiver::RefMut
        } else {
            Receiver::Ref
        }
    }

    fn fields(&mut self, node: u32) -> Fields {
        let tree = self.tree;
        if let Some(body) = tree.child(node, Kind::RECORD_FIELD_LIST) {
            let mut fields = Vec::new();
            for part in tree.children(body).filter(|it| tree.kind(*it) == Kind::RECORD_FIELD) {
                let Some(name) = tree.child(part, Kind::NAME) else { continue };
                let name = self.name(name);
                let of = self.type_in(part);
                fields.push((name, of.unwrap_or_else(|| self.push_type(TypeRef::Unknown))));
            }
            return Fields::Named(fields);
        }
        let Some(body) = tree.child(node, Kind::TUPLE_FIELD_LIST) else { return Fields::Unit };
        let parts = tree.children(body).filter(|&it| tree.kind(it) == Kind::TUPLE_FIELD);
        Fields::Tuple(parts.filter_map(|it| self.type_in(it)).collect())
    }

    fn variants(&mut self, node: u32) -> Vec<Variant> {
        let tree = self.tree;
        let mut variants = Vec::new();
        let Some(body) = tree.child(node, Kind::VARIANT_LIST) else { return variants };
        for part in tree.children(body).filter(|it| tree.kind(*it) == Kind::VARIANT) {
            let Some(name) = tree.child(part, Kind::NAME) else { continue };
            let offset = tree.node(name).start;
            let name = self.name(name);
            variants.push(Variant { name, offset, fields: self.fields(part) });
        }
        variants
    }

    fn impl_of(&mut self, node: u32) -> Shape {
        let tree = self.tree;
        let types = ImplTypes::of(tree, node);
        let Some(self_type) = types.self_type else { return Shape::None };
        let of_trait = types.of_trait.and_then(|it| tree.child(it, Kind::PATH));
        Shape::Impl {
            self_type: self.type_ref(self_type),
            of_trait: of_trait.map(|it| self.path(it)),
            is_negative: tree.has(node, Kind::BANG),
        }
    }

    /// Nothing that could be read.
    pub(super) fn nothing(&mut self) -> crate::facts::ExprId {
        self.push_expr(Expr::Other(Vec::new()))
    }
}
