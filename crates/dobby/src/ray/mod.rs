//! [`RayEngine`]: runs tasks on a Ray cluster. Ray has no interface for Rust, so a program in Python (`shim.py`) passes
//! lines between this process and `graftage worker --stdio` in actors; it reads of them only which request they answer.

mod connection;

use std::cell::RefCell;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use base::Ctx;
use rpc::RpcFault;
use serde_json::{Value, json};

use crate::ray::connection::Connection;
use crate::worker::{self, RUN_TASK};
use crate::{Engine, EngineTask, TaskFault};

/// Longest time that a task may take on Ray; its own limit comes first.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 3_600);

/// Pauses before the attempts to reach a cluster that was lost.
const PAUSES: [u64; 7] = [0, 1, 2, 5, 10, 20, 40];

/// Most times that a task is sent again because its cluster was lost.
const CLUSTERS: usize = 20;

/// Options of a [`RayEngine`].
#[derive(Clone, Debug)]
pub struct RayOptions {
    /// The interpreter of Python that has the package `ray`; chosen by the user.
    pub python: PathBuf,
    /// The program that `worker --stdio` is called of, at the same path on each node.
    pub program: PathBuf,
    /// Address of a cluster, as `HOST:PORT`; without one, a cluster is started here and ends with the engine.
    pub address: Option<String>,
    /// Number of tasks at a time; without one, that of the processors of the cluster.
    pub seats: Option<usize>,
}

/// Reason why Ray cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RayError {
    /// The interpreter does not start.
    #[error("cannot start `{python}`: {cause}")]
    NoPython {
        /// Its path.
        python: String,
        /// Cause.
        cause: String,
    },
    /// It starts, but there is no cluster.
    #[error("Ray cannot be used: {0}")]
    NoCluster(String),
}

impl base::Hint for RayError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoPython { .. } => "name an interpreter of Python with `--python FILE`".to_owned(),
            Self::NoCluster(_) => "install it with `pip install ray`, name its interpreter with `--python FILE` and a \
                                   running cluster with `--ray-address HOST:PORT`"
                .to_owned(),
        })
    }
}

/// Engine on a Ray cluster.
pub struct RayEngine {
    ctx: Ctx,
    options: RayOptions,
    token: String,
    connection: Mutex<Connection>,
    seats: usize,
}

impl RayEngine {
    /// Connects to a cluster, or starts one.
    ///
    /// # Errors
    /// [`RayError`]: Ray is not installed, or there is no cluster.
    pub fn start(ctx: &Ctx, options: RayOptions) -> Result<Self, RayError> {
        let token = ctx.fresh_name();
        let connection = connect(ctx, &options, &token, &|| ctx.is_cancelled())?;
        let seats = connection.seats;
        Ok(Self { ctx: ctx.clone(), options, token, connection: Mutex::new(connection), seats })
    }

    /// The connection; a new one where the last has ended.
    fn connection(&self, has_stopped: &dyn Fn() -> bool) -> Result<Connection, TaskFault> {
        let mut connection = base::lock(&self.connection);
        if !connection.has_ended() {
            return Ok(connection.clone());
        }
        let mut last = String::new();
        for pause in PAUSES {
            thread::sleep(Duration::from_secs(pause));
            if has_stopped() {
                return Err(TaskFault::Stopped);
            }
            match connect(&self.ctx, &self.options, &self.token, has_stopped) {
                Ok(new) => {
                    *connection = new.clone();
                    return Ok(new);
                }
                Err(error) => last = error.to_string(),
            }
        }
        Err(TaskFault::Lost(last))
    }
}

impl Engine for RayEngine {
    fn seats(&self) -> usize {
        self.seats
    }

    fn run(
        &self,
        task: &EngineTask,
        report: &mut dyn FnMut(Value),
        has_stopped: &dyn Fn() -> bool,
    ) -> Result<Value, TaskFault> {
        let mut lost = String::new();
        for _ in 0..CLUSTERS {
            let connection = self.connection(has_stopped)?;
            match send(&connection, task, report, has_stopped) {
                Ok(value) => return Ok(value),
                Err(RpcFault::Refused(error)) => return Err(worker::fault(error)),
                Err(RpcFault::Stopped) => return Err(TaskFault::Stopped),
                // The loss of the cluster is none of the task.
                Err(other) => lost = format!("the connection to Ray: {other}"),
            }
        }
        Err(TaskFault::Lost(lost))
    }
}

/// Sends a task to the shim and waits for its end.
fn send(
    connection: &Connection,
    task: &EngineTask,
    report: &mut dyn FnMut(Value),
    has_stopped: &dyn Fn() -> bool,
) -> Result<Value, RpcFault> {
    let reports = connection.listen(&task.id);
    let report = RefCell::new(report);
    // The request asks this while it waits.
    let pass_on = || {
        reports.try_iter().for_each(|it| report.borrow_mut()(it));
        has_stopped()
    };
    let params = json!({ "id": task.id, "payload": task.payload });
    let answer = connection.peer.request(RUN_TASK, &params, LONGEST, &pass_on);
    pass_on();
    connection.forget(&task.id);
    answer
}

fn connect(
    ctx: &Ctx,
    options: &RayOptions,
    token: &str,
    has_stopped: &dyn Fn() -> bool,
) -> Result<Connection, RayError> {
    Connection::start(ctx, options, variables(options, token), has_stopped)
}

/// The variables of Ray. A cluster of ours takes a token of this run.
fn variables(options: &RayOptions, token: &str) -> Vec<(OsString, OsString)> {
    let mut all = vec![
        ("RAY_USAGE_STATS_ENABLED", "0"),
        ("RAY_DEDUP_LOGS", "0"),
        ("RAY_gcs_rpc_server_reconnect_timeout_s", "20"),
        ("PYTHONUNBUFFERED", "1"),
    ];
    if options.address.is_none() {
        all.extend([("RAY_AUTH_MODE", "token"), ("RAY_AUTH_TOKEN", token)]);
    }
    all.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
}
