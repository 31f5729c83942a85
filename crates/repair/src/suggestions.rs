//! Reasoner: the suggestions of rustc and clippy, with alternatives separated. Start at
//! [`CompilerSuggestions`].

use std::sync::Arc;

use base::{Diagnostic, ProjectPath, Replacement, SortedMap, SubDiagnostic};
use change::{Guess, GuessKind};
use edit::{Files, Splice};
use preserve::outline::{Token, TokenKind, tokens};
use syntax::places::places;

use crate::derive_lists::{above_helpers, in_existing_derive, one_each};
use crate::failure::unwraps_literal;
use crate::fix::text_of;
use crate::lifetimes::{self, ADVICE};
use crate::no_std::{WithoutStd, declares_module};
use crate::shorter::{existing_form, shorter};
use crate::{Fix, Reasoner};

/// Words of the compiler about an attribute of a derive macro, between the names of both.
pub(crate) const HELPER: &str = "is an attribute that can be used by the derive macro";

/// Suggestions of rustc and clippy, of every applicability, with alternatives separated.
///
/// The compiler's JSON has the replacements of all alternatives in one list. They contradict each
/// other, so the list is cut where a span occurs that is already used.
///
/// A suggestion in code from a macro or a desugaring is proposed if its bytes are in the project,
/// but as the least certain: the span may be right and the text not.
///
/// In a crate that also builds without `std`, the compiler still suggests `std::` paths. The same
/// change with `core::` or `alloc::` comes first, and both count as guesses, since only one of the
/// two builds is checked. A variable with a similar name is a guess if the function has others that
/// are as similar.
pub struct CompilerSuggestions;

impl Reasoner for CompilerSuggestions {
    fn name(&self) -> &'static str {
        "compiler"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut texts = Texts { files, read: SortedMap::new(), without_std: SortedMap::new() };
        let mut fixes: Vec<Fix> = Vec::new();
        for (seed, diagnostic) in diagnostics.iter().enumerate() {
            let first_of_seed = fixes.len();
            let narrowed = lifetimes::narrows(diagnostic, files);
            let is_narrowed = |it: &&SubDiagnostic| narrowed && it.message.starts_with(ADVICE);
            // Callers may pass what is not `Sized`, of another crate as well.
            let is_loss = |it: &&SubDiagnostic| it.message.contains("removing the `?Sized` bound");
            let children = diagnostic.children.iter().filter(|it| !is_narrowed(it) && !is_loss(it));
            for child in children {
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
                        guesses: Vec::new(),
                    };
                    texts.above_helpers(&mut fix);
                    if let Some(each) = texts.one_derive_each(&fix) {
                        fixes.extend(each);
                        continue;
                    }
                    texts.join_derive(&mut fix);
                    fix.guesses = texts.one_of_several(&fix).into_iter().collect();
                    let portable = texts.without_std(&fix);
                    if portable.is_some() {
                        fix.applicability = base::Applicability::Unspecified;
                    }
                    let narrower = narrower_visibility(&fix);
                    let short = texts.shorter(&fix);
                    if let Some(fix) = texts.existing_form(&fix, diagnostic) {
                        fixes.push(fix);
                        continue;
                    }
                    let others = portable.into_iter().chain(narrower).chain(short);
                    for fix in others.chain([fix]) {
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

/// The file of an inserted import, its crate, and the path below: `crate` and `fmt` of `use crate::fmt;`.
fn import(fix: &Fix) -> Option<(&ProjectPath, &str, &str)> {
    let [(path, splice)] = fix.splices.as_slice() else { return None };
    let imported = splice.insert.trim().strip_prefix("use ")?.strip_suffix(';')?;
    let (from, below) = imported.split_once("::")?;
    Some((path, from, below))
}

/// Cuts a list of replacements into alternatives, the likelier reading first.
///
/// A replacement that overlaps an earlier one begins a new alternative. One that is only before the
/// last one is ambiguous, since the compiler sorts the parts of most but not all suggestions: both
/// readings are returned, first as one, then cut.
pub(crate) fn split_alternatives(replacements: &[Replacement]) -> Vec<&[Replacement]> {
    let mut alternatives = Vec::new();
    for group in cut(replacements, |taken, new| taken.iter().any(|old| meets(old, new))) {
        alternatives.push(group);
        // A lifetime and its declaration are of no use without each other.
        if group.iter().any(|it| it.text.starts_with("<'") || it.text.starts_with('\'')) {
            continue;
        }
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

/// The same fix with `pub(crate)` instead of `pub`.
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

/// Texts of the files, each read once.
struct Texts<'a> {
    files: &'a dyn Files,
    read: SortedMap<ProjectPath, Option<Arc<str>>>,
    without_std: SortedMap<ProjectPath, Option<WithoutStd>>,
}

impl Texts<'_> {
    fn text(&mut self, path: &ProjectPath) -> Option<Arc<str>> {
        let text = self.read.entry(path.clone());
        text.or_insert_with(|| text_of(self.files, path)).clone()
    }

    /// The same fix with paths as short as the files allow.
    fn shorter(&mut self, fix: &Fix) -> Option<Fix> {
        let mut short = fix.clone();
        for (path, splice) in &mut short.splices {
            let text = self.text(path)?;
            splice.insert = shorter(&splice.insert, &text).unwrap_or_else(|| splice.insert.clone());
        }
        (short.splices != fix.splices).then_some(short)
    }

    /// For a fix that only imports a name which the error misses: the path to it by the imports that the
    /// file has.
    fn existing_form(&mut self, fix: &Fix, error: &Diagnostic) -> Option<Fix> {
        let [(path, splice)] = fix.splices.as_slice() else { return None };
        let import = splice.insert.trim().strip_prefix("use ")?.strip_suffix(';')?;
        let span = error.primary().filter(|it| it.place.project() == Some(path))?;
        let form = existing_form(import, &self.text(path)?, span.bytes)?;
        let rationale = format!("`{}` by an import of the file", preserve::last_name(import));
        Some(Fix { splices: vec![(path.clone(), form)], rationale, ..fix.clone() })
    }

    /// The same fix with `core::` and `alloc::` for `std::`, if the crate may be built without
    /// `std`.
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

    /// Puts the derive of the macro that an attribute belongs to before that attribute: the compiler
    /// suggests it after the attributes of the type.
    fn above_helpers(&mut self, fix: &mut Fix) {
        let [(path, splice)] = fix.splices.as_mut_slice() else { return };
        let Some((helper, _)) = fix.rationale.split_once(HELPER) else { return };
        let helper = helper.trim().trim_matches('`');
        let moved = self.text(path).and_then(|it| above_helpers(&it, splice, helper));
        *splice = moved.unwrap_or_else(|| splice.clone());
    }

    /// The derives of the macros that an attribute may belong to, each alone.
    fn one_derive_each(&mut self, fix: &Fix) -> Option<Vec<Fix>> {
        let [(path, splice)] = fix.splices.as_slice() else { return None };
        if !fix.rationale.contains("can be used by the derive macros") {
            return None;
        }
        let each = one_each(&self.text(path)?, splice)?;
        let alone = |splice: Splice| {
            let mut fix = Fix { splices: vec![(path.clone(), splice)], ..fix.clone() };
            self.join_derive(&mut fix);
            fix
        };
        Some(each.into_iter().map(alone).collect())
    }

    /// Puts the traits of a derive into the one that the type has.
    fn join_derive(&mut self, fix: &mut Fix) {
        let [(path, splice)] = fix.splices.as_mut_slice() else { return };
        let joined = self.text(path).and_then(|it| in_existing_derive(&it, splice));
        *splice = joined.unwrap_or_else(|| splice.clone());
    }

    /// The variable that replaces a missing one, if the function has others that are as similar.
    fn one_of_several(&mut self, fix: &Fix) -> Option<Guess> {
        let [(path, splice)] = fix.splices.as_slice() else { return None };
        if !fix.rationale.contains("a local variable with a similar name exists") {
            return None;
        }
        let text = self.text(path)?;
        let (missing, chosen) = (splice.span.slice(&text)?, splice.insert.as_str());
        let function = places(&text).function_at(splice.span.start)?.span.slice(&text)?;
        let nearest = strsim::osa_distance(missing, chosen);
        let is_rival = |it: &Token<'_>| {
            it.kind == TokenKind::Word
                && it.text != missing
                && it.text != chosen
                && strsim::osa_distance(missing, it.text) <= nearest
        };
        let has_rival = tokens(function).iter().any(is_rival);
        has_rival.then(|| Guess::of(path, splice, chosen, GuessKind::Name)).flatten()
    }

    /// Moves `use crate::fmt;` after `use core::fmt;`, and `use crate::io::Read;` after `use std::io::Read;`, as
    /// a guess: it only goes through the root's own import, unless the root declares a module of that name.
    fn demote_detours(&self, fixes: &mut [Fix]) {
        let detours: Vec<usize> = (0..fixes.len())
            .filter(|idx| {
                let Some((path, "crate", below)) = import(&fixes[*idx]) else { return false };
                let is_direct = |fix: &Fix| {
                    import(fix).is_some_and(|(_, from, other)| {
                        other == below && matches!(from, "core" | "alloc" | "std")
                    })
                };
                let first = below.split("::").next().unwrap_or(below);
                fixes.iter().any(is_direct) && !declares_module(path, first, self.files)
            })
            .collect();
        for idx in detours.into_iter().rev() {
            fixes[idx].applicability = base::Applicability::Unspecified;
            fixes[idx..].rotate_left(1);
        }
    }

    /// The alternative as splices; `None` if a part is outside of the project or does not fit the
    /// text, or if nothing would change.
    fn splices(&mut self, alternative: &[Replacement]) -> Option<Vec<(ProjectPath, Splice)>> {
        let mut splices = Vec::with_capacity(alternative.len());
        for replacement in alternative {
            let path = replacement.place.project()?;
            let text = self.text(path)?;
            let old = replacement.bytes.slice(&text)?;
            let added = Splice { span: replacement.bytes, insert: replacement.text.clone() };
            if unwraps_literal(&added, &text) {
                return None;
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeError, OneFile};

    /// The number of guesses in the compiler's suggestion of `new` for the text between `«` and `»`.
    fn guesses(text: &str, at: &str, new: &str) -> usize {
        let error = FakeError::new("E0425", "cannot find value").at(at);
        let error = error.suggestion("a local variable with a similar name exists", at, new);
        let fixes = CompilerSuggestions.propose(&[error.build(text)], &OneFile(text.to_owned()));
        assert!(!fixes.is_empty());
        fixes.iter().map(|it| it.guesses.len()).sum()
    }

    #[test]
    fn a_derive_that_an_attribute_belongs_to_comes_before_it() {
        let help = "`serde` is an attribute that can be used by the derive macros `De` and `Ser`, \
                    you might be missing a `derive` attribute";
        let proposed = |text: &str| -> Vec<String> {
            let error = FakeError::new("", "cannot find attribute `serde` in this scope");
            let error = error.at("#[«serde»(a)]").suggestion(
                help,
                "«»pub struct B",
                "#[derive(De, Ser)]\n",
            );
            let fixes =
                CompilerSuggestions.propose(&[error.build(text)], &OneFile(text.to_owned()));
            let fixed = |it: &Fix| {
                let mut text = text.to_owned();
                text.insert_str(it.splices[0].1.span.start, &it.splices[0].1.insert);
                text
            };
            fixes.iter().map(fixed).collect()
        };
        let text = "/// B.\n#[serde(a)]\n#[c]\npub struct B;";
        let wanted =
            |it: &str| text.replace("#[serde(a)]", &format!("#[derive({it})]\n#[serde(a)]"));
        assert_eq!(proposed(text), [wanted("De"), wanted("Ser")]);
        // One that the type has is taken only before the attribute.
        let below = text.replace("#[c]", "#[derive(C)]");
        assert_eq!(proposed(&below)[0], wanted("De").replace("#[c]", "#[derive(C)]"));
        let above = text.replace("#[serde", "#[derive(C)]\n#[serde");
        assert_eq!(proposed(&above)[0], above.replace("(C)", "(C, De)"));
    }

    #[test]
    fn one_of_several_similar_variables_is_a_guess() {
        let text = "fn f(corner1: u8, corner3: u8) { g(corner2) }";
        assert_eq!(guesses(text, "g(«corner2»)", "corner1"), 1);
        assert_eq!(guesses("fn f(count: u8, other: u8) { g(coutn) }", "g(«coutn»)", "count"), 0);
        // The variable of another function is no rival.
        assert_eq!(guesses("fn e(b: u8) { b }\nfn f(a1: u8) { g(a2) }", "g(«a2»)", "a1"), 0);
    }
}
