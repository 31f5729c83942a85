//! Whether a licence lets the weights be used by all.

/// Licences that ask for no more than their own notice.
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
/// licences alone. What does not read as an expression is not.
pub fn is_permissive(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { words: &words, at: 0 };
    let verdict = reader.any();
    reader.at == words.len() && verdict.unwrap_or(false)
}

struct Reader<'a> {
    words: &'a [&'a str],
    at: usize,
}

impl<'a> Reader<'a> {
    fn next_is(&mut self, word: &str) -> bool {
        let found = self.words.get(self.at).is_some_and(|it| it.eq_ignore_ascii_case(word));
        self.at += usize::from(found);
        found
    }

    fn word(&mut self) -> Option<&'a str> {
        let word = self.words.get(self.at).copied()?;
        self.at += 1;
        Some(word)
    }

    fn any(&mut self) -> Option<bool> {
        let mut verdict = self.all()?;
        while self.next_is("OR") {
            verdict |= self.all()?;
        }
        Some(verdict)
    }

    fn all(&mut self) -> Option<bool> {
        let mut verdict = self.one()?;
        while self.next_is("AND") {
            verdict &= self.one()?;
        }
        Some(verdict)
    }

    fn one(&mut self) -> Option<bool> {
        if self.next_is("(") {
            // As deep as a manifest's author likes, and no deeper than a line of it.
            if self.words.len() > 200 {
                return None;
            }
            let verdict = self.any()?;
            return self.next_is(")").then_some(verdict);
        }
        let verdict = PERMISSIVE.contains(&self.word()?);
        // An exception only ever permits more.
        if self.next_is("WITH") {
            self.word()?;
        }
        Some(verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_permissive_way_through_an_expression_is_enough() {
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
