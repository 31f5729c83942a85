//! The code graph in `record.db`: current code, proposed futures, approvals and history.

use std::collections::{BTreeMap, BTreeSet};

use cozo::DataValue;

use base::ItemId;

use super::database::Database;
use super::encode::{self, maybe, text, uuid};
use super::engine::{Engine, Params};
use super::schema::{self, CODEGRAPH};
use crate::{CodeRow, CodeVersion, FutureAction, Proof, Result, Settled, StoreError};

/// A write: a new version that is valid from now on, or the end of the item.
enum VersionChange {
    Assert(CodeVersion),
    Retract(ItemId),
}

/// See [`crate::RecordStore::upsert_current`].
pub(super) fn upsert_current(record: &Database, rows: &[CodeRow], at: i64) -> Result<Settled> {
    let ids: Vec<_> = rows.iter().map(|row| row.id).collect();
    if let Some(id) = first_duplicate(&ids) {
        let reason = format!("item {id} occurs twice in one call");
        return Err(StoreError::Rows { relation: CODEGRAPH.name, reason });
    }
    record.write(|engine| {
        let present = latest(engine, &ids)?;
        let steps = rows.iter().filter_map(|row| {
            let former = present.get(&row.id);
            let version = current(row, former);
            match former {
                Some(former) if *former == version => None,
                None if !version.in_current => None,
                _ if !version.in_current && version.future_action.is_none() => {
                    Some(VersionChange::Retract(row.id))
                }
                _ => Some(VersionChange::Assert(version)),
            }
        });
        settle(engine, steps.collect(), at)
    })
}

/// See [`crate::RecordStore::propose_future`].
pub(super) fn propose_future(
    record: &Database,
    id: ItemId,
    action: FutureAction,
    code: Option<&str>,
    at: i64,
) -> Result<Settled> {
    let wrong = |reason| Err(StoreError::Future { id, reason });
    match (action, code) {
        (FutureAction::Delete, Some(_)) => return wrong("a deletion has no code"),
        (FutureAction::Create | FutureAction::Edit, None) => return wrong("it has no code"),
        _ => {}
    }
    record.write(|engine| {
        let former = latest(engine, &[id])?.remove(&id);
        let exists = former.as_ref().is_some_and(|former| former.in_current);
        match action {
            FutureAction::Create if exists => return Err(StoreError::Exists { id }),
            FutureAction::Edit | FutureAction::Delete if !exists => {
                return Err(StoreError::UnknownItem { id });
            }
            _ => {}
        }
        let version = CodeVersion {
            future_code: code.map(str::to_owned),
            future_action: Some(action),
            in_future: action != FutureAction::Delete,
            ..former.unwrap_or_else(|| nothing(id))
        };
        settle(engine, vec![VersionChange::Assert(version)], at)
    })
}

/// See [`crate::RecordStore::approve`].
pub(super) fn approve(
    record: &Database,
    ids: &[ItemId],
    approver: &str,
    proof: &Proof,
    at: i64,
) -> Result<Settled> {
    if !proof.passed {
        return Err(StoreError::Unproven);
    }
    let note = format!("approved by {approver}, proof {}", proof.evidence);
    record.write(|engine| {
        let steps = proposed(engine, ids)?.into_iter().map(|version| {
            match version.future_action {
                // A deleted item ends; the approver stays in its last version.
                Some(FutureAction::Delete) => VersionChange::Retract(version.id),
                _ => VersionChange::Assert(CodeVersion {
                    current_code: version.future_code,
                    future_code: None,
                    future_action: None,
                    in_current: true,
                    in_future: true,
                    note: Some(note.clone()),
                    ..version
                }),
            }
        });
        let steps = steps.collect();
        settle(engine, steps, at)
    })
}

/// See [`crate::RecordStore::reject`].
pub(super) fn reject(record: &Database, ids: &[ItemId], reason: &str, at: i64) -> Result<Settled> {
    let note = format!("rejected: {reason}");
    record.write(|engine| {
        let steps = proposed(engine, ids)?.into_iter().map(|version| {
            if !version.in_current {
                return VersionChange::Retract(version.id);
            }
            VersionChange::Assert(CodeVersion {
                future_code: None,
                future_action: None,
                in_future: true,
                note: Some(note.clone()),
                ..version
            })
        });
        let steps = steps.collect();
        settle(engine, steps, at)
    })
}

/// See [`crate::RecordStore::as_of`].
pub(super) fn as_of(
    record: &Database,
    ids: &[ItemId],
    at: Option<i64>,
) -> Result<Vec<CodeVersion>> {
    let versions = record.read(|engine| versions(engine, ids, at))?.unwrap_or_default();
    Ok(versions.into_values().collect())
}

/// The versions of all `ids`, each with a future; otherwise an error naming the first without.
fn proposed(engine: &Engine, ids: &[ItemId]) -> Result<Vec<CodeVersion>> {
    let mut present = latest(engine, ids)?;
    let ids: BTreeSet<_> = ids.iter().copied().collect();
    let version = |id| {
        let version = present.remove(&id).filter(|version| version.future_action.is_some());
        version.ok_or(StoreError::NothingProposed { id })
    };
    ids.into_iter().map(version).collect()
}

/// Writes the changes in one transaction, at a time later than all before.
fn settle(engine: &Engine, steps: Vec<VersionChange>, at: i64) -> Result<Settled> {
    let clock = schema::meta(engine, "clock")?.unwrap_or(0);
    let rows = steps.len();
    if rows == 0 {
        return Ok(Settled { rows, at: clock });
    }
    let at = at.max(clock.saturating_add(1));
    let tuples = steps.into_iter().map(|step| match step {
        VersionChange::Assert(version) => tuple(&version, at, true),
        VersionChange::Retract(id) => tuple(&nothing(id), at, false),
    });
    let tables = [encode::table(&CODEGRAPH, tuples.collect()), encode::meta_rows(&[("clock", at)])];
    engine.import(tables.into())?;
    Ok(Settled { rows, at })
}

/// The version of an item whose current state is `row`.
fn current(row: &CodeRow, former: Option<&CodeVersion>) -> CodeVersion {
    let exists = row.current_code.is_some();
    let action = former.and_then(|former| former.future_action);
    CodeVersion {
        id: row.id,
        current_code: row.current_code.clone(),
        future_code: former.and_then(|former| former.future_code.clone()),
        future_action: action,
        tdd_classification: row.tdd_classification.clone(),
        in_current: exists,
        in_future: action.map_or(exists, |action| action != FutureAction::Delete),
        note: former.and_then(|former| former.note.clone()),
    }
}

fn nothing(id: ItemId) -> CodeVersion {
    CodeVersion {
        id,
        current_code: None,
        future_code: None,
        future_action: None,
        tdd_classification: String::new(),
        in_current: false,
        in_future: false,
        note: None,
    }
}

fn latest(engine: &Engine, ids: &[ItemId]) -> Result<BTreeMap<ItemId, CodeVersion>> {
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    versions(engine, ids, None)
}

fn versions(
    engine: &Engine,
    ids: &[ItemId],
    at: Option<i64>,
) -> Result<BTreeMap<ItemId, CodeVersion>> {
    let columns = "id, current_code, future_code, future_action, tdd_classification, \
                   current_id, future_id, note";
    let (head, seeds) = if ids.is_empty() { ("", "") } else { ("ids[id] <- $ids\n", "ids[id], ") };
    let script = format!("{head}?[{columns}] := {seeds}*codegraph{{{columns} @ $at}}");
    let mut params = Params::from([(
        "at".to_owned(),
        at.map_or_else(|| DataValue::from("END"), DataValue::from),
    )]);
    if !ids.is_empty() {
        let ids = ids.iter().map(|id| DataValue::List(vec![uuid(*id)])).collect();
        params.insert("ids".to_owned(), DataValue::List(ids));
    }
    let rows = engine.read(&script, params)?;
    let versions = rows.iter().map(|row| version(row).map(|version| (version.id, version)));
    versions.collect::<Option<_>>().ok_or_else(|| StoreError::Engine {
        action: "read the code graph",
        reason: "a row has invalid values".to_owned(),
    })
}

fn version(row: &[DataValue]) -> Option<CodeVersion> {
    let [id, current, future, action, tdd, in_current, in_future, note] = row else { return None };
    let owned = |value: &DataValue| value.get_str().map(str::to_owned);
    Some(CodeVersion {
        id: encode::item_id(id)?,
        current_code: owned(current),
        future_code: owned(future),
        future_action: match action.get_str() {
            None => None,
            Some(name) => Some(FutureAction::parse(name)?),
        },
        tdd_classification: owned(tdd)?,
        in_current: in_current.get_int()? == 1,
        in_future: in_future.get_int()? == 1,
        note: owned(note),
    })
}

fn tuple(version: &CodeVersion, at: i64, holds: bool) -> Vec<DataValue> {
    vec![
        uuid(version.id),
        DataValue::List(vec![DataValue::from(at), DataValue::from(holds)]),
        maybe(version.current_code.as_deref()),
        maybe(version.future_code.as_deref()),
        maybe(version.future_action.map(FutureAction::as_str)),
        text(&version.tdd_classification),
        DataValue::from(i64::from(version.in_current)),
        DataValue::from(i64::from(version.in_future)),
        maybe(version.note.as_deref()),
    ]
}

fn first_duplicate(ids: &[ItemId]) -> Option<ItemId> {
    let mut seen = BTreeSet::new();
    ids.iter().copied().find(|id| !seen.insert(*id))
}
