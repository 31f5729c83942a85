//! The words of a task: code in quotes is one token, punctuation is separate.

/// Maximum number of bytes of a task that rules read. A longer text describes more than one change.
const MAX_TEXT: usize = 600;

/// Maximum number of words.
const MAX_TOKENS: usize = 70;

/// A word of the task, with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// The text: of code without quotes.
    pub(super) text: String,
    /// The text in lower case.
    pub(super) lower: String,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    /// Code in quotes.
    Code,
    /// `'s` after a name.
    Possessive,
    Punctuation,
}

/// The words, and the text that their places refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tokens {
    pub(super) list: Vec<Token>,
    text: String,
}

impl Tokens {
    /// The text of some tokens, without quotes around code.
    pub(super) fn raw(&self, range: std::ops::Range<usize>) -> Option<String> {
        let list = self.list.get(range)?;
        if let [one] = list {
            return Some(one.text.clone());
        }
        let (first, last) = (list.first()?, list.last()?);
        Some(self.text.get(first.start..last.end)?.replace('`', ""))
    }
}

impl Tokens {
    /// The text of some tokens as a value: words in double quotes are a string, code is not.
    pub(super) fn value(&self, range: std::ops::Range<usize>) -> Option<String> {
        let raw = self.raw(range.clone())?;
        let [one] = self.list.get(range)? else { return Some(raw) };
        let is_string = self.text[one.start..].starts_with('"')
            && !one.text.contains(['(', ':', '[', '{', '&', '.'])
            && one.text.parse::<f64>().is_err()
            && !matches!(one.text.as_str(), "true" | "false" | "None");
        Some(if is_string { format!("\"{raw}\"") } else { raw })
    }
}

/// The words of a task; `None` if it is empty or too long.
pub(super) fn tokens(text: &str) -> Option<Tokens> {
    let text = text.trim();
    if text.is_empty() || text.len() > MAX_TEXT {
        return None;
    }
    let mut list = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|it| !it.is_empty()) {
        let first = rest.chars().next()?;
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (kind, inner, len) = next(rest, at > 0 && !text[..at].ends_with(char::is_whitespace));
        let inner = inner.to_owned();
        let lower = inner.to_lowercase();
        list.push(Token { kind, text: inner, lower, start: at, end: at + len });
        at += len;
    }
    (list.len() <= MAX_TOKENS).then(|| Tokens { list, text: text.to_owned() })
}

/// The next token: its kind, its text, its length with quotes.
fn next(rest: &str, is_joined: bool) -> (TokenKind, &str, usize) {
    for (open, close) in [("`", '`'), ("\"", '"'), ("“", '”'), ("'", '\''), ("‘", '’')] {
        let Some(inner) = rest.strip_prefix(open) else { continue };
        let is_possessive = is_joined && (open == "'" || open == "’");
        let end = inner.find(close).filter(|end| *end > 0 && !inner[..*end].contains('\n'));
        if let Some(end) = end.filter(|_| !is_possessive) {
            return (TokenKind::Code, &inner[..end], open.len() + end + close.len_utf8());
        }
    }
    for mark in ["'s", "’s"] {
        let after = rest.strip_prefix(mark).map(|it| it.chars().next());
        if is_joined && after.is_some_and(|it| it.is_none_or(|c| !c.is_alphanumeric())) {
            return (TokenKind::Possessive, &rest[..mark.len()], mark.len());
        }
    }
    for arrow in ["->", "=>", "→", "⇒"] {
        if rest.starts_with(arrow) {
            return (TokenKind::Punctuation, &rest[..arrow.len()], arrow.len());
        }
    }
    let len = word_len(rest);
    match len {
        0 => {
            let len = rest.chars().next().map_or(1, char::len_utf8);
            (TokenKind::Punctuation, &rest[..len], len)
        }
        len => (TokenKind::Word, &rest[..len], len),
    }
}

/// Length of the word that the text starts with: code such as `Vec<(u8, u8)>` or `f()` is one word.
fn word_len(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut end = rest.len();
    for (at, c) in rest.char_indices() {
        let next = rest[at + c.len_utf8()..].chars().next();
        match c {
            '(' | '[' | '<' | '{' if at > 0 || c == '[' || (c == '(' && is_tuple(rest)) => {
                depth += 1
            }
            ')' | ']' | '>' | '}' if depth > 0 => depth -= 1,
            '\'' | '’' if depth == 0 && at > 0 && next == Some('s') => {
                end = at;
                break;
            }
            // `doesn't`
            '\'' | '’' if at > 0 && next.is_some_and(char::is_alphabetic) => {}
            ':' if next == Some(':') || rest[..at].ends_with(':') => {}
            _ if depth > 0 => {}
            '&' | '*' | '#' | '!' | '_' | '-' | '/' | '\\' | '=' | '~' => {}
            '.' if next.is_some_and(|it| it.is_alphanumeric() || it == '.') => {}
            c if c.is_alphanumeric() => {}
            _ => {
                end = at;
                break;
            }
        }
    }
    match depth {
        0 => end,
        // Brackets that do not close are punctuation.
        _ => rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len()),
    }
}

/// Whether the bracket opens a tuple type or value rather than a remark.
fn is_tuple(rest: &str) -> bool {
    let inner = rest.strip_prefix('(').and_then(|it| it.split(')').next()).unwrap_or_default();
    inner.is_empty() || (inner.contains(',') && !inner.contains(": "))
}
