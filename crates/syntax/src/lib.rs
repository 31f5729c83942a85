//! One Rust text to items, problems and structure. Never fails: broken code gives fewer items and
//! more problems.
//!
//! Invariants: pure, total on any `&str`, deterministic, linear in the text (10,000-deep nesting
//! included: cursors and explicit stacks, no recursion). Spans are bytes of the very text that was
//! handed in. No other room knows tree-sitter: they see [`parse`] and [`walk`].
//!
//! Two readings: [`parse`] gives items and problems (what edits and proofs need), [`read`] gives
//! besides them [`facts::FileFacts`], all that name resolution and the map need, from the same one
//! walk. [`expand`] applies a `macro_rules!` definition to the tokens of a call; [`passthrough`]
//! tells of a definition that it hands on the items it gets as they are, as `cfg_rt! { … }` of
//! many crates does, so that the items that [`read`] found in its calls exist.
//!
//! ```
//! let file = graftage_syntax::parse("mod m { impl S { fn f() {} } }");
//! let canons: Vec<_> = file.items.iter().map(|item| item.canon.as_str()).collect();
//! assert_eq!(canons, ["m", "m::<S>", "m::S::f"]);
//! ```

mod attribute;
mod canon;
mod compact;
mod delimiters;
mod descent;
mod docs;
mod expand;
pub mod facts;
mod gates;
mod head;
mod interface;
mod isolate;
mod item;
mod lexer;
mod lower;
mod paired;
mod parse;
mod piece;
mod read;
mod shallow;
mod signature;
mod spelling;
mod token_hash;
mod tree;
mod variants;
mod walk;
mod wholeness;

pub use canon::canon_form;
pub use docs::{Split, split_docs};
pub use expand::{Expansion, Origin, Passthrough, Source, expand, passthrough};
pub use gates::{Gate, gates};
pub use interface::interface;
pub use item::{Item, NodeKind, SourceFile, item_at};
pub use paired::is_paired;
pub use parse::parse;
pub use read::{read, read_made};
pub use shallow::is_shallow;
pub use signature::{
    Signature, TddClass, is_test_head, is_test_path, signature, signature_of, signature_of_head,
    tdd_class, tree_signature,
};
pub use token_hash::{token_hash, token_hash_of, token_hashes};
pub use variants::{VariantPlace, variant_places};
pub use walk::{Descend, SyntaxNode, walk};
