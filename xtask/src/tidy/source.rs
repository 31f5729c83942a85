//! A scanner that separates code, comments and strings of a Rust file, for the rules in `sources`.

/// A Rust text split into code, comments and strings, with the lines of the original.
#[derive(Debug, Default)]
pub(super) struct Source {
    /// The code; comments and the contents of literals are blanks.
    pub(super) code: Vec<String>,
    /// The comments only.
    pub(super) comments: Vec<String>,
    /// String literals with the line (from 0) on which each begins.
    pub(super) strings: Vec<(usize, String)>,
    /// Whether a line belongs to a `#[cfg(test)]` item.
    pub(super) test: Vec<bool>,
    /// The files that `#[cfg(test)] mod name;` includes.
    pub(super) test_modules: Vec<String>,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Code,
    LineComment,
    BlockComment(usize),
    Text { hashes: Option<usize> },
}

impl Source {
    /// Scans the text; anything that is not valid Rust is taken as code.
    pub(super) fn parse(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let (mut code, mut comments) = (String::new(), String::new());
        let mut strings = Vec::new();
        let mut current = String::new();
        let (mut state, mut line, mut began) = (State::Code, 0, 0);
        let mut at = 0;
        while at < chars.len() {
            let c = chars[at];
            let next = chars.get(at + 1).copied().unwrap_or('\0');
            // The number of characters that this step consumes, and the part that keeps them.
            let (mut take, mut keep_code, mut keep_comment) = (1, false, false);
            match state {
                State::Code if c == '/' && next == '/' => {
                    (state, keep_comment) = (State::LineComment, true);
                }
                State::Code if c == '/' && next == '*' => {
                    (state, take) = (State::BlockComment(1), 2);
                }
                State::Code if c == '"' => {
                    (state, began) = (State::Text { hashes: raw_hashes(&chars, at) }, line);
                    keep_code = true;
                }
                State::Code if c == '\'' => take = char_literal(&chars, at),
                State::Code => keep_code = true,
                State::LineComment if c == '\n' => state = State::Code,
                State::LineComment => keep_comment = true,
                State::BlockComment(depth) if c == '*' && next == '/' => {
                    take = 2;
                    state = if depth == 1 { State::Code } else { State::BlockComment(depth - 1) };
                }
                State::BlockComment(depth) if c == '/' && next == '*' => {
                    (state, take) = (State::BlockComment(depth + 1), 2);
                }
                State::BlockComment(_) => keep_comment = true,
                State::Text { hashes } if ends_text(&chars, at, hashes) => {
                    strings.push((began, std::mem::take(&mut current)));
                    (state, keep_code) = (State::Code, true);
                }
                State::Text { hashes: None } if c == '\\' => {
                    take = 2;
                    current.push(c);
                    current.push(next);
                }
                State::Text { .. } => current.push(c),
            }
            for &c in chars.iter().skip(at).take(take) {
                line += usize::from(c == '\n');
                code.push(if keep_code || c == '\n' { c } else { ' ' });
                comments.push(if keep_comment || c == '\n' { c } else { ' ' });
            }
            at += take;
        }
        let mut source = Self {
            code: code.lines().map(str::to_owned).collect(),
            comments: comments.lines().map(str::to_owned).collect(),
            strings,
            ..Self::default()
        };
        source.test = vec![false; source.code.len()];
        source.mark_tests(&code);
        source
    }

    /// Marks the lines of each item below a `#[cfg(test)]`.
    fn mark_tests(&mut self, code: &str) {
        let mut from = 0;
        while let Some(found) = code[from..].find("#[cfg(test)]") {
            let start = from + found;
            let rest = &code[start..];
            let end = start + item_end(rest);
            let item = &code[start..end.min(code.len())];
            if let Some(name) = item.strip_suffix(';').and_then(|item| item.rsplit_once("mod ")) {
                self.test_modules.push(name.1.trim().to_owned());
            }
            let first = code[..start].matches('\n').count();
            let count = item.matches('\n').count() + 1;
            for flag in self.test.iter_mut().skip(first).take(count) {
                *flag = true;
            }
            from = end.max(start + 1).min(code.len());
        }
    }
}

/// One past the first `;` outside braces, or past the brace that closes the first one opened.
pub(super) fn item_end(code: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth <= 1 => return at + 1,
            '}' => depth -= 1,
            ';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// `Some` with the number of `#` when the quote at `at` opens a raw string.
fn raw_hashes(chars: &[char], at: usize) -> Option<usize> {
    let hashes = chars[..at].iter().rev().take_while(|c| **c == '#').count();
    let before = at.checked_sub(hashes + 1)?;
    let prefix = chars[..before].last().copied().unwrap_or(' ');
    let is_word = prefix.is_alphanumeric() || prefix == '_';
    (chars[before] == 'r' && (!is_word || matches!(prefix, 'b' | 'c'))).then_some(hashes)
}

fn ends_text(chars: &[char], at: usize, hashes: Option<usize>) -> bool {
    let hashes = hashes.unwrap_or(0);
    chars[at] == '"' && chars[at + 1..].iter().take_while(|c| **c == '#').count() >= hashes
}

/// The length in characters of the literal at `at`; 1 if the quote begins a lifetime.
fn char_literal(chars: &[char], at: usize) -> usize {
    if chars.get(at + 1) == Some(&'\\') {
        let rest = chars.iter().skip(at + 3).position(|c| *c == '\'');
        return rest.map_or(1, |rest| rest + 4);
    }
    if chars.get(at + 2) == Some(&'\'') { 3 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_strings_and_code_are_separated() {
        let source = Source::parse("let a = \"x // y\"; // why\nlet c = '\"'; /* b\n\"q\" */ d\n");
        assert_eq!(source.code[0].trim_end(), "let a = \"      \";");
        assert_eq!(source.comments[0].trim(), "// why");
        assert_eq!(source.strings, [(0, "x // y".to_owned())]);
        assert!(source.code[2].ends_with('d') && !source.code[2].contains('q'));
    }

    #[test]
    fn raw_strings_end_at_their_own_hashes() {
        let source = Source::parse("f(r#\"a \"b\" c\"#, 'a', br\"\\\", x::<'a>(\"z\\\"\"))\n");
        let texts: Vec<&str> = source.strings.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["a \"b\" c", "\\", "z\\\""]);
    }

    #[test]
    fn lines_of_test_items_are_marked() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() { {} }\n}\nfn c() {}\n";
        let source = Source::parse(text);
        assert_eq!(source.test, [false, true, true, true, true, false]);
        let source = Source::parse("#[cfg(test)]\nmod laws;\nfn a() {}\n");
        assert_eq!(source.test, [true, true, false]);
        assert_eq!(source.test_modules, ["laws"]);
    }
}
