//! Lowers `use` trees to one import per leaf.

use super::Lower;
use crate::facts::{Name, Use, UseWhat};
use crate::tree::Kind;

/// The path so far.
#[derive(Clone, Default)]
struct Prefix {
    path: Vec<Name>,
    is_global: bool,
}

impl Lower<'_> {
    pub(super) fn import(&mut self, item: u32, node: u32) {
        let tree = self.tree;
        if tree.kind(node) == Kind::USE {
            if let Some(of) = tree.child(node, Kind::USE_TREE) {
                self.use_tree(item, of, Prefix::default());
            }
            return;
        }
        let Some(name_node) = tree.child(node, Kind::NAME_REF) else { return };
        let name = self.name(name_node);
        let alias = tree.child(node, Kind::RENAME).and_then(|it| tree.child(it, Kind::NAME));
        let alias = alias.map(|it| self.name(it));
        self.facts.uses.push(Use {
            item,
            path: vec![name],
            is_global: false,
            what: UseWhat::ExternCrate(alias.unwrap_or(name)),
            offset: tree.node(name_node).start,
        });
    }

    fn use_tree(&mut self, item: u32, node: u32, mut prefix: Prefix) {
        let tree = self.tree;
        let path = tree.child(node, Kind::PATH);
        let last = path.map(|it| self.use_path(it, &mut prefix));
        if path.is_none() && prefix.path.is_empty() {
            prefix.is_global |= tree.has(node, Kind::COLON2);
        }
        if let Some(list) = tree.child(node, Kind::USE_TREE_LIST) {
            self.deeper(|it| {
                for part in tree.children(list).filter(|it| tree.kind(*it) == Kind::USE_TREE) {
                    it.use_tree(item, part, prefix.clone());
                }
            });
        } else if let Some(star) = tree.child(node, Kind::STAR) {
            self.leaf(item, prefix, UseWhat::Glob, tree.node(star).start);
        } else if let (Some(path), Some(last)) = (path, last) {
            self.named_leaf(item, node, path, prefix, last);
        }
    }

    /// A path with or without `as name`.
    fn named_leaf(&mut self, item: u32, node: u32, path: u32, mut prefix: Prefix, last: u32) {
        let tree = self.tree;
        if let Some(rename) = tree.child(node, Kind::RENAME) {
            let what = match tree.child(rename, Kind::NAME) {
                Some(alias) => UseWhat::Name(self.name(alias)),
                None if tree.has(rename, Kind::UNDERSCORE) => UseWhat::Underscore,
                None => return,
            };
            return self.leaf(item, prefix, what, last);
        }
        // `a::{self}` imports `a`.
        if prefix.path.len() > 1 && self.slice(path) == "self" {
            prefix.path.pop();
        }
        if let Some(&name) = prefix.path.last() {
            self.leaf(item, prefix, UseWhat::Name(name), last);
        }
    }

    fn leaf(&mut self, item: u32, prefix: Prefix, what: UseWhat, offset: u32) {
        let Prefix { mut path, is_global } = prefix;
        // `a::{self as b}`.
        if path.len() > 1 && what != UseWhat::Glob {
            let own = self.intern("self");
            if path.last() == Some(&own) {
                path.pop();
            }
        }
        // In broken code no segment may be a name.
        if path.is_empty() && what != UseWhat::Glob {
            return;
        }
        self.facts.uses.push(Use { item, path, is_global, what, offset });
    }

    /// Adds the segments of a path; the offset of its last one.
    fn use_path(&mut self, path: u32, prefix: &mut Prefix) -> u32 {
        let tree = self.tree;
        let segments = self.segments(path);
        for segment in &segments {
            if tree.has(*segment, Kind::COLON2) {
                prefix.is_global |= prefix.path.is_empty();
            }
            if let Some(name) = tree.child(*segment, Kind::NAME_REF) {
                let name = self.name(name);
                prefix.path.push(name);
            }
        }
        let last = segments.last().and_then(|it| tree.child(*it, Kind::NAME_REF));
        tree.node(last.unwrap_or(path)).start
    }
}
