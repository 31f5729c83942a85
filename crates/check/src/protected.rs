//! The parts of a change that only a person may allow and that its paths do not show: keys of manifests
//! that decide how code is built, and build scripts that a manifest names. Computed from the overlay
//! itself when a proof begins, so that no caller can leave it out.

mod configuration;
mod links;
mod reached;
mod run_by_cargo;

use base::{ProjectPath, SortedMap, SortedSet};
use edit::{FileState, Files, Overlay, Unreadable};
use policy::{Exception, ProtectedChange};
use preserve::ManifestPackage;

use links::{Followed, Links};
use run_by_cargo::RunByCargo;

/// What of the overlay is protected, ordered by file and key.
/// `names` are the files of the tree and `links` its links, with where they lead to.
pub(crate) fn changes<'n>(
    files: &dyn Files,
    (names, links): (impl Iterator<Item = &'n ProjectPath>, &SortedMap<ProjectPath, ProjectPath>),
    overlay: &'n Overlay,
) -> Vec<ProtectedChange> {
    let links = Links::of(links);
    let after = Changed { files, overlay };
    let changed = || overlay.changes().map(|it| it.0);
    let names: SortedSet<&ProjectPath> = names.chain(changed()).collect();
    let sides: [&dyn Files; 2] = [files, &after];
    let states = sides
        .map(|files| (Followed { files, links: &links }, RunByCargo::of(files, &links, &names)));
    let mut found = Vec::new();
    for (path, change) in overlay.changes() {
        if path.file_name().eq_ignore_ascii_case("Cargo.toml") {
            let from = change.renamed_from.as_ref().and_then(|it| overlay.get(it));
            let before = from.unwrap_or(change).before_text();
            manifest(path, before, change.after_text(), &mut found);
        }
        found.extend(linked(&links, path));
        if policy::protected(path).is_none() {
            found.extend(build_script(&states, path));
            found.extend(included(&states, path));
        }
    }
    found.sort();
    found.dedup();
    found
}

fn manifest(path: &ProjectPath, before: &str, after: &str, found: &mut Vec<ProtectedChange>) {
    match preserve::changed_keys(before, after) {
        Ok(keys) => found.extend(keys.iter().filter_map(|it| {
            // A new package has to name one.
            if before.is_empty() && it.key.last().is_some_and(|it| it == "edition") {
                return None;
            }
            let row = policy::protected_key(&it.key, it.value.as_deref())?;
            Some(ProtectedChange {
                path: path.clone(),
                key: Some(it.key.join(".")),
                reason: row.reason.to_owned(),
                by_rules: row.except == Exception::OwnRules,
            })
        })),
        Err(fault) => found.push(ProtectedChange {
            path: path.clone(),
            key: None,
            reason: format!("a manifest that does not parse ({fault})"),
            by_rules: false,
        }),
    }
}

/// The file as what a link with a protected name leads to, or as a file in such a folder.
fn linked(links: &Links<'_>, path: &ProjectPath) -> Option<ProtectedChange> {
    let Some(names) = links.names_of(path) else {
        let reason = "what more links lead to than are looked at".to_owned();
        return Some(ProtectedChange { path: path.clone(), key: None, reason, by_rules: false });
    };
    names.iter().find_map(|link| {
        let is_manifest = link.file_name().eq_ignore_ascii_case("Cargo.toml");
        let row = policy::protected(link).map(|it| it.reason);
        let reason = row.or(is_manifest.then_some("the manifest of a package"))?;
        Some(ProtectedChange {
            path: path.clone(),
            key: None,
            reason: format!("what the link `{link}` leads to: {reason}"),
            by_rules: false,
        })
    })
}

/// The file as a part of a build script, before the change or after it.
fn build_script(states: &[State<'_>; 2], path: &ProjectPath) -> Option<ProtectedChange> {
    let is_rust = path.as_str().to_ascii_lowercase().ends_with(".rs");
    let is_part = states.iter().any(|(files, found)| {
        // A manifest that does not parse is reported for itself, and builds nothing.
        let own = ManifestPackage::of_file(files, path).ok().flatten();
        found.is_in_script(path) || is_rust && own.is_some_and(|it| it.is_build_script(path))
    });
    is_part.then(|| ProtectedChange {
        path: path.clone(),
        key: None,
        reason: "part of a build script, which cargo runs during the build".to_owned(),
        by_rules: true,
    })
}

/// The file as one that a configuration of cargo includes, before the change or after it.
fn included(states: &[State<'_>; 2], path: &ProjectPath) -> Option<ProtectedChange> {
    states.iter().any(|(_, found)| found.is_included(path)).then(|| ProtectedChange {
        path: path.clone(),
        key: None,
        reason: "included by a configuration of cargo: the compiler, its flags and wrappers"
            .to_owned(),
        by_rules: false,
    })
}

/// The files of one state of the tree, with those that cargo runs.
type State<'a> = (Followed<'a>, RunByCargo);

/// The files with the overlay on top.
struct Changed<'a> {
    files: &'a dyn Files,
    overlay: &'a Overlay,
}

impl Files for Changed<'_> {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        match self.overlay.get(path) {
            Some(change) => Ok(change.after.clone()),
            None => self.files.read(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use base::Timestamp;

    use super::*;

    const MANIFEST: &str = "[package]\nname = \"a\"\nversion = \"0.1.0\"\n";

    struct Tree(SortedMap<&'static str, String>);

    impl Files for Tree {
        fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
            Ok(self.0.get(path.as_str()).map(|it| FileState::from_text(it.as_str())))
        }
    }

    fn tree(manifest: &str) -> Tree {
        Tree(SortedMap::from([
            ("Cargo.toml", manifest.to_owned()),
            ("src/lib.rs", "pub fn f() {}\n".to_owned()),
            ("gen/main.rs", "fn main() {}\n".to_owned()),
        ]))
    }

    /// `path: key` of what is protected in a change of files to these texts.
    fn found(tree: &Tree, after: &[(&str, Option<&str>)]) -> Vec<String> {
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
        let names: Vec<ProjectPath> = tree.0.keys().map(|it| path(it)).collect();
        changes(tree, (names.iter(), &links), &overlay).into_iter().map(line).collect()
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
        for file in ["cix/w.yml", "docs/b.md"] {
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
            (
                "[workspace.metadata.dylint]\nlibraries = []\n",
                "workspace.metadata.dylint.libraries",
            ),
        ] {
            // The issue's own disguise: a string whose escaped quote hid the tables after it.
            let disguised =
                "[package]\ndescription = \"a\\\"[\"\nname = \"a\"\nversion = \"0.1.0\"\n";
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
        for path in ["src/lib.rs", "data/y.txt", "gen/other.rs"] {
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
        for path in ["data/y.txt", "inl/after.rs"] {
            assert_eq!(found(&tree, &[(path, Some("x"))]), [""; 0], "{path}");
        }
        // The change itself may make it a part.
        let both = [("build.rs", Some("mod more;\nfn main() {}\n")), ("more/mod.rs", Some(""))];
        assert!(found(&tree, &both).iter().any(|it| it.starts_with("more/mod.rs")));
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
        assert_eq!(found(&tree, &[("conf/d.toml", Some("[build]\n"))]), [""; 0]);
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
        for path in ["shared/y.rs", "b/src/other.rs", "conf/d.toml"] {
            assert_eq!(found(&tree, &[(path, Some("x"))]), [""; 0], "{path}");
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
}
