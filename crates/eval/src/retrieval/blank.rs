//! Replaces every doc comment of a Rust text by blanks, so that lines and bytes keep their
//! positions.

/// The text with blanks for each byte of a doc comment (`///`, `//!`, `/** */`, `/*! */` and `doc =
/// "…"` attributes); line ends stay.
pub(crate) fn blank_docs(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for (start, end) in docs(text) {
        blank_bytes(&mut bytes, start, end);
    }
    // Whole comments were replaced by as many blanks, so the text is still valid.
    String::from_utf8(bytes).unwrap_or_default()
}

/// The text with blanks for the bytes of a range of whole characters.
pub(crate) fn blank(text: &str, start: usize, end: usize) -> String {
    let mut bytes = text.as_bytes().to_vec();
    blank_bytes(&mut bytes, start, end);
    String::from_utf8(bytes).unwrap_or_default()
}

fn blank_bytes(bytes: &mut [u8], start: usize, end: usize) {
    for byte in bytes.get_mut(start..end).into_iter().flatten() {
        if !matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
}

/// Byte ranges of doc comments.
fn docs(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = if rest.starts_with(b"//") {
            let end = at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            if is_line_doc(rest) {
                found.push((at, end));
            }
            end
        } else if rest.starts_with(b"/*") {
            let end = at + block_len(rest);
            if is_block_doc(&bytes[at..end]) {
                found.push((at, end));
            }
            end
        } else if rest[0] == b'#' {
            let len = doc_attribute_len(rest);
            found.extend((len > 0).then_some((at, at + len)));
            at + len.max(1)
        } else {
            at + literal_len(bytes, at).max(1)
        };
        at = end;
    }
    found
}

fn is_line_doc(rest: &[u8]) -> bool {
    rest.starts_with(b"//!") || rest.starts_with(b"///") && !rest.starts_with(b"////")
}

fn is_block_doc(comment: &[u8]) -> bool {
    let is_outer = comment.starts_with(b"/**") && !comment.starts_with(b"/***");
    comment.len() > 4 && (comment.starts_with(b"/*!") || is_outer)
}

fn block_len(rest: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// Length of the string, raw string, byte string or character literal that begins here; 0 if there
/// is none.
fn literal_len(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let before = at.checked_sub(1).and_then(|at| bytes.get(at));
    let is_word = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    match rest[0] {
        b'"' => quoted_len(rest, b'"'),
        b'\'' => character_len(rest),
        b'r' | b'b' | b'c' if !is_word(before) => raw_len(rest),
        _ => 0,
    }
}

fn quoted_len(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(byte) = rest.get(at) {
        at += if *byte == b'\\' { 2 } else { 1 };
        if *byte == quote {
            break;
        }
    }
    at.min(rest.len())
}

/// Length of a character literal; 0 for a lifetime.
fn character_len(rest: &[u8]) -> usize {
    if rest.get(1) == Some(&b'\\') {
        return quoted_len(rest, b'\'');
    }
    let width = std::str::from_utf8(rest.get(1..rest.len().min(5)).unwrap_or_default());
    let first = match width {
        Ok(text) => text.chars().next(),
        Err(error) => std::str::from_utf8(&rest[1..1 + error.valid_up_to()])
            .ok()
            .and_then(|text| text.chars().next()),
    };
    let width = first.map_or(0, char::len_utf8);
    if width > 0 && rest.get(1 + width) == Some(&b'\'') { width + 2 } else { 0 }
}

/// `r#"…"#`, `br"…"`, `c"…"`.
fn raw_len(rest: &[u8]) -> usize {
    let prefix = rest.iter().take(2).take_while(|byte| matches!(byte, b'r' | b'b' | b'c')).count();
    let is_raw = rest[..prefix].contains(&b'r');
    let hashes = rest[prefix..].iter().take_while(|byte| **byte == b'#').count();
    let open = prefix + hashes;
    if rest.get(open) != Some(&b'"') || !is_raw && hashes > 0 {
        return 0;
    }
    if !is_raw {
        return prefix + quoted_len(&rest[prefix..], b'"');
    }
    let close = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
    let inside = rest[open + 1..].windows(close.len()).position(|window| window == close);
    inside.map_or(rest.len(), |at| open + 1 + at + close.len())
}

/// Length of `#[doc = "…"]` or `#![doc = …]`; 0 for anything else.
fn doc_attribute_len(rest: &[u8]) -> usize {
    let mut at = 1 + usize::from(rest.get(1) == Some(&b'!'));
    let skip = |mut at: usize| {
        while rest.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        at
    };
    for word in [b"[".as_slice(), b"doc", b"="] {
        at = skip(at);
        if !rest.get(at..).is_some_and(|rest| rest.starts_with(word)) {
            return 0;
        }
        at += word.len();
    }
    while let Some(byte) = rest.get(at) {
        if *byte == b']' {
            return at + 1;
        }
        at += literal_len(rest, at).max(1);
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, want: &str) {
        let blanked = blank_docs(text);
        assert_eq!(blanked.len(), text.len());
        let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(squeeze(&blanked), want);
        let ends = |text: &str| text.match_indices('\n').map(|(at, _)| at).collect::<Vec<_>>();
        assert_eq!(ends(&blanked), ends(text));
    }

    #[test]
    fn doc_comments_go_and_other_comments_stay() {
        check("//! Crate.\n/// Größe.\nfn f() {} // why\n//// not", "fn f() {} // why //// not");
        check(
            "/** a\n * b */ struct S; /* c /* d */ */ /*! e */ /**/",
            "struct S; /* c /* d */ */ /**/",
        );
        check("#[doc = \"a ] b\"] #[doc(hidden)] fn f();", "#[doc(hidden)] fn f();");
        check("#![doc = include_str!(\"x\")]\nuse a;", "use a;");
    }

    #[test]
    fn text_in_strings_is_no_comment() {
        check("let a = \"/// x\"; /// y", "let a = \"/// x\";");
        check(
            "let a = r#\"\" /// x\"#; let b = '\"'; /// y",
            "let a = r#\"\" /// x\"#; let b = '\"';",
        );
        check(
            "fn f<'a>(x: &'a str) { '\\''; '/'; b\"//!\" } /// y",
            "fn f<'a>(x: &'a str) { '\\''; '/'; b\"//!\" }",
        );
        check("for r in x { c } /// y", "for r in x { c }");
        check("let a = \"/// open", "let a = \"/// open");
    }
}
