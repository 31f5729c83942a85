//! The size of a JSON text as values.

/// Most values of a message that a reader takes: as values they take a multiple of their letters.
pub const MOST_JSON_VALUES: usize = 250_000;

/// The number of values in a JSON text, or more. Counted without reading it as values.
pub fn json_values(text: &[u8]) -> usize {
    let (mut found, mut is_text, mut is_escaped) = (1, false, false);
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b',' | b'[' | b'{' if !is_text => found += 1,
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::json_values;

    #[test]
    fn values_are_counted_and_letters_in_texts_are_not() {
        for (text, expected) in
            [("1", 1), ("[1,2]", 3), (r#"{"a":[1,{"b":2}],"c":"x,y,[{\",\""}"#, 6), ("[[[[", 5)]
        {
            assert_eq!(json_values(text.as_bytes()), expected, "{text}");
        }
    }
}
