//! Where a public path of the old version went.

use base::{SortedMap, SortedSet};

use refactor::words;
use syntax::NodeKind;

use super::{Entry, Library, notes};
use crate::confidence::Confidence;
use crate::pairs::overlap;

/// Most successors of one path.
const MAX_SUCCESSORS: usize = 4;
/// Most pairs of names that are compared.
const MAX_COMPARED: usize = 200_000;
/// Least likeness of another name.
const LEAST: f64 = 0.5;

/// A path of the new version that may replace an old one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Successor {
    /// Path without the crate.
    pub(crate) path: String,
    /// Why.
    pub(crate) reason: String,
    pub(crate) confidence: Confidence,
    /// Whether it is a member of a type or trait, which no import can name.
    pub(crate) is_member: bool,
}

/// What may replace a path that the new version does not have, best first.
pub(crate) fn successors(library: &Library, old: &str) -> Vec<Successor> {
    let mut found = Found { library, old, list: Vec::new() };
    let entries = library.old.interface.get(old);
    found.noted(entries);
    if entries.iter().any(|it| it.kind == NodeKind::Module) {
        found.module();
    }
    found.elsewhere(entries);
    found.systematic(entries);
    found.member(entries);
    found.logged(entries);
    found.with_members(entries);
    found.alike(entries);
    found.list.truncate(MAX_SUCCESSORS);
    found.list
}

struct Found<'a> {
    library: &'a Library,
    old: &'a str,
    list: Vec<Successor>,
}

impl Found<'_> {
    fn add(&mut self, path: &str, reason: String, confidence: Confidence) {
        if path != self.old && !self.list.iter().any(|it| it.path == path) {
            let path = path.to_owned();
            self.list.push(Successor { path, reason, confidence, is_member: false });
        }
    }

    /// Members that came, with the name of what is gone, or with the words that the type around them
    /// does not have: `MAX_SIZE` is `Size::MAX`, `parse_size(…)` is `Size::parse(…)`.
    fn member(&mut self, entries: &[Entry]) {
        let is_value =
            |it: &Entry| matches!(it.kind, NodeKind::Const | NodeKind::Static | NodeKind::Function);
        let Some(entry) = entries.iter().find(|it| is_value(it)) else { return };
        let is_function = entry.kind == NodeKind::Function;
        let mut own = words(self.name());
        own.sort();
        own.dedup();
        let (old, new) = (&self.library.old.members, &self.library.new);
        let mut found: Vec<(bool, String)> = Vec::new();
        for (owner, name) in new.members.values(is_function) {
            let is_named = name.eq_ignore_ascii_case(self.name());
            let mut all = [words(owner), words(name)].concat();
            all.sort();
            all.dedup();
            if !(is_named || all == own) || old.values(is_function).any(|it| it == (owner, name)) {
                continue;
            }
            let paths = new.interface.named(owner);
            if let Some(path) = paths.iter().min_by_key(|it| it.len()) {
                found.push((!is_named, format!("{path}::{name}")));
            }
        }
        found.sort();
        found.dedup();
        for (_, path) in found.into_iter().take(2) {
            let reason = format!("`{}` is `{path}` in {}", self.old, self.library.to());
            let confidence = Confidence::Likely;
            if !self.list.iter().any(|it| it.path == path) {
                self.list.push(Successor { path, reason, confidence, is_member: true });
            }
        }
    }

    fn name(&self) -> &str {
        self.old.rsplit("::").next().unwrap_or(self.old)
    }

    /// Public paths of the new version that a name in a note may mean, of a fitting kind.
    fn meant(&self, name: &str, entries: &[Entry]) -> Option<String> {
        let new = &self.library.new.interface;
        let name =
            name.strip_prefix(&format!("{}::", self.library.new.release.name)).unwrap_or(name);
        let fits = |path: &str| {
            entries.is_empty()
                || new.get(path).iter().any(|it| entries.iter().any(|old| fit(old.kind, it.kind)))
        };
        if new.has(name) && fits(name) {
            return Some(name.to_owned());
        }
        let beside = match self.old.rsplit_once("::") {
            Some((module, _)) => format!("{module}::{name}"),
            None => name.to_owned(),
        };
        if new.has(&beside) && fits(&beside) {
            return Some(beside);
        }
        let last = name.rsplit("::").next()?;
        let ends = |it: &&String| it.as_str() == name || it.ends_with(&format!("::{name}"));
        let mut found: Vec<&String> = new.named(last).iter().filter(ends).collect();
        found.retain(|it| fits(it));
        found.sort_by_key(|it| (std::cmp::Reverse(self.shared(it)), it.len()));
        found.first().map(|it| (*it).clone())
    }

    /// What `#[deprecated]` of the old version names.
    fn noted(&mut self, entries: &[Entry]) {
        for entry in entries.iter().filter(|it| !it.deprecated.is_empty()) {
            for name in notes::names(&entry.deprecated) {
                if let Some(path) = self.meant(&name, entries) {
                    let reason = format!("`{}` was deprecated: {}", self.old, entry.deprecated);
                    self.add(&path, reason, Confidence::Certain);
                }
            }
        }
    }

    /// The module to which most of its public names went.
    fn module(&mut self) {
        let (old, new) = (&self.library.old.interface, &self.library.new.interface);
        let mut votes: SortedMap<String, usize> = SortedMap::new();
        let mut count = 0;
        for path in old.inside(self.old) {
            let Some((_, name)) = path.rsplit_once("::") else { continue };
            count += 1;
            for there in new.named(name) {
                let module = there.rsplit_once("::").map_or("", |it| it.0);
                if !module.is_empty() && !old.has(module) {
                    *votes.entry(module.to_owned()).or_default() += 1;
                }
            }
        }
        let mut ranked: Vec<(usize, usize, String)> =
            votes.into_iter().map(|(path, count)| (count, self.shared(&path), path)).collect();
        ranked.sort_by(|a, b| {
            (b.0, b.1).cmp(&(a.0, a.1)).then_with(|| (a.2.len(), &a.2).cmp(&(b.2.len(), &b.2)))
        });
        for (votes, _, path) in ranked.into_iter().take(2) {
            if votes * 2 >= count.max(1) {
                let reason =
                    format!("`{}` is `{path}`: {votes} of its {count} names are there", self.old);
                self.add(&path, reason, Confidence::Certain);
            }
        }
    }

    /// The same name in another module.
    fn elsewhere(&mut self, entries: &[Entry]) {
        let new = &self.library.new.interface;
        let fits = |path: &&String| {
            new.get(path)
                .iter()
                .any(|it| entries.is_empty() || entries.iter().any(|old| fit(old.kind, it.kind)))
        };
        let mut paths: Vec<&String> = new.named(self.name()).iter().filter(fits).collect();
        paths.sort_by_key(|it| {
            (std::cmp::Reverse(self.shared(it)), it.matches("::").count(), it.len())
        });
        let mut places: Vec<_> = paths.iter().flat_map(|it| new.get(it)).map(|it| &it.at).collect();
        places.sort();
        places.dedup();
        let confidence = if places.len() < 2 { Confidence::Certain } else { Confidence::Likely };
        let reason = |path: &str| format!("`{}` is `{path}` in {}", self.old, self.library.to());
        let found: Vec<(String, String)> =
            paths.into_iter().map(|it| (it.clone(), reason(it))).collect();
        for (path, reason) in found {
            self.add(&path, reason, confidence);
        }
    }

    /// What the change log names, also for the name that others have got by the same prefix.
    fn logged(&mut self, entries: &[Entry]) {
        let log = &self.library.new.release.changelog;
        let own = [self.name().to_owned()].into_iter();
        let names: Vec<String> = own.chain(self.affixed(entries)).collect();
        for (name, sentence) in names.iter().flat_map(|it| notes::in_changelog(log, it)) {
            if let Some(path) = self.meant(&name, entries) {
                let sentence: String = sentence.chars().take(160).collect();
                self.add(&path, format!("change log: {sentence}"), Confidence::Likely);
            }
        }
    }

    /// A name that other names of the kind have got in the same way: `Camel` is `ToCamel`, `Snake`
    /// is `ToSnake`.
    fn systematic(&mut self, entries: &[Entry]) {
        for name in self.affixed(entries) {
            if let Some(path) = self.meant(&name, entries) {
                let reason = format!("`{}` is `{path}`, as others are renamed", self.old);
                self.add(&path, reason, Confidence::Certain);
            }
        }
    }

    /// The name with each prefix and suffix that at least two names of its kind have got.
    fn affixed(&self, entries: &[Entry]) -> Vec<String> {
        let (old, new) = (&self.library.old.interface, &self.library.new.interface);
        let of_kind =
            |list: &[Entry]| list.iter().any(|it| entries.iter().any(|own| own.kind == it.kind));
        let last = |path: &str| path.rsplit("::").next().unwrap_or(path).to_owned();
        let gone = old.paths().filter(|it| !new.has(it) && of_kind(old.get(it))).map(last);
        let come = new.paths().filter(|it| !old.has(it) && of_kind(new.get(it))).map(last);
        let (gone, come): (SortedSet<String>, SortedSet<String>) = (gone.collect(), come.collect());
        if gone.len() * come.len() > MAX_COMPARED {
            return Vec::new();
        }
        let mut counts: SortedMap<(&str, &str), usize> = SortedMap::new();
        for name in &come {
            for part in gone.iter().filter(|it| it.len() > 2) {
                if let Some(at) = name.find(part.as_str()).filter(|_| name != part) {
                    *counts.entry((&name[..at], &name[at + part.len()..])).or_default() += 1;
                }
            }
        }
        let mut found: Vec<_> = counts.into_iter().filter(|it| it.1 > 1).collect();
        found.sort_by_key(|it| std::cmp::Reverse(it.1));
        let name = self.name();
        found.into_iter().map(|((before, after), _)| format!("{before}{name}{after}")).collect()
    }

    /// New types and traits with the same members (fields, variants, methods, associated types): all
    /// of them, or as many as their names are alike.
    fn with_members(&mut self, entries: &[Entry]) {
        let is_type = |it: &Entry| {
            use NodeKind as K;
            matches!(it.kind, K::Struct | K::Enum | K::Union | K::Trait)
        };
        let Some(entry) = entries.iter().find(|it| is_type(it)) else { return };
        let (old, new) = (&self.library.old, &self.library.new);
        let own = old.members.of_owner(&entry.name);
        if own.is_empty() {
            return;
        }
        let own_words = words(&entry.name);
        let mut ranked: Vec<(usize, usize, String)> = Vec::new();
        for path in new.interface.paths().filter(|it| !old.interface.has(it)) {
            let Some(there) = new.interface.get(path).iter().find(|it| fit(entry.kind, it.kind))
            else {
                continue;
            };
            let others = new.members.of_owner(&there.name);
            let shared = own.intersection(&others).filter(|it| !is_common(it)).count();
            if shared * 3 < own.len().max(others.len()) {
                continue;
            }
            let percent = shared * 100 / own.len();
            let likeness = overlap(&own_words, &words(&there.name));
            let score = percent + (likeness * 100.0) as usize;
            if shared > 0 && score >= 100 {
                ranked.push((score, percent, path.to_owned()));
            }
        }
        ranked
            .sort_by(|a, b| b.0.cmp(&a.0).then_with(|| (a.2.len(), &a.2).cmp(&(b.2.len(), &b.2))));
        for (_, percent, path) in ranked.into_iter().take(2) {
            let reason = format!(
                "`{}` is gone, `{path}` is new and has {percent} % of its members",
                self.old
            );
            self.add(&path, reason, Confidence::Likely);
        }
    }

    /// New names of the same kind that are alike.
    fn alike(&mut self, entries: &[Entry]) {
        let (old, new) = (&self.library.old.interface, &self.library.new.interface);
        let own = words(self.name());
        let module = self.old.rsplit_once("::").map_or("", |it| it.0);
        let mut ranked: Vec<(f64, String)> = Vec::new();
        for path in new.paths().filter(|it| !old.has(it)) {
            let fits = |it: &Entry| entries.iter().any(|old| fit(old.kind, it.kind));
            if !new.get(path).iter().any(fits) {
                continue;
            }
            let (there, name) = path.rsplit_once("::").unwrap_or(("", path));
            if name == self.name() || !old.named(name).is_empty() {
                continue;
            }
            let score = overlap(&own, &words(name)) * if there == module { 1.0 } else { 0.8 };
            if score >= LEAST {
                ranked.push((score, path.to_owned()));
            }
        }
        ranked.sort_by(|a, b| {
            b.0.total_cmp(&a.0).then_with(|| (a.1.len(), &a.1).cmp(&(b.1.len(), &b.1)))
        });
        for (score, path) in ranked.into_iter().take(2) {
            let confidence = if score >= 0.6 { Confidence::Likely } else { Confidence::Guess };
            self.add(&path, format!("`{}` is gone, `{path}` is new", self.old), confidence);
        }
    }

    /// How much of the old path another one shares.
    fn shared(&self, path: &str) -> usize {
        let split = |it: &str| it.split("::").map(str::to_owned).collect::<Vec<_>>();
        (overlap(&split(self.old), &split(path)) * 100.0) as usize
    }
}

/// Whether a member has a name that many types have.
fn is_common(name: &str) -> bool {
    const NAMES: [&str; 16] = [
        "new", "default", "from", "into", "fmt", "clone", "eq", "len", "is_empty", "get", "iter",
        "next", "hash", "cmp", "drop", "as_ref",
    ];
    NAMES.contains(&name)
}

/// Whether code that names something of one kind can name something of another.
fn fit(old: NodeKind, new: NodeKind) -> bool {
    use NodeKind as K;
    let class = |it: NodeKind| match it {
        K::Struct | K::Enum | K::Union | K::TypeAlias => 0,
        K::Function | K::Method => 1,
        K::Const | K::Static => 2,
        K::Trait => 3,
        K::Module => 4,
        K::Macro => 5,
        K::Impl | K::Import => 6,
    };
    class(old) == class(new)
}
