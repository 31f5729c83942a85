//! Servers for coding agents, and one for a person. [`mcp`] serves the Model Context Protocol over the standard streams of the
//! process, and over HTTP on the loopback interface.
//!
//! Both eras of the protocol are served: the handshake (up to 2025-11-25) and requests that contain their
//! own version and capabilities (2026-07-28). `rmcp` implements the messages; this crate adds
//! what an agent gets from them:
//!
//! - `mcp::Projects`: one long-lived `project::Workspace` per project root, shared by all clients. A root
//!   that the server was not started with is refused.
//! - the handler (`mcp/`): the tools of `tools::Toolbox`, resources, prompts and skills. A call runs
//!   on a bounded pool of threads with a [`base::Ctx`] of its own, which passes cancellation in and
//!   progress out.
//! - [`HttpServer`] (`http/`): who may send a request (address, `Host`, `Origin`, token) and how much it may
//!   cost (connections, time of a head, size and time of a body). [`serve_surface`] puts another protocol
//!   behind the same guard.
//! - [`serve_workshop`] (`workshop/`): the stories of a project for a person, as a page behind that guard.
//!
//! Invariants: in stdio mode standard output has messages of the protocol and nothing else; logs go to
//! standard error. The HTTP server listens on loopback addresses only. The user's tree is written
//! by the tools alone, through the gate. No other crate uses `rmcp`, `tokio` or `hyper`.

mod error;
mod http;
pub mod mcp;
mod runtime;
mod token;
mod workshop;

pub use error::ServeError;
pub use http::{
    HttpLimits, HttpServer, HttpServerOptions, HttpSurface, SurfaceAnswer, SurfaceBody,
};
pub use token::AccessToken;
pub use workshop::serve_workshop;

/// Serves another protocol over HTTP until the process is asked to stop. `surface` gets the address of the server, once
/// it listens.
///
/// # Errors
/// An address that cannot be used.
pub fn serve_surface(
    ctx: base::Ctx,
    http: HttpServerOptions,
    surface: impl FnOnce(&str) -> HttpSurface,
) -> Result<(), ServeError> {
    http::serve(ctx, http, surface)
}
