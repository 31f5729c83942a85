//! The room from outside: what is written comes back, whatever happens in between.

mod codegraph;
mod damage;
mod kills;
mod kit;
mod limits;
mod map;
mod processes;
mod two_hop;
