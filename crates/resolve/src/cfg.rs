//! Evaluates cfg predicates.

use crate::CfgSet;

impl CfgSet {
    /// Whether a predicate as written (`all(unix, not(feature = "net"))`) holds. Unknown flags are
    /// off; so is a predicate that does not parse.
    pub fn holds(&self, predicate: &str) -> bool {
        let mut parser = Parser { cfg: self, rest: predicate, depth: 0 };
        let value = parser.predicate();
        parser.space();
        value == Some(true) && parser.rest.is_empty()
    }
}

/// Predicates nested deeper are off, so that recursion is bounded.
const MAX_DEPTH: usize = 64;

struct Parser<'a> {
    cfg: &'a CfgSet,
    rest: &'a str,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, token: char) -> bool {
        self.space();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn identifier(&mut self) -> &'a str {
        self.space();
        let rest = self.rest.strip_prefix("r#").unwrap_or(self.rest);
        let end = rest.find(|ch: char| !ch.is_alphanumeric() && ch != '_').unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        word
    }

    /// `None` if it does not parse.
    fn predicate(&mut self) -> Option<bool> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let word = self.identifier();
        let value = match word {
            "" => None,
            "all" | "any" | "not" if self.eat('(') => {
                let mut values = Vec::new();
                while !self.eat(')') {
                    values.push(self.predicate()?);
                    if !self.eat(',') && !self.rest.starts_with(')') {
                        return None;
                    }
                }
                match word {
                    "all" => Some(values.iter().all(|it| *it)),
                    "any" => Some(values.iter().any(|it| *it)),
                    _ if values.len() == 1 => values.first().map(|it| !it),
                    _ => None,
                }
            }
            "true" => Some(true),
            "false" => Some(false),
            key if self.eat('=') => {
                self.space();
                let (value, rest) = self.rest.strip_prefix('"')?.split_once('"')?;
                self.rest = rest;
                Some(self.cfg.values.get(key).is_some_and(|values| values.contains(value)))
            }
            flag => Some(self.cfg.flags.contains(flag)),
        };
        self.depth -= 1;
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set() -> CfgSet {
        let mut cfg = CfgSet::default();
        cfg.flags.insert("unix".to_owned());
        let values = cfg.values.entry("feature".to_owned()).or_default();
        values.insert("net".to_owned());
        cfg.values.entry("target_os".to_owned()).or_default().insert("linux".to_owned());
        cfg
    }

    #[test]
    fn predicates_are_evaluated_by_the_rules_of_the_language() {
        let check = |text: &str, want: bool| assert_eq!(set().holds(text), want, "{text}");
        check("unix", true);
        check("windows", false);
        check("feature = \"net\"", true);
        check("feature=\"rt\"", false);
        check("not(windows)", true);
        check("all()", true);
        check("any()", false);
        check("all(unix, target_os = \"linux\",)", true);
        check("any(windows, all(unix, not(feature = \"rt\")))", true);
        check("not(any(unix, windows))", false);
        check("true", true);
    }

    #[test]
    fn a_predicate_that_does_not_parse_is_off() {
        for text in
            ["", "unix unix", "not(unix, unix)", "all(unix", "feature = net", "not()", "= 3"]
        {
            assert!(!set().holds(text), "{text}");
        }
        let deep = "not(".repeat(100_000);
        assert!(!set().holds(&deep));
    }
}
