//! The laws of the map, on maps that nobody would write by hand.

mod maps;
mod opening;
mod queries;
mod round_trip;
mod walks;
