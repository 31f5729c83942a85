//! The methods of a daemon: their parameters and results, from which the published schema is made.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Most texts of one `embed`.
pub(super) const MOST_TEXTS: usize = 4_096;

/// Most bytes of a prompt, or of all texts of one `embed`.
pub(super) const MOST_BYTES: usize = 4 << 20;

/// Parameters of a method that has none.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NoParams {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EnsureModelParams {
    /// Name in the registry.
    pub(super) name: String,
    /// Address of a new model: `https://…`, or `file:///…`; `#MEMBER` after that of a zip archive.
    pub(super) url: Option<String>,
    /// SHA-256 that the file must have.
    pub(super) sha256: Option<String>,
}

/// Kind of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum WorkerKind {
    /// A language model: one at a time.
    Llm,
    /// A seat for light work: a few at a time.
    Cpu,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OpenWorkerParams {
    /// Kind of the worker.
    pub(super) kind: WorkerKind,
    /// Name of a language model in the registry, for `llm`.
    pub(super) model: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CloseWorkerParams {
    /// Id from `open_worker`.
    pub(super) worker_id: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CompletionParams {
    /// Id of a worker of kind `llm` that this connection opened.
    pub(super) worker_id: String,
    /// Message to the model.
    pub(super) prompt: String,
    /// Most tokens of the answer.
    #[schemars(range(min = 1, max = 4096))]
    pub(super) max_tokens: u32,
    /// Texts at the first of which the answer ends, without it.
    #[serde(default)]
    pub(super) stop: Vec<String>,
    /// Chance of sampling; 0 is none.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 2.0))]
    pub(super) temperature: f32,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EmbedParams {
    /// Texts.
    pub(super) texts: Vec<String>,
    /// `embedded`, or the name of an encoder in the registry.
    pub(super) encoder: String,
}

/// Agent of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub enum TaskAgent {
    /// The errors of a project: `check`.
    A1,
    /// Reach of an item in the map: `impact`, with the item as the text.
    A2,
    /// Search for a text: `search`.
    A3,
    /// A change: `task` with a text, else `fix`. It is proven and not written.
    R1,
}

/// Payload of a task.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskPayload {
    /// Absolute path of the project.
    pub root: String,
    /// Item, query or request of the agent.
    pub text: Option<String>,
    /// Longest time in seconds.
    #[schemars(range(min = 1, max = 86400))]
    pub seconds: Option<u64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RunTaskParams {
    /// Agent.
    pub(super) agent: TaskAgent,
    /// Its input.
    pub(super) payload: TaskPayload,
}

fn twenty() -> u16 {
    20
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct VerifyParams {
    /// Name of a language model in the registry.
    pub(super) model: String,
    /// Number of lines.
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 1000))]
    pub(super) lines: u16,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ShutdownParams {
    /// Longest time in seconds for what runs to end.
    #[serde(default)]
    #[schemars(range(min = 0, max = 3600))]
    pub(super) timeout: Option<u64>,
}

/// Answer of a method that only succeeds.
#[derive(Serialize, JsonSchema)]
pub(super) struct Ok {
    pub(super) ok: bool,
}

/// A model in the status.
#[derive(Serialize, JsonSchema)]
pub(super) struct ModelRow {
    pub(super) name: String,
    /// `missing`, `present` or `loaded`.
    pub(super) state: &'static str,
    /// Licence, as in the registry; empty where it is not stated.
    pub(super) licence: String,
}

/// A worker in the status.
#[derive(Serialize, JsonSchema)]
pub(super) struct WorkerRow {
    pub(super) worker_id: String,
    pub(super) kind: WorkerKind,
    pub(super) model: Option<String>,
    /// Socket of the model's server, with the API of `llama-server`.
    pub(super) socket: Option<String>,
}

/// Requests that wait, by what they wait for.
#[derive(Serialize, JsonSchema)]
pub(super) struct QueueDepths {
    pub(super) llm: usize,
    pub(super) cpu: usize,
}

/// Answer of `get_status`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Status {
    pub(super) version: String,
    pub(super) models: Vec<ModelRow>,
    pub(super) workers: Vec<WorkerRow>,
    /// Memory that new processes can have, in MiB; `null` where the system does not state it.
    pub(super) mem_free_mb: Option<u64>,
    pub(super) queue_depths: QueueDepths,
}

/// Answer of `ensure_model`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Ensured {
    /// `present` or `downloaded`.
    pub(super) status: &'static str,
    pub(super) bytes: u64,
}

/// Answer of `open_worker`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Opened {
    pub(super) worker_id: String,
}

/// Tokens of a completion.
#[derive(Serialize, JsonSchema)]
pub(super) struct Tokens {
    pub(super) prompt_tokens: u64,
    pub(super) output_tokens: u64,
}

/// Answer of `completion`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Completed {
    pub(super) text: String,
    pub(super) usage: Tokens,
}

/// Answer of `embed`: a vector for each text.
#[derive(Serialize, JsonSchema)]
pub(super) struct Embedded {
    pub(super) vectors: Vec<Vec<f32>>,
}

/// Answer of `run_task`: outcome, reason, patch and evidence, as of a repository of a fleet.
#[derive(Serialize, JsonSchema)]
pub(super) struct TaskResult {
    pub(super) result: Value,
}

/// Answer of `verify_default`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Verified {
    pub(super) lines: Vec<String>,
}

/// A method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Ping,
    GetStatus,
    EnsureModel,
    OpenWorker,
    CloseWorker,
    Completion,
    Embed,
    RunTask,
    VerifyDefault,
    Unload,
    Shutdown,
    Discover,
}

impl Method {
    const ALL: [Self; 12] = [
        Self::Ping,
        Self::GetStatus,
        Self::EnsureModel,
        Self::OpenWorker,
        Self::CloseWorker,
        Self::Completion,
        Self::Embed,
        Self::RunTask,
        Self::VerifyDefault,
        Self::Unload,
        Self::Shutdown,
        Self::Discover,
    ];

    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ping => "ping",
            Self::GetStatus => "get_status",
            Self::EnsureModel => "ensure_model",
            Self::OpenWorker => "open_worker",
            Self::CloseWorker => "close_worker",
            Self::Completion => "completion",
            Self::Embed => "embed",
            Self::RunTask => "run_task",
            Self::VerifyDefault => "verify_default",
            Self::Unload => "dobby.unload",
            Self::Shutdown => "dobby.shutdown",
            Self::Discover => "rpc.discover",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Ping => "Whether the daemon answers",
            Self::GetStatus => "Version, models, workers, memory and queues",
            Self::EnsureModel => {
                "Download a model unless it is there, and compare it with its hash"
            }
            Self::OpenWorker => "Take a worker; it is closed with its connection",
            Self::CloseWorker => "Give a worker back; a model stays loaded for a while",
            Self::Completion => "Let the model of a worker answer",
            Self::Embed => "Vectors of texts",
            Self::RunTask => "Run an agent on a project; nothing is written into it",
            Self::VerifyDefault => "Let a model answer line by line, twice the same",
            Self::Unload => "Unload the language model that no worker has",
            Self::Shutdown => "End the daemon once what runs has ended",
            Self::Discover => "This document",
        }
    }

    fn schemas(self) -> (schemars::Schema, Value) {
        use schemars::schema_for as of;
        match self {
            Self::Ping => (of!(NoParams), json!(of!(Ok))),
            Self::GetStatus => (of!(NoParams), json!(of!(Status))),
            Self::EnsureModel => (of!(EnsureModelParams), json!(of!(Ensured))),
            Self::OpenWorker => (of!(OpenWorkerParams), json!(of!(Opened))),
            Self::CloseWorker => (of!(CloseWorkerParams), json!(of!(Ok))),
            Self::Completion => (of!(CompletionParams), json!(of!(Completed))),
            Self::Embed => (of!(EmbedParams), json!(of!(Embedded))),
            Self::RunTask => (of!(RunTaskParams), json!(of!(TaskResult))),
            Self::VerifyDefault => (of!(VerifyParams), json!(of!(Verified))),
            Self::Unload => (of!(NoParams), json!(of!(Ok))),
            Self::Shutdown => (of!(ShutdownParams), json!(of!(Ok))),
            Self::Discover => (of!(NoParams), json!({ "type": "object" })),
        }
    }

    /// The method in the document of [`discover`].
    fn described(self) -> Value {
        let (params, result) = self.schemas();
        let params = json!(params);
        let required = params["required"].as_array().cloned().unwrap_or_default();
        let definitions = &params["$defs"];
        let properties = params["properties"].as_object().cloned().unwrap_or_default();
        let param = |(name, schema): (String, Value)| {
            let mut schema = schema;
            if !definitions.is_null() {
                schema["$defs"] = definitions.clone();
            }
            json!({ "name": name, "required": required.contains(&json!(name)), "schema": schema })
        };
        let all: Vec<Value> = properties.into_iter().map(param).collect();
        json!({
            "name": self.name(),
            "summary": self.summary(),
            "paramStructure": "by-name",
            "params": all,
            "result": { "name": "result", "schema": result },
        })
    }
}

/// The schema of all methods, as an OpenRPC document.
pub(super) fn discover(version: &str) -> Value {
    let methods: Vec<Value> = Method::ALL.into_iter().map(Method::described).collect();
    json!({
        "openrpc": "1.3.2",
        "info": { "title": "dobby", "version": version },
        "methods": methods,
        "x-notifications": {
            "$/progress": "from the daemon: {id, stage, detail, done, total} of a request that runs",
            "$/cancel_request": "to the daemon: {requestId}; the request is answered with error -32800",
        },
    })
}
