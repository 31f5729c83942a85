//! Read-only queries of users: admission checks and limits.

use super::database::Database;
use super::engine::{Engine, Script};
use super::schema;
use crate::{Result, Rows, ScriptLimits, StoreError};

/// The maximum length of a script in bytes.
const MAX_BYTES: usize = 32 << 10;

/// The maximum nesting. The parser is recursive.
const MAX_DEPTH: usize = 64;

/// The stack of the parser: sufficient for a chain of `not`s as long as a script may be.
const STACK: usize = 256 << 20;

/// Allowed system commands: they change nothing and end at once.
const SYSTEM: &[&str] = &["relations", "columns", "indices", "explain", "fixed_rules"];

/// The maximum length of a range: an expression materializes it before limits apply.
const MAX_RANGE: i64 = 10_000;

/// See [`crate::Store::query`].
pub(super) fn query(map: &Database, script: &str, limits: &ScriptLimits) -> Result<Rows> {
    admit(script)?;
    // On a separate thread with a large stack: the parser and the evaluator recurse along the
    // script.
    std::thread::scope(|scope| {
        let run = || run(map, script, limits).map_err(|err| advised(script, err));
        let thread = std::thread::Builder::new().name("query".to_owned()).stack_size(STACK);
        let spawned = thread.spawn_scoped(scope, run);
        let failed = |reason: String| StoreError::Engine { action: "run the query", reason };
        let thread = spawned.map_err(|err| failed(err.to_string()))?;
        thread.join().map_err(|_| failed("it panicked".to_owned()))?
    })
}

fn advised(script: &str, err: StoreError) -> StoreError {
    match err {
        StoreError::Script { reason, advice } => {
            let advice = super::advice::advice(script, &reason).or(advice);
            StoreError::Script { reason, advice }
        }
        other => other,
    }
}

fn run(map: &Database, script: &str, limits: &ScriptLimits) -> Result<Rows> {
    let system = script.trim_start().starts_with("::");
    match Engine::in_memory()?.parse(script, limits)? {
        Script::Query { sleeps: true } => return refused("it sleeps"),
        Script::Imperative => return refused("it has control flow, or several blocks"),
        Script::System if !system => return refused("a system command must be the whole script"),
        Script::Query { .. } | Script::System => {}
    }
    let rows = match map.read(|engine| engine.ask(script, limits))? {
        Some(rows) => rows,
        // Without a map: over empty relations.
        None => {
            let engine = Engine::in_memory()?;
            schema::create(&engine, schema::DEFAULT_DIM)?;
            engine.ask(script, limits)?
        }
    };
    let to_json = |row: Vec<cozo::DataValue>| row.into_iter().map(Into::into).collect();
    Ok(Rows { headers: rows.headers, rows: rows.rows.into_iter().map(to_json).collect() })
}

/// Rejects dangerous scripts before they are parsed.
fn admit(script: &str) -> Result<()> {
    if script.len() > MAX_BYTES {
        return refused(&format!("it has {} bytes, more than {MAX_BYTES}", script.len()));
    }
    let mut depth = 0_usize;
    for c in script.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return refused(&format!("it is nested deeper than {MAX_DEPTH}"));
        }
    }
    if let Some(command) = script.trim_start().strip_prefix("::") {
        let word = command.trim_start().split(|c: char| !c.is_alphanumeric() && c != '_').next();
        if !word.is_some_and(|word| SYSTEM.contains(&word)) {
            return refused(&format!(
                "the only allowed system commands are ::{}",
                SYSTEM.join(", ::")
            ));
        }
    }
    for maker in ["int_range", "rand_vec"] {
        for (at, name) in script.match_indices(maker) {
            if !is_small_range(&script[at + name.len()..]) {
                let reason = format!("`{name}` takes literal numbers, at most {MAX_RANGE} apart");
                return refused(&reason);
            }
        }
    }
    Ok(())
}

/// Whether `(a)` or `(a, b)` follows, in digits, with a small distance.
fn is_small_range(rest: &str) -> bool {
    let Some(inner) = rest.trim_start().strip_prefix('(') else { return false };
    let Some((inner, _)) = inner.split_once(')') else { return false };
    let numbers: Option<Vec<i64>> = inner.split(',').map(|it| it.trim().parse().ok()).collect();
    let distance = match numbers.as_deref() {
        Some([end]) => Some(*end),
        Some([start, end]) => end.checked_sub(*start),
        _ => None,
    };
    distance.is_some_and(|distance| distance <= MAX_RANGE)
}

fn refused<T>(reason: &str) -> Result<T> {
    Err(StoreError::Refused { reason: reason.to_owned() })
}
