//! Random numbers and vector arithmetic with results that do not depend on the number of threads.

/// A seeded random number generator (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `[0, 1)`.
    pub(crate) fn uniform(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Approximately standard normal: the sum of twelve uniform numbers, which needs no function of
    /// the system's math library.
    pub(crate) fn normal(&mut self) -> f32 {
        (0..12).map(|_| self.uniform()).sum::<f32>() - 6.0
    }

    /// Uniform in `0..end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}

/// The dot product of two vectors, in sixteen independent sums that the compiler can vectorise.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 16];
    for (a, b) in a.chunks_exact(16).zip(b.chunks_exact(16)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest = a.len() - a.len() % 16;
    let tail: f32 = a.iter().zip(b).skip(rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + tail
}

/// `to += factor × from`.
pub(crate) fn add(to: &mut [f32], factor: f32, from: &[f32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// Fills the rows of a matrix independently, on several threads.
pub(crate) fn each_row(
    matrix: &mut [f32],
    width: usize,
    threads: usize,
    fill: &(dyn Fn(usize, &mut [f32]) + Sync),
) {
    let rows = matrix.len() / width.max(1);
    let share = rows.div_ceil(threads.max(1)).max(1);
    std::thread::scope(|scope| {
        for (part, rows) in matrix.chunks_mut(share * width).enumerate() {
            scope.spawn(move || {
                for (idx, row) in rows.chunks_mut(width).enumerate() {
                    fill(part * share + idx, row);
                }
            });
        }
    });
}
