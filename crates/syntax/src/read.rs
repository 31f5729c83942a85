//! The entry points of the crate: [`parse`] for items alone, [`read`] for items, declarations and
//! bodies. One parse and one walk serve both.

use base::SortedMap;

use crate::SourceFile;
use crate::facts::FileFacts;
use crate::macro_args::parse_macro_args;
use crate::parse::{items, unreadable};
use crate::recovery::{Origin, recovered};
use crate::tree::Tree;

/// Reads the items and problems of a text.
pub fn parse(text: &str) -> SourceFile {
    match tree_from(text, Origin::Source) {
        Some(tree) => items(text, &tree, &SortedMap::new()).file,
        None => unreadable(text),
    }
}

/// Reads everything that a text declares: one parse, one walk. Items are those of
/// [`crate::parse`], and besides them those in macro calls.
pub fn read(text: &str) -> FileFacts {
    read_from(text, Origin::Source)
}

/// Reads the expansion of a macro. It was never typed: where it does not parse it is meant for
/// another macro, so error recovery would find nothing and cost as much as reading.
pub fn read_made(text: &str) -> FileFacts {
    read_from(text, Origin::Expansion)
}

fn read_from(text: &str, origin: Origin) -> FileFacts {
    let Some(mut tree) = tree_from(text, origin) else {
        return FileFacts { file: unreadable(text), ..FileFacts::default() };
    };
    let args = parse_macro_args(text, &mut tree, origin);
    let items = items(text, &tree, &args);
    crate::lower::lower(text, &tree, &args, items)
}

/// The tree of a text; `None` if it is too long for the parser.
fn tree_from(text: &str, origin: Origin) -> Option<Tree> {
    Some(recovered(text, Tree::of(text)?, origin))
}
