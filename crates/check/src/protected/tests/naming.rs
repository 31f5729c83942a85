//! Files that others name: which names count, and how far they are followed.

use super::*;

/// The paths of these files that are refused as named, where the tree also has `texts`.
fn named(texts: &[(&'static str, &str)], git: &[Option<&str>], files: &[&'static str]) -> String {
    let mut tree = tree(MANIFEST);
    for (path, text) in texts {
        tree.0.insert(path, (*text).to_owned());
    }
    for path in files {
        tree.0.entry(path).or_insert_with(|| "x\n".to_owned());
    }
    let is_named = |path: &&&str| {
        let seen = found_with(&tree, git, &[(path, Some("y\n"))]);
        seen.iter().any(|it| it.contains("named by"))
    };
    files.iter().filter(is_named).copied().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_script_that_a_protected_file_names_is_protected_too() {
    let mut named = tree(MANIFEST);
    for (path, text) in [
        (
            ".circleci/config.yml",
            "steps:\n  - run: ./jobs/test.sh --all\n  - run: cat README.md src/lib.rs && rust-script \
             jobs/x.rs && sh jobs/y.txt\n",
        ),
        ("Makefile", "include rules.inc docs/vars.md\nall:\n\tsh -c 'tools/db'\n"),
        (".pre-commit-config.yaml", "entry: \"scripts/lint.sh\"\n"),
        ("CODEOWNERS", "data/a.css @me\n"),
        ("CLAUDE.md", "See README.md and [these](docs/linked.md).\n@docs/all.md\n"),
        ("skills/a/SKILL.md", "Read how.md\n"),
        (".claude-plugin/plugin.json", "{}"),
    ] {
        named.0.insert(path, text.to_owned());
    }
    for file in [
        "jobs/test.sh",
        "rules.inc",
        "tools/db",
        "scripts/lint.sh",
        "other/jobs/test.sh",
        "jobs/x.rs",
        "jobs/y.txt",
        "docs/all.md",
        "docs/linked.md",
        "docs/vars.md",
        "skills/a/references/how.md",
        "commands/release.md",
    ] {
        let seen = found(&named, &[(file, Some("x"))]);
        assert!(seen[0].contains("named by `"), "{file}: {seen:?}");
    }
    for file in ["README.md", "docs/notes.md", "src/lib.rs", "data/a.css", "src/other.txt"] {
        assert_eq!(found(&named, &[(file, Some("x"))]), [""; 0], "{file}");
    }
    // A change names it first.
    let both =
        [("Justfile.x", Some("run")), ("Makefile", Some("all: own.sh\n")), ("own.sh", Some("x"))];
    assert!(found(&named, &both).iter().any(|it| it.starts_with("own.sh: named by")));
}

#[test]
fn each_way_to_run_a_file_names_it() {
    for line in [
        "/bin/bash docs/x.md",
        "dash docs/x.md",
        "cat docs/x.md | sh",
        "make -f docs/x.md",
        "make -fdocs/x.md",
        "sh \\\n  docs/x.md",
        "envsubst < docs/x.md | bash",
        "eval \"$(cat docs/x.md)\"",
        "xargs -a docs/x.md sh -c",
        "cp docs/x.md run; ./run",
        "awk -f docs/x.md",
        "some-new-shell docs/x.md",
        ". \"$DIR/docs/x.md\"",
        "cd docs && . ./x.md",
        "sh ${T:-docs}/x.md",
        "sh $ROOT/x.md",
        "cmd %ROOT%\\x.md",
        "sh ~/p/docs/x.md",
        "sh checkout/docs/x.md",
        "sh x/../../p/docs/x.md",
    ] {
        let makefile = format!("go:\n\t{line}\n");
        assert_eq!(named(&[("Makefile", &makefile)], &[], &["docs/x.md"]), "docs/x.md", "{line}");
        let of_git = named(&[], &[Some(line)], &["docs/x.md"]);
        assert_eq!(of_git, "docs/x.md", "{line}");
    }
}

#[test]
fn everyday_names_count_on_lines_that_run_them() {
    let files = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "src/lib.rs"];
    for line in [
        "cat README.md CHANGELOG.md LICENSE-MIT src/lib.rs",
        "cp README.md LICENSE-MIT CHANGELOG.md dist/ && sh scripts/x.sh",
        "cargo readme > README.md; typos CHANGELOG.md; rustfmt src/lib.rs",
        "body_path: CHANGELOG.md",
        "files: |\n  README.md\n  LICENSE-MIT",
        "find . -name README.md",
    ] {
        assert_eq!(named(&[("Makefile", line)], &[], &files), "", "{line}");
    }
    for line in [
        "sh README.md",
        "cat README.md | sudo /bin/sh",
        "make -f README.md",
        "make --file=README.md",
        ". README.md",
        "python3.12 README.md",
        "mdsh -i README.md",
        "include README.md",
        "[\"sh\", \"README.md\"]",
    ] {
        assert_eq!(named(&[("Makefile", line)], &[], &files), "README.md", "{line}");
    }
}

#[test]
fn a_text_that_is_listed_or_in_a_comment_is_not_named() {
    for text in [
        "# see docs/x.md\n",
        "a: b # x\n  // docs/x.md\n",
        "on:\n  push:\n    paths:\n      - docs/x.md\n",
        "on:\n  push:\n    paths-ignore: [docs/x.md]\n",
        "nav:\n- Home: index.md\n- Guide:\n  - First: docs/x.md\n",
    ] {
        assert_eq!(named(&[("Taskfile.yml", text)], &[], &["docs/x.md"]), "", "{text}");
    }
    for text in [
        "# a comment \\\nsh docs/x.md\n",
        "paths:\n  - a\nrun:\n  - docs/x.md\n",
        "jobs:\n  paths: a\n  run: docs/x.md\n",
        "#include \"docs/x.md\"\n",
    ] {
        assert_eq!(named(&[("Taskfile.yml", text)], &[], &["docs/x.md"]), "docs/x.md", "{text}");
    }
}

#[test]
fn names_are_followed_from_each_file_that_the_gate_refuses() {
    let texts = [
        (".gitlab-ci.yml", "run: sh jobs/release.sh\n"),
        ("jobs/release.sh", ". docs/env.md\nsh db/up.sql\necho see docs/guide.md\n"),
        ("docs/env.md", "sh docs/deep.md\n"),
        ("docs/guide.md", "[next](docs/next.md)\n"),
        ("tools/list.py", "open('data/list.html')\n"),
        ("docs/run.md", "#!/bin/sh\n. ./lib.data\n"),
        ("maskfile.md", "## go\n```sh\nsh tools/go.data\nsh docs/more.md\n```\n"),
        ("CLAUDE.md", "@docs/all.md\n[map](docs/map.md#top)\n    sh tools/agent.data\n"),
        ("docs/all.md", "@docs/imported.md\n"),
        ("docs/map.md", "[a](docs/page.md)\n@docs/page.md\n"),
        ("SPECIAL.md", "[a](docs/obeyed.md)\n"),
        ("gen/build.rs", "fn main() { run(\"tools/gen.data\") }\n"),
        (".cargo/config.toml", "[build]\nrustc-wrapper = \"tools/wrap.data\"\n"),
        ("tools/wrap.data", ". tools/wrap-env.data\n"),
    ];
    let expected = "jobs/release.sh docs/env.md db/up.sql docs/guide.md docs/deep.md \
        data/list.html docs/lib.data tools/go.data docs/more.md docs/all.md docs/map.md \
        docs/imported.md tools/agent.data docs/obeyed.md tools/gen.data tools/wrap-env.data";
    let free = ["docs/next.md", "docs/page.md", "README.md", "docs/other.data"];
    let files: Vec<&str> = expected.split_whitespace().chain(free).collect();
    let expected = expected.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(named(&texts, &[], &files), expected);
}

#[test]
fn the_metadata_of_a_manifest_names_files() {
    let manifest = format!(
        "{MANIFEST}readme = \"docs/page.md\"\n[package.metadata.release]\npre-release-hook = [\"sh\", \
         \"jobs/hook.data\"]\n[[package.metadata.release.pre-release-replacements]]\nfile = \"README.md\"\n\
         [[package.metadata.deb.assets]]\nsource = \"README.md\"\ndest = \"/usr/share/zsh/x\"\n\
         [workspace.metadata.x]\ny = {{ z = \"../p/docs/run.md\" }}\n"
    );
    let files = ["jobs/hook.data", "docs/run.md", "docs/page.md", "README.md"];
    let seen = named(&[("Cargo.toml", &manifest)], &[], &files);
    assert_eq!(seen, "jobs/hook.data docs/run.md");
}

#[test]
fn links_of_instructions_are_read_as_markdown() {
    let text = "Follow [one](docs/f.md#top), [two](docs/r%20e.md), [three][t] and [four](\n  docs/l.md).\n\n\
                [t]:docs/n.md\n";
    let files = ["docs/f.md", "docs/r e.md", "docs/n.md", "docs/l.md"];
    assert_eq!(
        named(&[("CLAUDE.md", text)], &[], &files),
        "docs/f.md docs/r e.md docs/n.md docs/l.md"
    );
}

#[test]
fn a_text_that_cannot_be_read_may_name_each_file_that_is_not_plain() {
    let files = ["docs/x.data", "docs/x.md", "src/lib.rs"];
    assert_eq!(named(&[], &[None], &files), "docs/x.data");
    let large = format!("go:\n\tsh docs/x.data\n{}", "# a comment\n".repeat(200_000));
    assert_eq!(named(&[("Makefile", &large)], &[], &files), "docs/x.data");
    let over = "# a comment\n".repeat(6_000_000);
    assert_eq!(named(&[("Makefile", &over)], &[], &files), "docs/x.data");
}

#[test]
fn the_folders_of_a_plugin_are_instructions() {
    let list = "{\"plugins\":[{\"name\":\"x\",\"source\":\"./plugins/x\",\"homepage\":\
        \"https://example.org/docs/x\"}]}";
    let files = ["plugins/x/commands/go.md", "plugins/x/README.md", "commands/a.md", "docs/a.md"];
    let seen = named(&[(".claude-plugin/marketplace.json", list)], &[], &files);
    assert_eq!(seen, "plugins/x/commands/go.md plugins/x/README.md commands/a.md");
    let seen = named(&[("ext/gemini-extension.json", "{}")], &[], &["ext/X.md", "docs/x.md"]);
    assert_eq!(seen, "ext/X.md");
}

#[test]
fn markdown_with_a_name_in_capitals_is_for_agents_unless_it_is_a_usual_one() {
    let mut tree = tree(MANIFEST);
    tree.0.insert("inner/Cargo.toml", MANIFEST.to_owned());
    for file in ["TOOLS.md", "HEARTBEAT.md", "inner/RULES.md", "NEW_AGENT.md", "X.local.md"] {
        let seen = found(&tree, &[(file, Some("x"))]);
        assert!(seen.len() == 1 && seen[0].contains("in capitals"), "{file}: {seen:?}");
    }
    for file in [
        "README.md",
        "README-de.md",
        "README.zh-CN.md",
        "CHANGELOG-0.x.md",
        "CODE_OF_CONDUCT.md",
        "RELEASE-NOTES.md",
        "LICENSE-MIT.md",
        "inner/CONTRIBUTING.md",
        "ARCHITECTURE.md",
        "docs/TOOLS.md",
        "notes.md",
        "Notes.md",
    ] {
        assert_eq!(found(&tree, &[(file, Some("x"))]), [""; 0], "{file}");
    }
}
