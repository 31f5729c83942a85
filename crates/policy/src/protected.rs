//! The files, and the keys of manifests, that only a person may change: whatever decides how code is
//! built, tested, limited, trusted, committed, or run by the user's other tools. The table is data; the
//! gate compares every change with it, whoever made the change, and a person allows one file by its name
//! (`--allow protected-file:PATH`). Start at [`protected`] and [`protected_key`].

use std::sync::LazyLock;

use base::ProjectPath;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Serialize};

/// The rule of the gate, and the prefix of what allows one file: `protected-file:PATH`.
pub const PROTECTED_FILE: &str = "protected-file";

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Protected {
    /// Names of files or folders, at any depth and in any case; a folder has all that is below it. Of a
    /// manifest, the keys.
    pub names: &'static [&'static str],
    /// Whether `names` are keys of a `Cargo.toml`.
    pub is_key: bool,
    /// Reason: what the file decides.
    pub reason: &'static str,
    /// Who may change it without a name.
    pub except: Exception,
}

/// Who may change a protected file without that a person allows it by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exception {
    /// Nobody.
    None,
    /// The rules of graftage itself: repairs, upgrades, migrations, refactorings. No edit of a model, an
    /// agent or a program.
    OwnRules,
}

/// Origin of a change, as the caller of the gate declares it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChangeSource {
    /// Edits from outside: of a person, a model, an agent, a program.
    #[default]
    Edits,
    /// Rules of graftage, whose edits of models were filtered by file before.
    OwnRules,
}

/// A part of a change that a person must allow by the name of its file, where the path alone does not
/// show it: keys of manifests, build scripts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProtectedChange {
    /// File.
    pub path: ProjectPath,
    /// Key of a manifest; `None`: the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Reason: what it decides.
    pub reason: String,
    /// Whether graftage's own rules may change it.
    #[serde(default)]
    pub by_rules: bool,
}

const fn files(names: &'static [&'static str], reason: &'static str) -> Protected {
    Protected { names, is_key: false, reason, except: Exception::None }
}

const fn keys(names: &'static [&'static str], reason: &'static str) -> Protected {
    Protected { names, is_key: true, reason, except: Exception::None }
}

const fn own(names: &'static [&'static str], reason: &'static str) -> Protected {
    Protected { names, is_key: false, reason, except: Exception::OwnRules }
}

/// The table.
pub const PROTECTED: &[Protected] = &[
    files(
        &["graftage.toml", "graftage-policy.toml", ".graftage*"],
        "the limits and the policy of graftage",
    ),
    files(
        &[".cargo"],
        "the compiler, its flags, aliases, registries and credentials that cargo uses",
    ),
    files(&["rust-toolchain", "rust-toolchain.toml"], "the toolchain that builds the code"),
    files(
        &["clippy.toml", ".clippy.toml", "rustfmt.toml", ".rustfmt.toml"],
        "the limits of lints and the format",
    ),
    files(
        &[
            "deny.toml",
            ".deny.toml",
            "supply-chain",
            "audit.toml",
            "nextest.toml",
            "insta.yaml",
            ".config",
        ],
        "the limits of dependencies and the runner of tests",
    ),
    own(&["Cargo.lock"], "the versions and checksums of the dependencies"),
    own(&["build.rs"], "a program that cargo runs during the build"),
    files(
        &[
            ".git",
            ".gitmodules",
            ".gitattributes",
            ".gitignore",
            ".githooks",
            ".husky",
            ".hg",
            ".svn",
            ".jj",
        ],
        "what git runs, fetches, filters and leaves out",
    ),
    files(
        &[
            ".pre-commit-config.yaml",
            ".pre-commit-config.yml",
            "lefthook.y*ml",
            ".lefthook*",
            "lint-staged*",
            ".lintstagedrc*",
        ],
        "programs that run before a commit",
    ),
    files(
        &[
            ".vscode",
            "*.code-workspace",
            ".idea",
            ".zed",
            ".helix",
            ".fleet",
            ".nvim*",
            ".vim*",
            ".exrc",
            ".dir-locals*.el",
            ".editorconfig",
            ".emacs*",
            ".neoconf.json",
            ".rust-analyzer*",
            "rust-analyzer.toml",
            "rust-project.json",
        ],
        "programs and settings that an editor starts with",
    ),
    files(
        &[
            ".claude",
            ".claude.json",
            ".mcp.json",
            "mcp.json",
            ".cursor",
            ".codex",
            ".agents",
            ".gemini",
            ".windsurf",
            ".continue",
            ".aider*",
            ".roo",
            ".clinerules*",
            ".junie",
            ".kiro",
            ".amazonq",
            ".opencode",
            "opencode.json*",
        ],
        "tools, permissions and hooks of coding agents",
    ),
    files(
        &[
            "AGENTS.md",
            "AGENTS.override.md",
            "CLAUDE.md",
            "CLAUDE.local.md",
            "GEMINI.md",
            "QWEN.md",
            "CONVENTIONS.md",
            ".cursorrules",
            ".windsurfrules",
            ".goosehints",
            "copilot-instructions.md",
            "SKILL.md",
        ],
        "instructions that coding agents follow",
    ),
    files(
        &[
            ".github",
            ".gitlab-ci.yml",
            ".gitlab",
            ".gitea",
            ".forgejo",
            ".circleci",
            ".woodpecker*",
            ".travis.yml",
            ".drone.yml",
            ".buildkite",
            ".builds",
            ".build.yml",
            "Jenkinsfile*",
            "azure-pipelines*.yml",
            "bitbucket-pipelines.yml",
            ".appveyor.yml",
            "appveyor.yml",
            ".cirrus.yml",
            "renovate.json*",
            "CODEOWNERS",
            "cloudbuild.y*ml",
            ".azure-pipelines",
            ".renovaterc*",
            "dist-workspace.toml",
            "release-plz.toml",
        ],
        "what runs on a build server, with its secrets",
    ),
    files(
        &[
            ".envrc",
            ".env*",
            "*.env",
            ".direnv",
            "mise.toml",
            ".mise*",
            ".tool-versions",
            "flake.nix",
            "flake.lock",
            "shell.nix",
            "default.nix",
            "devenv.nix",
            ".netrc",
            "_netrc",
            ".npmrc",
            ".yarnrc*",
            ".pypirc",
            ".pip",
            ".ssh",
            ".gnupg",
            ".aws",
            ".docker",
            ".kube",
        ],
        "the environment, its secrets and credentials",
    ),
    files(
        &[
            "Makefile*",
            "GNUmakefile",
            "*.mk",
            "justfile",
            ".justfile",
            "*.just",
            "Makefile.toml",
            "Taskfile.y*ml",
            "bacon.toml",
            ".bacon.toml",
            "cross.toml",
            "Dockerfile*",
            "*.dockerfile",
            "Containerfile*",
            ".dockerignore",
            "docker-compose*.y*ml",
            "compose.y*ml",
            ".devcontainer*",
            "Vagrantfile",
            ".gitpod*",
            "tarpaulin.toml",
            ".tarpaulin.toml",
            "Dioxus.toml",
            "Trunk.toml",
        ],
        "commands that people and their tools run",
    ),
    keys(
        &["package.build", "package.metabuild", "package.links"],
        "the build script, or the native library that it links",
    ),
    keys(
        &[
            "cargo-features",
            "package.forced-target",
            "package.default-target",
            "package.workspace",
            "package.im-a-teapot",
            "workspace",
            "package.resolver",
            "workspace.resolver",
        ],
        "how cargo builds the package, and what belongs to its workspace",
    ),
    keys(&["profile.**"], "the checks, the optimisation and the flags of a build"),
    keys(&["patch.**", "replace.**"], "other sources of dependencies"),
    keys(
        &["lib.proc-macro", "lib.plugin", "lib.crate-type"],
        "whether the code runs inside the compiler",
    ),
    keys(
        &[
            "lib.test",
            "lib.doctest",
            "lib.harness",
            "test.harness",
            "test.test",
            "bench.harness",
            "bin.test",
            "bin.harness",
            "example.test",
            "example.harness",
        ],
        "whether its tests run, and by which harness",
    ),
    keys(
        &["lib.path", "bin.path", "test.path", "bench.path", "example.path"],
        "a target outside of the folders where cargo finds targets",
    ),
    Protected {
        names: &[
            "*dependencies.*.git",
            "*dependencies.*.registry",
            "*dependencies.*.registry-index",
            "*dependencies.*.base",
        ],
        is_key: true,
        reason: "the address that a dependency comes from",
        except: Exception::OwnRules,
    },
    keys(
        &["package.metadata.**", "workspace.metadata.**"],
        "settings that other tools read from the manifest",
    ),
];

static FILES: LazyLock<Option<GlobSet>> = LazyLock::new(|| {
    let mut builder = GlobSetBuilder::new();
    for row in PROTECTED.iter().filter(|row| !row.is_key) {
        let names: Vec<String> = row.names.iter().map(|it| it.to_lowercase()).collect();
        let globs: Vec<String> =
            names.iter().flat_map(|it| [format!("**/{it}"), format!("**/{it}/**")]).collect();
        let glob = match &globs[..] {
            [one] => one.clone(),
            many => format!("{{{}}}", many.join(",")),
        };
        builder.add(GlobBuilder::new(&glob).literal_separator(true).build().ok()?);
    }
    builder.build().ok()
});

/// The row of a file that only a person may change; `None` if any change of it may pass the gate.
///
/// Spellings that a file system takes for the same name are the same: other case, a full stop or blank
/// at the end, characters without width.
pub fn protected(path: &ProjectPath) -> Option<&'static Protected> {
    let rows = PROTECTED.iter().filter(|row| !row.is_key);
    // Without the table every file is protected.
    let Some(files) = FILES.as_ref() else { return rows.into_iter().next() };
    let found = files.matches(folded(path.as_str())).into_iter().next()?;
    rows.into_iter().nth(found)
}

/// Whether a part of the path is hidden: it begins with a full stop, in any spelling that a file system
/// takes for one.
pub fn is_hidden(path: &ProjectPath) -> bool {
    let text = folded(path.as_str());
    [text.as_str(), path.as_str()]
        .iter()
        .any(|text| text.split('/').any(|part| part.trim_start().starts_with('.')))
}

/// The row of a key of a manifest, given as its parts; tables in lists as `test[NAME]`.
pub fn protected_key(parts: &[String], value: Option<&str>) -> Option<&'static Protected> {
    let first = parts.first()?;
    let table = first.split_once('[').map_or(first.as_str(), |(table, _)| table);
    let path = || std::iter::once(table).chain(parts.iter().skip(1).map(String::as_str));
    let matches =
        |name: &str| match (name.strip_suffix(".**"), name.strip_prefix("*dependencies.*.")) {
            (Some(head), _) => head.split('.').eq(path().take(head.split('.').count())),
            (_, Some(last)) => match parts {
                [.., table, _, own] => table.ends_with("dependencies") && own == last,
                _ => false,
            },
            (None, None) => name.split('.').eq(path()),
        };
    let row = PROTECTED.iter().find(|row| row.is_key && row.names.iter().any(|it| matches(it)))?;
    let is_found_by_cargo = parts.last().is_some_and(|it| it == "path")
        && value.is_some_and(|it| table != "lib" && is_usual(it));
    (!is_found_by_cargo).then_some(row)
}

/// Whether the path of a target is in a folder where cargo looks for targets.
fn is_usual(path: &str) -> bool {
    let folders = ["src/", "tests/", "examples/", "benches/"];
    let is_plain = path.split('/').all(|part| !part.is_empty() && !part.starts_with('.'));
    is_plain && folders.iter().any(|it| path.starts_with(it))
}

/// A path as the most tolerant file system compares it.
fn folded(path: &str) -> String {
    let part = |part: &str| -> String {
        let stream = part.split(':').next().unwrap_or(part);
        let stream = if stream.is_empty() { part } else { stream };
        let seen = stream.chars().filter(|it| !is_ignored(*it));
        let lower: String = seen.flat_map(char::to_lowercase).map(plain).collect();
        let trimmed = lower.trim_end_matches(['.', ' ']);
        if trimmed.is_empty() { lower } else { trimmed.to_owned() }
    };
    path.split(['/', '\\']).map(part).collect::<Vec<_>>().join("/")
}

/// Characters that compare equal although lower case does not make them so.
fn plain(c: char) -> char {
    match c {
        'ſ' => 's',
        'ı' => 'i',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        c => c,
    }
}

/// Characters that a file system ignores in a name.
fn is_ignored(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{307}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{e0000}'..='\u{e0fff}'
    ) || c.is_control()
}
