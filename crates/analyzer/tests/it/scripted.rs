//! The scripted language server, as sessions reach servers.

use std::net::Shutdown;
use std::os::unix::net::UnixStream;

use graftage_analyzer::AnalyzerError;
use graftage_analyzer::session::{Pipes, Transport};
use serde_json::Value;
use testkit::LanguageServer;

pub(crate) use testkit::Act;

/// Starts servers.
#[derive(Clone)]
pub(crate) struct Scripted(LanguageServer);

impl Scripted {
    pub(crate) fn new(script: impl Fn(usize, &str, &Value) -> Act + Send + Sync + 'static) -> Self {
        Self(LanguageServer::new(script))
    }
}

impl std::ops::Deref for Scripted {
    type Target = LanguageServer;

    fn deref(&self) -> &LanguageServer {
        &self.0
    }
}

impl Transport for Scripted {
    fn connect(&self) -> Result<Pipes, AnalyzerError> {
        let ours = self.0.connect();
        let to = Box::new(ours.try_clone().unwrap());
        let life = Box::new(Life(ours.try_clone().unwrap()));
        Ok(Pipes { to, from: Box::new(ours), life })
    }
}

struct Life(UnixStream);

impl Drop for Life {
    fn drop(&mut self) {
        let _ = self.0.shutdown(Shutdown::Both);
    }
}
