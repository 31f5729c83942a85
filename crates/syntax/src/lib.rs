//! One Rust text to items, problems and structure. Never fails: broken code gives fewer items and
//! more problems.
//!
//! Invariants: pure, total on any `&str`, deterministic, linear in the text. Spans are bytes of the
//! text that was passed in.
//!
//! The phases, one module each:
//! 1. `tokens`: the lexer's tokens; `nesting` leaves out those that nest too deep for the parser.
//! 2. `tree`: the events of rust-analyzer's parser as one flat array of nodes. The kinds of nodes are
//!    known only in this crate.
//! 3. `recovery`: for files with errors, repairs by indentation (`delimiters`, `isolate`); `wholeness`
//!    decides whether a repaired text is better.
//! 4. `macro_args`: the tokens of macro calls, parsed as the Rust that they look like.
//! 5. `parse` and `head`: items and problems, the result of [`parse`].
//! 6. `lower`: declarations and bodies, the result of [`read`].
//!
//! [`parse`] serves edits and verification, [`read`] name resolution and the map. [`expand`] applies a
//! `macro_rules!` definition to the tokens of a call; [`passthrough`] recognises a definition that
//! passes on the items it gets, as `cfg_rt! { … }` of many crates does, so that the items that [`read`]
//! found in its calls exist.
//!
//! ```
//! let file = graftage_syntax::parse("mod m { impl S { fn f() {} } }");
//! let canons: Vec<_> = file.items.iter().map(|item| item.canon.as_str()).collect();
//! assert_eq!(canons, ["m", "m::<S>", "m::S::f"]);
//! ```

mod attribute;
mod canon;
mod cfg;
mod cfg_if;
mod colour;
mod delimiters;
mod docs;
mod expand;
pub mod facts;
mod fragment;
mod gates;
mod grammar;
mod head;
mod includes;
mod isolate;
mod item;
mod lexer;
mod lower;
mod macro_args;
mod macro_arms;
mod nesting;
mod paired;
mod parse;
pub mod places;
mod read;
mod recovery;
mod shallow;
mod signature;
mod spelling;
mod token_hash;
mod tokens;
mod tree;
mod variants;
mod wholeness;

pub use canon::canon_form;
pub use cfg::CfgPredicate;
pub use cfg_if::has_branches;
pub use colour::{TokenColour, colours};
pub use docs::{Split, split_docs};
pub use expand::{
    MacroExpansion, MacroName, MacroNameRole, Origin, Passthrough, TokenSource, expand,
    macro_names, passthrough,
};
pub use fragment::{FragmentKind, is_fragment};
pub use gates::{CfgGate, gates};
pub use grammar::grammar_errors;
pub use includes::{included_path, included_paths};
pub use item::{Item, NodeKind, SourceFile, item_at};
pub use paired::is_paired;
pub use read::{parse, read, read_made};
pub use shallow::is_shallow;
pub use signature::{
    Signature, TddClass, is_test_head, is_test_path, signature_of, signature_of_head,
    tree_signature,
};
pub use token_hash::{token_hash, token_hash_of, token_hashes};
pub use variants::{VariantPlace, variant_places};
