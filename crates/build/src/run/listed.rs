//! The tests of the binaries that were built, as the binaries list them before any is run. Start at
//! [`expected`].
//!
//! What a list is worth: which binaries there are is known from cargo, and which of them has a harness of
//! its own from the manifests. The list of a binary comes from the binary, so foreign code can lie in
//! it, as it can print any result; but it has to lie twice in the same way, and a test that ends the
//! process, by accident or not, is found. A binary that cannot be started here (of another platform,
//! with a runner) has no list: then it has to report as many tests as it announces.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use base::SortedMap;
use sandbox::{Stream, View};

use super::layers::run_in_layer;
use super::{Run, TestBinary};
use crate::libtest::{Expected, Harness};
use crate::process::LocalNetwork;
use crate::{CargoError, Command, view_file};

/// Maximum number of tests that are read of one list.
const TESTS: usize = 1_000_000;

/// Lists the tests of each binary: `$1` a word that begins the lines of this script, then for each
/// binary its path, its folder and its libraries.
const SCRIPT: &str = r#"
word=$1; shift; n=0
while [ $# -ge 3 ]; do
  n=$((n+1))
  echo "$word begin $n"
  (cd "$2" && LD_LIBRARY_PATH=$3 CARGO_MANIFEST_DIR=$2 exec "$1" --list --format terse) </dev/null
  echo "$word $?"
  shift 3
done
"#;

/// What the binaries of the command have to report.
pub(super) fn expected(run: &mut Run<'_>, command: &Command) -> Result<Vec<Expected>, CargoError> {
    let mut binaries: SortedMap<PathBuf, &TestBinary> = SortedMap::new();
    for binary in &run.binaries {
        binaries.insert(binary.path.clone(), binary);
    }
    let mut expected = Vec::new();
    let mut started = Vec::new();
    for (path, binary) in binaries {
        let Some(file) = path.file_name().map(|it| it.to_string_lossy().into_owned()) else {
            continue;
        };
        let own = has_own_harness(run.view, binary);
        if !own {
            started.push((expected.len(), path, binary.dir.clone()));
        }
        let harness = if own { Harness::Own } else { Harness::Standard(None) };
        let package = binary.target.package.clone();
        expected.push(Expected { file, package, harness });
    }
    let lists = list(run, &started)?;
    for ((idx, ..), tests) in started.into_iter().zip(lists) {
        let wanted = |name: &String| command.filter.as_deref().is_none_or(|it| keeps(it, name));
        let tests = tests.map(|tests| tests.into_iter().filter(wanted).collect());
        if let Some(it) = expected.get_mut(idx) {
            it.harness = Harness::Standard(tests);
        }
    }
    Ok(expected)
}

/// Whether a binary keeps the test with the arguments of this filter.
fn keeps(filter: &str, name: &str) -> bool {
    name.contains(filter) || filter.split_once("::").is_some_and(|(_, rest)| name.contains(rest))
}

/// The tests of each binary; `None` where it does not list them.
fn list(
    run: &mut Run<'_>,
    binaries: &[(usize, PathBuf, PathBuf)],
) -> Result<Vec<Option<Vec<String>>>, CargoError> {
    let mut lists: Vec<Option<Vec<String>>> = vec![None; binaries.len()];
    if binaries.is_empty() {
        return Ok(lists);
    }
    let word = run.ctx.fresh_name();
    let mut args: Vec<OsString> = vec!["-c".into(), SCRIPT.into(), "sh".into(), (&word).into()];
    for (_, path, dir) in binaries {
        let libraries = libraries(run, path);
        args.extend([path.into(), dir.into(), libraries]);
    }
    let process = run.process(PathBuf::from("/bin/sh"), args, LocalNetwork::Loopback);
    let mut reader = Reader { word: &word, lists: &mut lists, open: None };
    let (outcome, _) = run_in_layer(run, &process, &mut |stream, line| {
        if stream == Stream::Stdout {
            reader.line(&String::from_utf8_lossy(line));
        }
    })?;
    run.add_cpu(&outcome);
    if outcome.cancelled {
        return Err(CargoError::Cancelled(base::Cancelled));
    }
    Ok(lists)
}

/// The folders in which cargo lets a binary find its libraries.
fn libraries(run: &Run<'_>, path: &Path) -> OsString {
    let mut folders = OsString::new();
    let own = path.ancestors().skip(1).take(2).map(Path::to_owned);
    for folder in own.chain([run.env.toolchain.sysroot.join("lib")]) {
        if !folders.is_empty() {
            folders.push(":");
        }
        folders.push(folder);
    }
    folders
}

/// Reads the output of the script.
struct Reader<'a> {
    word: &'a str,
    lists: &'a mut [Option<Vec<String>>],
    open: Option<(usize, Vec<String>)>,
}

impl Reader<'_> {
    fn line(&mut self, line: &str) {
        let own = line.strip_prefix(self.word).map(str::trim);
        if let Some(nth) = own.and_then(|it| it.strip_prefix("begin ")) {
            let idx = nth.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
            self.open = idx.map(|idx| (idx, Vec::new()));
        } else if let Some(status) = own {
            // A list that was cut off is none.
            if let Some((idx, names)) = self.open.take()
                && status == "0"
                && let Some(slot) = self.lists.get_mut(idx)
            {
                *slot = Some(names);
            }
        } else if let Some((_, names)) = &mut self.open
            && let Some(name) = listed(line)
            && names.len() < TESTS
        {
            names.push(name.to_owned());
        }
    }
}

/// `tests::adds: test`.
fn listed(line: &str) -> Option<&str> {
    line.strip_suffix(": test").or_else(|| line.strip_suffix(": benchmark"))
}

/// Whether the manifest gives the target a harness of its own (`harness = false`). A manifest that
/// cannot be read gives none.
fn has_own_harness(view: &View, binary: &TestBinary) -> bool {
    let Some(text) = view_file::read(view, &binary.dir.join("Cargo.toml")) else { return false };
    let Ok(manifest) = text.parse::<toml::Table>() else { return false };
    let is_own = |it: &toml::Value| it.get("harness").and_then(toml::Value::as_bool) == Some(false);
    match binary.target.arguments.as_slice() {
        [kind, name] => {
            let targets = manifest.get(kind.trim_start_matches('-')).and_then(|it| it.as_array());
            let named = |it: &&toml::Value| {
                it.get("name").and_then(toml::Value::as_str) == Some(name.as_str())
            };
            targets.is_some_and(|all| all.iter().filter(named).any(is_own))
        }
        _ => manifest.get("lib").is_some_and(is_own),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_list_that_ended_well_is_one() {
        let mut lists = vec![None; 3];
        let mut reader = Reader { word: "w", lists: &mut lists, open: None };
        let lines = "w begin 1\na: test\nnoise\nt::b: test\nc: benchmark\n\nw 0\nw begin 2\nx: test\n\
                     w 1\nw begin 3\ny: test\n";
        lines.lines().for_each(|line| reader.line(line));
        let names = ["a", "t::b", "c"].map(str::to_owned).to_vec();
        assert_eq!(lists, [Some(names), None, None]);
    }
}
