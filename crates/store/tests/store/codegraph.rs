//! Tests of the code graph: proposals, approvals, history.

use base::{Hint, ItemId};
use graftage_store::{
    CodeRow, EditProposalRow, FutureAction, GraphStore, Limits, Proof, RecordStore, Records, Store,
    StoreError, ToolCallRow, ToolState,
};
use serde_json::json;

use crate::kit::{ask, id, open, store};

fn row(number: u32, code: &str) -> CodeRow {
    CodeRow {
        id: id(number),
        current_code: Some(code.to_owned()),
        tdd_classification: "production".to_owned(),
    }
}

fn passed() -> Proof {
    Proof { passed: true, evidence: "abc".to_owned() }
}

/// `current -> action future (current_id, future_id)` at a time.
fn shown(store: &Store, id: ItemId, at: Option<i64>) -> String {
    let versions = store.as_of(&[id], at).unwrap();
    let Some(version) = versions.first() else { return "nothing".to_owned() };
    let text = |code: &Option<String>| code.clone().unwrap_or_else(|| "-".to_owned());
    format!(
        "{} -> {} {} ({}, {})",
        text(&version.current_code),
        version.future_action.map_or("-", FutureAction::as_str),
        text(&version.future_code),
        u8::from(version.in_current),
        u8::from(version.in_future)
    )
}

#[test]
fn a_future_becomes_current_when_it_is_approved_and_the_past_stays() {
    let (dir, store) = store();
    store.upsert_current(&[row(1, "a")], 100).unwrap();
    assert_eq!(shown(&store, id(1), None), "a -> - - (1, 1)");
    store.propose_future(id(1), FutureAction::Edit, Some("b"), 200).unwrap();
    assert_eq!(shown(&store, id(1), None), "a -> edit b (1, 1)");
    let settled = store.approve(&[id(1)], "ann", &passed(), 300).unwrap();
    assert_eq!((settled.rows, settled.at), (1, 300));

    let again = open(&dir);
    assert_eq!(shown(&again, id(1), None), "b -> - - (1, 1)");
    assert_eq!(shown(&again, id(1), Some(299)), "a -> edit b (1, 1)");
    assert_eq!(shown(&again, id(1), Some(150)), "a -> - - (1, 1)");
    assert_eq!(shown(&again, id(1), Some(99)), "nothing");
    let note = again.as_of(&[id(1)], None).unwrap()[0].note.clone();
    assert_eq!(note.as_deref(), Some("approved by ann, proof abc"));
}

#[test]
fn created_items_begin_and_deleted_items_end() {
    let (_dir, store) = store();
    store.propose_future(id(1), FutureAction::Create, Some("new"), 1).unwrap();
    assert_eq!(shown(&store, id(1), None), "- -> create new (0, 1)");
    store.approve(&[id(1)], "ann", &passed(), 2).unwrap();
    assert_eq!(shown(&store, id(1), None), "new -> - - (1, 1)");
    store.propose_future(id(1), FutureAction::Delete, None, 3).unwrap();
    assert_eq!(shown(&store, id(1), None), "new -> delete - (1, 0)");
    store.approve(&[id(1)], "ann", &passed(), 4).unwrap();
    assert_eq!(shown(&store, id(1), None), "nothing");
    assert_eq!(shown(&store, id(1), Some(3)), "new -> delete - (1, 0)");
}

#[test]
fn rejecting_removes_futures_and_items_that_were_only_proposed() {
    let (_dir, store) = store();
    store.upsert_current(&[row(1, "a")], 1).unwrap();
    store.propose_future(id(1), FutureAction::Delete, None, 2).unwrap();
    store.propose_future(id(2), FutureAction::Create, Some("new"), 3).unwrap();
    assert_eq!(store.reject(&[id(1), id(2), id(1)], "no", 4).unwrap().rows, 2);
    assert_eq!(shown(&store, id(1), None), "a -> - - (1, 1)");
    assert_eq!(shown(&store, id(2), None), "nothing");
    assert_eq!(store.as_of(&[id(1)], None).unwrap()[0].note.as_deref(), Some("rejected: no"));
}

#[test]
fn without_a_passed_proof_nothing_is_approved() {
    let (_dir, store) = store();
    store.upsert_current(&[row(1, "a")], 1).unwrap();
    store.propose_future(id(1), FutureAction::Edit, Some("b"), 2).unwrap();
    let proof = Proof { passed: false, evidence: "abc".to_owned() };
    let err = store.approve(&[id(1)], "ann", &proof, 3).unwrap_err();
    assert!(matches!(err, StoreError::Unproven));
    assert!(err.hint().is_some());
    assert_eq!(shown(&store, id(1), None), "a -> edit b (1, 1)");
}

#[test]
fn nothing_is_approved_or_rejected_if_one_item_has_no_future() {
    let (_dir, store) = store();
    store.upsert_current(&[row(1, "a"), row(2, "x")], 1).unwrap();
    store.propose_future(id(1), FutureAction::Edit, Some("b"), 2).unwrap();
    let both = [id(1), id(2)];
    let err = store.approve(&both, "ann", &passed(), 3).unwrap_err();
    assert!(matches!(err, StoreError::NothingProposed { id: found } if found == id(2)));
    assert!(store.reject(&both, "no", 3).is_err());
    assert_eq!(shown(&store, id(1), None), "a -> edit b (1, 1)");
}

#[test]
fn futures_that_contradict_the_current_state_are_refused() {
    let (_dir, store) = store();
    store.upsert_current(&[row(1, "a")], 1).unwrap();
    let propose = |number, action, code| store.propose_future(id(number), action, code, 2);
    assert!(matches!(propose(1, FutureAction::Create, Some("b")), Err(StoreError::Exists { .. })));
    assert!(matches!(
        propose(2, FutureAction::Edit, Some("b")),
        Err(StoreError::UnknownItem { .. })
    ));
    assert!(matches!(propose(2, FutureAction::Delete, None), Err(StoreError::UnknownItem { .. })));
    assert!(matches!(propose(1, FutureAction::Edit, None), Err(StoreError::Future { .. })));
    assert!(matches!(propose(1, FutureAction::Delete, Some("b")), Err(StoreError::Future { .. })));
    assert_eq!(shown(&store, id(1), None), "a -> - - (1, 1)");
}

#[test]
fn a_new_current_state_keeps_the_future_and_the_same_one_writes_nothing() {
    let (_dir, store) = store();
    store.upsert_current(&[row(1, "a")], 1).unwrap();
    store.propose_future(id(1), FutureAction::Edit, Some("b"), 2).unwrap();
    assert_eq!(store.upsert_current(&[row(1, "a2")], 3).unwrap().rows, 1);
    assert_eq!(shown(&store, id(1), None), "a2 -> edit b (1, 1)");
    assert_eq!(store.upsert_current(&[row(1, "a2")], 4).unwrap().rows, 0);
    let removed = |number| CodeRow { current_code: None, ..row(number, "") };
    store.upsert_current(&[row(2, "x")], 5).unwrap();
    store.upsert_current(&[removed(1), removed(2), removed(3)], 6).unwrap();
    assert_eq!(shown(&store, id(1), None), "- -> edit b (0, 1)");
    assert_eq!(shown(&store, id(2), None), "nothing");
    assert_eq!(shown(&store, id(2), Some(5)), "x -> - - (1, 1)");
    let twice = store.upsert_current(&[row(4, "a"), row(4, "b")], 7);
    assert!(matches!(twice, Err(StoreError::Rows { .. })));
}

#[test]
fn a_clock_that_jumps_back_does_not_hide_what_comes_after() {
    let (_dir, store) = store();
    assert_eq!(store.upsert_current(&[row(1, "a")], 1_000).unwrap().at, 1_000);
    assert_eq!(store.upsert_current(&[row(1, "b")], 5).unwrap().at, 1_001);
    assert_eq!(shown(&store, id(1), None), "b -> - - (1, 1)");
    assert_eq!(shown(&store, id(1), Some(1_000)), "a -> - - (1, 1)");
}

#[test]
fn the_code_graph_is_returned_in_the_order_of_ids() {
    let (_dir, store) = store();
    store.upsert_current(&[row(1, "a"), row(2, "b"), row(3, "c")], 1).unwrap();
    let all = store.as_of(&[], None).unwrap();
    assert_eq!(all.len(), 3);
    assert!(all.is_sorted_by_key(|version| version.id));
}

#[test]
fn lifecycle_records_are_written_when_requested_and_again_when_done() {
    let (dir, store) = store();
    let call = |state, result: Option<&str>| ToolCallRow {
        id: "c1".to_owned(),
        task: "t".to_owned(),
        tool: "search".to_owned(),
        args: "{}".to_owned(),
        state,
        result: result.map(str::to_owned),
        error: None,
        requested_at: 1,
        done_at: result.map(|_| 2),
    };
    let proposal = EditProposalRow {
        id: "p1".to_owned(),
        task: "t".to_owned(),
        overlay: "o".to_owned(),
        state: "proposed".to_owned(),
        evidence: None,
        confidence: Some(0.5),
        approver: None,
        reason: None,
        created_at: 1,
        decided_at: None,
    };
    let requested = Records {
        tool_calls: vec![call(ToolState::Requested, None)],
        proposals: vec![proposal],
        ..Records::default()
    };
    store.record(&requested).unwrap();
    let done = vec![call(ToolState::Done, Some("[]"))];
    open(&dir).record(&Records { tool_calls: done, ..Records::default() }).unwrap();
    let script = "?[tool, state, result, done_at] := *tool_calls{tool, state, result, done_at}";
    assert_eq!(ask(&store, script), [[json!("search"), json!("done"), json!("[]"), json!(2)]]);
    let script = "?[id, state, confidence] := *edit_proposals{id, state, confidence}";
    let rows = store.query(script, &Limits::default()).unwrap();
    assert_eq!(rows.rows, [[json!("p1"), json!("proposed"), json!(0.5)]]);
}
