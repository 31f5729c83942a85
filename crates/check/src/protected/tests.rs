//! Changes of small trees, and what of them only a person may allow.

use base::{SortedMap, Timestamp};

use super::*;

mod naming;

const MANIFEST: &str = "[package]\nname = \"a\"\nversion = \"0.1.0\"\n";

struct Texts(SortedMap<&'static str, String>);

impl Files for Texts {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        Ok(self.0.get(path.as_str()).map(|it| FileState::from_text(it.as_str())))
    }
}

fn tree(manifest: &str) -> Texts {
    Texts(SortedMap::from([
        ("Cargo.toml", manifest.to_owned()),
        ("src/lib.rs", "pub fn f() {}\n".to_owned()),
        ("gen/main.rs", "fn main() {}\n".to_owned()),
    ]))
}

/// `path: key` of what is protected in a change of files to these texts.
fn found(tree: &Texts, after: &[(&str, Option<&str>)]) -> Vec<String> {
    found_with(tree, &[], after)
}

/// The same where git runs these texts.
fn found_with(tree: &Texts, git: &[Option<&str>], after: &[(&str, Option<&str>)]) -> Vec<String> {
    let states = after.iter().map(|(path, text)| {
        let path = ProjectPath::new(path).unwrap();
        let before = tree.read(&path).unwrap();
        (path, before, text.map(FileState::from_text))
    });
    let overlay = Overlay::from_states("t", Timestamp(0), states.collect::<Vec<_>>());
    let line = |it: ProtectedChange| format!("{}: {}", it.path, it.key.unwrap_or(it.reason));
    let links = [
        (".github", "ci"),
        ("AGENTS.md", "docs/a.md"),
        ("x", "docs"),
        ("ci/workflows", "wf"),
        ("scripts", "tools"),
        ("scripted.rs", "tools/b.rs"),
        ("conf.toml", "docs/conf.toml"),
    ];
    let path = |it: &str| ProjectPath::new(it).unwrap();
    let links = links.map(|(link, target)| (path(link), path(target))).into();
    let hash = base::ContentHash::of(b"");
    let names = tree.0.keys().map(|it| (path(it), hash)).collect();
    let of_git = |it: &Option<&str>| policy::OutsideText {
        by: ".git".to_owned(),
        path: None,
        text: it.map(str::to_owned),
    };
    let outside = policy::OutsideTexts::new(git.iter().map(of_git).collect());
    let state = Tree::new(names, SortedMap::new(), Default::default())
        .with_links(links)
        .with_outside(outside);
    changes(tree, &state, &overlay).into_iter().map(line).collect()
}

#[test]
fn what_a_link_with_a_protected_name_leads_to_is_protected() {
    for file in ["ci/w.yml", "docs/a.md", "wf/w.yml"] {
        let seen = found(&tree(MANIFEST), &[(file, Some("evil"))]);
        assert!(seen[0].contains("leads to"), "{file}: {seen:?}");
    }
    let mut linked = tree(&format!("{MANIFEST}build = \"scripts/b.rs\"\n"));
    linked.0.insert("tools/b.rs", "mod part;\nfn main() {}\n".to_owned());
    linked.0.insert(".cargo/config.toml", "include = [\"../conf.toml\"]\n".to_owned());
    for file in ["tools/b.rs", "tools/part.rs", "docs/conf.toml"] {
        assert_eq!(found(&linked, &[(file, Some("x"))]).len(), 1, "{file}");
    }
    for file in ["cix/w.md", "docs/b.md"] {
        assert_eq!(found(&tree(MANIFEST), &[(file, Some("x"))]), [""; 0], "{file}");
    }
}

#[test]
fn no_spelling_hides_a_key_that_decides_how_the_package_is_built() {
    for (added, key) in [
        ("[lib]\ntest = false\n", "lib.test"),
        ("[lib]\n\"te\\u0073t\" = false\n", "lib.test"),
        ("lib = { test = false }\n", "lib.test"),
        ("lib.test = false\n", "lib.test"),
        ("[lib]\r\ntest = false\r\n", "lib.test"),
        ("[ 'lib' ]\nproc_macro = true\n", "lib.proc-macro"),
        ("[\"l\\u0069b\"]\nproc-macro = true\n", "lib.proc-macro"),
        ("x = \"\"\"\n[other]\"\"\"\nlib.harness = false\n", "lib.harness"),
        ("x = '''[a'''\n[profile.test]\npanic = \"abort\"\n", "profile.test.panic"),
        ("[profile]\ndev = { overflow-checks = false }\n", "profile.dev.overflow-checks"),
        ("[patch.crates-io]\nserde = { path = \"x\" }\n", "patch.crates-io.serde.path"),
        ("test = [{ name = \"it\", harness = false }]\n", "test[it].harness"),
        ("[[test]]\nname = \"it\"\nharness = false\n", "test[it].harness"),
        ("[[bin]]\nname = \"b\"\npath = \"build.rs\"\n", "bin[b].path"),
        ("[[bin]]\nname = \"b\"\npath = \"src/../.env\"\n", "bin[b].path"),
        ("[workspace]\n", "workspace"),
        ("[workspace.package]\nedition = \"2021\"\n", "workspace.package.edition"),
        ("dependencies = { x = { git = \"https://e.example\" } }\n", "dependencies.x.git"),
        ("[workspace.metadata.dylint]\nlibraries = []\n", "workspace.metadata.dylint.libraries"),
    ] {
        // The issue's own disguise: a string whose escaped quote hid the tables after it.
        let disguised = "[package]\ndescription = \"a\\\"[\"\nname = \"a\"\nversion = \"0.1.0\"\n";
        for start in [MANIFEST, disguised] {
            // Keys of the top level come before the first table.
            let text = match added.starts_with('[') {
                true => format!("{start}{added}"),
                false => format!("{added}{start}"),
            };
            let seen = found(&tree(MANIFEST), &[("Cargo.toml", Some(&text))]);
            assert!(seen.contains(&format!("Cargo.toml: {key}")), "{text}: {seen:?}");
        }
    }
}

#[test]
fn a_build_script_is_found_by_the_manifest_before_and_after_the_change() {
    let named = format!("{MANIFEST}\"b\\u0075ild\" = 'gen/main.rs'\n");
    let edit = ("gen/main.rs", Some("fn main() { evil() }\n"));
    assert_eq!(found(&tree(&named), &[edit]).len(), 1);
    assert_eq!(found(&tree(&named), &[("gen/helper.rs", Some(""))]).len(), 1);
    assert_eq!(found(&tree(MANIFEST), &[edit]), [""; 0]);
    let both = found(&tree(MANIFEST), &[("Cargo.toml", Some(&named)), edit]);
    assert_eq!(both.len(), 2, "{both:?}");
    let gone = found(&tree(&named), &[("Cargo.toml", Some(MANIFEST)), edit]);
    assert_eq!(gone.len(), 2, "{gone:?}");
    assert_eq!(found(&tree(&named), &[("src/lib.rs", Some("pub fn g() {}\n"))]), [""; 0]);
}

#[test]
fn what_a_build_script_reaches_is_a_part_of_it() {
    let mut tree = tree(MANIFEST);
    let script = "#[path = \"src/shared.rs\"]\nmod shared;\nmod gen;\n\
        const X: &str = include_str!(\"data/x.txt\");\nfn main() {}\n";
    tree.0.insert("build.rs", script.to_owned());
    tree.0.insert("gen/mod.rs", "mod inner;\n".to_owned());
    for path in ["src/shared.rs", "gen/mod.rs", "gen/inner.rs", "data/x.txt"] {
        assert_eq!(found(&tree, &[(path, Some("x"))]).len(), 1, "{path}");
    }
    for path in ["src/lib.rs", "data/y.md", "gen/other.rs"] {
        assert_eq!(found(&tree, &[(path, Some("x"))]), [""; 0], "{path}");
    }
    let script = "#[path = \"src\\x2fshared.rs\"]\nmod shared;\nmod inl { pub mod gen; }\nmod after;\n\
        fn main() { include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/gen/\", \"c.rs\"));\n\
        use std::include as inc; inc!(\"gen/d.txt\"); println!(\"{}\", \"data/y.txt\"); }\n";
    tree.0.insert("build.rs", script.to_owned());
    // By another name it may include any file.
    for path in ["src/shared.rs", "inl/gen.rs", "gen/d.txt", "data/y.txt"] {
        assert_eq!(found(&tree, &[(path, Some("x"))]).len(), 1, "{path}");
    }
    for unseen in ["include!(concat!(\"gen/b\", '.', \"txt\"));", "include!($name);"] {
        tree.0.insert("build.rs", format!("fn main() {{ {unseen} }}\n"));
        assert_eq!(found(&tree, &[("data/y.txt", Some("x"))]).len(), 1, "{unseen}");
    }
    let script = script.replace("use std::include as inc; inc!(\"gen/d.txt\");", "");
    let script =
        script.replace("mod after;", "#[path = \"own\"] mod other { mod deep; }\nmod after;");
    tree.0.insert("build.rs", script);
    let parts = ["src/shared.rs", "inl/gen.rs", "gen/c.rs", "own/deep.rs", "after.rs"];
    for path in parts {
        assert_eq!(found(&tree, &[(path, Some("x"))]).len(), 1, "{path}");
    }
    for path in ["data/z.md", "inl/after.rs"] {
        assert_eq!(found(&tree, &[(path, Some("x"))]), [""; 0], "{path}");
    }
    // The change itself may make it a part.
    let both = [("build.rs", Some("mod more;\nfn main() {}\n")), ("more/mod.rs", Some(""))];
    assert!(found(&tree, &both).iter().any(|it| it.starts_with("more/mod.rs")));
}

#[test]
fn a_path_that_no_words_show_may_lead_to_any_file() {
    let mut tree = tree(MANIFEST);
    tree.0.insert("a/Cargo.toml", MANIFEST.to_owned());
    for unseen in [
        "include!(env!(\"CARGO_PKG_DESCRIPTION\"));",
        "include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/gen/\", env!(\"CARGO_PKG_NAME\"), \".txt\"));",
        "include!(concat!(r#env!(\"X\"), \"x\"));",
        "macro_rules! m { ($n:ident) => { mod $n; }; } m!(part);",
        "macro_rules! m { ($p:literal) => { #[path = $p] mod part; }; }",
    ] {
        tree.0.insert("a/build.rs", format!("{unseen}\nfn main() {{}}\n"));
        for path in ["a/gen/part.rs", "shared/part.rs", "data/y.txt"] {
            assert_eq!(found(&tree, &[(path, Some("x"))]).len(), 1, "{unseen} {path}");
        }
    }
    for seen in [
        "include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/gen/c.rs\"));",
        "fn f() { let path = 1; cc::Build::new().include(\"inc\"); }",
        "mod part;",
    ] {
        tree.0.insert("a/build.rs", format!("{seen}\nfn main() {{}}\n"));
        for path in ["a/gen/d.rs", "shared/part.rs"] {
            assert_eq!(found(&tree, &[(path, Some("x"))]), [""; 0], "{seen} {path}");
        }
    }
    // A name that is no call: files of the package alone.
    tree.0.insert("a/build.rs", "fn main() { let include = 1; }\n".to_owned());
    assert_eq!(found(&tree, &[("a/gen/part.rs", Some("x"))]).len(), 1);
    assert_eq!(found(&tree, &[("shared/part.rs", Some("x"))]), [""; 0]);
}

#[test]
fn what_a_configuration_of_cargo_includes_is_protected() {
    let mut tree = tree(MANIFEST);
    let config = "include = [{ path = \"../conf/a.toml\" }, \"b.toml\"]\n";
    tree.0.insert(".cargo/config.toml", config.to_owned());
    tree.0.insert("conf/a.toml", "include = 'c.toml'\n".to_owned());
    for path in ["conf/a.toml", "conf/c.toml"] {
        assert_eq!(found(&tree, &[(path, Some("[build]\n"))]).len(), 1, "{path}");
    }
    assert_eq!(found(&tree, &[("src/conf/d.toml", Some("[build]\n"))]), [""; 0]);
}

#[test]
fn what_a_configuration_of_cargo_names_is_protected() {
    let mut tree = tree(MANIFEST);
    for config in [
        "target.x86_64-unknown-linux-gnu.runner = \"./tools/w.sh\"\n",
        "target.'cfg(unix)'.runner = [\"sh\", \"tools/w.sh\"]\n",
        "[build]\nrustc-wrapper = \"tools/../tools/w.sh\"\n",
        "build.rustflags = [\"-Clinker=tools/w.sh\"]\n",
        "build.target = \"tools/w.sh\"\n",
        "registry.global-credential-providers = [\"cargo:token-from-stdout ./tools/w.sh x\"]\n",
        "doc.browser = '../p/tools/w.sh'\n",
        "[env]\nRUSTC = { value = \"tools/w.sh\", relative = true }\n",
        "[env]\nPATH = \"/bin:./tools\"\n",
        "host.linker = \"/home/u/p/tools/w.sh\"\n",
        "credential-alias.x = [\"scripts/w.sh\"]\n",
    ] {
        let named = |tree: &Texts, after: &[(&str, Option<&str>)]| found(tree, after);
        tree.0.insert(".cargo/config.toml", config.to_owned());
        assert_eq!(named(&tree, &[("tools/w.sh", Some("x"))]).len(), 1, "{config}");
        let plain = named(&tree, &[("src/w.sh", Some("x"))]);
        assert!(plain.len() == 1 && plain[0].contains("neither Rust"), "{config} {plain:?}");
        // Both before the change and after it.
        let both = [(".cargo/config.toml", Some("")), ("tools/w.sh", Some("x"))];
        let named = named(&tree, &both);
        assert!(named.iter().any(|it| it.starts_with("tools/w.sh")), "{config}");
    }
    let ordinary = "[alias]\nx = \"run tools/w.sh\"\n[build]\ntarget-dir = \"tools\"\n[env]\n\
                    ROOT = { value = \"\", relative = true }\n";
    tree.0.insert(".cargo/config.toml", ordinary.to_owned());
    let plain = found(&tree, &[("tools/w.sh", Some("x"))]);
    assert!(plain.len() == 1 && plain[0].contains("neither Rust"), "{plain:?}");
}

#[test]
fn scripts_and_configurations_of_other_packages_count() {
    let mut tree = tree(MANIFEST);
    tree.0.insert("a/Cargo.toml", MANIFEST.to_owned());
    tree.0.insert("a/build.rs", "include!(\"../shared/x.rs\");\nfn main() {}\n".to_owned());
    tree.0.insert("b/Cargo.toml", MANIFEST.to_owned());
    let script = "#[path = \"../b/src/part.rs\"]\nmod part;\nfn main() {}\n";
    tree.0.insert("c/Cargo.toml", format!("{MANIFEST}build = \"s.rs\"\n"));
    tree.0.insert("c/s.rs", script.to_owned());
    let config = "include = [\"../../conf/c.toml\"]\n";
    tree.0.insert("a/.cargo/config.toml", config.to_owned());
    for path in ["shared/x.rs", "b/src/part.rs", "conf/c.toml"] {
        assert_eq!(found(&tree, &[(path, Some("x"))]).len(), 1, "{path}");
    }
    for path in ["shared/y.rs", "b/src/other.rs", "src/conf/d.toml"] {
        assert_eq!(found(&tree, &[(path, Some("x"))]), [""; 0], "{path}");
    }
}

#[test]
fn packages_that_a_build_script_depends_on_are_a_part_of_it() {
    let mut tree = tree("[workspace]\n[workspace.dependencies]\nw = { path = \"w\" }\n");
    let needs = "[build-dependencies]\nb = { path = \"../b\" }\nw.workspace = true\n\
                 [dependencies]\nn = { path = \"../n\" }\n";
    tree.0.insert("a/Cargo.toml", format!("{MANIFEST}{needs}"));
    tree.0.insert("a/build.rs", "fn main() {}\n".to_owned());
    tree.0.insert("b/Cargo.toml", format!("{MANIFEST}[dependencies]\nc = {{ path = \"../c\" }}\n"));
    for manifest in ["c/Cargo.toml", "w/Cargo.toml", "n/Cargo.toml"] {
        tree.0.insert(manifest, MANIFEST.to_owned());
    }
    for file in ["b/src/lib.rs", "c/src/deep/m.rs", "w/src/lib.rs"] {
        let seen = found(&tree, &[(file, Some("x"))]);
        assert!(seen.len() == 1 && seen[0].contains("build script"), "{file}: {seen:?}");
    }
    for file in ["n/src/lib.rs", "b/README.md", "a/src/lib.rs"] {
        assert_eq!(found(&tree, &[(file, Some("x"))]), [""; 0], "{file}");
    }
}

#[test]
fn code_of_a_needed_package_counts_whatever_its_files_are_named() {
    let mut tree = tree(MANIFEST);
    tree.0.insert("src/lib.rs", "include!(\"own.in\");\n".to_owned());
    let needs = "[build-dependencies]\nb = { path = \"../b\" }\nroot = { path = \"..\" }\n";
    tree.0.insert("a/Cargo.toml", format!("{MANIFEST}{needs}"));
    tree.0.insert("a/build.rs", "fn main() {}\n".to_owned());
    tree.0.insert("b/Cargo.toml", format!("{MANIFEST}[lib]\npath = \"code/root.rs\"\n"));
    let code = "#![doc = include_str!(\"../README.md\")]\ninclude!(\"gen.in\");\n#[path = \"x.txt\"]\n\
        pub mod x;\ninclude!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));\n\
        macro_rules! m { ($n:ident) => { mod $n { pub fn f() {} } } }\n";
    tree.0.insert("b/code/root.rs", code.replace("macro_rules", "//macro_rules"));
    tree.0.insert("b/code/x.txt", "pub fn h() {}\n".to_owned());
    for file in ["b/code/gen.in", "b/code/x.txt", "b/code/root.rs", "src/lib.rs", "src/own.in"] {
        let seen = found(&tree, &[(file, Some("x"))]);
        assert!(seen.iter().any(|it| it.contains("build script")), "{file}: {seen:?}");
    }
    for file in ["b/README.md", "b/code/y.css", "docs/z.md", "c/src/lib.rs"] {
        assert_eq!(found(&tree, &[(file, Some("x"))]), [""; 0], "{file}");
    }
    // The files of modules in a module that a macro names are below its package.
    tree.0.insert("b/code/root.rs", code.to_owned());
    assert_eq!(found(&tree, &[("b/code/y.css", Some("x"))]).len(), 1);
    assert_eq!(found(&tree, &[("docs/z.md", Some("x"))]), [""; 0]);
}

#[test]
fn code_that_a_build_did_not_run_before_is_for_a_person() {
    let mut tree = tree(&format!("{MANIFEST}[workspace]\nmembers = [\"m/*\"]\n"));
    let mut package = |folder: &'static str, script: Option<&'static str>, rest: &str| {
        let text = format!("[package]\nname = \"x\"\n{rest}");
        tree.0.insert(String::leak(format!("{folder}/Cargo.toml")), text);
        script.map(|it| tree.0.insert(it, "fn main() {}\n".to_owned()));
    };
    package("m/a", None, "");
    package("m/b", Some("m/b/build.rs"), "");
    package("fixtures/script", Some("fixtures/script/build.rs"), "");
    package("fixtures/macro", None, "[lib]\nproc-macro = true\n");
    package("fixtures/far", None, "[dev-dependencies]\ny = { path = \"../script\" }\n");
    package("fixtures/plain", None, "");
    let with = |rest: &str| found(&tree, &[("m/a/Cargo.toml", Some(rest))]);
    let run = |folder: &str| {
        format!(
            "m/a/Cargo.toml: what makes the build run the build script or the procedural macros of \
             `{folder}`, which it did not run before"
        )
    };
    for (table, folder, runs) in [
        ("dependencies", "fixtures/script", "fixtures/script"),
        ("build-dependencies", "fixtures/macro", "fixtures/macro"),
        ("target.'cfg(unix)'.dev-dependencies", "fixtures/far", "fixtures/script"),
    ] {
        let text = format!("[package]\nname = \"x\"\n[{table}.y]\npath = \"../../{folder}\"\n");
        assert_eq!(with(&text), [run(runs)]);
    }
    // A member's script runs already, and a plain package has none.
    for free in ["../b", "../../fixtures/plain"] {
        let text =
            format!("[package]\nname = \"x\"\n[dependencies]\ny = {{ path = \"{free}\" }}\n");
        assert_eq!(with(&text), [""; 0], "{free}");
    }
}

#[test]
fn the_former_name_of_a_table_is_that_of_the_package() {
    let project = MANIFEST.replace("[package]", "[project]\nbuild = \"gen/main.rs\"");
    let seen = found(&tree(MANIFEST), &[("Cargo.toml", Some(&project))]);
    assert_eq!(seen, ["Cargo.toml: package.build"]);
}

#[test]
fn a_manifest_must_parse_and_ordinary_keys_stay_open() {
    let broken = format!("{MANIFEST}[package]\n");
    assert_eq!(found(&tree(MANIFEST), &[("CARGO.TOML", Some(&broken))]).len(), 1);
    assert_eq!(found(&tree(MANIFEST), &[("Cargo.toml", Some("[lib\n"))]).len(), 1);
    let usual = format!(
        "{MANIFEST}rust-version = \"1.80\"\n[dependencies]\nserde = {{ version = \"1\", features = [\"derive\"] \
         }}\n[features]\nx = []\n[[bin]]\nname = \"b\"\npath = \"src/bin/b.rs\"\n"
    );
    assert_eq!(found(&tree(MANIFEST), &[("Cargo.toml", Some(&usual))]), [""; 0]);
    // A repair of a manifest that did not parse changes only what it changes.
    let damaged = format!("[profile.dev]\nopt-level = 1\n\n{MANIFEST}[dependencies\n");
    let whole = damaged.replace("[dependencies\n", "[dependencies]\n");
    assert_eq!(found(&tree(&damaged), &[("Cargo.toml", Some(&whole))]), [""; 0]);
}

#[test]
fn a_file_beside_a_manifest_that_is_no_source_is_for_a_person() {
    let mut tree = tree(MANIFEST);
    tree.0.insert("inner/Cargo.toml", MANIFEST.to_owned());
    for file in
        ["wrangler.jsonc", "WORKSPACE", "build.sbt", "inner/spin.toml", "Xargo.toml", "data.json"]
    {
        let seen = found(&tree, &[(file, Some("x"))]);
        assert!(seen.len() == 1 && seen[0].contains("beside a manifest"), "{file}: {seen:?}");
    }
    for file in
        ["README.md", "CHANGELOG", "LICENSE-MIT", "logo.png", "src/data.json", "assets/a.css"]
    {
        assert_eq!(found(&tree, &[(file, Some("x"))]), [""; 0], "{file}");
    }
}

#[test]
fn a_program_is_for_a_person_under_any_name() {
    for file in ["tools/run.html", "docs/a.md", "scripts/CHANGELOG-gen", "src/x.rs"] {
        let seen = found(&tree(MANIFEST), &[(file, Some("#!/bin/sh\nrm x\n"))]);
        assert!(seen.iter().any(|it| it.contains("a program")), "{file}: {seen:?}");
    }
    assert_eq!(found(&tree(MANIFEST), &[("src/x.rs", Some("#![no_std]\n"))]), [""; 0]);
}

#[test]
fn what_tools_may_run_or_obey_is_for_a_person_whatever_its_name_is() {
    for file in [
        "docs/conf.py",
        "guide/book.toml",
        "lib/BUILD",
        "js/binding.gyp",
        "checks/zz.sh",
        "scripts/common.sh",
        "tools/release.py",
        "tests/run.sh",
        "web/app.js",
        "data/a.json",
        "xtask/run",
        "docs/conanfile.txt",
        "docs/src/book.toml",
        "web/src/composer.json",
        "examples/java/build.xml",
        "m4/configure.in",
        "guix/guix.scm",
    ] {
        let seen = found(&tree(MANIFEST), &[(file, Some("x"))]);
        assert!(seen.len() == 1 && seen[0].contains("neither Rust"), "{file}: {seen:?}");
    }
    for file in [
        "tests/data/a.json",
        "tests/ui/x.txt",
        "src/more.in",
        "docs/LICENSE.txt",
        "tests/ui/x.stderr",
        "templates/x.html",
        "docs/b.md",
        "src/ffi/x.c",
        "migrations/1.sql",
        "tests/snapshots/a.snap",
    ] {
        assert_eq!(found(&tree(MANIFEST), &[(file, Some("x"))]), [""; 0], "{file}");
    }
}
