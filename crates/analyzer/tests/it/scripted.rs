//! A [`Transport`] to testkit's scripted language server.

use graftage_analyzer::AnalyzerError;
use graftage_analyzer::session::{Pipes, Transport};
use serde_json::Value;
use testkit::LanguageServer;

pub(crate) use testkit::Act;

/// Starts scripted servers.
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
        Ok(Pipes::over(self.0.connect()).unwrap())
    }
}
