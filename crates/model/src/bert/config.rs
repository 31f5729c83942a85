//! The configuration of a BERT network, `config.json`.

use serde::Deserialize;

use super::fault::BertFault;

/// Maximum of every size; a larger one means a damaged file.
const MAX_SIZE: usize = 1 << 20;

/// The fields of `config.json` that are used.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Config {
    model_type: String,
    #[serde(default = "gelu")]
    hidden_act: String,
    #[serde(default = "absolute")]
    position_embedding_type: String,
    pub(crate) hidden_size: usize,
    pub(crate) intermediate_size: usize,
    pub(crate) max_position_embeddings: usize,
    pub(crate) num_attention_heads: usize,
    pub(crate) num_hidden_layers: usize,
    pub(crate) vocab_size: usize,
    #[serde(default = "type_vocab_size")]
    pub(crate) type_vocab_size: usize,
    #[serde(default = "layer_norm_eps")]
    pub(crate) layer_norm_eps: f64,
}

fn gelu() -> String {
    "gelu".to_owned()
}

fn absolute() -> String {
    "absolute".to_owned()
}

fn type_vocab_size() -> usize {
    2
}

fn layer_norm_eps() -> f64 {
    1e-12
}

impl Config {
    pub(crate) fn parse(json: &[u8]) -> Result<Self, BertFault> {
        let config: Self = serde_json::from_slice(json).map_err(BertFault::Config)?;
        if config.model_type != "bert" {
            return Err(BertFault::ModelType(config.model_type));
        }
        if config.hidden_act != "gelu" || config.position_embedding_type != "absolute" {
            return Err(BertFault::Layers);
        }
        let sizes = [
            config.hidden_size,
            config.intermediate_size,
            config.max_position_embeddings,
            config.num_attention_heads,
            config.num_hidden_layers,
            config.vocab_size,
            config.type_vocab_size,
        ];
        let are_sizes = sizes.iter().all(|size| (1..=MAX_SIZE).contains(size));
        if !are_sizes || !config.hidden_size.is_multiple_of(config.num_attention_heads) {
            return Err(BertFault::Sizes);
        }
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(from: &str, to: &str) -> String {
        let json = r#"{"model_type":"bert","hidden_size":8,"intermediate_size":16,
            "max_position_embeddings":32,"num_attention_heads":2,"num_hidden_layers":2,
            "vocab_size":20}"#;
        json.replace(from, to)
    }

    #[test]
    fn a_bert_configuration_is_accepted_and_others_are_rejected() {
        let config = Config::parse(json("", "").as_bytes()).unwrap();
        assert_eq!((config.type_vocab_size, config.layer_norm_eps), (2, 1e-12));
        for (from, to) in [
            ("\"bert\"", "\"gpt2\""),
            ("\"hidden_size\":8", "\"hidden_size\":9"),
            ("\"vocab_size\":20", "\"vocab_size\":0"),
            ("\"vocab_size\":20", "\"vocab_size\":20,\"hidden_act\":\"relu\""),
            ("\"vocab_size\":20", "\"vocab_size\":99999999999"),
            ("{", "["),
        ] {
            assert!(Config::parse(json(from, to).as_bytes()).is_err(), "{to}");
        }
    }
}
