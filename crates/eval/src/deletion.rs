//! The deletion-only baseline: deletes what the first error marks (the marked text, its line, the
//! statement or item around it) until the code compiles or a dozen compiler runs are used up. It is
//! no part of the product; its score is reported beside the product's, to show what "compiles" is
//! worth without preservation.

use base::{Diagnostic, LineIndex};

use crate::EvalError;
use crate::bench::Compiled;
use crate::preserve::{TextsByPath, enclosing};

/// Maximum number of compiler runs per case.
const COMPILES: usize = 12;

/// Deletes until `compile` succeeds. Returns the resulting files, and whether they build.
pub(crate) fn delete(
    files: &TextsByPath,
    compile: &mut dyn FnMut(&TextsByPath) -> Result<Compiled, EvalError>,
) -> Result<(TextsByPath, bool), EvalError> {
    let mut now = files.clone();
    let mut compiled = compile(&now)?;
    let mut used = 1;
    while !compiled.built && used < COMPILES {
        let Some(first) = compiled.errors().find(|error| place(error, &now).is_some()).cloned()
        else {
            break;
        };
        let before = compiled.errors().count();
        let mut best: Option<(usize, TextsByPath, Compiled)> = None;
        for candidate in candidates(&first, &now) {
            if used >= COMPILES {
                break;
            }
            let answer = compile(&candidate)?;
            used += 1;
            let errors = if answer.built { 0 } else { answer.errors().count().max(1) };
            // The smallest deletion that helps; if none does, the largest, to make progress.
            let better = |fewest: usize| errors < fewest || (errors == fewest && errors >= before);
            if best.as_ref().is_none_or(|(fewest, _, _)| better(*fewest)) {
                best = Some((errors, candidate, answer));
            }
            if errors == 0 {
                break;
            }
        }
        let Some((_, candidate, answer)) = best else { break };
        now = candidate;
        compiled = answer;
    }
    Ok((now, compiled.built))
}

/// File and byte range of an error.
fn place(error: &Diagnostic, files: &TextsByPath) -> Option<(String, usize, usize)> {
    let span = error.user_span()?;
    let path = span.place.project()?.as_str().to_owned();
    let text = files.get(&path)?;
    span.bytes.slice(text)?;
    Some((path, span.bytes.start, span.bytes.end))
}

fn candidates(error: &Diagnostic, files: &TextsByPath) -> Vec<TextsByPath> {
    let Some((path, start, end)) = place(error, files) else { return Vec::new() };
    let Some(text) = files.get(&path) else { return Vec::new() };
    let index = LineIndex::new(text);
    let lines = {
        let first = index.line_span(index.line_of(start)).map_or(start, |line| line.start);
        let last = index.line_span(index.line_of(end.saturating_sub(1).max(start)));
        first..last.map_or(end, |line| line.end)
    };
    let mut cuts = vec![start..end, lines];
    cuts.extend((0..3).filter_map(|level| enclosing(text, start, level)));
    cuts.retain(|cut| !cut.is_empty() && text.get(cut.clone()).is_some());
    cuts.dedup();
    cuts.into_iter()
        .map(|cut| {
            let mut files = files.clone();
            let kept = format!("{}{}", &text[..cut.start], &text[cut.end..]);
            files.insert(path.clone(), kept);
            files
        })
        .collect()
}
