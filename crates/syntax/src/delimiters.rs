//! Error recovery, pass 2: unbalanced delimiters. Where brackets, quotes and comments do not close,
//! indentation suggests where they should, so that damage ends with the item that contains it.
//!
//! The result has the same length and differs only where it was repaired: an unclosed opening is
//! replaced by a byte that is never Rust, and closing brackets replace white space, after such a
//! byte. So every offset is valid in the original text, and each repaired position stays an error.

use crate::lexer::{Lexer, Token};

/// A byte that is valid Rust only in comments and strings.
pub(crate) const NEVER: u8 = 1;

/// White space in the place of one byte of a longer character: nothing else is put there, since no
/// offset there is valid in the original text.
pub(crate) const PART: u8 = b'\x0c';

/// The maximum number of unclosed quotes and comments that are repaired.
const MOST_OPEN: usize = 8;

/// The text with closed delimiters and the number of changed bytes; `None` if nothing is unbalanced.
pub(crate) fn close_delimiters(text: &str) -> Option<(String, usize)> {
    let mut bytes = text.as_bytes().to_vec();
    let mut changes = 0;
    for _ in 0..MOST_OPEN {
        let Some((at, len)) = never_closed(std::str::from_utf8(&bytes).ok()?) else { break };
        bytes.get_mut(at..at + len)?.fill(NEVER);
        changes += len;
    }
    let edits = Brackets::of(std::str::from_utf8(&bytes).ok()?);
    changes += edits.len();
    for (at, byte) in edits {
        *bytes.get_mut(at)? = byte;
    }
    // Only ASCII gave way, to ASCII.
    (changes > 0).then(|| String::from_utf8(bytes).ok().map(|text| (text, changes)))?
}

/// The opening of the comment, or the quote of the string, that runs to the end of the text. Of
/// strings it is the first that looks as if it held code.
fn never_closed(text: &str) -> Option<(usize, usize)> {
    let mut suspect = None;
    let mut last = None;
    for (token, at, len) in Lexer::new(text) {
        let body = text.get(at..at + len).unwrap_or_default();
        let quote = match token {
            Token::Word | Token::Text => body.find('"'),
            Token::Sign | Token::Doc | Token::Comment => None,
        };
        if let Some(quote) = quote
            && suspect.is_none()
            && body.contains('\n')
            && body.lines().skip(1).any(is_head_line)
        {
            suspect = Some((at + quote, 1));
        }
        last = Some((token, at, body, quote));
    }
    let (token, at, body, quote) = last.filter(|(_, at, body, _)| at + body.len() == text.len())?;
    match token {
        Token::Doc | Token::Comment if body.starts_with("/*") => {
            let opened = body.matches("/*").count();
            (opened > body.matches("*/").count()).then_some((at, 2))
        }
        Token::Word | Token::Text => {
            let quote = quote?;
            let rest = body[quote + 1..].trim_end_matches('#');
            (!rest.ends_with('"')).then_some(suspect.unwrap_or((at + quote, 1)))
        }
        _ => None,
    }
}

/// Where the token ends that begins before `line_end`, on the line from `begin` on, and runs over it;
/// a string only where it looks as if it held no code.
pub(crate) fn runs_over(text: &str, begin: usize, line_end: usize, end: usize) -> Option<usize> {
    let code = text.get(begin..end)?;
    for (token, at, len) in Lexer::new(code) {
        let (from, to) = (begin + at, begin + at + len);
        if from >= line_end {
            return None;
        }
        if to <= line_end {
            continue;
        }
        let body = text.get(from..to)?;
        let is_closed = match token {
            Token::Doc | Token::Comment => body.ends_with("*/"),
            Token::Word if body.starts_with(['r', 'b', 'c']) && body.contains('#') => {
                body.trim_end_matches('#').ends_with('"') && to < end
            }
            Token::Word | Token::Text => {
                body.ends_with('"') && !body.lines().skip(1).any(is_head_line)
            }
            Token::Sign => false,
        };
        return is_closed.then_some(to);
    }
    None
}

/// So many open brackets are looked at for the one that a closing bracket belongs to, so that all
/// stays linear in the text.
const FURTHEST: usize = 64;

/// Words that items begin with.
const HEADS: [&str; 15] = [
    "pub",
    "fn",
    "impl",
    "struct",
    "enum",
    "trait",
    "mod",
    "use",
    "static",
    "type",
    "extern",
    "union",
    "unsafe",
    "async",
    "macro_rules",
];

/// Whether a line begins as an item, or as attributes or docs before one.
pub(crate) fn is_head_line(line: &str) -> bool {
    let line = line.trim_start();
    let end = line.find(|ch: char| !ch.is_alphanumeric() && ch != '_').unwrap_or(line.len());
    HEADS.contains(&&line[..end]) && line[end..].starts_with([' ', '(', '!'])
        || line.starts_with("#[")
        || line.starts_with("///")
}

/// A bracket that is open.
struct Open {
    at: usize,
    bracket: u8,
    /// Indentation of its line.
    indent: usize,
    line: usize,
    /// It is the last token of its line.
    is_last: bool,
}

/// Looks which brackets do not close.
struct Brackets {
    open: Vec<Open>,
    edits: Vec<(usize, u8)>,
}

impl Brackets {
    /// The bytes to put elsewhere, with their places.
    fn of(text: &str) -> Vec<(usize, u8)> {
        let bytes = text.as_bytes();
        let mut it = Self { open: Vec::new(), edits: Vec::new() };
        let (mut line, mut line_start, mut indent) = (0, 0, 0);
        // Where the token before ends, white space that must stay included.
        let mut behind = 0;
        // Only closing brackets so far on this line.
        let mut is_first = true;
        for (token, at, len) in Lexer::new(text) {
            let gap = bytes.get(behind..at).unwrap_or_default();
            let token_text = text.get(at..at + len).unwrap_or_default();
            let newlines = gap.iter().filter(|it| **it == b'\n').count()
                + usize::from(behind > 0 && bytes.get(behind - 1) == Some(&b'\n'));
            if newlines > 0 || behind == 0 {
                line += newlines;
                line_start = bytes[..at].iter().rposition(|it| *it == b'\n').map_or(0, |nl| nl + 1);
                indent = at - line_start;
                is_first = true;
                if let Some(open) = it.open.last_mut()
                    && open.at + 1 == behind
                {
                    open.is_last = true;
                }
                let rest = text.get(at..).unwrap_or_default();
                if is_head_line(rest.lines().next().unwrap_or_default()) {
                    it.close(|open| open.indent >= indent, gap, behind);
                }
            }
            match token_text.as_bytes() {
                [bracket @ (b'(' | b'[' | b'{')] if token == Token::Sign => {
                    let bracket = *bracket;
                    it.open.push(Open { at, bracket, indent, line, is_last: false });
                    is_first = false;
                }
                [bracket @ (b')' | b']' | b'}')] if token == Token::Sign => {
                    if is_first && at == line_start + indent {
                        it.close(|open| open.indent > indent, gap, behind);
                    }
                    it.closing(*bracket, at, indent, line, is_first);
                }
                _ => is_first = false,
            }
            behind = at + len;
            // A line comment needs the end of its line.
            if matches!(token, Token::Doc | Token::Comment) && token_text.starts_with("//") {
                behind = (behind..bytes.len())
                    .find(|at| bytes[*at] == b'\n')
                    .map_or(bytes.len(), |newline| newline + 1);
            }
            let inside = token_text.bytes().filter(|byte| *byte == b'\n').count();
            if inside > 0 {
                line += inside;
                let last = token_text.rfind('\n').unwrap_or(0);
                line_start = at + last + 1;
                is_first = false;
            }
        }
        it.close(|_| true, bytes.get(behind..).unwrap_or_default(), behind);
        it.edits
    }

    /// Closes what should have been closed before the white space `gap`, which begins at `start`, ends.
    fn close(&mut self, is_over: impl Fn(&Open) -> bool, gap: &[u8], start: usize) {
        let from = self.open.iter().rposition(|open| !is_over(open)).map_or(0, |last| last + 1);
        let unclosed = self.open.split_off(from);
        if unclosed.is_empty() {
            return;
        }
        if gap.get(..=unclosed.len()).is_some_and(|it| !it.contains(&PART)) {
            self.edits.push((start, NEVER));
            for (n, open) in unclosed.iter().rev().enumerate() {
                self.edits.push((start + 1 + n, closing_of(open.bracket)));
            }
        } else {
            self.edits.extend(unclosed.iter().map(|open| (open.at, NEVER)));
        }
    }

    /// Takes one closing bracket.
    fn closing(&mut self, bracket: u8, at: usize, indent: usize, line: usize, is_first: bool) {
        let fits = |open: &Open| closing_of(open.bracket) == bracket;
        let near = self.open.len().saturating_sub(FURTHEST);
        let found = self.open[near..].iter().rposition(fits).map(|found| near + found);
        let between = found.map_or(&[][..], |found| &self.open[found + 1..]);
        let is_stray = match found.map(|found| &self.open[found]) {
            None => true,
            // A block does not end within parentheses, nor parentheses within a block.
            Some(_) if between.iter().any(|open| open.bracket == b'{') => true,
            Some(open) if bracket == b'}' => {
                is_first && indent > open.indent || !is_first && open.line != line && open.is_last
            }
            Some(_) => !between.is_empty(),
        };
        if is_stray {
            self.edits.push((at, NEVER));
            return;
        }
        self.edits.extend(between.iter().map(|open| (open.at, NEVER)));
        self.open.truncate(found.unwrap_or(self.open.len()));
    }
}

fn closing_of(bracket: u8) -> u8 {
    match bracket {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
/// One.
pub fn one(a: u8) -> u8 {
    if a > 1 {
        call(a, |x| {
            x + 1
        });
    }
    let text = \"quoted {\";
    a
}

impl S {
    /// Two.
    fn two(&self) {
        one(2); // why (
    }

    fn three() {}
}

#[test]
fn four() {}
";

    /// Canons of what is found after `from` gave way to `to`.
    fn found(from: &str, to: &str) -> Vec<String> {
        assert_eq!(SOURCE.matches(from).count(), 1, "{from}");
        let file = crate::parse(&SOURCE.replace(from, to));
        assert!(!file.parse_errors.is_empty());
        file.items.iter().map(|item| item.canon.clone()).collect()
    }

    #[test]
    fn what_is_broken_ends_with_its_item() {
        for (from, to) in [
            ("call(a, |x| {", "call((a, |x| {"),
            ("call(a, |x| {", "call a, |x| {"),
            ("x + 1\n        });", "x + 1\n        );"),
            ("x + 1", "x } + 1"),
            ("x + 1", "x + 1 /*"),
            ("if a > 1 {", "if a > 1"),
            ("\"quoted {\"", "\"quoted {"),
            ("\"quoted {\"", "quoted {\""),
            ("    a\n}\n", "    a\n\n"),
            ("one(2);", "one(2;"),
            ("one(2); // why (\n    }", "one(2); // why (\n    "),
        ] {
            let want = ["one", "<S>", "S::two", "S::three", "four"];
            assert_eq!(found(from, to), want, "{from:?} -> {to:?}");
        }
    }

    #[test]
    fn what_is_whole_is_left_alone() {
        assert_eq!(close_delimiters(SOURCE), None);
        assert_eq!(close_delimiters(""), None);
        let (repaired, changes) = close_delimiters("fn f() { (\n\n\nfn g() {}\n").unwrap();
        assert_eq!((repaired.as_str(), changes), ("fn f() { (\u{1})}fn g() {}\n", 3));
    }
}
