//! Single lines of the output of `cargo test`.

use super::ListedTests;

/// Maximum number of places of a line in which a result is looked for.
const PLACES: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Passed,
    Failed,
    Ignored,
}

/// The numbers of a result line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) ignored: usize,
    pub(super) measured: usize,
    pub(super) filtered: usize,
}

/// The 4 of `running 4 tests`.
pub(super) fn announcement(line: &str) -> Option<usize> {
    let (count, what) = line.strip_prefix("running ")?.split_once(' ')?;
    matches!(what, "test" | "tests").then(|| count.parse().ok())?
}

/// `test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out; finished in 0.00s`;
/// `Some(None)` where the counts cannot be read.
pub(super) fn end(line: &str) -> Option<Option<Counts>> {
    let counts = line.strip_prefix("test result: ")?;
    Some(counts.split_once(". ").and_then(|(_, counts)| read_counts(counts)))
}

fn read_counts(text: &str) -> Option<Counts> {
    let mut counts = Counts::default();
    for part in text.split(';') {
        let Some((count, what)) = part.trim().split_once(' ') else { continue };
        let to = match what {
            "passed" => &mut counts.passed,
            "failed" => &mut counts.failed,
            "ignored" => &mut counts.ignored,
            "measured" => &mut counts.measured,
            "filtered out" => &mut counts.filtered,
            _ => continue,
        };
        *to = count.parse().ok()?;
    }
    Some(counts)
}

/// The binary's name in cargo's list of failed targets: `    `-p my-crate --test it``.
pub(super) fn failed_target(line: &str) -> Option<String> {
    let target = line.strip_prefix("    `")?.strip_suffix('`')?;
    let mut words = target.split(' ').skip_while(|word| !matches!(*word, "--test" | "--bin"));
    Some(words.nth(1)?.replace('-', "_"))
}

/// File name of a binary that starts:
/// `     Running unittests src/lib.rs (/t/debug/deps/my_crate-0123456789abcdef)`,
/// `   Doc-tests my_crate`.
pub(super) fn starts_binary(line: &str) -> Option<String> {
    let trimmed = line.trim_start();
    if line.len() == trimmed.len() {
        return None;
    }
    if let Some(name) = trimmed.strip_prefix("Doc-tests ") {
        return Some(format!("{}::doc", name.trim().replace('-', "_")));
    }
    let (_, path) = trimmed.strip_prefix("Running ")?.rsplit_once(" (")?;
    let file = path.strip_suffix(')')?.rsplit('/').next()?;
    Some(file.to_owned())
}

/// The name of a binary by that of its file, which ends with cargo's hash.
pub(super) fn name_of(file: &str) -> &str {
    let stem = file.strip_suffix(".exe").unwrap_or(file);
    match stem.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 16 => name,
        _ => stem,
    }
}

/// `test tests::adds ... ok`; a `should panic` test has a remark after its name. Without a verdict the
/// test has started, and something else was printed before its verdict.
pub(super) fn result(line: &str) -> Option<(&str, Option<Verdict>)> {
    let (name, verdict) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    Some((bare(name), verdict_of(verdict)))
}

/// The same of a listed test, wherever in the line: something may be printed before it and within it
/// without a newline.
pub(super) fn listed_result<'l>(
    line: &'l str,
    list: &ListedTests,
) -> Option<(&'l str, Option<Verdict>)> {
    // The last one counts: its verdict is at the end of the line.
    line.rmatch_indices("test ").take(PLACES).find_map(|(at, word)| {
        let rest = &line[at + word.len()..];
        let (name, verdict) = rest.match_indices(" ... ").take(PLACES).find_map(|(at, gap)| {
            let name = bare(&rest[..at]);
            (list.times(name) > 0).then(|| (name, &rest[at + gap.len()..]))
        })?;
        Some((name, verdict_of(verdict).or_else(|| late_verdict(verdict))))
    })
}

/// The verdict at the end of a line, after output.
pub(super) fn late_verdict(line: &str) -> Option<Verdict> {
    let ends = [("ok", Verdict::Passed), ("FAILED", Verdict::Failed)];
    ends.into_iter().find_map(|(end, verdict)| line.ends_with(end).then_some(verdict))
}

fn verdict_of(text: &str) -> Option<Verdict> {
    Some(match text.split([' ', ',']).next()? {
        "ok" => Verdict::Passed,
        "FAILED" => Verdict::Failed,
        "ignored" => Verdict::Ignored,
        _ => return None,
    })
}

/// The name without a remark and without the spaces that align benchmarks.
fn bare(name: &str) -> &str {
    name.strip_suffix(" - should panic")
        .or_else(|| name.strip_suffix(" - compile fail"))
        .or_else(|| name.strip_suffix(" - compile"))
        .unwrap_or(name)
        .trim_end()
}

/// `---- tests::adds stdout ----`.
pub(super) fn section(line: &str) -> Option<&str> {
    let name = line.strip_prefix("---- ")?.strip_suffix(" ----")?;
    name.strip_suffix(" stdout").or_else(|| name.strip_suffix(" stderr")).or(Some(name))
}

/// The status that cargo names of a binary that failed: `  process didn't exit successfully: `…`
/// (signal: 6, SIGABRT: process abort signal)`.
pub(super) fn status(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("process didn't exit successfully: `")?;
    rest.rsplit_once("` (")?.1.strip_suffix(')')
}
