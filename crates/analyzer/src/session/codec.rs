//! Encodes and decodes messages of the LSP base protocol: a header with the length, then JSON.

use serde_json::Value;

/// Most bytes of a header.
const MAX_HEADER_BYTES: usize = 8 << 10;
/// Most bytes of a body. The parsed JSON value takes up to 16 times as much memory.
const MAX_BODY_BYTES: usize = 64 << 20;

/// The bytes of one message.
pub(super) fn encode(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    let mut bytes = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body.as_bytes());
    bytes
}

/// Splits a byte stream into messages; input can arrive in chunks of any size.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    buffer: Vec<u8>,
    /// Bytes at the start of the buffer that are already decoded.
    taken: usize,
}

/// Why bytes are no message.
#[derive(Debug, thiserror::Error)]
pub(super) enum DecodeFault {
    /// The header is longer than the limit.
    #[error("a header without an end")]
    NoEnd,
    /// The header has no length, or one above the limit.
    #[error("a header without a usable length")]
    NoLength,
    /// The body is no JSON.
    #[error(transparent)]
    Body(#[from] serde_json::Error),
}

impl Decoder {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.taken > 0 {
            self.buffer.drain(..self.taken);
            self.taken = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next message; `None` if more bytes are needed.
    ///
    /// # Errors
    /// When the bytes are not a message. The stream cannot be decoded any further.
    pub(super) fn next(&mut self) -> Result<Option<Value>, DecodeFault> {
        let rest = &self.buffer[self.taken..];
        let end = rest.windows(4).take(MAX_HEADER_BYTES).position(|it| it == b"\r\n\r\n");
        let Some(end) = end else {
            let is_too_long = rest.len() > MAX_HEADER_BYTES;
            return if is_too_long { Err(DecodeFault::NoEnd) } else { Ok(None) };
        };
        let header = String::from_utf8_lossy(&rest[..end]);
        let length = header.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.trim().eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
        });
        let Some(length) = length.filter(|length: &usize| *length <= MAX_BODY_BYTES) else {
            return Err(DecodeFault::NoLength);
        };
        let Some(body) = rest.get(end + 4..end + 4 + length) else { return Ok(None) };
        let message = serde_json::from_slice(body)?;
        self.taken += end + 4 + length;
        Ok(Some(message))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_header_without_a_length_or_an_end_is_rejected() {
        let mut decoder = Decoder::default();
        decoder.push(b"Content-Type: x\r\n\r\n{}");
        assert!(decoder.next().is_err());
        let mut decoder = Decoder::default();
        decoder.push(&[b'x'; MAX_HEADER_BYTES + 4]);
        assert!(decoder.next().is_err());
        let mut decoder = Decoder::default();
        decoder.push(b"Content-Length: 99999999999\r\n\r\n");
        assert!(decoder.next().is_err());
    }

    proptest! {
        #[test]
        fn messages_are_decoded_for_any_chunk_sizes(
            texts in prop::collection::vec(".{0,40}", 1..5),
            cuts in prop::collection::vec(1_usize..30, 1..20),
        ) {
            let messages: Vec<_> = texts.iter().map(|text| json!({ "text": text })).collect();
            let bytes: Vec<u8> = messages.iter().flat_map(encode).collect();
            let (mut decoder, mut found, mut at) = (Decoder::default(), Vec::new(), 0);
            for cut in cuts.iter().cycle() {
                let to = bytes.len().min(at + cut);
                decoder.push(&bytes[at..to]);
                while let Some(message) = decoder.next().unwrap() {
                    found.push(message);
                }
                at = to;
                if at == bytes.len() {
                    break;
                }
            }
            prop_assert_eq!(found, messages);
        }

        #[test]
        fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut decoder = Decoder::default();
            decoder.push(&bytes);
            while let Ok(Some(_)) = decoder.next() {}
        }
    }
}
