//! The operations that read tasks, and those on their webhooks.

use base::Ctx;
use serde_json::{Value, json};

use crate::error::{A2aError, Refused};
use crate::server::Shared;
use crate::store::StoredTask;
use crate::task::LiveTask;
use crate::wire::{self, ListRequest, PushConfig, PushRequest, TaskRequest};

/// Most webhooks of a task.
const MOST_PUSHES: usize = 16;

/// Tasks in a page, where none is asked for, and at most.
const PAGE: (usize, usize) = (50, 100);

impl Shared {
    pub(crate) fn get(&self, params: Value) -> Result<Value, A2aError> {
        let asked: TaskRequest = wire::read(params)?;
        let history = wire::history_length(asked.history_length)?;
        let cell = self.cell(&asked.id)?;
        let live = cell.lock();
        Ok(live.task.to_wire(history, true))
    }

    pub(crate) fn list(&self, params: Value) -> Result<Value, A2aError> {
        let asked: ListRequest = wire::read(params)?;
        let (state, history) = (asked.state()?, wire::history_length(asked.history_length)?);
        let size = match asked.page_size {
            None => PAGE.0,
            Some(size) => usize::try_from(size)
                .ok()
                .filter(|it| (1..=PAGE.1).contains(it))
                .ok_or_else(|| A2aError::params("`pageSize` is not from 1 to 100"))?,
        };
        let given = |it: &Option<String>| it.clone().filter(|it| !it.is_empty());
        let after = given(&asked.status_timestamp_after).map(|text| {
            wire::time_of(&text)
                .ok_or_else(|| A2aError::params("`statusTimestampAfter` is no UTC time"))
        });
        let (after, context) = (after.transpose()?, given(&asked.context_id));
        let from = given(&asked.page_token).map(|it| {
            let (at, id) = it.split_once('-')?;
            Some((base::Timestamp(at.parse().ok()?), id.to_owned()))
        });
        let from = match from {
            Some(None) => return Err(A2aError::params("`pageToken` is none of this server")),
            from => from.flatten(),
        };
        let cells: Vec<_> = base::lock(&self.tasks).values().cloned().collect();
        let mut found: Vec<StoredTask> = Vec::new();
        for cell in cells {
            let live = cell.lock();
            let task = &live.task;
            if context.as_ref().is_none_or(|it| *it == task.context_id)
                && state.is_none_or(|it| it == task.state)
                && after.is_none_or(|it| task.updated > it)
            {
                found.push(task.clone());
            }
        }
        found.sort_by(|a, b| (b.updated, &b.id).cmp(&(a.updated, &a.id)));
        let total = found.len();
        found
            .retain(|it| from.as_ref().is_none_or(|from| (it.updated, &it.id) < (from.0, &from.1)));
        let is_last = found.len() <= size;
        found.truncate(size);
        let next = found.last().filter(|_| !is_last);
        let next = next.map(|it| format!("{}-{}", it.updated.0, it.id)).unwrap_or_default();
        let artifacts = asked.include_artifacts.unwrap_or(false);
        let rows: Vec<Value> = found.iter().map(|it| it.to_wire(history, artifacts)).collect();
        Ok(json!({
            "tasks": rows, "nextPageToken": next, "pageSize": size, "totalSize": total,
        }))
    }

    pub(crate) fn create_push(&self, params: Value) -> Result<Value, A2aError> {
        let config: PushConfig = wire::read(params)?;
        let id = config.task_id.clone().unwrap_or_default();
        let cell = self.cell(&id)?;
        self.place.pushes.check(&config)?;
        let mut live = cell.lock();
        let added = add_push(&mut live, config, &self.place.ctx)?;
        drop(live);
        let handle = self.handle(&cell, &id);
        handle.keep(cell.lock(), None);
        Ok(json!(added))
    }

    pub(crate) fn get_push(&self, params: Value) -> Result<Value, A2aError> {
        let asked: PushRequest = wire::read(params)?;
        let cell = self.cell(&asked.task_id)?;
        let live = cell.lock();
        let found = live.task.pushes.iter().find(|it| it.id == asked.id && it.id.is_some());
        found.map(|it| json!(it)).ok_or_else(|| {
            A2aError::new(Refused::TaskNotFound, "the task has no webhook with this id")
        })
    }

    pub(crate) fn list_pushes(&self, params: Value) -> Result<Value, A2aError> {
        let asked: PushRequest = wire::read(params)?;
        let cell = self.cell(&asked.task_id)?;
        let live = cell.lock();
        Ok(json!({ "configs": live.task.pushes, "nextPageToken": "" }))
    }

    pub(crate) fn delete_push(&self, params: Value) -> Result<Value, A2aError> {
        let asked: PushRequest = wire::read(params)?;
        let cell = self.cell(&asked.task_id)?;
        cell.lock().task.pushes.retain(|it| it.id != asked.id);
        let handle = self.handle(&cell, &asked.task_id);
        handle.keep(cell.lock(), None);
        Ok(json!({}))
    }
}

/// Adds a webhook, or replaces the one with its id.
pub(crate) fn add_push(
    live: &mut LiveTask,
    push: PushConfig,
    ctx: &Ctx,
) -> Result<PushConfig, A2aError> {
    let id = push.id.clone().filter(|it| !it.is_empty()).unwrap_or_else(|| ctx.fresh_name());
    let push = PushConfig { id: Some(id), task_id: Some(live.task.id.clone()), ..push };
    live.task.pushes.retain(|it| it.id != push.id);
    if live.task.pushes.len() >= MOST_PUSHES {
        let why = format!("the task has {MOST_PUSHES} webhooks: delete one");
        return Err(A2aError::new(Refused::Busy, why));
    }
    live.task.pushes.push(push.clone());
    Ok(push)
}
