//! `graftage fleet`: one command over many repositories, on both engines.
#![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::TempProject;

use crate::support::{command, graftage};

/// Longest time that a test waits for a process.
const PATIENCE: Duration = Duration::from_secs(120);

const MANIFEST: &str = "[package]\nversion = \"0.1.0\"\nedition = \"2021\"\nname = ";

/// A folder with a crate for each name and text.
fn fleet(crates: &[(&str, &str)]) -> TempProject {
    let mut text =
        "//- /list.txt\n# none yet\n//- /fleet/notes/readme.txt\nno project\n".to_owned();
    for (name, lib) in crates {
        text += &format!("//- /fleet/{name}/Cargo.toml\n{MANIFEST}\"{name}\"\n");
        text += &format!("//- /fleet/{name}/src/lib.rs\n{lib}\n");
    }
    testkit::project(&text)
}

const GOOD: &str = "pub fn one() -> u8 {\n    1\n}";
const IMPORT: &str = "pub fn empty() -> HashMap<u8, u8> {\n    HashMap::new()\n}";
const WRONG: &str = "pub fn one() -> Widget {\n    unknown()\n}";

/// Name, outcome and reason of each repository.
fn rows(document: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = document["repositories"].as_array().cloned().unwrap_or_default();
    let row = |it: &Value| {
        format!("{} {} {}", text(&it["name"]), text(&it["outcome"]), text(&it["reason"]))
            .trim_end()
            .to_owned()
    };
    all.iter().map(row).collect()
}

/// The files of a folder with their texts, by path.
fn texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.path() {
            path if path.is_dir() => all.extend(texts(&path)),
            path => all.push((path.clone(), std::fs::read_to_string(&path).unwrap())),
        }
    }
    all.sort();
    all
}

fn sources(project: &TempProject) -> Vec<(PathBuf, String)> {
    texts(&project.root().join("fleet"))
}

#[test]
fn each_repository_has_its_result_and_none_is_written() {
    let project = fleet(&[("good", GOOD), ("import", IMPORT), ("wrong", WRONG)]);
    let before = sources(&project);
    let run = ["fleet", "run", "fix", "--repos", "fleet", "--out", "out"];
    let all = graftage(&project, &[&run[..], &["--json"]].concat());
    let document = all.json();
    assert_eq!(
        rows(&document),
        ["good clean", "import proven", "wrong none no rule has a repair for these errors"]
    );
    assert_eq!((all.status, &document["counts"]["proven"]), (1, &Value::from(1)));
    assert_eq!(sources(&project), before);
    let patch = std::fs::read_to_string(project.root().join("out/patches/import.patch")).unwrap();
    assert!(patch.contains("+use std::collections::HashMap;"), "{patch}");
    let evidence = &document["repositories"][1]["evidence"]["evidence"];
    assert_eq!(evidence["errors_after"], 0);
    let page = std::fs::read_to_string(project.root().join("out/report.html")).unwrap();
    assert!(page.contains("<td>import</td><td>proven</td><td>2</td>"), "{page}");
    assert!(!project.root().join("out/work").exists());
    let report = graftage(&project, &["fleet", "report", "out", "--json"]);
    assert_eq!((report.status, rows(&report.json())), (0, rows(&document)));
    let enough = graftage(&project, &[&run[..], &["--at-least", "60", "--quiet"]].concat());
    assert_eq!(enough.status, 0, "{enough:?}");
}

#[test]
fn a_verified_change_is_written_where_the_user_asks() {
    let project = fleet(&[("good", GOOD), ("import", IMPORT), ("wrong", WRONG)]);
    let run = ["fleet", "run", "fix", "--repos", "fleet", "--out", "out", "--apply", "--json"];
    let first = graftage(&project, &run).json();
    assert_eq!(rows(&first)[..2], ["good clean", "import applied"]);
    let text = std::fs::read_to_string(project.root().join("fleet/import/src/lib.rs")).unwrap();
    assert!(text.starts_with("use std::collections::HashMap;"), "{text}");
    let undone = graftage(&project, &["undo", "-C", "fleet/import", "--json"]);
    assert_eq!(undone.status, 0, "{undone:?}");
    assert!(
        !std::fs::read_to_string(project.root().join("fleet/import/src/lib.rs"))
            .unwrap()
            .contains("use std")
    );
}

#[test]
fn a_task_that_is_none_is_refused_before_anything_runs() {
    let project = fleet(&[("good", GOOD)]);
    let cases: &[(&[&str], &str)] = &[
        (&["undo"], "`undo` is no task of a fleet"),
        (&["check", "--", "--json"], "`--json` is no option of a task"),
        (&["fix", "--", "--apply"], "`--apply` is no option of a task"),
        (
            &["check", "--", "--no-such"],
            "the task `check --no-such`: unexpected argument '--no-such'",
        ),
        (&["upgrade"], "the task `upgrade`"),
    ];
    for (task, expected) in cases {
        let run = [&["fleet", "run", "--repos", "fleet", "--out", "out"], *task].concat();
        let refused = graftage(&project, &run);
        assert_eq!(refused.status, 2, "{refused:?}");
        assert!(refused.stderr.contains(expected), "{expected}: {}", refused.stderr);
        assert!(!project.root().join("out").exists());
    }
    for (repos, expected) in [("list.txt", "names no Rust project"), ("nothing", "cannot read")] {
        let refused = graftage(&project, &["fleet", "run", "check", "--repos", repos]);
        assert!(refused.status == 2 && refused.stderr.contains(expected), "{refused:?}");
    }
    std::fs::write(project.root().join("list.txt"), "fleet/good\nfleet/notes\n").unwrap();
    let refused = graftage(&project, &["fleet", "run", "check", "--repos", "list.txt"]);
    assert!(refused.stderr.contains("line 2: `fleet/notes` is no folder"), "{refused:?}");
}

#[test]
fn limits_stop_one_repository_and_no_other() {
    let endless =
        "#[test]\nfn endless() {\n    loop {\n        std::thread::yield_now();\n    }\n}";
    let project = fleet(&[("endless", endless), ("good", GOOD)]);
    let run = ["fleet", "run", "--repos", "fleet", "--out", "out", "--json", "--time", "20"];
    let all = graftage(&project, &[&run[..], &["check", "--", "--tests", "all"]].concat());
    assert_eq!(rows(&all.json()), ["endless stopped more than 20 s", "good passed"], "{all:?}");
    // A folder that has results of another task is not taken.
    let other = graftage(&project, &[&run[..], &["fix"]].concat());
    assert!(other.stderr.contains("has results of `check --tests all`"), "{other:?}");
    let small = ["fleet", "run", "--repos", "fleet", "--out", "small", "--json", "--disk", "1"];
    let all = graftage(&project, &[&small[..], &["check", "--", "--tests", "all"]].concat());
    assert_eq!(rows(&all.json())[0], "endless stopped more than 1 MiB on disk", "{all:?}");
}

/// Starts a run with waiting tests and waits until its first result is kept.
fn started(project: &TempProject, args: &[&str]) -> std::process::Child {
    let child = command(project, args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while results(project).is_empty() {
        assert!(began.elapsed() < PATIENCE, "no result");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

fn results(project: &TempProject) -> Vec<(PathBuf, String)> {
    let folder = project.root().join("out/results");
    let mut all = if folder.exists() { texts(&folder) } else { Vec::new() };
    // The other names are of files that are being written.
    all.retain(|(path, _)| path.extension().is_some_and(|it| it == "json"));
    all
}

#[test]
fn a_killed_run_continues_and_repeats_nothing() {
    let crates = [("a", GOOD), ("b", IMPORT), ("c", GOOD), ("d", GOOD), ("e", WRONG)];
    let project = fleet(&crates);
    let run =
        ["fleet", "run", "check", "--repos", "fleet", "--out", "out", "--jobs", "1", "--json"];
    let mut child = started(&project, &run);
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = results(&project);
    let times = |all: &[(PathBuf, String)]| -> Vec<_> {
        all.iter().map(|(path, _)| std::fs::metadata(path).unwrap().modified().unwrap()).collect()
    };
    let written = times(&kept);
    let all = graftage(&project, &run);
    assert_eq!(rows(&all.json()).len(), 5, "{all:?}");
    assert_eq!(times(&kept), written);
    // The one that ended begins anew.
    let again = graftage(&project, &run);
    assert_eq!(rows(&again.json()), rows(&all.json()));
    assert_ne!(times(&kept), written);
}

#[test]
fn ray_gives_the_same_results() {
    let Some(python) = testkit::ray_python() else { return };
    let project = fleet(&[("good", GOOD), ("import", IMPORT), ("wrong", WRONG)]);
    let run = ["fleet", "run", "fix", "--repos", "fleet", "--out"];
    let here = graftage(&project, &[&run[..], &["here", "--json"]].concat());
    let python = python.display().to_string();
    let ray = ["ray", "--json", "--engine", "ray", "--jobs", "2", "--python", &python];
    let there = graftage(&project, &[&run[..], &ray[..]].concat());
    assert_eq!(there.stdout, here.stdout, "{}", there.stderr);
    let folder = |name: &str| {
        let all = texts(&project.root().join(name));
        let root = project.root().join(name);
        let relative =
            |(path, text): (PathBuf, String)| (path.strip_prefix(&root).unwrap().to_owned(), text);
        all.into_iter().map(relative).collect::<Vec<_>>()
    };
    assert_eq!(folder("ray"), folder("here"));
}

/// A suite of two cases, the second without a repair.
const SUITE: &str = r#"{"id":"E0384_1","code":"E0384","edition":"2021","src":"fn main() {\n    let x = 3;\n    x = 5;\n    println!(\"{x}\");\n}\n","fixed_norm":["fnmain(){letmutx=3;x=5;println!(\"{x}\");}"]}
{"id":"E0425_1","code":"E0425","edition":"2021","src":"fn main() {\n    nothing();\n}\n","fixed_norm":[]}
"#;

#[test]
fn a_suite_has_the_same_results_on_ray() {
    let Some(python) = testkit::ray_python() else { return };
    let project = testkit::project(&format!("//- /suite.jsonl\n{SUITE}"));
    let python = python.display().to_string();
    let run = ["eval", "run", "suite.jsonl", "--json", "--no-deletion", "--out"];
    let on_ray = ["ray", "--engine", "ray", "--jobs", "2", "--python", &python];
    let summary = |more: &[&str]| {
        let ran = graftage(&project, &[&run[..], more].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let mut summary = ran.json();
        let fields = summary.as_object_mut().unwrap();
        // Times, and what another process spent.
        fields.retain(|name, _| !name.ends_with("_ms") && name != "report");
        let resumed = fields.remove("resumed");
        (summary, resumed.and_then(|it| it.as_u64()))
    };
    let (here, there) = (summary(&["here"]), summary(&on_ray));
    assert_eq!((&there.0, here.1, there.1), (&here.0, Some(0), Some(2)));
    assert!(!project.root().join("ray/parts").exists());
    // No part is open any more, and no cluster is started.
    let again = ["ray", "--engine", "ray", "--python", "no-such-python"];
    assert_eq!(summary(&again), there);
}

#[test]
fn without_ray_its_engine_is_refused_with_the_way_to_have_it() {
    let project = fleet(&[("good", GOOD)]);
    let run = ["fleet", "run", "check", "--repos", "fleet", "--engine", "ray", "--python"];
    for (python, expected) in [("no-such-python", "cannot start"), ("true", "Ray cannot be used")] {
        let refused = graftage(&project, &[&run[..], &[python]].concat());
        assert_eq!(refused.status, 3, "{refused:?}");
        assert!(refused.stderr.contains(expected), "{refused:?}");
    }
}

#[test]
fn models_are_added_by_their_hash_and_listed() {
    let project = fleet(&[("good", GOOD)]);
    std::fs::write(project.root().join("weights"), "some weights").unwrap();
    let source = format!("file://{}/weights", project.root().display());
    let hash = "5ce5d3bb9fba51d3e3c22b0a7d5b2e5b4b6f5a1ed5ff21f6b6e2b0b3c1b0a0d1";
    let ensure = ["dobby", "ensure-model", "small", "--source", &source, "--sha256", hash];
    let wrong = graftage(&project, &ensure);
    assert!(wrong.status == 3 && wrong.stderr.contains("has the hash"), "{wrong:?}");
    let found = wrong.stderr.split("has the hash ").nth(1).unwrap()[..64].to_owned();
    let right =
        ["dobby", "ensure-model", "little", "--source", &source, "--sha256", &found, "--json"];
    assert_eq!(graftage(&project, &right).json()["status"], "downloaded");
    let again = ["dobby", "ensure-model", "little", "--json"];
    assert_eq!(graftage(&project, &again).json()["status"], "present");
    let all = graftage(&project, &["dobby", "models", "--json"]).json();
    assert_eq!(all["models"][0]["files"][0]["bytes"], 12, "{all}");
    assert_eq!(all["models"].as_array().map(Vec::len), Some(1), "{all}");
}
