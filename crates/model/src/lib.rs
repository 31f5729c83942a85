//! Optional models that are not part of the program: language models and rerankers over HTTP, and
//! BERT models in files.
//!
//! [`language::open`] makes a [`language::LanguageModel`]: one turn of a conversation with tools,
//! with retries, a budget and the removal of secrets. [`HttpRerank`] queries a server.
//! [`ModelFolder`] reads the files of a model, each verified by its SHA-256, and [`Bert`] (feature
//! `candle`) runs them as a cross-encoder, or as an encoder that ranks by cosine and computes the
//! vectors of a search index ([`search::TextModel`]). The last three implement
//! [`search::Rerank`]; none is used unless the user configured it.
//!
//! Invariants: this is the only crate that uses the network, and only for the configured address –
//! no redirect, no proxy from the environment. Only files with the hash in the manifest are loaded.
//! Time, request size and response size are bounded. When a reranker fails, the failure is reported
//! ([`RerankError`]) and the search continues without it. What a language model answers is data.

mod address;
#[cfg(feature = "candle")]
mod bert;
mod breaker;
mod download;
mod error;
mod folder;
mod http;
pub mod language;
mod packaged;
mod reply;
mod unix;

#[cfg(feature = "candle")]
pub use bert::Bert;
pub use breaker::RerankError;
pub use download::{Downloaded, download};
pub use error::ModelError;
pub use folder::{ModelFileSummary, ModelFiles, ModelFolder, ModelSummary, ModelUse};
pub use http::{HttpOptions, HttpRerank, RequestFormat};
pub use unix::is_ready;
