//! [`run_fleet`]: one task in all repositories.

use std::path::Path;
use std::time::Duration;

use base::{Ctx, SortedMap};
use dobby::{DriveEvent, DriveOptions, Engine, EngineTask, TaskFault, drive};
use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::runner::RepositoryTask;
use crate::store::id;
use crate::{FleetError, FleetReport, FleetStore, Repository, RepositoryResult};

/// Most attempts at a repository.
const ATTEMPTS: u32 = 5;

/// Options of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleetOptions {
    /// Command and its arguments, in each repository.
    pub task: Vec<String>,
    /// Whether proven changes are written.
    pub applies: bool,
    /// Whether the caches of the user are used, as the command alone does; else each repository has its own, which are
    /// removed after it.
    pub keeps_caches: bool,
    /// Longest time for a repository.
    pub time: Duration,
    /// Most memory of the command in a repository, in bytes.
    pub memory_bytes: u64,
    /// Most bytes on disk for the caches of a repository.
    pub disk_bytes: u64,
}

/// Event of a run, for those who watch.
#[derive(Clone, Copy, Debug)]
pub enum FleetEvent<'a> {
    /// A repository began.
    Began(&'a str),
    /// The worker of a repository was lost; it is run again.
    Lost(&'a str, &'a str),
    /// A repository has its result.
    Ended(&'a RepositoryResult),
}

/// Runs the task in each repository that has no result yet, and keeps the results in `folder`.
///
/// # Errors
/// [`FleetError`]: the folder cannot be used; the user stopped, and the results until then are kept.
pub fn run_fleet(
    ctx: &Ctx,
    engine: &dyn Engine,
    (repositories, folder): (&[Repository], &Path),
    options: &FleetOptions,
    on_event: &mut dyn FnMut(FleetEvent<'_>),
) -> Result<(FleetStore, FleetReport), FleetError> {
    let store = FleetStore::begin(ctx, folder, &options.task, options.applies)?;
    let open: SortedMap<String, &Repository> = repositories
        .iter()
        .map(|it| (id(it), it))
        .filter(|(id, _)| store.get(id).is_none_or(|it| options.applies && it.outcome == "proven"))
        .collect();
    let tasks = open.iter().map(|(id, it)| engine_task(&store, id, it, options)).collect();
    let mut failed = None;
    let driven = drive(ctx, engine, tasks, DriveOptions { attempts: ATTEMPTS }, &mut |event| {
        let event = Seen { ctx, store: &store, open: &open }.event(event, on_event);
        failed = failed.take().or(event.err());
    });
    let report = store.report(Some(repositories.len()));
    store.end(ctx, &report)?;
    match (failed, driven) {
        (Some(error), _) => Err(error),
        (None, Err(_)) => Err(FleetError::Interrupted),
        (None, Ok(())) => Ok((store, report)),
    }
}

fn engine_task(
    store: &FleetStore,
    id: &str,
    repository: &Repository,
    options: &FleetOptions,
) -> EngineTask {
    let task = RepositoryTask {
        root: repository.root.clone(),
        folder: (!options.keeps_caches).then(|| store.work(id)),
        command: options.task.clone(),
        applies: options.applies,
        proven: store.get(id).filter(|it| it.outcome == "proven").and_then(|it| it.patch),
        seconds: options.time.as_secs(),
        memory_bytes: options.memory_bytes,
        disk_bytes: options.disk_bytes,
    };
    EngineTask { id: id.to_owned(), payload: json!(task) }
}

/// Place where the events of a run take effect.
struct Seen<'a> {
    ctx: &'a Ctx,
    store: &'a FleetStore,
    open: &'a SortedMap<String, &'a Repository>,
}

impl Seen<'_> {
    fn event(
        &self,
        event: DriveEvent,
        on_event: &mut dyn FnMut(FleetEvent<'_>),
    ) -> Result<(), FleetError> {
        let name = |id: &str| self.open.get(id).map_or("", |it| it.name.as_str());
        match event {
            DriveEvent::Began { id } => on_event(FleetEvent::Began(name(&id))),
            DriveEvent::Lost { id, why } => on_event(FleetEvent::Lost(name(&id), &why)),
            DriveEvent::Reported { id, report } => {
                if let Ok(mut proven) = RepositoryResult::deserialize(&report) {
                    name(&id).clone_into(&mut proven.name);
                    self.store.put(self.ctx, &id, &proven)?;
                }
            }
            DriveEvent::Ended { id, end } => {
                let mut result = Self::result(end);
                name(&id).clone_into(&mut result.name);
                self.store.put(self.ctx, &id, &result)?;
                on_event(FleetEvent::Ended(&result));
            }
        }
        Ok(())
    }

    fn result(end: Result<Value, TaskFault>) -> RepositoryResult {
        match end {
            Ok(value) => RepositoryResult::deserialize(&value).unwrap_or_else(|error| {
                let reason = format!("the worker answered no result: {error}");
                RepositoryResult::without_document("unable", reason)
            }),
            Err(TaskFault::Lost(why)) => RepositoryResult::without_document("lost", why),
            Err(fault) => RepositoryResult::without_document("unable", fault.to_string()),
        }
    }
}
