//! Texts of a repository, of a build or of a model as a person sees them: characters that control a
//! terminal, change the direction of a line or are not visible are written as escapes. The only list of
//! such characters in the workspace.

/// Whether a character is not visible, or changes how others are shown. Tabs and line breaks are not
/// among these.
pub fn is_hidden(c: char) -> bool {
    matches!(c,
        // Soft hyphen, joiners, fillers, vowels and finals without a form of their own (NFC has none of
        // them), selectors of variations.
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{11ff}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{d7b0}'..='\u{d7ff}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}'
        // Characters without width, separators of lines, directions, operators without a form.
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        // Controls of hieroglyphs, and marks without a form.
        | '\u{13430}'..='\u{1343f}' | '\u{2d7f}' | '\u{16fe4}' | '\u{1d159}'
        // Blanks that look like a space.
        | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
        // Tags, and the other selectors.
        | '\u{e0000}'..='\u{e0fff}')
        || (c.is_control() && !matches!(c, '\t' | '\n'))
}

/// The text with hidden characters as escapes.
pub fn visible(text: &str) -> String {
    escaped(text, is_hidden)
}

/// The text as one line: tabs and line breaks are escapes, too.
pub fn visible_line(text: &str) -> String {
    escaped(text, |c| is_hidden(c) || matches!(c, '\t' | '\n'))
}

/// A JSON document with hidden characters as JSON escapes. They can only occur in strings, so the
/// value is the same.
pub fn visible_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) && c != '\r' {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_escaped(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escapes() {
        assert_eq!(visible("a\u{1b}[31mb\tc\u{202e}\n"), "a\\u{1b}[31mb\tc\\u{202e}\n");
        assert_eq!(visible("x\u{e0041}\u{2066}\u{200b}"), "x\\u{e0041}\\u{2066}\\u{200b}");
        assert_eq!(visible("a\u{a0}b\u{13430}"), "a\\u{a0}b\\u{13430}");
        assert_eq!(visible_line("a\nb"), "a\\u{a}b");
        assert_eq!(visible("Grüße, 世界 → 🦀"), "Grüße, 世界 → 🦀");
    }
}
