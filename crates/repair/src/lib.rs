//! Deterministic reasoners, which turn diagnostics into candidate edits (one file per rule), and
//! the bounded search over combinations of their fixes. The preservation rule is in `preserve`.
//!
//! Invariants: the crate is pure. It proves nothing and writes nothing. The same diagnostics and
//! files give the same candidates in the same order, in whatever order the checks are recorded. No
//! suggestion is trusted: a candidate counts only after the caller has checked it.
//!
//! Where to start: a [`Reasoner`] turns diagnostics into [`Fix`]es; [`Search`] combines them into
//! [`Attempt`]s, best first; the caller checks each and records an [`AttemptOutcome`];
//! [`violations`] lists what an overlay removes, so that a repair which only deletes code never
//! wins. To add a rule: a [`Reasoner`] in a file of its own with its tests, at its place in
//! [`reasoners`]; what it guesses is marked (`Fix::guesses`).

mod advised;
mod arms;
mod begun;
mod broken;
mod combine;
mod conflicts;
mod const_try;
mod conversions;
#[cfg(test)]
mod fake;
mod fields;
mod fix;
mod guessed;
mod impl_shape;
mod known_imports;
mod members;
mod near_names;
mod no_std;
mod one_pass;
mod own_conversions;
mod parameters;
mod past;
mod phase;
mod plan;
mod privacy;
mod reach;
mod renamed;
mod return_type;
mod search;
mod shorter;
mod signature;
mod slips;
mod std_paths;
mod stub;
mod suggestions;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use base::ProjectPath;

pub use advised::{Advice, Advised, Advisor, is_advisable};
pub use arms::Arms;
pub use begun::Begun;
pub use broken::BrokenSyntax;
pub use combine::Overlaid;
pub use conflicts::Conflicts;
pub use const_try::ConstTry;
pub use conversions::Conversions;
pub use fields::Fields;
pub use fix::{Fix, Reasoner};
pub use guessed::{GuessedPlace, ProbeKind, probe, probe_marker};
pub use impl_shape::ImplShape;
pub use known_imports::KnownImports;
pub use members::Members;
pub use near_names::NearNames;
pub use one_pass::{apply_every_suggestion, apply_machine_applicable};
pub use own_conversions::OwnConversions;
pub use parameters::Parameters;
pub use past::Past;
pub use phase::{AttemptOutcome, Phase, phase_of};
pub use preserve::{Violation, violations};
pub use privacy::Privacy;
pub use renamed::Renamed;
pub use return_type::ReturnType;
pub use search::{Attempt, Search, SearchLimits};
pub use slips::Slips;
pub use std_paths::StdPaths;
pub use suggestions::CompilerSuggestions;

/// All deterministic reasoners of this crate for a project with these Rust files, the most trusted
/// first. [`Advised`] goes after them if there is an [`Advisor`].
pub fn reasoners(sources: Arc<[ProjectPath]>) -> Vec<Box<dyn Reasoner>> {
    vec![
        Box::new(Conflicts),
        Box::new(KnownImports::new(sources.clone())),
        Box::new(CompilerSuggestions),
        Box::new(Slips),
        Box::new(BrokenSyntax),
        Box::new(NearNames),
        Box::new(Renamed),
        Box::new(Privacy),
        Box::new(OwnConversions::new(sources)),
        Box::new(Conversions),
        Box::new(ConstTry),
        Box::new(StdPaths),
        Box::new(ReturnType),
        Box::new(ImplShape),
        Box::new(Parameters),
        Box::new(Fields),
        Box::new(Arms),
        Box::new(Members),
    ]
}
