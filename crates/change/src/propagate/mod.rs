//! What the intents ask for elsewhere, for the errors that the compiler reports.

mod arguments;
mod callable;
mod called;
mod closures;
mod constants;
mod deprecated;
mod derives;
mod example;
mod external;
mod fallible;
mod fallible_callers;
mod fallible_value;
mod family;
mod fields;
mod former_values;
mod impl_generics;
mod impl_heads;
mod impl_members;
mod imports;
mod iterated;
mod lets;
mod lifetimes;
mod literals;
mod locals;
mod lost_modules;
mod made;
mod members;
mod moved;
mod moved_modules;
mod named_parts;
mod named_tuples;
mod new_members;
mod own_traits;
mod past;
mod positions;
mod receivers;
mod relocated;
mod removed_body;
mod removed_impl;
mod removed_lets;
mod removed_variant;
mod rename;
mod rewrite;
mod siblings;
mod split;
mod substitutions;
mod tails;
mod trees;
mod tuples;
mod type_arguments;
mod types;
mod unify;
mod unused_in_macros;
mod unused_values;
mod usage;
mod values;
mod variants;
mod wrapper;

pub(crate) use constants::became_constant;
pub use past::{PastDifference, propagate_from_history};
pub(crate) use unused_values::{UnusedFate, has_become_fallible, unused_calls};

use base::{Diagnostic, ProjectPath};
use edit::{Files, Splice};
use refactor::outermost;

use crate::confidence::Confidence;
use crate::project::Project;
use crate::{Difference, Guess, Intent, LeftBehind, library};

/// One change that an intent asks for: all of its splices belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Propagation {
    /// Indices of the errors that it answers, ascending; at least one.
    pub seeds: Vec<usize>,
    /// Replacements in the present texts, by path and position.
    pub splices: Vec<(ProjectPath, Splice)>,
    /// Reason in one line.
    pub reason: String,
    /// How sure it is.
    pub confidence: Confidence,
    /// The parts of the inserted texts that are guessed.
    pub guesses: Vec<Guess>,
}

/// The changes that follow from `intents` (of `difference`) and answer some of `errors`, whose spans
/// refer to `files`; in the order of the intents, the surest first.
pub fn propagate(
    difference: &Difference,
    intents: &[Intent],
    errors: &[Diagnostic],
    files: &dyn Files,
) -> Vec<Propagation> {
    let project = Project::new(difference, errors, files);
    let errors = Errors::of(errors);
    let mut found = external::external(&project, &errors);
    found.extend(deprecated::deprecated(&project, &errors));
    let external = difference.libraries().iter();
    let external: Vec<Intent> =
        external.flat_map(|it| library::intents(it, errors.all, files)).collect();
    let all: Vec<Intent> = intents.iter().chain(&external).cloned().collect();
    found.extend(literals::literals(&project, &all, &errors));
    for intent in &all {
        let mut list = Vec::new();
        rename::rename(&project, intent, &errors, &mut list);
        family::family(&project, intent, &errors, &mut list);
        arguments::arguments(&project, intent, &all, &errors, &mut list);
        fields::fields(&project, intent, &errors, &mut list);
        types::types(&project, intent, &errors, &mut list);
        fallible::fallible(&project, intent, &errors, &mut list);
        fallible_callers::fallible_callers(&project, intent, &errors, &mut list);
        named_tuples::named_tuples(&project, intent, &errors, &mut list);
        siblings::siblings(&project, intent, &errors, &mut list);
        callable::callable(&project, intent, &errors, &mut list);
        constants::constants(&project, intent, &all, &errors, &mut list);
        members::members(&project, intent, &all, &errors, &mut list);
        derives::derives(&project, intent, &errors, &mut list);
        named_parts::named_parts(&project, intent, &all, &errors, &mut list);
        split::split(&project, intent, &all, &errors, &mut list);
        positions::positions(&project, intent, &errors, &mut list);
        removed_body::removed_body(&project, intent, &all, &errors, &mut list);
        removed_variant::removed_variant(&project, intent, &all, &errors, &mut list);
        list.retain(|it| !it.seeds.is_empty() && !it.splices.is_empty());
        found.extend(list);
    }
    found.extend(variants::variants(&project, &all, &errors));
    found.extend(imports::of_removed(&project, &all, &errors));
    found.extend(lost_modules::lost_modules(&project, &all, &errors));
    let doubled = imports::doubled(&project, &errors);
    found.extend((!doubled.seeds.is_empty()).then_some(doubled));
    found.extend(removed_impl::removed_impls(&project, &all, &errors));
    found.extend(moved_modules::moved_modules(&project, &errors));
    found.extend(relocated::relocated(&project, &all, &errors));
    found.extend(moved::moved(&project, &all, &errors));
    found.extend(locals::locals(&project, &all, &errors));
    found.extend(impl_heads::impl_heads(&project, &errors));
    found.extend(type_arguments::type_arguments(&project, &errors));
    found.extend(lifetimes::lifetimes(&project, &errors));
    found.extend(impl_generics::impl_generics(&project, &errors));
    found.extend(impl_members::impl_members(&project, &errors));
    found.extend(new_members::new_members(&project, &all, &errors));
    found.extend(usage::usage(&project, &errors));
    let examples = example::examples(&project, &errors);
    found.extend(substitutions::substitutions(&project, &errors, &examples));
    found.extend(examples);
    found.extend(lets::lets(&project, &errors));
    found.extend(removed_lets::removed_lets(&project, &errors));
    order(&mut found);
    found.sort_by_key(|it| it.confidence);
    found
}

/// The places that `intents` concern, that do not build, and that no rule changes: each has to be decided
/// by a person. By path and line.
pub fn unsettled(
    difference: &Difference,
    intents: &[Intent],
    errors: &[Diagnostic],
    files: &dyn Files,
) -> Vec<LeftBehind> {
    let project = Project::new(difference, errors, files);
    let errors = Errors::of(errors);
    let mut found = Vec::new();
    for intent in intents {
        fallible_callers::unsettled(&project, intent, &errors, &mut found);
        removed_variant::unsettled(&project, intent, &errors, &mut found);
    }
    found.sort_by(LeftBehind::cmp_place);
    found.dedup();
    found
}

/// Sorts the errors and splices of each change.
fn order(found: &mut [Propagation]) {
    for it in found {
        it.seeds.sort_unstable();
        it.seeds.dedup();
        it.splices.sort_by(|(a, x), (b, y)| (a, x.span).cmp(&(b, y.span)));
        it.splices.dedup();
    }
}

/// The errors, by index in the list of diagnostics.
pub(crate) struct Errors<'a> {
    all: &'a [Diagnostic],
    list: Vec<(usize, &'a Diagnostic)>,
}

/// One place that an error marks as its own.
pub(crate) struct Marked<'a> {
    pub(crate) seed: usize,
    pub(crate) error: &'a Diagnostic,
    pub(crate) path: &'a ProjectPath,
    pub(crate) span: base::ByteSpan,
}

impl Marked<'_> {
    /// Whether a variable, constant or static of that name is missing.
    pub(crate) fn misses_value(&self) -> bool {
        self.error.code.as_deref() == Some("E0425")
            && self.error.message.starts_with("cannot find value")
    }
}

impl<'a> Errors<'a> {
    fn of(diagnostics: &'a [Diagnostic]) -> Self {
        let list = diagnostics.iter().enumerate().filter(|(_, it)| it.is_error()).collect();
        Self { all: diagnostics, list }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &'a Diagnostic)> + '_ {
        self.list.iter().copied()
    }

    /// The primary spans of all errors that are in the project's own text.
    pub(crate) fn marked(&self) -> impl Iterator<Item = Marked<'a>> + '_ {
        self.iter().flat_map(|(seed, error)| {
            let own = error.spans.iter().filter(|it| it.primary);
            own.filter_map(move |it| {
                let it = outermost(it);
                Some(Marked { seed, error, path: it.place.project()?, span: it.bytes })
            })
        })
    }
}

/// A change without seeds and splices, to be filled.
pub(crate) fn propagation(reason: String, confidence: Confidence) -> Propagation {
    let (seeds, splices, guesses) = (Vec::new(), Vec::new(), Vec::new());
    Propagation { seeds, splices, reason, confidence, guesses }
}
