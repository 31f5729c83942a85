//! Reads of the units of a build, as the sandbox records them: by macros, build scripts, the assembler and the linker.

use std::collections::BTreeSet;

use crate::guard::build;
use crate::world::World;
use graftage_build::Verb;
use sandbox::UnitRecord;

/// A workspace in which the macro of `m` (used by `b`), the build script of `a` and the assembler of `v` read what
/// no compiler reports.
fn reading() -> World {
    let world = World::new();
    world.configure("");
    let members = "[workspace]\nresolver = \"2\"\nmembers = [\"a\", \"b\", \"m\", \"v\"]\n";
    world.write("p/Cargo.toml", members);
    let package = |name: &str, more: &str| {
        let text = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{more}"
        );
        world.write(&format!("p/{name}/Cargo.toml"), &text);
    };
    package("a", "");
    package("v", "");
    package("m", "[lib]\nproc-macro = true\n");
    package("b", "[dependencies]\nm = { path = \"../m\" }\n");
    for name in ["m.txt", "a.txt", "v.bin", "link.txt"] {
        world.write(&format!("p/data/{name}"), "3");
    }
    std::fs::create_dir_all(world.at("p/.git")).unwrap();
    world.write("p/.git/HEAD", "ref: refs/heads/main\n");
    // Its OUT_DIR is empty in each run.
    world.write(
        "p/a/build.rs",
        "use std::path::Path;\n\
         fn main() {\n\
             let out = std::env::var(\"OUT_DIR\").unwrap();\n\
             assert_eq!(std::fs::read_dir(&out).unwrap().count(), 0);\n\
             std::fs::write(Path::new(&out).join(\"x\"), \"\").unwrap();\n\
             std::fs::read(\"../.git/HEAD\").unwrap();\n\
             std::env::set_current_dir(\"../data\").unwrap();\n\
             let text = std::process::Command::new(\"cat\").arg(\"a.txt\").output().unwrap();\n\
             assert_eq!(text.stdout, b\"3\");\n\
             assert!(!Path::new(\"none.txt\").exists());\n\
             println!(\"cargo::rerun-if-changed=build.rs\");\n\
         }\n",
    );
    world.write("p/a/src/lib.rs", "");
    world.write(
        "p/m/src/lib.rs",
        "#[proc_macro]\npub fn read(_: proc_macro::TokenStream) -> proc_macro::TokenStream {\n\
             let names = std::fs::read_dir(\"data\").unwrap().count();\n\
             std::thread::spawn(move || {\n\
                 let text = std::fs::read_to_string(\"data/../data/m.txt\").unwrap();\n\
                 format!(\"pub const READ: (u8, usize) = ({text}, {names});\").parse().unwrap()\n\
             }).join().map(|it: String| it.parse().unwrap()).unwrap()\n}\n",
    );
    world.write("p/b/src/lib.rs", "m::read!();\nmod inner;\n");
    world.write("p/b/src/inner.rs", "");
    world.write(
        "p/v/src/lib.rs",
        "core::arch::global_asm!(\".section .rodata\", \".incbin \\\"data/v.bin\\\"\", \".text\");\n",
    );
    world.write("p/Cargo.lock", "version = 4\n");
    world
}

/// The records by the name of their crate or package, with paths relative to the project.
fn records(world: &World) -> Vec<(String, BTreeSet<String>, UnitRecord)> {
    let warm = std::fs::read_dir(world.at("cache/warm")).unwrap().next().unwrap().unwrap().path();
    let root = world.root();
    let mut found = Vec::new();
    for entry in std::fs::read_dir(warm.join("target").join(UnitRecord::FOLDER)).unwrap() {
        let entry = entry.unwrap();
        let record = UnitRecord::parse(&std::fs::read(entry.path()).unwrap());
        let name = entry.file_name().into_string().unwrap();
        let name = name.rsplit_once('-').unwrap().0.to_owned();
        let shown = |path: &std::path::PathBuf| {
            path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned()
        };
        found.push((name, record.entries.iter().map(shown).collect(), record));
    }
    found
}

#[test]
fn what_a_unit_reads_is_recorded_for_every_reader() {
    let world = reading();
    if world.env.sandbox.unit_stage().is_none() || !world.env.sandbox.capabilities().overlay.works {
        return testkit::skip(testkit::Need::UserNamespaces, "what units read is not seen");
    }
    let report = build(&world, Verb::Test, true);
    assert!(report.built, "{:?} {:?}", report.failure, report.diagnostics);
    let records = records(&world);
    let all_have = |name: &str, wanted: &[&str]| {
        let of_name: Vec<_> = records.iter().filter(|it| it.0 == name).collect();
        assert!(!of_name.is_empty(), "{name}");
        for (_, entries, record) in of_name {
            // In this view a build script may write its package, and so read what it wrote.
            assert_eq!(record.is_complete, name != "run-a", "{name}");
            for file in wanted {
                assert!(entries.contains(*file), "{name} {file}: {entries:?}");
            }
        }
    };
    all_have("b", &["data/m.txt", "data", "b/src/inner.rs", "b/src/inner/mod.rs"]);
    all_have("run-a", &[".git/HEAD", "data/a.txt", "data/none.txt"]);
    all_have("v", &["v/src/lib.rs"]);
    assert!(records.iter().any(|it| it.0 == "v" && it.1.contains("data/v.bin")));
    let has = |name: &str, file: &str| records.iter().any(|it| it.0 == name && it.1.contains(file));
    assert!(!has("a", "data/a.txt") && !has("m", "data/m.txt") && !has("v", "data/m.txt"));
    let names = records.iter().find(|it| it.0 == "b").map(|it| &it.2.folders);
    assert_eq!(names.unwrap(), &[world.root().join("data")]);
    // The build script runs again, with nothing of its first run.
    world.write("p/a/src/lib.rs", "// edited\n");
    world.write("p/data/a.txt", "3");
    assert!(build(&world, Verb::Test, true).built);
}

#[test]
fn in_an_unchanged_tree_no_unit_is_built_again() {
    let world = reading();
    if world.env.sandbox.unit_stage().is_none() || !world.env.sandbox.capabilities().overlay.works {
        return testkit::skip(testkit::Need::UserNamespaces, "what units read is not seen");
    }
    let written = |world: &World| {
        let warm = std::fs::read_dir(world.at("cache/warm")).unwrap().next().unwrap().unwrap();
        let records = std::fs::read_dir(warm.path().join("target").join(UnitRecord::FOLDER));
        let mut found = Vec::new();
        for entry in records.unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap();
            // The build script of `a` may write its package in this view.
            if !["run-a-", "a-", "build_script_build-"].iter().any(|it| name.starts_with(it)) {
                found.push((name, std::os::unix::fs::MetadataExt::ino(&entry.metadata().unwrap())));
            }
        }
        found.sort();
        found
    };
    assert!(build(&world, Verb::Test, true).built);
    let first = written(&world);
    assert!(first.len() >= 5, "{first:?}");
    assert!(build(&world, Verb::Test, true).built);
    assert_eq!(written(&world), first);
}

#[test]
fn no_variable_of_a_unit_reaches_the_loader_of_the_stage() {
    let dir = tempfile::tempdir().unwrap();
    let launcher = dir.path().join("launcher");
    std::fs::write(&launcher, sandbox::LAUNCHER).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(&launcher, mode).unwrap();
    let run = |program: &std::path::Path, args: &[&str]| {
        let mut command = std::process::Command::new(program);
        command.args(args).env_clear().env("LD_PRELOAD", "/none.so").env("A", "1");
        command.output().unwrap()
    };
    let out = run(&launcher, &["/usr/bin/env -0", "--null"]);
    // The names are there, but for one bit of each.
    let names: Vec<_> = out.stdout.split(|it| *it == 0).filter(|it| !it.is_empty()).collect();
    assert_eq!(names.len(), 2, "{out:?}");
    assert!(names.contains(&b"\xc1=1".as_slice()) && out.stderr.is_empty(), "{out:?}");
    // Control: without it the loader looks for the library.
    let out = run(std::path::Path::new("/usr/bin/env"), &["-0"]);
    assert!(String::from_utf8_lossy(&out.stderr).contains("/none.so"), "{out:?}");
    // It starts nothing that is not named with a word.
    assert_eq!(run(&launcher, &["/usr/bin/env"]).status.code(), Some(101));
}

#[test]
fn a_unit_is_alone_and_what_it_locks_or_sends_is_known() {
    // Nothing of both, a lock of a file of the project, and a message.
    for (locks, sends) in [(false, false), (true, false), (false, true)] {
        let world = reading();
        if world.env.sandbox.unit_stage().is_none()
            || !world.env.sandbox.capabilities().overlay.works
        {
            return testkit::skip(testkit::Need::UserNamespaces, "what units read is not seen");
        }
        let text = "use std::os::fd::AsRawFd;\n\
             unsafe extern \"C\" {\n\
                 safe fn kill(process: i32, signal: i32) -> i32;\n\
                 safe fn getppid() -> i32;\n\
                 safe fn getpriority(which: i32, who: u32) -> i32;\n\
                 safe fn flock(file: i32, operation: i32) -> i32;\n\
                 safe fn dup2(from: i32, to: i32) -> i32;\n\
                 fn sendmsg(socket: i32, message: *const Message, flags: i32) -> isize;\n\
             }\n\
             #[repr(C)]\n\
             struct Part(*const u8, usize);\n\
             #[repr(C)]\n\
             struct Message(*const u8, u32, *const Part, usize, *const u8, usize, i32);\n\
             #[proc_macro]\n\
             pub fn read(_: proc_macro::TokenStream) -> proc_macro::TokenStream {\n\
                 let own = std::process::id() as i32;\n\
                 assert_eq!((kill(own, 0), kill(0, 0)), (0, 0));\n\
                 assert!(getpriority(0, 0) >= 0);\n\
                 // It has run once it answers: of one that is killed before, the stage does not know the program.\n\
                 use std::{io::{Read, Write}, process::{Command, Stdio}};\n\
                 let mut child = Command::new(\"cat\").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();\n\
                 child.stdin.as_mut().unwrap().write_all(b\"x\").unwrap();\n\
                 child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();\n\
                 assert_eq!(kill(child.id() as i32, 9), 0);\n\
                 child.wait().unwrap();\n\
                 // Its parent runs nothing foreign; then all of this user, and a group that is not there.\n\
                 assert_eq!((kill(getppid(), 0), kill(-1, 0), getpriority(2, 0)), (-1, -1, -1));\n\
                 let file = std::fs::File::open(\"data/m.txt\").unwrap();\n\
                 // What others see of it stays; its numbers come from the stage.\n\
                 let rights = file.metadata().unwrap().permissions();\n\
                 assert!(std::fs::set_permissions(\"data/m.txt\", rights.clone()).is_err());\n\
                 assert!(file.set_permissions(rights).is_err());\n\
                 assert_eq!(std::fs::metadata(\"data/m.txt\").unwrap().len(), 1);\n\
                 assert!(std::fs::symlink_metadata(\"data\").unwrap().is_dir());\n\
                 assert!(std::fs::read_link(\"data/m.txt\").is_err());\n\
                 assert!(std::fs::read_link(\"/proc/self/exe\").is_ok());\n\
                 if LOCKS { assert_eq!(flock(file.as_raw_fd(), 2), 0); }\n\
                 if SENDS {\n\
                     let (one, two) = std::os::unix::net::UnixDatagram::pair().unwrap();\n\
                     let null = std::ptr::null();\n\
                     let part = Part(b\"hey\".as_ptr(), 3);\n\
                     let message = Message(null, 0, &part, 1, null, 0, 0);\n\
                     assert_eq!(unsafe { sendmsg(one.as_raw_fd(), &message, 0) }, 3);\n\
                     assert_eq!(two.recv(&mut [0; 9]).unwrap(), 3);\n\
                     // The number by which the stage sent its filter's other end.\n\
                     assert_eq!(dup2(one.as_raw_fd(), 1000), 1000);\n\
                     assert_eq!(unsafe { sendmsg(1000, &message, 0) }, -1);\n\
                 }\n\
                 proc_macro::TokenStream::new()\n\
             }\n";
        let macro_text =
            format!("const LOCKS: bool = {locks};\nconst SENDS: bool = {sends};\n{text}");
        world.write("p/m/src/lib.rs", &macro_text);
        world.write("p/m/Cargo.toml", "[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\nproc-macro = true\n");
        let report = build(&world, Verb::Test, true);
        assert!(report.built, "{:?} {:?}", report.failure, report.diagnostics);
        let records = records(&world);
        let of_b: Vec<_> = records.iter().filter(|it| it.0 == "b").collect();
        assert!(!of_b.is_empty());
        for (_, entries, record) in of_b {
            assert!(entries.contains("data/m.txt"), "{entries:?}");
            assert_eq!(record.is_complete, !locks && !sends, "{record:?}");
        }
    }
}
