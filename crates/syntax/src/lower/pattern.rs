//! Patterns.

use super::Lower;
use crate::facts::{Literal, Name, Pat, PatId};
use crate::tree::{Field, Kind};

impl Lower<'_> {
    pub(super) fn pat(&mut self, node: u32) -> PatId {
        let pat = self.deeper(|it| it.pat_of(node)).unwrap_or(Pat::Wild);
        self.push_pat(pat)
    }

    /// The pattern with this role, `_` where there is none.
    pub(super) fn pat_field(&mut self, node: u32, field: Field) -> PatId {
        match self.tree.field(node, field) {
            Some(of) => self.pat(of),
            None => self.push_pat(Pat::Wild),
        }
    }

    fn pat_of(&mut self, node: u32) -> Pat {
        let tree = self.tree;
        match tree.node(node).kind {
            _ if tree.node(node).is_missing() => Pat::Wild,
            Kind::Identifier | Kind::ShorthandFieldIdentifier => {
                if self.slice(node) == "_" {
                    return Pat::Wild;
                }
                self.bind(node, false, None)
            }
            Kind::ScopedIdentifier
            | Kind::GenericPattern
            | Kind::SelfWord
            | Kind::CrateWord
            | Kind::SuperWord => Pat::Path(self.path(node)),
            Kind::TuplePattern => {
                let (pats, rest) = self.pats_of(node, None);
                Pat::Tuple { pats, rest }
            }
            Kind::TupleStructPattern => {
                let Some(of) = tree.field(node, Field::Type) else { return Pat::Wild };
                let path = self.path(of);
                let (pats, rest) = self.pats_of(node, Some(of));
                Pat::TupleStruct { path, pats, rest }
            }
            Kind::StructPattern => {
                let Some(of) = tree.field(node, Field::Type) else { return Pat::Wild };
                let path = self.path(of);
                let mut fields = Vec::new();
                for part in tree.parts(node) {
                    if tree.node(part).kind == Kind::FieldPattern {
                        fields.extend(self.field_pat(part));
                    }
                }
                Pat::Struct(path, fields)
            }
            Kind::RefPattern => match tree.parts(node).next() {
                Some(of) => match self.deeper(|it| it.pat_of(of)) {
                    Some(Pat::Bind { name, offset, sub, .. }) => {
                        Pat::Bind { name, offset, by_ref: true, sub }
                    }
                    Some(pat) => pat,
                    None => Pat::Wild,
                },
                None => Pat::Wild,
            },
            Kind::MutPattern => {
                let of = tree.parts(node).find(|&it| tree.node(it).kind != Kind::MutableSpecifier);
                of.and_then(|of| self.deeper(|it| it.pat_of(of))).unwrap_or(Pat::Wild)
            }
            Kind::SlicePattern => {
                let parts: Vec<u32> = self.pat_nodes(node).collect();
                Pat::Slice(parts.into_iter().map(|it| self.pat(it)).collect())
            }
            Kind::CapturedPattern => {
                let mut parts = self.pat_nodes(node);
                let (name, sub) = (parts.next(), parts.next());
                drop(parts);
                let sub = sub.map(|it| self.pat(it));
                name.map_or(Pat::Wild, |name| self.bind(name, false, sub))
            }
            Kind::ReferencePattern => {
                let of = self.pat_nodes(node).next();
                of.map_or(Pat::Wild, |of| Pat::Ref(self.pat(of)))
            }
            Kind::OrPattern => {
                let mut nodes = Vec::new();
                self.alternatives(node, &mut nodes);
                Pat::Or(nodes.into_iter().map(|it| self.pat(it)).collect())
            }
            Kind::RemainingFieldPattern => Pat::Rest,
            Kind::RangePattern => {
                let ends = [Field::Left, Field::Right];
                let ends = ends.into_iter().filter_map(|it| tree.field(node, it));
                let ends: Vec<u32> = ends.collect();
                ends.into_iter().find_map(|it| self.literal(it)).map_or(Pat::Wild, Pat::Literal)
            }
            _ => self.literal(node).map_or(Pat::Wild, |it: Literal| Pat::Literal(it)),
        }
    }

    fn bind(&mut self, node: u32, by_ref: bool, sub: Option<PatId>) -> Pat {
        let offset = self.tree.node(node).start;
        Pat::Bind { name: self.name(node), offset, by_ref, sub }
    }

    /// The patterns among the children, `_` included.
    fn pat_nodes(&self, node: u32) -> impl Iterator<Item = u32> + use<'_> {
        let tree = self.tree;
        tree.children(node).filter(move |&it| {
            let node = tree.node(it);
            let named = node.is_named()
                && !node.is_comment()
                && !matches!(node.kind, Kind::MutableSpecifier | Kind::AttributeItem);
            named || node.kind == Kind::Underscore
        })
    }

    fn pats_of(&mut self, node: u32, but: Option<u32>) -> (Vec<PatId>, Option<u32>) {
        let mut pats = Vec::new();
        let mut rest = None;
        let nodes: Vec<u32> = self.pat_nodes(node).filter(|&it| Some(it) != but).collect();
        for node in nodes {
            if self.tree.node(node).kind == Kind::RemainingFieldPattern {
                rest.get_or_insert(pats.len() as u32);
            } else {
                pats.push(self.pat(node));
            }
        }
        (pats, rest)
    }

    fn field_pat(&mut self, node: u32) -> Option<(Name, PatId)> {
        let name_node = self.tree.field(node, Field::Name)?;
        let name = self.name(name_node);
        let pat = match self.tree.field(node, Field::Pattern) {
            Some(of) => self.pat(of),
            None => {
                let by_ref = self.tree.child(node, Kind::Ref).is_some();
                let pat = self.bind(name_node, by_ref, None);
                self.push_pat(pat)
            }
        };
        Some((name, pat))
    }

    /// The parts of `a | b | c`, however long.
    fn alternatives(&self, mut node: u32, nodes: &mut Vec<u32>) {
        while self.tree.node(node).kind == Kind::OrPattern {
            let parts: Vec<u32> = self.pat_nodes(node).collect();
            match *parts.as_slice() {
                [left, right] => {
                    nodes.push(right);
                    node = left;
                }
                [only] => node = only,
                _ => break,
            }
        }
        nodes.push(node);
        nodes.reverse();
    }
}
