//! Error recovery: of a text with errors the reading that keeps most items whole.

use crate::delimiters::close_delimiters;
use crate::isolate::{Keep, isolated};
use crate::tree::Tree;
use crate::wholeness::Wholeness;

/// Where a text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A person, who may be typing: errors are kept apart from the items around them.
    Source,
    /// A macro.
    Expansion,
}

/// The tree of the repaired text if it has more whole items than `parsed`, the tree of the text, or
/// as many with no more errors; else `parsed`.
pub(crate) fn recovered(text: &str, parsed: Tree, origin: Origin) -> Tree {
    if !parsed.node(0).has_error() {
        return parsed;
    }
    let mut known = Wholeness::of(text, &parsed);
    let mut best = parsed;
    let mut look = |repaired: Option<(String, usize)>| {
        let Some((repaired, changes)) = repaired else { return known.is_torn };
        let Some(again) = Tree::of(&repaired) else { return known.is_torn };
        let found = Wholeness::of(&repaired, &again);
        let is_as_good = found.items == known.items && found.errors <= known.errors + 2 * changes;
        if found.items > known.items || is_as_good {
            (best, known) = (again, found);
        }
        known.is_torn
    };
    look(close_delimiters(text));
    if origin == Origin::Source && look(isolated(text, Keep::Local)) {
        look(isolated(text, Keep::Clean));
    }
    best
}
