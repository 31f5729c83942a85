use serde_json::Value;
use testkit::TempProject;

use super::support::graftage;

/// A library with items that differ in terms, locations and calls.
fn library() -> TempProject {
    testkit::crate_project(
        "
//- /src/lib.rs
//! Retries requests.

pub mod net;
pub mod text;

/// Sends a request again until it is answered or the attempts are used up.
pub fn send_with_retry(attempts: u32) -> Option<u32> {
    (0..attempts).find_map(|attempt| net::send_once(attempt))
}
//- /src/net.rs
//! Network.

/// How long to wait between two attempts.
pub struct Backoff {
    /// In milliseconds.
    pub base: u64,
}

impl Backoff {
    /// Doubles the pause after each attempt.
    pub fn pause(&self, attempt: u32) -> u64 {
        self.base << attempt
    }
}

/// One attempt.
pub fn send_once(attempt: u32) -> Option<u32> {
    (attempt > 2).then_some(attempt)
}
//- /src/text.rs
/// Splits a line into words.
pub fn split_words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Joins words to a line.
pub fn join_words(words: &[&str]) -> String {
    words.join(\" \")
}
",
    )
}

fn names(json: &Value) -> Vec<&str> {
    let hits = json["hits"].as_array().into_iter().flatten();
    hits.map(|hit| hit["canon"].as_str().unwrap_or_default()).collect()
}

#[test]
fn search_indexes_first_and_ranks_the_described_item_first() {
    let project = library();
    let result = graftage(&project, &["search", "split a line into words", "--json", "-k", "3"]);
    assert_eq!((result.status, result.stderr.as_str()), (0, ""), "{result:#?}");
    let json = result.json();
    assert_eq!(names(&json)[0], "fixture/fixture::text::split_words");
    assert!(json["hits"].as_array().unwrap().len() <= 3);
    let hit = &json["hits"][0];
    for field in [
        "rank",
        "id",
        "key",
        "canon",
        "kind",
        "signature",
        "file",
        "start_line",
        "end_line",
        "score",
        "scores",
        "confidence",
        "path",
    ] {
        assert!(!hit[field].is_null(), "{field} in {hit:#}");
    }
    assert_eq!((&hit["rank"], &hit["file"]), (&1.into(), &"src/text.rs".into()));
    assert_eq!((&hit["start_line"], &hit["end_line"]), (&2.into(), &4.into()));
    assert!(hit["scores"]["bm25"].as_f64().unwrap() > 0.0, "{hit:#}");
    assert!(json["took_us"].is_u64() && json["complete"].is_boolean(), "{json:#}");
    assert!(hit.get("preview").is_none() && json.get("stages").is_none(), "{json:#}");
    let again = graftage(&project, &["search", "split a line into words", "--json", "-k", "3"]);
    assert_eq!(names(&again.json()), names(&json));
}

#[test]
fn a_result_is_two_lines_with_its_location() {
    let project = library();
    let result = graftage(&project, &["search", "send_with_retry", "-k", "1", "--quiet"]);
    assert_eq!(result.status, 0, "{result:#?}");
    assert_eq!(
        result.stdout,
        "1  function fixture::send_with_retry\n   \
         src/lib.rs:7-9  pub fn send_with_retry(attempts: u32) -> Option<u32>\n"
    );
    let result = graftage(&project, &["search", "send_with_retry", "-k", "1", "--preview"]);
    assert!(result.stdout.contains("(0..attempts).find_map"), "{result:#?}");
    assert!(result.stdout.contains("1 hit in "), "{result:#?}");
    let result =
        graftage(&project, &["search", "pause between attempts", "--explain", "--verbose"]);
    for text in
        ["stages\n", "fusion", "score ", "bm25", "not run: no reranker", "taken for a sentence"]
    {
        assert!(result.stdout.contains(text), "{text} in {result:#?}");
    }
    assert!(result.stdout.lines().all(|line| line.starts_with("  ") || line.chars().count() <= 80));
}

#[test]
fn files_modes_and_focus_change_the_results() {
    let project = library();
    let run = |args: &[&str]| graftage(&project, args).json();
    let json = run(&["search", "pause between attempts", "--by", "file", "--json"]);
    assert_eq!(
        (&json["hits"][0]["file"], &json["hits"][0]["kind"]),
        (&"src/net.rs".into(), &"file".into())
    );
    let json = run(&["search", "where is network code?", "--by", "file", "--explain", "--json"]);
    assert_eq!(
        (&json["hits"][0]["file"], &json["kind"]),
        (&"src/net.rs".into(), &"question".into()),
        "{json:#}"
    );
    assert!(json["hits"][0]["scores"]["intro"].as_f64().unwrap() > 0.0, "{json:#}");
    assert_eq!(json["features"][0]["name"], "items", "{json:#}");
    let json = run(&["search", "attempt", "--mode", "bm25", "--json"]);
    assert!(json["hits"][0]["scores"].get("dense").is_none(), "{json:#}");
    let json = run(&["search", "attempt", "--json"]);
    let focused = run(&["search", "attempt", "--focus", "src/net.rs", "--json"]);
    let first_of = |json: &Value| {
        let hits = json["hits"].as_array().unwrap();
        hits.iter().position(|hit| hit["file"] == "src/net.rs").unwrap()
    };
    assert!(first_of(&focused) <= first_of(&json), "{focused:#}");
    let score_of = |json: &Value| {
        let hits = json["hits"].as_array().unwrap();
        let hit = hits.iter().find(|hit| hit["canon"] == "fixture/fixture::net::send_once");
        hit.unwrap()["score"].as_f64().unwrap()
    };
    assert!(score_of(&focused) > score_of(&json), "{focused:#} {json:#}");
    let result = graftage(&project, &["search", "attempt", "--focus", "nowhere"]);
    assert_eq!(result.status, 1);
    assert!(result.stderr.contains("no item named `nowhere`"), "{result:#?}");
}

#[test]
fn no_result_has_status_one_and_an_empty_query_is_refused() {
    let project = library();
    let result = graftage(&project, &["search", "zzzqqq", "--mode", "bm25"]);
    assert_eq!((result.status, result.stdout.as_str()), (1, "nothing found\n"), "{result:#?}");
    let result = graftage(&project, &["search", " "]);
    assert_eq!((result.status, result.stdout.as_str()), (2, ""), "{result:#?}");
    assert!(result.stderr.contains("the query is empty"), "{result:#?}");
}

#[test]
fn context_stays_within_its_budget_and_lists_its_snippets() {
    let project = library();
    let task = "retry must wait between attempts";
    let mut last = 0;
    for budget in ["60", "300", "2000"] {
        let result = graftage(&project, &["context", task, "--budget", budget, "--json"]);
        assert_eq!(result.status, 0, "{result:#?}");
        let json = result.json();
        let allowed: u64 = budget.parse().unwrap();
        let tokens = json["tokens"].as_u64().unwrap();
        assert!(tokens <= allowed && json["budget"] == allowed, "{json:#}");
        assert!(tokens >= last, "a larger budget shows more: {json:#}");
        last = tokens;
        let snippets = json["snippets"].as_array().unwrap();
        assert!(!snippets.is_empty());
        let fields =
            ["detail", "role", "reason", "tokens", "rank", "canon", "file", "start_line", "scores"];
        for field in fields {
            assert!(snippets.iter().all(|it| !it[field].is_null()), "{field} in {json:#}");
        }
    }
    let result = graftage(&project, &["context", task, "--budget", "10", "--reserve", "10"]);
    assert_eq!(result.status, 2, "{result:#?}");
}

#[test]
fn each_part_of_a_context_has_one_comment_with_its_reason() {
    let project = library();
    let task = "`send_with_retry` must wait between attempts";
    let result = graftage(&project, &["context", task, "--budget", "2000", "--json"]);
    let json = result.json();
    let text = json["text"].as_str().unwrap();
    for part in json["snippets"].as_array().unwrap().iter().filter(|it| it["tokens"] != 0) {
        let start = format!("// {}", part["shown_start_line"]);
        let end = format!(": {}", part["reason"].as_str().unwrap());
        let is_comment = |line: &str| line.starts_with(&start) && line.ends_with(&end);
        assert_eq!(text.lines().filter(|line| is_comment(line)).count(), 1, "{part:#} in {text}");
    }
    let start = "=== src/lib.rs\n// 6: named in the task\n/// Sends a request again";
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains(": called by send_with_retry\n"), "{text}");
    let snippets = json["snippets"].as_array().unwrap();
    let mut roles: Vec<&str> = snippets.iter().map(|it| it["role"].as_str().unwrap()).collect();
    roles.dedup();
    assert_eq!(roles, ["asked", "used", "caller"], "{text}");
}

#[test]
fn the_search_index_follows_the_files_and_recovers_from_damage() {
    let project = library();
    let json = graftage(&project, &["index", "--json"]).json();
    assert!(json["search"]["documents"].as_u64().unwrap() >= 8, "{json:#}");
    assert_eq!(json["search"]["files_read"], 3);
    let json = graftage(&project, &["index", "--json"]).json();
    assert_eq!(json["search"]["files_read"], 0);
    let text = project.read("src/text.rs").replace("join_words", "glue_words");
    project.write("src/text.rs", &text);
    let json = graftage(&project, &["search", "glue_words", "--json"]).json();
    assert_eq!(names(&json)[0], "fixture/fixture::text::glue_words");
    let folders = std::fs::read_dir(project.beside("graftage").join("cache")).unwrap();
    let mut folders = folders.flatten().map(|it| it.path().join("map"));
    let folder = folders.find(|it| it.exists()).unwrap();
    for file in ["search.bin", "terms.bin"] {
        std::fs::write(folder.join(file), b"garbage").unwrap();
    }
    let again = graftage(&project, &["search", "glue_words", "--json"]).json();
    assert_eq!(names(&again), names(&json));
}

/// A reranker server on a local port that reverses the order.
fn reranker(requests: usize) -> String {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/v1/rerank", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for _ in 0..requests {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let mut received = Vec::new();
            let mut part = [0; 4096];
            let body = loop {
                let Ok(count @ 1..) = stream.read(&mut part) else { return };
                received.extend_from_slice(&part[..count]);
                let text = String::from_utf8_lossy(&received).into_owned();
                let Some((_, body)) = text.split_once("\r\n\r\n") else { continue };
                if let Ok(body) = serde_json::from_str::<Value>(body) {
                    break body;
                }
            };
            let count = body["documents"].as_array().map_or(0, Vec::len);
            let results: Vec<Value> = (0..count)
                .map(|at| serde_json::json!({"index": at, "relevance_score": at}))
                .collect();
            let body = serde_json::json!({ "results": results }).to_string();
            let answer = format!(
                "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    url
}

#[test]
fn a_reranker_reorders_the_results_and_a_failing_one_is_reported() {
    let project = library();
    let args = ["search", "pause between two attempts", "--json", "--offline", "--config"];
    let plain = graftage(&project, &[&args[..4], &["-k", "40"]].concat()).json();
    assert_eq!(plain["degraded"], Value::Null);

    let setting = format!("search.reranker={}", reranker(1));
    let reranked = graftage(&project, &[&args[..], &[&setting, "-k", "40"]].concat()).json();
    let mut wanted = names(&plain);
    wanted.reverse();
    assert_eq!(names(&reranked), wanted);
    assert_eq!((&reranked["degraded"], &reranked["complete"]), (&Value::Null, &plain["complete"]));

    // The server above has answered its single request and is closed.
    let without = graftage(&project, &[&args[..], &[&setting, "-k", "40"]].concat()).json();
    assert_eq!(names(&without), names(&plain));
    assert_eq!(without["complete"], Value::Bool(false));
    let why = without["degraded"].as_str().unwrap_or_default();
    assert!(why.starts_with("the reranker cannot be reached"), "{without:#}");

    let far = "search.reranker=http://reranker.invalid/rerank";
    let off = graftage(&project, &[&args[..], &[far, "-k", "40"]].concat()).json();
    assert_eq!(off["degraded"], "reranker skipped: offline");
    let unknown = graftage(&project, &[&args[..], &["search.reranker=marco"]].concat());
    assert!(unknown.status != 0 && unknown.stderr.contains("no model `marco`"), "{unknown:#?}");
}

#[test]
fn the_item_with_the_whole_text_of_a_message_is_first() {
    let project = testkit::crate_project(
        "
//- /src/lib.rs
/// The default subcommand.
pub fn default_subcommand() -> u8 {
    1
}

/// Whether only one subcommand is a default.
pub fn only_one_default(defaults: &[u8]) -> bool {
    defaults.len() == 1
}

/// Parses.
pub fn parse(defaults: &[u8]) -> Result<u8, &'static str> {
    if !only_one_default(defaults) {
        return Err(\"only one subcommand can be default\");
    }
    Ok(default_subcommand())
}
",
    );
    let json =
        graftage(&project, &["search", "only one subcommand can be default", "--json"]).json();
    assert_eq!(names(&json)[0], "fixture/fixture::parse", "{json:#}");
    assert_eq!(json["hits"][0]["rank"], 1);
    assert_eq!(json["hits"][0]["scores"]["exact_text"], 1.0);
}
