//! One binary for all tests of the room that touch a disk.

mod apply;
mod commit;
mod killing;
mod kills;
mod reading;
mod support;
mod undo;
mod views;
