//! An encoder of six words.

use graftage_search::Encoder;

/// A number for each of a few words.
pub(crate) struct Toy;

const WORDS: [&str; 6] = ["cach", "entry", "socket", "fil", "string", "remov"];

impl Encoder for Toy {
    fn name(&self) -> &str {
        "toy"
    }

    fn dims(&self) -> usize {
        WORDS.len()
    }

    fn encode(&self, bag: &[(&str, f32)], out: &mut [f32]) {
        out.fill(0.0);
        for (term, weight) in bag {
            if let Some(at) = WORDS.iter().position(|word| term.starts_with(word)) {
                out[at] += weight;
            }
        }
        let length = out.iter().map(|value| value * value).sum::<f32>().sqrt();
        if length > 0.0 {
            out.iter_mut().for_each(|value| *value /= length);
        }
    }

    fn neighbours(&self, _: &str, _: usize, _: f32) -> Vec<(String, f32)> {
        Vec::new()
    }
}
