mod fixture;
mod laws;
mod names;
