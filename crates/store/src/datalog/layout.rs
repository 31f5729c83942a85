//! The SQLite file: creating, packing and examining it.

use std::path::Path;
use std::time::Duration;

use sqlite::{Connection, OpenFlags, State};

use crate::{Result, StoreError};

/// Our format version of the file; files of another version are not read.
const FORMAT: i64 = 1;

/// The SQLite application id of our files ("grft").
const APPLICATION: i64 = 0x6772_6674;

/// Creates an empty database file for the engine.
///
/// The engine would create its table itself, but with a rowid, so that each key is stored twice and
/// each lookup walks two trees. Without a rowid it is stored once. A row longer than a quarter of a
/// page continues in overflow pages, the last of them half empty: on tokio's map pages of 8 KiB
/// hold 7 % more than those of 4; still larger pages make each changed row more expensive.
pub(super) fn lay_out(path: &Path) -> Result<()> {
    let script = format!(
        "pragma page_size = 8192; pragma application_id = {APPLICATION}; \
         pragma user_version = {FORMAT}; \
         create table cozo (k blob primary key, v blob) without rowid;"
    );
    let flags = OpenFlags::new().with_create().with_read_write();
    Connection::open_with_flags(path, flags)
        .and_then(|connection| connection.execute(script))
        .map_err(|err| fault("make the database", &err))
}

/// Writes the file again as `packed`, with full pages: rows inserted in the order of their keys
/// leave pages half empty. The same rows give the same bytes.
pub(super) fn pack(path: &Path, packed: &Path) -> Result<()> {
    let failed = |err: sqlite::Error| fault("pack the database", &err);
    let not_text =
        || StoreError::Keep { path: packed.to_owned(), reason: "its name is not UTF-8".to_owned() };
    let flags = OpenFlags::new().with_read_write();
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    let mut statement = connection.prepare("vacuum into ?").map_err(failed)?;
    statement.bind((1, packed.to_str().ok_or_else(not_text)?)).map_err(failed)?;
    while statement.next().map_err(failed)? != State::Done {}
    Ok(())
}

/// Runs SQLite's own check, which first rolls back the transaction of a killed process: `Ok(None)`
/// if the file is intact, otherwise the problem.
pub(super) fn examine(path: &Path, patience: Duration) -> Result<Option<String>> {
    let connection = connect(path, patience)?;
    let value_of = |pragma: &str| -> Result<std::result::Result<String, sqlite::Error>> {
        let mut first = None;
        let result = connection.iterate(pragma, |columns| {
            first = first
                .take()
                .or_else(|| columns.first().and_then(|(_, it)| (*it)?.to_owned().into()));
            true
        });
        match result {
            Ok(()) => Ok(Ok(first.unwrap_or_default())),
            Err(err) if is_busy(&err) => Err(fault("examine the database", &err)),
            Err(err) => Ok(Err(err)),
        }
    };
    for (pragma, want) in [
        ("pragma integrity_check(1)", "ok".to_owned()),
        ("pragma application_id", APPLICATION.to_string()),
        ("pragma user_version", FORMAT.to_string()),
    ] {
        match value_of(pragma)? {
            Ok(found) if found == want => {}
            Ok(found) => return Ok(Some(format!("{} is `{found}`", &pragma["pragma ".len()..]))),
            Err(err) => return Ok(Some(err.to_string())),
        }
    }
    Ok(None)
}

/// Waits until no process that ignores our locks – a backup, an SQLite shell – uses the file: the
/// engine itself does not wait.
pub(super) fn await_foreign_locks(path: &Path, patience: Duration) -> Result<()> {
    let connection = connect(path, patience)?;
    match connection.execute("begin exclusive; rollback;") {
        Err(err) if is_busy(&err) => {
            Err(StoreError::Busy { path: path.to_owned(), waited: patience })
        }
        Err(err) => Err(fault("open the database", &err)),
        Ok(()) => Ok(()),
    }
}

fn connect(path: &Path, patience: Duration) -> Result<Connection> {
    let flags = OpenFlags::new().with_read_write();
    let millis = usize::try_from(patience.as_millis()).unwrap_or(usize::MAX);
    Connection::open_with_flags(path, flags)
        .and_then(|mut connection| {
            connection.set_busy_timeout(millis)?;
            Ok(connection)
        })
        .map_err(|err| fault("open the database", &err))
}

fn is_busy(err: &sqlite::Error) -> bool {
    // SQLITE_BUSY and SQLITE_LOCKED, the low byte of extended codes.
    matches!(err.code.map(|code| code & 0xff), Some(5 | 6))
}

fn fault(action: &'static str, err: &sqlite::Error) -> StoreError {
    StoreError::Engine { action, reason: err.to_string() }
}
