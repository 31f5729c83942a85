//! The relations of the record.

use graftage_store::{
    CodeGraphRow, EditProposalRow, GraphStore, MapRows, MemoryRows, RecordRows, RecordStore,
    RetrievalRow, ScriptLimits, StoreError, ToolCallRow,
};
use serde_json::json;

use super::kit;

fn rows(version: u64) -> RecordRows {
    RecordRows {
        codegraph: vec![CodeGraphRow {
            id: kit::id(1),
            proposal: "ab12".to_owned(),
            key: "src-m.rs-f1".to_owned(),
            file_path: "src/m.rs".to_owned(),
            current_code: Some("fn f1() {}".to_owned()),
            future_code: None,
            future_action: Some("delete".to_owned()),
            tdd_classification: "production".to_owned(),
            version,
        }],
        proposals: vec![EditProposalRow {
            id: "ab12".to_owned(),
            task: String::new(),
            overlay: "diff".to_owned(),
            state: "proven".to_owned(),
            evidence: Some("{}".to_owned()),
            confidence: Some(0.5),
            approver: None,
            reason: None,
            created_at: 1,
            decided_at: None,
            author: "edit".to_owned(),
            files: vec!["src/m.rs".to_owned()],
            change: None,
            version: None,
        }],
        tool_calls: vec![ToolCallRow {
            id: "c1".to_owned(),
            task: String::new(),
            tool: "check".to_owned(),
            args: "{}".to_owned(),
            state: "done",
            result: Some("true".to_owned()),
            error: None,
            requested_at: 1,
            done_at: Some(2),
        }],
        retrievals: vec![RetrievalRow {
            id: 7,
            task: String::new(),
            tool: "search".to_owned(),
            query: "f1".to_owned(),
            focus: String::new(),
            hits: vec!["src-m.rs-f1".to_owned()],
            cached: false,
            took_us: 900,
            at: 3,
        }],
        memory: MemoryRows::default(),
    }
}

#[test]
fn the_record_is_queried_beside_the_map_and_replaced_as_a_whole() {
    let (dir, store) = kit::store();
    assert!(matches!(store.import_record(&rows(1), 1), Err(StoreError::NoMap)));
    store.import(&MapRows { nodes: vec![kit::node(1)], ..MapRows::default() }, 1).unwrap();
    assert_eq!(store.record().unwrap(), None);
    store.import_record(&rows(1), u64::MAX).unwrap();
    assert_eq!(store.record().unwrap(), Some(u64::MAX));
    let script = "?[name, proposal, state, future_action, current_id, future_id, version] :=
        *codegraph{id, proposal, future_action, current_id, future_id, version},
        *isg_nodes{id, name}, *edit_proposals{id: proposal, state}";
    let ask = |script: &str| store.query(script, &ScriptLimits::default()).unwrap().rows;
    let row = |version: u64| vec![json!(["f1", "ab12", "proven", "delete", 1, 0, version])];
    let found =
        |script: &str| ask(script).into_iter().map(serde_json::Value::from).collect::<Vec<_>>();
    assert_eq!(found(script), row(1));
    assert_eq!(
        found("?[tool, state, done_at] := *tool_calls{id: 'c1', tool, state, done_at}"),
        [json!(["check", "done", 2])]
    );
    assert_eq!(
        found("?[query, hits] := *retrieval_events{id: 7, query, hits}"),
        [json!(["f1", ["src-m.rs-f1"]])]
    );

    store.import_record(&rows(2), 2).unwrap();
    assert_eq!(found(script), row(2));
    store.import_record(&RecordRows::default(), 3).unwrap();
    assert!(found(script).is_empty());
    store.import_record(&rows(4), 4).unwrap();
    drop(store);
    let store = kit::open(&dir);
    assert_eq!(store.record().unwrap(), Some(4));
    store.import(&MapRows::default(), 2).unwrap();
    assert_eq!(store.record().unwrap(), None, "a new map has no record");
    assert!(store.troubles().is_empty());
}

#[test]
fn rows_with_the_same_key_are_refused() {
    let (_dir, store) = kit::store();
    store.import(&MapRows::default(), 1).unwrap();
    let mut twice = rows(1);
    twice.tool_calls.push(twice.tool_calls[0].clone());
    let refused = store.import_record(&twice, 1);
    assert!(matches!(refused, Err(StoreError::Rows { relation: "tool_calls", .. })));
    assert_eq!(store.record().unwrap(), None);
}
