//! Arguments of `serve`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

/// `serve`.
#[derive(Debug, Subcommand)]
pub(crate) enum Serve {
    /// Serve the Model Context Protocol on standard input and output, or over HTTP
    Mcp(ServeMcp),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ServeMcp {
    /// Serve HTTP on a loopback address, until Ctrl-C, instead of one client on the standard streams
    #[arg(long, value_name = "ADDRESS:PORT", num_args = 0..=1, default_missing_value = "127.0.0.1:0")]
    pub(crate) http: Option<std::net::SocketAddr>,
    /// Token that HTTP clients send; the file is created, readable by you alone, if it does not exist
    /// [default: `mcp.token` in the state directory]
    #[arg(long, value_name = "FILE", requires = "http")]
    pub(crate) token_file: Option<PathBuf>,
    /// A further project, beside that of `-C`; may be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Vec<PathBuf>,
}
