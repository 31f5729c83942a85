//! Random values that are assigned to a secret name: `password = "…"`, `"api_key": "…"`,
//! `export TOKEN=…`, `const SECRET: &str = "…"`, `.password("…")`.

use std::ops::Range;

use super::SecretKind;
use super::random::looks_random;

/// Last words of names of secrets.
const SECRET_WORDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "apikey",
    "credential",
    "credentials",
];
/// Words before `key` in names of secrets.
const KEYS: &[&str] =
    &["api", "access", "private", "secret", "auth", "signing", "encryption", "account", "license"];
/// Maximum length of a name.
const MAX_NAME: usize = 64;
/// Fewest characters of a quoted value.
const MIN_QUOTED: usize = 12;
/// Fewest characters of a value without quotes.
const MIN_BARE: usize = 16;

/// Whether a variable of the environment has a secret, by its name.
pub(super) fn is_secret_variable(name: &str) -> bool {
    let words = words(name);
    let is_secret = |word: &String| SECRET_WORDS.contains(&word.as_str()) || word == "key";
    words.iter().any(is_secret)
}

/// Whether a name in a text is that of a secret: its last word is one, or `api key` and the like.
fn is_secret_name(name: &str) -> bool {
    let words = words(name);
    match words.as_slice() {
        [.., before, last] if last == "key" => KEYS.contains(&before.as_str()),
        [.., last] => SECRET_WORDS.contains(&last.as_str()),
        [] => false,
    }
}

/// The words of a name in any case style, in lower case, without trailing digits.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for ch in name.trim_end_matches(|ch: char| ch.is_ascii_digit()).chars() {
        if matches!(ch, '_' | '-' | '.') || (ch.is_ascii_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = ch.is_ascii_lowercase() || ch.is_ascii_digit();
        if let Some(word) = words.last_mut().filter(|_| ch.is_ascii_alphanumeric()) {
            word.push(ch.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The value of the assignment whose name starts at the byte `at`.
pub(super) fn secret_at(text: &str, at: usize) -> Option<(SecretKind, Range<usize>)> {
    let bytes = text.as_bytes();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    let starts = is_name(bytes[at]) && (at == 0 || !is_name(bytes[at - 1]));
    if !starts {
        return None;
    }
    let len = bytes[at..].iter().take(MAX_NAME + 1).take_while(|byte| is_name(**byte)).count();
    let name = text.get(at..at + len)?;
    if len > MAX_NAME || !is_secret_name(name) {
        return None;
    }
    let before = at.checked_sub(1).map(|before| bytes[before]);
    let start = value_start(bytes, at + len, before)?;
    let range = match bytes.get(start) {
        Some(quote @ (b'"' | b'\'' | b'`')) => quoted(bytes, start + 1, *quote)?,
        _ => bare(bytes, at, start)?,
    };
    let value = text.get(range.clone())?;
    let is_quoted = range.start > start;
    let least = if is_quoted { MIN_QUOTED } else { MIN_BARE };
    looks_random(value, least).then_some((SecretKind::Assigned, range))
}

/// Where the value after a name starts; `before` is the byte before the name.
fn value_start(bytes: &[u8], name_end: usize, before: Option<u8>) -> Option<usize> {
    let mut at = name_end;
    // The name itself may be quoted: `"api_key": "…"`, `set_var("TOKEN", "…")`.
    let is_quoted = matches!(bytes.get(at), Some(b'"' | b'\'')) && before == bytes.get(at).copied();
    at = skip_blanks(bytes, at + usize::from(is_quoted));
    let after = match (bytes.get(at)?, bytes.get(at + 1)) {
        (b'=', Some(b'=' | b'~')) | (b':', Some(b':')) => return None,
        (b'=', Some(b'>')) | (b':', Some(b'=')) => at + 2,
        (b'=' | b':', _) => at + 1,
        (b'(', _) if !is_quoted => return literal(bytes, at + 1),
        (b',', _) if is_quoted => return literal(bytes, at + 1),
        _ => return None,
    };
    // A declaration with a type: `const SECRET: &str = "…"`.
    if bytes[at] == b':' {
        let is_type = |byte: &u8| byte.is_ascii_alphanumeric() || b"&'_<>: ".contains(byte);
        let len = bytes[after..].iter().take(40).take_while(|byte| is_type(byte)).count();
        if bytes.get(after + len) == Some(&b'=') {
            return literal(bytes, after + len + 1);
        }
    }
    literal(bytes, after).or(Some(skip_blanks(bytes, after)))
}

/// Where a string literal after blanks starts, also in `String::from("…")` and `b"…"`.
fn literal(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = skip_blanks(bytes, at);
    for prefix in [&b"Some("[..], b"String::from(", b"&", b"b", b"r", b"#"] {
        if bytes.get(at..)?.starts_with(prefix) {
            at += prefix.len();
        }
    }
    matches!(bytes.get(at), Some(b'"' | b'\'' | b'`')).then_some(at)
}

fn skip_blanks(bytes: &[u8], at: usize) -> usize {
    let blanks = bytes.get(at..).unwrap_or_default();
    at + blanks.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// The text up to the closing quote, on one line.
fn quoted(bytes: &[u8], start: usize, quote: u8) -> Option<Range<usize>> {
    let rest = bytes.get(start..)?;
    let len = rest.iter().position(|byte| *byte == quote || *byte == b'\n')?;
    (rest[len] == quote).then_some(start..start + len)
}

/// A value without quotes, as in shell scripts, `.env` files and YAML: the line starts with the
/// name, or the name is an argument or a parameter of an address; the value ends at a blank.
fn bare(bytes: &[u8], name: usize, start: usize) -> Option<Range<usize>> {
    let line_start = bytes[..name].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let lead = bytes[line_start..name].trim_ascii();
    let is_parameter = name > 0 && matches!(bytes[name - 1], b'?' | b'&' | b' ' | b'-');
    let starts_line = lead.is_empty() || lead == b"export" || lead == b"-";
    let is_value = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=_-.~!@#%^*".contains(byte);
    let len = bytes.get(start..)?.iter().take_while(|byte| is_value(byte)).count();
    let end = start + len;
    let ends = match bytes.get(end) {
        None | Some(b'\n' | b'\r' | b' ' | b'\t') => true,
        Some(b'&' | b'"' | b'\'') => is_parameter,
        _ => false,
    };
    ((starts_line || is_parameter) && ends).then_some(start..end)
}
