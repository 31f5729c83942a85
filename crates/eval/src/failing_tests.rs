//! Answers and grades the cases with failing tests: a published crate with one fault, by a program or
//! from the project's own history, that builds and fails tests. Laid out as those of set C.
//!
//! Several changes may pass the tests, and the product then applies none: each is compared with the
//! clean crate, in the product's order.

use std::time::Instant;

use base::{Ctx, SortedMap};

use crate::bench::GradingToolchain;
use crate::break_fix::{CaseDirs, CaseTrees, changed, squeezed};
use crate::cases::BreakFix;
use crate::layout::Package;
use crate::preserve::{MentionedNames, broken_promises};
use crate::result::yes;
use crate::{Answer, CaseResult, EvalError, Fixer, cpu, diff, patch};

/// Answers and grades one case.
pub(crate) fn run(
    ctx: &Ctx,
    bench: &GradingToolchain,
    fixer: &dyn Fixer,
    place: &CaseDirs,
    (case, origin): (&BreakFix, &str),
) -> Result<CaseResult, EvalError> {
    let laid = place.lay_out(case)?;
    let (started, cpu_before) = (Instant::now(), cpu::spent());
    let answer = fixer.fix_tests(ctx, &place.root);
    ctx.check_cancelled()?;
    let spent = cpu::spent().zip(cpu_before).map(|(after, before)| after.saturating_sub(before));
    let product_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let groups =
        vec![case.class.clone(), format!("origin={origin}"), format!("crate={}", case.krate)];
    let mut result = CaseResult::answered(&case.id, groups, &answer, product_ms);
    let after = laid.broken.reread(&place.root)?;
    let is_applied = after.texts != laid.broken.texts;
    let plausible = match is_applied {
        true => vec![after.clone()],
        false => plausible(&laid.broken, &answer),
    };
    result.metrics = metrics(&laid, &plausible, is_applied);
    if let Some(spent) = spent {
        result.metric("cpu_s", spent.as_secs_f64());
    }
    result.metric("candidates", answer.candidates as f64);
    if is_applied {
        place.forget(case)?;
        let tested = bench.test(ctx, &place.root, &place.target)?;
        result.metric("applied_green", yes(tested.green));
        result.grading_cpu_ms = u64::try_from(tested.cpu.as_millis()).unwrap_or(u64::MAX);
        let (before, after) = changed(&laid.broken, &after);
        result.broken = broken_promises(&before, &after, &MentionedNames::default(), true);
        result.metric("violations", yes(!result.broken.is_empty()));
    }
    result.diff = match plausible.first() {
        Some(first) => diff::between(&laid.broken.sources(), &first.sources()).unified_diff(),
        None => String::new(),
    };
    Ok(result)
}

/// The trees of the changes of which the user has to choose one.
fn plausible(broken: &Package, answer: &Answer) -> Vec<Package> {
    let tree = |choice: &String| {
        let mut package = broken.clone();
        patch::apply(&mut package.texts, choice, false).ok()?;
        Some(package)
    };
    answer.choices.iter().filter_map(tree).collect()
}

fn metrics(laid: &CaseTrees, plausible: &[Package], is_applied: bool) -> SortedMap<String, f64> {
    let clean = squeezed(&laid.clean);
    let exact = plausible.iter().position(|it| squeezed(it) == clean);
    let mut metrics = SortedMap::new();
    let mut put = |name: &str, value: f64| {
        metrics.insert(name.to_owned(), value);
    };
    put("plausible", yes(!plausible.is_empty()));
    put("exact_first", yes(exact == Some(0)));
    put("exact_shown", yes(exact.is_some()));
    put("applied", yes(is_applied));
    if is_applied {
        put("applied_exact", yes(exact.is_some()));
    }
    if !plausible.is_empty() {
        put("choices", plausible.len() as f64);
    }
    metrics
}
