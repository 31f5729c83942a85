//! Compares the forward pass of a tiny BERT with a reference implementation in simple loops.

use std::collections::HashMap;
use std::path::Path;

use base::SortedMap;
use graftage_model::{Bert, ModelError, ModelFolder};
use search::{Encoder, ModelEncoder, Rerank, RerankInput, StaticTable, TextModel};
use serde_json::json;
use sha2::{Digest, Sha256};

const HIDDEN: usize = 8;
const HEADS: usize = 2;
const WIDE: usize = 16;
const LAYERS: usize = 2;
const POSITIONS: usize = 24;
const WORDS: [&str; 14] = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "open", "a", "file", "close", "socket", "read", "##er",
    "it", "write", "fn",
];

/// RequestFormat and numbers of weights by name.
type Weights = SortedMap<String, (Vec<usize>, Vec<f32>)>;

/// Deterministic numbers between -0.5 and 0.5.
fn weights(prefix: &str) -> Weights {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 24) as f32 - 0.5
    };
    let mut all = Weights::new();
    let mut put = |name: String, shape: &[usize]| {
        let count = shape.iter().product();
        all.insert(name, (shape.to_vec(), (0..count).map(|_| next()).collect()));
    };
    let embeddings = format!("{prefix}embeddings.");
    put(format!("{embeddings}word_embeddings.weight"), &[WORDS.len(), HIDDEN]);
    put(format!("{embeddings}position_embeddings.weight"), &[POSITIONS, HIDDEN]);
    put(format!("{embeddings}token_type_embeddings.weight"), &[2, HIDDEN]);
    let mut norms = vec![format!("{embeddings}LayerNorm")];
    for layer in 0..LAYERS {
        let layer = format!("{prefix}encoder.layer.{layer}.");
        for (name, from, to) in [
            ("attention.self.query", HIDDEN, HIDDEN),
            ("attention.self.key", HIDDEN, HIDDEN),
            ("attention.self.value", HIDDEN, HIDDEN),
            ("attention.output.dense", HIDDEN, HIDDEN),
            ("intermediate.dense", HIDDEN, WIDE),
            ("output.dense", WIDE, HIDDEN),
        ] {
            put(format!("{layer}{name}.weight"), &[to, from]);
            put(format!("{layer}{name}.bias"), &[to]);
        }
        norms.push(format!("{layer}attention.output.LayerNorm"));
        norms.push(format!("{layer}output.LayerNorm"));
    }
    for norm in norms {
        put(format!("{norm}.weight"), &[HIDDEN]);
        put(format!("{norm}.bias"), &[HIDDEN]);
    }
    put(format!("{prefix}pooler.dense.weight"), &[HIDDEN, HIDDEN]);
    put(format!("{prefix}pooler.dense.bias"), &[HIDDEN]);
    put("classifier.weight".to_owned(), &[1, HIDDEN]);
    put("classifier.bias".to_owned(), &[1]);
    all
}

/// Writes the safetensors format: length of the header, header, numbers.
fn safetensors(weights: &Weights) -> Vec<u8> {
    let mut head = serde_json::Map::new();
    let mut data = Vec::new();
    for (name, (shape, numbers)) in weights {
        let start = data.len();
        data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        let tensor = json!({"dtype": "F32", "shape": shape, "data_offsets": [start, data.len()]});
        head.insert(name.clone(), tensor);
    }
    let head = serde_json::to_vec(&head).unwrap();
    let mut bytes = (head.len() as u64).to_le_bytes().to_vec();
    bytes.extend(head);
    bytes.extend(data);
    bytes
}

fn config() -> Vec<u8> {
    let config = json!({
        "model_type": "bert", "hidden_size": HIDDEN, "intermediate_size": WIDE,
        "max_position_embeddings": POSITIONS, "num_attention_heads": HEADS,
        "num_hidden_layers": LAYERS, "vocab_size": WORDS.len(), "type_vocab_size": 2,
        "layer_norm_eps": 1e-12, "hidden_act": "gelu",
    });
    serde_json::to_vec(&config).unwrap()
}

fn tokenizer() -> Vec<u8> {
    let vocabulary: HashMap<&str, usize> =
        WORDS.iter().enumerate().map(|(at, it)| (*it, at)).collect();
    let special = |id: &str, type_id: u8| json!({"SpecialToken": {"id": id, "type_id": type_id}});
    let text = |id: &str, type_id: u8| json!({"Sequence": {"id": id, "type_id": type_id}});
    let token = |id: &str| json!({"id": id, "ids": [WORDS.iter().position(|it| *it == id)], "tokens": [id]});
    let tokenizer = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing",
            "single": [special("[CLS]", 0), text("A", 0), special("[SEP]", 0)],
            "pair": [special("[CLS]", 0), text("A", 0), special("[SEP]", 0),
                text("B", 1), special("[SEP]", 1)],
            "special_tokens": {"[CLS]": token("[CLS]"), "[SEP]": token("[SEP]")}},
        "decoder": null,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary},
    });
    serde_json::to_vec(&tokenizer).unwrap()
}

/// Writes a model into a model directory.
fn lay_out(root: &Path, kind: &str, weights: &Weights) {
    let mut lines =
        format!("[tiny]\nuse = \"{kind}\"\nlicence = \"none: made up\"\n[tiny.files]\n");
    let files = [
        ("config.json", config()),
        ("tokenizer.json", tokenizer()),
        ("model.safetensors", safetensors(weights)),
    ];
    for (name, bytes) in files {
        let hash: String =
            Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        lines.push_str(&format!("\"{name}\" = \"{hash}\"\n"));
        std::fs::write(root.join(hash), bytes).unwrap();
    }
    std::fs::write(root.join("models.toml"), lines).unwrap();
}

fn open(kind: &str, prefix: &str) -> (Bert, Weights) {
    let dir = tempfile::tempdir().unwrap();
    let weights = weights(prefix);
    lay_out(dir.path(), kind, &weights);
    let files = ModelFolder::new(dir.path()).open("tiny").unwrap();
    (Bert::open(&files, 16).unwrap(), weights)
}

/// The reference implementation of the network.
struct Reference<'w> {
    weights: &'w Weights,
    prefix: &'w str,
}

type States = Vec<Vec<f64>>;

impl Reference<'_> {
    fn get(&self, name: &str) -> &[f32] {
        &self.weights[&format!("{}{name}", self.prefix)].1
    }

    fn row(&self, table: &str, at: usize) -> Vec<f64> {
        let own = &self.get(&format!("embeddings.{table}.weight"))[at * HIDDEN..(at + 1) * HIDDEN];
        own.iter().map(|number| f64::from(*number)).collect()
    }

    fn linear(&self, name: &str, x: &[f64]) -> Vec<f64> {
        let (weight, bias) = match name {
            "classifier" => {
                (&self.weights["classifier.weight"].1, &self.weights["classifier.bias"].1)
            }
            _ => {
                let of = |part: &str| &self.weights[&format!("{}{name}.{part}", self.prefix)].1;
                (of("weight"), of("bias"))
            }
        };
        let one = |(row, bias): (&[f32], &f32)| {
            let sum: f64 = row.iter().zip(x).map(|(w, x)| f64::from(*w) * x).sum();
            sum + f64::from(*bias)
        };
        weight.chunks(x.len()).zip(bias).map(one).collect()
    }

    fn norm(&self, name: &str, x: &[f64]) -> Vec<f64> {
        let mean = x.iter().sum::<f64>() / x.len() as f64;
        let spread = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / x.len() as f64;
        let (scale, shift) =
            (self.get(&format!("{name}.weight")), self.get(&format!("{name}.bias")));
        let one = |at: usize| {
            (x[at] - mean) / (spread + 1e-12).sqrt() * f64::from(scale[at]) + f64::from(shift[at])
        };
        (0..x.len()).map(one).collect()
    }

    fn states(&self, ids: &[usize], types: &[usize]) -> States {
        let embed = |at: usize| {
            let parts = [
                self.row("word_embeddings", ids[at]),
                self.row("position_embeddings", at),
                self.row("token_type_embeddings", types[at]),
            ];
            let sum: Vec<f64> = (0..HIDDEN).map(|n| parts.iter().map(|it| it[n]).sum()).collect();
            self.norm("embeddings.LayerNorm", &sum)
        };
        let mut x: States = (0..ids.len()).map(embed).collect();
        for layer in 0..LAYERS {
            let name = |part: &str| format!("encoder.layer.{layer}.{part}");
            let all =
                |part: &str| -> States { x.iter().map(|x| self.linear(&name(part), x)).collect() };
            let [query, key, value] =
                ["attention.self.query", "attention.self.key", "attention.self.value"].map(all);
            let size = HIDDEN / HEADS;
            let mut mixed = vec![vec![0.0; HIDDEN]; x.len()];
            for head in 0..HEADS {
                let own = head * size..(head + 1) * size;
                for (at, mixed) in mixed.iter_mut().enumerate() {
                    let like = |key: &Vec<f64>| -> f64 {
                        let pairs = query[at][own.clone()].iter().zip(&key[own.clone()]);
                        (pairs.map(|(q, k)| q * k).sum::<f64>() / (size as f64).sqrt()).exp()
                    };
                    let likes: Vec<f64> = key.iter().map(like).collect();
                    let sum: f64 = likes.iter().sum();
                    for n in own.clone() {
                        let parts =
                            likes.iter().zip(&value).map(|(like, value)| like / sum * value[n]);
                        mixed[n] = parts.sum();
                    }
                }
            }
            for (x, mixed) in x.iter_mut().zip(&mixed) {
                let joined = self.linear(&name("attention.output.dense"), mixed);
                let sum: Vec<f64> = joined.iter().zip(&*x).map(|(a, b)| a + b).collect();
                let attended = self.norm(&name("attention.output.LayerNorm"), &sum);
                let wide = self.linear(&name("intermediate.dense"), &attended);
                let wide: Vec<f64> = wide.iter().map(|x| x * phi(*x)).collect();
                let narrow = self.linear(&name("output.dense"), &wide);
                let sum: Vec<f64> = narrow.iter().zip(&attended).map(|(a, b)| a + b).collect();
                *x = self.norm(&name("output.LayerNorm"), &sum);
            }
        }
        x
    }

    fn embed(&self, ids: &[usize]) -> Vec<f64> {
        let states = self.states(ids, &vec![0; ids.len()]);
        let sum: Vec<f64> = (0..HIDDEN).map(|n| states.iter().map(|it| it[n]).sum()).collect();
        let length = sum.iter().map(|n| n * n).sum::<f64>().sqrt();
        sum.iter().map(|n| n / length).collect()
    }

    fn score_pairs(&self, ids: &[usize], types: &[usize]) -> f64 {
        let first = &self.states(ids, types)[0];
        let pooled: Vec<f64> =
            self.linear("pooler.dense", first).iter().map(|x| x.tanh()).collect();
        self.linear("classifier", &pooled)[0]
    }
}

/// The cumulative normal distribution at `x`, by the series of the error function.
fn phi(x: f64) -> f64 {
    let z = x / std::f64::consts::SQRT_2;
    let (mut term, mut sum) = (z, z);
    for n in 1..60 {
        term *= -z * z / f64::from(n);
        sum += term / f64::from(2 * n + 1);
    }
    0.5 * (1.0 + 2.0 / std::f64::consts::PI.sqrt() * sum)
}

fn id(word: &str) -> usize {
    WORDS.iter().position(|it| *it == word).unwrap()
}

fn ids(words: &[&str]) -> Vec<usize> {
    words.iter().map(|word| id(word)).collect()
}

fn assert_near(found: &[f32], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((f64::from(*found) - wanted).abs() < 1e-4, "{found} {wanted}");
    }
}

#[test]
fn vectors_equal_the_reference_in_any_batch() {
    let (bert, weights) = open("encoder", "");
    let reference = Reference { weights: &weights, prefix: "" };
    let texts = ["Open a file", "reader", "read it and close it, a file, a socket, a file"];
    let vectors = bert.embed(&texts).unwrap();
    assert_near(&vectors[0], &reference.embed(&ids(&["[CLS]", "open", "a", "file", "[SEP]"])));
    assert_near(&vectors[1], &reference.embed(&ids(&["[CLS]", "read", "##er", "[SEP]"])));
    // The other texts of a batch change only the last bits.
    let alone = bert.embed(&["Open a file"]).unwrap();
    let wanted: Vec<f64> = alone[0].iter().map(|n| f64::from(*n)).collect();
    assert_near(&vectors[0], &wanted);
    assert_eq!(vectors, bert.embed(&texts).unwrap(), "the same again");
}

#[test]
fn cross_encoder_scores_equal_the_reference() {
    let (bert, weights) = open("cross-encoder", "bert.");
    let reference = Reference { weights: &weights, prefix: "bert." };
    let found = bert.score_pairs("open file", &["fn open", "close a socket"]).unwrap();
    let pair = |second: &[&str]| {
        let first = ids(&["[CLS]", "open", "file", "[SEP]"]);
        let mut second = ids(second);
        second.push(id("[SEP]"));
        let types: Vec<usize> = first.iter().map(|_| 0).chain(second.iter().map(|_| 1)).collect();
        reference.score_pairs(&[first, second].concat(), &types)
    };
    assert_near(&found, &[pair(&["fn", "open"]), pair(&["close", "a", "socket"])]);
}

#[test]
fn long_texts_are_truncated_and_candidates_are_ranked() {
    let candidate =
        |canon: &str, text: String| RerankInput { item: 0, canon: canon.to_owned(), text };
    let candidates =
        [candidate("a", "read it ".repeat(500)), candidate("open", "fn open a file".to_owned())];
    for kind in ["encoder", "cross-encoder"] {
        let (bert, _) = open(kind, "");
        let scores = bert.rerank(&"open a file ".repeat(300), &candidates).unwrap();
        assert!(scores.len() == 2 && scores.iter().all(|score| score.is_finite()), "{scores:?}");
        let name = Rerank::name(&bert);
        assert!(name.starts_with("tiny-"), "{name}");
        assert_eq!(Rerank::trouble(&bert), None);
    }
}

#[test]
fn vectors_are_in_the_order_of_the_texts() {
    let dir = tempfile::tempdir().unwrap();
    lay_out(dir.path(), "encoder", &weights(""));
    let files = ModelFolder::new(dir.path()).open("tiny").unwrap();
    let bert = Bert::open_encoder(&files, 16).unwrap();
    // More than one batch, long and short texts mixed.
    let texts: Vec<String> =
        (0..20).map(|n| "open a file ".repeat(1 + n * 7 % 5) + WORDS[4 + n % 9]).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let read = bert.read(&texts).unwrap();
    assert_eq!((read.len(), bert.dims()), (20, HIDDEN));
    for (text, vector) in texts.iter().zip(&read) {
        let alone: Vec<f64> = bert.embed(&[text]).unwrap()[0].iter().map(|n| (*n).into()).collect();
        assert_near(vector, &alone);
    }
    let table = StaticTable::embedded();
    let encoder = ModelEncoder::new(std::sync::Arc::new(bert), table.clone());
    assert_eq!((encoder.text_dims(), encoder.dims()), (HIDDEN, table.dims()));
    assert!(encoder.name().starts_with("tiny-") && encoder.name().ends_with(table.name()));
}

#[test]
fn a_cross_encoder_is_rejected_as_an_index_encoder() {
    let dir = tempfile::tempdir().unwrap();
    lay_out(dir.path(), "cross-encoder", &weights(""));
    let files = ModelFolder::new(dir.path()).open("tiny").unwrap();
    assert!(matches!(Bert::open_encoder(&files, 16), Err(ModelError::Unusable { .. })));
}

#[test]
fn weights_of_another_shape_are_rejected() {
    let dir = tempfile::tempdir().unwrap();
    let mut weights = weights("");
    weights.insert("embeddings.LayerNorm.weight".to_owned(), (vec![4], vec![0.0; 4]));
    lay_out(dir.path(), "encoder", &weights);
    let files = ModelFolder::new(dir.path()).open("tiny").unwrap();
    let error = Bert::open(&files, 16).err().unwrap();
    assert!(matches!(&error, ModelError::Unusable { name, .. } if name == "tiny"), "{error}");
    weights.remove("encoder.layer.1.output.dense.bias");
    lay_out(dir.path(), "cross-encoder", &weights);
    let files = ModelFolder::new(dir.path()).open("tiny").unwrap();
    assert!(Bert::open(&files, 16).is_err());
}
