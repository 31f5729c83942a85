use super::database::{Database, Kind};
use super::engine::{Engine, Script, Tables};
use super::schema::{self, Relation};
use crate::{Limits, Result, Rows, StoreError};

/// No question that a person or a model writes is longer.
const MAX_BYTES: usize = 32 << 10;

/// Nor nested deeper. The parser descends recursively.
const MAX_DEPTH: usize = 64;

/// What the parser gets at the most of: a chain of `not`s as long as a script may be fits in.
const STACK: usize = 256 << 20;

/// `::relations` and its like that change nothing and end at once.
const SYSTEM: &[&str] = &["relations", "columns", "indices", "explain", "fixed_rules"];

/// How many numbers one expression may make: it makes them all before anything counts them.
const MAX_RANGE: i64 = 10_000;

/// See [`crate::GraphStore::query`].
pub(super) fn query(
    map: &Database,
    record: &Database,
    script: &str,
    limits: &Limits,
) -> Result<Rows> {
    admit(script)?;
    // On a stack of its own: the parser and the evaluator recurse along the script.
    std::thread::scope(|scope| {
        let ask = || ask(map, record, script, limits).map_err(|err| advised(script, err));
        let thread = std::thread::Builder::new().name("query".to_owned()).stack_size(STACK);
        let spawned = thread.spawn_scoped(scope, ask);
        let failed = |reason: String| StoreError::Engine { action: "run the query", reason };
        let thread = spawned.map_err(|err| failed(err.to_string()))?;
        thread.join().map_err(|_| failed("it gave up".to_owned()))?
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

fn ask(map: &Database, record: &Database, script: &str, limits: &Limits) -> Result<Rows> {
    let system = script.trim_start().starts_with("::");
    match Engine::in_memory()?.parse(script, limits)? {
        Script::Query { sleeps: true } => return refused("it sleeps"),
        Script::Imperative => return refused("it has control flow, or several blocks"),
        Script::System if !system => return refused("a system command stands alone"),
        Script::Query { .. } | Script::System => {}
    }
    let names = |kind| schema::relations(kind).iter().filter(|it| mentions(script, it.name));
    let of_map: Vec<_> = names(Kind::Map).collect();
    // `meta` is the map's.
    let of_record: Vec<_> = names(Kind::Record).filter(|it| it.name != schema::META.name).collect();
    let in_one = |database: &Database, kind| {
        let answer = database.read(|engine| engine.ask(script, limits))?;
        answer.map_or_else(|| over_nothing(kind, script, limits), |rows| Ok(to_rows(rows)))
    };
    if system && script.contains("relations") {
        let mut rows = in_one(map, Kind::Map)?;
        rows.rows.extend(in_one(record, Kind::Record)?.rows);
        return Ok(rows);
    }
    if of_record.is_empty() {
        return in_one(map, Kind::Map);
    }
    if of_map.is_empty() {
        return in_one(record, Kind::Record);
    }
    if map.len().saturating_add(record.len()) > limits.memory as u64 {
        return Err(StoreError::TooBig { limit: limits.memory });
    }
    let both = Engine::in_memory()?;
    copy(map, &of_map, &both)?;
    copy(record, &of_record, &both)?;
    both.ask(script, limits).map(to_rows)
}

/// Brings relations into another engine; where their database is not there they are empty.
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

/// What a script answers where there is no database: the same relations, empty.
fn over_nothing(kind: Kind, script: &str, limits: &Limits) -> Result<Rows> {
    let engine = Engine::in_memory()?;
    schema::create(&engine, kind)?;
    engine.ask(script, limits).map(to_rows)
}

/// Refuses what could hurt before anybody looks into it.
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
                "of the system commands only ::{} may be asked",
                SYSTEM.join(", ::")
            ));
        }
    }
    for maker in ["int_range", "rand_vec"] {
        for (at, name) in script.match_indices(maker) {
            if !is_small_range(&script[at + name.len()..]) {
                let reason = format!("`{name}` takes written numbers, at most {MAX_RANGE} apart");
                return refused(&reason);
            }
        }
    }
    Ok(())
}

/// Whether `(a)` or `(a, b)` follows, in digits, for few numbers.
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
