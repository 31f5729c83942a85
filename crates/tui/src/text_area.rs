//! [`TextArea`]: an editable text with a cursor, for the prompt and for edits in place.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::cells;

/// Most bytes of a text: enough for any source file.
const MOST: usize = 16 << 20;

/// An editable text. Lines end with `\n`; a carriage return before it is part of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextArea {
    lines: Vec<String>,
    /// Line of the cursor, from 0.
    line: usize,
    /// Byte of the cursor in its line, between two letters.
    at: usize,
    /// Cell that the cursor keeps while it moves over shorter lines.
    goal: Option<usize>,
    /// First line that is shown.
    top: usize,
    bytes: usize,
    /// Number of changes so far.
    edits: u64,
}

impl Default for TextArea {
    fn default() -> Self {
        Self { lines: vec![String::new()], line: 0, at: 0, goal: None, top: 0, bytes: 0, edits: 0 }
    }
}

impl TextArea {
    /// A text with the cursor at the beginning of a line, from 0.
    pub(crate) fn new(text: &str, line: usize) -> Self {
        let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        let line = line.min(lines.len() - 1);
        Self { lines, line, bytes: text.len(), top: line.saturating_sub(4), ..Self::default() }
    }

    pub(crate) fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// Number that grows with each change of the text.
    pub(crate) fn edits(&self) -> u64 {
        self.edits
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines.len() == 1 && self.lines[0].is_empty()
    }

    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Line and cell of the cursor.
    pub(crate) fn cursor(&self) -> (usize, usize) {
        (self.line, cells::width(&cells::shown(&self.lines[self.line][..self.at])))
    }

    /// First line to show so that the cursor is among `height` lines.
    pub(crate) fn scrolled(&mut self, height: usize) -> usize {
        let height = height.max(1);
        self.top = self.top.min(self.line).max((self.line + 1).saturating_sub(height));
        self.top
    }

    /// First line that is shown.
    pub(crate) fn top(&self) -> usize {
        self.top
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Replaces all of the text; the cursor is at its end.
    pub(crate) fn set(&mut self, text: &str) {
        *self = Self::new(text, usize::MAX);
        self.at = self.lines[self.line].len();
    }

    /// Inserts a text at the cursor; what exceeds the limit of size is left out. Line ends become `\n`.
    pub(crate) fn insert(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        if self.bytes + text.len() > MOST {
            return;
        }
        self.bytes += text.len();
        self.edits += 1;
        self.goal = None;
        let tail = self.lines[self.line].split_off(self.at);
        let mut parts = text.split('\n');
        self.lines[self.line].push_str(parts.next().unwrap_or_default());
        let more: Vec<String> = parts.map(str::to_owned).collect();
        let count = more.len();
        self.lines.splice(self.line + 1..self.line + 1, more);
        self.line += count;
        self.at = self.lines[self.line].len();
        self.lines[self.line].push_str(&tail);
    }

    /// Begins a new line with the indentation of this one; one of blanks alone loses them.
    pub(crate) fn new_line(&mut self) {
        let line = &self.lines[self.line];
        let indent: String = line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
        self.without_blanks();
        self.insert("\n");
        self.insert(&indent);
    }

    /// Empties the line of the cursor if it has nothing but blanks.
    pub(crate) fn without_blanks(&mut self) {
        let line = &mut self.lines[self.line];
        if !line.is_empty() && line.chars().all(|c| matches!(c, ' ' | '\t')) {
            self.bytes -= line.len();
            self.edits += 1;
            line.clear();
            self.home();
        }
    }

    /// Shows a line as the first, where the cursor allows it.
    pub(crate) fn show_from(&mut self, top: usize) {
        self.top = top.min(self.line);
    }

    /// Removes the letter before the cursor.
    pub(crate) fn backspace(&mut self) {
        let (line, at) = (self.line, self.at);
        self.left();
        if (self.line, self.at) != (line, at) {
            self.delete();
        }
    }

    /// Removes the letter after the cursor.
    pub(crate) fn delete(&mut self) {
        self.goal = None;
        let line = &mut self.lines[self.line];
        if let Some(letter) = line[self.at..].graphemes(true).next() {
            let end = self.at + letter.len();
            self.bytes -= letter.len();
            self.edits += 1;
            line.replace_range(self.at..end, "");
        } else if self.line + 1 < self.lines.len() {
            let next = self.lines.remove(self.line + 1);
            self.lines[self.line].push_str(&next);
            self.bytes -= 1;
            self.edits += 1;
        }
    }

    /// Removes the word before the cursor.
    pub(crate) fn delete_word(&mut self) {
        let (line, end) = (self.line, self.at);
        self.word_left();
        if self.line == line {
            self.bytes -= end - self.at;
            self.edits += 1;
            self.lines[line].replace_range(self.at..end, "");
        } else {
            (self.line, self.at) = (line, end);
            self.backspace();
        }
    }

    /// Removes the line from its beginning to the cursor.
    pub(crate) fn delete_to_start(&mut self) {
        self.bytes -= self.at;
        self.edits += 1;
        self.lines[self.line].replace_range(..self.at, "");
        self.home();
    }

    pub(crate) fn left(&mut self) {
        self.goal = None;
        match self.lines[self.line][..self.at].graphemes(true).next_back() {
            Some(letter) => self.at -= letter.len(),
            None if self.line > 0 => {
                self.line -= 1;
                self.at = self.lines[self.line].len();
            }
            None => {}
        }
    }

    pub(crate) fn right(&mut self) {
        self.goal = None;
        match self.lines[self.line][self.at..].graphemes(true).next() {
            Some(letter) => self.at += letter.len(),
            None if self.line + 1 < self.lines.len() => {
                self.line += 1;
                self.at = 0;
            }
            None => {}
        }
    }

    pub(crate) fn word_left(&mut self) {
        self.left();
        let before = |it: &Self| it.lines[it.line][..it.at].chars().next_back();
        while before(self).is_some_and(|c| !is_word(c)) {
            self.left();
        }
        while before(self).is_some_and(is_word) {
            self.left();
        }
    }

    pub(crate) fn word_right(&mut self) {
        self.right();
        let after = |it: &Self| it.lines[it.line][it.at..].chars().next();
        while after(self).is_some_and(is_word) {
            self.right();
        }
        while after(self).is_some_and(|c| !is_word(c)) {
            self.right();
        }
    }

    pub(crate) fn home(&mut self) {
        (self.at, self.goal) = (0, None);
    }

    pub(crate) fn end(&mut self) {
        (self.at, self.goal) = (self.lines[self.line].len(), None);
    }

    /// Moves the cursor by lines, up for a negative number. Returns whether it moved.
    pub(crate) fn by_lines(&mut self, lines: isize) -> bool {
        let goal = self.goal.unwrap_or_else(|| self.cursor().1);
        let to = self.line.saturating_add_signed(lines).min(self.lines.len() - 1);
        if to == self.line {
            return false;
        }
        self.line = to;
        self.at = byte_of(&self.lines[to], goal);
        self.goal = Some(goal);
        true
    }

    /// Moves the cursor to a cell of a line.
    pub(crate) fn place(&mut self, line: usize, cell: usize) {
        self.line = line.min(self.lines.len() - 1);
        self.at = byte_of(&self.lines[self.line], cell);
        self.goal = None;
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The byte of the letter in the cell of a line as it is shown.
fn byte_of(line: &str, cell: usize) -> usize {
    let mut at = 0;
    for letter in line.graphemes(true) {
        if cells::width(&cells::shown(&line[..at + letter.len()])) > cell {
            break;
        }
        at += letter.len();
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text with `|` at the cursor.
    fn marked(area: &TextArea) -> String {
        let mut lines = area.lines.clone();
        lines[area.line].insert(area.at, '|');
        lines.join("\n")
    }

    #[test]
    fn letters_are_whole() {
        let mut area = TextArea::default();
        area.insert("e\u{301}日👩‍👩‍👧");
        area.backspace();
        assert_eq!(marked(&area), "e\u{301}日|");
        area.left();
        area.left();
        area.delete();
        assert_eq!(marked(&area), "|日");
        assert_eq!(area.cursor(), (0, 0));
    }

    #[test]
    fn lines_are_joined_and_split() {
        let mut area = TextArea::default();
        area.insert("one\r\ntwo\rthree");
        assert_eq!(marked(&area), "one\ntwo\nthree|");
        area.by_lines(-1);
        area.home();
        area.backspace();
        assert_eq!(marked(&area), "one|two\nthree");
        area.end();
        area.delete();
        assert_eq!(marked(&area), "onetwo|three");
        area.delete_word();
        assert_eq!(marked(&area), "|three");
        assert_eq!(area.bytes, area.text().len());
    }

    #[test]
    fn the_cursor_keeps_its_cell_over_short_lines() {
        let mut area = TextArea::new("abcdef\n\tx\nabcdef", 0);
        area.place(0, 5);
        assert!(area.by_lines(1));
        assert_eq!(area.cursor(), (1, 5));
        area.by_lines(1);
        assert_eq!(area.cursor(), (2, 5));
        assert!(!area.by_lines(1));
    }

    #[test]
    fn words_are_passed() {
        let mut area = TextArea::new("let a_b = foo(1);", 0);
        area.word_right();
        area.word_right();
        assert_eq!(marked(&area), "let a_b = |foo(1);");
        area.word_left();
        assert_eq!(marked(&area), "let |a_b = foo(1);");
        area.delete_to_start();
        assert_eq!(marked(&area), "|a_b = foo(1);");
    }
}
