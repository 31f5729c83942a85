//! Tests of the crate through its public API.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

#[cfg(feature = "candle")]
mod bert;
mod download;
mod http;
mod language;
