use std::path::PathBuf;
use std::time::Duration;

use check::{Scope, Tests};
use sandbox::Level;

use super::search::{
    EncoderChoice, RankerChoice, RerankerChoice, SHAPES, parse_stages, stages_text,
};
use super::{FixAnalyzer, FixRules, Settings};

/// One setting: its name, what it is for, and how it is read and written as text.
pub struct Key {
    /// Dotted name: `sandbox.require`.
    pub name: &'static str,
    /// What it is for, in one line.
    pub help: &'static str,
    /// What values it takes.
    pub takes: &'static str,
    pub(super) get: fn(&Settings) -> String,
    pub(super) set: fn(&mut Settings, &str) -> Option<()>,
    /// Whether the second is at least as tight as the first; `None`: a project may set it freely.
    pub(super) tightens: Option<fn(&Settings, &Settings) -> bool>,
}

/// All settings there are, by name.
pub fn keys() -> &'static [Key] {
    KEYS
}

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "analyzer.build_scripts",
        help: "rust-analyzer may run build scripts and procedural macros, in the sandbox",
        takes: "true or false",
        get: |s| s.analyzer_build_scripts.to_string(),
        set: |s, v| set(&mut s.analyzer_build_scripts, v.parse().ok()),
        tightens: Some(|old, new| new.analyzer_build_scripts <= old.analyzer_build_scripts),
    },
    Key {
        name: "analyzer.live",
        help: "a live rust-analyzer looks at candidates before cargo, and proposes repairs",
        takes: "true or false",
        get: |s| s.analyzer_live.to_string(),
        set: |s, v| set(&mut s.analyzer_live, v.parse().ok()),
        tightens: None,
    },
    Key {
        name: "analyzer.memory_mb",
        help: "the most memory that rust-analyzer may have; 0: half of the machine's, at most 6 GiB",
        takes: "a whole number of MiB",
        get: |s| s.analyzer_memory_mb.unwrap_or(0).to_string(),
        set: |s, v| {
            set(&mut s.analyzer_memory_mb, v.parse().ok().map(|n: u64| (n > 0).then_some(n)))
        },
        tightens: Some(|old, new| {
            let most = |s: &Settings| s.analyzer_memory_mb.unwrap_or(u64::MAX);
            most(new) <= most(old)
        }),
    },
    Key {
        name: "analyzer.path",
        help: "the rust-analyzer to use; empty: toolchain, PATH and cache folder are looked through",
        takes: "a program",
        get: |s| s.analyzer_path.as_ref().map_or(String::new(), |it| it.display().to_string()),
        set: |s, v| set(&mut s.analyzer_path, Some((!v.is_empty()).then(|| v.into()))),
        // Which programs are run is the user's to say.
        tightens: Some(|old, new| new.analyzer_path == old.analyzer_path),
    },
    Key {
        name: "analyzer.timeout_seconds",
        help: "the longest that rust-analyzer may read a workspace; 0: by its size",
        takes: "a whole number of seconds",
        get: |s| s.analyzer_timeout.map_or(0, |t| t.as_secs()).to_string(),
        set: |s, v| set(&mut s.analyzer_timeout, seconds(v).map(|t| (!t.is_zero()).then_some(t))),
        tightens: None,
    },
    Key {
        name: "cargo.jobs",
        help: "parallel jobs of each cargo run; 0: cargo's own choice",
        takes: "a whole number",
        get: |s| s.cargo_jobs.unwrap_or(0).to_string(),
        set: |s, v| set(&mut s.cargo_jobs, v.parse().ok().map(|n: u32| (n > 0).then_some(n))),
        tightens: None,
    },
    Key {
        name: "cargo.offline",
        help: "never download missing dependencies",
        takes: "true or false",
        get: |s| s.cargo_offline.to_string(),
        set: |s, v| set(&mut s.cargo_offline, v.parse().ok()),
        tightens: Some(|old, new| new.cargo_offline >= old.cargo_offline),
    },
    Key {
        name: "check.clippy",
        help: "a proof runs clippy too",
        takes: "true or false",
        get: |s| s.check_clippy.to_string(),
        set: |s, v| set(&mut s.check_clippy, v.parse().ok()),
        tightens: Some(|old, new| new.check_clippy >= old.check_clippy),
    },
    Key {
        name: "check.configurations",
        help: "further configurations that every proof must pass, as arguments of cargo",
        takes: "a list such as \"--all-features\", \"-p NAME --no-default-features\"",
        get: |s| {
            let texts: Vec<String> =
                s.check_configurations.iter().map(ToString::to_string).collect();
            texts.join(",")
        },
        set: |s, v| set(&mut s.check_configurations, configurations(v)),
        // A project may ask for more, never for less.
        tightens: Some(|old, new| {
            old.check_configurations.iter().all(|it| new.check_configurations.contains(it))
        }),
    },
    Key {
        name: "check.scope",
        help: "what a proof builds, as arguments of cargo; `--workspace` is all members with their \
               default features",
        takes: "--workspace, -p NAME, --lib, --features A,B, --all-features, --no-default-features, \
                --all-targets, --target TRIPLE",
        get: |s| s.check_scope.to_string(),
        set: |s, v| set(&mut s.check_scope, Scope::parse(v).ok()),
        // What is left out of a proof is the user's to say.
        tightens: Some(|old, new| new.check_scope == old.check_scope),
    },
    Key {
        name: "check.tests",
        help: "which tests a proof runs",
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
    Key {
        name: "check.timeout_seconds",
        help: "the longest that one proof may take; 0: derived from the baseline",
        takes: "a whole number of seconds",
        get: |s| s.check_timeout.map_or(0, |t| t.as_secs()).to_string(),
        set: |s, v| set(&mut s.check_timeout, seconds(v).map(|t| (!t.is_zero()).then_some(t))),
        tightens: None,
    },
    Key {
        name: "commit.always",
        help: "commit accepted changes without `--commit`",
        takes: "true or false",
        get: |s| s.commit_always.to_string(),
        set: |s, v| set(&mut s.commit_always, v.parse().ok()),
        tightens: Some(|old, new| new.commit_always <= old.commit_always),
    },
    Key {
        name: "fix.analyzer",
        help: "when `fix` asks rust-analyzer for repairs; `last`: once nothing else has helped",
        takes: "first, last or never",
        get: |s| s.fix_analyzer.text().to_owned(),
        set: |s, v| {
            let choice = FixAnalyzer::ALL.into_iter().find(|(_, text)| *text == v);
            set(&mut s.fix_analyzer, choice.map(|(choice, _)| choice))
        },
        tightens: None,
    },
    Key {
        name: "fix.attempts",
        help: "how many candidates `fix` proves at most",
        takes: "a whole number",
        get: |s| s.fix_attempts.to_string(),
        set: |s, v| set(&mut s.fix_attempts, v.parse().ok()),
        tightens: None,
    },
    Key {
        name: "fix.rules",
        help: "which rules propose in `fix`: all, or what the compiler suggests alone",
        takes: "all, compiler or none",
        get: |s| s.fix_rules.text().to_owned(),
        set: |s, v| {
            let choice = FixRules::ALL.into_iter().find(|(_, text)| *text == v);
            set(&mut s.fix_rules, choice.map(|(choice, _)| choice))
        },
        tightens: None,
    },
    Key {
        name: "fix.timeout_seconds",
        help: "how long `fix` searches at most",
        takes: "a whole number of seconds",
        get: |s| s.fix_timeout.as_secs().to_string(),
        set: |s, v| set(&mut s.fix_timeout, seconds(v)),
        tightens: None,
    },
    Key {
        name: "gate.allow_files",
        help: "globs of the files that may change, comma-separated; empty: any",
        takes: "globs",
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
    Key {
        name: "gate.allow_public_changes",
        help: "whether a change may touch public signatures",
        takes: "true or false",
        get: |s| s.gate.allow_public_changes.to_string(),
        set: |s, v| set(&mut s.gate.allow_public_changes, v.parse().ok()),
        tightens: Some(|old, new| new.gate.allow_public_changes <= old.gate.allow_public_changes),
    },
    Key {
        name: "gate.max_files",
        help: "how many files one change may touch",
        takes: "a whole number",
        get: |s| s.gate.max_files.to_string(),
        set: |s, v| set(&mut s.gate.max_files, v.parse().ok()),
        tightens: Some(|old, new| new.gate.max_files <= old.gate.max_files),
    },
    Key {
        name: "gate.max_lines",
        help: "how many lines one change may add and remove together",
        takes: "a whole number",
        get: |s| s.gate.max_lines.to_string(),
        set: |s, v| set(&mut s.gate.max_lines, v.parse().ok()),
        tightens: Some(|old, new| new.gate.max_lines <= old.gate.max_lines),
    },
    Key {
        name: "overlay.require_git",
        help: "make views by git (for builds that ask git)",
        takes: "true or false",
        get: |s| s.overlay_require_git.to_string(),
        set: |s, v| set(&mut s.overlay_require_git, v.parse().ok()),
        tightens: None,
    },
    Key {
        name: "sandbox.require",
        help: "the least protection under which foreign code runs",
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
    Key {
        name: "search.encoder",
        help: "who makes the vectors that searches use",
        takes: "embedded, none, the path of a table of words, or `model:` and a name in the folder of \
                models",
        get: |s| s.search.encoder.text(),
        set: |s, v| set(&mut s.search.encoder, EncoderChoice::parse(v)),
        // Which files are read is the user's to say.
        tightens: Some(|old, new| {
            matches!(new.search.encoder, EncoderChoice::Embedded | EncoderChoice::None)
                || new.search.encoder == old.search.encoder
        }),
    },
    Key {
        name: "search.history",
        help: "whether commits have a say: which said the like, what changed together and lately",
        takes: "true or false",
        get: |s| s.search.history.to_string(),
        set: |s, v| set(&mut s.search.history, v.parse().ok()),
        tightens: None,
    },
    Key {
        name: "search.reranker",
        help: "who orders the best candidates anew: texts of the project go to whom it names",
        takes: "none, the address of a server, or the name of a model in the folder of models",
        get: |s| s.search.reranker.text(),
        set: |s, v| set(&mut s.search.reranker, RerankerChoice::parse(v)),
        // Whom texts are shown is the user's to say.
        tightens: Some(|old, new| {
            new.search.reranker == RerankerChoice::None
                || new.search.reranker == old.search.reranker
        }),
    },
    Key {
        name: "search.reranker_model",
        help: "which model a server is asked for; empty: the one that it has",
        takes: "a name",
        get: |s| s.search.reranker_model.clone(),
        set: |s, v| set(&mut s.search.reranker_model, Some(v.to_owned())),
        tightens: Some(|old, new| new.search.reranker_model == old.search.reranker_model),
    },
    Key {
        name: "search.reranker_ms",
        help: "how many milliseconds a server may take; then the search goes on without it",
        takes: "a whole number",
        get: |s| s.search.reranker_patience.as_millis().to_string(),
        set: |s, v| {
            let patience = v.parse().ok().filter(|ms| *ms > 0).map(Duration::from_millis);
            set(&mut s.search.reranker_patience, patience)
        },
        tightens: Some(|old, new| new.search.reranker_patience <= old.search.reranker_patience),
    },
    Key {
        name: "search.reranker_shape",
        help: "what a server wants: `documents` (most of them) or `texts` (text-embeddings-inference)",
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
    Key {
        name: "search.stages",
        help: "which stages a search runs besides words and vectors",
        takes: "any of expansion, files, graph, reciprocal, rerank, rules, comma-separated",
        get: |s| stages_text(&s.search.stages),
        set: |s, v| set(&mut s.search.stages, parse_stages(v)),
        tightens: None,
    },
    Key {
        name: "search.ranker",
        help: "whose weights the scorer has: learned from examples, or the rules that people set",
        takes: "learned or rules",
        get: |s| s.search.ranker.text().to_owned(),
        set: |s, v| {
            let choice = RankerChoice::ALL.into_iter().find(|choice| choice.text() == v);
            set(&mut s.search.ranker, choice)
        },
        tightens: None,
    },
    Key {
        name: "search.weights",
        help: "a folder with `find.txt`, `locate.txt`, `mixed.txt` for the scorer; empty: ours",
        takes: "a folder",
        get: |s| s.search.weights.as_ref().map_or(String::new(), |it| it.display().to_string()),
        set: |s, v| set(&mut s.search.weights, Some((!v.is_empty()).then(|| v.into()))),
        // Which files are read is the user's to say.
        tightens: Some(|old, new| new.search.weights == old.search.weights),
    },
    Key {
        name: "trust.paths",
        help: "folders outside a project that its builds may read; `--trust-path` adds to it",
        takes: "absolute folders, comma-separated",
        get: |s| folders_text(&s.trust_paths),
        set: |s, v| set(&mut s.trust_paths, folders(v)),
        // Which folders are read is the user's to say.
        tightens: Some(|old, new| new.trust_paths.iter().all(|it| old.trust_paths.contains(it))),
    },
];

/// Absolute paths, separated by commas: a path with a comma in it cannot be trusted.
fn folders(text: &str) -> Option<Vec<PathBuf>> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(PathBuf::from);
    parts.map(|path| path.is_absolute().then_some(path)).collect()
}

fn folders_text(folders: &[PathBuf]) -> String {
    folders.iter().map(|it| it.display().to_string()).collect::<Vec<_>>().join(",")
}

fn set<T>(place: &mut T, value: Option<T>) -> Option<()> {
    *place = value?;
    Some(())
}

/// Configurations separated by commas; the names of features are, too, but begin with no dash.
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
    texts.iter().map(|text| Scope::parse(text).ok()).collect()
}

fn seconds(text: &str) -> Option<Duration> {
    text.parse().ok().map(Duration::from_secs)
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
