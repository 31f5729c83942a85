//! BERT models run by candle: as a cross-encoder that scores query and text together, or as an
//! encoder that ranks by cosine.

mod config;
mod fault;
mod forward;
mod text_model;
mod tokens;

use candle_core::{DType, Device, Tensor};
use search::{Rerank, RerankInput};

use self::config::Config;
use self::forward::Network;
use self::tokens::Tokens;
use crate::breaker::{Breaker, RerankError};
use crate::error::ModelError;
use crate::folder::{ModelFiles, ModelUse};
use crate::http::shown;

/// Number of texts in one batch; bounds the memory.
const BATCH: usize = 8;

/// The use of a BERT model.
pub(crate) type BertUse = ModelUse;

/// A loaded BERT model; runs on the CPU.
pub struct Bert {
    name: String,
    r#use: BertUse,
    /// Number of components of its vectors.
    dims: usize,
    network: Network,
    tokens: Tokens,
    breaker: Breaker,
}

impl Bert {
    /// Loads `config.json`, `tokenizer.json` and `model.safetensors` of a model. Texts are
    /// truncated to `max_tokens` tokens, query included.
    ///
    /// # Errors
    /// A file is missing, or the model is not a supported BERT model.
    pub fn open(files: &ModelFiles, max_tokens: usize) -> Result<Self, ModelError> {
        let unusable = |reason: String| ModelError::Unusable { name: files.name.clone(), reason };
        let config = Config::parse(files.get("config.json")?)
            .map_err(|fault| unusable(fault.to_string()))?;
        let max_tokens = max_tokens.min(config.max_position_embeddings);
        let tokens = Tokens::open(files.get("tokenizer.json")?, max_tokens, config.vocab_size)
            .map_err(|fault| unusable(fault.to_string()))?;
        let weights = files.get("model.safetensors")?;
        let weights = candle_core::safetensors::load_buffer(weights, &Device::Cpu)
            .map_err(|error| unusable(error.to_string()))?;
        let is_cross = files.r#use == ModelUse::CrossEncoder;
        let network = Network::open(&config, &weights, is_cross)
            .map_err(|error| unusable(error.to_string()))?;
        let name = format!("{}-{}", files.name, files.digest);
        let (r#use, dims) = (files.r#use, config.hidden_size);
        Ok(Self { name, r#use, dims, network, tokens, breaker: Breaker::default() })
    }

    /// The vector of each text: the mean of its token states, normalised to length 1.
    ///
    /// # Errors
    /// The model fails.
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, RerankError> {
        let mut vectors = Vec::with_capacity(texts.len());
        for texts in texts.chunks(BATCH) {
            let batch = self.tokens.of_texts(texts).map_err(failed)?;
            let states = self.network.states(&batch).map_err(failed)?;
            let own = mean(&states, &batch.mask).and_then(|it| it.to_vec2::<f32>());
            vectors.extend(own.map_err(failed)?);
        }
        Ok(vectors)
    }

    /// The relevance of each text to the query, as scored by the head of a cross-encoder.
    ///
    /// # Errors
    /// The model fails.
    pub fn score_pairs(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, RerankError> {
        let mut scores = Vec::with_capacity(texts.len());
        for texts in texts.chunks(BATCH) {
            let batch = self.tokens.of_pairs(query, texts).map_err(failed)?;
            scores.extend(self.network.score_pairs(&batch).map_err(failed)?);
        }
        Ok(scores)
    }

    fn order(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, RerankError> {
        if self.r#use == ModelUse::CrossEncoder {
            return self.score_pairs(query, texts);
        }
        let all: Vec<&str> = std::iter::once(query).chain(texts.iter().copied()).collect();
        let vectors = self.embed(&all)?;
        let Some((query, texts)) = vectors.split_first() else { return Ok(Vec::new()) };
        Ok(texts.iter().map(|text| text.iter().zip(query).map(|(a, b)| a * b).sum()).collect())
    }
}

impl Rerank for Bert {
    fn name(&self) -> &str {
        &self.name
    }

    fn rerank(&self, query: &str, candidates: &[RerankInput]) -> Option<Vec<f32>> {
        let texts: Vec<String> = candidates.iter().map(shown).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        self.breaker.ask(|| self.order(query, &texts))
    }

    fn trouble(&self) -> Option<String> {
        self.breaker.trouble().map(|trouble| trouble.to_string())
    }
}

/// The mean over the unmasked tokens, normalised to length 1.
fn mean(states: &Tensor, mask: &Tensor) -> candle_core::Result<Tensor> {
    let mask = mask.to_dtype(DType::F32)?.unsqueeze(2)?;
    let sum = states.broadcast_mul(&mask)?.sum(1)?;
    let mean = sum.broadcast_div(&mask.sum(1)?)?;
    let length = (mean.sqr()?.sum_keepdim(1)? + 1e-24)?.sqrt()?;
    mean.broadcast_div(&length)
}

fn failed(error: impl std::fmt::Display) -> RerankError {
    RerankError::Model { reason: error.to_string() }
}
