//! What a word is worth that stands so often in a field of such a length, by BM25: a number between
//! 0 and 1, reckoned once for an index and looked up by each search.

use std::sync::OnceLock;

use crate::index::lengths;

/// Saturation and length normalisation of a field.
struct Bm25 {
    k1: f32,
    b: f32,
}

const BODY: Bm25 = Bm25 { k1: 1.2, b: 0.5 };
const HEAD: Bm25 = Bm25 { k1: 1.2, b: 0.75 };
const FILE: Bm25 = Bm25 { k1: 2.0, b: 0.75 };
const PATH: Bm25 = Bm25 { k1: 1.2, b: 0.75 };

/// Most counts are below it.
const SMALL: usize = 16;

/// Of one field.
#[derive(Debug)]
pub(crate) struct Impact {
    /// What the weight of a word is to be multiplied by.
    pub(crate) most: f32,
    /// What is added to a count, by the byte of the field's length.
    norms: [f32; 256],
    /// By count, then by the byte of the field's length.
    small: [[f32; 256]; SMALL],
}

impl Impact {
    fn new(bm25: &Bm25, mean: f32) -> Self {
        let mean = mean.max(1.0);
        let norms = lengths().map(|length| bm25.k1 * (1.0 - bm25.b + bm25.b * length / mean));
        let of_count = |count: usize| norms.map(|norm| count as f32 / (count as f32 + norm));
        Self { most: bm25.k1 + 1.0, norms, small: std::array::from_fn(of_count) }
    }

    /// Of a word that stands there once, by the byte of the field's length.
    pub(crate) fn once(&self) -> &[f32; 256] {
        &self.small[1]
    }

    /// Of a word that stands there so often; most counts should be small.
    #[inline(always)]
    pub(crate) fn of(&self, count: u32, len: u8) -> f32 {
        match self.small.get(count as usize) {
            Some(row) => row[usize::from(len)],
            None => self.of_any(count, len),
        }
    }

    /// The same for counts of any size, of which it makes no guess.
    #[inline(always)]
    pub(crate) fn of_any(&self, count: u32, len: u8) -> f32 {
        let count = count as f32;
        count / (count + self.norms[usize::from(len)])
    }
}

/// Of all fields of an index.
#[derive(Debug)]
pub(crate) struct Impacts {
    pub(crate) body: Impact,
    pub(crate) head: Impact,
    pub(crate) file: Impact,
    pub(crate) path: Impact,
}

/// The mean lengths of the fields.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Means {
    pub(crate) body: f32,
    pub(crate) head: f32,
    pub(crate) file: f32,
    pub(crate) path: f32,
}

impl Impacts {
    /// Reckons them where nobody did.
    pub(crate) fn get_or_reckon(kept: &OnceLock<Self>, means: Means) -> &Self {
        kept.get_or_init(|| Self {
            body: Impact::new(&BODY, means.body),
            head: Impact::new(&HEAD, means.head),
            file: Impact::new(&FILE, means.file),
            path: Impact::new(&PATH, means.path),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_up_is_what_is_reckoned() {
        let impact = Impact::new(&BODY, 20.0);
        for len in [0, 1, 20, 100, 255] {
            assert_eq!(impact.of(0, len), 0.0);
            assert_eq!(impact.of(1, len), impact.once()[usize::from(len)]);
            for count in [1, 2, 15, 16, 1_000] {
                assert_eq!(impact.of(count, len), impact.of_any(count, len));
                assert!(impact.of(count, len) < 1.0);
            }
        }
    }
}
