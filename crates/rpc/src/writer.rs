//! [`Writer`]: a thread that writes lines, so that no caller waits for a slow reader.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::RpcLimits;

/// Time between two looks at a full queue.
const LOOK: Duration = Duration::from_millis(5);

/// Sends lines to the thread that writes them.
#[derive(Clone)]
pub(crate) struct Writer {
    /// `None`: nothing more is written.
    queue: SyncSender<Option<String>>,
    is_closed: Arc<AtomicBool>,
    unread: Duration,
    /// One sender at a time waits, so that lines keep their order.
    turn: Arc<Mutex<()>>,
}

impl Writer {
    pub(crate) fn start(
        output: impl Write + Send + 'static,
        limits: RpcLimits,
    ) -> std::io::Result<(Self, JoinHandle<()>)> {
        let (queue, lines) = sync_channel(limits.unwritten.max(1));
        let is_closed = Arc::new(AtomicBool::new(false));
        let own = Arc::clone(&is_closed);
        let thread = thread::Builder::new().name("rpc-out".to_owned()).spawn(move || {
            write_lines(output, &lines);
            own.store(true, Ordering::SeqCst);
        })?;
        let (unread, turn) = (limits.unread, Arc::default());
        Ok((Self { queue, is_closed, unread, turn }, thread))
    }

    /// Sends a line; returns whether the other side still reads.
    pub(crate) fn send(&self, line: String) -> bool {
        let _turn = base::lock(&self.turn);
        let until = Instant::now() + self.unread;
        let mut line = line;
        while !self.is_closed() {
            line = match self.queue.try_send(Some(line)) {
                Ok(()) => return true,
                Err(TrySendError::Full(Some(line))) => line,
                Err(_) => break,
            };
            if Instant::now() >= until {
                break;
            }
            thread::sleep(LOOK);
        }
        self.close();
        false
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::SeqCst)
    }

    pub(crate) fn close(&self) {
        if !self.is_closed.swap(true, Ordering::SeqCst) {
            // A thread that is blocked by a full queue ends with the process.
            let _ = self.queue.try_send(None);
        }
    }
}

fn write_lines(mut output: impl Write, lines: &Receiver<Option<String>>) {
    while let Ok(Some(line)) = lines.recv() {
        let mut batch = line + "\n";
        let mut is_last = false;
        while let Ok(more) = lines.try_recv() {
            let Some(more) = more else {
                is_last = true;
                break;
            };
            batch.push_str(&more);
            batch.push('\n');
        }
        let written = output.write_all(batch.as_bytes()).and_then(|()| output.flush());
        if written.is_err() || is_last {
            return;
        }
    }
}
