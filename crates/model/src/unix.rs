//! A client of a server on a socket of the file system, which no other user can reach.

use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Duration;

use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, LazyBuffers, NextTimeout, ShutdownHandle, Transport,
};

use crate::address;

/// Address of each server on a socket, for the head of a request.
pub(crate) const URL: &str = "http://127.0.0.1";

/// Longest time for a server to report that it is ready.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether the server on a socket reports that it takes requests (`GET /health`).
pub fn is_ready(socket: &Path) -> bool {
    let agent = address::fixed_agent(Some(socket), |it| it.timeout_global(Some(PATIENCE)));
    agent.get(&format!("{URL}/health")).call().is_ok_and(|it| it.status().as_u16() == 200)
}

/// A client that connects to one socket, whatever the address of a request.
pub(crate) fn agent(config: ureq::config::Config, socket: &Path) -> ureq::Agent {
    ureq::Agent::with_parts(config, UnixConnector(socket.to_owned()), DefaultResolver::default())
}

#[derive(Debug)]
struct UnixConnector(PathBuf);

impl Connector for UnixConnector {
    type Out = UnixTransport;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        _: Option<()>,
    ) -> Result<Option<UnixTransport>, ureq::Error> {
        let stream = Arc::new(Connected(untrusted_fs::connect(&self.0)?));
        let sizes = (details.config.input_buffer_size(), details.config.output_buffer_size());
        let handle: Weak<Connected> = Arc::downgrade(&stream);
        (details.register_shutdown)(handle)?;
        Ok(Some(UnixTransport { stream, buffers: LazyBuffers::new(sizes.0, sizes.1) }))
    }
}

#[derive(Debug)]
struct Connected(UnixStream);

impl ShutdownHandle for Connected {
    fn shutdown(&self) {
        // One that has ended needs none.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

#[derive(Debug)]
struct UnixTransport {
    stream: Arc<Connected>,
    buffers: LazyBuffers,
}

/// The time that is left, for a socket; none is no limit.
fn left(timeout: &NextTimeout) -> Option<Duration> {
    timeout.not_zero().map(|it| *it)
}

impl Transport for UnixTransport {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), ureq::Error> {
        self.stream.0.set_write_timeout(left(&timeout))?;
        let output = &self.buffers.output()[..amount];
        (&self.stream.0).write_all(output).map_err(|error| late(error, &timeout))
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, ureq::Error> {
        self.stream.0.set_read_timeout(left(&timeout))?;
        let read = (&self.stream.0).read(self.buffers.input_append_buf());
        let bytes = read.map_err(|error| late(error, &timeout))?;
        self.buffers.input_appended(bytes);
        Ok(bytes > 0)
    }

    fn is_open(&mut self) -> bool {
        // A connection is used for one request.
        false
    }
}

fn late(error: std::io::Error, timeout: &NextTimeout) -> ureq::Error {
    match error.kind() {
        std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut => {
            ureq::Error::Timeout(timeout.reason)
        }
        _ => error.into(),
    }
}
