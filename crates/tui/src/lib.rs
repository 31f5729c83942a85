//! The terminal interface: read, edit and take verified changes, hunk by hunk.
//!
//! One thread owns state and terminal. `update` changes the `State` by a `TuiMessage` and returns
//! `TuiEffect`s, without input, output, clock or chance; `draw` shows a state, and changes nothing. Workers
//! ([`agent::front::JobRunner`]) send messages through a bounded [`agent::front::Mailbox`].
//!
//! Invariants: nothing is accepted without a proof of exactly the present content, and without an answer to a
//! request that was on the screen; nothing asks the terminal anything inside the loop; no timer runs while
//! nothing moves. Start at `state.rs` and `update/mod.rs`; [`run()`] is the loop, [`run_plain`] the same in lines.

mod cells;
mod diff_view;
mod draw;
mod keys;
mod layout;
mod message;
mod outside;
mod pages;
mod plain;
mod run;
mod state;
mod terminal;
mod text_area;
mod theme;
mod update;
mod writing;

pub(crate) use draw::draw;
pub(crate) use keys::{Key, KeyCode};
pub use keys::{KeyContext, Keymap, KeymapError};
pub use plain::run_plain;
pub use run::{TuiError, TuiOptions, run};
pub use state::ProjectInfo;
pub use theme::Background;
pub(crate) use update::update;
