//! Reasoner: a recursion limit that the file sets too low.

use base::Diagnostic;
use edit::Files;
use preserve::outline::Outline;

use crate::fix::{Proposal, guesses};
use crate::marked::{Marked, replace};
use crate::{Fix, Reasoner};

/// For a recursion limit that the file sets too low: the limit that the compiler names.
pub(crate) struct RecursionLimit;

impl Reasoner for RecursionLimit {
    fn name(&self) -> &'static str {
        "recursion-limit"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| Some(vec![proposal(it, files)?]))
    }
}

fn proposal(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    const ADVICE: &str =
        "consider increasing the recursion limit by adding a `#![recursion_limit = \"";
    let help = diagnostic.children.iter().find_map(|it| it.message.strip_prefix(ADVICE))?;
    let limit: u32 = help.split('"').next()?.parse().ok()?;
    let marked = Marked::primary(diagnostic, files)?;
    let outline = Outline::of(&marked.text);
    let value = (0..outline.tokens.len()).find(|at| {
        outline.text(*at) == "recursion_limit"
            && outline.before(*at, 2) == "!"
            && outline.text(at + 1) == "="
    })? + 2;
    let token = outline.tokens.get(value)?;
    let now: u32 = token.text.trim_matches('"').parse().ok()?;
    if now >= limit {
        return None;
    }
    let splice = replace(token.span, &format!("\"{limit}\""));
    Some(marked.proposal(vec![splice], format!("raise the recursion limit to {limit}")))
}

#[cfg(test)]
mod tests {
    use crate::RecursionLimit;
    use crate::fake::{FakeError, check};

    #[test]
    fn a_limit_of_the_file_is_raised() {
        let error = |to: u32| {
            let advice = format!(
                "consider increasing the recursion limit by adding a `#![recursion_limit = \"{to}\"]` attribute to your crate (`a`)"
            );
            FakeError::new("", "recursion limit reached").at("«m!()»").note(&advice, &[])
        };
        let text = "#![recursion_limit = \"16\"]\nm!();";
        check(&RecursionLimit, text, &[error(32)], &["#![recursion_limit = \"32\"]\nm!();"]);
        check(&RecursionLimit, text, &[error(8)], &[]);
        check(&RecursionLimit, "m!();", &[error(256)], &[]);
    }
}
