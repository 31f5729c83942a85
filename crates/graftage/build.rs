//! Links the program of tests at a fixed address. Each process in the sandbox starts as this program, and at level 0
//! half of the processor time of a start was in 450,000 relocations: 10 ms, 5 without them. A release has few, and
//! stays at a random address.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let is_linux = variable("CARGO_CFG_TARGET_OS") == "linux";
    let is_gnu = variable("CARGO_CFG_TARGET_ENV") == "gnu";
    if variable("PROFILE") == "debug" && is_linux && is_gnu {
        println!("cargo::rustc-link-arg-bin=graftage=-no-pie");
    }
}
