//! Models that do not come with the program: rerankers behind HTTP, and BERT-class models in files.
//!
//! [`HttpRerank`] asks a server; [`ModelFolder`] gives the files of a model, each verified by its
//! SHA-256, and [`Bert`] (feature `candle`) runs it as a cross-encoder or as an encoder whose
//! cosines rank; as the latter it is a [`search::Reader`], too, who makes the vectors of an index.
//! All of them are [`search::Rerank`]: none is needed, and none of them is asked before somebody
//! chose it.
//!
//! Invariants: this is the only room that reaches for the network, and it does so only for the
//! address that it was given – no redirect, no proxy of the environment. Nothing is loaded whose
//! hash is not the one that stands in the manifest. Time, size of the question and size of the
//! answer are bounded. A reranker that fails says so ([`Trouble`]) and the search goes on without
//! it.

#[cfg(feature = "candle")]
mod bert;
mod breaker;
mod error;
mod folder;
mod http;
mod reply;

#[cfg(feature = "candle")]
pub use bert::{Bert, BertUse};
pub use breaker::{Breaker, Trouble};
pub use error::ModelError;
pub use folder::{ModelFiles, ModelFolder, ModelUse};
pub use http::{HttpOptions, HttpRerank, Shape};
