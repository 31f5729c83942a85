//! Workspace rules about documents: they exist, and the files that they name exist.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Report, crates};

/// The documents that readers get, and the licences.
const DOCUMENTS: &[&str] =
    &["README.md", "ARCHITECTURE.md", "BENCHMARKS.md", "CHANGELOG.md", "AGENTS.md"];
const MUST_EXIST: &[&str] =
    &["LICENSE-MIT", "LICENSE-APACHE", "deny.toml", ".ci/run", ".config/nextest.toml"];

/// Most bytes of the page that a reader sees first; all else is a guide in `docs`.
const FRONT_PAGE: usize = 9_000;

/// Prefixes of paths in this repository; a path in backticks with such a prefix must exist.
const OURS: &[&str] = &["crates/", "fixtures/", "xtask/", ".ci/", ".cargo/"];

/// Checks that all documents exist, name existing files, and describe every crate.
pub(super) fn inspect(root: &Path, report: &mut Report) {
    for path in MUST_EXIST.iter().filter(|path| !root.join(path).is_file()) {
        report.problems.push(format!("{path} is missing"));
    }
    let guides = guides(root);
    let mut linked = BTreeSet::new();
    for path in DOCUMENTS.iter().copied().chain(guides.iter().map(String::as_str)) {
        let Ok(text) = std::fs::read_to_string(root.join(path)) else {
            report.problems.push(format!("{path} is missing"));
            continue;
        };
        for (line, named) in named_files(&text, path) {
            if !root.join(&named).exists() {
                report
                    .problems
                    .push(format!("{path}:{line}: names `{named}`, which does not exist"));
            }
            linked.insert(named);
        }
    }
    let front = std::fs::read_to_string(root.join("README.md")).unwrap_or_default();
    if front.len() > FRONT_PAGE {
        let text = "README.md has more than 9,000 bytes: move a part into a guide in docs";
        report.problems.push(text.to_owned());
    }
    for guide in guides.iter().filter(|it| !linked.contains(*it)) {
        report.problems.push(format!("no document has a link to {guide}"));
    }
    let map = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap_or_default();
    for krate in crates(root).iter().filter(|krate| !map.contains(&format!("| `{krate}` |"))) {
        report.problems.push(format!("ARCHITECTURE.md: no row for the crate `{krate}`"));
    }
}

/// Paths of the guides.
fn guides(root: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(root.join("docs")).into_iter().flatten().flatten();
    let names = entries.filter_map(|it| it.file_name().into_string().ok());
    let mut guides: Vec<String> =
        names.filter(|it| it.ends_with(".md")).map(|it| format!("docs/{it}")).collect();
    guides.sort();
    guides
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
                named.push((number + 1, format!("{folder}{target}")));
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
    }
}
