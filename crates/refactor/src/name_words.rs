//! Splits identifiers into words, for the comparison of names.

/// `snake_case` or `CamelCase` as lower-case words.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut lower_before = false;
    for c in name.chars() {
        if c == '_' {
            lower_before = false;
            words.push(String::new());
            continue;
        }
        if words.is_empty() || (c.is_uppercase() && lower_before) {
            words.push(String::new());
        }
        lower_before = !c.is_uppercase();
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|it| !it.is_empty());
    words
}
