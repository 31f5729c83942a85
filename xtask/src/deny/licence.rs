//! Evaluates SPDX licence expressions.

/// Whether an SPDX expression can be met with the `allowed` licences: `OR` (or the old `/`) needs
/// one of both, `AND` needs both, `A WITH B` is a licence of its own, and `A+` is met by `A`.
pub(super) fn is_allowed(expression: &str, allowed: &[&str]) -> Result<bool, String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut parser = Parser { tokens: &tokens, allowed };
    let result = parser.either()?;
    match parser.tokens {
        [] => Ok(result),
        [extra, ..] => Err(format!("`{extra}` is not expected here")),
    }
}

struct Parser<'a> {
    tokens: &'a [&'a str],
    allowed: &'a [&'a str],
}

impl Parser<'_> {
    fn either(&mut self) -> Result<bool, String> {
        let mut result = self.both()?;
        while self.take("OR") {
            result |= self.both()?;
        }
        Ok(result)
    }

    fn both(&mut self) -> Result<bool, String> {
        let mut result = self.one()?;
        while self.take("AND") {
            result &= self.one()?;
        }
        Ok(result)
    }

    fn one(&mut self) -> Result<bool, String> {
        if self.take("(") {
            let result = self.either()?;
            return if self.take(")") { Ok(result) } else { Err("`)` is missing".to_owned()) };
        }
        let name = self.name()?;
        let licence =
            if self.take("WITH") { format!("{name} WITH {}", self.name()?) } else { name };
        let licence = licence.trim_end_matches('+');
        Ok(self.allowed.contains(&licence))
    }

    fn name(&mut self) -> Result<String, String> {
        match self.tokens {
            [name, rest @ ..] if !["OR", "AND", "WITH", "(", ")"].contains(name) => {
                self.tokens = rest;
                Ok((*name).to_owned())
            }
            [] => Err("a licence is missing".to_owned()),
            [word, ..] => Err(format!("a licence is missing before `{word}`")),
        }
    }

    fn take(&mut self, word: &str) -> bool {
        match self.tokens {
            [first, rest @ ..] if *first == word => {
                self.tokens = rest;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_met_as_they_say() {
        let allowed = ["MIT", "Apache-2.0", "Unicode-3.0", "MPL-2.0"];
        for expression in [
            "MIT",
            "GPL-3.0 OR MIT",
            "Unlicense/MIT",
            "Apache-2.0 / GPL-2.0",
            "(MIT OR GPL-3.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR MIT",
            "MPL-2.0+",
        ] {
            assert_eq!(is_allowed(expression, &allowed), Ok(true), "{expression}");
        }
        for expression in [
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "Apache-2.0 WITH LLVM-exception",
            "MIT AND (ISC OR GPL-3.0)",
        ] {
            assert_eq!(is_allowed(expression, &allowed), Ok(false), "{expression}");
        }
        for expression in ["", "MIT OR", "(MIT", "MIT Apache-2.0", "AND MIT", "MIT)"] {
            assert!(is_allowed(expression, &allowed).is_err(), "{expression}");
        }
    }
}
