//! Calls, struct literals, patterns and arms with their arguments.

use base::ByteSpan;

use super::{Argument, Use, UseKind, all_nodes, name_of};
use crate::tree::{Kind, Tree, is_expr, is_pat};

/// All uses of the tree.
pub(super) fn uses(text: &str, tree: &Tree) -> Vec<Use> {
    let reader = Reader { text, tree };
    all_nodes(tree).filter_map(|node| reader.read(node)).collect()
}

struct Reader<'a> {
    text: &'a str,
    tree: &'a Tree,
}

impl Reader<'_> {
    fn read(&self, node: u32) -> Option<Use> {
        let tree = self.tree;
        Some(match tree.kind(node) {
            Kind::CALL_EXPR => {
                let callee = tree.exprs(node).next()?;
                let path = tree.child(callee, Kind::PATH)?;
                let list = tree.child(node, Kind::ARG_LIST)?;
                self.named(UseKind::Call, node, path, list)?
            }
            Kind::METHOD_CALL_EXPR => {
                let name = tree.child(node, Kind::NAME_REF)?;
                let list = tree.child(node, Kind::ARG_LIST)?;
                let found = self.unnamed(UseKind::MethodCall, node, list);
                let name_span = tree.node(name).span();
                Use { name: name_of(self.text, tree, name), name_span, ..found }
            }
            Kind::RECORD_EXPR => {
                let list = tree.child(node, Kind::RECORD_EXPR_FIELD_LIST)?;
                self.named(UseKind::Literal, node, tree.child(node, Kind::PATH)?, list)?
            }
            Kind::RECORD_PAT => {
                let list = tree.child(node, Kind::RECORD_PAT_FIELD_LIST)?;
                self.named(UseKind::RecordPattern, node, tree.child(node, Kind::PATH)?, list)?
            }
            Kind::TUPLE_STRUCT_PAT => {
                self.named(UseKind::TuplePattern, node, tree.child(node, Kind::PATH)?, node)?
            }
            Kind::TUPLE_PAT => self.unnamed(UseKind::Tuple, node, node),
            Kind::MATCH_ARM => self.unnamed(UseKind::Arm, node, node),
            _ => return None,
        })
    }

    fn named(&self, kind: UseKind, node: u32, path: u32, list: u32) -> Option<Use> {
        let tree = self.tree;
        let name = self.segment(path).filter(|it| !tree.node(*it).span().is_empty())?;
        let qualifier = tree.child(path, Kind::PATH).and_then(|it| self.segment(it));
        let mut found = self.unnamed(kind, node, list);
        if kind == UseKind::TuplePattern {
            found.list.start = tree.node(path).span().end;
        }
        Some(Use {
            name: name_of(self.text, tree, name),
            name_span: tree.node(name).span(),
            qualifier: qualifier.map_or_else(String::new, |it| name_of(self.text, tree, it)),
            ..found
        })
    }

    /// The name of the last segment of a path.
    fn segment(&self, path: u32) -> Option<u32> {
        self.tree.child(self.tree.child(path, Kind::PATH_SEGMENT)?, Kind::NAME_REF)
    }

    fn unnamed(&self, kind: UseKind, node: u32, list: u32) -> Use {
        let tree = self.tree;
        let span = tree.node(node).span();
        let start = ByteSpan::new(span.start, span.start);
        let has_rest =
            tree.children(list).any(|it| matches!(tree.kind(it), Kind::REST_PAT | Kind::DOT2));
        Use {
            kind,
            name: String::new(),
            qualifier: String::new(),
            name_span: start,
            span,
            list: tree.node(list).span(),
            args: tree.children(list).filter_map(|it| self.argument(kind, it)).collect(),
            has_rest,
        }
    }

    fn argument(&self, of: UseKind, node: u32) -> Option<Argument> {
        let tree = self.tree;
        let kind = tree.kind(node);
        let span = tree.node(node).span();
        match kind {
            Kind::RECORD_EXPR_FIELD | Kind::RECORD_PAT_FIELD => {
                let value = tree.children(node).filter(|it| {
                    let kind = tree.kind(*it);
                    is_expr(kind) || is_pat(kind)
                });
                let value = value.last();
                let name = tree.child(node, Kind::NAME_REF);
                let slice = match name.or(value) {
                    Some(it) => name_of(self.text, tree, it),
                    None => String::new(),
                };
                // The shorthand may be `ref mut name`.
                let name = slice.rsplit(' ').next().unwrap_or("").to_owned();
                let value = value.map_or(span, |it| tree.node(it).span());
                Some(Argument { span, name, value })
            }
            Kind::REST_PAT => None,
            // What follows `..` is no field.
            _ if of != UseKind::Literal && (is_expr(kind) || is_pat(kind)) => {
                Some(Argument { span, name: String::new(), value: span })
            }
            _ => None,
        }
    }
}
