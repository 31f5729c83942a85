//! The terminal interface: read, judge and take verified changes, hunk by hunk.
//!
//! One thread owns state and terminal. [`update()`] changes the [`State`] by a [`Message`] and returns
//! [`Effect`]s, without input, output, clock or chance; [`draw`] shows a state, and changes nothing. Workers
//! ([`agent::front::JobRunner`]) send messages through a bounded [`agent::front::Mailbox`].
//!
//! Invariants: nothing is accepted without a proof of exactly the present content, and without an answer to a
//! request that was on the screen; nothing asks the terminal anything inside the loop; no timer runs while
//! nothing moves. Start at [`State`] and [`update()`].

mod cells;
mod diff_view;
mod draw;
mod keys;
mod layout;
mod message;
mod outside;
mod plain;
mod run;
mod state;
mod terminal;
mod text_area;
mod theme;
mod update;

pub use draw::draw;
pub use keys::{Action, Key, KeyCode, KeyContext, Keymap, KeymapError};
pub use message::{Effect, Message, Millis, Mouse, Ticket};
pub use plain::run_plain;
pub use run::{TuiError, TuiOptions, run};
pub use state::{Focus, ProjectInfo, Screen, State};
pub use theme::{Background, Theme};
pub use update::update;
