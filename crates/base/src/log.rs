//! [`LogEntry`]: a finished piece of work with its numbers, and [`WorkLog`], which gets it. Work that measures itself
//! offers an entry through [`Ctx::log`](crate::Ctx::log); without a log nothing is formatted.

/// A finished piece of work.
#[derive(Clone, Copy, Debug)]
pub struct LogEntry<'a> {
    /// Name of the kind of work, with its part after a dot: `search.lexical`.
    pub name: &'static str,
    /// Description of this one: the program that ran, the query.
    pub detail: &'a str,
    /// Duration in microseconds.
    pub micros: u64,
    /// Numbers with their names.
    pub numbers: &'a [(&'static str, u64)],
}

/// Receiver of entries.
pub trait WorkLog: Send + Sync {
    /// Takes the entry of work that ended now.
    fn finished(&self, entry: &LogEntry<'_>);
}
