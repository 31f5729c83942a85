//! The confinement of single units: what foreign code of one unit may write while it is built.

use std::time::Duration;

use base::{ContentHash, ProjectPath, SortedMap};
use graftage_build::warm::{BuildSources, Isolation, WarmKey, WarmTarget};
use graftage_build::{CargoReport, Command, Verb, run, workspace};

use crate::world::World;

/// Tries to write, replace, remove and create files everywhere in the target directory, and returns
/// what it could do outside of `own`.
const ATTACK: &str = r#"
pub fn attack(own: &std::path::Path) -> Vec<String> {
    let mut target = own.to_owned();
    while !target.join(".rustc_info.json").exists() {
        if !target.pop() { return vec!["no target".to_owned()]; }
    }
    let mut done = Vec::new();
    let mut folders = vec![target];
    while let Some(folder) = folders.pop() {
        if folder.starts_with(own) || folder.ends_with(".units") { continue; }
        let new = folder.join("planted");
        if std::fs::write(&new, "x").is_ok() { done.push(format!("created {}", new.display())); }
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path); continue; }
            if std::fs::OpenOptions::new().append(true).open(&path).is_ok() {
                done.push(format!("opened {}", path.display()));
            }
            let moved = path.with_extension("moved");
            if std::fs::rename(&path, &moved).is_ok() {
                done.push(format!("renamed {}", path.display()));
                let _ = std::fs::rename(&moved, &path);
            }
            if std::fs::hard_link(&path, own.join("link")).is_ok() {
                done.push(format!("linked {}", path.display()));
                let _ = std::fs::remove_file(own.join("link"));
            }
        }
    }
    done
}
"#;

/// A workspace in which the build script of `a` and the macro of `m`, which `b` uses, attack the files
/// of all others.
fn hostile() -> World {
    let world = World::new();
    world.configure("");
    world.write(
        "p/Cargo.toml",
        "[workspace]\nresolver = \"2\"\nmembers = [\"a\", \"b\", \"m\", \"v\"]\n",
    );
    let package = |name: &str, more: &str| {
        let text = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{more}"
        );
        world.write(&format!("p/{name}/Cargo.toml"), &text);
    };
    package("v", "");
    package("a", "[dependencies]\nv = { path = \"../v\" }\n");
    package("m", "[lib]\nproc-macro = true\n");
    package(
        "b",
        "[dependencies]\nm = { path = \"../m\" }\nv = { path = \"../v\" }\na = { path = \"../a\" }\n",
    );
    world.write("p/v/src/lib.rs", "pub fn v() -> u8 { 1 }\n");
    let script = "fn main() {\n\
                  let out = std::path::PathBuf::from(std::env::var_os(\"OUT_DIR\").unwrap());\n\
                  std::fs::write(out.join(\"made.rs\"), \"pub const MADE: u8 = 3;\").unwrap();\n\
                  std::fs::write(std::env::temp_dir().join(\"t\"), \"t\").unwrap();\n\
                  for line in attack(&out) { println!(\"cargo::warning={line}\"); }\n}\n";
    world.write("p/a/build.rs", &format!("{script}{ATTACK}"));
    let lib =
        "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));\npub fn a() -> u8 { v::v() + MADE }\n";
    world.write("p/a/src/lib.rs", lib);
    let mac = "#[proc_macro]\npub fn strike(_: proc_macro::TokenStream) -> proc_macro::TokenStream {\n\
               let out = std::env::args().skip_while(|it| it != \"--out-dir\").nth(1);\n\
               let done = out.map(|out| attack(std::path::Path::new(&out)).join(\"; \"));\n\
               let done = done.unwrap_or_default();\n\
               format!(\"pub const DONE: &str = {done:?};\").parse().unwrap()\n}\n";
    world.write("p/m/src/lib.rs", &format!("{mac}{}", ATTACK.replacen("pub fn", "fn", 1)));
    let b =
        "m::strike!();\n#[test] fn nothing() { assert_eq!(DONE, \"\"); assert_eq!(a::a(), 4); }\n";
    world.write("p/b/src/lib.rs", b);
    world.write("p/Cargo.lock", "version = 4\n");
    world
}

pub(crate) fn build(world: &World, verb: Verb, guarded: bool) -> CargoReport {
    let view = world.view();
    let root = world.root();
    let workspace = workspace(&world.ctx, &world.env, &view, &root).unwrap();
    let mut files = SortedMap::new();
    for name in ["a/src/lib.rs", "b/src/lib.rs", "m/src/lib.rs", "v/src/lib.rs", "a/build.rs"] {
        let bytes = std::fs::read(root.join(name)).unwrap();
        files.insert(ProjectPath::new(name).unwrap(), ContentHash::of(&bytes));
    }
    let (none, workspace) = (Default::default(), Some(&workspace));
    let sources = BuildSources { root: &root, files: &files, closed: &none, workspace };
    let stage = world.env.sandbox.unit_stage();
    let toolchain = &world.env.toolchain;
    let stage = stage.filter(|_| guarded);
    let key = WarmKey {
        root: &root,
        cargo_home: std::path::Path::new("/none"),
        lock: None,
        toolchain,
        selection: "dev",
        stage,
    };
    let warm = WarmTarget::open(&world.at("cache"), &key).unwrap();
    let isolation = match world.env.sandbox.capabilities().overlay.works {
        true => Isolation::Mount,
        false => Isolation::Copy { mounts: false },
    };
    let writing = warm.begin(&world.ctx, sources, isolation).unwrap();
    let command = Command { all_targets: true, ..Command::new(verb, Duration::from_secs(300)) };
    let target = writing.target();
    let report = run(&world.ctx, &world.env, &view, &root, target, &command, &mut |_| {}).unwrap();
    writing.finish(sources, &[], vec!["all".to_owned()], workspace).unwrap();
    report
}

fn warnings(report: &CargoReport) -> Vec<&str> {
    report.diagnostics.iter().map(|it| it.message.as_str()).collect()
}

#[test]
fn a_build_script_and_a_macro_write_the_output_of_their_own_unit_only() {
    let world = hostile();
    if world.env.sandbox.unit_stage().is_none() {
        return testkit::skip(testkit::Need::Landlock, "units of a build are not confined");
    }
    let first = build(&world, Verb::Test, true);
    assert!(first.built, "{:?} {:?}", first.failure, first.diagnostics);
    let tests = first.tests.as_ref().unwrap();
    assert!(
        tests.failed.is_empty() && tests.passed.iter().any(|it| it == "b::nothing"),
        "{tests:?}"
    );
    assert_eq!(warnings(&first), Vec::<&str>::new());
    // Now there is a whole warm directory to attack; only `a` and what depends on it is built.
    world.write("p/a/src/lib.rs", &format!("{}// edited\n", lib_of(&world, "a")));
    let second = build(&world, Verb::Test, true);
    assert_eq!(warnings(&second), Vec::<&str>::new());
    assert!(second.tests.as_ref().unwrap().failed.is_empty(), "{:?}", second.tests);
}

#[test]
fn without_the_confinement_the_same_code_can_forge_the_files_of_others() {
    let world = hostile();
    // It would take the files of a running compiler away.
    world.configure("[build]\njobs = 1\n");
    let report = build(&world, Verb::Test, false);
    assert!(report.built, "{:?}", report.diagnostics);
    let failed = &report.tests.as_ref().unwrap().failed;
    let forged = failed.iter().find(|it| it.name == "b::nothing");
    assert!(forged.is_some_and(|it| it.output.contains("opened ")), "nothing could be forged");
}

fn lib_of(world: &World, package: &str) -> String {
    std::fs::read_to_string(world.at(&format!("p/{package}/src/lib.rs"))).unwrap()
}

/// A macro that prints messages of cargo: a test binary, twice.
const MESSAGES: &str = r##"
#[proc_macro]
pub fn strike(_: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let line = r#"{"reason":"compiler-artifact","package_id":"path+file:///p#b@0.1.0","manifest_path":"/p/Cargo.toml",
        "target":{"kind":["test"],"name":"own"},"profile":{"test":true},"executable":"/t/forged-0123456789abcdef"}"#;
    let line: String = line.lines().map(str::trim).collect();
    println!("{line}\n{line}");
    "pub const DONE: &str = \"\";".parse().unwrap()
}
"##;

#[test]
fn a_macro_cannot_print_messages_of_cargo() {
    let world = hostile();
    world.write("p/m/src/lib.rs", MESSAGES);
    if world.env.sandbox.unit_stage().is_some() {
        let report = build(&world, Verb::Test, true);
        assert!(report.built, "{:?} {:?}", report.failure, report.diagnostics);
        let tests = report.tests.unwrap();
        assert!(tests.complete && tests.passed.iter().any(|it| it == "b::nothing"), "{tests:?}");
    }
    // Control: where units are not confined it can, and a message too many is seen.
    world.configure("[build]\njobs = 1\n");
    let report = build(&world, Verb::Test, false);
    let failure = report.failure.unwrap_or_default();
    assert!(!report.built && failure.contains("test binary forged twice"), "{failure}");
}
