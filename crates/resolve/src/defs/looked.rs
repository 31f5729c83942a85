//! What was looked up before.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::table::{FastHasher, Target};
use super::{Namespace, Symbol};

/// A name looked up in a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) scope: u32,
    pub(crate) name: Symbol,
    pub(crate) ns: Namespace,
    /// The module that asks.
    pub(crate) from: u32,
}

/// What names in scopes mean, as long as they mean the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looked {
    known: HashMap<(u64, u64), Few, BuildHasherDefault<FastHasher>>,
}

#[derive(Clone, Debug)]
enum Few {
    None,
    One(Target),
    Several(Box<[Target]>),
}

impl Looked {
    pub(crate) fn get(&self, look: Look) -> Option<Vec<Target>> {
        self.known.get(&key(look)).map(|few| match few {
            Few::None => Vec::new(),
            Few::One(target) => vec![*target],
            Few::Several(targets) => targets.to_vec(),
        })
    }

    pub(crate) fn learn(&mut self, look: Look, found: &[Target]) {
        let few = match found {
            [] => Few::None,
            [one] => Few::One(*one),
            several => Few::Several(several.into()),
        };
        self.known.insert(key(look), few);
    }
}

fn key(look: Look) -> (u64, u64) {
    let name = (u64::from(look.scope) << 32) | u64::from(look.name.0);
    (name, (u64::from(look.from) << 8) | u64::from(super::table::space(look.ns)))
}
