//! `world`, and stories as a rung of `check`.

use testkit::{Need, TempProject};

use super::support::graftage;

/// An app of the standard library alone, and its stories.
const APP: &str = r##"
//- /Cargo.toml
[package]
name = "web"
version = "0.1.0"
edition = "2024"

[lints.rust]
unsafe_code = "deny"
//- /Cargo.lock
version = 4

[[package]]
name = "web"
version = "0.1.0"
//- /src/lib.rs
pub fn greeting(name: &str) -> String {
    format!("Hello, {name}")
}

pub fn button() -> &'static str {
    "<button onclick=\"out.textContent = 'Sent'\">Send</button>"
}

#[cfg(test)]
mod tests {
    #[test]
    fn greets() {
        assert_eq!(super::greeting("Ada"), "Hello, Ada");
    }
}
//- /src/main.rs
use std::io::{Read, Write};

fn main() {
    let port = std::env::var("PORT").unwrap();
    let listener = std::net::TcpListener::bind(format!("127.0.0.1:{port}")).unwrap();
    for stream in listener.incoming() {
        let mut stream = stream.unwrap();
        let mut request = [0; 4096];
        let read = stream.read(&mut request).unwrap_or(0);
        let request = String::from_utf8_lossy(&request[..read]).into_owned();
        let path = request.split(' ').nth(1).unwrap_or("/");
        let body = format!(
            "<html lang=en><title>Web</title><h1>{}</h1>{}<p id=out role=status></p></html>",
            web::greeting(path.trim_start_matches('/')),
            web::button(),
        );
        let _ = write!(
            stream,
            "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
            body.len(),
        );
    }
}
//- /stories/greeting.toml
[page]
serve = "cargo run -p web"

[[story]]
name = "greets by name"
open = "/Ada"
timeout_ms = 2000

[[story.play]]
expect = { role = "heading" }
text = "Hello, Ada"

[[story.play]]
click = { role = "button", name = "Send" }

[[story.play]]
expect = { role = "status" }
text = "Sent"
//- /stories/page.html
<html lang=en><title>Page</title><link rel=stylesheet href="/page.css"><p>A page</p></html>
//- /stories/page.css
p { color: #000 }
//- /stories/page.toml
[page]
file = "page.html"

[[story]]
name = "a page beside its stories"
play = [ { expect = { text = "A page" }, visible = true } ]
"##;

/// The project; `None`, with a reported skip, where its stories cannot be played.
fn app() -> Option<TempProject> {
    let project = testkit::project(APP);
    if !can_play(&project) {
        return None;
    }
    project.git();
    Some(project)
}

/// Whether stories of an app can be played here; otherwise the skip is reported.
pub(super) fn can_play(project: &TempProject) -> bool {
    let doctor = graftage(project, &["doctor", "--json"]).json();
    let rows = doctor["findings"].as_array().expect("rows");
    let browser = rows.iter().find(|row| row["part"] == "browser").expect("its row");
    if browser["present"] != true {
        testkit::skip(Need::Chromium, &browser["detail"].to_string());
        return false;
    }
    if !testkit::inner::sandbox().capabilities().namespaces.works {
        testkit::skip(Need::UserNamespaces, "an app needs a network of its own");
        return false;
    }
    true
}

/// A request that replaces a text of `src/lib.rs`.
fn request(project: &TempProject, from: &str, to: &str) -> String {
    let text = project.read("src/lib.rs").replace(from, to);
    let request = serde_json::json!({
        "edits": [{ "mode": "file", "file_path": "src/lib.rs", "text": text }],
    });
    let file = project.beside("requests").join("edit.json");
    std::fs::write(&file, request.to_string()).expect("a file");
    file.display().to_string()
}

#[test]
fn stories_of_an_app_and_of_a_page_are_listed_and_played() {
    let Some(project) = app() else { return };
    let before = project.digest();
    let listed = graftage(&project, &["world", "list"]);
    assert_eq!(
        (listed.status, listed.stdout.as_str()),
        (
            0,
            "stories/greeting.toml:4  greets by name\nstories/page.toml:4  a page beside its stories\n"
        ),
        "{listed:#?}"
    );
    let played = graftage(&project, &["world", "test"]);
    assert_eq!(played.status, 0, "{played:#?}");
    assert!(played.stdout.contains("story result: ok. 2 passed; 0 failed"), "{played:#?}");
    let filtered = graftage(&project, &["world", "test", "--filter", "beside", "--json"]);
    let json = filtered.json();
    assert_eq!(
        (&json["passed"], &json["left_out"], &json["reward"]),
        (&1.into(), &1.into(), &1000.into()),
        "{json:#}"
    );
    assert_eq!(project.digest(), before, "stories write nothing");
}

#[test]
fn a_change_that_breaks_a_page_is_refused_although_its_tests_pass() {
    let Some(project) = app() else { return };
    let kept = request(&project, "Hello, {name}\")", "Hello, {name}\").clone()");
    let result = graftage(&project, &["check", "--overlay", &kept, "--stories", "--json"]);
    assert_eq!(result.status, 0, "{result:#?}");

    let broken = request(&project, "Sent", "Nothing");
    let tests = graftage(&project, &["check", "--overlay", &broken, "--json"]);
    assert_eq!(tests.status, 0, "cargo's tests do not see it: {tests:#?}");
    let result = graftage(&project, &["check", "--overlay", &broken, "--stories", "--json"]);
    let json = result.json();
    let rung = json["rungs"].as_array().unwrap().iter().find(|it| it["name"] == "stories").unwrap();
    assert_eq!((result.status, &rung["passed"]), (1, &false.into()), "{json:#}");
    let detail = rung["detail"].as_str().unwrap();
    assert_eq!(
        detail,
        "1 of 2 failed; stories/greeting.toml `greets by name`: line 16: expect status: the text of status is \
         \"Nothing\", not \"Sent\""
    );

    // As a setting of the project it is a gate.
    project.write("graftage.toml", "[check]\nstories = true\n");
    let before = project.digest();
    let result = graftage(&project, &["edit", "apply", &broken]);
    assert_eq!(result.status, 1, "{result:#?}");
    assert!(result.stderr.contains("line 16") || result.stdout.contains("line 16"), "{result:#?}");
    assert_eq!(project.digest(), before, "nothing is written");
}

#[test]
fn an_app_is_built_with_the_features_and_the_profile_of_its_stories() {
    let Some(project) = app() else { return };
    let manifest = project.read("Cargo.toml");
    project.write("Cargo.toml", manifest.replace("[lints", "[features]\nloud = []\n\n[lints"));
    let code = "let built = if cfg!(debug_assertions) { \"dev\" } else { \"release\" };\n    \
                let end = if cfg!(feature = \"loud\") { built } else { \"\" };\n    \
                format!(\"Hello, {name}{end}\")";
    let source = project.read("src/lib.rs");
    project.write("src/lib.rs", source.replace("format!(\"Hello, {name}\")", code));
    let stories = project.read("stories/greeting.toml");
    for (serve, end) in [("run --release --features loud -p", "release"), ("run -F loud -p", "dev")]
    {
        let text =
            stories.replace("run -p", serve).replace("Hello, Ada", &format!("Hello, Ada{end}"));
        project.write("stories/greeting.toml", text);
        let played = graftage(&project, &["world", "test", "--filter", "greets", "--json"]);
        assert_eq!(
            (played.status, &played.json()["passed"]),
            (0, &1.into()),
            "{serve}: {played:#?}"
        );
    }
}

#[test]
fn a_review_sees_a_change_and_its_stories_and_can_only_refuse() {
    let Some(project) = app() else { return };
    let turn = |text: &str, seen: &str| {
        serde_json::json!({
            "expect": { "contains": [seen, "greets by name"], "tools": [] },
            "answer": { "turn": {
                "parts": [{ "type": "text", "text": text }], "stop": "end_turn",
                "usage": { "input_tokens": 9, "output_tokens": 1 },
            } },
        })
    };
    let script = project.beside("scripts").join("script.json");
    let provider = format!("model.provider=scripted:{}", script.display());
    let check = |change: &str, answer: &str, seen: &str| {
        // The file of the page beside it is reviewed on its own.
        let other = serde_json::json!({ "answer": turn("ACCEPT", "")["answer"] });
        let turns = serde_json::json!([turn(answer, seen), other]);
        std::fs::write(&script, turns.to_string()).unwrap();
        let args =
            ["check", "--overlay", change, "--stories", "--json", "--config", "check.review=true"];
        let result = graftage(&project, &[&args[..], &["--config", &provider]].concat());
        let json = result.json();
        let rungs = json["rungs"].as_array().unwrap();
        let rung = rungs.iter().find(|it| it["name"] == "stories").unwrap();
        (result.status, rung["detail"].as_str().unwrap().to_owned())
    };
    let kept = request(&project, "Hello, {name}\")", "Hello, {name}\").clone()");
    let seen = "+    format!(\"Hello, {name}\").clone()";
    let passed = (0, "2 stories passed, and the review has no objection".to_owned());
    assert_eq!(check(&kept, "ACCEPT", seen), passed);
    let refused = "the review refuses stories/greeting.toml: a copy is not needed".to_owned();
    assert_eq!(check(&kept, "REFUSE: a copy is not needed", seen), (1, refused));
    // What the reviewer accepts is still played.
    let broken = request(&project, "Sent", "Nothing");
    let (status, detail) = check(&broken, "ACCEPT", "Nothing");
    assert!(status == 1 && detail.contains("`greets by name`: line 16"), "{detail}");
    let args =
        ["check", "--overlay", &kept, "--stories", "--json", "--config", "check.review=true"];
    let json = graftage(&project, &args).json();
    let detail = "the review refuses stories/greeting.toml: no language model is configured (`model.provider`)";
    assert!(json["rungs"].as_array().unwrap().iter().any(|it| it["detail"] == detail), "{json:#}");
}

#[test]
fn snapshots_are_written_where_the_user_asks_and_a_difference_is_a_number_and_a_picture() {
    let Some(project) = app() else { return };
    project.write(
        "stories/page.toml",
        "[page]\nfile = \"page.html\"\n\n[[story]]\nname = \"looks the same\"\ntimeout_ms = 300\n\
         play = [ { expect_page = { screenshot = \"shots/page.png\", role_tree_file = \"page.yml\" } } ]\n",
    );
    let before = project.digest();
    let missing = graftage(&project, &["world", "test", "--filter", "looks"]);
    assert_eq!((missing.status, project.digest()), (1, before), "{missing:#?}");
    assert!(missing.stdout.contains("`graftage world test --update` writes it"), "{missing:#?}");

    let updated = graftage(&project, &["world", "test", "--filter", "looks", "--update"]);
    assert_eq!(updated.status, 0, "{updated:#?}");
    for file in ["stories/page.yml", "stories/shots/page.png"] {
        assert!(updated.stdout.contains(&format!("written {file}\n")), "{updated:#?}");
    }
    assert_eq!(project.read("stories/page.yml"), "- paragraph: A page\n");
    let again = graftage(&project, &["world", "test", "--filter", "looks", "--json"]).json();
    assert_eq!(again["passed"], 1, "{again:#}");

    project.write("stories/page.css", "p { color: #000; background: #ff0 }\n");
    let before = project.digest();
    let other = graftage(&project, &["world", "test", "--filter", "looks", "--json"]).json();
    let reason = other["stories"][0]["failure"]["reason"].as_str().unwrap();
    assert!(reason.contains(" % of the pixels differ from `shots/page.png`"), "{other:#}");
    let picture = other["stories"][0]["difference_file"].as_str().unwrap();
    assert!(picture.ends_with("/world/story-1-difference.png"), "{picture}");
    assert_eq!(project.digest(), before, "nothing is written without a request");
}

#[test]
fn the_better_of_two_runs_has_the_higher_rewards() {
    let Some(project) = app() else { return };
    let run = |name: &str| {
        let file = project.beside("runs").join(name).display().to_string();
        let _ =
            graftage(&project, &["world", "test", "--filter", "page.toml", "--trajectory", &file]);
        file
    };
    let better = run("better.jsonl");
    project
        .write("stories/page.html", project.read("stories/page.html").replace("A page", "B page"));
    let worse = run("worse.jsonl");
    let ranked = graftage(&project, &["world", "rewards", &better, &worse]);
    assert_eq!(
        (ranked.status, ranked.stdout.as_str()),
        (
            0,
            "the first run is better: 1.000 and 0.000\n  better in the first: stories/page.toml: a page beside its \
             stories\n  the same: 0\n"
        ),
        "{ranked:#?}"
    );
    let ranked = graftage(&project, &["world", "rewards", &worse, &better, "--json"]);
    assert_eq!((ranked.status, &ranked.json()["ranking"]["same"]), (1, &0.into()), "{ranked:#?}");
    let numbers = graftage(&project, &["world", "rewards", &better]);
    assert_eq!(
        (numbers.status, numbers.stdout.as_str()),
        (
            0,
            "plays          1, 1 passed\nreward         mean 1.000, least 1.000, greatest 1.000\nexpectations   1 \
             of 1 held, in 1 steps\naccessibility  0 of 0 held\nclosed gates   0\n"
        ),
        "{numbers:#?}"
    );
    let failed = graftage(&project, &["world", "rewards", &worse, "--failed", "--lines"]);
    let line: serde_json::Value = serde_json::from_str(failed.stdout.trim()).expect("one line");
    assert_eq!((&line["version"], &line["passed"]), (&1.into(), &false.into()), "{line:#}");
    assert!(line["moments"].is_array(), "{line:#}");
}

#[test]
fn a_file_that_is_no_story_is_named_with_its_line() {
    let Some(project) = app() else { return };
    project.write(
        "stories/bad.toml",
        "[[story]]\nname = \"x\"\nhtml = \"y\"\n[[story.play]]\nclik = 1\n",
    );
    let result = graftage(&project, &["world", "test", "--filter", "beside"]);
    assert_eq!(result.status, 1, "{result:#?}");
    assert!(result.stdout.contains("stories/bad.toml:5: unknown key `clik`"), "{result:#?}");
    let result = graftage(&project, &["check", "--stories"]);
    assert_eq!(result.status, 1, "{result:#?}");
}

/// A runner that serves a page with results, as that of wasm-bindgen does: the module has them.
const RUNNER: &str = r##"#!/usr/bin/perl
use strict; use IO::Socket::INET;
my ($module, @args) = @ARGV;
open(my $file, '<', $module) or die; my $results = do { local $/; <$file> };
die unless $ENV{NO_HEADLESS};
my $server = IO::Socket::INET->new(LocalAddr => $ENV{WASM_BINDGEN_TEST_ADDRESS}, Listen => 5, ReuseAddr => 1) or die;
while (my $client = $server->accept) {
    sysread $client, my $request, 4096;
    my $body = "<title>t</title><pre id=output>Loading</pre><script>setTimeout(() => { output.textContent = `$results @args` }, 50)</script>";
    print $client "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\ncontent-length: " . length($body) . "\r\n\r\n$body";
    close $client;
}
"##;

#[test]
fn tests_of_wasm_run_without_a_driver() {
    use std::os::unix::fs::PermissionsExt;
    let Some(project) = app() else { return };
    let folder = project.beside("runner");
    let runner = folder.join("wasm-bindgen-test-runner");
    std::fs::write(&runner, RUNNER).unwrap();
    std::fs::set_permissions(&runner, PermissionsExt::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap();
    let run = |results: &str| {
        let module = folder.join("tests.wasm");
        std::fs::write(&module, results).unwrap();
        let module = module.display().to_string();
        let mut command =
            super::support::command(&project, &["world", "wasm-test", &module, "--nocapture"]);
        command.env("PATH", format!("{}:{path}", folder.display()));
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let passed = "running 1 test\ntest adds ... ok\n\ntest result: ok. 1 passed; 0 failed";
    assert_eq!(run(passed), (Some(0), format!("{passed} --nocapture\n")));
    let failed = "running 1 test\ntest adds ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed";
    assert_eq!(run(failed).0, Some(1));
}

#[test]
fn a_repair_passes_the_stories_before_it_is_written() {
    let Some(project) = app() else { return };
    project.write("graftage.toml", "[check]\nstories = true\n");
    let whole = project.read("src/lib.rs");
    project.write("src/lib.rs", whole.replace("{name}\")", "{nam}\")"));
    let result = graftage(&project, &["fix", "--apply", "--allow", "revert", "--json"]);
    let json = result.json();
    assert_eq!((result.status, &json["outcome"]), (0, &"applied".into()), "{json:#}");
    assert_eq!(project.read("src/lib.rs"), whole);
    let rungs = json["evidence"]["rungs"].as_array().unwrap();
    let rung = rungs.iter().find(|it| it["name"] == "stories").unwrap();
    assert_eq!((&rung["passed"], &rung["detail"]), (&true.into(), &"2 stories passed".into()));
}
