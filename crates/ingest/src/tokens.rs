use base::ContentHash;

/// The tokens of a text in a row: white space and comments are gone, doc comments are tokens.
/// Hashes of items are taken from it, so that each text is looked at once however deep its items
/// nest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tokens {
    /// Each token's bytes, then a zero.
    bytes: Vec<u8>,
    /// Where each token begins: in the text, in `bytes`.
    starts: Vec<(u32, u32)>,
}

impl Tokens {
    /// Reads a text; total on any.
    pub(crate) fn of(text: &str) -> Self {
        let mut tokens = Self {
            bytes: Vec::with_capacity(text.len()),
            starts: Vec::with_capacity(text.len() / 4),
        };
        let all = text.as_bytes();
        let mut at = 0;
        while at < all.len() {
            let rest = &all[at..];
            let (len, counts) = token(rest);
            let len = len.clamp(1, rest.len());
            if counts {
                tokens.starts.push((at as u32, tokens.bytes.len() as u32));
                tokens.bytes.extend_from_slice(&rest[..len]);
                tokens.bytes.push(0);
            }
            at += len;
        }
        tokens
    }

    /// The hash of the tokens that begin in a span.
    pub(crate) fn hash(&self, span: (u32, u32)) -> ContentHash {
        let at = |offset: u32| {
            let idx = self.starts.partition_point(|(start, _)| *start < offset);
            self.starts.get(idx).map_or(self.bytes.len(), |(_, byte)| *byte as usize)
        };
        ContentHash::of(self.bytes.get(at(span.0)..at(span.1)).unwrap_or_default())
    }
}

/// The length of the first token (or white space, or comment), and whether it counts.
fn token(rest: &[u8]) -> (usize, bool) {
    let first = rest[0];
    let next = rest.get(1).copied().unwrap_or(0);
    match first {
        b' ' | b'\t' | b'\n' | b'\r' => (run(rest, |byte| byte.is_ascii_whitespace()), false),
        b'/' if next == b'/' => {
            let len = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            let is_doc = rest.get(2) == Some(&b'!')
                || (rest.get(2) == Some(&b'/') && rest.get(3) != Some(&b'/'));
            // A carriage return belongs to the line's end.
            let len = if rest[..len].ends_with(b"\r") { len - 1 } else { len };
            (len, is_doc)
        }
        b'/' if next == b'*' => {
            let is_doc = rest.get(2) == Some(&b'!')
                || (rest.get(2) == Some(&b'*') && !matches!(rest.get(3), Some(b'*' | b'/')));
            (block_comment(rest), is_doc)
        }
        b'"' => (quoted(rest, 1), true),
        b'r' | b'b' | b'c' => (prefixed(rest), true),
        b'\'' => (quote(rest), true),
        _ if is_word(first) => (run(rest, is_word), true),
        _ => (1, true),
    }
}

fn is_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric() || byte >= 0x80
}

fn run(rest: &[u8], holds: impl Fn(u8) -> bool) -> usize {
    rest.iter().position(|byte| !holds(*byte)).unwrap_or(rest.len())
}

fn block_comment(rest: &[u8]) -> usize {
    let mut depth = 0_u32;
    let mut at = 0;
    while at + 1 < rest.len() {
        match (rest[at], rest[at + 1]) {
            (b'/', b'*') => (depth, at) = (depth + 1, at + 2),
            (b'*', b'/') => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    rest.len()
}

/// A string whose first quote stands before `from`.
fn quoted(rest: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// What begins with `r`, `b` or `c`: a string, or a word.
fn prefixed(rest: &[u8]) -> usize {
    let word = run(rest, is_word);
    let after = rest.get(word).copied();
    match (&rest[..word], after) {
        (b"b" | b"c", Some(b'"')) => quoted(rest, word + 1),
        (b"b", Some(b'\'')) => word + quote(&rest[word..]),
        (b"r" | b"br" | b"cr", Some(b'"' | b'#')) => {
            let hashes = run(&rest[word..], |byte| byte == b'#');
            let open = word + hashes;
            if rest.get(open) != Some(&b'"') {
                // `r#name`.
                return open + run(&rest[open..], is_word);
            }
            let mut at = open + 1;
            while at < rest.len() {
                let ends = rest[at] == b'"' && run(&rest[at + 1..], |byte| byte == b'#') >= hashes;
                if ends {
                    return at + 1 + hashes;
                }
                at += 1;
            }
            rest.len()
        }
        _ => word,
    }
}

/// A character, or a lifetime.
fn quote(rest: &[u8]) -> usize {
    if rest.get(1) == Some(&b'\\') {
        let end = rest.get(3..).and_then(|tail| tail.iter().position(|byte| *byte == b'\''));
        return end.filter(|end| *end < 12).map_or(2, |end| end + 4);
    }
    let word = rest.get(1..).map_or(0, |tail| run(tail, is_word));
    if rest.get(1 + word) == Some(&b'\'') {
        // One character: one word of one character, or one sign.
        let is_one = word == 0
            || std::str::from_utf8(&rest[1..=word]).is_ok_and(|it| it.chars().count() == 1);
        if is_one && word > 0 {
            return word + 2;
        }
    }
    if word == 0 && rest.get(2) == Some(&b'\'') {
        return 3;
    }
    1 + word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let tokens = Tokens::of(text);
        tokens
            .bytes
            .split(|byte| *byte == 0)
            .filter(|token| !token.is_empty())
            .map(|token| String::from_utf8_lossy(token).into_owned())
            .collect()
    }

    #[test]
    fn white_space_and_comments_do_not_count() {
        assert_eq!(all("fn f(){a+b}"), all("fn f ( ) {\r\n  a + /* x /* y */ */ b // z\n}\n"));
        assert_ne!(all("fn f() { ab }"), all("fn f() { a b }"));
    }

    #[test]
    fn doc_comments_count() {
        assert_eq!(all("/// a\nfn f(){}")[0], "/// a");
        assert_eq!(all("/// a\r\nfn f(){}")[0], "/// a");
        assert_eq!(all("/** a */ fn")[0], "/** a */");
        assert_eq!(all("//// a\n/***/ fn"), ["fn"]);
    }

    #[test]
    fn what_looks_like_a_comment_in_a_string_is_one_token() {
        assert_eq!(
            all(r##"f("// a", r#"/* " */"#, b"\"//", '"', '\'', 'a', &'a x)"##),
            [
                "f",
                "(",
                "\"// a\"",
                ",",
                "r#\"/* \" */\"#",
                ",",
                "b\"\\\"//\"",
                ",",
                "'\"'",
                ",",
                "'\\''",
                ",",
                "'a'",
                ",",
                "&",
                "'a",
                "x",
                ")"
            ]
        );
        assert_eq!(all("r#type 'ä' '\\u{1F600}' b'x'"), ["r#type", "'ä'", "'\\u{1F600}'", "b'x'"]);
    }

    #[test]
    fn any_text_is_read_to_its_end() {
        for text in ["'", "\"", "r#\"", "/*", "b'", "'\\", "'\\u", "r#", "\u{feff}fn"] {
            let tokens = Tokens::of(text);
            tokens.hash((0, text.len() as u32));
        }
    }

    #[test]
    fn the_hash_of_an_item_is_of_its_tokens_alone() {
        let one = "fn a() {}\nfn b() { 1 }\n";
        let two = "fn a() { 2 }\n\n// c\nfn b() {\n1 }\n";
        let of = |text: &str| {
            let start = text.find("fn b").unwrap() as u32;
            Tokens::of(text).hash((start, text.len() as u32))
        };
        assert_eq!(of(one), of(two));
    }
}
