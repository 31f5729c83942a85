//! An upper bound of the number of tokens of a text, for when no tokenizer is available.
//!
//! The bound holds for every byte-pair tokenizer that splits text like those since GPT-4 (or more
//! coarsely: a word with the one punctuation character or blank before it, a run of punctuation,
//! digits, a run of blanks), and whose vocabulary contains: every byte, the words of `words.txt`
//! with the prefixes given there, the runs of `marks.rs`, runs of up to 64 blanks, and all pairs of
//! lower-case letters except the listed ones. It was checked against both published vocabularies in
//! wide use.
//!
//! Why it holds, for each part of the split:
//! - a part that is a token is one token;
//! - in any other part no two adjacent tokens form a token, else they would have been merged. So
//!   two single letters can only be adjacent where their pair is not a token; the maximum number of
//!   tokens under this rule is computed (`most_parts`). Where tokenizers split words differently –
//!   at a change of case – the rule is not used;
//! - everything else counts its bytes, and no token is shorter than one byte.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::marks::MARKS;

/// Counts tokens like a model's tokenizer, or more, never fewer.
pub trait CountTokens: Send + Sync {
    /// The maximum number of tokens of a text.
    fn count(&self, text: &str) -> usize;
}

/// [`count_tokens_in_code`] as a counter, for when no tokenizer is available.
#[derive(Clone, Copy, Debug, Default)]
pub struct UpperBound;

impl CountTokens for UpperBound {
    fn count(&self, text: &str) -> usize {
        count_tokens_in_code(text)
    }
}

/// Prefixes that form one part with a word; one bit each in a word's entry.
const BEFORE: [&str; 5] = ["", " ", "_", ".", "("];

/// Maximum length of a run of blanks that counts as one token.
const LONGEST_BLANK: usize = 64;

/// Pairs of lower-case letters that are not a token in every vocabulary.
const NO_TOKENS: &[u8] =
    b"bqfjfzgjgkgqhjjgjvjwjxjyjzkqkxkzlqmznqoqqfqgqjqkqoqvqyqzrjtjtquqvqvzwqwvwzxgxhxj\
      xkxqxuxvxwyfyjyqyvzgzjzqzrzv";

/// The maximum number of tokens of a text in a byte-pair tokenizer.
pub fn count_tokens_in_code(text: &str) -> usize {
    let mut tokens = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (piece, count) = piece(rest, first);
        tokens += count;
        rest = &rest[piece.max(first.len_utf8()).min(rest.len())..];
    }
    tokens
}

/// Length and maximum number of tokens of the first part of a text.
fn piece(text: &str, first: char) -> (usize, usize) {
    let bytes = text.as_bytes();
    if first.is_alphabetic() {
        let len = letters(text);
        return (len, word("", &text[..len], &text[len..]));
    }
    if first.is_ascii_digit() {
        return (1, 1);
    }
    if !first.is_ascii() {
        // A run of punctuation that begins with non-ASCII, or such a character before a word.
        let is_mark = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
        let run = text.find(|c| !is_mark(c)).unwrap_or(text.len()).max(first.len_utf8());
        let word = if run == first.len_utf8() { letters(&text[run..]) } else { 0 };
        return (run + word, run + word);
    }
    let second = text[1..].chars().next();
    if !matches!(first, '\n' | '\r') && second.is_some_and(char::is_alphabetic) {
        let len = letters(&text[1..]);
        return (1 + len, word(&text[..1], &text[1..=len], &text[1 + len..]));
    }
    if first == ' ' {
        let run = bytes.iter().take_while(|byte| **byte == b' ').count();
        // The last blank of a run belongs to the next part.
        let ends_line = bytes.get(run).is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
        let own = if ends_line { run } else { run - 1 };
        if own > 0 {
            return (own, if own <= LONGEST_BLANK && !ends_line { 1 } else { own });
        }
    }
    marks(text)
}

/// A run of punctuation, with a blank before it and line ends after it.
fn marks(text: &str) -> (usize, usize) {
    let is_mark = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && !c.is_whitespace();
    let blank = usize::from(text.starts_with(' '));
    let run = text[blank..].find(|c: char| !is_mark(c)).unwrap_or(text.len() - blank);
    let line = text[blank + run..].find(|c| c != '\n' && c != '\r');
    let end = if run == 0 { 0 } else { blank + run + line.unwrap_or(text.len() - blank - run) };
    let Some(piece) = text.get(..end).filter(|piece| !piece.is_empty()) else { return (1, 1) };
    // What follows the run may change where it is split: non-ASCII punctuation, or a slash after
    // the end of a line.
    let is_closed = text[end..].chars().next().is_none_or(|c| c.is_ascii() && c != '/');
    let is_token = is_closed && MARKS.binary_search(&piece).is_ok();
    (end, if is_token { 1 } else { piece.len() })
}

/// The number of bytes of letters at the start of a text.
fn letters(text: &str) -> usize {
    text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len())
}

/// A word after one punctuation character or blank, or none.
fn word(before: &str, word: &str, behind: &str) -> usize {
    if !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return before.len() + word.len();
    }
    // Some tokenizers include an apostrophe with its suffix, or a combining mark, in the word.
    let is_closed = behind.chars().next().is_none_or(|c| c.is_ascii() && c != '\'');
    let bit = BEFORE.iter().position(|known| *known == before).filter(|_| is_closed);
    if bit.is_some_and(|bit| words().get(word).is_some_and(|bits| bits & 1 << bit != 0)) {
        return 1;
    }
    before.len() + most_parts(word.as_bytes())
}

/// The maximum number of tokens of a word in which no two adjacent tokens form a token.
fn most_parts(word: &[u8]) -> usize {
    // Of the letters so far: the maximum number of tokens if the last has one letter, or two.
    let (mut single, mut double) = (1, 0);
    let mut before = (0usize, 0usize);
    for pair in word.windows(2) {
        let is_bound = pair.iter().all(u8::is_ascii_lowercase) && !is_no_token(pair);
        let next_single = 1 + if is_bound { double } else { single.max(double) };
        // A token of two letters follows what ended before them.
        let next_double = 1 + before.0.max(before.1);
        before = (single, double);
        (single, double) = (if is_bound && double == 0 { 0 } else { next_single }, next_double);
    }
    single.max(double).max(1)
}

fn is_no_token(pair: &[u8]) -> bool {
    NO_TOKENS.chunks_exact(2).any(|known| known == pair)
}

/// The words that are one token, with the prefixes that are part of it.
fn words() -> &'static BTreeMap<&'static str, u8> {
    static WORDS: OnceLock<BTreeMap<&str, u8>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let lines = include_str!("words.txt").lines();
        let entry = |line: &'static str| {
            let (word, bits) = line.split_once(' ')?;
            Some((word, u8::from_str_radix(bits, 16).ok()?))
        };
        lines.filter_map(entry).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_code_counts_little_more_than_it_is() {
        assert_eq!(count_tokens_in_code("read"), 1);
        assert_eq!(count_tokens_in_code("read_to_string"), 3);
        assert_eq!(count_tokens_in_code("    let value = self.read();\n"), 7);
        assert_eq!(count_tokens_in_code("1234"), 4);
        assert_eq!(count_tokens_in_code(""), 0);
    }

    #[test]
    fn unknown_words_fall_into_two_parts_of_three_letters() {
        assert_eq!(most_parts(b"a"), 1);
        assert_eq!(most_parts(b"ab"), 1);
        assert_eq!(most_parts(b"aba"), 2);
        assert_eq!(most_parts(b"abab"), 3);
        assert_eq!(most_parts(b"ababababa"), 6);
        // Pairs of capitals are never assumed to be tokens.
        assert_eq!(most_parts(b"ABAB"), 4);
        assert_eq!(most_parts(b"qz"), 2);
    }

    #[test]
    fn the_tables_are_sorted() {
        assert!(MARKS.is_sorted());
        assert!(words().len() > 2_000);
    }
}
