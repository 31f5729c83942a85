//! Workspace rules, set-up and the runs that people and CI share: `cargo xtask help`.
//!
//! Invariants: standard library only, so that it builds in seconds on a fresh machine; it changes
//! nothing but `target/` (clients of MCP for the tests) and graftage's own folder in the user's cache (a
//! private rust-analyzer for the tests), and installs nothing: it names what is missing, with the command that would install it.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line prints for people")]

mod analyzer;
mod bench;
mod chromium;
mod ci;
mod cross;
mod deny;
mod dist;
mod eval;
mod kernel;
mod mcp_clients;
// The same file as in `testkit`, whose `skip` takes these requirements.
#[path = "../../crates/testkit/src/need.rs"]
#[allow(unreachable_pub, reason = "public in `testkit`")]
mod need;
mod run;
mod setup;
mod skips;
mod sysroot;
mod test;
mod tidy;
mod train;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  setup             look for what the tests need, fetch the dependencies (and, on Debian, a
                    rust-analyzer, and with npm and pip clients of MCP in target, for the tests
                    alone), say what is missing
  test              set up, then all that a change must pass: format, tidy, dependency policy,
                    clippy, documentation, warnings as errors, and every test of the workspace
  test ARGS         set up, then run tests alone; ARGS go to the test runner
  tidy              check the workspace rules: edges between crates, file sizes, banned words, documents
  deny              hold the dependency policy of deny.toml, offline
  ci                what `test` does, as CI does it (`CI=true`): a step whose tool is missing
                    fails, and so does a test that skips what the machine has
  bench [NAME…] [-- ARGS]
                    run the benches of the crates (all, or those whose crate/bench contains NAME);
                    `bench --list` shows what each measures and which ARGS it takes
  cross             check the workspace for arm64 Linux, and run the tests of crates without system calls
                    there under an emulator
  dist [--profile NAME] [--base-url URL] [--twice]
                    build the packages of a release into target/dist-packages, offline: tar.gz with manual
                    pages and completions, .deb, SBOM, licences, SHA256SUMS; with the URL that has them,
                    files for Homebrew, Nix, AUR and cargo-binstall; `--twice` compares two builds
  eval [SET…]       build for release and run `graftage eval run` on the evaluation data beside
                    the repository (default: F_receivers D_rustfix E_error_index C_breakfix) into
                    target/eval; `--data DIR` takes other data (`--data fixtures/crates receivers`)
  eval fetch SUITE | fit SUITE… --out DIR | oracle WORKSPACE --out DIR
                    download the crates of a suite, fit the weights of search, compare the map
                    with rust-analyzer; `eval fit` without arguments lists the options
  train-encoder     fetch the sources that `crates/train` names, learn the encoder's table from
                    them and put it into `search`; `--pin` lists the newest crates first,
                    `--eval-folder DIR` (set B) keeps its sentences out and measures the table
  train-ranker      fit the weights of `find` to what the crates say that the table is not learned
                    from, by `cargo xtask eval fit`, and put them into `search`
  file-questions    write questions about whole files, of crates that the table and `find` never
                    saw, in three splits: --out FOLDER
  train-files       fit the weights of file features to two of the splits, and put them into `search`
  gen-sysroot       make the declarations of the standard library in crates/resolve from rust-src
  help              this text

Exit status: 0 done, 1 a check failed, 2 bad usage, 3 the machine lacks something.
";

/// The reason why a command failed.
#[derive(Debug, PartialEq, Eq)]
enum Failure {
    /// A check failed; its report is already printed, or is this text.
    Check(String),
    /// The command line is invalid.
    Usage(String),
    /// The machine lacks something; the text names it and the fix.
    Missing(String),
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Check(message)) => fail(1, &message),
        Err(Failure::Usage(message)) => fail(2, &format!("{message}\n\n{HELP}")),
        Err(Failure::Missing(message)) => fail(3, &message),
    }
}

fn dispatch(args: &[String]) -> Result<(), Failure> {
    let root = workspace_root();
    let Some((command, rest)) = args.split_first() else {
        return Err(Failure::Usage("no command".to_owned()));
    };
    let alone = |run: &dyn Fn() -> Result<(), Failure>| match rest.first() {
        Some(extra) => Err(Failure::Usage(format!("`{command}` takes no `{extra}`"))),
        None => run(),
    };
    match command.as_str() {
        "setup" => alone(&|| setup::setup(&root).map(drop)),
        "test" if rest.is_empty() => ci::everything(&root, in_ci()),
        "test" => test::test(&root, rest, &setup::setup(&root)?, in_ci()),
        "tidy" => alone(&|| tidy::tidy(&root)),
        "deny" => alone(&|| deny::deny(&root)),
        "ci" => alone(&|| ci::everything(&root, true)),
        "bench" => bench::bench(&root, rest),
        "cross" => alone(&|| cross::cross(&root)),
        "dist" => dist::dist(&root, rest),
        "eval" => eval::eval(&root, rest),
        "train-encoder" => train::encoder(&root, rest),
        "train-ranker" => train::ranker(&root, rest),
        "file-questions" => train::file_questions(&root, rest),
        "train-files" => train::files(&root, rest),
        "gen-sysroot" => alone(&|| sysroot::generate(&root)),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(Failure::Usage(format!("unknown command `{other}`"))),
    }
}

fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|ci| ci == "true")
}

fn fail(code: u8, message: &str) -> ExitCode {
    if !message.is_empty() {
        eprintln!("xtask: {message}");
    }
    ExitCode::from(code)
}

/// The folder of this repository.
fn workspace_root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn an_unknown_command_is_a_usage_error() {
        assert!(matches!(dispatch(&[]), Err(Failure::Usage(_))));
        assert!(matches!(dispatch(&words(&["polish"])), Err(Failure::Usage(_))));
        assert!(matches!(dispatch(&words(&["tidy", "x"])), Err(Failure::Usage(_))));
    }

    /// The workspace rules are a test, so that nothing lands that breaks them.
    #[test]
    fn the_workspace_rules_hold() {
        let report = tidy::inspect(&workspace_root());
        assert!(report.problems.is_empty(), "\n{}\n", report.problems.join("\n"));
    }
}
