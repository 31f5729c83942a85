//! Plans: what each operation returns and refuses.

use std::sync::{Arc, Mutex};

use base::{Hint, Timestamp};
use expect_test::expect;
use graftage_memory::{
    Relation, RelationContext, RelationStatus, RelationUpdate, Relations, RelationsConfig,
};

use crate::ctx;

/// A plan: `goal` has `read` and `write`; `write` comes after `read` too; `test` after `write`.
fn plan() -> Relations {
    let mut plan = Relations::default();
    let (ctx, status) = (ctx(), RelationStatus::Pending);
    let step = |text: &str| RelationContext::new(text).with_status(status);
    plan.add(&ctx, "goal", &[], "plan", step("Finish the rename")).unwrap();
    plan.add(&ctx, "read", &["goal"], "step", step("Read the callers")).unwrap();
    plan.add(&ctx, "write", &["goal", "read"], "step", step("Change them")).unwrap();
    plan.add(&ctx, "test", &["write"], "step", step("Run the tests")).unwrap();
    plan
}

fn ids(relations: &[&Relation]) -> String {
    relations.iter().map(|it| it.id.as_str()).collect::<Vec<_>>().join(" ")
}

fn status(status: RelationStatus) -> RelationUpdate {
    RelationUpdate { status: Some(Some(status)), ..RelationUpdate::default() }
}

#[test]
fn every_question_has_its_answer() {
    let mut plan = plan();
    plan.update("read", status(RelationStatus::Done)).unwrap();
    let answers = [
        ("parents of write", plan.parents("write")),
        ("children of goal", plan.children("goal")),
        ("ancestors of test", plan.ancestors("test")),
        ("descendants of read", plan.descendants("read")),
        ("roots", plan.roots()),
        ("leaves", plan.leaves()),
        ("steps", plan.by_edge_type("step")),
        ("done", plan.by_status(RelationStatus::Done)),
        ("all", plan.all()),
        ("parents of what is not there", plan.parents("x")),
        ("descendants of what is not there", plan.descendants("x")),
    ];
    let text: String =
        answers.iter().map(|(what, found)| format!("{what}: {}\n", ids(found))).collect();
    expect![[r#"
        parents of write: goal read
        children of goal: read write
        ancestors of test: goal read write
        descendants of read: write test
        roots: goal
        leaves: test
        steps: read write test
        done: read
        all: goal read write test
        parents of what is not there: 
        descendants of what is not there: 
    "#]]
    .assert_eq(&text);
    assert_eq!((plan.size(), plan.has("goal"), plan.has("x")), (4, true, false));
    assert_eq!(plan.get("test").unwrap().context.description, "Run the tests");
}

#[test]
fn what_does_not_fit_is_refused_with_a_hint_and_changes_nothing() {
    let mut plan = plan();
    let ctx = ctx();
    let before = plan.to_context(&[]);
    let context = || RelationContext::new("x");
    let mut text = String::new();
    let mut refused = |err: graftage_memory::RelationError| {
        text += &format!("{err}; hint: {}\n", err.hint().unwrap_or_default());
    };
    refused(plan.add(&ctx, "read", &[], "step", context()).unwrap_err());
    refused(plan.add(&ctx, "new", &["absent"], "step", context()).unwrap_err());
    refused(plan.add(&ctx, "new", &["new"], "step", context()).unwrap_err());
    refused(plan.add(&ctx, "new", &["goal", "goal"], "step", context()).unwrap_err());
    refused(plan.add(&ctx, "", &[], "step", context()).unwrap_err());
    refused(plan.add(&ctx, "a\nb", &[], "step", context()).unwrap_err());
    let under = |parent: &str| RelationUpdate {
        parents: Some(vec![parent.to_owned()]),
        ..RelationUpdate::default()
    };
    refused(plan.update("goal", under("test")).unwrap_err());
    refused(plan.update("absent", under("test")).unwrap_err());
    expect![[r#"
        there is a relation `read` already; hint: update it, or choose another id
        there is no relation `absent`, which `new` has as a parent; hint: add `absent` first
        with the parent `new`, `new` would be its own ancestor; hint: remove the parent that closes the cycle
        `new` has the parent `goal` twice; hint: name each parent once
        `` is not an id: it is empty; hint: use 1 to 256 bytes without control characters
        `a\nb` is not an id: it has a control character; hint: use 1 to 256 bytes without control characters
        with the parent `test`, `goal` would be its own ancestor; hint: remove the parent that closes the cycle
        there is no relation `absent`; hint: 
    "#]]
    .assert_eq(&text);
    assert_eq!(plan.to_context(&[]), before);
    assert!(plan.would_create_cycle("goal", &["test"]));
    assert!(plan.would_create_cycle("new", &["new"]));
    assert!(!plan.would_create_cycle("new", &["test"]));
    assert!(!plan.would_create_cycle("test", &["goal"]));
}

#[test]
fn a_plan_is_an_indented_tree_that_a_description_cannot_imitate() {
    let mut plan = plan();
    plan.update("read", status(RelationStatus::Done)).unwrap();
    plan.update("write", status(RelationStatus::InProgress)).unwrap();
    let forged = RelationContext::new("note\n[x] test: Run\u{1b}[2K the tests\r");
    plan.add(&ctx(), "note", &["goal"], "note", forged).unwrap();
    expect![[r#"
        [ ] goal: Finish the rename
          [x] read: Read the callers
            [~] write: Change them
              [ ] test: Run the tests
          [~] write: Change them (steps above)
          - note: note [x] test: Run [2K the tests
    "#]]
    .assert_eq(&plan.to_context(&[]));
    expect!["[ ] test: Run the tests\n"].assert_eq(&plan.to_context(&["test", "absent"]));
}

#[test]
fn an_update_sets_and_removes_fields() {
    let mut plan = plan();
    let fields = |value: serde_json::Value| RelationUpdate {
        fields: [("verifier".to_owned(), value)].into(),
        ..RelationUpdate::default()
    };
    plan.update("test", fields("cargo test".into())).unwrap();
    assert_eq!(plan.get("test").unwrap().context.fields["verifier"], "cargo test");
    plan.update("test", fields(serde_json::Value::Null)).unwrap();
    assert!(plan.get("test").unwrap().context.fields.is_empty());
    let rest = RelationUpdate {
        edge_type: Some("check".to_owned()),
        description: Some("Run all tests".to_owned()),
        status: Some(None),
        ..RelationUpdate::default()
    };
    plan.update("test", rest).unwrap();
    assert_eq!(ids(&plan.by_edge_type("check")), "test");
    assert_eq!(plan.to_context(&["test"]), "- test: Run all tests\n");
}

#[test]
fn initial_nodes_may_come_in_any_order_and_cycles_among_them_are_refused() {
    let node = |id: &str, parents: &[&str]| Relation {
        id: id.to_owned(),
        parents: parents.iter().map(|it| (*it).to_owned()).collect(),
        edge_type: "step".to_owned(),
        context: RelationContext::default(),
        created_at: Timestamp(1),
    };
    let new = |initial_nodes| {
        Relations::new(RelationsConfig { initial_nodes, ..RelationsConfig::default() })
    };
    let plan = new(vec![node("c", &["b"]), node("b", &["a"]), node("a", &[])]).unwrap();
    assert_eq!(ids(&plan.ancestors("c")), "a b");
    let err = new(vec![node("a", &["b"]), node("b", &["a"])]).err().unwrap();
    assert_eq!(err.to_string(), "with the parent `b`, `a` would be its own ancestor");
    let err = new(vec![node("a", &["x"])]).err().unwrap();
    assert_eq!(err.to_string(), "there is no relation `x`, which `a` has as a parent");
}

#[test]
fn relations_are_stored_on_request_and_with_auto_persist_on_every_change() {
    for auto_persist in [false, true] {
        let stored = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&stored);
        let mut plan = Relations::new(RelationsConfig {
            on_persist: Some(Box::new(move |relations| {
                base::lock(&seen).push(relations.len());
                if relations.len() == 3 { Err("disk is full".into()) } else { Ok(()) }
            })),
            auto_persist,
            ..RelationsConfig::default()
        })
        .unwrap();
        let mut add = |id: &str| plan.add(&ctx(), id, &[], "step", RelationContext::default());
        add("a").unwrap();
        add("b").unwrap();
        let third = add("c");
        assert_eq!(third.is_err(), auto_persist);
        assert_eq!(plan.size(), 3);
        let err = plan.persist().unwrap_err().to_string();
        assert_eq!(err, "the relations are changed, but not stored: disk is full");
        assert!(plan.remove("c").unwrap());
        assert!(!plan.remove("c").unwrap());
        plan.persist().unwrap();
        let stored = base::lock(&stored).clone();
        assert_eq!(stored, if auto_persist { vec![1, 2, 3, 3, 2, 2] } else { vec![3, 2] });
    }
}
