//! [`serve_worker`]: runs tasks for an engine on another machine or in another process, over standard streams.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

use rpc::{Peer, PendingCall, RpcError, RpcId, RpcLimits, Service, serve};
use serde_json::{Value, json};

use crate::embedded::run_guarded;
use crate::stops::Stops;
use crate::{TaskFault, TaskRunner};

/// Method that runs a task: `{id, payload}` → the result of the task.
pub(crate) const RUN_TASK: &str = "run_task";

/// Notification of what happens meanwhile: `{id, report}`.
pub(crate) const TASK_REPORT: &str = "task_report";

/// Error of a task that may be run again.
pub(crate) const LOST: i64 = -32_010;

/// Error of a task that was cancelled.
const STOPPED: i64 = -32_011;

/// Serves the method `run_task` until the input ends; the tasks that run then are stopped.
///
/// # Errors
/// An input that cannot be read; a thread that cannot be started.
pub fn serve_worker(
    input: &mut dyn BufRead,
    output: impl Write + Send + 'static,
    runner: Arc<dyn TaskRunner>,
) -> io::Result<()> {
    let limits = RpcLimits { batches: true, ..RpcLimits::default() };
    serve(input, output, limits, |peer| Worker { peer, runner, stops: Stops::default() })
}

struct Worker {
    peer: Peer,
    runner: Arc<dyn TaskRunner>,
    stops: Stops,
}

impl Service for Worker {
    fn call(&self, mut call: PendingCall) {
        if call.method != RUN_TASK {
            let message = format!("there is no method `{}`", base::visible_line(&call.method));
            call.answer(Err(RpcError::new(RpcError::METHOD, message)));
            return;
        }
        let params = std::mem::take(&mut call.params);
        let Some(id) = params.get("id").and_then(Value::as_str).map(str::to_owned) else {
            call.answer(Err(RpcError::params("`id` is missing")));
            return;
        };
        let key = call.id.clone();
        let stop = self.stops.begin(&key);
        let (peer, runner, stops) =
            (self.peer.clone(), Arc::clone(&self.runner), self.stops.clone());
        let work = move || {
            let mut report = |value: Value| {
                // Whether it is read is seen at the answer.
                peer.notify(TASK_REPORT, &json!({ "id": id, "report": value }));
            };
            let payload = params.get("payload").unwrap_or(&Value::Null);
            let has_stopped = || stop.load(Ordering::SeqCst);
            let end = run_guarded(&*runner, payload, &mut report, &has_stopped);
            stops.end(&key);
            call.answer(end.map_err(error));
        };
        // Where no thread can be started, the call is dropped, which answers it with an error.
        let _ = thread::Builder::new().name("task".to_owned()).spawn(work);
    }

    fn notified(&self, _: &str, _: Value) {}

    fn cancelled(&self, id: &RpcId) {
        self.stops.stop(id);
    }

    fn ended(&self) {
        self.stops.stop_all();
    }
}

/// The error of a task.
pub(crate) fn error(fault: TaskFault) -> RpcError {
    let code = match fault {
        TaskFault::Lost(_) => LOST,
        TaskFault::Failed(_) => RpcError::INTERNAL,
        TaskFault::Stopped => STOPPED,
    };
    RpcError::new(code, fault.to_string())
}

/// The fault in an error of a worker.
pub(crate) fn fault(error: RpcError) -> TaskFault {
    match error.code {
        LOST => TaskFault::Lost(error.message),
        STOPPED => TaskFault::Stopped,
        _ => TaskFault::Failed(error.message),
    }
}
