//! The table of protected files: every spelling, every caller, and what a person's name opens.

use base::ProjectPath;

use super::{Decision, Evidence, GateRules, decide, sound};
use crate::{
    Approval, ChangeSource, Exception, PROTECTED, PROTECTED_FILE, PatchKind, ProtectedChange,
    protected, protected_key,
};

fn path(text: &str) -> ProjectPath {
    ProjectPath::new(text).unwrap()
}

fn key(text: &str, value: Option<&str>) -> bool {
    let parts: Vec<String> = text.split('/').map(str::to_owned).collect();
    protected_key(&parts, value).is_some()
}

/// Reasons against a change of these files.
fn refusals(files: &[&str], source: ChangeSource, allow: &[&str]) -> Vec<String> {
    let mut findings = sound();
    let file = findings.files[0].clone();
    findings.files = files
        .iter()
        .map(|it| crate::FileSummary { path: path(it), kind: PatchKind::Edit, ..file.clone() })
        .collect();
    let approval = Approval {
        who: "a person".to_owned(),
        allow: allow.iter().map(|it| (*it).to_owned()).collect(),
        override_reason: None,
    };
    let rules = GateRules { source, ..GateRules::default() };
    match decide(&rules, Evidence::of(findings), &approval) {
        Decision::Closed(refusals) => refusals.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn what_decides_how_code_is_built_or_trusted_is_protected_in_every_spelling() {
    for it in [
        "graftage.toml",
        "crates/a/graftage-policy.toml",
        ".cargo/config.toml",
        ".Cargo/config",
        "a/.cargo/credentials.toml",
        ".cargo",
        "rust-toolchain",
        "RUST-TOOLCHAIN.toml",
        "Clippy.toml",
        ".rustfmt.toml",
        "deny.toml",
        ".config/nextest.toml",
        ".config/other",
        "Cargo.lock",
        "cargo.LOCK",
        "build.rs",
        "crates/a/Build.RS",
        ".git/config",
        ".git/hooks/pre-commit",
        ".GIT/config",
        "sub/.git",
        ".git./config",
        ".git /config",
        ".g\u{200c}it/config",
        ".git\u{feff}/config",
        ".gıt/config",
        "．git/config",
        ".git::$INDEX_ALLOCATION/config",
        ".gitmodules",
        ".gitattributes",
        ".githooks/pre-push",
        ".husky/_/husky.sh",
        ".pre-commit-config.yaml",
        ".vscode/tasks.json",
        "x.code-workspace",
        ".idea/workspace.xml",
        ".zed/tasks.json",
        ".nvim.lua",
        ".exrc",
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".mcp.json",
        ".cursor/mcp.json",
        ".codex/config.toml",
        ".agents/skills/a/SKILL.md",
        ".gemini/settings.json",
        "AGENTS.md",
        "docs/agents.md",
        "CLAUDE.md",
        "Claude.md",
        "GEMINI.md",
        "docs/CLAUDE.project.md",
        "prompts/x.prompt.md",
        "x.instructions.md",
        "x.chatmode.md",
        "docs/x.agent.md",
        "knowledge.md",
        ".cursorrules",
        ".windsurfrules",
        ".github/copilot-instructions.md",
        ".github/workflows/ci.yml",
        ".gitlab-ci.yml",
        ".circleci/config.yml",
        ".woodpecker.yml",
        ".woodpecker/a.yml",
        "Jenkinsfile",
        ".envrc",
        ".env",
        ".env.local",
        "prod.env",
        ".netrc",
        ".npmrc",
        "Makefile",
        "makefile",
        "justfile",
        "Makefile.toml",
        "Dockerfile",
        "Dockerfile.ci",
        ".bashrc",
        "scripts/pre-commit",
        "demo/HEAD",
        "lefthook-local.yml",
        "ci.justfile",
        "app/build.gradle.kts",
        "requirements-dev.txt",
        ".git-credentials",
        "home/.pgpass",
        "a/.some-new-tool/settings.toml",
        "tauri.conf.json",
        "web/vite.config.ts",
        ".devcontainer/devcontainer.json",
        "de\u{f}ny.toml",
        "ru\u{17f}tfmt.toml",
    ] {
        assert!(protected(&path(it)).is_some(), "{it:?}");
    }
}

#[test]
fn ordinary_files_are_open() {
    for it in [
        "src/lib.rs",
        "src/build.rs.txt",
        "src/builder.rs",
        "src/git/config.rs",
        "src/cargo/mod.rs",
        "tests/env.rs",
        "README.md",
        "README.de.md",
        "docs/v1.2.md",
        "CHANGELOG.md",
        "docs/claude.rs",
        "Cargo.toml",
        "src/make.rs",
        "src/environment.rs",
        "data/settings.json",
        "src/.hidden.rs",
        ".sqlx/query-1.json",
        "web/config.ts",
    ] {
        assert_eq!(protected(&path(it)), None, "{it}");
    }
}

#[test]
fn keys_that_decide_how_a_manifest_builds_are_protected() {
    for (name, value) in [
        ("package/build", Some("src/x.rs")),
        ("package/links", None),
        ("package/edition", Some("2021")),
        ("workspace/package/edition", None),
        ("cargo-features", None),
        ("profile/dev/opt-level", None),
        ("profile/release/package/a/debug-assertions", None),
        ("patch/crates-io/serde/path", None),
        ("replace/a:0.1/git", None),
        ("patch/crates-io/serde/path", Some("src/serde")),
        ("lib/path", Some("tests/x.rs")),
        ("lib/proc-macro", None),
        ("lib/crate-type", None),
        ("lib/test", None),
        ("lib/path", Some("src/x.rs")),
        ("test[it]/harness", None),
        ("bin[a]/path", Some("build.rs")),
        ("bin[a]/path", Some("src/../../x.rs")),
        ("bin[a]/path", Some("/etc/passwd.rs")),
        ("bin[a]/path", None),
        ("workspace", None),
        ("workspace/metadata/dylint/libraries", None),
        ("package/license-file", Some("../../../etc/passwd")),
        ("package/license-file", Some("LICENSE")),
        ("package/readme", Some("../../.ssh/id_ed25519")),
        ("package/readme/workspace", None),
        ("package/publish", None),
        ("package/include", None),
        ("package/exclude", None),
        ("workspace/package/license-file", Some("../x")),
        ("workspace/package/readme", None),
        ("workspace/package/publish", None),
        ("workspace/package/include", None),
        ("workspace/package/exclude", None),
        ("package/metadata/deb/x", None),
        ("lib/edition", None),
        ("test[it]/edition", Some("2015")),
        ("lib/proc_macro", None),
        ("bin[a]/crate-type", None),
        ("package/edition/workspace", None),
        ("package/a-key-of-tomorrow", None),
        ("dependencies/a/git", None),
        ("target/cfg(unix)/dev-dependencies/a/registry", None),
    ] {
        assert!(key(name, value), "{name} {value:?}");
    }
    for (name, value) in [
        ("package/name", None),
        ("package/authors", None),
        ("lib/doc", None),
        ("test[it]/name", Some("it")),
        ("bin[a]/required-features", None),
        ("package/license", Some("MIT")),
        ("package/repository", None),
        ("dependencies/readme/version", None),
        ("features/publish", None),
        ("dependencies/serde", None),
        ("dependencies/git/version", None),
        ("dependencies/a/features", None),
        ("dev-dependencies/build", None),
        ("features/profile", None),
        ("bin[a]/path", Some("src/bin/a.rs")),
        ("workspace/members", None),
    ] {
        assert!(!key(name, value), "{name} {value:?}");
    }
}

#[test]
fn the_gate_refuses_a_protected_file_of_every_caller_until_a_person_names_it() {
    let refused = |files: &[&str], source, allow: &[&str]| refusals(files, source, allow).len();
    let (edits, own) = (ChangeSource::Edits, ChangeSource::OwnRules);
    assert_eq!(refused(&["src/lib.rs"], edits, &[]), 0);
    assert_eq!(
        refusals(&[".mcp.json"], edits, &[]),
        [
            "protected-file: `.mcp.json` is tools, permissions and hooks of coding agents: only a person may change it"
        ]
    );
    for source in [edits, own] {
        assert_eq!(refused(&[".mcp.json", "src/lib.rs", ".envrc"], source, &[]), 2);
        assert_eq!(refused(&[".mcp.json", ".envrc"], source, &["protected-file:.mcp.json"]), 1);
        assert_eq!(refused(&[".mcp.json"], source, &["protected-file:.mcp.json"]), 0);
        // No wider name, other rule or other case opens it.
        for other in [
            "protected-file",
            "protected-file:",
            "protected-file:*",
            "config-weakened",
            "protected-file:.MCP.json",
        ] {
            assert_eq!(refused(&[".mcp.json"], source, &[other]), 1, "{other}");
        }
    }
    for (file, by_edits, by_rules) in [("Cargo.lock", 1, 0), ("build.rs", 1, 0)] {
        assert_eq!(refused(&[file], edits, &[]), by_edits, "{file}");
        assert_eq!(refused(&[file], own, &[]), by_rules, "{file}");
    }
}

#[test]
fn keys_and_build_scripts_that_the_evidence_names_are_refused_too() {
    let mut findings = sound();
    findings.protected = vec![ProtectedChange {
        path: path("a/Cargo.toml"),
        key: Some("lib.test".to_owned()),
        reason: "whether its tests run, and by which harness".to_owned(),
        by_rules: false,
    }];
    let decided = |rules: &GateRules, allow: &[String]| {
        let approval = Approval { allow: allow.to_vec(), ..Approval::default() };
        decide(rules, Evidence::of(findings.clone()), &approval).permit().map(|_| ())
    };
    let refused = decided(&GateRules::default(), &[]).unwrap_err();
    assert_eq!(refused[0].rule, PROTECTED_FILE);
    assert!(
        refused[0].reason.starts_with("`lib.test` in `a/Cargo.toml` is whether"),
        "{refused:?}"
    );
    assert!(refused[0].hint.contains("--allow protected-file:a/Cargo.toml`"), "{refused:?}");
    assert_eq!(decided(&GateRules::default(), &["protected-file:a/Cargo.toml".to_owned()]), Ok(()));
}

#[test]
fn no_settings_declare_a_change_as_one_of_the_own_rules() {
    let text = "source = \"OwnRules\"\n";
    assert!(toml::from_str::<GateRules>(text).is_err());
    assert_eq!(toml::from_str::<GateRules>("").unwrap().source, ChangeSource::Edits);
}

#[test]
fn each_row_has_a_reason_and_names_that_match_themselves() {
    for row in PROTECTED {
        assert!(!row.reason.is_empty() && !row.names.is_empty());
        for name in row.names.iter().filter(|_| !row.is_key) {
            let plain = name.replace("*", "x");
            let found = protected(&path(&plain)).unwrap_or_else(|| panic!("{name}"));
            let inner = protected(&path(&format!("a/{plain}/b")));
            assert!(inner.is_some() && !found.is_key, "{name}");
        }
    }
    let own = PROTECTED.iter().filter(|row| row.except == Exception::OwnRules && !row.is_key);
    let own: Vec<&str> = own.flat_map(|row| row.names.iter().copied()).collect();
    assert_eq!(own, ["Cargo.lock", "build.rs"]);
}

#[test]
fn files_with_secrets_are_known_by_their_names() {
    let has_secrets = |it: &str| crate::has_secrets(&path(it));
    for it in [".env", "a/prod.env", ".cargo/credentials.toml", "a/.cargo/config.toml", ".pgpass"] {
        assert!(has_secrets(it), "{it}");
    }
    for it in [".cargo/config.toml", "mise.toml", "src/env.rs", ".gitignore"] {
        assert!(!has_secrets(it), "{it}");
    }
}
