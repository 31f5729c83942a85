//! The preservation rule: what a change must not remove, disable or add.
//!
//! A repair fixes existing code. Deleting the broken statement, commenting it out or replacing it
//! with `todo!()` makes the code compile and repairs nothing. So each statement, item, field, match
//! arm, test and assertion, and each expression with an effect – a call, a macro call, an
//! assignment, `?`, `.await`, a branch – must be found in the new text: at its position, moved, or
//! with another name, operator or wrapping. The texts are broken by nature, so no rule depends on a
//! parser: tokens are aligned through the edit, and brackets and separators determine what they
//! belong to.
//!
//! Invariants: pure; any text is accepted; the violations come in a stable order. Start at
//! [`violations`]; [`outline`] is the tolerant reader that it uses.

mod added_code;
mod added_items;
mod align;
mod allowed;
mod brackets;
mod change;
mod compare;
mod completed;
mod conditions;
mod config;
pub mod conflicts;
mod counts;
mod dependency_sources;
mod doctests;
mod feature_conditions;
mod files;
mod forbidden_additions;
mod formatting;
mod imports;
mod included;
mod inlined;
mod layout;
mod literal;
mod lost;
mod lost_tests;
mod manifest;
mod merge;
mod moved;
mod names;
pub mod outline;
mod package;
mod position;
mod prelude_paths;
mod process_ends;
mod question;
mod redefined;
mod relisted;
mod renamed;
mod renaming;
mod replaced_methods;
mod reported;
mod rule;
mod terminations;
mod test_additions;
mod test_files;
mod test_names;
mod test_values;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_allowed;
#[cfg(test)]
mod tests_in_tests;
#[cfg(test)]
mod tests_other_names;
#[cfg(test)]
mod tests_with_errors;
mod toml_text;
mod too_deep;
mod trait_methods;
mod visibility;
mod wrapped;

use base::{Diagnostic, ProjectPath};
use edit::Overlay;

pub use added_items::whole_items;
pub use allowed::{Allowed, Preservation};
pub use change::raises_edition;
pub use completed::mistyped_keywords;
pub use doctests::may_have_examples;
pub use feature_conditions::feature_conditions;
pub use formatting::is_formatting;
pub use imports::{imports, last_name};
pub use inlined::{InlinedItem, is_inlining};
pub use layout::{is_dev_code, is_test_path};
pub use literal::literal_text;
pub use manifest::{KeyChange, changed_keys};
pub use moved::{MovedItem, move_violations};
pub use package::{ManifestPackage, normal};
pub use prelude_paths::{is_prelude_path, prelude_path};
pub use process_ends::VALUE_MACROS;
pub use relisted::{ListChange, Relisting, is_relisting};
pub use renaming::is_renaming;
use reported::Reported;
pub use rule::{Rule, UnknownRule};
pub use test_files::{TestFiles, text_literals};
pub use test_names::TestNames;
pub use toml_text::{TomlData, TomlFault, TomlKey, TomlText, TomlValue};
pub use too_deep::{LARGEST_SOURCE, too_deep};

/// Something that a repair must not do, and, if [`Rule::protects_tests`], that any change may do
/// only if the user allows the rule by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// Rule that is broken.
    pub rule: Rule,
    /// File with the violation.
    pub path: ProjectPath,
    /// Line, from 1: in the old text if something is removed, in the new one if it is added.
    pub line: u32,
    /// The affected text, on one line.
    pub detail: String,
    /// Whether it is an added `#[cfg(test)]`.
    pub is_cfg_test: bool,
}

/// What `overlay` removes or adds against the rule, ordered by rule, file and line; empty if it
/// preserves the code.
///
/// `errors` are the compiler's diagnostics for the tree before the change; others than errors are
/// ignored. A build can forge them, so they only permit what disables no check: another visibility
/// of what they name, another name where they mark one.
pub fn violations(overlay: &Overlay, errors: &[Diagnostic]) -> Vec<Violation> {
    preservation(overlay, errors, &Allowed::default()).violations
}

/// The same for a tree in which the user has removed something: what only belonged to that may go.
pub fn preservation(overlay: &Overlay, errors: &[Diagnostic], allowed: &Allowed) -> Preservation {
    preservation_with(overlay, errors, allowed, &TestFiles::default())
}

/// The same, given the files that only tests use although their paths do not show it.
pub fn preservation_with(
    overlay: &Overlay,
    errors: &[Diagnostic],
    allowed: &Allowed,
    tests: &TestFiles,
) -> Preservation {
    let deep = too_deep(overlay);
    if !deep.is_empty() {
        return Preservation { violations: deep, ..Preservation::default() };
    }
    let mut found = change::compare(overlay, &Reported::of(errors, overlay), allowed, tests);
    for list in [&mut found.violations, &mut found.allowed] {
        list.sort_by(|a, b| {
            let key = |it: &Violation| (it.rule.as_str(), it.path.clone(), it.line);
            key(a).cmp(&key(b)).then_with(|| a.detail.cmp(&b.detail))
        });
        list.dedup();
    }
    found
}
