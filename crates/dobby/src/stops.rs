//! [`Stops`]: the requests of a connection that run, with what stops each.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use base::SortedMap;
use rpc::RpcId;

/// Requests that run, by their ids.
#[derive(Clone, Default)]
pub(crate) struct Stops(Arc<Mutex<SortedMap<RpcId, Arc<AtomicBool>>>>);

impl Stops {
    /// Adds a request; the flag is set when it is to stop.
    pub(crate) fn begin(&self, id: &RpcId) -> Arc<AtomicBool> {
        let stop: Arc<AtomicBool> = Arc::default();
        base::lock(&self.0).insert(id.clone(), Arc::clone(&stop));
        stop
    }

    /// Removes a request that has ended.
    pub(crate) fn end(&self, id: &RpcId) {
        base::lock(&self.0).remove(id);
    }

    /// Stops a request, if it runs.
    pub(crate) fn stop(&self, id: &RpcId) {
        if let Some(stop) = base::lock(&self.0).get(id) {
            stop.store(true, Ordering::SeqCst);
        }
    }

    /// Stops all.
    pub(crate) fn stop_all(&self) {
        for stop in base::lock(&self.0).values() {
            stop.store(true, Ordering::SeqCst);
        }
    }
}
