pub(crate) mod fixture;
mod laws;
mod made;
mod names;
mod patches;
