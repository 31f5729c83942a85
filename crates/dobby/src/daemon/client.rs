//! [`DobbyClient`]: a connection to the daemon of this user.

use std::io::BufReader;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use base::Progress;
use rpc::{Peer, PendingCall, RpcFault, RpcId, RpcLimits, Service};
use serde::Deserialize as _;
use serde_json::Value;

use super::{DaemonError, socket};

/// A connection to a daemon. Workers that it opened end with it.
pub struct DobbyClient {
    peer: Peer,
    stream: UnixStream,
    progress: Mutex<Receiver<Progress>>,
}

impl DobbyClient {
    /// Connects to the daemon at a path; `None`: there is none.
    ///
    /// # Errors
    /// A process of another user listens there; a thread cannot be started.
    pub fn connect(path: &Path) -> Result<Option<Self>, DaemonError> {
        let failed =
            |cause: String| DaemonError::Socket { path: path.display().to_string(), cause };
        let Ok(stream) = untrusted_fs::connect(path) else { return Ok(None) };
        if !socket::is_own(&stream) {
            return Err(failed("a process of another user listens there".to_owned()));
        }
        let streams = stream.try_clone().and_then(|input| Ok((input, stream.try_clone()?)));
        let (input, output) = streams.map_err(|error| failed(error.to_string()))?;
        let ((give, peer), (sender, progress)) = (channel(), channel());
        let serve = move || {
            let make = |peer: Peer| {
                // Who connects waits for it.
                let _ = give.send(peer);
                Answers(sender)
            };
            // A connection that breaks off is like one that ends.
            let _ = rpc::serve(&mut BufReader::new(input), output, RpcLimits::default(), make);
        };
        let thread = thread::Builder::new().name("dobby".to_owned()).spawn(serve);
        thread.map_err(|error| failed(error.to_string()))?;
        let peer = peer.recv().map_err(|_| failed("the connection ended".to_owned()))?;
        Ok(Some(Self { peer, stream, progress: Mutex::new(progress) }))
    }

    /// Calls a method and waits for its answer, at most this long. `report` gets the progress meanwhile; the request is
    /// cancelled where `has_stopped` is true.
    ///
    /// # Errors
    /// [`DaemonError::Refused`] with the daemon's message; [`DaemonError::NoAnswer`].
    pub fn call(
        &self,
        method: &str,
        params: &Value,
        limit: Duration,
        report: &dyn Fn(&Progress),
        has_stopped: &dyn Fn() -> bool,
    ) -> Result<Value, DaemonError> {
        let look = || {
            let progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.try_iter().for_each(|it| report(&it));
            has_stopped()
        };
        self.peer.request(method, params, limit, &look).map_err(|fault| match fault {
            RpcFault::Refused(error) => DaemonError::Refused(error.message),
            other => DaemonError::NoAnswer(other),
        })
    }
}

impl Drop for DobbyClient {
    fn drop(&mut self) {
        // One that has ended needs none.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// The client's side: it answers no request and passes progress on.
struct Answers(Sender<Progress>);

impl Service for Answers {
    fn call(&self, _: PendingCall) {}

    fn notified(&self, method: &str, params: Value) {
        let Value::Object(mut fields) = params else { return };
        fields.remove("id");
        if method == "$/progress"
            && let Ok(progress) = Progress::deserialize(Value::Object(fields))
        {
            // None waits for it any more.
            let _ = self.0.send(progress);
        }
    }

    fn cancelled(&self, _: &RpcId) {}

    fn ended(&self) {}
}
