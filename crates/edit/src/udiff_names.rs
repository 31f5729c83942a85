//! File names in diff headers: quotes, C escapes, and the pair of `diff --git`.

/// The two names of a `diff --git` line; unquoted names with spaces are split where both are equal
/// without their prefixes.
pub(crate) fn git_names(rest: &str) -> Option<(String, String)> {
    if rest.starts_with('"') {
        let end = (1..rest.len())
            .find(|at| rest.as_bytes()[*at] == b'"' && !escaped(rest.as_bytes(), *at))?;
        let old = unquote(rest.get(..=end)?)?;
        return Some((old, unquote(rest.get(end + 1..)?.trim_start())?));
    }
    let half = rest.len() / 2;
    if let (Some(old), Some(" "), Some(new)) =
        (rest.get(..half), rest.get(half..half + 1), rest.get(half + 1..))
        && old.strip_prefix("a/").is_some_and(|it| new.strip_prefix("b/") == Some(it))
    {
        return Some((old.to_owned(), new.to_owned()));
    }
    let (old, new) = rest.split_once(' ')?;
    Some((old.to_owned(), unquote(new)?))
}

fn escaped(bytes: &[u8], at: usize) -> bool {
    bytes[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// A name with its quotes and C escapes removed, if it has any.
pub(crate) fn unquote(text: &str) -> Option<String> {
    let Some(inner) = text.strip_prefix('"') else { return Some(text.to_owned()) };
    let inner = inner.strip_suffix('"')?;
    let mut out = Vec::new();
    let mut bytes = inner.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match bytes.next()? {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'v' => out.push(11),
            b'f' => out.push(12),
            byte @ (b'"' | b'\\') => out.push(byte),
            byte @ b'0'..=b'3' => {
                let mut value = u32::from(byte - b'0');
                for _ in 0..2 {
                    let digit = bytes.next().filter(|it| (b'0'..=b'7').contains(it))?;
                    value = value * 8 + u32::from(digit - b'0');
                }
                out.push(u8::try_from(value).ok()?);
            }
            _ => return None,
        }
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_spaces_and_escapes_are_read() {
        let pair = |a: &str, b: &str| Some((a.to_owned(), b.to_owned()));
        assert_eq!(git_names("a/x y.rs b/x y.rs"), pair("a/x y.rs", "b/x y.rs"));
        assert_eq!(git_names("a/x b/y"), pair("a/x", "b/y"));
        assert_eq!(git_names(r#""a/t\tb" "b/t\tb""#), pair("a/t\tb", "b/t\tb"));
        assert_eq!(unquote(r#""\303\244\"""#).as_deref(), Some("ä\""));
        assert_eq!(unquote(r#""\9""#), None);
    }
}
