//! [`Head`]: what a line that cannot be parsed shows of its message, read byte by byte in constant memory.

use rmcp::model::RequestId;

/// Size limit of a key or an id, in bytes.
const LONGEST: usize = 256;

/// The keys of the message that a line has, and how deep it nests.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// Maximum depth of objects and lists.
    pub(super) deepest: usize,
    depth: usize,
    is_in_text: bool,
    is_escaped: bool,
    /// The text or number at the top level that is being read; one more byte than the limit: it is longer.
    token: Vec<u8>,
    key: Key,
    has_id: bool,
    has_method: bool,
    id: Option<RequestId>,
}

/// The key whose value is being read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Key {
    Id,
    Method,
    #[default]
    Other,
}

impl Head {
    /// The head of a whole line.
    pub(super) fn of(line: &[u8]) -> Self {
        let mut head = Self::default();
        head.read(line);
        head
    }

    /// Whether the message is one that is never answered.
    pub(super) fn is_notification(&self) -> bool {
        self.has_method && !self.has_id
    }

    /// The id of the request; `None` where the line is none, or its id is not readable.
    pub(super) fn request(self) -> Option<RequestId> {
        self.id.filter(|_| self.has_method)
    }

    /// Reads on.
    pub(super) fn read(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    fn step(&mut self, byte: u8) {
        if self.is_in_text {
            self.keep(byte);
            self.is_in_text = self.is_escaped || byte != b'"';
            self.is_escaped = !self.is_escaped && byte == b'\\';
            return;
        }
        match byte {
            b'"' => {
                self.is_in_text = true;
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.keep(byte);
                self.depth += 1;
                self.deepest = self.deepest.max(self.depth);
            }
            b'}' | b']' => {
                if self.depth == 1 {
                    self.end_value();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => {
                self.key = match self.token.as_slice() {
                    b"\"id\"" => Key::Id,
                    b"\"method\"" => Key::Method,
                    _ => Key::Other,
                };
                self.token.clear();
            }
            b',' if self.depth == 1 => self.end_value(),
            byte if byte.is_ascii_whitespace() => {}
            byte => self.keep(byte),
        }
    }

    /// Keeps a byte of the top level.
    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.token.len() <= LONGEST {
            self.token.push(byte);
        }
    }

    fn end_value(&mut self) {
        match self.key {
            Key::Id => {
                self.has_id = true;
                self.id = serde_json::from_slice(&self.token).ok();
            }
            Key::Method => self.has_method = true,
            Key::Other => {}
        }
        self.key = Key::Other;
        self.token.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_request_is_found_at_the_top_level_alone() {
        let id = |line: &str| {
            let read = Head::of(line.as_bytes());
            // In any pieces.
            let mut pieces = Head::default();
            line.as_bytes().chunks(3).for_each(|piece| pieces.read(piece));
            let (id, other) = (read.request(), pieces.request());
            assert_eq!(id, other, "{line}");
            id.map(|it| it.to_string())
        };
        for line in [
            r#"{"id":7,"method":"x","params":[[["#,
            r#"{"method":"x","params":{"id":1,"a":"}\"]"} , "id" : 7}"#,
            r#"{"id":"7","method":"x"}"#,
        ] {
            assert_eq!(id(line).as_deref(), Some("7"), "{line}");
        }
        for line in [
            "",
            "}}",
            r#"{"id":7}"#,
            r#"{"id":7,"result":{}}"#,
            r#"{"method":"x","params":{"id":7}}"#,
            r#"{"id":{"a":7},"method":"x"}"#,
            r#"[{"id":7,"method":"x"}]"#,
            r#"{"id":7.5,"method":"x"}"#,
        ] {
            assert_eq!(id(line), None, "{line}");
        }
        let long = format!(r#"{{"id":"{}","method":"x"}}"#, "i".repeat(1000));
        assert_eq!(id(&long), None);
    }
}
