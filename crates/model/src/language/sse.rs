//! Parser of server-sent events (<https://html.spec.whatwg.org/multipage/server-sent-events.html>),
//! in chunks of any size. Lines and events are bounded; comments and unknown fields are skipped.

use super::error::TurnError;

/// Maximum length of a line and of an event's data, in bytes.
const MAX_EVENT: usize = 1 << 20;

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SseEvent {
    /// Name; empty where the server gave none.
    pub(super) name: String,
    /// Data; lines are separated by `\n`.
    pub(super) data: String,
}

/// A parser and the text that it has not yet returned.
#[derive(Debug, Default)]
pub(super) struct SseParser {
    line: Vec<u8>,
    /// Whether the last byte was a carriage return: a line feed after it ends no second line.
    after_return: bool,
    /// Whether the first line was read, which may start with a byte order mark.
    started: bool,
    event: SseEvent,
    has_data: bool,
}

impl SseParser {
    /// Parses `bytes` and appends the complete events to `events`.
    pub(super) fn push(
        &mut self,
        bytes: &[u8],
        events: &mut Vec<SseEvent>,
    ) -> Result<(), TurnError> {
        for &byte in bytes {
            let follows_return = std::mem::replace(&mut self.after_return, byte == b'\r');
            match byte {
                b'\n' if follows_return => {}
                b'\n' | b'\r' => self.end_line(events)?,
                byte if self.line.len() < MAX_EVENT => self.line.push(byte),
                _ => return Err(TurnError::TooLarge { limit: MAX_EVENT as u64 }),
            }
        }
        Ok(())
    }

    fn end_line(&mut self, events: &mut Vec<SseEvent>) -> Result<(), TurnError> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8(line)
            .map_err(|_| TurnError::Malformed { reason: "it is not UTF-8".to_owned() })?;
        let is_first = !std::mem::replace(&mut self.started, true);
        let line = if is_first { line.trim_start_matches('\u{feff}') } else { &line };
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            if std::mem::take(&mut self.has_data) {
                events.push(event);
            }
            return Ok(());
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event.name),
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.event.data.push('\n');
                }
                if self.event.data.len() + value.len() > MAX_EVENT {
                    return Err(TurnError::TooLarge { limit: MAX_EVENT as u64 });
                }
                self.event.data.push_str(value);
            }
            // Comments (an empty field), `id`, `retry` and unknown fields.
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(bytes: &[u8], size: usize) -> Result<Vec<(String, String)>, TurnError> {
        let (mut parser, mut events) = (SseParser::default(), Vec::new());
        for chunk in bytes.chunks(size) {
            parser.push(chunk, &mut events)?;
        }
        Ok(events.into_iter().map(|it| (it.name, it.data)).collect())
    }

    fn pair(name: &str, data: &str) -> (String, String) {
        (name.to_owned(), data.to_owned())
    }

    #[test]
    fn events_are_the_same_for_all_line_ends_and_chunks() {
        let text = "\u{feff}: hello\nevent: a\ndata: 1\ndata:2\nid: 7\n\n\n\ndata\n\nretry: 5\n\nevent: b\n\ndata: ü\n\ndata: cut";
        let want = vec![pair("a", "1\n2"), pair("", ""), pair("", "ü")];
        for end in ["\n", "\r\n", "\r"] {
            let text = text.replace('\n', end);
            for size in [1, 2, 3, 7, 1000] {
                assert_eq!(parsed(text.as_bytes(), size).as_ref(), Ok(&want), "{end:?} {size}");
            }
        }
    }

    #[test]
    fn lines_and_events_are_bounded() {
        let line = vec![b'x'; MAX_EVENT + 1];
        assert!(matches!(parsed(&line, 4096), Err(TurnError::TooLarge { .. })));
        let data = format!("data: {}\n", "x".repeat(1000)).repeat(MAX_EVENT / 1000 + 2);
        assert!(matches!(parsed(data.as_bytes(), 4096), Err(TurnError::TooLarge { .. })));
    }

    #[test]
    fn other_bytes_than_utf_8_are_malformed() {
        assert!(matches!(parsed(b"data: \xff\n\n", 9), Err(TurnError::Malformed { .. })));
    }

    proptest! {
        #[test]
        fn chunks_change_nothing(bytes in prop::collection::vec(
            prop_oneof![Just(b'\n'), Just(b'\r'), Just(b':'), Just(b' '), Just(b'd'), Just(b'a'), Just(b't'), any::<u8>()], 0..200),
            size in 1usize..20)
        {
            prop_assert_eq!(parsed(&bytes, size), parsed(&bytes, 1000));
        }
    }
}
