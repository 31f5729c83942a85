//! Arguments of `serve`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::commands::client_config::{Client, Editor};

/// `serve`.
#[derive(Debug, Subcommand)]
pub(crate) enum Serve {
    /// Serve the Model Context Protocol on standard input and output, or over HTTP
    Mcp(ServeMcp),
    /// Serve an editor over the Agent Client Protocol on standard input and output
    Acp(ServeAcp),
    /// Serve other agents over the Agent2Agent protocol, on a loopback address, until Ctrl-C
    A2a(ServeA2a),
}

#[derive(Debug, Args)]
pub(crate) struct ServeA2a {
    /// Loopback address to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    pub(crate) http: std::net::SocketAddr,
    /// Token that clients send; the file is created, readable by you alone, if it does not exist
    /// [default: `a2a.token` in the state directory]
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Send push notifications to webhooks on this machine, too
    #[arg(long)]
    pub(crate) allow_loopback_push: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ServeAcp {
    /// Print the lines that make an editor start this server, and end
    #[arg(long, value_enum, value_name = "EDITOR")]
    pub(crate) print_config: Option<Editor>,
}

#[derive(Debug, Args)]
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
    /// Print the lines that make a client start this server, and end
    #[arg(long, value_enum, value_name = "CLIENT", conflicts_with = "http")]
    pub(crate) print_config: Option<Client>,
}
