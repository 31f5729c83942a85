//! Property tests of the map on generated maps: format round trips, damaged bytes, traversals.

mod maps;
mod opening;
mod queries;
mod round_trip;
mod walks;
