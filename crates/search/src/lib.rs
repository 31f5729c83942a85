//! Retrieval: the right code first, explained, within a budget.
//!
//! [`tokens`] cuts text into terms; [`file_terms`] makes the term bags of one file; an
//! [`IndexBuilder`] joins the bags of all files into the bytes of a [`SearchIndex`], which is read
//! where it lies. A [`Searcher`] asks it: lexical and dense candidates → the graph widens and
//! prunes → features, each a named unit that explains itself → one linear scorer with
//! [`Weights`] per [`Intent`] → a reranker where there is one → maximal marginal relevance.
//! [`pack`] fits the hits into a token budget.
//!
//! Invariants: pure – bytes in, bytes out; no file, process, clock or environment. The same files
//! give the same bytes of index whatever their order, and the same query the same answer. A
//! damaged index is noticed at [`SearchIndex::open`] ([`Damaged`]), and no bytes lead to a panic. A
//! stage that is switched off or lacks its means is skipped and named in [`Answer::stages`].
//! [`pack`] never exceeds its budget.

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
mod impact;
mod index;
mod lexical;
mod mmr;
mod pack;
mod past;
mod query;
mod ranker;
mod rerank;
mod retrieve;
mod scratch;
mod search;
mod shape;
mod terms;
mod tokenize;
mod top;
pub mod vectors;
mod walk;
mod weights;

pub use answer::{Answer, FileHit, Hit, PathStep, Skipped, StageReport};
pub use cache::AnswerCache;
pub use document::{Document, Origin, SourceFile};
pub use encoder::{
    Encoder, Reader, ReadingEncoder, StaticTable, TableError, TableParts, table_bytes,
};
pub use features::{Feature, Part, features};
pub use index::{Damaged, IndexBuilder, SearchIndex};
pub use pack::{
    CountTokens, Detail, PackRequest, Packed, Snippet, Texts, UpperBound, count_tokens_in_code,
    pack,
};
pub use past::Past;
pub use query::{Focus, Intent, Mode, Query, QueryKind, Sizes, Stages};
pub use ranker::Ranker;
pub use rerank::{Rerank, RerankInput};
pub use retrieve::{NEAREST, Neighbour, Probe, nearest, surroundings};
pub use search::Searcher;
pub use terms::{FileTerms, code_bag, doc_bag, file_terms, query_bag, read_vectors};
pub use tokenize::{TOKENIZER_VERSION, tokens};
pub use vectors::FileVectors;
pub use weights::{Weights, WeightsError};
