//! Lowers patterns and the names that they bind.

use super::Lower;
use crate::facts::{Name, Pat, PatId};
use crate::tree::Kind;

impl Lower<'_> {
    pub(super) fn pat(&mut self, node: u32) -> PatId {
        let pat = self.deeper(|it| it.pat_of(node)).unwrap_or(Pat::Wild);
        self.push_pat(pat)
    }

    /// The first pattern among the children, `_` where there is none.
    pub(super) fn pat_in(&mut self, node: u32) -> PatId {
        match self.tree.pats(node).next() {
            Some(of) => self.pat(of),
            None => self.push_pat(Pat::Wild),
        }
    }

    fn pat_of(&mut self, node: u32) -> Pat {
        let tree = self.tree;
        match tree.kind(node) {
            Kind::IDENT_PAT => self.bind(node),
            Kind::PATH_PAT => match tree.child(node, Kind::PATH) {
                Some(path) => Pat::Path(self.path(path)),
                None => Pat::Wild,
            },
            Kind::TUPLE_PAT => {
                let (pats, rest) = self.pats_of(node);
                Pat::Tuple { pats, rest }
            }
            Kind::TUPLE_STRUCT_PAT => {
                let Some(path) = tree.child(node, Kind::PATH) else { return Pat::Wild };
                let path = self.path(path);
                let (pats, rest) = self.pats_of(node);
                Pat::TupleStruct { path, pats, rest }
            }
            Kind::RECORD_PAT => self.record_pat(node),
            Kind::PAREN_PAT => {
                let of = tree.pats(node).next();
                of.and_then(|of| self.deeper(|it| it.pat_of(of))).unwrap_or(Pat::Wild)
            }
            Kind::SLICE_PAT => Pat::Slice(tree.pats(node).map(|it| self.pat(it)).collect()),
            Kind::REF_PAT => match tree.pats(node).next() {
                Some(of) => Pat::Ref(self.pat(of)),
                None => Pat::Wild,
            },
            Kind::OR_PAT => Pat::Or(tree.pats(node).map(|it| self.pat(it)).collect()),
            Kind::REST_PAT => Pat::Rest,
            Kind::RANGE_PAT => {
                let ends: Vec<u32> = tree.pats(node).collect();
                let ends: Vec<PatId> = ends.into_iter().map(|it| self.pat(it)).collect();
                match ends.as_slice() {
                    [one] => self.pats.get(one.idx()).cloned().unwrap_or(Pat::Wild),
                    // Both are of the type of the value, as alternatives are.
                    _ => Pat::Or(ends),
                }
            }
            Kind::LITERAL_PAT => self.literal_pat(node).unwrap_or(Pat::Wild),
            _ => Pat::Wild,
        }
    }

    fn literal_pat(&mut self, node: u32) -> Option<Pat> {
        let of = self.tree.child(node, Kind::LITERAL)?;
        self.literal(of).map(Pat::Literal)
    }

    fn bind(&mut self, node: u32) -> Pat {
        let tree = self.tree;
        let Some(name) = tree.child(node, Kind::NAME) else { return Pat::Wild };
        let sub = tree.pats(node).next().map(|it| self.pat(it));
        let (by_ref, offset) = (tree.has(node, Kind::REF_KW), tree.node(name).start);
        Pat::Bind { name: self.name(name), offset, by_ref, sub }
    }

    fn pats_of(&mut self, node: u32) -> (Vec<PatId>, Option<u32>) {
        let tree = self.tree;
        let mut pats = Vec::new();
        let mut rest = None;
        for part in tree.pats(node) {
            if tree.kind(part) == Kind::REST_PAT {
                rest.get_or_insert(pats.len() as u32);
            } else {
                pats.push(self.pat(part));
            }
        }
        (pats, rest)
    }

    fn record_pat(&mut self, node: u32) -> Pat {
        let tree = self.tree;
        let Some(path) = tree.child(node, Kind::PATH) else { return Pat::Wild };
        let path = self.path(path);
        let mut fields = Vec::new();
        if let Some(list) = tree.child(node, Kind::RECORD_PAT_FIELD_LIST) {
            for part in tree.children(list) {
                if tree.kind(part) == Kind::RECORD_PAT_FIELD {
                    fields.extend(self.field_pat(part));
                }
            }
        }
        Pat::Struct(path, fields)
    }

    /// `name: pattern`, or the shorthand `ref mut name`.
    fn field_pat(&mut self, node: u32) -> Option<(Name, PatId)> {
        let tree = self.tree;
        let pat = tree.pats(node).next()?;
        let name = tree.child(node, Kind::NAME_REF).or_else(|| tree.child(pat, Kind::NAME))?;
        Some((self.name(name), self.pat(pat)))
    }
}
