/// Grows with every change of what [`tokens`] gives: an index of another version is rebuilt.
pub const TOKENIZER_VERSION: u32 = 1;

/// Hands every term of a text to `each`.
pub fn tokens(text: &str, each: &mut dyn FnMut(&str)) {
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
        if word.len() > 1 {
            each(&word.to_lowercase());
        }
    }
}
