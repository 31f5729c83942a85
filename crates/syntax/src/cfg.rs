//! Parses the predicate of a `#[cfg(…)]` into a tree, and evaluates it for given options.

use std::fmt;

/// Predicates nested deeper are not read, so that recursion is bounded.
const DEEPEST: usize = 64;

/// The predicate of a `#[cfg(…)]`, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CfgPredicate<'a> {
    /// `all(…)`.
    All(Vec<CfgPredicate<'a>>),
    /// `any(…)`.
    Any(Vec<CfgPredicate<'a>>),
    /// `not(…)`.
    Not(Box<CfgPredicate<'a>>),
    /// `true` or `false`.
    Constant(bool),
    /// `unix`.
    Flag(&'a str),
    /// `target_os = "linux"`: key and value.
    Value(&'a str, &'a str),
    /// A predicate that is none of the language: `version("1.90")`.
    Other(&'a str),
}

impl<'a> CfgPredicate<'a> {
    /// Reads a whole predicate; `None` if it does not parse.
    pub fn parse(text: &'a str) -> Option<Self> {
        let mut parser = Parser { rest: text, depth: 0 };
        let predicate = parser.predicate()?;
        parser.rest.trim_start().is_empty().then_some(predicate)
    }

    /// Its value, if `of` gives those of flags and of values; `None` for predicates that the
    /// language does not have.
    pub fn value(&self, of: &impl Fn(&str, Option<&str>) -> bool) -> Option<bool> {
        // All parts are read: one that is not understood makes the whole unknown.
        let values =
            |parts: &[Self]| -> Option<Vec<bool>> { parts.iter().map(|it| it.value(of)).collect() };
        match self {
            Self::All(parts) => Some(values(parts)?.iter().all(|it| *it)),
            Self::Any(parts) => Some(values(parts)?.iter().any(|it| *it)),
            Self::Not(part) => Some(!part.value(of)?),
            Self::Constant(value) => Some(*value),
            Self::Flag(name) => Some(of(name, None)),
            Self::Value(key, value) => Some(of(key, Some(value))),
            Self::Other(_) => None,
        }
    }
}

impl fmt::Display for CfgPredicate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = |name: &str, parts: &[Self]| {
            write!(f, "{name}(")?;
            for (at, part) in parts.iter().enumerate() {
                write!(f, "{}{part}", if at == 0 { "" } else { ", " })?;
            }
            f.write_str(")")
        };
        match self {
            Self::All(parts) => list("all", parts),
            Self::Any(parts) => list("any", parts),
            Self::Not(part) => write!(f, "not({part})"),
            Self::Constant(value) => write!(f, "{value}"),
            Self::Flag(name) => f.write_str(name),
            Self::Value(key, value) => write!(f, "{key} = \"{value}\""),
            Self::Other(text) => f.write_str(text),
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn eat(&mut self, token: char) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn identifier(&mut self) -> &'a str {
        let rest = self.rest.trim_start();
        let rest = rest.strip_prefix("r#").unwrap_or(rest);
        let end = rest.find(|ch: char| !ch.is_alphanumeric() && ch != '_').unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        word
    }

    fn predicate(&mut self) -> Option<CfgPredicate<'a>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let text = self.rest.trim_start();
        let predicate = match self.identifier() {
            "" => return None,
            "all" if self.eat('(') => CfgPredicate::All(self.list()?),
            "any" if self.eat('(') => CfgPredicate::Any(self.list()?),
            "not" if self.eat('(') => {
                let mut parts = self.list()?;
                let part = parts.pop().filter(|_| parts.is_empty())?;
                CfgPredicate::Not(Box::new(part))
            }
            "true" => CfgPredicate::Constant(true),
            "false" => CfgPredicate::Constant(false),
            key if self.eat('=') => {
                let (value, rest) = self.rest.trim_start().strip_prefix('"')?.split_once('"')?;
                self.rest = rest;
                CfgPredicate::Value(key, value)
            }
            _ if self.eat('(') => {
                let (_, rest) = self.rest.split_once(')')?;
                self.rest = rest;
                CfgPredicate::Other(text.get(..text.len() - rest.len())?)
            }
            flag => CfgPredicate::Flag(flag),
        };
        self.depth -= 1;
        Some(predicate)
    }

    /// The predicates up to `)`.
    fn list(&mut self) -> Option<Vec<CfgPredicate<'a>>> {
        let mut parts = Vec::new();
        while !self.eat(')') {
            parts.push(self.predicate()?);
            if !self.eat(',') && !self.rest.starts_with(')') {
                return None;
            }
        }
        Some(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_are_read_and_written_in_one_spelling() {
        let shown = |text: &str| CfgPredicate::parse(text).map(|it| it.to_string());
        for (text, expected) in [
            ("unix", Some("unix")),
            (
                "all( unix,any(feature=\"a\" , b,),not(c) )",
                Some("all(unix, any(feature = \"a\", b), not(c))"),
            ),
            ("any()", Some("any()")),
            ("all(true, r#x)", Some("all(true, x)")),
            ("any(unix, version(\"1.90\"))", Some("any(unix, version(\"1.90\"))")),
            ("not(a, b)", None),
            ("all(a b)", None),
            ("feature = a", None),
            ("a)", None),
            ("", None),
        ] {
            assert_eq!(shown(text).as_deref(), expected, "{text}");
        }
        let deep = format!("{}a{}", "not(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(shown(&deep), None);
    }

    #[test]
    fn what_the_language_does_not_have_makes_the_whole_unknown() {
        let value = |text: &str| CfgPredicate::parse(text)?.value(&|name, _| name == "unix");
        assert_eq!(value("any(unix, windows)"), Some(true));
        assert_eq!(value("all(unix, feature = \"a\")"), Some(false));
        assert_eq!(value("any(unix, version(\"1.90\"))"), None);
    }
}
