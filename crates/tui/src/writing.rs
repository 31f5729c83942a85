//! [`Writing`]: the text that a language model writes now. Nothing of it is checked, and nothing is read from it.

/// Most bytes that are remembered; of more, the oldest lines are forgotten.
const MOST: usize = 64 << 10;

/// Most lines of a text that stay in the conversation once it is written.
const KEPT_LINES: usize = 60;

/// A text that grows at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Writing {
    text: String,
}

/// Place of a line in an edit that is written as search and replace blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WritingPart {
    /// Outside of a block.
    Prose,
    /// Text that is replaced.
    Old,
    /// Text in its place.
    New,
}

impl Writing {
    pub(crate) fn push(&mut self, more: &str) {
        self.text.push_str(more);
        if self.text.len() > MOST {
            let from = self.text.ceil_char_boundary(self.text.len() - MOST / 2);
            let line = self.text[from..].find('\n').map_or(from, |it| from + it + 1);
            self.text.drain(..line);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The last lines, with their places in the edit.
    pub(crate) fn last(&self, count: usize) -> Vec<(WritingPart, &str)> {
        let mut part = WritingPart::Prose;
        let mut lines: Vec<(WritingPart, &str)> = Vec::new();
        for line in self.text.lines() {
            let (own, next) = match part {
                _ if line.starts_with("<<<<<<<") => (WritingPart::Prose, WritingPart::Old),
                WritingPart::Old if line.starts_with("=======") => {
                    (WritingPart::Prose, WritingPart::New)
                }
                WritingPart::New if line.starts_with(">>>>>>>") => {
                    (WritingPart::Prose, WritingPart::Prose)
                }
                part => (part, part),
            };
            lines.push((own, line));
            part = next;
        }
        lines.split_off(lines.len().saturating_sub(count))
    }

    /// The text as an entry of the conversation; `None`: there is none.
    pub(crate) fn finish(&mut self) -> Option<String> {
        let text = std::mem::take(&mut self.text);
        let lines: Vec<&str> = text.trim().lines().collect();
        if lines.is_empty() {
            return None;
        }
        let mut kept = lines[..lines.len().min(KEPT_LINES)].join("\n");
        if lines.len() > KEPT_LINES {
            kept.push_str(&format!("\n… and {} more lines", lines.len() - KEPT_LINES));
        }
        Some(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_have_their_places() {
        let mut writing = Writing::default();
        for more in
            ["I rename it.\n<<<<<<< SEA", "RCH\nold\n====", "===\nne", "w\n>>>>>>> REPLACE\nend"]
        {
            writing.push(more);
        }
        use WritingPart::{New, Old, Prose};
        assert_eq!(
            writing.last(6),
            [
                (Prose, "<<<<<<< SEARCH"),
                (Old, "old"),
                (Prose, "======="),
                (New, "new"),
                (Prose, ">>>>>>> REPLACE"),
                (Prose, "end"),
            ]
        );
        assert!(writing.finish().is_some_and(|it| it.starts_with("I rename")));
        assert_eq!(writing.finish(), None);
    }

    #[test]
    fn a_text_without_end_is_bounded() {
        let mut writing = Writing::default();
        for number in 0..200_000 {
            writing.push(&format!("ü{number}\n"));
            assert!(writing.text.len() <= MOST);
        }
        assert_eq!(writing.last(1), [(WritingPart::Prose, "ü199999")]);
        writing.push(&"é".repeat(MOST));
        assert!(writing.text.len() <= MOST);
    }
}
