//! Modules whose whole file the person has moved, to another folder or to another name: the paths through
//! them, their declaration where only the name differs, and the paths of the file that begin at its former
//! parent.

use base::{ByteSpan, ProjectPath};
use edit::Splice;
use preserve::outline::{Token, TokenKind, tokens};
use refactor::quoted;
use syntax::places::places;

use super::named_tuples::module_path;
use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::project::{Project, has_word};

/// A module with its former and its present path, each from `crate` on.
struct MovedModule<'a> {
    from: &'a ProjectPath,
    to: &'a ProjectPath,
    old: Vec<String>,
    new: Vec<String>,
}

/// The changes that moved files ask for: one for each file that is gone and whose definitions are in one
/// new file.
pub(super) fn moved_modules(project: &Project<'_>, errors: &Errors<'_>) -> Vec<Propagation> {
    let sides = || project.difference.files();
    let gone = sides().filter(|(_, it)| it.now.is_none());
    let gone: Vec<(&ProjectPath, &str)> =
        gone.filter_map(|(path, it)| Some((path, it.base.as_deref()?))).collect();
    if gone.is_empty() {
        return Vec::new();
    }
    let new = sides().filter(|(_, it)| it.base.is_none());
    let new = new.filter_map(|(path, it)| Some((path, it.now.as_deref()?)));
    let new: Vec<(&ProjectPath, &str, Vec<String>)> =
        new.map(|(path, text)| (path, text, names(text))).collect();
    let moved = gone.into_iter().filter_map(|(from, text)| {
        let own = names(text);
        let mut to = new.iter().filter(|it| it.1 == text || !own.is_empty() && it.2 == own);
        let to = to.next().filter(|_| to.next().is_none())?.0;
        MovedModule::of(from, to)
    });
    moved.filter_map(|it| it.change(project, errors)).collect()
}

/// The names of the definitions of a text, in their order.
fn names(text: &str) -> Vec<String> {
    places(text).definitions.into_iter().map(|it| it.name).collect()
}

impl<'a> MovedModule<'a> {
    /// `None` unless both are modules of one package with different paths.
    fn of(from: &'a ProjectPath, to: &'a ProjectPath) -> Option<Self> {
        let package = |it: &'a ProjectPath| it.as_str().split_once("src/").map(|it| it.0);
        let segments = |it: &ProjectPath| -> Option<Vec<String>> {
            Some(module_path(it)?.split("::").map(str::to_owned).collect())
        };
        let (old, new) = (segments(from)?, segments(to)?);
        let is_it = package(from)? == package(to)? && old.len() > 1 && new.len() > 1 && old != new;
        is_it.then_some(Self { from, to, old, new })
    }

    fn change(&self, project: &Project<'_>, errors: &Errors<'_>) -> Option<Propagation> {
        let (old, new) = (self.old.join("::"), self.new.join("::"));
        let reason = format!("module `{old}` is `{new}` now: its file was `{}`", self.from);
        let mut change = propagation(reason, Confidence::Certain);
        let package = self.to.as_str().split_once("src/")?.0;
        for (path, text) in project.every_text() {
            if !path.as_str().strip_prefix(package).is_some_and(|it| it.starts_with("src/")) {
                continue;
            }
            let list = tokens(&text);
            let mut splices = self.absolute(&list);
            splices.extend(self.grouped(&list));
            if self.is_in_place() {
                splices.extend(self.declaration(&path, &list));
            } else if path == *self.to {
                splices.extend(self.of_parent(&list));
            }
            let name = self.old.last()?;
            let here: Vec<Marked<'_>> = errors.marked().filter(|it| *it.path == path).collect();
            for marked in here.iter().filter(|it| misses(it, name)) {
                splices.extend(self.relative(&path, &list, marked.span));
            }
            splices.sort_by_key(|it| (it.span.start, it.span.end));
            splices.dedup_by(|b, a| b.span.start < a.span.end);
            let is_answered = |it: &Marked<'_>| {
                misses(it, name) || splices.iter().any(|splice| splice.span.overlaps(it.span))
            };
            change.seeds.extend(here.iter().filter(|it| is_answered(it)).map(|it| it.seed));
            change.splices.extend(splices.into_iter().map(|it| (path.clone(), it)));
        }
        change.seeds.sort_unstable();
        change.seeds.dedup();
        (!change.seeds.is_empty() && !change.splices.is_empty()).then_some(change)
    }

    /// Whether only the name of the module differs.
    fn is_in_place(&self) -> bool {
        let parent = |it: &[String]| it.split_last().map(|it| it.1.to_vec());
        parent(&self.old) == parent(&self.new)
    }

    /// `mod old;` in the parent as `mod new;`.
    fn declaration(&self, path: &ProjectPath, list: &[Token<'_>]) -> Option<Splice> {
        let here: Vec<String> = module_path(path)?.split("::").map(str::to_owned).collect();
        let ((name, parent), to) = (self.old.split_last()?, self.new.last()?);
        let is_it = |it: &[Token<'_>]| it[0].is("mod") && it[1].is(name) && it[2].is(";");
        let found = list.windows(3).find(|it| here == parent && is_it(it))?;
        Some(Splice { span: found[1].span, insert: to.clone() })
    }

    /// `crate::old` as `crate::new`, wherever it is a path or begins one.
    fn absolute(&self, list: &[Token<'_>]) -> Vec<Splice> {
        let starts = (0..list.len()).filter(|at| list.get(*at).is_some_and(|it| it.is("crate")));
        let found = starts.filter_map(|at| {
            let span = path_at(list, at, &self.old)?;
            Some(Splice { span, insert: self.new.join("::") })
        });
        found.collect()
    }

    /// The same in `use crate::{old::…}`.
    fn grouped(&self, list: &[Token<'_>]) -> Vec<Splice> {
        let (Some(old), Some(new)) = (self.old.get(1..), self.new.get(1..)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let is = |at: usize, text: &str| list.get(at).is_some_and(|it| it.is(text));
        for at in
            (0..list.len()).filter(|at| is(*at, "crate") && is(at + 1, "::") && is(at + 2, "{"))
        {
            let mut depth = 0usize;
            for (idx, token) in list.iter().enumerate().skip(at + 2) {
                match token.text {
                    "{" => depth += 1,
                    "}" if depth <= 1 => break,
                    "}" => depth -= 1,
                    ";" => break,
                    _ => {}
                }
                let begins = depth == 1 && (token.is("{") || token.is(","));
                let span = begins.then(|| path_at(list, idx + 1, old)).flatten();
                found.extend(span.map(|span| Splice { span, insert: new.join("::") }));
            }
        }
        found
    }

    /// `super::` of the moved file, outside of its inline modules, as the path of the former parent.
    fn of_parent(&self, list: &[Token<'_>]) -> Vec<Splice> {
        let parent = self.old.get(..self.old.len() - 1).unwrap_or_default().join("::");
        let mut found = Vec::new();
        let (mut depth, mut inner) = (0usize, Vec::new());
        for (at, token) in list.iter().enumerate() {
            let before = |by: usize| at.checked_sub(by).and_then(|it| list.get(it));
            match token.text {
                "{" => {
                    depth += 1;
                    if before(2).is_some_and(|it| it.is("mod")) {
                        inner.push(depth);
                    }
                }
                "}" => {
                    inner.retain(|it| *it != depth);
                    depth = depth.saturating_sub(1);
                }
                "super" if inner.is_empty() && !before(1).is_some_and(|it| it.is("::")) => {
                    // Of a visibility the parent stays the parent.
                    let is_path = list.get(at + 1).is_some_and(|it| it.is("::"));
                    let insert = parent.clone();
                    found.extend(is_path.then_some(Splice { span: token.span, insert }));
                }
                _ => {}
            }
        }
        found
    }

    /// A path that an error marks and that reaches the module from where it is: by `super`, `self`, or its
    /// name in the parent.
    fn relative(&self, path: &ProjectPath, list: &[Token<'_>], marked: ByteSpan) -> Option<Splice> {
        let at = list.iter().position(|it| {
            marked.contains(it.span) && Some(it.text) == self.old.last().map(String::as_str)
        })?;
        if self.is_in_place() {
            let insert = self.new.last()?.clone();
            return Some(Splice { span: list.get(at)?.span, insert });
        }
        let mut start = at;
        while start >= 2
            && list.get(start - 1)?.is("::")
            && list.get(start - 2)?.kind == TokenKind::Word
        {
            start -= 2;
        }
        let span = ByteSpan::new(list.get(start)?.span.start, list.get(at)?.span.end);
        let first = list.get(start)?;
        let is_grouped = start >= 2 && list.get(start - 1)?.is("::");
        let is_relative = first.is("super") || first.is("self");
        let here: Vec<String> = module_path(path)?.split("::").map(str::to_owned).collect();
        let is_name = start == at && here.as_slice() == self.old.get(..self.old.len() - 1)?;
        (!is_grouped && (is_relative || is_name))
            .then(|| Splice { span, insert: self.new.join("::") })
    }
}

/// The span of a path of these segments at a token.
fn path_at(list: &[Token<'_>], at: usize, segments: &[String]) -> Option<ByteSpan> {
    let mut last = at;
    for (idx, segment) in segments.iter().enumerate() {
        last = at + 2 * idx;
        let is_joined = idx == 0 || list.get(last - 1)?.is("::");
        if !is_joined || list.get(last)?.text.trim_start_matches("r#") != segment {
            return None;
        }
    }
    Some(ByteSpan::new(list.get(at)?.span.start, list.get(last)?.span.end))
}

/// Whether an error reports a path through a module of that name.
fn misses(marked: &Marked<'_>, name: &str) -> bool {
    let labels = marked.error.spans.iter().filter_map(|it| it.label.as_deref());
    let mut texts = labels.chain([marked.error.message.as_str()]).flat_map(quoted);
    matches!(marked.error.code.as_deref(), Some("E0432" | "E0433" | "E0412" | "E0425"))
        && texts.any(|it| has_word(it, name))
}

#[cfg(test)]
mod tests {
    use base::{ProjectPath, Timestamp};
    use edit::Overlay;

    use crate::tests::{Tree, marked, since};
    use crate::{intents, propagate};

    #[test]
    fn a_file_with_another_name_is_declared_by_it() {
        let moved = "pub fn a() { super::b(); }\n";
        let lib = "mod old;\npub fn b() { old::a(); crate::old::a(); }\n";
        let base = Tree::of(&[("src/lib.rs", lib), ("src/old.rs", moved)]);
        let now = Tree::of(&[("src/lib.rs", lib), ("src/new.rs", moved)]);
        let difference = since(&base, &now);
        let text = lib.replacen("mod old;", "$0mod old;$1", 1);
        let (_, errors) = marked(&text, "E0583", "file not found for module `old`");
        let found = propagate(&difference, &intents(&difference), &errors, &now);
        let [only] = &found[..] else { panic!("{found:?}") };
        let overlay = Overlay::from_splices("t", Timestamp(0), &now, &only.splices).unwrap();
        let after = |path: &str| {
            let path = ProjectPath::new(path).unwrap();
            overlay.get(&path).map(|it| it.after_text().to_owned())
        };
        let expected = "mod new;\npub fn b() { old::a(); crate::new::a(); }\n";
        assert_eq!(after("src/lib.rs").as_deref(), Some(expected));
        assert_eq!(after("src/new.rs"), None);
    }

    #[test]
    fn paths_through_the_former_name_follow() {
        let moved = "pub fn a() { super::b(); }\n";
        let before = "mod old;\nuse old::a;\nuse super::old::a as b;\nuse self::{old::a as c};\n";
        let after = before.replacen("mod old;", "mod new;", 1);
        let base = Tree::of(&[("src/lib.rs", before), ("src/old.rs", moved)]);
        let now = Tree::of(&[("src/lib.rs", &after), ("src/new.rs", moved)]);
        let difference = since(&base, &now);
        let text = after.replace("old", "$0old$1");
        let (_, errors) = marked(&text, "E0432", "unresolved import `super::old`");
        let found = propagate(&difference, &intents(&difference), &errors, &now);
        let own = found.iter().find(|it| it.reason.starts_with("module")).unwrap();
        let overlay = Overlay::from_splices("t", Timestamp(0), &now, &own.splices).unwrap();
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let found = overlay.get(&path).map(|it| it.after_text().to_owned());
        assert_eq!(found, Some(after.replace("old", "new")));
    }
}
