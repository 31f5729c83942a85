use base::{LineIndex, ProjectPath};
use syntax::{Item, NodeKind, SourceFile, canon_form};

use crate::endings::Endings;
use crate::{EditError, Splice};

/// How many near names an error lists.
const NEAREST: usize = 5;

/// What a canonical edit asks for.
pub(crate) struct Canonical<'a> {
    pub(crate) at: &'a str,
    pub(crate) path: &'a ProjectPath,
    pub(crate) canon: &'a str,
    pub(crate) kind: NodeKind,
    pub(crate) code: &'a str,
}

impl Canonical<'_> {
    /// The splices that put the new code in the item's place; `file` is `text`, parsed.
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
                "has no certain place: only the head of the old item parses, and where it ends is \
                 a guess (use a splice or a diff)",
            ));
        }
        let code = self.code.trim();
        let parsed = syntax::parse(code);
        let new = self.the_one_item(&parsed)?;
        if !parsed.parse_errors.is_empty() {
            if item.parse_errors > 0 {
                return Err(self.bad_code(
                    "has syntax errors, and so has the item that it replaces; together their \
                     extent is a guess",
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
            notes.push(format!("{}: new lines took the file's line ending", self.at));
        }
        let start = if lead.is_empty() && !brings_lead(new) {
            item.code_span.start
        } else {
            item.span.start
        };
        Ok(vec![Splice::new(start, item.span.end, whole)])
    }

    /// What stays of the old item's doc comments and attributes before the new code, where the new
    /// code brings one of the two and not the other.
    fn lead(&self, text: &str, old: &Item, new: Option<&Item>, notes: &mut Vec<String>) -> String {
        let Some(new) = new.filter(|new| brings_lead(Some(new))) else { return String::new() };
        let docs: Vec<&str> = old.docs.iter().filter_map(|span| span.slice(text)).collect();
        let attributes: Vec<&str> = old.attributes.iter().map(String::as_str).collect();
        let (kept, what) = match (new.docs.is_empty(), new.attributes.is_empty()) {
            (true, _) if !docs.is_empty() => (docs, "doc comments"),
            (_, true) if !attributes.is_empty() => (attributes, "attributes"),
            _ => return String::new(),
        };
        notes.push(format!("{}: kept the {what} of `{}`", self.at, old.canon));
        let line_start = text[..old.span.start].rfind('\n').map_or(0, |at| at + 1);
        let indent: String =
            text[line_start..].chars().take_while(|ch| matches!(ch, ' ' | '\t')).collect();
        kept.iter().map(|line| format!("{}\n{indent}", line.trim_end())).collect()
    }

    fn bad_code(&self, why: impl Into<String>) -> EditError {
        EditError::CanonCode { at: format!("{}.code", self.at), why: why.into() }
    }

    /// The new code must be one item of the right kind; code that does not parse may be anything.
    fn the_one_item<'f>(&self, parsed: &'f SourceFile) -> Result<Option<&'f Item>, EditError> {
        let top: Vec<&Item> = parsed.items.iter().filter(|item| item.parent.is_none()).collect();
        match top.as_slice() {
            [] if self.code.trim().is_empty() => {
                Err(self.bad_code("is empty (to remove an item, use a splice or a diff)"))
            }
            [] if parsed.parse_errors.is_empty() => Err(self.bad_code("holds no item")),
            [] => Ok(None),
            [item] if fits(self.kind, item.kind) => Ok(Some(item)),
            [item] => Err(self.bad_code(format!("is a {}, not a {}", item.kind, self.kind))),
            many => Err(self.bad_code(format!("holds {} items", many.len()))),
        }
    }

    fn find<'f>(
        &self,
        text: &str,
        file: &'f SourceFile,
        notes: &mut Vec<String>,
    ) -> Result<&'f Item, EditError> {
        let asked = canon_form(self.canon);
        let (base, ordinal) = twin(&asked);
        let mut loose = false;
        for way in [Way::Exact, Way::WithoutGenerics, Way::Suffix] {
            let fit: Vec<&Item> = file.items.iter().filter(|it| way.fits(&asked, it)).collect();
            // `name-2` names the second of the twins of `name`.
            let fit = if fit.is_empty() && ordinal.is_some() {
                file.items.iter().filter(|it| way.fits(base, it)).collect()
            } else {
                fit
            };
            if fit.is_empty() {
                loose = true;
                continue;
            }
            let right: Vec<&Item> =
                fit.iter().copied().filter(|it| fits(self.kind, it.kind)).collect();
            let found = match (right.as_slice(), ordinal) {
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
            if loose {
                notes.push(format!("{}: `{}` taken for `{}`", self.at, self.canon, found.canon));
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
        let same = items.iter().all(|item| twin(&item.canon).0 == twin(&items[0].canon).0);
        let name = |(idx, item): (usize, &&Item)| {
            let line = lines.line_of(item.code_span.start);
            let base = twin(&item.canon).0;
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

/// How a name that was asked for may fit an item's.
#[derive(Clone, Copy)]
enum Way {
    Exact,
    WithoutGenerics,
    /// One of the two is the other's last part: `method` for `Type::method`, `crate::m::f` for
    /// `f` in the file of `m`.
    Suffix,
}

impl Way {
    fn fits(self, asked: &str, item: &Item) -> bool {
        let (canon, _) = twin(&item.canon);
        let ends = |long: &str, short: &str| {
            !short.is_empty() && long.strip_suffix(short).is_some_and(|it| it.ends_with("::"))
        };
        match self {
            Way::Exact => canon == asked,
            Way::WithoutGenerics => {
                without_generics(canon) == without_generics(asked)
                    || canon.strip_suffix("!()").or_else(|| canon.strip_suffix('!')) == Some(asked)
                    || canon.strip_prefix("use ") == Some(asked)
            }
            Way::Suffix => ends(canon, asked) || ends(asked, canon),
        }
    }
}

/// Functions and methods are told apart by where they stand, which new code does not show.
fn fits(asked: NodeKind, found: NodeKind) -> bool {
    let callable = |kind| matches!(kind, NodeKind::Function | NodeKind::Method);
    asked == found || (callable(asked) && callable(found))
}

fn brings_lead(item: Option<&Item>) -> bool {
    item.is_some_and(|item| !item.docs.is_empty() || !item.attributes.is_empty())
}

/// A canon without its ordinal among twins, and the ordinal.
fn twin(canon: &str) -> (&str, Option<usize>) {
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
                let after_name = last.is_some_and(|it: char| it.is_alphanumeric() || it == '_');
                if hidden.is_none() && after_name {
                    hidden = Some(depth);
                }
            }
            // The arrow of `Fn() -> u8` closes nothing.
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

/// The items whose last names are most like the one asked for.
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

/// Levenshtein over the first 64 characters.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let here = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = here;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generics_are_left_out_and_nothing_else() {
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
