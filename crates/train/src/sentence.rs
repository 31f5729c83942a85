//! Extracts the first sentence of a doc comment and rejects what is not a usable sentence.

/// Fewest and most words of a usable sentence.
const WORDS: std::ops::RangeInclusive<usize> = 4..=60;

/// The first sentence of a doc comment (with comment markers), as one line without link targets;
/// `None` if it is too short, too long, or not mostly words.
pub(crate) fn first_sentence(docs: &str) -> Option<String> {
    let mut text = String::new();
    for line in docs.lines() {
        let line = line.trim();
        let line = ["///", "//!", "/**", "/*!"]
            .iter()
            .find_map(|mark| line.strip_prefix(mark))
            .unwrap_or(line);
        let line = line.strip_suffix("*/").unwrap_or(line).trim();
        let line = line.strip_prefix("* ").unwrap_or(line).trim();
        if line.is_empty() || line == "*" {
            if text.is_empty() {
                continue;
            }
            break;
        }
        // A heading, list, table or HTML block is not a sentence.
        if text.is_empty() && line.starts_with(['#', '-', '|', '!', '<', '=']) {
            return None;
        }
        if line.starts_with("```") {
            break;
        }
        text.push_str(line);
        text.push(' ');
        if text.len() > 2_000 {
            break;
        }
    }
    let text = without_targets(&text);
    let sentence = text.get(..end_of_sentence(&text)).unwrap_or(&text).trim();
    let letters = sentence.chars().filter(|c| c.is_ascii_alphabetic() || *c == ' ').count();
    let is_usable = WORDS.contains(&sentence.split_whitespace().count())
        && sentence.is_ascii()
        && letters * 10 >= sentence.len() * 7
        && !sentence.contains("://");
    is_usable.then(|| sentence.to_owned())
}

/// Removes the targets of `[text](target)` and `[text][target]`.
fn without_targets(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(']') {
        let (before, after) = rest.split_at(at + 1);
        out.push_str(before);
        let close = match after.as_bytes().first() {
            Some(b'(') => after.find(')'),
            Some(b'[') => after.find(']'),
            _ => None,
        };
        rest = close.and_then(|at| after.get(at + 1..)).unwrap_or(after);
    }
    out.push_str(rest);
    out
}

/// The end of the first sentence: after a full stop that is followed by a space and does not end an
/// abbreviation.
fn end_of_sentence(text: &str) -> usize {
    for (at, _) in text.match_indices(['.', '!', '?']) {
        let before = text.get(..at).unwrap_or_default();
        let follows = text.get(at + 1..).unwrap_or_default();
        let short = ["e.g", "i.e", "etc", "vs", "cf", "approx", "resp"];
        if follows.starts_with(' ') && !short.iter().any(|it| before.ends_with(it)) {
            return at + 1;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_ends_at_its_full_stop_or_paragraph() {
        for (docs, want) in [
            ("/// Reads a file, e.g. a log. And more.\n", Some("Reads a file, e.g. a log.")),
            (
                "/// Reads all lines\n/// of a file\n///\n/// Panics.\n",
                Some("Reads all lines of a file"),
            ),
            ("/** Reads [`File`](x.html) to its end. */", Some("Reads [`File`] to its end.")),
            ("/// Short one.\n", None),
            ("/// # Errors\n/// It may fail at any time.\n", None),
            ("/// 0x1F 0x2E 0x3D 0x4C 0x5B\n", None),
            ("", None),
        ] {
            assert_eq!(first_sentence(docs).as_deref(), want, "{docs}");
        }
    }
}
