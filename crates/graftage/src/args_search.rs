//! Arguments of the search commands; the doc comments are the help texts.

use clap::{Args as ClapArgs, ValueEnum};

#[derive(Debug, ClapArgs)]
pub(crate) struct Search {
    /// Description, name, error, stack trace or diff; `-` reads standard input
    pub(crate) query: String,
    /// Maximum number of results
    #[arg(short, value_name = "N", default_value_t = 10)]
    pub(crate) k: usize,
    /// Purpose of the query [default: mixed]
    #[arg(long)]
    pub(crate) intent: Option<Intent>,
    /// Unit of the results
    #[arg(long, default_value = "item")]
    pub(crate) by: By,
    /// Parts of the search index to use
    #[arg(long, default_value = "hybrid")]
    pub(crate) mode: Mode,
    /// Only results near this file, directory or item
    #[arg(long, value_name = "PATH or ITEM")]
    pub(crate) focus: Option<String>,
    /// Show the score of every stage and feature
    #[arg(long)]
    pub(crate) explain: bool,
    /// Show the first lines of each result
    #[arg(long)]
    pub(crate) preview: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Context {
    /// Text of the task: an issue, an error, a request; `-` reads standard input
    pub(crate) task: String,
    /// Maximum number of tokens, reserve included
    #[arg(long, value_name = "TOKENS", default_value_t = 4000)]
    pub(crate) budget: usize,
    /// Tokens of the budget to leave free for the rest of the prompt
    #[arg(long, value_name = "TOKENS", default_value_t = 0)]
    pub(crate) reserve: usize,
    /// Purpose of the text
    #[arg(long, default_value = "locate")]
    pub(crate) intent: Intent,
    /// Only results near this file, directory or item
    #[arg(long, value_name = "PATH or ITEM")]
    pub(crate) focus: Option<String>,
}

/// Purpose of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Intent {
    /// Find an item that the text describes
    Find,
    /// Find the code that a task must change
    Locate,
}

impl From<Intent> for code::Intent {
    fn from(intent: Intent) -> Self {
        match intent {
            Intent::Find => Self::Find,
            Intent::Locate => Self::Locate,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// Items: functions, types, impls
    Item,
    /// Files
    File,
}

impl From<By> for code::SearchUnit {
    fn from(by: By) -> Self {
        match by {
            By::Item => Self::Item,
            By::File => Self::File,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Terms only
    Bm25,
    /// Vectors only
    Dense,
    /// Terms and vectors
    Hybrid,
}

impl From<Mode> for code::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Bm25 => Self::Bm25,
            Mode::Dense => Self::Dense,
            Mode::Hybrid => Self::Hybrid,
        }
    }
}
