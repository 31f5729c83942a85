//! Cache of name lookups by scope, name and namespace, valid for one map.

use super::table::Target;
use super::{Namespace, Symbol};
use crate::hash::FastMap;

/// A lookup of a name in a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NameLookup {
    pub(crate) scope: u32,
    pub(crate) name: Symbol,
    pub(crate) ns: Namespace,
    /// The module of the use.
    pub(crate) from: u32,
}

/// Results of name lookups, valid for one map.
#[derive(Clone, Debug, Default)]
pub(crate) struct LookupCache {
    known: FastMap<(u64, u64), CachedTargets>,
}

#[derive(Clone, Debug)]
enum CachedTargets {
    None,
    One(Target),
    Several(Box<[Target]>),
}

impl LookupCache {
    pub(crate) fn get(&self, look: NameLookup) -> Option<Vec<Target>> {
        self.known.get(&key(look)).map(|cached| match cached {
            CachedTargets::None => Vec::new(),
            CachedTargets::One(target) => vec![*target],
            CachedTargets::Several(targets) => targets.to_vec(),
        })
    }

    pub(crate) fn learn(&mut self, look: NameLookup, found: &[Target]) {
        let cached = match found {
            [] => CachedTargets::None,
            [one] => CachedTargets::One(*one),
            several => CachedTargets::Several(several.into()),
        };
        self.known.insert(key(look), cached);
    }
}

fn key(look: NameLookup) -> (u64, u64) {
    let name = (u64::from(look.scope) << 32) | u64::from(look.name.0);
    (name, (u64::from(look.from) << 8) | u64::from(super::table::space(look.ns)))
}
