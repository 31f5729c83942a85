pub(crate) mod fixture;
mod laws;
mod names;
