//! [`AnswerText`]: an answer that a model still writes, as text for a reader.

use model::language::{TurnDelta, unhidden};

use super::reply::one_line;

/// Receives more of the text of an answer.
pub(super) type OnText<'a> = &'a mut dyn FnMut(&str);

/// Turns the pieces of an answer into text: of the arguments of a tool, which come as pieces of JSON, the
/// contents of their strings. It is for the eye only; what is read as an edit is the whole answer.
#[derive(Debug, Default)]
pub(super) struct AnswerText {
    json: Place,
}

/// Place in a piece of JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// Between strings.
    #[default]
    Outside,
    /// In a string.
    Inside,
    /// After a backslash.
    Escape,
    /// In `\uXXXX`: the number of digits so far, and their value.
    Unicode(u8, u32),
}

impl AnswerText {
    /// The text of the next piece; empty if it has none.
    pub(super) fn of(&mut self, delta: &TurnDelta) -> String {
        match delta {
            TurnDelta::Text(text) => unhidden(text),
            TurnDelta::ToolCallStarted { name } => {
                self.json = Place::Outside;
                format!("\n[{}]\n", one_line(name))
            }
            TurnDelta::Arguments(piece) => {
                let mut text = String::with_capacity(piece.len());
                for c in piece.chars() {
                    self.json = self.json.after(c, &mut text);
                }
                unhidden(&text)
            }
            TurnDelta::Usage(_) | TurnDelta::Retrying { .. } => String::new(),
        }
    }
}

impl Place {
    /// The place after a character; adds what the character shows.
    fn after(self, c: char, text: &mut String) -> Self {
        match (self, c) {
            (Self::Outside, '"') => Self::Inside,
            (Self::Outside, _) => Self::Outside,
            (Self::Inside, '"') => {
                text.push('\n');
                Self::Outside
            }
            (Self::Inside, '\\') => Self::Escape,
            (Self::Inside, c) => {
                text.push(c);
                Self::Inside
            }
            (Self::Escape, 'u') => Self::Unicode(0, 0),
            (Self::Escape, c) => {
                text.push(match c {
                    'n' => '\n',
                    't' => '\t',
                    'r' | 'b' | 'f' => ' ',
                    c => c,
                });
                Self::Inside
            }
            (Self::Unicode(count, value), c) => {
                let value = value * 16 + c.to_digit(16).unwrap_or_default();
                if count < 3 {
                    return Self::Unicode(count + 1, value);
                }
                text.push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER));
                Self::Inside
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_come_in_pieces_are_read_as_text() {
        let whole = r#"{"edit": "<<<\n-a \"b\"\n\tü é\\n", "n": 1, "rationale": "why"}"#;
        let want = "edit\n<<<\n-a \"b\"\n\tü é\\n\nn\nrationale\nwhy\n";
        for size in [1, 2, 3, 7, 100] {
            let mut answer = AnswerText::default();
            let letters: Vec<char> = whole.chars().collect();
            let pieces = letters.chunks(size).map(|it| it.iter().collect::<String>());
            let shown: String = pieces.map(|it| answer.of(&TurnDelta::Arguments(it))).collect();
            assert_eq!(shown, want, "{size}");
        }
    }

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        let mut answer = AnswerText::default();
        assert_eq!(answer.of(&TurnDelta::Text("a\u{1b}[2Jb\r\n".to_owned())), "a\\u{1b}[2Jb\n");
        let started = TurnDelta::ToolCallStarted { name: "x\u{1b}\ny".to_owned() };
        assert_eq!(answer.of(&started), "\n[x\\u{1b}]\n");
        assert_eq!(answer.of(&TurnDelta::Arguments(r#""\u001b[2J"#.to_owned())), "\\u{1b}[2J");
    }
}
