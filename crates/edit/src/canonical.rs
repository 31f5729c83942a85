//! Canonical edits: replacing an item that is named by its path, wherever it is in the file.

use base::{LineIndex, ProjectPath, is_word};
use syntax::{Item, NodeKind, SourceFile, canon_form};

use crate::endings::Endings;
use crate::{EditError, Splice};

/// Maximum number of similar names in an error.
const NEAREST: usize = 5;

/// A canonical edit: the item to replace and its new code.
pub(crate) struct Canonical<'a> {
    pub(crate) at: &'a str,
    pub(crate) path: &'a ProjectPath,
    pub(crate) canon: &'a str,
    pub(crate) kind: NodeKind,
    pub(crate) code: &'a str,
}

impl Canonical<'_> {
    /// The splices that replace the item by the new code; `file` is `text`, parsed.
    pub(crate) fn splices(
        &self,
        text: &str,
        file: &SourceFile,
        notes: &mut Vec<String>,
    ) -> Result<Vec<Splice>, EditError> {
        let item = self.find(text, file, notes)?;
        let old = text.get(item.code_span.start..item.span.end).unwrap_or_default();
        if item.is_recovered || (item.parse_errors > 0 && !syntax::is_paired(old)) {
            return Err(self.bad_code(
                "cannot be placed: the body of the old item does not parse, so its end is unknown \
                 (use a splice or a diff)",
            ));
        }
        let code = self.code.trim();
        let parsed = syntax::parse(code);
        let new = self.the_one_item(&parsed)?;
        if !parsed.parse_errors.is_empty() {
            if item.parse_errors > 0 {
                return Err(self.bad_code(
                    "and the item that it replaces both have syntax errors, so where the item ends is \
                     unknown",
                ));
            }
            let count = parsed.parse_errors.len();
            notes.push(format!("{}: the new code has {count} syntax errors", self.at));
        }
        let lead = self.lead(text, item, new, notes);
        let endings = Endings::of(text);
        let whole = format!("{lead}{code}");
        let whole = endings.adapt(&whole);
        if *whole != format!("{lead}{code}") {
            notes.push(format!("{}: new lines were given the file's line ending", self.at));
        }
        let start = if lead.is_empty() && !has_docs_or_attributes(new) {
            item.code_span.start
        } else {
            item.span.start
        };
        Ok(vec![Splice::new(start, item.span.end, whole)])
    }

    /// The doc comments or attributes of the old item that are kept before the new code, where the
    /// new code has one of the two but not the other.
    fn lead(&self, text: &str, old: &Item, new: &Item, notes: &mut Vec<String>) -> String {
        if !has_docs_or_attributes(new) {
            return String::new();
        }
        let docs: Vec<&str> = old.docs.iter().filter_map(|span| span.slice(text)).collect();
        let attributes: Vec<&str> = old.attributes.iter().map(String::as_str).collect();
        let (kept, name) = match (new.docs.is_empty(), new.attributes.is_empty()) {
            (true, _) if !docs.is_empty() => (docs, "doc comments"),
            (_, true) if !attributes.is_empty() => (attributes, "attributes"),
            _ => return String::new(),
        };
        notes.push(format!("{}: kept the {name} of `{}`", self.at, old.canon));
        let line_start = text[..old.span.start].rfind('\n').map_or(0, |at| at + 1);
        let indent: String =
            text[line_start..].chars().take_while(|ch| matches!(ch, ' ' | '\t')).collect();
        kept.iter().map(|line| format!("{}\n{indent}", line.trim_end())).collect()
    }

    fn bad_code(&self, why: impl Into<String>) -> EditError {
        EditError::CanonCode { at: format!("{}.code", self.at), why: why.into() }
    }

    /// Checks that the new code is one item of the right kind; code with syntax errors passes.
    fn the_one_item<'f>(&self, parsed: &'f SourceFile) -> Result<&'f Item, EditError> {
        let top: Vec<&Item> = parsed.items.iter().filter(|item| item.parent.is_none()).collect();
        match top.as_slice() {
            [] if self.code.trim().is_empty() => {
                Err(self.bad_code("is empty (to remove an item, use a splice or a diff)"))
            }
            [] => Err(self.bad_code("contains no item")),
            [item] if fits(self.kind, item.kind) => Ok(item),
            [item] => Err(self.bad_code(format!("is a {}, not a {}", item.kind, self.kind))),
            many => Err(self.bad_code(format!("contains {} items", many.len()))),
        }
    }

    fn find<'f>(
        &self,
        text: &str,
        file: &'f SourceFile,
        notes: &mut Vec<String>,
    ) -> Result<&'f Item, EditError> {
        let asked = canon_form(self.canon);
        let (base, ordinal) = split_ordinal(&asked);
        let mut is_inexact = false;
        for rule in [NameMatch::Exact, NameMatch::WithoutGenerics, NameMatch::Suffix] {
            let fit: Vec<&Item> = file.items.iter().filter(|it| rule.fits(&asked, it)).collect();
            // `name-2` is the second of several items called `name`.
            let fit = if fit.is_empty() && ordinal.is_some() {
                file.items.iter().filter(|it| rule.fits(base, it)).collect()
            } else {
                fit
            };
            if fit.is_empty() {
                is_inexact = true;
                continue;
            }
            let of_kind: Vec<&Item> =
                fit.iter().copied().filter(|it| fits(self.kind, it.kind)).collect();
            let found = match (of_kind.as_slice(), ordinal) {
                ([], _) => {
                    return Err(EditError::CanonKind {
                        at: self.at.to_owned(),
                        path: self.path.to_string(),
                        canon: self.canon.to_owned(),
                        asked: self.kind,
                        found: fit[0].kind,
                    });
                }
                ([item], None) => *item,
                (items, Some(ordinal)) if items.len() >= ordinal => items[ordinal - 1],
                (items, _) => return Err(self.ambiguous(text, items)),
            };
            if is_inexact {
                notes.push(format!("{}: `{}` matched `{}`", self.at, self.canon, found.canon));
            }
            if found.kind != self.kind {
                let found = found.kind;
                notes.push(format!("{}: `{}` is a {found}", self.at, self.canon));
            }
            return Ok(found);
        }
        Err(EditError::CanonNotFound {
            at: self.at.to_owned(),
            path: self.path.to_string(),
            canon: self.canon.to_owned(),
            nearest: nearest(&asked, file),
        })
    }

    fn ambiguous(&self, text: &str, items: &[&Item]) -> EditError {
        let lines = LineIndex::new(text);
        let same = items
            .iter()
            .all(|item| split_ordinal(&item.canon).0 == split_ordinal(&items[0].canon).0);
        let name = |(idx, item): (usize, &&Item)| {
            let line = lines.line_of(item.code_span.start);
            let base = split_ordinal(&item.canon).0;
            match same {
                true => format!("{base}-{} ({}, line {line})", idx + 1, item.kind),
                false => format!("{} ({}, line {line})", item.canon, item.kind),
            }
        };
        EditError::CanonAmbiguous {
            at: self.at.to_owned(),
            path: self.path.to_string(),
            canon: self.canon.to_owned(),
            candidates: items.iter().enumerate().map(name).collect(),
        }
    }
}

/// How a requested name matches the name of an item, strictest first.
#[derive(Clone, Copy)]
enum NameMatch {
    Exact,
    WithoutGenerics,
    /// One of the two is a suffix of the other: `method` for `Type::method`, `crate::m::f` for `f`
    /// in the file of `m`.
    Suffix,
}

impl NameMatch {
    fn fits(self, asked: &str, item: &Item) -> bool {
        let (canon, _) = split_ordinal(&item.canon);
        let ends = |long: &str, short: &str| {
            !short.is_empty() && long.strip_suffix(short).is_some_and(|it| it.ends_with("::"))
        };
        match self {
            NameMatch::Exact => canon == asked,
            NameMatch::WithoutGenerics => {
                without_generics(canon) == without_generics(asked)
                    || canon.strip_suffix("!()").or_else(|| canon.strip_suffix('!')) == Some(asked)
                    || canon.strip_prefix("use ") == Some(asked)
            }
            NameMatch::Suffix => ends(canon, asked) || ends(asked, canon),
        }
    }
}

/// Whether the kinds agree. Functions and methods differ only by their parent, which new code does
/// not show.
fn fits(asked: NodeKind, found: NodeKind) -> bool {
    let callable = |kind| matches!(kind, NodeKind::Function | NodeKind::Method);
    asked == found || (callable(asked) && callable(found))
}

fn has_docs_or_attributes(item: &Item) -> bool {
    !item.docs.is_empty() || !item.attributes.is_empty()
}

/// Splits a canonical path `name-2` into the name and the ordinal among items of that name.
fn split_ordinal(canon: &str) -> (&str, Option<usize>) {
    match canon.rsplit_once('-') {
        Some((base, number)) if !base.is_empty() => match number.parse() {
            Ok(number) if number > 0 => (base, Some(number)),
            _ => (canon, None),
        },
        _ => (canon, None),
    }
}

/// `<Foo<T> as Tr<U>>::f` as `<Foo as Tr>::f`.
fn without_generics(canon: &str) -> String {
    let mut out = String::new();
    let mut depth = 0_usize;
    let mut hidden: Option<usize> = None;
    let mut last = None;
    for ch in canon.chars() {
        match ch {
            '<' => {
                depth += 1;
                let after_name = last.is_some_and(is_word);
                if hidden.is_none() && after_name {
                    hidden = Some(depth);
                }
            }
            // The `>` of `Fn() -> u8` closes no bracket.
            '>' if last != Some('-') => {
                if hidden == Some(depth) {
                    hidden = None;
                    depth = depth.saturating_sub(1);
                    last = Some(ch);
                    continue;
                }
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
        if hidden.is_none() {
            out.push(ch);
        }
        last = Some(ch);
    }
    out
}

/// The items whose last path segments are most similar to the requested one.
fn nearest(asked: &str, file: &SourceFile) -> Vec<String> {
    let tail = |canon: &str| canon.rsplit("::").next().unwrap_or(canon).to_owned();
    let asked = tail(asked);
    let mut scored: Vec<(usize, usize, String)> = file
        .items
        .iter()
        .enumerate()
        .map(|(idx, item)| {
            let name = tail(&item.canon);
            (distance(&asked, &name), idx, format!("{} ({})", item.canon, item.kind))
        })
        .collect();
    scored.sort();
    scored.into_iter().take(NEAREST).map(|(_, _, name)| name).collect()
}

/// The Levenshtein distance of the first 64 characters.
fn distance(a: &str, b: &str) -> usize {
    let start = |name: &str| name.chars().take(64).collect::<String>();
    strsim::levenshtein(&start(a), &start(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_generics_are_removed() {
        assert_eq!(without_generics("<Foo<T, U<V>> as Tr<X>>::f"), "<Foo as Tr>::f");
        assert_eq!(without_generics("<Box<dyn Fn() -> u8> as Tr>::f"), "<Box as Tr>::f");
        assert_eq!(without_generics("m::f"), "m::f");
    }

    #[test]
    fn the_distance_counts_changed_letters() {
        assert_eq!(distance("parse", "parse"), 0);
        assert_eq!(distance("parse", "prase"), 2);
        assert_eq!(distance("", "abc"), 3);
    }
}
