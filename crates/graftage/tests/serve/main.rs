//! `graftage serve mcp` as clients by others use it, and as it is killed.

#![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

mod a2a;
mod acp;
mod clients;
mod kills;
mod random_kills;
mod support;
mod workshop;
