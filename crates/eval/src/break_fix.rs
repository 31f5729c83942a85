//! Answers and grades the cases of set C: a published crate, broken in one place, must build and
//! pass its tests again.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use base::{Ctx, SortedMap};

use crate::bench::GradingToolchain;
use crate::cases::{BreakFix, Breaks};
use crate::layout::Package;
use crate::preserve::{Broken, MentionedNames, TextsByPath, broken_promises};
use crate::result::yes;
use crate::{CaseResult, Deleted, EvalError, Fixer, deletion, diff, layout, patch};

/// The folders in which one crate's cases are created and graded. All cases of a crate use the same
/// paths in turn, so that its dependencies are built once.
#[derive(Clone, Debug)]
pub(crate) struct CaseDirs {
    /// Published sources.
    pub(crate) sources: PathBuf,
    /// `locks` folder of the suite.
    pub(crate) locks: PathBuf,
    /// Folder of the package.
    pub(crate) root: PathBuf,
    /// Target directory of the graders.
    pub(crate) target: PathBuf,
}

/// A case before and after the break.
pub(crate) struct CaseTrees {
    pub(crate) clean: Package,
    pub(crate) broken: Package,
}

impl CaseDirs {
    pub(crate) fn lay_out(&self, case: &BreakFix) -> Result<CaseTrees, EvalError> {
        let clean = layout::published(&self.sources, case, &self.locks)?;
        let mut broken = clean.clone();
        patch::apply(&mut broken.texts, &case.patch, false).map_err(|fault| EvalError::Layout {
            id: case.id.clone(),
            reason: fault.to_string(),
        })?;
        broken.write(&self.root)?;
        std::fs::create_dir_all(&self.target)
            .map_err(|error| EvalError::io(&self.target, &error))?;
        Ok(CaseTrees { clean, broken })
    }

    /// Removes what cargo built of the crate itself, so that no grade depends on file times;
    /// dependencies stay built.
    pub(crate) fn forget(&self, case: &BreakFix) -> Result<(), EvalError> {
        let folder = self.target.join("debug").join(".fingerprint");
        let Ok(entries) = std::fs::read_dir(&folder) else { return Ok(()) };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let own = name.to_string_lossy();
            let stem = own.rsplit_once('-').map_or(&*own, |(stem, _)| stem);
            if stem == case.krate {
                std::fs::remove_dir_all(entry.path())
                    .map_err(|error| EvalError::io(&entry.path(), &error))?;
            }
        }
        Ok(())
    }
}

/// The groups of a case.
fn groups(case: &BreakFix) -> Vec<String> {
    let breaks = match case.breaks {
        Breaks::Compile => "breaks=compile",
        Breaks::Test => "breaks=test",
    };
    vec![case.class.clone(), breaks.to_owned(), format!("crate={}", case.krate)]
}

/// Answers and grades one case.
pub(crate) fn run(
    ctx: &Ctx,
    bench: &GradingToolchain,
    fixer: &dyn Fixer,
    place: &CaseDirs,
    case: &BreakFix,
) -> Result<CaseResult, EvalError> {
    let laid = place.lay_out(case)?;
    let started = Instant::now();
    let answer = fixer.fix(ctx, &place.root);
    ctx.check_cancelled()?;
    let product_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut result = CaseResult::answered(&case.id, groups(case), &answer, product_ms);
    let after = laid.broken.reread(&place.root)?;
    let named = || -> Result<(MentionedNames, Duration), EvalError> {
        laid.broken.write(&place.root)?;
        place.forget(case)?;
        let compiled = bench.check(ctx, &place.root, &place.target)?;
        Ok((MentionedNames::of(compiled.errors(), &laid.broken.sources()), compiled.cpu))
    };
    let graded = grade(ctx, bench, place, case, &laid, &after, named)?;
    result.metrics = graded.metrics;
    result.broken = graded.broken;
    result.diff = diff::between(&laid.broken.sources(), &after.sources()).unified_diff();
    result.grading_cpu_ms = u64::try_from(graded.cpu.as_millis()).unwrap_or(u64::MAX);
    Ok(result)
}

/// Grades the deletion-only baseline.
pub(crate) fn run_deletion(
    ctx: &Ctx,
    bench: &GradingToolchain,
    place: &CaseDirs,
    case: &BreakFix,
) -> Result<Deleted, EvalError> {
    let laid = place.lay_out(case)?;
    let before = laid.broken.sources();
    let mut first = None;
    let with = |files: &TextsByPath| {
        let mut package = laid.broken.clone();
        package.texts.extend(files.clone());
        package
    };
    let (after, _) = deletion::delete(&before, &mut |files| {
        with(files).write(&place.root)?;
        place.forget(case)?;
        let compiled = bench.check(ctx, &place.root, &place.target)?;
        first.get_or_insert_with(|| MentionedNames::of(compiled.errors(), &before));
        Ok(compiled)
    })?;
    let named = first.unwrap_or_default();
    let diff = diff::between(&before, &after).unified_diff();
    let after = with(&after);
    let graded = grade(ctx, bench, place, case, &laid, &after, || Ok((named, Duration::ZERO)))?;
    Ok(Deleted { metrics: graded.metrics, broken: graded.broken, diff })
}

struct Graded {
    metrics: SortedMap<String, f64>,
    broken: Vec<Broken>,
    cpu: Duration,
}

/// Measures the tree `after`: whether it builds, whether its tests pass, and the cost. `named` gets
/// the compiler's errors for the broken tree if they are needed.
fn grade(
    ctx: &Ctx,
    bench: &GradingToolchain,
    place: &CaseDirs,
    case: &BreakFix,
    laid: &CaseTrees,
    after: &Package,
    named: impl FnOnce() -> Result<(MentionedNames, Duration), EvalError>,
) -> Result<Graded, EvalError> {
    let mut metrics = SortedMap::new();
    let mut broken = Vec::new();
    let mut cpu = Duration::ZERO;
    let (build, mut green);
    if after.texts == laid.broken.texts {
        // Nothing was changed: the suite has recorded the state of a broken tree.
        build = case.breaks == Breaks::Test;
        green = false;
    } else {
        let (mentioned, spent) = named()?;
        cpu += spent;
        after.write(&place.root)?;
        place.forget(case)?;
        let compiled = bench.check(ctx, &place.root, &place.target)?;
        cpu += compiled.cpu;
        build = compiled.built;
        green = build;
        if build && case.has_tests {
            let tested = bench.test(ctx, &place.root, &place.target)?;
            cpu += tested.cpu;
            green = tested.green;
        }
        let (before, after) = changed(&laid.broken, after);
        broken = broken_promises(&before, &after, &mentioned, true);
        if build {
            let answer = size(&laid.broken, &with_texts(&laid.broken, &after));
            let gold = size(&laid.broken, &laid.clean);
            metrics.insert("diff_ratio".to_owned(), answer as f64 / gold.max(1) as f64);
        }
    }
    let exact = build && squeezed(after) == squeezed(&laid.clean);
    // If only tests are broken, a successful build means nothing.
    if case.breaks == Breaks::Compile {
        metrics.insert("build".to_owned(), yes(build));
    }
    metrics.insert("green".to_owned(), yes(green));
    metrics.insert("pass".to_owned(), yes(green && broken.is_empty()));
    metrics.insert("exact".to_owned(), yes(exact));
    metrics.insert("violations".to_owned(), yes(build && !broken.is_empty()));
    Ok(Graded { metrics, broken, cpu })
}

/// The Rust sources that differ, before and after.
pub(crate) fn changed(before: &Package, after: &Package) -> (TextsByPath, TextsByPath) {
    let (mut before, mut after) = (before.sources(), after.sources());
    let same: Vec<String> = before
        .iter()
        .filter(|(path, text)| after.get(*path) == Some(text))
        .map(|(path, _)| path.clone())
        .collect();
    for path in same {
        before.remove(&path);
        after.remove(&path);
    }
    (before, after)
}

fn with_texts(package: &Package, texts: &TextsByPath) -> Package {
    let mut package = package.clone();
    package.texts.extend(texts.clone());
    package
}

/// Number of added and removed lines between two packages.
fn size(from: &Package, to: &Package) -> usize {
    let stat = diff::between(&from.sources(), &to.sources()).stat();
    stat.added + stat.removed
}

/// The sources without any white space.
pub(crate) fn squeezed(package: &Package) -> TextsByPath {
    package
        .sources()
        .into_iter()
        .map(|(path, text)| (path, text.chars().filter(|c| !c.is_whitespace()).collect()))
        .collect()
}
