//! The Agent Client Protocol, version 1 (<https://agentclientprotocol.com>): an editor drives graftage, and gets
//! changes that are verified before it shows them.
//!
//! [`serve_acp`] serves one editor over the standard streams. A session is one project with a
//! [`agent::front::JobRunner`] of its own; a prompt is a line for [`agent::front::parse_command`], so that every
//! command works without a language model. What is written is written by the gate after the person answered the
//! question in the editor: the answer redeems the nonce of that question, and counts for nothing else.
//!
//! - `wire.rs` has every name and shape of the protocol; another version of it is another such file.
//! - `server.rs` answers methods; `session.rs` holds what they are about; `store.rs` keeps it over restarts.
//! - `turn.rs` runs a prompt; `review.rs` shows a change and asks about it; `buffers.rs` reads unsaved texts.
//!
//! Invariants: nothing is called that the client did not advertise; every wait for the client has a limit; a text
//! that is unsaved in the editor is never overwritten unseen: it is a part of what was proven, and compared again
//! before the write, or the write is refused with the name of its file.

mod buffers;
mod error;
mod review;
mod server;
mod session;
mod store;
mod turn;
mod wire;

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use agent::front::ProjectSource;
use base::Ctx;
use rpc::RpcLimits;

pub use error::AcpError;
use server::AcpServer;

/// How the server works.
pub struct AcpOptions {
    /// Context of what outlives a request.
    pub ctx: Ctx,
    /// Opens the project of a directory; the error is for the person who uses the editor.
    pub open: OpenSource,
    /// Folder in which sessions are kept.
    pub folder: PathBuf,
    /// Version of the program.
    pub version: &'static str,
}

/// Opens the project of a directory.
pub type OpenSource = Box<dyn Fn(&Path) -> Result<ProjectSource, AcpError> + Send + Sync>;

/// Serves one editor on the standard streams until it ends.
///
/// # Errors
/// An input that cannot be read.
pub fn serve_acp(options: AcpOptions) -> io::Result<()> {
    let mut input = BufReader::new(io::stdin());
    rpc::serve(&mut input, io::stdout(), RpcLimits::default(), |peer| AcpServer::new(options, peer))
}
