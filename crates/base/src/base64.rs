//! Base64 (RFC 4648): bytes in texts of protocols.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Base64 of bytes, with padding.
pub fn to_base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |idx: usize| u32::from(chunk.get(idx).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for idx in 0..4 {
            let letter = LETTERS[(group >> (18 - 6 * idx) & 63) as usize];
            text.push(if idx <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

/// Bytes of a text in base64, with or without padding; `None` if it is not one.
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for chunk in text.chunks(4) {
        let mut group = 0_u32;
        for letter in chunk {
            let value = match letter {
                b'A'..=b'Z' => letter - b'A',
                b'a'..=b'z' => letter - b'a' + 26,
                b'0'..=b'9' => letter - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            group = group << 6 | u32::from(value);
        }
        group <<= 6 * (4 - chunk.len());
        if chunk.len() < 2 {
            return None;
        }
        bytes.extend_from_slice(&group.to_be_bytes()[1..chunk.len()]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_the_same_after_both_ways() {
        for length in 0..20 {
            let bytes: Vec<u8> = (0..length).map(|it: u8| it.wrapping_mul(37)).collect();
            assert_eq!(from_base64(&to_base64(&bytes)), Some(bytes));
        }
        assert_eq!(to_base64(b"light w"), "bGlnaHQgdw==");
        assert_eq!(to_base64("é".as_bytes()), "w6k=");
        assert_eq!(to_base64(b"a"), "YQ==");
        assert_eq!(from_base64("Y"), None);
        assert_eq!(from_base64("!!!!"), None);
    }
}
