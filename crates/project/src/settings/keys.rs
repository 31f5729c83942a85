//! The table of all settings: name, field, kind of value, what a project may do to it, and purpose. To add one:
//! a row here, its field and default in [`Settings`], a new kind in `kinds.rs` or rule in `tightening.rs` if
//! none fits, then `UPDATE_REFERENCE=1 cargo test -p graftage help` for its page.

use super::kinds::{self, Kind};
use super::{Settings, tightening};

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
}

/// A row: name, field, kind, what a project may do ([`tightening`]; `free`: set any value), purpose.
macro_rules! key {
    ($name:literal, $($field:ident).+, $kind:ident, $rule:ident, $help:literal) => {
        SettingKey {
            name: $name,
            help: $help,
            takes: kinds::$kind::TAKES,
            get: |s| kinds::$kind::write(&s.$($field).+),
            set: |s, text| {
                s.$($field).+ = kinds::$kind::read(text)?;
                Some(())
            },
            tightens: tightens!($rule, $($field).+),
        }
    };
}

macro_rules! tightens {
    (free, $($field:ident).+) => {
        None
    };
    ($rule:ident, $($field:ident).+) => {
        Some(|users, project| tightening::$rule(&users.$($field).+, &project.$($field).+))
    };
}

#[rustfmt::skip]
const KEYS: &[SettingKey] = &[
    key!("analyzer.build_scripts", analyzer.build_scripts, Flag, at_most,
        "let rust-analyzer run build scripts and procedural macros, in the sandbox"),
    key!("analyzer.live", analyzer.live, Flag, free,
        "use a live rust-analyzer: it checks candidates before cargo and proposes repairs"),
    key!("analyzer.memory_mb", analyzer.memory_mb, Mebibytes, limited,
        "memory limit of rust-analyzer; 0: half of the machine's memory, at most 6 GiB"),
    key!("analyzer.path", analyzer.path, ProgramPath, same,
        "path of rust-analyzer; empty: searched in toolchain, PATH and cache directory"),
    key!("analyzer.timeout_seconds", analyzer.timeout, SecondsOrNone, an_hour_or_derived,
        "time limit for rust-analyzer to index a workspace; 0: derived from its size"),
    key!("cargo.jobs", cargo_jobs, Jobs, some_jobs,
        "parallel jobs of each cargo run; 0: cargo's default"),
    key!("cargo.offline", cargo_offline, Flag, at_least,
        "never download dependencies"),
    key!("check.clippy", check_clippy, Flag, at_least,
        "run clippy in checks"),
    key!("check.configurations", check_configurations, Configurations, more,
        "further configurations that every change must pass, as cargo arguments"),
    key!("check.review", check_review, Flag, at_least,
        "let the language model see a change and its stories before they are played; it can only refuse"),
    key!("check.scope", check_scope, CheckScope, same,
        "packages, features and targets that a check builds, as cargo arguments; `--workspace`: \
         all members with their default features"),
    key!("check.stories", check_stories, Flag, at_least,
        "play the stories that a change may affect in a browser, in checks"),
    key!("check.tests", check_tests, WhichTests, at_least,
        "tests that a check runs; `affected`: those of the changed packages and of the packages \
         that depend on them"),
    key!("check.timeout_seconds", check_timeout, SecondsOrNone, an_hour_or_derived,
        "time limit of one check; 0: derived from the check of the unchanged tree"),
    key!("commit.always", commit_always, Flag, at_most,
        "commit accepted changes without `--commit`"),
    key!("commit.verify", commit_verify, Flag, at_least,
        "check the tree again after a commit, and revert the commit if the check fails"),
    key!("gate.allow_files", gate.allow_files, Globs, listed,
        "files that a change may touch; empty: all files"),
    key!("gate.allow_partial", gate.allow_partial, Flag, at_most,
        "let `--partial` write a change that leaves errors of the tree and adds none"),
    key!("gate.allow_public_changes", gate.allow_public_changes, Flag, at_most,
        "let changes touch public signatures"),
    key!("gate.max_files", gate.max_files, Count, at_most,
        "maximum number of files that one change may touch"),
    key!("gate.max_lines", gate.max_lines, Count, at_most,
        "maximum number of lines that one change may add and remove in total"),
    key!("overlay.require_git", overlay_require_git, Flag, free,
        "give a copy of the project a git folder, for builds that call git; an overlay mount \
         always shows it"),
    key!("sandbox.require", sandbox_require, SandboxLevel, at_least,
        "minimum sandbox level for foreign code: build scripts, macros and tests"),
    key!("search.encoder", search.encoder, Encoder, built_in,
        "encoder of the vectors for searches"),
    key!("search.history", search.history, Flag, free,
        "use git history as a ranking signal: similar commit messages, files that changed \
         together or recently"),
    key!("search.reranker", search.reranker, Reranker, no_reranker,
        "reranker for the top results; a server receives code of the project"),
    key!("search.reranker_model", search.reranker_model, Name, same,
        "model name in requests to a reranker server; empty: the server's default"),
    key!("search.reranker_ms", search.reranker_patience, Milliseconds, at_most,
        "time limit of a reranker server; after it the search continues without the server"),
    key!("search.reranker_shape", search.reranker_shape, Shape, same,
        "request format of the reranker server: `documents` (most servers) or `texts` \
         (text-embeddings-inference)"),
    key!("search.stages", search.stages, SearchStages, free,
        "stages of a search in addition to BM25 and vectors"),
    key!("search.ranker", search.ranker, Ranker, free,
        "weights of the scorer: learned from examples, or set manually"),
    key!("search.weights", search.weights, Directory, same,
        "directory with scorer weights in `find.txt`, `locate.txt`, `mixed.txt`; empty: built-in \
         weights"),
    key!("trust.paths", trust_paths, Directories, fewer,
        "directories outside a project that its builds may read; `--trust-path` adds one"),
    key!("trust.registries", trust_registries, Addresses, fewer,
        "package sources that downloads may contact though only a project names them; \
         `--trust-registry` adds one"),
    key!("trust.skills", trust_skills, Directories, fewer,
        "projects whose skills may be read and run; `graftage skills trust` adds one"),
    key!("fix.analyzer", fix_analyzer, QuickFixes, free,
        "when `fix` uses quick fixes of rust-analyzer; `last`: after all other repairs failed"),
    key!("fix.attempts", fix_attempts, Count, some_attempts,
        "maximum number of candidates that `fix` checks"),
    key!("trace.keep", trace_keep, Count, same,
        "number of traces of runs that are kept in the state directory; 0: none is recorded"),
    key!("fix.coverage", fix_coverage, Flag, free,
        "run failing tests with coverage, to find the code to change"),
    key!("fix.rules", fix_rules, RepairRules, free,
        "rules that propose repairs in `fix`; `compiler`: suggestions of the compiler only"),
    key!("fix.timeout_seconds", fix_timeout, Seconds, an_hour,
        "time limit of the search of `fix`"),
    key!("memory.skills", memory_skills, Store, at_most,
        "where edits that are learned from accepted changes are kept, for `fix` to propose"),
    key!("model.answers", model.answers, Flag, at_most,
        "let the model answer the questions that a change leaves open; its answers are guesses"),
    key!("model.context_tokens", model.context_tokens, Count, at_most,
        "maximum number of tokens of code and errors in the first request to a model"),
    key!("model.max_cost", model.max_cost, Dollars, limited,
        "maximum cost of a run in US dollars; 0: no limit. A model without a known price needs 0"),
    key!("model.max_tokens", model.max_tokens, Tokens, at_most,
        "maximum number of tokens of a run, of input and output"),
    key!("model.name", model.name, ModelName, same,
        "name of the language model"),
    key!("model.provider", model.provider, Provider, none_or_same,
        "provider of the language model that is asked once nothing else has found a change; it \
         receives code of the project. Its key is read from ANTHROPIC_KEY or OPENAI_API_KEY"),
    key!("model.review", model.review, Flag, at_least,
        "let the model review a change of its own that passed; a review can only refuse"),
    key!("model.rounds", model.rounds, Count, at_most,
        "maximum number of edits that a model is asked for in one task"),
    key!("model.server", model.server, ProgramPath, same,
        "program that runs a model of the registry where `model.provider` is `local`, with the arguments \
         of llama-server; empty: `llama-server` in PATH"),
    key!("model.keep", model.keep, Flag, same,
        "start the daemon `dobby` for a local model where none runs, so that the model stays loaded for \
         the next command"),
    key!("model.url", model.url, Url, same,
        "address of the provider; empty: its own"),
    key!("hook.strict", hook_strict, Flag, at_least,
        "let the hooks of coding agents refuse direct edits of Rust files"),
    key!("serve.answers", serve.answers, Answers, free,
        "what answers of `serve mcp` contain; `text`: no JSON, for clients that would show that \
         to the model"),
    key!("serve.apply", serve.apply, Consent, at_least,
        "who is asked before a tool of `serve mcp` writes; `ask`: the user, where the client can \
         show a question; `require`: else nothing is written; `policy`: the gate alone decides"),
    key!("tui.keys", tui_keys, Text, same,
        "keys of `tui`: `accept=ctrl-a, next-patch=J`; `graftage tui --keys` lists them"),
];
