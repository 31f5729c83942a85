use std::path::{Path, PathBuf};
use std::time::Duration;

use base::Ctx;
use serde_json::{Value, json};

use super::client::Question;
use super::place::{path_of, uri};
use super::{Position, Range, Session};
use crate::AnalyzerError;

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It does not compile.
    Error,
    /// It does, and something is odd.
    Warning,
    /// A remark.
    Information,
    /// A style.
    Hint,
}

/// What the server finds wrong in a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// Where.
    pub range: Range,
    /// How bad.
    pub severity: Severity,
    /// rustc's code, where it has one, else rust-analyzer's own name.
    pub code: String,
    /// For people.
    pub message: String,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    /// Which, as the server sees it.
    pub path: PathBuf,
    /// Of the name.
    pub range: Range,
}

/// An item of a file, with those inside of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name; of an impl its header.
    pub name: String,
    /// The protocol's number for its kind.
    pub kind: u64,
    /// Its signature.
    pub detail: Option<String>,
    /// With its attributes and documentation.
    pub range: Range,
    /// Of its name.
    pub name_range: Range,
    /// In the order of the text.
    pub inside: Vec<Symbol>,
}

/// What a macro call becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The macro's name.
    pub name: String,
    /// Its text, formatted by the server.
    pub text: String,
}

/// One replacement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextEdit {
    /// What goes.
    pub range: Range,
    /// What comes.
    pub text: String,
}

/// The replacements in one file, by place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileEdits {
    /// Which, as the server sees it.
    pub path: PathBuf,
    /// None overlaps another.
    pub edits: Vec<TextEdit>,
}

/// A quick fix or an assist that the server offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What it does, for people.
    pub title: String,
    /// `quickfix`, `refactor.rewrite` …
    pub kind: String,
    /// What it changes; never empty.
    pub edits: Vec<FileEdits>,
}

impl Session {
    /// What is wrong in the file, as the server has it now.
    ///
    /// # Errors
    /// When there is no answer within the limit, or no server.
    pub fn diagnostics(&self, ctx: &Ctx, path: &Path) -> Result<Vec<Diagnostic>, AnalyzerError> {
        self.diagnostics_within(ctx, path, self.limits.first)
    }

    /// As [`Session::diagnostics`], for who has less time than the session's own limit.
    ///
    /// # Errors
    /// When there is no answer within `limit`, or no server.
    pub fn diagnostics_within(
        &self,
        ctx: &Ctx,
        path: &Path,
        limit: Duration,
    ) -> Result<Vec<Diagnostic>, AnalyzerError> {
        let params = json!({ "textDocument": { "uri": uri(path) } });
        let limit = limit.min(self.limits.first);
        let answer = self.request(ctx, "textDocument/diagnostic", params, limit)?;
        let items = answer["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut found: Vec<_> = items.iter().filter_map(diagnostic).collect();
        found.sort();
        found.dedup();
        Ok(found)
    }

    /// Where the names at these places are defined, each in the order asked; an answer may miss on
    /// its own.
    ///
    /// # Errors
    /// When there is no server, or it ends.
    pub fn definitions(
        &self,
        ctx: &Ctx,
        places: &[(PathBuf, Position)],
    ) -> Result<Vec<Result<Vec<Target>, AnalyzerError>>, AnalyzerError> {
        let answers = self.pipelined(ctx, &questions("textDocument/definition", places))?;
        Ok(answers.into_iter().map(|answer| answer.map(|it| targets(&it))).collect())
    }

    /// The items of a file, as a tree.
    ///
    /// # Errors
    /// When there is no answer within the limit, or no server.
    pub fn symbols(&self, ctx: &Ctx, path: &Path) -> Result<Vec<Symbol>, AnalyzerError> {
        let params = json!({ "textDocument": { "uri": uri(path) } });
        let limit = self.limits.request;
        let answer = self.request(ctx, "textDocument/documentSymbol", params, limit)?;
        Ok(symbols(&answer))
    }

    /// What is known of the name at a place: signature, type and documentation, as Markdown.
    ///
    /// # Errors
    /// When there is no answer within the limit, or no server.
    pub fn hover(
        &self,
        ctx: &Ctx,
        path: &Path,
        position: Position,
    ) -> Result<Option<String>, AnalyzerError> {
        let limit = self.limits.request;
        let answer = self.request(ctx, "textDocument/hover", at(path, position), limit)?;
        Ok(shown(&answer))
    }

    /// As [`Session::hover`] for many places, each in the order asked; an answer may miss on its
    /// own.
    ///
    /// # Errors
    /// When there is no server, or it ends.
    pub fn hovers(
        &self,
        ctx: &Ctx,
        places: &[(PathBuf, Position)],
    ) -> Result<Vec<Option<String>>, AnalyzerError> {
        let answers = self.pipelined(ctx, &questions("textDocument/hover", places))?;
        Ok(answers.into_iter().map(|answer| shown(&answer.ok()?)).collect())
    }

    /// What the macro call at a place becomes; `None`: there is none, or it is built in.
    ///
    /// # Errors
    /// When there is no answer within the limit, or no server.
    pub fn expand_macro(
        &self,
        ctx: &Ctx,
        path: &Path,
        position: Position,
    ) -> Result<Option<Expansion>, AnalyzerError> {
        let limit = self.limits.request;
        let answer = self.request(ctx, "rust-analyzer/expandMacro", at(path, position), limit)?;
        let text = |name: &str| answer[name].as_str().map(str::to_owned);
        Ok(text("name").zip(text("expansion")).map(|(name, text)| Expansion { name, text }))
    }

    /// The quick fixes and assists for a part of a file, with what they would change.
    ///
    /// # Errors
    /// When there is no answer within the limit, or no server.
    pub fn actions(
        &self,
        ctx: &Ctx,
        path: &Path,
        range: Range,
    ) -> Result<Vec<Action>, AnalyzerError> {
        self.actions_of(ctx, path, range, &[])
    }

    /// As [`Session::actions`], of these kinds alone (`quickfix`); the others are not worked out.
    ///
    /// # Errors
    /// When there is no answer within the limit, or no server.
    pub fn actions_of(
        &self,
        ctx: &Ctx,
        path: &Path,
        range: Range,
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
        // What an action changes is worked out only when it is asked for.
        let questions: Vec<_> = (named.into_iter())
            .map(|params| Question { method: "codeAction/resolve", params })
            .collect();
        let resolved = self.pipelined(ctx, &questions)?;
        let all = whole.into_iter().chain(resolved.into_iter().filter_map(Result::ok));
        Ok(all.filter_map(|action| read_action(&action)).collect())
    }

    /// Structural search and replace over the workspace: `$a.unwrap() ==>> $a?`.
    ///
    /// # Errors
    /// When the rule is none (rust-analyzer says why), when there is no answer within the limit, or
    /// no server.
    pub fn replace(&self, ctx: &Ctx, rule: &str) -> Result<Vec<FileEdits>, AnalyzerError> {
        let main = uri(&self.root);
        let params = json!({
            "query": rule, "parseOnly": false, "selections": [],
            "textDocument": { "uri": main },
            "position": Position::default().to_json(),
        });
        let answer = self.request(ctx, "experimental/ssr", params, self.limits.first)?;
        Ok(edits(&answer))
    }
}

fn at(path: &Path, position: Position) -> Value {
    json!({ "textDocument": { "uri": uri(path) }, "position": position.to_json() })
}

fn diagnostic(value: &Value) -> Option<Diagnostic> {
    let severity = match value["severity"].as_u64() {
        Some(2) => Severity::Warning,
        Some(3) => Severity::Information,
        Some(4) => Severity::Hint,
        _ => Severity::Error,
    };
    let code = match &value["code"] {
        Value::String(code) => code.clone(),
        Value::Number(code) => code.to_string(),
        _ => String::new(),
    };
    let range = Range::read(&value["range"])?;
    let message = value["message"].as_str()?.to_owned();
    Some(Diagnostic { range, severity, code, message })
}

/// A place, several, or links to such.
fn targets(value: &Value) -> Vec<Target> {
    let one = |value: &Value| {
        let (uri, range) = match value.get("targetUri") {
            Some(uri) => (uri, &value["targetSelectionRange"]),
            None => (value.get("uri")?, &value["range"]),
        };
        Some(Target { path: path_of(uri.as_str()?)?, range: Range::read(range)? })
    };
    let mut found: Vec<_> = match value {
        Value::Array(all) => all.iter().filter_map(one).collect(),
        it => one(it).into_iter().collect(),
    };
    found.sort();
    found.dedup();
    found
}

/// The same question for many places.
fn questions(method: &'static str, places: &[(PathBuf, Position)]) -> Vec<Question> {
    let at = |(path, position): &(PathBuf, Position)| at(path, *position);
    places.iter().map(|place| Question { method, params: at(place) }).collect()
}

/// The Markdown of a hover.
fn shown(answer: &Value) -> Option<String> {
    answer["contents"]["value"].as_str().map(str::to_owned)
}

fn symbols(value: &Value) -> Vec<Symbol> {
    let one = |value: &Value| {
        Some(Symbol {
            name: value["name"].as_str()?.to_owned(),
            kind: value["kind"].as_u64().unwrap_or_default(),
            detail: value["detail"].as_str().map(str::to_owned),
            range: Range::read(&value["range"])?,
            name_range: Range::read(&value["selectionRange"])?,
            inside: symbols(&value["children"]),
        })
    };
    value.as_array().map(Vec::as_slice).unwrap_or_default().iter().filter_map(one).collect()
}

fn read_action(value: &Value) -> Option<Action> {
    let edits = edits(value.get("edit")?);
    let title = value["title"].as_str()?.to_owned();
    let kind = value["kind"].as_str().unwrap_or_default().to_owned();
    (!edits.is_empty()).then_some(Action { title, kind, edits })
}

/// The replacements of a workspace edit. One that makes, moves or removes files is none of ours:
/// nothing of it is taken.
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
        edits.push(TextEdit { range: Range::read(&edit["range"])?, text });
    }
    edits.sort();
    let is_apart = edits.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start);
    is_apart.then_some(FileEdits { path: path?, edits })
}
