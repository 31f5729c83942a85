//! Clients of our protocols by others, and Ray, for the tests alone: packages of npm and of Python in
//! `target/mcp-clients` and `target/ray`, installed by the machine's own `npm` and `python3` from the registries that
//! they are configured with.

use std::path::Path;
use std::process::Command;

use crate::run::{target_dir, works};

/// Packages of npm: the suite, the library and the inspector of the protocol. Node itself is one, since
/// the suite needs a newer one than many machines have.
const NPM: &[&str] = &[
    "node@22",
    "@modelcontextprotocol/conformance@0.1.16",
    "@modelcontextprotocol/sdk@1.32.2",
    "@modelcontextprotocol/inspector@0.15.0",
    "@agentclientprotocol/sdk@2.4.0",
    "acpx@0.19.1",
    "@a2a-js/sdk@1.3.0",
];
/// Packages of Python: a client of both eras, one of editors, and one of agents that delegate.
const PYTHON: &[&str] = &["mcp==2.3.0", "agent-client-protocol==0.12.1", "a2a-sdk==1.3.0"];
/// Ray, without its dashboard.
const RAY: &[&str] = &["ray==2.60.0"];
/// The packages that the tests start, relative to the folder.
const NEEDED: &[&str] = &[
    "node_modules/@modelcontextprotocol/conformance",
    "node_modules/@modelcontextprotocol/sdk",
    "node_modules/@modelcontextprotocol/inspector",
    "node_modules/@agentclientprotocol/sdk",
    "node_modules/acpx",
    "node_modules/@a2a-js/sdk",
    "venv/bin/python",
    "venv/bin/with-acp-a2a",
];

/// Installs what is missing; describes what there is or, as an error, why it is not.
pub(crate) fn provide(root: &Path) -> Result<String, String> {
    let folder = target_dir(root).join("mcp-clients");
    std::fs::create_dir_all(&folder).map_err(|err| format!("{}: {err}", folder.display()))?;
    if missing(&folder).is_some_and(|it| it.starts_with("node_modules")) {
        println!(
            "  installing clients of MCP and ACP for the tests with npm: about 420 MB in target"
        );
        let mut npm = Command::new("npm");
        npm.args([
            "install",
            "--no-audit",
            "--no-fund",
            "--no-save",
            "--loglevel=error",
            "--prefix",
        ]);
        if !works(npm.arg(&folder).args(NPM).current_dir(&folder)) {
            return Err("`npm install` of its packages fails".to_owned());
        }
    }
    if missing(&folder).is_some_and(|it| it.starts_with("venv")) {
        println!(
            "  installing clients of MCP and ACP for the tests with pip: about 75 MB in target"
        );
        environment(&folder.join("venv"), PYTHON, "with-acp-a2a")?;
    }
    if let Some(path) = missing(&folder) {
        return Err(format!("no {path} in {}", folder.display()));
    }
    let own = folder.join("node_modules/node/bin/node");
    let node = if own.is_file() { own.into_os_string() } else { "node".into() };
    let newer = "process.exit(parseInt(process.versions.node) >= 22 ? 0 : 1)";
    if !works(Command::new(node).args(["-e", newer])) {
        return Err("they need Node 22".to_owned());
    }
    Ok("in target/mcp-clients".to_owned())
}

/// Installs Ray where it is missing; describes what there is or, as an error, why it is not.
pub(crate) fn provide_ray(root: &Path) -> Result<String, String> {
    let folder = target_dir(root).join("ray");
    if !folder.join("bin/with-ray").exists() {
        println!("  installing Ray for the tests with pip: about 290 MB in target");
        environment(&folder, RAY, "with-ray")?;
    }
    Ok("in target/ray".to_owned())
}

/// Makes a virtual environment with packages. The file `mark` names what is installed: a folder of an earlier version
/// lacks it.
fn environment(folder: &Path, packages: &[&str], mark: &str) -> Result<(), String> {
    let made = works(Command::new("python3").args(["-m", "venv"]).arg(folder));
    let pip = folder.join("bin/pip");
    if !made || !works(Command::new(pip).args(["install", "--quiet"]).args(packages)) {
        _ = std::fs::remove_dir_all(folder);
        let all = packages.join(" ");
        return Err(format!("`pip install {all}` in a virtual environment fails"));
    }
    std::fs::write(folder.join("bin").join(mark), "")
        .map_err(|err| format!("{}: {err}", folder.display()))
}

fn missing(folder: &Path) -> Option<&'static str> {
    NEEDED.iter().copied().find(|path| !folder.join(path).exists())
}
