//! The table of all settings: name, help, parser, printer, and the check that a project only
//! tightens protection. Add a setting here and its field in [`Settings`].

use std::path::PathBuf;
use std::time::Duration;

use check::{Scope, Tests};
use sandbox::Level;

use super::Settings;
use super::fixing::FIX_KEYS;
use super::hook::HOOK_KEYS;
use super::limits::{LONGEST, MOST_JOBS, is_within};
use super::memory::MEMORY_KEYS;
use super::model::MODEL_KEYS;
use super::search::{
    EncoderChoice, RankerChoice, RerankerChoice, SHAPES, parse_stages, stages_text,
};
use super::serve::SERVE_KEYS;

/// One setting: name, help text, parser and printer.
pub(crate) struct SettingKey {
    /// Dotted name such as `sandbox.require`.
    pub name: &'static str,
    /// Purpose, one line.
    pub help: &'static str,
    /// Accepted values.
    pub takes: &'static str,
    pub(super) get: fn(&Settings) -> String,
    pub(super) set: fn(&mut Settings, &str) -> Option<()>,
    /// Whether the second settings are at least as strict as the first; `None`: a project may set any
    /// value.
    pub(super) tightens: Option<fn(&Settings, &Settings) -> bool>,
}

/// All settings, grouped by the part that they configure.
pub(crate) fn keys() -> impl Iterator<Item = &'static SettingKey> {
    KEYS.iter()
        .chain(FIX_KEYS)
        .chain(MEMORY_KEYS)
        .chain(MODEL_KEYS)
        .chain(HOOK_KEYS)
        .chain(SERVE_KEYS)
}

const KEYS: &[SettingKey] = &[
    SettingKey {
        name: "analyzer.build_scripts",
        help: "let rust-analyzer run build scripts and procedural macros, in the sandbox",
        takes: "true or false",
        get: |s| s.analyzer.build_scripts.to_string(),
        set: |s, v| set(&mut s.analyzer.build_scripts, v.parse().ok()),
        tightens: Some(|old, new| new.analyzer.build_scripts <= old.analyzer.build_scripts),
    },
    SettingKey {
        name: "analyzer.live",
        help: "use a live rust-analyzer: it checks candidates before cargo and proposes repairs",
        takes: "true or false",
        get: |s| s.analyzer.live.to_string(),
        set: |s, v| set(&mut s.analyzer.live, v.parse().ok()),
        tightens: None,
    },
    SettingKey {
        name: "analyzer.memory_mb",
        help: "memory limit of rust-analyzer; 0: half of the machine's memory, at most 6 GiB",
        takes: "a whole number of MiB",
        get: |s| s.analyzer.memory_mb.unwrap_or(0).to_string(),
        set: |s, v| {
            set(&mut s.analyzer.memory_mb, v.parse().ok().map(|n: u64| (n > 0).then_some(n)))
        },
        tightens: Some(|old, new| {
            let most = |s: &Settings| s.analyzer.memory_mb.unwrap_or(u64::MAX);
            most(new) <= most(old)
        }),
    },
    SettingKey {
        name: "analyzer.path",
        help: "path of rust-analyzer; empty: searched in toolchain, PATH and cache directory",
        takes: "the path of a program, or nothing",
        get: |s| s.analyzer.path.as_ref().map_or(String::new(), |it| it.display().to_string()),
        set: |s, v| set(&mut s.analyzer.path, Some((!v.is_empty()).then(|| v.into()))),
        // Only the user may choose the programs that run.
        tightens: Some(|old, new| new.analyzer.path == old.analyzer.path),
    },
    SettingKey {
        name: "analyzer.timeout_seconds",
        help: "time limit for rust-analyzer to index a workspace; 0: derived from its size",
        takes: "a whole number of seconds, at most a year",
        get: |s| s.analyzer.timeout.map_or(0, |t| t.as_secs()).to_string(),
        set: |s, v| set(&mut s.analyzer.timeout, seconds(v).map(|t| (!t.is_zero()).then_some(t))),
        tightens: Some(|old, new| {
            is_within(old.analyzer.timeout.as_ref(), new.analyzer.timeout.as_ref(), &LONGEST)
        }),
    },
    SettingKey {
        name: "cargo.jobs",
        help: "parallel jobs of each cargo run; 0: cargo's default",
        takes: "a whole number",
        get: |s| s.cargo_jobs.unwrap_or(0).to_string(),
        set: |s, v| set(&mut s.cargo_jobs, v.parse().ok().map(|n: u32| (n > 0).then_some(n))),
        tightens: Some(|old, new| {
            is_within(old.cargo_jobs.as_ref(), new.cargo_jobs.as_ref(), &MOST_JOBS)
        }),
    },
    SettingKey {
        name: "cargo.offline",
        help: "never download dependencies",
        takes: "true or false",
        get: |s| s.cargo_offline.to_string(),
        set: |s, v| set(&mut s.cargo_offline, v.parse().ok()),
        tightens: Some(|old, new| new.cargo_offline >= old.cargo_offline),
    },
    SettingKey {
        name: "check.clippy",
        help: "run clippy in checks",
        takes: "true or false",
        get: |s| s.check_clippy.to_string(),
        set: |s, v| set(&mut s.check_clippy, v.parse().ok()),
        tightens: Some(|old, new| new.check_clippy >= old.check_clippy),
    },
    SettingKey {
        name: "check.configurations",
        help: "further configurations that every change must pass, as cargo arguments",
        takes: "a list such as \"--all-features\", \"-p NAME --no-default-features\"",
        get: |s| {
            let texts: Vec<String> =
                s.check_configurations.iter().map(ToString::to_string).collect();
            texts.join(",")
        },
        set: |s, v| set(&mut s.check_configurations, configurations(v)),
        // A project may add configurations, not remove them.
        tightens: Some(|old, new| {
            old.check_configurations.iter().all(|it| new.check_configurations.contains(it))
        }),
    },
    SettingKey {
        name: "check.scope",
        help: "packages, features and targets that a check builds, as cargo arguments; `--workspace`: \
               all members with their default features",
        takes: "--workspace, -p NAME, --lib, --features A,B, --all-features, --no-default-features, \
                --all-targets, --target TRIPLE",
        get: |s| s.check_scope.to_string(),
        set: |s, v| set(&mut s.check_scope, Scope::parse(v).ok()),
        // Only the user may exclude parts of the project from checks.
        tightens: Some(|old, new| new.check_scope == old.check_scope),
    },
    SettingKey {
        name: "check.tests",
        help: "tests that a check runs; `affected`: those of the changed packages and of the packages \
               that depend on them",
        takes: "none, affected or all",
        get: |s| tests_name(s.check_tests).to_owned(),
        set: |s, v| {
            set(
                &mut s.check_tests,
                [Tests::None, Tests::Affected, Tests::All]
                    .into_iter()
                    .find(|t| tests_name(*t) == v),
            )
        },
        tightens: Some(|old, new| new.check_tests as u8 >= old.check_tests as u8),
    },
    SettingKey {
        name: "check.timeout_seconds",
        help: "time limit of one check; 0: derived from the check of the unchanged tree",
        takes: "a whole number of seconds, at most a year",
        get: |s| s.check_timeout.map_or(0, |t| t.as_secs()).to_string(),
        set: |s, v| set(&mut s.check_timeout, seconds(v).map(|t| (!t.is_zero()).then_some(t))),
        tightens: Some(|old, new| {
            is_within(old.check_timeout.as_ref(), new.check_timeout.as_ref(), &LONGEST)
        }),
    },
    SettingKey {
        name: "commit.always",
        help: "commit accepted changes without `--commit`",
        takes: "true or false",
        get: |s| s.commit_always.to_string(),
        set: |s, v| set(&mut s.commit_always, v.parse().ok()),
        tightens: Some(|old, new| new.commit_always <= old.commit_always),
    },
    SettingKey {
        name: "commit.verify",
        help: "check the tree again after a commit, and revert the commit if the check fails",
        takes: "true or false",
        get: |s| s.commit_verify.to_string(),
        set: |s, v| set(&mut s.commit_verify, v.parse().ok()),
        tightens: Some(|old, new| new.commit_verify >= old.commit_verify),
    },
    SettingKey {
        name: "gate.allow_files",
        help: "files that a change may touch; empty: all files",
        takes: "globs, comma-separated",
        get: |s| s.gate.allow_files.join(","),
        set: |s, v| {
            s.gate.allow_files =
                v.split(',').map(str::trim).filter(|g| !g.is_empty()).map(str::to_owned).collect();
            Some(())
        },
        tightens: Some(|old, new| {
            old.gate.allow_files.is_empty() || new.gate.allow_files == old.gate.allow_files
        }),
    },
    SettingKey {
        name: "gate.allow_public_changes",
        help: "let changes touch public signatures",
        takes: "true or false",
        get: |s| s.gate.allow_public_changes.to_string(),
        set: |s, v| set(&mut s.gate.allow_public_changes, v.parse().ok()),
        tightens: Some(|old, new| new.gate.allow_public_changes <= old.gate.allow_public_changes),
    },
    SettingKey {
        name: "gate.max_files",
        help: "maximum number of files that one change may touch",
        takes: "a whole number",
        get: |s| s.gate.max_files.to_string(),
        set: |s, v| set(&mut s.gate.max_files, v.parse().ok()),
        tightens: Some(|old, new| new.gate.max_files <= old.gate.max_files),
    },
    SettingKey {
        name: "gate.max_lines",
        help: "maximum number of lines that one change may add and remove in total",
        takes: "a whole number",
        get: |s| s.gate.max_lines.to_string(),
        set: |s, v| set(&mut s.gate.max_lines, v.parse().ok()),
        tightens: Some(|old, new| new.gate.max_lines <= old.gate.max_lines),
    },
    SettingKey {
        name: "overlay.require_git",
        help: "give a copy of the project a git folder, for builds that call git; an overlay mount always shows it",
        takes: "true or false",
        get: |s| s.overlay_require_git.to_string(),
        set: |s, v| set(&mut s.overlay_require_git, v.parse().ok()),
        tightens: None,
    },
    SettingKey {
        name: "sandbox.require",
        help: "minimum sandbox level for foreign code: build scripts, macros and tests",
        takes: "best_effort, standard or strong",
        get: |s| level_name(s.sandbox_require).to_owned(),
        set: |s, v| {
            set(
                &mut s.sandbox_require,
                [Level::BestEffort, Level::Standard, Level::Strong]
                    .into_iter()
                    .find(|l| level_name(*l) == v),
            )
        },
        tightens: Some(|old, new| new.sandbox_require >= old.sandbox_require),
    },
    SettingKey {
        name: "search.encoder",
        help: "encoder of the vectors for searches",
        takes: "embedded, none, the path of a word table, or `model:NAME` for a model in the models \
                directory",
        get: |s| s.search.encoder.text(),
        set: |s, v| set(&mut s.search.encoder, EncoderChoice::parse(v)),
        // Only the user may choose files that are read.
        tightens: Some(|old, new| {
            matches!(new.search.encoder, EncoderChoice::Embedded | EncoderChoice::None)
                || new.search.encoder == old.search.encoder
        }),
    },
    SettingKey {
        name: "search.history",
        help: "use git history as a ranking signal: similar commit messages, files that changed together \
               or recently",
        takes: "true or false",
        get: |s| s.search.history.to_string(),
        set: |s, v| set(&mut s.search.history, v.parse().ok()),
        tightens: None,
    },
    SettingKey {
        name: "search.reranker",
        help: "reranker for the top results; a server receives code of the project",
        takes: "none, the URL of a server, or the name of a model in the models directory",
        get: |s| s.search.reranker.text(),
        set: |s, v| set(&mut s.search.reranker, RerankerChoice::parse(v)),
        // Only the user may choose who receives code of the project.
        tightens: Some(|old, new| {
            new.search.reranker == RerankerChoice::None
                || new.search.reranker == old.search.reranker
        }),
    },
    SettingKey {
        name: "search.reranker_model",
        help: "model name in requests to a reranker server; empty: the server's default",
        takes: "a name, or nothing",
        get: |s| s.search.reranker_model.clone(),
        set: |s, v| set(&mut s.search.reranker_model, Some(v.to_owned())),
        tightens: Some(|old, new| new.search.reranker_model == old.search.reranker_model),
    },
    SettingKey {
        name: "search.reranker_ms",
        help: "time limit of a reranker server; after it the search continues without the server",
        takes: "a whole number of milliseconds, at least 1",
        get: |s| s.search.reranker_patience.as_millis().to_string(),
        set: |s, v| {
            let patience = v.parse().ok().filter(|ms| *ms > 0).map(Duration::from_millis);
            set(&mut s.search.reranker_patience, patience)
        },
        tightens: Some(|old, new| new.search.reranker_patience <= old.search.reranker_patience),
    },
    SettingKey {
        name: "search.reranker_shape",
        help: "request format of the reranker server: `documents` (most servers) or `texts` \
               (text-embeddings-inference)",
        takes: "documents or texts",
        get: |s| {
            let of = SHAPES.iter().find(|(_, shape)| *shape == s.search.reranker_shape);
            of.map_or(String::new(), |(name, _)| (*name).to_owned())
        },
        set: |s, v| {
            let shape = SHAPES.iter().find(|(name, _)| *name == v).map(|(_, shape)| *shape);
            set(&mut s.search.reranker_shape, shape)
        },
        tightens: Some(|old, new| new.search.reranker_shape == old.search.reranker_shape),
    },
    SettingKey {
        name: "search.stages",
        help: "stages of a search in addition to BM25 and vectors",
        takes: "any of expansion, files, graph, reciprocal, rerank, rules, comma-separated",
        get: |s| stages_text(&s.search.stages),
        set: |s, v| set(&mut s.search.stages, parse_stages(v)),
        tightens: None,
    },
    SettingKey {
        name: "search.ranker",
        help: "weights of the scorer: learned from examples, or set manually",
        takes: "learned or rules",
        get: |s| s.search.ranker.text().to_owned(),
        set: |s, v| {
            let choice = RankerChoice::ALL.into_iter().find(|choice| choice.text() == v);
            set(&mut s.search.ranker, choice)
        },
        tightens: None,
    },
    SettingKey {
        name: "search.weights",
        help: "directory with scorer weights in `find.txt`, `locate.txt`, `mixed.txt`; empty: built-in weights",
        takes: "a directory, or nothing",
        get: |s| s.search.weights.as_ref().map_or(String::new(), |it| it.display().to_string()),
        set: |s, v| set(&mut s.search.weights, Some((!v.is_empty()).then(|| v.into()))),
        // Only the user may choose files that are read.
        tightens: Some(|old, new| new.search.weights == old.search.weights),
    },
    SettingKey {
        name: "trust.paths",
        help: "directories outside a project that its builds may read; `--trust-path` adds one",
        takes: "absolute paths, comma-separated",
        get: |s| folders_text(&s.trust_paths),
        set: |s, v| set(&mut s.trust_paths, folders(v)),
        // Only the user may trust directories.
        tightens: Some(|old, new| new.trust_paths.iter().all(|it| old.trust_paths.contains(it))),
    },
    SettingKey {
        name: "trust.registries",
        help: "package sources that downloads may contact though only a project names them; `--trust-registry` adds one",
        takes: "addresses, comma-separated",
        get: |s| s.trust_registries.join(","),
        set: |s, v| set(&mut s.trust_registries, addresses(v)),
        // Only the user may trust addresses.
        tightens: Some(|old, new| {
            new.trust_registries.iter().all(|it| old.trust_registries.contains(it))
        }),
    },
    SettingKey {
        name: "trust.skills",
        help: "projects whose skills may be read and run; `graftage skills trust` adds one",
        takes: "absolute paths, comma-separated",
        get: |s| folders_text(&s.trust_skills),
        set: |s, v| set(&mut s.trust_skills, folders(v)),
        // Only the user may trust projects.
        tightens: Some(|old, new| new.trust_skills.iter().all(|it| old.trust_skills.contains(it))),
    },
];

/// Parses addresses, separated by commas.
fn addresses(text: &str) -> Option<Vec<String>> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|it| crate::trust::is_address(it).then(|| it.to_owned())).collect()
}

/// Parses absolute paths, separated by commas, so a path with a comma cannot be trusted.
fn folders(text: &str) -> Option<Vec<PathBuf>> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(PathBuf::from);
    parts.map(|path| path.is_absolute().then_some(path)).collect()
}

fn folders_text(folders: &[PathBuf]) -> String {
    folders.iter().map(|it| it.display().to_string()).collect::<Vec<_>>().join(",")
}

pub(super) fn set<T>(field: &mut T, value: Option<T>) -> Option<()> {
    *field = value?;
    Some(())
}

/// Parses configurations, separated by commas. Feature names are separated by commas too, but do not
/// start with a dash.
fn configurations(text: &str) -> Option<Vec<Scope>> {
    let mut texts: Vec<String> = Vec::new();
    for part in text.split(',') {
        let starts = part.trim_start().starts_with('-');
        match texts.last_mut().filter(|_| !starts) {
            Some(last) => {
                last.push(',');
                last.push_str(part);
            }
            None => texts.push(part.to_owned()),
        }
    }
    texts.retain(|text| !text.trim().is_empty());
    if texts.len() > MAX_CONFIGURATIONS {
        return None;
    }
    texts.iter().map(|text| Scope::parse(text).ok()).collect()
}

/// Most configurations of one setting: each is a check of its own.
const MAX_CONFIGURATIONS: usize = 64;
/// Longest time of a setting: a year.
const MAX_SECONDS: u64 = 366 * 24 * 3_600;

pub(super) fn seconds(text: &str) -> Option<Duration> {
    text.parse().ok().filter(|it| *it <= MAX_SECONDS).map(Duration::from_secs)
}

fn tests_name(tests: Tests) -> &'static str {
    match tests {
        Tests::None => "none",
        Tests::Affected => "affected",
        Tests::All => "all",
    }
}

fn level_name(level: Level) -> &'static str {
    match level {
        Level::BestEffort => "best_effort",
        Level::Standard => "standard",
        Level::Strong => "strong",
    }
}
