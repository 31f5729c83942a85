//! Types that all crates share: paths, spans, hashes, diagnostics, the ids and kinds of the code
//! map, and [`Ctx`], the only source of time, randomness, cancellation and progress.
//!
//! Invariant: no side effects. This crate opens no file, starts no process and reads neither clock
//! nor environment; all input comes as arguments.
//!
//! ```
//! use graftage_base::ProjectPath;
//! assert_eq!(ProjectPath::new("src/./lib.rs").unwrap().as_str(), "src/lib.rs");
//! assert!(ProjectPath::new("../secret").is_err());
//! ```

/// Declares an enum of named values: `Variant = "name"`. `ALL` has them in their order, `as_str` is the
/// name in JSON and messages, `from_u8` the value with a number that a table stores.
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$attribute:meta])*
        pub enum $enum:ident {
            $($(#[$doc:meta])* $variant:ident = $name:literal,)*
        }
    ) => {
        $(#[$attribute])*
        pub enum $enum {
            $($(#[$doc])* $variant,)*
        }

        impl $enum {
            /// All values, in their order.
            pub const ALL: [Self; [$($name,)*].len()] = [$(Self::$variant,)*];

            /// The name in JSON and messages.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The value with this number, as stored in a table.
            pub fn from_u8(number: u8) -> Option<Self> {
                Self::ALL.get(usize::from(number)).copied()
            }
        }
    };
}

mod base64;
pub mod columns;
mod ctx;
mod diagnostic;
mod hash;
mod json;
mod log;
mod map;
mod path;
mod sorted;
mod span;
mod stoppable;
mod visible;
mod word;

pub use base64::{from_base64, to_base64};
pub use ctx::{Cancelled, Ctx, Host, Progress, Timestamp};
pub use diagnostic::{
    Applicability, Diagnostic, DiagnosticFile, DiagnosticSpan, Expansion, Replacement, Severity,
    SubDiagnostic,
};
pub use hash::{ContentHash, Hasher};
pub use json::{MOST_JSON_VALUES, json_values};
pub use log::{LogEntry, WorkLog};
pub use map::{EdgeKind, ItemId, ItemKind, Provenance, Tier};
pub use path::{PathError, ProjectPath, dep_info_files, is_within_any, normal_path};
pub use sorted::{SortedMap, SortedSet};
pub use span::{ByteSpan, LineCol, LineIndex};
pub use stoppable::Stoppable;
pub use visible::{is_hidden, visible, visible_json, visible_line};
pub use word::{has_word, is_one_word, is_word, with_word, word_places};

/// Locks a mutex and ignores poisoning: callers keep only values that are complete at each moment, so
/// that a panic elsewhere leaves nothing half-written.
pub fn lock<T: ?Sized>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Minimum length of the beginning of an id that names it.
pub const SHORTEST_ID: usize = 4;

/// Whether a text that a person typed names an id: it is the id, or a beginning of at least
/// [`SHORTEST_ID`] characters.
pub fn names_id(text: &str, id: &str) -> bool {
    text == id || text.len() >= SHORTEST_ID && id.starts_with(text)
}

/// A number and its noun: `1 file`, `2 files`.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// An error with a hint; the hint is separate from the message.
pub trait Hint: std::error::Error {
    /// How to fix the cause, as one lower-case fragment; `None` where there is no advice.
    fn hint(&self) -> Option<String> {
        None
    }
}
