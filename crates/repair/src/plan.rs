//! Decides which fixes of one text are combined, and in which order the combinations are tried.
//! Start at [`plan`]; `search` makes and checks the candidates.

use base::{Applicability, Diagnostic, ProjectPath, SortedMap};
use edit::Splice;

use crate::Fix;
use crate::phase::{Phase, errors, phase_of};

/// Maximum number of combinations planned per text.
const MAX_PLANS: usize = 64;
/// Maximum number of alternatives per error that are combined with those of other errors.
const ALTERNATIVES: usize = 6;

/// Combinations of `fixes` (indices) that may fix the errors of one text, the most promising first.
/// Fixes of warnings take no part: a warning is no reason to change code.
///
/// For one error: each alternative by itself. For several: the machine-applicable fix of each, then
/// the first choice of each, then one kind of advice at a time, then the second choices and so on,
/// and finally each fix alone, those that answer most errors first. Fixes of what the errors come from
/// ([`Fix::is_of_cause`]) are tried without the others first: the other errors may follow from it; those in
/// code before those in a manifest too. The others
/// without them are tried once all of them pass ([`Plan::is_remainder`]).
pub(crate) fn plan(diagnostics: &[Diagnostic], fixes: &[Fix], draft: &[bool]) -> Vec<Plan> {
    let mut by_error: SortedMap<usize, Vec<usize>> =
        errors(diagnostics).map(|(idx, _)| (idx, Vec::new())).collect();
    for (idx, fix) in fixes.iter().enumerate() {
        if let Some(list) = by_error.get_mut(&fix.seed) {
            list.push(idx);
        }
    }
    let error_count = by_error.len();
    by_error.retain(|_, list| !list.is_empty());
    for list in by_error.values_mut() {
        let finishes = |fix: &Fix| {
            fix.reasoner == crate::in_progress::NAME
                && fix.applicability != Applicability::Unspecified
        };
        list.sort_by_key(|idx| {
            let fix = &fixes[*idx];
            (draft[*idx], !finishes(fix), fix.applicability)
        });
    }
    let mut plans = Plans { fixes, list: Vec::new() };
    if error_count > 1 {
        plans.add(syntax_first(diagnostics, &by_error, draft));
        let sure = by_error
            .values()
            .filter_map(|list| {
                list.iter().copied().find(|idx| {
                    fixes[*idx].applicability == Applicability::MachineApplicable && !draft[*idx]
                })
            })
            .collect();
        plans.add(sure);
        let nth = |n: usize| -> Vec<usize> {
            by_error.values().filter_map(|list| list.get(n).or(list.first()).copied()).collect()
        };
        plans.add(nth(0).into_iter().filter(|idx| !draft[*idx]).collect());
        for kind in kinds(diagnostics, fixes, &by_error) {
            plans.add(kind);
        }
        plans.add(nth(0));
        let longest = by_error.values().map(Vec::len).max().unwrap_or(0);
        for n in 1..longest.min(ALTERNATIVES) {
            plans.add(nth(n));
        }
    }
    for single in singles(fixes, &by_error, draft) {
        plans.add(vec![single]);
    }
    // Suggestions of one error may be steps of one fix rather than alternatives.
    for list in by_error.values().filter(|list| list.len() > 1) {
        plans.add(list.clone());
    }
    plans.list.truncate(MAX_PLANS);
    plans.list
}

/// The first choice of each syntax error, where there are other errors too: those may only follow
/// from what the compiler skipped.
fn syntax_first(
    diagnostics: &[Diagnostic],
    by_error: &SortedMap<usize, Vec<usize>>,
    draft: &[bool],
) -> Vec<usize> {
    let is_syntax =
        |error: usize| phase_of(std::slice::from_ref(&diagnostics[error])) == Phase::Parse;
    if errors(diagnostics).all(|(error, _)| is_syntax(error)) {
        return Vec::new();
    }
    let of_syntax = by_error.iter().filter(|(error, _)| is_syntax(**error));
    of_syntax.filter_map(|(_, list)| list.iter().copied().find(|idx| !draft[*idx])).collect()
}

/// One combination of fixes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    /// Indices of the fixes.
    pub(crate) fixes: Vec<usize>,
    /// Whether it is what another combination has besides fixes of causes.
    pub(crate) is_remainder: bool,
}

struct Plans<'a> {
    fixes: &'a [Fix],
    list: Vec<Plan>,
}

impl Plans<'_> {
    fn add(&mut self, plan: Vec<usize>) {
        let (of_cause, rest): (Vec<usize>, Vec<usize>) =
            plan.iter().copied().partition(|idx| self.fixes[*idx].is_of_cause());
        let is_mixed = !of_cause.is_empty();
        // A derive may be all that is needed, and a manifest that changes is a cost.
        let is_manifest = |(path, _): &(ProjectPath, Splice)| path.file_name() == "Cargo.toml";
        let in_code = of_cause.iter().copied();
        let in_code = in_code.filter(|it| !self.fixes[*it].splices.iter().any(is_manifest));
        self.push(in_code.collect(), false);
        self.push(of_cause, false);
        self.push(plan, false);
        if is_mixed {
            self.push(rest, true);
        }
    }

    fn push(&mut self, fixes: Vec<usize>, is_remainder: bool) {
        if !fixes.is_empty() && self.list.iter().all(|it| it.fixes != fixes) {
            self.list.push(Plan { fixes, is_remainder });
        }
    }
}

/// For each kind of advice that several errors have: it where it exists with the first choice for
/// the rest, and it alone.
fn kinds(
    diagnostics: &[Diagnostic],
    fixes: &[Fix],
    by_error: &SortedMap<usize, Vec<usize>>,
) -> Vec<Vec<usize>> {
    let mut order: Vec<String> = Vec::new();
    let mut members: SortedMap<String, SortedMap<usize, usize>> = SortedMap::new();
    for (error, list) in by_error {
        for idx in list {
            let code = diagnostics[*error].code.as_deref().unwrap_or("");
            let kind = format!("{code} {}", kind_of(&fixes[*idx].rationale));
            if !order.contains(&kind) {
                order.push(kind.clone());
            }
            members.entry(kind).or_default().entry(*error).or_insert(*idx);
        }
    }
    order.sort_by_key(|kind| std::cmp::Reverse(members[kind].len()));
    order
        .iter()
        .map(|kind| &members[kind])
        .filter(|of_kind| of_kind.len() > 1)
        .flat_map(|of_kind| {
            let mixed = by_error
                .iter()
                .filter_map(|(error, list)| of_kind.get(error).or(list.first()).copied())
                .collect();
            [mixed, of_kind.values().copied().collect()]
        })
        .collect()
}

/// The advice without quoted names: `consider borrowing here: ` for any variable.
fn kind_of(rationale: &str) -> String {
    rationale.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// Each distinct fix once: sound before draft, those that answer more errors first, then by
/// applicability, then in the order of the errors.
fn singles(fixes: &[Fix], by_error: &SortedMap<usize, Vec<usize>>, draft: &[bool]) -> Vec<usize> {
    let mut distinct: Vec<(usize, usize)> = Vec::new();
    for idx in by_error.values().flatten() {
        match distinct.iter_mut().find(|(it, _)| fixes[*it].splices == fixes[*idx].splices) {
            Some((_, answered)) => *answered += 1,
            None => distinct.push((*idx, 1)),
        }
    }
    distinct.sort_by_key(|(idx, answered)| {
        (draft[*idx], std::cmp::Reverse(*answered), fixes[*idx].applicability)
    });
    distinct.into_iter().map(|(idx, _)| idx).collect()
}
