//! [`Query`]: the text to search for and the parameters of the search.

/// A search query with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// Text: a description, a name, a commit message, an error, a stack trace, a diff.
    pub text: String,
    /// Intent; `None`: weights between those of the two intents.
    pub intent: Option<Intent>,
    /// Candidate sources: lexical, dense or both.
    pub mode: Mode,
    /// Maximum number of hits, and of files.
    pub k: usize,
    /// Items and files that the user works on; nearness to them prunes or weighs candidates.
    pub focus: Option<Focus>,
    /// Stages to run.
    pub stages: Stages,
    /// Numbers of candidates by stage.
    pub sizes: Sizes,
    /// Whether files are asked for: then the texts of the best are searched, where there are texts.
    pub by_file: bool,
    /// Whether to report every feature of each hit, not only the scores of the stages.
    pub explain: bool,
}

impl Query {
    /// A query with all stages of a search.
    pub fn new(text: impl Into<String>, k: usize) -> Self {
        Self {
            text: text.into(),
            intent: None,
            mode: Mode::Hybrid,
            k,
            focus: None,
            stages: Stages::SEARCH,
            sizes: Sizes::default(),
            by_file: false,
            explain: false,
        }
    }
}

base::named_enum! {
    /// The purpose of a query; each has its own weights.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Intent {
        /// Find the item that the text describes.
        Find = "find",
        /// Locate the code to change for what the text describes.
        Locate = "locate",
    }
}

base::named_enum! {
    /// The sources of candidates.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Mode {
        /// Lexical only.
        Bm25 = "bm25",
        /// Vectors only.
        Dense = "dense",
        /// Both.
        Hybrid = "hybrid",
    }
}

/// The items and files that the user works on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// Item numbers in the map.
    pub items: Vec<u32>,
    /// File numbers in the map.
    pub files: Vec<u32>,
    /// Whether to drop items that are not near; else nearness only counts as a feature.
    pub prune: bool,
}

/// The stages of a search; each can be switched off separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "switches, not states")]
pub struct Stages {
    /// Query expansion: adds similar terms from the encoder's table.
    pub expansion: bool,
    /// Graph: adds neighbours of the best candidates, and prunes by the focus.
    pub graph: bool,
    /// Features about the code; without them only lexical and vector scores count.
    pub rules: bool,
    /// Terms of whole files and of their paths.
    pub files: bool,
    /// Reciprocal rank fusion in place of weighted fusion.
    pub reciprocal: bool,
    /// Reranking, where a reranker is configured.
    pub rerank: bool,
    /// Maximal marginal relevance: moves similar hits down.
    pub mmr: bool,
}

impl Stages {
    /// The stages of a search.
    pub const SEARCH: Stages = Stages {
        expansion: true,
        graph: true,
        rules: true,
        files: true,
        reciprocal: false,
        rerank: true,
        mmr: false,
    };
    /// The stages of packing: those of a search, with maximal marginal relevance.
    pub const CONTEXT: Stages = Stages { mmr: true, ..Self::SEARCH };
    /// Lexical and vector scores only.
    pub const PLAIN: Stages = Stages {
        expansion: false,
        graph: false,
        rules: false,
        files: false,
        reciprocal: false,
        rerank: false,
        mmr: false,
    };
}

/// The numbers of candidates by stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Number of best lexical candidates.
    pub lexical: usize,
    /// Number of best candidates by vector.
    pub dense: usize,
    /// Number of best candidates whose neighbours are added.
    pub graph_seeds: usize,
    /// Maximum number of neighbours that are added.
    pub graph_added: usize,
    /// Number of candidates that are reranked.
    pub rerank: usize,
    /// Weight of relevance against novelty in maximal marginal relevance, 0 to 1.
    pub mmr_relevance: f32,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            lexical: 200,
            dense: 200,
            graph_seeds: 20,
            graph_added: 60,
            rerank: 30,
            mmr_relevance: 0.8,
        }
    }
}

base::named_enum! {
    /// The kind of text that a query is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum QueryKind {
        /// A name or path in the code.
        Symbol = "name",
        /// A file name, the end of a file path, or a glob over file paths.
        Path = "path",
        /// A sentence.
        Prose = "sentence",
        /// A question.
        Question = "question",
        /// A compiler message.
        ErrorText = "error",
        /// A stack trace.
        StackTrace = "trace",
        /// A diff.
        Diff = "diff",
    }
}
