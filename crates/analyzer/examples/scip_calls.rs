//! Prints the calls found an index as JSON lines, to inspect rust-analyzer's results:
//! `cargo run -p graftage-analyzer --example scip_calls -- WORKSPACE INDEX.scip`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line talks to people")]

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use graftage_analyzer::scip::{Facts, calls, read};

fn main() -> ExitCode {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [workspace, index] = &args[..] else {
        eprintln!("usage: scip_calls WORKSPACE INDEX.scip");
        return ExitCode::from(2);
    };
    let bytes = match std::fs::read(index) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("{}: {error}", index.display());
            return ExitCode::from(1);
        }
    };
    let facts = read(&bytes);
    if let Some(damage) = &facts.damage {
        eprintln!("{}: damaged at byte {}: {}", index.display(), damage.offset, damage.reason);
    }
    for problem in &facts.problems {
        eprintln!("{problem}");
    }
    let calls =
        calls(&facts, &mut |path| std::fs::read_to_string(workspace.join(path.as_str())).ok());
    let mut out = BufWriter::new(std::io::stdout().lock());
    for call in &calls {
        let line = serde_json::json!({
            "file": facts.file(call.file).map(|file| file.as_str()),
            "line": call.pos.line,
            "col": call.pos.col,
            "offset": call.offset,
            "method": call.is_method,
            "caller": call.caller.map(|idx| definition_json(&facts, idx)),
            "callees": call.callees.iter().map(|symbol| callee(&facts, *symbol)).collect::<Vec<_>>(),
        });
        if writeln!(out, "{line}").is_err() {
            return ExitCode::from(1);
        }
    }
    eprintln!(
        "{}: {} files, {} symbols, {} definitions, {} references, {} calls",
        facts.tool,
        facts.files.len(),
        facts.symbols.len(),
        facts.definitions.len(),
        facts.references.len(),
        calls.len()
    );
    if out.flush().is_ok() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn callee(facts: &Facts, symbol: u32) -> serde_json::Value {
    let definitions: Vec<_> = facts
        .definitions
        .iter()
        .enumerate()
        .filter(|(_, it)| it.symbol == symbol)
        .map(|(idx, _)| definition_json(facts, idx as u32))
        .collect();
    let found = facts.symbol(symbol);
    serde_json::json!({
        "package": found.map(|it| &*it.package),
        "path": found.map(|it| &*it.path),
        "defined": definitions,
    })
}

fn definition_json(facts: &Facts, idx: u32) -> serde_json::Value {
    let Some(definition) = facts.definitions.get(idx as usize) else {
        return serde_json::Value::Null;
    };
    serde_json::json!({
        "path": facts.symbol(definition.symbol).map(|it| &*it.path),
        "file": facts.file(definition.file).map(|file| file.as_str()),
        "line": definition.range.start.line,
        "col": definition.range.start.col,
    })
}
