//! Encoding of field lengths in a byte: exact below 64, then in steps of 4.4 %, which is precise
//! enough for BM25.

use std::sync::OnceLock;

const EXACT: u32 = 64;
/// Number of steps per doubling.
const STEPS: f32 = 16.0;

/// The encoded length.
pub(super) fn code_of(length: u32) -> u8 {
    if length < EXACT {
        return length as u8;
    }
    let steps = (STEPS * (length as f32 / EXACT as f32).log2()).round() as u32;
    (EXACT + steps).min(255) as u8
}

/// The length by encoded length.
pub(crate) fn lengths() -> &'static [f32; 256] {
    static LENGTHS: OnceLock<[f32; 256]> = OnceLock::new();
    LENGTHS.get_or_init(|| std::array::from_fn(|code| length_of(code as u8)))
}

fn length_of(code: u8) -> f32 {
    let code = u32::from(code);
    if code < EXACT {
        return code as f32;
    }
    EXACT as f32 * ((code - EXACT) as f32 / STEPS).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_come_back_nearly() {
        for length in [0, 1, 63, 64, 65, 100, 1_000, 100_000] {
            let back = length_of(code_of(length));
            assert!((back - length as f32).abs() <= length as f32 * 0.023, "{length}: {back}");
        }
        assert_eq!(code_of(u32::MAX), 255);
    }
}
