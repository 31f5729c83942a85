/// Counts tokens as a model's tokenizer does, or never fewer.
pub trait CountTokens: Send + Sync {
    /// How many tokens a text has, at most.
    fn count(&self, text: &str) -> usize;
}

/// [`count_tokens_in_code`] as a counter: for when no tokenizer file is at hand.
#[derive(Clone, Copy, Debug, Default)]
pub struct UpperBound;

impl CountTokens for UpperBound {
    fn count(&self, text: &str) -> usize {
        count_tokens_in_code(text)
    }
}

/// How many tokens a byte-pair tokenizer makes of a text, at most.
pub fn count_tokens_in_code(text: &str) -> usize {
    text.len()
}
