//! Laws of the crate: tokenizer, index, answers, packing.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

mod answers;
mod fixture;
mod index;
mod packing;
mod past;
mod toy;
mod words;
