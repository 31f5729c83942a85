//! The model reasoner: candidates from a language model, used when rules, history and rust-analyzer
//! have found none.
//!
//! A [`Conversation`] is one task: the prompt has the errors, the texts that may change and packed
//! context; each answer is an edit in any format that `edit` reads. An answer is parsed, bounded and
//! compared with the [`Scope`] before anything is proven; then it is a candidate like any other:
//! proven, kept to the preservation rule, and applied by the gate only. What a model writes is
//! untrusted data, and what it reads – code, comments, outputs – is marked as data.
//!
//! Start at `conversation.rs` (`propose`); the limits are in `scope.rs`, `paths.rs`, `additions.rs`.

mod additions;
mod conversation;
mod forms;
mod given;
#[cfg(test)]
mod hostile;
mod inputs;
mod lookup;
mod names;
mod outside;
mod paths;
mod prompt;
mod repairs;
mod reply;
mod scope;
mod streamed;
#[cfg(test)]
mod testing;

pub(crate) use crate::reasoner::{ModelNote, ModelNoteKind, ModelReasoner, ReasonLimits};

pub(crate) use conversation::{Conversation, Proposal, ProposalContext};
pub(crate) use lookup::{MapLookup, PlacedItem};
pub(crate) use prompt::{ANSWER, PLAN, Prompt, SYSTEM, errors as row_texts};
pub(crate) use repairs::{ModelRun, Tried, findings, review, span_of, texts};
pub(crate) use reply::one_line;
pub(crate) use scope::Scope;

/// Bytes per token of code, at least: the estimate for texts of files.
pub(crate) const BYTES_PER_TOKEN: usize = 3;
/// Micro-dollars of a dollar.
pub(crate) const MICRO: f64 = 1_000_000.0;
