use super::row_set::RowSet;
use super::section::Vectors;
use super::simd::{self, Level};
use crate::vectors::Row;

/// Rows in one step of a scan: their sums stay in the first cache.
const STEP: usize = 512;
/// How many of the best by bytes are scored again with the query's own numbers.
const RESCORED: usize = 40;
/// From how many rows on the one-bit pass comes first, where the caller leaves it open: all bytes of
/// so many rows are read from memory, not from a cache.
const LARGE: usize = 20_000;
/// How many candidates the one-bit pass hands on at least, and for how many rows one: bits alone
/// part the rows of a crowd badly, and crowds grow with the rows.
const CANDIDATES: usize = 4_000;
const ROWS_A_CANDIDATE: usize = 200;

/// A row and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Its number.
    pub row: u32,
    /// Its product with the query: the cosine.
    pub score: f32,
}

/// How rows are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Every row by its bytes: exact but for rounding.
    Exact,
    /// Every row by its bits, and this many candidates by their bytes.
    Bits(usize),
}

impl Pass {
    /// Exact up to 20,000 rows, by bits beyond.
    pub fn for_rows(rows: usize) -> Self {
        if rows <= LARGE {
            Self::Exact
        } else {
            Self::Bits(CANDIDATES.max(rows / ROWS_A_CANDIDATE))
        }
    }
}

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Nearest<'a> {
    /// A vector of length 1.
    pub query: &'a [f32],
    /// How many rows at most.
    pub most: usize,
    /// Only among these; `None`: all.
    pub among: Option<&'a RowSet>,
    /// How; `None`: as fits their number.
    pub pass: Option<Pass>,
    /// By which instructions; `None`: the widest there are.
    pub level: Option<Level>,
}

impl<'a> Nearest<'a> {
    /// The nearest among all rows.
    pub fn new(query: &'a [f32], most: usize) -> Self {
        Self { query, most, among: None, pass: None, level: None }
    }
}

impl Vectors<'_> {
    /// The nearest rows, best first, equals by number. Rows without a vector are never among them.
    pub fn nearest(&self, wanted: &Nearest<'_>) -> Vec<Near> {
        let Some(query) = Row::of(wanted.query) else { return Vec::new() };
        if wanted.query.len() != self.dims || wanted.most == 0 {
            return Vec::new();
        }
        let level = wanted.level.unwrap_or_else(Level::best);
        let in_scope = wanted.among.map_or(self.rows, RowSet::len);
        let keep = wanted.most.max(RESCORED);
        let mut best = match wanted.pass.unwrap_or_else(|| Pass::for_rows(in_scope)) {
            Pass::Bits(candidates) if candidates.max(keep) < in_scope => {
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

    /// The best by bytes among all rows, or those of a scope.
    fn by_bytes(
        &self,
        query: &Row,
        among: Option<&RowSet>,
        level: Level,
        most: usize,
    ) -> Vec<Near> {
        // A scope of few rows is cheaper one by one than all rows in order.
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
                // A row without a vector is worth less than any other.
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

    /// The best by bytes among some rows, ascending.
    fn among(&self, query: &Row, mut rows: Vec<u32>, level: Level, most: usize) -> Vec<Near> {
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

    /// The rows that differ from the query in the fewest bits, ascending by number; of those that
    /// differ in equally many the first.
    fn by_bits(&self, wanted: &Nearest<'_>, level: Level, most: usize) -> Vec<u32> {
        let bits = self.signs_of(wanted.query);
        let mut distances = vec![0u16; self.rows];
        simd::distances(level, &bits, self.bits, &mut distances);
        if let Some(scope) = wanted.among {
            for (row, distance) in (0u32..).zip(&mut distances) {
                *distance = if scope.contains(row) { *distance } else { u16::MAX };
            }
        }
        let Cut { distance: cut, mut left, within } = self.cut(&distances, most);
        // Each row is written, and the next one over it where it was none: no guess for any.
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

    /// How far the `most` nearest go.
    fn cut(&self, distances: &[u16], most: usize) -> Cut {
        // Distances crowd: four counters of each, so that no count waits for the one before.
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

/// How far the nearest go.
struct Cut {
    /// The greatest distance.
    distance: u16,
    /// How many of those at it are among them; what is more where there are fewer.
    left: usize,
    /// How many rows there are up to it.
    within: usize,
}

fn better(a: &Near, b: &Near) -> std::cmp::Ordering {
    b.score.total_cmp(&a.score).then(a.row.cmp(&b.row))
}

/// The best of what comes by; rows come in ascending order, so that of equals the first stay.
struct Top {
    most: usize,
    kept: Vec<Near>,
    /// Whoever is not above it cannot be among the best.
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
