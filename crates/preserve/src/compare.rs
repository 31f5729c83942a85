//! One file before and after a change, and what all rules need of the two. Start at [`Comparison`].

use std::cell::OnceCell;

use base::{LineIndex, ProjectPath, SortedMap, SortedSet};
use edit::FileChange;

use crate::align::{Alignment, Fate, align, leads_to, whole_edit};
use crate::layout::{Layout, is_test_path};
use crate::outline::{EffectKind, EffectSite, Element, ElementKind, Outline, is_keyword};
use crate::{Rule, Violation};

/// One file before and after the change, with its tokens aligned.
pub(crate) struct Comparison<'a> {
    pub(crate) path: &'a ProjectPath,
    pub(crate) before: &'a str,
    pub(crate) after: &'a str,
    pub(crate) old: Outline<'a>,
    pub(crate) new: Outline<'a>,
    pub(crate) alignment: Alignment,
    pub(crate) old_layout: Layout,
    pub(crate) new_layout: Layout,
    /// The new elements by the tokens that name them.
    pub(crate) new_names: SortedMap<usize, Vec<usize>>,
    /// Whether the file is removed, and thus all of its tokens.
    pub(crate) is_removed: bool,
    /// Whether the change raises an edition in a manifest to 2024 or a later one.
    pub(crate) raises_edition: bool,
    /// The texts of attributes that are new, and of those that are gone without their element.
    pub(crate) moved_attributes: [OnceCell<SortedSet<String>>; 2],
    /// The lines of both texts.
    lines: [OnceCell<LineIndex>; 2],
}

/// A token in the form of the newest edition: `..=` for the range `...`, and a word without its `r#` if
/// it is a keyword of some editions only.
fn edition_free(word: &str) -> &str {
    match word.strip_prefix("r#") {
        None if word == "..." => "..=",
        Some(name @ ("async" | "dyn" | "gen" | "try")) => name,
        _ => word,
    }
}

impl<'a> Comparison<'a> {
    /// The comparison of a file; `is_test_file`: it has only code for tests, whatever its path.
    pub(crate) fn new(
        path: &'a ProjectPath,
        before: &'a str,
        after: &'a str,
        change: &'a FileChange,
        is_test_file: bool,
    ) -> Self {
        let (mut old, mut new) = (Outline::of(before), Outline::of(after));
        for token in old.tokens.iter_mut().chain(&mut new.tokens) {
            token.text = edition_free(token.text);
        }
        let alignment = if leads_to(&change.edit, before, after) {
            align(&old, &new, &change.edit)
        } else {
            align(&old, &new, &whole_edit(before, after))
        };
        let from = change.renamed_from.as_ref().unwrap_or(path);
        let is_for_tests = |it: &ProjectPath| is_test_file || is_test_path(it.as_str());
        let old_layout = Layout::of(is_for_tests(from), &old);
        let new_layout = Layout::of(is_for_tests(path), &new);
        let mut new_names: SortedMap<usize, Vec<usize>> = SortedMap::new();
        for (idx, element) in new.elements.iter().enumerate() {
            new_names.entry(name_token(&new, element)).or_default().push(idx);
        }
        Self {
            path,
            before,
            after,
            old,
            new,
            alignment,
            old_layout,
            new_layout,
            new_names,
            is_removed: change.after.is_none(),
            moved_attributes: Default::default(),
            lines: Default::default(),
            raises_edition: false,
        }
    }

    pub(crate) fn violation(&self, rule: Rule, at: usize, detail: String) -> Violation {
        let byte = self.old.tokens.get(at).map_or(0, |it| it.span.start);
        let line = self.lines[0].get_or_init(|| LineIndex::new(self.before)).line_of(byte);
        Violation { rule, path: self.path.clone(), line, detail, is_cfg_test: false }
    }

    pub(crate) fn violation_in_new(&self, rule: Rule, at: usize, detail: String) -> Violation {
        let byte = self.new.tokens.get(at).map_or(0, |it| it.span.start);
        let line = self.lines[1].get_or_init(|| LineIndex::new(self.after)).line_of(byte);
        Violation { rule, path: self.path.clone(), line, detail, is_cfg_test: false }
    }

    pub(crate) fn fate(&self, at: usize) -> Fate {
        self.alignment.fates.get(at).copied().unwrap_or(Fate::Gone)
    }

    /// Whether a token of the new text is not one of the old text, at its position or renamed.
    pub(crate) fn is_new(&self, at: usize) -> bool {
        self.alignment.origins.get(at).copied().flatten().is_none()
    }

    /// Whether none of the element's content is left; one without content cannot be lost.
    pub(crate) fn is_lost(&self, element: &Element) -> bool {
        let content = |at: &usize| {
            let token = &self.old.tokens[*at];
            token.is_solid()
                && (!is_keyword(token.text)
                    || matches!(token.text, "return" | "break" | "continue"))
        };
        if element.kind == ElementKind::Item && self.fate(self.old.item_name(element)).survives() {
            return false;
        }
        let content: Vec<usize> = (element.head..element.end).filter(content).collect();
        if content.is_empty() {
            // Only keywords and punctuation: `static || {};` counts, a stray `;` does not.
            let marks = (element.head..element.end).filter(|at| !self.old.tokens[*at].is(";"));
            return marks.clone().count() > 2
                && !marks.into_iter().any(|at| self.fate(at).survives());
        }
        !content.into_iter().any(|at| self.fate(at).survives())
    }

    pub(crate) fn old_text(&self, at: usize) -> &str {
        self.old.tokens.get(at).map_or("", |it| it.text)
    }

    pub(crate) fn innermost(&self, at: usize) -> Option<&Element> {
        self.old
            .elements
            .iter()
            .filter(|it| (it.start..it.end).contains(&at))
            .min_by_key(|it| it.end - it.start)
    }

    /// Whether the same element has the same word in its attributes once more, and keeps it.
    pub(crate) fn repeated(&self, at: usize) -> bool {
        self.innermost(at).is_some_and(|element| {
            (element.start..element.head).any(|it| {
                it != at && self.old_text(it) == self.old_text(at) && self.fate(it).survives()
            })
        })
    }
}

/// Methods that only convert a value.
pub(crate) const CONVERSIONS: &[&str] = &[
    "as_bytes",
    "as_deref",
    "as_mut",
    "as_ref",
    "as_slice",
    "as_str",
    "borrow",
    "borrow_mut",
    "by_ref",
    "clone",
    "cloned",
    "copied",
    "into",
    "into_iter",
    "iter",
    "iter_mut",
    "to_owned",
    "to_string",
    "to_vec",
];

pub(crate) fn is_assertion(effect: &EffectSite<'_>) -> bool {
    effect.kind == EffectKind::Macro && is_assertion_name(effect.text)
}

/// Whether a macro with this name asserts.
pub(crate) fn is_assertion_name(name: &str) -> bool {
    ["assert", "debug_assert", "prop_assert"].iter().any(|it| name.starts_with(it))
}

/// A range of the text on one line, truncated.
pub(crate) fn quote(text: &str, outline: &Outline<'_>, start: usize, end: usize) -> String {
    const LONGEST: usize = 60;
    let first = outline.tokens.get(start).map_or(0, |it| it.span.start);
    let last = end
        .checked_sub(1)
        .and_then(|it| outline.tokens.get(it))
        .map_or(text.len(), |it| it.span.end);
    let slice = text.get(first..last.max(first)).unwrap_or("");
    let line = slice.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("`{}…`", &line[..at]),
        None => format!("`{line}`"),
    }
}

/// The token that identifies an element: its name; for an unnamed field its type.
pub(crate) fn name_token(outline: &Outline<'_>, element: &Element) -> usize {
    match element.kind {
        ElementKind::Item => outline.item_name(element),
        _ => element.head,
    }
}
