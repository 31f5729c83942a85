//! How many tokens a text has, at most, where no tokenizer is at hand.
//!
//! The bound holds for every byte-pair tokenizer that cuts text as those since GPT-4 do (and what
//! took their pattern over: a word with the one mark or blank before it, a run of marks, digits, a
//! run of blanks; at least no finer), and whose vocabulary holds what is listed here: every byte,
//! the words of `words.txt` with the marks named there before them, the runs of `marks.rs`, runs of
//! up to 64 blanks, and all pairs of small letters but the listed ones. Both of the vocabularies in
//! wide use that are published were looked at.
//!
//! Why it holds, piece by piece:
//! - a piece that is a token is that one token;
//! - in any other piece no two neighbouring tokens make a token together, else they had been
//!   merged. So two single letters can only stand side by side where their pair is not a token; the
//!   greatest number of parts under this rule is counted (`most_parts`). Where some tokenizers cut
//!   a word and others do not – where its case changes – the rule is not asked;
//! - everything else counts its bytes, and no token is shorter than one.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::marks::MARKS;

/// Counts tokens as a model's tokenizer does, or never fewer.
pub trait CountTokens: Send + Sync {
    /// How many tokens a text has, at most.
    fn count(&self, text: &str) -> usize;
}

/// [`count_tokens_in_code`] as a counter: for when no tokenizer file is at hand.
#[derive(Clone, Copy, Debug, Default)]
pub struct UpperBound;

impl CountTokens for UpperBound {
    fn count(&self, text: &str) -> usize {
        count_tokens_in_code(text)
    }
}

/// What may stand before a word so that both are one piece: bit by bit of a word's entry.
const BEFORE: [&str; 5] = ["", " ", "_", ".", "("];

/// Runs of more blanks are not counted as one token.
const LONGEST_BLANK: usize = 64;

/// Pairs of small letters that are not tokens everywhere.
const NO_TOKENS: &[u8] =
    b"bqfjfzgjgkgqhjjgjvjwjxjyjzkqkxkzlqmznqoqqfqgqjqkqoqvqyqzrjtjtquqvqvzwqwvwzxgxhxj\
      xkxqxuxvxwyfyjyqyvzgzjzqzrzv";

/// How many tokens a byte-pair tokenizer makes of a text, at most.
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

/// How long the piece is that a text begins with, and how many tokens it has at most.
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
        // A run of marks that begins with another script's, or that mark before a word.
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
        // The last blank of a run belongs to what follows it.
        let ends_line = bytes.get(run).is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
        let own = if ends_line { run } else { run - 1 };
        if own > 0 {
            return (own, if own <= LONGEST_BLANK && !ends_line { 1 } else { own });
        }
    }
    marks(text)
}

/// A run of marks, with a blank before it and the ends of lines behind it.
fn marks(text: &str) -> (usize, usize) {
    let is_mark = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && !c.is_whitespace();
    let blank = usize::from(text.starts_with(' '));
    let run = text[blank..].find(|c: char| !is_mark(c)).unwrap_or(text.len() - blank);
    let line = text[blank + run..].find(|c| c != '\n' && c != '\r');
    let end = if run == 0 { 0 } else { blank + run + line.unwrap_or(text.len() - blank - run) };
    let Some(piece) = text.get(..end).filter(|piece| !piece.is_empty()) else { return (1, 1) };
    // What stands behind the run may change where it is cut: a mark of another script, a slash
    // behind the end of a line.
    let is_closed = text[end..].chars().next().is_none_or(|c| c.is_ascii() && c != '/');
    let is_token = is_closed && MARKS.binary_search(&piece).is_ok();
    (end, if is_token { 1 } else { piece.len() })
}

/// How many bytes of letters a text begins with.
fn letters(text: &str) -> usize {
    text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len())
}

/// A word behind one mark or blank, or none.
fn word(before: &str, word: &str, behind: &str) -> usize {
    if !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return before.len() + word.len();
    }
    // Some tokenizers take an apostrophe and what follows, or a combining mark, into the word.
    let is_closed = behind.chars().next().is_none_or(|c| c.is_ascii() && c != '\'');
    let bit = BEFORE.iter().position(|known| *known == before).filter(|_| is_closed);
    if bit.is_some_and(|bit| words().get(word).is_some_and(|bits| bits & 1 << bit != 0)) {
        return 1;
    }
    before.len() + most_parts(word.as_bytes())
}

/// Into how many parts a word can fall at most, if no two neighbouring parts make a token.
fn most_parts(word: &[u8]) -> usize {
    // Of the letters so far: at most so many parts, the last being one letter, or two.
    let (mut single, mut double) = (1, 0);
    let mut before = (0usize, 0usize);
    for pair in word.windows(2) {
        let is_bound = pair.iter().all(u8::is_ascii_lowercase) && !is_no_token(pair);
        let next_single = 1 + if is_bound { double } else { single.max(double) };
        // A part of two letters stands behind what ended before them.
        let next_double = 1 + before.0.max(before.1);
        before = (single, double);
        (single, double) = (if is_bound && double == 0 { 0 } else { next_single }, next_double);
    }
    single.max(double).max(1)
}

fn is_no_token(pair: &[u8]) -> bool {
    NO_TOKENS.chunks_exact(2).any(|known| known == pair)
}

/// The words that are one token, and with what before them.
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
        // No pair of capitals is relied on.
        assert_eq!(most_parts(b"ABAB"), 4);
        assert_eq!(most_parts(b"qz"), 2);
    }

    #[test]
    fn the_tables_are_sorted() {
        assert!(MARKS.is_sorted());
        assert!(words().len() > 2_000);
    }
}
