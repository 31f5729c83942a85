//! Dot products of bytes and Hamming distances over many rows, by the widest instructions of the
//! processor, with a portable fallback. All levels give the same integers.
#![allow(unsafe_code, reason = "instructions beyond the baseline; each call argues that it may")]

use std::sync::OnceLock;

/// The instruction set to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SimdLevel {
    /// Portable Rust.
    Portable,
    /// 256 bits (x86-64).
    Avx2,
    /// 512 bits with VNNI and VPOPCNTDQ (x86-64).
    Avx512,
    /// 128 bits (aarch64).
    Neon,
}

impl SimdLevel {
    /// The levels that this processor supports, the widest last.
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if has_avx2() {
                levels.push(Self::Avx2);
            }
            if has_avx512() {
                levels.push(Self::Avx512);
            }
        }
        #[cfg(target_arch = "aarch64")]
        if has_neon() {
            levels.push(Self::Neon);
        }
        levels
    }

    /// The widest level that this processor supports.
    pub fn best() -> Self {
        static BEST: OnceLock<SimdLevel> = OnceLock::new();
        *BEST.get_or_init(|| Self::available().last().copied().unwrap_or(Self::Portable))
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

#[cfg(target_arch = "aarch64")]
fn has_neon() -> bool {
    std::arch::is_aarch64_feature_detected!("neon")
}

/// For each row of `query.len()` bytes (as `i8`): its dot product with `query`, whose values are
/// between -127 and 127. Rows beyond `out` are ignored.
pub(crate) fn dots(level: SimdLevel, query: &[i8], rows: &[u8], out: &mut [i32]) {
    if query.is_empty() {
        out.fill(0);
        return;
    }
    dots_of(level, query, rows.chunks_exact(query.len()), out);
}

/// The same for rows from an iterator, each of `query.len()` bytes.
pub(crate) fn dots_of<'a>(
    level: SimdLevel,
    query: &[i8],
    rows: impl Iterator<Item = &'a [u8]>,
    out: &mut [i32],
) {
    match level {
        // SAFETY: the level is taken only where `available` found the instructions that the
        // function is compiled for; it is asked again here, so that no caller can break it.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 if query.len().is_multiple_of(64) && has_avx512() => unsafe {
            x86::dots_avx512(query, rows, out);
        },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx2 if query.len().is_multiple_of(32) && has_avx2() => unsafe {
            x86::dots_avx2(query, rows, out);
        },
        // SAFETY: as above.
        #[cfg(target_arch = "aarch64")]
        SimdLevel::Neon if query.len().is_multiple_of(16) && has_neon() => unsafe {
            arm::dots_neon(query, rows, out);
        },
        _ => {
            for (row, out) in rows.zip(out) {
                *out = dot(query, row);
            }
        }
    }
}

/// The dot product of a row's bytes (as `i8`) with a vector. All levels give the same number: they
/// differ in the number of lanes per addition, not in the order of additions.
pub(crate) fn product(level: SimdLevel, row: &[u8], vector: &[f32]) -> f32 {
    match level {
        // SAFETY: as in `dots`.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 if has_avx512() => unsafe { x86::product_avx512(row, vector) },
        // SAFETY: as in `dots`.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx2 if has_avx2() => unsafe { x86::product_avx2(row, vector) },
        _ => product_portable(row, vector),
    }
}

#[inline(always)]
fn product_portable(row: &[u8], vector: &[f32]) -> f32 {
    // In lanes, so that it is vectorised: a single sum would be a dependency chain.
    let (numbers, rest) = row.as_chunks::<16>();
    let (vector, vector_rest) = vector.as_chunks::<16>();
    let mut lanes = [0.0f32; 16];
    for (numbers, vector) in numbers.iter().zip(vector) {
        for ((lane, number), other) in lanes.iter_mut().zip(numbers).zip(vector) {
            *lane += f32::from(*number as i8) * other;
        }
    }
    let rest = rest.iter().zip(vector_rest).map(|(a, b)| f32::from(*a as i8) * b);
    lanes.iter().sum::<f32>() + rest.sum::<f32>()
}

/// The dot product of one row.
pub(crate) fn dot(query: &[i8], row: &[u8]) -> i32 {
    query.iter().zip(row).map(|(a, b)| i32::from(*a) * i32::from(*b as i8)).sum()
}

/// For each row of `query.len()` bytes: the number of bits that differ from `query`.
pub(crate) fn distances(level: SimdLevel, query: &[u8], rows: &[u8], out: &mut [u16]) {
    if query.is_empty() {
        out.fill(0);
        return;
    }
    match level {
        // SAFETY: as in `dots`.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 if query.len() == 32 && has_avx512() => unsafe {
            x86::distances_avx512(query, rows, out);
        },
        // SAFETY: as in `dots`.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 | SimdLevel::Avx2 if has_avx2() => unsafe {
            x86::distances_popcnt(query, rows, out);
        },
        // SAFETY: as in `dots`.
        #[cfg(target_arch = "aarch64")]
        SimdLevel::Neon if query.len().is_multiple_of(16) && has_neon() => unsafe {
            arm::distances_neon(query, rows, out);
        },
        _ => distances_portable(query, rows, out),
    }
}

#[inline(always)]
fn distances_portable(query: &[u8], rows: &[u8], out: &mut [u16]) {
    let word = |bytes: &[u8]| {
        let mut word = [0u8; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    for (row, out) in rows.chunks_exact(query.len()).zip(out) {
        let words = query.chunks(8).zip(row.chunks(8));
        let bits: u32 = words.map(|(a, b)| (word(a) ^ word(b)).count_ones()).sum();
        *out = u16::try_from(bits).unwrap_or(u16::MAX);
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub(super) fn dots_avx512<'a>(
        query: &[i8],
        rows: impl Iterator<Item = &'a [u8]>,
        out: &mut [i32],
    ) {
        // The instruction takes one side without sign: a row's byte with its top bit turned is
        // the byte plus 128, so every sum is too great by 128 times the sum of the query.
        let excess: i32 = query.iter().map(|value| i32::from(*value)).sum::<i32>() * 128;
        let turn = _mm512_set1_epi8(-128);
        for (row, out) in rows.zip(out) {
            let mut sums = [_mm512_setzero_si512(); 2];
            for (idx, (a, b)) in query.chunks_exact(64).zip(row.chunks_exact(64)).enumerate() {
                // SAFETY: both pieces are 64 bytes long, and the loads ask for no alignment.
                let (a, b) = unsafe {
                    (_mm512_loadu_si512(a.as_ptr().cast()), _mm512_loadu_si512(b.as_ptr().cast()))
                };
                let sum = &mut sums[idx & 1];
                *sum = _mm512_dpbusd_epi32(*sum, _mm512_xor_si512(b, turn), a);
            }
            *out = _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1])) - excess;
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn dots_avx2<'a>(
        query: &[i8],
        rows: impl Iterator<Item = &'a [u8]>,
        out: &mut [i32],
    ) {
        for (row, out) in rows.zip(out) {
            let mut sum = _mm256_setzero_si256();
            for (a, b) in query.chunks_exact(32).zip(row.chunks_exact(32)) {
                // SAFETY: both pieces are 32 bytes long, and the loads ask for no alignment.
                let (a, b) = unsafe {
                    (_mm256_loadu_si256(a.as_ptr().cast()), _mm256_loadu_si256(b.as_ptr().cast()))
                };
                // Halves are widened: products of two bytes of any sign fit in 16 bits, and
                // `madd` adds pairs of them in 32.
                let low = |it| _mm256_cvtepi8_epi16(_mm256_castsi256_si128(it));
                let high = |it| _mm256_cvtepi8_epi16(_mm256_extracti128_si256::<1>(it));
                sum = _mm256_add_epi32(sum, _mm256_madd_epi16(low(a), low(b)));
                sum = _mm256_add_epi32(sum, _mm256_madd_epi16(high(a), high(b)));
            }
            let half =
                _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
            let half = _mm_add_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
            let half = _mm_add_epi32(half, _mm_shuffle_epi32::<0b10_11_00_01>(half));
            *out = _mm_cvtsi128_si32(half);
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    pub(super) fn product_avx512(row: &[u8], vector: &[f32]) -> f32 {
        super::product_portable(row, vector)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn product_avx2(row: &[u8], vector: &[f32]) -> f32 {
        super::product_portable(row, vector)
    }

    #[target_feature(enable = "avx512f,avx512vl,avx512vpopcntdq")]
    pub(super) fn distances_avx512(query: &[u8], rows: &[u8], out: &mut [u16]) {
        // SAFETY: the caller checked that the query is 32 bytes long; no alignment is asked for.
        let query = unsafe { _mm256_loadu_si256(query.as_ptr().cast()) };
        for (row, out) in rows.chunks_exact(32).zip(out) {
            // SAFETY: the piece is 32 bytes long, and the load asks for no alignment.
            let row = unsafe { _mm256_loadu_si256(row.as_ptr().cast()) };
            let bits = _mm256_popcnt_epi64(_mm256_xor_si256(query, row));
            let half =
                _mm_add_epi64(_mm256_castsi256_si128(bits), _mm256_extracti128_si256::<1>(bits));
            let sum = _mm_cvtsi128_si64(half) + _mm_extract_epi64::<1>(half);
            *out = sum as u16;
        }
    }

    /// The portable count, compiled for processors with a population count instruction.
    #[target_feature(enable = "popcnt,avx2")]
    pub(super) fn distances_popcnt(query: &[u8], rows: &[u8], out: &mut [u16]) {
        super::distances_portable(query, rows, out);
    }
}

#[cfg(target_arch = "aarch64")]
mod arm {
    use std::arch::aarch64::*;

    #[target_feature(enable = "neon")]
    pub(super) fn dots_neon<'a>(
        query: &[i8],
        rows: impl Iterator<Item = &'a [u8]>,
        out: &mut [i32],
    ) {
        for (row, out) in rows.zip(out) {
            let mut sum = vdupq_n_s32(0);
            for (a, b) in query.chunks_exact(16).zip(row.chunks_exact(16)) {
                // SAFETY: both pieces are 16 bytes long, and the loads ask for no alignment.
                let (a, b) = unsafe { (vld1q_s8(a.as_ptr()), vld1q_s8(b.as_ptr().cast())) };
                sum = vpadalq_s16(sum, vmull_s8(vget_low_s8(a), vget_low_s8(b)));
                sum = vpadalq_s16(sum, vmull_high_s8(a, b));
            }
            *out = vaddvq_s32(sum);
        }
    }

    #[target_feature(enable = "neon")]
    pub(super) fn distances_neon(query: &[u8], rows: &[u8], out: &mut [u16]) {
        for (row, out) in rows.chunks_exact(query.len()).zip(out) {
            let mut sum = vdupq_n_u16(0);
            for (a, b) in query.chunks_exact(16).zip(row.chunks_exact(16)) {
                // SAFETY: both pieces are 16 bytes long, and the loads ask for no alignment.
                let (a, b) = unsafe { (vld1q_u8(a.as_ptr()), vld1q_u8(b.as_ptr())) };
                sum = vpadalq_u8(sum, vcntq_u8(veorq_u8(a, b)));
            }
            *out = vaddvq_u16(sum);
        }
    }
}
