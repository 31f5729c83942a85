//! Keys of a keyboard: what the browser is sent for a name, or for a character.

/// A key as the browser takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeyPress {
    pub(super) key: String,
    pub(super) code: String,
    pub(super) number: u32,
    /// Text that it types.
    pub(super) text: Option<String>,
    /// The modifiers as bits: Alt 1, Control 2, Meta 4, Shift 8.
    pub(super) modifiers: u32,
}

/// The keys with names and their numbers.
const NAMED: &[(&str, u32)] = &[
    ("ArrowDown", 40),
    ("ArrowLeft", 37),
    ("ArrowRight", 39),
    ("ArrowUp", 38),
    ("Backspace", 8),
    ("Delete", 46),
    ("End", 35),
    ("Enter", 13),
    ("Escape", 27),
    ("F2", 113),
    ("Home", 36),
    ("PageDown", 34),
    ("PageUp", 33),
    ("Space", 32),
    ("Tab", 9),
];

/// The names of all keys, and of the modifiers that may be before one: `Control+a`.
const NAMES: &[&str] = &[
    "Alt",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "Backspace",
    "Control",
    "Delete",
    "End",
    "Enter",
    "Escape",
    "F2",
    "Home",
    "Meta",
    "PageDown",
    "PageUp",
    "Shift",
    "Space",
    "Tab",
];

/// Whether a text names a key; otherwise the names that there are.
pub(crate) fn is_key(text: &str) -> Result<(), &'static [&'static str]> {
    key_press(text).map(|_| ()).ok_or(NAMES)
}

/// The key that a text names: `Enter`, `a`, `Control+a`.
pub(super) fn key_press(text: &str) -> Option<KeyPress> {
    let mut modifiers = 0;
    let mut rest = text;
    while let Some((name, after)) = rest.split_once('+').filter(|(_, after)| !after.is_empty()) {
        modifiers |= match name {
            "Alt" => 1,
            "Control" => 2,
            "Meta" => 4,
            "Shift" => 8,
            _ => return None,
        };
        rest = after;
    }
    let mut press = match NAMED.iter().find(|(name, _)| *name == rest) {
        Some((name, number)) => KeyPress {
            key: if *name == "Space" { " ".to_owned() } else { (*name).to_owned() },
            code: (*name).to_owned(),
            number: *number,
            text: match *name {
                "Enter" => Some("\r".to_owned()),
                "Space" => Some(" ".to_owned()),
                _ => None,
            },
            modifiers,
        },
        None => character(rest, modifiers)?,
    };
    // With one of these a key is a command and types nothing.
    if modifiers & 0b111 != 0 {
        press.text = None;
    }
    Some(press)
}

/// The key of one character.
fn character(text: &str, modifiers: u32) -> Option<KeyPress> {
    let mut characters = text.chars();
    let (c, None) = (characters.next()?, characters.next()) else { return None };
    if c.is_control() {
        return None;
    }
    let upper = c.to_ascii_uppercase();
    let (code, number) = match upper {
        'A'..='Z' => (format!("Key{upper}"), u32::from(upper)),
        '0'..='9' => (format!("Digit{upper}"), u32::from(upper)),
        _ => (String::new(), 0),
    };
    Some(KeyPress { key: c.to_string(), code, number, text: Some(c.to_string()), modifiers })
}

/// The keys that type a text; a character that no key has is typed as it is.
pub(super) fn typed(text: &str) -> impl Iterator<Item = KeyPress> + '_ {
    text.chars().filter_map(|c| match c {
        '\n' | '\r' => key_press("Enter"),
        '\t' => key_press("Tab"),
        c => character(c.encode_utf8(&mut [0; 4]), 0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_a_name_or_a_character_after_modifiers() {
        let press = |text| key_press(text).map(|it| (it.key, it.number, it.text, it.modifiers));
        assert_eq!(press("Enter"), Some(("Enter".into(), 13, Some("\r".into()), 0)));
        assert_eq!(press("Control+a"), Some(("a".into(), 65, None, 2)));
        assert_eq!(press("Shift+Tab"), Some(("Tab".into(), 9, None, 8)));
        assert_eq!(press("+"), Some(("+".into(), 0, Some("+".into()), 0)));
        assert_eq!(press("Control++").map(|it| it.0), Some("+".into()));
        for wrong in ["", "enter", "Ctrl+a", "ab", "Control+", "\u{7}"] {
            assert_eq!(press(wrong), None, "{wrong:?}");
        }
        assert!(NAMED.iter().all(|(name, _)| NAMES.contains(name)));
    }
}
