//! Calls of the tools on the map, on proposals and with wrong input.

use expect_test::expect;
use serde_json::json;

use crate::Bench;

#[test]
fn an_unknown_tool_has_the_nearest_names() {
    let bench = Bench::new();
    expect![[r#"
        Input there is no tool `serach`
          use search"#]]
    .assert_eq(&bench.call("serach", json!({})));
    expect![[r#"
        Input there is no tool `proposal`
          use proposals"#]]
    .assert_eq(&bench.call("proposal", json!({})));
    assert!(bench.call("zzz", json!({})).contains("the tools are apply, check"));
    assert!(bench.call(&"x\u{1b}".repeat(100_000), json!({})).len() < 1_000);
}

#[test]
fn questions_on_the_map_are_answered_in_pages() {
    let bench = Bench::new();
    let found = bench.answer("search", json!({ "query": "double a number", "limit": 1 }));
    assert_eq!(found["hits"].as_array().unwrap().len(), 1);
    assert_eq!(found["next_offset"], 1);
    let next =
        bench.answer("search", json!({ "query": "double a number", "limit": 1, "offset": 1 }));
    assert_ne!(found["hits"][0]["item"], next["hits"][0]["item"]);
    let shown = bench.answer("show", json!({ "item": "double" }));
    assert_eq!(shown["code"], "/// Twice a number.\npub fn double(n: u8) -> u8 {\n    n * 2\n}");
    let callers = bench.answer("graph", json!({ "kind": "callers", "item": "double" }));
    assert_eq!(callers["items"][0]["sites"], json!(["src/lib.rs:7", "src/lib.rs:7"]), "{callers}");
    let impact = bench.answer("graph", json!({ "kind": "impact", "item": "double" }));
    assert_eq!(impact["tests"].as_array().unwrap().len(), 1, "{impact}");
    let none = bench.answer("graph", json!({ "kind": "implementors", "item": "double" }));
    assert_eq!(none["items"], json!([]), "{none}");
    let path = json!({ "kind": "path", "item": "quadruple", "to": "double" });
    assert_eq!(bench.answer("graph", path)["items"].as_array().unwrap().len(), 2);
    let context = bench.answer("context", json!({ "item": "double", "budget": 500 }));
    assert!(context["text"].as_str().unwrap().contains("n * 2"), "{context}");
}

#[test]
fn implementors_of_a_trait_are_not_mixed_with_its_users() {
    let bench = Bench::new();
    let text = "pub trait Area {}\n\npub struct Square;\n\nimpl Area for Square {}\n\nimpl Area for u8 {}\n\npub fn large(_: &dyn Area) {}\n";
    bench.project.write("src/lib.rs", text);
    let found = bench.answer("graph", json!({ "kind": "implementors", "item": "Area" }));
    let places: Vec<&str> =
        found["items"].as_array().unwrap().iter().filter_map(|it| it["at"].as_str()).collect();
    assert_eq!(places, ["src/lib.rs:3", "src/lib.rs:7"], "{found}");
}

#[test]
fn calls_through_traits_of_other_crates_are_named_as_missing() {
    let bench = Bench::new();
    let text = "use std::fmt;\n\npub struct A;\n\npub trait Own {\n    fn own(&self);\n}\n\nimpl Own for A {\n    fn own(&self) {}\n}\n\nimpl fmt::Display for A {\n    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {\n        f.write_str(text())\n    }\n}\n\nfn text() -> &'static str {\n    \"a\"\n}\n";
    bench.project.write("src/lib.rs", text);
    let asked = |kind: &str, item: &str| {
        bench.answer("graph", json!({ "kind": kind, "item": item }))["outside_traits"].clone()
    };
    assert_eq!(asked("impact", "A::fmt"), json!(["fmt::Display"]));
    assert_eq!(asked("callers", "A::fmt"), json!(["fmt::Display"]));
    assert_eq!(asked("impact", "text"), json!(["fmt::Display"]));
    assert_eq!(asked("callers", "text"), json!(null));
    assert_eq!(asked("impact", "A::own"), json!(null));
}

#[test]
fn names_in_quoted_code_are_listed_as_not_resolved() {
    let bench = Bench::new();
    let text = "pub fn made() {}\n\npub fn write() {\n    quote! { fixture::made() };\n}\n";
    bench.project.write("src/lib.rs", text);
    let manifest = bench.project.read("Cargo.toml");
    bench.project.write("Cargo.toml", format!("{manifest}\n[dependencies]\nquote = \"1\"\n"));
    let asked = |kind: &str, item: &str| {
        bench.answer("graph", json!({ "kind": kind, "item": item }))["quoted"].clone()
    };
    assert_eq!(asked("callers", "made"), json!(["src/lib.rs:4"]));
    assert_eq!(asked("impact", "made"), json!(["src/lib.rs:4"]));
    assert_eq!(asked("callers", "write"), json!(null));
}

#[test]
fn a_name_of_a_function_and_of_a_test_file_means_the_function() {
    let bench = Bench::new();
    bench.project.write("tests/double.rs", "#[test]\nfn doubles() {\n    fixture::double(2);\n}\n");
    let found = bench.answer("graph", json!({ "kind": "impact", "item": "double" }));
    assert!(
        found["tests"].as_array().unwrap().contains(&json!("fixture/double::doubles")),
        "{found}"
    );
    let shown = bench.answer("show", json!({ "item": "double" }));
    assert!(shown["code"].as_str().unwrap().contains("n * 2"), "{shown}");
    assert_eq!(bench.answer("show", json!({ "item": "fixture/double" }))["kind"], "crate");
    let at_place = bench.answer("show", json!({ "item": "src/lib.rs:7" }));
    assert_eq!(at_place["item"], "fixture/fixture::quadruple");
}

#[test]
fn wrong_input_is_refused_with_the_fix() {
    let bench = Bench::new();
    expect![[r#"
        Input kind: "caller" is none of its values
          use `callers`; the values are `callers`, `callees`, `implementors`, `impact`, `path`"#]]
    .assert_eq(&bench.call("graph", json!({ "kind": "caller", "item": "double" })));
    expect![[r#"
        Input item: it is missing
          pass `item`: a canonical path such as `Type::method`"#]]
    .assert_eq(&bench.call("graph", json!({ "kind": "callers" })));
    expect![[r#"
        Input to: it is missing
          pass `to`: a canonical path such as `Type::method`"#]]
    .assert_eq(&bench.call("graph", json!({ "kind": "path", "item": "double" })));
    expect![[r#"
        No no item named `duoble`
          similar names: fixture/fixture::double, fixture/fixture::tests::doubles"#]]
    .assert_eq(&bench.call("show", json!({ "item": "duoble" })));
    expect![[r#"
        Input limit: the number is 5000, more than 50
          pass at most 50"#]]
    .assert_eq(&bench.call("search", json!({ "query": "x", "limit": 5_000 })));
    expect![[r#"
        No no item named `nowhere`
          use the canonical path of an item, the end of that path (`Type::method`), its key or its id; local variables and lifetimes are no items"#]].assert_eq(&bench.call("search", json!({ "query": "x", "near": "nowhere" })));
    expect![[r#"
        No no proposal has the id `00000000`
          `proposals` lists the open ones"#]]
    .assert_eq(&bench.call("preflight", json!({ "ids": ["00000000"] })));
    expect![[r#"
        Input allow: there is no such field
          leave it out; the fields are `commit`, `ids`, `tests`"#]]
    .assert_eq(&bench.call("apply", json!({ "ids": ["00000000"], "allow": ["all"] })));
    expect![[r#"
        No there is nothing to undo
          repeating the same call gives the same error"#]]
    .assert_eq(&bench.call("undo", json!({})));
}

#[test]
fn a_proposal_is_staged_verified_applied_and_undone() {
    let bench = Bench::new();
    let before = bench.project.read("src/lib.rs");
    let edit = json!({ "file": "src/lib.rs", "edits": [{ "find": "n * 2", "replace": "n + n" }] });
    let staged = bench.answer("edit", edit);
    let id = staged["proposal_id"].as_str().unwrap();
    assert_eq!(bench.project.read("src/lib.rs"), before);
    let shown = bench.answer("proposals", json!({ "id": id }));
    assert_eq!(shown["proposals"][0]["state"], "proposed");
    assert!(!shown["proposals"][0]["blocked_by"].as_array().unwrap().is_empty());
    let verified = bench.answer("preflight", json!({ "ids": [id], "tests": "all" }));
    assert_eq!(verified["ready"], true, "{verified}");
    let applied = bench.answer("apply", json!({ "ids": [id] }));
    assert_eq!(applied["applied"], true, "{applied}");
    assert_eq!(bench.project.read("src/lib.rs"), before.replace("n * 2", "n + n"));
    bench.answer("undo", json!({}));
    assert_eq!(bench.project.read("src/lib.rs"), before);
    let bad = json!({ "file": "src/lib.rs", "edits": [{ "find": "n * 2", "replace": "n * m" }] });
    let id = bench.answer("edit", bad)["proposal_id"].clone();
    let verified = bench.answer("preflight", json!({ "ids": [id], "tests": "none" }));
    assert_eq!((&verified["ready"], &verified["errors"]), (&json!(false), &json!(1)), "{verified}");
    assert_eq!(verified["diagnostics"][0]["code"], "E0425", "{verified}");
    let rejected = bench.answer("reject", json!({ "ids": [id], "reason": "wrong" }));
    assert_eq!(rejected["proposals"][0]["state"], "rejected");
}

#[test]
fn a_staged_edit_is_answered_without_the_text_that_was_sent() {
    let bench = Bench::new();
    let item = |code: &str| {
        let canon = "fixture::quadruple";
        let edit = json!({ "mode": "canonical", "file": "src/lib.rs", "canon": canon,
            "node_type": "function", "code": code });
        json!({ "edits": [edit] })
    };
    let code = "pub fn quadruple(n: u8) -> u8 {\n    let twice = double(n);\n    double(twice)\n}";
    let staged = bench.answer("propose_edit", item(code));
    assert_eq!(staged["files"], json!(["src/lib.rs: +2 -1 @@ -7 +7,2"]), "{staged}");
    assert_eq!((&staged["staged"], staged.get("diff")), (&json!(true), None), "{staged}");
    let mut asked = item(code);
    asked["diff"] = json!(true);
    let with_diff = bench.answer("propose_edit", asked);
    assert_eq!(with_diff["proposal_id"], staged["proposal_id"]);
    assert!(with_diff["diff"].as_str().unwrap().contains("+    let twice"), "{with_diff}");

    // A diff whose lines are placed elsewhere is as it was sent; a block with another indent is not.
    let diff = "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -90,3 +90,3 @@\n pub fn double(n: u8) -> u8 \
                {\n-    n * 2\n+    n + n\n }\n";
    let staged = bench.answer("propose_edit", json!({ "text": diff }));
    assert_eq!(staged["files"], json!(["src/lib.rs: +1 -1 @@ -3 +3"]), "{staged}");
    assert!(staged.get("diff").is_none() && !staged["problems"][0].is_null(), "{staged}");
    let block = "src/lib.rs\n<<<<<<< SEARCH\nn * 2\n=======\nn << 1\n>>>>>>> REPLACE\n";
    let staged = bench.answer("propose_edit", json!({ "text": block }));
    assert!(staged["diff"].as_str().unwrap().contains("+    n << 1\n"), "{staged}");
    let new =
        json!({ "mode": "file", "file_path": "src/new.rs", "text": "fn a() {}\nfn b() {}\n" });
    let staged = bench.answer("propose_edit", json!({ "edits": [new] }));
    assert_eq!(staged["files"], json!(["src/new.rs (new): +2 -0"]), "{staged}");
}

#[test]
fn each_call_is_recorded_from_request_to_end() {
    let bench = Bench::new();
    bench.answer("glob", json!({ "pattern": "**/*.rs" }));
    bench.call("read", json!({ "file": "none.rs" }));
    let stats = graftage_tools::stats(&bench.workspace).unwrap();
    let text = serde_json::to_string(&stats).unwrap();
    assert!(text.contains("glob") && text.contains("read"), "{text}");
}
