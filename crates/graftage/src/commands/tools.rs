//! `tools`: the tools that models and servers call.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use tools::{Effect, ToolFormat, Toolbox};

use crate::args_tools::{ToolForm, Tools, ToolsCall, ToolsList};
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, DIM, paint};
use crate::session::Session;

pub(crate) fn run(session: &Session, command: &Tools) -> Result<Status, Failure> {
    match command {
        Tools::List(args) => list(session, args),
        Tools::Call(args) => call(session, args),
    }
}

/// The tools of this program.
fn toolbox() -> Toolbox {
    Toolbox::standard()
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

fn call(session: &Session, args: &ToolsCall) -> Result<Status, Failure> {
    let input = input(&args.input)?;
    let answer = toolbox().call(&session.ctx, &session.workspace()?, &args.name, &input)?;
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
