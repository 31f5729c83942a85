//! Clients of the Model Context Protocol by others, which set-up installs for the tests alone.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::need::Need;
use crate::skip;

/// Where the clients are.
pub struct McpClients {
    node: PathBuf,
    folder: PathBuf,
}

/// Paths that have to be in the folder.
const NEEDED: [&str; 5] = [
    "node_modules/@modelcontextprotocol/conformance",
    "node_modules/@agentclientprotocol/sdk",
    "node_modules/acpx",
    "node_modules/@a2a-js/sdk",
    "venv/bin/with-acp-a2a",
];

/// The interpreter of Python that has Ray; `None`, with a reported skip, where it is not installed.
pub fn ray_python() -> Option<PathBuf> {
    let python = in_target("ray/bin/python")?;
    if python.with_file_name("with-ray").exists() {
        return Some(python);
    }
    skip(Need::Ray, "not in target/ray; `cargo xtask setup` installs it");
    None
}

/// A path in the target folder.
fn in_target(path: &str) -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    // …/target/<profile>/deps/<test>
    Some(test.parent()?.parent()?.parent()?.join(path))
}

/// The clients in `target/mcp-clients`; `None`, with a reported skip, where they are not installed.
pub fn mcp_clients() -> Option<McpClients> {
    let folder = in_target("mcp-clients")?;
    let own = folder.join("node_modules/node/bin/node");
    let node = if own.is_file() { own } else { PathBuf::from("node") };
    let has = |path: &str| folder.join(path).exists();
    if NEEDED.iter().all(|it| has(it)) {
        return Some(McpClients { node, folder });
    }
    skip(Need::McpClients, "not in target/mcp-clients; `cargo xtask setup` installs them");
    None
}

impl McpClients {
    /// Node with the folder of the packages as its working directory. One test starts it forty times: what it
    /// compiles once is kept there.
    pub fn node(&self) -> Command {
        let mut command = Command::new(&self.node);
        let compiled = self.folder.join("compiled");
        command.current_dir(&self.folder).env("NODE_COMPILE_CACHE", compiled);
        command
    }

    /// Python with the package `mcp`.
    pub fn python(&self) -> Command {
        Command::new(self.folder.join("venv/bin/python"))
    }

    /// The folder that has `node_modules`.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}
