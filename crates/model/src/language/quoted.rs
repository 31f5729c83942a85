//! Texts of others in a request, and a verdict as an answer. What comes from a project or from a program that ran is
//! data between two marks; a mark contains the hash of the data, so that the data cannot end it.

use base::ContentHash;

/// Most bytes of the reason of a refusal.
const MOST_REASON: usize = 300;

/// `content` as data of this name, between marks that it does not contain.
pub fn fence(name: &str, content: &str) -> String {
    let content = unhidden(content);
    let mut mark = short(content.as_bytes());
    while content.contains(&mark) {
        mark = short(mark.as_bytes());
    }
    let name: String = unhidden(name).chars().filter(|c| *c != '\n').collect();
    let end = if content.ends_with('\n') { "" } else { "\n" };
    format!("[data {mark}: {name}]\n{content}{end}[end of data {mark}]\n\n")
}

fn short(bytes: &[u8]) -> String {
    ContentHash::of(bytes).to_string().chars().take(16).collect()
}

/// The text with control characters and characters that change the direction of writing as
/// escapes, so that neither a terminal nor a model takes them for more than text.
pub fn unhidden(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\r' => {}
            c if base::is_hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// The reason by which an answer refuses; `None` if it accepts. An answer that is neither refuses.
pub fn refusal(answer: &str) -> Option<String> {
    let answer = answer.trim();
    match answer.strip_prefix("REFUSE") {
        None if answer == "ACCEPT" => None,
        None => Some("the answer is neither `ACCEPT` nor `REFUSE: …`".to_owned()),
        Some(rest) => {
            let reason = rest.trim_start_matches([':', ' ']).lines().next().unwrap_or_default();
            let reason = unhidden(reason);
            match reason.len() <= MOST_REASON {
                true => Some(reason),
                false => {
                    Some(format!("{} […]", &reason[..reason.floor_char_boundary(MOST_REASON)]))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_its_marks() {
        let first = fence("a", "x");
        let nested = fence("a", &first);
        let mark = nested.lines().next().unwrap().trim_start_matches("[data ");
        let mark = mark.split(':').next().unwrap();
        assert_eq!(nested.matches(mark).count(), 2, "{nested}");
        assert!(nested.trim_end().ends_with(&format!("[end of data {mark}]")));
    }

    #[test]
    fn terminal_and_direction_codes_are_escapes() {
        assert_eq!(unhidden("a\u{1b}[31m\u{202e}b\r\n\tc\0"), "a\\u{1b}[31m\\u{202e}b\n\tc\\u{0}");
    }

    #[test]
    fn only_one_word_accepts() {
        assert_eq!(refusal(" ACCEPT\n"), None);
        assert_eq!(refusal("REFUSE: it is empty\nmore").as_deref(), Some("it is empty"));
        for text in ["", "ACCEPT.", "accept", "ACCEPT\nREFUSE: x"] {
            assert!(refusal(text).is_some_and(|it| it.contains("neither")), "{text}");
        }
        assert!(
            refusal(&format!("REFUSE: {}", "ä".repeat(1_000))).is_some_and(|it| it.len() < 320)
        );
    }
}
