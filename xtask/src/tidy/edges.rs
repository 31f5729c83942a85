//! Workspace rules about manifests: which crate may use which, and what each manifest must have.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{Manifest, Report, crates};

/// The crates that each crate may use. A new edge is a design change: it is added here, in
/// ARCHITECTURE.md and in a commit of its own that gives the reason.
const EDGES: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("untrusted_fs", &["base"]),
    ("record", &["base", "untrusted_fs"]),
    ("syntax", &["base"]),
    ("resolve", &["base", "syntax"]),
    ("graph", &["base"]),
    ("search", &["base", "graph"]),
    ("model", &["base", "untrusted_fs", "search"]),
    ("memory", &["base", "untrusted_fs", "search"]),
    ("tool_schema", &["base", "search"]),
    ("store", &["base", "untrusted_fs", "graph"]),
    ("edit", &["base", "syntax"]),
    ("preserve", &["base", "syntax", "edit"]),
    ("refactor", &["base", "syntax", "edit", "preserve"]),
    ("change", &["base", "syntax", "edit", "preserve", "refactor"]),
    ("repair", &["base", "syntax", "edit", "preserve", "refactor", "change"]),
    ("rpc", &["base"]),
    ("policy", &["base"]),
    ("sandbox", &["base", "untrusted_fs"]),
    ("world", &["base", "policy", "sandbox"]),
    ("repo", &["base", "untrusted_fs", "edit", "policy", "sandbox"]),
    ("build", &["base", "untrusted_fs", "sandbox"]),
    ("analyzer", &["base", "untrusted_fs", "build", "sandbox"]),
    (
        "ingest",
        &[
            "base",
            "untrusted_fs",
            "repo",
            "build",
            "syntax",
            "resolve",
            "analyzer",
            "graph",
            "search",
            "store",
        ],
    ),
    (
        "check",
        &[
            "base",
            "untrusted_fs",
            "syntax",
            "edit",
            "preserve",
            "refactor",
            "change",
            "policy",
            "sandbox",
            "repo",
            "build",
            "analyzer",
            "memory",
            "world",
        ],
    ),
    (
        "project",
        &[
            "base",
            "untrusted_fs",
            "edit",
            "policy",
            "sandbox",
            "repo",
            "build",
            "check",
            "analyzer",
            "graph",
            "ingest",
            "model",
            "dobby",
            "record",
            "search",
            "world",
        ],
    ),
    (
        "code",
        &[
            "base",
            "untrusted_fs",
            "syntax",
            "edit",
            "policy",
            "preserve",
            "repo",
            "graph",
            "ingest",
            "model",
            "resolve",
            "search",
            "store",
            "project",
        ],
    ),
    (
        "tools",
        &[
            "base",
            "untrusted_fs",
            "syntax",
            "edit",
            "preserve",
            "refactor",
            "change",
            "repair",
            "policy",
            "sandbox",
            "repo",
            "build",
            "check",
            "analyzer",
            "graph",
            "ingest",
            "memory",
            "tool_schema",
            "model",
            "record",
            "search",
            "store",
            "project",
            "code",
            "world",
        ],
    ),
    (
        "agent",
        &[
            "base",
            "untrusted_fs",
            "syntax",
            "edit",
            "memory",
            "model",
            "preserve",
            "refactor",
            "change",
            "repair",
            "policy",
            "sandbox",
            "repo",
            "build",
            "check",
            "graph",
            "record",
            "project",
            "code",
            "tools",
        ],
    ),
    (
        "eval",
        &[
            "base", "syntax", "edit", "preserve", "change", "policy", "sandbox", "repo", "build",
            "check", "analyzer", "graph", "ingest", "record", "resolve", "search", "project",
            "code", "tools", "agent",
        ],
    ),
    (
        "tui",
        &[
            "base", "syntax", "edit", "policy", "sandbox", "check", "project", "code", "tools",
            "agent",
        ],
    ),
    ("acp", &["base", "untrusted_fs", "rpc", "edit", "project", "code", "tools", "agent"]),
    ("dobby", &["base", "untrusted_fs", "rpc", "sandbox", "model"]),
    ("fleet", &["base", "untrusted_fs", "sandbox", "dobby"]),
    ("a2a", &["base", "untrusted_fs", "edit", "check", "agent", "serve"]),
    ("serve", &["base", "untrusted_fs", "memory", "project", "code", "tools", "agent", "analyzer"]),
    (
        "graftage",
        &[
            "a2a",
            "acp",
            "base",
            "dobby",
            "fleet",
            "syntax",
            "edit",
            "preserve",
            "refactor",
            "repair",
            "policy",
            "sandbox",
            "repo",
            "build",
            "check",
            "graph",
            "ingest",
            "memory",
            "tool_schema",
            "record",
            "search",
            "project",
            "code",
            "tools",
            "agent",
            "eval",
            "serve",
            "tui",
            "world",
            "untrusted_fs",
        ],
    ),
    ("testkit", &["base", "sandbox"]),
    ("train", &["base", "syntax", "graph", "search"]),
];

/// Pure crates: their `clippy.toml` bans files, processes, clocks and environment.
pub(super) const PURE: &[&str] = &[
    "base",
    "syntax",
    "resolve",
    "graph",
    "search",
    "tool_schema",
    "edit",
    "preserve",
    "refactor",
    "change",
    "repair",
    "policy",
];

/// The calls that the `clippy.toml` of a pure crate must ban.
const PURE_BANS: &[&str] = &[
    "std::fs::read",
    "std::fs::write",
    "std::fs::File::open",
    "std::process::Command::new",
    "std::time::SystemTime::now",
    "std::env::var",
];

/// Foreign crates that only one crate may use, so that their changes affect nothing else.
const ONLY: &[(&str, &[&str])] = &[
    ("candle-core", &["model"]),
    ("cargo_metadata", &["build"]),
    ("clap", &["graftage"]),
    ("crossterm", &["tui"]),
    ("cozo", &["store"]),
    ("hyper", &["serve"]),
    ("hyper-util", &["serve"]),
    ("imara-diff", &["edit"]),
    ("indicatif", &["graftage"]),
    ("landlock", &["sandbox"]),
    ("pulldown-cmark", &["memory", "preserve"]),
    ("ra_ap_parser", &["syntax"]),
    ("ratatui-core", &["tui"]),
    ("rmcp", &["serve"]),
    ("saphyr-parser", &["memory"]),
    ("seccompiler", &["sandbox"]),
    ("sqlite", &["store"]),
    ("tokenizers", &["model"]),
    ("tokio", &["serve"]),
    ("ureq", &["model"]),
];

/// The limit of packages of others in the lock file; a commit that raises it gives the reason. About 145 of
/// them belong to the database engine, which is built only with the feature `store`, and 95 to
/// tensors, tokenizers and TLS, which are built only with `candle` and `tls`;
/// 37 to the Model Context Protocol (`serve`), 17 to the terminal interface and its tests (`tui`).
const LOCKED_PACKAGES: usize = 481;

/// Checks the edges between crates and the keys that every manifest must have.
pub(super) fn inspect(root: &Path, report: &mut Report) {
    let allowed: BTreeMap<&str, &[&str]> = EDGES.iter().copied().collect();
    let only: BTreeMap<&str, &[&str]> = ONLY.iter().copied().collect();
    let present: BTreeSet<String> = crates(root).into_iter().collect();
    for (krate, _) in EDGES.iter().filter(|(krate, _)| !present.contains(*krate)) {
        report.problems.push(format!("crate `{krate}` is in tidy's table but not in crates/"));
    }
    for krate in &present {
        let path = format!("crates/{krate}/Cargo.toml");
        let manifest = match Manifest::read(&root.join(&path)) {
            Ok(manifest) => manifest,
            Err(err) => {
                report.problems.push(err);
                continue;
            }
        };
        let Some(may_use) = allowed.get(krate.as_str()) else {
            report
                .problems
                .push(format!("{path}: crate `{krate}` is not in tidy's table of edges"));
            continue;
        };
        let edges = manifest.dependencies();
        for problem in edge_problems(krate, &edges, may_use, &present, &only) {
            report.problems.push(format!("{path}: {problem}"));
        }
        for problem in manifest_problems(krate, &manifest, root) {
            report.problems.push(format!("{path}: {problem}"));
        }
        check_pure_crate(krate, root, report);
    }
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).unwrap_or_default();
    let locked = lock.lines().filter(|line| line.starts_with("source = ")).count();
    if locked == 0 || locked > LOCKED_PACKAGES {
        report
            .problems
            .push(format!("Cargo.lock: {locked} packages of others, at most {LOCKED_PACKAGES}"));
    }
    let xtask = Manifest::read(&root.join("xtask/Cargo.toml")).unwrap_or_default();
    for (name, _, _) in xtask.dependencies() {
        report
            .problems
            .push(format!("xtask/Cargo.toml: `{name}`: xtask may use the standard library only"));
    }
}

fn edge_problems(
    krate: &str,
    edges: &[(String, String, bool)],
    may_use: &[&str],
    crates: &BTreeSet<String>,
    only: &BTreeMap<&str, &[&str]>,
) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, value, dev) in edges {
        if !value.contains("workspace") && !value.starts_with("true") {
            problems.push(format!("`{name}`: declare it in the root manifest, `workspace = true`"));
        }
        // Tests of a lower crate may use testkit, and only testkit, beyond the crate's own edges.
        let for_tests = *dev && name == "testkit";
        if crates.contains(name) && !for_tests && !may_use.contains(&name.as_str()) {
            problems.push(format!("crate `{krate}` may not depend on `{name}`"));
        }
        if let Some(users) = only.get(name.as_str())
            && !dev
            && !users.contains(&krate)
        {
            problems.push(format!("only {} may use `{name}`", users.join(", ")));
        }
    }
    problems
}

fn manifest_problems(krate: &str, manifest: &Manifest, root: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    let suffix = krate.replace('_', "-");
    let name = if krate == "graftage" { krate.to_owned() } else { format!("graftage-{suffix}") };
    if manifest.get("package", "name").as_deref() != Some(&name) {
        problems.push(format!("the package in crates/{krate} must be named `{name}`"));
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
    let is_library = root.join("crates").join(krate).join("src/lib.rs").is_file();
    if is_library && manifest.get("lib", "doctest").as_deref() != Some("false") {
        problems.push("no `[lib] doctest = false`".to_owned());
    }
    problems
}

fn check_pure_crate(krate: &str, root: &Path, report: &mut Report) {
    if !PURE.contains(&krate) {
        return;
    }
    let path = format!("crates/{krate}/clippy.toml");
    let text = std::fs::read_to_string(root.join(&path)).unwrap_or_default();
    for ban in PURE_BANS.iter().filter(|ban| !text.contains(**ban)) {
        report.problems.push(format!("{path}: a pure crate must ban `{ban}`"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(krate: &str, dependency: &str, value: &str, dev: bool) -> Vec<String> {
        let crates: BTreeSet<String> = EDGES.iter().map(|(krate, _)| (*krate).to_owned()).collect();
        let allowed: BTreeMap<&str, &[&str]> = EDGES.iter().copied().collect();
        let only: BTreeMap<&str, &[&str]> = ONLY.iter().copied().collect();
        let edges = [(dependency.to_owned(), value.to_owned(), dev)];
        edge_problems(krate, &edges, allowed[krate], &crates, &only)
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
    fn a_foreign_crate_is_declared_once_and_used_by_its_crate() {
        assert_eq!(problems("repo", "serde", "\"1\"", false).len(), 1);
        assert_eq!(problems("repo", "landlock", "{ workspace = true }", false).len(), 1);
    }

    #[test]
    fn the_table_has_no_circle() {
        let allowed: BTreeMap<&str, &[&str]> = EDGES.iter().copied().collect();
        for (krate, edges) in EDGES {
            for edge in *edges {
                assert!(!allowed[edge].contains(krate), "{krate} and {edge} use each other");
            }
        }
    }
}
