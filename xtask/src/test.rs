use std::collections::BTreeMap;
use std::path::Path;

use crate::Failure;
use crate::run::{cargo, step, target_dir};
use crate::setup::{Ready, setup};

/// Sets up, runs every test of the workspace, and lists what was skipped and why.
///
/// With `CI=true` a skip for want of something that the set-up provided is a failure: a green run
/// may not hide it.
pub(crate) fn test(root: &Path, args: &[String]) -> Result<(), Failure> {
    let ready = setup(root)?;
    let log = target_dir(root).join("xtask").join("skipped.tsv");
    let made = log.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.map_err(|err| Failure::Missing(format!("cannot make {}: {err}", log.display())))?;
    // A list of a former run would be read as this one's.
    match std::fs::remove_file(&log) {
        Err(err) if err.kind() != std::io::ErrorKind::NotFound => {
            return Err(Failure::Missing(format!("cannot remove {}: {err}", log.display())));
        }
        _ => {}
    }

    let args: Vec<&str> = args.iter().map(String::as_str).filter(|arg| *arg != "--").collect();
    // Documentation tests: no room has any (`doctest = false`, held by tidy).
    let mut runner = if ready.nextest { vec!["nextest", "run"] } else { vec!["test"] };
    runner.extend(["--locked", "--offline", "--no-fail-fast"]);
    // Everything, unless a part is asked for.
    if !args.iter().any(|arg| arg.starts_with("-p") || arg.starts_with("--package")) {
        runner.extend(["--workspace", "--all-features"]);
    }
    let mut command = cargo(root, &runner);
    command.args(args).env("GRAFTAGE_SKIP_LOG", &log);
    // Tests compare what programs print: colours and backtraces would depend on the caller.
    command.env("CARGO_TERM_COLOR", "never").env("RUST_BACKTRACE", "0");
    // The same cases in every run: what fails here fails again. Benches draw others.
    command.env("PROPTEST_RNG_SEED", "20261121");
    let ran = step(&mut command);

    let skipped = std::fs::read_to_string(&log).unwrap_or_default();
    let broken = report_skips(&skipped, &ready, std::env::var("CI").is_ok_and(|ci| ci == "true"));
    ran?;
    broken
}

/// Prints the skips by need; an error where CI may not have skipped.
fn report_skips(log: &str, ready: &Ready, ci: bool) -> Result<(), Failure> {
    let mut needs: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for line in log.lines() {
        let mut fields = line.splitn(3, '\t');
        let need = fields.next().unwrap_or_default();
        let test = fields.next().unwrap_or_default();
        needs.entry(need).or_default().push((test, fields.next().unwrap_or_default()));
    }
    let mut wrong = Vec::new();
    for (need, tests) in &mut needs {
        tests.sort_unstable();
        println!("skipped for want of {need}: {}", tests.len());
        for (test, why) in tests {
            println!("  {test}: {why}");
        }
        if ci && ready.provided.contains(need) {
            wrong.push(*need);
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::Check(format!(
            "tests were skipped for want of what the set-up had found: {}",
            wrong.join(", ")
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "user namespaces\tviews::mounts\tEPERM\n";

    fn ready(provided: &[&'static str]) -> Ready {
        Ready { provided: provided.to_vec(), nextest: true }
    }

    #[test]
    fn a_skip_is_a_failure_in_ci_when_the_setup_had_found_the_thing() {
        let broken = report_skips(LOG, &ready(&["user namespaces"]), true);
        assert!(matches!(broken, Err(Failure::Check(text)) if text.contains("user namespaces")));
    }

    #[test]
    fn a_skip_is_a_line_anywhere_else() {
        assert_eq!(report_skips(LOG, &ready(&["user namespaces"]), false), Ok(()));
        assert_eq!(report_skips(LOG, &ready(&["git"]), true), Ok(()));
        assert_eq!(report_skips("", &ready(&["git"]), true), Ok(()));
    }
}
