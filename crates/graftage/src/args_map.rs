//! Arguments of the map commands; the doc comments are the help texts.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

#[derive(Debug, ClapArgs)]
pub(crate) struct Index {
    /// Rebuild the map from scratch
    #[arg(long)]
    pub(crate) full: bool,
    /// Keep running and update the map after each change
    #[arg(long)]
    pub(crate) watch: bool,
    /// Write the vectors into the database too, with an HNSW index for scripts of `query`:
    /// `~embeddings:near{id | query: v, k: 10, ef: 50, bind_distance: d}`. Takes about 3 ms of CPU
    /// for each item; a change of the map drops it. `search` is faster without it
    #[arg(long, conflicts_with = "watch")]
    pub(crate) hnsw: bool,
    /// Ignore the paths in this file, in the format of .gitignore (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) ignore_file: Vec<PathBuf>,
    /// Use of rust-analyzer to resolve names
    #[arg(long, value_name = "MODE", default_value = "off")]
    pub(crate) analyzer: Analyzer,
}

/// Use of rust-analyzer to resolve names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Analyzer {
    /// Do not run; earlier results are used for unchanged files
    Off,
    /// Run once on the whole workspace: about 0.6 CPU seconds per 1,000 lines; runs build scripts
    /// and procedural macros in the sandbox
    Batch,
    /// As batch, and with --watch also on each saved file
    Live,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Stream {
    /// Directory of the workspace [default: as `-C`]
    pub(crate) path: Option<PathBuf>,
    /// Ignore the paths in this file, in the format of .gitignore (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) ignore_file: Vec<PathBuf>,
    /// Handling of items that did not parse
    #[arg(long, default_value = "auto")]
    pub(crate) parser_mode: ParserMode,
    /// Destination of the records
    #[arg(long, default_value = "stdout")]
    pub(crate) output: StreamOutput,
    /// Maximum number of edges of one kind per source item; keeps the highest weights
    #[arg(long, value_name = "N")]
    pub(crate) fanout_cap: Option<usize>,
    /// Encoder whose vectors to add; none is supported yet, so only `none` is accepted
    #[arg(long, value_name = "NAME")]
    pub(crate) ann_model: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ParserMode {
    /// Write all items, without canonical signatures
    Tolerant,
    /// Report items that did not parse, and omit them
    Strict,
    /// Write all items, and mark those that did not parse
    Auto,
}

impl From<ParserMode> for code::ParserMode {
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
    /// The database of `query`
    Cozo,
    /// Standard output, one JSON document per line
    Stdout,
}

impl From<StreamOutput> for code::StreamOutput {
    fn from(output: StreamOutput) -> Self {
        match output {
            StreamOutput::Cozo => Self::Cozo,
            StreamOutput::Stdout => Self::Stdout,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Show {
    /// Item: canonical path, end of that path (`Type::method`), key, id, or `FILE:LINE`
    pub(crate) item: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Walk {
    /// Item: canonical path, end of that path (`Type::method`), key, id, or `FILE:LINE`
    pub(crate) item: String,
    /// Maximum number of edges from the item
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) depth: u32,
    /// Edge kinds to follow [default: calls; for items that cannot be called also uses and
    /// implementations]
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(crate) kinds: Vec<EdgeKind>,
    /// Maximum number of items
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) certainty: Certainty,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Impact {
    /// Item, or file with an edit (`-` reads standard input) [default: uncommitted changes]
    #[arg(value_name = "ITEM or DIFF")]
    pub(crate) of: Option<String>,
    #[command(flatten)]
    pub(crate) certainty: Certainty,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Path {
    /// Start item
    pub(crate) from: String,
    /// Target item
    pub(crate) to: String,
    /// Edge kinds to follow [default: all except containment; with containment if there is no other
    /// path]
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(crate) kinds: Vec<EdgeKind>,
    #[command(flatten)]
    pub(crate) certainty: Certainty,
}

/// Certainty of results.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Certainty {
    /// Follow proven edges only
    #[arg(long)]
    pub(crate) proven: bool,
    /// Show the rule of each edge, and list unresolved sites
    #[arg(long)]
    pub(crate) explain: bool,
}

/// The kinds of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EdgeKind {
    /// A crate, file, module, type, trait or impl contains an item
    Contains,
    /// A function calls a function, or invokes a macro
    Calls,
    /// A type implements a trait, a method the trait's method
    Implements,
    /// An item names a type, trait, constant or macro, or imports something
    Uses,
    /// A crate or module depends on another
    Depends,
    /// An item is enabled by a cargo feature
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
    /// Script in CozoScript; `-` reads standard input. `::relations` lists the relations: those of
    /// the map, and `codegraph`, `edit_proposals`, `tool_calls`, `retrieval_events`, `episodes` of the record, and
    /// `rules`, `rule_references`, `skills`, `skill_references`
    #[arg(value_name = "DATALOG")]
    pub(crate) script: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Docs {
    /// Output directory [default: `docs/generated` in the project]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
