//! Texts as cells of a terminal: widths, tabs, cuts and wraps. Hidden characters are shown as escapes, so that
//! no text of a repository, a build or a model controls the terminal.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// Cells of a tab stop.
const TAB: usize = 4;

/// Number of cells of a text without tabs and line breaks.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// A line as it is shown: tabs as spaces, hidden characters and letters without width as escapes.
pub(crate) fn shown(line: &str) -> Cow<'_, str> {
    let is_plain = |c: char| matches!(c, ' '..='~');
    if line.chars().all(is_plain) {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len() + TAB);
    // Counted as it grows: a line may have a million tabs.
    let mut at = 0;
    for letter in line.graphemes(true) {
        if letter == "\t" {
            let blank = TAB - at % TAB;
            out.extend(std::iter::repeat_n(' ', blank));
            at += blank;
            continue;
        }
        let visible = base::visible_line(letter);
        let own = match width(&visible) {
            0 => letter.escape_unicode().to_string(),
            _ => visible,
        };
        at += width(&own);
        out.push_str(&own);
    }
    Cow::Owned(out)
}

/// The beginning of a line that fits into `cells`; a cut is shown by `…`.
pub(crate) fn cut(line: &str, cells: usize) -> Cow<'_, str> {
    if width(line) <= cells {
        return Cow::Borrowed(line);
    }
    let mut used = 0;
    let mut out = String::new();
    for letter in line.graphemes(true) {
        let own = width(letter);
        if used + own + 1 > cells {
            break;
        }
        used += own;
        out.push_str(letter);
    }
    if cells > 0 {
        out.push('…');
    }
    Cow::Owned(out)
}

/// The part of a line from cell `from` on, with at most `cells` cells. A wide letter that is cut in half is
/// a space.
pub(crate) fn window(line: &str, from: usize, cells: usize) -> String {
    let mut out = String::new();
    let (mut at, end) = (0, from + cells);
    for letter in line.graphemes(true) {
        let next = at + width(letter);
        if next > end {
            break;
        }
        match at >= from {
            true => out.push_str(letter),
            false if next > from => out.extend(std::iter::repeat_n(' ', next - from)),
            false => {}
        }
        at = next;
    }
    out
}

/// A line in lines of at most `cells` cells, broken between words where that is possible; at least one.
pub(crate) fn wrapped(line: &str, cells: usize) -> Vec<String> {
    let cells = cells.max(2);
    let line = shown(line);
    if width(&line) <= cells {
        return vec![line.into_owned()];
    }
    let indent: String = line.chars().take_while(|c| *c == ' ').collect();
    let indent = if indent.len() + 8 < cells { indent } else { String::new() };
    let mut lines = Vec::new();
    let (mut out, mut used) = (String::new(), 0);
    for word in line.split_word_bounds() {
        let own = width(word);
        if used + own > cells && used > 0 {
            lines.push(std::mem::replace(&mut out, indent.clone()).trim_end().to_owned());
            used = indent.len();
            if word.trim().is_empty() {
                continue;
            }
        }
        if own <= cells.saturating_sub(used) {
            out.push_str(word);
            used += own;
            continue;
        }
        for letter in word.graphemes(true) {
            let own = width(letter);
            if used + own > cells {
                lines.push(std::mem::replace(&mut out, indent.clone()));
                used = indent.len();
            }
            out.push_str(letter);
            used += own;
        }
    }
    lines.push(out);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_shown_without_what_controls_a_terminal() {
        assert_eq!(shown("a\tb\t\tc"), "a   b       c");
        assert_eq!(shown("日\tx"), "日  x");
        assert!(!shown("a\u{1b}[31mb\u{202e}").contains(['\u{1b}', '\u{202e}']));
        // Vowels without their consonant have no width, and a combining mark has none alone.
        assert_eq!(shown("a\u{1161}b\u{d7b0}"), "a\\u{1161}b\\u{d7b0}");
        assert_eq!(shown("\u{301}e\u{301}"), "\\u{301}e\u{301}");
        assert_eq!(shown(&"\t".repeat(1_000_000)).len(), 4_000_000);
    }

    #[test]
    fn cuts_and_windows_never_exceed_their_cells() {
        let line = "a日本語e\u{301}👩‍👩‍👧z and more";
        for cells in 0..30 {
            assert!(width(&cut(line, cells)) <= cells, "{cells}");
            for from in 0..10 {
                assert!(width(&window(line, from, cells)) <= cells, "{from} {cells}");
            }
            if cells >= 2 {
                assert!(wrapped(line, cells).iter().all(|it| width(it) <= cells), "{cells}");
            }
        }
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(window("a日b", 2, 2), " b");
        assert_eq!(
            wrapped("  one two three four five", 12),
            ["  one two", "  three four", "  five"]
        );
    }
}
