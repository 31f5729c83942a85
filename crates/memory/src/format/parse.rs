//! A recursive parser for the form of Gemma.

use serde_json::{Map, Number, Value};

use super::print::{DEEPEST, is_key};
use super::{FormatError, Gemma};

/// A position in a text. Every function either advances it or returns an error.
pub(super) struct Parser<'a> {
    gemma: Gemma,
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(gemma: Gemma, text: &'a str) -> Self {
        Self { gemma, text, at: 0 }
    }

    /// A whole text `<start_function_WHAT>WHAT:NAME{…}<end_function_WHAT>`.
    pub(super) fn whole(mut self, what: &str) -> Result<(String, Map<String, Value>), FormatError> {
        let named = self.named(what)?;
        if self.is_at_end() { Ok(named) } else { Err(self.expected("the end of the text")) }
    }

    /// The same with any text after it.
    pub(super) fn named(
        &mut self,
        what: &str,
    ) -> Result<(String, Map<String, Value>), FormatError> {
        self.take(&format!("<start_function_{what}>{what}:"), "the start of a function")?;
        let name = self.key()?;
        let fields = self.object(0)?;
        self.take(&format!("<end_function_{what}>"), "the end of the function")?;
        Ok((name, fields))
    }

    /// The text before the next `control`, or all that is left.
    pub(super) fn up_to(&mut self, control: &str) -> &'a str {
        let rest = self.rest();
        let length = rest.find(control).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn expected(&self, expected: &'static str) -> FormatError {
        FormatError::Syntax { at: self.at, expected }
    }

    fn is_next(&mut self, token: &str) -> bool {
        let is_next = self.rest().starts_with(token);
        self.at += if is_next { token.len() } else { 0 };
        is_next
    }

    fn take(&mut self, token: &str, expected: &'static str) -> Result<(), FormatError> {
        if self.is_next(token) { Ok(()) } else { Err(self.expected(expected)) }
    }

    fn key(&mut self) -> Result<String, FormatError> {
        let rest = self.rest();
        let length = rest.find(|c| !is_key(c)).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.expected("a name"));
        }
        self.at += length;
        Ok(rest[..length].to_owned())
    }

    fn object(&mut self, depth: usize) -> Result<Map<String, Value>, FormatError> {
        self.take("{", "`{`")?;
        let mut fields = Map::new();
        if self.is_next("}") {
            return Ok(fields);
        }
        loop {
            let key = self.key()?;
            if fields.contains_key(&key) {
                return Err(self.expected("another name: this one is there already"));
            }
            self.take(":", "`:`")?;
            fields.insert(key, self.value(depth + 1)?);
            if !self.is_next(",") {
                self.take("}", "`,` or `}`")?;
                return Ok(fields);
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, FormatError> {
        if depth > DEEPEST {
            return Err(FormatError::TooDeep { limit: DEEPEST });
        }
        for (token, value) in
            [("true", Value::Bool(true)), ("false", Value::Bool(false)), ("null", Value::Null)]
        {
            if self.is_next(token) {
                return Ok(value);
            }
        }
        let delimiter = self.gemma.delimiter();
        let rest = self.rest();
        match rest.as_bytes().first() {
            Some(b'{') => self.object(depth).map(Value::Object),
            Some(b'[') => self.array(depth),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ if self.is_next(delimiter) => {
                let text = self.up_to(delimiter);
                self.take(delimiter, "the end of a text")?;
                Ok(Value::String(text.to_owned()))
            }
            _ => Err(self.expected("a value")),
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, FormatError> {
        self.take("[", "`[`")?;
        let mut values = Vec::new();
        if self.is_next("]") {
            return Ok(Value::Array(values));
        }
        loop {
            values.push(self.value(depth + 1)?);
            if !self.is_next(",") {
                self.take("]", "`,` or `]`")?;
                return Ok(Value::Array(values));
            }
        }
    }

    fn number(&mut self) -> Result<Value, FormatError> {
        let rest = self.rest();
        let is_part = |c: char| matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E');
        let text = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_padded = digits.len() > 1
            && digits.starts_with('0')
            && digits.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
        let number = match (is_whole, text.parse::<u64>(), text.parse::<i64>()) {
            _ if is_padded || !digits.starts_with(|c: char| c.is_ascii_digit()) => None,
            (true, Ok(number), _) => Some(Number::from(number)),
            (true, _, Ok(number)) if text != "-0" => Some(Number::from(number)),
            // More exact than the parser of serde_json.
            _ if digits.ends_with('.') || digits.contains(".e") || digits.contains(".E") => None,
            _ => text.parse::<f64>().ok().and_then(Number::from_f64),
        };
        let number = number.ok_or_else(|| self.expected("a number"))?;
        self.at += text.len();
        Ok(Value::Number(number))
    }
}
