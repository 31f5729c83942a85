//! Paths into a dependency that its new version does not have, and features that it has to be given.

use base::{ByteSpan, ProjectPath, SortedMap, SortedSet};
use edit::{Splice, TextEdit};
use preserve::outline::{Token, TokenKind, tokens};
use refactor::PlacedText;
use refactor::{UseItem, UseLeaf};
use syntax::facts::{FileFacts, UseWhat};
use syntax::places::Definition;

use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::library::{Library, Successor, missing_features, successors};
use crate::project::Project;

/// Most alternatives for one path.
const MAX_CHOICES: usize = 4;

/// The changes that missing paths and features of changed dependencies ask for.
pub(super) fn external(project: &Project<'_>, errors: &Errors<'_>) -> Vec<Propagation> {
    let mut found = Vec::new();
    for library in project.difference.libraries() {
        let mut paths = Paths { library, known: SortedMap::new(), sites: SortedMap::new() };
        let mut features: SortedMap<(ProjectPath, String), (Vec<usize>, bool)> = SortedMap::new();
        let mut read: SortedMap<&ProjectPath, FileFacts> = SortedMap::new();
        for marked in errors.marked() {
            let Some(text) = project.text(marked.path) else { continue };
            let facts = read.entry(marked.path).or_insert_with(|| syntax::read(&text.text));
            let file = File { library, text: &text, facts };
            let mut missing = gates(&marked);
            missing.extend(file.missing_features(&marked));
            missing.extend(library.features_for(marked.error));
            for feature in missing.into_iter().filter(|it| library.has_feature(it)) {
                if let Some(manifest) = manifest_of(project, marked.path, &library.package) {
                    let for_tests =
                        preserve::is_dev_code(marked.path, &text.text, marked.span.start);
                    let all = features.entry((manifest, feature)).or_insert((Vec::new(), true));
                    all.0.push(marked.seed);
                    all.1 &= for_tests;
                }
            }
            match file.import_at(marked.span) {
                Some(import) => found.extend(paths.import(&file, &import, marked.seed)),
                None => paths.note(&file, &marked),
            }
        }
        found.extend(paths.propagations());
        for ((manifest, feature), seeds) in features {
            found.extend(enabled(project, library, (&manifest, &feature), seeds));
        }
    }
    found
}

/// The features that the compiler names: "the item is gated behind the `x` feature".
fn gates(marked: &Marked<'_>) -> Vec<String> {
    const GATED: &str = "gated behind the `";
    let children = &marked.error.children;
    let labels = children.iter().flat_map(|it| &it.spans).filter_map(|it| it.label.as_deref());
    let texts = children.iter().map(|it| it.message.as_str()).chain(labels);
    let feature = |it: &str| {
        let rest = &it[it.find(GATED)? + GATED.len()..];
        rest.split('`').next().map(str::to_owned)
    };
    texts.filter_map(feature).collect()
}

/// The manifest of the package that a file is in, if it names the dependency.
fn manifest_of(project: &Project<'_>, file: &ProjectPath, package: &str) -> Option<ProjectPath> {
    let mut folder = file.as_str();
    loop {
        folder = folder.rsplit_once('/').map_or("", |it| it.0);
        let path = match folder {
            "" => "Cargo.toml".to_owned(),
            _ => format!("{folder}/Cargo.toml"),
        };
        let path = ProjectPath::new(&path).ok()?;
        if let Some(text) = project.plain(&path) {
            return text.contains(package).then_some(path);
        }
        if folder.is_empty() {
            return None;
        }
    }
}

/// A feature of the dependency, enabled in a manifest.
fn enabled(
    project: &Project<'_>,
    library: &Library,
    (manifest, feature): (&ProjectPath, &str),
    (seeds, for_tests): (Vec<usize>, bool),
) -> Option<Propagation> {
    let old = project.plain(manifest)?;
    let new = crate::with_feature(&old, (&library.package, feature), for_tests)?;
    let reason = format!("`{}` {} needs the feature `{feature}`", library.package, library.to());
    let mut change = propagation(reason, Confidence::Certain);
    change.seeds = seeds;
    let edit = TextEdit::diff(&old, &new);
    change.splices = edit.splices.into_iter().map(|it| (manifest.clone(), it)).collect();
    Some(change)
}

/// One file of the project that has errors.
struct File<'a> {
    library: &'a Library,
    text: &'a PlacedText,
    facts: &'a FileFacts,
}

impl File<'_> {
    /// The import around a span.
    fn import_at(&self, span: ByteSpan) -> Option<UseItem<'_>> {
        UseItem::around(&self.text.text, span)
    }

    /// The path that is written around a span: names with their spans.
    fn path_at(&self, span: ByteSpan) -> Vec<(String, ByteSpan)> {
        // A path is on few lines: only the text around the span is read.
        let all = &self.text.text;
        let from =
            all.get(..span.start).and_then(|it| it.rfind(['\n', ';'])).map_or(0, |it| it + 1);
        let to =
            all.get(span.end..).and_then(|it| it.find('\n')).map_or(all.len(), |it| span.end + it);
        let list = tokens(all.get(from..to).unwrap_or(""));
        let is_name = |it: &Token<'_>| it.kind == TokenKind::Word;
        let Some(mut at) = list.iter().position(|it| from + it.span.end > span.start) else {
            return Vec::new();
        };
        if list[at].is("::") {
            at += 1;
        }
        let is_path = |at: usize| list.get(at).is_some_and(is_name);
        if !is_path(at) {
            return Vec::new();
        }
        while at >= 2 && list[at - 1].is("::") && is_path(at - 2) {
            at -= 2;
        }
        let mut found = Vec::new();
        while is_path(at) {
            let it = &list[at];
            let span = ByteSpan::new(from + it.span.start, from + it.span.end);
            found.push((it.text.trim_start_matches("r#").to_owned(), span));
            if !list.get(at + 1).is_some_and(|it| it.is("::")) {
                break;
            }
            at += 2;
        }
        found
    }

    /// The path in the dependency that a written path means, without the dependency's name, and how
    /// many of its segments the first written one is short for.
    fn full(&self, written: &[(String, ByteSpan)]) -> Option<(Vec<String>, usize)> {
        let (first, rest) = written.split_first()?;
        let rest = rest.iter().map(|it| it.0.clone());
        if first.0 == self.library.name {
            return Some((rest.collect(), 0));
        }
        let name =
            |it: &syntax::facts::Name| self.facts.names.get(it.idx()).map(|it| it.to_string());
        let imported = self.facts.uses.iter().find_map(|it| {
            let UseWhat::Name(alias) = it.what else { return None };
            let path: Vec<String> = it.path.iter().filter_map(name).collect();
            (name(&alias)? == first.0 && path.first()? == &self.library.name).then_some(path)
        })?;
        let short = imported.len() - 1;
        Some((imported.into_iter().skip(1).chain(rest).collect(), short))
    }

    /// The features that a marked path needs in the new version.
    fn missing_features(&self, marked: &Marked<'_>) -> Vec<String> {
        let paths: Vec<Vec<String>> = match self.import_at(marked.span) {
            Some(import) => {
                let leaves = import.leaves();
                let below = |it: &UseLeaf| it.below(&self.library.name).map(<[String]>::to_vec);
                leaves.iter().filter_map(below).collect()
            }
            None => self.full(&self.path_at(marked.span)).map(|it| it.0).into_iter().collect(),
        };
        let new = &self.library.new;
        let missing = |path: &Vec<String>| {
            let entries =
                (1..=path.len()).rev().map(|len| new.interface.get(&path[..len].join("::")));
            let entries = entries.into_iter().find(|it| !it.is_empty()).unwrap_or(&[]);
            let of = |it: &crate::library::Entry| -> Vec<String> {
                let cfgs = it.cfgs.iter();
                cfgs.flat_map(|it| missing_features(it, &new.release.enabled)).collect()
            };
            let mut lists: Vec<Vec<String>> = entries.iter().map(of).collect();
            lists.sort_by_key(Vec::len);
            lists.into_iter().next().unwrap_or_default()
        };
        paths.iter().flat_map(missing).collect()
    }
}

/// Sites of missing paths.
struct Paths<'a> {
    library: &'a Library,
    known: SortedMap<String, Vec<Successor>>,
    /// Sites outside of imports, by the missing path.
    sites: SortedMap<String, Vec<Site>>,
}

/// One written path.
struct Site {
    seed: usize,
    path: ProjectPath,
    /// The segments to replace.
    span: ByteSpan,
    /// The first written segment and the path that it was imported as; `None` if it is the crate.
    imported: Option<(String, String)>,
}

impl Paths<'_> {
    /// The shortest part of a path that the old version has and the new one does not.
    fn missing(&self, path: &[String]) -> Option<usize> {
        let (old, new) = (&self.library.old.interface, &self.library.new.interface);
        (1..=path.len()).find(|len| {
            let part = path[..*len].join("::");
            !new.has(&part) && old.has(&part)
        })
    }

    fn successors(&mut self, path: &str) -> &[Successor] {
        let library = self.library;
        self.known.entry(path.to_owned()).or_insert_with(|| successors(library, path))
    }

    /// Notes a path outside of imports.
    fn note(&mut self, file: &File<'_>, marked: &Marked<'_>) {
        let written = file.path_at(marked.span);
        let Some((full, short)) = file.full(&written) else { return };
        let Some(len) = self.missing(&full).filter(|len| *len > short) else { return };
        let last = written.get(len - short).map(|it| it.1);
        let (Some((first, start)), Some(last)) = (written.first(), last) else { return };
        let imported = (short > 0).then(|| (first.clone(), full[..short].join("::")));
        self.sites.entry(full[..len].join("::")).or_default().push(Site {
            seed: marked.seed,
            path: file.text.path.clone(),
            span: ByteSpan::new(start.start, last.end),
            imported,
        });
    }

    /// Replacements of the noted paths, one change for each path and alternative.
    fn propagations(&mut self) -> Vec<Propagation> {
        let mut found = Vec::new();
        for (path, sites) in std::mem::take(&mut self.sites) {
            let name = self.library.name.clone();
            for successor in self.successors(&path).iter().take(MAX_CHOICES) {
                let mut change = propagation(successor.reason.clone(), successor.confidence);
                for site in &sites {
                    let new = &successor.path;
                    let insert = match &site.imported {
                        Some((first, path)) => match new.strip_prefix(&format!("{path}::")) {
                            Some(rest) => format!("{first}::{rest}"),
                            None => format!("{name}::{new}"),
                        },
                        None => format!("{name}::{new}"),
                    };
                    change.seeds.push(site.seed);
                    change.splices.push((site.path.clone(), Splice { span: site.span, insert }));
                }
                found.push(change);
            }
        }
        found
    }

    /// The import with its missing paths replaced, one change for each alternative.
    fn import(&mut self, file: &File<'_>, import: &UseItem<'_>, seed: usize) -> Vec<Propagation> {
        let name = self.library.name.clone();
        let mut missing: Vec<(usize, usize, Vec<Successor>)> = Vec::new();
        for (idx, leaf) in import.leaves().iter().enumerate() {
            let Some(path) = leaf.below(&name) else { continue };
            let Some(len) = self.missing(path) else { continue };
            let mut list = self.successors(&path[..len].join("::")).to_vec();
            list.retain(|it| !it.is_member);
            if len < path.len() {
                // A module that is gone: each name in it may be elsewhere.
                for it in self.successors(&path.join("::")).to_vec() {
                    let is_new = |there: &Successor| it.path != there.path;
                    if list.iter().all(is_new) {
                        list.push(Successor { path: format!("={}", it.path), ..it });
                    }
                }
                let new = &self.library.new.interface;
                let rest = path[len..].join("::");
                let leads = |it: &Successor| {
                    it.path.starts_with('=') || new.has(&format!("{}::{rest}", it.path))
                };
                list.sort_by_key(|it| !leads(it));
            }
            if !list.is_empty() {
                missing.push((idx, len, list));
            }
        }
        let choices = missing.iter().map(|it| it.2.len()).max().unwrap_or(0).min(MAX_CHOICES);
        (0..choices).filter_map(|nth| replaced(file, import, &missing, nth, seed)).collect()
    }
}

/// The import with the `nth` successor of each missing path.
fn replaced(
    file: &File<'_>,
    import: &UseItem<'_>,
    missing: &[(usize, usize, Vec<Successor>)],
    nth: usize,
    seed: usize,
) -> Option<Propagation> {
    let name = &file.library.name;
    let mut change = propagation(String::new(), Confidence::Certain);
    let mut reasons: SortedSet<&str> = SortedSet::new();
    let mut leaves = import.leaves();
    let mut renamed: Vec<(String, String)> = Vec::new();
    for (idx, len, list) in missing {
        let successor = list.get(nth).or(list.first())?;
        reasons.insert(&successor.reason);
        change.confidence = change.confidence.max(successor.confidence);
        let leaf = leaves.get_mut(*idx)?;
        let rest: Vec<String> = leaf.below(name)?.get(*len..)?.to_vec();
        let mut path = vec![name.clone()];
        match successor.path.strip_prefix('=') {
            Some(whole) => path.extend(whole.split("::").map(str::to_owned)),
            None => {
                path.extend(successor.path.split("::").map(str::to_owned));
                path.extend(rest);
            }
        }
        let (old, new) = (leaf.path.last().cloned()?, path.last().cloned()?);
        leaf.path = path;
        if leaf.what == old {
            leaf.what.clone_from(&new);
            if old != new {
                renamed.push((old, new));
            }
        }
    }
    change.reason = reasons.into_iter().collect::<Vec<_>>().join("; ");
    change.seeds.push(seed);
    let mut splices = import.with(&leaves);
    for (old, new) in renamed {
        splices.extend(uses_of(file.text, import.span(), &old, &new));
    }
    change.splices = splices.into_iter().map(|it| (file.text.path.clone(), it)).collect();
    Some(change)
}

/// Where a file uses an imported name.
fn uses_of(text: &PlacedText, import: ByteSpan, old: &str, new: &str) -> Vec<Splice> {
    let list = tokens(&text.text);
    let is_inside = |it: &Token<'_>| import.start <= it.span.start && it.span.end <= import.end;
    let is_use = |(idx, it): &(usize, &Token<'_>)| {
        let before = idx.checked_sub(1).and_then(|idx| list.get(idx));
        let defines = |of: &Definition| of.name_span.start == it.span.start;
        it.text == old
            && !text.places.definitions.iter().any(defines)
            && !is_inside(it)
            && !before.is_some_and(|it| it.is(".") || it.is("::") || it.is("fn"))
    };
    let uses = list.iter().enumerate().filter(is_use);
    uses.map(|(_, it)| Splice {
        span: ByteSpan::new(it.span.start, it.span.end),
        insert: new.to_owned(),
    })
    .collect()
}
