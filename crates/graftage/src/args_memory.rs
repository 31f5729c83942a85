//! Arguments of `memory`; the doc comments are the help texts.

use clap::{Args as ClapArgs, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum Memory {
    /// Find finished runs and proposals by a text: a task, an error, a name; without one the newest
    Search(MemorySearch),
    /// Hide memories and remove their texts; lists them first
    Forget(MemoryForget),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MemorySearch {
    /// Description, error code or name
    #[arg(default_value = "", hide_default_value = true)]
    pub(crate) text: String,
    /// Maximum number of results
    #[arg(short, value_name = "N", default_value_t = 10)]
    pub(crate) k: usize,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MemoryForget {
    /// Ids, or at least their first four characters, as `memory search` prints them
    #[arg(value_name = "ID", required_unless_present_any = ["all", "before"])]
    pub(crate) ids: Vec<String>,
    /// Forget everything
    #[arg(long, conflicts_with_all = ["ids", "before"])]
    pub(crate) all: bool,
    /// Forget what ended before this day (UTC)
    #[arg(long, value_name = "YYYY-MM-DD", conflicts_with = "ids", value_parser = day)]
    pub(crate) before: Option<base::Timestamp>,
    /// Do not ask
    #[arg(long)]
    pub(crate) yes: bool,
}

fn day(text: &str) -> Result<base::Timestamp, String> {
    base::Timestamp::of_date(text).ok_or_else(|| "use a day such as 2026-11-25".to_owned())
}
