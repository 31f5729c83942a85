//! The room as its users see it.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

#[cfg(feature = "candle")]
mod bert;
mod http;
