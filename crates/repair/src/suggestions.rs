use std::collections::BTreeMap;
use std::sync::Arc;

use base::{Diagnostic, ProjectPath, Replacement};
use edit::{Files, Splice};

use crate::no_std::{WithoutStd, declares_module};
use crate::{Fix, Reasoner};

/// rustc's and clippy's own suggestions: every applicability, alternatives split.
///
/// The compiler's JSON lists the replacements of all alternatives of one suggestion in one row,
/// alternative by alternative. Taken together they contradict each other, so the row is cut where
/// a place comes up that is taken already.
///
/// What a macro or a desugaring made is proposed where its bytes are the project's own, but as
/// the least certain: the place may be right and the text still another's.
///
/// Where a crate can be built without `std`, the compiler that built it with `std` still offers
/// `std::` paths. The same change with `core::` or `alloc::` comes before them, and they are as
/// good as guesses: they hold in the build that was looked at alone.
pub struct CompilerSuggestions;

impl Reasoner for CompilerSuggestions {
    fn name(&self) -> &'static str {
        "compiler"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut texts = Texts { files, read: BTreeMap::new(), without_std: BTreeMap::new() };
        let mut fixes: Vec<Fix> = Vec::new();
        for (seed, diagnostic) in diagnostics.iter().enumerate() {
            let first_of_seed = fixes.len();
            for child in &diagnostic.children {
                for alternative in split_alternatives(&child.replacements) {
                    let Some(splices) = texts.splices(alternative) else { continue };
                    let rationale = if child.message.trim().is_empty() {
                        &diagnostic.message
                    } else {
                        &child.message
                    };
                    let mut fix = Fix {
                        splices,
                        rationale: rationale.clone(),
                        applicability: weakest(alternative),
                        reasoner: self.name(),
                        seed,
                    };
                    let portable = texts.without_std(&fix);
                    if portable.is_some() {
                        fix.applicability = base::Applicability::Unspecified;
                    }
                    let narrower = narrower_visibility(&fix);
                    for fix in portable.into_iter().chain(narrower).chain([fix]) {
                        if !fixes[first_of_seed..].iter().any(|it| it.splices == fix.splices) {
                            fixes.push(fix);
                        }
                    }
                }
            }
            let of_seed = &mut fixes[first_of_seed..];
            texts.demote_detours(of_seed);
            of_seed.sort_by_key(|fix| fix.applicability);
        }
        fixes
    }
}

/// `fmt` of `use crate::fmt;`: what is imported, from where.
fn import(fix: &Fix) -> Option<(&ProjectPath, &str, &str)> {
    let [(path, splice)] = fix.splices.as_slice() else { return None };
    let imported = splice.insert.trim().strip_prefix("use ")?.strip_suffix(';')?;
    let (from, name) = imported.split_once("::").filter(|(_, name)| !name.contains(':'))?;
    Some((path, from, name))
}

/// Cuts the row of replacements into alternatives, the likelier reading first.
///
/// A replacement surely opens a new alternative when its place meets one that is taken already.
/// Where it merely lies before the last one the row can be read either way – the compiler sorts
/// the parts of most suggestions, not of all –: first as one, then cut there as well.
pub(crate) fn split_alternatives(replacements: &[Replacement]) -> Vec<&[Replacement]> {
    let mut alternatives = Vec::new();
    for group in cut(replacements, |taken, new| taken.iter().any(|old| meets(old, new))) {
        alternatives.push(group);
        let finer = cut(group, |taken, new| {
            taken
                .last()
                .is_some_and(|old| old.place == new.place && new.bytes.start < old.bytes.start)
        });
        if finer.len() > 1 {
            alternatives.extend(finer);
        }
    }
    alternatives
}

/// Whether two replacements cannot be parts of one change.
fn meets(old: &Replacement, new: &Replacement) -> bool {
    old.applicability != new.applicability
        || (old.place == new.place && (old.bytes.overlaps(new.bytes) || old.bytes == new.bytes))
}

fn cut(
    row: &[Replacement],
    opens: impl Fn(&[Replacement], &Replacement) -> bool,
) -> Vec<&[Replacement]> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (idx, new) in row.iter().enumerate().skip(1) {
        if opens(&row[start..idx], new) {
            parts.push(&row[start..idx]);
            start = idx;
        }
    }
    if start < row.len() {
        parts.push(&row[start..]);
    }
    parts
}

fn weakest(alternative: &[Replacement]) -> base::Applicability {
    alternative.iter().map(|it| it.applicability).max().unwrap_or(base::Applicability::Unspecified)
}

/// Where the compiler offers `pub`, less may do: the same fix with `pub(crate)`.
fn narrower_visibility(fix: &Fix) -> Option<Fix> {
    let widens = |text: &str| text.trim() == "pub";
    if !fix.splices.iter().any(|(_, splice)| widens(&splice.insert)) {
        return None;
    }
    let mut narrower = fix.clone();
    for (_, splice) in &mut narrower.splices {
        if widens(&splice.insert) {
            splice.insert = splice.insert.replacen("pub", "pub(crate)", 1);
        }
    }
    narrower.rationale.push_str(" (inside the crate)");
    Some(narrower)
}

/// The texts that splices are placed in, each read once.
struct Texts<'a> {
    files: &'a dyn Files,
    read: BTreeMap<ProjectPath, Option<Arc<str>>>,
    without_std: BTreeMap<ProjectPath, Option<WithoutStd>>,
}

impl Texts<'_> {
    fn text(&mut self, path: &ProjectPath) -> Option<Arc<str>> {
        if let Some(text) = self.read.get(path) {
            return text.clone();
        }
        // A file that is gone or unreadable takes no fix; the proof names the trouble.
        let text = self.files.read(path).ok().flatten().map(|state| state.text);
        self.read.insert(path.clone(), text.clone());
        text
    }

    /// The same fix with `core::` and `alloc::` for `std::`, where the crate can do without `std`
    /// and the fix too.
    fn without_std(&mut self, fix: &Fix) -> Option<Fix> {
        let mut portable = fix.clone();
        let mut changed = false;
        for (path, splice) in &mut portable.splices {
            if !splice.insert.contains("std") {
                continue;
            }
            let files = self.files;
            let crate_of = self.without_std.entry(path.clone());
            let of = (*crate_of.or_insert_with(|| WithoutStd::of(path, files)))?;
            if let Some(text) = of.rewrite(&splice.insert) {
                splice.insert = text;
                changed = true;
            }
        }
        changed.then_some(portable)
    }

    /// `use crate::fmt;` beside `use core::fmt;` is a detour over what the root imports itself,
    /// unless it declares a module of that name: then it comes last, as a guess.
    fn demote_detours(&self, fixes: &mut [Fix]) {
        let detours: Vec<usize> = (0..fixes.len())
            .filter(|idx| {
                let Some((path, "crate", name)) = import(&fixes[*idx]) else { return false };
                let is_direct = |fix: &Fix| {
                    import(fix).is_some_and(|(_, from, other)| {
                        other == name && matches!(from, "core" | "alloc" | "std")
                    })
                };
                fixes.iter().any(is_direct) && !declares_module(path, name, self.files)
            })
            .collect();
        for idx in detours.into_iter().rev() {
            fixes[idx].applicability = base::Applicability::Unspecified;
            fixes[idx..].rotate_left(1);
        }
    }

    /// The alternative as splices; `None` when a part of it lies in a foreign file or does
    /// not fit the text, or when nothing would change.
    fn splices(&mut self, alternative: &[Replacement]) -> Option<Vec<(ProjectPath, Splice)>> {
        let mut splices = Vec::with_capacity(alternative.len());
        for replacement in alternative {
            let path = replacement.place.project()?;
            let text = self.text(path)?;
            let old = replacement.bytes.slice(&text)?;
            // The compiler writes `\n`; a file keeps its own line endings.
            let insert = if replacement.text.contains('\n') && is_crlf(&text) {
                replacement.text.replace("\r\n", "\n").replace('\n', "\r\n")
            } else {
                replacement.text.clone()
            };
            if old != insert {
                splices.push((path.clone(), Splice { span: replacement.bytes, insert }));
            }
        }
        splices.sort_by(|(a, x), (b, y)| a.cmp(b).then(x.span.cmp(&y.span)));
        (!splices.is_empty()).then_some(splices)
    }
}

fn is_crlf(text: &str) -> bool {
    text.find('\n').is_some_and(|at| at > 0 && text.as_bytes()[at - 1] == b'\r')
}
