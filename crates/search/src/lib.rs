//! Code search: ranked, explained hits for a query, and packing of hits into a token budget.
//!
//! [`tokens`] splits text into terms; [`file_terms`] computes the bags of terms of one file; an
//! [`IndexBuilder`] combines the bags of all files into the bytes of a [`SearchIndex`], which is
//! read in place. A [`Searcher`] runs the stages of a query: lexical and dense candidates →
//! expansion and pruning by the graph → features, each with a description → one linear scorer with
//! [`Weights`] per [`Intent`] → an optional reranker → maximal marginal relevance. [`pack`] selects
//! what fits into a token budget. [`rank_passages`] ranks short texts beside the map, with the same terms
//! and vectors.
//!
//! Invariants: pure – bytes in, bytes out; no file, process, clock or environment. The same files
//! give the same index bytes in any order, and the same query gives the same answer. A damaged
//! index is detected by [`SearchIndex::open`] ([`SearchIndexError`]), and no input causes a panic. A stage
//! that is switched off or cannot run is skipped and reported in [`RankedHits::stages`]. [`pack`] never
//! exceeds its budget.

mod analyse;
mod answer;
mod by_number;
mod bytes;
mod cache;
mod centrality;
mod document;
mod encoder;
mod features;
mod files;
mod focus;
mod index;
mod lexical;
mod mmr;
mod pack;
mod passages;
mod past;
mod query;
mod ranker;
mod rerank;
mod scratch;
mod search;
mod shape;
mod terms;
mod tokenize;
mod top;
pub mod vectors;
mod weights;

pub use answer::{FileHit, Hit, PathStep, RankedHits, Skipped, StageReport};
pub use cache::AnswerCache;
pub use document::{Document, FileDocuments, FileOrigin};
pub use encoder::{
    Encoder, ModelEncoder, StaticTable, TableError, TableParts, TextModel, TextModelError,
    table_bytes,
};
pub use features::{Feature, FeatureGroup, features};
pub use files::file_features;
pub use index::{IndexBuilder, SearchIndex, SearchIndexError};
pub use pack::{
    CountTokens, Detail, PackRequest, Packed, Snippet, SnippetRole, Texts, UpperBound,
    count_tokens_in_code, pack,
};
pub use passages::{Passage, PassageHit, rank_passages};
pub use past::HistoryIndex;
pub use query::{Focus, Intent, Mode, Query, QueryKind, Sizes, Stages};
pub use ranker::Ranker;
pub use rerank::{Rerank, RerankInput};
pub use search::Searcher;
pub use terms::{FileTerms, code_bag, file_terms, query_bag, read_vectors};
pub use tokenize::{TOKENIZER_VERSION, tokens};
pub use vectors::FileVectors;
pub use weights::{Weights, WeightsError};
