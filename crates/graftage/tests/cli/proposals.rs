//! Proposals: recorded, verified, approved and rejected across processes.

#![allow(clippy::unwrap_used, reason = "a test that fails ends")]

use serde_json::Value;
use testkit::TempProject;

use crate::support::graftage;
use crate::terminal::TestTerminal;

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
    let text = format!("src/lib.rs\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n");
    let file = project.beside("requests").join("edit");
    std::fs::write(&file, text).unwrap();
    file.display().to_string()
}

fn states(project: &TempProject) -> Vec<(String, String)> {
    let listed = graftage(project, &["edit", "list", "--all", "--json"]).json();
    let rows = listed["proposals"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    rows.map(|row| (text(&row["id"]), text(&row["state"]))).collect()
}

#[test]
fn on_a_terminal_an_approval_asks_before_it_writes() {
    let project = project();
    let id = propose(&project, "    2", "    1 + 1");
    assert_eq!(graftage(&project, &["edit", "preflight", &id]).status, 0);
    let before = project.digest();
    for (answer, is_written) in [("n\n", false), ("y\n", true)] {
        let mut terminal = TestTerminal::run(&project, &["edit", "approve", &id], (120, 50));
        terminal.wait_for("[y/N]");
        assert!(terminal.screen().contains("src/lib.rs"), "{}", terminal.screen());
        assert_eq!(project.digest(), before, "nothing is written before the answer");
        terminal.keys(answer);
        assert_eq!(terminal.wait(), Some(i32::from(!is_written)), "{}", terminal.screen());
        assert_eq!(project.digest() != before, is_written);
    }
}

#[test]
fn a_proposal_is_verified_and_approved_in_later_processes() {
    let project = project();
    let before = project.digest();
    let id = propose(&project, "    2", "    1 + 1");
    assert_eq!(project.digest(), before, "a proposal writes nothing");
    let again = propose(&project, "    2", "    1 + 1");
    assert_eq!(id, again, "the same change is one proposal");

    let early = graftage(&project, &["edit", "approve", &id]);
    assert_eq!(early.status, 1);
    assert!(early.stderr.contains("is proposed, and only what was verified"), "{early:#?}");

    let verified = graftage(&project, &["edit", "preflight", &id[..4], "--json"]);
    let json = verified.json();
    assert_eq!(
        (verified.status, &json["compile_ok"], &json["test_ok"]),
        (0, &true.into(), &true.into()),
        "{json:#}"
    );
    assert_eq!(json["proposals"][0]["state"], "proven");
    assert!(json["proposals"][0]["evidence"]["rungs"].is_array());
    assert_eq!(project.digest(), before);

    let approved = graftage(&project, &["edit", "approve", &id, "--approver", "ann", "--json"]);
    let json = approved.json();
    let card = &json["proposals"][0];
    assert_eq!(
        (approved.status, &card["state"], &card["approver"]),
        (0, &"applied".into(), &"ann".into()),
        "{json:#}"
    );
    assert_eq!((&card["version"], &json["flipped"]), (&1.into(), &1.into()));
    assert_eq!(project.read("src/lib.rs"), LIB.replace("    2", "    1 + 1"));

    let change = json["change"].as_str().unwrap();
    assert_eq!(graftage(&project, &["undo", change]).status, 0);
    assert_eq!(states(&project), [(id, "undone".to_owned())]);
    assert_eq!(project.read("src/lib.rs"), LIB);
}

#[test]
fn a_proposal_whose_file_changed_is_stale_until_it_is_staged_again() {
    let project = project();
    let id = propose(&project, "    2", "    1 + 1");
    assert_eq!(graftage(&project, &["edit", "preflight", &id, "--tests", "none"]).status, 0);
    project.write("src/lib.rs", format!("// A comment.\n{LIB}"));
    assert_eq!(states(&project), [(id.clone(), "stale".to_owned())]);
    for command in ["preflight", "approve"] {
        let refused = graftage(&project, &["edit", command, &id]);
        assert_eq!(refused.status, 1, "{refused:#?}");
        assert!(refused.stderr.contains("is stale: `src/lib.rs` changed"), "{refused:#?}");
        assert!(refused.stderr.contains(&format!("edit propose --again {id}")), "{refused:#?}");
    }
    let again = graftage(&project, &["edit", "propose", "--again", &id, "--json"]);
    assert_eq!(again.status, 0, "{again:#?}");
    let new = again.json()["proposals"][0]["id"].as_str().unwrap().to_owned();
    let expected = [(new, "proposed".to_owned()), (id, "rejected".to_owned())];
    assert_eq!(states(&project), expected);
}

#[test]
fn proposals_of_one_file_are_written_as_one_change_unless_they_conflict() {
    let project = project();
    let one = propose(&project, "    1\n}", "    2 - 1\n}");
    let two = propose(&project, "    2", "    1 + 1");
    let other = propose(&project, "    2", "    4 / 2");
    let conflict = graftage(&project, &["edit", "preflight", &two, &other]);
    assert_eq!(conflict.status, 1);
    assert!(conflict.stderr.contains("cannot be combined"), "{conflict:#?}");

    let verified = graftage(&project, &["edit", "preflight", &one, &two, "--tests", "none"]);
    assert_eq!(verified.status, 0, "{verified:#?}");
    let approved = graftage(&project, &["edit", "approve", &one, &two, "--json"]);
    assert_eq!(approved.status, 0, "{approved:#?}");
    assert_eq!(
        project.read("src/lib.rs"),
        LIB.replace("    2", "    1 + 1").replace("    1\n}", "    2 - 1\n}")
    );
    let expected = ["stale", "applied", "applied"];
    let found = states(&project);
    assert_eq!(found.iter().map(|it| it.1.as_str()).collect::<Vec<_>>(), expected);
}

#[test]
fn a_proposal_that_does_not_build_is_refused_and_can_be_rejected() {
    let project = project();
    let before = project.digest();
    let id = propose(&project, "    2", "    \"two\"");
    let verified = graftage(&project, &["edit", "preflight", &id, "--json"]);
    let json = verified.json();
    assert_eq!((verified.status, &json["compile_ok"]), (1, &false.into()), "{json:#}");
    assert_eq!(json["proposals"][0]["state"], "refused");
    assert_eq!(json["diagnostics"][0]["code"], "E0308");
    assert_eq!(graftage(&project, &["edit", "approve", &id]).status, 1);

    let rejected = graftage(&project, &["edit", "reject", &id, "--reason", "wrong type"]);
    assert_eq!(rejected.status, 0, "{rejected:#?}");
    assert!(rejected.stdout.contains("wrong type"));
    let twice = graftage(&project, &["edit", "reject", &id, "--reason", "again"]);
    assert_eq!(twice.status, 1);
    assert!(twice.stderr.contains(&format!("proposal {id} is rejected")), "{twice:#?}");
    assert_eq!(graftage(&project, &["edit", "list"]).stdout, "no open proposals\n");
    assert_eq!(project.digest(), before);
}

#[test]
fn an_unknown_id_lists_the_open_proposals() {
    let project = project();
    let none = graftage(&project, &["edit", "approve", "zzzz"]);
    assert_eq!(none.status, 1);
    assert!(none.stderr.contains("no proposal has the id `zzzz`"), "{none:#?}");
    assert!(none.stderr.contains("no proposal is open"), "{none:#?}");
    let id = propose(&project, "    2", "    1 + 1");
    let other = graftage(&project, &["edit", "approve", "zzzz"]);
    assert!(other.stderr.contains(&format!("use one of {id}")), "{other:#?}");
    // Of the only proposal, too, one letter is not its id.
    let short = graftage(&project, &["edit", "approve", &id[..3]]);
    assert_eq!(short.status, 2);
    assert!(short.stderr.contains("pass at least 4 characters"), "{short:#?}");
}

#[test]
fn an_edit_that_is_applied_at_once_is_recorded_too() {
    let project = project();
    let file = request(&project, "    2", "    1 + 1");
    let applied = graftage(&project, &["edit", "apply", &file, "--json", "--tests", "none"]).json();
    let id = applied["proposals"][0]["proposal"].as_str().unwrap().to_owned();
    let file = request(&project, "    1 + 1", "    \"two\"");
    let refused = graftage(&project, &["edit", "apply", &file, "--tests", "none"]);
    assert_eq!(refused.status, 1);
    let states = states(&project);
    assert_eq!((states.len(), states[0].1.as_str()), (2, "rejected"));
    assert_eq!(states[1], (id, "applied".to_owned()));
    let file = request(&project, "    1 + 1", "    3 - 1");
    graftage(&project, &["edit", "apply", &file, "--dry-run", "--tests", "none"]);
    assert_eq!(self::states(&project).len(), 2, "a dry run records no proposal");
}

/// The threads that block a proposal, and whether the command reports that it is blocked.
fn blocked(project: &TempProject, id: Option<&str>) -> (i32, Vec<String>) {
    let args: Vec<&str> = ["policy", "explain"].into_iter().chain(id).chain(["--json"]).collect();
    let result = graftage(project, &args);
    assert_eq!(result.stderr, "", "{result:#?}");
    let rows = result.json()["blocked_by"].as_array().unwrap().clone();
    let filled = |row: &Value| ["reason", "hint"].iter().all(|it| row[it].as_str() != Some(""));
    assert!(rows.iter().all(filled), "{rows:?}");
    (result.status, rows.iter().map(|row| row["thread"].as_str().unwrap().to_owned()).collect())
}

#[test]
fn policy_explain_reports_what_blocks_a_proposal_now() {
    let project = project();
    let gates = [
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
    assert_eq!((status, threads.len()), (1, 8), "{threads:?}");
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
