//! Compiles the launcher, which is part of this library as bytes: a program without any library.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=launcher.rs");
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let out = Path::new(&variable("OUT_DIR")).join("launcher");
    let is_known = ["x86_64", "aarch64"].contains(&variable("CARGO_CFG_TARGET_ARCH").as_str());
    if variable("CARGO_CFG_TARGET_OS") != "linux" || !is_known {
        // Elsewhere units are not confined.
        std::fs::write(&out, "").expect("OUT_DIR can be written");
        return;
    }
    let mut rustc = Command::new(variable("RUSTC"));
    rustc.args(["--edition=2024", "--crate-name=launcher", "--crate-type=bin", "launcher.rs"]);
    rustc.args([
        "--target",
        &variable("TARGET"),
        "-Cpanic=abort",
        "-Copt-level=2",
        "-Cstrip=symbols",
    ]);
    rustc.args(["-Crelocation-model=static", "-Clink-arg=-nostartfiles", "-Clink-arg=-nostdlib"]);
    rustc.args(["-Clink-arg=-static", "-Clink-arg=-no-pie", "-o"]).arg(&out);
    if let Ok(linker) = std::env::var("RUSTC_LINKER") {
        rustc.arg(format!("-Clinker={linker}"));
    }
    let status = rustc.status().expect("rustc starts");
    assert!(status.success(), "the launcher of the sandbox cannot be compiled: {status}");
}
