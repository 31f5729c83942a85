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
//! Invariants: pure – two texts in, violations out, in a stable order; any text is accepted.
//! Start at [`violations`]; [`outline`] is the tolerant reading that it uses.

mod added;
mod align;
mod arrivals;
mod census;
mod compare;
mod conditions;
mod config;
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
mod rule;
mod smuggled;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_in_tests;
mod wrapped;

use base::ProjectPath;
use edit::Overlay;

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
pub fn violations(overlay: &Overlay) -> Vec<Violation> {
    let mut found = compare::compare(overlay);
    found.sort_by(|a, b| {
        let key = |it: &Violation| (it.rule.as_str(), it.path.clone(), it.line);
        key(a).cmp(&key(b)).then_with(|| a.detail.cmp(&b.detail))
    });
    found.dedup();
    found
}
