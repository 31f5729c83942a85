//! Deterministic reasoners, which turn diagnostics into candidate edits (one file per rule), and
//! the bounded search over combinations of their fixes. The preservation rule is in `preserve`.
//!
//! Invariants: the crate is pure. It proves nothing and writes nothing. The same diagnostics and
//! files give the same candidates in the same order, in whatever order the checks are recorded. No
//! suggestion is trusted: a candidate counts only after the caller has checked it.
//!
//! Where to start: a [`Reasoner`] turns diagnostics into [`Fix`]es; [`Search`] combines them into
//! [`Attempt`]s, best first; the caller checks each and records an [`AttemptOutcome`];
//! `preserve::violations` lists what an overlay removes, so that a repair which only deletes code never
//! wins. To add a rule: a [`Reasoner`] in a file of its own with its tests, its `mod` and `use` here, its place in
//! [`reasoners`]; what it guesses is marked (`Fix::guesses`). No setting lists rules.

mod advised;
mod answered;
mod arms;
mod attribute_forms;
mod borrow_order;
mod broken;
mod closures;
mod combine;
mod comments;
mod compound;
mod conflicts;
mod const_try;
mod constructors;
mod conversions;
mod dependency_features;
mod dependency_tables;
mod derive_lists;
mod derives;
mod doubled;
mod doubtful_import;
mod error_variant;
mod failure;
#[cfg(test)]
mod fake;
mod fields;
mod fix;
mod generic_names;
mod guessed;
mod holes;
mod impl_generics;
mod impl_shape;
mod import_conditions;
mod in_progress;
mod inferred_into;
mod known_imports;
mod labels;
mod learned;
mod lifetime_bounds;
mod lifetimes;
mod longer_life;
mod lost_features;
mod marked;
mod members;
mod mismatches;
mod module_files;
mod moved_values;
pub mod mutate;
mod near_names;
mod no_std;
mod only_field;
mod operand;
mod own_conversions;
mod packed;
mod parameters;
mod parts;
mod past;
mod phase;
mod plan;
mod privacy;
mod qualifiers;
mod reach;
mod recursion_limit;
mod renamed;
mod return_type;
mod search;
mod shorter;
mod signature;
mod slips;
mod sourceless;
mod sources;
mod std_paths;
mod stub;
mod suggestions;
mod trait_members;
mod type_lists;
mod unit_tail;
mod unused_generics;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use base::ProjectPath;

pub use advised::{Advice, Advised, Advisor, is_advisable};
pub use answered::{GuessedAnswers, answered, guessed_answers, open_places};
pub(crate) use arms::Arms;
pub(crate) use attribute_forms::AttributeForms;
pub(crate) use borrow_order::BorrowOrder;
pub(crate) use broken::BrokenSyntax;
pub(crate) use closures::Closures;
pub use combine::Overlaid;
pub(crate) use comments::Comments;
pub(crate) use compound::Compound;
pub(crate) use conflicts::Conflicts;
pub use conflicts::{drops_a_side, orders_sides};
pub(crate) use const_try::ConstTry;
pub(crate) use constructors::Constructors;
pub(crate) use conversions::Conversions;
pub(crate) use dependency_features::DependencyFeatures;
pub(crate) use dependency_tables::DependencyTables;
pub(crate) use derives::Derives;
pub(crate) use error_variant::ErrorVariant;
pub(crate) use fields::Fields;
pub use fix::{Fix, Reasoner};
pub(crate) use generic_names::GenericNames;
pub use guessed::{GuessedPlace, ProbeKind, probe, probe_marker};
pub use holes::Holes;
pub(crate) use impl_generics::ImplGenerics;
pub(crate) use impl_shape::ImplShape;
pub use in_progress::InProgress;
pub(crate) use inferred_into::InferredInto;
pub(crate) use known_imports::KnownImports;
pub(crate) use labels::Labels;
pub use learned::{
    EditPattern, EditPlace, InsertPart, Learned, LearnedEdit, PatternEdit, PatternToken, SpanRole,
    mine,
};
pub(crate) use lifetime_bounds::LifetimeBounds;
pub(crate) use lifetimes::Lifetimes;
pub(crate) use longer_life::LongerLife;
pub(crate) use lost_features::LostFeatures;
pub(crate) use members::Members;
pub(crate) use mismatches::Mismatches;
pub(crate) use module_files::ModuleFiles;
pub(crate) use moved_values::MovedValues;
pub(crate) use near_names::NearNames;
pub(crate) use only_field::OnlyField;
pub(crate) use own_conversions::OwnConversions;
pub(crate) use packed::PackedFields;
pub(crate) use parameters::Parameters;
pub use parts::Parts;
pub use past::Past;
pub use phase::{AttemptOutcome, Phase, phase_of};
pub(crate) use privacy::Privacy;
pub(crate) use qualifiers::Qualifiers;
pub use reach::is_std_method;
pub(crate) use recursion_limit::RecursionLimit;
pub(crate) use renamed::Renamed;
pub(crate) use return_type::ReturnType;
pub use search::{Attempt, Search, SearchLimits};
pub(crate) use slips::Slips;
pub(crate) use std_paths::StdPaths;
pub use suggestions::CompilerSuggestions;
pub(crate) use trait_members::TraitMembers;
pub(crate) use type_lists::TypeLists;
pub(crate) use unit_tail::UnitTail;
pub(crate) use unused_generics::UnusedGenerics;

/// The deterministic reasoners that read errors, for a project with these Rust files, the most trusted
/// first. [`Search`] puts [`InProgress`] before them; [`Advised`] goes after them if there is an
/// [`Advisor`], [`Past`], when nothing else is left, then [`Parts`], and [`Holes`] last. [`Learned`] is added for a project with accepted changes.
/// `in_progress` knows what both sides of a merge began with.
pub fn reasoners(sources: Arc<[ProjectPath]>, in_progress: &InProgress) -> Vec<Box<dyn Reasoner>> {
    vec![
        Box::new(Conflicts::new(in_progress.allowed().merge_bases.clone())),
        Box::new(ModuleFiles::new(sources.clone())),
        Box::new(LostFeatures::new(in_progress.lost_features())),
        Box::new(DependencyFeatures),
        Box::new(DependencyTables),
        Box::new(Derives::new(sources.clone())),
        Box::new(KnownImports::new(sources.clone())),
        Box::new(Lifetimes),
        Box::new(MovedValues),
        Box::new(CompilerSuggestions),
        Box::new(Slips),
        Box::new(BrokenSyntax),
        Box::new(NearNames),
        Box::new(Renamed),
        Box::new(Constructors::new(sources.clone())),
        Box::new(Privacy),
        Box::new(OwnConversions::new(sources)),
        Box::new(Mismatches),
        Box::new(Conversions),
        Box::new(ErrorVariant),
        Box::new(ConstTry),
        Box::new(StdPaths),
        Box::new(UnitTail),
        Box::new(ReturnType),
        Box::new(ImplShape),
        Box::new(Parameters),
        Box::new(Fields),
        Box::new(Arms),
        Box::new(Members),
        Box::new(LifetimeBounds),
        Box::new(GenericNames),
        Box::new(ImplGenerics),
        Box::new(TypeLists),
        Box::new(Qualifiers),
        Box::new(BorrowOrder),
        Box::new(LongerLife),
        Box::new(Closures),
        Box::new(OnlyField),
        Box::new(TraitMembers),
        Box::new(UnusedGenerics),
        Box::new(InferredInto),
        Box::new(Compound),
        Box::new(PackedFields),
        Box::new(Labels),
        Box::new(Comments),
        Box::new(AttributeForms),
        Box::new(RecursionLimit),
    ]
}
