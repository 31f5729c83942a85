//! An upper bound of the number of tokens of a text, for when no tokenizer is available.
//!
//! The bound holds for every byte-pair tokenizer that splits text like those since GPT-4 (or more
//! coarsely: a word with the one punctuation character or blank before it, a run of punctuation,
//! digits, a run of blanks), and whose vocabulary contains: every byte, the words of `words.txt`
//! with the prefixes given there, the runs of `marks.rs`, runs of up to 64 blanks, all pairs of
//! lower-case letters except the listed ones, the pairs with a capital of `pairs.txt` and the triples
//! of `triples.txt`. It was checked against both published vocabularies in wide use. The words are
//! those that are frequent in published crates.
//!
//! Why it holds, for each part of the split:
//! - a part that is a token is one token;
//! - in any other part no two adjacent tokens form a token, else they would have been merged. So
//!   two single letters can only be adjacent where their pair is not a token, a letter and a pair
//!   where their triple is not; the maximum number of tokens under this rule is computed
//!   (`most_parts`). Where tokenizers split words differently – before a capital after a lower-case
//!   letter – the rule is not used;
//! - everything else counts its bytes, and no token is shorter than one byte.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::OnceLock;

use super::marks::MARKS;
use crate::terms::TermHasher;

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
    let bytes = text.as_bytes();
    let len = bytes.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(bytes.len());
    match bytes.get(len) {
        Some(byte) if !byte.is_ascii() => {
            text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len())
        }
        _ => len,
    }
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
    // For the last three ends: the maximum number of tokens up to it if the last token has one, two
    // or more letters; 0 where there is no such split.
    let mut ends = [[0usize; 3]; 3];
    // The maximum number of tokens up to any end that is at least three letters back.
    let mut far = 0;
    for end in 1..=word.len() {
        let is_token = |len: usize| end >= len && is_run(&word[end - len..end]);
        let after = |tokens: usize| if tokens > 0 { tokens + 1 } else { 0 };
        let [third, second, first] = ends;
        // A single letter follows a single letter, a pair, or more.
        let single = if end == 1 {
            1
        } else {
            let by_letter = if is_token(2) { 0 } else { first[0] };
            let by_pair = if is_token(3) { 0 } else { first[1] };
            after(by_letter.max(by_pair).max(first[2]))
        };
        let double = if end == 2 {
            1
        } else {
            let by_letter = if is_token(3) { 0 } else { second[0] };
            after(by_letter.max(second[1]).max(second[2]))
        };
        far = third.into_iter().fold(far, usize::max);
        let more = if end >= 3 { far + 1 } else { 0 };
        ends = [second, first, [single, double, more]];
    }
    ends[2].into_iter().fold(1, usize::max)
}

/// Whether two or three letters are a token in every vocabulary and never split.
fn is_run(letters: &[u8]) -> bool {
    let index = match letters {
        [_, _] => run_index(letters),
        [a, b, c] if [a, b, c].iter().all(|it| it.is_ascii_lowercase()) => {
            LETTERS * LETTERS + run_index(letters)
        }
        _ => return false,
    };
    runs().get(index).copied().unwrap_or(false)
}

/// Number of different letters, in steps of which a run has its index.
const LETTERS: usize = 64;

fn run_index(letters: &[u8]) -> usize {
    letters.iter().fold(0, |index, letter| index * LETTERS + usize::from(letter % LETTERS as u8))
}

/// Of each pair of letters, then of each triple, whether it is a known run.
fn runs() -> &'static [bool] {
    static RUNS: OnceLock<Vec<bool>> = OnceLock::new();
    RUNS.get_or_init(|| {
        let mut runs = vec![false; LETTERS.pow(2) + LETTERS.pow(3)];
        let of = |lines: &'static str, len| {
            lines.lines().flat_map(move |line| line.as_bytes().chunks_exact(len))
        };
        for pair in of(include_str!("pairs.txt"), 2) {
            runs[run_index(pair)] = true;
        }
        let lower = || b'a'..=b'z';
        for pair in lower().flat_map(|a| lower().map(move |b| [a, b])) {
            runs[run_index(&pair)] = true;
        }
        for pair in NO_TOKENS.chunks_exact(2) {
            runs[run_index(pair)] = false;
        }
        for triple in of(include_str!("triples.txt"), 3) {
            runs[LETTERS.pow(2) + run_index(triple)] = true;
        }
        runs
    })
}

/// The words that are one token, with the prefixes that are part of it.
fn words() -> &'static HashMap<&'static str, u8, BuildHasherDefault<TermHasher>> {
    static WORDS: OnceLock<HashMap<&str, u8, BuildHasherDefault<TermHasher>>> = OnceLock::new();
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
    fn unknown_words_fall_into_parts_that_form_no_known_run() {
        assert_eq!(most_parts(b"a"), 1);
        assert_eq!(most_parts(b"ab"), 1);
        assert_eq!(most_parts(b"qz"), 2);
        // `the` is a token, `thq` is none.
        assert_eq!(most_parts(b"the"), 1);
        assert_eq!(most_parts(b"thq"), 2);
        assert_eq!(most_parts(b"ababababa"), 5);
        // `Ba` is one, and a word may be split before `B`.
        assert_eq!(most_parts(b"Ba"), 1);
        assert_eq!(most_parts(b"aBaB"), 3);
        assert_eq!(most_parts(b""), 1);
    }

    #[test]
    fn the_tables_are_sorted() {
        assert!(MARKS.is_sorted());
        assert!(words().len() > 5_000);
    }
}
