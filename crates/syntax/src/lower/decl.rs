//! What an item declares.

use super::{Lower, is_in_macro};
use crate::NodeKind;
use crate::attribute::{cfg_predicate, path_value, word};
use crate::facts::{Decl, Expr, Fields, FnDecl, Pat, PatId, Receiver, Shape, TypeRef, Variant};
use crate::head::macro_call;
use crate::parse::ItemNode;
use crate::tree::{Field, Kind};

impl Lower<'_> {
    pub(super) fn decl(&mut self, item: u32, at: ItemNode) -> Decl {
        let tree = self.tree;
        let node = at.node;
        let mut decl = is_in_macro(at);
        let Some(of) = self.facts.file.items.get(item as usize) else { return decl };
        let (kind, is_recovered) = (of.kind, of.is_recovered);
        decl.cfg = cfg_predicate(&of.attributes).map(Into::into);
        if is_recovered {
            decl.name = Some(self.name(node));
            return decl;
        }
        let name = tree.field(node, Field::Name).filter(|&it| !tree.node(it).is_missing());
        decl.name = match kind {
            NodeKind::Import => None,
            _ => name.map(|it| self.name(it)),
        };
        (decl.generics, decl.wheres) = self.generics(node);
        decl.shape = match kind {
            NodeKind::Function | NodeKind::Method => {
                let (shape, body) = self.function(item, node);
                decl.body = body;
                shape
            }
            NodeKind::Struct | NodeKind::Union => Shape::Struct(self.fields(node)),
            NodeKind::Enum => Shape::Enum(self.variants(node)),
            NodeKind::Trait => Shape::Trait(self.bounds(tree.field(node, Field::Bounds))),
            NodeKind::Impl => self.impl_of(node),
            NodeKind::TypeAlias => Shape::Alias {
                of: self.type_field(node, Field::Type),
                bounds: self.bounds(tree.field(node, Field::Bounds)),
            },
            NodeKind::Const | NodeKind::Static => {
                let of = self.type_field(node, Field::Type);
                if let Some(value) = tree.field(node, Field::Value) {
                    decl.body = Some(self.body(item, |it| (Vec::new(), it.expr(value))));
                }
                Shape::Value(of)
            }
            NodeKind::Module => {
                let attributes = self.facts.file.items.get(item as usize);
                let attributes = attributes.map_or(&[][..], |it| it.attributes.as_slice());
                Shape::Module {
                    is_inline: tree.field(node, Field::Body).is_some(),
                    path: attributes.iter().find_map(|it| path_value(it)).map(Into::into),
                    macro_use: attributes.iter().any(|it| word(it) == "macro_use"),
                }
            }
            NodeKind::Macro if tree.node(node).kind == Kind::MacroDefinition => {
                let attributes = self.facts.file.items.get(item as usize);
                let attributes = attributes.map_or(&[][..], |it| it.attributes.as_slice());
                let is_exported = attributes.iter().any(|it| word(it) == "macro_export");
                Shape::MacroDef { is_exported }
            }
            NodeKind::Macro => {
                let call = macro_call(tree, node).unwrap_or(node);
                match tree.field(call, Field::Macro) {
                    Some(path) => Shape::MacroCall(self.path(path)),
                    None => Shape::None,
                }
            }
            NodeKind::Import => {
                self.import(item, node);
                Shape::Import
            }
        };
        decl
    }

    /// `#![cfg(…)]` speaks of what it stands in.
    pub(super) fn inner_attribute(&mut self, item: Option<usize>, node: u32) {
        let text = self.slice(node);
        match item {
            None => self.facts.inner_attributes.push(text.into()),
            Some(item) => {
                let inner = [text.to_owned()];
                let Some(inner) = cfg_predicate(&inner) else { return };
                if let Some(decl) = self.facts.decls.get_mut(item) {
                    decl.cfg = Some(match decl.cfg.take() {
                        Some(outer) => format!("all({outer}, {inner})").into(),
                        None => inner.into(),
                    });
                }
            }
        }
    }

    fn function(&mut self, item: u32, node: u32) -> (Shape, Option<crate::facts::BodyId>) {
        let tree = self.tree;
        let mut decl = FnDecl::default();
        let mut patterns: Vec<Option<u32>> = Vec::new();
        if let Some(params) = tree.field(node, Field::Parameters) {
            for part in tree.children(params) {
                let part_node = tree.node(part);
                match part_node.kind {
                    Kind::SelfParameter => decl.receiver = Some(self.receiver(part)),
                    Kind::Parameter => {
                        let pattern = tree.field(part, Field::Pattern);
                        let of = self.type_field(part, Field::Type);
                        let of = of.unwrap_or_else(|| self.push_type(TypeRef::Unknown));
                        let is_self =
                            pattern.is_some_and(|it| tree.node(it).kind == Kind::SelfWord);
                        if is_self && decl.receiver.is_none() && decl.params.is_empty() {
                            decl.receiver = Some(Receiver::Typed(of));
                        } else {
                            decl.params.push(of);
                            patterns.push(pattern);
                        }
                    }
                    Kind::Underscore => {
                        decl.params.push(self.push_type(TypeRef::Unknown));
                        patterns.push(None);
                    }
                    Kind::VariadicParameter
                    | Kind::AttributeItem
                    | Kind::LineComment
                    | Kind::BlockComment
                    | Kind::Error => {}
                    _ if !part_node.is_named() => {}
                    // A type alone, as the 2015 edition allows.
                    _ => {
                        decl.params.push(self.type_ref(part));
                        patterns.push(None);
                    }
                }
            }
        }
        decl.ret = self.type_field(node, Field::ReturnType);
        let modifiers = tree.child(node, Kind::FunctionModifiers);
        decl.is_async = modifiers.is_some_and(|it| tree.child(it, Kind::Async).is_some());
        let body = tree.field(node, Field::Body).map(|body| {
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

    fn receiver(&self, node: u32) -> Receiver {
        if self.tree.child(node, Kind::And).is_none() {
            Receiver::Value
        } else if self.tree.child(node, Kind::MutableSpecifier).is_some() {
            Receiver::RefMut
        } else {
            Receiver::Ref
        }
    }

    fn fields(&mut self, node: u32) -> Fields {
        let tree = self.tree;
        let Some(body) = tree.field(node, Field::Body) else { return Fields::Unit };
        match tree.node(body).kind {
            Kind::FieldDeclarationList => {
                let mut fields = Vec::new();
                for part in tree.parts(body) {
                    if tree.node(part).kind != Kind::FieldDeclaration {
                        continue;
                    }
                    let Some(name) = tree.field(part, Field::Name) else { continue };
                    let name = self.name(name);
                    let of = self.type_field(part, Field::Type);
                    let of = of.unwrap_or_else(|| self.push_type(TypeRef::Unknown));
                    fields.push((name, of));
                }
                Fields::Named(fields)
            }
            Kind::OrderedFieldDeclarationList => {
                let types = tree.children(body).filter(|&it| tree.node(it).field == Field::Type);
                Fields::Tuple(types.map(|it| self.type_ref(it)).collect())
            }
            _ => Fields::Unit,
        }
    }

    fn variants(&mut self, node: u32) -> Vec<Variant> {
        let tree = self.tree;
        let mut variants = Vec::new();
        let Some(body) = tree.field(node, Field::Body) else { return variants };
        for part in tree.parts(body) {
            if tree.node(part).kind != Kind::EnumVariant {
                continue;
            }
            let Some(name) = tree.field(part, Field::Name) else { continue };
            let offset = tree.node(name).start;
            let name = self.name(name);
            variants.push(Variant { name, offset, fields: self.fields(part) });
        }
        variants
    }

    fn impl_of(&mut self, node: u32) -> Shape {
        let tree = self.tree;
        let Some(self_type) = self.type_field(node, Field::Type) else { return Shape::None };
        Shape::Impl {
            self_type,
            of_trait: tree.field(node, Field::Trait).map(|it| self.path(it)),
            is_negative: tree.child(node, Kind::Bang).is_some(),
        }
    }

    /// Nothing that could be read.
    pub(super) fn nothing(&mut self) -> crate::facts::ExprId {
        self.push_expr(Expr::Other(Vec::new()))
    }
}
