//! Tokenizer: splits text into terms, for code and prose alike.
//!
//! A word is a run of letters, digits and `_`. It gives its parts – split at `_`, at changes of
//! case and between letters and digits – and, where it has several, itself as a whole: `readFile`,
//! `read_file` and `ReadFile` all give `read`, `fil`, `readfil`. Terms are case-folded and lightly
//! stemmed (plural, `-ing`, `-ed`, a final `e`); stop words of English and Rust and parts of one
//! character are dropped. Paths and operators only separate words.

use stem::stem;
use stop::is_stop_word;

mod stem;
mod stop;

/// Version of the tokenizer: incremented when its output changes; then the index is rebuilt.
pub const TOKENIZER_VERSION: u32 = 2;

/// Maximum length of a word; a longer one is data, of which only the parts count.
const LONGEST: usize = 64;

/// Calls `each` with every term of a text.
pub fn tokens(text: &str, each: &mut dyn FnMut(&str)) {
    let bytes = text.as_bytes();
    let mut buffers = Buffers::default();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if !byte.is_ascii() {
            let Some(c) = text[at..].chars().next() else { return };
            if !c.is_alphanumeric() {
                at += c.len_utf8();
                continue;
            }
        } else if *byte == b'\\' {
            // `"\nname"` contains `name`, not `nname`.
            at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'n' | b't' | b'r' | b'0')));
            continue;
        } else if !byte.is_ascii_alphanumeric() && *byte != b'_' {
            at += 1;
            continue;
        }
        let end = at + word_len(&text[at..]);
        buffers.word(&text[at..end], each);
        at = end;
    }
}

/// The case-folded form of a word without its underscores.
pub(crate) fn fold(word: &str) -> String {
    word.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

/// The length in bytes of the word that a text begins with.
fn word_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ascii = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let len = bytes.iter().position(|byte| !ascii(byte)).unwrap_or(bytes.len());
    match bytes.get(len) {
        Some(byte) if !byte.is_ascii() => {
            text.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(bytes.len())
        }
        _ => len,
    }
}

/// Buffers for splitting, reused from word to word.
#[derive(Default)]
struct Buffers {
    whole: String,
    part: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Underscore,
}

impl Class {
    fn of(c: char) -> Self {
        match c {
            '_' => Self::Underscore,
            _ if c.is_ascii_digit() || c.is_numeric() => Self::Digit,
            _ if c.is_uppercase() => Self::Upper,
            _ => Self::Lower,
        }
    }
}

impl Buffers {
    fn word(&mut self, word: &str, each: &mut dyn FnMut(&str)) {
        self.whole.clear();
        let mut parts = 0;
        let mut start = 0;
        // A part of digits after a single letter means as little as the letter: `u32`, `x1`.
        let mut is_behind_letter = false;
        while start < word.len() {
            let (from, end) = next_part(word, start);
            start = end;
            if from == end {
                continue;
            }
            parts += 1;
            self.part.clear();
            fold_into(&word[from..end], &mut self.part);
            if self.whole.len() <= LONGEST {
                self.whole.push_str(&self.part);
            }
            let is_number = self.part.bytes().all(|byte| byte.is_ascii_digit());
            let is_letter = self.part.chars().nth(1).is_none();
            // A single part is the whole word, which is handled below.
            let is_part = end < word.len() || parts > 1;
            if is_part && !is_letter && !(is_number && is_behind_letter) {
                emit(&mut self.part, each);
            }
            is_behind_letter = is_letter && !is_number;
        }
        let is_one_letter = self.whole.chars().nth(1).is_none();
        let is_single_part = parts == 1 && word.ends_with('_');
        if self.whole.len() <= LONGEST && !is_one_letter && !is_single_part {
            emit(&mut self.whole, each);
        }
    }
}

fn emit(term: &mut String, each: &mut dyn FnMut(&str)) {
    if term.len() <= LONGEST && !is_stop_word(term) {
        stem(term);
        each(term);
    }
}

/// Whether a folded word is a stop word.
pub(crate) fn is_stop(word: &str) -> bool {
    is_stop_word(word)
}

/// The parts of a word: `read`, `File` of `readFile`.
pub(crate) fn parts(word: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let (from, end) = next_part(word, start);
        start = end;
        (from < end).then(|| &word[from..end])
    })
}

/// The folded stem of a word, stop words included.
pub(crate) fn stem_into(word: &str, term: &mut String) {
    fold_into(word, term);
    stem(term);
}

fn fold_into(text: &str, out: &mut String) {
    if text.is_ascii() {
        out.push_str(text);
        out.make_ascii_lowercase();
    } else {
        out.extend(text.chars().flat_map(char::to_lowercase));
    }
}

/// The range of the next part of a word, from `start` on; an empty range at the end of the word
/// where only underscores are left.
fn next_part(word: &str, start: usize) -> (usize, usize) {
    let from = start + word[start..].find(|c| c != '_').unwrap_or(word.len() - start);
    let mut chars = word[from..].char_indices().map(|(at, c)| (from + at, c));
    let Some((_, first)) = chars.next() else { return (word.len(), word.len()) };
    let mut class = Class::of(first);
    let mut upper_run_at = from;
    let mut upper_run = usize::from(class == Class::Upper);
    for (at, c) in chars {
        let next = Class::of(c);
        match (class, next) {
            (_, Class::Underscore) => return (from, at),
            (Class::Digit, Class::Lower | Class::Upper)
            | (Class::Lower | Class::Upper, Class::Digit)
            | (Class::Lower, Class::Upper) => return (from, at),
            // `HTTPServer`: the last capital belongs to the next part.
            (Class::Upper, Class::Lower) if upper_run > 1 => return (from, upper_run_at),
            _ => {}
        }
        if next == Class::Upper {
            upper_run += 1;
            upper_run_at = at;
        }
        class = next;
    }
    (from, word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut found = Vec::new();
        tokens(text, &mut |term| found.push(term.to_owned()));
        assert_eq!(found.join(" "), expected, "{text}");
    }

    #[test]
    fn identifiers_give_their_parts_and_themselves() {
        check("read_to_string", "read string readtostr");
        check("readToString", "read string readtostr");
        check("HTTPServer", "http server httpserver");
        check("__init__", "init");
        check("MAX_LEN", "max len maxlen");
    }

    #[test]
    fn digits_part_words_and_numbers_of_primitive_types_tell_nothing() {
        check("sha256", "sha 256 sha256");
        check("u32", "u32");
        check("0x1f 7 42", "0x1f 42");
    }

    #[test]
    fn paths_and_operators_part_words() {
        check("std::io::Read->foo<T>", "std io read foo");
        check("src/net/tcp.rs", "src net tcp rs");
        check(r#""a\nbig""#, "big");
    }

    #[test]
    fn inflected_words_meet() {
        check("parse parses parsed parsing", "pars pars pars pars");
        check("file files", "fil fil");
        check("match matches matched", "match match match");
        check("copy copies copied copying", "copy copy copy copy");
        check("map mapped mapping", "map map map");
        check("tree trees string status address", "tree tree string status address");
    }

    #[test]
    fn stop_words_are_left_out() {
        check("the fn of a pub self", "");
    }

    #[test]
    fn other_scripts_are_words_too() {
        check("größe_Ωmega 日本", "größe ωmega größeωmega 日本");
    }
}
