//! Tokenization of texts and pairs into padded batches.

use candle_core::{Device, Tensor};
use tokenizers::{
    Encoding, PaddingParams, PaddingStrategy, Tokenizer, TruncationParams, TruncationStrategy,
};

use super::fault::BertFault;

pub(super) struct Tokens {
    tokenizer: Tokenizer,
}

/// A batch of texts, padded to the longest.
pub(super) struct Batch {
    pub(super) ids: Tensor,
    /// Token type: 0 for the first text of a pair, 1 for the second.
    pub(super) types: Tensor,
    /// Attention mask: 1 for a token, 0 for padding.
    pub(super) mask: Tensor,
}

impl Tokens {
    /// Loads `tokenizer.json`; texts are truncated to `most` tokens of at most `vocabulary` kinds.
    pub(super) fn open(json: &[u8], most: usize, vocabulary: usize) -> Result<Self, BertFault> {
        let mut tokenizer = Tokenizer::from_bytes(json).map_err(BertFault::Tokenizer)?;
        if tokenizer.get_vocab_size(true) > vocabulary {
            return Err(BertFault::Vocabulary);
        }
        let id = ["[PAD]", "<pad>"].iter().find_map(|token| tokenizer.token_to_id(token));
        tokenizer.with_padding(Some(PaddingParams {
            strategy: PaddingStrategy::BatchLongest,
            pad_id: id.unwrap_or(0),
            ..PaddingParams::default()
        }));
        let truncation = TruncationParams {
            max_length: most,
            strategy: TruncationStrategy::LongestFirst,
            ..TruncationParams::default()
        };
        tokenizer.with_truncation(Some(truncation)).map_err(BertFault::Tokens)?;
        Ok(Self { tokenizer })
    }

    pub(super) fn of_texts(&self, texts: &[&str]) -> Result<Batch, BertFault> {
        let all = self.tokenizer.encode_batch(texts.to_vec(), true);
        batch(&all.map_err(BertFault::Tokens)?)
    }

    pub(super) fn of_pairs(&self, query: &str, texts: &[&str]) -> Result<Batch, BertFault> {
        let pairs: Vec<(&str, &str)> = texts.iter().map(|text| (query, *text)).collect();
        let all = self.tokenizer.encode_batch(pairs, true);
        batch(&all.map_err(BertFault::Tokens)?)
    }
}

fn batch(all: &[Encoding]) -> Result<Batch, BertFault> {
    let len = all.first().map_or(0, Encoding::len);
    if len == 0 {
        return Err(BertFault::NoTokens);
    }
    let tensor = |of: fn(&Encoding) -> &[u32]| {
        let numbers: Vec<u32> = all.iter().flat_map(of).copied().collect();
        Tensor::from_vec(numbers, (all.len(), len), &Device::Cpu)
    };
    Ok(Batch {
        ids: tensor(Encoding::get_ids)?,
        types: tensor(Encoding::get_type_ids)?,
        mask: tensor(Encoding::get_attention_mask)?,
    })
}
