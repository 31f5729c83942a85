//! Proposals: recorded, verified, approved and rejected across processes.

#![allow(clippy::unwrap_used, reason = "a test that fails ends")]

use serde_json::Value;
use testkit::TempProject;

use crate::support::graftage;

const LIB: &str = "pub mod other;\n\n/// One.\npub fn one() -> u8 {\n    1\n}\n\n/// Two.\npub fn two() \
                   -> u8 {\n    2\n}\n\n#[test]\nfn one_is_one() {\n    assert_eq!(one(), 1);\n}\n";

fn project() -> TempProject {
    let project =
        testkit::crate_project("\n//- /src/lib.rs\n//- /src/other.rs\npub fn other() {}\n");
    project.write("src/lib.rs", LIB);
    project
}

/// Proposes a search and replace in `src/lib.rs`; returns the id.
fn propose(project: &TempProject, old: &str, new: &str) -> String {
    let result = graftage(project, &["edit", "propose", &request(project, old, new), "--json"]);
    assert_eq!((result.status, result.stderr.as_str()), (0, ""), "{result:#?}");
    let card = &result.json()["proposals"][0];
    assert_eq!((&card["state"], &card["evidence"]), (&"proposed".into(), &Value::Null));
    card["id"].as_str().unwrap().to_owned()
}

fn request(project: &TempProject, old: &str, new: &str) -> String {
    let text = format!("src/lib.rs\n    let gates = [
        "compile",
        "compiled",
        "tests",
        "preservation",
        "files",
        "protected-file",
        "size",
        "public-api",
    ];
    assert_eq!(blocked(&project, None), (0, gates.map(str::to_owned).to_vec()));
    let id = propose(&project, "    2", "    \"two\"");
    let (status, threads) = blocked(&project, None);
    assert_eq!((status, threads.len()), (1, 7), "{threads:?}");
    graftage(&project, &["edit", "preflight", &id, "--tests", "none"]);
    assert_eq!(blocked(&project, Some(&id)), (1, vec!["compile".to_owned()]));
    let text = graftage(&project, &["policy", "explain"]).stdout;
    assert!(text.starts_with(&format!("proposal {id} (refused) is blocked by:")), "{text}");
    assert!(text.contains("1 compile error with the change"), "{text}");

    let right = propose(&project, "    2", "    1 + 1");
    assert_eq!(graftage(&project, &["edit", "preflight", &right, "--tests", "none"]).status, 0);
    assert_eq!(blocked(&project, Some(&right)), (0, Vec::new()));
    // The present policy counts, not that of the preflight.
    let small = "[[thread]]\nname = \"small\"\npriority = 100\nbecause = \"no change is small\"\n\
                 gate = { blocks = [\"apply lines > 1\"], opens = [] }\n";
    project.write("graftage-policy.toml", small);
    assert_eq!(blocked(&project, Some(&right)), (1, vec!["small".to_owned()]));
    project.write("src/lib.rs", format!("{LIB}\n"));
    assert_eq!(blocked(&project, Some(&right)).1, ["stale", "small"]);
}

#[test]
fn the_record_is_queried_in_datalog_and_is_current_for_each_query() {
    let project = project();
    let rows = |script: &str| {
        let result = graftage(&project, &["query", script, "--json"]);
        assert_eq!((result.status, result.stderr.as_str()), (0, ""), "{result:#?}");
        result.json()["rows"].clone()
    };
    let graph = "?[name, proposal, action, now, then, version] := *isg_nodes{id, name},
        *codegraph{id, proposal, future_action: action, current_code: now, future_code: then, version}
        :order proposal";
    assert_eq!(rows(graph), serde_json::json!([]));
    let id = propose(&project, "    2", "    1 + 1");
    let old = "/// Two.\npub fn two() -> u8 {\n    2\n}";
    let new = old.replace("    2", "    1 + 1");
    assert_eq!(rows(graph), serde_json::json!([["two", id, "edit", old, new, 0]]));
    assert_eq!(
        rows("?[id, state, files] := *edit_proposals{id, state, files}"),
        serde_json::json!([[id, "proposed", ["src/lib.rs"]]])
    );
    assert_eq!(graftage(&project, &["edit", "preflight", &id, "--tests", "none"]).status, 0);
    assert_eq!(graftage(&project, &["edit", "approve", &id]).status, 0);
    assert_eq!(rows(graph), serde_json::json!([["two", "", null, new, null, 1]]));
    graftage(&project, &["search", "two"]);
    graftage(&project, &["check"]);
    assert_eq!(rows("?[query, hits] := *retrieval_events{query, hits}")[0][1][0], "src-lib.rs-two");
    let calls = rows("?[requested_at, tool, state] := *tool_calls{tool, state, requested_at}");
    let calls: Vec<(&str, &str)> = calls
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row[1].as_str().unwrap(), row[2].as_str().unwrap()))
        .collect();
    let expected = ["edit propose", "edit preflight", "edit approve", "check"];
    assert_eq!(calls, expected.map(|tool| (tool, "done")));
    assert_eq!(graftage(&project, &["undo"]).status, 0);
    assert_eq!(rows(graph), serde_json::json!([]));

    let stats = graftage(&project, &["stats", "--json"]).json();
    assert_eq!((&stats["proposals"]["applied"], &stats["version"]), (&1.into(), &1.into()));
    assert_eq!(stats["retrieval"]["count"], 1);
    assert_eq!(stats["tools"].as_array().unwrap().len(), 4);
}

#[test]
fn a_search_works_where_its_record_cannot_be_written() {
    let project = project();
    assert_eq!(graftage(&project, &["search", "two"]).status, 0);
    let mut logs = Vec::new();
    for folder in std::fs::read_dir(project.beside("graftage").join("state")).unwrap() {
        let record = folder.unwrap().path().join("record");
        logs.push(std::fs::read_to_string(record.join("activity.jsonl")).unwrap());
        std::fs::remove_dir_all(&record).unwrap();
        std::fs::write(&record, "in the way").unwrap();
    }
    assert_eq!(logs.len(), 1);
    assert!(logs[0].contains("\"query\":\"two\""), "{logs:?}");
    let result = graftage(&project, &["search", "two"]);
    assert_eq!((result.status, result.stderr.as_str()), (0, ""), "{result:#?}");
    assert_eq!(graftage(&project, &["check"]).status, 0);
}
