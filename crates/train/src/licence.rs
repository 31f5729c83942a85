//! Decides whether a crate's licence expression can be met by permissive licences, so that a table
//! learned from it may be distributed freely. Start at `is_permissive`.

/// Licences that demand at most attribution.
const PERMISSIVE: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unlicense",
    "Zlib",
];

/// Whether a licence expression of a manifest (SPDX, or the older `A/B`) can be met by permissive
/// licences alone. An invalid expression is not permissive.
pub(crate) fn is_permissive(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut parser = ExpressionParser { tokens: &tokens, at: 0 };
    let is_permissive = parser.any();
    parser.at == tokens.len() && is_permissive.unwrap_or(false)
}

/// A recursive-descent parser that evaluates while it parses; `None` is a syntax error.
struct ExpressionParser<'a> {
    tokens: &'a [&'a str],
    at: usize,
}

impl<'a> ExpressionParser<'a> {
    fn next_is(&mut self, token: &str) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|it| it.eq_ignore_ascii_case(token));
        self.at += usize::from(found);
        found
    }

    fn token(&mut self) -> Option<&'a str> {
        let token = self.tokens.get(self.at).copied()?;
        self.at += 1;
        Some(token)
    }

    fn any(&mut self) -> Option<bool> {
        let mut is_permissive = self.all()?;
        while self.next_is("OR") {
            is_permissive |= self.all()?;
        }
        Some(is_permissive)
    }

    fn all(&mut self) -> Option<bool> {
        let mut is_permissive = self.one()?;
        while self.next_is("AND") {
            is_permissive &= self.one()?;
        }
        Some(is_permissive)
    }

    fn one(&mut self) -> Option<bool> {
        if self.next_is("(") {
            // Limits the recursion: nesting cannot be deeper than the expression is long.
            if self.tokens.len() > 200 {
                return None;
            }
            let is_permissive = self.any()?;
            return self.next_is(")").then_some(is_permissive);
        }
        let is_permissive = PERMISSIVE.contains(&self.token()?);
        // An SPDX exception only adds permissions.
        if self.next_is("WITH") {
            self.token()?;
        }
        Some(is_permissive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_permissive_if_one_alternative_is() {
        for (expression, want) in [
            ("MIT", true),
            ("MIT OR Apache-2.0", true),
            ("MIT/Apache-2.0", true),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("GPL-3.0-only OR (MIT AND Zlib)", true),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", false),
            ("MPL-2.0", false),
            ("GPL-2.0-only", false),
            ("MIT AND GPL-3.0-only", false),
            ("LicenseRef-Own", false),
            ("", false),
            ("MIT OR", false),
            ("(MIT", false),
            ("MIT)", false),
        ] {
            assert_eq!(is_permissive(expression), want, "{expression}");
        }
    }
}
