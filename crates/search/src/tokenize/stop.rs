//! Words that are left out of an index: English function words, and keywords of all Rust code.

/// English words without a meaning of their own, and Rust keywords that stand in all code. Keywords
/// that people write to mean something (`async`, `unsafe`, `match`, `loop`, `const`, `trait`) stay.
const WORDS: &[&str] = &[
    "an", "the", "of", "to", "in", "is", "are", "be", "been", "was", "were", "it", "its", "this",
    "that", "these", "those", "and", "or", "with", "from", "by", "on", "at", "as", "for", "if",
    "then", "than", "so", "we", "you", "they", "he", "she", "i", "my", "our", "your", "their",
    "when", "which", "what", "who", "how", "there", "here", "also", "can", "could", "should",
    "would", "will", "shall", "may", "might", "must", "do", "does", "did", "has", "have", "had",
    "but", "not", "no", "any", "some", "such", "only", "just", "into", "about", "because", "while",
    "where", "over", "under", "very", "more", "most", "other", "each", "now", "us", "them", "ll",
    "ve", "re", "don", "doesn", "isn", "let", "mut", "pub", "fn", "self", "impl", "use", "mod",
    "crate", "super", "else", "ref", "return", "true", "false",
];

const SLOTS: usize = 512;

/// The words by hash, open addressing: one probe is nearly always enough.
static TABLE: [&str; SLOTS] = table();

pub(super) fn is_stop_word(word: &str) -> bool {
    let mut slot = hash(word.as_bytes());
    while !TABLE[slot].is_empty() {
        if TABLE[slot] == word {
            return true;
        }
        slot = (slot + 1) % SLOTS;
    }
    false
}

const fn table() -> [&'static str; SLOTS] {
    let mut table = [""; SLOTS];
    let mut word = 0;
    while word < WORDS.len() {
        let mut slot = hash(WORDS[word].as_bytes());
        while !table[slot].is_empty() {
            slot = (slot + 1) % SLOTS;
        }
        table[slot] = WORDS[word];
        word += 1;
    }
    table
}

const fn hash(bytes: &[u8]) -> usize {
    let mut hash = bytes.len() as u32;
    let mut at = 0;
    while at < bytes.len() && at < 8 {
        hash = (hash ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    ((hash ^ (hash >> 15)) as usize) % SLOTS
}
