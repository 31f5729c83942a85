mod fixture;
mod names;
