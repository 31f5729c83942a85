//! What a client of each era gets from the real tools.

use project::{AnswerForm, Settings, WriteConsent};
use serde_json::{Value, json};

use crate::support::{Client, Era, called, serve, serve_as, serve_with};

const PROJECT: &str = "
//- /src/lib.rs
/// Twice the number.
pub fn double(n: u32) -> u32 { n * 2 }
/// Four times the number.
pub fn quadruple(n: u32) -> u32 { double(double(n)) }
";

fn replaced(text: &str) -> Value {
    json!({"edits": [{"mode": "file", "file_path": "src/lib.rs", "text": text}]})
}

#[test]
fn every_tool_resource_and_prompt_answers_in_both_eras() {
    let project = testkit::crate_project(PROJECT);
    project.git();
    let server = serve(&project);
    for era in [Era::Handshake, Era::Discover] {
        let mut client = Client::connect(&server, era, json!({}));
        if era == Era::Discover {
            let found = client.request("server/discover", json!({})).unwrap();
            assert!(found.to_string().contains("2026-07-28"), "{found}");
        }
        let list = client.request("tools/list", json!({})).unwrap();
        for tool in list["tools"].as_array().unwrap() {
            let name = tool["name"].as_str().unwrap();
            assert!(
                tool["outputSchema"]["type"] == "object" && tool["inputSchema"]["type"] == "object"
            );
            let hints = &tool["annotations"];
            let writes = ["apply", "undo"].contains(&name);
            // What is not read-only and not marked harmless is destructive for a client.
            let harmless = hints["readOnlyHint"] == true || hints["destructiveHint"] == false;
            assert_eq!(!harmless, writes, "{tool}");
            assert_eq!(hints["openWorldHint"], false, "{tool}");
            // Whatever a tool needs, the answer to a call without it explains that.
            let result = client.request("tools/call", json!({"name": name, "arguments": {"x": 1}}));
            let error = called(&result.unwrap()).unwrap_err();
            assert!(
                error["field"].is_string() && !error["fix"].as_str().unwrap().is_empty(),
                "{error}"
            );
        }
        let hits = client.call("search", json!({"query": "four times"})).unwrap();
        assert!(hits["hits"].to_string().contains("quadruple"), "{hits}");
        let shown = client.call("show", json!({"item": "double"})).unwrap();
        assert!(shown["code"].as_str().unwrap().contains("n * 2"), "{shown}");
        for resource in ["map", "guide", "item/double", "file/src/lib.rs#L2-L2"] {
            let uri = format!("graftage://{resource}");
            let read = client.request("resources/read", json!({"uri": uri})).unwrap();
            assert!(!read["contents"][0]["text"].as_str().unwrap().is_empty(), "{read}");
        }
        let listed = client.request("resources/templates/list", json!({})).unwrap();
        assert_eq!(listed["resourceTemplates"].as_array().unwrap().len(), 3);
        let skills = client.request("skills/list", json!({})).unwrap();
        for skill in skills["skills"].as_array().unwrap() {
            let uri = &skill["uri"];
            let read = client.request("resources/read", json!({"uri": uri})).unwrap();
            let text = read["contents"][0]["text"].as_str().unwrap();
            assert_eq!(skill["resources"][0]["size"], text.len(), "{skill}");
            assert_eq!(client.request("skills/get", json!({"uri": uri})).unwrap()["skill"], *skill);
        }
        assert!(skills["skills"].as_array().unwrap().len() >= 5, "{skills}");
        let prompts = client.request("prompts/list", json!({})).unwrap();
        for prompt in prompts["prompts"].as_array().unwrap() {
            let named = json!({"name": prompt["name"], "arguments": {"task": "faster"}});
            let got = client.request("prompts/get", named).unwrap();
            assert!(got["messages"][0]["content"]["text"].is_string(), "{got}");
        }
        client.request("tools/call", json!({"name": "serach"})).unwrap_err();
    }
}

#[test]
fn a_change_is_staged_asked_about_and_written() {
    let project = testkit::crate_project(PROJECT);
    project.git();
    let server = serve(&project);
    let before = project.read("src/lib.rs");
    let better = before.replace("n * 2", "n + n");
    let mut client = Client::connect(&server, Era::Handshake, json!({"elicitation": {}}));
    let staged = client.call("propose_edit", replaced(&better)).unwrap();
    let id = staged["proposal_id"].as_str().unwrap().to_owned();
    assert_eq!(project.read("src/lib.rs"), before);
    let read =
        client.request("resources/read", json!({"uri": format!("graftage://proposal/{id}")}));
    assert!(read.unwrap().to_string().contains("n + n"));

    let mut questions = 0;
    let mut apply = |action: &str, write: Value| {
        let call = json!({"name": "apply", "arguments": {"ids": [id], "tests": "none"}});
        let result = client.asked("tools/call", call, &mut |question| {
            questions += 1;
            assert!(question["message"].as_str().unwrap().contains("n + n"), "{question}");
            json!({"action": action, "content": {"write": write.clone()}})
        });
        called(&result.unwrap())
    };
    let declined = apply("decline", json!(true)).unwrap_err();
    assert_eq!(declined["reason"], "the user declined", "{declined}");
    // Only `true` is consent.
    for write in [json!(false), json!("false"), json!(0), json!(null)] {
        assert_eq!(apply("accept", write).unwrap_err()["reason"], "the user declined");
    }
    assert_eq!(project.read("src/lib.rs"), before);
    let applied = apply("accept", json!(true)).unwrap();
    assert_eq!(applied["applied"], true, "{applied}");
    assert_eq!(project.read("src/lib.rs"), better);
    assert_eq!(questions, 6);

    let mut shown = String::new();
    let undone =
        client.asked("tools/call", json!({"name": "undo", "arguments": {}}), &mut |question| {
            shown = question["message"].as_str().unwrap().to_owned();
            json!({"action": "accept", "content": {}})
        });
    called(&undone.unwrap()).unwrap();
    assert!(shown.starts_with("Undo this change?"), "{shown}");
    assert!(shown.contains("changed  src/lib.rs +1 -1"), "{shown}");
    assert!(shown.contains("n + n") && shown.contains("n * 2"), "{shown}");
    assert_eq!(project.read("src/lib.rs"), before);
}

#[test]
fn without_requests_to_the_client_the_question_is_the_result() {
    let project = testkit::crate_project(PROJECT);
    project.git();
    let server = serve(&project);
    let before = project.read("src/lib.rs");
    let mut client = Client::connect(&server, Era::Discover, json!({"elicitation": {"form": {}}}));
    let staged = client.call("propose_edit", replaced(&before.replace("n * 2", "n + n"))).unwrap();
    let arguments = json!({"ids": [staged["proposal_id"]], "tests": "none"});
    let asked =
        client.request("tools/call", json!({"name": "apply", "arguments": arguments})).unwrap();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let state = &asked["requestState"];
    let answer = json!({"write": {"action": "accept", "content": {"write": true}}});
    // An answer to another question, or to none, is none.
    for (arguments, state) in [
        (json!({"ids": [staged["proposal_id"]]}), state.clone()),
        (arguments.clone(), json!("0".repeat(64))),
        (arguments.clone(), Value::Null),
    ] {
        let mut call = json!({"name": "apply", "arguments": arguments, "inputResponses": answer});
        if !state.is_null() {
            call["requestState"] = state;
        }
        let again = client.request("tools/call", call).unwrap();
        assert_eq!(again["resultType"], "input_required", "{again}");
    }
    assert_eq!(project.read("src/lib.rs"), before);
    let call = json!({"name": "apply", "arguments": arguments, "inputResponses": answer, "requestState": state});
    let done = called(&client.request("tools/call", call).unwrap()).unwrap();
    assert_eq!(done["applied"], true, "{done}");
}

/// Stages a text of `src/lib.rs`; the arguments of `apply`.
fn staged(client: &mut Client, text: &str) -> Value {
    let staged = client.call("propose_edit", replaced(text)).unwrap();
    json!({"ids": [staged["proposal_id"]], "tests": "none"})
}

#[test]
fn a_question_about_many_files_names_the_last_one() {
    let project = testkit::crate_project(PROJECT);
    project.git();
    let server = serve(&project);
    let mut client = Client::connect(&server, Era::Handshake, json!({"elicitation": {}}));
    let filler = format!("// \u{202e}\u{e0041}\n{}", "// x\n".repeat(400));
    let mut ids = Vec::new();
    for number in 0..9 {
        let name = if number == 8 { "src/zzz.rs".to_owned() } else { format!("src/f{number}.rs") };
        let text = if number == 8 { "pub fn evil() {}\n" } else { filler.as_str() };
        let edits = json!({"edits": [{"mode": "file", "file_path": name, "text": text}]});
        ids.push(client.call("propose_edit", edits).unwrap()["proposal_id"].clone());
    }
    let mut shown = String::new();
    let call = json!({"name": "apply", "arguments": {"ids": ids, "tests": "none"}});
    let result = client.asked("tools/call", call, &mut |question| {
        shown = question["message"].as_str().unwrap().to_owned();
        json!({"action": "decline"})
    });
    called(&result.unwrap()).unwrap_err();
    for id in &ids {
        assert!(shown.contains(id.as_str().unwrap()), "{id}: {shown}");
    }
    let diff = shown.find("diff --git").unwrap();
    assert!(!shown[diff..].contains("evil"), "the control: the diff is cut before it");
    assert!(shown[..diff].contains("created  src/zzz.rs +1 -0"), "{shown}");
    assert!(shown[..diff].contains("NOT shown here; `graftage edit approve"), "{shown}");
    assert!(!shown.contains(['\u{202e}', '\u{e0041}']), "{shown}");
    assert!(shown.contains("\\u{202e}\\u{e0041}"), "{shown}");
}

#[test]
fn a_tree_that_moves_at_the_question_is_not_written() {
    let project = testkit::crate_project(PROJECT);
    project.git();
    let server = serve(&project);
    let before = project.read("src/lib.rs");
    let mut client = Client::connect(&server, Era::Handshake, json!({"elicitation": {}}));
    let arguments = staged(&mut client, &before.replace("n * 2", "n + n"));
    let mut moves = true;
    let mut apply = |client: &mut Client| {
        let call = json!({"name": "apply", "arguments": arguments});
        let result = client.asked("tools/call", call, &mut |_| {
            if moves {
                project.write("src/other.rs", "// another program\n");
            }
            json!({"action": "accept", "content": {"write": true}})
        });
        moves = false;
        called(&result.unwrap())
    };
    let refused = apply(&mut client).unwrap_err();
    let reason = refused["reason"].as_str().unwrap();
    assert!(
        reason.contains("changed after the question was shown; nothing was written"),
        "{reason}"
    );
    assert_eq!(project.read("src/lib.rs"), before);
    assert_eq!(apply(&mut client).unwrap()["applied"], true, "the control: it stays as it is");
}

#[test]
fn an_undo_that_became_another_at_the_question_is_not_done() {
    let project = testkit::crate_project(PROJECT);
    project.git();
    let mut settings = Settings::default();
    settings.serve.apply = WriteConsent::Ask;
    let server = serve_as(&project, &settings);
    let before = project.read("src/lib.rs");
    let mut client = Client::connect(&server, Era::Handshake, json!({"elicitation": {}}));
    let mut other = Client::connect(&server, Era::Handshake, json!({}));
    let first = before.replace("n * 2", "n + n");
    let ids = staged(&mut other, &first);
    assert_eq!(other.call("apply", ids).unwrap()["applied"], true);
    let second = before.replace("n * 2", "2 * n");
    let undone =
        client.asked("tools/call", json!({"name": "undo", "arguments": {}}), &mut |question| {
            assert!(question["message"].as_str().unwrap().contains("-"), "{question}");
            // Another client applies a newer change: `undo` without an id would revert that one.
            let ids = staged(&mut other, &second);
            assert_eq!(other.call("apply", ids).unwrap()["applied"], true);
            json!({"action": "accept", "content": {}})
        });
    let refused = called(&undone.unwrap()).unwrap_err();
    assert!(refused["reason"].as_str().unwrap().contains("another change"), "{refused}");
    assert_eq!(project.read("src/lib.rs"), second);
}

#[test]
fn an_answer_is_worth_one_call() {
    let project = testkit::crate_project(PROJECT);
    project.git();
    let server = serve(&project);
    let before = project.read("src/lib.rs");
    let better = before.replace("n * 2", "n + n");
    let mut client = Client::connect(&server, Era::Discover, json!({"elicitation": {"form": {}}}));
    let arguments = staged(&mut client, &better);
    let call = json!({"name": "apply", "arguments": arguments});
    let asked = client.request("tools/call", call).unwrap();
    let state = asked["requestState"].clone();
    let answer = json!({"write": {"action": "accept", "content": {"write": true}}});
    let answered = |name: &str, arguments: &Value| json!({"name": name, "arguments": arguments, "inputResponses": answer, "requestState": state});
    // The answer about `apply` is none about `undo`.
    let undo = client.request("tools/call", answered("undo", &json!({})));
    called(&undo.unwrap()).unwrap_err();
    assert_eq!(project.read("src/lib.rs"), before);
    let done = client.request("tools/call", answered("apply", &arguments)).unwrap();
    assert_eq!(called(&done).unwrap()["applied"], true, "the control: it is worth one");
    assert_eq!(project.read("src/lib.rs"), better);
    project.write("src/lib.rs", &before);
    let again = client.request("tools/call", answered("apply", &arguments)).unwrap();
    assert!(called(&again).is_err() || again["resultType"] == "input_required", "{again}");
    assert_eq!(project.read("src/lib.rs"), before);
}

#[test]
fn consent_to_a_write_is_as_the_setting_requires() {
    let project = testkit::crate_project(PROJECT);
    project.git();
    let before = project.read("src/lib.rs");
    let better = before.replace("n * 2", "n + n");
    let apply = |apply: WriteConsent, capabilities: Value| {
        let mut settings = Settings::default();
        settings.serve.apply = apply;
        let server = serve_as(&project, &settings);
        let mut client = Client::connect(&server, Era::Handshake, capabilities);
        let staged = client.call("propose_edit", replaced(&better)).unwrap();
        let ids = json!({"ids": [staged["proposal_id"]], "tests": "none"});
        let mut questions = 0;
        let call = json!({"name": "apply", "arguments": ids});
        let result = client.asked("tools/call", call, &mut |_| {
            questions += 1;
            json!({"action": "accept", "content": {"write": true}})
        });
        let result = called(&result.unwrap());
        if result.is_ok() {
            assert_eq!(project.read("src/lib.rs"), better);
            let undo = json!({"name": "undo", "arguments": {}});
            let accept = &mut |_| json!({"action": "accept", "content": {}});
            called(&client.asked("tools/call", undo, accept).unwrap()).unwrap();
        }
        assert_eq!(project.read("src/lib.rs"), before);
        (questions, result)
    };
    let (can_ask, cannot) = (json!({"elicitation": {}}), json!({}));
    let (questions, refused) = apply(WriteConsent::Require, cannot.clone());
    let refused = refused.unwrap_err();
    assert_eq!(questions, 0);
    assert!(refused["fix"].as_str().unwrap().contains("edit approve"), "{refused}");
    assert!(matches!(apply(WriteConsent::Require, can_ask.clone()), (1, Ok(_))));
    assert!(matches!(apply(WriteConsent::Ask, cannot.clone()), (0, Ok(_))));
    assert!(matches!(apply(WriteConsent::Policy, can_ask), (0, Ok(_))));
}

#[test]
fn answers_may_be_text_alone() {
    let project = testkit::crate_project(PROJECT);
    let mut settings = Settings::default();
    settings.serve.answers = AnswerForm::Text;
    let server = serve_as(&project, &settings);
    let mut client = Client::connect(&server, Era::Handshake, json!({}));
    let list = client.request("tools/list", json!({})).unwrap();
    assert!(list["tools"].as_array().unwrap().iter().all(|it| it.get("outputSchema").is_none()));
    let call = json!({"name": "search", "arguments": {"query": "quadruple", "limit": 1}});
    let found = client.request("tools/call", call).unwrap();
    let text = "next_offset: 1\nhits:\nsrc/lib.rs:4  pub fn quadruple(n: u32) -> u32  fixture/fixture::quadruple";
    let content = json!([{"type": "text", "text": text}]);
    assert_eq!((&found["content"], found.get("structuredContent")), (&content, None));
    let failed = json!({"name": "show", "arguments": {"item": "x", "y": 1}});
    let failed = client.request("tools/call", failed).unwrap();
    assert_eq!(failed["isError"], true);
    assert!(failed.get("structuredContent").is_none() && failed.to_string().contains("fix: "));
}

#[test]
fn errors_are_repaired_through_a_proposal() {
    let project =
        testkit::crate_project("\n//- /src/lib.rs\npub fn one() -> u32 { let n = 1; n }\n");
    project.git();
    project.write("src/lib.rs", "pub fn one() -> u32 { let n = 1; m }\n");
    let server = serve(&project);
    let mut client = Client::connect(&server, Era::Handshake, json!({}));
    let checked = client.call("check", json!({})).unwrap();
    assert!(checked.to_string().contains("E0425"), "{checked}");
    let fixed = client.call("fix", json!({"max_seconds": 120})).unwrap();
    assert_eq!(fixed["outcome"], "proven", "{fixed}");
    assert!(project.read("src/lib.rs").contains("; m }"), "nothing is written yet");
    // The proof of the repair is that of the proposal: `edit approve` takes it at once.
    let listed = client.call("proposals", json!({"id": fixed["proposal_id"]})).unwrap();
    assert_eq!(listed["proposals"][0]["state"], "proven", "{listed}");
    let ids = json!({"ids": [fixed["proposal_id"]]});
    assert_eq!(client.call("apply", ids).unwrap()["applied"], true);
    assert_eq!(client.call("fix", json!({})).unwrap()["outcome"], "clean");
}

#[test]
fn each_of_several_projects_has_its_root() {
    let first = testkit::crate_project("\n//- /src/lib.rs\npub fn apple() {}\n");
    let second = testkit::crate_project("\n//- /src/lib.rs\npub fn pear() {}\n");
    let server = serve_with(&[&first, &second], graftage_serve::HttpLimits::default());
    let mut client = Client::connect(&server, Era::Handshake, json!({}));
    let list = client.request("tools/list", json!({})).unwrap();
    assert!(list["tools"][0]["inputSchema"]["properties"]["root"].is_object());
    let error = client.call("show", json!({"item": "pear"})).unwrap_err();
    assert!(error["fix"].as_str().unwrap().contains("pass `root`"), "{error}");
    let root = second.root().canonicalize().unwrap();
    assert!(client.call("show", json!({"item": "pear", "root": root})).is_ok());
    assert!(client.call("show", json!({"item": "apple", "root": root})).is_err());
}

/// A token is about four bytes of JSON; `search` packs contexts by the same estimate.
#[test]
fn the_list_of_tools_is_small() {
    let project = testkit::crate_project(PROJECT);
    let server = serve(&project);
    let mut client = Client::connect(&server, Era::Handshake, json!({}));
    let list = client.request("tools/list", json!({})).unwrap().to_string();
    let tokens = list.len().div_ceil(4);
    assert!(tokens <= 4_000, "{tokens} tokens, {} bytes", list.len());
}
