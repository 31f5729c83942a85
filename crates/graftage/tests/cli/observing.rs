//! The log of finished work, and the bundle for reports of problems.

use std::collections::BTreeSet;
use std::process::Output;

use serde_json::Value;
use testkit::TempProject;

use crate::support::{command, graftage, shown};

fn run(project: &TempProject, args: &[&str], variable: (&str, &str)) -> Output {
    command(project, args).env(variable.0, variable.1).output().expect("the binary starts")
}

fn names(stderr: &str) -> BTreeSet<String> {
    let entries = stderr.lines().map(|line| {
        let entry: Value = serde_json::from_str(line).unwrap_or_else(|err| panic!("{err}: {line}"));
        assert!(entry["micros"].is_u64() && entry["numbers"].is_object(), "{line}");
        format!("{}.{}", entry["name"], entry["detail"]).replace('"', "")
    });
    entries.collect()
}

#[test]
fn finished_work_is_on_standard_error_and_output_stays_the_same() {
    let project = testkit::crate_project("/// Adds numbers.\npub fn add() -> u32 {\n    1\n}\n");
    let plain = graftage(&project, &["search", "add numbers", "--json"]);
    let stages = |output: &Output| names(&String::from_utf8_lossy(&output.stderr));
    let logged = run(&project, &["search", "add numbers", "--json"], ("GRAFTAGE_LOG", "json"));
    let found = stages(&logged);
    for name in ["index.read", "search.words", "search.answer"] {
        assert!(found.contains(name), "{name}: {found:?}");
    }
    let hits = |text: &str| serde_json::from_str::<Value>(text).map(|it| it["hits"].clone()).ok();
    assert_eq!(hits(&shown(&project, &logged).stdout), hits(&plain.stdout));

    project.write("src/lib.rs", "pub fn add() -> u32 {\n    2\n}\n");
    let checked = run(&project, &["check", "--log", "json", "-q"], ("UNUSED", ""));
    assert!(checked.status.success(), "{checked:?}");
    let found = stages(&checked);
    assert!(found.contains("proof.check"), "{found:?}");
    assert!(found.iter().any(|it| it.starts_with("job.cargo")), "{found:?}");
    assert!(found.contains("tool.check"), "{found:?}");

    let wrong = shown(&project, &run(&project, &["doctor"], ("GRAFTAGE_LOG", "xml")));
    assert!(
        wrong.stderr.contains("`GRAFTAGE_LOG=xml`") && wrong.stderr.contains("`json`"),
        "{wrong:?}"
    );
}

#[test]
fn a_bundle_has_no_planted_secret_or_name() {
    let planted: Vec<String> = (0..50).map(|nth| format!("planted{nth:02}x")).collect();
    let items: String = planted[..10].iter().map(|it| format!("pub fn {it}() {{}}\n")).collect();
    let project = testkit::crate_project(&items);
    for name in &planted[10..20] {
        project.write(&format!("{name}/{name}.rs"), format!("// {name}\n"));
    }
    let manifest = std::fs::read_to_string(project.path("Cargo.toml")).expect("a manifest");
    let named =
        format!("{manifest}authors = [\"{}\"]\ndescription = \"{}\"\n", planted[20], planted[21]);
    project.write("Cargo.toml", named);
    let settings = [
        format!("model.name={}", planted[22]),
        format!("model.url=http://{}.example/", planted[23]),
        format!("analyzer.path=/{}/rust-analyzer", planted[24]),
    ];
    for args in [&["index"][..], &["search", &planted[25]], &["search", &planted[0]], &["check"]] {
        graftage(&project, args);
    }
    let mut doctor = command(&project, &["doctor", "--bundle"]);
    for setting in &settings {
        doctor.args(["--config", setting]);
    }
    for name in &planted[26..] {
        doctor.env(format!("{}_API_KEY", name.to_uppercase()), name).env("USER", name);
    }
    let result = shown(&project, &doctor.output().expect("the binary starts"));
    assert_eq!(result.status, 0, "{result:?}");
    let bundle = result.json();
    let all = format!("{}{}", result.stdout, result.stderr).to_lowercase();
    for name in
        planted.iter().map(String::as_str).chain(["DIR", "BESIDE", "tester", "/home", "fixture"])
    {
        assert!(!all.contains(&name.to_lowercase()), "{name}: {all}");
    }
    assert_eq!(bundle["settings"][0]["value"], "set", "{bundle:#}");
    let tools = bundle["stats"]["tools"].as_array().expect("tools");
    assert!(tools.iter().any(|it| it["tool"] == "check"), "{bundle:#}");
}
