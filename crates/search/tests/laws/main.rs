//! What holds for the whole room: of the tokenizer, of the index, of answers, of packing.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

mod answers;
mod fixture;
mod index;
mod packing;
mod past;
mod retrievers;
mod words;
