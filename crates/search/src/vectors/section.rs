//! [`Vectors`]: the stored form of many quantised vectors, read in place.

use super::{Row, simd};
use crate::bytes::u32_at;

/// Size of the header: number of rows, of components, and of the rows that have bits.
const HEADER: usize = 12;

/// Writes the vectors of many rows, each of `dims` components; `None` for a row without a vector.
/// Without bits, [`Vectors::nearest`] compares all rows by their bytes.
///
/// | part | size |
/// |---|---|
/// | rows, dims, rows with bits: all or 0, `u32` | 12 |
/// | with bits: the mean of all vectors, `f32` | 4 × dims |
/// | scale of each row, `f32`; 0 where it has no vector | 4 × rows |
/// | with bits: one per component: above the mean | rows × ⌈dims / 8⌉ |
/// | the components, `i8` | rows × dims |
///
/// Little-endian and unaligned, so it can be anywhere in a file.
pub fn write_vectors(dims: usize, rows: &[Option<&Row>], has_bits: bool) -> Vec<u8> {
    let fits = |row: &Option<&Row>| row.is_none_or(|row| row.values.len() == dims);
    debug_assert!(rows.iter().all(fits), "a row of another length");
    let rows: Vec<Option<&Row>> = rows.iter().map(|row| row.filter(|_| fits(row))).collect();
    let bytes = dims.div_ceil(8);
    let size = HEADER + dims * 4 + rows.len() * (4 + bytes + dims);
    let mut out = Vec::with_capacity(size);
    let with_bits = if has_bits { rows.len() } else { 0 };
    for number in [rows.len(), dims, with_bits] {
        out.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
    }
    let mean = (with_bits > 0).then(|| mean(dims, &rows));
    mean.iter().flatten().for_each(|value| out.extend(value.to_le_bytes()));
    rows.iter().for_each(|row| out.extend(row.map_or(0.0, |row| row.scale).to_le_bytes()));
    for row in rows.iter().take(with_bits) {
        let Some((row, mean)) = row.zip(mean.as_deref()) else {
            out.resize(out.len() + bytes, 0);
            continue;
        };
        let numbers = row.values.iter().map(|value| f32::from(*value) * row.scale);
        out.extend(signs(numbers, mean));
    }
    for row in &rows {
        match row {
            Some(row) => out.extend(row.values.iter().map(|value| *value as u8)),
            None => out.resize(out.len() + dims, 0),
        }
    }
    out
}

/// One bit per component: whether it is above the mean.
fn signs(numbers: impl Iterator<Item = f32>, mean: &[f32]) -> Vec<u8> {
    let mut bits = vec![0u8; mean.len().div_ceil(8)];
    for (idx, (number, mean)) in numbers.zip(mean).enumerate() {
        bits[idx / 8] |= u8::from(number > *mean) << (idx % 8);
    }
    bits
}

/// Summed in row order in double precision: the same rows give the same mean.
fn mean(dims: usize, rows: &[Option<&Row>]) -> Vec<f32> {
    let mut sums = vec![0.0f64; dims];
    let mut count = 0u32;
    for row in rows.iter().flatten() {
        for (sum, value) in sums.iter_mut().zip(&row.values) {
            *sum += f64::from(f32::from(*value) * row.scale);
        }
        count += 1;
    }
    sums.iter().map(|sum| (sum / f64::from(count.max(1))) as f32).collect()
}

/// Quantised vectors, read in place.
#[derive(Clone, Copy, Debug)]
pub struct Vectors<'a> {
    pub(super) rows: usize,
    pub(super) dims: usize,
    mean: &'a [u8],
    scales: &'a [u8],
    /// One bit per component; empty where they were not written.
    pub(super) bits: &'a [u8],
    /// One byte per component.
    pub(super) values: &'a [u8],
}

impl<'a> Vectors<'a> {
    /// `None` where the length does not match the header.
    pub fn open(bytes: &'a [u8]) -> Option<Self> {
        let rows = u32_at(bytes, 0)? as usize;
        let dims = u32_at(bytes, 4)? as usize;
        let with_bits = u32_at(bytes, 8)? as usize;
        if with_bits != 0 && with_bits != rows {
            return None;
        }
        let means = if with_bits > 0 { dims } else { 0 };
        let mean_end = HEADER.checked_add(means.checked_mul(4)?)?;
        let scales_end = mean_end.checked_add(rows.checked_mul(4)?)?;
        let bits_end = scales_end.checked_add(with_bits.checked_mul(dims.div_ceil(8))?)?;
        let end = bits_end.checked_add(rows.checked_mul(dims)?)?;
        if bytes.len() != end {
            return None;
        }
        Some(Self {
            rows,
            dims,
            mean: bytes.get(HEADER..mean_end)?,
            scales: bytes.get(mean_end..scales_end)?,
            bits: bytes.get(scales_end..bits_end)?,
            values: bytes.get(bits_end..end)?,
        })
    }

    /// The number of rows, including those without a vector.
    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    /// The number of components of a vector.
    pub(crate) fn dims(&self) -> usize {
        self.dims
    }

    /// A row as it was written; `None` where it has no vector.
    pub(crate) fn stored(&self, row: u32) -> Option<(f32, &'a [u8])> {
        let scale = self.scale(row as usize);
        (scale > 0.0).then(|| (scale, self.row(row as usize)))
    }

    /// The scale of a row; 0 where it has no vector.
    pub(super) fn scale(&self, row: usize) -> f32 {
        u32_at(self.scales, row * 4).map_or(0.0, f32::from_bits)
    }

    /// The bytes of a row.
    pub(super) fn row(&self, row: usize) -> &'a [u8] {
        self.values.get(row * self.dims..(row + 1) * self.dims).unwrap_or_default()
    }

    /// The bits of a vector, in the form of the rows' bits.
    pub(super) fn signs_of(&self, vector: &[f32]) -> Vec<u8> {
        let mean: Vec<f32> = (0..self.dims)
            .map(|idx| u32_at(self.mean, idx * 4).map_or(0.0, f32::from_bits))
            .collect();
        signs(vector.iter().copied(), &mean)
    }

    /// The dequantised vector of a row; `None` where it has none.
    pub(crate) fn vector(&self, row: u32) -> Option<Vec<f32>> {
        let scale = self.scale(row as usize);
        let numbers = self.row(row as usize).iter().map(|number| f32::from(*number as i8) * scale);
        (scale > 0.0).then(|| numbers.collect())
    }

    /// The product of a row with a vector: the cosine where both have length 1.
    pub(crate) fn score(&self, row: u32, vector: &[f32]) -> f32 {
        let row = row as usize;
        simd::product(simd::SimdLevel::best(), self.row(row), vector) * self.scale(row)
    }

    /// The scales of the rows from one on.
    pub(super) fn scales_from(&self, row: usize) -> impl Iterator<Item = f32> {
        let bytes = self.scales.get(row * 4..).unwrap_or_default();
        bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes))
    }
}
