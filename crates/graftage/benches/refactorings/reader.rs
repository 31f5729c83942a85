//! Spans of Rust source: words, punctuation, literals and comments, by a simple reader that shares
//! nothing with the program under test. [`spans`] is the entry.

/// Class of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpanClass {
    /// Identifier, keyword or number.
    Word,
    /// One character of punctuation.
    Punctuation,
    /// String or character.
    Literal,
    /// Lifetime or label.
    Lifetime,
    /// Comment that is not documentation.
    Comment,
    /// Documentation comment.
    Documentation,
}

/// Part of a source text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span<'a> {
    pub(crate) text: &'a str,
    pub(crate) start: usize,
    pub(crate) class: SpanClass,
}

/// Spans of `text`, without white space.
pub(crate) fn spans(text: &str) -> Vec<Span<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        if first.is_whitespace() {
            start += first.len_utf8();
            continue;
        }
        let (len, class) = next_span(&text[start..], first);
        found.push(Span { text: &text[start..start + len], start, class });
        start += len;
    }
    found
}

/// Length and class of the span that begins `rest`.
fn next_span(rest: &str, first: char) -> (usize, SpanClass) {
    if rest.starts_with("//") {
        let len = rest.find('\n').unwrap_or(rest.len());
        let documents =
            rest.starts_with("//!") || rest.starts_with("///") && !rest.starts_with("////");
        return (len, if documents { SpanClass::Documentation } else { SpanClass::Comment });
    }
    if rest.starts_with("/*") {
        let documents = rest.starts_with("/*!")
            || rest.starts_with("/**") && !rest.starts_with("/***") && !rest.starts_with("/**/");
        let class = if documents { SpanClass::Documentation } else { SpanClass::Comment };
        return (block_comment(rest), class);
    }
    if let Some(len) = prefixed_literal(rest) {
        return (len, SpanClass::Literal);
    }
    if first == '"' {
        return (quoted(rest, 1, '"'), SpanClass::Literal);
    }
    if first == '\'' {
        return quote(rest);
    }
    if is_word(first) {
        let raw = if rest.starts_with("r#") { 2 } else { 0 };
        return (raw + word_len(&rest[raw..]), SpanClass::Word);
    }
    (first.len_utf8(), SpanClass::Punctuation)
}

/// True for a character of an identifier.
pub(crate) fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn word_len(text: &str) -> usize {
    text.find(|letter| !is_word(letter)).unwrap_or(text.len())
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// Length of a literal with a prefix: `r"…"`, `br#"…"#`, `b"…"`, `b'…'`, `c"…"`.
fn prefixed_literal(rest: &str) -> Option<usize> {
    let prefix = rest.find(|letter: char| !matches!(letter, 'r' | 'b' | 'c'))?;
    if prefix == 0 || prefix > 2 {
        return None;
    }
    let after = &rest[prefix..];
    if rest[..prefix].ends_with('r') {
        let hashes = after.find(|letter| letter != '#')?;
        if !after[hashes..].starts_with('"') {
            return None;
        }
        let end = format!("\"{}", "#".repeat(hashes));
        let body = prefix + hashes + 1;
        return Some(rest[body..].find(&end).map_or(rest.len(), |at| body + at + end.len()));
    }
    let mark = after.chars().next().filter(|it| *it == '"' || (*it == '\'' && prefix == 1))?;
    Some(quoted(rest, prefix + 1, mark))
}

/// Length of a literal whose text begins at `from` and ends with `mark`.
fn quoted(rest: &str, from: usize, mark: char) -> usize {
    let mut escaped = false;
    for (at, letter) in rest[from..].char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == mark => return from + at + letter.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// Length and class of what begins with a single quote.
fn quote(rest: &str) -> (usize, SpanClass) {
    let mut letters = rest[1..].chars();
    let (first, second) = (letters.next(), letters.next());
    match first {
        Some(letter) if is_word(letter) && second != Some('\'') => {
            (1 + word_len(&rest[1..]), SpanClass::Lifetime)
        }
        Some(_) => (quoted(rest, 1, '\''), SpanClass::Literal),
        None => (1, SpanClass::Punctuation),
    }
}

/// Line and column of the byte offset `at`, both from 1; columns count characters.
pub(crate) fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |it| it + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
