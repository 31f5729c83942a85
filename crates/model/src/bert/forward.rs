//! The forward pass: embeddings, attention layers, and the head of a cross-encoder.

use std::collections::HashMap;

use candle_core::{D, DType, Device, Result, Tensor};

use super::config::Config;
use super::tokens::Batch;

/// Attention bias of masked tokens.
const MASKED: f64 = -1e4;

type Weights = HashMap<String, Tensor>;

/// The weights whose names start with a prefix.
struct WeightScope<'w> {
    weights: &'w Weights,
    at: String,
}

impl<'w> WeightScope<'w> {
    fn below(&self, name: &str) -> WeightScope<'w> {
        let at = if self.at.is_empty() { name.to_owned() } else { format!("{}.{name}", self.at) };
        WeightScope { weights: self.weights, at }
    }

    fn get(&self, name: &str, shape: &[usize]) -> Result<Tensor> {
        let scope = self.below(name);
        let Some(tensor) = self.weights.get(&scope.at) else {
            candle_core::bail!("weights `{}` are missing", scope.at)
        };
        if tensor.dims() != shape {
            candle_core::bail!("`{}` has shape {:?}, expected {shape:?}", scope.at, tensor.dims())
        }
        tensor.to_dtype(DType::F32)
    }

    fn linear(&self, name: &str, from: usize, to: usize) -> Result<Linear> {
        let scope = self.below(name);
        let weight = scope.get("weight", &[to, from])?.t()?.contiguous()?;
        Ok(Linear { weight, bias: scope.get("bias", &[to])? })
    }

    fn norm(&self, name: &str, config: &Config) -> Result<Norm> {
        let scope = self.below(name);
        let size = &[config.hidden_size];
        // Older files use TensorFlow's names.
        let scale = scope.get("weight", size).or_else(|_| scope.get("gamma", size))?;
        let shift = scope.get("bias", size).or_else(|_| scope.get("beta", size))?;
        Ok(Norm { scale, shift, eps: config.layer_norm_eps })
    }
}

struct Linear {
    weight: Tensor,
    bias: Tensor,
}

impl Linear {
    fn of(&self, x: &Tensor) -> Result<Tensor> {
        x.broadcast_matmul(&self.weight)?.broadcast_add(&self.bias)
    }
}

struct Norm {
    scale: Tensor,
    shift: Tensor,
    eps: f64,
}

impl Norm {
    fn of(&self, x: &Tensor) -> Result<Tensor> {
        let centred = x.broadcast_sub(&x.mean_keepdim(D::Minus1)?)?;
        let spread = (centred.sqr()?.mean_keepdim(D::Minus1)? + self.eps)?.sqrt()?;
        centred.broadcast_div(&spread)?.broadcast_mul(&self.scale)?.broadcast_add(&self.shift)
    }
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    joined: Linear,
    attended: Norm,
    wide: Linear,
    narrow: Linear,
    out: Norm,
    heads: usize,
}

impl Layer {
    fn open(scope: &WeightScope<'_>, config: &Config) -> Result<Self> {
        let (hidden, wide) = (config.hidden_size, config.intermediate_size);
        let attention = scope.below("attention");
        let own = attention.below("self");
        Ok(Self {
            query: own.linear("query", hidden, hidden)?,
            key: own.linear("key", hidden, hidden)?,
            value: own.linear("value", hidden, hidden)?,
            joined: attention.linear("output.dense", hidden, hidden)?,
            attended: attention.norm("output.LayerNorm", config)?,
            wide: scope.linear("intermediate.dense", hidden, wide)?,
            narrow: scope.linear("output.dense", wide, hidden)?,
            out: scope.norm("output.LayerNorm", config)?,
            heads: config.num_attention_heads,
        })
    }

    fn of(&self, x: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let (batch, len, hidden) = x.dims3()?;
        let size = hidden / self.heads;
        let split =
            |x: Tensor| x.reshape((batch, len, self.heads, size))?.transpose(1, 2)?.contiguous();
        let query = (split(self.query.of(x)?)? / (size as f64).sqrt())?;
        let (key, value) = (split(self.key.of(x)?)?, split(self.value.of(x)?)?);
        let likeness = query.matmul(&key.t()?.contiguous()?)?.broadcast_add(mask)?;
        let mixed = softmax(&likeness)?.matmul(&value)?;
        let mixed = mixed.transpose(1, 2)?.contiguous()?.reshape((batch, len, hidden))?;
        let attended = self.attended.of(&(self.joined.of(&mixed)? + x)?)?;
        let wide = self.wide.of(&attended)?.gelu_erf()?;
        self.out.of(&(self.narrow.of(&wide)? + attended)?)
    }
}

fn softmax(x: &Tensor) -> Result<Tensor> {
    let parts = x.broadcast_sub(&x.max_keepdim(D::Minus1)?)?.exp()?;
    parts.broadcast_div(&parts.sum_keepdim(D::Minus1)?)
}

/// The head of a cross-encoder.
struct Head {
    pooler: Linear,
    classifier: Linear,
}

pub(super) struct Network {
    words: Tensor,
    positions: Tensor,
    types: Tensor,
    embedded: Norm,
    layers: Vec<Layer>,
    head: Option<Head>,
}

impl Network {
    pub(super) fn open(config: &Config, weights: &Weights, is_cross: bool) -> Result<Self> {
        let top = WeightScope { weights, at: String::new() };
        // A model with a head has the network's weights below `bert.`.
        let has_name = weights.contains_key("bert.embeddings.word_embeddings.weight");
        let network = if has_name { top.below("bert") } else { top.below("") };
        let embeddings = network.below("embeddings");
        let hidden = config.hidden_size;
        let table = |name: &str, rows: usize| embeddings.below(name).get("weight", &[rows, hidden]);
        let layers = network.below("encoder.layer");
        let layer = |at: usize| Layer::open(&layers.below(&at.to_string()), config);
        let head = match is_cross {
            true => Some(Head {
                pooler: network.linear("pooler.dense", hidden, hidden)?,
                classifier: top.linear("classifier", hidden, 1)?,
            }),
            false => None,
        };
        Ok(Self {
            words: table("word_embeddings", config.vocab_size)?,
            positions: table("position_embeddings", config.max_position_embeddings)?,
            types: table("token_type_embeddings", config.type_vocab_size)?,
            embedded: embeddings.norm("LayerNorm", config)?,
            layers: (0..config.num_hidden_layers).map(layer).collect::<Result<_>>()?,
            head,
        })
    }

    /// The hidden states, with dimensions texts, tokens, hidden size.
    pub(super) fn states(&self, batch: &Batch) -> Result<Tensor> {
        let (count, len) = batch.ids.dims2()?;
        let rows = |table: &Tensor, ids: &Tensor| {
            table.index_select(&ids.flatten_all()?, 0)?.reshape((count, len, table.dim(1)?))
        };
        let positions = Tensor::arange(0u32, len as u32, &Device::Cpu)?;
        let x = (rows(&self.words, &batch.ids)? + rows(&self.types, &batch.types)?)?;
        let x = x.broadcast_add(&self.positions.index_select(&positions, 0)?)?;
        let mut x = self.embedded.of(&x)?;
        let mask = batch.mask.to_dtype(DType::F32)?.reshape((count, 1, 1, len))?;
        let mask = mask.affine(-MASKED, MASKED)?;
        for layer in &self.layers {
            x = layer.of(&x, &mask)?;
        }
        Ok(x)
    }

    /// The score of the head for each pair.
    pub(super) fn score_pairs(&self, batch: &Batch) -> Result<Vec<f32>> {
        let Some(head) = &self.head else {
            candle_core::bail!("the model has no classification head")
        };
        let first = self.states(batch)?.narrow(1, 0, 1)?.squeeze(1)?;
        head.classifier.of(&head.pooler.of(&first)?.tanh()?)?.squeeze(1)?.to_vec1()
    }
}
