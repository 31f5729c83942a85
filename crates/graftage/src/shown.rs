//! Output of untrusted text: names, messages and test output of a repository must not control the
//! terminal, hide characters, or flood the screen.

use std::sync::OnceLock;

use anstyle::Style;
use base::is_hidden;
pub(crate) use base::{visible as safe, visible_json as json_text};

use crate::style::STYLES;

/// Maximum number of characters of a headline.
const MAX_BRIEF: usize = 1_000;
/// Maximum number of lines of a text.
const MAX_LINES: usize = 200;

/// A headline of untrusted text: escaped and truncated.
pub(crate) fn brief(text: &str) -> String {
    match text.char_indices().nth(MAX_BRIEF) {
        Some((at, _)) => format!("{}… ({} bytes more)", safe(&text[..at]), text.len() - at),
        None => safe(text),
    }
}

/// Untrusted text of several lines: escaped and truncated.
pub(crate) fn page(text: &str) -> String {
    let lines = text.lines().count();
    let mut out: String = text.lines().take(MAX_LINES).map(brief).collect::<Vec<_>>().join("\n");
    if lines > MAX_LINES {
        out.push_str(&format!("\n… ({} lines more)", lines - MAX_LINES));
    }
    out
}

/// Text for the terminal: graftage's own styles are kept, all other hidden characters are escaped.
/// A last defence for texts that were not passed through [`safe`].
pub(crate) fn sealed(text: &str) -> String {
    static OWN_STYLES: OnceLock<Vec<String>> = OnceLock::new();
    let own = OWN_STYLES.get_or_init(|| {
        let codes = |style: &Style| [format!("{style}"), format!("{style:#}")];
        let mut codes: Vec<String> = STYLES.iter().flat_map(codes).collect();
        codes.retain(|it| !it.is_empty());
        codes.sort_by_key(|it| std::cmp::Reverse(it.len()));
        codes
    });
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c == '\u{1b}'
            && let Some(code) = own.iter().find(|it| rest.starts_with(it.as_str()))
        {
            out.push_str(code);
            rest = &rest[code.len()..];
            continue;
        }
        if is_hidden(c) {
            out.extend(c.escape_unicode())
        } else {
            out.push(c)
        }
        rest = &rest[c.len_utf8()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::{BAD, paint};

    #[test]
    fn escape_codes_in_names_are_made_visible() {
        assert_eq!(safe("a\u{1b}[31mb\tc\u{202e}"), "a\\u{1b}[31mb\tc\\u{202e}");
        assert_eq!(safe("ad\u{200b}min\u{feff}\u{e0041}"), "ad\\u{200b}min\\u{feff}\\u{e0041}");
    }

    #[test]
    fn own_styles_pass_and_foreign_codes_do_not() {
        let text = format!("{} \u{1b}]0;title\u{7}\u{1b}[2J", paint(BAD, "error"));
        let shown = sealed(&text);
        assert!(shown.starts_with(&paint(BAD, "error")), "{shown}");
        assert!(shown.ends_with("\\u{1b}]0;title\\u{7}\\u{1b}[2J"), "{shown}");
    }

    #[test]
    fn escaped_json_has_the_same_value() {
        let value = "a\u{202e}b\u{1b}c\u{e0041}\u{7f}";
        let text = json_text(&serde_json::to_string(value).unwrap());
        assert!(text.is_ascii(), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), value);
    }

    #[test]
    fn long_texts_are_truncated_with_a_count() {
        assert!(brief(&"x".repeat(5_000)).ends_with("… (4000 bytes more)"));
        assert!(page(&"x\n".repeat(500)).ends_with("\n… (300 lines more)"));
    }
}
