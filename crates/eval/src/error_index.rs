//! Set E: the compiler's own examples of broken code.

use std::path::Path;
use std::time::{Duration, Instant};

use base::{Ctx, SortedMap};

use crate::bench::{GradingToolchain, has_main};
use crate::cases::ErrorIndex;
use crate::preserve::{MentionedNames, TextsByPath, bare, broken_promises};
use crate::result::yes;
use crate::{CaseResult, Deleted, EvalError, Fixer, deletion, diff, layout, patch};

/// Path of the source in grading, whatever it is called in the package.
const FILE: &str = "case.rs";

/// Answers and grades one case in the folder `root`.
pub(crate) fn run(
    ctx: &Ctx,
    bench: &GradingToolchain,
    fixer: &dyn Fixer,
    root: &Path,
    case: &ErrorIndex,
) -> Result<CaseResult, EvalError> {
    let is_program = has_main(&case.src);
    let package = layout::example(&case.src, &case.edition, is_program);
    package.write(root)?;
    let started = Instant::now();
    let answer = fixer.fix(ctx, root);
    ctx.check_cancelled()?;
    let product_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut result = CaseResult::answered(&case.id, vec![case.code.clone()], &answer, product_ms);

    let source = if is_program { "src/main.rs" } else { "src/lib.rs" };
    let mut after = package.reread(root)?.texts;
    let accepted = after.get(source).map(String::as_str) != Some(&case.src);
    if let (false, Some(diff)) = (accepted, &answer.draft)
        && let Err(error) = patch::apply(&mut after, diff, false)
    {
        result.reason = Some(format!("the draft's diff does not apply: {error}"));
    }
    let text = after.remove(source).unwrap_or_default();
    let mut cpu = Duration::ZERO;
    let compiles = if text == case.src {
        false
    } else {
        let compiled = bench.rustc(ctx, &text, &case.edition)?;
        cpu += compiled.cpu;
        compiled.built
    };
    if compiles {
        let broken = bench.rustc(ctx, &case.src, &case.edition)?;
        cpu += broken.cpu;
        result.broken = broken_promises(
            &one(&case.src),
            &one(&text),
            &MentionedNames::of(broken.errors(), &one(&case.src)),
            false,
        );
    }
    result.diff = diff::between(&one(&case.src), &one(&text)).unified_diff();
    let preserves = result.broken.is_empty();
    result.metric("preserving", yes(compiles && accepted && preserves));
    result.metric("draft", yes(compiles && !accepted));
    result.metric("compiles", yes(compiles));
    result.metric("documented", yes(compiles && is_documented(case, &text)));
    result.metric("violations", yes(compiles && accepted && !preserves));
    result.grading_cpu_ms = u64::try_from(cpu.as_millis()).unwrap_or(u64::MAX);
    Ok(result)
}

/// Grades the deletion-only baseline.
pub(crate) fn run_deletion(
    ctx: &Ctx,
    bench: &GradingToolchain,
    case: &ErrorIndex,
) -> Result<Deleted, EvalError> {
    let before = one(&case.src);
    let mut first = None;
    let (after, compiles) = deletion::delete(&before, &mut |files| {
        let text = files.get(FILE).map_or("", String::as_str);
        let compiled = bench.rustc(ctx, text, &case.edition)?;
        first.get_or_insert_with(|| MentionedNames::of(compiled.errors(), &before));
        Ok(compiled)
    })?;
    let named = first.unwrap_or_default();
    let broken =
        if compiles { broken_promises(&before, &after, &named, false) } else { Vec::new() };
    let preserves = compiles && broken.is_empty();
    let diff = diff::between(&before, &after).unified_diff();
    let text = after.get(FILE).map_or("", String::as_str);
    let metrics = SortedMap::from([
        ("compiles".to_owned(), yes(compiles)),
        ("preserving".to_owned(), yes(preserves)),
        ("documented".to_owned(), yes(compiles && is_documented(case, text))),
        ("violations".to_owned(), yes(compiles && !preserves)),
    ]);
    Ok(Deleted { metrics, broken, diff })
}

fn one(text: &str) -> TextsByPath {
    SortedMap::from([(FILE.to_owned(), text.to_owned())])
}

fn is_documented(case: &ErrorIndex, text: &str) -> bool {
    let bare = bare(text);
    case.fixed_norm.contains(&bare)
}
