//! Why the files of a model are not one that can be run, or why a text has no tokens.

/// Reason why a configuration or a tokenizer is not used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BertFault {
    /// The configuration is no JSON of the expected form.
    #[error("`config.json` is not a BERT configuration: {0}")]
    Config(serde_json::Error),
    /// The model has another architecture.
    #[error("its model type is `{0}`, not `bert`")]
    ModelType(String),
    /// The layers have another form.
    #[error("its activation or position embedding is not that of BERT")]
    Layers,
    /// A size is zero, too large or does not divide.
    #[error("its sizes are invalid")]
    Sizes,
    /// The tokenizer cannot be read.
    #[error("`tokenizer.json` is invalid: {0}")]
    Tokenizer(tokenizers::Error),
    /// The tokenizer is one of another network.
    #[error("its tokenizer has more tokens than its network")]
    Vocabulary,
    /// The tokenizer refuses its settings or a text.
    #[error("{0}")]
    Tokens(tokenizers::Error),
    /// A text has no tokens.
    #[error("a text has no tokens")]
    NoTokens,
    /// The batch is no tensor.
    #[error(transparent)]
    Tensor(#[from] candle_core::Error),
}
