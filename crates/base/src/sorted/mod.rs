//! [`SortedMap`] and [`SortedSet`]: ordered collections with the methods of `BTreeMap` and `BTreeSet`, of which
//! the compiler makes smaller copies for each pair of types. The trees of the standard library and the sort that
//! fills them were 42 % of the code generated for `change` and a third of that for all crates
//! (`docs/decisions/0015-sorted-blocks.md`).
//!
//! The elements lie in blocks of at most [`MOST`], the blocks in one vector: a search halves the blocks, then
//! one block; an insertion moves the elements of one block, and now and then the heads of the blocks. So a
//! million elements in random order cost seconds, not hours, and a collection of few elements is one vector.

mod blocks;
mod map;
mod set;
#[cfg(test)]
mod tests;

pub use map::SortedMap;
pub use set::SortedSet;
