//! [`Rerank`]: the interface of rerankers, which `model` implements.

/// Scores the best candidates again from the texts of query and item, usually by a cross-encoder.
pub trait Rerank: Send + Sync {
    /// The name of the model.
    fn name(&self) -> &str;

    /// One score per candidate, greater is better; `None` on failure – then the stage is reported
    /// as skipped.
    fn rerank(&self, query: &str, candidates: &[RerankInput]) -> Option<Vec<f32>>;

    /// Why the last call failed, as a fragment; `None` where it succeeded or there was none.
    fn trouble(&self) -> Option<String> {
        None
    }
}

/// One candidate, as a [`Rerank`] gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RerankInput {
    /// Item number in the map.
    pub item: u32,
    /// Canonical path.
    pub canon: String,
    /// Text with doc comment; the canonical path where texts are missing.
    pub text: String,
}
