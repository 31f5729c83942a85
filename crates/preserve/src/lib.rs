//! The preservation rule: what a change may not take away, switch off or smuggle in.
//!
//! A repair fixes what is there. Deleting the broken statement, commenting it out or putting
//! `todo!()` in its place makes the code compile and repairs nothing, so each statement, item,
//! field, match arm, test and assertion, and each expression that does something – a call, a
//! macro call, an assignment, `?`, `.await`, a branch – must be found again in the new text:
//! where it was, moved, or with another name, operator or wrapping. Texts are broken by nature
//! here, so no rule depends on a parse: tokens are followed through the edit, and brackets and
//! separators decide what they belong to.
//!
//! Invariants: pure – texts and the errors of the former in, violations out, in a stable order; any text is accepted.
//! Start at [`violations`]; [`outline`] is the tolerant reading that it uses.

mod added;
mod align;
mod arrivals;
mod census;
mod compare;
mod conditions;
mod config;
mod counts;
mod doctests;
mod files;
mod flat;
mod held;
mod imports;
mod layout;
mod manifest;
mod names;
pub mod outline;
mod position;
mod renamed;
mod reported;
mod rule;
mod smuggled;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_in_tests;
#[cfg(test)]
mod tests_with_errors;
mod visibility;
mod wrapped;

use base::{Diagnostic, ProjectPath};
use edit::Overlay;

use reported::Reported;
pub use rule::{Rule, UnknownRule};

/// Something that a repair may not do, and – where [`Rule::protects_tests`] – no change may do
/// without a person allowing the rule by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// The rule that is broken.
    pub rule: Rule,
    /// The file.
    pub path: ProjectPath,
    /// Its line, from 1: of the old text for what is removed, of the new one for what is added.
    pub line: u32,
    /// The text in question, in one line.
    pub detail: String,
}

/// What `overlay` takes away or smuggles in, by name of rule, file and line; empty when it
/// preserves.
///
/// `errors` are what the compiler reported of the tree before the change, in its coordinates;
/// what is no error is left out. A build can forge them, so they only permit what cannot disable
/// a check: another visibility of what they name, another name where they mark one.
pub fn violations(overlay: &Overlay, errors: &[Diagnostic]) -> Vec<Violation> {
    let mut found = compare::compare(overlay, &Reported::of(errors, overlay));
    found.sort_by(|a, b| {
        let key = |it: &Violation| (it.rule.as_str(), it.path.clone(), it.line);
        key(a).cmp(&key(b)).then_with(|| a.detail.cmp(&b.detail))
    });
    found.dedup();
    found
}
