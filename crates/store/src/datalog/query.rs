//! Read-only queries of users: admission checks, limits, and scripts over both databases.

use super::database::{Database, DatabaseKind};
use super::engine::{Engine, Script, Tables};
use super::schema::{self, Relation};
use crate::{Limits, Result, Rows, StoreError};

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

/// See [`crate::GraphStore::query`].
pub(super) fn query(
    map: &Database,
    record: &Database,
    script: &str,
    limits: &Limits,
) -> Result<Rows> {
    admit(script)?;
    // On a separate thread with a large stack: the parser and the evaluator recurse along the
    // script.
    std::thread::scope(|scope| {
        let run = || run(map, record, script, limits).map_err(|err| advised(script, err));
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

fn run(map: &Database, record: &Database, script: &str, limits: &Limits) -> Result<Rows> {
    let system = script.trim_start().starts_with("::");
    match Engine::in_memory()?.parse(script, limits)? {
        Script::Query { sleeps: true } => return refused("it sleeps"),
        Script::Imperative => return refused("it has control flow, or several blocks"),
        Script::System if !system => return refused("a system command must be the whole script"),
        Script::Query { .. } | Script::System => {}
    }
    let names = |kind| schema::relations(kind).iter().filter(|it| mentions(script, it.name));
    let of_map: Vec<_> = names(DatabaseKind::Map).collect();
    // `meta` is the map's.
    let of_record: Vec<_> =
        names(DatabaseKind::Record).filter(|it| it.name != schema::META.name).collect();
    let in_one = |database: &Database, kind| {
        let answer = database.read(|engine| engine.ask(script, limits))?;
        answer.map_or_else(|| over_empty(kind, script, limits), |rows| Ok(to_rows(rows)))
    };
    if system && script.contains("relations") {
        let mut rows = in_one(map, DatabaseKind::Map)?;
        rows.rows.extend(in_one(record, DatabaseKind::Record)?.rows);
        return Ok(rows);
    }
    if of_record.is_empty() {
        return in_one(map, DatabaseKind::Map);
    }
    if of_map.is_empty() {
        return in_one(record, DatabaseKind::Record);
    }
    if map.len().saturating_add(record.len()) > limits.memory as u64 {
        return Err(StoreError::TooBig { limit: limits.memory });
    }
    let both = Engine::in_memory()?;
    copy(map, &of_map, &both)?;
    copy(record, &of_record, &both)?;
    both.ask(script, limits).map(to_rows)
}

/// Copies relations into another engine; those of a missing database are empty.
fn copy(database: &Database, relations: &[&Relation], into: &Engine) -> Result<()> {
    let names: Vec<_> = relations.iter().map(|it| it.name).collect();
    let found =
        database.read(|engine| Ok((schema::meta(engine, "dim")?, engine.export(&names)?)))?;
    let (dim, tables) = found.unwrap_or((None, Tables::new()));
    let len = dim.and_then(|dim| usize::try_from(dim).ok()).unwrap_or(schema::DEFAULT_DIM);
    for relation in relations {
        into.run("make relations", &relation.declaration(len))?;
    }
    into.import(tables)
}

/// The result of a script without a database: over empty relations.
fn over_empty(kind: DatabaseKind, script: &str, limits: &Limits) -> Result<Rows> {
    let engine = Engine::in_memory()?;
    schema::create(&engine, kind)?;
    engine.ask(script, limits).map(to_rows)
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

/// Whether the script reads the relation, or seems to: `*name` or `~name`, or a command's argument.
fn mentions(script: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    script.match_indices(name).any(|(at, _)| {
        let before = script[..at].chars().next_back();
        let after = script[at + name.len()..].chars().next();
        !before.is_some_and(|c| is_word(c) || c == '$') && !after.is_some_and(is_word) && {
            matches!(before, Some('*' | '~')) || script.trim_start().starts_with("::")
        }
    })
}

fn to_rows(rows: cozo::NamedRows) -> Rows {
    let to_json = |row: Vec<cozo::DataValue>| row.into_iter().map(Into::into).collect();
    Rows { headers: rows.headers, rows: rows.rows.into_iter().map(to_json).collect() }
}

fn refused<T>(reason: &str) -> Result<T> {
    Err(StoreError::Refused { reason: reason.to_owned() })
}
