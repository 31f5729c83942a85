//! A trace: the record of one run, one JSON document on each line. It has everything that the run
//! learned from outside – texts, results of checks, answers of rust-analyzer and models, the clock – so
//! that it can be run again without any of them: [`crate::replay`] compares the result, and a run that
//! was killed continues from its trace.
//!
//! ```text
//!  Header (request, settings, tree)   Answer*  (question, answer)   End (report)
//! ```
//!
//! A line that a kill cut off is dropped; any other line that cannot be read is an error.

mod file;
mod question;

use base::{ContentHash, Timestamp};
use check::Scope;
use policy::program::Thread;
use project::{ExitKind, SettingOrigin, Settings};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use file::TraceFile;
pub use file::{is_trace, newest_traces, read_trace};
pub(crate) use question::{LadderRecord, Question};

use crate::goal::StepRequest;
use crate::{AgentError, FixOptions, FixReport, TaskStep};

/// The version of the format.
pub(crate) const FORMAT: u32 = 1;

/// What a run was asked, and on which tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TraceHeader {
    /// Version of the format.
    pub format: u32,
    /// Version of graftage.
    pub version: String,
    /// The request.
    pub request: TraceRequest,
    /// The settings that are not the default, with their values.
    pub settings: Vec<(String, String)>,
    /// Threads of the user and the project beside the shipped gates.
    pub threads: Vec<Thread>,
    /// Hash of everything that a proof depends on.
    pub tree: ContentHash,
    /// When the run began.
    pub started: Timestamp,
}

/// What a recorded run was asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TraceRequest {
    /// A repair, or an in-progress change.
    Fix(Box<FixOptions>),
    /// One step of a task, by a model.
    Step(Box<StepRequest>),
}

impl TraceRequest {
    /// The further configurations of its proofs.
    pub(crate) fn more(&self) -> Vec<Scope> {
        match self {
            Self::Fix(options) => options.more.clone(),
            Self::Step(_) => Vec::new(),
        }
    }
}

impl TraceHeader {
    pub(crate) fn new(
        request: TraceRequest,
        settings: &Settings,
        tree: ContentHash,
        started: Timestamp,
    ) -> Self {
        Self {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            request,
            settings: settings.changed(),
            threads: settings.gate.threads.clone(),
            tree,
            started,
        }
    }

    /// Whether the other run has the same request on the same tree, whenever it began.
    pub(crate) fn is_same_run(&self, other: &Self) -> bool {
        let form =
            |it: &Self| serde_json::to_value(Self { started: Timestamp(0), ..it.clone() }).ok();
        form(self).is_some_and(|own| Some(own) == form(other))
    }

    /// The settings of the run.
    pub(crate) fn settings(&self) -> Result<Settings, AgentError> {
        let mut settings = Settings::default();
        for (key, value) in &self.settings {
            settings.put(key, value, SettingOrigin::Flag)?;
        }
        settings.gate.threads.clone_from(&self.threads);
        Ok(settings)
    }
}

/// One line of a trace.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TraceLine {
    /// The first line.
    Begin(Box<TraceHeader>),
    /// Something that the run learned.
    Answer(TraceAnswer),
    /// The run has ended.
    End(TraceEnd),
}

/// A question to the outside world and its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TraceAnswer {
    /// The question.
    pub(crate) ask: Question,
    /// The answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) got: Option<Value>,
    /// The error in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<RecordedError>,
}

/// An error as a trace keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RecordedError {
    message: String,
    hint: Option<String>,
    kind: ExitKind,
}

impl From<&AgentError> for RecordedError {
    fn from(error: &AgentError) -> Self {
        Self { message: error.to_string(), hint: base::Hint::hint(error), kind: error.exit_kind() }
    }
}

impl From<RecordedError> for AgentError {
    fn from(it: RecordedError) -> Self {
        Self::Recorded { message: it.message, hint: it.hint, kind: it.kind }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceEnd {
    /// The report as `--json` prints it; `None` after an error.
    pub report: Option<Value>,
    /// The error.
    pub error: Option<String>,
    /// Hash of the change that the report's evidence is for.
    pub patch_set: Option<ContentHash>,
    /// The states that the run went through.
    pub states: Vec<TaskStep>,
}

impl TraceEnd {
    pub(crate) fn of(result: Result<&FixReport, &AgentError>, states: &[TaskStep]) -> Self {
        let accepted = result.ok().and_then(|it| it.evidence.as_ref());
        Self {
            report: result.ok().and_then(|it| serde_json::to_value(it).ok()),
            error: result.err().map(ToString::to_string),
            patch_set: accepted.map(|it| it.patch_set),
            states: states.to_vec(),
        }
    }
}

/// A trace as it was read.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The request.
    pub header: TraceHeader,
    /// What the run learned, in order.
    pub(crate) answers: Vec<TraceAnswer>,
    /// How it ended; `None` if it was cut off.
    pub end: Option<TraceEnd>,
}

impl Trace {
    /// Number of answers.
    pub(crate) fn answers(&self) -> usize {
        self.answers.len()
    }
}
