//! The tools that a model, a server or a program calls by name, as functions from JSON to JSON.
//!
//! [`Toolbox::call`] validates the input against the schema of its type, records the call, runs it and
//! bounds its answer. A [`Tool`] is one typed function of this crate with a card; its answer is smaller
//! than that of the command, since models pay for each token. Crates above add their own tools with
//! [`Toolbox::with`]. To add one: a type in a file here that implements [`Tool`] (one that writes has
//! [`Tool::pending`] and [`Tool::call_consented`] too), a line in [`Toolbox::standard`], its call in `graftage/tests/serve/clients.rs`,
//! `UPDATE_REFERENCE=1 cargo test -p graftage help` for its page, and the size of all cards in
//! `tests/toolbox/list.rs`; servers list it by itself.

mod bounded;
mod diagnostics;
mod error;
mod explain;
mod find;
mod format;
mod graph;
mod proposals;
mod prove;
mod rows;
mod staged;
mod write;

use base::{Ctx, SortedMap};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tool_schema::{InputSchema, ToolSchema, nearest_names, output_schema_of};

pub(crate) use bounded::MAX_ANSWER_BYTES;
pub(crate) use diagnostics::tests_schema;
pub use diagnostics::{DiagnosticLine, DiagnosticLines};
pub use error::ToolError;
pub(crate) use explain::ExplainErrorTool;
pub use explain::{ExplainErrorInput, ExplainErrorOutput};
pub(crate) use find::{ContextTool, SearchTool, ShowTool};
pub use format::ToolFormat;
pub(crate) use graph::GraphTool;
use project::{ExitKind, Workspace, recorded};
pub use proposals::ProposeEditInput;
pub(crate) use proposals::{ProposalsTool, ProposeEditTool, RejectTool};
pub(crate) use prove::{CheckTool, PreflightTool};
pub(crate) use rows::page;
pub use staged::{StagedOutput, changed_files};
pub(crate) use write::{ApplyTool, UndoTool};

use crate::files::{EditTool, ExecTool, ExecuteTool, GlobTool, GrepTool, ReadTool, WriteTool};
use crate::{Consent, PendingChange};

/// What a call of a tool may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Nothing but caches.
    Reads,
    /// Records a proposal; the tree stays as it is.
    Stages,
    /// Runs code of the project, or of the caller, in the sandbox.
    Runs,
    /// Writes the user's tree, through the gate.
    Writes,
}

/// Name and purpose of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ToolCard {
    /// Name: lower-case letters and `_`.
    pub name: &'static str,
    /// Title for people.
    pub title: &'static str,
    /// What it does and when to use it, for a model.
    pub description: &'static str,
    /// What a call may change.
    pub effect: Effect,
}

/// One tool.
pub trait Tool: Send + Sync + 'static {
    /// Input. Its type denies unknown fields; its doc comments are the descriptions in the schema.
    type Input: DeserializeOwned + JsonSchema;
    /// Output.
    type Output: Serialize + JsonSchema;
    /// Name and purpose.
    const CARD: ToolCard;
    /// Whether `call` records itself, since it is also a command.
    const RECORDS_ITSELF: bool = false;

    /// Runs a call whose input is valid.
    ///
    /// # Errors
    /// As [`ToolError`] describes.
    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: Self::Input,
    ) -> Result<Self::Output, ToolError>;

    /// The change that a call would write, to ask a person about. Each tool that writes has one.
    ///
    /// # Errors
    /// As [`Tool::call`].
    fn pending(&self, _: &Ctx, _: &Workspace, _: &Self::Input) -> Result<PendingChange, ToolError> {
        Err(shows_nothing(Self::CARD.name))
    }

    /// Runs a call that a person consented to; the consent is used up by its write.
    ///
    /// # Errors
    /// As [`Tool::call`]; a consent to another change.
    fn call_consented(
        &self,
        _: &Ctx,
        _: &Workspace,
        _: Self::Input,
        _: Consent,
    ) -> Result<Self::Output, ToolError> {
        Err(shows_nothing(Self::CARD.name))
    }
}

/// The error of a tool that cannot show what it would write.
fn shows_nothing(name: &str) -> ToolError {
    let reason = format!("`{name}` cannot show what it would write");
    ToolError::new(ExitKind::Internal, reason, "report this as a defect of graftage")
}

/// One tool with its schemas, as `tools list --json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolListing {
    /// Name and purpose.
    #[serde(flatten)]
    pub card: ToolCard,
    /// JSON Schema of the input.
    pub input_schema: Value,
    /// JSON Schema of the output.
    pub output_schema: Value,
}

/// Tools by name.
#[derive(Default)]
pub struct Toolbox {
    tools: SortedMap<&'static str, Box<dyn AnyTool>>,
}

impl Toolbox {
    /// No tools.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// The tools of this crate that know Rust code.
    pub fn standard() -> Self {
        Self::new()
            .with(SearchTool)
            .with(ContextTool)
            .with(ShowTool)
            .with(GraphTool)
            .with(CheckTool)
            .with(ExplainErrorTool)
            .with(ProposeEditTool)
            .with(ProposalsTool)
            .with(PreflightTool)
            .with(ApplyTool)
            .with(RejectTool)
            .with(UndoTool)
    }

    /// Adds tools for files and commands, for programs that have none of their own.
    #[must_use]
    pub fn with_files(self) -> Self {
        self.with(ReadTool)
            .with(GlobTool)
            .with(GrepTool)
            .with(EditTool)
            .with(WriteTool)
            .with(ExecTool)
            .with(ExecuteTool)
    }

    /// Adds a tool; one of the same name is replaced.
    #[must_use]
    pub fn with<T: Tool>(mut self, tool: T) -> Self {
        let input = InputSchema::of::<T::Input>();
        let output = output_schema_of::<T::Output>();
        self.tools.insert(T::CARD.name, Box::new(HeldTool { tool, input, output }));
        self
    }

    /// All tools with their schemas, by name.
    pub fn list(&self) -> Vec<ToolListing> {
        let listing = |tool: &dyn AnyTool| ToolListing {
            card: tool.card(),
            input_schema: tool.input().schema().clone(),
            output_schema: tool.output().clone(),
        };
        self.tools.values().map(|tool| listing(tool.as_ref())).collect()
    }

    /// The card of a tool.
    pub fn card(&self, name: &str) -> Option<ToolCard> {
        self.tools.get(name).map(|tool| tool.card())
    }

    /// All tools in the form that the formats of models are made of.
    pub fn schemas(&self) -> Vec<ToolSchema> {
        let schema = |tool: &dyn AnyTool| ToolSchema {
            name: tool.card().name.to_owned(),
            description: tool.card().description.to_owned(),
            input_schema: tool.input().schema().clone(),
        };
        self.tools.values().map(|tool| schema(tool.as_ref())).collect()
    }

    /// Calls a tool. The answer has at most `MAX_ANSWER_BYTES`; a field `cut` in it reports what was
    /// shortened and how to get the rest.
    ///
    /// # Errors
    /// An unknown name, with the nearest ones; an input that is not valid, with the field and the fix;
    /// those of the tool.
    pub fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        name: &str,
        input: &Value,
    ) -> Result<Value, ToolError> {
        self.call_with(ctx, workspace, (name, input), None)
    }

    /// As [`Toolbox::call`], for a call that a person consented to where there is a consent.
    ///
    /// # Errors
    /// As [`Toolbox::call`]; a consent to another change.
    pub fn call_with(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        (name, input): (&str, &Value),
        consent: Option<Consent>,
    ) -> Result<Value, ToolError> {
        let Some(tool) = self.tools.get(name) else { return Err(self.unknown(name)) };
        // Clients leave out the arguments of a call that needs none.
        let empty = json!({});
        let input = if input.is_null() { &empty } else { input };
        let answer = tool.call(ctx, workspace, input, consent)?;
        bounded::bounded(answer, MAX_ANSWER_BYTES, tool.input().schema())
    }

    /// The change that a call would write, to ask a person about.
    ///
    /// # Errors
    /// As [`Toolbox::call`].
    pub fn pending(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        name: &str,
        input: &Value,
    ) -> Result<PendingChange, ToolError> {
        let Some(tool) = self.tools.get(name) else { return Err(self.unknown(name)) };
        tool.pending(ctx, workspace, input)
    }

    /// The error of a name that no tool has, with the nearest ones.
    pub fn unknown(&self, name: &str) -> ToolError {
        let names = || self.tools.keys().copied();
        let near = nearest_names(name, names(), 3);
        let fix = match near.as_slice() {
            [] => format!("the tools are {}", names().collect::<Vec<_>>().join(", ")),
            near => format!("use {}", near.join(" or ")),
        };
        let shown: String = name.chars().take(60).collect();
        ToolError::new(ExitKind::Input, format!("there is no tool `{}`", shown.escape_debug()), fix)
    }
}

/// A tool of any types.
trait AnyTool: Send + Sync {
    fn card(&self) -> ToolCard;
    fn input(&self) -> &InputSchema;
    fn output(&self) -> &Value;
    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: &Value,
        consent: Option<Consent>,
    ) -> Result<Value, ToolError>;
    fn pending(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: &Value,
    ) -> Result<PendingChange, ToolError>;
}

struct HeldTool<T> {
    tool: T,
    input: InputSchema,
    output: Value,
}

impl<T: Tool> AnyTool for HeldTool<T> {
    fn card(&self) -> ToolCard {
        T::CARD
    }

    fn input(&self) -> &InputSchema {
        &self.input
    }

    fn output(&self) -> &Value {
        &self.output
    }

    fn pending(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: &Value,
    ) -> Result<PendingChange, ToolError> {
        self.tool.pending(ctx, workspace, &self.input.read(input)?)
    }

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: &Value,
        consent: Option<Consent>,
    ) -> Result<Value, ToolError> {
        let typed: T::Input = self.input.read(input)?;
        let run = || {
            let output = match consent {
                Some(consent) => self.tool.call_consented(ctx, workspace, typed, consent)?,
                None => self.tool.call(ctx, workspace, typed)?,
            };
            if T::CARD.effect == Effect::Writes {
                // A failure is that of the next search; what was written is written.
                let _ = code::catch_up(ctx, workspace);
            }
            serde_json::to_value(output).map_err(|error| {
                let reason = format!("the answer cannot be written: {error}");
                ToolError::new(ExitKind::Internal, reason, "report this as a defect of graftage")
            })
        };
        if T::RECORDS_ITSELF {
            return run();
        }
        let size = |answer: &Value| json!({ "bytes": answer.to_string().len() });
        recorded(ctx, workspace, T::CARD.name, input.clone(), run, size)
    }
}
