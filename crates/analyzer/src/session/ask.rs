//! The typed requests of a [`Session`] and the types of their answers.
//!
//! These are not the types of a library: the server is not trusted, so each answer is read field by field with
//! limits, and of the protocol's several hundred types nine are needed, with columns in bytes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{Ctx, Severity};
use serde_json::{Value, json};

use super::client::Question;
use super::position::{path_of, uri};
use super::{LspPosition, LspRange, Session};
use crate::AnalyzerError;

/// A diagnostic of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LspDiagnostic {
    /// The range it applies to.
    pub range: LspRange,
    /// Its severity.
    pub severity: Severity,
    /// rustc's error code if there is one, else rust-analyzer's name of the diagnostic.
    pub code: String,
    /// The message for the user.
    pub message: String,
}

/// The target of a definition request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LspLocation {
    /// The file, by its path in the sandbox.
    pub path: PathBuf,
    /// The range of the name.
    pub range: LspRange,
}

/// The expansion of a macro call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpandedMacro {
    /// The macro's name.
    pub name: String,
    /// The expanded code, formatted by the server.
    pub text: String,
}

/// A replacement of a range.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LspEdit {
    /// The replaced range.
    pub range: LspRange,
    /// The new text.
    pub text: String,
}

/// The replacements in one file, sorted by range.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileEdits {
    /// The file, by its path in the sandbox.
    pub path: PathBuf,
    /// The replacements; they do not overlap.
    pub edits: Vec<LspEdit>,
}

/// A code action: a quick fix or an assist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The title for the user.
    pub title: String,
    /// The protocol's kind: `quickfix`, `refactor.rewrite` …
    pub kind: String,
    /// Its edits; never empty.
    pub edits: Vec<FileEdits>,
}

impl Session {
    /// The diagnostics of the server's current text of the file.
    ///
    /// # Errors
    /// When there is no answer within the limit, or no server.
    pub fn diagnostics(&self, ctx: &Ctx, path: &Path) -> Result<Vec<LspDiagnostic>, AnalyzerError> {
        self.diagnostics_within(ctx, path, self.limits.first)
    }

    /// As [`Session::diagnostics`], with a time limit below the session's own.
    ///
    /// # Errors
    /// When there is no answer within `limit`, or no server.
    pub fn diagnostics_within(
        &self,
        ctx: &Ctx,
        path: &Path,
        limit: Duration,
    ) -> Result<Vec<LspDiagnostic>, AnalyzerError> {
        let params = json!({ "textDocument": { "uri": uri(path) } });
        let limit = limit.min(self.limits.first);
        let answer = self.request(ctx, "textDocument/diagnostic", params, limit)?;
        let items = answer["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut found: Vec<_> = items.iter().filter_map(diagnostic).collect();
        found.sort();
        found.dedup();
        Ok(found)
    }

    /// The definitions of the names at these positions, in the order of `places`. Each answer can fail
    /// independently.
    ///
    /// # Errors
    /// When there is no server, or it ends.
    pub fn definitions(
        &self,
        ctx: &Ctx,
        places: &[(PathBuf, LspPosition)],
    ) -> Result<Vec<Result<Vec<LspLocation>, AnalyzerError>>, AnalyzerError> {
        let answers = self.pipelined(ctx, &questions("textDocument/definition", places))?;
        Ok(answers.into_iter().map(|answer| answer.map(|it| targets(&it))).collect())
    }

    /// The hover text at a position: signature, type and documentation, as Markdown.
    ///
    /// # Errors
    /// When there is no answer within the limit, or no server.
    pub fn hover(
        &self,
        ctx: &Ctx,
        path: &Path,
        position: LspPosition,
    ) -> Result<Option<String>, AnalyzerError> {
        let limit = self.limits.request;
        let answer =
            self.request(ctx, "textDocument/hover", position_params(path, position), limit)?;
        Ok(hover_text(&answer))
    }

    /// [`Session::hover`] for many positions, in the order of `places`; `None` for failed requests.
    ///
    /// # Errors
    /// When there is no server, or it ends.
    pub fn hovers(
        &self,
        ctx: &Ctx,
        places: &[(PathBuf, LspPosition)],
    ) -> Result<Vec<Option<String>>, AnalyzerError> {
        let answers = self.pipelined(ctx, &questions("textDocument/hover", places))?;
        Ok(answers.into_iter().map(|answer| hover_text(&answer.ok()?)).collect())
    }

    /// The expansion of the macro call at a position; `None` if there is no call or the macro is built
    /// in.
    ///
    /// # Errors
    /// When there is no answer within the limit, or no server.
    pub fn expand_macro(
        &self,
        ctx: &Ctx,
        path: &Path,
        position: LspPosition,
    ) -> Result<Option<ExpandedMacro>, AnalyzerError> {
        let limit = self.limits.request;
        let answer =
            self.request(ctx, "rust-analyzer/expandMacro", position_params(path, position), limit)?;
        let text = |name: &str| answer[name].as_str().map(str::to_owned);
        Ok(text("name").zip(text("expansion")).map(|(name, text)| ExpandedMacro { name, text }))
    }

    /// The code actions of these kinds (`quickfix`; empty: all) for a range of a file, with their
    /// edits.
    ///
    /// # Errors
    /// When there is no answer within the limit, or no server.
    pub fn actions(
        &self,
        ctx: &Ctx,
        path: &Path,
        range: LspRange,
        kinds: &[&str],
    ) -> Result<Vec<Action>, AnalyzerError> {
        let mut context = json!({ "diagnostics": [] });
        if !kinds.is_empty() {
            context["only"] = json!(kinds);
        }
        let params = json!({
            "textDocument": { "uri": uri(path) },
            "range": range.to_json(),
            "context": context,
        });
        let limit = self.limits.request;
        let offered = self.request(ctx, "textDocument/codeAction", params, limit)?;
        let offered = offered.as_array().cloned().unwrap_or_default();
        let (whole, named): (Vec<_>, Vec<_>) =
            offered.into_iter().partition(|action| action.get("edit").is_some());
        // The server computes the edits of an action only on `codeAction/resolve`.
        let questions: Vec<_> = (named.into_iter())
            .map(|params| Question { method: "codeAction/resolve", params })
            .collect();
        let resolved = self.pipelined(ctx, &questions)?;
        let all = whole.into_iter().chain(resolved.into_iter().filter_map(Result::ok));
        Ok(all.filter_map(|action| read_action(&action)).collect())
    }
}

fn position_params(path: &Path, position: LspPosition) -> Value {
    json!({ "textDocument": { "uri": uri(path) }, "position": position.to_json() })
}

fn diagnostic(value: &Value) -> Option<LspDiagnostic> {
    let severity = match value["severity"].as_u64() {
        Some(2) => Severity::Warning,
        Some(3) => Severity::Note,
        Some(4) => Severity::Help,
        _ => Severity::Error,
    };
    let code = match &value["code"] {
        Value::String(code) => code.clone(),
        Value::Number(code) => code.to_string(),
        _ => String::new(),
    };
    let range = LspRange::read(&value["range"])?;
    let message = value["message"].as_str()?.to_owned();
    Some(LspDiagnostic { range, severity, code, message })
}

/// Reads a location, a list of locations, or a list of location links.
fn targets(value: &Value) -> Vec<LspLocation> {
    let one = |value: &Value| {
        let (uri, range) = match value.get("targetUri") {
            Some(uri) => (uri, &value["targetSelectionRange"]),
            None => (value.get("uri")?, &value["range"]),
        };
        Some(LspLocation { path: path_of(uri.as_str()?)?, range: LspRange::read(range)? })
    };
    let mut found: Vec<_> = match value {
        Value::Array(all) => all.iter().filter_map(one).collect(),
        it => one(it).into_iter().collect(),
    };
    found.sort();
    found.dedup();
    found
}

/// One request per position.
fn questions(method: &'static str, places: &[(PathBuf, LspPosition)]) -> Vec<Question> {
    let params = |(path, position): &(PathBuf, LspPosition)| position_params(path, *position);
    places.iter().map(|place| Question { method, params: params(place) }).collect()
}

/// The Markdown text of a hover.
fn hover_text(answer: &Value) -> Option<String> {
    answer["contents"]["value"].as_str().map(str::to_owned)
}

fn read_action(value: &Value) -> Option<Action> {
    let edits = edits(value.get("edit")?);
    let title = value["title"].as_str()?.to_owned();
    let kind = value["kind"].as_str().unwrap_or_default().to_owned();
    (!edits.is_empty()).then_some(Action { title, kind, edits })
}

/// The replacements of a workspace edit; empty if it also creates, renames or deletes files, because
/// a part of such an edit is useless.
fn edits(value: &Value) -> Vec<FileEdits> {
    let mut found = Vec::new();
    for (uri, list) in value["changes"].as_object().into_iter().flatten() {
        let Some(edits) = file_edits(path_of(uri), list) else { return Vec::new() };
        found.push(edits);
    }
    for change in value["documentChanges"].as_array().into_iter().flatten() {
        let path = change["textDocument"]["uri"].as_str().and_then(path_of);
        let Some(edits) = file_edits(path, &change["edits"]) else { return Vec::new() };
        found.push(edits);
    }
    found.retain(|file| !file.edits.is_empty());
    found.sort();
    found
}

fn file_edits(path: Option<PathBuf>, list: &Value) -> Option<FileEdits> {
    let mut edits = Vec::new();
    for edit in list.as_array()? {
        let text = edit["newText"].as_str()?.to_owned();
        edits.push(LspEdit { range: LspRange::read(&edit["range"])?, text });
    }
    edits.sort();
    let is_apart = edits.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start);
    is_apart.then_some(FileEdits { path: path?, edits })
}
