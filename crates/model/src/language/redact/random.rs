//! Whether a text looks like random characters: a key, not a word, a path or an identifier.

/// Texts of examples, which are no secrets.
const PLACEHOLDERS: &[&str] = &[
    "example",
    "your",
    "xxxx",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "redacted",
    "dummy",
    "sample",
    "insert",
    "todo",
    "1234567890",
    "0123456789",
    "abcdef",
];
/// Fewest bits of entropy per character.
const MIN_ENTROPY: f64 = 3.0;

/// Whether `text` looks like at least `min_len` random characters.
pub(super) fn looks_random(text: &str, min_len: usize) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < min_len || bytes.len() > 512 || !bytes.iter().all(u8::is_ascii_graphic) {
        return false;
    }
    if bytes.iter().any(|byte| b"<>{}()[]$`\\|;\"' ".contains(byte)) || is_placeholder(text) {
        return false;
    }
    if text.contains("://") || text.starts_with(['/', '.']) {
        return false;
    }
    let digit_runs = runs_of(bytes, u8::is_ascii_digit);
    let has_letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count() >= 2;
    let has = |is: fn(&u8) -> bool| bytes.iter().any(is);
    let has_both_cases = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    // Base 32 has few digits; words in capitals have separators, or are shorter.
    let is_base_32 = bytes.len() >= 20
        && bytes.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    // Identifiers in camel case may have one number; they change case less often.
    let least = match digit_runs {
        2.. if is_base_32 => 12,
        2.. => 30,
        _ => 45,
    };
    has_letters
        && (digit_runs >= 2 || (digit_runs == 1 && has_both_cases))
        && changes(bytes) >= least
        && 3 * neighbours(bytes) < bytes.len()
        && entropy(bytes) >= MIN_ENTROPY
}

/// Whether the text is one that documentation uses instead of a secret.
pub(super) fn is_placeholder(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|placeholder| lower.contains(placeholder))
}

/// Number of maximal runs of bytes of a class.
fn runs_of(bytes: &[u8], is: fn(&u8) -> bool) -> usize {
    let starts = bytes.windows(2).filter(|pair| !is(&pair[0]) && is(&pair[1])).count();
    starts + usize::from(bytes.first().is_some_and(is))
}

/// How often letters and digits change between lower case, upper case and digits, in percent of
/// the characters. Random ones change at every second; words and numbers do not. Separators do
/// not count.
fn changes(bytes: &[u8]) -> usize {
    let classes: Vec<u8> = bytes
        .iter()
        .filter_map(|byte| match byte {
            b'a'..=b'z' => Some(0),
            b'A'..=b'Z' => Some(1),
            b'0'..=b'9' => Some(2),
            b'_' | b'-' | b'.' | b'/' => None,
            _ => Some(3),
        })
        .collect();
    let changes = classes.windows(2).filter(|pair| pair[0] != pair[1]).count();
    100 * changes / classes.len().max(1)
}

/// Number of pairs of equal or consecutive bytes, as in tables and counters.
fn neighbours(bytes: &[u8]) -> usize {
    bytes.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) <= 1).count()
}

/// Shannon entropy in bits per byte.
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for &byte in bytes {
        counts[usize::from(byte)] += 1;
    }
    let len = bytes.len() as f64;
    let shares = counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / len);
    shares.map(|share| -share * share.log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_look_random() {
        for text in [
            "p9X2mQ7vL4tR8wZ1",
            "a8f5f167f44f4964e6c998dee827110c",
            "3f2b1c9d-7e4a-4c6b-9f1e-8d2a5b7c0e94",
            "wJalrXUtnFEMI/K7MDENG+bPxRfiCY4K2x9QpLmN",
            "Tr0ub4dor&3x!9q",
        ] {
            assert!(looks_random(text, 12), "{text}");
        }
    }

    #[test]
    fn words_paths_and_counters_do_not() {
        for text in [
            "TokenStream2",
            "correct_horse_battery_staple",
            "my-secret-token-value-1",
            "src/language/redact/mod.rs",
            "0123456789abcdef0123456789abcdef",
            "aaaaaaaaaaaaaaaa1111111111111111",
            "https://docs.rs/serde/1.0.229",
            "your-api-key-9x8y7z6w5v",
            "AKIAIOSFODNN7EXAMPLE",
            "sha256_digest_of_v2",
            "{token}9a8b7c6d5e4f",
        ] {
            assert!(!looks_random(text, 12), "{text}");
        }
    }
}
