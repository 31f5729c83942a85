//! `tools`: the tools that models and servers call.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};
use tool_schema::{ToolIndex, ToolSchema};
use tools::{Effect, ToolFormat, Toolbox};

use crate::args_tools::{ToolForm, Tools, ToolsCall, ToolsList, ToolsSearch};
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, DIM, paint};
use crate::session::Session;

pub(crate) fn run(session: &Session, command: &Tools) -> Result<Status, Failure> {
    match command {
        Tools::List(args) => list(session, args),
        Tools::Search(args) => search(session, args),
        Tools::Call(args) => call(session, args),
    }
}

/// The tools of this program.
fn toolbox() -> Toolbox {
    agent::toolbox().with_files()
}

fn list(session: &Session, args: &ToolsList) -> Result<Status, Failure> {
    let toolbox = toolbox();
    if let Some(form) = args.format {
        let format = match form {
            ToolForm::Anthropic => ToolFormat::Anthropic,
            ToolForm::Openai => ToolFormat::OpenAi,
            ToolForm::Gemma => ToolFormat::Gemma,
        };
        match toolbox.formatted(format)? {
            Value::String(text) if !session.global.json => output::say(&text)?,
            value => output::json(&value)?,
        }
        return Ok(Status::Done);
    }
    let tools = toolbox.list();
    if session.global.json {
        output::json(&json!({ "tools": tools }))?;
        return Ok(Status::Done);
    }
    let mut text = String::new();
    for tool in &tools {
        let effect = match tool.card.effect {
            Effect::Reads => "reads",
            Effect::Stages => "stages a proposal",
            Effect::Runs => "runs code in the sandbox",
            Effect::Writes => "writes your tree",
        };
        let _ = writeln!(text, "{}  {}", paint(BOLD, tool.card.name), paint(DIM, effect));
        let _ = writeln!(text, "  {}", tool.card.description);
    }
    output::say(&text)?;
    Ok(Status::Done)
}

/// A tool that fits, as `tools search --json` prints it.
#[derive(Serialize)]
struct FoundTool {
    rank: usize,
    name: String,
    description: String,
    score: f32,
}

fn search(session: &Session, args: &ToolsSearch) -> Result<Status, Failure> {
    let schemas = match &args.schemas {
        Some(file) => schemas_of(&crate::session::read_request(file)?)?,
        None => toolbox().schemas(),
    };
    let hits = ToolIndex::new(&schemas).search(&args.intent, args.k);
    let description = |name: &str| {
        let tool = schemas.iter().find(|tool| tool.name == name);
        tool.map(|tool| tool.description.clone()).unwrap_or_default()
    };
    let found: Vec<FoundTool> = (hits.into_iter().enumerate())
        .map(|(nth, hit)| FoundTool {
            rank: nth + 1,
            description: description(&hit.name),
            name: hit.name,
            score: hit.score.score,
        })
        .collect();
    if session.global.json {
        output::json(&json!({ "tools": found, "searched": schemas.len() }))?;
    } else if found.is_empty() {
        output::note(&format!("none of {} fits", base::counted(schemas.len(), "tool")));
    } else {
        let mut text = String::new();
        for tool in &found {
            let (name, description) = (output::safe(&tool.name), output::safe(&tool.description));
            let _ = writeln!(text, "{}. {}\n   {description}", tool.rank, paint(BOLD, &name));
        }
        output::say(&text)?;
    }
    Ok(if found.is_empty() { Status::No } else { Status::Done })
}

/// The tools of a list as servers and model providers write it.
fn schemas_of(text: &str) -> Result<Vec<ToolSchema>, Failure> {
    let wrong = |reason: String| {
        Failure::input(
            format!("the list of tools cannot be read: {reason}"),
            "pass a JSON array of objects with `name`, `description` and `inputSchema`",
        )
    };
    let value: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let list = value.get("tools").unwrap_or(&value);
    let Some(list) = list.as_array() else { return Err(wrong("it is no array".to_owned())) };
    let schema = |(nth, tool): (usize, &Value)| {
        let tool = tool.get("function").unwrap_or(tool);
        let text = |key: &str| tool.get(key).and_then(Value::as_str).map(str::to_owned);
        let name = text("name").ok_or_else(|| wrong(format!("tool {} has no `name`", nth + 1)))?;
        let keys = ["inputSchema", "input_schema", "parameters"];
        let input_schema = keys.iter().find_map(|key| tool.get(key)).cloned().unwrap_or_default();
        Ok(ToolSchema { name, description: text("description").unwrap_or_default(), input_schema })
    };
    list.iter().enumerate().map(schema).collect()
}

fn call(session: &Session, args: &ToolsCall) -> Result<Status, Failure> {
    let input = input(&args.input)?;
    let answer =
        toolbox().call(&session.ctx, &session.workspace()?.for_agents(), &args.name, &input)?;
    session.bar.clear();
    // The answer is JSON with and without `--json`.
    output::json(&answer)?;
    Ok(Status::Done)
}

/// Reads the input of a call.
fn input(argument: &str) -> Result<Value, Failure> {
    let text = match argument.strip_prefix('@') {
        Some(file) => crate::session::read_request(Path::new(file))?,
        None if argument == "-" => crate::session::read_request(Path::new("-"))?,
        None => argument.to_owned(),
    };
    serde_json::from_str(&text).map_err(|error| {
        Failure::input(
            format!("the input is not JSON: {error}"),
            "pass an object such as '{\"query\": \"parser\"}', @FILE, or `-`; `graftage tools list \
             --json` prints the schemas",
        )
    })
}
