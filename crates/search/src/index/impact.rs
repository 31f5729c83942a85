//! The BM25 contribution of a term by its count and the length of the field: a number between 0 and
//! 1, computed once per index and looked up in each search.

use std::sync::OnceLock;

use super::length::lengths;

/// The parameters of BM25 for a field: saturation and length normalisation.
struct Bm25 {
    k1: f32,
    b: f32,
}

const BODY: Bm25 = Bm25 { k1: 1.2, b: 0.5 };
const HEAD: Bm25 = Bm25 { k1: 1.2, b: 0.75 };
const FILE: Bm25 = Bm25 { k1: 2.0, b: 0.75 };
const PATH: Bm25 = Bm25 { k1: 1.2, b: 0.75 };

/// Counts below it are looked up in a table; most are.
const SMALL: usize = 16;

/// The precomputed contributions in one field.
#[derive(Debug)]
pub(crate) struct Impact {
    /// Factor for the weight of a term.
    pub(crate) most: f32,
    /// Length normalisation by encoded length: it is added to a count.
    norms: [f32; 256],
    /// Contributions by count, then by encoded length.
    small: [[f32; 256]; SMALL],
}

impl Impact {
    fn new(bm25: &Bm25, mean: f32) -> Self {
        let mean = mean.max(1.0);
        let norms = lengths().map(|length| bm25.k1 * (1.0 - bm25.b + bm25.b * length / mean));
        let of_count = |count: usize| norms.map(|norm| count as f32 / (count as f32 + norm));
        Self { most: bm25.k1 + 1.0, norms, small: std::array::from_fn(of_count) }
    }

    /// The contribution of a term that occurs once, by encoded length.
    pub(crate) fn once(&self) -> &[f32; 256] {
        &self.small[1]
    }

    /// The contribution of a count; from the table where the count is small.
    #[inline(always)]
    pub(crate) fn of(&self, count: u32, len: u8) -> f32 {
        match self.small.get(count as usize) {
            Some(row) => row[usize::from(len)],
            None => self.of_any(count, len),
        }
    }

    /// The same for any count, without a branch on its size.
    #[inline(always)]
    pub(crate) fn of_any(&self, count: u32, len: u8) -> f32 {
        let count = count as f32;
        count / (count + self.norms[usize::from(len)])
    }
}

/// The precomputed contributions of all fields.
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
    /// The contributions in `cell`; computes them on first use.
    pub(crate) fn get_or_compute(kept: &OnceLock<Self>, means: Means) -> &Self {
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
    fn looked_up_values_equal_computed_ones() {
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
