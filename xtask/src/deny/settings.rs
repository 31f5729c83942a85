//! A parser for `deny.toml`, which needs no dependency.

/// The subset of TOML that `deny.toml` uses: sections, keys, strings, bare words, lists and inline
/// tables. Anything else is an error.
#[derive(Debug, Default)]
pub(super) struct Settings {
    entries: Vec<(String, String, Value)>,
}

/// One value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A string without its quotes, a number or a boolean, as written.
    Text(String),
    /// `[…]`
    List(Vec<Value>),
    /// `{ key = value, … }`
    Table(Vec<(String, Value)>),
}

impl Value {
    pub(super) fn text(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }

    /// The items of a list of strings.
    pub(super) fn texts(&self) -> Option<Vec<String>> {
        let Value::List(items) = self else { return None };
        items.iter().map(|item| Some(item.text()?.to_owned())).collect()
    }
}

impl Settings {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let tokens = tokens(text)?;
        let mut settings = Self::default();
        let (mut rest, mut section) = (&tokens[..], String::new());
        loop {
            match rest {
                [] => return Ok(settings),
                [open, name, close, tail @ ..] if open == "[" && close == "]" => {
                    section = name.clone();
                    rest = tail;
                }
                [key, equals, tail @ ..] if equals == "=" => {
                    let (value, tail) = value(tail)?;
                    settings.entries.push((section.clone(), key.clone(), value));
                    rest = tail;
                }
                [token, ..] => return Err(format!("`{token}` is not supported")),
            }
        }
    }

    /// The sections, keys and values in file order.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &str, &Value)> {
        self.entries.iter().map(|(section, key, value)| (section.as_str(), key.as_str(), value))
    }
}

/// The prefix of a token that is a string, so that `"["` is not taken for a bracket.
const QUOTE: char = '"';

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '#' => while chars.next_if(|c| *c != '\n').is_some() {},
            '[' | ']' | '{' | '}' | '=' | ',' => tokens.push(c.to_string()),
            QUOTE => {
                let mut token = QUOTE.to_string();
                loop {
                    match chars.next() {
                        Some(QUOTE) => break,
                        Some(c) if c != '\n' && c != '\\' => token.push(c),
                        _ => return Err(format!("{token} does not end, or has an escape")),
                    }
                }
                tokens.push(token);
            }
            c if c.is_whitespace() => {}
            c => {
                let mut token = c.to_string();
                while let Some(c) = chars.next_if(|c| c.is_alphanumeric() || "-_.".contains(*c)) {
                    token.push(c);
                }
                tokens.push(token);
            }
        }
    }
    Ok(tokens)
}

fn value(tokens: &[String]) -> Result<(Value, &[String]), String> {
    let Some((first, mut rest)) = tokens.split_first() else {
        return Err("a value is missing".to_owned());
    };
    let close = match first.as_str() {
        "[" => "]",
        "{" => "}",
        "]" | "}" | "=" | "," => return Err(format!("a value is missing before `{first}`")),
        text => return Ok((Value::Text(text.trim_start_matches(QUOTE).to_owned()), rest)),
    };
    let (mut items, mut entries) = (Vec::new(), Vec::new());
    loop {
        match rest {
            [end, tail @ ..] if end == close => {
                let list = close == "]";
                let value = if list { Value::List(items) } else { Value::Table(entries) };
                return Ok((value, tail));
            }
            [comma, tail @ ..] if comma == "," => rest = tail,
            [key, equals, tail @ ..] if close == "}" && equals == "=" => {
                let (item, tail) = value(tail)?;
                entries.push((key.clone(), item));
                rest = tail;
            }
            [_, ..] if close == "]" => {
                let (item, tail) = value(rest)?;
                items.push(item);
                rest = tail;
            }
            _ => return Err(format!("`{close}` is missing")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_lists_and_tables_are_read() {
        let text = "a = 0.9 # note\n[b.c]\nd = [\n  \"[x]\",\n  { e = \"f\", g = [\"h\"] },\n]\n";
        let settings = Settings::parse(text).unwrap();
        let found: Vec<_> = settings.entries().collect();
        assert_eq!(found[0], ("", "a", &Value::Text("0.9".to_owned())));
        let text = |text: &str| Value::Text(text.to_owned());
        let table = Value::Table(vec![
            ("e".to_owned(), text("f")),
            ("g".to_owned(), Value::List(vec![text("h")])),
        ]);
        assert_eq!(found[1], ("b.c", "d", &Value::List(vec![text("[x]"), table])));
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        for text in ["a", "a = ", "a = [", "a = \"b", "[[a]]\nb = 1", "a = 'b'"] {
            assert!(Settings::parse(text).is_err(), "{text}");
        }
    }
}
