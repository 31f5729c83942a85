//! The database engine. Only this file calls it, and no type of the engine leaves the crate.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use cozo::{
    CustomAggrRegistries, DataValue, DbInstance, NamedRows, ScriptMutability, ScriptRunOptions,
    ValidityTs,
};

use crate::{Result, ScriptLimits, StoreError};

/// Parameters of scripts by name.
pub(super) type Params = BTreeMap<String, DataValue>;

/// Relations by name; a leading `-` deletes by key. One call of [`Engine::import`] is one
/// transaction, deletions first.
pub(super) type Tables = BTreeMap<String, NamedRows>;

/// The engine over one file, or in memory. Its panics – it has some on damaged files – become
/// errors.
pub(super) struct Engine(DbInstance);

/// The kinds of scripts that we distinguish.
pub(super) enum Script {
    /// One query.
    Query {
        /// The script uses `:sleep`.
        sleeps: bool,
    },
    /// Control flow or several blocks.
    Imperative,
    /// A system command such as `::relations`.
    System,
}

impl Engine {
    /// Opens a file created by [`super::layout::lay_out`].
    pub(super) fn open(path: &Path) -> Result<Self> {
        guarded("open the database", || DbInstance::new("sqlite", path, "")).map(Self)
    }

    /// An empty database in memory.
    pub(super) fn in_memory() -> Result<Self> {
        guarded("open memory", || DbInstance::new("mem", "", "")).map(Self)
    }

    /// Runs one of our scripts that writes, in its own transaction.
    pub(super) fn run(&self, action: &'static str, script: &str) -> Result<()> {
        guarded(action, || {
            self.0.run_script(script, Params::new(), ScriptMutability::Mutable).map(drop)
        })
    }

    /// Runs one of our scripts that reads.
    pub(super) fn read(&self, script: &str, params: Params) -> Result<Vec<Vec<DataValue>>> {
        guarded("read", || self.0.run_script(script, params, ScriptMutability::Immutable))
            .map(|rows| rows.rows)
    }

    /// Runs a user's script within limits.
    pub(super) fn ask(&self, script: &str, limits: &ScriptLimits) -> Result<NamedRows> {
        let options = ScriptRunOptions::new()
            .with_timeout(limits.time.as_secs_f64())
            .with_mem_limit(limits.memory);
        let run = || {
            let none = Params::new();
            self.0.run_script_with_options(script, none, ScriptMutability::Immutable, options)
        };
        guarded_script(limits, run)
    }

    /// Parses a user's script.
    pub(super) fn parse(&self, script: &str, limits: &ScriptLimits) -> Result<Script> {
        let parse = || {
            let (meet, bounded) = (self.0.get_custom_aggrs(), self.0.get_custom_bounded_meets());
            let registries = CustomAggrRegistries { meet: &meet, bounded: &bounded };
            let now = ValidityTs(std::cmp::Reverse(0));
            let rules = self.0.get_fixed_rules();
            cozo::parse::parse_script(script, &Params::new(), &rules, registries, now)
        };
        Ok(match guarded_script(limits, parse)? {
            cozo::parse::CozoScript::Single(program) => {
                Script::Query { sleeps: program.out_opts.sleep.is_some() }
            }
            cozo::parse::CozoScript::Imperative(_) => Script::Imperative,
            cozo::parse::CozoScript::Sys(_) => Script::System,
        })
    }

    /// Writes and deletes rows of several relations in one transaction.
    pub(super) fn import(&self, tables: Tables) -> Result<()> {
        guarded("write rows", || self.0.import_relations(tables))
    }
}

/// The engine's message for a script that would write; it has no error code.
const NO_WRITES: &str = "write lock required";

/// Runs a user's script: errors concern the script.
fn guarded_script<T>(
    limits: &ScriptLimits,
    run: impl FnOnce() -> std::result::Result<T, cozo::Error>,
) -> Result<T> {
    let Ok(result) = catch_unwind(AssertUnwindSafe(run)) else {
        let reason = "the engine panicked".to_owned();
        return Err(StoreError::Script { reason, advice: None });
    };
    result.map_err(|report| match report.code().map(|code| code.to_string()).as_deref() {
        Some("eval::timeout") => StoreError::TooLong { limit: limits.time },
        Some("eval::mem_budget_exceeded") => StoreError::TooBig { limit: limits.memory },
        _ if report.to_string().starts_with(NO_WRITES) => {
            StoreError::Refused { reason: "it writes a relation".to_owned() }
        }
        _ => StoreError::Script {
            reason: in_one_line(&chain(&report)),
            advice: report.help().map(|help| in_one_line(&help.to_string())),
        },
    })
}

/// Runs one of our calls: errors concern the engine or the file.
fn guarded<T>(
    action: &'static str,
    run: impl FnOnce() -> std::result::Result<T, cozo::Error>,
) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(report)) => Err(StoreError::Engine { action, reason: in_one_line(&chain(&report)) }),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            let reason = in_one_line(text.unwrap_or("it panicked"));
            Err(StoreError::Engine { action, reason })
        }
    }
}

fn chain(report: &cozo::Error) -> String {
    let mut parts: Vec<String> = report.chain().map(ToString::to_string).collect();
    parts.dedup();
    parts.join(": ")
}

/// Messages of the engine quote scripts and paths: remove line breaks and control characters.
fn in_one_line(text: &str) -> String {
    let clean = text.replace(|c: char| c.is_control(), " ");
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}
