//! Paths that mean the same before and after the move.

use super::MovedItem;
use super::streams::{Import, Item, Stream};
use crate::outline::tokens;

/// Keywords that a defined name follows.
const DEFINES: [&str; 9] =
    ["const", "enum", "fn", "macro", "mod", "static", "struct", "trait", "type"];

pub(super) struct Paths<'a> {
    pub(super) of: &'a MovedItem,
    /// The old text of the file that the item leaves.
    pub(super) source: &'a str,
    /// Other names of the old module in the compared file.
    pub(super) aliases: Vec<String>,
}

/// A path in a stream: its segments, `$crate` as one, and the number of items.
struct Path<'t> {
    names: Vec<&'t str>,
    is_global: bool,
    len: usize,
}

impl<'a> Paths<'a> {
    pub(super) fn new(of: &'a MovedItem, source: &'a str, imports: &[Import]) -> Self {
        let module = of.from_module.last().map_or("crate", String::as_str);
        let alias = |it: &Import| {
            let (path, name) = it.path.split_once(" as ")?;
            let is_it = super::last_name(path.trim_end_matches("::self")) == module;
            is_it.then(|| name.to_owned())
        };
        Self { of, source, aliases: imports.iter().filter_map(alias).collect() }
    }

    /// The places up to which two texts agree, as counts of items, from the beginning.
    pub(super) fn common(
        &self,
        old: &[Item<'_>],
        new: &[Item<'_>],
        in_piece: bool,
    ) -> Vec<(usize, usize)> {
        let (mut at, mut new_at) = (0, 0);
        let mut found = vec![(0, 0)];
        while at < old.len() && new_at < new.len() {
            let skipped = self.visibility(&old[at..], &new[new_at..]);
            if let Some((a, b)) = skipped {
                (at, new_at) = (at + a, new_at + b);
                if at >= old.len() || new_at >= new.len() {
                    break;
                }
            }
            let Some((a, b)) = self.step(&old[at..], &new[new_at..], in_piece) else { break };
            (at, new_at) = (at + a, new_at + b);
            found.push((at, new_at));
        }
        found
    }

    /// How many items the same visibility, or a wider one within the crate, has in both texts.
    fn visibility(&self, old: &[Item<'_>], new: &[Item<'_>]) -> Option<(usize, usize)> {
        let (a, b) = (visibility(old), visibility(new));
        let same = a == b && old[..a].iter().zip(&new[..b]).all(|(x, y)| x.text == y.text);
        // `pub(crate)` and the like have four items or more, `pub` has one.
        let is_wider = b >= 4 && a != 1;
        (!same && is_wider).then_some((a, b))
    }

    /// One equal element.
    fn step(&self, old: &[Item<'_>], new: &[Item<'_>], in_piece: bool) -> Option<(usize, usize)> {
        let (a, b) = (&old[0], &new[0]);
        if a.kind.is_none() && b.kind.is_none() {
            return (a.text == b.text || self.same_comment(a.text, b.text, in_piece))
                .then_some((1, 1));
        }
        if let (Some(x), Some(y)) = (path(old), path(new)) {
            let same = x.is_global == y.is_global && x.names == y.names;
            return (same || self.same_path(&x, &y, in_piece)).then_some((x.len, y.len));
        }
        (a.kind == b.kind && a.text == b.text).then_some((1, 1))
    }

    fn same_comment(&self, old: &str, new: &str, in_piece: bool) -> bool {
        // The target of a link may be new, or follow as the label does.
        self.same_line(old, new, in_piece)
            || self.same_line(old, &self.without_targets(old, new), in_piece)
    }

    fn same_line(&self, old: &str, new: &str, in_piece: bool) -> bool {
        if old == new {
            return true;
        }
        let blanks = |it: &str| -> String { it.chars().filter(|it| it.is_whitespace()).collect() };
        let (Some(a), Some(b)) = (items(old), items(new)) else { return false };
        let end = self.common(&a, &b, in_piece).last().copied();
        blanks(old) == blanks(new) && end == Some((a.len(), b.len()))
    }

    /// A line of documentation without the targets of links that the old one does not have, if each is a
    /// path in this crate or to what the old module imports.
    fn without_targets(&self, old: &str, new: &str) -> String {
        let mut found = String::with_capacity(new.len());
        let mut rest = new;
        while let Some(at) = rest.find("](") {
            let (before, after) = rest.split_at(at + 1);
            found.push_str(before);
            let end = after.find(')').map_or(after.len(), |it| it + 1);
            let (target, next) = after.split_at(end);
            let path = target.trim_start_matches('(').trim_end_matches(')');
            let is_path = !path.is_empty()
                && path.contains("::")
                && path.chars().all(|it| base::is_word(it) || it == ':');
            if !is_path || old.contains(target) {
                found.push_str(target);
            }
            rest = next;
        }
        found.push_str(rest);
        found
    }

    fn same_path(&self, old: &Path<'_>, new: &Path<'_>, in_piece: bool) -> bool {
        if let (Some(at), Some(new_at)) = (self.item_in(&old.names), self.item_in(&new.names))
            && old.names[at..] == new.names[new_at..]
            && self.is_old(&old.names[..at])
            && self.is_new(&new.names[..new_at])
        {
            return true;
        }
        if !in_piece {
            return false;
        }
        let written = new.names.join("::");
        let to = absolute(&self.of.to_module, &new.names);
        let is_relative = to.is_some() && !old.is_global && !new.is_global;
        if is_relative && absolute(&self.of.from_module, &old.names) == to {
            return true;
        }
        // A name of the old module, by its path.
        let (first, rest) = (old.names[0], &old.names[1..]);
        let mut own = vec!["crate"];
        own.extend(self.of.from_module.iter().map(String::as_str));
        own.extend(&old.names);
        if old.is_global {
            return false;
        }
        let imports = Stream::of(self.source).imports;
        own == new.names
            || self.is_of_prelude(first, &imports) && {
                let path = written
                    .strip_suffix(&rest.iter().map(|it| format!("::{it}")).collect::<String>());
                path.is_some_and(|it| crate::is_prelude_path(it, first))
            }
            || imports.iter().any(|it| {
                let path = self.absolute_import(it);
                let path = path.split(" as ").next().unwrap_or("");
                let whole = match path.strip_suffix('*') {
                    Some(glob) => format!("{glob}{}", old.names.join("::")),
                    None => [&[path], rest].concat().join("::"),
                };
                let is_it = path.ends_with("::*") || super::last_name(&it.path) == first;
                // `use child::Name` names a module of the old one.
                let below = || {
                    self.defines(&["mod"], &whole) && {
                        let own = ["crate"].into_iter();
                        let own = own.chain(self.of.from_module.iter().map(String::as_str));
                        own.chain([whole.as_str()]).collect::<Vec<_>>().join("::") == written
                    }
                };
                is_it && (whole == written || whole == format!("::{written}") || below())
            })
    }

    /// Whether a name of the old file can only be that of the prelude: it has no import and no item of the
    /// name, and no glob.
    fn is_of_prelude(&self, name: &str, imports: &[Import]) -> bool {
        let is_other = |it: &Import| it.path.ends_with('*') || super::last_name(&it.path) == name;
        !imports.iter().any(is_other) && !self.defines(&DEFINES, name)
    }

    /// Whether one of these keywords defines the first name of a path in the old file.
    fn defines(&self, keywords: &[&str], path: &str) -> bool {
        let name = path.split("::").next().unwrap_or(path);
        let all = tokens(self.source);
        all.windows(2).any(|it| keywords.contains(&it[0].text) && it[1].is(name))
    }

    /// The index of the item's name in a path.
    fn item_in(&self, names: &[&str]) -> Option<usize> {
        names.iter().position(|it| it.trim_start_matches("r#") == self.of.name)
    }

    /// Whether a path before the item's name can be that of its old module.
    fn is_old(&self, names: &[&str]) -> bool {
        let Some(last) = names.last() else { return true };
        let is_relative = matches!(*last, "self" | "super");
        is_relative
            || self.aliases.iter().any(|it| it == last)
            || match self.of.from_module.last() {
                Some(module) => last.trim_start_matches("r#") == module,
                None => matches!(*last, "crate" | "$crate") || *last == self.of.library,
            }
    }

    fn is_new(&self, names: &[&str]) -> bool {
        let (to, relative) = (&self.of.to_module, relative(names));
        let is_below = !relative.is_empty()
            && relative.len() <= to.len()
            && relative
                .iter()
                .map(|it| it.trim_start_matches("r#"))
                .eq(to[to.len() - relative.len()..].iter());
        if is_below {
            return true;
        }
        let Some((first, rest)) = names.split_first() else { return false };
        let is_root = matches!(*first, "crate" | "$crate") || *first == self.of.library;
        is_root && rest.iter().map(|it| it.trim_start_matches("r#")).eq(self.of.to_module.iter())
    }

    /// Whether an import names the item by a path to its old module.
    pub(super) fn is_old_item(&self, path: &str) -> bool {
        let names = names_of(path);
        self.item_in(&names).is_some_and(|at| self.is_old(&names[..at]))
    }

    /// Whether an import names the item in its new module.
    pub(super) fn is_new_item(&self, path: &str) -> bool {
        let names = names_of(path);
        self.item_in(&names).is_some_and(|at| self.is_new(&names[..at]))
    }

    /// Whether the new import is the old one with the new path.
    pub(super) fn is_same_import(&self, old: &Import, new: &Import) -> bool {
        let tail = |it: &str| -> Option<String> {
            let names = names_of(it);
            let at = self.item_in(&names)?;
            let alias = it.split_once(" as ").map(|it| it.1).unwrap_or("");
            Some(format!("{} {alias}", names[at..].join("::")))
        };
        old.head == new.head && self.is_new_item(&new.path) && tail(&old.path) == tail(&new.path)
    }

    /// An import of the old file, from any module of the crate.
    pub(super) fn absolute_import(&self, it: &Import) -> String {
        of_crate(&it.path, &self.of.from_module)
    }
}

/// The path of an import in a module, from the root of its crate if it is below it.
pub(super) fn of_crate(import: &str, module: &[String]) -> String {
    let (path, alias) = match import.split_once(" as ") {
        Some((path, alias)) => (path, format!(" as {alias}")),
        None => (import, String::new()),
    };
    let names: Vec<&str> = path.split("::").collect();
    match absolute(module, &names) {
        Some(names) => format!("crate::{}{alias}", names.join("::")),
        None => import.to_owned(),
    }
}

/// A path without `self` and `super` at its beginning.
fn relative<'p, 't>(names: &'p [&'t str]) -> &'p [&'t str] {
    let runs = names.iter().take_while(|it| matches!(**it, "self" | "super")).count();
    &names[runs..]
}

fn names_of(path: &str) -> Vec<&str> {
    path.split(" as ").next().unwrap_or("").split("::").collect()
}

/// A path below the root of its crate; `None` if it does not begin with `crate`, `self` or `super`.
fn absolute(module: &[String], names: &[&str]) -> Option<Vec<String>> {
    let mut found: Vec<String> = match *names.first()? {
        "crate" => Vec::new(),
        "self" | "super" => module.to_vec(),
        _ => return None,
    };
    let mut rest = names;
    while let Some((first, after)) = rest.split_first() {
        match *first {
            "self" | "crate" => {}
            "super" => {
                found.pop()?;
            }
            _ => break,
        }
        rest = after;
    }
    found.extend(rest.iter().map(|it| (*it).to_owned()));
    Some(found)
}

/// How many items the visibility at the beginning has.
fn visibility(items: &[Item<'_>]) -> usize {
    if !items.first().is_some_and(|it| it.is("pub")) {
        return 0;
    }
    let inside = items.get(2).map_or("", |it| it.text);
    let is_list = items.get(1).is_some_and(|it| it.is("("));
    if !is_list || !matches!(inside, "crate" | "super" | "self" | "in") {
        return 1;
    }
    let close = items.iter().take(40).position(|it| it.is(")"));
    close.map_or(1, |it| it + 1)
}

/// The path at the beginning.
fn path<'t>(items: &[Item<'t>]) -> Option<Path<'t>> {
    let is_global = items.first()?.is("::");
    let mut at = usize::from(is_global);
    let mut names = Vec::new();
    loop {
        let name = items.get(at)?;
        match name.is("$") && items.get(at + 1).is_some_and(|it| it.is("crate")) {
            true => {
                names.push("$crate");
                at += 1;
            }
            false if name.is_word() => names.push(name.text),
            false => return None,
        }
        at += 1;
        let more = items.get(at).is_some_and(|it| it.is("::"))
            && items.get(at + 1).is_some_and(Item::is_word);
        if !more {
            return Some(Path { names, is_global, len: at });
        }
        at += 1;
    }
}

/// The tokens of a comment; `None` if they are not all of it.
fn items(text: &str) -> Option<Vec<Item<'_>>> {
    let list: Vec<Item<'_>> = tokens(text.trim_start_matches(['/', '!', '*']))
        .into_iter()
        .map(|it| Item { text: it.text, span: it.span, kind: Some(it.kind) })
        .collect();
    let solid = |it: &str| it.chars().filter(|it| !it.is_whitespace()).count();
    let all = solid(text.trim_start_matches(['/', '!', '*']));
    (list.iter().map(|it| solid(it.text)).sum::<usize>() == all).then_some(list)
}
