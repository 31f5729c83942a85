//! Deterministic reasoners: from diagnostics to candidate edits, one file a rule; and the bounded
//! search over their combinations. The preservation rule that a repair must keep is in `preserve`.
//!
//! Invariants: pure – it proposes, it proves nothing and writes nothing; the same diagnostics and
//! files give the same candidates in the same order, in whatever order proofs come back. Nothing
//! here trusts a suggestion: what is proposed counts only once somebody has proven it.
//!
//! The story: a [`Reasoner`] turns diagnostics into [`Fix`]es; [`Search`] combines them into
//! [`Attempt`]s, best first; the caller proves each and reports a [`Judgement`]; [`violations`]
//! says of an overlay what it takes away, so that a repair which only deletes never wins.

mod advised;
mod arms;
mod combine;
mod conversions;
mod fields;
mod fix;
mod members;
mod near_names;
mod no_std;
mod one_pass;
mod parameters;
mod phase;
mod plan;
mod privacy;
mod reach;
mod renamed;
mod return_type;
mod search;
mod signature;
mod slips;
#[cfg(test)]
mod straw;
mod stub;
mod suggestions;

#[cfg(test)]
mod tests;

pub use advised::{Advice, Advised, Advisor, is_advisable};
pub use arms::Arms;
pub use combine::Overlaid;
pub use conversions::Conversions;
pub use fields::Fields;
pub use fix::{Fix, Reasoner};
pub use members::Members;
pub use near_names::NearNames;
pub use one_pass::{apply_every_suggestion, apply_machine_applicable};
pub use parameters::Parameters;
pub use phase::{Judgement, Phase, phase_of};
pub use preserve::{Violation, violations};
pub use privacy::Privacy;
pub use renamed::Renamed;
pub use return_type::ReturnType;
pub use search::{Attempt, Search, SearchLimits};
pub use slips::Slips;
pub use suggestions::CompilerSuggestions;

/// Every deterministic reasoner of this room, the most trusted first: what a search that is to
/// find as much as it can is given; [`Advised`] comes behind them where there is an [`Advisor`].
pub fn reasoners() -> Vec<Box<dyn Reasoner>> {
    vec![
        Box::new(CompilerSuggestions),
        Box::new(Slips),
        Box::new(NearNames),
        Box::new(Renamed),
        Box::new(Privacy),
        Box::new(Conversions),
        Box::new(ReturnType),
        Box::new(Parameters),
        Box::new(Fields),
        Box::new(Arms),
        Box::new(Members),
    ]
}
