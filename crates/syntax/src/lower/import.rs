//! Imports: their trees taken apart.

use super::Lower;
use crate::facts::{Name, Use, UseWhat};
use crate::tree::{Field, Kind};

/// The path so far.
#[derive(Clone, Default)]
struct Prefix {
    path: Vec<Name>,
    is_global: bool,
}

impl Lower<'_> {
    pub(super) fn import(&mut self, item: u32, node: u32) {
        let tree = self.tree;
        if tree.node(node).kind == Kind::ExternCrateDeclaration {
            let Some(name_node) = tree.field(node, Field::Name) else { return };
            let name = self.name(name_node);
            let alias = tree.field(node, Field::Alias).map(|it| self.name(it));
            self.facts.uses.push(Use {
                item,
                path: vec![name],
                is_global: false,
                what: UseWhat::ExternCrate(alias.unwrap_or(name)),
                offset: tree.node(name_node).start,
            });
        } else if let Some(argument) = tree.field(node, Field::Argument) {
            self.use_tree(item, argument, &Prefix::default());
        }
    }

    fn use_tree(&mut self, item: u32, node: u32, prefix: &Prefix) {
        let tree = self.tree;
        match tree.node(node).kind {
            Kind::UseList => {
                self.deeper(|it| {
                    for part in tree.parts(node) {
                        it.use_tree(item, part, prefix);
                    }
                });
            }
            Kind::ScopedUseList => {
                let mut prefix = prefix.clone();
                match tree.field(node, Field::Path) {
                    Some(path) => drop(self.use_path(path, &mut prefix)),
                    None => prefix.is_global |= prefix.path.is_empty(),
                }
                if let Some(list) = tree.field(node, Field::List) {
                    self.deeper(|it| it.use_tree(item, list, &prefix));
                }
            }
            Kind::UseWildcard => {
                let mut prefix = prefix.clone();
                let is_global = tree.child(node, Kind::PathSep).is_some();
                match tree.parts(node).next() {
                    Some(path) => drop(self.use_path(path, &mut prefix)),
                    None => prefix.is_global |= is_global && prefix.path.is_empty(),
                }
                let star = tree.child(node, Kind::Star).unwrap_or(node);
                self.leaf(item, prefix, UseWhat::Glob, tree.node(star).start);
            }
            Kind::UseAsClause => {
                let mut prefix = prefix.clone();
                let (Some(path), Some(alias)) =
                    (tree.field(node, Field::Path), tree.field(node, Field::Alias))
                else {
                    return;
                };
                let last = self.use_path(path, &mut prefix);
                let what = match self.slice(alias) {
                    "_" => UseWhat::Underscore,
                    _ => UseWhat::Name(self.name(alias)),
                };
                self.leaf(item, prefix, what, last);
            }
            Kind::Error => {}
            _ => {
                let mut prefix = prefix.clone();
                let last = self.use_path(node, &mut prefix);
                // `a::{self}` brings `a`.
                if prefix.path.len() > 1 && self.slice_ends_with_self(node) {
                    prefix.path.pop();
                }
                if let Some(&name) = prefix.path.last() {
                    self.leaf(item, prefix, UseWhat::Name(name), last);
                }
            }
        }
    }

    fn slice_ends_with_self(&self, node: u32) -> bool {
        self.tree.node(node).kind == Kind::SelfWord
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
        self.facts.uses.push(Use { item, path, is_global, what, offset });
    }

    /// Adds the segments of a path; says where its last one stands.
    fn use_path(&mut self, mut node: u32, prefix: &mut Prefix) -> u32 {
        let tree = self.tree;
        let mut spine = Vec::new();
        while tree.node(node).kind == Kind::ScopedIdentifier {
            spine.extend(tree.field(node, Field::Name));
            match tree.field(node, Field::Path) {
                Some(path) => node = path,
                None => {
                    prefix.is_global |= prefix.path.is_empty();
                    break;
                }
            }
        }
        if tree.node(node).kind != Kind::ScopedIdentifier {
            spine.push(node);
        }
        let last = spine.first().map_or(tree.node(node).start, |&it| tree.node(it).start);
        for node in spine.into_iter().rev() {
            let name = self.name(node);
            prefix.path.push(name);
        }
        last
    }
}
