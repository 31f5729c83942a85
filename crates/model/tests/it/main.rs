//! The room as its users see it.

#[cfg(feature = "candle")]
mod bert;
mod http;
