//! Arguments of the commands that ask the map.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

#[derive(Debug, ClapArgs)]
pub(crate) struct Index {
    /// Read and resolve everything again, as if nothing had been indexed before
    #[arg(long)]
    pub(crate) full: bool,
    /// Stay, and bring the map up to date after each change
    #[arg(long)]
    pub(crate) watch: bool,
    /// Put the vectors into the database too, with an index over them (HNSW) that scripts of
    /// `query` can join: `~embeddings:near{id | query: v, k: 10, ef: 50, bind_distance: d}`
    #[arg(long, conflicts_with = "watch")]
    pub(crate) hnsw: bool,
    /// Leave out what this file names, in the format of .gitignore
    #[arg(long, value_name = "FILE")]
    pub(crate) ignore_file: Vec<PathBuf>,
    /// Whether rust-analyzer is asked what names mean
    #[arg(long, value_name = "MODE", default_value = "off")]
    pub(crate) analyzer: Analyzer,
}

/// Whether rust-analyzer is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Analyzer {
    /// Not now; what it said before is used where it still holds
    Off,
    /// About the whole workspace: about 0.6 CPU seconds for 1,000 lines, once; runs build scripts
    /// and procedural macros in the sandbox
    Batch,
    /// As batch, and with --watch about each file that is saved
    Live,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Stream {
    /// The workspace [default: as `-C`]
    pub(crate) path: Option<PathBuf>,
    /// Leave out what this file names, in the format of .gitignore
    #[arg(long, value_name = "FILE")]
    pub(crate) ignore_file: Vec<PathBuf>,
    /// What to do with items that did not parse
    #[arg(long, default_value = "auto")]
    pub(crate) parser_mode: ParserMode,
    /// Where the records go
    #[arg(long, default_value = "stdout")]
    pub(crate) output: StreamOutput,
    /// So many edges of one kind leave an item at most, the heaviest
    #[arg(long, value_name = "N")]
    pub(crate) fanout_cap: Option<usize>,
    /// The encoder whose vectors to add
    #[arg(long, value_name = "NAME")]
    pub(crate) ann_model: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ParserMode {
    /// Hand on everything
    Tolerant,
    /// Report items that did not parse and leave them out
    Strict,
    /// Hand on everything, what did not parse marked
    Auto,
}

impl From<ParserMode> for tools::ParserMode {
    fn from(mode: ParserMode) -> Self {
        match mode {
            ParserMode::Tolerant => Self::Tolerant,
            ParserMode::Strict => Self::Strict,
            ParserMode::Auto => Self::Auto,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StreamOutput {
    /// Into the database that `query` asks
    Cozo,
    /// To standard output, one JSON document a line
    Stdout,
}

impl From<StreamOutput> for tools::StreamOutput {
    fn from(output: StreamOutput) -> Self {
        match output {
            StreamOutput::Cozo => Self::Cozo,
            StreamOutput::Stdout => Self::Stdout,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Show {
    /// An item: its canonical path, its key, its id, or the end of its path (`Type::method`)
    pub(crate) item: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Walk {
    /// An item: its canonical path, its key, its id, or the end of its path (`Type::method`)
    pub(crate) item: String,
    /// So many steps at most
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) depth: u32,
    /// Follow these [default: calls; of what cannot be called also uses and implementations]
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(crate) kinds: Vec<EdgeKind>,
    /// Show so many items at most
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) surety: Surety,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Impact {
    /// An item, or a file with an edit (`-` reads standard input) [default: the uncommitted work]
    #[arg(value_name = "ITEM or DIFF")]
    pub(crate) of: Option<String>,
    #[command(flatten)]
    pub(crate) surety: Surety,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Path {
    /// From this item
    pub(crate) from: String,
    /// To this item
    pub(crate) to: String,
    /// Follow these [default: all but containment, and that too where nothing else leads there]
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(crate) kinds: Vec<EdgeKind>,
    #[command(flatten)]
    pub(crate) surety: Surety,
}

/// How sure an answer has to be, and how much it says of that.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Surety {
    /// Leave out what is not proven
    #[arg(long)]
    pub(crate) proven: bool,
    /// Say of each edge by which rule it was found, and list the sites that could be more
    #[arg(long)]
    pub(crate) explain: bool,
}

/// The kinds of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EdgeKind {
    /// A crate, file, module, type, trait or impl holds an item
    Contains,
    /// A function calls a function, or invokes a macro
    Calls,
    /// A type implements a trait, a method the trait's method
    Implements,
    /// An item names a type, trait, constant or macro, or imports something
    Uses,
    /// A crate or module depends on another
    Depends,
    /// An item stands behind a cargo feature
    FeatureGatedBy,
}

impl From<EdgeKind> for base::EdgeKind {
    fn from(kind: EdgeKind) -> Self {
        match kind {
            EdgeKind::Contains => Self::Contains,
            EdgeKind::Calls => Self::Calls,
            EdgeKind::Implements => Self::Implements,
            EdgeKind::Uses => Self::Uses,
            EdgeKind::Depends => Self::Depends,
            EdgeKind::FeatureGatedBy => Self::FeatureGatedBy,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Query {
    /// The script, in CozoScript; `-` reads standard input
    #[arg(value_name = "DATALOG")]
    pub(crate) script: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Docs {
    /// The folder to fill [default: `docs/generated` in the project]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
