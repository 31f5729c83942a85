//! Workspace rules about documents: they exist, and the files that they name exist.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Report, crates, files};

/// The documents that readers get, and the licences.
const DOCUMENTS: &[&str] =
    &["README.md", "ARCHITECTURE.md", "BENCHMARKS.md", "CHANGELOG.md", "AGENTS.md"];
const MUST_EXIST: &[&str] =
    &["LICENSE-MIT", "LICENSE-APACHE", "deny.toml", ".ci/run", ".config/nextest.toml"];

/// Most bytes of a page, by the beginning of its path, so that it is read as a whole; the rest is in
/// pages below `docs`.
const LIMITS: &[(&str, usize)] = &[
    ("README.md", 9_000),
    ("ARCHITECTURE.md", 20_000),
    ("BENCHMARKS.md", 15_000),
    ("docs/design/", 15_000),
    ("docs/decisions/", 15_000),
];

/// Prefixes of paths in this repository; a path in backticks with such a prefix must exist.
const OURS: &[&str] = &["crates/", "fixtures/", "xtask/", ".ci/", ".cargo/"];

/// Checks that all documents exist, name existing files, and describe every crate.
pub(super) fn inspect(root: &Path, report: &mut Report) {
    for path in MUST_EXIST.iter().filter(|path| !root.join(path).is_file()) {
        report.problems.push(format!("{path} is missing"));
    }
    // `graftage docs` writes its pages there; they are no part of the repository.
    let is_guide = |it: &String| it.ends_with(".md") && !it.starts_with("docs/generated/");
    let guides: Vec<String> = files(root, "docs").into_iter().filter(is_guide).collect();
    let mut linked = BTreeSet::new();
    for path in DOCUMENTS.iter().copied().chain(guides.iter().map(String::as_str)) {
        let Ok(text) = std::fs::read_to_string(root.join(path)) else {
            report.problems.push(format!("{path} is missing"));
            continue;
        };
        for (_, most) in LIMITS.iter().filter(|it| path.starts_with(it.0) && text.len() > it.1) {
            let text =
                format!("{path} has more than {most} bytes: move a part into a page in docs");
            report.problems.push(text);
        }
        for (line, named) in named_files(&text, path) {
            if !root.join(&named).exists() {
                report
                    .problems
                    .push(format!("{path}:{line}: names `{named}`, which does not exist"));
            }
            linked.insert(named);
        }
    }
    for guide in guides.iter().filter(|it| !linked.contains(*it)) {
        report.problems.push(format!("no document has a link to {guide}"));
    }
    let map = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap_or_default();
    for krate in crates(root).iter().filter(|krate| !map.contains(&format!("| `{krate}` |"))) {
        report.problems.push(format!("ARCHITECTURE.md: no row for the crate `{krate}`"));
    }
}

/// Files that the Markdown text of `path` names, with the line (from 1): targets of relative links, and
/// backticked words that look like paths of ours.
fn named_files(text: &str, path: &str) -> Vec<(usize, String)> {
    let folder = path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let mut named = Vec::new();
    let mut fenced = false;
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        for part in line.split("](").skip(1) {
            let target = part.split([')', '#']).next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") && !target.starts_with("mailto:") {
                named.push((number + 1, without_dots(&format!("{folder}{target}"))));
            }
        }
        for word in line.split('`').skip(1).step_by(2) {
            let plain = !word.contains(['<', '>', '*', '{', '…', ' ', ':']);
            if plain && OURS.iter().any(|start| word.starts_with(start)) {
                named.push((number + 1, word.to_owned()));
            }
        }
    }
    named
}

/// The path with each `..` resolved by its text.
fn without_dots(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        if part != ".." || parts.pop().is_none() {
            parts.push(part);
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_backticked_paths_are_named_files() {
        let text = "See [map](ARCHITECTURE.md#x) and `crates/edit/src/lib.rs`, not \
                    `crates/<name>` or [web](https://x.y).\n```\n`crates/none`\n```\n";
        let names: Vec<String> =
            named_files(text, "README.md").into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["ARCHITECTURE.md", "crates/edit/src/lib.rs"]);
        let of_a_guide = named_files("See [map](search.md) and `crates/edit`.", "docs/finish.md");
        let names: Vec<&str> = of_a_guide.iter().map(|it| it.1.as_str()).collect();
        assert_eq!(names, ["docs/search.md", "crates/edit"]);
        let of_a_page = named_files("[x](../gate.md), [y](../../README.md)", "docs/design/gate.md");
        let names: Vec<&str> = of_a_page.iter().map(|it| it.1.as_str()).collect();
        assert_eq!(names, ["docs/gate.md", "README.md"]);
    }
}
