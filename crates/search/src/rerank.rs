/// Orders the best candidates anew, from the texts of query and item: a cross-encoder, near or
/// far.
pub trait Rerank: Send + Sync {
    /// Which model.
    fn name(&self) -> &str;

    /// One score for each candidate, greater is better; `None` where it cannot answer – the stage
    /// is then skipped and named.
    fn rerank(&self, query: &str, candidates: &[RerankInput]) -> Option<Vec<f32>>;

    /// Why there was no answer the last time, as a fragment; `None` where there was one, or nobody
    /// asked.
    fn trouble(&self) -> Option<String> {
        None
    }
}

/// What a [`Rerank`] sees of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RerankInput {
    /// Number of the item in the map.
    pub item: u32,
    /// Its canonical path.
    pub canon: String,
    /// Its text, doc comment included; the canonical path again where there are no texts.
    pub text: String,
}
