//! BERT-class models over candle: a cross-encoder that reads query and text together, or an encoder
//! whose cosines rank.

mod config;
mod forward;
mod reader;
mod tokens;

use candle_core::{DType, Device, Tensor};
use search::{Rerank, RerankInput};

use self::config::Config;
use self::forward::Network;
use self::tokens::Tokens;
use crate::breaker::{Breaker, Trouble};
use crate::error::ModelError;
use crate::folder::{ModelFiles, ModelUse};
use crate::http::shown;

/// So many texts go through the network together: memory is bounded by it.
const AT_ONCE: usize = 8;

/// What a model is run as.
pub type BertUse = ModelUse;

/// A BERT model, loaded: on this machine's processor.
pub struct Bert {
    name: String,
    r#use: BertUse,
    /// How many numbers a vector of it has.
    dims: usize,
    network: Network,
    tokens: Tokens,
    breaker: Breaker,
}

impl Bert {
    /// Loads `config.json`, `tokenizer.json` and `model.safetensors` of a model; of its texts at most
    /// `most_tokens` are read, query included.
    ///
    /// # Errors
    /// Where a file is missing, or what it says is no BERT that this room can run.
    pub fn open(files: &ModelFiles, most_tokens: usize) -> Result<Self, ModelError> {
        let unusable = |reason: String| ModelError::Unusable { name: files.name.clone(), reason };
        let config = Config::parse(files.get("config.json")?).map_err(unusable)?;
        let most_tokens = most_tokens.min(config.max_position_embeddings);
        let tokens = Tokens::open(files.get("tokenizer.json")?, most_tokens, config.vocab_size)
            .map_err(unusable)?;
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

    /// Of each text its vector, of length 1: the mean of its tokens' states.
    ///
    /// # Errors
    /// When the model fails.
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Trouble> {
        let mut vectors = Vec::with_capacity(texts.len());
        for texts in texts.chunks(AT_ONCE) {
            let batch = self.tokens.of_texts(texts).map_err(failed)?;
            let states = self.network.states(&batch).map_err(failed)?;
            let own = mean(&states, &batch.mask).and_then(|it| it.to_vec2::<f32>());
            vectors.extend(own.map_err(failed)?);
        }
        Ok(vectors)
    }

    /// How well each text answers the query, as the head of a cross-encoder says.
    ///
    /// # Errors
    /// When the model fails.
    pub fn judge(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, Trouble> {
        let mut scores = Vec::with_capacity(texts.len());
        for texts in texts.chunks(AT_ONCE) {
            let batch = self.tokens.of_pairs(query, texts).map_err(failed)?;
            scores.extend(self.network.judge(&batch).map_err(failed)?);
        }
        Ok(scores)
    }

    fn order(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, Trouble> {
        if self.r#use == ModelUse::CrossEncoder {
            return self.judge(query, texts);
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

/// The mean over the tokens that the mask leaves, of length 1.
fn mean(states: &Tensor, mask: &Tensor) -> candle_core::Result<Tensor> {
    let mask = mask.to_dtype(DType::F32)?.unsqueeze(2)?;
    let sum = states.broadcast_mul(&mask)?.sum(1)?;
    let mean = sum.broadcast_div(&mask.sum(1)?)?;
    let length = (mean.sqr()?.sum_keepdim(1)? + 1e-24)?.sqrt()?;
    mean.broadcast_div(&length)
}

fn failed(error: impl std::fmt::Display) -> Trouble {
    Trouble::Model { reason: error.to_string() }
}
