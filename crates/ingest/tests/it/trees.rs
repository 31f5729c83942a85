//! Tests with unusual trees: broken, odd, hostile.

use std::os::unix::fs::symlink;

use graftage_ingest::{IngestError, Options};
use testkit::{FakeHost, TempProject};

use crate::kit::{index, refresh};

fn problems(project: &TempProject) -> Vec<String> {
    let report = refresh(&mut index(project));
    report.problems.iter().map(|it| format!("{} {}: {}", it.path, it.kind, it.message)).collect()
}

#[test]
fn a_tree_without_a_manifest_is_one_crate() {
    let project = testkit::project("//- /src/lib.rs\nmod a;\n//- /src/a.rs\nfn f() {}\n");
    let mut index = index(&project);
    let report = refresh(&mut index);
    assert_eq!((report.files, report.problems.len()), (2, 0));
    assert!(!index.map().by_canon("project/project::a::f").is_empty());
    assert!(!project.exists("target"), "no target directory is created without a manifest");
}

#[test]
fn an_empty_tree_has_an_empty_map() {
    let project = TempProject::empty();
    let report = refresh(&mut index(&project));
    assert_eq!((report.files, report.items), (0, 0));
    assert_eq!(refresh(&mut index(&project)).epoch, report.epoch);
}

#[test]
fn a_file_that_is_not_text_is_skipped_and_reported() {
    let project = testkit::project("//- /src/lib.rs\nmod a;\nfn f() {}\n");
    project.write("src/a.rs", b"fn \xff() {}");
    assert!(problems(&project).contains(&"src/a.rs skipped: it is not UTF-8 text".to_owned()));
    let report = refresh(&mut index(&project));
    assert_eq!((report.files, report.skipped), (1, 1));
}

#[test]
fn a_file_under_two_names_counts_once() {
    let project = testkit::project("//- /src/lib.rs\nfn f() {}\n");
    symlink("lib.rs", project.path("src/other.rs")).unwrap();
    symlink("src", project.path("again")).unwrap();
    let report = refresh(&mut index(&project));
    assert_eq!((report.files, report.skipped), (1, 1));
    symlink("/etc/hostname", project.path("src/outside.rs")).unwrap();
    symlink("nowhere", project.path("src/broken.rs")).unwrap();
    let problems = problems(&project);
    assert_eq!(
        problems,
        [
            "src/broken.rs link: the link leads nowhere",
            "src/outside.rs link: the link leads out of the project, to `/etc/hostname`",
        ]
    );
}

#[test]
fn ignored_files_and_targets_are_left_out() {
    let project = testkit::project(
        "//- /Cargo.toml\n[package]\nname = \"p\"\n//- /src/lib.rs\n//- /target/x.rs\n\
         //- /out/y.rs\n//- /more/z.rs\n//- /.gitignore\nout\n//- /skip\nmore\n",
    );
    let mut index = index(&project);
    assert_eq!(refresh(&mut index).files, 2);
    let options = Options { ignore_files: vec!["skip".into()], ..Options::default() };
    assert_eq!(index.refresh(&testkit::ctx(), &options).unwrap().files, 1);
    assert_eq!(refresh(&mut index).files, 2);
}

#[test]
fn a_tree_with_an_invalid_manifest_is_indexed() {
    let project = testkit::project(
        "//- /Cargo.toml\n[package\n//- /src/lib.rs\nmod a;\n//- /src/a.rs\npub fn f() {}\n",
    );
    let mut index = index(&project);
    refresh(&mut index);
    assert!(!index.map().by_canon("project/project::a::f").is_empty());
}

#[test]
fn indexing_modules_that_contain_each_other_terminates() {
    let project = testkit::project(
        "//- /src/lib.rs\nmod a;\n//- /src/a.rs\n#[path = \"b.rs\"] mod b;\npub use b::*;\n\
         //- /src/b.rs\n#[path = \"a.rs\"] mod a;\npub use a::*;\nfn f() { f() }\n",
    );
    assert_eq!(refresh(&mut index(&project)).files, 3);
}

#[test]
fn a_module_without_its_file_is_a_problem() {
    let project = testkit::project("//- /src/lib.rs\nfn f() {}\nmod gone;\n");
    let report = refresh(&mut index(&project));
    let problem = report.problems.iter().find(|it| it.kind == "module").unwrap();
    assert_eq!((problem.path.as_str(), problem.line), ("src/lib.rs", 2));
}

#[test]
fn deep_nesting_huge_and_empty_files_are_read() {
    let deep = format!("fn f() {{ {}{} }}", "(".repeat(10_000), ")".repeat(10_000));
    let blocks = format!("fn g() {{ {}{} }}", "{".repeat(10_000), "}".repeat(10_000));
    let types = format!("type T = {}u8{};", "Vec<".repeat(10_000), ">".repeat(10_000));
    let modules = format!("{}{}", "mod m {".repeat(2_000), "}".repeat(2_000));
    let huge = "pub fn h() { let x = 1; }\n".repeat(40_000);
    let project = testkit::project("//- /src/lib.rs\nmod a; mod b; mod c; mod d; mod e; mod f;\n");
    for (name, text) in [
        ("a", &deep),
        ("b", &blocks),
        ("c", &types),
        ("d", &modules),
        ("e", &huge),
        ("f", &String::new()),
    ] {
        project.write(&format!("src/{name}.rs"), text);
    }
    let report = refresh(&mut index(&project));
    assert_eq!(report.files, 7);
    assert!(report.items >= 40_200);
}

#[test]
fn crlf_line_ends_and_a_byte_order_mark_are_read() {
    let project = testkit::project("//- /src/lib.rs\n");
    project.write("src/lib.rs", "\u{feff}pub fn f() {}\r\n/// x\r\npub fn g() { f() }\r\n");
    let mut index = index(&project);
    refresh(&mut index);
    let map = index.map();
    let found = map.by_name("g");
    assert_eq!(map.item(found[0]).unwrap().line, 3);
    assert_eq!(map.edges_out(found[0]).count(), 1);
}

#[test]
fn cancelling_leaves_the_previous_map() {
    let project = crate::kit::shapes();
    let mut index = index(&project);
    let before = refresh(&mut index);
    let text = project.read("src/util.rs").replace("zero", "none");
    project.write("src/util.rs", text);
    for looks in 0..40 {
        let host = FakeHost::new();
        host.cancel_after(looks);
        match index.refresh(&host.ctx(), &Options::default()) {
            Err(IngestError::Cancelled(_)) => {
                assert_eq!(index.map().epoch(), before.epoch);
                assert!(index.map().by_name("none").is_empty());
            }
            Ok(report) => {
                assert_eq!(report.epoch, before.epoch + 1);
                return;
            }
            Err(err) => panic!("{err}"),
        }
    }
    panic!("the refresh never finished");
}

#[test]
fn progress_is_reported() {
    let project = crate::kit::shapes();
    let host = FakeHost::new();
    index(&project).refresh(&host.ctx(), &Options::default()).unwrap();
    let stages: base::SortedSet<String> =
        host.progress_log().into_iter().map(|it| it.stage).collect();
    assert!(stages.contains("reading") && stages.contains("resolving"), "{stages:?}");
}

#[test]
fn nothing_is_written_into_the_tree() {
    let project = crate::kit::shapes();
    let before = project.digest();
    let mut index = index(&project);
    refresh(&mut index);
    assert!(
        index.folder().join("index.bin").is_file() && !index.folder().starts_with(project.root())
    );
    assert!(!project.exists("target"));
    before.assert_same(&project.digest());
}
