//! Tests of the definition map: resolution of paths, macro-made items, patches, and properties.

pub(crate) mod fixture;
mod laws;
mod made;
mod names;
mod patches;
