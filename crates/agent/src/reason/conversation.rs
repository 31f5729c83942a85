//! One conversation with a model about one task. Start at [`Conversation::propose`]; every request
//! goes through [`Conversation::turn`].

use std::path::Path;

use base::{Ctx, Diagnostic, SortedSet};
use edit::{Files, Overlay};
use model::language::{
    LanguageModel, Message, MessagePart, Role, ToolCall, Turn, TurnDelta, TurnError, TurnRequest,
    Usage, fence, unhidden,
};
use policy::Approval;
use preserve::Rule;
use serde_json::Value;

use super::lookup::{Lookup, LookupFault};
use super::prompt::{self, cut};
use super::reply::{self, PROPOSE, Reply, one_line};
use super::scope::EditFault;
use super::streamed::{AnswerText, OnText};
use super::{ModelNote, ModelNoteKind, ReasonLimits, Scope};

/// Author of the overlays.
pub(crate) const AUTHOR: &str = "model";
/// Maximum number of look-ups of a conversation.
const MAX_LOOKUPS: usize = 12;
/// Maximum number of requests per edit that is asked for.
const TURNS_PER_ROUND: usize = 4;
/// Maximum number of bytes of the result of a look-up.
const MAX_RESULT: usize = 6_000;
/// Maximum number of bytes of an error message.
const MAX_MESSAGE: usize = 2_000;

/// What edits refer to, and what they may change. It is the same in all rounds.
pub(crate) struct ProposalContext<'a> {
    /// Root of the project, to which absolute paths are compared. Never opened.
    pub(crate) root: &'a Path,
    /// The files as the model sees them.
    pub(crate) files: &'a dyn Files,
    /// What it may change.
    pub(crate) scope: &'a Scope,
    /// Errors of these files.
    pub(crate) errors: &'a [Diagnostic],
    /// Preservation rules that the user allows the change to break.
    pub(crate) approval: &'a Approval,
    /// What it may look up.
    pub(crate) lookup: &'a dyn Lookup,
}

/// An edit that keeps to the limits. It is not proven.
#[derive(Clone, Debug)]
pub(crate) struct Proposal {
    /// The change of the files that the model saw.
    pub(crate) overlay: Overlay,
    /// Why, in one line.
    pub(crate) rationale: String,
}

/// One conversation.
#[derive(Debug)]
pub(crate) struct Conversation {
    system: &'static str,
    limits: ReasonLimits,
    messages: Vec<Message>,
    /// What the next message to the model has.
    pending: Vec<MessagePart>,
    /// The tool call that proposed the last edit, which waits for its result.
    open_call: Option<String>,
    /// Number of edits asked for so far.
    pub(crate) round: usize,
    turns: usize,
    lookups: SortedSet<String>,
    /// Tokens used so far.
    pub(crate) usage: Usage,
    /// The steps so far.
    pub(crate) notes: Vec<ModelNote>,
    /// The preservation rule for which an edit was refused last.
    pub(crate) broken_rule: Option<Rule>,
}

/// What follows from an answer.
enum Next {
    Ask,
    Prove(Box<Proposal>),
    End,
}

impl Conversation {
    /// A conversation that begins with `prompt`.
    pub(crate) fn new(limits: ReasonLimits, prompt: &str) -> Self {
        let text = prompt.to_owned();
        Self {
            system: prompt::SYSTEM,
            limits,
            messages: Vec::new(),
            pending: vec![MessagePart::Text { text }],
            open_call: None,
            round: 0,
            turns: 0,
            lookups: SortedSet::new(),
            usage: Usage::default(),
            notes: Vec::new(),
            broken_rule: None,
        }
    }

    /// The same with other instructions, for one answer that is text.
    pub(crate) fn with_system(self, system: &'static str) -> Self {
        Self { system, ..self }
    }

    /// The next edit that keeps to the limits; `None` if the model has none, or has used up its
    /// rounds. `on` receives the answers as they are written, for the eye only.
    ///
    /// # Errors
    /// The model gave no answer.
    pub(crate) fn propose(
        &mut self,
        ctx: &Ctx,
        model: &dyn LanguageModel,
        context: &ProposalContext<'_>,
        on: OnText<'_>,
    ) -> Result<Option<Proposal>, TurnError> {
        let most_turns = self.limits.rounds * TURNS_PER_ROUND;
        while self.round < self.limits.rounds {
            if self.turns >= most_turns {
                self.note(ModelNoteKind::Ended, "too many answers without an edit");
                break;
            }
            let turn = self.turn(ctx, model, on)?;
            match self.read(ctx, &turn, context) {
                Next::Ask => {}
                Next::Prove(proposal) => return Ok(Some(*proposal)),
                Next::End => break,
            }
        }
        Ok(None)
    }

    /// Reports why the last edit failed; the next call of [`Conversation::propose`] sends it.
    pub(crate) fn feed_back(&mut self, reason: &str, details: &str) {
        self.note(ModelNoteKind::Failed, &one_line(reason));
        let mut text = format!("The edit is not applied: {}\n\n", unhidden(reason));
        if !details.is_empty() {
            text.push_str(&fence("result", details));
        }
        text.push_str("Propose another complete edit of the files as they were shown.");
        self.answer_edit(text);
    }

    /// One answer as text, without tools.
    pub(crate) fn text_answer(
        &mut self,
        ctx: &Ctx,
        model: &dyn LanguageModel,
    ) -> Result<String, TurnError> {
        let turn = self.turn(ctx, model, &mut |_| {})?;
        reply::bounded(&turn)
            .map_err(|limit| TurnError::Malformed { reason: limit.to_string() })?;
        Ok(turn.text())
    }

    /// Sends the conversation and waits for the answer. The only call of a model in this crate.
    fn turn(
        &mut self,
        ctx: &Ctx,
        model: &dyn LanguageModel,
        on: OnText<'_>,
    ) -> Result<Turn, TurnError> {
        let parts = std::mem::take(&mut self.pending);
        self.messages.push(Message { role: Role::User, parts });
        let is_edit = self.system == prompt::SYSTEM;
        let request = TurnRequest {
            system: self.system.to_owned(),
            messages: self.messages.clone(),
            tools: if is_edit { reply::tools() } else { Vec::new() },
            max_tokens: self.limits.max_tokens,
            temperature: Some(0.0),
            stop: Vec::new(),
            schema: None,
        };
        let name = model.name();
        self.note(ModelNoteKind::Asked, &asked(name, &request));
        let (mut received, mut answer) = (0, AnswerText::default());
        let turn = model.turn(ctx, &request, &mut |delta| {
            let shown = answer.of(delta);
            if !shown.is_empty() {
                on(&shown);
            }
            match delta {
                TurnDelta::Text(text) | TurnDelta::Arguments(text) => {
                    received += text.len();
                    ctx.progress("asking the model", format!("{name}: {received} bytes"));
                }
                TurnDelta::ToolCallStarted { name: tool } => {
                    ctx.progress("asking the model", format!("{name}: {}", one_line(tool)));
                }
                TurnDelta::Retrying { after_ms, reason } => {
                    let reason = format!("{name}: again in {after_ms} ms: {}", one_line(reason));
                    ctx.progress("asking the model", reason);
                }
                TurnDelta::Usage(_) => {}
            }
        })?;
        self.turns += 1;
        self.usage = sum(self.usage, turn.usage);
        self.messages.push(Message { role: Role::Assistant, parts: kept(&turn) });
        Ok(turn)
    }

    fn read(&mut self, ctx: &Ctx, turn: &Turn, context: &ProposalContext<'_>) -> Next {
        match reply::read(turn) {
            Reply::Declined(reason) => {
                self.note(ModelNoteKind::Ended, &format!("no edit: {reason}"));
                Next::End
            }
            Reply::Unreadable(reason) => {
                self.round += 1;
                let calls = turn.calls().filter(|_| reply::bounded(turn).is_ok());
                for call in calls.filter(|it| it.name != PROPOSE) {
                    self.result(call, Err(LookupFault::NotRead));
                }
                let first = turn.calls().find(|it| it.name == PROPOSE);
                self.open_call =
                    first.filter(|_| reply::bounded(turn).is_ok()).map(|it| it.id.clone());
                self.refuse(&reason);
                Next::Ask
            }
            Reply::Lookups => {
                self.look_up(turn, context);
                Next::Ask
            }
            Reply::Edit { text, rationale, call } => {
                self.round += 1;
                let others = turn.calls().filter(|it| Some(&it.id) != call.as_ref());
                for other in others {
                    self.result(other, Err(LookupFault::BesideEdit));
                }
                self.open_call = call;
                match stage(ctx, context, &text) {
                    Ok(overlay) => {
                        let files: Vec<&str> =
                            overlay.changes().map(|(path, _)| path.as_str()).collect();
                        let of = format!("{}: {rationale}", files.join(", "));
                        self.note(ModelNoteKind::Proposed, &of);
                        Next::Prove(Box::new(Proposal { overlay, rationale }))
                    }
                    Err(fault) => {
                        if let EditFault::Breaks(violation) = &fault {
                            self.broken_rule = Some(violation.rule);
                        }
                        self.refuse(&fault.to_string());
                        Next::Ask
                    }
                }
            }
        }
    }

    fn look_up(&mut self, turn: &Turn, context: &ProposalContext<'_>) {
        let is_over = self.lookups.len() >= MAX_LOOKUPS;
        for call in turn.calls() {
            let result = self.looked_up(call, context);
            self.result(call, result);
        }
        if is_over {
            self.round += 1;
        }
    }

    /// The result of a look-up. Each is answered once.
    fn looked_up(
        &mut self,
        call: &ToolCall,
        context: &ProposalContext<'_>,
    ) -> Result<String, LookupFault> {
        let (field, known) = match call.name.as_str() {
            "search" => ("query", true),
            "show" => ("item", true),
            _ => ("", false),
        };
        if !known {
            self.note(ModelNoteKind::Refused, &format!("unknown tool {}", one_line(&call.name)));
            self.lookups.insert(format!("{} {}", call.name, self.lookups.len()));
            return Err(LookupFault::UnknownTool);
        }
        let Some(query) = call.input.get(field).and_then(Value::as_str) else {
            return Err(LookupFault::NoText { tool: call.name.clone(), field });
        };
        let query = cut(&unhidden(query), 500);
        if self.lookups.len() >= MAX_LOOKUPS {
            return Err(LookupFault::NoneLeft);
        }
        if !self.lookups.insert(format!("{} {query}", call.name)) {
            return Err(LookupFault::Repeated);
        }
        self.note(ModelNoteKind::Looked, &format!("{} {}", call.name, one_line(&query)));
        match call.name.as_str() {
            "search" => context.lookup.search(&query),
            _ => context.lookup.show(&query),
        }
    }

    fn result(&mut self, call: &ToolCall, result: Result<String, LookupFault>) {
        let is_error = result.is_err();
        let text = result.unwrap_or_else(|fault| fault.to_string());
        let content =
            fence(&format!("result of {}", one_line(&call.name)), &cut(&text, MAX_RESULT));
        self.pending.push(MessagePart::ToolResult { id: call.id.clone(), content, is_error });
    }

    /// Refuses an answer, with the reason for the model.
    fn refuse(&mut self, reason: &str) {
        self.note(ModelNoteKind::Refused, &one_line(reason));
        let reason = fence("reason", &cut(reason, MAX_MESSAGE));
        self.answer_edit(format!("The answer is refused.\n\n{reason}Propose another edit."));
    }

    /// The next message to the model: the result of its edit.
    fn answer_edit(&mut self, content: String) {
        self.pending.push(match self.open_call.take() {
            Some(id) => MessagePart::ToolResult { id, content, is_error: true },
            None => MessagePart::Text { text: content },
        });
    }

    /// Counts the tokens of another conversation about the same task.
    pub(crate) fn add_usage(&mut self, usage: Usage) {
        self.usage = sum(self.usage, usage);
    }

    pub(crate) fn note(&mut self, kind: ModelNoteKind, text: &str) {
        // These are about the edit that is asked for next.
        let is_next = matches!(kind, ModelNoteKind::Asked | ModelNoteKind::Looked)
            || (kind == ModelNoteKind::Ended && self.round < self.limits.rounds);
        let round = self.round + usize::from(is_next);
        self.notes.push(ModelNote { round, kind, text: text.to_owned() });
    }
}

/// The edit as a change that keeps to the limits; else the reason for the model.
fn stage(ctx: &Ctx, context: &ProposalContext<'_>, text: &str) -> Result<Overlay, EditFault> {
    let request = edit::parse_request(text, context.root)?;
    // Before anything is read: the message of a failed edit quotes the file.
    for path in request.paths() {
        if let Some(reason) = context.scope.closed(context.files, &path) {
            let path = cut(path.as_str(), 200).escape_debug().to_string();
            return Err(EditFault::Closed { reason, path });
        }
    }
    let staged = edit::stage(context.files, &request, AUTHOR, ctx.now())?;
    let fault =
        context.scope.fault(context.files, &staged.overlay, context.errors, context.approval);
    fault.map_or(Ok(staged.overlay), Err)
}

/// The parts of an answer that are sent back: not those that are too large to be read.
fn kept(turn: &Turn) -> Vec<MessagePart> {
    if reply::bounded(turn).is_err() || turn.parts.is_empty() {
        return vec![MessagePart::Text { text: "[an answer that was not read]".to_owned() }];
    }
    turn.parts.clone()
}

/// A request in one line.
fn asked(name: &str, request: &TurnRequest) -> String {
    let bytes: usize = request.texts().iter().map(|it| it.len()).sum();
    format!("{name}: {} of {bytes} bytes", base::counted(request.messages.len(), "message"))
}

fn sum(a: Usage, b: Usage) -> Usage {
    Usage {
        input_tokens: a.input_tokens.saturating_add(b.input_tokens),
        output_tokens: a.output_tokens.saturating_add(b.output_tokens),
        cache_read_tokens: a.cache_read_tokens.saturating_add(b.cache_read_tokens),
        cache_write_tokens: a.cache_write_tokens.saturating_add(b.cache_write_tokens),
    }
}
