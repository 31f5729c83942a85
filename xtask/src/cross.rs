//! `cargo xtask cross`: the workspace on another target – types checked whole, and the tests of crates without a
//! system call under an emulator. An emulator of programs does not have namespaces, Landlock or seccomp: what the
//! sandbox does there is unproven.

use std::path::Path;
use std::process::Command;

use crate::Failure;
use crate::run::{cargo, first_line, step, works};

/// arm64 Linux.
const TARGET: &str = "aarch64-unknown-linux-gnu";
/// Crates that make no system call of their own.
const PURE: [&str; 10] = [
    "base", "syntax", "edit", "policy", "preserve", "graph", "resolve", "search", "change",
    "refactor",
];
/// Variables of cargo and of `cc` for the target, with their usual values in Debian's packages.
const TOOLS: [(&str, &str, &str); 3] = [
    ("CC_aarch64_unknown_linux_gnu", "aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"),
    (
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER",
        "aarch64-linux-gnu-gcc",
        "gcc-aarch64-linux-gnu",
    ),
    (
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER",
        "qemu-aarch64-static -L /usr/aarch64-linux-gnu",
        "qemu-user-static",
    ),
];

/// Checks the workspace for arm64 Linux, then runs the tests of [`PURE`] there.
pub(crate) fn cross(root: &Path) -> Result<(), Failure> {
    let tools = needed(root)?;
    let run = |args: &[&str]| {
        let mut command = cargo(root, args);
        command.args(["--target", TARGET, "--locked", "--offline"]).envs(tools.iter().cloned());
        step(&mut command)
    };
    run(&["check", "--workspace", "--exclude", "graftage-train", "--all-targets"])?;
    let packages = PURE.map(|it| format!("graftage-{it}"));
    let mut tests = vec!["test", "--lib"];
    tests.extend(packages.iter().flat_map(|it| ["--package", it]));
    run(&tests)?;
    println!("unproven on {TARGET}: the sandbox, overlays, and all that starts a program");
    Ok(())
}

/// The tools that no variable of the user names; an error with the packages that have what is missing.
fn needed(root: &Path) -> Result<Vec<(&'static str, &'static str)>, Failure> {
    let mut missing = Vec::new();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let folder = first_line(Command::new(rustc).current_dir(root).args([
        "--print",
        "target-libdir",
        "--target",
        TARGET,
    ]));
    if !folder.is_some_and(|it| Path::new(&it).is_dir()) {
        missing.push(format!("the standard library: `rustup target add {TARGET}`"));
    }
    let unset = TOOLS.into_iter().filter(|it| std::env::var_os(it.0).is_none());
    let tools: Vec<_> = unset.collect();
    for (variable, tool, package) in &tools {
        let program = tool.split(' ').next().unwrap_or(tool);
        if !works(Command::new(program).arg("--version")) {
            missing.push(format!("`{program}`: `apt-get install {package}`, or set {variable}"));
        }
    }
    match missing.is_empty() {
        true => Ok(tools.into_iter().map(|(variable, tool, _)| (variable, tool)).collect()),
        false => {
            Err(Failure::Missing(format!("for {TARGET} is missing\n  {}", missing.join("\n  "))))
        }
    }
}
