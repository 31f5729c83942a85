use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{Manifest, Report, rooms};

/// Which room may use which. A new edge is a design change: it is added here, in ARCHITECTURE.md
/// and in a commit of its own that says why.
const EDGES: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("beneath", &["base"]),
    ("syntax", &["base"]),
    ("resolve", &["base", "syntax"]),
    ("graph", &["base"]),
    ("search", &["base", "graph"]),
    ("model", &["base", "search"]),
    ("store", &["base", "graph"]),
    ("edit", &["base", "syntax"]),
    ("preserve", &["base", "syntax", "edit"]),
    ("repair", &["base", "syntax", "edit", "preserve"]),
    ("policy", &["base"]),
    ("sandbox", &["base", "beneath"]),
    ("repo", &["base", "beneath", "edit", "policy", "sandbox"]),
    ("cargo", &["base", "beneath", "sandbox"]),
    ("analyzer", &["base", "beneath", "cargo", "sandbox"]),
    (
        "ingest",
        &[
            "base", "beneath", "repo", "cargo", "syntax", "resolve", "analyzer", "graph", "search",
            "store",
        ],
    ),
    (
        "check",
        &[
            "base", "beneath", "syntax", "edit", "preserve", "policy", "sandbox", "repo", "cargo",
            "analyzer",
        ],
    ),
    (
        "tools",
        &[
            "base", "beneath", "syntax", "edit", "preserve", "repair", "policy", "sandbox", "repo",
            "cargo", "check", "analyzer", "graph", "ingest", "model", "resolve", "search", "store",
        ],
    ),
    (
        "agent",
        &[
            "base", "syntax", "edit", "preserve", "repair", "policy", "sandbox", "repo", "cargo",
            "check", "graph", "tools",
        ],
    ),
    (
        "eval",
        &[
            "base", "syntax", "edit", "preserve", "repair", "policy", "sandbox", "repo", "cargo",
            "check", "analyzer", "graph", "ingest", "resolve", "search", "tools", "agent",
        ],
    ),
    (
        "graftage",
        &[
            "base", "syntax", "edit", "preserve", "repair", "policy", "sandbox", "repo", "cargo",
            "check", "graph", "ingest", "search", "tools", "agent", "eval",
        ],
    ),
    ("testkit", &["base", "sandbox"]),
    ("train", &["base", "syntax", "graph", "search"]),
];

/// Rooms of text and numbers: their `clippy.toml` bans files, processes, clocks and environment.
pub(super) const PURE: &[&str] =
    &["base", "syntax", "resolve", "graph", "search", "edit", "preserve", "repair", "policy"];

/// What a pure room's `clippy.toml` bans at least.
const PURE_BANS: &[&str] = &[
    "std::fs::read",
    "std::fs::write",
    "std::fs::File::open",
    "std::process::Command::new",
    "std::time::SystemTime::now",
    "std::env::var",
];

/// Foreign crates that one room alone may know, so that a change of theirs ends there.
const ONLY: &[(&str, &[&str])] = &[
    ("candle-core", &["model"]),
    ("cargo_metadata", &["cargo"]),
    ("clap", &["graftage"]),
    ("cozo", &["store"]),
    ("imara-diff", &["edit"]),
    ("indicatif", &["graftage"]),
    ("landlock", &["sandbox"]),
    ("seccompiler", &["sandbox"]),
    ("sqlite", &["store"]),
    ("tokenizers", &["model"]),
    ("tree-sitter", &["syntax"]),
    ("tree-sitter-rust", &["syntax"]),
    ("ureq", &["model"]),
];

/// How many packages the lock file may name: whoever raises it says in the commit what for. About
/// 145 of them come with the database engine, which is built only with the feature `store`, and 95
/// with tensors, their tokenizers and TLS, which are built only with `candle` and `tls`.
const LOCKED_PACKAGES: usize = 430;

/// Holds the edges between rooms and what every manifest must say.
pub(super) fn inspect(root: &Path, report: &mut Report) {
    let allowed: BTreeMap<&str, &[&str]> = EDGES.iter().copied().collect();
    let only: BTreeMap<&str, &[&str]> = ONLY.iter().copied().collect();
    let present: BTreeSet<String> = rooms(root).into_iter().collect();
    for (room, _) in EDGES.iter().filter(|(room, _)| !present.contains(*room)) {
        report.problems.push(format!("room `{room}` is in tidy's table but not in crates/"));
    }
    for room in &present {
        let path = format!("crates/{room}/Cargo.toml");
        let manifest = match Manifest::read(&root.join(&path)) {
            Ok(manifest) => manifest,
            Err(err) => {
                report.problems.push(err);
                continue;
            }
        };
        let Some(may_use) = allowed.get(room.as_str()) else {
            report.problems.push(format!("{path}: room `{room}` is not in tidy's table of edges"));
            continue;
        };
        let edges = manifest.dependencies();
        for problem in edge_problems(room, &edges, may_use, &present, &only) {
            report.problems.push(format!("{path}: {problem}"));
        }
        for problem in manifest_problems(room, &manifest, root) {
            report.problems.push(format!("{path}: {problem}"));
        }
        pure_room(room, root, report);
    }
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).unwrap_or_default();
    let locked = lock.lines().filter(|line| *line == "[[package]]").count();
    if locked == 0 || locked > LOCKED_PACKAGES {
        report.problems.push(format!("Cargo.lock: {locked} packages, at most {LOCKED_PACKAGES}"));
    }
    let xtask = Manifest::read(&root.join("xtask/Cargo.toml")).unwrap_or_default();
    for (name, _, _) in xtask.dependencies() {
        report.problems.push(format!("xtask/Cargo.toml: `{name}`: the standard library only"));
    }
}

fn edge_problems(
    room: &str,
    edges: &[(String, String, bool)],
    may_use: &[&str],
    rooms: &BTreeSet<String>,
    only: &BTreeMap<&str, &[&str]>,
) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, value, dev) in edges {
        if !value.contains("workspace") && !value.starts_with("true") {
            problems.push(format!("`{name}`: declare it in the root manifest, `workspace = true`"));
        }
        // Tests of a lower room may use testkit, and testkit alone, beyond the room's own edges.
        let for_tests = *dev && name == "testkit";
        if rooms.contains(name) && !for_tests && !may_use.contains(&name.as_str()) {
            problems.push(format!("room `{room}` may not depend on `{name}`"));
        }
        if let Some(knowers) = only.get(name.as_str())
            && !dev
            && !knowers.contains(&room)
        {
            problems.push(format!("only {} may know `{name}`", knowers.join(", ")));
        }
    }
    problems
}

fn manifest_problems(room: &str, manifest: &Manifest, root: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    let name = if room == "graftage" { room.to_owned() } else { format!("graftage-{room}") };
    if manifest.get("package", "name").as_deref() != Some(&name) {
        problems.push(format!("the package in crates/{room} is named `{name}`"));
    }
    if manifest.get("package", "description").is_none_or(|text| text.is_empty()) {
        problems.push("no `description`".to_owned());
    }
    for key in ["license", "publish"] {
        let value = manifest.get("package", key).unwrap_or_default();
        if value != "{ workspace = true }" {
            problems.push(format!("no `{key}.workspace = true`"));
        }
    }
    if manifest.get("lints", "workspace").as_deref() != Some("true") {
        problems.push("no `[lints] workspace = true`".to_owned());
    }
    let is_library = root.join("crates").join(room).join("src/lib.rs").is_file();
    if is_library && manifest.get("lib", "doctest").as_deref() != Some("false") {
        problems.push("no `[lib] doctest = false`".to_owned());
    }
    problems
}

fn pure_room(room: &str, root: &Path, report: &mut Report) {
    if !PURE.contains(&room) {
        return;
    }
    let path = format!("crates/{room}/clippy.toml");
    let text = std::fs::read_to_string(root.join(&path)).unwrap_or_default();
    for ban in PURE_BANS.iter().filter(|ban| !text.contains(**ban)) {
        report.problems.push(format!("{path}: a pure room bans `{ban}`"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(room: &str, dependency: &str, value: &str, dev: bool) -> Vec<String> {
        let rooms: BTreeSet<String> = EDGES.iter().map(|(room, _)| (*room).to_owned()).collect();
        let allowed: BTreeMap<&str, &[&str]> = EDGES.iter().copied().collect();
        let only: BTreeMap<&str, &[&str]> = ONLY.iter().copied().collect();
        let edges = [(dependency.to_owned(), value.to_owned(), dev)];
        edge_problems(room, &edges, allowed[room], &rooms, &only)
    }

    #[test]
    fn an_edge_that_is_not_in_the_table_is_refused() {
        assert_eq!(problems("edit", "repo", "{ workspace = true }", false).len(), 1);
        assert_eq!(problems("repo", "edit", "{ workspace = true }", false).len(), 0);
    }

    #[test]
    fn the_kit_is_for_tests_alone() {
        assert_eq!(problems("edit", "testkit", "{ workspace = true }", true).len(), 0);
        assert_eq!(problems("edit", "testkit", "{ workspace = true }", false).len(), 1);
    }

    #[test]
    fn a_foreign_crate_is_declared_once_and_known_to_its_room() {
        assert_eq!(problems("repo", "serde", "\"1\"", false).len(), 1);
        assert_eq!(problems("repo", "landlock", "{ workspace = true }", false).len(), 1);
    }

    #[test]
    fn the_table_has_no_circle() {
        let allowed: BTreeMap<&str, &[&str]> = EDGES.iter().copied().collect();
        for (room, edges) in EDGES {
            for edge in *edges {
                assert!(!allowed[edge].contains(room), "{room} and {edge} use each other");
            }
        }
    }
}
