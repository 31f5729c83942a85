//! In-progress changes of a person, and the places that follow from them.
//!
//! The difference between the last good state and the present tree is read as [`Intent`]s: an item
//! renamed, a parameter added, a field removed. [`propagate`] proposes, for the errors that the compiler
//! reports, the changes that each intent asks for elsewhere; [`reverts`] and [`overrules`] recognise
//! a change that undoes or contradicts the in-progress one; [`allowances`] lists what finishing a removal
//! may remove.
//!
//! Invariants: pure; any text is accepted; the same input gives the same output. Nothing is proven
//! here: a proposal counts only after the caller has checked it. Start at [`intents`] and [`propagate`].

mod allow;
mod arms;
mod changed;
mod confidence;
mod dependency_tables;
mod difference;
mod edition;
mod find;
mod guess;
mod intent;
mod left_behind;
mod library;
mod lost_features;
mod manifest;
mod pairs;
mod project;
mod propagate;
mod reverts;

pub use allow::allowances;
pub use arms::{HOLE, MayHave, MissingArms, arm_bodies, missing_arms};
pub use confidence::Confidence;
pub use dependency_tables::{DependentCode, with_dependency_of_other};
pub use difference::{Difference, Sides};
pub use edition::{
    EditionFindings, EditionWarning, LintedRoot, editions_between, is_known_edition,
    needs_newer_rust, spliced,
};
pub use find::intents;
pub use guess::{Guess, GuessKind, NeededValue};
pub use intent::{DefinitionName, Intent, What};
pub use left_behind::{
    LeftBehind, is_about_change, is_argument_order, is_example_call, is_example_to_run, is_gated,
    is_lost_failure, left_behind, left_example_calls, line_at, path_mentions, renames_feature,
    unbuilt, warned,
};
pub use library::{CrateSource, Library, Release, missed_names, offered};
pub use lost_features::{LostFeatures, lost_features};
pub use manifest::{Requirement, with_edition, with_feature, with_requirement, without_feature};
pub use propagate::{PastDifference, Propagation, propagate, propagate_from_history, unsettled};
pub use reverts::{overrules, reverts, rewords};

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_fallible;
#[cfg(test)]
mod tests_follow;
#[cfg(test)]
mod tests_left;
#[cfg(test)]
mod tests_library;
#[cfg(test)]
mod tests_modules;
#[cfg(test)]
mod tests_moved;
#[cfg(test)]
mod tests_past;
#[cfg(test)]
mod tests_removed;
#[cfg(test)]
mod tests_retyped;
#[cfg(test)]
mod tests_unused;
