//! The preservation rule: what a repair may not do, told by comparing token streams.
//!
//! A repair is for mending what is there. Whoever deletes the broken statement, comments it out
//! or puts `todo!()` in its place makes the code compile and repairs nothing, so each statement,
//! item, field, match arm, test and assertion, and each expression that does something – a call,
//! a macro call, an assignment, `?`, `.await`, a branch – must be found again in the new text:
//! where it was, moved, or with another name, operator or wrapping. Texts are broken by nature
//! here, so nothing rests on a parse: tokens are followed through the edit, and brackets and
//! separators say what they belong to.

mod align;
mod arrivals;
mod compare;
mod imports;
mod smuggled;
#[cfg(test)]
mod tests;

use base::ProjectPath;
use edit::Overlay;

/// Something a repair may not do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// The rule's name: `item-removed`, `statement-removed`, `effect-removed`, `field-removed`,
    /// `variant-removed`, `arm-removed`, `import-removed`, `derive-removed`,
    /// `attribute-removed`, `assertion-removed`, `test-removed`, `test-weakened`, `placeholder`, `unsafe-added`,
    /// `allow-added`.
    pub rule: &'static str,
    /// The file.
    pub path: ProjectPath,
    /// Its line, from 1: of the old text for what is gone, of the new one for what came.
    pub line: u32,
    /// What, in one line.
    pub detail: String,
}

/// What `overlay` takes away or smuggles in; empty when it preserves. Only Rust files are
/// compared; of others it is told when they go.
pub fn violations(overlay: &Overlay) -> Vec<Violation> {
    let mut found = compare::compare(overlay);
    found.sort();
    found.dedup();
    found
}
