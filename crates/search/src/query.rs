/// What one wants to know, and how to look for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The words: a description, a name, a commit message, an error, a stack trace, a diff.
    pub text: String,
    /// What for; `None`: the weights between the two.
    pub intent: Option<Intent>,
    /// Which sides are asked.
    pub mode: Mode,
    /// How many hits and files at most.
    pub k: usize,
    /// Where one stands; prunes and weighs by nearness.
    pub focus: Option<Focus>,
    /// Which stages run.
    pub stages: Stages,
    /// How many candidates go from stage to stage.
    pub sizes: Sizes,
    /// Keep every feature of each hit, not only the stages' scores.
    pub explain: bool,
}

impl Query {
    /// A query with all stages of searching on.
    pub fn new(text: impl Into<String>, k: usize) -> Self {
        Self {
            text: text.into(),
            intent: None,
            mode: Mode::Hybrid,
            k,
            focus: None,
            stages: Stages::SEARCH,
            sizes: Sizes::default(),
            explain: false,
        }
    }
}

/// What a question is for; each has weights of its own, since no one setting serves both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Intent {
    /// The text describes an item.
    Find,
    /// The text says what must change: where?
    Locate,
}

impl Intent {
    /// As the command line spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Find => "find",
            Self::Locate => "locate",
        }
    }
}

/// Which sides of the index are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Words alone.
    Bm25,
    /// Vectors alone.
    Dense,
    /// Both.
    Hybrid,
}

impl Mode {
    /// As the command line spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bm25 => "bm25",
            Self::Dense => "dense",
            Self::Hybrid => "hybrid",
        }
    }
}

/// Where one stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// Numbers of items in the map.
    pub items: Vec<u32>,
    /// Numbers of files in the map.
    pub files: Vec<u32>,
    /// Leave out what is not near; else nearness only weighs.
    pub prune: bool,
}

/// Which stages run; each by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "switches, not states")]
pub struct Stages {
    /// Query terms bring their neighbours of the encoder's table.
    pub expansion: bool,
    /// The graph adds neighbours of the best, and prunes by the focus.
    pub graph: bool,
    /// Rules over facts of the code; without them words and vectors alone decide.
    pub rules: bool,
    /// The words of whole files and of their paths weigh in.
    pub files: bool,
    /// Fuse by reciprocal ranks, not by weights.
    pub reciprocal: bool,
    /// The reranker, where there is one.
    pub rerank: bool,
    /// Maximal marginal relevance: the alike stand back.
    pub mmr: bool,
}

impl Stages {
    /// What a search runs.
    pub const SEARCH: Stages = Stages {
        expansion: true,
        graph: true,
        rules: true,
        files: true,
        reciprocal: false,
        rerank: true,
        mmr: false,
    };
    /// What packing asks for: as a search, and the alike stand back.
    pub const CONTEXT: Stages = Stages { mmr: true, ..Self::SEARCH };
    /// Words and vectors, nothing else.
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

/// How many candidates go from stage to stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Best by words.
    pub lexical: usize,
    /// Best by vectors.
    pub dense: usize,
    /// Neighbours are taken of so many best.
    pub graph_seeds: usize,
    /// And so many at most are added.
    pub graph_added: usize,
    /// The reranker sees so many.
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

/// What sort of text a query is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    /// A name or path of the code.
    Symbol,
    /// Words.
    Prose,
    /// What a compiler said.
    ErrorText,
    /// Where a program stood.
    StackTrace,
    /// A patch.
    Diff,
}
