//! The inner stage as a program of its own, for tests of crates that have no binary.

fn main() {
    graftage_sandbox::inner_main_if_asked();
    std::process::exit(2);
}
