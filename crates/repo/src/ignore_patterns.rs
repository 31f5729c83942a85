//! The lines of an ignore file as git reads them. Names are matched by the patterns of the crate `ignore`, which
//! reads some lines otherwise: it has alternatives in braces and no classes by name, and ends at bytes that
//! are not UTF-8. Such lines are spelled anew. Start at [`patterns`]; the rules are those of git's `gitignore(5)`
//! and `wildmatch`.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Maximum number of patterns of a file: a tree of so many would take long for each name.
const MAX_PATTERNS: usize = 20_000;
/// Classes by name with their ranges of ASCII.
const CLASSES: [(&str, &[(char, char)]); 12] = [
    ("alnum", &[('0', '9'), ('A', 'Z'), ('a', 'z')]),
    ("alpha", &[('A', 'Z'), ('a', 'z')]),
    ("blank", &[('\t', '\t'), (' ', ' ')]),
    ("cntrl", &[('\0', '\x1f'), ('\x7f', '\x7f')]),
    ("digit", &[('0', '9')]),
    ("graph", &[('!', '~')]),
    ("lower", &[('a', 'z')]),
    ("print", &[(' ', '~')]),
    ("punct", &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')]),
    ("space", &[('\t', '\r'), (' ', ' ')]),
    ("upper", &[('A', 'Z')]),
    ("xdigit", &[('0', '9'), ('A', 'F'), ('a', 'f')]),
];

/// Why an ignore file is not read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PatternFault {
    /// More patterns than the limit.
    #[error("it has more than {MAX_PATTERNS} patterns")]
    TooMany,
    /// A line that is no pattern.
    #[error("`{line}`: {error}")]
    Line { line: String, error: ignore::Error },
    /// The patterns together.
    #[error(transparent)]
    Patterns(#[from] ignore::Error),
}

/// The patterns of an ignore file in `folder`, for names of any case (`any_case`) or as they are.
///
/// # Errors
/// The reason why it is not read.
pub(crate) fn patterns(
    folder: &Path,
    bytes: &[u8],
    any_case: bool,
) -> Result<Gitignore, PatternFault> {
    let mut builder = GitignoreBuilder::new(folder);
    builder.case_insensitive(any_case)?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut count = 0;
    for line in bytes.split(|it| *it == b'\n') {
        // Of a line git sees what is before a byte of zero.
        let line = line.split(|it| *it == 0).next().unwrap_or(line);
        let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        count += 1;
        if count > MAX_PATTERNS {
            return Err(PatternFault::TooMany);
        }
        // A line that is no pattern matches nothing, as for git.
        if let Some(line) = spelled(&line) {
            let added = builder.add_line(None, &line).map(|_| ());
            added.map_err(|error| PatternFault::Line { line, error })?;
        }
    }
    Ok(builder.build()?)
}

/// A line for the crate `ignore` that matches what git matches; `None` if that is nothing.
fn spelled(line: &str) -> Option<String> {
    // `!` and `/` are no patterns for git, and something for the crate.
    let body = line.strip_prefix('!').unwrap_or(line);
    if body.trim_matches(|c: char| c == '/' || c.is_whitespace()).is_empty() {
        return None;
    }
    let mut found = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let escaped = rest.chars().next()?;
                rest = &rest[escaped.len_utf8()..];
                found.extend(['\\', escaped]);
            }
            '{' | '}' => found.extend(['\\', c]),
            '[' => {
                let (class, after) = Class::read(rest)?;
                class.spell(&mut found);
                rest = after;
            }
            c => found.push(c),
        }
    }
    Some(found)
}

/// A class of characters: `[!a-z[:digit:]]`.
struct Class {
    is_negated: bool,
    ranges: Vec<(char, char)>,
}

impl Class {
    /// Reads a class after its bracket, and returns what follows; `None` if it does not end.
    fn read(text: &str) -> Option<(Self, &str)> {
        let negated = text.strip_prefix(['!', '^']);
        let mut class = Self { is_negated: negated.is_some(), ranges: Vec::new() };
        let mut rest = negated.unwrap_or(text);
        let mut is_first = true;
        loop {
            if let Some(after) = rest.strip_prefix(']').filter(|_| !is_first) {
                return Some((class, after));
            }
            is_first = false;
            if let Some((name, after)) = rest.strip_prefix("[:").and_then(|it| it.split_once(":]"))
                && !name.contains(']')
            {
                // A name that git does not know makes the whole pattern match nothing.
                let ranges = CLASSES.iter().find(|it| it.0 == name)?.1;
                class.ranges.extend(ranges);
                rest = after;
                continue;
            }
            let (from, after) = member(rest)?;
            rest = after;
            let to = rest.strip_prefix('-').filter(|it| !it.starts_with(']')).map(member);
            let to = match to {
                Some(to) => {
                    let (to, after) = to?;
                    rest = after;
                    to
                }
                None => from,
            };
            // A range in the wrong order has no member.
            if from <= to {
                class.ranges.push((from, to));
            }
        }
    }

    /// Writes the class in a spelling without escapes: `]` first and `-` last, and neither `!` nor `^` at the
    /// beginning.
    fn spell(&self, into: &mut String) {
        let has = |c: char| self.ranges.iter().any(|it| it.0 <= c && c <= it.1);
        let is_odd = |c: char| matches!(c, ']' | '-' | '!' | '^');
        let mut odd: Vec<char> = [']', '!', '^', '-'].into_iter().filter(|it| has(*it)).collect();
        let mut ranges: Vec<(char, char)> = Vec::new();
        for (from, to) in &self.ranges {
            let mut from = *from;
            // The ranges between the characters that have a place of their own.
            for cut in ('!'..='^').filter(|it| is_odd(*it)) {
                if from <= cut && cut <= *to {
                    ranges.extend(before(cut).filter(|it| from <= *it).map(|it| (from, it)));
                    from = after(cut);
                }
            }
            if from <= *to {
                ranges.push((from, *to));
            }
        }
        match (ranges.is_empty(), odd.as_slice(), self.is_negated) {
            // No member: nothing matches, or anything but a separator.
            (true, [], false) => return into.push_str("[^\0-\u{10ffff}]"),
            (true, [], true) => return into.push('?'),
            (true, [one @ ('!' | '^')], false) => return into.extend(['\\', *one]),
            _ => {}
        }
        into.push('[');
        into.extend(self.is_negated.then_some('!'));
        if odd.first() == Some(&']') {
            into.push(odd.remove(0));
        }
        for (from, to) in ranges {
            into.push(from);
            if from != to {
                into.extend(['-', to]);
            }
        }
        // Alone they would negate: `-` may stand before them.
        if into.ends_with('[') && odd.last() == Some(&'-') {
            into.extend(odd.pop());
        }
        into.extend(odd);
        into.push(']');
    }
}

/// One character of a class with what follows it.
fn member(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    let c = match chars.next()? {
        '\\' => chars.next()?,
        c => c,
    };
    Some((c, chars.as_str()))
}

/// The character before one of ASCII.
fn before(c: char) -> Option<char> {
    char::from_u32(u32::from(c).wrapping_sub(1))
}

/// The character after one of ASCII.
fn after(c: char) -> char {
    char::from_u32(u32::from(c) + 1).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_spelled_as_git_reads_them() {
        for (line, expected) in [
            ("*.rs[co]", "*.rs[co]"),
            ("a{b,c}", "a\\{b,c\\}"),
            ("\\#a\\ b", "\\#a\\ b"),
            ("x[[:digit:]_]", "x[0-9_]"),
            ("[!a-c]", "[!a-c]"),
            ("[^]a]", "[!]a]"),
            ("[a\\]b]", "[]ab]"),
            ("[a\\-c]", "[ac-]"),
            ("[+--]", "[+-,-]"),
            ("[[:punct:]]", "[]\"-,.-/:-@[-\\_-`{-~!^-]"),
            ("[!]", ""),
            ("[!!]", "[!!]"),
            ("[\\!]", "\\!"),
            ("[\\!-]", "[-!]"),
            ("[a", ""),
            ("[[:none:]]", ""),
            ("a\\", ""),
            ("!", ""),
            ("!/", ""),
            ("! \u{a0}", ""),
            ("[z-a]", "[^\0-\u{10ffff}]"),
        ] {
            assert_eq!(spelled(line).unwrap_or_default(), expected, "{line}");
        }
    }

    #[test]
    fn a_file_is_read_to_its_end() {
        let bytes =
            b"\xef\xbb\xbf# \xe4\nlog\r\nzero\0x\n\xe4\nposix[[:digit:]].txt\nb{a}\n!keep.txt\n";
        let patterns = patterns(Path::new("/p"), bytes, false).unwrap();
        for name in ["log", "zero", "posix1.txt", "b{a}"] {
            assert!(patterns.matched(Path::new("/p").join(name), false).is_ignore(), "{name}");
        }
        assert!(patterns.matched("/p/ba", false).is_none());
        assert!(patterns.matched("/p/keep.txt", false).is_whitelist());
        let many = "a\n".repeat(MAX_PATTERNS + 1);
        assert!(super::patterns(Path::new("/p"), many.as_bytes(), false).is_err());
    }
}
