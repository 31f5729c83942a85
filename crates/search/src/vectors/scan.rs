//! Exact nearest-neighbour search over the rows of a [`Vectors`] section.

use super::row_set::RowSet;
use super::section::Vectors;
use super::simd::{self, SimdLevel};
use crate::vectors::Row;

/// Number of rows per step of a scan, so that their sums stay in the L1 cache.
const STEP: usize = 512;
/// Number of best rows that are rescored with the query in full precision.
const RESCORED: usize = 40;
/// Default number of rows from which the one-bit pass is used: the bytes of more rows do not fit
/// into a cache.
const LARGE: usize = 20_000;
/// Minimum number of candidates of the one-bit pass, and number of rows per candidate: bits
/// separate similar rows badly, and their number grows with the rows.
const CANDIDATES: usize = 4_000;
const ROWS_A_CANDIDATE: usize = 200;

/// A row and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Row number.
    pub row: u32,
    /// Product with the query: the cosine.
    pub score: f32,
}

/// The method of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// All rows by their bytes: exact except for rounding.
    Exact,
    /// All rows by their bits, then this many candidates by their bytes.
    Bits(usize),
}

impl Pass {
    /// Whether a scan of this number of rows uses bits.
    pub(crate) fn needs_bits(rows: usize) -> bool {
        Self::for_rows(rows) != Self::Exact
    }

    /// Bytes up to 20,000 rows, bits beyond. A scan of rows that were written without bits compares
    /// bytes.
    pub(crate) fn for_rows(rows: usize) -> Self {
        if rows <= LARGE {
            Self::Exact
        } else {
            Self::Bits(CANDIDATES.max(rows / ROWS_A_CANDIDATE))
        }
    }
}

/// The parameters of a search for nearest rows.
#[derive(Clone, Copy, Debug)]
pub struct Nearest<'a> {
    /// Query vector, of length 1.
    pub query: &'a [f32],
    /// Maximum number of rows.
    pub most: usize,
    /// Rows to search; `None`: all.
    pub among: Option<&'a RowSet>,
    /// Method; `None`: chosen by the number of rows.
    pub pass: Option<Pass>,
    /// Instruction set; `None`: the widest available.
    pub level: Option<SimdLevel>,
}

impl<'a> Nearest<'a> {
    /// A search among all rows.
    pub fn new(query: &'a [f32], most: usize) -> Self {
        Self { query, most, among: None, pass: None, level: None }
    }
}

impl Vectors<'_> {
    /// The nearest rows, best first, ties by number. Rows without a vector are never included.
    pub fn nearest(&self, wanted: &Nearest<'_>) -> Vec<Near> {
        let Some(query) = Row::of(wanted.query) else { return Vec::new() };
        if wanted.query.len() != self.dims || wanted.most == 0 {
            return Vec::new();
        }
        let level = wanted.level.unwrap_or_else(SimdLevel::best);
        let in_scope = wanted.among.map_or(self.rows, RowSet::len);
        let keep = wanted.most.max(RESCORED);
        let mut best = match wanted.pass.unwrap_or_else(|| Pass::for_rows(in_scope)) {
            Pass::Bits(candidates) if candidates.max(keep) < in_scope && !self.bits.is_empty() => {
                let candidates = self.by_bits(wanted, level, candidates.max(keep));
                self.among(&query, candidates, level, keep)
            }
            _ => self.by_bytes(&query, wanted.among, level, keep),
        };
        for near in &mut best {
            near.score = self.score(near.row, wanted.query);
        }
        best.sort_by(better);
        best.truncate(wanted.most);
        best
    }

    /// The best rows by bytes among all, or those of a scope.
    fn by_bytes(
        &self,
        query: &Row,
        among: Option<&RowSet>,
        level: SimdLevel,
        most: usize,
    ) -> Vec<Near> {
        // For a scope of few rows, single rows are cheaper than a scan of all.
        if let Some(scope) = among.filter(|scope| scope.len() * 4 < self.rows) {
            return self.among(query, scope.iter().collect(), level, most);
        }
        let mut top = Top::new(most);
        let (mut sums, mut scores) = ([0i32; STEP], [0.0f32; STEP]);
        for (step, rows) in self.values.chunks(STEP * self.dims).enumerate() {
            let count = rows.len() / self.dims;
            let (Some(sums), Some(scores)) = (sums.get_mut(..count), scores.get_mut(..count))
            else {
                continue;
            };
            simd::dots(level, &query.values, rows, sums);
            let scales = self.scales_from(step * STEP);
            for ((score, sum), scale) in scores.iter_mut().zip(sums).zip(scales) {
                // A row without a vector scores below any other.
                *score = if scale > 0.0 { *sum as f32 * scale } else { f32::NEG_INFINITY };
            }
            for (idx, score) in scores.iter().enumerate() {
                let row = (step * STEP + idx) as u32;
                if *score > top.least && among.is_none_or(|it| it.contains(row)) {
                    top.push(Near { row, score: *score });
                }
            }
        }
        top.finish()
    }

    /// The best rows by bytes among some rows, ascending.
    fn among(&self, query: &Row, mut rows: Vec<u32>, level: SimdLevel, most: usize) -> Vec<Near> {
        rows.retain(|row| (*row as usize) < self.rows);
        let mut sums = vec![0; rows.len()];
        let own = rows.iter().map(|row| self.row(*row as usize));
        simd::dots_of(level, &query.values, own, &mut sums);
        let mut top = Top::new(most);
        for (row, sum) in rows.into_iter().zip(sums) {
            let scale = self.scale(row as usize);
            let score = sum as f32 * scale;
            if score > top.least && scale > 0.0 {
                top.push(Near { row, score });
            }
        }
        top.finish()
    }

    /// The rows that differ from the query in the fewest bits, ascending by number; ties go to the
    /// first.
    fn by_bits(&self, wanted: &Nearest<'_>, level: SimdLevel, most: usize) -> Vec<u32> {
        let bits = self.signs_of(wanted.query);
        let mut distances = vec![0u16; self.rows];
        simd::distances(level, &bits, self.bits, &mut distances);
        if let Some(scope) = wanted.among {
            for (row, distance) in (0u32..).zip(&mut distances) {
                *distance = if scope.contains(row) { *distance } else { u16::MAX };
            }
        }
        let Cut { distance: cut, mut left, within } = self.cut(&distances, most);
        // Writes each row unconditionally and keeps it only if it counts: avoids a branch.
        let mut rows = vec![0; within + 1];
        let mut count = 0;
        for (row, distance) in (0u32..).zip(&distances) {
            rows[count] = row;
            count += usize::from(*distance <= cut);
        }
        rows.truncate(count);
        rows.retain(|row| {
            let is_last = distances[*row as usize] == cut;
            let is_kept = !is_last || left > 0;
            left -= usize::from(is_last && is_kept);
            is_kept
        });
        rows
    }

    /// The distance of the `most` nearest rows.
    fn cut(&self, distances: &[u16], most: usize) -> Cut {
        // Many rows have the same distance: four counters for each avoid dependent increments.
        let mut counts = vec![[0u32; 4]; self.dims + 8];
        let (fours, rest) = distances.as_chunks::<4>();
        for four in fours {
            for (n, distance) in four.iter().enumerate() {
                if let Some(count) = counts.get_mut(usize::from(*distance)) {
                    count[n] += 1;
                }
            }
        }
        for distance in rest {
            if let Some(count) = counts.get_mut(usize::from(*distance)) {
                count[0] += 1;
            }
        }
        let mut cut = Cut { distance: 0, left: most, within: 0 };
        for (distance, count) in (0u16..).zip(counts) {
            let count = count.iter().sum::<u32>() as usize;
            (cut.distance, cut.within) = (distance, cut.within + count);
            if count > cut.left {
                break;
            }
            cut.left -= count;
        }
        cut
    }
}

/// The limit of the nearest rows.
struct Cut {
    /// Greatest distance.
    distance: u16,
    /// Number of rows at that distance that are included; unlimited where there are fewer.
    left: usize,
    /// Number of rows up to that distance.
    within: usize,
}

fn better(a: &Near, b: &Near) -> std::cmp::Ordering {
    b.score.total_cmp(&a.score).then(a.row.cmp(&b.row))
}

/// Collects the best rows; they come in ascending order, so that ties go to the first.
struct Top {
    most: usize,
    kept: Vec<Near>,
    /// Threshold: a score that is not above it cannot be among the best.
    least: f32,
}

impl Top {
    fn new(most: usize) -> Self {
        Self { most, kept: Vec::with_capacity(most * 2), least: f32::NEG_INFINITY }
    }

    fn push(&mut self, near: Near) {
        self.kept.push(near);
        if self.kept.len() >= self.most * 2 {
            self.shrink();
        }
    }

    fn shrink(&mut self) {
        if self.kept.len() > self.most {
            self.kept.select_nth_unstable_by(self.most - 1, better);
            self.kept.truncate(self.most);
            let least = self.kept.last().map(|near| near.score);
            self.least = least.unwrap_or(f32::NEG_INFINITY);
        }
    }

    fn finish(mut self) -> Vec<Near> {
        self.shrink();
        self.kept
    }
}
