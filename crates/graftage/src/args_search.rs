//! Arguments of the commands that find code.

use clap::{Args as ClapArgs, ValueEnum};

#[derive(Debug, ClapArgs)]
pub(crate) struct Search {
    /// A description, a name, an error, a stack trace, a diff; `-` reads standard input
    pub(crate) query: String,
    /// So many hits at most
    #[arg(short, value_name = "N", default_value_t = 10)]
    pub(crate) k: usize,
    /// What the query is for [default: a compromise between the two]
    #[arg(long)]
    pub(crate) intent: Option<Intent>,
    /// What is ranked
    #[arg(long, default_value = "item")]
    pub(crate) by: By,
    /// Which sides of the index are asked
    #[arg(long, default_value = "hybrid")]
    pub(crate) mode: Mode,
    /// Only what is near to this file, folder or item
    #[arg(long, value_name = "PATH or ITEM")]
    pub(crate) focus: Option<String>,
    /// Say what every stage and feature gave
    #[arg(long)]
    pub(crate) explain: bool,
    /// Show the first lines of each hit
    #[arg(long)]
    pub(crate) preview: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Context {
    /// What is to be done: an issue, an error, a wish; `-` reads standard input
    pub(crate) task: String,
    /// So many tokens at most, reserve included
    #[arg(long, value_name = "TOKENS", default_value_t = 4000)]
    pub(crate) budget: usize,
    /// Tokens of the budget that are left free for the rest of the prompt
    #[arg(long, value_name = "TOKENS", default_value_t = 0)]
    pub(crate) reserve: usize,
    /// What the task is for
    #[arg(long, default_value = "locate")]
    pub(crate) intent: Intent,
    /// Only what is near to this file, folder or item
    #[arg(long, value_name = "PATH or ITEM")]
    pub(crate) focus: Option<String>,
}

/// What a question is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Intent {
    /// It describes an item
    Find,
    /// It says what must change: where?
    Locate,
}

impl From<Intent> for tools::Intent {
    fn from(intent: Intent) -> Self {
        match intent {
            Intent::Find => Self::Find,
            Intent::Locate => Self::Locate,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// Functions, types, impls …
    Item,
    /// Files
    File,
}

impl From<By> for tools::By {
    fn from(by: By) -> Self {
        match by {
            By::Item => Self::Item,
            By::File => Self::File,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Words alone
    Bm25,
    /// Vectors alone
    Dense,
    /// Both
    Hybrid,
}

impl From<Mode> for tools::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Bm25 => Self::Bm25,
            Mode::Dense => Self::Dense,
            Mode::Hybrid => Self::Hybrid,
        }
    }
}
