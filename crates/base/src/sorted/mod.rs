//! [`SortedMap`] and [`SortedSet`]: ordered collections for the crates that wait for cargo, for a disk or for a
//! person. They do what `BTreeMap` and `BTreeSet` do; what they are for is the size of each copy that the
//! compiler makes for a pair of types. The tree of the standard library and the sort that fills it were 42 % of
//! the code generated for `change` and a third of that for all crates (`docs/decisions/0015-sorted-blocks.md`).
//! What indexes and searches keeps the tree.
//!
//! The elements lie in blocks of at most [`MOST`], the blocks in one vector: a search halves the blocks, then
//! one block; an insertion moves the elements of one block, and now and then the heads of the blocks. So a
//! million elements in random order cost seconds, not hours, and a collection of few elements is one vector.

mod blocks;
mod map;
mod set;
#[cfg(test)]
mod tests;

pub use map::{Entry, SortedMap};
pub use set::SortedSet;
