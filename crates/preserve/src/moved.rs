//! Changes that only move an item to another module, with the paths and imports that follow.

mod paths;
mod streams;

use base::{ByteSpan, LineIndex, ProjectPath, has_word, is_word};
use edit::Overlay;

use crate::imports::last_name;
use crate::{Rule, Violation};
use paths::{Paths, of_crate};
use streams::{Import, Stream};

/// An item that is declared to leave one module for another, unchanged but for paths that are
/// relative to its module, and visibilities that are wider within the crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedItem {
    /// Its name, without `r#`.
    pub name: String,
    /// File that it leaves.
    pub from: ProjectPath,
    /// File that it enters.
    pub to: ProjectPath,
    /// The texts that move, by their places in the old file: the definition, impls, comments.
    pub pieces: Vec<ByteSpan>,
    /// Names of the old module below the crate's root.
    pub from_module: Vec<String>,
    /// Names of the new module.
    pub to_module: Vec<String>,
    /// Name of the crate in other crates.
    pub library: String,
}

impl MovedItem {
    /// The name of a documentation test in the new module: `src/b.rs - b::f` for `src/a.rs - a::f`;
    /// any other name as it is.
    pub fn documentation_test(&self, name: &str) -> String {
        let path = |file: &ProjectPath, module: &[String]| {
            let names: String = module.iter().map(|it| format!("{it}::")).collect();
            format!("{file} - {names}{}", self.name)
        };
        let old = path(&self.from, &self.from_module);
        match name.split_once(&old) {
            Some((before, after)) if !after.starts_with(is_word) && !before.ends_with(is_word) => {
                format!("{before}{}{after}", path(&self.to, &self.to_module))
            }
            _ => name.to_owned(),
        }
    }
}

/// What `overlay` does besides the declared move: the first difference in each file; empty if it is
/// the move and nothing else.
///
/// Texts are compared token by token, comments included, `use` declarations by the names that they
/// add. What is not understood is a difference.
pub fn move_violations(overlay: &Overlay, declared: &MovedItem) -> Vec<Violation> {
    let source = overlay.base_text(&declared.from).to_owned();
    let is_in = |path| overlay.get(path).is_some();
    if !is_in(&declared.from) || !is_in(&declared.to) {
        return vec![violation(&declared.from, "", 0, "the item does not move".to_owned())];
    }
    let mut found = Vec::new();
    for (path, change) in overlay.changes() {
        let before = overlay.base_text(path);
        let fault = match (&change.before, &change.after) {
            (Some(old), Some(new))
                if change.renamed_from.is_none() && old.executable == new.executable =>
            {
                file((declared, &source), path, (before, &new.text))
            }
            _ => Some((0, "a file appears, disappears or moves".to_owned())),
        };
        found.extend(fault.map(|(at, detail)| violation(path, before, at, detail)));
    }
    found
}

fn violation(path: &ProjectPath, text: &str, at: usize, detail: String) -> Violation {
    let line = LineIndex::new(text).line_of(at.min(text.len()));
    let detail = format!("not only the item moves: {detail}");
    Violation { rule: Rule::ItemRemoved, path: path.clone(), line, detail, is_cfg_test: false }
}

/// A difference: its place in the old text, and what it is.
type Fault = (usize, String);

/// What one file changes besides the move.
fn file(
    (declared, source): (&MovedItem, &str),
    path: &ProjectPath,
    (before, after): (&str, &str),
) -> Option<Fault> {
    let (is_from, is_to) = (*path == declared.from, *path == declared.to);
    let (old, new) = (Stream::of(before), Stream::of(after));
    let paths = Paths::new(declared, source, &old.imports);
    let of = Comparer { declared, paths, source };
    let pieces = if is_from { declared.pieces.as_slice() } else { &[] };
    let mut rest = old.tokens.clone();
    rest.retain(|it| !pieces.iter().any(|piece| piece.contains(it.span)));
    let moved = Stream::pieces(source, &declared.pieces);
    let code = match is_to {
        false => of.same(&rest, &new.tokens, false),
        true if moved.is_empty() => Some((0, "the item is empty".to_owned())),
        true => of.with_inserted(&rest, &moved, &new.tokens),
    };
    code.or_else(|| of.imports((is_from, is_to), before, &old.imports, &new.imports))
}

struct Comparer<'a> {
    declared: &'a MovedItem,
    paths: Paths<'a>,
    /// The old text of the file that the item leaves.
    source: &'a str,
}

impl Comparer<'_> {
    /// Compares a text with the same one that has the moved tokens in addition, in one place.
    fn with_inserted(
        &self,
        rest: &[streams::Item<'_>],
        moved: &[streams::Item<'_>],
        new: &[streams::Item<'_>],
    ) -> Option<Fault> {
        let most = self.paths.common(rest, new, false);
        let mut first = None;
        for (at, new_at) in most.iter().rev() {
            let after = &new[*new_at..];
            // The moved text ends where the rest continues.
            let Some(end) = self.paths.common(moved, after, true).last().copied() else { continue };
            if end.0 == moved.len() {
                match self.same(&rest[*at..], &after[end.1..], false) {
                    None => return None,
                    Some((place, detail)) => first = Some((place, detail, end.0)),
                }
            } else {
                let place = moved.get(end.0).map_or(0, |it| it.span.start);
                let found = after.get(end.1).map_or("nothing", |it| it.text);
                let what = moved.get(end.0).map_or("", |it| it.text);
                // The place that agrees longest explains best.
                if first.as_ref().is_none_or(|(_, _, count)| end.0 > *count) {
                    let detail = format!("`{what}` of the item is `{found}` in its new place");
                    first = Some((place, detail, end.0));
                }
            }
        }
        let (place, detail, _) =
            first.unwrap_or((0, "the item is not in its new place".to_owned(), 0));
        Some((place, detail))
    }

    /// The first difference between two texts.
    fn same(
        &self,
        old: &[streams::Item<'_>],
        new: &[streams::Item<'_>],
        in_piece: bool,
    ) -> Option<Fault> {
        let (at, new_at) = self.paths.common(old, new, in_piece).last().copied().unwrap_or((0, 0));
        if at == old.len() && new_at == new.len() {
            return None;
        }
        let shown = |it: Option<&streams::Item<'_>>| match it {
            Some(it) => format!("`{}`", it.text),
            None => "the end".to_owned(),
        };
        let place = old.get(at).or(old.last()).map_or(0, |it| it.span.start);
        Some((place, format!("{} becomes {}", shown(old.get(at)), shown(new.get(new_at)))))
    }

    /// The first import that goes or comes for another reason than the move.
    fn imports(
        &self,
        (is_from, is_to): (bool, bool),
        before: &str,
        old: &[Import],
        new: &[Import],
    ) -> Option<Fault> {
        let gone: Vec<&Import> =
            old.iter().filter(|it| !new.iter().any(|new| new.is_same(it))).collect();
        let come: Vec<&Import> =
            new.iter().filter(|it| !old.iter().any(|old| old.is_same(it))).collect();
        let sources = Stream::of(self.source).imports;
        let pieces = &self.declared.pieces;
        let is_moved = |it: &Import| pieces.iter().any(|of| of.start <= it.at && it.at < of.end);
        let moved: Vec<&Import> = sources.iter().filter(|it| is_to && is_moved(it)).collect();
        // As other paths of the item, by the same text or from the root.
        let is_copy = |old: &Import, new: &Import| {
            old.head == new.head
                && (old.path == new.path || self.paths.absolute_import(old) == new.path)
        };
        if let Some(lost) = moved.iter().find(|old| !new.iter().any(|it| is_copy(old, it))) {
            return Some((0, format!("the import `{}` of the item goes", lost.path)));
        }
        for it in gone.iter().filter(|it| !(is_from && is_moved(it))) {
            let is_item = self.paths.is_old_item(&it.path);
            let follows = is_item
                && (is_to && last_name(&it.path) == self.declared.name
                    || come.iter().any(|new| self.paths.is_same_import(it, new)));
            // A trait without a name: that its methods are not missed, the compiler shows.
            let is_unnamed = it.path.ends_with(" as _");
            let is_free = is_from
                && !it.head.contains("pub")
                && (is_unnamed || self.moves(last_name(&it.path)));
            if !(follows || is_free || is_from && self.is_source_trait(it)) {
                return Some((it.at, format!("the import `{}` goes", it.path)));
            }
        }
        for it in come.iter().filter(|it| !moved.iter().any(|old| is_copy(old, it))) {
            let name = last_name(&it.path);
            let of_crate = |module: &[String]| self.paths.is_new_item(&of_crate(&it.path, module));
            let is_item = self.paths.is_new_item(&it.path)
                || is_from && of_crate(&self.declared.from_module)
                || is_to && of_crate(&self.declared.to_module);
            let is_public = it.head.contains("pub");
            if is_item {
                let was = || gone.iter().filter(|old| last_name(&old.path) == name);
                let replaces = was().any(|old| old.head == it.head);
                // The imports of inner modules, such as that of tests, follow on their own.
                let has_own = |old: &&Import| {
                    come.iter().any(|new| last_name(&new.path) == name && new.head == old.head)
                };
                let as_before = replaces || was().all(has_own);
                if as_before && (!is_public || replaces || is_from) {
                    continue;
                }
            }
            let is_known = sources.iter().any(|of| self.paths.absolute_import(of) == it.path);
            let is_new_name =
                !old.iter().any(|old| last_name(&old.path) == name && name != "*" && name != "_");
            let is_free =
                is_to && name != "*" && name != "_" && is_new_name && !has_word(before, name);
            if is_public || !(is_known && is_new_name || is_free) {
                return Some((0, format!("the import `{}` is new", it.path)));
            }
        }
        None
    }

    /// Whether the moved text has a word.
    fn moves(&self, name: &str) -> bool {
        let pieces = self.declared.pieces.iter().filter_map(|it| it.slice(self.source));
        pieces.into_iter().any(|it| has_word(it, name))
    }

    /// Whether an import may be that of a trait for methods of the moved text: nothing else has its
    /// name.
    fn is_source_trait(&self, it: &Import) -> bool {
        let name = last_name(&it.path);
        let has_one = || base::word_places(self.source, name).count() == 1;
        !it.head.contains("pub") && base::is_one_word(name) && has_one()
    }
}

#[cfg(test)]
mod tests;
