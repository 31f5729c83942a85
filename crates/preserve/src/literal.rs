//! The text of a string literal, with its escapes read.

/// The text of a string literal as written, raw or with escapes; of another literal its spelling. An escape
/// that is none stays as it is.
pub fn literal_text(written: &str) -> String {
    let Some((prefix, rest)) = written.split_once('"') else { return written.to_owned() };
    let content = rest.rsplit_once('"').map_or(rest, |(content, _)| content);
    if prefix.contains('r') {
        return content.to_owned();
    }
    let mut text = String::with_capacity(content.len());
    let mut rest = content;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        rest = match escape(after) {
            Some((ch, len)) => {
                text.extend(ch);
                after.get(len..).unwrap_or_default()
            }
            None => {
                text.push('\\');
                after
            }
        };
    }
    text.push_str(rest);
    text
}

/// The character of an escape, after its backslash, and how many bytes it takes; none for a line that is
/// continued.
fn escape(after: &str) -> Option<(Option<char>, usize)> {
    let simple = |ch: char| Some((Some(ch), 1));
    match after.chars().next()? {
        'n' => simple('\n'),
        'r' => simple('\r'),
        't' => simple('\t'),
        '0' => simple('\0'),
        ch @ ('\\' | '"' | '\'') => simple(ch),
        'x' => {
            let code = u8::from_str_radix(after.get(1..3)?, 16).ok()?;
            Some((Some(char::from(code)), 3))
        }
        'u' => {
            let inner = after.strip_prefix("u{")?;
            let end = inner.find('}')?;
            let code = u32::from_str_radix(&inner.get(..end)?.replace('_', ""), 16).ok()?;
            Some((char::from_u32(code), end + 3))
        }
        '\n' | '\r' => Some((None, after.len() - after.trim_start().len())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_is_read_as_the_compiler_reads_it() {
        for (written, text) in [
            (r#""src\x2fa.rs""#, "src/a.rs"),
            (r#""a\u{2F}b\u{2_f}""#, "a/b/"),
            (r##"r#"a\x2f"#"##, r"a\x2f"),
            ("b\"a\\\n   b\"", "ab"),
            (r#""a\qb\x""#, r"a\qb\x"),
            (r#""\\n\"""#, r#"\n""#),
            ("12", "12"),
            ("\"open", "open"),
        ] {
            assert_eq!(literal_text(written), text, "{written}");
        }
    }
}
